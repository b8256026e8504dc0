"""Where the count of a group stands on its card, for the pointer: the places at which ``cards_fabric`` draws it."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from fabricwright.ui.paint import text
from fabricwright.ui.paint.primitives import NEAR, Ink
from fabricwright.ui.paint.scene import Card, Style
from fabricwright.ui.theme import SEMIBOLD


def pill_box(card: Card, w: float, h: float, ink: Ink) -> QRectF | None:
    """Box of the count in the card's own coordinates; None when the card shows none at this zoom."""
    if not card.pill:
        return None
    if card.style in (Style.GROUP, Style.DEVICE):
        if ink.band == NEAR and w * ink.scale >= 150:
            px = ink.px(13)
            wide = text.width(card.pill, px, SEMIBOLD) + 26
            top = max(_marks_height(card, w, ink), 6.0)
            return _around(w - wide / 2 - 12, top + px * 1.25, wide, px * 1.9)
        return _compact(card, w, h, ink)
    if card.style == Style.RACK:
        if ink.band != NEAR or w * ink.scale < 90:
            return _compact(card, w, h, ink)
        px = ink.px(12)
        wide = text.width(card.pill, px, SEMIBOLD) + 24
        return _around(w - wide / 2 - 8, 6 + px * 0.9, wide, px * 1.9)
    if card.style == Style.LEAF:
        px, small = ink.px(13), ink.px(11.5)
        if h - 14 > (px + small) * 1.25:
            return QRectF(2, 13 + px * 1.35, w - 4, small * 1.4)
    return None


def _marks_height(card: Card, w: float, ink: Ink) -> float:
    """Height of the labels of the ports on the upper edge."""
    if ink.band != NEAR:
        return 0.0
    px = ink.px(11)
    upper = [mark for mark in card.marks if mark.edge == "t"]
    spacing = w / max(1, len(upper))
    shown = any(mark.label and text.width(mark.label, px) < spacing for mark in upper)
    return px * 1.3 + 3 if shown else 0.0


def _compact(card: Card, w: float, h: float, ink: Ink) -> QRectF | None:
    wide = text.width(card.pill, ink.px(11.5), SEMIBOLD) + 16 / ink.scale
    if wide >= w * 0.5 or ink.scale < 0.25:
        return None
    return _around(w - wide / 2 - 4 / ink.scale, h / 2, wide, ink.px(11.5) * 1.9)


def _around(x: float, y: float, w: float, h: float) -> QRectF:
    return QRectF(x - w / 2, y - h / 2, w, h)
