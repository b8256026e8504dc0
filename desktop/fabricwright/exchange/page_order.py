"""The order of a design's sheets in a book of drawings."""

from __future__ import annotations

from fabricwright.design.values import Design
from fabricwright.units.natural import natural_key


def sheets_of(design: Design) -> list[str]:
    """The fabric, then server sheets in natural order."""
    names = sorted(design.sheets, key=natural_key)
    return [*(s for s in names if s == design.root), *(s for s in names if s != design.root)]
