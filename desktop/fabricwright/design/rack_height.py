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
        here: str | None = of[6:]
        for _ in range(len(design.sheets)):
            sheet = design.sheets.get(here) if here else None
            if sheet is None or sheet.chassis:
                part = part_of(project, sheet.chassis) if sheet is not None else None
                break
            here = sheet.base
    return max(1, math.ceil(part.get("height_u", 1))) if part is not None else 1
