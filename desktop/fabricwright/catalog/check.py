"""Does a part hold together: lanes, feeds, links, cages, exports. Used by the bake and by ``catalog check``.

Lane arithmetic follows the boards: every root port feeds exactly one thing, every switch port at most one, every slot
is fed exactly once (by a port, by a cable, or by a C2C link to what sits in it), and nothing is wider than what feeds
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

from fabricwright.catalog.parts import Interior, Part, Port
from fabricwright.catalog.ports import parse_split, ports_of
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

PCIE = ("pcie", "cxl")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not add up in a part: ``part`` id, ``place`` inside it, a sentence.

    ``kind`` is the proof that failed: lanes, slots, ports (cages, ports, exports, modes), links, classes.
    """

    part: str
    place: str
    message: Message
    kind: str = ""


@dataclass(frozen=True, slots=True)
class SocketLanes:
    """PCIe lanes of one CPU: ``wired`` from root ports, ``available`` after socket links."""

    wired: int
    available: int


def socket_lanes(part: Part) -> dict[str, SocketLanes]:
    """CPU item -> its lanes, for every CPU of the part's interior."""
    out: dict[str, SocketLanes] = {}
    if part.interior:
        for item_id, item in part.interior.items.items():
            available = item.config.get("lanes_available")
            if isinstance(available, int):
                wired = sum(p.lanes for p in item.ports.values() if p.role == "root" and p.medium in PCIE)
                out[item_id] = SocketLanes(wired, available)
    return out


def check_catalogue(parts: Mapping[str, Part]) -> list[Problem]:
    """All problems of all parts, in the order of ``parts``."""
    return [problem for part_id, part in parts.items() for problem in check_part(part_id, part, parts)]


def check_part(part_id: str, part: Part, parts: Mapping[str, Part]) -> list[Problem]:
    """Problems of one part. ``parts`` resolves what its built-in items are."""
    return [Problem(part_id, place, message, kind) for kind, found in _proofs(part, parts) for place, message in found]


_Found = Iterator[tuple[str, Message]]


def _proofs(part: Part, parts: Mapping[str, Part]) -> Iterator[tuple[str, _Found]]:
    yield "ports", _check_modes_and_cages(part)
    if part.interior is None:
        yield "slots", _check_own_slots(part)
        return
    ports = interior_ports(part.interior, parts)
    yield "links", _check_links(part.interior, ports)
    yield "slots", _check_slots(part, part.interior, ports)
    yield "slots", _check_feeds(part, part.interior, ports)
    yield "lanes", _check_lanes(part, part.interior, ports, parts)
    yield "ports", _check_outside(part, part.interior, ports)


@dataclass(frozen=True, slots=True)
class Proven:
    """How much one kind of proof looked at: ``counts`` by what, for one line of ``catalog check``."""

    kind: str
    counts: Mapping[str, int]
    message: Message


def proven(parts: Mapping[str, Part]) -> list[Proven]:
    """What ``check_catalogue`` of these parts looks at, one row per kind."""
    inside = [part.interior for part in parts.values() if part.interior]
    sockets = sum(len(socket_lanes(part)) for part in parts.values())
    chips = sum(len({item.chip for item in row.items.values() if item.chip}) for row in inside)
    slots = sum(len(part.slots) for part in parts.values())
    cages = sum(len(part.cages) for part in parts.values())
    ports = sum(len(ports_of(part, Table())) for part in parts.values())
    links = sum(len(row.links) for row in inside)
    return [
        Proven(
            "lanes",
            {"sockets": sockets, "chips": chips},
            msg(
                "lanes: {sockets} sockets and {chips} switch chips have the lanes they use",
                sockets=sockets,
                chips=chips,
            ),
        ),
        Proven(
            "ports",
            {"cages": cages, "ports": ports},
            msg("cages and ports: {cages} cages and {ports} ports belong together", cages=cages, ports=ports),
        ),
        Proven("slots", {"slots": slots}, msg("slots: {slots} slots are fed exactly once", slots=slots)),
        Proven("links", {"links": links}, msg("links: {links} built-in links join ports that exist", links=links)),
    ]


