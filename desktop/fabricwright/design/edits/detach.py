"""Detaching: members leave their group and become an item of their own, with all that was theirs.

The group keeps its count; the members are absent in it, so nobody else's index, address or cable moves. The new item
has the same ports cabled to the same places, stands in the same rack units and has the approvals that covered it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from fabricwright.design.edits import arguments as given
from fabricwright.design.edits.detached_links import move_cables
from fabricwright.design.edits.groups import chosen_members, with_override
from fabricwright.design.edits.member_moves import (
    Target,
    about,
    is_subject,
    members_of,
    move_look,
    move_statements,
    renamed_key,
)
from fabricwright.design.edits.places import at, design_of, fresh_id, item_of, new_id, referring_ids, sheet_of
from fabricwright.design.edits.repeat import next_name
from fabricwright.design.indexset import IndexSet, coordinates
from fabricwright.design.naming import member_name
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.rack_height import height_units
from fabricwright.design.values import Axes, Item, Look, Override, Project, RackPlace, Seating
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

MAX_APART = 256


def detach(
    project: Project,
    *,
    design: str,
    sheet: str,
    item: str,
    members: str,
    apart: bool = False,
    xy: Sequence[float] | None = None,
    new: str | None = None,
) -> Patch:
    """Members of a group become one item of their own (with ``apart`` one each) on the same sheet.

    They take along: what their exceptions say, rack places, place on the drawing, cables (as listed rows between the
    same ports, moved and cut ones included), approvals and statements about them alone. ``new`` names the new item.
    """
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    owner = sheet_of(project, design, sheet)
    chosen = chosen_members(row, members)
    if owner.kind != "fabric" or row.of is None:
        raise UserError(msg("Members can leave a group on the fabric sheet only."))
    held = next((k for k, seat in owner.seats.items() if seat.racks == item), None)
    if held is not None:
        raise UserError(
            msg("'{held}' stands in '{item}'; racks that hold something stay together.", held=held, item=item)
        )
    overrides = _overrides(row)
    chosen = chosen.minus(IndexSet.of(n for n, o in overrides.items() if o.absent))
    present = row.count - sum(o.absent for o in overrides.values())
    if not chosen:
        raise UserError(msg("Members {members} are absent.", members=members))
    if len(chosen) >= present:
        raise UserError(msg("These are all members of '{item}'; at least one stays in the group.", item=item))
    if given.flag(apart, "apart") and len(chosen) > MAX_APART:
        raise UserError(msg("{count} members one by one; at most {limit} at once.", count=len(chosen), limit=MAX_APART))
    parts = [IndexSet.of((n,)) for n in chosen] if apart else [chosen]
    builder.set(at(design, sheet, "items", item), with_override(row, chosen, Override(absent=True)))
    targets: dict[int, tuple[str, int | None]] = {}
    taken = referring_ids(project, design, sheet)
    names = {other.name for other in owner.items.values()}
    fresh: list[str] = []
    if new is not None:
        new_id(project, design, sheet, new, item)
    for n, part in enumerate(parts):
        item_id = (
            new if new is not None and n == 0 else fresh_id(f"{new or item}-{next(iter(part))}", taken, numbered=False)
        )
        taken.add(item_id)
        made = _item(row, part, overrides, names)
        names.add(made.name)
        fresh.append(item_id)
        builder.set(at(design, sheet, "items", item_id), made)
        targets |= {old: (item_id, k if made.axes else None) for k, old in enumerate(part)}
        _seat(builder, design, sheet, item, item_id, part)
        _place(builder, design, sheet, item, item_id, n, None if xy is None else given.pair(xy, "xy"))

    def moves(n: int) -> Target:
        return targets.get(n, (item, n))

    ranks = design_of(project, design).ranks
    if item in ranks and design_of(project, design).root == sheet:
        after = ranks.index(item) + 1
        builder.set(("designs", design, "ranks"), (*ranks[:after], *fresh, *ranks[after:]))
    move_look(builder, design, sheet, item, moves)
    links = move_cables(builder, design, sheet, item, row.axes, targets)
    if design_of(project, design).root == sheet:
        move_statements(builder, design, item, row.axes, moves)
        for item_id, part in zip(fresh, parts, strict=True):
            _copy_approvals(builder, design, item, item_id, part)
        _keep_approvals(builder, design, item, chosen)
        _copy_link_approvals(builder, design, links)
    return builder.patch("Detach from group")


def _overrides(row: Item) -> dict[int, Override]:
    """Member -> what is different about it (later rows win where sets overlap)."""
    out: dict[int, Override] = {}
    for key, override in row.except_.items():
        out.update(dict.fromkeys(IndexSet.parse(key).clip(row.count), override))
    return out


def _item(row: Item, part: IndexSet, overrides: dict[int, Override], names: set[str]) -> Item:
    """The new item: of the sheet that its members had; where they differ, exceptions stay exceptions."""
    said = [overrides.get(n) for n in part]
    common = said[0] if all(o == said[0] for o in said) else None
    of = f"sheet:{common.sheet}" if common is not None and common.sheet else row.of
    config = Table({**row.config, **common.config}) if common is not None else row.config
    if len(part) == 1:
        only = next(iter(part))
        name = member_name(row.name, row.axes, only, "") if row.name else ""
        return dataclasses.replace(row, of=of, axes=(), config=config, except_=Table(), name=name)
    made = dataclasses.replace(
        row, of=of, axes=_axes_of(part, row.axes), config=config, except_=Table(), name=next_name(row.name, names)
    )
    if common is None:
        for k, override in enumerate(said):
            if override is not None:
                made = with_override(made, IndexSet.of((k,)), override)
    return made


def _axes_of(part: IndexSet, axes: Axes) -> Axes:
    """The axes that the members still span when they are a block of the old ones, else one axis."""
    values = [coordinates(n, axes) for n in part]
    sizes = {name: len({v[name] for v in values}) for name, _ in axes}
    product = 1
    for size in sizes.values():
        product *= size
    if product == len(part):
        return tuple((name, sizes[name]) for name, _ in axes if sizes[name] > 1)
    return ((axes[-1][0], len(part)),)


def _seat(builder: PatchBuilder, design: str, sheet: str, item: str, new: str, part: IndexSet) -> None:
    """Rack places of the new item, the ones its members had; what the old row said of them apart is taken out."""
    owner = sheet_of(builder.project, design, sheet)
    seat = owner.seats.get(item)
    if seat is None:
        return
    row = item_of(builder.before, design, sheet, item)
    height = height_units(builder.before, design_of(builder.before, design), row.of or "")
    apart: dict[int, RackPlace] = {}
    kept: dict[str, RackPlace] = {}
    for key, place in seat.except_.items():
        members = members_of(key, row.axes)
        if members is None:
            continue
        apart.update(dict.fromkeys(members.clip(row.count), place))
        rest = members.minus(part)
        if rest:
            kept[str(rest)] = place
    per_rack = max(1, seat.per_rack)
    places = []
    for n in part:
        by_rule = (seat.first + seat.stride * (n // per_rack), seat.u + (n % per_rack) * height)
        places.append((apart[n].rack, apart[n].u) if n in apart else by_rule)
    first = Seating(seat.racks, places[0][0], seat.stride, seat.per_rack, places[0][1])
    if len(places) == 1:
        first = Seating(seat.racks, places[0][0], 1, 1, places[0][1])
    differing = {
        str(k): RackPlace(rack, u)
        for k, (rack, u) in enumerate(places)
        if (rack, u) != (first.first + first.stride * (k // per_rack), first.u + (k % per_rack) * height)
    }
    builder.set(at(design, sheet, "seats", new), dataclasses.replace(first, except_=Table(differing)))
    if Table(kept) != seat.except_:
        builder.set(at(design, sheet, "seats", item), dataclasses.replace(seat, except_=Table(kept)))


def _place(
    builder: PatchBuilder, design: str, sheet: str, item: str, new: str, nth: int, xy: tuple[float, float] | None
) -> None:
    """Where the new item is drawn: where asked, else beside the group if that has a place by hand. A member that was
    drawn apart keeps that place (``move_look`` comes later and wins)."""
    look = sheet_of(builder.project, design, sheet).look.get(item)
    if xy is None and look is not None and len(look.xy) == 2:
        xy = (look.xy[0] + 40.0, look.xy[1] + 40.0)
    if xy is not None:
        builder.set(at(design, sheet, "look", new), Look((xy[0] + 30.0 * nth, xy[1] + 30.0 * nth)))


def _copy_approvals(builder: PatchBuilder, design: str, item: str, new: str, part: IndexSet) -> None:
    """What was approved for the members is approved for the new item: same rule, same reason, same value."""
    order = {old: k for k, old in enumerate(part)}
    for approval in list(builder.before.approvals.values()):
        if not about(approval, design, item):
            continue
        members = members_of(approval.members) if approval.members and is_subject(approval, item) else None
        text = approval.members
        if members is not None:
            mine = IndexSet.of(order[n] for n in members if n in order)
            if not mine:
                continue
            text = str(mine)
        key = renamed_key(approval.key, {item: new})
        name = fresh_id("a", builder.project.approvals)
        builder.set(("approvals", name), dataclasses.replace(approval, key=key, members=text))


def _keep_approvals(builder: PatchBuilder, design: str, item: str, gone: IndexSet) -> None:
    """Approvals of the group no longer name those that left."""
    for key, approval in builder.before.approvals.items():
        if not approval.members or not about(approval, design, item) or not is_subject(approval, item):
            continue
        members = members_of(approval.members)
        if members is None:
            continue
        rest = members.minus(gone)
        if not rest:
            builder.remove(("approvals", key))
        elif len(rest) != len(members):
            builder.set(("approvals", key), dataclasses.replace(approval, members=str(rest)))


def _copy_link_approvals(builder: PatchBuilder, design: str, links: dict[str, list[str]]) -> None:
    """What was approved of a bundle is approved of the cables that left it. Members of such an approval are those of an
    item at its ends, which may have another index now: the copy approves the place as a whole."""
    for old, fresh in links.items():
        for approval in list(builder.before.approvals.values()):
            if not about(approval, design, old):
                continue
            for new in fresh:
                name = fresh_id("a", builder.project.approvals)
                key = renamed_key(approval.key, {old: new})
                builder.set(("approvals", name), dataclasses.replace(approval, key=key, members=""))
