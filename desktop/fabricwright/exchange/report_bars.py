"""Stacked bars for reports: what a whole is made of (a training step, a GPU's memory), with values in a key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fabricwright.exchange.ink import Ink

SMALL = 12.0
KEY_LINE = 18.0


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the bar: name, size, how the size is written, colour token."""

    label: str
    value: float
    shown: str
    token: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A stacked bar. ``limit`` marks a capacity (0 = none), ``limit_label`` says what it is."""

    title: str
    parts: tuple[Part, ...]
    limit: float = 0.0
    limit_label: str = ""


def bar_height(bars: Sequence[Bar], across: int = 2) -> float:
    """Height that the bars take."""
    return sum(62.0 + KEY_LINE * -(-len(bar.parts) // across) for bar in bars)


def draw_bars(ink: Ink, x: float, y: float, w: float, h: float, bars: Sequence[Bar], across: int = 2) -> None:
    """The bars one below the other, each as wide as its own largest figure needs."""
    del h
    for bar in bars:
        most = max(sum(part.value for part in bar.parts), bar.limit) or 1.0
        ink.text(x, y + 12, bar.title, SMALL, weight=600, room=w * 0.6)
        if bar.limit_label:
            ink.text(x + w, y + 12, bar.limit_label, SMALL, fill="text.2", anchor="end", room=w * 0.38)
        place = x
        for part in bar.parts:
            wide = w * part.value / most
            if wide > 0:
                ink.rect(place, y + 20, wide, 22, fill=part.token, stroke="panel", width=0.8, radius=0)
            place += wide
        if bar.limit:
            at = x + w * bar.limit / most
            ink.line([(at, y + 16), (at, y + 46)], stroke="text", width=1.6)
        span = w / across
        for n, part in enumerate(bar.parts):
            left, base = x + span * (n % across), y + 58 + KEY_LINE * (n // across)
            ink.rect(left, base - 9, 10, 10, fill=part.token, width=0, radius=1)
            ink.text(left + 16, base, f"{part.label}  {part.shown}", SMALL, room=span - 24)
        y += 62 + KEY_LINE * -(-len(bar.parts) // across)
