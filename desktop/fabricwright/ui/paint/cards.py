"""One entry for every card: picks the painter by style and zoom band."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from fabricwright.ui.paint import cards_fabric, cards_server, picture, text
from fabricwright.ui.paint.primitives import FAR, Ink
from fabricwright.ui.paint.scene import Card, Style
from fabricwright.ui.theme import MEDIUM

Painter = Callable[[QPainter, Card, float, float, Ink], None]

PAINTERS: dict[Style, Painter] = {
    Style.FRAME: cards_fabric.frame,
    Style.GROUP: cards_fabric.group,
    Style.LEAF: cards_fabric.leaf,
    Style.LEAF_WIDE: cards_fabric.leaf_wide,
    Style.SPINE: cards_fabric.spine,
    Style.DEVICE: cards_fabric.group,
    Style.RACK: cards_fabric.rack,
    Style.NOTE: cards_fabric.note,
    Style.PICTURE: picture.picture,
    Style.CPU: cards_server.cpu,
    Style.GPU: cards_server.gpu,
    Style.CARD: cards_server.card,
    Style.SWITCH: cards_server.switch,
    Style.CHIP: cards_server.chip,
    Style.SLOT: cards_server.slot,
    Style.BAR: cards_server.nv_bar,
    Style.BRACKET: cards_server.bracket,
    Style.POWER: cards_server.power,
}

#: Room that a card may paint outside its box: layers, ports, shadow.
MARGIN = 12.0


def paint_card(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Paint a card with its top left corner at the origin, as its zoom band says."""
    if ink.band == FAR and card.style not in (Style.FRAME, Style.BRACKET, Style.PICTURE, Style.POWER):
        far_block(p, card, w, h, ink)
        return
    PAINTERS[card.style](p, card, w, h, ink)


def far_token(card: Card) -> str:
    """Colour of the flat block a card is at far zoom."""
    if card.frame and card.frame not in ("border", "border.strong"):
        return card.frame
    return {Style.CPU: "pcie", Style.SWITCH: "rail0", Style.BAR: "nvlink", Style.SLOT: "border"}.get(
        card.style, "text.3"
    )


def far_block(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Flat rectangle, the count inside groups, a rail line on leafs."""
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(ink[far_token(card)])
    p.drawRoundedRect(QRectF(0, 0, w, h), 4, 4)
    if card.rail >= 0:
        p.setBrush(ink[f"rail{card.rail % 8}"])
        p.drawRect(QRectF(0, 0, w, max(4.0, 2 / ink.scale)))
    if card.far:
        px = ink.px(11)
        if w * ink.scale > 22 and h * ink.scale > 11:
            text.draw_in(
                p, QRectF(1, 0, w - 2, h), (card.far,), px, ink["text.on-accent"], weight=MEDIUM, align=text.CENTRE
            )
