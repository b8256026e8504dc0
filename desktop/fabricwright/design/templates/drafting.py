"""The few short forms that templates are written in, and the embedding of every part that a project uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fabricwright.catalog.parts import Part, Scalar
from fabricwright.catalog.store import catalogue
from fabricwright.design.indexset import IndexSet
from fabricwright.design.options.option import NO_PART
from fabricwright.design.values import (
    Axes,
    ConfigValue,
    Design,
    Export,
    Item,
    Link,
    Override,
    Project,
    Sheet,
    Statement,
    Wire,
)
from fabricwright.units.table import Table

GPU_AUX = "aux-12v2x6-600w"
"""Auxiliary power cable of the 12V-2x6 type, one per double-wide PCIe GPU (config ``aux``)."""

FITTED = "fitted."
"""Prefix of config keys of the row ``chassis``: ``fitted.PART`` = how many of that part sit beside the slots."""

PART_KEYS = ("aux", "pdu", "cpu")
"""Config keys whose value is a part id, or ``NO_PART``."""


def item(
    of: str | None, seat: str = "", axes: Axes = (), name: str = "", forced: bool = False, **config: ConfigValue
) -> Item:
    """An item row; keyword arguments become its config."""
    return Item(of, axes, seat or None, forced, Table(config), Table(), name)


def gpus(of: str, slots: Iterable[str], first: int = 0) -> dict[str, Item]:
    """``gpu0..`` in the named slots, each with its auxiliary power cable."""
    return {f"gpu{first + n}": item(of, seat, aux=GPU_AUX) for n, seat in enumerate(slots)}


def without_tail(row: Item, present: int) -> Item:
    """The group with its members from ``present`` on marked absent."""
    if present >= row.count:
        return row
    tail = IndexSet(((present, row.count - 1),))
    return replace(row, except_=Table({str(tail): Override(absent=True)}))


def fitted(**counts: int) -> Item:
    """Parts that a chassis holds besides its slots (boot drives): row ``chassis``, config ``fitted.PART`` = count.

    Underscores of a keyword stand for the hyphens of the part id.
    """
    return Item(None, config=Table({FITTED + key.replace("_", "-"): count for key, count in counts.items()}))


def plan(title: str, order: int, sheets: Mapping[str, Sheet], settings: Mapping[str, Scalar] | None = None) -> Design:
    """A design whose sheet ``fabric`` comes first and whose item ``node`` holds the ranks."""
    return Design(title, order=order, ranks=("node",), sheets=Table(sheets), settings=Table(settings))


def deal(*on: str) -> Wire:
    """Wiring ``deal`` joined on these axes."""
    return Wire("deal", on)


def mesh(per_pair: int, *on: str) -> Wire:
    """Wiring ``mesh`` with so many cables per pair, joined on these axes."""
    return Wire("mesh", on, per_pair)


def rows(*cables: tuple[int, int, int, int]) -> Wire:
    """Explicit wiring: (a member, a port, b member, b port), ports counted within the end's own list."""
    return Wire("rows", rows=cables)


def pcie(a: str, b: str, cable: str, length_m: float) -> Link:
    """A PCIe cable inside a server or to an external box."""
    return Link(a, b, medium="pcie", cable=cable, length_m=length_m)


def export(*ports: str, **axes: int) -> Export:
    """Ports a server shows outside."""
    return Export(ports, tuple(axes.items()))


def statements(source: str, *given: tuple[str, str, str, str | int | float | bool, str, str]) -> Table[Statement]:
    """Rows (kind, text, quantity, value, unit, subject) of one source as s1, s2, ..."""
    return Table(
        {
            f"s{n}": Statement(kind, text, quantity, value, unit, subject, source)
            for n, (kind, text, quantity, value, unit, subject) in enumerate(given, 1)
        }
    )


def used_parts(project: Project) -> set[str]:
    """Ids of the parts that rows of the project name directly: chassis, items, cables, optics, config, statements."""
    used: set[str] = set()
    for design in project.designs.values():
        for sheet in design.sheets.values():
            used.add(sheet.chassis or "")
            for row in sheet.items.values():
                used.add(row.of or "")
                used.update(_named_in(row.config))
                for override in row.except_.values():
                    used.update(_named_in(override.config))
            for link in sheet.links.values():
                used.update((link.cable, *(optic or "" for optic in link.optics)))
    used.update(row.subject[5:] for row in project.statements.values() if row.subject.startswith("part:"))
    return {part for part in used if part and part != "auto" and not part.startswith("sheet:")}


def _named_in(config: Mapping[str, ConfigValue]) -> Iterable[str]:
    for key, value in config.items():
        if key in PART_KEYS and isinstance(value, str) and value != NO_PART:
            yield value
        elif key.startswith(FITTED):
            yield key[len(FITTED) :]


def embed(project: Project) -> Project:
    """The project with every part that it uses, every part inside those and the memory they ship with."""
    store = catalogue()
    found: dict[str, Part] = dict(project.parts)
    for named in sorted(used_parts(project) - set(found)):
        for part_id in (named, store.get(named).word("dimm_part")):
            if part_id:
                found = {**store.copies(part_id), **found}
    return replace(project, parts=Table(found))
