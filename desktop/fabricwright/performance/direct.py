"""Everybody to everybody at once (all_to_all, and the direct reduce_scatter / all_gather).

Every rank sends 1/n of the buffer to each other rank. Between servers the load of a leaf pair is the product of what
one leaf's ports send and the other's receive, so nothing grows with the number of rank pairs.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.flows import Loads, add_path
from fabricwright.performance.layout import Layout
from fabricwright.performance.peer_ports import (
    channel_count,
    keeps_rails,
    lopsided,
    nearest_ports,
    planes_of,
    port_by_channel,
)
from fabricwright.performance.sends import Pattern
from fabricwright.performance.wires import leaf_loads
from fabricwright.topology.routes import switch_graph

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


def all_to_all_loads(layout: Layout) -> Loads:
    """Load of one byte of ``size`` (a rank's whole buffer)."""
    if layout.k == 1:
        return Loads(layout.group, _local_rows(layout), np.zeros(len(layout.wire_rate)))
    rails = keeps_rails(layout)
    planes = [] if rails or len(layout.classes) < 2 else planes_of(layout)
    if planes and lopsided(planes):
        return _plane_loads(layout, planes)
    count = channel_count(layout)
    into = _gpus_by_port(layout, False, count)
    rows = _local_rows(layout)
    out = np.zeros_like(into) if rails else _gpus_by_port(layout, True, count)
    everywhere = into.sum(axis=0)[layout.group].sum(axis=0)
    for number, c in enumerate(layout.classes):
        remote = (layout.n - len(c.gpus)) / layout.n
        own = into[:, number].sum(axis=0)
        arrives, leaves = (port_by_channel(c, sending, count) for sending in (False, True))
        for i, gpu in enumerate(c.gpus):
            for channel in range(count):
                add_path(rows[number], c.interior.port_gpu, int(arrives[channel, i]), gpu, remote / count)
                if not rails:
                    add_path(rows[number], c.interior.gpu_port, gpu, int(leaves[channel, i]), remote / count)
            for p in c.ports if rails else ():
                add_path(rows[number], c.interior.gpu_port, gpu, p, float(everywhere[p] - own[p]) / layout.n)
    pattern = Pattern("all to all", None, 1.0 / (layout.n * count))
    return Loads(layout.group, rows, _wire(layout, into, out, everywhere, rails), pattern)


def _plane_loads(layout: Layout, planes: list[dict[int, tuple[int, ...]]]) -> Loads:
    """The same where some servers lack ports on a plane: two kinds of servers use the planes that both are on, evenly,
    and every GPU its nearest ports there.
    """
    rows = _local_rows(layout)
    wire = np.zeros(len(layout.wire_rate))
    gpus = np.bincount(layout.group, layout.gpu_count, len(layout.classes))
    pairs: list[tuple[I64, I64, F64]] = []
    finest = 1.0
    for s, r in product(range(len(layout.classes)), repeat=2):
        common = sorted(set(planes[s]) & set(planes[r])) or sorted(planes[s])
        from_s, to_r = layout.classes[s], layout.classes[r]
        remote_r = (gpus[r] - (len(to_r.gpus) if s == r else 0)) / layout.n
        remote_s = (gpus[s] - (len(from_s.gpus) if s == r else 0)) / layout.n
        for plane in common:
            near_out = nearest_ports(from_s, True, planes[s][plane])
            near_in = nearest_ports(to_r, False, planes[r].get(plane, to_r.ports))
            count = math.lcm(*(len(x) for x in (*near_out, *near_in)))
            part = 1.0 / len(common) / count
            finest = min(finest, part)
            for channel in range(count):
                send, receive = np.zeros((2, *layout.leaf.shape))
                for gpu, ports in zip(from_s.gpus, near_out, strict=True):
                    port = ports[channel % len(ports)]
                    send[layout.group == s, port] += 1.0
                    add_path(rows[s], from_s.interior.gpu_port, gpu, port, remote_r * part)
                for gpu, ports in zip(to_r.gpus, near_in, strict=True):
                    port = ports[channel % len(ports)]
                    receive[layout.group == r, port] += part / layout.n
                    add_path(rows[r], to_r.interior.port_gpu, port, gpu, remote_s * part)
                _add_ports(wire, layout.out_wire, send * remote_r * part)
                _add_ports(wire, layout.in_wire, receive * remote_s * layout.n)
                used = layout.leaf >= 0
                pairs.append(_products(layout, layout.leaf[used], send[used], receive[used]))
                pairs.append(_own_pairs(layout, send, receive))
    src, dst, amount = (np.concatenate([p[n] for p in pairs]) for n in range(3))
    pattern = Pattern("all to all", None, finest / layout.n)
    return Loads(layout.group, rows, wire + leaf_loads(layout, src, dst, amount), pattern)


def _local_rows(layout: Layout) -> F64:
    rows = np.zeros((len(layout.classes), layout.width))
    for row, c in zip(rows, layout.classes, strict=True):
        for a in c.gpus:
            for b in c.gpus:
                if a != b:
                    add_path(row, c.interior.gpu_gpu, a, b, 1.0 / layout.n)
    return rows


def _gpus_by_port(layout: Layout, sending: bool, count: int) -> F64:
    """(channels, classes, P): GPUs that use a port, each counted 1 / channels."""
    table = np.zeros((count, len(layout.classes), layout.out_wire.shape[1]))
    for number, c in enumerate(layout.classes):
        for channel, ports in enumerate(port_by_channel(c, sending, count)):
            np.add.at(table[channel, number], ports, 1.0 / count)
    return table


def _wire(layout: Layout, into: F64, out: F64, everywhere: F64, rails: bool) -> F64:
    """Load (2K,) of ports and fabric. ``into``/``out`` as ``_gpus_by_port``, ``everywhere`` (P,) GPUs behind each
    port.
    """
    n, group = layout.n, layout.group
    remote = (n - layout.gpu_count)[:, None] / n
    arriving = into.sum(axis=0)[group]
    if rails:
        leaving = (everywhere[None, :] - arriving) / n * layout.gpu_count[:, None]
    else:
        leaving = out.sum(axis=0)[group] * remote
    wire = np.zeros(len(layout.wire_rate))
    _add_ports(wire, layout.out_wire, leaving)
    _add_ports(wire, layout.in_wire, arriving * remote)
    gpus = layout.gpu_count.astype(np.float64)
    pairs = []
    if rails:
        for p in np.flatnonzero((layout.leaf >= 0).any(axis=0)):
            used = layout.leaf[:, p] >= 0
            pairs.append(_products(layout, layout.leaf[used, p], gpus[used], arriving[used, p] / n))
    else:
        for channel in range(len(into)):
            send, receive = out[channel][group], into[channel][group] * len(into) / n
            used = layout.leaf >= 0
            pairs.append(_products(layout, layout.leaf[used], send[used], receive[used]))
            pairs.append(_own_pairs(layout, send, receive))
    src, dst = np.concatenate([p[0] for p in pairs]), np.concatenate([p[1] for p in pairs])
    return wire + leaf_loads(layout, src, dst, np.concatenate([p[2] for p in pairs]))


def _add_ports(wire: F64, wires: I64, amount: F64) -> None:
    used = wires >= 0
    wire += np.bincount(wires[used], weights=amount[used], minlength=len(wire))


def _products(layout: Layout, leaf: I64, send: F64, receive: F64) -> tuple[I64, I64, F64]:
    """Pairs of different leafs that load the fabric as (sum of send at one) x (sum of receive at the other) on all
    pairs does.

    Routes only depend on classes of twin switches (``topology.routes``) and on what each switch sends and receives in
    all, so equal twins are paired one to one instead of each with each: a few pairs per leaf instead of thousands.
    """
    graph = switch_graph(layout.cluster.fabric, layout.network)
    leafs, at = np.unique(leaf, return_inverse=True)
    out = np.bincount(at.reshape(-1), weights=send, minlength=len(leafs))
    into = np.bincount(at.reshape(-1), weights=receive, minlength=len(leafs))
    node = graph.node[leafs]
    twin = np.where(node >= 0, graph.cls[node] if len(graph.cls) else node, -1 - leafs)
    alike = np.stack((twin.astype(np.float64), np.round(out, 9), np.round(into, 9)), axis=1)
    _, cls = np.unique(alike, axis=0, return_inverse=True)
    order = np.argsort(cls.reshape(-1), kind="stable")
    size = np.bincount(cls.reshape(-1))
    first = np.cumsum(size) - size
    a, b = (x.reshape(-1) for x in np.meshgrid(np.arange(len(size)), np.arange(len(size)), indexing="ij"))
    same = a == b
    count = np.where(same, np.where(size[a] > 1, size[a], 0), np.lcm(size[a], size[b]))
    pair = np.repeat(np.arange(len(a)), count)
    turn = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    src = order[first[a[pair]] + turn % size[a[pair]]]
    dst = order[first[b[pair]] + (turn + same[pair]) % size[b[pair]]]
    partners = np.where(same[pair], size[a[pair]] - 1, size[a[pair]] * size[b[pair]] / np.maximum(count[pair], 1))
    amount = out[src] * into[dst] * partners
    keep = amount > 0
    return leafs[src[keep]], leafs[dst[keep]], amount[keep]


def _own_pairs(layout: Layout, send: F64, receive: F64) -> tuple[I64, I64, F64]:
    """What the products wrongly count between two ports of one server on different leafs, negative."""
    k, ports = layout.leaf.shape
    src = np.repeat(layout.leaf, ports, axis=1).reshape(-1)
    dst = np.tile(layout.leaf, (1, ports)).reshape(-1)
    amount = (send[:, :, None] * receive[:, None, :]).reshape(k * ports * ports)
    keep = (src >= 0) & (dst >= 0) & (src != dst) & (amount > 0)
    return src[keep], dst[keep], -amount[keep]