def interior_ports(interior: Interior, parts: Mapping[str, Part]) -> dict[str, Port]:
    """``item:port`` -> port of every built-in item: the part's own ports, overlaid by those of the instance."""
    out: dict[str, Port] = {}
    for item_id, item in interior.items.items():
        own = parts.get(item.of)
        if own is not None:
            out.update({f"{item_id}:{name}": port for name, port in ports_of(own, item.config).items()})
        out.update({f"{item_id}:{name}": port for name, port in item.ports.items()})
    return out


def _check_modes_and_cages(part: Part) -> _Found:
    if part.modes and part.default_mode not in part.modes:
        yield "default_mode", msg("the default mode {mode} is not one of the modes", mode=part.default_mode)
    for name, cage in part.cages.items():
        for split in (cage.default, *cage.breakouts):
            if split and parse_split(split) is None:
                yield (
                    f"cages.{name}",
                    msg("{split} of cage {cage} is not a split such as 2x200", split=split, cage=name),
                )
    tables: list[Table[Port]] = [part.ports, *(mode.ports for mode in part.modes.values())]
    for table in tables:
        for name, port in table.items():
            if port.cage and port.cage not in part.cages:
                yield (
                    f"ports.{name}",
                    msg("port {port} names a cage {cage} that does not exist", port=name, cage=port.cage),
                )


def _check_own_slots(part: Part) -> _Found:
    used: dict[str, int] = {}
    for name, slot in part.slots.items():
        feed = part.ports.get(slot.fed_by) if slot.fed_by else None
        if feed is None:
            yield (
                f"slots.{name}",
                msg("slot {slot} is fed by {port}, which is not a port", slot=name, port=slot.fed_by or "nothing"),
            )
            continue
        used[slot.fed_by] = used.get(slot.fed_by, 0) + slot.electrical
        if slot.gen > feed.gen:
            yield (
                f"slots.{name}",
                msg(
                    "slot {slot} is newer (Gen{gen}) than its feed (Gen{feed})", slot=name, gen=slot.gen, feed=feed.gen
                ),
            )
    for port, lanes in used.items():
        if lanes > part.ports[port].lanes:
            yield (
                f"ports.{port}",
                msg(
                    "slots take {lanes} lanes from {port}, which has {width}",
                    lanes=lanes,
                    port=port,
                    width=part.ports[port].lanes,
                ),
            )


def _check_links(interior: Interior, ports: Mapping[str, Port]) -> _Found:
    for link_id, link in interior.links.items():
        for end in (link.a, link.b):
            port = ports.get(end)
            if port is None:
                yield f"links.{link_id}", msg("link {link} ends at {end}, which does not exist", link=link_id, end=end)
            elif link.lanes > port.lanes and link.medium in PCIE:
                yield (
                    f"links.{link_id}",
                    msg(
                        "link {link} has {lanes} lanes, its end {end} {width}",
                        link=link_id,
                        lanes=link.lanes,
                        end=end,
                        width=port.lanes,
                    ),
                )
            elif link.gen > port.gen and link.medium in PCIE:
                yield (
                    f"links.{link_id}",
                    msg(
                        "link {link} is Gen{gen}, its end {end} Gen{feed}",
                        link=link_id,
                        gen=link.gen,
                        end=end,
                        feed=port.gen,
                    ),
                )


def _check_slots(part: Part, interior: Interior, ports: Mapping[str, Port]) -> _Found:
    seated: dict[str, list[str]] = {}
    for item_id, item in interior.items.items():
        if item.seat:
            seated.setdefault(item.seat, []).append(item_id)
    c2c = {
        end.partition(":")[0] for link in interior.links.values() if link.medium == "c2c" for end in (link.a, link.b)
    }
    for seat, items in seated.items():
        box, _, slot_name = seat.partition(":")
        if box != "chassis" or slot_name not in part.slots:
            yield f"items.{items[0]}", msg("{item} sits in {seat}, which does not exist", item=items[0], seat=seat)
        if len(items) > 1:
            yield f"items.{items[1]}", msg("{seat} holds {items}", seat=seat, items=items)
    for name, slot in part.slots.items():
        by_c2c = any(item in c2c for item in seated.get(f"chassis:{name}", ()))
        ways = (1 if slot.fed_by else 0) + (1 if slot.cable_feed else 0) + (1 if by_c2c else 0)
        if ways != 1:
            yield f"slots.{name}", msg("slot {slot} is fed {count} times", slot=name, count=ways)
        if slot.neighbour and slot.neighbour not in part.slots:
            yield (
                f"slots.{name}",
                msg("slot {slot} covers {other}, which does not exist", slot=name, other=slot.neighbour),
            )
        if slot.fed_by:
            feed = ports.get(slot.fed_by)
            if feed is None:
                yield (
                    f"slots.{name}",
                    msg("slot {slot} is fed by {port}, which does not exist", slot=name, port=slot.fed_by),
                )
            elif slot.electrical > feed.lanes or slot.gen > feed.gen:
                yield (
                    f"slots.{name}",
                    msg(
                        "slot {slot} is Gen{gen} x{lanes}, its feed {port} Gen{feed_gen} x{feed_lanes}",
                        slot=name,
                        gen=slot.gen,
                        lanes=slot.electrical,
                        port=slot.fed_by,
                        feed_gen=feed.gen,
                        feed_lanes=feed.lanes,
                    ),
                )


