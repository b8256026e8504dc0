"""Is a part of the user's own sound: one sentence per field, for a form; and hard limits for what a file may hold.

Works without pydantic, because the window's process calls it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal

from fabricwright.catalog.check import check_part
from fabricwright.catalog.overlay import Raw
from fabricwright.catalog.parts import CONFIDENCES, Figure, Part, Port, Slot
from fabricwright.catalog.ports import parse_split
from fabricwright.catalog.store import Catalogue
from fabricwright.units import codec
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

PART_ID = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
ROW_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._/+-]{0,39}")
MOST_ROWS = 4_096
MOST_PORTS_OF_A_CAGE = 64
LARGEST = 1e12
"""No figure of a part is larger: the highest shipped one is a buffer of 165e6 bytes."""

_LIMITS: Mapping[tuple[type, str], float] = {
    (Port, "lanes"): 256,
    (Port, "gen"): 9,
    (Port, "gbps"): 100_000,
    (Port, "connectors"): 64,
    (Slot, "electrical"): 256,
    (Slot, "physical"): 256,
    (Slot, "gen"): 9,
    (Slot, "max_width"): 16,
    (Slot, "power_w"): 100_000,
    (Slot, "aux_w"): 100_000,
}


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """A field of a part and what is wrong with it: ``place`` "figures.power_w", "cages.17.type", "id"."""

    place: str
    message: Message


def check_row(part_id: str, row: object, file: str) -> Raw:
    """The full row of one part read from a file, in canonical form. Raises ``UserError`` naming file and place."""
    if not PART_ID.fullmatch(part_id):
        raise UserError(
            msg(
                "{file}: '{part}' is not a part id (a-z, 0-9, dots, hyphens).", file=file, part=_printable(part_id[:70])
            )
        )
    part = codec.from_json(Part, row, f"{file}: {part_id}")
    for found in limits(part):
        raise UserError(
            msg("{file}: {part}.{place}: {problem}", file=file, part=part_id, place=found.place, problem=found.message)
        )
    full: Raw = codec.to_json(part)
    return full


def _printable(text: str) -> str:
    """Ids of a hostile file must not steer a terminal."""
    return text if text.isprintable() else ascii(text)[1:-1]


def limits(part: Part) -> Iterator[FieldProblem]:
    """Where a part is larger than any real one, or holds ids or numbers that nothing can have."""
    yield from _walk(part, "")
    for name, cage in part.cages.items():
        for split in (cage.default, *cage.breakouts):
            parsed = parse_split(split) if split else None
            if parsed and parsed[0] > MOST_PORTS_OF_A_CAGE:
                yield FieldProblem(
                    f"cages.{name}",
                    msg("a cage has at most {limit} ports, not {count}.", limit=MOST_PORTS_OF_A_CAGE, count=parsed[0]),
                )


def _walk(value: object, place: str) -> Iterator[FieldProblem]:
    if isinstance(value, Table):
        if len(value) > MOST_ROWS:
            yield FieldProblem(place, msg("holds more than {limit} rows.", limit=MOST_ROWS))
            return
        for key, row in value.items():
            here = f"{place}.{key}" if place else key
            if not ROW_ID.fullmatch(key) or ".." in key:
                yield FieldProblem(
                    place, msg("'{name}' is not a name (letters, digits, . _ / + -).", name=_printable(key[:50]))
                )
            yield from _walk(row, here)
    elif is_dataclass(value):
        for field in fields(value):
            here = f"{place}.{field.name}" if place else field.name
            inner = getattr(value, field.name)
            limit = _LIMITS.get((type(value), field.name))
            if limit is not None and not 0 <= inner <= limit:
                told = _shortened(inner)
                yield FieldProblem(here, msg("expected 0 to {limit}, found {value}.", limit=limit, value=told))
            yield from _walk(inner, here)
    elif isinstance(value, tuple):
        if len(value) > MOST_ROWS:
            yield FieldProblem(place, msg("holds more than {limit} rows.", limit=MOST_ROWS))
            return
        for row in value:
            yield from _walk(row, place)
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and not abs(value) <= LARGEST:
        yield FieldProblem(place, msg("{value} is too large for a figure of a part.", value=_shortened(value)))


def _shortened(value: int | float) -> str:
    """A figure in at most three digits; a whole number of any length, which a float could not hold."""
    return f"{value if isinstance(value, float) else Decimal(value):.3g}"


def validate_part(part_id: str, part: Part, store: Catalogue) -> list[FieldProblem]:
    """All that is wrong with a part of the user's own, in the order of a form; empty when it may be saved."""
    return list(_problems(part_id, part, store))


