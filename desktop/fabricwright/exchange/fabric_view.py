"""What a fabric drawing shows: groups of the main network by tier, each other network as one card."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.values import Design, Project
from fabricwright.topology.model import Bundle, Fabric
from fabricwright.units.quantity import format_rate

MOST_PANELS = 4
MOST_GROUPS = 10
"""Groups of a tier drawn one by one; more are folded with their equals."""
MOST_LANE_CARDS = 16
INFRASTRUCTURE = ("rack", "pdu", "power-shelf", "cable", "cdu")


@dataclass(frozen=True, slots=True)
class Group:
    """A drawn item. ``tier`` 0 server or end point, 1 leaf, 2 spine, 3 core; ``present`` members that are there;
    ``folded`` ids of equal rows that this one stands for, itself first."""

    item: EffItem
    tier: int
    present: int
    is_server: bool
    folded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cabling:
    """A bundle between two drawn groups; ``upper`` is nearer the core. ``rate`` "200G" ("" when they differ)."""

    bundle: Bundle
    lower: str
    upper: str
    count: int
    rate: str


@dataclass(slots=True)
class OtherNetwork:
    """A network drawn as one card."""

    name: str
    items: dict[str, int] = field(default_factory=dict)
    links: int = 0
    from_servers: dict[str, int] = field(default_factory=dict)
    rate: str = ""


@dataclass(frozen=True, slots=True)
class FabricView:
    """Everything a fabric drawing needs.

    ``main`` the network that is drawn out; ``lane_axis`` rail, plane or port ("" = none); ``panel_axis`` the axis whose
    values are drawn side by side ("" = one panel).
    """

    eff: EffSheet
    fabric: Fabric
    groups: dict[str, Group]
    main: str
    cables: tuple[Cabling, ...]
    others: tuple[OtherNetwork, ...]
    lane_axis: str
    lanes: int
    panel_axis: str
    panels: int

    def tier(self, tier: int) -> list[Group]:
        """Groups of one tier of the main network, in natural order."""
        return [group for group in self.groups.values() if group.tier == tier]

    @property
    def top(self) -> int:
        """Highest tier drawn."""
        return max((group.tier for group in self.groups.values()), default=0)


def fabric_view(project: Project, design: Design, fabric: Fabric, only: frozenset[str] = frozenset()) -> FabricView:
    """Arrange the design's root sheet, or ``only`` these rows of it, for drawing."""
    eff = effective(project, design, design.root)
    networks: dict[str, int] = {}
    for bundle in fabric.bundles:
        networks[bundle.network] = networks.get(bundle.network, 0) + int(np.count_nonzero(bundle.alive))
    main = "compute" if "compute" in networks else max(networks, key=lambda n: networks[n], default="")
    touching = {side for b in fabric.bundles if b.network == main for side in (b.a_item, b.b_item)}
    groups: dict[str, Group] = {}
    elsewhere = {side for b in fabric.bundles if b.network != main for side in (b.a_item, b.b_item)} - touching
    for item_id in fabric.items:
        item = eff.items[item_id]
        server = item.of.startswith("sheet:")
        if item.kind in INFRASTRUCTURE or (item_id in elsewhere and not server):
            continue
        here = slice(fabric.offset[item_id], fabric.offset[item_id] + fabric.count[item_id])
        present = int((~fabric.absent[here]).sum())
        tier = int(fabric.tier[here].max(initial=0)) if item_id in touching or item.kind == "switch" else 0
        groups[item_id] = Group(item, max(0, tier), present, server)
    if only:
        groups = {item_id: group for item_id, group in groups.items() if item_id in only}
    cables = tuple(c for n, b in enumerate(fabric.bundles) if b.network == main and (c := _cabling(fabric, n, groups)))
    groups, cables = _fold(groups, cables)
    lane_axis, lanes = _lane_axis(design, groups, cables)
    panel_axis, panels = _panel_axis(groups, cables, lane_axis, lanes)
    others = () if only else _others(fabric, main, groups, eff)
    return FabricView(eff, fabric, groups, main, cables, others, lane_axis, lanes, panel_axis, panels)


def _fold(groups: dict[str, Group], cables: tuple[Cabling, ...]) -> tuple[dict[str, Group], tuple[Cabling, ...]]:
    """Where a tier has many rows, equal ones become one that is counted; their bundles are added up."""
    tiers: dict[int, int] = {}
    for group in groups.values():
        tiers[group.tier] = tiers.get(group.tier, 0) + 1
    stands: dict[str, str] = {}
    first: dict[tuple[int, str], str] = {}
    members: dict[str, list[str]] = {}
    for item_id, group in groups.items():
        key = (group.tier, group.item.of)
        home = first.setdefault(key, item_id) if tiers[group.tier] > MOST_GROUPS else item_id
        stands[item_id] = home
        members.setdefault(home, []).append(item_id)
    if len(members) == len(groups):
        return groups, cables
    out = {}
    for home, ids in members.items():
        present = sum(groups[i].present for i in ids)
        out[home] = replace(groups[home], present=present, folded=tuple(ids) if len(ids) > 1 else ())
    first_of: dict[tuple[str, str], Cabling] = {}
    counts: dict[tuple[str, str], int] = {}
    rates: dict[tuple[str, str], set[str]] = {}
    for cable in cables:
        ends = (stands[cable.lower], stands[cable.upper])
        first_of.setdefault(ends, cable)
        counts[ends] = counts.get(ends, 0) + cable.count
        rates.setdefault(ends, set()).add(cable.rate)
    merged = {
        ends: Cabling(cable.bundle, *ends, counts[ends], cable.rate if len(rates[ends]) == 1 else "")
        for ends, cable in first_of.items()
    }
    return out, tuple(merged.values())


