"""Content keys: the identity of a row that survives a pipe. Moving a part or renaming it changes no key.

key(row)   = blake2b-128 of the canonical JSON of its electrical fields, memoised per row object
key(table) = sum of H(id, key(row)) mod 2^128: free of order, updated from the previous table in O(changed rows)
key(sheet) = H(kind, digests of the parts, cables and transceivers used, base key, items, links, exports)
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from fabricwright.design.values import Design, Link, Project
from fabricwright.units import codec
from fabricwright.units.table import Table

MODULUS = 1 << 128
_by_id: dict[int, tuple[weakref.ref[Any], int]] = {}


def digest(*pieces: bytes | str | int) -> int:
    """128-bit hash of some pieces, unambiguous in their boundaries."""
    h = blake2b(digest_size=16)
    for piece in pieces:
        data = piece if isinstance(piece, bytes) else str(piece).encode()
        h.update(len(data).to_bytes(8, "little"))
        h.update(data)
    return int.from_bytes(h.digest(), "little")


def row_key(row: object) -> int:
    """Key of one row's electrical fields; memoised by object identity while the row lives."""
    found = _by_id.get(id(row))
    if found is not None and found[0]() is row:
        return found[1]
    key = digest(codec.canonical(row))
    identity = id(row)
    _by_id[identity] = (weakref.ref(row, lambda _, i=identity: _by_id.pop(i, None)), key)  # type: ignore[misc]
    return key


def table_key(table: Table[Any]) -> int:
    """Order-free key of a table, memoised on it."""
    known = table.memo.get("key")
    if isinstance(known, int):
        return known
    total = sum(digest(name, row_key(row)) for name, row in table.items()) % MODULUS
    table.memo["key"] = total
    return total


def carry_key(old: Table[Any], new: Table[Any], changed: Mapping[str, tuple[object, object]]) -> None:
    """Give ``new`` its key from ``old``'s in O(changed rows); ``changed`` id -> (old row or None, new row or None)."""
    known = old.memo.get("key")
    if not isinstance(known, int):
        return
    for name, (before, after) in changed.items():
        if before is not None:
            known -= digest(name, row_key(before))
        if after is not None:
            known += digest(name, row_key(after))
    new.memo["key"] = known % MODULUS


def sheet_key(project: Project, design: Design, sheet_id: str) -> int:
    """Key of everything electrical on a sheet, its base sheets and the parts it uses."""
    pieces: list[int | str] = []
    seen: set[str] = set()
    here: str | None = sheet_id
    while here is not None and here in design.sheets and here not in seen:
        seen.add(here)
        sheet = design.sheets[here]
        used = {sheet.chassis, *(item.of for item in sheet.items.values()), *_parts_of_links(sheet.links)}
        pieces += [sheet.kind, sheet.chassis or "", ",".join(sorted(sheet.removed))]
        pieces += [table_key(sheet.items), table_key(sheet.links), table_key(sheet.exports)]
        pieces += [part_key(project, part) for part in sorted(p for p in used if p and not p.startswith("sheet:"))]
        here = sheet.base
    return digest(*pieces)


def _parts_of_links(links: Table[Link]) -> frozenset[str]:
    """Cables and transceivers that the links of a sheet name, memoised on the table."""
    known = links.memo.get("parts")
    if isinstance(known, frozenset):
        return known
    named = frozenset(part for link in links.values() for part in (link.cable, *link.optics) if part)
    links.memo["parts"] = named
    return named


def part_key(project: Project, part_id: str) -> int:
    """Key of an embedded part (and of the parts inside it); 0 when the project does not know it."""
    part = project.parts.get(part_id)
    if part is None:
        return 0
    pieces = [row_key(part)]
    if part.interior is not None:
        pieces += [
            part_key(project, of) for of in sorted({i.of for i in part.interior.items.values()}) if of != part_id
        ]
    return digest(*pieces)


def settings_key(design: Design, prefixes: tuple[str, ...] = ("",)) -> int:
    """Key of the settings whose names start with one of ``prefixes``."""
    rows = sorted((k, v) for k, v in design.settings.items() if k.startswith(prefixes))
    return digest(repr(rows))
