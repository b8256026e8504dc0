"""The list under the find field and in the palette: icon, title, detail, and at the right end where it is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyle, QStyledItemDelegate, QWidget

from fabricwright.ui.icons import paint_icon, paint_state
from fabricwright.ui.navigation.entry import Entry
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import Option
from fabricwright.ui.theme import MEDIUM, follow_theme, theme, ui_font

Index = QModelIndex | QPersistentModelIndex
ROW_PX = 34
ENTRY_ROLE = Qt.ItemDataRole.UserRole


class ResultModel(QAbstractListModel):
    """Entries, replaced as a whole."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: list[Entry] = []

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.entries = list(entries)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.entries):
            return None
        entry = self.entries[index.row()]
        if role == ENTRY_ROLE:
            return entry
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return " · ".join(piece for piece in (entry.title, entry.detail, entry.tail) if piece)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        base = super().flags(index)
        if index.isValid() and not self.entries[index.row()].enabled:
            return base & ~Qt.ItemFlag.ItemIsEnabled
        return base


class _RowDelegate(QStyledItemDelegate):
    def sizeHint(self, option: Option, index: Index) -> QSize:
        return QSize(200, ROW_PX)

    @safe_paint
    def paint(self, painter: QPainter, option: Option, index: Index) -> None:
        entry = index.data(ENTRY_ROLE)
        if not isinstance(entry, Entry):
            return
        now = theme()
        rect: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or (entry.enabled and option.state & QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now["accent.soft" if chosen else "hover"])
            painter.drawRoundedRect(QRectF(rect).adjusted(6, 1, -6, -1), 6, 6)
        box = QRectF(rect.left() + 16, rect.center().y() - 7.5, 16, 16)
        if entry.icon.startswith("state:"):
            paint_state(painter, entry.icon[6:], box)
        elif entry.icon:
            paint_icon(painter, entry.icon, box, "text.2" if entry.enabled else "text.disabled")
        right = rect.right() - 16
        if entry.tail:
            right = self._tail(painter, rect, right, entry)
        left = rect.left() + 42
        painter.setFont(ui_font(12.5, MEDIUM))
        painter.setPen(now["text" if entry.enabled else "text.disabled"])
        metrics = painter.fontMetrics()
        title = metrics.elidedText(entry.title, Qt.TextElideMode.ElideRight, max(right - left - 8, 20))
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRect(left, rect.top(), right - left, rect.height()), middle, title)
        left += metrics.horizontalAdvance(title) + 12
        painter.setFont(ui_font(11.5))
        painter.setPen(now["text.3"])
        if right - left > 40 and entry.detail:
            shown = painter.fontMetrics().elidedText(entry.detail, Qt.TextElideMode.ElideRight, right - left - 8)
            painter.drawText(QRect(left, rect.top(), right - left, rect.height()), middle, shown)
        painter.restore()

    @staticmethod
    def _tail(painter: QPainter, rect: QRect, right: int, entry: Entry) -> int:
        """A key as a cap, a sheet as grey text; returns where it begins."""
        now = theme()
        painter.setFont(ui_font(11, MEDIUM if entry.kind == "action" else 400))
        metrics = painter.fontMetrics()
        text = metrics.elidedText(entry.tail, Qt.TextElideMode.ElideRight, 180)
        width = metrics.horizontalAdvance(text)
        align = Qt.AlignmentFlag.AlignCenter
        if entry.kind == "action":
            cap = QRectF(right - width - 14, rect.center().y() - 9, width + 14, 19)
            painter.setPen(now["border"])
            painter.setBrush(now["sunken"])
            painter.drawRoundedRect(cap, 4, 4)
            painter.setPen(now["text.2"])
            painter.drawText(cap, align, text)
            return int(cap.left()) - 10
        painter.setPen(now["text.3"])
        painter.drawText(QRect(right - width - 1, rect.top(), width + 2, rect.height()), align, text)
        return right - width - 12


class ResultList(QListView):
    """``chosen`` (entry) on Enter or a click. Shows at most ``rows`` rows without scrolling."""

    chosen = Signal(object)

    def __init__(self, rows: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = rows
        self.results = ResultModel(self)
        self.setModel(self.results)
        self.setItemDelegate(_RowDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field keeps the keyboard
        self.clicked.connect(self._clicked)
        follow_theme(self._themed)

    def _themed(self, _theme: object) -> None:
        self.viewport().update()

    def set_entries(self, entries: Sequence[Entry], row: int = 0) -> None:
        """Show rows and choose one; -1 = none."""
        self.results.set_entries(entries)
        self.setFixedHeight(min(len(entries), self.rows) * ROW_PX)
        if 0 <= row < len(entries):
            self.setCurrentIndex(self.results.index(row))

    def current(self) -> Entry | None:
        """The chosen row."""
        index = self.currentIndex()
        return self.results.entries[index.row()] if index.isValid() else None

    def step(self, by: int, *, around: bool = True) -> Entry | None:
        """Choose the next row (``around`` from the end to the start); returns it."""
        count = len(self.results.entries)
        if not count:
            return None
        here = self.currentIndex().row()
        row = (by - 1 if by > 0 else count + by) if here < 0 else here + by
        row = row % count if around else min(max(row, 0), count - 1)
        self.setCurrentIndex(self.results.index(row))
        return self.results.entries[row]

    def _clicked(self, index: QModelIndex) -> None:
        entry = self.results.entries[index.row()]
        if entry.enabled:
            self.chosen.emit(entry)
