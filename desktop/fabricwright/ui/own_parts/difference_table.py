"""Two versions of parts side by side, field by field, with what is kept where there is a choice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from fabricwright.catalog import own
from fabricwright.catalog.difference import Difference
from fabricwright.ui.own_parts.words import place_name
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.inspector_figures import confidence_word
from fabricwright.ui.panels.words import listed
from fabricwright.ui.theme import MEDIUM, theme, ui_font
from fabricwright.ui.widgets import set_surface

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
PART_ROLE = Qt.ItemDataRole.UserRole + 1
HEAD_ROLE = Qt.ItemDataRole.UserRole + 2
#: ``850 (engineering, own)``, as ``catalog.difference`` writes a figure.
_FIGURE = re.compile(r"(.*) \((read|engineering|inferred)(?:, (.*))?\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Compared:
    """One part: what differs, and a remark about it ("" for none). ``head`` is the line above its fields."""

    part: str
    head: str
    differences: tuple[Difference, ...]
    remark: str = ""


@dataclass(slots=True)
class _Row:
    part: str
    cells: tuple[str, str, str] = ("", "", "")
    head: str = ""
    tip: str = ""


class DifferenceModel(QAbstractTableModel):
    """Columns: field, here, there. A part's own line spans them."""

    def __init__(self, titles: tuple[str, str, str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._titles = titles
        self._rows: list[_Row] = []

    def set_parts(self, parts: Sequence[Compared], *, heads: bool = True) -> None:
        """Show other parts; without ``heads`` the fields alone."""
        self.beginResetModel()
        self._rows = []
        for part in parts:
            if heads:
                text = f"{part.head} \u2013 {part.remark}" if part.remark else part.head
                self._rows.append(_Row(part.part, head=text))
            for row in part.differences:
                cells = (place_name(row.place), _shown(row.here), _shown(row.there))
                self._rows.append(_Row(part.part, cells, tip=row.place))
        self.endResetModel()

    def heads(self) -> list[int]:
        """Rows that are a part's own line."""
        return [n for n, row in enumerate(self._rows) if row.head]

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._rows[index.row()]
        if role == PART_ROLE:
            return row.part
        if role == Qt.ItemDataRole.DisplayRole:
            return row.head if row.head and index.column() == 0 else row.cells[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.tip if index.column() == 0 and row.tip else index.data()
        if role == Qt.ItemDataRole.FontRole:
            return QFont(ui_font(12, MEDIUM)) if row.head else None
        if role == HEAD_ROLE:
            return bool(row.head)
        return None


def _shown(value: str) -> str:
    """A value; how sure a figure is in words, its source only when it names one."""
    found = _FIGURE.fullmatch(value)
    if found is None:
        return value or "\u2013"
    source = found.group(3) if found.group(3) != own.ORIGIN else ""
    return f"{found.group(1)} ({listed([confidence_word(found.group(2)), source or ''])})"


class _Cells(QStyledItemDelegate):
    """A part's own line stands on a ground of its own."""

    @safe_paint
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if index.data(HEAD_ROLE):
            painter.fillRect(option.rect, theme()["sunken"])  # type: ignore[attr-defined]
        super().paint(painter, option, index)


class DifferenceTable(QTableView):
    """Read only. The last cell of a part's line is free for a control of whoever shows it."""

    def __init__(self, model: DifferenceModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(_Cells(self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(30)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column in range(3):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        corner = QWidget(self)
        set_surface(corner, "panel")
        self.setCornerWidget(corner)
        model.modelReset.connect(self._span)
        self._span()

    def _span(self) -> None:
        self.clearSpans()
        model = self.model()
        if isinstance(model, DifferenceModel):
            for row in model.heads():
                self.setSpan(row, 0, 1, 2)
