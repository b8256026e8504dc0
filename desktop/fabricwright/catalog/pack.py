"""Catalogue packs: parts of the user's own as a file (``.fwcat``) that somebody else imports.

JSON: ``{"format": "fabricwright-pack", "version": 1, "title", "author", "pack_version", "parts": {id: part}}``. A part
inside is in its full form; the parts that it needs and that do not ship are in the pack too.

A pack is read with suspicion (size, nesting, counts, ids, numbers) and never overwrites: a part whose id is taken by
other content is a conflict, shown field by field, until the user says which one stays. A shipped id is never taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fabricwright.catalog import own
from fabricwright.catalog.difference import Difference, differences
from fabricwright.catalog.overlay import Raw
from fabricwright.catalog.own_check import FieldProblem, check_row, validate_part
from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import Catalogue, catalogue
from fabricwright.units import codec
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.strict_json import Limits, read
from fabricwright.units.text import Message, msg

FORMAT = "fabricwright-pack"
VERSION = 1
SUFFIX = ".fwcat"
LIMITS = Limits()
_PACK_VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){0,3}")


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as read: who made it, which version, and its parts by id."""

    title: str
    author: str
    pack_version: str
    parts: Mapping[str, Part]

    def key(self) -> dict[str, str]:
        """What a part remembers of the pack it came in."""
        return {"title": self.title, "author": self.author, "version": self.pack_version}


