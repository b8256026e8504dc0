"""Bursts and hashes: who sends to one port at once, and how well flows spread over equal paths; as plain values.

``incast``: ``[{"traffic", "senders", "burst", "room", "item", "outcome"}]``: ``senders`` ports that send to one port at
once, ``burst`` bytes that they have under way before they hear anything (senders x rate x unloaded round trip),
``room`` bytes that one hot queue takes before it pauses or drops (0: not known; without pauses half of the whole
buffer), ``item`` the switch with least of it,
``outcome`` fits | pauses | drops | credits | unknown. Everybody at once is the worst case: NCCL staggers an all-to-all.

``ecmp``: ``[{"collective", "mode", "assumed", "queue_pairs", "flows", "slowest", "low", "high", "mean", "stretch"}]``
as ``predict`` has them at 1 GiB; shares of what a NIC port gives a flow, ``stretch`` the busiest link between switches
relative to an even split; None where flows are not hashed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fabricwright.analysis.analyze import Analysis
from fabricwright.performance.ecmp import routing_of
from fabricwright.performance.layout import Layout
from fabricwright.performance.predict import PredictRequest
from fabricwright.units.errors import UserError

SIZE = 1 << 30
COLLECTIVES = ("all_reduce", "all_to_all")


def incast(
    analysis: Analysis, layout: Layout | None, switches: Sequence[Mapping[str, Any]], trip_s: float, pfc: str
) -> list[dict[str, Any]]:
    """The worst bursts of an all-to-all and of storage traffic."""
    out = []
    if layout is not None:
        ports = (layout.out_wire >= 0).sum(axis=1)
        rates = layout.wire_rate[layout.is_port & (layout.wire_rate > 0)]
        rate = float(rates.max()) if len(rates) else 0.0
        out.append(_row("all_to_all", int(ports.sum() - ports[0]), rate, trip_s, switches, pfc))
    clients, rate = _storage(analysis)
    if clients:
        out.append(_row("storage", clients, rate, trip_s, switches, pfc))
    return out


def _row(
    traffic: str, senders: int, rate: float, trip_s: float, switches: Sequence[Mapping[str, Any]], pfc: str
) -> dict[str, Any]:
    burst = float(senders * rate * trip_s)
    tight = min(switches, key=lambda s: float(s["queue"]), default=None)
    room = float(tight["queue"]) if tight is not None else 0.0
    outcome = "unknown"
    if pfc == "credits":
        outcome = "credits"
    elif room and burst:
        outcome = "fits" if burst <= room else "drops" if pfc in ("off", "unneeded") else "pauses"
    return {
        "traffic": traffic,
        "senders": senders,
        "rate_gbps": rate * 8e-9,
        "burst": burst,
        "room": room,
        "item": str(tight["item"]) if tight is not None else "",
        "outcome": outcome,
    }


def _storage(analysis: Analysis) -> tuple[int, float]:
    """(server ports that may write to one port of a storage server at once, bytes/s of the fastest of them)."""
    fabric = analysis.cluster.fabric
    root = analysis.stages.effective(analysis.stages.design.root)
    stores = np.zeros(len(fabric.tier), dtype=bool)
    for item_id in fabric.items:
        item = root.items.get(item_id)
        if item is not None and item.kind == "storage-server":
            stores[fabric.offset[item_id] : fabric.offset[item_id] + fabric.count[item_id]] = True
    if not stores.any() or not len(fabric.rate):
        return 0, 0.0
    alive = fabric.rate > 0
    networks = np.unique(fabric.network[alive & (stores[fabric.a_dev] | stores[fabric.b_dev])])
    servers = np.zeros(len(fabric.tier), dtype=bool)
    servers[analysis.cluster.server_dev] = True
    # storage servers also have a port on networks for management: the fastest network counts
    best = (0, 0.0)
    for network in networks:
        mine = alive & (fabric.network == network) & (servers[fabric.a_dev] | servers[fabric.b_dev])
        if mine.any():
            best = max(best, (int(mine.sum()), float(fabric.rate[mine].max())), key=lambda pair: pair[1])
    return best


def entropy(analysis: Analysis, layout: Layout | None) -> list[dict[str, Any]]:
    """How the flows of an all-reduce and an all-to-all spread over equal paths."""
    if layout is None:
        return []
    routing = routing_of(layout)
    out = []
    for collective in COLLECTIVES:
        try:
            found = analysis.predict(PredictRequest(collective, (SIZE,))).rows[0].slowest_flow
        except UserError:
            continue
        out.append(
            {
                "collective": collective,
                "mode": routing.mode,
                "assumed": routing.assumed,
                "queue_pairs": routing.qps,
                "flows": found.flows if found else 0,
                "slowest": found.slowest if found else None,
                "low": found.low if found else None,
                "high": found.high if found else None,
                "mean": found.mean if found else None,
                "stretch": found.stretch if found else None,
            }
        )
    return out
