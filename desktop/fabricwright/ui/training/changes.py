"""What would change a step most: rows that can be clicked, each with what it would gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, theme, ui_font

ROW, FIGURE, CHANGE = 23, 66, 62


@dataclass(frozen=True, slots=True)
class Change:
    """``text`` what is changed, ``figure`` the step then, ``delta`` against now, ``token`` of that; ``at`` addresses
    that it is about."""

    text: str
    figure: str
    delta: str
    token: str = "text"
    at: tuple[str, ...] = ()
    tip: str = ""


class ChangeList(QWidget):
    """``picked`` (row number) on a click, Enter or Space."""

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Change, ...] = ()
        self.current = -1
        self._hover = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, rows: Sequence[Change]) -> None:
        """Other rows."""
        self.rows = tuple(rows)
        self.current = min(self.current, len(self.rows) - 1)
        self.setAccessibleName("; ".join(f"{row.text}: {row.figure}, {row.delta}" for row in self.rows))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, ROW * len(self.rows) + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, ROW * len(self.rows) + 2)

    def row_at(self, y: float) -> int:
        """Number of the row at a height, -1 beside them."""
        row = int(y // ROW)
        return row if 0 <= row < len(self.rows) else -1

    def _pick(self, row: int) -> None:
        if row >= 0:
            self.current = row
            self.update()
            self.picked.emit(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick."""
        self._pick(self.row_at(event.position().y()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what a click would pick."""
        row = self.row_at(event.position().y())
        if row != self._hover:
            self._hover = row
            self.setCursor(Qt.CursorShape.PointingHandCursor if row >= 0 else Qt.CursorShape.ArrowCursor)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at."""
        self._hover = -1
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up, down, Enter."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is not None and self.rows:
            self.current = min(max(self.current + step, 0), len(self.rows) - 1)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._pick(self.current)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.row_at(event.pos().y())
            tip = "\n".join(t for t in (self.rows[row].text, self.rows[row].tip) if t) if row >= 0 else ""
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now, p = theme(), QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = Qt.AlignmentFlag.AlignVCenter
        for n, row in enumerate(self.rows):
            box = QRectF(0, n * ROW, self.width(), ROW)
            if n == self._hover:
                rounded(p, box.adjusted(-0.0, 1, 0, -1), now["hover"], radius=4)
            if n == self.current and self.hasFocus():
                rounded(p, box.adjusted(0.75, 1, -0.75, -1), None, now["focus"], radius=4, width=1.5)
            p.setFont(ui_font(11.5))
            p.setPen(now["text"])
            room = self.width() - FIGURE - CHANGE - 8
            text = p.fontMetrics().elidedText(row.text, Qt.TextElideMode.ElideRight, max(room, 20))
            p.drawText(box.adjusted(4, 0, 0, 0), middle, text)
            p.setPen(now["text.2"])
            right = middle | Qt.AlignmentFlag.AlignRight
            p.drawText(QRectF(self.width() - FIGURE - CHANGE, box.y(), FIGURE, ROW), right, row.figure)
            p.setFont(ui_font(11.5, MEDIUM))
            p.setPen(now[row.token])
            p.drawText(QRectF(self.width() - CHANGE, box.y(), CHANGE - 4, ROW), right, row.delta)
        p.end()
