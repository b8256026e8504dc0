"""Which devices of a fabric hang together: components of a graph, and of the switches by their own cables."""

from __future__ import annotations

import numpy as np

from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_cabling import cabling, kept
from fabricwright.rules.fabric_view import I64


def components(n: int, a: I64, b: I64) -> I64:
    """Connected components of ``n`` nodes joined by the edges (a, b): the smallest node of each one's component.

    Every node hooks onto its smallest neighbour, chains are shortened, edges inside a component are dropped; again
    until none is left.
    """
    label = np.arange(n, dtype=np.int64)
    while len(a):
        step = np.arange(n, dtype=np.int64)
        np.minimum.at(step, np.maximum(a, b), np.minimum(a, b))
        while True:
            shorter = step[step]
            if np.array_equal(shorter, step):
                break
            step = shorter
        label = step[label]
        a, b = step[a], step[b]
        apart = a != b
        a, b = a[apart], b[apart]
    return label


def joined(context: RuleContext, top: int, *networks: str) -> I64:
    """Component of every device over the switches' own cables up to tier ``top`` (drawn cables, found port or not)."""

    def make() -> I64:
        fabric, seen = context.fabric(), cabling(context)
        n = len(fabric.tier)
        on = seen.between & seen.drawn
        if len(networks) < len(fabric.networks):
            on &= np.isin(seen.network, [k for k, network in enumerate(fabric.networks) if network in networks])
        rows = np.flatnonzero(on)
        a, b = seen.a[rows], seen.b[rows]
        low = np.maximum(fabric.tier[a], fabric.tier[b]) <= 2
        if top < 3:
            return components(n, a[low], b[low])
        if low.all():
            return joined(context, 2, *networks)
        below = joined(context, 2, *networks)
        return components(n, below[a[~low]], below[b[~low]])[below]

    return kept(context, f"joined {top} {networks}", make)
