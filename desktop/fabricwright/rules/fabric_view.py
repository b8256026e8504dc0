"""Questions to the compiled fabric that several rules ask: which item a device belongs to, its coordinates, links by level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Axes
from fabricwright.rules.context import RuleContext
from fabricwright.topology.model import Bundle, Fabric

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
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


def tier_of(fabric: Fabric, item: str) -> int:
    """Tier of an item's devices; -2 when it has none."""
    start, count = fabric.offset.get(item, 0), fabric.count.get(item, 0)
    return int(fabric.tier[start]) if count else -2


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
    return IndexSet.of(int(i) for i in np.flatnonzero(mask))


@dataclass(frozen=True, slots=True)
class Levels:
    """Line rate up and down of every device of a switch item, Gb/s, and which networks its downlinks belong to."""

    item: str
    up: F64
    down: F64
    down_networks: frozenset[str]


def levels(context: RuleContext) -> Iterator[Levels]:
    """Up and down rates of every switch item that has uplinks."""
    fabric, root = context.fabric(), context.root
    live = fabric.rate > 0
    ends = ((fabric.a_dev, fabric.b_dev), (fabric.b_dev, fabric.a_dev))
    networks = np.array([b.network for b in fabric.bundles] or [""])
    for item in fabric.items:
        count, start = fabric.count[item], fabric.offset[item]
        if not is_switch(root, item) or not count:
            continue
        up, down = np.zeros(count), np.zeros(count)
        below: set[str] = set()
        for own, other in ends:
            mine = live & (own >= start) & (own < start + count)
            rises = fabric.tier[other] > fabric.tier[own]
            for goes, total in ((mine & rises, up), (mine & ~rises, down)):
                np.add.at(total, own[goes] - start, fabric.rate[goes] * 8e-9)
            below |= set(networks[np.unique(fabric.bundle[mine & ~rises])])
        if up.any():
            yield Levels(item, up, down, frozenset(below))


def item_label(item: EffItem) -> str:
    """``leaf (SN5600)``: id and part."""
    part = item.part
    name = (part.model or part.name()) if part is not None else ""
    return f"{item.id} ({name})" if name else item.id
