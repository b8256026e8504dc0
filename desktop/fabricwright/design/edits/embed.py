"""Putting catalogue parts into the project: a file opens the same on another laptop."""

from __future__ import annotations

import dataclasses

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.patch import PatchBuilder


def embed(builder: PatchBuilder, part_id: str) -> Part:
    """The project's own copy of a part; taken from the catalogue, with the parts inside it, when it has none.

    An embedded part is never replaced silently.
    """
    if part_id not in builder.project.parts:
        store = catalogue()
        for needed in store.needs(part_id):
            if needed not in builder.project.parts:
                part = store.get(needed)
                builder.set(("parts", needed), dataclasses.replace(part, origin=part.origin or store.origin()))
    return builder.project.parts[part_id]
