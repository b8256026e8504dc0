"""Reusable blocks: a selection, or a whole sheet, with the parts it uses, as a file (``.fwblock``).

A block is a clip with a title: it goes where a clip goes, with ids made anew. A server sheet as a block is a server
when it is put on a fabric sheet, and its cards when it is put on another server sheet. Parts come along; where the
project has another copy of a part, ``block_report`` says what differs before anything is inserted.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fabricwright.catalog.difference import Difference, differences
from fabricwright.catalog.parts import Part
from fabricwright.design.edits import arguments as given
from fabricwright.design.edits.clipboard import CLIP_FORMAT, LIMITS, copy_rows, paste_rows
from fabricwright.design.edits.places import sheet_of
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.storage import write_bytes
from fabricwright.design.values import Design, Item, Project, Sheet
from fabricwright.units import codec, strict_json
from fabricwright.units.errors import UserError
from fabricwright.units.reading import read_file
from fabricwright.units.record import record
from fabricwright.units.table import Table
from fabricwright.units.text import msg

FORMAT = "fabricwright-block"
VERSION = 1
SUFFIX = ".fwblock"


@record
class PartNews:
    """A part of a block beside the project's: ``state`` new | same | differs, and the fields that differ."""

    part: str
    state: str
    fields: tuple[Difference, ...] = ()


@record
class BlockReport:
    """What inserting a block brings: its title, the kind of sheet it is made for, how many rows, and its parts."""

    title: str
    kind: str
    items: int
    links: int
    parts: tuple[PartNews, ...] = ()


def make_block(
    project: Project, *, design: str, sheet: str, ids: Sequence[str] | None = None, title: str = ""
) -> dict[str, Any]:
    """A block of the rows ``ids`` with the links between them, or of the whole sheet."""
    owner = sheet_of(project, design, sheet)
    name = title or owner.title or sheet
    if ids is not None:
        clip = copy_rows(project, design=design, sheet=sheet, ids=given.texts(ids, "ids"))
        if not any(clip[table] for table in ("items", "notes", "frames", "pictures")):
            raise UserError(msg("Nothing that can be a block is selected."))
    elif owner.kind == "server":
        clip = _server_clip(project, design, sheet)
    else:
        rows = [*owner.items, *owner.notes, *owner.frames, *owner.pictures]
        if not rows:
            raise UserError(msg("The sheet is empty."))
        clip = copy_rows(project, design=design, sheet=sheet, ids=rows)
    return {"format": FORMAT, "version": VERSION, "title": name, "clip": clip}


def _server_clip(project: Project, design: str, sheet: str) -> dict[str, Any]:
    """A fabric clip of one server that stands for the sheet."""
    owner = project.designs[design]
    stand_in = Sheet("fabric", items=Table({sheet: Item(f"sheet:{sheet}")}))
    sheets = owner.sheets.put("block", stand_in)
    with_it = dataclasses.replace(
        project, designs=project.designs.put(design, dataclasses.replace(owner, sheets=sheets))
    )
    return copy_rows(with_it, design=design, sheet="block", ids=[sheet])


def insert_block(
    project: Project,
    *,
    design: str,
    sheet: str,
    block: Mapping[str, Any],
    at_xy: Sequence[float] | None = None,
    parts: str = "keep",
) -> Patch:
    """Put a block on a sheet. ``parts`` keep: the project's copy of a part counts; take: the block's replaces it."""
    clip = _clip(block)
    given.word(parts, "parts", ("keep", "take"))
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    if owner.kind == "server" and clip.get("kind") == "fabric":
        clip = _cards(clip)
    if parts == "take":
        for part_id, part in _parts(clip).items():
            builder.set(("parts", part_id), part)
    paste_rows(builder, design, sheet, clip, at_xy)
    return builder.patch("Insert block")


