"""The tree of a server: what hangs under which port. Pure; the layout and the cards are made from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from fabricwright.catalog.parts import Slot
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.design.values import Link
from fabricwright.units.natural import natural_key

#: Small things that need no card each: equal ones under the same parent become one stack.
STACKED = ("nvme",)
STACKED_SLOTS = ("u2", "m2", "e3s", "e1s")
BOARD = ("chipset", "bmc", "lom")
TREE_MEDIA = ("pcie", "cxl", "dmi", "c2c")
NVLINK_MEDIA = ("nvlink", "xgmi")


@dataclass(slots=True)
class Node:
    """One card of the tree. ``ids`` rows it stands for (several for a stack); ``slot`` set for empty slots.

    ``port`` port of the parent that feeds it; ``link`` row id of the link that does ("" for a seat); ``box`` external
    box it sits in.
    """

    ids: tuple[str, ...]
    item: EffItem | None = None
    slot: Slot | None = None
    parent: Node | None = None
    port: str = ""
    link: str = ""
    built_in: bool = True
    lanes: int = 0
    gen: int = 0
    box: str = ""
    seat: str = ""
    cable: Link | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def id(self) -> str:
        """First row id."""
        return self.ids[0]

    @property
    def kind(self) -> str:
        """Part kind, "slot" for an empty slot."""
        return self.item.kind if self.item else "slot"


@dataclass(slots=True)
class Tree:
    """``roots`` CPUs (or whatever has nothing above it but something below), in order; ``loose`` items without any
    connection;
    ``bare`` empty slots without a feed; ``switches`` NVSwitch ids; ``domains`` groups of GPUs joined by direct
    NVLinks with the link ids;
    ``sockets`` (link id, a, b, count, kind) between CPUs;
    ``board`` small chips that go without a card."""

    roots: list[Node] = field(default_factory=list)
    loose: list[Node] = field(default_factory=list)
    bare: list[Node] = field(default_factory=list)
    switches: list[str] = field(default_factory=list)
    domains: list[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    sockets: list[tuple[str, str, str, int, str]] = field(default_factory=list)
    board: tuple[str, ...] = ()
    nodes: dict[str, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Feed:
    owner: str
    port: str
    link: str = ""
    built_in: bool = True
    lanes: int = 0
    gen: int = 0
    cable: Link | None = None


def build_tree(eff: EffSheet) -> Tree:
    """Tree of an effective server sheet. Wrong drawings (loops, missing ports) still give a tree: every row appears
    once."""
    tree = Tree()
    feeds, slot_feeds = _feeds(eff)
    seated = eff.seated()
    nodes = tree.nodes
    for item in eff.items.values():
        if item.kind == "nvswitch" or item.of.startswith("sheet:"):
            tree.switches.append(item.id)
            continue
        feed = feeds.get(item.id)
        box = item.seat.partition(":")[0] if item.seat and not item.seat.startswith("chassis:") else ""
        if "/" in item.id:
            box = item.id.partition("/")[0]
        node = Node((item.id,), item, box=box if box in eff.items and _is_box(eff.items[box]) else "", seat=item.seat)
        _hang(node, feed)
        nodes[item.id] = node
    for slot_id, slot in eff.slots.items():
        if slot_id in seated or _covered(eff, slot_id, seated):
            continue
        owner = slot_id.partition(":")[0]
        node = Node(
            (slot_id,), None, slot, box=owner if owner in eff.items and _is_box(eff.items[owner]) else "", seat=slot_id
        )
        _hang(node, slot_feeds.get(slot_id))
        node.lanes, node.gen = node.lanes or slot.electrical, node.gen or slot.gen
        nodes[slot_id] = node
    _connect(tree, feeds, slot_feeds)
    _collapse(tree)
    _nvlinks(tree, eff)
    for link_id, link in eff.builtin_links.items():
        if link.medium == "socket":
            tree.sockets.append(
                (link_id, link.a.partition(":")[0], link.b.partition(":")[0], link.count, link.kind or "upi")
            )
    return tree


def _is_box(item: EffItem) -> bool:
    return item.kind in ("external-box", "riser", "backplane") or bool(item.part and item.part.slots)


def _hang(node: Node, feed: _Feed | None) -> None:
    if feed is not None:
        node.port, node.link, node.built_in = feed.port, feed.link, feed.built_in
        node.lanes, node.gen, node.cable = feed.lanes, feed.gen, feed.cable


def _covered(eff: EffSheet, slot_id: str, seated: dict[str, list[str]]) -> bool:
    """Whether a double-wide card in the neighbouring slot covers this one."""
    owner = slot_id.partition(":")[0]
    for other_id, slot in eff.slots.items():
        covers = slot.neighbour and f"{owner}:{slot.neighbour}" == slot_id and other_id in seated
        parts = [eff.items[i].part for i in seated[other_id]] if covers else []
        if any(p is not None and p.get("slot_width", 1) > 1 for p in parts):
            return True
    return False


def _feeds(eff: EffSheet) -> tuple[dict[str, _Feed], dict[str, _Feed]]:
    """What feeds each item, and what feeds each slot. The first feed found counts; a second one stays a drawn link."""
    feeds: dict[str, _Feed] = {}
    slot_feeds: dict[str, _Feed] = {}
    for slot_id, slot in eff.slots.items():
        if slot.fed_by:
            owner, _, port = slot.fed_by.partition(":")
            slot_feeds[slot_id] = _Feed(owner, port, "", True, slot.electrical, slot.gen)
    for link_id, link in eff.links.items():
        if link.medium in TREE_MEDIA:
            for end, other in ((link.a, link.b), (link.b, link.a)):
                if end in eff.slots and end not in slot_feeds:
                    owner, _, port = other.partition(":")
                    slot = eff.slots[end]
                    slot_feeds[end] = _Feed(owner, port, link_id, False, slot.electrical, slot.gen, link)
    for link_id, built in eff.builtin_links.items():
        if built.medium in TREE_MEDIA:
            owner, _, port = built.a.partition(":")
            child = built.b.partition(":")[0]
            if eff.items.get(owner) is not None and child in eff.items and _not_above(eff, child, owner):
                feeds.setdefault(child, _Feed(owner, port, link_id, True, built.lanes, built.gen))
    for item in eff.items.values():
        if item.seat and item.seat in slot_feeds and item.id not in feeds:
            feed = slot_feeds[item.seat]
            up = item.ports.get("up")
            lanes = min(feed.lanes, up.lanes) if up and up.lanes else feed.lanes
            gen = min(feed.gen, up.gen) if up and up.gen else feed.gen
            feeds[item.id] = _Feed(feed.owner, feed.port, feed.link, feed.built_in, lanes, gen, feed.cable)
    for link_id, link in eff.links.items():
        if link.medium not in TREE_MEDIA or link.a in eff.slots or link.b in eff.slots:
            continue
        a, _, a_port = link.a.partition(":")
        b, _, b_port = link.b.partition(":")
        if a not in eff.items or b not in eff.items:
            continue
        if _role(eff, a, a_port) == "up" or _role(eff, b, b_port) in ("down", "root"):
            a, a_port, b, b_port = b, b_port, a, a_port
        row = eff.items[a].ports.get(a_port)
        lanes, gen = (row.lanes, row.gen) if row is not None else (0, 0)
        feeds.setdefault(b, _Feed(a, a_port, link_id, False, lanes, gen, link))
    return feeds, slot_feeds


def _not_above(eff: EffSheet, child: str, owner: str) -> bool:
    return child != owner and eff.items[child].kind != "cpu"


def _role(eff: EffSheet, item: str, port: str) -> str:
    found = eff.items[item].ports.get(port)
    return found.role if found else ""


def _connect(tree: Tree, feeds: dict[str, _Feed], slot_feeds: dict[str, _Feed]) -> None:
    """Set parents without loops, sort children by port, find roots and loose ends."""
    nodes = tree.nodes
    for row_id, node in nodes.items():
        feed = feeds.get(row_id) or slot_feeds.get(row_id)
        parent = nodes.get(feed.owner) if feed else None
        above: Node | None = parent
        while above is not None and above is not node:
            above = above.parent
        if parent is not None and above is None and parent is not node:
            node.parent = parent
            parent.children.append(node)
    for node in nodes.values():
        node.children.sort(key=lambda n: (natural_key(n.port), natural_key(n.id)))
    for node in sorted(nodes.values(), key=lambda n: natural_key(n.id)):
        if node.parent is not None:
            continue
        if node.kind == "cpu" or (
            node.children and not (node.item and _is_box(node.item) and node.kind == "external-box")
        ):
            tree.roots.append(node)
        elif node.slot is not None:
            tree.bare.append(node)
        else:
            tree.loose.append(node)
    tree.roots.sort(key=lambda n: (n.kind != "cpu", natural_key(n.id)))


def _collapse(tree: Tree) -> None:
    """Stack drives and empty drive bays of one parent; fold the board's own chips into one card."""
    for node in list(tree.nodes.values()):
        if not node.children:
            continue
        kept: list[Node] = []
        stacks: dict[tuple[str, str, str], Node] = {}
        for child in node.children:
            leaf = not child.children
            if leaf and child.item is not None and child.kind in STACKED and not child.item.forced:
                key = ("item", child.item.of, child.box)
            elif leaf and child.slot is not None and child.slot.kind in STACKED_SLOTS:
                key = ("slot", child.slot.kind, child.box)
            else:
                kept.append(child)
                continue
            first = stacks.get(key)
            if first is None:
                stacks[key] = child
                kept.append(child)
            else:
                first.ids = (*first.ids, *child.ids)
                tree.nodes[child.id] = first
        node.children = kept
        if node.kind == "chipset":
            inner = [i for child in kept for i in child.ids]
            node.ids = (*node.ids, *inner)
            for row_id in inner:
                tree.nodes[row_id] = node
            node.children = []
    boards = [n for n in tree.loose if n.kind in BOARD and not n.box]
    home = next((n for n in tree.nodes.values() if n.kind == "chipset"), None)
    for board in boards:
        tree.loose.remove(board)
        if home is not None:
            home.ids = (*home.ids, *board.ids)
            tree.nodes[board.id] = home
        else:
            tree.board += board.ids
            del tree.nodes[board.id]


def _nvlinks(tree: Tree, eff: EffSheet) -> None:
    """GPUs joined directly (bridges, meshes), as connected groups."""
    parent: dict[str, str] = {}
    links: dict[str, list[str]] = {}

    def find(x: str) -> str:
        while parent.setdefault(x, x) != x:
            x = parent[x]
        return x

    pairs = [(i, li.a, li.b) for i, li in eff.builtin_links.items() if li.medium in NVLINK_MEDIA]
    pairs += [(i, li.a, li.b) for i, li in eff.links.items() if li.medium in NVLINK_MEDIA]
    switches = set(tree.switches)
    for link_id, a_end, b_end in pairs:
        a, b = a_end.partition(":")[0], b_end.partition(":")[0]
        if a in switches or b in switches or a not in tree.nodes or b not in tree.nodes:
            continue
        parent[find(a)] = find(b)
        links.setdefault(a, []).append(link_id)
    groups: dict[str, list[str]] = {}
    for row_id in list(parent):
        groups.setdefault(find(row_id), []).append(row_id)
    for members in groups.values():
        if len(members) > 1:
            ids = tuple(sorted(members, key=natural_key))
            tree.domains.append((ids, tuple(i for m in ids for i in links.get(m, ()))))
