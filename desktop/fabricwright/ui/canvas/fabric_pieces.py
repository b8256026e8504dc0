"""Which cards a fabric sheet shows: groups split along the axes that the reader thinks in (units, rails), tiers from
the links.

A group ``leaf`` over (su 2, rail 8) becomes sixteen tiles in two frames; ``node`` over (su 2, node 16) two stacked
cards; a
spine tier one frame with tiles. Pure; members are index arrays, so 10,000 of them cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Axes, Design, Sheet
from fabricwright.topology.wiring import absent_members

I32 = NDArray[np.int32]

MAX_FRAMES = 8
MAX_TILES = 9
SWITCH_KINDS = ("switch",)
SERVER_KINDS = ("server", "chassis")

#: Role of a card in the layout.
SERVER, LEAF, SPINE, SIDE = "server", "leaf", "spine", "side"


@dataclass(slots=True)
class Piece:
    """One card: ``item``, the member indices it shows, its coordinates on the split axes, its frame and tier.

    ``unit`` index of the frame it stands in (-1 = none); ``tile`` place among its siblings in the frame; ``open`` =
    its members
    are drawn one by one.
    """

    item: str
    role: str
    tier: int
    members: I32
    unit: int = -1
    tile: int = 0
    tiles: int = 1
    coords: Mapping[str, int] = field(default_factory=dict)
    network: str = "compute"
    open: bool = False
    absent: int = 0

    @property
    def count(self) -> int:
        """Members that exist."""
        return len(self.members) - self.absent

    def members_set(self, total: int) -> IndexSet | None:
        """Members as an index set; None when the card shows all of them."""
        return None if len(self.members) == total else IndexSet.of(self.members.tolist())


@dataclass(slots=True)
class Pieces:
    """All cards of a sheet. ``axis`` the axis that frames stand for ("" = no frames), ``units`` how many of them;
    ``owner`` maps
    item -> int32(members) index of the piece that shows each member; ``main`` the network that decides the tiers."""

    pieces: list[Piece] = field(default_factory=list)
    axis: str = ""
    units: int = 0
    main: str = "compute"
    owner: dict[str, I32] = field(default_factory=dict)
    tier: dict[str, int] = field(default_factory=dict)
    by_item: dict[str, list[int]] = field(default_factory=dict)

    def of(self, item: str) -> list[int]:
        """Indices of an item's pieces."""
        return self.by_item.get(item, [])


def split_pieces(design: Design, eff: EffSheet, sheet: Sheet) -> Pieces:
    """Cards of an effective fabric sheet, in natural order within each tier."""
    out = Pieces()
    out.main = _main_network(eff)
    roles = {item.id: _role(item) for item in eff.items.values()}
    out.tier = _tiers(eff, roles, out.main)
    out.axis = _frame_axis(eff, roles, out.tier, out.main)
    networks = _networks(eff)
    for item_id, item in eff.items.items():
        look = sheet.look.get(item_id)
        network = out.main if out.tier[item_id] >= 0 else networks.get(item_id, "")
        _split(out, design, eff, item, roles[item_id], network, bool(look and look.open))
    if out.axis:
        out.units = max((p.unit for p in out.pieces), default=-1) + 1
    for n, piece in enumerate(out.pieces):
        out.by_item.setdefault(piece.item, []).append(n)
        owner = out.owner.setdefault(piece.item, np.full(eff_count(eff.items[piece.item]), -1, np.int32))
        owner[piece.members] = n
    return out


def eff_count(item: EffItem) -> int:
    """Members of an effective item."""
    n = 1
    for _, size in item.axes:
        n *= size
    return n


def _role(item: EffItem) -> str:
    if item.kind in SERVER_KINDS or item.of.startswith("sheet:"):
        return SERVER
    if item.kind in SWITCH_KINDS:
        return LEAF
    return SIDE


def _main_network(eff: EffSheet) -> str:
    names: dict[str, int] = {}
    for link in eff.links.values():
        names[link.network] = names.get(link.network, 0) + 1
    if "compute" in names or not names:
        return "compute"
    return max(sorted(names), key=lambda n: names[n])


def _tiers(eff: EffSheet, roles: Mapping[str, str], main: str) -> dict[str, int]:
    """0 servers and other end devices; switches by their distance from the servers over the main network; -1 = other
    networks."""
    tier = {i: (0 if role == SERVER else -1) for i, role in roles.items()}
    near: dict[str, set[str]] = {}
    linked: set[str] = set()
    for link in eff.links.values():
        a, b = _item(link.a), _item(link.b)
        linked |= {a, b}
        if link.network == main and a in tier and b in tier and a != b:
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
    level = [i for i, role in roles.items() if role == SERVER]
    depth = 0
    seen = set(level)
    while level:
        depth += 1
        following = sorted({n for i in level for n in near.get(i, ()) if n not in seen and roles.get(n) == LEAF})
        for name in following:
            tier[name] = depth
            seen.add(name)
        level = following
    for i, role in roles.items():
        if role == LEAF and tier[i] < 0 and i not in linked:
            tier[i] = 3 if "core" in i else 2 if "spine" in i else 1
    changed = True
    while changed:  # switches of the main network that reach no server yet: above what they are linked to
        changed = False
        for i in sorted(near):
            if roles.get(i) == LEAF and tier[i] < 0:
                known = [tier[n] for n in near[i] if tier.get(n, -1) > 0]
                if known:
                    tier[i] = max(known) + 1
                    changed = True
                elif "leaf" in i:
                    tier[i] = 1
                    changed = True
    return tier


