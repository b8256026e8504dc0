"""Edits of groups: count, axes, exceptions, exports, rack seats."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.design.edits.items import _axes
from fabricwright.design.edits.places import at, item_of, sheet_of
from fabricwright.design.edits.reshape import reindex_approvals, reindex_cables, reindexed_exceptions
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Export, Override, Project, Seating
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg


def set_axes(project: Project, *, design: str, sheet: str, item: str, axes: Sequence[Sequence[Any]]) -> Patch:
    """New axes. Indices are rewritten by coordinates: a member keeps its exception while its coordinates exist."""
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    new_axes = _axes(axes)
    changed = dataclasses.replace(row, axes=new_axes, except_=reindexed_exceptions(row, new_axes))
    builder.set(at(design, sheet, "items", item), changed)
    if new_axes != row.axes:
        reindex_cables(builder, design, sheet, item, row)
        reindex_approvals(builder, design, item, row.axes, new_axes)
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
    chosen = IndexSet.parse(members, row.axes)
    if not chosen or chosen.ranges[-1][1] >= row.count:
        raise UserError(msg("Members {members} are outside 0-{last}.", members=members, last=row.count - 1))
    out: dict[str, Override] = {}
    for key, existing in row.except_.items():
        rest = IndexSet.parse(key).minus(chosen)
        if rest:
            out[str(rest)] = existing
    if override is not None:
        fields = {**override, **({"config": Table(override["config"])} if "config" in override else {})}
        new = Override(**fields)
        same = next((k for k, v in out.items() if v == new), None)
        if same is not None:
            out.pop(same)
            chosen = chosen.union(IndexSet.parse(same))
        out[str(chosen)] = new
    builder.set(at(design, sheet, "items", item), dataclasses.replace(row, except_=Table(out)))
    return builder.patch("Make exception" if override is not None else "Remove exception")


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


def set_seating(project: Project, *, design: str, sheet: str, item: str, racks: str | None, **fields: Any) -> Patch:
    """Place the members of an item in racks; None takes them out."""
    builder = PatchBuilder(project)
    item_of(project, design, sheet, item)
    if racks is None:
        builder.remove(at(design, sheet, "seats", item))
    else:
        item_of(project, design, sheet, racks)
        builder.set(at(design, sheet, "seats", item), Seating(racks, **fields))
    return builder.patch("Place in racks")