def _problems(part_id: str, part: Part, store: Catalogue) -> Iterator[FieldProblem]:
    if not PART_ID.fullmatch(part_id):
        yield FieldProblem("id", msg("expected lower-case letters, digits, dots and hyphens, at most 64."))
    elif store.is_shipped(part_id):
        yield FieldProblem("id", msg("'{part}' is a shipped part; choose another id.", part=part_id))
    if part.kind not in store.kinds():
        yield FieldProblem("kind", msg("there is no kind '{kind}'.", kind=part.kind[:60]))
    if not part.name().strip():
        yield FieldProblem("names.en", msg("a part needs a name."))
    for lang, name in part.names.items():
        if len(name) > 200 or any(ord(c) < 32 for c in name):
            yield FieldProblem(f"names.{lang}", msg("a name is one line of at most 200 characters."))
    if not part.source.strip():
        yield FieldProblem("source", msg("say where the figures come from."))
    if part.confidence not in CONFIDENCES:
        yield FieldProblem("confidence", _confidence(part.confidence))
    for name in part.figures.ordered():
        yield from _figure(name, part.figures[name], store)
    found = list(limits(part))
    yield from found
    cage_types = store.table("cage_types")
    for name in part.cages.ordered():
        if part.cages[name].type not in cage_types:
            yield FieldProblem(
                f"cages.{name}.type", msg("there is no cage type '{type}'.", type=part.cages[name].type[:40])
            )
    if part.interior:
        for name in part.interior.items.ordered():
            item = part.interior.items[name]
            for ref in (item.of, item.chip_part):
                if ref and ref not in store:
                    yield FieldProblem(f"interior.items.{name}.of", msg("there is no part '{part}'.", part=ref[:60]))
    if not found:  # the arithmetic below walks every port
        known = {i: store.get(i) for i in _inside(part) if i in store}
        for problem in check_part(part_id, part, known):
            yield FieldProblem(problem.place, problem.message)


def _inside(part: Part) -> set[str]:
    items = part.interior.items.values() if part.interior else ()
    return {ref for item in items for ref in (item.of, item.chip_part) if ref}


def _figure(name: str, row: Figure, store: Catalogue) -> Iterator[FieldProblem]:
    place = f"figures.{name}"
    if not store.figure_info(name):
        yield FieldProblem(place, msg("there is no figure of this name."))
        return
    if row.confidence not in CONFIDENCES:
        yield FieldProblem(place, _confidence(row.confidence))
    wanted = figure_shape(name, store)
    values = row.value if isinstance(row.value, tuple) else (row.value,)
    if isinstance(row.value, tuple) != wanted.endswith("s"):
        yield FieldProblem(place, _expected(wanted, row.value))
        return
    for value in values:
        if _shape(value) != wanted.removesuffix("s"):
            yield FieldProblem(place, _expected(wanted, row.value))
            return
        if isinstance(value, (int, float)) and not isinstance(value, bool) and not 0 <= value < math.inf:
            yield FieldProblem(place, msg("expected a number from 0, found {value}.", value=value))
            return


def figure_shape(name: str, store: Catalogue) -> str:
    """What a figure's value is, judged by the shipped parts: number, text, flag, or numbers, texts for lists.

    A figure that no shipped part states has the shape that ``figures.yaml`` declares, else it is a number.
    """
    shapes = _shapes.get(store.digest)
    if shapes is None:
        _shapes.clear()
        shapes = _shapes[store.digest] = _all_shapes(store)
    return shapes.get(name) or store.figure_info(name).get("shape", "number")


_shapes: dict[str, dict[str, str]] = {}


def _all_shapes(store: Catalogue) -> dict[str, str]:
    out: dict[str, str] = {}
    for part_id in store.ids():
        for name, row in store.raw(part_id).get("figures", {}).items() if store.is_shipped(part_id) else ():
            value = row.get("value") if isinstance(row, Mapping) else row
            if isinstance(value, (list, tuple)) and value:
                out.setdefault(name, f"{_shape(value[0])}s")
            elif value is not None:
                out.setdefault(name, _shape(value))
    return out


def _shape(value: object) -> str:
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, (int, float)):
        return "number"
    return "text" if isinstance(value, str) else "nothing"


def _expected(wanted: str, found: object) -> Message:
    shown = str(found)[:40]
    if wanted == "number":
        return msg("expected a number, found {value}.", value=shown)
    if wanted == "flag":
        return msg("expected yes or no, found {value}.", value=shown)
    if wanted == "text":
        return msg("expected a text, found {value}.", value=shown)
    if wanted == "numbers":
        return msg("expected a list of numbers, found {value}.", value=shown)
    return msg("expected a list of texts, found {value}.", value=shown)


def _confidence(found: str) -> Message:
    return msg("confidence is one of {known}, not '{found}'.", known=list(CONFIDENCES), found=found[:40])