def _item(end: str) -> str:
    return end.partition(":")[0].partition("/")[0]


def _frame_axis(eff: EffSheet, roles: Mapping[str, str], tier: Mapping[str, int], main: str) -> str:
    """The axis shared by servers and their leafs that the wiring joins on: su, pod."""
    for link_id in sorted(eff.links):
        link = eff.links[link_id]
        if link.network != main:
            continue
        a, b = eff.items.get(_item(link.a)), eff.items.get(_item(link.b))
        if a is None or b is None or {roles[a.id], roles[b.id]} != {SERVER, LEAF}:
            continue
        left, right = dict(a.axes), dict(b.axes)
        for name in link.wire.on:
            if 1 < left.get(name, 0) <= MAX_FRAMES and right.get(name) == left[name]:
                return name
    return _common_axis(eff, roles, tier)


def _common_axis(eff: EffSheet, roles: Mapping[str, str], tier: Mapping[str, int]) -> str:
    """Without cables between servers and leafs: the first axis that both have alike, so that units stay units when a
    bundle is deleted."""
    servers = [dict(eff.items[i].axes) for i, role in roles.items() if role == SERVER]
    leafs = [dict(eff.items[i].axes) for i, role in roles.items() if role == LEAF and tier[i] == 1]
    for axes in servers:
        for name, size in axes.items():
            if 1 < size <= MAX_FRAMES and any(leaf.get(name) == size for leaf in leafs):
                return name
    return ""


def coordinates(axes: Axes, count: int) -> dict[str, I32]:
    """Coordinates of every member, axis -> int32(count)."""
    index = np.arange(count, dtype=np.int32)
    out: dict[str, I32] = {}
    for name, size in reversed(axes):
        out[name] = index % size
        index = index // size
    return out


def _split(out: Pieces, design: Design, eff: EffSheet, item: EffItem, role: str, network: str, is_open: bool) -> None:
    count = eff_count(item)
    tier = out.tier[item.id]
    everyone = np.arange(count, dtype=np.int32)
    absent = absent_members(design, eff, item.id, count)
    if role == SIDE or tier < 0:
        out.pieces.append(Piece(item.id, SIDE, tier, everyone, network=network, absent=int(absent.sum())))
        return
    coords = coordinates(item.axes, count)
    sizes = dict(item.axes)
    framed = out.axis in sizes
    units = sizes[out.axis] if framed else 1
    rest = [(n, s) for n, s in item.axes if not (framed and n == out.axis)]
    tiles: list[tuple[str, int]] = []
    if role == LEAF and tier == 1:
        product = 1
        for name, size in rest:
            if product * size > MAX_TILES:
                break
            product *= size
            tiles.append((name, size))
    n_tiles = int(np.prod([s for _, s in tiles])) if tiles else 1
    kind = SERVER if role == SERVER else LEAF if tier == 1 and (tiles or count // units == 1) else SPINE
    for unit in range(units):
        for tile in range(n_tiles):
            mask = np.ones(count, np.bool_)
            place: dict[str, int] = {}
            if framed:
                mask &= coords[out.axis] == unit
                place[out.axis] = unit
            left = tile
            for name, size in reversed(tiles):
                left, place[name] = divmod(left, size)
                mask &= coords[name] == place[name]
            members = np.flatnonzero(mask).astype(np.int32)
            piece = Piece(
                item.id,
                kind,
                tier,
                members,
                unit if framed else -1,
                tile,
                n_tiles,
                place,
                network,
                is_open and role == SERVER,
                int(absent[members].sum()),
            )
            out.pieces.append(piece)


def _networks(eff: EffSheet) -> dict[str, str]:
    """Network each card would belong to beside the tiers: the fastest one it is linked with, management last."""
    order = {"storage": 0, "compute": 1, "inband": 2, "oob": 9}
    out: dict[str, str] = {}
    for link in eff.links.values():
        for item_id in (_item(link.a), _item(link.b)):
            known = out.get(item_id)
            if known is None or (order.get(link.network, 5), link.network) < (order.get(known, 5), known):
                out[item_id] = link.network
    return out


def tile_label(piece: Piece, axes: Axes, units_axis: str) -> str:
    """Short label of a leaf tile: R3 for rail, P1 for port, A and B for a plane of two, else the number."""
    names = [n for n, _ in axes if n in piece.coords and n != units_axis]
    words = []
    for name in names:
        value = piece.coords[name]
        if name == "rail":
            words.append(f"R{value}")
        elif name in ("plane", "ab", "side") and dict(axes)[name] <= 2:
            words.append("AB"[value])
        else:
            words.append(f"{name[0].upper()}{value}")
    return " ".join(words)


def rail_of(piece: Piece, units_axis: str) -> int:
    """Rail colour of a leaf tile: its rail, else its port or plane, -1 when it stands for several."""
    for name in ("rail", "port", "plane"):
        if name in piece.coords and name != units_axis:
            return piece.coords[name]
    return -1