@dataclass(frozen=True, slots=True)
class Conflict:
    """An id that is taken: by a shipped part (``shipped``, never replaced) or by another part of the user's own.

    ``remark`` says what is odd about the pack itself: another author, an older version than the one imported before.
    """

    part: str
    shipped: bool
    differences: tuple[Difference, ...]
    remark: Message | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import would do: ids that are new, equal to what is there, and in conflict."""

    pack: Pack
    new: tuple[str, ...]
    equal: tuple[str, ...]
    conflicts: tuple[Conflict, ...]


# -- writing ----------------------------------------------------------------------------------------------------------


def export_pack(part_ids: Sequence[str], title: str, author: str, pack_version: str = "1.0") -> bytes:
    """The bytes of a pack with these parts of the user's own and those of the user's own that they need.

    Raises ``UserError`` for a part that is not the user's, an empty title or author, a version that is none.
    """
    store = catalogue()
    _check_head(title, author, pack_version, SUFFIX)
    mine = set(store.own_ids())
    for part_id in part_ids:
        if part_id not in mine:
            raise UserError(msg("'{part}' is not a part of your own; a pack holds only those.", part=part_id[:80]))
    wanted = sorted({p for part_id in part_ids for p in store.needs(part_id) if p in mine}, key=natural_key)
    if not wanted:
        raise UserError(msg("A pack needs at least one part of your own."))
    rows = [f"{json.dumps(p)}:{_line(_shared(store.raw(p)))}" for p in wanted]
    head = _line({"format": FORMAT, "version": VERSION, "title": title, "author": author, "pack_version": pack_version})
    return (head[:-1] + ',"parts":{' + ",".join(f"\n{row}" for row in rows) + "}}\n").encode("utf-8")


def _shared(row: Raw) -> Raw:
    """A row without what only matters at home."""
    return {key: value for key, value in row.items() if key not in ("pack", "origin")}


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


# -- reading ----------------------------------------------------------------------------------------------------------


def read_pack(path: str | Path) -> Pack:
    """A pack file, checked against the limits; its parts are not yet held against the catalogue. ``UserError``."""
    name = Path(path).name
    data = read(path, LIMITS)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UserError(msg("{file}: is not a catalogue pack (*.fwcat).", file=name))
    version = data.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise UserError(msg("{file}: 'version' is missing or no number.", file=name))
    if version > VERSION:
        raise UserError(
            msg(
                "{file}: was written by a newer program (format {version}, known {known}).",
                file=name,
                version=version,
                known=VERSION,
            )
        )
    title, author, pack_version = (data.get(key) for key in ("title", "author", "pack_version"))
    _check_head(title, author, pack_version, name)
    rows = data.get("parts")
    if not isinstance(rows, dict) or not rows:
        raise UserError(msg("{file}: holds no parts.", file=name))
    if len(rows) > own.MOST_PARTS:
        raise UserError(msg("{file}: holds more than {limit} parts.", file=name, limit=own.MOST_PARTS))
    parts = {part_id: codec.from_json(Part, check_row(part_id, row, name), part_id) for part_id, row in rows.items()}
    return Pack(str(title), str(author), str(pack_version), parts)


def _check_head(title: object, author: object, pack_version: object, file: str) -> None:
    for key, value in (("title", title), ("author", author)):
        if not isinstance(value, str) or not value.strip() or len(value) > 120 or any(ord(c) < 32 for c in value):
            raise UserError(msg("{file}: '{key}' must be one line of 1 to 120 characters.", file=file, key=key))
    if not isinstance(pack_version, str) or not _PACK_VERSION.fullmatch(pack_version):
        raise UserError(
            msg(
                "{file}: the version of a pack is written as 1.2, not '{found}'.",
                file=file,
                found=str(pack_version)[:40],
            )
        )


def plan_import(pack: Pack, store: Catalogue | None = None) -> Plan:
    """What an import of ``pack`` would do, part by part. Raises ``UserError`` for a part that is not sound here."""
    store = store or catalogue()
    _check_parts(pack, store)
    new, equal, conflicts = [], [], []
    mine = set(store.own_ids())
    for part_id in sorted(pack.parts, key=natural_key):
        if part_id not in store:
            new.append(part_id)
            continue
        here = store.get(part_id)
        found = tuple(differences(here, pack.parts[part_id]))
        remark = _remark(here, pack) if part_id in mine else None
        if not found:
            equal.append(part_id)
        else:
            conflicts.append(Conflict(part_id, part_id not in mine, found, remark))
    return Plan(pack, tuple(new), tuple(equal), tuple(conflicts))


def _check_parts(pack: Pack, store: Catalogue) -> None:
    """Every part that would be new holds together, seen with the pack's own parts beside the catalogue's."""
    beside = store.with_rows({p: codec.to_json(part) for p, part in pack.parts.items() if not store.is_shipped(p)})
    for part_id, part in pack.parts.items():
        found: list[FieldProblem] = [] if store.is_shipped(part_id) else validate_part(part_id, part, beside)
        if found:
            raise UserError(
                msg("{part}: {place}: {problem}", part=part_id, place=found[0].place, problem=found[0].message)
            )


def _remark(here: Part, pack: Pack) -> Message | None:
    """Another author, or a version older than the one that is here."""
    before = here.extra.get("pack")
    if not isinstance(before, Mapping) or before.get("title") != pack.title:
        return None
    if before.get("author") != pack.author:
        return msg(
            "the pack '{title}' was imported from {here}, this one is by {there}",
            title=pack.title,
            here=str(before.get("author")),
            there=pack.author,
        )
    if _numbers(pack.pack_version) < _numbers(str(before.get("version"))):
        return msg(
            "version {here} of the pack was imported before, this one is {there}",
            here=str(before.get("version")),
            there=pack.pack_version,
        )
    return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in version.split(".")) if _PACK_VERSION.fullmatch(version) else ()


def apply_import(plan: Plan, replace_own: bool | Collection[str] = False, keep_own: bool = False) -> tuple[str, ...]:
    """Do what the plan says; ids that were written. With conflicts one of the two must be set: parts of the user's own
    are replaced (all of them, or those named), or stay. Shipped parts always stay. Raises ``UserError`` for an
    undecided conflict.
    """
    mine = [c.part for c in plan.conflicts if not c.shipped]
    if plan.conflicts and replace_own is False and not keep_own:
        raise UserError(
            msg(
                "{count} parts are here with other content: {parts}; say which ones stay.",
                count=len(plan.conflicts),
                parts=[c.part for c in plan.conflicts][:5],
            )
        )
    if not isinstance(replace_own, bool):
        mine = [part for part in mine if part in replace_own]
    written = (*plan.new, *(() if replace_own is False else mine))
    origin = f"pack {plan.pack.title} {plan.pack.pack_version} by {plan.pack.author}"
    rows = {p: {**codec.to_json(plan.pack.parts[p]), "origin": origin, "pack": plan.pack.key()} for p in written}
    if rows:
        own.put_rows(rows)
    return written
