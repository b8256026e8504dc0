"""A drop-down in the cell of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget


@dataclass(frozen=True, slots=True)
class Named:
    """A value and what it is called."""

    value: object
    text: str
    tip: str = ""


class CellCombo(QComboBox):
    """A drop-down in a cell. ``free`` texts may be typed; otherwise typing searches the entries. ``picked`` when an
    entry was chosen from a list; stepping through the entries with the arrow keys chooses none yet."""

    picked = Signal()

    def __init__(self, parent: QWidget, entries: Sequence[Named], *, search: bool = False, free: bool = False) -> None:
        super().__init__(parent)
        self._free = free
        self._stepping = False
        self.activated.connect(lambda _row: None if self._stepping else self.picked.emit())
        for named in entries:
            self.addItem(named.text, named.value)
            self.setItemData(self.count() - 1, named.tip or None, Qt.ItemDataRole.ToolTipRole)
        self.setMaxVisibleItems(14)
        if search or free:
            self.setEditable(True)
            self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            completer = QCompleter(self.model(), self)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            self.setCompleter(completer)
            edit = self.lineEdit()
            assert edit is not None  # it is editable
            edit.textEdited.connect(self._widen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._stepping = True
        super().keyPressEvent(event)
        self._stepping = False

    def _widest(self) -> int:
        return min(460, self.view().sizeHintForColumn(0) + 28)

    def _widen(self) -> None:
        """The cell is narrower than most entries; what is found while typing is shown whole."""
        completer = self.completer()
        if completer is not None:
            completer.popup().setMinimumWidth(self._widest())

    def showPopup(self) -> None:
        self.view().setMinimumWidth(self._widest())
        super().showPopup()

    def set_value(self, value: object) -> None:
        """Show a value; a free one as it is."""
        row = self.findData(value)
        self.setCurrentIndex(row)
        if row < 0 and self.isEditable():
            self.setEditText(str(value or ""))
        edit = self.lineEdit()
        if edit is not None:
            edit.selectAll()

    def value(self) -> object | None:
        """What was chosen or typed; None when the text names no entry and free texts are not taken."""
        if not self.isEditable():
            return self.currentData()
        text = self.currentText().strip()
        row = self.findText(text, Qt.MatchFlag.MatchFixedString)
        if row < 0 and not self._free and text:
            row = self.findText(text, Qt.MatchFlag.MatchContains)
        if row >= 0:
            return cast(object, self.itemData(row))
        return text if self._free else None
