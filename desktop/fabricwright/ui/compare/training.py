"""The training step of both sides as bars, and the step that a claimed gain would mean."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, REGULAR, SEMIBOLD, make_pen, theme, ui_font
from fabricwright.units.figure_text import figure_text

ROW, LABEL, FIGURE, SIDE = 30, 108, 66, 14


@dataclass(frozen=True, slots=True)
class StepBar:
    """One step: ``pieces`` (name, seconds, colour token) in order; ``claim`` draws it as an outline with a text."""

    label: str
    seconds: float
    pieces: tuple[tuple[str, float, str], ...] = ()
    claim: str = ""


class TrainingBars(QWidget):
    """Hidden while there is nothing to show."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: tuple[StepBar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_bars(self, bars: tuple[StepBar, ...]) -> None:
        """Other steps."""
        self.bars = bars
        self.setVisible(bool(bars))
        self.setAccessibleName(", ".join(f"{bar.label} {figure_text(bar.seconds, 's')}" for bar in bars))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, ROW * len(self.bars) + 6)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        p = QPainter(self)
        longest = max((bar.seconds for bar in self.bars), default=0.0)
        room = self.width() - 2 * SIDE - LABEL - FIGURE
        for n, bar in enumerate(self.bars):
            y = n * ROW + 3
            p.setFont(ui_font(12, REGULAR if bar.claim else MEDIUM))
            p.setPen(now["text.2" if bar.claim else "text"])
            middle = Qt.AlignmentFlag.AlignVCenter
            label = p.fontMetrics().elidedText(bar.label, Qt.TextElideMode.ElideRight, LABEL - 8)
            p.drawText(QRectF(SIDE, y, LABEL - 8, ROW - 6), middle, label)
            x = float(SIDE + LABEL)
            scale = room / longest if longest else 0.0
            if bar.claim:
                box = QRectF(x, y + 2, max(40.0, bar.seconds * scale), ROW - 10)
                p.setRenderHint(QPainter.RenderHint.Antialiasing)
                p.setPen(make_pen(now["border.strong"], 1.25, (4, 3)))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawRoundedRect(box, 3, 3)
                self._inside(p, box, bar.claim, "text.2")
            for name, seconds, token in bar.pieces:
                box = QRectF(x, y + 2, max(1.0, seconds * scale - 2), ROW - 10)
                rounded(p, box, now[token], radius=3)
                self._inside(
                    p, box, f"{name} {seconds:,.0f}" if seconds >= 100 else f"{name} {seconds:.3g}", "text.on-accent"
                )
                x += seconds * scale
            p.setFont(ui_font(12, SEMIBOLD))
            p.setPen(now["text"])
            right = QRectF(self.width() - SIDE - FIGURE, y, FIGURE, ROW - 6)
            p.drawText(right, middle | Qt.AlignmentFlag.AlignRight, figure_text(bar.seconds, "s"))
        p.end()

    @staticmethod
    def _inside(p: QPainter, box: QRectF, text: str, token: str) -> None:
        font = ui_font(11)
        if QFontMetricsF(font).horizontalAdvance(text) + 12 > box.width():
            text = text.rpartition(" ")[2]
            if QFontMetricsF(font).horizontalAdvance(text) + 8 > box.width():
                return
        p.setFont(font)
        p.setPen(theme()[token])
        p.drawText(box.adjusted(7, 0, -3, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
