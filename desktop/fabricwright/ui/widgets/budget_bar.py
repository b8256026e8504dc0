"""Budget bars: what is spent of lanes, power, cages. Their colour is the rule's verdict, not a fixed per cent."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import MEDIUM, Theme, theme, ui_font

BAR_HEIGHT = 6
_TOKENS = {"ok": "ok", "warn": "warn", "warning": "warn", "error": "error", "info": "info", "neutral": "pcie"}


def paint_budget_bar(
    painter: QPainter,
    box: QRectF,
    fraction: float,
    verdict: str = "ok",
    colours: Theme | None = None,
    *,
    pending: float = 0.0,
) -> None:
    """Fill ``box`` (6 px high by convention) to ``fraction``; ``pending`` more is shown paler behind it."""
    now = colours or theme()
    token = _TOKENS.get(verdict, verdict)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(Qt.PenStyle.NoPen)
    shape = QPainterPath()
    radius = box.height() / 2
    shape.addRoundedRect(box, radius, radius)
    painter.fillPath(shape, now["border" if now.dark else "hover"])
    full = min(max(fraction, 0.0), 1.0)
    if pending > 0:
        ahead = QPainterPath()
        ahead.addRoundedRect(
            QRectF(box.x(), box.y(), box.width() * min(1.0, full + pending), box.height()), radius, radius
        )
        painter.fillPath(ahead, now.alpha(token, 0.45))
    if full > 0:
        spent = QPainterPath()
        spent.addRoundedRect(
            QRectF(box.x(), box.y(), max(box.height(), box.width() * full), box.height()), radius, radius
        )
        painter.fillPath(spent, now[token])
    painter.restore()


class BudgetBar(QWidget):
    """Label left, figure right, bar below. ``fraction`` 0..1 (more is drawn full); ``verdict`` ok, warn, error."""

    def __init__(
        self,
        label: str = "",
        figure: str = "",
        fraction: float = 0.0,
        verdict: str = "ok",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_budget(label, figure, fraction, verdict)

    def set_budget(
        self, label: str, figure: str, fraction: float, verdict: str = "ok", *, pending: float = 0.0
    ) -> None:
        """Show another budget."""
        self._label, self._figure = label, figure
        self._fraction, self._verdict, self._pending = fraction, verdict, pending
        self.setAccessibleName(f"{label}: {figure}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(ui_font(11.5, MEDIUM))
        wide = metrics.horizontalAdvance(self._label) + metrics.horizontalAdvance(self._figure) + 16
        return QSize(wide, metrics.height() + 5 + BAR_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        text_height = self.height() - BAR_HEIGHT - 4
        line = QRectF(0, 0, self.width(), text_height)
        painter.setFont(ui_font(11.5, MEDIUM))
        token = _TOKENS.get(self._verdict, "text")
        painter.setPen(now["text" if self._verdict in ("ok", "neutral") else token])
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._figure)
        room = self.width() - painter.fontMetrics().horizontalAdvance(self._figure) - 8
        painter.setFont(ui_font(11.5))
        painter.setPen(now["text.2"])
        shown = painter.fontMetrics().elidedText(self._label, Qt.TextElideMode.ElideRight, max(0, room))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        bar = QRectF(0, self.height() - BAR_HEIGHT, self.width(), BAR_HEIGHT)
        paint_budget_bar(painter, bar, self._fraction, self._verdict, now, pending=self._pending)
        painter.end()
