"""How busy every link is during one operation, for the heat map.

Busy = bytes carried / effective capacity / time of the operation, the busier of the two directions. Fabric links are
summed up per bundle (a drawn link), interior links per server sheet and drawn name.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.choose import Candidate
from fabricwright.performance.flows import total, usage
from fabricwright.performance.layout import Layout
from fabricwright.topology.domains import tray_of

F64 = NDArray[np.float64]


def heat(layout: Layout, candidate: Candidate, n_bytes: float, seconds: float) -> dict[str, object]:
    """``{link id: {max, mean, argmax, load_bytes, capacity}, "interior": {sheet: {link name: busy}}}``.

    Hashed flows load links between switches unevenly: ``max`` is the busiest as it is expected, ``mean`` that of all.
    ``argmax`` is the row of the bundle that is busiest, ``load_bytes`` and ``capacity`` (bytes/s) are its.
    """
    loads = total(candidate.costed.plan.phases)
    first = loads.first_of_row()
    inside, wire = usage(loads, candidate.costed.capacity, layout.variant_of[first])
    share = n_bytes / seconds if seconds > 0 else 0.0
    capacity = candidate.costed.capacity.wire
    out: dict[str, object] = dict(_bundles(layout, wire * share, loads.wire * n_bytes, capacity, _stretch(candidate)))
    out["interior"] = _interiors(layout, inside * share, first)
    return out


def _stretch(candidate: Candidate) -> float:
    """How much busier than the mean the loads count links between switches, because flows are hashed; 1 if not."""
    found = [phase.collisions for phase in candidate.costed.plan.phases if phase.collisions is not None]
    return max((c.stretch for c in found if c.routing.mode == "hash"), default=1.0)


def _bundles(layout: Layout, busy: F64, load: F64, capacity: F64, stretch: float) -> dict[str, dict[str, float | int]]:
    fabric = layout.cluster.fabric
    pair = busy.reshape(-1, 2)
    worse = pair.argmax(axis=1) if len(pair) else np.zeros(0, dtype=np.int64)
    top = pair.max(axis=1) if len(pair) else np.zeros(0)
    even = np.where(layout.is_port[::2], top, top / stretch) if len(top) else top
    out: dict[str, dict[str, float | int]] = {}
    order = np.argsort(fabric.bundle, kind="stable")
    ends = np.searchsorted(fabric.bundle[order], np.arange(len(fabric.bundles) + 1))
    for number, bundle in enumerate(fabric.bundles):
        members = order[ends[number] : ends[number + 1]]
        if len(members) == 0:
            continue
        k = int(members[np.argmax(top[members])])
        wire = 2 * k + int(worse[k])
        out[bundle.link] = {
            "max": float(top[k]),
            "mean": float(even[members].mean()),
            "argmax": int(fabric.row[k]),
            "load_bytes": float(load[wire]),
            "capacity": float(capacity[wire]),
        }
    return out


def _interiors(layout: Layout, busy: F64, first: NDArray[np.int64]) -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = {}
    variant = layout.variant_of[first]
    for c in {c.variant: c for c in layout.classes}.values():
        rows = busy[variant == c.variant]
        if not len(rows):
            continue
        top = rows.max(axis=0)
        table = out.setdefault(c.interior.sheet, {})
        for link, value in zip(c.interior.links, top, strict=False):
            name = tray_of(link.name)[1]
            table[name] = max(table.get(name, 0.0), float(value))
    return out
