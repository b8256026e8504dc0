"""Every figure with its formula and its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QWidget

from fabricwright.ui.health.words import ESTIMATE, row_of
from fabricwright.ui.i18n import text_of
from fabricwright.ui.widgets import EditableTable
from fabricwright.units.text import Message

ROW_PX = 26
_SHARES = (0.11, 0.24, 0.11, 0.33, 0.21)

Index = QModelIndex | QPersistentModelIndex


class FigureModel(QAbstractTableModel):
    """``rows`` of the worker's frame."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[Mapping[str, Any]] = ()

    def set_rows(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(_SHARES)

    def text(self, row: int, column: int) -> str:
        """What a cell says."""
        entry = self._rows[row]
        if column == 0:
            return row_of(str(entry["of"]))
        if column == 1:
            return text_of(Message.from_json(entry["figure"]))
        if column == 2:
            return f"{ESTIMATE if entry['estimate'] else ''}{entry['value']} {entry['unit']}".strip()
        if column == 3:
            return text_of(Message.from_json(entry["formula"]))
        return self.tr("drawing") if entry["stated"] else str(entry["source"])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 2:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section == 2:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (self.tr("Of"), self.tr("Figure"), self.tr("Value"), self.tr("Formula"), self.tr("Source"))[section]


class FigureTable(EditableTable):
    """As tall as its rows; the view around it scrolls. Ctrl+C copies rows with tabs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, ROW_PX)  # type: ignore[arg-type]
        self.figures = FigureModel()
        self.setModel(self.figures)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(ROW_PX)
        self.verticalHeader().setDefaultSectionSize(ROW_PX)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setMinimumSectionSize(40)

    def set_rows(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Show other rows."""
        self.figures.set_rows(rows)
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + self.verticalHeader().length() + 2)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        for n, share in enumerate(_SHARES):
            self.horizontalHeader().resizeSection(n, round((self.width() - 4) * share))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            rows = sorted({index.row() for index in self.selectionModel().selectedIndexes()})
            lines = ["\t".join(self.figures.text(row, n) for n in range(len(_SHARES))) for row in rows]
            QGuiApplication.clipboard().setText("\n".join(lines))
            return
        super().keyPressEvent(event)
