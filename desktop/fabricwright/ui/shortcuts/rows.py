"""Rows of the shortcut sheet, made from the action table and the table of gestures."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from fabricwright.ui.actions import ACTIONS, MENUS, ActionSet, default_shortcuts, menu_name
from fabricwright.ui.i18n import QT_TRANSLATE_NOOP
from fabricwright.ui.shortcuts.key_text import native

#: What the mouse does: (what, how).
GESTURES: tuple[tuple[str, str], ...] = (
    (QT_TRANSLATE_NOOP("Gestures", "Select"), QT_TRANSLATE_NOOP("Gestures", "Click")),
    (QT_TRANSLATE_NOOP("Gestures", "Add to the selection"), QT_TRANSLATE_NOOP("Gestures", "Shift or Ctrl + click")),
    (QT_TRANSLATE_NOOP("Gestures", "One part out of a group"), QT_TRANSLATE_NOOP("Gestures", "Alt + click")),
    (QT_TRANSLATE_NOOP("Gestures", "Select what is inside a band"), QT_TRANSLATE_NOOP("Gestures", "Drag to the right")),
    (QT_TRANSLATE_NOOP("Gestures", "Select what a band touches"), QT_TRANSLATE_NOOP("Gestures", "Drag to the left")),
    (QT_TRANSLATE_NOOP("Gestures", "Move"), QT_TRANSLATE_NOOP("Gestures", "Drag")),
    (QT_TRANSLATE_NOOP("Gestures", "Move along one axis"), QT_TRANSLATE_NOOP("Gestures", "Shift + drag")),
    (QT_TRANSLATE_NOOP("Gestures", "Move without snapping"), QT_TRANSLATE_NOOP("Gestures", "Alt + drag")),
    (QT_TRANSLATE_NOOP("Gestures", "Copy"), QT_TRANSLATE_NOOP("Gestures", "Ctrl + drag")),
    (QT_TRANSLATE_NOOP("Gestures", "Draw a link"), QT_TRANSLATE_NOOP("Gestures", "Drag from a port")),
    (QT_TRANSLATE_NOOP("Gestures", "Bend a link"), QT_TRANSLATE_NOOP("Gestures", "Drag a piece of it")),
    (QT_TRANSLATE_NOOP("Gestures", "Place a part"), QT_TRANSLATE_NOOP("Gestures", "Drag from the list of parts")),
    (QT_TRANSLATE_NOOP("Gestures", "Place it against the rules"), QT_TRANSLATE_NOOP("Gestures", "Alt + drop")),
    (QT_TRANSLATE_NOOP("Gestures", "Open a server, rename a part"), QT_TRANSLATE_NOOP("Gestures", "Double-click")),
    (
        QT_TRANSLATE_NOOP("Gestures", "Pan"),
        QT_TRANSLATE_NOOP("Gestures", "Middle button, right button or Space + drag; wheel"),
    ),
    (QT_TRANSLATE_NOOP("Gestures", "Zoom at the pointer"), QT_TRANSLATE_NOOP("Gestures", "Ctrl + wheel")),
    (QT_TRANSLATE_NOOP("Gestures", "Back, forward"), QT_TRANSLATE_NOOP("Gestures", "Side buttons of the mouse")),
)


@dataclass(frozen=True, slots=True)
class ShortcutRow:
    """A command, a gesture, or (``action`` and ``how`` "") the head of a group. ``changed`` = not the default keys."""

    title: str
    action: str = ""
    keys: tuple[str, ...] = ()
    how: str = ""
    changed: bool = False

    @property
    def is_head(self) -> bool:
        """Whether it heads a group."""
        return not self.action and not self.how


def group_title(category: str) -> str:
    """Title of a group of commands."""
    titles = {
        "theme": QCoreApplication.translate("Shortcuts", "Theme"),
        "language": QCoreApplication.translate("Shortcuts", "Language"),
        "align": QCoreApplication.translate("Shortcuts", "Align and distribute"),
        "order": QCoreApplication.translate("Shortcuts", "Order"),
        "": QCoreApplication.translate("Shortcuts", "Keys of the sheet"),
    }
    return titles.get(category) or menu_name(category)


def command_text(actions: ActionSet, action_id: str) -> str:
    """Text of a command, without what undo and redo add to it."""
    return QCoreApplication.translate("Actions", actions.specs[action_id].text).replace("&", "").replace("…", "")


def sheet_rows(actions: ActionSet, query: str = "") -> list[ShortcutRow]:
    """All rows that hold every word of ``query``: in a text (either language), an id or a key."""
    words = query.casefold().split()
    out: list[ShortcutRow] = []
    order = [name for name, _ in MENUS]
    order = [*order[: order.index("arrange") + 1], "align", "order", *order[order.index("arrange") + 1 :]]
    for category in ("", *order, "theme", "language"):
        group = []
        for spec in ACTIONS:
            if spec.category != category:
                continue
            keys = tuple(native(key) for key in actions[spec.id].shortcuts())
            text = command_text(actions, spec.id)
            changed = actions.shortcuts(spec.id) != default_shortcuts(spec)
            hay = " ".join((text, spec.text, spec.id, *keys, group_title(category))).casefold()
            if all(word in hay for word in words):
                group.append(ShortcutRow(text, spec.id, keys, "", changed))
        if group:
            out += [ShortcutRow(group_title(category)), *group]
    gestures = []
    for what, how in GESTURES:
        shown = ShortcutRow(gesture_text(what), how=gesture_text(how))
        hay = f"{shown.title} {shown.how} {what} {how}".casefold()
        if all(word in hay for word in words):
            gestures.append(shown)
    if gestures:
        out += [ShortcutRow(QCoreApplication.translate("Shortcuts", "Mouse")), *gestures]
    return out


def gesture_text(text: str) -> str:
    """A text of the table of gestures in the current language."""
    return QCoreApplication.translate("Gestures", text)
