"""What the places of findings and failures are called: as the sheet labels them, not as addresses write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fabricwright.design.address import Address, Step, parse_address
from fabricwright.design.indexset import IndexSet
from fabricwright.design.naming import member_name
from fabricwright.design.values import Design, Item, Sheet
from fabricwright.units.errors import UserError

_ABBREVIATION = re.compile(r"[a-z]{2,4}\d+")


def thing_text(design: Design, address: str, members: str = "") -> str:
    """``n018 › GPU3`` for ``node[17]/gpu3``; ``members`` of the first thing where the address has none. What cannot be
    read, and what the design does not have, stays as it is written."""
    try:
        found = parse_address(address)
    except UserError:
        return address
    return " › ".join(steps_of(design, found, members)) if found.steps else address


def places_text(design: Design, places: Sequence[str], members: str = "") -> str:
    """All places of a finding, short: ``node › GPU0 … GPU7``; ``members`` of the first thing as in ``thing_text``."""
    if not places:
        return ""
    text = thing_text(design, places[0], members)
    if len(places) > 1:
        last = thing_text(design, places[-1]).rpartition(" › ")[2]
        text += f" … {last}" if len(places) > 2 else f", {last}"
    return text


def steps_of(design: Design, address: Address, members: str = "") -> list[str]:
    """The label of every thing on the way, from the fabric sheet inwards; a cable is one of its link."""
    sheet = design.sheets.get(design.root)
    if address.cable is not None:
        link = sheet.links.get(address.steps[0].item) if sheet else None
        return [f"{(link.name if link else '') or address.steps[0].item}#{address.cable}"]
    out = []
    for n, step in enumerate(address.steps):
        row = _row(design, sheet, step.item)
        meant = step.members
        if meant is None and n == 0 and members and row is not None:
            meant = _parsed(members, row)
        link = sheet.links.get(step.item) if sheet is not None and row is None else None
        if row is not None:
            out.append(_label(step, row, meant))
        else:
            out.append(link.name if link is not None and link.name else _plain(step))
        of = (row.of or "") if row is not None else ""
        sheet = design.sheets.get(of[6:]) if of.startswith("sheet:") else None
    if address.port:
        out[-1] = f"{out[-1]}:{address.port}"
    return out


def _row(design: Design, sheet: Sheet | None, item: str) -> Item | None:
    """The stored row of an item, on the sheet or on those that it is a variant of."""
    seen: set[str] = set()
    while sheet is not None:
        if item in sheet.items:
            return sheet.items[item]
        base = sheet.base or ""
        sheet = design.sheets.get(base) if base not in seen else None
        seen.add(base)
    return None


def _parsed(members: str, row: Item) -> IndexSet | None:
    """Members that are not simply all of them."""
    try:
        found = IndexSet.parse(members)
    except UserError:
        return None
    return found if len(found) < row.count else None


def _plain(step: Step) -> str:
    """An id, in capitals where it is an abbreviation with a number, as the sheet writes it."""
    text = str(step)
    return text.upper() if _ABBREVIATION.fullmatch(text) else text


def _label(step: Step, row: Item, members: IndexSet | None) -> str:
    if not row.axes:
        return row.name or _plain(Step(step.item))
    if members is None or not row.name:
        return step.item if members is None else f"{step.item}[{members}]"
    chosen = list(members)
    first = member_name(row.name, row.axes, chosen[0], step.item)
    if len(chosen) == 1:
        return first
    if chosen[-1] - chosen[0] + 1 == len(chosen):
        return f"{first} … {member_name(row.name, row.axes, chosen[-1], step.item)}"
    return f"{step.item}[{members}]"
