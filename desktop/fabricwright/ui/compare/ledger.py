"""A table of the comparison: painted rows of up to two lines, a sign in front, figures at the right, a total below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from fabricwright.ui.icons import paint_icon, paint_state
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, REGULAR, SEMIBOLD, theme, ui_font

HEAD, ONE, TWO = 26, 27, 36
SIDE, SIGN, GAP = 14, 22, 10


@dataclass(frozen=True, slots=True)
class Column:
    """``title``; ``width`` px, 0 = what is left (shared by ``share``); ``right`` aligned right."""

    title: str
    width: int = 0
    right: bool = False
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Cell:
    """One text, its colour token and weight; ``sub`` a second line."""

    text: str = ""
    token: str = "text"
    weight: int = REGULAR
    sub: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Cells; ``icon`` a name or ``state`` a severity in front; ``tip`` on hovering; ``key`` what a double click
    means.
    """

    cells: tuple[Cell, ...]
    icon: str = ""
    state: str = ""
    tip: str = ""
    key: str = ""


class Ledger(QAbstractScrollArea):
    """``opened`` (key) after a double click or Enter."""

    opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[Column, ...] = ()
        self.rows: tuple[Row, ...] = ()
        self.total: Row | None = None
        self.note = ""
        self.empty = ""
        self.current = -1
        self._hover = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.setMinimumHeight(80)

    def show_rows(
        self,
        columns: Sequence[Column],
        rows: Sequence[Row],
        *,
        total: Row | None = None,
        note: str = "",
        empty: str = "",
    ) -> None:
        """Other contents. ``empty`` is said where there are no rows."""
        self.columns, self.rows, self.total, self.note, self.empty = tuple(columns), tuple(rows), total, note, empty
        self.current = min(self.current, len(self.rows) - 1)
        self._measure()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(420, 240)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def _height(self, row: Row) -> int:
        return TWO if any(cell.sub for cell in row.cells) else ONE

    def _content(self) -> int:
        height = HEAD + sum(self._height(row) for row in self.rows)
        return height + (ONE + 14 if self.total else 0) + (24 if self.note else 0)

    def _measure(self) -> None:
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, self._content() - self.viewport().height()))
        bar.setPageStep(max(1, self.viewport().height()))
        bar.setSingleStep(ONE)

    def _boxes(self) -> list[QRectF]:
        """Horizontal room of each column; the first begins after the sign."""
        left = SIDE + (SIGN if any(row.icon or row.state for row in self.rows) else 0)
        room = self.viewport().width() - SIDE - left
        fixed = sum(c.width for c in self.columns) + GAP * max(0, len(self.columns) - 1)
        shares = sum(c.share for c in self.columns if not c.width) or 1.0
        out, x = [], float(left)
        for column in self.columns:
            width = column.width or max(40.0, (room - fixed) * column.share / shares)
            out.append(QRectF(x, 0, width, 1))
            x += width + GAP
        return out

    def row_at(self, y: float) -> int:
        """Number of the row at a height of the viewport, -1 for none."""
        top = HEAD - self.verticalScrollBar().value()
        if y < HEAD:
            return -1
        for n, row in enumerate(self.rows):
            top += self._height(row)
            if y < top:
                return n
        return -1

    # -- input --------------------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.row_at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(-1)
        super().leaveEvent(event)

    def _point(self, row: int) -> None:
        if row != self._hover:
            self._hover = row
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._choose(self.row_at(event.position().y()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._open(self.row_at(event.position().y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step and self.rows:
            self._choose(min(max(self.current + step, 0), len(self.rows) - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.current)
        else:
            super().keyPressEvent(event)

    def _choose(self, row: int) -> None:
        self.current = row
        if 0 <= row < len(self.rows):
            self.setAccessibleDescription(", ".join(cell.text for cell in self.rows[row].cells))
            top = HEAD + sum(self._height(r) for r in self.rows[:row])
            bar = self.verticalScrollBar()
            low = top + self._height(self.rows[row]) - self.viewport().height()
            bar.setValue(min(max(bar.value(), low), top - HEAD))
        self.viewport().update()

    def _open(self, row: int) -> None:
        if 0 <= row < len(self.rows) and self.rows[row].key:
            self.opened.emit(self.rows[row].key)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            row = self.row_at(event.pos().y())
            tip = self.rows[row].tip if row >= 0 else ""
            QToolTip.showText(event.globalPos(), tip, self.viewport())
            return True
        return super().viewportEvent(event)

    # -- painting -----------------------------------------------------------------------------------------------------

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        p = QPainter(self.viewport())
        p.fillRect(self.viewport().rect(), now["panel"])
        boxes = self._boxes()
        y = float(HEAD - self.verticalScrollBar().value())
        for n, row in enumerate(self.rows):
            height = self._height(row)
            if y + height > HEAD and y < self.viewport().height():
                self._row(p, row, boxes, y, height, n)
            y += height
        if self.total is not None:
            box = QRectF(SIDE - 8, y + 6, self.viewport().width() - 2 * SIDE + 16, ONE + 2)
            rounded(p, box, now["sunken"])
            self._cells(p, self.total, boxes, box.top(), int(box.height()))
            y += ONE + 14
        if self.note:
            self._text(p, QRectF(SIDE, y + 4, self.viewport().width() - 2 * SIDE, 18), self.note, 11.5, "text.3")
        if not self.rows and self.empty:
            p.setFont(ui_font(12.5))
            p.setPen(now["text.3"])
            p.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, self.empty)
        self._heads(p, boxes)
        if self.hasFocus():
            rounded(p, QRectF(self.viewport().rect()), None, now["focus"], radius=4, width=1.5)
        p.end()

    def _heads(self, p: QPainter, boxes: Sequence[QRectF]) -> None:
        now = theme()
        if not self.rows:
            return
        p.fillRect(QRectF(0, 0, self.viewport().width(), HEAD), now["panel"])
        for column, box in zip(self.columns, boxes, strict=True):
            room = QRectF(box.left(), 0, box.width(), HEAD - 2)
            self._text(p, room, column.title, 11.5, "text.2", right=column.right)
        p.fillRect(QRectF(SIDE, HEAD - 1, self.viewport().width() - 2 * SIDE, 1), now["border"])

    def _row(self, p: QPainter, row: Row, boxes: Sequence[QRectF], y: float, height: int, n: int) -> None:
        now = theme()
        box = QRectF(SIDE - 6, y + 1, self.viewport().width() - 2 * SIDE + 12, height - 2)
        if n == self.current and self.hasFocus():
            rounded(p, box, now["accent.soft"], radius=4)
        elif n == self._hover:
            rounded(p, box, now["hover"], radius=4)
        middle = QPointF(SIDE + 7, y + height / 2)
        sign = QRectF(middle.x() - 7, middle.y() - 7, 14, 14)
        if row.state:
            paint_state(p, row.state, sign)
        elif row.icon:
            paint_icon(p, row.icon, sign.adjusted(-1, -1, 1, 1), "text.2")
        self._cells(p, row, boxes, y, height)
        p.fillRect(QRectF(SIDE, y + height - 1, self.viewport().width() - 2 * SIDE, 1), now["border"])

    def _cells(self, p: QPainter, row: Row, boxes: Sequence[QRectF], y: float, height: int) -> None:
        for cell, column, box in zip(row.cells, self.columns, boxes, strict=False):
            room = QRectF(box.left(), y, box.width(), height)
            if cell.sub:
                first = QRectF(room.left(), y + 3, room.width(), 16)
                self._text(p, first, cell.text, 12, cell.token, cell.weight, right=column.right)
                second = QRectF(room.left(), y + 18, room.width(), 15)
                self._text(p, second, cell.sub, 11, "text.3", right=column.right)
            else:
                self._text(p, room, cell.text, 12, cell.token, cell.weight, right=column.right)

    @staticmethod
    def _text(
        p: QPainter, box: QRectF, text: str, px: float, token: str, weight: int = REGULAR, *, right: bool = False
    ) -> None:
        font = ui_font(px, weight)
        p.setFont(font)
        p.setPen(theme()[token])
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        align = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        p.drawText(box, align | Qt.AlignmentFlag.AlignVCenter, shown)


__all__ = ["MEDIUM", "SEMIBOLD", "Cell", "Column", "Ledger", "Row"]
