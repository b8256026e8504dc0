"""Parts of the user's own: made from an existing one, kept in the user's data folder, shown beside the shipped ones.

The file ``own_parts.json`` (``resources.user_data_path``) is JSON: ``{"format", "version", "parts": {id: part}}``, each
part in its full form (what ``units.codec`` writes) with two keys more: ``based_on`` (the part it was made from) and,
for parts that came in a pack, ``pack`` (``catalog.pack``). It is replaced in one step. A shipped id is never taken.

For a form: ``make_from`` a part with changes; ``validate`` for one sentence per field; ``save``;
``remove``. Changes have the shape of a part's JSON and are laid over it field by field; ``None`` removes a field::

    {"names": {"en": "SN5600 short"}, "figures": {"depth_mm": 600, "airflow": None}, "cages": {"1": {"type": "SFP28"}}}
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fabricwright.catalog.overlay import Raw, merge
from fabricwright.catalog.own_check import FieldProblem, check_row, validate_part
from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import OWN_FILE, Catalogue, catalogue
from fabricwright.resources import user_data_path
from fabricwright.units import codec
from fabricwright.units.errors import UserError
from fabricwright.units.files import replace_file
from fabricwright.units.natural import natural_key
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.strict_json import loads, read
from fabricwright.units.text import Message, msg

FORMAT = "fabricwright-own-parts"
VERSION = 1
MOST_PARTS = 2_000

ORIGIN = "own"
"""Source name of figures that the user states."""


@dataclass(frozen=True, slots=True)
class OwnFile:
    """What the file holds: full rows by id, and a sentence for everything in it that is left out."""

    rows: Mapping[str, Raw]
    problems: tuple[Message, ...] = ()
    readable: bool = True


def path() -> Path:
    """The file of the user's own parts (need not exist)."""
    return user_data_path(OWN_FILE)


def load(store: Catalogue, file: Path | None = None) -> OwnFile:
    """Read the user's parts. Never raises: what is wrong is a sentence in ``problems`` and is left out."""
    file = file or path()
    if not file.exists():
        return OwnFile({})
    try:
        data = read(file)
        rows = _rows_of(data, file)
    except UserError as error:
        return OwnFile({}, (error.message,), readable=False)
    good: dict[str, Raw] = {}
    problems: list[Message] = []
    for part_id, row in rows.items():
        if store.is_shipped(part_id):
            problems.append(
                msg("{file}: {part} is now a shipped part; yours is not shown.", file=file.name, part=part_id)
            )
            continue
        try:
            good[part_id] = check_row(part_id, row, file.name)
        except UserError as error:
            problems.append(error.message)
    return OwnFile(good, tuple(problems))


def _rows_of(data: Any, file: Path) -> Mapping[str, Any]:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UserError(msg("{file}: is not a file of own parts.", file=str(file)))
    if not isinstance(data.get("version"), int) or data["version"] > VERSION:
        raise UserError(msg("{file}: was written by a newer version of the program.", file=str(file)))
    rows = data.get("parts")
    if not isinstance(rows, dict) or len(rows) > MOST_PARTS:
        raise UserError(msg("{file}: expected at most {limit} parts.", file=str(file), limit=MOST_PARTS))
    return rows


def stored_rows(store: Catalogue) -> Mapping[str, Raw]:
    """Rows to lay beside the shipped catalogue; empty when the file is missing or damaged."""
    return load(store).rows


def problems() -> tuple[Message, ...]:
    """Why parts of the file are not shown; empty when all is well."""
    return load(catalogue()).problems


def listing() -> dict[str, Part]:
    """The user's own parts by id, natural order."""
    store = catalogue()
    return {part_id: store.get(part_id) for part_id in store.own_ids()}


def based_on(part: Part) -> str:
    """Id of the part that an own part was made from; "" when it has none."""
    value = part.extra.get("based_on")
    return value if isinstance(value, str) else ""


