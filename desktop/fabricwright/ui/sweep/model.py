"""Rows of a sweep as a table: numbers at the right, text at the left, sorted by any column."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
Cells = list[Any]


def cell_text(value: Any) -> str:
    """A value as the table shows it: four significant digits of what is no whole number."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 10_000 or value.is_integer() else f"{value:.4g}"
    return str(value)


class SweepModel(QAbstractTableModel):
    """``keys`` names of the columns, ``heads`` what is shown for them, ``rows`` in the order shown."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.keys: list[str] = []
        self.heads: list[str] = []
        self.rows: list[Cells] = []
        self._sorted = (0, Qt.SortOrder.AscendingOrder)

    def begin(self, keys: list[str], heads: list[str]) -> None:
        """An empty table with these columns."""
        self.beginResetModel()
        self.keys, self.heads, self.rows = keys, heads, []
        self._sorted = (0, Qt.SortOrder.AscendingOrder)
        self.endResetModel()

    def add(self, rows: list[Cells]) -> None:
        """Rows that were finished, in any order."""
        self.layoutAboutToBeChanged.emit()
        self.rows += rows
        self._sort()
        self.layoutChanged.emit()

    def place(self, key: str) -> int:
        """Column of a key, -1 where there is none."""
        return self.keys.index(key) if key in self.keys else -1

    def _sort(self) -> None:
        column, order = self._sorted

        def rank(row: Cells) -> tuple[int, float, str]:
            value = row[column]
            if value is None or value == "":
                return (2, 0.0, "")
            return (0, float(value), "") if isinstance(value, (int, float)) else (1, 0.0, str(value))

        self.rows.sort(key=lambda row: row[0])
        self.rows.sort(key=rank, reverse=order == Qt.SortOrder.DescendingOrder)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self.keys):
            self.layoutAboutToBeChanged.emit()
            self._sorted = (column, order)
            self._sort()
            self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own default)
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.keys)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        value = self.rows[index.row()][index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return cell_text(value)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if isinstance(value, (int, float)) else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.heads):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            numbers = any(isinstance(row[section], (int, float)) for row in self.rows[:20])
            return (
                Qt.AlignmentFlag.AlignRight if numbers else Qt.AlignmentFlag.AlignLeft
            ) | Qt.AlignmentFlag.AlignVCenter
        return self.keys[section] if role == Qt.ItemDataRole.ToolTipRole else None
