"""What the places of findings and failures are called: as the sheet labels them, not as addresses write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fabricwright.catalog.store import catalogue
from fabricwright.design.address import Address, Step, parse_address
from fabricwright.design.indexset import IndexSet
from fabricwright.design.naming import member_name
from fabricwright.design.values import Design, Item, Link, Sheet
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message

_ABBREVIATION = re.compile(r"[a-z]{2,4}\d+")
_INSIDE = re.compile(r"(gpu|nic|cpu|sw|cxl)\d+")
_ADDRESSED = re.compile(r"[\[/#]")


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
        item = address.steps[0].item
        link = sheet.links.get(item) if sheet else None
        if link is None or link.name:
            return [f"{link.name if link else item}#{address.cable}"]
        return [f"{_link_label(design, sheet, link)} #{address.cable}"]
    out = []
    for n, step in enumerate(address.steps):
        row = _row(design, sheet, step.item)
        meant = step.members
        if meant is None and n == 0 and members and row is not None:
            meant = _parsed(members, row)
        link = sheet.links.get(step.item) if sheet is not None and row is None else None
        own = _own_label(design, sheet, step.item) if row is None or not (row.name or row.axes) else ""
        if own:
            out.append(own)
        elif row is not None:
            out.append(_label(step, row, meant, sheet))
        else:
            out.append(_link_label(design, sheet, link) if link is not None else _plain(step))
        of = (row.of or "") if row is not None else ""
        sheet = design.sheets.get(of[6:]) if of.startswith("sheet:") else None
    if address.port:
        out[-1] = f"{out[-1]}:{address.port}"
    return out


def _row(design: Design, sheet: Sheet | None, item: str) -> Item | None:
    """The stored row of an item, on the sheet or on those that it is a variant of."""
    return next((one.items[item] for one in design.lineage(sheet) if item in one.items), None)


def _parsed(members: str, row: Item) -> IndexSet | None:
    """Members that are not simply all of them."""
    try:
        found = IndexSet.parse(members)
    except UserError:
        return None
    return found if len(found) < row.count else None


def said_of(design: Design, message: Message, at: str = "") -> Message:
    """A message whose values are addresses and ids, with these called as the sheets label them. ``at`` is an address
    in the server whose ids it names alone (``NIC port of slota-nic``: ``node[0-31]/slota-nic:1``)."""
    sheet = None
    try:
        first = parse_address(at).steps[0].item if at else ""
        root = design.sheets.get(design.root)
        row = _row(design, root, first) if first else None
        if row is not None and (row.of or "").startswith("sheet:"):
            sheet = design.sheets.get((row.of or "")[6:])
    except (UserError, IndexError):
        sheet = None
    return _said(design, message, sheet)


def _said(design: Design, message: Message, server: Sheet | None) -> Message:
    return Message(message.template, {key: _value(design, value, server) for key, value in message.params.items()})


def _value(design: Design, value: object, server: Sheet | None) -> object:
    if isinstance(value, Message):
        return _said(design, value, server)
    if isinstance(value, (list, tuple)):
        return [_value(design, one, server) for one in value]
    if not isinstance(value, str) or not value:
        return value
    if ", " in value:
        return ", ".join(str(_value(design, one, server)) for one in value.split(", "))
    if _ADDRESSED.search(value):
        try:
            found = parse_address(value)
        except UserError:
            found = Address(())
        root = design.sheets.get(design.root)
        first = found.steps[0].item if found.steps else ""
        if root is not None and (_row(design, root, first) is not None or first in root.links):
            return thing_text(design, value)
    return "/".join(_inner(design, server, name) for name in value.split("/")) if server is not None else value


def _inner(design: Design, server: Sheet | None, name: str) -> str:
    """An item of a server, or two that a hyphen joins (``cpu0-cpu1``); anything else stays as it is."""
    row = _row(design, server, name)
    own = _own_label(design, server, name) if row is None or not (row.name or row.axes) else ""
    if own or row is not None or _INSIDE.fullmatch(name):
        return own or (_label(Step(name), row, None, server) if row is not None else _plain(Step(name)))
    for n, sign in enumerate(name):
        if sign == "-":
            labels = [_inner(design, server, end) for end in (name[:n], name[n + 1 :])]
            if labels != [name[:n], name[n + 1 :]]:
                return " – ".join(labels)
    return name


def _own_label(design: Design, sheet: Sheet | None, item: str) -> str:
    """``Slot 1`` for the NIC ``slota-nic`` that a chassis brings in its slot ``slota``, which it calls "Slot 1"."""
    slot = item.removesuffix("-nic")
    chassis = next((one.chassis for one in design.lineage(sheet) if one.chassis), None)
    if chassis is None or slot == item or chassis not in catalogue():
        return ""
    there = catalogue().get(chassis).slots.get(slot)
    return there.label if there is not None else ""


def _link_label(design: Design, sheet: Sheet | None, link: Link) -> str:
    """The name of a link, or what it joins: ``node – leaf``."""
    if link.name:
        return link.name
    ends = []
    for end in (link.a, link.b):
        item = re.split(r"[\[/:]", end, maxsplit=1)[0]
        row = _row(design, sheet, item)
        ends.append(_label(Step(item), row, None, sheet) if row is not None else item)
    return " – ".join(ends)


def _plain(step: Step) -> str:
    """An id, in capitals where it is an abbreviation with a number, as the sheet writes it."""
    text = str(step)
    return text.upper() if _ABBREVIATION.fullmatch(text) else text


def _label(step: Step, row: Item, members: IndexSet | None, sheet: Sheet | None) -> str:
    if not row.axes:
        fabric = sheet is not None and sheet.kind == "fabric"  # there "leaf0" is what the card says
        return row.name or (step.item if fabric else _plain(Step(step.item)))
    if members is None or not row.name:
        return step.item if members is None else f"{step.item}[{members}]"
    chosen = list(members)
    first = member_name(row.name, row.axes, chosen[0], step.item)
    if len(chosen) == 1:
        return first
    if chosen[-1] - chosen[0] + 1 == len(chosen):
        return f"{first} … {member_name(row.name, row.axes, chosen[-1], step.item)}"
    return f"{step.item}[{members}]"
