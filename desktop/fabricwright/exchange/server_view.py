"""What a server drawing shows: the PCIe tree of each CPU with its empty slots, equal small things folded."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fabricwright.design.address import split_end
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.exchange.naming import part_label
from fabricwright.topology.interior import lane_use
from fabricwright.topology.model import LaneUse
from fabricwright.topology.pcie_tree import Feed, PcieTree, build_tree
from fabricwright.units.natural import natural_key

FOLDED_KINDS = ("nvme", "lom", "bmc", "dimm")
SMALL_SLOTS = ("u2", "m2", "e1s", "e3s")
UNLISTED_KINDS = ("bmc", "lom", "chipset", "host-port")
ASIDE_KINDS = ("nvswitch", "bmc", "external-box", "cpu", "host-port", "nvlink-switch")


@dataclass(slots=True)
class Branch:
    """A thing in the tree. ``item`` None for an empty slot; ``count`` > 1 for equal small things drawn as one card."""

    name: str
    item: EffItem | None
    feed: Feed | None
    slot: str = ""
    count: int = 1
    cable_m: float | None = None
    children: list[Branch] = field(default_factory=list)

    @property
    def leaves(self) -> int:
        """Columns that the branch takes."""
        return sum(child.leaves for child in self.children) or 1

    @property
    def depth(self) -> int:
        """Rows below the CPU, this one included."""
        return 1 + max((child.depth for child in self.children), default=0)


@dataclass(frozen=True, slots=True)
class ServerView:
    """CPUs with their branches; ``loose`` items that hang nowhere; ``sockets`` "3 × UPI" for each socket link."""

    eff: EffSheet
    tree: PcieTree
    cpus: dict[str, list[Branch]]
    lanes: dict[str, LaneUse]
    loose: tuple[str, ...]
    nvswitches: tuple[EffItem, ...]
    sockets: tuple[str, ...]
    nvlinks: int

    def part_counts(self, lang: str) -> dict[str, int]:
        """Label of each orderable part inside -> how many, in natural order."""
        counts: dict[str, int] = {}
        for item in self.eff.items.values():
            if item.part is not None and item.kind not in UNLISTED_KINDS:
                label = part_label(item.part, item.of, lang)
                counts[label] = counts.get(label, 0) + 1
        return dict(sorted(counts.items(), key=lambda row: natural_key(row[0])))

    def counted(self, lang: str) -> tuple[str, ...]:
        """The chassis, and "8 × label" for each part inside."""
        chassis = self.eff.chassis_part
        head = (part_label(chassis, self.eff.chassis, lang),) if chassis is not None else ()
        return (*head, *(f"{count} × {label}" for label, count in self.part_counts(lang).items()))

    @property
    def columns(self) -> int:
        """Cards in the lowest row."""
        return sum(branch.leaves for row in self.cpus.values() for branch in row)

    @property
    def depth(self) -> int:
        """Rows below the CPUs."""
        return max((branch.depth for row in self.cpus.values() for branch in row), default=0)


def server_view(eff: EffSheet) -> ServerView:
    """Arrange a server sheet for drawing."""
    tree = build_tree(eff)
    cables = {}
    for link in eff.links.values():
        for end in (link.a, link.b):
            cables[end] = link.length_m
    cpus = {cpu: _branches(eff, tree, cpu, cables, set()) for cpu in tree.cpus}
    placed = {b.name for row in cpus.values() for top in row for b in _walk(top)}
    loose = tuple(
        i
        for i in sorted(eff.items, key=natural_key)
        if i not in placed and i not in tree.feeds and eff.items[i].kind not in ASIDE_KINDS and i not in tree.cpus
    )
    switches = tuple(eff.items[i] for i in sorted(eff.items, key=natural_key) if eff.items[i].kind == "nvswitch")
    sockets = tuple(
        f"{row.count} × {(row.kind or 'link').upper()}" for row in eff.builtin_links.values() if row.medium == "socket"
    )
    nvlinks = sum(
        row.nvlinks for row in eff.builtin_links.values() if row.medium == "nvlink" and split_end(row.a)[0] == "gpu0"
    )
    return ServerView(eff, tree, cpus, lane_use(eff, tree), loose, switches, sockets, nvlinks)


def _walk(branch: Branch) -> list[Branch]:
    return [branch, *(b for child in branch.children for b in _walk(child))]


def _branches(
    eff: EffSheet, tree: PcieTree, parent: str, cables: dict[str, float | None], seen: set[str]
) -> list[Branch]:
    out: list[Branch] = []
    children = [n for n, feed in tree.feeds.items() if feed.parent == parent and n not in seen]
    for node in sorted(children, key=lambda n: (_port_order(tree.feeds[n].port), natural_key(n))):
        item = eff.items.get(node)
        if item is None or item.kind == "bmc":
            continue
        feed = tree.feeds[node]
        length = cables.get(f"{parent}:{feed.port}")
        branch = Branch(node, item, feed, item.seat, 1, length)
        # What hangs on the chipset (boot drives, LAN) is one card: it decides nothing.
        if item.kind != "chipset":
            branch.children = _branches(eff, tree, node, cables, {*seen, node})
        out.append(branch)
    taken = set(eff.seated())
    for slot_id, slot in eff.slots.items():
        owner, port = split_end(slot.fed_by)
        if owner == parent and slot_id not in taken and port not in {tree.feeds[n].port for n in children}:
            feed = Feed(parent, port, "", slot.electrical, slot.gen)
            out.append(Branch(slot_id, None, feed, slot_id))
    out.sort(key=lambda b: (_port_order(b.feed.port if b.feed else ""), b.item is None, natural_key(b.name)))
    return _folded(eff, out)


def _port_order(port: str) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    """Wide root ports before small ones and the chipset."""
    return (1 if re.match(r"(u|m|dmi|l|b)\d*", port) else 0), natural_key(port)


def _folded(eff: EffSheet, branches: list[Branch]) -> list[Branch]:
    out: list[Branch] = []
    for branch in branches:
        same = out[-1] if out else None
        if same is not None and _fold_key(eff, branch) and _fold_key(eff, branch) == _fold_key(eff, same):
            same.count += 1
        else:
            out.append(branch)
    return out


def _fold_key(eff: EffSheet, branch: Branch) -> str:
    if branch.children:
        return ""
    if branch.item is not None:
        return f"item {branch.item.of}" if branch.item.kind in FOLDED_KINDS else ""
    kind = eff.slots[branch.slot].kind
    return f"slot {kind}" if kind in SMALL_SLOTS else ""
