"""What joins servers, leafs and spines of a design, as two short lines for the head of a drawing."""

from __future__ import annotations

import numpy as np

from fabricwright.analysis.analyze import Analysis
from fabricwright.topology.model import F64, I32, Fabric
from fabricwright.units.quantity import format_rate
from fabricwright.units.text import Message, msg

BITS = 8.0


def network_lines(analysis: Analysis) -> tuple[Message | None, Message | None]:
    """(what each server has, what goes from leaf to spine); None where a design has no such links. Where links of
    several rates are mixed, the usual rate is told and the sum is that of all.
    """
    fabric = analysis.cluster.fabric
    if not len(fabric.rate):
        return None, None
    compute = fabric.networks.index("compute") if "compute" in fabric.networks else -1
    mine = (fabric.rate > 0) & ((fabric.network == compute) if compute >= 0 and len(fabric.network) else True)
    tiers = np.sort(np.stack([fabric.tier[fabric.a_dev], fabric.tier[fabric.b_dev]], axis=1), axis=1)
    return _servers(analysis, fabric, mine & (tiers[:, 0] == 0)), _uplinks(fabric, mine, tiers)


def _servers(analysis: Analysis, fabric: Fabric, down: np.ndarray) -> Message | None:
    servers = len(analysis.cluster.server_dev)
    rates = fabric.rate[down]
    if not servers or not len(rates):
        return None
    return msg(
        "{count} × {rate} per server, {total} Gb/s",
        count=round(len(rates) / servers, 1) if len(rates) % servers else len(rates) // servers,
        rate=format_rate(_usual(rates) * BITS),
        total=round(float(rates.sum()) * BITS / 1e9 / servers),
    )


def _uplinks(fabric: Fabric, mine: np.ndarray, tiers: np.ndarray) -> Message | None:
    up = mine & (tiers[:, 0] == 1) & (tiers[:, 1] == 2)
    if not up.any():
        return None
    pairs: I32 = np.sort(np.stack([fabric.a_dev[up], fabric.b_dev[up]], axis=1), axis=1)
    each = round(int(up.sum()) / len(np.unique(pairs, axis=0)), 1)
    down = mine & (tiers[:, 0] == 0) & (tiers[:, 1] == 1)
    ratio = float(fabric.rate[down].sum() / fabric.rate[up].sum())
    return msg(
        "leaf to spine: {count} × {rate} each, {ratio}:1",
        count=int(each) if each == int(each) else each,
        rate=format_rate(_usual(fabric.rate[up]) * BITS),
        ratio=f"{ratio:.2f}".rstrip("0").rstrip("."),
    )


def _usual(rates: F64) -> float:
    values, counts = np.unique(rates, return_counts=True)
    return float(values[int(np.argmax(counts))])
