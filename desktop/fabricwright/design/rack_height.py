"""How many rack units a thing on a fabric sheet takes."""

from __future__ import annotations

import math

from fabricwright.design.effective import part_of
from fabricwright.design.values import Design, Project


def height_units(project: Project, design: Design, of: str) -> int:
    """Rack units of one member of an item that is ``of`` a part or "sheet:<id>" (its chassis, base sheets included), at
    least 1."""
    part = part_of(project, of)
    if of.startswith("sheet:"):
        below = design.lineage(design.sheets.get(of[6:]))
        part = part_of(project, next((sheet.chassis for sheet in below if sheet.chassis), None))
    return max(1, math.ceil(part.get("height_u", 1))) if part is not None else 1
