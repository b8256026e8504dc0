"""Copy and paste: rows as JSON, so that they travel between sheets, documents and programs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.catalog.parts import Part
from fabricwright.design.address import split_end
from fabricwright.design.edits.places import at, fresh_id, referring_ids, sheet_of
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Design, Item, Link, Look, Note, Project, Sheet
from fabricwright.units import codec
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

CLIP_FORMAT = "fabricwright-clip"


def copy_rows(project: Project, *, design: str, sheet: str, ids: Sequence[str]) -> dict[str, Any]:
    """Clip of the chosen stored rows, the links between them, the sheets they stand for and the parts they use."""
    owner = sheet_of(project, design, sheet)
    items = {i: owner.items[i] for i in ids if i in owner.items and owner.items[i].of is not None}
    chosen = set(ids)
    inside = {*items, *(i for i in chosen if i not in owner.items)}
    links = {
        k: v
        for k, v in owner.links.items()
        if k in chosen or (split_end(v.a)[0] in inside and split_end(v.b)[0] in inside)
    }
    links = {k: v for k, v in links.items() if split_end(v.a)[0] in items and split_end(v.b)[0] in items}
    sheets = _sheets(project.designs[design], items.values())
    parts = {i.of for i in items.values() if i.of and not i.of.startswith("sheet:")}
    for row in sheets.values():
        parts |= {row.chassis or ""} | {i.of or "" for i in row.items.values()}
    cabled = [*links.values(), *(link for row in sheets.values() for link in row.links.values())]
    parts |= {part for link in cabled for part in (link.cable, *link.optics) if part}
    return {
        "format": CLIP_FORMAT,
        "kind": owner.kind,
        "items": {k: codec.to_json(v) for k, v in items.items()},
        "links": {k: codec.to_json(v) for k, v in links.items()},
        "notes": {k: codec.to_json(owner.notes[k]) for k in ids if k in owner.notes},
        "look": {k: codec.to_json(owner.look[k]) for k in (*items, *links) if k in owner.look},
        "sheets": {k: codec.to_json(v) for k, v in sheets.items()},
        "parts": {k: codec.to_json(project.parts[k]) for k in sorted(_closure(project, parts))},
    }


def _sheets(design: Design, items: Any) -> dict[str, Sheet]:
    wanted = [i.of[6:] for i in items if i.of and i.of.startswith("sheet:")]
    wanted += [o.sheet for i in items for o in i.except_.values() if o.sheet]
    out: dict[str, Sheet] = {}
    while wanted:
        name = wanted.pop()
        if name in design.sheets and name not in out:
            out[name] = design.sheets[name]
            if out[name].base:
                wanted.append(str(out[name].base))
    return out


def _closure(project: Project, parts: set[str]) -> set[str]:
    out: set[str] = set()
    todo = [p for p in parts if p in project.parts]
    while todo:
        part_id = todo.pop()
        if part_id in out:
            continue
        out.add(part_id)
        interior = project.parts[part_id].interior
        if interior is not None:
            todo += [row.of for row in interior.items.values() if row.of in project.parts]
    return out


def paste(
    project: Project,
    *,
    design: str,
    sheet: str,
    clip: Mapping[str, Any],
    at_xy: Sequence[float] | None = None,
    offset: float = 20.0,
) -> Patch:
    """Paste a clip; new ids, links follow their items. A seat that is taken (or not there) is dropped: the card lands
    beside."""
    if not isinstance(clip, Mapping) or clip.get("format") != CLIP_FORMAT:
        raise UserError(msg("The clipboard holds no parts of a Fabricwright sheet."))
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    if clip.get("kind") != owner.kind:
        raise UserError(
            msg(
                "What was copied from a {from_kind} sheet cannot be pasted on a {to_kind} sheet.",
                from_kind=str(clip.get("kind")),
                to_kind=owner.kind,
            )
        )
    for part_id, data in clip.get("parts", {}).items():
        if part_id not in builder.project.parts:
            builder.set(("parts", part_id), codec.from_json(Part, data))
    sheet_names: dict[str, str] = {}
    for name in clip.get("sheets", {}):
        sheet_names[name] = fresh_id(
            name, {*builder.project.designs[design].sheets, *sheet_names.values()}, numbered=False
        )
    for name, data in clip.get("sheets", {}).items():
        row = codec.from_json(Sheet, data, f"sheets.{name}")
        row = dataclasses.replace(row, base=sheet_names.get(row.base, row.base) if row.base else None)
        builder.set(("designs", design, "sheets", sheet_names[name]), row)
    taken = referring_ids(project, design, sheet)
    names: dict[str, str] = {}
    for old in clip.get("items", {}):
        names[old] = fresh_id(old, taken | set(names.values()))
    shift = _shift(clip, at_xy, offset)
    seats = {i.seat for i in owner.items.values() if i.seat}
    ranks = list(builder.project.designs[design].ranks)
    for old, data in clip.get("items", {}).items():
        item = codec.from_json(Item, data, f"items.{old}")
        item = dataclasses.replace(item, **_renamed(item, names, sheet_names, seats))
        builder.set(at(design, sheet, "items", names[old]), item)
        if item.of and item.of.startswith("sheet:") and project.designs[design].root == sheet:
            ranks.append(names[old])
        look = codec.from_json(Look, clip.get("look", {}).get(old, {}), "look")
        if look.xy or item.seat is None:
            xy = look.xy or (0.0, 0.0)
            builder.set(
                at(design, sheet, "look", names[old]),
                dataclasses.replace(look, xy=(xy[0] + shift[0], xy[1] + shift[1])),
            )
    used = taken | set(names.values()) | set(owner.links)
    for old, data in clip.get("links", {}).items():
        link = codec.from_json(Link, data, f"links.{old}")
        ends = [f"{names.get(item, item)}:{ports}" for item, ports in (split_end(link.a), split_end(link.b))]
        new_id = fresh_id(old, used)
        used.add(new_id)
        builder.set(at(design, sheet, "links", new_id), dataclasses.replace(link, a=ends[0], b=ends[1]))
    for old, data in clip.get("notes", {}).items():
        note = codec.from_json(Note, data, f"notes.{old}")
        xy = note.xy or (0.0, 0.0)
        new_id = fresh_id(old, used)
        used.add(new_id)
        builder.set(
            at(design, sheet, "notes", new_id), dataclasses.replace(note, xy=(xy[0] + shift[0], xy[1] + shift[1]))
        )
    builder.set(("designs", design, "ranks"), tuple(ranks))
    return builder.patch("Paste")


def _shift(clip: Mapping[str, Any], at_xy: Sequence[float] | None, offset: float) -> tuple[float, float]:
    places = [v["xy"] for v in clip.get("look", {}).values() if v.get("xy")]
    if at_xy is None or not places:
        return (offset, offset)
    return (float(at_xy[0]) - min(p[0] for p in places), float(at_xy[1]) - min(p[1] for p in places))


def _renamed(item: Item, names: Mapping[str, str], sheets: Mapping[str, str], seats: set[str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if item.of and item.of.startswith("sheet:"):
        out["of"] = f"sheet:{sheets.get(item.of[6:], item.of[6:])}"
    if item.seat:
        owner, slot = split_end(item.seat)
        target = f"{names.get(owner, owner)}:{slot}"
        if target in seats:
            out |= {"seat": None, "forced": False}
        else:
            seats.add(target)
            out["seat"] = target
    out["except_"] = type(item.except_)(
        {
            k: dataclasses.replace(o, sheet=sheets.get(o.sheet, o.sheet) if o.sheet else None)
            for k, o in item.except_.items()
        }
    )
    return out
