"""The PCIe tree of a server: which port feeds which device, how wide and how fast, and which bridges lie on the way.

Built from the effective rows: built-in links, seats (the slot's feed) and cable links. A card forced into an
occupied slot
hangs on the same feed, beside the card that is already there. Nothing raises; what does not fit is a ``problem``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fabricwright.catalog.parts import Port, Slot
from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.topology.signal import PASSIVE_KINDS, SignalPath, signal_paths
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record

TREE_MEDIA = ("pcie", "cxl", "dmi")
_HEIGHT = {"root": 3, "down": 2, "peer": 1, "net": 1, "up": 0}


@record
class Feed:
    """The upper end of a device: ``parent`` node and ``port`` of it, negotiated ``lanes`` and ``gen``, and
    what made it.

    ``own`` the device's own port ("up"); ``c2c`` True for a coherent processor-GPU link, then ``gbs`` is its
    rate in GB/s.
    """

    parent: str
    port: str
    own: str
    lanes: int
    gen: int
    c2c: bool = False
    gbs: float = 0.0
    medium: str = "pcie"


@dataclass(slots=True)
class PcieTree:
    """Nodes by id with at most one feed each. ``cpus`` natural order; a node without a feed that is no CPU is
    a loose root.

    A node is an item, or "item:port" for an item that only joins connectors (a box's host ports). ``signal`` what the
    link above each device loses on its way; the generations of ``feeds`` are those that its budget leaves.
    """

    items: dict[str, EffItem] = field(default_factory=dict)
    feeds: dict[str, Feed] = field(default_factory=dict)
    cpus: tuple[str, ...] = ()
    root_ports: dict[str, dict[str, Port]] = field(default_factory=dict)
    wired: dict[str, dict[str, int]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    signal: dict[str, SignalPath] = field(default_factory=dict)
    _chains: dict[str, list[str]] | None = None  # kept once the tree is complete
    _levels: dict[str, int] = field(default_factory=dict)

    def seal(self) -> None:
        """Say that the tree is complete; from now on chains are kept."""
        self._chains = {}

    def levels(self, node: str) -> int:
        """PCIe bridges the operating system shows in ``node`` (0 for retimers, risers, boxes and end points)."""
        known = self._levels.get(node)
        if known is None:
            known = self._levels[node] = self._count_levels(node)
        return known

    def _count_levels(self, node: str) -> int:
        item = self.items.get(node)
        if item is None or item.kind in PASSIVE_KINDS or item.kind == "cpu":
            return 0
        return item.bridge_levels if has_down(item) else 0

    def chain(self, node: str) -> list[str]:
        """``node`` and everything above it, the CPU (or loose root) last. Read only."""
        if self._chains is not None and node in self._chains:
            return self._chains[node]
        out = [node]
        while out[-1] in self.feeds and self.feeds[out[-1]].parent not in out:
            out.append(self.feeds[out[-1]].parent)
        if self._chains is not None:
            self._chains[node] = out
        return out

    def cpu_of(self, node: str) -> str:
        """CPU at the top of the chain, "" when the device hangs on none."""
        top = self.chain(node)[-1]
        return top if top in self.cpus else ""

    def meeting(self, a: str, b: str) -> str:
        """Node that turns a packet from ``a`` round to ``b``: a switch or a CPU, "" when they share none.

        A passive split (retimer, riser) turns nothing round; the root port or switch above it does.
        """
        up, down = self.chain(a), self.chain(b)
        meet = next((n for n in up if n in down), "")
        while meet and meet not in self.cpus and self.levels(meet) == 0:
            meet = self.feeds[meet].parent if meet in self.feeds else ""
        return meet

    def bridges(self, a: str, b: str) -> list[tuple[str, str]]:
        """(node, port) of every root port and switch downstream port between two devices, those of ``a`` first.

        The path runs straight through the node where they meet; without one, through both CPUs.
        """
        meet = self.meeting(a, b)
        out: list[tuple[str, str]] = []
        for end in (a, b):
            for node in self.chain(end):
                if node == meet or node not in self.feeds:
                    break
                feed = self.feeds[node]
                if not feed.c2c and (feed.parent in self.cpus or self.levels(feed.parent) > 0):
                    out.append((feed.parent, feed.port))
        return list(dict.fromkeys(out))

    def root_port(self, node: str) -> tuple[str, int]:
        """(host bridge, NUMA node) of the root port that the chain of ``node`` ends in; ("", 0) when unknown."""
        chain = self.chain(node)
        if len(chain) < 2 or chain[-1] not in self.cpus:
            return "", 0
        feed = self.feeds[chain[-2]]
        port = self.root_ports.get(chain[-1], {}).get(feed.port)
        if port is None:
            return "", 0
        return port.host_bridge or f"{chain[-1]}:{feed.port}", port.numa


def has_down(item: EffItem) -> bool:
    """Whether the item feeds others (a switch, a NIC with a built-in bridge)."""
    return any(p.role == "down" and p.medium in TREE_MEDIA for p in item.ports.values())


def is_cpu(item: EffItem) -> bool:
    """A processor: by kind, or by its root ports when its part is not known."""
    return item.kind == "cpu" or any(p.role == "root" for p in item.ports.values())


def up_port(item: EffItem, medium: str = "") -> str:
    """Name of the item's upstream port ("up" when it declares none)."""
    names = [n for n, p in item.ports.items() if p.role == "up" and p.medium in TREE_MEDIA]
    return sorted(names, key=natural_key)[0] if names else "up"


@record
class _Edge:
    upper: str
    upper_port: str
    lower: str
    lower_port: str
    lanes: int
    gen: int
    medium: str = "pcie"
    gbs: float = 0.0


_recent: list[tuple[EffSheet, PcieTree]] = []
"""The last trees: the compiled interior, the rules and the drawing of a server ask for the same one."""
_KEPT = 8


def build_tree(eff: EffSheet) -> PcieTree:
    """PCIe tree of a server sheet, the same object while the sheet is the same. Nobody changes it."""
    for known, tree in _recent:
        if known is eff:
            return tree
    tree = _built(eff)
    _recent.insert(0, (eff, tree))
    del _recent[_KEPT:]
    return tree


def _built(eff: EffSheet) -> PcieTree:
    tree = PcieTree(items=dict(eff.items))
    tree.cpus = tuple(sorted((i for i, row in eff.items.items() if is_cpu(row)), key=natural_key))
    for cpu in tree.cpus:
        tree.root_ports[cpu] = {
            n: p for n, p in eff.items[cpu].ports.items() if p.role == "root" and p.medium in ("pcie", "cxl")
        }
    for edge in _edges(eff, tree):
        _attach(tree, edge)
    _match_passive(tree)
    for cpu in tree.cpus:
        tree.wired[cpu] = _wired(eff, tree, cpu)
    tree.seal()
    tree.signal = signal_paths(eff, tree)
    _fall_back(tree)
    return tree


def _fall_back(tree: PcieTree) -> None:
    """Links whose signal does not arrive train to the fastest generation whose loss budget holds, end to end."""
    for device, path in tree.signal.items():
        if path.falls_to >= path.gen:
            continue
        node = device
        while node in tree.feeds:
            feed = tree.feeds[node]
            tree.feeds[node] = _with(feed, feed.lanes, min(feed.gen, path.falls_to))
            if feed.parent == path.parent:
                break
            node = feed.parent


def _edges(eff: EffSheet, tree: PcieTree) -> Iterator[_Edge]:
    for link_id in sorted(eff.builtin_links, key=natural_key):
        row = eff.builtin_links[link_id]
        upper, upper_port = split_end(row.a)
        lower, lower_port = split_end(row.b)
        if row.medium in TREE_MEDIA:
            yield _edge(eff, upper, upper_port, lower, lower_port, row.lanes, row.gen, None, row.medium)
        elif row.medium == "c2c" and upper in eff.items and lower in eff.items:
            if not is_cpu(eff.items[upper]):
                upper, upper_port, lower, lower_port = lower, lower_port, upper, upper_port
            yield _Edge(upper, upper_port, lower, lower_port, 0, 0, "c2c", row.gbs)
    fed = eff.cable_fed()
    for item_id in sorted(eff.items, key=natural_key):
        item = eff.items[item_id]
        slot = eff.slots.get(item.seat) if item.seat else None
        if slot is None or is_cpu(item):
            continue
        feed = slot.fed_by or (fed[item.seat][1] if item.seat in fed else "")
        if feed:
            upper, upper_port = split_end(feed)
            yield _edge(eff, upper, _single(eff, upper, upper_port), item_id, up_port(item), 0, 0, slot, "pcie")
    for link_id in sorted(eff.links, key=natural_key):
        link = eff.links[link_id]
        if link.medium not in TREE_MEDIA or link.a in eff.slots or link.b in eff.slots:
            continue
        for a, b in _pairs(eff, link.a, link.b):
            (upper, upper_port), (lower, lower_port) = (a, b) if _height(eff, *a) >= _height(eff, *b) else (b, a)
            yield _edge(eff, upper, upper_port, lower, lower_port, 0, 0, None, link.medium)


def _pairs(eff: EffSheet, a: str, b: str) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    return list(zip(_members(eff, a), _members(eff, b), strict=False))


def _members(eff: EffSheet, end: str) -> list[tuple[str, str]]:
    item, ports = split_end(end)
    row = eff.items.get(item)
    part = row.part if row is not None else None
    if part is not None and part.interior is not None and ports in part.interior.exports:
        inner = [split_end(p) for p in part.interior.exports[ports].ports]
        return [(f"{item}/{owner}", port) for owner, port in inner]
    return [(item, port) for port in expand_ports(ports)]


def _single(eff: EffSheet, item: str, port: str) -> str:
    return expand_ports(port)[0] if port and item in eff.items and port not in eff.items[item].ports else port


def _height(eff: EffSheet, item: str, port: str) -> int:
    row = eff.items.get(item)
    known = row.ports.get(port) if row is not None else None
    return _HEIGHT.get(known.role, 1) if known is not None else (0 if port == "up" else 2)


def _edge(
    eff: EffSheet,
    upper: str,
    upper_port: str,
    lower: str,
    lower_port: str,
    lanes: int,
    gen: int,
    slot: Slot | None,
    medium: str,
) -> _Edge:
    widths = [lanes] if lanes else []
    gens = [gen] if gen else []
    for item, port in ((upper, upper_port), (lower, lower_port)):
        row = eff.items.get(item)
        known = row.ports.get(port) if row is not None else None
        if known is not None:
            widths += [known.lanes] if known.lanes else []
            gens += [known.gen] if known.gen else []
    if slot is not None:
        widths.append(slot.electrical)
        gens.append(slot.gen)
    return _Edge(upper, upper_port, lower, lower_port, min(widths, default=16), min(gens, default=5), medium)


def _attach(tree: PcieTree, edge: _Edge) -> None:
    if edge.upper not in tree.items or edge.lower not in tree.items:
        tree.problems.append(f"open-end:{edge.lower}")
        return
    upper, lower = _node(tree, edge.upper, edge.upper_port), _node(tree, edge.lower, edge.lower_port)
    known = tree.feeds.get(lower)
    if known is not None:
        if known.parent == upper and known.port != edge.upper_port and not known.c2c:
            tree.feeds[lower] = Feed(upper, known.port, known.own, known.lanes + edge.lanes, min(known.gen, edge.gen))
        elif known.c2c or edge.medium == "c2c":
            pass  # a GPU with both: the coherent link carries the data
        else:
            tree.problems.append(f"second-feed:{lower}")
        return
    if lower in tree.cpus or lower in tree.chain(upper):
        tree.problems.append(f"loop:{lower}")
        return
    c2c = edge.medium == "c2c"
    tree.feeds[lower] = Feed(upper, edge.upper_port, edge.lower_port, edge.lanes, edge.gen, c2c, edge.gbs, edge.medium)


def _node(tree: PcieTree, item: str, port: str) -> str:
    ports = [p for p in tree.items[item].ports.values() if p.medium in TREE_MEDIA]
    if ports and item not in tree.cpus and not any(p.role in ("up", "down", "root") for p in ports):
        node = f"{item}:{port}"
        tree.items.setdefault(node, tree.items[item])
        return node if len(ports) > 1 else item
    return item


def _match_passive(tree: PcieTree) -> None:
    """A retimer, riser or cable joint passes lanes through: both sides train at the narrower and older of the two."""
    children: dict[str, list[str]] = {}
    for node, feed in tree.feeds.items():
        children.setdefault(feed.parent, []).append(node)
    order = sorted(tree.feeds, key=lambda n: -len(tree.chain(n)))
    for node in order:
        feed = tree.feeds[node]
        below = children.get(node, [])
        if not below or node in tree.cpus or tree.levels(node) > 0:
            continue
        total = sum(tree.feeds[c].lanes for c in below)
        gen = min([feed.gen, *(tree.feeds[c].gen for c in below)])
        tree.feeds[node] = _with(feed, min(feed.lanes, total), gen)
    for node in reversed(order):
        feed = tree.feeds[node]
        upper = tree.feeds.get(feed.parent)
        if upper is not None and tree.levels(feed.parent) == 0 and not feed.c2c:
            tree.feeds[node] = _with(feed, min(feed.lanes, upper.lanes), min(feed.gen, upper.gen))


def _with(feed: Feed, lanes: int, gen: int) -> Feed:
    return Feed(feed.parent, feed.port, feed.own, lanes, gen, feed.c2c, feed.gbs, feed.medium)


def _wired(eff: EffSheet, tree: PcieTree, cpu: str) -> dict[str, int]:
    """Root ports of ``cpu`` that lead somewhere (a slot, a chip, a cable) with their lanes."""
    leads = {slot.fed_by for slot in eff.slots.values()}
    leads |= {row.a for row in eff.builtin_links.values()} | {row.b for row in eff.builtin_links.values()}
    for link in eff.links.values():
        for end in (link.a, link.b):
            item, ports = split_end(end)
            leads |= {f"{item}:{p}" for p in expand_ports(ports)}
    return {name: port.lanes for name, port in tree.root_ports[cpu].items() if f"{cpu}:{name}" in leads}
