"""The fabric sheet compiled to arrays: devices, physical links with rates and lengths, tiers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.values import Design, Project
from fabricwright.topology import constants as k
from fabricwright.topology.failures import Failures, names_port, unknown
from fabricwright.topology.model import F64, I8, I32, Bundle, Fabric
from fabricwright.topology.seating import all_lengths, places_of
from fabricwright.topology.wiring import absent_members, end_of, product, wire
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record

NETWORK_MEDIA = ("eth", "ib")
MANAGEMENT_KINDS = ("management-server", "pdu")
Bool = NDArray[np.bool_]


def wire_all(project: Project, design: Design, eff: EffSheet) -> dict[str, Bundle]:
    """Every link row of a fabric sheet, wired; link id -> bundle."""
    return {link_id: wire_one(project, design, eff, link_id) for link_id in sorted(eff.links, key=natural_key)}


def wire_one(project: Project, design: Design, eff: EffSheet, link_id: str) -> Bundle:
    """One link row, wired."""
    link = eff.links[link_id]
    return wire(link, end_of(project, design, eff, link.a), end_of(project, design, eff, link.b), link_id)


@record
class _Devices:
    items: tuple[str, ...]
    offset: dict[str, int]
    count: dict[str, int]
    absent: Bool
    failed: Bool
    switch: Bool
    manages: Bool
    latency: F64


@record
class _Links:
    bundle: I32
    row: I32
    a_dev: I32
    a_port: I32
    b_dev: I32
    b_port: I32
    rate: F64
    length: F64
    there: Bool


def compile_fabric(
    project: Project,
    design: Design,
    *,
    bundles: Mapping[str, Bundle] | None = None,
    failures: Failures | None = None,
) -> Fabric:
    """Compile the design's root sheet. A root that is a server sheet gives a fabric of one device and no links.

    ``bundles``: link rows already wired (missing ones are wired here). ``failures``: what is down. Raises UserError
    for a failed cable or port that no bundle and no part has.
    """
    eff = effective(project, design, design.root)
    if eff.kind != "fabric":
        return _alone(design.root)
    down = failures or Failures()
    dev = _devices(design, eff, down)
    wired = [(bundles or {}).get(i) or wire_one(project, design, eff, i) for i in sorted(eff.links, key=natural_key)]
    wired = [b for b in wired if b.a_item in dev.offset and b.b_item in dev.offset]
    _refuse_unknown(project, design, eff, wired, down)
    links = _links(project, design, eff, dev, wired)
    networks = tuple(sorted({b.network for b in wired}, key=natural_key))
    network = np.array([networks.index(b.network) for b in wired], dtype=np.int32)[links.bundle]
    data = np.array([b.medium in NETWORK_MEDIA for b in wired], dtype=bool)[links.bundle]
    there = data & links.there
    tier = tiers(dev.switch, dev.manages, links.a_dev[there], links.b_dev[there], links.rate[there], network[there])
    rate = np.where(dev.failed[links.a_dev] | dev.failed[links.b_dev], 0.0, links.rate)
    _cut(dev, wired, links, rate, down)
    up = np.zeros(0, dtype=bool)
    if down.devices or down.rows or down.ports:
        whole = np.where(dev.failed[links.a_dev] | dev.failed[links.b_dev], 0.0, 1.0)
        _cut(dev, wired, links, whole, down)
        up = whole > 0
    return Fabric(
        items=dev.items,
        offset=dev.offset,
        count=dev.count,
        absent=dev.absent,
        tier=tier,
        bundles=tuple(wired),
        bundle=links.bundle,
        row=links.row,
        a_dev=links.a_dev,
        a_port=links.a_port,
        b_dev=links.b_dev,
        b_port=links.b_port,
        rate=rate,
        switch_latency_s=dev.latency,
        length_m=links.length,
        failed=dev.failed,
        switch=dev.switch,
        networks=networks,
        network=network,
        up=up,
    )


def _refuse_unknown(project: Project, design: Design, eff: EffSheet, wired: list[Bundle], down: Failures) -> None:
    """A cable beyond its bundle or a port that nothing has would fail silently; UserError instead."""
    sizes = {bundle.link: len(bundle.rows) for bundle in wired}
    for link_id, row in down.rows:
        if row >= sizes.get(link_id, 0):
            raise unknown(f"{link_id}#{row}", f"#{row}")
    for item_id, _, pattern in down.ports:
        item = eff.items[item_id]
        ends = [end for b in wired for end in ((b.a_item, b.a_ports), (b.b_item, b.b_ports))]
        names = [name for owner, ports in ends if owner == item_id for name in ports]
        if item.of.startswith("sheet:"):
            inside = effective(project, design, item.of[6:]).items
            names += [f"{owner}:{port}" for owner, inner in inside.items() for port in inner.ports]
        names += item.ports
        if not pattern.endswith(":") and not any(names_port(pattern, name) for name in names):
            joint = "/" if ":" in pattern else ":"
            raise unknown(f"{item_id}{joint}{pattern}", pattern)


def _alone(sheet: str) -> Fabric:
    """One server, nothing around it."""
    ints, floats, off = np.zeros(0, dtype=np.int32), np.zeros(0), np.zeros(1, dtype=bool)
    return Fabric(
        items=(sheet,),
        offset={sheet: 0},
        count={sheet: 1},
        absent=off,
        tier=np.zeros(1, dtype=np.int8),
        bundles=(),
        bundle=ints,
        row=ints,
        a_dev=ints,
        a_port=ints,
        b_dev=ints,
        b_port=ints,
        rate=floats,
        switch_latency_s=np.zeros(1),
        length_m=floats,
        failed=off,
        switch=off,
        networks=(),
        network=ints,
    )


def _devices(design: Design, eff: EffSheet, down: Failures) -> _Devices:
    items = tuple(sorted(eff.items, key=natural_key))
    count = {i: product(eff.items[i].axes) for i in items}
    offset: dict[str, int] = {}
    total = 0
    for item in items:
        offset[item] = total
        total += count[item]
    absent, failed, switch, manages = (np.zeros(total, dtype=bool) for _ in range(4))
    latency = np.zeros(total)
    for item in items:
        row = eff.items[item]
        here = slice(offset[item], offset[item] + count[item])
        absent[here] = absent_members(design, eff, item, count[item])
        switch[here] = row.kind == "switch"
        manages[here] = row.kind in MANAGEMENT_KINDS
        if row.kind == "switch" and row.part is not None:
            latency[here] = row.part.get("latency_ns") * 1e-9 or k.SWITCH_ASIC_LATENCY_S
    for item, members in down.devices:
        for lo, hi in members.ranges:
            failed[offset[item] + lo : offset[item] + hi + 1] = True
    return _Devices(items, offset, count, absent, failed, switch, manages, latency)


def _links(project: Project, design: Design, eff: EffSheet, dev: _Devices, wired: list[Bundle]) -> _Links:
    """All rows of all bundles whose members exist on the sheet, one after the other."""
    if not wired:
        ints, floats = np.zeros(0, dtype=np.int32), np.zeros(0)
        return _Links(ints, ints, ints, ints, ints, ints, floats, floats, np.zeros(0, dtype=bool))
    links = [eff.links[bundle.link] for bundle in wired]
    sizes = np.array([len(bundle.rows) for bundle in wired])
    rows = np.concatenate([bundle.rows for bundle in wired])
    length = all_lengths(places_of(project, design, eff), wired, [link.length_m for link in links])
    there = (rows[:, 0] >= 0) & (rows[:, 2] >= 0)
    bundle_i = np.repeat(np.arange(len(wired), dtype=np.int32), sizes)[there]
    row_i = (np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)).astype(np.int32)[there]
    rows, length = rows[there], length[there]
    alive = np.concatenate([bundle.alive for bundle in wired])[there]
    table = _PortSpeeds(project, design, eff)
    speed = np.minimum(
        table.of([(bundle.a_item, bundle.a_ports) for bundle in wired], bundle_i, rows[:, 1]),
        table.of([(bundle.b_item, bundle.b_ports) for bundle in wired], bundle_i, rows[:, 3]),
    )
    stated = np.array([np.inf if link.speed is None else link.speed / 8 for link in links])
    speed = np.minimum(speed, stated[bundle_i])
    rate = np.where(alive & np.isfinite(speed), speed, 0.0)
    a_first = np.array([dev.offset[bundle.a_item] for bundle in wired], dtype=np.int32)
    b_first = np.array([dev.offset[bundle.b_item] for bundle in wired], dtype=np.int32)
    a_dev, b_dev = rows[:, 0] + a_first[bundle_i], rows[:, 2] + b_first[bundle_i]
    a_port, b_port = np.ascontiguousarray(rows[:, 1]), np.ascontiguousarray(rows[:, 3])
    return _Links(bundle_i, row_i, a_dev, a_port, b_dev, b_port, rate, length, alive)


class _PortSpeeds:
    """Bytes/s of the ports that ends of links name; items that are alike share one table."""

    def __init__(self, project: Project, design: Design, eff: EffSheet) -> None:
        self.project, self.design, self.eff = project, design, eff
        self.first: dict[tuple[str, int, tuple[str, ...]], int] = {}
        self.tables: list[F64] = []
        self.length = 0

    def of(self, ends: list[tuple[str, tuple[str, ...]]], bundle: I32, port: I32) -> F64:
        """Speed of the port of each row; 0 for port -1."""
        first = np.array([self._table(*end) for end in ends], dtype=np.int64)
        last = np.array([len(ports) for _, ports in ends], dtype=np.int64)
        return np.concatenate(self.tables)[first[bundle] + np.where(port < 0, last[bundle], port)]

    def _table(self, item_id: str, ports: tuple[str, ...]) -> int:
        item = self.eff.items[item_id]
        key = (item.of, id(item.ports), ports)  # the sheet keeps the ports alive
        first = self.first.get(key)
        if first is None:
            first = self.first[key] = self.length
            self.tables.append(_speeds(self.project, self.design, item, ports))
            self.length += len(self.tables[-1])
        return first


def _speeds(project: Project, design: Design, item: EffItem, ports: tuple[str, ...]) -> F64:
    """Bytes/s of each named port of an item, infinite where the part does not say, 0 where there is no such
    port; one more
    entry (for index -1) of 0.
    """
    inner = effective(project, design, item.of[6:]).items if item.of.startswith("sheet:") else {}
    out = np.zeros(len(ports) + 1)
    for n, name in enumerate(ports):
        owner, _, port = name.rpartition(":")
        holder = inner.get(owner) if owner else item
        if holder is None and item.part is not None and item.part.interior is not None:
            out[n] = np.inf  # a port of something inside a boxed part
        elif holder is not None and port in holder.ports:
            out[n] = holder.ports[port].gbps * 1e9 / 8 or np.inf
        elif holder is not None and holder.part is None and not owner:
            out[n] = np.inf
    return out


def tiers(switch: Bool, manages: Bool, a: I32, b: I32, rate: F64, network: I32) -> I8:
    """Tier of each device, from the cables that are drawn. A switch belongs to the network that takes most of its ports
    (then most bandwidth); there it is a leaf when an end point hangs on it (management appliances only count
    where there is
    nothing else), a spine one step further, a core two.
    """
    n = len(switch)
    out = np.full(n, -1, dtype=np.int8)
    n_networks = int(network.max()) + 1 if len(network) else 0
    share = np.zeros((n_networks, n))
    weight = 1.0 + rate * 1e-18
    for net in range(n_networks):
        on = network == net
        share[net] = np.bincount(a[on], weight[on], n) + np.bincount(b[on], weight[on], n)
    main = share.argmax(axis=0) if n_networks else np.zeros(n, dtype=np.int64)
    used = share.sum(axis=0) > 0 if n_networks else np.zeros(n, dtype=bool)
    out[used & ~switch] = 0
    for net in range(n_networks):
        on = network == net
        left, right = a[on], b[on]
        member = switch & used & (main == net)
        leaf = _adjacent(left, right, member, ~member & ~manages & ~switch)
        if not leaf.any():
            leaf = _adjacent(left, right, member, ~member)
        out[leaf] = 1
        front = leaf
        for tier in (2, 3):
            front = _adjacent(left, right, member & (out < 0), front)
            out[front] = tier
    return out


def _adjacent(left: I32, right: I32, wanted: Bool, beside: Bool) -> Bool:
    """Which of ``wanted`` have a link to one of ``beside``."""
    hit = np.zeros(len(wanted), dtype=bool)
    hit[left[beside[right]]] = True
    hit[right[beside[left]]] = True
    return hit & wanted


def _cut(dev: _Devices, wired: list[Bundle], links: _Links, rate: F64, down: Failures) -> None:
    """Zero the rate of failed cables and ports, in place."""
    for link_id, row in down.rows:
        for n, bundle in enumerate(wired):
            if bundle.link == link_id:
                rate[(links.bundle == n) & (links.row == row)] = 0.0
    for item, members, pattern in down.ports:
        hit = np.zeros(dev.count[item], dtype=bool)
        for lo, hi in members.ranges:
            hit[lo : hi + 1] = True
        for n, bundle in enumerate(wired):
            for end_item, names, device, port in (
                (bundle.a_item, bundle.a_ports, links.a_dev, links.a_port),
                (bundle.b_item, bundle.b_ports, links.b_dev, links.b_port),
            ):
                if end_item != item:
                    continue
                dead = np.array([names_port(pattern, name) for name in names] + [False])
                mine = np.flatnonzero(links.bundle == n)
                rate[mine[hit[device[mine] - dev.offset[item]] & dead[port[mine]]]] = 0.0
