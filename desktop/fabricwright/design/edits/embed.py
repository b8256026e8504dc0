"""Putting catalogue parts into the project: a file opens the same on another laptop."""

from __future__ import annotations

import dataclasses

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.patch import PatchBuilder


def embed(builder: PatchBuilder, part_id: str) -> Part:
    """Embed a part and, recursively, the parts its interior is made of. An embedded part is never replaced silently."""
    known = builder.project.parts.get(part_id)
    if known is None:
        store = catalogue()
        part = store.get(part_id)
        known = dataclasses.replace(part, origin=part.origin or f"catalogue {store.version}")
        builder.set(("parts", part_id), known)
    if known.interior is not None:
        inside = {row.of for row in known.interior.items.values()} | {
            row.chip_part for row in known.interior.items.values()
        }
        for inner in sorted(inside - {"", part_id}):
            if inner not in builder.project.parts:
                embed(builder, inner)
    return known
