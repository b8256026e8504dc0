"""A table of rows that people write in: keys, editors and looks that all such tables share."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView, QToolTip, QWidget


class EditableTable(QTableView):
    """Rows are chosen, cells edited by typing, Enter, F2 or a click. ``wanted(verb)`` what a key asks of the rows."""

    wanted = Signal(str)

    def __init__(self, parent: QWidget, row_px: int) -> None:
        super().__init__(parent)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed | triggers.SelectedClicked
        )
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(row_px)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def edit_current(self) -> None:
        """Open the editor of the current cell, if there is one."""
        # An editor passes its Enter on before it closes.
        here = self.currentIndex()
        editable = bool(here.flags() & Qt.ItemFlag.ItemIsEditable) if here.isValid() else False
        if editable and self.state() != QAbstractItemView.State.EditingState:
            self.edit(here)


def complain(editor: QWidget, sentence: str) -> None:
    """Say under an editor what is wrong with what it holds; "" takes it back."""
    editor.setProperty("invalid", bool(sentence))
    editor.setAccessibleDescription(sentence)
    editor.update()
    if sentence:
        QToolTip.showText(editor.mapToGlobal(editor.rect().bottomLeft()), sentence, editor)
    else:
        QToolTip.hideText()
