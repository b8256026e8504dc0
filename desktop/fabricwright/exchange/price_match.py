"""Which part each row of a price list is for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Price, Project
from fabricwright.exchange.price_list import PriceRow
from fabricwright.units.text import Message, msg

_WITH_LENGTH = re.compile(r"(.+?)[\s_-]+(\d+(?:\.\d+)?)\s*m", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Matched:
    """Prices by part of the project or catalogue; listed numbers that no part has; parts listed twice."""

    prices: tuple[Price, ...]
    unknown: tuple[PriceRow, ...]
    twice: tuple[Message, ...]


def part_names(project: Project) -> dict[str, str]:
    """Every name by which a list may know a part, in lower case -> part id: id, order number, with and without its
    vendor. Parts of the project win over the catalogue's; a name of two parts names neither."""
    out: dict[str, str] = {}
    unsure: set[str] = set()
    store = catalogue()
    rows: list[tuple[str, Part]] = [(i, project.parts[i]) for i in project.parts]
    own = len(rows)
    rows += [(i, store.get(i)) for i in store.ids() if i not in project.parts]
    for n, (part_id, part) in enumerate(rows):
        for name in _names(part_id, part):
            known = out.get(name)
            if known is None:
                out[name] = part_id
            elif known != part_id and n < own and name != known.lower():
                unsure.add(name)
    return {name: part_id for name, part_id in out.items() if name not in unsure or name == part_id.lower()}


def _names(part_id: str, part: Part) -> Iterable[str]:
    yield _key(part_id)
    for number in (part.model.removesuffix(" class"), part.name("en").partition(":")[0]):
        if number and len(number) > 2:
            yield _key(number)
            if part.vendor:
                yield _key(f"{part.vendor} {number}")


def _key(text: str) -> str:
    return " ".join(text.lower().split())


def match_prices(rows: Iterable[PriceRow], project: Project) -> Matched:
    """Listed numbers to part ids, whatever their case; ``aoc-400g 20 m`` is a price of that length. Of two prices of
    one part the one with the later date counts, else the first."""
    names = part_names(project)
    prices: dict[tuple[str, float | None], PriceRow] = {}
    unknown, twice = [], []
    for row in rows:
        part_id, length = _part_id(row, names)
        if part_id is None:
            unknown.append(row)
            continue
        found = replace(row, price=replace(row.price, part=part_id, length_m=row.price.length_m or length))
        key = (part_id, found.price.length_m)
        other = prices.get(key)
        if other is None or found.price.date > other.price.date:
            prices[key] = found
        if other is not None:
            kept = prices[key].place
            twice.append(
                msg(
                    "{part} is listed twice ({a} and {b}); {kept} counts.",
                    part=part_id,
                    a=other.place,
                    b=row.place,
                    kept=kept,
                )
            )
    return Matched(tuple(row.price for row in prices.values()), tuple(unknown), tuple(twice))


def _part_id(row: PriceRow, names: Mapping[str, str]) -> tuple[str | None, float | None]:
    number = _key(row.price.part)
    for name in (number, _key(f"{row.vendor} {number}") if row.vendor else ""):
        if name in names:
            return names[name], None
    if row.vendor and number.startswith(_key(row.vendor) + " "):
        bare = number[len(_key(row.vendor)) + 1 :]
        if bare in names:
            return names[bare], None
    found = _WITH_LENGTH.fullmatch(number)
    if found and found[1] in names:
        return names[found[1]], float(found[2])
    return None, None
