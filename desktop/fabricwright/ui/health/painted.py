"""What the drawings of this view share: a painted widget with tips by place, text that keeps clear of other text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import REGULAR, Theme, theme, ui_font


class Painted(QWidget):
    """``draw`` paints; ``tips`` (box, text) are shown while the mouse rests there."""

    def __init__(self, parent: QWidget | None = None, height: int = 40) -> None:
        super().__init__(parent)
        self.tips: list[tuple[QRectF, str]] = []
        self.texts: list[tuple[QRectF, str]] = []
        self._height = height
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(height)

    def set_height(self, height: float) -> None:
        """Height of the content."""
        self._height = max(1, round(height))
        self.setFixedHeight(self._height)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(320, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self._height)

    def draw(self, painter: QPainter, now: Theme) -> None:
        """Paint the content."""
        raise NotImplementedError

    def tip_at(self, point: QPointF) -> str:
        """The tip at a place, the smallest box first."""
        found = [(box.width() * box.height(), text) for box, text in self.tips if box.contains(point)]
        return min(found, default=(0.0, ""))[1]

    def write(
        self,
        painter: QPainter,
        at: QPointF,
        text: str,
        colour: QColor,
        *,
        anchor: str = "l",
        px: float = 11,
        weight: int = REGULAR,
        must: bool = False,
    ) -> bool:
        """Text whose left, centre or right end is at a place (its middle line); left out where other text stands or the
        edge would cut it, unless it ``must`` be there.
        """
        font = QFont(ui_font(px, weight))
        metrics = QFontMetricsF(font)
        wide, high = metrics.horizontalAdvance(text), px * 1.25
        left = at.x() - (wide if anchor == "r" else wide / 2 if anchor == "c" else 0)
        box = QRectF(left, at.y() - high / 2, wide, high)
        inside = box.left() >= -0.5 and box.right() <= self.width() + 0.5
        if not must and (not inside or any(box.adjusted(-3, 0, 3, 0).intersects(other) for other, _ in self.texts)):
            return False
        painter.setFont(font)
        painter.setPen(colour)
        middle = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box.adjusted(0, -4, 4, 4), middle, text)
        self.texts.append((box, text))
        return True

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.tips, self.texts = [], []
        self.draw(painter, theme())
        painter.end()
