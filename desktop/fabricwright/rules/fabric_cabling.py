"""The cables of the network as rules look at them: who is below, who is above, what is drawn and what runs; as arrays.

Everything is worked out once for all rules of a run. Devices are those of the compiled fabric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.effective import EffItem
from fabricwright.design.indexset import IndexSet
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_view import F64, I64, is_switch, main_networks, sides
from fabricwright.topology.fabric import NETWORK_MEDIA
from fabricwright.topology.model import Fabric
from fabricwright.units.record import record

Bool = NDArray[np.bool_]
T = TypeVar("T")

COMPUTE = "compute"
STORAGE = "storage"


def once(context: RuleContext, key: str, make: Callable[[], T]) -> T:
    """A derived value that all rules of a run share."""
    found = context.shared(key)
    if found is None:
        found = make()
        context.share(key, found)
    return found  # type: ignore[return-value]


def kept(context: RuleContext, key: str, make: Callable[[], T]) -> T:
    """A value derived from the root sheet and the fabric alone. It lives as long as the compiled fabric does, which is
    made anew when either changes: an edit inside a server does not derive it again."""
    memo, name = context.fabric().memo, f"rules: {key}"
    if name not in memo:
        memo[name] = make()
    return memo[name]  # type: ignore[return-value]


@record
class Cabling:
    """Every cable row of the fabric whose ends name devices.

    ``a``/``b`` devices; ``drawn`` both are there and nobody pulled the cable, whether it finds a port or not;
    ``planned`` the same with absent members counted as there; ``live`` it runs; ``gbps`` its line rate, for a dead one
    that of its bundle. ``between``: both ends are switches. ``up``: of the cable's own network and on different tiers.
    ``down``: an end point on a switch. ``network`` code per row; ``item`` index into the fabric's items and ``main``
    network code, per device.
    """

    a: I64
    b: I64
    drawn: Bool
    planned: Bool
    live: Bool
    gbps: F64
    network: NDArray[np.int32]
    between: Bool
    up: Bool
    down: Bool
    item: NDArray[np.int32]
    main: NDArray[np.int32]


def cabling(context: RuleContext) -> Cabling:
    """The cables of the design's root sheet."""
    return kept(context, "cabling", lambda: _cabling(context))


@record
class Ups:
    """Drawn cables between two tiers of one network: rows of the fabric, devices, line rates, which run, network codes,
    tier below.
    """

    row: I64
    low: I64
    high: I64
    gbps: F64
    live: Bool
    network: NDArray[np.int32]
    tier: NDArray[np.int8]


@record
class Downs:
    """Planned cables between a switch and an end point: devices, line rates, which are drawn and run, network codes,
    whether the end point is a server, line rate of the switch's port.
    """

    leaf: I64
    end: I64
    gbps: F64
    drawn: Bool
    live: Bool
    network: NDArray[np.int32]
    server: Bool
    port_gbps: F64


def ups(context: RuleContext) -> Ups:
    """Every drawn uplink."""

    def make() -> Ups:
        fabric, seen = context.fabric(), cabling(context)
        rows = np.flatnonzero(seen.up & seen.drawn)
        low, high = _ordered(fabric, seen.a[rows], seen.b[rows])
        return Ups(rows, low, high, seen.gbps[rows], seen.live[rows], seen.network[rows], fabric.tier[low])

    return kept(context, "ups", make)


def downs(context: RuleContext) -> Downs:
    """Every planned cable of an end point."""

    def make() -> Downs:
        fabric, seen = context.fabric(), cabling(context)
        rows = np.flatnonzero(seen.down)
        a, b = seen.a[rows], seen.b[rows]
        first = fabric.switch[a]
        if first.all():
            leaf, end = a, b
        else:
            leaf, end = np.where(first, a, b), np.where(first, b, a)
        return Downs(
            leaf,
            end,
            seen.gbps[rows],
            seen.drawn[rows],
            seen.live[rows],
            seen.network[rows],
            kind_mask(context, "server")[end],
            _port_gbps(context)[rows],
        )

    return kept(context, "downs", make)


def _ordered(fabric: Fabric, a: I64, b: I64) -> tuple[I64, I64]:
    rising = fabric.tier[a] < fabric.tier[b]
    if rising.all():
        return a, b
    return np.where(rising, a, b), np.where(rising, b, a)


def bundle_slices(fabric: Fabric) -> list[slice]:
    """Rows of each bundle; they stand one bundle after the other."""
    known = fabric.memo.get("bundle slices")
    if not isinstance(known, list):
        bounds = np.concatenate(([0], np.cumsum(np.bincount(fabric.bundle, minlength=len(fabric.bundles))))).tolist()
        known = fabric.memo["bundle slices"] = [slice(lo, hi) for lo, hi in pairwise(bounds)]
    return known


