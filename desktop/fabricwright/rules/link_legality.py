"""What the mouse asks while a link is being drawn between two ends: would it be one that the rules accept?

Ends are written as in a link row: "item:ports", "item:export" or "item:slot". Plain Python on one effective sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabricwright.catalog.parts import Port
from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.values import Design, Project
from fabricwright.topology.pcie_tree import TREE_MEDIA
from fabricwright.units.record import record
from fabricwright.units.text import Message, msg

Said = tuple[str, Message]

_UPWARDS = ("up",)
_DOWNWARDS = ("down", "root")


@record
class LinkEnd:
    """An end of a link: its port names ("inner:port" for exports of a server) with what is known of each."""

    text: str
    item: str
    names: tuple[str, ...]
    ports: Mapping[str, Port]
    is_slot: bool

    def some(self) -> Port | None:
        """The first port that exists."""
        return next((self.ports[n] for n in self.names if n in self.ports), None)


def link_legality(
    project: Project, design_id: str, sheet_id: str, a_end: str, b_end: str, *, ignore_link: str | None = None
) -> tuple[Said, ...]:
    """(rule id, text) for each thing against a link between two ends; empty when nothing is.

    ``ignore_link`` = a link being moved, whose own ports do not count as taken.
    """
    design = project.designs.get(design_id)
    if design is None or sheet_id not in design.sheets:
        return ()
    eff = effective(project, design, sheet_id)
    a, b = resolve(project, design, eff, a_end), resolve(project, design, eff, b_end)
    return tuple(_objections(project, design, eff, a, b, ignore_link))


def resolve(project: Project, design: Design, eff: EffSheet, end: str) -> LinkEnd:
    """Take an end apart. Unknown items and ports are simply not in ``ports``."""
    item_id, text = split_end(end)
    item = eff.items.get(item_id.partition("/")[0] if item_id not in eff.items else item_id)
    if end in eff.slots:
        return LinkEnd(end, item_id, (text,), {}, True)
    if item is None:
        return LinkEnd(end, item_id, tuple(expand_ports(text)), {}, False)
    if item.of.startswith("sheet:"):
        inner = effective(project, design, item.of[6:])
        owner = item_id.partition("/")[2]
        if owner:
            names = [f"{owner}:{p}" for p in expand_ports(text)]
        else:
            names = list(inner.exports[text].ports) if text in inner.exports else expand_ports(text)
        found = {}
        for name in names:
            owner, _, port = name.partition(":")
            if owner in inner.items and port in inner.items[owner].ports:
                found[name] = inner.items[owner].ports[port]
        return LinkEnd(end, item_id, tuple(names), found, False)
    exports = item.part.interior.exports if item.part is not None and item.part.interior is not None else {}
    if text in exports:
        names = [f"{item_id}/{p}" for p in exports[text].ports]
        found = {}
        for name in names:
            owner, _, port = name.partition(":")
            if owner in eff.items and port in eff.items[owner].ports:
                found[name] = eff.items[owner].ports[port]
        return LinkEnd(end, item_id, tuple(names), found, False)
    names = expand_ports(text)
    return LinkEnd(end, item_id, tuple(names), {n: item.ports[n] for n in names if n in item.ports}, False)


def _objections(
    project: Project, design: Design, eff: EffSheet, a: LinkEnd, b: LinkEnd, ignore: str | None
) -> Iterator[Said]:
    if a.text == b.text:
        yield "", msg("A link needs two different ends.")
        return
    if a.is_slot and b.is_slot:
        yield "LAN-11", msg("Both ends are slots; a slot is fed by a port.")
        return
    for end in (a, b):
        missing = [n for n in end.names if n not in end.ports] if not end.is_slot else []
        if missing:
            rule = "LAN-07" if eff.kind == "server" else "FAB-01"
            yield rule, msg("{item} has no port {ports} as it is configured.", item=end.item, ports=missing[:4])
    yield from _media(a, b)
    yield from _directions(eff, a, b)
    yield from _connectors(eff, a, b)
    yield from _taken(project, design, eff, a, b, ignore)


def media_of(port: Port) -> frozenset[str]:
    """Media a port can carry. A CXL port also carries PCIe."""
    media = {port.medium, *port.media}
    return frozenset(media | ({"pcie"} if port.medium == "cxl" else set()))


def _media(a: LinkEnd, b: LinkEnd) -> Iterator[Said]:
    first, second = a.some(), b.some()
    slot_side = second if a.is_slot else first if b.is_slot else None
    if slot_side is not None and not media_of(slot_side) & set(TREE_MEDIA):
        yield "OPT-01", msg("A slot is fed by PCIe, not by {medium}.", medium=slot_side.medium)
    if first is not None and second is not None and not media_of(first) & media_of(second):
        yield (
            "OPT-01",
            msg(
                "{a} is {a_medium}, {b} is {b_medium}: they do not join.",
                a=a.text,
                b=b.text,
                a_medium=first.medium,
                b_medium=second.medium,
            ),
        )


def _directions(eff: EffSheet, a: LinkEnd, b: LinkEnd) -> Iterator[Said]:
    first, second = a.some(), b.some()
    for end, port in ((a, second), (b, first)):
        if end.is_slot and eff.slots[end.text].fed_by:
            yield "LAN-11", msg("Slot {slot} is fed by the board already.", slot=end.text)
        if end.is_slot and port is not None and port.role in _UPWARDS:
            yield "LAN-11", msg("Slot {slot} needs a port that faces away from the processor.", slot=end.text)
    if first is None or second is None or first.medium not in TREE_MEDIA:
        return
    if first.role in _UPWARDS and second.role in _UPWARDS:
        yield "LAN-11", msg("Both ports face the processor.")
    if first.role in _DOWNWARDS and second.role in _DOWNWARDS:
        yield "LAN-11", msg("Both ports face away from the processor.")


def connector_of(eff: EffSheet, end: LinkEnd) -> str:
    """Cable connector of an end ("MCIO-8i"), "" for traces and edges."""
    if end.is_slot:
        feed = eff.slots[end.text].cable_feed
        return feed.connector if feed is not None else ""
    port = end.some()
    return port.connector if port is not None else ""


def _connectors(eff: EffSheet, a: LinkEnd, b: LinkEnd) -> Iterator[Said]:
    first, second = connector_of(eff, a), connector_of(eff, b)
    if first and second and _family(first) != _family(second):
        yield (
            "OPT-01",
            msg(
                "{a} has {a_connector}, {b} has {b_connector}: no cable joins them.",
                a=a.text,
                b=b.text,
                a_connector=first,
                b_connector=second,
            ),
        )


def _family(connector: str) -> str:
    """``MCIO-8i`` and ``MCIO-4i`` are one family; ``external x8`` and ``CDFP`` are others."""
    return connector.split(" ")[0].split("-")[0].lower()


def _taken(
    project: Project, design: Design, eff: EffSheet, a: LinkEnd, b: LinkEnd, ignore: str | None
) -> Iterator[Said]:
    """Ports that another link has. Between groups only whole overlaps count: the wiring deals single ports later."""
    for end in (a, b):
        wanted = set(end.names)
        for link_id, link in eff.links.items():
            if link_id == ignore:
                continue
            for other in (link.a, link.b):
                if split_end(other)[0] != end.item:
                    continue
                names = set(resolve(project, design, eff, other).names)
                both = wanted & names
                if both and link.wire.mode != "rows":
                    shown = sorted(both)[:3]
                    rule = "LAN-11" if eff.kind == "server" else "FAB-01"
                    yield (
                        rule,
                        msg("{item}: {ports} is taken by link {link}.", item=end.item, ports=shown, link=link_id),
                    )
        if not end.is_slot:
            built = {f"{end.item}:{n}" for n in wanted} | wanted
            for row in eff.builtin_links.values():
                if row.a in built or row.b in built:
                    yield "LAN-11", msg("{end} is wired on the board already.", end=end.text)
                    break
