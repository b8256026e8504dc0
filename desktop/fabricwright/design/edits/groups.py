"""Edits of groups: count, axes, exceptions, exports, rack seats."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.design.edits.arguments import flag, mapping, whole
from fabricwright.design.edits.items import _axes, _config
from fabricwright.design.edits.places import at, item_of, sheet_of
from fabricwright.design.edits.reshape import reindex_all, reindexed_exceptions
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Export, Item, Override, Project, RackPlace, Seating
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg


def set_axes(project: Project, *, design: str, sheet: str, item: str, axes: Sequence[Sequence[Any]]) -> Patch:
    """New axes. Indices are rewritten by coordinates: a member keeps its exception, cables, rack, approvals and place
    on the drawing while its coordinates exist."""
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    new_axes = _axes(axes)
    changed = dataclasses.replace(row, axes=new_axes, except_=reindexed_exceptions(row, new_axes))
    builder.set(at(design, sheet, "items", item), changed)
    if new_axes != row.axes:
        reindex_all(builder, design, sheet, item, row)
    return builder.patch("Change count")


def set_count(project: Project, *, design: str, sheet: str, item: str, count: int) -> Patch:
    """How many members. One axis: its size; several: the last axis, which must divide; none: an axis named like the
    item."""
    row = item_of(project, design, sheet, item)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise UserError(msg("Count is {count}; expected a whole number from 1.", count=count))
    if not row.axes:
        axes: tuple[tuple[str, int], ...] = () if count == 1 else ((item.rstrip("0123456789") or item, count),)
    else:
        outer = 1
        for _, size in row.axes[:-1]:
            outer *= size
        if count % outer:
            raise UserError(
                msg(
                    "{count} does not divide into {outer} groups; the nearest that does is {near}.",
                    count=count,
                    outer=outer,
                    near=max(1, round(count / outer)) * outer,
                )
            )
        axes = (*row.axes[:-1], (row.axes[-1][0], count // outer))
    return set_axes(project, design=design, sheet=sheet, item=item, axes=axes)


def add_exception(
    project: Project, *, design: str, sheet: str, item: str, members: str, override: Mapping[str, Any] | None
) -> Patch:
    """Make members different (``{"absent": true}``, ``{"sheet": "node-cxl"}``), or the same again with None."""
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    chosen = chosen_members(row, members)
    new = None if override is None else _override(project, design, override)
    builder.set(at(design, sheet, "items", item), with_override(row, chosen, new))
    return builder.patch("Make exception" if override is not None else "Remove exception")


def chosen_members(row: Item, members: str) -> IndexSet:
    """The members that a text names (``0-3,17`` or coordinates), all of them there. Raises UserError."""
    if not isinstance(members, str):
        raise UserError(msg("Members are {members}; expected numbers and ranges such as 0-31,40.", members=members))
    chosen = IndexSet.parse(members, row.axes)
    if not chosen or chosen.ranges[-1][1] >= row.count:
        raise UserError(msg("Members {members} are outside 0-{last}.", members=members, last=row.count - 1))
    return chosen


def with_override(row: Item, chosen: IndexSet, override: Override | None) -> Item:
    """The group with an override for some members, or none; equal overrides share one row."""
    out: dict[str, Override] = {}
    for key, existing in row.except_.items():
        rest = IndexSet.parse(key).minus(chosen)
        if rest:
            out[str(rest)] = existing
    if override is not None:
        same = next((k for k, v in out.items() if v == override), None)
        if same is not None:
            out.pop(same)
            chosen = chosen.union(IndexSet.parse(same))
        out[str(chosen)] = override
    return dataclasses.replace(row, except_=Table(out))


def _override(project: Project, design: str, fields: Mapping[str, Any]) -> Override:
    given = mapping(fields, "override")
    unknown = sorted(set(given) - {"sheet", "absent", "config"})
    if unknown:
        raise UserError(msg("An exception has no field '{field}'.", field=unknown[0]))
    if given.get("sheet") is not None:
        sheet_of(project, design, given["sheet"])
    config = mapping(given.get("config") or {}, "config")
    return Override(given.get("sheet"), flag(given.get("absent", False), "absent"), _config(config))


def set_export(
    project: Project, *, design: str, sheet: str, name: str, ports: Sequence[str], axes: Sequence[Sequence[Any]] = ()
) -> Patch:
    """Which ports a server shows outside, in rank/rail order; no ports removes the export."""
    builder = PatchBuilder(project)
    sheet_of(project, design, sheet)
    if ports:
        builder.set(at(design, sheet, "exports", name), Export(tuple(ports), _axes(axes)))
    else:
        builder.remove(at(design, sheet, "exports", name))
    return builder.patch("Change export")


def set_seating(
    project: Project,
    *,
    design: str,
    sheet: str,
    item: str,
    racks: str | None,
    places: Mapping[str, Sequence[int]] | None = None,
    **fields: Any,
) -> Patch:
    """Place the members of an item in racks; None takes them out. ``first``, ``stride``, ``per_rack``, ``u`` as in
    ``Seating``; ``places`` {"17": (rack, u)} are single members that stand elsewhere (left out: those that do now)."""
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    if racks is None:
        builder.remove(at(design, sheet, "seats", item))
        return builder.patch("Place in racks")
    item_of(project, design, sheet, racks)
    unknown = sorted(set(fields) - {"first", "stride", "per_rack", "u"})
    if unknown:
        raise UserError(msg("A place in racks has no field '{field}'.", field=unknown[0]))
    low = {"first": 0, "stride": 0, "per_rack": 1, "u": 1}
    number = {name: whole(fields.get(name, 1 if name != "first" else 0), name, low[name], 9999) for name in low}
    old = sheet_of(project, design, sheet).seats.get(item)
    kept = old.except_ if old is not None else Table[RackPlace]()
    if places is not None:
        listed = {}
        for members, place in mapping(places, "places").items():
            chosen = chosen_members(row, members)
            if not isinstance(place, (list, tuple)) or len(place) != 2:
                raise UserError(msg("Place '{place}' is not a rack and a unit.", place=str(place)[:60]))
            listed[str(chosen)] = RackPlace(whole(place[0], "rack", 0, 9999), whole(place[1], "u", 1, 99))
        kept = Table(listed)
    seat = Seating(racks, number["first"], number["stride"], number["per_rack"], number["u"], kept)
    builder.set(at(design, sheet, "seats", item), seat)
    return builder.patch("Place in racks")
