"""One link of the PCIe tree, from a device up to the next bridge or root port, with everything on the way that
limits it.

Width and generation of the drawn tree come from ``topology.pcie_tree``; here the slot, cable, retimers and ports are
kept apart so that a message can name the one that binds. Pure Python on one effective sheet: legality runs it in the
window.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fabricwright.catalog.parts import Part, Slot
from fabricwright.design.address import split_end
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.rules.card import upstream_port
from fabricwright.rules.switched import number_in
from fabricwright.topology.constants import pcie_rate
from fabricwright.topology.pcie_tree import TREE_MEDIA, PcieTree, build_tree
from fabricwright.units.record import record
from fabricwright.units.table import Table

# What large transfers get of it: 88 %, H200 on Gen5 x16, 55.4 of 63.0 GB/s (read, mleng).
PAYLOAD_SHARE = 0.88


def raw_gbps(lanes: int, gen: int) -> float:
    """Gb/s of a link after encoding: Gen5 x16 = 504. Unknown generations count as Gen5."""
    return pcie_rate(lanes, gen) * 8 / 1e9


def raw_gbs(lanes: int, gen: int) -> float:
    """The same in GB/s: Gen5 x16 = 63.0."""
    return raw_gbps(lanes, gen) / 8


@record
class Step:
    """Something a link passes. ``kind`` slot | cable | port | retimer | riser | board; 0 = sets no limit."""

    kind: str
    name: str
    lanes: int = 0
    gen: int = 0


@record
class DeviceLink:
    """The link above a device. ``parent``/``port`` the bridge or processor it ends in ("" = hangs on nothing)."""

    parent: str
    port: str
    own_lanes: int
    own_gen: int
    steps: tuple[Step, ...]
    retimers: tuple[str, ...]

    @property
    def lanes(self) -> int:
        """Lanes it trains to."""
        return min([self.own_lanes or 16, *(s.lanes for s in self.steps if s.lanes)])

    @property
    def gen(self) -> int:
        """Generation it trains to."""
        return min([self.own_gen or 9, *(s.gen for s in self.steps if s.gen)])

    def narrowest(self) -> Step | None:
        """The first thing on the way with fewer lanes than the device."""
        return next((s for s in self.steps if s.lanes == self.lanes and s.lanes < (self.own_lanes or 16)), None)

    def oldest(self) -> Step | None:
        """The first thing on the way of an older generation than the device."""
        return next((s for s in self.steps if s.gen == self.gen and s.gen < self.own_gen), None)


_SHORT = re.compile(r"[a-z]{1,4}\d+(-\d+)?")
"""Ids of slots that are abbreviations: s3, bay1, u2-4."""


@dataclass(slots=True)
class ServerView:
    """A server sheet with its tree and the indexes that the predicates need."""

    eff: EffSheet
    tree: PcieTree
    parts: Table[Part]
    fed: Mapping[str, tuple[str, str]]
    seated: Mapping[str, list[str]]
    joined: Mapping[frozenset[str], str] = field(default_factory=dict)
    _links: dict[str, DeviceLink | None] = field(default_factory=dict)
    _children: dict[str, list[str]] = field(default_factory=dict)

    def slot_label(self, seat: str) -> str:
        """``S3`` or ``ext0 G1``: how people name a slot."""
        owner, _, name = seat.partition(":")
        slot = self.eff.slots.get(seat)
        short = name.upper() if _SHORT.fullmatch(name) else name  # as the sheet writes it
        shown = (slot.label if slot and slot.label else short) or seat
        shown = shown[5:] if shown.lower().startswith("slot ") else shown
        return shown if owner == "chassis" else f"{owner} {shown}"

    def others_in(self, seat: str, item: str) -> list[str]:
        """Items in a slot besides ``item``."""
        return [i for i in self.seated.get(seat, ()) if i != item]

    def feed_of_slot(self, seat: str) -> tuple[str, str, str]:
        """(item, port, cable link id) that feeds a slot; empty strings when nothing does."""
        slot = self.eff.slots.get(seat)
        if slot is None:
            return "", "", ""
        if slot.fed_by:
            owner, port = split_end(slot.fed_by)
            return owner, port, ""
        if seat in self.fed:
            link_id, other = self.fed[seat]
            owner, port = split_end(other)
            return owner, port, link_id
        return "", "", ""

    def is_passive(self, node: str) -> bool:
        """Retimers, risers, backplanes and connectors: the link goes through."""
        return node in self.tree.items and node not in self.tree.cpus and self.tree.levels(node) == 0

    def above(self, node: str) -> list[str]:
        """Nodes above a device, the processor last; the device itself excluded."""
        return self.tree.chain(node)[1:]

    def cpu_above(self, node: str) -> str:
        """Processor that a node hangs on (or is), "" when none."""
        return self.tree.cpu_of(node) if node in self.tree.items else ""

    def below(self, node: str) -> list[str]:
        """Everything that hangs below a node, at any depth."""
        return [other for other in self.tree.feeds if other != node and node in self.above(other)]

    def children(self) -> dict[str, list[str]]:
        """Node -> nodes that hang directly on it. Read only; kept, because many rules ask."""
        if not self._children:
            for node, feed in self.tree.feeds.items():
                self._children.setdefault(feed.parent, []).append(node)
        return self._children


_recent: list[tuple[EffSheet, Table[Part], ServerView]] = []


def server_view(eff: EffSheet, parts: Table[Part]) -> ServerView:
    """The view of an effective sheet; the last few are kept, so that a drag computes it once."""
    for known, known_parts, view in _recent:
        if known is eff and known_parts is parts:
            return view
    joined: dict[frozenset[str], str] = {}
    for link_id, link in eff.links.items():
        if link.medium in TREE_MEDIA:
            joined[frozenset((split_end(link.a)[0], split_end(link.b)[0]))] = link_id
    view = ServerView(eff, build_tree(eff), parts, eff.cable_fed(), eff.seated(), joined)
    _recent.insert(0, (eff, parts, view))
    del _recent[12:]
    return view


def split_lanes(split: str) -> tuple[int, ...]:
    """``"x8x4x4"`` -> (8, 4, 4); ``"2x8"`` -> (8, 8); empty when it is not a split."""
    text = split.strip().lower()
    try:
        if text.startswith("x"):
            return tuple(int(piece) for piece in text[1:].split("x"))
        count, _, lanes = text.partition("x")
        return (int(lanes),) * int(count) if 0 < int(count) <= 64 else ()
    except ValueError:
        return ()


def slot_split(item: EffItem) -> str:
    """BIOS split asked of the slot the item sits in (config ``slot_split``, "x8x8"), "" when not stated."""
    value = item.config.get("slot_split")
    return value if isinstance(value, str) else ""


def slot_link(view: ServerView, seat: str, own_lanes: int, own_gen: int, split: str = "") -> DeviceLink:
    """The link that a card with ``own_lanes``/``own_gen`` would get in a slot."""
    slot = view.eff.slots.get(seat)
    steps = list(_slot_steps(view, seat, slot, split))
    owner, port, _ = view.feed_of_slot(seat)
    return _upwards(view, owner, port, own_lanes, own_gen, steps, [])


def device_link(view: ServerView, item_id: str) -> DeviceLink | None:
    """The link above an item; None when it hangs on nothing. Kept in the view, because many rules ask."""
    if item_id not in view._links:
        view._links[item_id] = _device_link(view, item_id)
    return view._links[item_id]


def _device_link(view: ServerView, item_id: str) -> DeviceLink | None:
    item = view.eff.items.get(item_id)
    feed = view.tree.feeds.get(item_id)
    if item is None or feed is None or feed.c2c:
        return None
    up = upstream_port(item.ports)
    own_lanes, own_gen = (up.lanes, up.gen) if up else (0, 0)
    own_gen = own_gen or (int(item.part.get("pcie_gen")) if item.part else 0)
    steps = list(_hop_steps(view, item_id, item))
    return _upwards(view, feed.parent, feed.port, own_lanes or feed.lanes, own_gen or feed.gen, steps, [])


def _upwards(
    view: ServerView, owner: str, port: str, lanes: int, gen: int, steps: list[Step], retimers: list[str]
) -> DeviceLink:
    seen: set[str] = set()
    while owner:
        row = view.tree.items.get(owner)
        known = row.ports.get(port) if row is not None else None
        passive = view.is_passive(owner)
        if row is not None and row.kind == "retimer":
            retimers.append(owner)
        if known is not None:
            kind = "retimer" if row is not None and row.kind == "retimer" else "port"
            steps.append(Step(kind, owner if kind == "retimer" else f"{owner}:{port}", known.lanes, known.gen))
        feed = view.tree.feeds.get(owner)
        if not passive or owner in seen or feed is None:
            break
        seen.add(owner)
        if row is not None:
            up = upstream_port(row.ports)
            if up is not None:
                steps.append(Step("retimer" if row.kind == "retimer" else "riser", owner, up.lanes, up.gen))
            steps += _hop_steps(view, owner, row)
        owner, port = feed.parent, feed.port
    return DeviceLink(owner, port, lanes, gen, tuple(steps), tuple(retimers))


def _hop_steps(view: ServerView, node: str, item: EffItem) -> Iterator[Step]:
    """What lies between a node and its parent: the slot and its cable, a cable, or board traces."""
    feed = view.tree.feeds.get(node)
    slot = view.eff.slots.get(item.seat) if item.seat else None
    if slot is not None:
        yield from _slot_steps(view, item.seat, slot, slot_split(item))
        return
    if feed is None:
        return
    pair = frozenset((split_end(node)[0], split_end(feed.parent)[0]))
    link_id = view.joined.get(pair, "")
    if link_id:
        yield from _cable_steps(view, link_id)
        return
    for row in view.eff.builtin_links.values():
        if split_end(row.b)[0] == item.id and row.medium in TREE_MEDIA:
            yield Step("board", row.a, row.lanes, row.gen)
            return


def _slot_steps(view: ServerView, seat: str, slot: Slot | None, split: str) -> Iterator[Step]:
    if slot is None:
        return
    share = split_lanes(split)
    lanes = min(slot.electrical, share[0]) if share and share[0] else slot.electrical
    yield Step("slot", view.slot_label(seat), lanes, slot.gen)
    link_id = view.feed_of_slot(seat)[2]
    if link_id:
        yield from _cable_steps(view, link_id)


def _cable_steps(view: ServerView, link_id: str) -> Iterator[Step]:
    part = view.parts.get(view.eff.links[link_id].cable)
    if part is not None:
        yield Step("cable", link_id, int(part.get("lanes")), int(part.get("pcie_gen")))


@record
class SocketLanes:
    """Lanes of one processor: ``assigned`` to root ports in use (a port counts in full, more when more hangs on it)."""

    cpu: str
    assigned: int
    available: int
    estimate: bool


def lanes_available(item: EffItem, sockets: int = 0, xgmi: int = 0) -> tuple[int, bool]:
    """(lanes of a processor in this board, whether that is an estimate); 0 when nothing states it.

    Without a board's own figure the platform's counts: ``lanes_1s`` for a processor alone, and on two-socket EPYC half
    of what the ``xgmi`` links between the sockets leave.
    """
    stated = item.config.get("lanes_available")
    if isinstance(stated, (int, float)) and not isinstance(stated, bool):
        return int(stated), item.estimate
    part = item.part
    if part is None:
        return 0, True
    figure = "lanes_1s" if sockets == 1 and part.get("lanes_1s") else "lanes_per_socket"
    lanes = int(part.get(figure))
    if sockets == 2 and xgmi:
        left = xgmi_lanes(part, xgmi)
        figure, lanes = ("lanes_2s_options", left // 2) if left else (figure, lanes)
    row = part.figures.get(figure)
    return lanes, row is not None and row.confidence != "read"


def xgmi_lanes(part: Part, links: int) -> int:
    """PCIe lanes of two EPYC sockets with so many xGMI links: the platform lists those of 4, 3, 2 links in this order
    (128, 160, 192; catalogue cpu_platforms, sth_lanes). 0 for platforms whose socket links take no PCIe lanes.
    """
    options = part.numbers("lanes_2s_options")
    place = 4 - links
    return int(options[place]) if len(options) > 1 and 0 <= place < len(options) else 0


def xgmi_links(view: ServerView) -> tuple[int, bool]:
    """(xGMI links between the sockets, whether somebody stated it); 0 when neither drawing nor board says so."""
    for cpu in view.tree.cpus:
        stated = number_in(view.eff.items[cpu].config.get("xgmi_links"))
        if stated:
            return int(stated), True
    for row in view.eff.builtin_links.values():
        if row.medium == "socket" and row.kind == "xgmi":
            return row.count, False
    return 0, False


def socket_lanes(view: ServerView, extra: Mapping[tuple[str, str], int] | None = None) -> list[SocketLanes]:
    """Lane use of every processor. ``extra``: lanes that a card on the mouse would add, by (cpu, root port)."""
    asked: dict[tuple[str, str], int] = dict(extra or {})
    for feed in view.tree.feeds.values():
        if feed.parent in view.tree.cpus and not feed.c2c and feed.medium in ("pcie", "cxl"):
            key = (feed.parent, feed.port)
            asked[key] = asked.get(key, 0) + (feed.lanes or 0)
    out = []
    xgmi = xgmi_links(view)[0]
    for cpu in view.tree.cpus:
        ports = view.tree.root_ports.get(cpu, {})
        assigned = sum(max(ports[p].lanes if p in ports else 0, n) for (c, p), n in asked.items() if c == cpu)
        available, estimate = lanes_available(view.eff.items[cpu], len(view.tree.cpus), xgmi)
        out.append(SocketLanes(cpu, assigned, available, estimate))
    return out
