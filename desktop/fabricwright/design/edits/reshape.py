"""What goes with the members of a group when its axes change: exceptions, cables plugged elsewhere, approvals.

Every index set is rewritten by coordinates: a member keeps what was said of it while its coordinates exist.
"""

from __future__ import annotations

import dataclasses

from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.edits.places import at, design_of, item_of, sheet_of
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import PatchBuilder
from fabricwright.design.values import Axes, Item, Moved, Override, Project
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table


def moved_index(index: int, old: Axes, new: Axes) -> int | None:
    """Index under the new axes of the member with the same coordinates; axes match by name, missing ones are 0."""
    values: dict[str, int] = {}
    for name, size in reversed(old):
        index, values[name] = divmod(index, size)
    names = {name for name, _ in new}
    if any(value for name, value in values.items() if name not in names):
        return None
    out = 0
    for name, size in new:
        value = values.get(name, 0)
        if value >= size:
            return None
        out = out * size + value
    return out


def reindexed(members: IndexSet, old: Axes, new: Axes) -> IndexSet:
    """A member set under the new axes."""
    return IndexSet.of(i for i in (moved_index(n, old, new) for n in members) if i is not None)


def reindexed_exceptions(row: Item, axes: Axes) -> Table[Override]:
    """Exceptions of a row under new axes."""
    if axes == row.axes:
        return row.except_
    kept = ((reindexed(IndexSet.parse(key), row.axes, axes), override) for key, override in row.except_.items())
    return Table({str(members): override for members, override in kept if members})


def reindex_cables(builder: PatchBuilder, design: str, sheet: str, item: str, row: Item) -> None:
    """Single cables that run elsewhere stay with their member: row = member * ports + port where the members are dealt.

    A row of a mesh counts both sides, so it cannot be carried over; those cables go back to where the wiring rule says.
    """
    eff = effective(builder.before, design_of(builder.before, design), sheet)
    axes = item_of(builder.project, design, sheet, item).axes
    for link_id, link in sheet_of(builder.project, design, sheet).links.items():
        (a_item, a_ports), (b_item, _) = split_end(link.a), split_end(link.b)
        if not link.wire.moved or link.wire.mode == "rows" or item not in (a_item, b_item):
            continue
        if link.wire.mode == "deal" and a_item != item:
            continue  # rows count the ports of the other end
        moved: dict[str, Moved] = {}
        ports = _port_count(builder.before, design, eff, item, a_ports) if link.wire.mode == "deal" else 0
        for key, place in link.wire.moved.items():
            member = moved_index(int(key) // ports, row.axes, axes) if ports and key.isdigit() else None
            if member is not None:
                moved[str(member * ports + int(key) % ports)] = place
        wire = dataclasses.replace(link.wire, moved=Table(moved))
        builder.set(at(design, sheet, "links", link_id), dataclasses.replace(link, wire=wire))


def _port_count(project: Project, design: str, eff: EffSheet, item: str, ports: str) -> int:
    """Ports of one member that an end names: those of an export, or of a range."""
    of = eff.items[item].of if item in eff.items else ""
    if of.startswith("sheet:"):
        shown = effective(project, design_of(project, design), of[6:]).exports.get(ports)
        if shown is not None:
            return len(shown.ports)
    return len(expand_ports(ports))


def reindex_approvals(builder: PatchBuilder, design: str, item: str, old: Axes, new: Axes) -> None:
    """Approvals keep the members they were given for; one whose members are all gone goes too."""
    for key, approval in builder.project.approvals.items():
        pieces = approval.key.split("|")
        about = len(pieces) == 3 and pieces[1] == design and pieces[2].split(",")[0].split("/")[0].split(":")[0] == item
        if not about or not approval.members:
            continue
        try:
            kept = reindexed(IndexSet.parse(approval.members), old, new)
        except UserError:
            continue
        if kept:
            builder.set(("approvals", key), dataclasses.replace(approval, members=str(kept)))
        else:
            builder.remove(("approvals", key))
