"""Editors of the inspector: a label, a control, and under it a sentence when the text makes no sense yet.

A field reads its value with ``read`` and posts with ``write``, which returns an error sentence, "" when all is well.
Fields never keep a value of their own: ``refresh`` shows what the document says, except while it is being typed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLineEdit, QSizePolicy, QWidget

from fabricwright.ui.icons import icon
from fabricwright.ui.widgets import TextLabel

CONTROL_PX = 158
#: Ctrl+Y redoes on every system here, also where it is not that system's standard key.
_REDO = QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Y)


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of a choice field. ``value`` None stands for the default; ``severity`` puts a sign before the text;
    ``quiet`` is shown in grey while it is chosen.
    """

    value: object
    text: str
    tip: str = ""
    severity: str = ""
    enabled: bool = True
    quiet: bool = False


class _Combo(QComboBox):
    """A combo box that leaves the wheel to the panel until it was clicked."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    def showPopup(self) -> None:
        # The list may be wider than the box: part names do not fit into it.
        self.view().setMinimumWidth(min(420, self.view().sizeHintForColumn(0) + 24))
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Field(QWidget):
    """Label left, control right, error below. ``wide`` puts the control under the label over the whole width."""

    def __init__(
        self, label: str, control: QWidget, *, wide: bool = False, tip: str = "", px: int = CONTROL_PX
    ) -> None:
        super().__init__()
        self.label = TextLabel(label, self, px=12, token="text.2", wrap=True)
        self.control = control
        control.setParent(self)
        control.setAccessibleName(label)
        if tip:
            self.label.setToolTip(tip)
            control.setToolTip(tip)
        self.error = TextLabel("", self, px=11, token="error", wrap=True)
        self.error.hide()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(3)
        grid.addWidget(self.label, 0, 0, Qt.AlignmentFlag.AlignVCenter)
        if wide:
            grid.addWidget(control, 1, 0, 1, 2)
        else:
            grid.addWidget(control, 0, 1)
            grid.setColumnStretch(0, 1)
            control.setFixedWidth(px)
        grid.addWidget(self.error, 2, 0, 1, 2)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def complain(self, sentence: str) -> None:
        """Say what is wrong with the text, or with "" that all is well."""
        self.error.setText(sentence)
        self.error.setVisible(bool(sentence))
        self.control.setProperty("invalid", bool(sentence))
        self.control.setAccessibleDescription(sentence)
        self.control.update()

    def refresh(self) -> None:
        """Show what the document says now."""


class TextField(Field):
    """A line of text. Every keystroke that makes sense is posted (merged into one undo entry). With ``trial``, for
    texts whose beginnings mean something else (``1`` of ``128``), typing is only tried within that block, and Enter or
    leaving the field posts. A text that makes no sense is taken back when the field is left, or with Escape.
    """

    def __init__(
        self,
        label: str,
        read: Callable[[], str],
        write: Callable[[str], str],
        *,
        placeholder: Callable[[], str] | str = "",
        tip: str = "",
        wide: bool = False,
        trial: Callable[[], AbstractContextManager[None]] | None = None,
        px: int = CONTROL_PX,
    ) -> None:
        self.edit = QLineEdit()
        super().__init__(label, self.edit, wide=wide, tip=tip, px=px)
        self._read, self._write = read, write
        self._placeholder = placeholder
        self._trial = trial
        self.edit.textEdited.connect(self._typed)
        self.edit.editingFinished.connect(self._left)
        self.edit.installEventFilter(self)
        self.refresh()

    def _typed(self, text: str) -> None:
        with self._trial() if self._trial else nullcontext():
            self.complain(self._write(text.strip()))

    def _left(self) -> None:
        if not self.edit.property("invalid"):
            if self._trial and self.edit.isModified() and self.edit.text().strip() != self._read():
                self.edit.setModified(False)
                self._write(self.edit.text().strip())
            self.refresh(force=True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._undoes(event):
            # Nothing half typed: the line must not swallow the undo of the document.
            event.ignore()
            return True
        pressed = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        if pressed == Qt.Key.Key_Escape and self.edit.isModified():
            self._take_back()
            return True
        if event.type() == QEvent.Type.FocusOut and self.edit.property("invalid"):
            self._take_back()
        return super().eventFilter(watched, event)

    def _undoes(self, event: QKeyEvent) -> bool:
        keys = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
        wanted = any(event.matches(key) for key in keys) or event.keyCombination() == _REDO
        return wanted and not self.edit.isModified()

    def _take_back(self) -> None:
        self.complain("")
        self.refresh(force=True)

    def refresh(self, *, force: bool = False) -> None:
        hint = self._placeholder
        self.edit.setPlaceholderText(hint if isinstance(hint, str) else hint())
        if self.edit.isModified() and not force:
            return
        text = self._read()
        if text != self.edit.text():
            self.edit.setText(text)
            self.edit.setCursorPosition(0)
        if force:
            self.edit.setModified(False)
        self.complain("")


class ChoiceField(Field):
    """One of several. ``options`` is asked again at every refresh; a value that is none of them is shown as it is."""

    def __init__(
        self,
        label: str,
        options: Callable[[], Sequence[Choice]],
        read: Callable[[], object],
        write: Callable[[object], str],
        *,
        tip: str = "",
        px: int = CONTROL_PX,
    ) -> None:
        self.combo = _Combo(None)  # type: ignore[arg-type]
        super().__init__(label, self.combo, tip=tip, px=px)
        self._options, self._read, self._write = options, read, write
        self._shown: list[Choice] = []
        self.combo.activated.connect(self._picked)
        self.refresh()

    def _picked(self, row: int) -> None:
        choice = self._shown[row]
        if choice.value != self._read():
            self.complain(self._write(choice.value))
        self.refresh()

    def refresh(self) -> None:
        value = self._read()
        choices = list(self._options())
        if all(c.value != value for c in choices):
            choices.insert(0, Choice(value, "–" if value is None else str(value)))
        if choices != self._shown:
            self._shown = choices
            self.combo.clear()
            for choice in choices:
                self.combo.addItem(_sign(choice.severity), choice.text)
                self.combo.setItemData(self.combo.count() - 1, choice.tip or None, Qt.ItemDataRole.ToolTipRole)
                item = self.combo.model().index(self.combo.count() - 1, 0)
                if not choice.enabled:
                    self.combo.model().setData(item, 0, Qt.ItemDataRole.UserRole - 1)
        row = next(n for n, c in enumerate(choices) if c.value == value)
        self.combo.setCurrentIndex(row)
        # What nobody stated is shown in grey, as a placeholder is.
        self.combo.setProperty("quiet", choices[row].quiet)
        self.combo.update()
        self.setToolTip(choices[row].tip)

    def pick(self, value: object) -> None:
        """Choose as a person would (tests)."""
        row = next(n for n, c in enumerate(self._shown) if c.value == value)
        self.combo.setCurrentIndex(row)
        self._picked(row)


def _sign(severity: str) -> QIcon:
    name = {"ok": "ok-circle", "warning": "warning-triangle", "error": "error-octagon", "info": "info-circle"}
    token = {"ok": "ok", "warning": "warn", "error": "error", "info": "info"}
    return icon(name[severity], token[severity]) if severity in name else QIcon()


class CheckField(Field):
    """Yes or no."""

    def __init__(
        self, label: str, text: str, read: Callable[[], bool], write: Callable[[bool], str], *, tip: str = ""
    ) -> None:
        self.box = QCheckBox(text)
        super().__init__(label, self.box, tip=tip)
        self._read, self._write = read, write
        self.box.clicked.connect(self._clicked)
        self.refresh()

    def _clicked(self, on: bool) -> None:
        self.complain(self._write(on))
        self.refresh()

    def refresh(self) -> None:
        self.box.setChecked(self._read())


class FactField(Field):
    """A value that is not edited here; it can be marked and copied."""

    def __init__(self, label: str, read: Callable[[], str] | str, *, tip: str = "", wide: bool = False) -> None:
        self.value = TextLabel("", None, px=12, wrap=True)
        self.value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.value.setAlignment(
            Qt.AlignmentFlag.AlignVCenter | (Qt.AlignmentFlag.AlignLeft if wide else Qt.AlignmentFlag.AlignRight)
        )
        super().__init__(label, self.value, wide=wide, tip=tip)
        self._read = read
        self.refresh()

    def refresh(self) -> None:
        self.value.setText(self._read if isinstance(self._read, str) else self._read())
