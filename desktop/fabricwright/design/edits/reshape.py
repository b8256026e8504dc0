"""What goes with the members of a group when its axes change: exceptions, cables, places in racks and on the drawing,
approvals, statements.

Every index set is rewritten by coordinates: a member keeps what was said of it while its coordinates exist.
"""

from __future__ import annotations

import dataclasses

from fabricwright.design.address import split_end
from fabricwright.design.edits.member_moves import (
    Target,
    about,
    is_subject,
    members_of,
    move_look,
    move_statements,
    moved_text,
)
from fabricwright.design.edits.places import at, design_of, item_of, sheet_of
from fabricwright.design.effective import effective
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import PatchBuilder
from fabricwright.design.values import Axes, Item, Link, Moved, Override, Wire
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


def reindex_all(builder: PatchBuilder, design: str, sheet: str, item: str, row: Item) -> None:
    """Everything but the exceptions, after the item got its new axes; ``row`` is how it was."""
    axes = item_of(builder.project, design, sheet, item).axes

    def moves(n: int) -> Target:
        index = moved_index(n, row.axes, axes)
        return None if index is None else (item, index)

    for here, owner in design_of(builder.project, design).sheets.items():
        if here == sheet or owner.base == sheet:
            _reindex_cables(builder, design, here, item, row.axes, axes)
    move_look(builder, design, sheet, item, moves)
    _reindex_seats(builder, design, sheet, item, row.axes, axes)
    if design_of(builder.project, design).root == sheet:
        move_statements(builder, design, item, row.axes, moves)
        _reindex_approvals(builder, design, item, row.axes, axes)


# -- cables ------------------------------------------------------------------------------------------------------------


def _reindex_cables(builder: PatchBuilder, design: str, sheet: str, item: str, old: Axes, new: Axes) -> None:
    """Listed rows and single cables that run elsewhere stay with their members."""
    for link_id, link in sheet_of(builder.project, design, sheet).links.items():
        sides = [split_end(end)[0].partition("/")[0] == item for end in (link.a, link.b)]
        if not any(sides):
            continue
        wire = link.wire
        if wire.mode == "rows":
            wire = _listed(wire, sides, old, new)
        elif wire.moved:
            rows = _rows_of_moved(builder, design, sheet, link, sides, old, new)
            wire = dataclasses.replace(wire, moved=Table(rows))
        wire = dataclasses.replace(wire, moved=_renamed(wire.moved, item, old, new))
        if wire != link.wire:
            builder.set(at(design, sheet, "links", link_id), dataclasses.replace(link, wire=wire))


def _listed(wire: Wire, sides: list[bool], old: Axes, new: Axes) -> Wire:
    """Rows of an explicit list; those of members that are gone go, and what was moved counts anew."""
    rows: list[tuple[int, int, int, int]] = []
    moved: dict[str, Moved] = {}
    for n, (a, a_port, b, b_port) in enumerate(wire.rows):
        here = moved_index(a, old, new) if sides[0] and a >= 0 else a
        there = moved_index(b, old, new) if sides[1] and b >= 0 else b
        if here is None or there is None:
            continue
        if str(n) in wire.moved:
            moved[str(len(rows))] = wire.moved[str(n)]
        rows.append((here, a_port, there, b_port))
    return dataclasses.replace(wire, rows=tuple(rows), moved=Table(moved))


def _renamed(moved: Table[Moved], item: str, old: Axes, new: Axes) -> Table[Moved]:
    """Where cables run to, under the new indices; one that ran to a member that is gone runs as the rule says."""

    def moves(n: int) -> Target:
        index = moved_index(n, old, new)
        return None if index is None else (item, index)

    out: dict[str, Moved] = {}
    for key, place in moved.items():
        texts = [None if text is None else moved_text(text, item, old, moves) for text in (place.a, place.b)]
        if (place.a is None) == (texts[0] is None) and (place.b is None) == (texts[1] is None):
            out[key] = dataclasses.replace(place, a=texts[0], b=texts[1])
    return Table(out)


def _rows_of_moved(
    builder: PatchBuilder, design: str, sheet: str, link: Link, sides: list[bool], old: Axes, new: Axes
) -> dict[str, Moved]:
    """Moved cables under their new row numbers. A dealt row is known by its a-end; a row of a mesh by the two members
    that it joins and how many it is between them."""
    if link.wire.mode == "deal" and not sides[0]:
        return dict(link.wire.moved)  # rows count the ports of the other end
    from fabricwright.design.wiring import end_of, rule_rows

    ends = []
    for project in (builder.before, builder.project):
        eff = effective(project, design_of(project, design), sheet)
        ends.append([end_of(project, design_of(project, design), eff, end) for end in (link.a, link.b)])
    out: dict[str, Moved] = {}
    if link.wire.mode == "deal":
        ports = len(ends[0][0].ports)
        for key, place in link.wire.moved.items():
            member = moved_index(int(key) // ports, old, new) if ports and key.isdigit() else None
            if member is not None:
                out[str(member * ports + int(key) % ports)] = place
        return out
    before, after = (rule_rows(link.wire, a, b) for a, b in ends)
    for key, place in link.wire.moved.items():
        n = int(key) if key.isdigit() else len(before)
        if n >= len(before):
            continue
        a, b = int(before[n, 0]), int(before[n, 2])
        nth = int(((before[:n, 0] == a) & (before[:n, 2] == b)).sum())
        here = moved_index(a, old, new) if sides[0] else a
        there = moved_index(b, old, new) if sides[1] else b
        if here is None or there is None:
            continue
        same = ((after[:, 0] == here) & (after[:, 2] == there)).nonzero()[0]
        if nth < len(same):
            out[str(int(same[nth]))] = place
    return out


# -- racks, approvals --------------------------------------------------------------------------------------------------


def _reindex_seats(builder: PatchBuilder, design: str, sheet: str, item: str, old: Axes, new: Axes) -> None:
    """Members that stand apart from the rule stay in their racks; what stands in a rack stays in that rack."""
    for seated, seat in sheet_of(builder.project, design, sheet).seats.items():
        places = {}
        for key, place in seat.except_.items():
            members = members_of(key, old if seated == item else ())
            rack = moved_index(place.rack, old, new) if seat.racks == item and place.rack >= 0 else place.rack
            if seated == item and members is not None:
                members = reindexed(members, old, new)
            if members and rack is not None:
                places[str(members)] = dataclasses.replace(place, rack=rack)
            elif members is None:
                places[key] = place
        if Table(places) != seat.except_:
            builder.set(at(design, sheet, "seats", seated), dataclasses.replace(seat, except_=Table(places)))


def _reindex_approvals(builder: PatchBuilder, design: str, item: str, old: Axes, new: Axes) -> None:
    """Approvals keep the members they were given for; one whose members are all gone goes too."""
    for key, approval in builder.project.approvals.items():
        if not approval.members or not about(approval, design, item) or not is_subject(approval, item):
            continue
        members = members_of(approval.members)
        if members is None:
            continue
        kept = reindexed(members, old, new)
        if kept:
            builder.set(("approvals", key), dataclasses.replace(approval, members=str(kept)))
        else:
            builder.remove(("approvals", key))
