"""Lossless ports of the Ethernet switches of a fabric, counted by rate and cable length, switch item by switch item."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.topology.buffers import LARGEST_MTU, BufferUse, buffer_use
from fabricwright.topology.model import I32, Fabric
from fabricwright.topology.roce import RoceLink, pauses, priorities
from fabricwright.topology.stated import stated_figure
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record


@record
class SwitchBuffer:
    """Members of a switch item whose lossless ports are alike: ``members`` indices, ``priorities`` as stated (empty:
    one class is assumed), ``use`` of the buffer of each of them."""

    item: str
    members: I32
    priorities: tuple[int, ...]
    use: BufferUse


def switch_buffers(
    root: EffSheet, fabric: Fabric, links: list[RoceLink], settings: Mapping[str, object]
) -> list[SwitchBuffer]:
    """Every Ethernet switch with a port that is stated to pause, members with equal ports together."""
    rows = _port_rows(root, fabric, links, settings)
    if not len(rows):
        return []
    kinds, code = np.unique(rows[:, 1:], axis=0, return_inverse=True)
    code = code.reshape(-1)
    out = []
    for item_id in fabric.items:
        item = root.items.get(item_id)
        if item is None or item.kind != "switch":
            continue
        start, count = fabric.offset[item_id], fabric.count[item_id]
        mine = (rows[:, 0] >= start) & (rows[:, 0] < start + count)
        if not mine.any():
            continue
        table = np.zeros((count, len(kinds)), dtype=np.int64)
        np.add.at(table, (rows[mine, 0].astype(np.int64) - start, code[mine]), 1)
        used = np.flatnonzero(table.sum(axis=1))
        shapes, which = np.unique(table[used], axis=0, return_inverse=True)
        for n, shape in enumerate(shapes):
            ports = [(float(kinds[k, 0]), float(kinds[k, 1]), int(shape[k])) for k in np.flatnonzero(shape)]
            members = used[which.reshape(-1) == n].astype(np.int32)
            classes = stated_priorities(item, settings)
            out.append(SwitchBuffer(item_id, members, classes, _use(item, ports, len(classes) or 1, settings)))
    return out


@record
class SwitchPort:
    """A cabled Ethernet port of a switch: name ("17/1"), Gb/s, metres of cable (0 not known), link row."""

    port: str
    gbps: float
    length_m: float
    link: str


def cabled_ports(fabric: Fabric, links: list[RoceLink], item: str, member: int) -> list[SwitchPort]:
    """Ports of one switch that run on Ethernet links, in natural order."""
    known = {link.link for link in links}
    device = fabric.offset[item] + member
    out = []
    for k in np.flatnonzero(((fabric.a_dev == device) | (fabric.b_dev == device)) & (fabric.rate > 0)):
        bundle = fabric.bundles[fabric.bundle[k]]
        if bundle.link not in known:
            continue
        at_a = fabric.a_dev[k] == device
        names, port = (bundle.a_ports, int(fabric.a_port[k])) if at_a else (bundle.b_ports, int(fabric.b_port[k]))
        if port >= 0:
            gbps = round(float(fabric.rate[k]) * 8e-9, 3)
            out.append(SwitchPort(names[port], gbps, round(float(fabric.length_m[k]), 2), bundle.link))
    return sorted(out, key=lambda row: natural_key(row.port))


def stated_priorities(item: EffItem, settings: Mapping[str, object]) -> tuple[int, ...]:
    """Lossless priorities of a switch: its own, else those of the design; empty when nobody says."""
    return priorities(item.config.get("pfc.priorities")) or priorities(settings.get("pfc.priorities"))


def _use(
    item: EffItem, ports: list[tuple[float, float, int]], classes: int, settings: Mapping[str, object]
) -> BufferUse:
    delay = stated_figure(item.config.get("pfc.delay_ns"))
    return buffer_use(
        item.part,
        item.of,
        ports,
        classes=classes,
        reserved=stated_figure(settings.get("pfc.pool_reserved")) or 0.0,
        mtu=stated_figure(item.config.get("mtu")) or stated_figure(settings.get("mtu")) or LARGEST_MTU,
        method=str(settings.get("pfc.method") or ""),
        delay_ns=delay,
    )


def _port_rows(
    root: EffSheet, fabric: Fabric, links: list[RoceLink], settings: Mapping[str, object]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """(n, 3): device, Gb/s, metres of every port of a switch that pauses."""
    by_id = {link.link: link for link in links}
    out = []
    for n, bundle in enumerate(fabric.bundles):
        link = by_id.get(bundle.link)
        if link is None:
            continue
        rows = np.flatnonzero((fabric.bundle == n) & (fabric.rate > 0))
        for side, ends, device, port in (
            ("a", link.a, fabric.a_dev, fabric.a_port),
            ("b", link.b, fabric.b_dev, fabric.b_port),
        ):
            if ends[0].nic or not any(pauses(link, side, end, settings) for end in ends):
                continue
            here = rows[port[rows] >= 0]
            gbps = np.round(fabric.rate[here] * 8e-9, 3)
            length = np.round(fabric.length_m[here], 2)
            out.append(np.stack((device[here].astype(np.float64), gbps, length), axis=1))
    return np.concatenate(out) if out else np.zeros((0, 3))
