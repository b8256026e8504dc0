"""The list at the left of the guide: its pages, or what a search found."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QWidget

from fabricwright.ui.guide.pages import Hit, Page
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import Option
from fabricwright.ui.theme import MEDIUM, theme, ui_font
from fabricwright.ui.widgets.row_model import Index, RowModel

PAGE_PX, HIT_PX = 30, 48


@dataclass(frozen=True, slots=True)
class Row:
    """What a row leads to. ``line`` is "" for a page; then it takes one line only."""

    page: str
    section: int
    title: str
    line: str = ""


def page_rows(pages: tuple[Page, ...]) -> list[Row]:
    """The table of contents."""
    return [Row(page.name, 0, page.title) for page in pages]


def hit_rows(hits: tuple[Hit, ...]) -> list[Row]:
    """What was found, with the page where the section is not the page itself."""
    rows = []
    for hit in hits:
        title = hit.page.title if hit.section.number == 0 else f"{hit.section.title} · {hit.page.title}"
        rows.append(Row(hit.page.name, hit.section.number, title, hit.line or " "))
    return rows


class _Model(RowModel[Row]):
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        return f"{row.title}\n{row.line}".strip() if role == Qt.ItemDataRole.ToolTipRole else super().data(index, role)


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: Option, index: Index) -> QSize:
        model = index.model()
        return QSize(120, HIT_PX if isinstance(model, _Model) and model.rows[index.row()].line else PAGE_PX)

    @safe_paint
    def paint(self, painter: QPainter, option: Option, index: Index) -> None:
        model = index.model()
        if not isinstance(model, _Model):
            return
        row, now = model.rows[index.row()], theme()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        box = QRectF(option.rect).adjusted(6, 1, -6, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now["accent.soft" if chosen else "hover"])
            painter.drawRoundedRect(box, 6, 6)
        text = box.adjusted(10, 0, -8, 0)
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        upper = QRectF(text.left(), text.top() + 4, text.width(), 20) if row.line else text
        painter.setFont(ui_font(13, MEDIUM if chosen or row.line else 400))
        painter.setPen(now["accent" if chosen else "text"])
        elide = Qt.TextElideMode.ElideRight
        painter.drawText(upper, left, painter.fontMetrics().elidedText(row.title, elide, int(text.width())))
        if row.line:
            painter.setFont(ui_font(12))
            painter.setPen(now["text.2"])
            lower = QRectF(text.left(), upper.bottom() - 1, text.width(), 18)
            painter.drawText(lower, left, painter.fontMetrics().elidedText(row.line, elide, int(text.width())))
        painter.restore()


class ContentsList(QListView):
    """``chosen`` (page, number of the section) on a click, on Enter, and while the arrow keys move."""

    chosen = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows_model = _Model(self)
        self.setModel(self.rows_model)
        self.setItemDelegate(_Delegate(self))
        self.setMouseTracking(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._choose)

    def set_rows(self, rows: list[Row]) -> None:
        """Show these."""
        self.rows_model.set_rows(rows)

    def mark(self, page: str) -> None:
        """Choose the first row of a page, without telling."""
        for n, row in enumerate(self.rows_model.rows):
            if row.page == page:
                if self.currentIndex().row() < 0 or self.rows_model.rows[self.currentIndex().row()].page != page:
                    self.setCurrentIndex(self.rows_model.index(n))
                return
        self.clearSelection()

    def choose_first(self) -> None:
        """Go where the first row leads."""
        if self.rows_model.rows:
            self.setCurrentIndex(self.rows_model.index(0))
            self._choose(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows show at once what they reach."""
        before = self.currentIndex()
        super().keyPressEvent(event)
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if self.currentIndex().isValid() and (enter or self.currentIndex() != before):
            self._choose(self.currentIndex())

    def _choose(self, index: Index) -> None:
        row = self.rows_model.rows[index.row()]
        self.chosen.emit(row.page, row.section)
