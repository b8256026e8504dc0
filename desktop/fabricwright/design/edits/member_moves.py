"""What is said of members of a group, said anew when they get other indices or another item.

``Moves`` maps members: (old item, old index) -> (new item, new index), or to nothing when the member is gone. Texts in
which a member is named (cables plugged elsewhere, drawing, approvals, statements) are rewritten by it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from fabricwright.design.address import Address, Step, parse_address
from fabricwright.design.edits.places import at, sheet_of
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import PatchBuilder
from fabricwright.design.values import Approval, Axes
from fabricwright.units.errors import UserError

Target = tuple[str, int | None] | None
"""Item and index of a member now (None = an item without members), or nothing."""

Moves = Callable[[int], Target]


def members_of(text: str, axes: Axes = ()) -> IndexSet | None:
    """The members that an index set names; None when it cannot be read."""
    try:
        return IndexSet.parse(text, axes)
    except UserError:
        return None


def moved_text(text: str, item: str, axes: Axes, moves: Moves) -> str | None:
    """Address of one member of ``item`` ("node[17]/nic0:1") as it is now; None when the member is gone. Other texts
    stay as they are."""
    try:
        address = parse_address(text)
    except UserError:
        return text
    if not address.steps or address.item != item or address.cable is not None:
        return text
    step = address.steps[0]
    members = members_of(step.raw, axes) if step.raw else step.members
    if members is None:
        members = IndexSet.span(1)
    if len(members) != 1:
        return text
    target = moves(next(iter(members)))
    if target is None:
        return None
    named = Step(target[0], None if target[1] is None else IndexSet.of((target[1],)))
    return str(Address((named, *address.steps[1:]), address.port, address.design))


def move_look(builder: PatchBuilder, design: str, sheet: str, item: str, moves: Moves) -> None:
    """Places of members drawn apart ("node[17]") follow their members."""
    owner = sheet_of(builder.project, design, sheet)
    found = {key: look for key, look in owner.look.items() if key.startswith(f"{item}[") and key.endswith("]")}
    fresh = {}
    for key, look in found.items():
        members = members_of(key[len(item) + 1 : -1])
        target = moves(next(iter(members))) if members is not None and len(members) == 1 else None
        if target is not None:
            name = target[0] if target[1] is None else f"{target[0]}[{target[1]}]"
            fresh[name] = look
    for key in found:
        if key not in fresh:
            builder.remove(at(design, sheet, "look", key))
    for key, look in fresh.items():
        builder.set(at(design, sheet, "look", key), look)


def move_statements(builder: PatchBuilder, design: str, item: str, axes: Axes, moves: Moves) -> None:
    """Statements about members of the root sheet follow them; one about members that went apart, or are gone, stays."""
    alone = len(builder.project.designs) == 1
    for key, statement in builder.project.statements.items():
        try:
            address = parse_address(statement.subject)
        except UserError:
            continue
        if not address.steps or address.item != item or address.cable is not None:
            continue
        if address.design != design and not (alone and not address.design):
            continue
        step = address.steps[0]
        members = members_of(step.raw, axes) if step.raw else step.members
        if members is None:
            continue
        targets = [moves(n) for n in members]
        items = {target[0] for target in targets if target is not None}
        if len(items) != 1 or None in targets:
            continue
        indices = [target[1] for target in targets if target is not None]
        kept = None if None in indices else IndexSet.of(i for i in indices if i is not None)
        subject = str(Address((Step(items.pop(), kept), *address.steps[1:]), address.port, address.design))
        builder.set(("statements", key), dataclasses.replace(statement, subject=subject))


def about(approval: Approval, design: str, row_id: str) -> bool:
    """Whether an approval given in this design names a row of its root sheet."""
    pieces = approval.key.split("|")
    if len(pieces) != 3 or pieces[1] != design:
        return False
    return any(_first(place) == row_id for place in pieces[2].split(","))


def is_subject(approval: Approval, row_id: str) -> bool:
    """Whether the members of an approval are members of this row: it comes first."""
    return _first(approval.key.split("|")[2].split(",")[0]) == row_id


def renamed_key(key: str, names: Mapping[str, str]) -> str:
    """A finding's key with other names for rows of the root sheet."""
    rule, design, places = key.split("|")
    out = []
    for place in places.split(","):
        first = _first(place)
        out.append(names.get(first, first) + place[len(first) :])
    return "|".join((rule, design, ",".join(out)))


def _first(place: str) -> str:
    return place.partition("/")[0].partition(":")[0].partition("[")[0]
