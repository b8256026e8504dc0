"""Every command of the window, made once from the table in ``action_table``.

Menus, tool bars, the command palette and the shortcut list all read the same ``ActionSet``; nobody else makes a
``QAction`` for a command. Texts follow the language, icons the theme, shortcuts the user's settings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from fabricwright.ui.action_table import ACTIONS, MENUS, ActionSpec
from fabricwright.ui.i18n import language_changed
from fabricwright.ui.icons import icon
from fabricwright.ui.shortcuts.key_text import native

__all__ = ["ACTIONS", "MENUS", "ActionSet", "ActionSpec", "default_shortcuts", "menu_name", "menu_title"]

_SETTINGS_GROUP = "shortcuts"


def default_shortcuts(spec: ActionSpec) -> list[QKeySequence]:
    """The shortcuts a command has until the user changes them; platform standard keys resolved."""
    found: list[QKeySequence] = []
    for key in spec.shortcuts:
        if isinstance(key, QKeySequence.StandardKey):
            found += QKeySequence.keyBindings(key)
        else:
            found.append(QKeySequence(key, QKeySequence.SequenceFormat.PortableText))
    unique: list[QKeySequence] = []
    for sequence in found:
        if not sequence.isEmpty() and sequence not in unique:
            unique.append(sequence)
    return unique


def menu_title(category: str) -> str:
    """Translated title of a menu, with its mnemonic."""
    return QCoreApplication.translate("Actions", dict(MENUS)[category])


def menu_name(category: str) -> str:
    """Title of a menu for reading: without its mnemonic, also where that stands behind it as ``(&F)``."""
    return re.sub(r"\s*\(&\w\)$", "", menu_title(category)).replace("&", "")


class ActionSet(QObject):
    """All actions, keyed by id. ``parent`` is usually the main window.

    Actions of context ``window`` work wherever the focus is in the window once they are in a menu (or
    ``attach(window)``); those of context ``canvas`` only while the canvas has the focus: ``attach_canvas(view)``.
    """

    #: Emitted with the id of every command that was triggered.
    triggered = Signal(str)

    def __init__(self, parent: QObject | None = None, settings: QSettings | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.specs: dict[str, ActionSpec] = {spec.id: spec for spec in ACTIONS}
        self._actions: dict[str, QAction] = {}
        self._groups: dict[str, QActionGroup] = {}
        for spec in ACTIONS:
            self._actions[spec.id] = self._make(spec)
        self.retranslate()
        language_changed.connect(self.retranslate)

    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(self)
        action.setObjectName(f"action.{spec.id}")
        action.setData(spec.id)
        action.setMenuRole(_MENU_ROLES.get(spec.id, QAction.MenuRole.NoRole))
        if spec.icon:
            action.setIcon(icon(spec.icon))
        if spec.checkable or spec.group:
            action.setCheckable(True)
        if spec.group:
            if spec.group not in self._groups:
                self._groups[spec.group] = QActionGroup(self)
                self._groups[spec.group].setExclusive(True)
            self._groups[spec.group].addAction(action)
        in_canvas = spec.context == "canvas"
        action.setShortcutContext(
            Qt.ShortcutContext.WidgetWithChildrenShortcut if in_canvas else Qt.ShortcutContext.WindowShortcut
        )
        action.setShortcuts(self.shortcuts(spec.id))
        action.triggered.connect(lambda _checked=False, name=spec.id: self.triggered.emit(name))
        return action

    def __getitem__(self, action_id: str) -> QAction:
        """The action; KeyError for an unknown id."""
        return self._actions[action_id]

    def __contains__(self, action_id: object) -> bool:
        return action_id in self._actions

    def __iter__(self) -> Iterator[str]:
        return iter(self._actions)

    def __len__(self) -> int:
        return len(self._actions)

    def connect_to(self, action_id: str, slot: Callable[..., Any]) -> QAction:
        """Call ``slot`` when triggered: with the checked state for checkable actions, without arguments otherwise."""
        action = self._actions[action_id]
        if action.isCheckable():
            action.triggered.connect(lambda checked=False: slot(checked))
        else:
            action.triggered.connect(lambda _checked=False: slot())
        return action

    def in_category(self, category: str) -> list[QAction]:
        """Actions of one menu in the table's order."""
        return [self._actions[spec.id] for spec in ACTIONS if spec.category == category]

    def set_enabled(self, action_ids: Iterable[str], enabled: bool) -> None:
        """Enable or disable several actions."""
        for name in action_ids:
            self._actions[name].setEnabled(enabled)

    def attach(self, window: Any) -> None:
        """Make the shortcuts of all window actions work in ``window``."""
        window.addActions([self._actions[s.id] for s in ACTIONS if s.context == "window"])

    def attach_canvas(self, view: Any) -> None:
        """Make the canvas actions work while ``view`` or a child of it has the focus."""
        view.addActions([self._actions[s.id] for s in ACTIONS if s.context == "canvas"])

    # ---- texts ---------------------------------------------------------------------------------------------------

    def retranslate(self, _language: str = "") -> None:
        """Set texts and tips in the current language."""
        for spec in ACTIONS:
            action = self._actions[spec.id]
            action.setText(QCoreApplication.translate("Actions", spec.text))
            if spec.short:
                action.setIconText(QCoreApplication.translate("Actions", spec.short))
            self._set_tip(spec)

    def _set_tip(self, spec: ActionSpec) -> None:
        action = self._actions[spec.id]
        tip = QCoreApplication.translate("Actions", spec.tooltip or spec.text).replace("…", "")
        shortcut = action.shortcut()
        if not shortcut.isEmpty():
            tip = f"{tip} ({native(shortcut)})"
        action.setToolTip(tip)
        action.setStatusTip("")

    # ---- shortcuts -----------------------------------------------------------------------------------------------

    def _store(self) -> QSettings:
        if self._settings is None:
            self._settings = QSettings()
        return self._settings

    def shortcuts(self, action_id: str) -> list[QKeySequence]:
        """The user's shortcuts for a command, or its defaults."""
        saved = self._store().value(f"{_SETTINGS_GROUP}/{action_id}")
        if saved is None:
            return default_shortcuts(self.specs[action_id])
        texts = [saved] if isinstance(saved, str) else list(saved)  # type: ignore[call-overload]
        return [QKeySequence(t, QKeySequence.SequenceFormat.PortableText) for t in texts if t]

    def users_of(self, action_id: str, keys: Iterable[QKeySequence]) -> list[str]:
        """Ids of other commands that can be asked for from the same place and have one of the keys."""
        spec, wanted = self.specs[action_id], list(keys)
        return [
            other.id
            for other in ACTIONS
            if other.id != action_id
            and _same_reach(other, spec)
            and any(key in wanted for key in self._actions[other.id].shortcuts())
        ]

    def reset_shortcuts(self) -> None:
        """Every command gets its default keys again."""
        self._store().remove(_SETTINGS_GROUP)
        for spec in ACTIONS:
            self._actions[spec.id].setShortcuts(default_shortcuts(spec))
            self._set_tip(spec)

    def set_shortcuts(self, action_id: str, sequences: Iterable[QKeySequence | str] | None) -> list[str]:
        """Remap a command and remember it; None restores the defaults.

        Returns the ids of other commands of the same context that use one of the keys; then nothing is changed.
        """
        spec = self.specs[action_id]
        wanted = default_shortcuts(spec) if sequences is None else [QKeySequence(s) for s in sequences]
        clashes = self.users_of(action_id, wanted)
        if clashes:
            return clashes
        name = f"{_SETTINGS_GROUP}/{action_id}"
        if sequences is None:
            self._store().remove(name)
        else:
            self._store().setValue(name, [k.toString(QKeySequence.SequenceFormat.PortableText) for k in wanted])
        self._actions[action_id].setShortcuts(wanted)
        self._set_tip(spec)
        return []


def _same_reach(one: ActionSpec, two: ActionSpec) -> bool:
    """Whether two commands can be asked for from the same place. Window commands reach everywhere."""
    return one.context == two.context or "window" in (one.context, two.context)


_MENU_ROLES = {
    "quit": QAction.MenuRole.QuitRole,
    "about": QAction.MenuRole.AboutRole,
    "settings": QAction.MenuRole.PreferencesRole,
}
