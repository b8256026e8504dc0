"""Pills: short words or figures on a soft ground (counts, states, ``estimate``)."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, Theme, theme, ui_font

#: kind -> (ground token, text token, outline token or nothing)
KINDS: dict[str, tuple[str, str, str]] = {
    "neutral": ("hover", "text.2", ""),
    "accent": ("accent.soft", "accent", ""),
    "error": ("error.soft", "error", ""),
    "warn": ("warn.soft", "warn", ""),
    "warning": ("warn.soft", "warn", ""),
    "ok": ("ok.soft", "ok", ""),
    "info": ("info.soft", "info", ""),
    "estimate": ("info.soft", "info", ""),
    "plain": ("raised", "text", "border"),
    "error-outline": ("error.soft", "error", "error"),
    "warn-outline": ("warn.soft", "warn", "warn"),
}


def chip_size(text: str, px: float = 11, *, weight: int = SEMIBOLD, pad: float = 8) -> QSizeF:
    """Size of a chip in logical pixels, with at least a round shape."""
    metrics = QFontMetricsF(ui_font(px, weight))
    height = round(px + 8)
    return QSizeF(max(height, metrics.horizontalAdvance(text) + 2 * pad), height)


def paint_chip(
    painter: QPainter,
    box: QRectF,
    text: str,
    kind: str = "neutral",
    colours: Theme | None = None,
    *,
    px: float = 11,
    weight: int = SEMIBOLD,
    radius: float | None = None,
) -> None:
    """Paint a chip that fills ``box``; pill-shaped unless ``radius`` says otherwise."""
    now = colours or theme()
    ground, ink, outline = KINDS[kind]
    fill = now[ground]
    rounded(painter, box, fill, now[outline] if outline else None, box.height() / 2 if radius is None else radius)
    painter.save()
    painter.setFont(ui_font(px, weight))
    painter.setPen(now[ink])
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


class Chip(QWidget):
    """A chip as a widget. ``kind``: neutral, accent, error, warn, ok, info, estimate, plain, *-outline."""

    def __init__(self, text: str = "", kind: str = "neutral", parent: QWidget | None = None, *, px: float = 11) -> None:
        super().__init__(parent)
        self._text = text
        self._kind = kind
        self._px = px
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def text(self) -> str:
        """The word shown."""
        return self._text

    def set_text(self, text: str, kind: str | None = None) -> None:
        """Change word, and kind if given. An empty text hides the chip."""
        self._text = text
        self._kind = kind or self._kind
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return chip_size(self._text, self._px).toSize() + QSize(1, 0)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_chip(painter, QRectF(self.rect()), self._text, self._kind, px=self._px)
        painter.end()
