"""A list that is shown row by row: titles for the list and for screen readers, the rest for its delegate."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

Index = QModelIndex | QPersistentModelIndex


class Titled(Protocol):
    """What every row has."""

    @property
    def title(self) -> str:
        """First line of the row."""


Row = TypeVar("Row", bound=Titled)


class RowModel(QAbstractListModel, Generic[Row]):
    """``rows`` in the order shown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []

    def set_rows(self, rows: list[Row]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self.rows[index.row()].title if role == Qt.ItemDataRole.DisplayRole else None
