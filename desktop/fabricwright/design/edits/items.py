"""Edits of items: place, remove, move, seat, configure, replace."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.design.address import split_end
from fabricwright.design.edits.annotations import drop_unseen
from fabricwright.design.edits.arguments import mapping, pair
from fabricwright.design.edits.embed import embed
from fabricwright.design.edits.exports import data_ports, follow_ports, join_exports
from fabricwright.design.edits.places import at, design_of, fresh_id, ids_of, item_of, referring_ids, sheet_of
from fabricwright.design.effective import effective
from fabricwright.design.frames import with_grouped
from fabricwright.design.patch import ABSENT, Patch, PatchBuilder
from fabricwright.design.values import Item, Look, Project, Sheet
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

_STEMS = {
    "server": "node",
    "chassis": "node",
    "switch": "leaf",
    "pcie-switch-card": "sw",
    "retimer": "rt",
    "cxl": "cxl",
    "nic": "nic",
    "gpu": "gpu",
    "rack": "rack",
    "external-box": "ext",
    "riser": "riser",
    "nvme": "nvme",
    "pdu": "pdu",
    "storage-server": "stor",
}


def add_item(
    project: Project,
    *,
    design: str,
    sheet: str,
    part: str,
    xy: Sequence[float] = (0, 0),
    seat: str | None = None,
    forced: bool = False,
    axes: Sequence[Sequence[Any]] = (),
    item: str | None = None,
    config: Mapping[str, Any] | None = None,
    lang: str = "en",
) -> Patch:
    """Place a part. A server dropped on a fabric sheet brings a sheet of its own, titled in ``lang``; the item then
    stands for that sheet. Network ports of a card in a server are shown outside (``join_exports``)."""
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    row = embed(builder, part)
    taken = referring_ids(project, design, sheet)
    of = part
    if owner.kind == "fabric" and row.kind in ("server", "chassis") and row.slots:
        sheets = design_of(project, design).sheets
        inner = fresh_id(item or "node", sheets, numbered=False)
        builder.set(("designs", design, "sheets", inner), Sheet("server", row.name(lang), chassis=part))
        of = f"sheet:{inner}"
    item_id = item or fresh_id(_STEMS.get(row.kind, row.kind or "part"), taken)
    if item_id in taken:
        raise UserError(msg("Item '{item}' exists already on sheet '{sheet}'.", item=item_id, sheet=sheet))
    _check_seat(project, design, sheet, seat)
    new = Item(of, _axes(axes), seat, forced, _config({**_default_config(row.default_mode), **(config or {})}))
    builder.set(at(design, sheet, "items", item_id), new)
    if seat is None:
        builder.set(at(design, sheet, "look", item_id), Look((float(xy[0]), float(xy[1]))))
    if owner.kind == "fabric" and of.startswith("sheet:"):
        ranks = design_of(builder.project, design).ranks
        builder.set(("designs", design, "ranks"), (*ranks, item_id))
    join_exports(builder, design, sheet, [item_id])
    return builder.patch("Add part")


def _check_seat(project: Project, design: str, sheet: str, slot: str | None) -> None:
    """A seat names something that is there; whether it has such a slot is for the rules to say."""
    if slot is None:
        return
    from fabricwright.design.check_values import known_ids

    host, name = split_end(slot)
    if not name or host not in known_ids(project, design_of(project, design), sheet):
        raise UserError(msg("Slot '{slot}' does not exist.", slot=slot))


def _default_config(mode: str) -> dict[str, Any]:
    return {"mode": mode} if mode else {}


def _axes(axes: Sequence[Sequence[Any]]) -> tuple[tuple[str, int], ...]:
    out = []
    for entry in axes:
        name, size = str(entry[0]), entry[1]
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise UserError(
                msg("Count of axis '{axis}' is {count}; expected a whole number from 1.", axis=name, count=size)
            )
        out.append((name, size))
    return tuple(out)


def _config(config: Mapping[str, Any]) -> Table[Any]:
    return Table({k: Table(v) if isinstance(v, Mapping) else v for k, v in config.items()})


def remove(project: Project, *, design: str, sheet: str, ids: Sequence[str]) -> Patch:
    """Delete rows and everything that refers to them; a drawing group with all that is in it. Inherited rows of a
    variant or chassis are listed as ``removed``."""
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    for row_id in with_grouped(owner, ids):
        here = sheet_of(builder.project, design, sheet)
        if row_id in ids_of(owner) - ids_of(here):
            continue  # went with an earlier one: a cable with its switch
        _remove_one(builder, design, sheet, row_id)
    drop_unseen(builder, design, _variants(builder.project, design, sheet))
    return builder.patch("Delete")


def _remove_one(builder: PatchBuilder, design: str, sheet: str, row_id: str) -> None:
    owner = sheet_of(builder.project, design, sheet)
    if row_id in owner.links:
        builder.remove(at(design, sheet, "links", row_id))
        builder.remove(at(design, sheet, "look", row_id))
        _drop_approvals(builder, design, row_id)
        return
    for table in ("notes", "frames", "pictures"):
        if row_id in getattr(owner, table):
            builder.remove(at(design, sheet, table, row_id))
            builder.remove(at(design, sheet, "look", row_id))
            return
    from fabricwright.design.check_values import known_ids

    stored = row_id in owner.items
    inherited = row_id in known_ids(builder.project, _without_row(builder.project, design, sheet, row_id), sheet)
    if not stored and not inherited:
        raise UserError(msg("'{item}' does not exist on sheet '{sheet}'.", item=row_id, sheet=sheet))
    if inherited and row_id not in owner.removed:
        builder.set(at(design, sheet, "removed"), (*owner.removed, row_id))
    _cascade(builder, design, sheet, row_id)
    if stored:
        removed_row = owner.items[row_id]
        builder.remove(at(design, sheet, "items", row_id))
        _drop_orphan_sheet(builder, design, removed_row)


def _without_row(project: Project, design: str, sheet: str, row_id: str) -> Any:
    owner = project.designs[design]
    bare = dataclasses.replace(owner.sheets[sheet], items=owner.sheets[sheet].items.drop(row_id))
    return dataclasses.replace(owner, sheets=owner.sheets.put(sheet, bare))


def _variants(project: Project, design: str, sheet: str) -> list[str]:
    """The sheet and every sheet based on it, directly or not."""
    out = [sheet]
    for here in out:
        out += [s for s, row in project.designs[design].sheets.items() if row.base == here and s not in out]
    return out


def _cascade(builder: PatchBuilder, design: str, sheet: str, row_id: str) -> None:
    """Remove what refers to an item: links, seats on it, exports, ranks, rack seats, approvals, drawing."""
    for here in _variants(builder.project, design, sheet):
        owner = sheet_of(builder.project, design, here)
        inside = f"{row_id}/"
        for link_id, link in owner.links.items():
            ends = (split_end(link.a)[0], split_end(link.b)[0])
            if row_id in ends or any(end.startswith(inside) for end in ends):
                builder.remove(at(design, here, "links", link_id))
                builder.remove(at(design, here, "look", link_id))
                _drop_approvals(builder, design, link_id)
        for item_id, item in owner.items.items():
            host = split_end(item.seat)[0] if item.seat else ""
            if item_id.startswith(inside):  # what is stated about its inner items
                builder.remove(at(design, here, "items", item_id))
            elif item_id != row_id and (host == row_id or host.startswith(inside)):
                _remove_one(builder, design, here, item_id)
        owner = sheet_of(builder.project, design, here)
        for name, export in owner.exports.items():
            kept = tuple(p for p in export.ports if split_end(p)[0] != row_id and not p.startswith(inside))
            if kept != export.ports:
                if kept:
                    builder.set(
                        at(design, here, "exports", name),
                        dataclasses.replace(export, ports=kept, axes=_shrunk(export.axes, len(kept))),
                    )
                else:
                    builder.remove(at(design, here, "exports", name))
        for item_id, seat in owner.seats.items():
            if row_id in (item_id, seat.racks):
                builder.remove(at(design, here, "seats", item_id))
        if here != sheet:
            if row_id in owner.items and owner.items[row_id].of is None:
                builder.remove(at(design, here, "items", row_id))
            if row_id in owner.removed:
                builder.set(at(design, here, "removed"), tuple(r for r in owner.removed if r != row_id))
        for key in list(owner.look):
            if key == row_id or key.startswith((f"{row_id}[", inside)):
                builder.remove(at(design, here, "look", key))
    owner_design = design_of(builder.project, design)
    if owner_design.root == sheet and row_id in owner_design.ranks:
        builder.set(("designs", design, "ranks"), tuple(r for r in owner_design.ranks if r != row_id))
    _drop_approvals(builder, design, row_id)


def _shrunk(axes: tuple[tuple[str, int], ...], count: int) -> tuple[tuple[str, int], ...]:
    if len(axes) == 1:
        return ((axes[0][0], count),)
    product = 1
    for _, size in axes:
        product *= size
    return axes if product == count else (("port", count),)


def _drop_approvals(builder: PatchBuilder, design: str, row_id: str) -> None:
    for key, approval in builder.project.approvals.items():
        rule_design_places = approval.key.split("|")
        if len(rule_design_places) == 3 and rule_design_places[1] == design:
            steps = {step.partition(":")[0] for place in rule_design_places[2].split(",") for step in place.split("/")}
            if row_id in steps:
                builder.remove(("approvals", key))


def _drop_orphan_sheet(builder: PatchBuilder, design: str, row: Item) -> None:
    """A server sheet that no item stands for any more goes with its last item (undo brings both back)."""
    if not row.of or not row.of.startswith("sheet:"):
        return
    gone = {row.of[6:], *(o.sheet for o in row.except_.values() if o.sheet)}
    owner = design_of(builder.project, design)
    used: set[str] = {owner.root}
    for sheet in owner.sheets.values():
        for item in sheet.items.values():
            used |= {item.of[6:]} if item.of and item.of.startswith("sheet:") else set()
            used |= {o.sheet for o in item.except_.values() if o.sheet}
    changed = True
    while changed:
        bases = {s.base for name, s in owner.sheets.items() if name in used and s.base}
        changed = not bases <= used
        used |= bases
    for name in gone - used:
        builder.remove(("designs", design, "sheets", name))


def move(project: Project, *, design: str, sheet: str, places: Mapping[str, Sequence[float]]) -> Patch:
    """New positions, by row id (or ``node[17]`` for a member drawn apart). What is locked stays where it is."""
    builder = PatchBuilder(project)
    sheet_of(project, design, sheet)
    for row_id, xy in mapping(places, "places").items():
        put_at(builder, design, sheet, row_id, pair(xy, row_id))
    return builder.patch("Move")


def put_at(builder: PatchBuilder, design: str, sheet: str, row_id: str, xy: tuple[float, float]) -> None:
    """Place one row: notes, frames and pictures know their own place, all others have it in ``look``."""
    owner = sheet_of(builder.project, design, sheet)
    look = owner.look.get(row_id, Look())
    if look.locked:
        return
    for table in ("notes", "frames", "pictures"):
        rows = getattr(owner, table)
        if row_id in rows:
            if table != "frames" or rows[row_id].xy:  # the box of a frame without a place follows its members
                builder.set(at(design, sheet, table, row_id), dataclasses.replace(rows[row_id], xy=xy))
            return
    builder.set(at(design, sheet, "look", row_id), dataclasses.replace(look, xy=xy))


def set_look(project: Project, *, design: str, sheet: str, item: str, **fields: Any) -> Patch:
    """Drawing attributes of one row: ``open``, ``wh``, ``z``, ``bends``."""
    builder = PatchBuilder(project)
    look = sheet_of(project, design, sheet).look.get(item, Look())
    tidy: dict[str, Any] = {
        k: tuple(tuple(p) for p in v) if k == "bends" else tuple(v) if isinstance(v, (list, tuple)) else v
        for k, v in fields.items()
    }
    builder.set(at(design, sheet, "look", item), dataclasses.replace(look, **tidy))
    return builder.patch("Change drawing")


def seat(project: Project, *, design: str, sheet: str, item: str, slot: str | None, forced: bool = False) -> Patch:
    """Put a card into a slot ("chassis:s3"), or take it out (None)."""
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    _check_seat(project, design, sheet, slot)
    builder.set(
        at(design, sheet, "items", item), dataclasses.replace(row, seat=slot, forced=forced and slot is not None)
    )
    return builder.patch("Move to slot" if slot else "Take out of slot")


def set_config(project: Project, *, design: str, sheet: str, item: str, key: str, value: Any) -> Patch:
    """Set (or with None clear) one config value. A built-in item gets an overlay row."""
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    row = owner.items.get(item)
    if row is None:
        from fabricwright.design.check_values import known_ids

        if item not in known_ids(project, design_of(project, design), sheet):
            raise UserError(msg("Item '{item}' does not exist on sheet '{sheet}'.", item=item, sheet=sheet))
        row = Item(None)
    config = (
        row.config.drop(key)
        if value is None
        else row.config.put(key, Table(value) if isinstance(value, Mapping) else value)
    )
    changed = dataclasses.replace(row, config=config)
    empty_overlay = changed == Item(None)
    before = data_ports(effective(project, design_of(project, design), sheet), item)
    builder.set(at(design, sheet, "items", item), ABSENT if empty_overlay else changed)
    if key in ("mode", "breakout"):
        follow_ports(builder, design, sheet, item, before)
    return builder.patch("Change setting")


def rename(project: Project, *, design: str, sheet: str, item: str, name: str) -> Patch:
    """Change the label; ids, addresses, approvals and cables do not move."""
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    table = "links" if item in owner.links else "items"
    if table == "items" and item not in owner.items:
        from fabricwright.design.check_values import known_ids

        if item not in known_ids(project, design_of(project, design), sheet):
            raise UserError(msg("Item '{item}' does not exist on sheet '{sheet}'.", item=item, sheet=sheet))
    row = owner.links[item] if table == "links" else owner.items.get(item, Item(None))
    builder.set(at(design, sheet, table, item), dataclasses.replace(row, name=name))
    return builder.patch("Rename")
