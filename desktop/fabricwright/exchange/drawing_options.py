"""What a person may choose about drawings that leave the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabricwright.exchange.page_size import PageSize

HEAT_STEPS = (0.25, 0.50, 0.75, 0.90)
HEAT_WIDTHS = (1.5, 2.0, 2.75, 3.5, 4.5)
"""Steps of the load ramp and the widths that go with them (design language, section 2)."""


@dataclass(frozen=True, slots=True)
class Badge:
    """Open findings at a place: the worst ``severity`` (error, warning, info) and how many."""

    severity: str
    count: int


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """Choices for all formats.

    ``loads`` link id -> busy part 0..1 of the fabric sheet's links (empty: no heat map); ``loads_inside`` sheet -> name
    of an interior link -> busy part; ``badges`` sheet -> item id -> Badge (empty: none); ``only`` ids of the fabric or
    server sheet that are drawn (empty: all).
    """

    page: PageSize = field(default_factory=PageSize)
    loads: Mapping[str, float] = field(default_factory=dict)
    loads_inside: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    badges: Mapping[str, Mapping[str, Badge]] = field(default_factory=dict)
    labels: bool = True
    legend: bool = True
    figures: bool = True
    without_colour: bool = False
    transparent: bool = False
    only: frozenset[str] = frozenset()


def heat_step(load: float) -> int:
    """Step 0..4 of a load."""
    return sum(load > limit for limit in HEAT_STEPS)


def heat_pen(load: float) -> tuple[str, float]:
    """Colour token and width of a line that carries a load."""
    step = heat_step(load)
    return f"heat{step}", HEAT_WIDTHS[step]
