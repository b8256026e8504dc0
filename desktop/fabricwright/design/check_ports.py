"""Ends and seats that name a port or slot which the thing cannot have, in no mode and under no breakout.

Such a row is still a value (a part may have been replaced by a smaller one), so the window opens it; the command line
refuses to compute with it and names the place. A port of another mode is not meant here: a rule reports that.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import split_ports
from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.values import Design, Link, Project
from fabricwright.units.text import Message, msg


def impossible_ports(project: Project) -> Iterator[Message]:
    """One message for every such end, export or seat, naming the place in the file."""
    for design_id, design in project.designs.items():
        for sheet_id, sheet in design.sheets.items():
            eff = effective(project, design, sheet_id)
            where = f"designs.{design_id}.sheets.{sheet_id}"
            for link_id, link in sheet.links.items():
                for side, end in (("a", link.a), ("b", link.b)):
                    yield from _end(project, design, eff, end, f"{where}.links.{link_id}.{side}")
                yield from _listed_members(eff, link, f"{where}.links.{link_id}.wire.rows")
            for name, export in sheet.exports.items():
                for port in export.ports:
                    yield from _end(project, design, eff, port, f"{where}.exports.{name}")
            for item_id, item in sheet.items.items():
                if item.seat and item.seat not in eff.slots and _holder_is_known(eff, item.seat):
                    place = f"{where}.items.{item_id}"
                    yield msg("{where}.seat: slot '{slot}' does not exist.", where=place, slot=item.seat)


def _listed_members(eff: EffSheet, link: Link, where: str) -> Iterator[Message]:
    """Explicit wiring that names a member which the group does not have."""
    for side, end in ((0, link.a), (2, link.b)):
        item = eff.items.get(split_end(end)[0])
        if item is None:
            continue
        count = prod(size for _, size in item.axes)
        for n, row in enumerate(link.wire.rows):
            if not 0 <= row[side] < count:
                place = f"{where}[{n}]"
                yield msg("{where}: '{item}' has no member {member}.", where=place, item=item.id, member=row[side])
                return


def _holder_is_known(eff: EffSheet, seat: str) -> bool:
    holder = split_end(seat)[0]
    if holder == "chassis":
        return eff.chassis_part is not None
    return holder in eff.items and eff.items[holder].part is not None


def _end(project: Project, design: Design, eff: EffSheet, end: str, where: str) -> Iterator[Message]:
    owner, ports = split_end(end)
    if end in eff.slots or not ports:
        return
    if owner == "chassis":
        if eff.chassis_part is not None:
            yield msg("{where}: slot '{slot}' does not exist.", where=where, slot=end)
        return
    item = eff.items.get(owner)
    if item is None:
        outer, _, inner = owner.partition("/")
        group = eff.items.get(outer)
        if group is None or not group.of.startswith("sheet:"):
            return
        item = effective(project, design, group.of[6:]).items.get(inner)
        if item is None:
            yield msg("{where}: item '{item}' does not exist.", where=where, item=owner)
            return
    if item.of.startswith("sheet:"):
        if ports not in effective(project, design, item.of[6:]).exports:
            yield msg("{where}: server '{item}' has no export '{ports}'.", where=where, item=owner, ports=ports)
        return
    if item.part is None:
        return
    if item.part.interior is not None and ports in item.part.interior.exports:
        return
    possible = possible_ports(item)
    for port in expand_ports(ports):
        if port not in possible:
            yield msg(
                "{where}: port '{port}' does not exist on '{item}' ({part}).",
                where=where,
                port=port[:40],
                item=owner,
                part=item.part.model or item.of,
            )
            return


def possible_ports(item: EffItem) -> frozenset[str]:
    """Names of all ports that an item has or could have."""
    names = set(item.ports)
    if item.part is not None:
        names |= ports_in_any_mode(item.part)
    return frozenset(names)


def ports_in_any_mode(part: Part) -> frozenset[str]:
    """Names of all ports of a part over its modes and breakouts."""
    names = set(part.ports)
    for mode in part.modes.values():
        names.update(mode.ports)
    for cage_name, cage in part.cages.items():
        if not cage.ports:
            for split in (cage.default, *cage.breakouts):
                names.update(split_ports(cage_name, cage, split))
    return frozenset(names)