def _check_feeds(part: Part, interior: Interior, ports: Mapping[str, Port]) -> _Found:
    fed: dict[str, list[str]] = {}
    for name, slot in part.slots.items():
        if slot.fed_by:
            fed.setdefault(slot.fed_by, []).append(f"slot {name}")
    for link_id, link in interior.links.items():
        if link.medium in (*PCIE, "dmi"):
            fed.setdefault(link.a, []).append(f"link {link_id}")
            if ports.get(link.b, Port("")).role != "up":
                yield (
                    f"links.{link_id}",
                    msg(
                        "link {link} must run from the CPU side to an upstream port, not to {end}",
                        link=link_id,
                        end=link.b,
                    ),
                )
    for end, things in fed.items():
        if len(things) > 1:
            yield end, msg("{port} feeds {things}", port=end, things=things)
    for end, port in ports.items():
        if port.role == "root" and port.medium in PCIE and end not in fed:
            yield end, msg("root port {port} feeds nothing", port=end)


def _check_lanes(part: Part, interior: Interior, ports: Mapping[str, Port], parts: Mapping[str, Part]) -> _Found:
    for cpu, lanes in socket_lanes(part).items():
        if lanes.wired > lanes.available:
            yield (
                cpu,
                msg(
                    "{cpu} has {available} lanes, its root ports take {wired}",
                    cpu=cpu,
                    available=lanes.available,
                    wired=lanes.wired,
                ),
            )
    chips: dict[str, int] = {}
    chip_part: dict[str, str] = {}
    for item_id, item in interior.items.items():
        if item.chip:
            own = [p for end, p in ports.items() if end.startswith(f"{item_id}:") and p.medium in PCIE]
            chips[item.chip] = chips.get(item.chip, 0) + sum(p.lanes for p in own)
            chip_part[item.chip] = item.chip_part
    for chip, taken in chips.items():
        model = parts.get(chip_part[chip])
        limit = int(model.get("chip_lanes")) if model else 0
        if limit and taken > limit:
            yield (
                chip,
                msg(
                    "chip {chip} ({model}) has {limit} lanes, its ports take {taken}",
                    chip=chip,
                    model=chip_part[chip],
                    limit=limit,
                    taken=taken,
                ),
            )


def _check_outside(part: Part, interior: Interior, ports: Mapping[str, Port]) -> _Found:
    shown: dict[str, str] = {}
    for name, export in interior.exports.items():
        if export.axes and prod(n for _, n in export.axes) != len(export.ports):
            yield (
                f"exports.{name}",
                msg("the axes of {export} do not multiply to its {count} ports", export=name, count=len(export.ports)),
            )
        for end in export.ports:
            if end not in ports:
                yield f"exports.{name}", msg("export {export} shows {end}, which does not exist", export=name, end=end)
            if end in shown:
                yield (
                    f"exports.{name}",
                    msg("{end} is in {export} and in {other}", end=end, export=name, other=shown[end]),
                )
            shown[end] = name
    caged: dict[str, str] = {}
    for name, cage in part.cages.items():
        for end in cage.ports:
            if end not in ports:
                yield f"cages.{name}", msg("cage {cage} holds {end}, which does not exist", cage=name, end=end)
            if end in caged:
                yield (
                    f"cages.{name}",
                    msg("{end} is in cage {cage} and in {other}", end=end, cage=name, other=caged[end]),
                )
            caged[end] = name
