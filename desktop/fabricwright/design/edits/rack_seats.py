"""Edits of racks: seat groups by a plan, move one member by hand, change rack type, number and pitch.

A plan is made above (``fabricwright.sizing.rack_seats``), where watts and kilograms are known; here it is rows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from fabricwright.design.edits.arguments import flag, mapping, number, text, whole
from fabricwright.design.edits.embed import embed
from fabricwright.design.edits.groups import chosen_members, set_axes
from fabricwright.design.edits.items import _axes, _config, remove
from fabricwright.design.edits.places import at, item_of, referring_ids, sheet_of
from fabricwright.design.effective import part_of
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.rack_height import height_units
from fabricwright.design.rack_places import RackRoom, member_places
from fabricwright.design.values import Item, Override, Project, RackPlace, Seating
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

STANDING = ("row0", "rack0", "gap_at", "gap")
"""Config keys that say where racks stand; a plan states all of them anew."""
MOST_RACKS = 9_999


def seat_by_rule(
    project: Project,
    *,
    design: str,
    sheet: str,
    racks: Mapping[str, Any],
    seats: Mapping[str, Any],
    keep_moved: bool = True,
) -> Patch:
    """Racks and seats of a plan, as one step.

    ``racks`` id -> {part, axes, name, config, absent}: a rack item of that id keeps what else it states (feeds,
    cooling, airflow). ``seats`` item -> {racks, first, stride, per_rack, u}. Rack items that held these items and hold
    nothing any more go. With ``keep_moved`` members that stand elsewhere by hand stay where that is still a free place.
    """
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    if owner.kind != "fabric":
        raise UserError(msg("Racks stand on the fabric sheet only."))
    wanted = {item: _seating(project, design, sheet, item, row, racks) for item, row in mapping(seats, "seats").items()}
    before = {owner.seats[item].racks for item in wanted if item in owner.seats}
    for rack_id, row in mapping(racks, "racks").items():
        _set_rack(builder, design, sheet, rack_id, mapping(row, rack_id))
    stood = sheet_of(builder.project, design, sheet).seats  # rack numbers as they are with the new axes
    for item, seat in wanted.items():
        builder.set(at(design, sheet, "seats", item), seat)
    if flag(keep_moved, "keep_moved"):
        for item in wanted:
            _keep_moved(builder, design, sheet, item, stood.get(item))
    held = {seat.racks for seat in sheet_of(builder.project, design, sheet).seats.values()}
    for rack_id in sorted(before - held - set(racks)):
        builder.include(remove(builder.project, design=design, sheet=sheet, ids=[rack_id]))
    return builder.patch("Seat by rule")


def _seating(project: Project, design: str, sheet: str, item: str, row: object, racks: Mapping[str, Any]) -> Seating:
    item_of(project, design, sheet, item)
    fields = mapping(row, item)
    unknown = sorted(set(fields) - {"racks", "first", "stride", "per_rack", "u"})
    if unknown:
        raise UserError(msg("A place in racks has no field '{field}'.", field=unknown[0]))
    where = text(fields.get("racks"), "racks", 200)
    if where not in racks:
        item_of(project, design, sheet, where)
    low = {"first": 0, "stride": 0, "per_rack": 1, "u": 1}
    values = {
        name: whole(fields.get(name, max(low[name], name != "first")), name, low[name], MOST_RACKS) for name in low
    }
    return Seating(where, values["first"], values["stride"], values["per_rack"], values["u"])


def _set_rack(builder: PatchBuilder, design: str, sheet: str, rack_id: str, row: Mapping[str, Any]) -> None:
    part = text(row.get("part"), "part", 200)
    embed(builder, part)
    axes = _axes(row.get("axes", ()))
    config = _config(mapping(row.get("config", {}), "config"))
    owner = sheet_of(builder.project, design, sheet)
    old = owner.items.get(rack_id)
    gone = text(row.get("absent", ""), "absent", 200)
    absent = Table({gone: Override(absent=True)} if gone else {})
    name = text(row.get("name", ""), "name", 200)
    if old is None:
        if rack_id in referring_ids(builder.project, design, sheet):
            raise UserError(msg("Id '{id}' is taken on sheet '{sheet}'.", id=rack_id, sheet=sheet))
        builder.set(at(design, sheet, "items", rack_id), Item(part, axes, config=config, except_=absent, name=name))
        return
    kept = {key: value for key, value in old.config.items() if key not in STANDING}
    if old.axes != axes:
        builder.include(
            set_axes(builder.project, design=design, sheet=sheet, item=rack_id, axes=[list(axis) for axis in axes])
        )
        old = item_of(builder.project, design, sheet, rack_id)
    # Exceptions that state something of single racks (another cooling) stay; which racks are too many is the plan's.
    said = {k: v for k, v in old.except_.items() if not v.absent}
    new = dataclasses.replace(
        old, of=part, config=Table({**kept, **config}), except_=Table({**said, **absent}), name=old.name or name
    )
    builder.set(at(design, sheet, "items", rack_id), new)


def _keep_moved(builder: PatchBuilder, design: str, sheet: str, item: str, old: Seating | None) -> None:
    """Members by hand stay where they were, if these racks still have the place and nobody else is seated there."""
    new = sheet_of(builder.project, design, sheet).seats[item]
    if old is None or not old.except_ or old.racks != new.racks:
        return
    row = item_of(builder.project, design, sheet, item)
    height = height_units(builder.project, builder.project.designs[design], row.of or "")
    room = RackRoom(builder.project, design, sheet, new.racks)
    for key, place in old.except_.items():
        for member in IndexSet.parse(key, row.axes).clip(row.count):
            if room.objection(place.rack, place.u, height, but=(item, member)) is None:
                room.move((item, member), place.rack, place.u, height)
                _put(builder, design, sheet, item, member, place)


def seat_member(
    project: Project, *, design: str, sheet: str, item: str, member: int, rack: int, u: int, racks: str | None = None
) -> Patch:
    """Move one member of a group to another place by hand: rack ``rack`` of ``racks`` (left out: those it stands in),
    lowest unit ``u``. Raises UserError when something stands there, when the rack ends below, or when the group stands
    in other racks. At the place that the rule gives it, it follows the rule again.
    """
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    whole(member, "member", 0, row.count - 1)
    whole(rack, "rack", 0, MOST_RACKS)
    whole(u, "u", 1, 99)
    seat = sheet_of(project, design, sheet).seats.get(item)
    target = racks or (seat.racks if seat is not None else None)
    if target is None:
        raise UserError(msg("'{item}' stands in no racks yet; seat it first.", item=item))
    item_of(project, design, sheet, target)
    if seat is not None and seat.racks != target and row.count > 1:
        raise UserError(
            msg(
                "The members of '{item}' stand in '{racks}'. Detach this one from its group to move it into '{other}'.",
                item=item,
                racks=seat.racks,
                other=target,
            )
        )
    height = height_units(project, project.designs[design], row.of or "")
    objection = RackRoom(project, design, sheet, target).objection(rack, u, height, but=(item, member))
    if objection is not None:
        raise UserError(objection)
    if row.count == 1:
        builder.set(at(design, sheet, "seats", item), Seating(target, rack, 1, 1, u))
    else:
        if seat is None:
            raise UserError(msg("'{item}' stands in no racks yet; seat it first.", item=item))
        _put(builder, design, sheet, item, member, RackPlace(rack, u))
    return builder.patch("Move in the racks")


def seat_again(project: Project, *, design: str, sheet: str, item: str, members: str | None = None) -> Patch:
    """Members that stand elsewhere by hand (all, or those named) follow the rule of their group again."""
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    seat = sheet_of(project, design, sheet).seats.get(item)
    if seat is None:
        raise UserError(msg("'{item}' stands in no racks yet; seat it first.", item=item))
    chosen = IndexSet.span(row.count) if members is None else chosen_members(row, members)
    kept = _except(seat, row, chosen)
    builder.set(at(design, sheet, "seats", item), dataclasses.replace(seat, except_=Table(kept)))
    return builder.patch("Seat by rule")


def set_racks(
    project: Project,
    *,
    design: str,
    sheet: str,
    item: str,
    part: str | None = None,
    count: int | None = None,
    pitch_m: float | None = None,
) -> Patch:
    """Another rack type, number of racks (of each row) or pitch; what is left out stays. Seats keep their rack numbers
    by coordinates; members whose rack is gone are not seated until they are seated again.
    """
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    known = part_of(project, row.of or "")
    if known is not None and known.kind != "rack":
        raise UserError(msg("'{item}' is not a rack.", item=item))
    if part is not None:
        if embed(builder, text(part, "part", 200)).kind != "rack":
            raise UserError(msg("Part '{part}' is not a rack.", part=part))
        builder.set(at(design, sheet, "items", item), dataclasses.replace(row, of=part))
    if count is not None:
        size = whole(count, "count", 1, MOST_RACKS)
        axes = (*row.axes[:-1], (row.axes[-1][0], size)) if row.axes else ((("rack", size),) if size > 1 else ())
        builder.include(
            set_axes(builder.project, design=design, sheet=sheet, item=item, axes=[list(axis) for axis in axes])
        )
    if pitch_m is not None:
        pitch = number(pitch_m, "pitch_m")
        if not 0.1 <= pitch <= 10:
            raise UserError(msg("Rack pitch is {pitch} m; expected 0.1 to 10 m.", pitch=pitch))
        now = item_of(builder.project, design, sheet, item)
        builder.set(at(design, sheet, "items", item), dataclasses.replace(now, config=now.config.put("pitch_m", pitch)))
    return builder.patch("Change racks")


def _put(builder: PatchBuilder, design: str, sheet: str, item: str, member: int, place: RackPlace) -> None:
    """One member at a place by hand, or by rule where that is the same place."""
    row = item_of(builder.project, design, sheet, item)
    seat = sheet_of(builder.project, design, sheet).seats[item]
    one = IndexSet.of((member,))
    kept = _except(seat, row, one)
    height = height_units(builder.project, builder.project.designs[design], row.of or "")
    by_rule = member_places(dataclasses.replace(seat, except_=Table()), row, height)[member]
    if by_rule != (place.rack, place.u):
        kept[str(one)] = place
    builder.set(at(design, sheet, "seats", item), dataclasses.replace(seat, except_=Table(kept)))


def _except(seat: Seating, row: Item, chosen: IndexSet) -> dict[str, RackPlace]:
    """Exceptions of a seat without some members."""
    out = {}
    for key, place in seat.except_.items():
        rest = IndexSet.parse(key, row.axes).minus(chosen)
        if rest:
            out[str(rest)] = place
    return out
