"""Edits of links: connect, change, cut, move single cables."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.design.address import split_end
from fabricwright.design.check_values import known_ids
from fabricwright.design.edits.embed import embed
from fabricwright.design.edits.places import at, design_of, fresh_id, link_of, referring_ids, sheet_of
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Link, Moved, Project, Wire
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg


def connect(
    project: Project,
    *,
    design: str,
    sheet: str,
    a: str,
    b: str,
    wire: Mapping[str, Any] | None = None,
    medium: str | None = None,
    network: str | None = None,
    cable: str = "auto",
    length_m: float | None = None,
    speed: float | None = None,
    link: str | None = None,
) -> Patch:
    """Draw a link (a bundle where an end is a group). Port ranges are written here and never reassigned later."""
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    known = known_ids(project, design_of(project, design), sheet)
    for end in (a, b):
        item, ports = split_end(end)
        if item not in known:
            raise UserError(msg("Item '{item}' does not exist on sheet '{sheet}'.", item=item, sheet=sheet))
        if not ports:
            raise UserError(msg("'{end}' names no port; expected item:port.", end=end))
    if a == b:
        raise UserError(msg("A link needs two different ends; both are '{end}'.", end=a))
    if cable not in ("auto", ""):
        embed(builder, cable)
    inside = owner.kind == "server"
    row = Link(
        a,
        b,
        _wire(wire or {}),
        medium or ("pcie" if inside else "eth"),
        "" if inside and network is None else network or "compute",
        _speed(speed),
        cable or "auto",
        (),
        _length(length_m),
    )
    link_id = link or fresh_id("link", referring_ids(project, design, sheet) | set(owner.links))
    builder.set(at(design, sheet, "links", link_id), row)
    return builder.patch("Draw link")


def _wire(fields: Mapping[str, Any]) -> Wire:
    mode = str(fields.get("mode", "deal"))
    per_pair = fields.get("per_pair", 1)
    if mode not in ("deal", "mesh", "rows"):
        raise UserError(msg("Wiring '{mode}' is not known; expected deal, mesh or rows.", mode=mode))
    if not isinstance(per_pair, int) or per_pair < 1:
        raise UserError(msg("Cables per pair is {count}; expected a whole number from 1.", count=per_pair))
    rows = tuple((int(r[0]), int(r[1]), int(r[2]), int(r[3])) for r in fields.get("rows", ()))
    return Wire(mode, tuple(fields.get("on", ())), per_pair, rows)


def _length(length_m: float | None) -> float | None:
    if length_m is not None and length_m < 0:
        raise UserError(msg("Length is {length} m; expected a number from 0.", length=length_m))
    return None if length_m is None else float(length_m)


def _speed(speed: float | None) -> float | None:
    if speed is None:
        return None
    if not isinstance(speed, (int, float)) or isinstance(speed, bool) or not 0 < speed < 1e16:
        raise UserError(msg("Speed is {speed}; expected a positive number.", speed=str(speed)[:60]))
    return float(speed)


def set_link(project: Project, *, design: str, sheet: str, link: str, **fields: Any) -> Patch:
    """Change fields of a link: a, b, speed (bit/s), cable, length_m, network, medium, optics, wire {...}, config
    {...} (None clears a key)."""
    builder = PatchBuilder(project)
    row = link_of(project, design, sheet, link)
    allowed = {"a", "b", "speed", "cable", "length_m", "network", "medium", "optics", "wire", "config"}
    unknown = set(fields) - allowed
    if unknown:
        raise UserError(msg("A link has no field '{field}'.", field=sorted(unknown)[0]))
    changes: dict[str, Any] = dict(fields)
    if "wire" in changes:
        merged = {
            "mode": row.wire.mode,
            "on": row.wire.on,
            "per_pair": row.wire.per_pair,
            "rows": row.wire.rows,
            **changes["wire"],
        }
        changes["wire"] = dataclasses.replace(_wire(merged), moved=row.wire.moved)
    if "config" in changes:
        merged_config = {**row.config, **changes["config"]}
        changes["config"] = Table({k: v for k, v in merged_config.items() if v is not None})
    if "optics" in changes:
        changes["optics"] = tuple(changes["optics"])
    if "speed" in changes:
        changes["speed"] = _speed(changes["speed"])
    if "length_m" in changes:
        changes["length_m"] = _length(changes["length_m"])
    if changes.get("cable") not in (None, "auto", ""):
        embed(builder, changes["cable"])
    for optic in changes.get("optics", ()):
        if optic:
            embed(builder, optic)
    builder.set(at(design, sheet, "links", link), dataclasses.replace(row, **changes))
    return builder.patch("Change link")


def move_cable(
    project: Project,
    *,
    design: str,
    sheet: str,
    link: str,
    row: int,
    a: str | None = None,
    b: str | None = None,
    cut: bool = False,
) -> Patch:
    """Plug one cable of a bundle elsewhere, or cut it; all left out puts it back where the wiring rule says."""
    builder = PatchBuilder(project)
    link_row = link_of(project, design, sheet, link)
    moved = link_row.wire.moved
    moved = moved.put(str(row), Moved(a, b, cut)) if a or b or cut else moved.drop(str(row))
    builder.set(
        at(design, sheet, "links", link),
        dataclasses.replace(link_row, wire=dataclasses.replace(link_row.wire, moved=moved)),
    )
    return builder.patch("Move cable")


def insert_in_link(
    project: Project,
    *,
    design: str,
    sheet: str,
    link: str,
    part: str,
    xy: Sequence[float] = (0, 0),
    mode: str | None = None,
) -> Patch:
    """Drop a retimer into a link: the link is split, the first half keeps its id, the second one starts at the new
    item."""
    from fabricwright.design.edits.items import add_item

    builder = PatchBuilder(project)
    row = link_of(project, design, sheet, link)
    config = {"mode": mode} if mode else {}
    builder.include(add_item(project, design=design, sheet=sheet, part=part, xy=xy, config=config))
    item = next(
        i
        for i in builder.project.designs[design].sheets[sheet].items
        if i not in project.designs[design].sheets[sheet].items
    )
    builder.set(at(design, sheet, "links", link), dataclasses.replace(row, b=f"{item}:up"))
    second = fresh_id(
        "link", referring_ids(builder.project, design, sheet) | set(builder.project.designs[design].sheets[sheet].links)
    )
    builder.set(at(design, sheet, "links", second), dataclasses.replace(row, a=f"{item}:d1"))
    return builder.patch("Insert into link")
