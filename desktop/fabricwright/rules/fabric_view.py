"""Questions to the compiled fabric that several rules ask: which item a device belongs to, its coordinates, links by
level.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.effective import EffSheet
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Axes
from fabricwright.rules.context import RuleContext
from fabricwright.topology.model import Bundle, Fabric
from fabricwright.units.record import record

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@record
class Side:
    """One end of a bundle, with the columns of ``rows`` that hold its instance and port."""

    item: str
    ports: tuple[str, ...]
    column: int


def sides(bundle: Bundle) -> tuple[Side, Side]:
    """Both ends of a bundle."""
    return Side(bundle.a_item, bundle.a_ports, 0), Side(bundle.b_item, bundle.b_ports, 2)


def is_switch(root: EffSheet, item: str) -> bool:
    """Whether an item of the root sheet is a network switch."""
    row = root.items.get(item)
    return row is not None and row.kind == "switch"


def present(fabric: Fabric, item: str) -> NDArray[np.bool_]:
    """bool(count): members of an item that are there."""
    start = fabric.offset.get(item, 0)
    return ~fabric.absent[start : start + fabric.count.get(item, 0)].astype(bool)


def axis_values(axes: Axes, count: int, name: str) -> I64 | None:
    """Coordinate on one axis for each of ``count`` row-major members; None when the axis is not there."""
    index = np.arange(count, dtype=np.int64)
    found: I64 | None = None
    for axis, size in reversed(axes):
        if axis == name:
            found = index % size
        index = index // size
    return found


def members_where(mask: NDArray[np.bool_]) -> IndexSet:
    """Index set of the true places."""
    return IndexSet.of_array(np.flatnonzero(mask))


def main_networks(context: RuleContext) -> dict[str, str]:
    """Switch item -> the network that most of its cables belong to. Cables of other networks (management) are no
    uplinks.
    """
    fabric, root = context.fabric(), context.root
    found = fabric.memo.get("rules: main networks")
    if isinstance(found, dict):
        return found
    counts: dict[str, dict[str, int]] = {}
    per_bundle = np.bincount(fabric.bundle, minlength=len(fabric.bundles))
    for bundle, n in zip(fabric.bundles, per_bundle, strict=True):
        for side in sides(bundle):
            if is_switch(root, side.item):
                by_network = counts.setdefault(side.item, {})
                by_network[bundle.network] = by_network.get(bundle.network, 0) + int(n)
    out = {item: max(sorted(nets), key=lambda net: nets[net]) for item, nets in counts.items()}
    fabric.memo["rules: main networks"] = out
    return out


def is_management(root: EffSheet, side: Side) -> bool:
    """Whether an end is management ports only."""
    row = root.items.get(side.item)
    known = [row.ports[p] for p in side.ports if p in row.ports] if row is not None else []
    return bool(known) and all(p.medium == "mgmt" for p in known)
