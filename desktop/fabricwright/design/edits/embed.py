"""Putting catalogue parts into the project: a file opens the same on another laptop."""

from __future__ import annotations

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.patch import PatchBuilder


def embed(builder: PatchBuilder, part_id: str) -> Part:
    """The project's own copy of a part; taken from the catalogue, with the parts inside it, when it has none.

    An embedded part is never replaced silently.
    """
    if part_id not in builder.project.parts:
        for needed, part in catalogue().copies(part_id).items():
            if needed not in builder.project.parts:
                builder.set(("parts", needed), part)
    return builder.project.parts[part_id]
