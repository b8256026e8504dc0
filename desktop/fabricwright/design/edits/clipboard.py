"""Copy and paste: rows as JSON, so that they travel between sheets, documents and programs.

What is pasted may come from anywhere: it is read by the file's codec, gets new ids, and the project it would make is
checked before anything is changed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from fabricwright.catalog.parts import Part
from fabricwright.design.address import split_end
from fabricwright.design.check_values import check
from fabricwright.design.edits import arguments as given
from fabricwright.design.edits.annotations import drop_unseen
from fabricwright.design.edits.places import at, fresh_id, referring_ids, sheet_of
from fabricwright.design.edits.repeat import renamed_link
from fabricwright.design.frames import with_grouped
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import (
    Design,
    Frame,
    Image,
    Item,
    Link,
    Look,
    Note,
    Picture,
    Project,
    Seating,
    Sheet,
)
from fabricwright.units import codec, limits, strict_json
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

CLIP_FORMAT = "fabricwright-clip"
PART_KEYS = ("aux", "pdu", "cpu")
FITTED = "fitted."
LIMITS = strict_json.Limits(limits.CLIP_BYTES, limits.CLIP_DEPTH, limits.CLIP_ROWS, limits.PICTURE_BYTES * 4 // 3 + 4)
"""Of a clip or a block: a sheet with its pictures, and what hangs on it."""

T = TypeVar("T")


def clip_of_bytes(data: bytes) -> dict[str, Any] | None:
    """The clip in a text of the clipboard, which may be of any program; None when it is no clip.

    Raises UserError when it says that it is one and cannot be read, or is larger than a clip may be.
    """
    if b'"' + CLIP_FORMAT.encode() + b'"' not in data[:65536] and b'"fabricwright-' not in data[:65536]:
        return None
    clip = strict_json.loads(data, "clipboard", LIMITS)
    return clip if isinstance(clip, dict) and str(clip.get("format", "")).startswith("fabricwright") else None


# -- copy --------------------------------------------------------------------------------------------------------------


def copy_rows(project: Project, *, design: str, sheet: str, ids: Sequence[str]) -> dict[str, Any]:
    """Clip of the chosen stored rows, the links between them, the sheets they stand for and the parts they use."""
    owner = sheet_of(project, design, sheet)
    listed = with_grouped(owner, ids)
    items = {i: owner.items[i] for i in listed if i in owner.items and owner.items[i].of is not None}
    links = {k: v for k, v in owner.links.items() if split_end(v.a)[0] in items and split_end(v.b)[0] in items}
    drawn = {
        table: {k: getattr(owner, table)[k] for k in listed if k in getattr(owner, table)}
        for table in ("notes", "frames", "pictures")
    }
    sheets = _sheets(project.designs[design], items.values())
    seats = {k: v for k, v in owner.seats.items() if k in items and v.racks in items}
    images = {row.image for row in drawn["pictures"].values()}
    images |= {row.image for inner in sheets.values() for row in inner.pictures.values()}
    placed = (*items, *links, *drawn["notes"], *drawn["frames"], *drawn["pictures"])
    return {
        "format": CLIP_FORMAT,
        "kind": owner.kind,
        "items": {k: codec.to_json(v) for k, v in items.items()},
        "links": {k: codec.to_json(v) for k, v in links.items()},
        **{table: {k: codec.to_json(v) for k, v in rows.items()} for table, rows in drawn.items()},
        "look": {k: codec.to_json(owner.look[k]) for k in placed if k in owner.look},
        "seats": {k: codec.to_json(v) for k, v in seats.items()},
        "sheets": {k: codec.to_json(v) for k, v in sheets.items()},
        "parts": {
            k: codec.to_json(project.parts[k])
            for k in sorted(_closure(project, parts_of(items.values(), links.values(), sheets.values())))
        },
        "images": {k: codec.to_json(project.images[k]) for k in sorted(images) if k in project.images},
    }


def parts_of(items: Iterable[Item], links: Iterable[Link], sheets: Iterable[Sheet]) -> set[str]:
    """Ids of the parts that rows name: things, chassis, cables, optics, and parts in config."""
    named: set[str] = set()
    rows, cabled = list(items), list(links)
    for sheet in sheets:
        named.add(sheet.chassis or "")
        rows += sheet.items.values()
        cabled += sheet.links.values()
    for row in rows:
        named.add(row.of or "")
        for config in (row.config, *(o.config for o in row.except_.values())):
            named |= {str(config[k]) for k in PART_KEYS if k in config}
            named |= {k[len(FITTED) :] for k in config if k.startswith(FITTED)}
    for link in cabled:
        named |= {part for part in (link.cable, *link.optics) if part}
    return named


def _sheets(design: Design, items: Iterable[Item]) -> dict[str, Sheet]:
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


# -- paste -------------------------------------------------------------------------------------------------------------


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
    paste_rows(builder, design, sheet, clip, at_xy, offset)
    return builder.patch("Paste")


def paste_rows(
    builder: PatchBuilder,
    design: str,
    sheet: str,
    clip: Mapping[str, Any],
    at_xy: Sequence[float] | None,
    offset: float = 20.0,
) -> dict[str, str]:
    """Put the rows of a clip on a sheet; old id -> new id. Raises UserError when the clip does not fit or is broken."""
    owner = sheet_of(builder.project, design, sheet)
    if clip.get("kind") != owner.kind:
        raise UserError(
            msg(
                "What was copied from a {from_kind} sheet cannot be pasted on a {to_kind} sheet.",
                from_kind=str(clip.get("kind"))[:20],
                to_kind=owner.kind,
            )
        )
    for part_id, part in _rows(clip, "parts", Part).items():
        if part_id not in builder.project.parts:
            builder.set(("parts", part_id), part)
    images = _paste_images(builder, clip)
    sheet_names = _paste_sheets(builder, design, clip, images)
    items, links = _rows(clip, "items", Item), _rows(clip, "links", Link)
    drawn: dict[str, dict[str, Any]] = {
        "notes": _rows(clip, "notes", Note),
        "frames": _rows(clip, "frames", Frame),
        "pictures": _rows(clip, "pictures", Picture),
    }
    taken = referring_ids(builder.project, design, sheet)
    names: dict[str, str] = {}
    for old in (*items, *links, *drawn["notes"], *drawn["frames"], *drawn["pictures"]):
        names[old] = fresh_id(old, taken)
        taken.add(names[old])
    looks = _rows(clip, "look", Look)
    shift = _shift(looks, drawn, at_xy, offset)
    seats = {i.seat for i in owner.items.values() if i.seat}
    ranks = list(builder.project.designs[design].ranks)
    for old, item in items.items():
        fresh = dataclasses.replace(item, **_renamed(item, names, sheet_names, seats))
        builder.set(at(design, sheet, "items", names[old]), fresh)
        if item.of and item.of.startswith("sheet:") and builder.project.designs[design].root == sheet:
            ranks.append(names[old])
        look = looks.get(old, Look())
        if look.xy or item.seat is None:
            builder.set(at(design, sheet, "look", names[old]), dataclasses.replace(look, xy=_moved(look.xy, shift)))
    for old, link in links.items():
        builder.set(at(design, sheet, "links", names[old]), renamed_link(link, names))
        if old in looks:
            bends = tuple(_moved(p, shift) for p in looks[old].bends)
            builder.set(at(design, sheet, "look", names[old]), dataclasses.replace(looks[old], bends=bends))
    for old, seating in _rows(clip, "seats", Seating).items():
        if old in items and seating.racks in items:
            row = dataclasses.replace(seating, racks=names[seating.racks])
            builder.set(at(design, sheet, "seats", names[old]), row)
    for table, rows in drawn.items():
        for old, row in rows.items():
            fields: dict[str, Any] = {"xy": _moved(row.xy, shift) if row.xy or table == "notes" else ()}
            if table == "frames":
                fields["members"] = tuple(names[m] for m in row.members if m in names)
            elif table == "pictures":
                fields["image"] = images.get(row.image, row.image)
            builder.set(at(design, sheet, table, names[old]), dataclasses.replace(row, **fields))
            if old in looks:
                builder.set(at(design, sheet, "look", names[old]), looks[old])
    builder.set(("designs", design, "ranks"), tuple(ranks))
    drop_unseen(builder, design, [sheet])
    for problem in check(builder.project):
        raise UserError(msg("What is pasted is not sound: {problem}", problem=problem))
    return names


def _rows(clip: Mapping[str, Any], table: str, kind: type[T]) -> dict[str, T]:
    return {k: codec.from_json(kind, v, f"{table}.{k}") for k, v in given.mapping(clip.get(table) or {}, table).items()}


def _paste_images(builder: PatchBuilder, clip: Mapping[str, Any]) -> dict[str, str]:
    """Images of a clip; one that the project has already is not stored twice."""
    out: dict[str, str] = {}
    for old, image in _rows(clip, "images", Image).items():
        known = builder.project.images.items()
        same = next((k for k, v in known if (v.media, v.data) == (image.media, image.data)), None)
        out[old] = same or fresh_id("image", builder.project.images)
        if same is None:
            builder.set(("images", out[old]), image)
    return out


def _paste_sheets(
    builder: PatchBuilder, design: str, clip: Mapping[str, Any], images: Mapping[str, str]
) -> dict[str, str]:
    """Sheets that items of a clip stand for, under new ids where theirs are taken."""
    rows = _rows(clip, "sheets", Sheet)
    names: dict[str, str] = {}
    for name in rows:
        names[name] = fresh_id(name, {*builder.project.designs[design].sheets, *names.values()}, numbered=False)
    for name, row in rows.items():
        pictures = Table(
            {k: dataclasses.replace(p, image=images.get(p.image, p.image)) for k, p in row.pictures.items()}
        )
        base = names.get(row.base, row.base) if row.base else None
        fresh = dataclasses.replace(row, base=base, pictures=pictures)
        builder.set(("designs", design, "sheets", names[name]), fresh)
    return names


def _shift(
    looks: Mapping[str, Look],
    drawn: Mapping[str, Mapping[str, Any]],
    at_xy: Sequence[float] | None,
    offset: float,
) -> tuple[float, float]:
    places = [v.xy for v in looks.values() if len(v.xy) == 2]
    places += [row.xy for rows in drawn.values() for row in rows.values() if len(row.xy) == 2]
    if at_xy is None or not places:
        by = given.number(offset, "offset")
        return (by, by)
    x, y = given.pair(at_xy, "at_xy")
    return (x - min(p[0] for p in places), y - min(p[1] for p in places))


def _moved(xy: Sequence[float], shift: tuple[float, float]) -> tuple[float, float]:
    x, y = (xy[0], xy[1]) if len(xy) == 2 else (0.0, 0.0)
    return (x + shift[0], y + shift[1])


def _renamed(item: Item, names: Mapping[str, str], sheets: Mapping[str, str], seats: set[str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if item.of and item.of.startswith("sheet:"):
        out["of"] = f"sheet:{sheets.get(item.of[6:], item.of[6:])}"
    if item.seat:
        owner, slot = split_end(item.seat)
        target = f"{names.get(owner, owner)}:{slot}"
        if target in seats or (owner not in names and owner != "chassis"):
            out |= {"seat": None, "forced": False}
        else:
            seats.add(target)
            out["seat"] = target
    out["except_"] = Table(
        {
            k: dataclasses.replace(o, sheet=sheets.get(o.sheet, o.sheet) if o.sheet else None)
            for k, o in item.except_.items()
        }
    )
    return out
