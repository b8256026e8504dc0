"""Which function draws which case. A drawing module registers its functions by importing ``draws``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fabricwright.design.values import Project


@dataclass(frozen=True, slots=True)
class Drawing:
    """One variant of a case. ``when`` as the case words it, "" for the case itself; ``finds`` all errors, warnings and
    infos that the rules have on it, reviewed one by one: a rule named there is right about the drawing.
    """

    case: str
    when: str
    draw: Callable[[], Project]
    finds: frozenset[str]


DRAWINGS: dict[tuple[str, str], Drawing] = {}


def draws(case: str, when: str = "", *, finds: str = "") -> Callable[[Callable[[], Project]], Callable[[], Project]]:
    """The function draws the case (or its variant ``when``); ``finds`` lists the rules that speak, facts apart."""

    def mark(draw: Callable[[], Project]) -> Callable[[], Project]:
        assert (case, when) not in DRAWINGS, f"{case} {when}: drawn twice"
        DRAWINGS[case, when] = Drawing(case, when, draw, frozenset(finds.split()))
        return draw

    return mark
