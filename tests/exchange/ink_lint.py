"""A reader's complaints about a recorded page: text off the page, text on text, text that sticks out of its card."""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.exchange.font_metrics import text_width
from fabricwright.exchange.ink import Begin, End, Ink, Rect, Text


@dataclass(frozen=True)
class Box:
    text: str
    left: float
    top: float
    right: float
    bottom: float


def box_of(op: Text) -> Box:
    width = text_width(op.text, op.size, op.weight)
    left = {"start": op.x, "middle": op.x - width / 2, "end": op.x - width}[op.anchor]
    return Box(op.text, left, op.y - 0.72 * op.size, left + width, op.y + 0.1 * op.size)


def text_boxes(ink: Ink) -> list[Box]:
    return [box_of(op) for op in ink.ops if isinstance(op, Text)]


def complaints(ink: Ink) -> list[str]:
    out = []
    boxes = sorted(text_boxes(ink), key=lambda box: box.top)
    for box in boxes:
        if box.left < 0 or box.right > ink.width or box.top < 0 or box.bottom > ink.height:
            out.append(f"off the page: {box}")
    for n, one in enumerate(boxes):
        for other in boxes[n + 1 :]:
            if other.top + 0.5 >= one.bottom:
                break
            if one.right > other.left + 0.5 and other.right > one.left + 0.5:
                out.append(f"on each other: {one} {other}")
    return out + _sticking_out(ink)


def _sticking_out(ink: Ink) -> list[str]:
    """Text of a group that has a card must lie inside it."""
    out = []
    at = 0
    while at < len(ink.ops):
        op = ink.ops[at]
        if isinstance(op, Begin):
            end = next(n for n in range(at, len(ink.ops)) if isinstance(ink.ops[n], End))
            inside = ink.ops[at:end]
            cards = [row for row in inside if isinstance(row, Rect)]
            if cards:
                card = max(cards, key=lambda row: row.w * row.h)
                for row in inside:
                    if isinstance(row, Text):
                        box = box_of(row)
                        if (
                            box.left < card.x - 1
                            or box.right > card.x + card.w + 1
                            or box.bottom > card.y + card.h + 1
                            or box.top < card.y - 1
                        ):
                            out.append(f"sticks out of {op.name}: {box}")
            at = end
        at += 1
    return out


def smallest_points(ink: Ink) -> float:
    """Smallest letters on paper, in pt."""
    points = ink.width_mm / 25.4 * 72 / ink.width
    return min(op.size * points for op in ink.ops if isinstance(op, Text))