def _cabling(context: RuleContext) -> Cabling:
    fabric, root, mains = context.fabric(), context.root, main_networks(context)
    a, b = fabric.a_dev.astype(np.int64), fabric.b_dev.astype(np.int64)
    live = fabric.rate > 0
    planned, between, up, down = (np.zeros(len(a), dtype=bool) for _ in range(4))
    gbps = fabric.rate * 8e-9
    for bundle, rows in zip(fabric.bundles, bundle_slices(fabric), strict=True):
        if bundle.medium in NETWORK_MEDIA:
            planned[rows] = True
            switches = is_switch(root, bundle.a_item), is_switch(root, bundle.b_item)
            between[rows], down[rows] = all(switches), switches[0] != switches[1]
            if all(switches) and mains.get(bundle.a_item) == mains.get(bundle.b_item) == bundle.network:
                tier_a, tier_b = fabric.tier[a[rows]], fabric.tier[b[rows]]
                up[rows] = (tier_a != tier_b) & (np.minimum(tier_a, tier_b) >= 1)
        link = root.links.get(bundle.link)
        for text in link.wire.moved if link is not None else ():  # pulled, or plugged into something else altogether
            if text.isdigit() and int(text) < len(bundle.alive) and not bundle.alive[int(text)]:
                gone = fabric.row[rows] == int(text)
                for mask in (planned, between, up, down):
                    mask[rows][gone] = False
        if not live[rows].all():
            most = gbps[rows].max(initial=0.0)
            gbps[rows] = np.where(live[rows], gbps[rows], most)
    drawn = planned
    if fabric.absent.any():
        drawn = planned & ~fabric.absent[a] & ~fabric.absent[b]
    item = np.repeat(np.arange(len(fabric.items), dtype=np.int32), [fabric.count[i] for i in fabric.items])
    codes = {network: n for n, network in enumerate(fabric.networks)}
    by_item = np.array([codes.get(mains.get(i, ""), -1) for i in fabric.items], dtype=np.int32)
    main = by_item[item] if len(item) else np.zeros(0, dtype=np.int32)
    return Cabling(a, b, drawn, planned, live, gbps, fabric.network, between, up, down, item, main)


def radix_of(row: EffItem | None) -> int:
    """Data ports of a switch after breakout."""
    return len([p for p in row.ports.values() if p.role == "net" and p.medium != "mgmt"]) if row is not None else 0


def _port_gbps(context: RuleContext) -> F64:
    """Line rate of the switch's port of every ``down`` row (the link itself may be slower), Gb/s."""
    fabric, root, seen = context.fabric(), context.root, cabling(context)
    out = np.zeros(len(seen.a))
    for bundle, rows in zip(fabric.bundles, bundle_slices(fabric), strict=True):
        for side, port in zip(sides(bundle), (fabric.a_port, fabric.b_port), strict=True):
            row = root.items.get(side.item)
            if row is not None and is_switch(root, side.item) and seen.down[rows].any():
                rates = [row.ports[p].gbps if p in row.ports else 0.0 for p in side.ports]
                same = len(set(rates)) == 1
                out[rows] = rates[0] if same else np.array([*rates, max(rates, default=0.0)])[port[rows]]
    return out


def half_of_leaf(context: RuleContext, network: str) -> F64:
    """How many end points a leaf serves when as much goes up as comes from below (times the target), per device."""

    def make() -> F64:
        from fabricwright.rules.fabric import target_of

        fabric, below, n = context.fabric(), downs(context), len(context.fabric().absent)
        rows = below.network == network_code(fabric, network)
        leaf, port = (below.leaf, below.port_gbps) if rows.all() else (below.leaf[rows], below.port_gbps[rows])
        rate = np.bincount(leaf, port, n) / np.maximum(np.bincount(leaf, minlength=n), 1)
        ratio = np.array([target_of(context, i, frozenset({network})) for i in fabric.items])[cabling(context).item]
        whole = per_device(context, "capacity", capacity_gbps)
        share: F64 = np.zeros(n)
        np.divide(whole * ratio / (1 + ratio), rate, out=share, where=rate > 0)
        share[:] = np.floor(share + 1e-9)
        return share

    return once(context, f"half of leaf {network}", make)


def capacity_gbps(row: EffItem | None) -> float:
    """Line rates of all data ports of a switch together."""
    if row is None:
        return 0.0
    return float(sum(p.gbps for p in row.ports.values() if p.role == "net" and p.medium != "mgmt"))


def per_device(context: RuleContext, figure: str, of: Callable[[EffItem | None], float]) -> F64:
    """A figure of each switch item, for each of its devices; 0 for what is no switch."""

    def make() -> F64:
        fabric, root = context.fabric(), context.root
        by_item = np.array([of(root.items.get(i)) if is_switch(root, i) else 0 for i in fabric.items], dtype=float)
        out: F64 = np.zeros(len(fabric.absent))
        if len(by_item):
            out[:] = by_item[cabling(context).item]
        return out

    return once(context, f"per device {figure}", make)


def kind_mask(context: RuleContext, *kinds: str) -> Bool:
    """bool per device: its item is of one of these kinds."""
    fabric, root = context.fabric(), context.root
    by_item = np.array([(root.items[i].kind if i in root.items else "") in kinds for i in fabric.items], dtype=bool)
    return by_item[cabling(context).item] if len(by_item) else np.zeros(0, dtype=bool)


def network_code(fabric: Fabric, network: str) -> int:
    """Code of a network in the arrays, -1 when no link is of it."""
    return fabric.networks.index(network) if network in fabric.networks else -1


def items_hit(context: RuleContext, mask: Bool) -> Iterator[tuple[str, EffItem, I64, IndexSet]]:
    """Items with devices in ``mask``: id, row, those devices, their members."""
    fabric, root = context.fabric(), context.root
    hit = np.flatnonzero(mask)
    if not len(hit):
        return
    which = cabling(context).item[hit]
    for n in np.unique(which):
        name = fabric.items[n]
        devices = hit[which == n].astype(np.int64)
        if name in root.items:
            yield name, root.items[name], devices, IndexSet.of_array(devices - fabric.offset[name])
