"""Parts that a file names but does not carry.

Files that the program writes embed every part they use. One written by hand may leave ``parts`` out; what the
catalogue knows is then
taken from there, with its origin noted, as if the part had just been placed. What neither knows stays an error of the
file.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from fabricwright.catalog.difference import differ
from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Project
from fabricwright.units.natural import natural_key
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

MOST_NAMED = 5
"""Parts that the sentence about another catalogue names."""


def named_parts(project: Project) -> Iterator[str]:
    """Ids of the parts that sheets name: chassis, items, cables, optics; repeats possible."""
    for design in project.designs.values():
        for sheet in design.sheets.values():
            if sheet.chassis:
                yield sheet.chassis
            for item in sheet.items.values():
                if item.of and not item.of.startswith("sheet:"):
                    yield item.of
            for link in sheet.links.values():
                yield from (p for p in (link.cable, *link.optics) if p and p != "auto")


def adopt_parts(project: Project) -> Project:
    """The project with the parts it lacks taken from the catalogue; itself when it lacks none that the catalogue
    has."""
    missing = {p for p in named_parts(project) if p not in project.parts}
    if not missing:
        return project
    store = catalogue()
    parts = dict(project.parts)
    for part_id in sorted(p for p in missing if p in store):
        parts = {**store.copies(part_id), **parts}
    return dataclasses.replace(project, parts=Table(parts))


def parts_that_differ(project: Project) -> tuple[str, ...]:
    """Ids of the parts that the project carries in another form than this catalogue, in natural order. The project's
    own copies count; this is for telling. Parts that the catalogue does not know are no difference."""
    store = catalogue()
    known = (p for p in project.parts if p in store)
    return tuple(sorted((p for p in known if differ(project.parts[p], store.get(p))), key=natural_key))


def told_difference(project: Project) -> Message | None:
    """The sentence about ``parts_that_differ``; None when there are none."""
    found = parts_that_differ(project)
    if not found:
        return None
    if len(found) > MOST_NAMED:
        return msg(
            "{count} parts of the project differ from this catalogue ({parts} ...); the project's own copies count.",
            count=len(found),
            parts=", ".join(found[:MOST_NAMED]),
        )
    return msg(
        "Parts of the project that differ from this catalogue: {parts}; the project's own copies count.",
        parts=", ".join(found),
    )
