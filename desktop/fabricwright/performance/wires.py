"""Sends between servers to load on the directed links of the fabric.

A send leaves through its NIC port, goes over equal-cost routes between the two leaf switches (``topology.spread``), and
arrives through the other port. Sends between the same two leafs are added up before they are routed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.network_names import network_words
from fabricwright.performance.layout import Layout
from fabricwright.performance.sends import Sends
from fabricwright.topology.constants import FIBRE_S_PER_M, SWITCH_ASIC_LATENCY_S
from fabricwright.topology.reach import cut_statement
from fabricwright.topology.spread import Spread, spread
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
KEPT, KEPT_UP_TO_LINKS = 8, 50_000
"""Patterns kept on a fabric, and the physical links up to which they are."""


def wire_loads(layout: Layout, sends: Sends) -> F64:
    """Load on the directed fabric links (2K,)."""
    wire = np.zeros(len(layout.wire_rate))
    if len(sends.src) == 0:
        return wire
    out = layout.out_wire[sends.src, sends.src_port]
    into = layout.in_wire[sends.dst, sends.dst_port]
    wire += np.bincount(out, weights=sends.amount, minlength=len(wire))
    behind = out != into  # two servers cabled to each other share one wire
    wire += np.bincount(into[behind], weights=sends.amount[behind], minlength=len(wire))
    src = layout.leaf[sends.src, sends.src_port][behind]
    dst = layout.leaf[sends.dst, sends.dst_port][behind]
    return wire + leaf_loads(layout, src, dst, sends.amount[behind])


def leaf_loads(layout: Layout, src_leaf: I64, dst_leaf: I64, amount: F64) -> F64:
    """Load (2K,) of bytes between leaf switches, evenly over equal-cost routes. ``UserError`` when two are not
    connected.
    """
    apart = src_leaf != dst_leaf
    src, dst, amount = src_leaf[apart], dst_leaf[apart], amount[apart]
    devices = len(layout.cluster.fabric.absent)
    pair, at = np.unique(src * devices + dst, return_inverse=True)
    mass: F64 = np.bincount(at.reshape(-1), weights=amount, minlength=len(pair)).astype(np.float64)
    found = _spread_pairs(layout, pair, mass)
    if found.unreachable.any():
        first = int(np.flatnonzero(found.unreachable)[0])
        raise _cut(layout, int(pair[first] // devices), int(pair[first] % devices))
    return found.load


def _spread_pairs(layout: Layout, pair: I64, mass: F64) -> Spread:
    """Routes of pairs of devices (source * devices + target). Kept on a fabric that is not huge, where an edit inside
    a server, which leaves the pairs alone, finds them again."""
    fabric = layout.cluster.fabric
    devices = len(fabric.absent)
    ends = _i32(pair // devices), _i32(pair % devices)
    if len(fabric.rate) > KEPT_UP_TO_LINKS:
        return spread(fabric, *ends, mass, network=layout.network)
    kept = fabric.memo.get("spread")
    if not isinstance(kept, dict) or len(kept) >= KEPT:
        kept = fabric.memo["spread"] = {}
    key = (layout.network, pair.tobytes(), mass.tobytes())
    if key not in kept:
        kept[key] = spread(fabric, *ends, mass, network=layout.network)
    found: Spread = kept[key]
    return found


def _i32(values: I64) -> NDArray[np.int32]:
    return values.astype(np.int32)


def _cut(layout: Layout, a: int, b: int) -> UserError:
    fabric = layout.cluster.fabric
    cut = cut_statement(layout.cluster, layout.network)
    if cut is not None:
        return UserError(cut)
    return UserError(
        msg(
            "There is no route from {a} to {b} in the {network} network, so servers behind them cannot exchange data.",
            a=fabric.device_address(a),
            b=fabric.device_address(b),
            network=network_words(layout.network),
        )
    )


def mean_wire_latency_s(layout: Layout, sends: Sends) -> float:
    """Mean over sends: switches on the way and cable propagation. Lengths that are not known count as 0."""
    if len(sends.src) == 0:
        return 0.0
    fabric = layout.cluster.fabric
    out = layout.out_wire[sends.src, sends.src_port] // 2
    into = layout.in_wire[sends.dst, sends.dst_port] // 2
    leaf = layout.leaf[sends.src, sends.src_port]
    apart = out != into
    cable_m = fabric.length_m[out] + np.where(apart, fabric.length_m[into], 0.0)
    seconds = cable_m * FIBRE_S_PER_M
    if apart.any():
        dst = layout.leaf[sends.dst, sends.dst_port]
        pair, at = np.unique(leaf[apart] * len(fabric.absent) + dst[apart], return_inverse=True)
        hops = _spread_pairs(layout, pair, np.zeros(len(pair))).hops[at.reshape(-1)]
        inner = fabric.length_m[~layout.is_port[::2] & (fabric.rate > 0)]
        hop_s = (float(inner.mean()) if len(inner) else 0.0) * FIBRE_S_PER_M
        switch_s = fabric.switch_latency_s[leaf[apart]]
        switch_s = np.where(switch_s > 0, switch_s, SWITCH_ASIC_LATENCY_S)
        seconds[apart] += (hops + 1) * switch_s + hops * hop_s
    return float(seconds.mean())