def _cabling(fabric: Fabric, number: int, groups: dict[str, Group]) -> Cabling | None:
    bundle = fabric.bundles[number]
    a, b = groups.get(bundle.a_item), groups.get(bundle.b_item)
    if a is None or b is None:
        return None
    lower, upper = (bundle.a_item, bundle.b_item) if a.tier <= b.tier else (bundle.b_item, bundle.a_item)
    return Cabling(bundle, lower, upper, int(np.count_nonzero(bundle.alive)), rate_of(fabric, number))


def rate_of(fabric: Fabric, number: int) -> str:
    """Line rate that all live links of a bundle share, "" when there is none or they differ."""
    # Links of a bundle lie side by side.
    first, last = np.searchsorted(fabric.bundle, (number, number + 1)).tolist()
    if last - first == 1:
        rate = float(fabric.rate[first])
        return format_rate(rate * 8) if rate > 0 else ""
    found = fabric.rate[first:last]
    found = found[found > 0]
    if not len(found) or found.max() > found.min():
        return ""
    return format_rate(float(found[0]) * 8)


def _lane_axis(design: Design, groups: dict[str, Group], cables: tuple[Cabling, ...]) -> tuple[str, int]:
    """An axis on which servers' ports and leafs are joined and that the servers themselves lack: rail, plane, port."""
    links = design.sheets[design.root].links
    for cable in cables:
        lower, upper = groups[cable.lower], groups[cable.upper]
        if lower.is_server and upper.tier == 1:
            own = {name for name, _ in lower.item.axes}
            for name, size in upper.item.axes:
                if name not in own and name in links[cable.bundle.link].wire.on and 1 < size <= 8:
                    return name, size
    return "", 1


def _panel_axis(groups: dict[str, Group], cables: tuple[Cabling, ...], lane_axis: str, lanes: int) -> tuple[str, int]:
    """The first axis that the only server group and its leafs share, when its values fit side by side."""
    servers = [group for group in groups.values() if group.is_server]
    if len(servers) != 1:
        return "", 1
    leafs = [groups[c.upper] for c in cables if groups[c.lower].is_server and groups[c.upper].tier == 1]
    if not leafs:
        return "", 1
    for name, size in servers[0].item.axes:
        shared = all((name, size) in leaf.item.axes for leaf in leafs)
        if shared and 1 < size <= MOST_PANELS and size * lanes * len(leafs) <= MOST_LANE_CARDS:
            return name, size
    return "", 1


def _others(fabric: Fabric, main: str, groups: dict[str, Group], eff: EffSheet) -> tuple[OtherNetwork, ...]:
    found: dict[str, OtherNetwork] = {}
    rates: dict[str, set[str]] = {}
    links_of: dict[str, dict[str, int]] = {}
    for number in sorted(range(len(fabric.bundles)), key=lambda n: _network_order(fabric.bundles[n].network)):
        bundle = fabric.bundles[number]
        if bundle.network == main:
            continue
        network = found.setdefault(bundle.network, OtherNetwork(bundle.network))
        count = int(np.count_nonzero(bundle.alive))
        network.links += count
        for side in (bundle.a_item, bundle.b_item):
            if side in groups and groups[side].is_server:
                network.from_servers[side] = network.from_servers.get(side, 0) + count
                rates.setdefault(bundle.network, set()).add(rate_of(fabric, number))
            elif side not in groups and eff.items[side].kind not in INFRASTRUCTURE:
                counts = links_of.setdefault(side, {})
                counts[bundle.network] = counts.get(bundle.network, 0) + count
    for side, counts in links_of.items():
        # A storage switch has a management port too; it is told of once, with the network it has most links in.
        home = max(counts, key=lambda name: counts[name])
        found[home].items[side] = fabric.count[side]
    for name, network in found.items():
        shared = rates.get(name, set())
        network.rate = next(iter(shared)) if len(shared) == 1 else ""
    return tuple(found.values())


def _network_order(name: str) -> tuple[int, str]:
    known = ("storage", "inband", "", "oob")
    return (known.index(name) if name in known else 2, name)


def alive_of_panel(view: FabricView, cable: Cabling, panel: int) -> int:
    """Live links of a bundle whose lower end is in one panel."""
    axes = view.groups[cable.lower].item.axes
    if not view.panel_axis or view.panel_axis not in dict(axes):
        return cable.count
    bundle = cable.bundle
    column = 0 if bundle.a_item == cable.lower else 2
    members = bundle.rows[bundle.alive, column]
    stride = 1
    for name, size in reversed(axes):
        if name == view.panel_axis:
            return int((members // stride % size == panel).sum())
        stride *= size
    return cable.count


def members_of_panel(view: FabricView, group: Group, panel: int) -> int:
    """Present members of a group in one panel."""
    start = view.fabric.offset[group.item.id]
    axes = group.item.axes
    if group.folded:
        return group.present
    if not view.panel_axis or view.panel_axis not in dict(axes):
        return group.present
    count, stride = view.fabric.count[group.item.id], 1
    present = ~view.fabric.absent[start : start + count]
    for name, size in reversed(axes):
        if name == view.panel_axis:
            return int(np.count_nonzero(present & (np.arange(count) // stride % size == panel)))
        stride *= size
    return 0
