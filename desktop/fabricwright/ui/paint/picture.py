"""Pictures on sheets: decoded once, drawn in their box; one that cannot be decoded is a dashed box with a sign."""

from __future__ import annotations

import base64
import binascii
from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint import text
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.paint.scene import Card
from fabricwright.ui.theme import make_pen


@lru_cache(maxsize=64)
def decoded(media: str, data: str) -> QImage | None:
    """The pixels; None when there are none. What a project carries was checked when it was read, byte by byte."""
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
    image = QImage()
    image.loadFromData(raw, "PNG" if media == "image/png" else "JPG")  # type: ignore[arg-type]
    return None if image.isNull() else image


def picture(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """The image in its box."""
    image = decoded(*card.picture)
    if image is not None:
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        p.drawImage(QRectF(0, 0, w, h), image)
        return
    p.setPen(make_pen(ink["border.strong"], ink.line(1.0), (4, 3)))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawRect(QRectF(0.5, 0.5, w - 1, h - 1))
    side = min(24.0, h - 4)
    paint_icon(p, "image", QRectF((w - side) / 2, (h - side) / 2 - 6, side, side), "text.3")
    text.draw_in(p, QRectF(4, h / 2 + 10, w - 8, 16), card.titles, ink.px(11), ink["text.3"], align=text.CENTRE)
