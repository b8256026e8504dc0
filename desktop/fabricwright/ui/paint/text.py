"""Text on sheets: measured, elided, cached. Sizes are scene units; nothing comes out under 11 px on the screen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QStaticText

from fabricwright.ui.theme import REGULAR, ui_font

MIN_SCREEN_PX = 11.0
ELLIPSIS = "\u2026"

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
CENTRE = Qt.AlignmentFlag.AlignHCenter


def scene_px(px: float, scale: float) -> int:
    """Font size in scene units (whole, so that it holds on every device) for ``px`` at 100 % under a zoom."""
    return max(1, math.ceil(max(px, MIN_SCREEN_PX / max(scale, 1e-6)) - 0.25))


@lru_cache(maxsize=512)
def metrics(px: int, weight: int) -> QFontMetricsF:
    """Metrics of the interface font."""
    return QFontMetricsF(ui_font(px, weight))


@lru_cache(maxsize=16384)
def width(text: str, px: int, weight: int = REGULAR) -> float:
    """Advance of a text in scene units."""
    return metrics(px, weight).horizontalAdvance(text)


@lru_cache(maxsize=8192)
def elide(text: str, room: float, px: int, weight: int = REGULAR) -> str:
    """The text, cut with an ellipsis to fit; "" when not even three letters fit."""
    if width(text, px, weight) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        mid = (low + high + 1) // 2
        if width(text[:mid].rstrip() + ELLIPSIS, px, weight) <= room:
            low = mid
        else:
            high = mid - 1
    return text[:low].rstrip() + ELLIPSIS if low >= 2 else ""


def choose(texts: Sequence[str], room: float, px: int, weight: int = REGULAR) -> str:
    """First (longest) of the variants that fits; the last one elided when none does."""
    for text in texts:
        if width(text, px, weight) <= room:
            return text
    return elide(texts[-1], room, px, weight) if texts else ""


def fits(texts: Sequence[str], room: float, px: int, weight: int = REGULAR) -> str:
    """First variant that fits whole; "" when none does."""
    return next((t for t in texts if width(t, px, weight) <= room), "")


@lru_cache(maxsize=8192)
def _static(text: str, px: int, weight: int) -> QStaticText:
    static = QStaticText(text)
    static.setTextFormat(Qt.TextFormat.PlainText)
    static.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    static.prepare(font=ui_font(px, weight))
    return static


def draw(
    painter: QPainter,
    x: float,
    baseline: float,
    text: str,
    px: int,
    colour: QColor,
    *,
    weight: int = REGULAR,
    align: Qt.AlignmentFlag = LEFT,
) -> float:
    """Draw one line with its baseline at ``baseline``; returns its width."""
    if not text:
        return 0.0
    font: QFont = ui_font(px, weight)
    advance = width(text, px, weight)
    left = x if align == LEFT else x - advance if align == RIGHT else x - advance / 2
    painter.setFont(font)
    painter.setPen(colour)
    if painter.device().devType() in _PIXEL_DEVICES:
        painter.drawStaticText(QPointF(left, baseline - metrics(px, weight).ascent()), _static(text, px, weight))
    else:
        painter.drawText(QPointF(left, baseline), text)
    return advance


def draw_many(
    painter: QPainter, rows: Iterable[tuple[float, float, str]], px: int, colour: QColor, weight: int = REGULAR
) -> None:
    """Many short texts of one look, each from its left end and baseline: a fraction of the cost of ``draw``."""
    painter.setFont(ui_font(px, weight))
    painter.setPen(colour)
    if painter.device().devType() in _PIXEL_DEVICES:
        rise = metrics(px, weight).ascent()
        for x, baseline, text in rows:
            if text:
                painter.drawStaticText(QPointF(x, baseline - rise), _static(text, px, weight))
    else:
        for x, baseline, text in rows:
            painter.drawText(QPointF(x, baseline), text)


# Widget, pixmap, image. Paper keeps text as text: cached glyph positions are for pixels only.
_PIXEL_DEVICES = (1, 2, 3)


def draw_in(
    painter: QPainter,
    box: QRectF,
    texts: Sequence[str],
    px: int,
    colour: QColor,
    *,
    weight: int = REGULAR,
    align: Qt.AlignmentFlag = LEFT,
) -> float:
    """Draw the longest variant that fits, vertically centred in ``box``; returns the width drawn."""
    text = choose(texts, box.width(), px, weight)
    if not text:
        return 0.0
    x = box.left() if align == LEFT else box.right() if align == RIGHT else box.center().x()
    m = metrics(px, weight)
    baseline = box.center().y() + (m.capHeight() or m.ascent() * 0.72) / 2
    return draw(painter, x, baseline, text, px, colour, weight=weight, align=align)