def make_from(
    part_id: str, changes: Mapping[str, Any], new_id: str = "", store: Catalogue | None = None
) -> tuple[str, Part]:
    """A part like ``part_id`` with ``changes`` laid over it, and the id it should have. Nothing is saved.

    ``new_id`` "" derives one from the old id (``my-sn5600``, ``my-sn5600-2``). Figures that change are the user's:
    unless the change names another, their source is "own" and their confidence engineering. Those that stay keep their
    source. A name given in one language stands for the other, too. Raises ``UserError`` for an unknown part and for
    changes of the wrong shape.
    """
    store = store or catalogue()
    base = store.get(part_id)
    row: Raw = dict(codec.to_json(base))
    row.pop("origin", None)
    row.pop("pack", None)
    stated = dict(changes)
    figures = stated.pop("figures", {})
    if not isinstance(figures, Mapping):
        raise UserError(msg("{where}: expected figures by name.", where="figures"))
    # What stays keeps the provenance it had, also where it leaned on the part's own source.
    row["figures"] = {
        name: {"value": codec.to_json(f.value), "source": f.source or base.source, "confidence": f.confidence}
        for name, f in base.figures.items()
    }
    row = merge(row, _named(base, stated))
    row["figures"] = merge(row["figures"], {name: _stated(value) for name, value in figures.items()})
    row["based_on"] = part_id
    if "source" not in stated:
        row["source"] = ORIGIN
    part = codec.from_json(Part, row, part_id)
    shipped = f" ({store.origin()})" if store.is_shipped(part_id) else ""
    part = replace(part, origin=f"own parts, from {part_id}{shipped}")
    return new_id or _free_id(part_id, store), part


def _named(base: Part, stated: Mapping[str, Any]) -> Mapping[str, Any]:
    """Changes whose names cover all languages of ``base``: people type a name once, in their own language."""
    names = stated.get("names")
    given = [n for n in names.values() if isinstance(n, str) and n] if isinstance(names, Mapping) else []
    return {**stated, "names": {**dict.fromkeys(base.names, given[0]), **names}} if given and names else stated


def _stated(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, Mapping):
        return {"source": ORIGIN, "confidence": "engineering", **value}
    return {"value": value, "source": ORIGIN, "confidence": "engineering"}


def _free_id(part_id: str, store: Catalogue) -> str:
    stem = re.sub(r"^my-", "", part_id)[:54]
    names = (f"my-{stem}{'' if n == 1 else f'-{n}'}" for n in range(1, MOST_PARTS + 2))
    return next(name for name in names if name not in store)


def validate(part_id: str, part: Part, store: Catalogue | None = None) -> list[FieldProblem]:
    """What is wrong with a part before it is saved: one sentence per field, in the order of the form."""
    return validate_part(part_id, part, store or catalogue())


def save(part_id: str, part: Part, replace_own: bool = False) -> None:
    """Keep a part in the user's catalogue; it is in ``catalogue()`` from now on.

    Raises ``UserError`` for the first thing that ``validate`` finds, when the id is a shipped one, and when it is one
    of the user's already and ``replace_own`` is not set.
    """
    store = catalogue()
    if part_id in store.own_ids() and not replace_own:
        raise UserError(msg("You have a part '{part}' already; choose another id.", part=part_id))
    found = validate(part_id, part, store)
    if found:
        raise UserError(msg("{part}: {place}: {problem}", part=part_id, place=found[0].place, problem=found[0].message))
    put_rows({part_id: codec.to_json(part)})


def put_rows(rows: Mapping[str, Raw]) -> None:
    """Add or exchange checked rows in the file and in ``catalogue()``. ``UserError`` when it cannot be written."""
    store = catalogue()
    kept = _writable(store)
    kept.update(rows)
    if len(kept) > MOST_PARTS:
        raise UserError(msg("{file}: expected at most {limit} parts.", file=str(path()), limit=MOST_PARTS))
    _write(kept)
    store.set_own(load(store).rows)


def remove(part_id: str) -> None:
    """Take a part out of the user's catalogue. Projects keep their own copies. ``UserError`` when it is not there."""
    store = catalogue()
    kept = _writable(store)
    if part_id not in kept:
        raise UserError(msg("There is no part '{part}' of your own.", part=part_id[:80]))
    del kept[part_id]
    _write(kept)
    store.set_own(load(store).rows)


def _writable(store: Catalogue) -> dict[str, Raw]:
    """All rows of the file, those that are left out today included, so that writing loses nothing."""
    file = path()
    if not file.exists():
        return {}
    return dict(_rows_of(read(file), file))


def _write(rows: Mapping[str, Raw]) -> None:
    lines = [
        f"{json.dumps(part_id)}:{json.dumps(rows[part_id], ensure_ascii=False, separators=(',', ':'), allow_nan=False)}"
        for part_id in sorted(rows, key=natural_key)
    ]
    head = f'{{"format":{json.dumps(FORMAT)},"version":{VERSION},"parts":{{'
    data = (head + ",".join(f"\n{line}" for line in lines) + "}}\n").encode("utf-8", "replace")
    loads(data, str(path()))  # what could not be read again at the next start is not written
    write_file(path(), data)


def write_file(target: Path, data: bytes) -> None:
    """Replace a file in one step; the old one stays when something fails. Raises ``UserError`` naming it."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, data)
    except (OSError, ValueError) as error:
        reason = reason_of(error)
        raise UserError(msg("{file}: cannot be written ({reason}).", file=str(target), reason=reason)) from error