def _cards(clip: Mapping[str, Any]) -> Mapping[str, Any]:
    """The cards of a block that is one server, as a clip for another server sheet."""
    items = given.mapping(clip.get("items") or {}, "items")
    only = next(iter(items.values())) if len(items) == 1 else None
    of = only.get("of") if isinstance(only, Mapping) else None
    sheets = {
        k: codec.from_json(Sheet, v, f"sheets.{k}")
        for k, v in given.mapping(clip.get("sheets") or {}, "sheets").items()
    }
    name = of[6:] if isinstance(of, str) and of.startswith("sheet:") else ""
    if name not in sheets:
        raise UserError(msg("This block is made for a fabric sheet; open one to insert it."))
    inner = Project(designs=Table({"block": Design(root=name, sheets=Table(sheets))}), parts=Table(_parts(clip)))
    row = sheets[name]
    return copy_rows(inner, design="block", sheet=name, ids=[*row.items, *row.notes, *row.frames])


def block_report(project: Project, block: Mapping[str, Any]) -> BlockReport:
    """What inserting a block brings, and where its parts are not those of the project."""
    clip = _clip(block)
    news = []
    for part_id, part in sorted(_parts(clip).items()):
        if part_id not in project.parts:
            news.append(PartNews(part_id, "new"))
        else:
            found = tuple(differences(project.parts[part_id], part))
            news.append(PartNews(part_id, "differs" if found else "same", found))
    sizes = [len(given.mapping(clip.get(table) or {}, table)) for table in ("items", "links")]
    return BlockReport(str(block.get("title", ""))[:400], str(clip.get("kind")), sizes[0], sizes[1], tuple(news))


def _clip(block: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(block, Mapping) or block.get("format") != FORMAT:
        raise UserError(msg("This is not a Fabricwright block."))
    version = block.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or not 1 <= version <= VERSION:
        raise UserError(
            msg(
                "Block version {version} is not known; this program reads {known}.",
                version=str(version)[:20],
                known=VERSION,
            )
        )
    clip = block.get("clip")
    if not isinstance(clip, Mapping) or clip.get("format") != CLIP_FORMAT:
        raise UserError(msg("This is not a Fabricwright block."))
    return clip


def _parts(clip: Mapping[str, Any]) -> dict[str, Part]:
    rows = given.mapping(clip.get("parts") or {}, "parts")
    return {k: codec.from_json(Part, v, f"parts.{k}") for k, v in rows.items()}


# -- files -------------------------------------------------------------------------------------------------------------


def block_bytes(block: Mapping[str, Any]) -> bytes:
    """The file: JSON, UTF-8, one line per row; equal blocks give equal bytes."""
    head = {k: v for k, v in block.items() if k != "clip"}
    lines = [json.dumps(head, ensure_ascii=False, sort_keys=True)[:-1] + ',"clip":{']
    tables = []
    for key, value in sorted(block["clip"].items()):
        if isinstance(value, Mapping):
            rows = [f"\n  {_j(k)}:{_j(value[k])}" for k in sorted(value)]
            tables.append(f"\n {_j(key)}:{{{','.join(rows)}}}")
        else:
            tables.append(f"\n {_j(key)}:{_j(value)}")
    return (lines[0] + ",".join(tables) + "}}\n").encode("utf-8")


def _j(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def save_block(block: Mapping[str, Any], path: str | Path) -> None:
    """Write a block file atomically. Raises UserError."""
    data = block_bytes(block)
    block_of_bytes(data, str(path))  # what could not be read again is not written
    write_bytes(data, path)


def load_block(path: str | Path) -> dict[str, Any]:
    """Read a block file, with suspicion. Raises UserError naming the file."""
    return block_of_bytes(read_file(path, LIMITS.file_bytes), str(path))


def block_of_bytes(data: bytes, name: str = "block") -> dict[str, Any]:
    """A block from the bytes of a file. Raises UserError."""
    return _checked(strict_json.loads(data, name, LIMITS), name)


def _checked(data: object, name: str) -> dict[str, Any]:
    try:
        block = given.mapping(data, "block")
        _parts(_clip(block))
    except UserError as error:
        raise UserError(msg("{file}: {problem}", file=name, problem=error.message)) from error
    return block
