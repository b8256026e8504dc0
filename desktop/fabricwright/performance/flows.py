"""Load on every directed link, and which link is the last to finish.

``Loads`` is bytes per byte of ``size``: a row per kind of server for the links inside, a value per directed fabric
link. Servers that carry the same load share a row, so 12,800 equal servers cost one. Time of a phase = largest load /
effective capacity; phases that overlap add their loads (they share the wires), phases one after another add their
times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.routing import Collisions
from fabricwright.performance.sends import Pattern
from fabricwright.topology.model import Paths

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Loads:
    """``row`` (k,): row of ``inside`` of the server at each position of the rank order; ``inside`` (rows, width):
    the directed links of that server's interior, zeros behind; ``wire`` (2K,): the directed links of the fabric, evenly
    over equal-cost routes. ``pattern`` the flows between servers that make ``wire``, ``scale`` bytes per byte of
    theirs; ``collisions`` what routing has already made of them (``ecmp.routed``).
    """

    row: I64
    inside: F64
    wire: F64
    pattern: Pattern | None = None
    scale: float = 1.0
    collisions: Collisions | None = None

    def scaled(self, factor: float) -> Loads:
        """The same flows with ``factor`` times the bytes."""
        return Loads(self.row, self.inside * factor, self.wire * factor, self.pattern, self.scale * factor)

    def plus(self, other: Loads) -> Loads:
        """Both at the same time on the same wires."""
        if self.row is other.row or np.array_equal(self.row, other.row):
            return Loads(self.row, self.inside + other.inside, self.wire + other.wire)
        code = self.row * len(other.inside) + other.row
        _, first, row = np.unique(code, return_index=True, return_inverse=True)
        inside = self.inside[self.row[first]] + other.inside[other.row[first]]
        return Loads(row.astype(np.int64), inside, self.wire + other.wire)

    def first_of_row(self) -> I64:
        """Position of the first server of every row."""
        _, first = np.unique(self.row, return_index=True)
        return first.astype(np.int64)


@dataclass(frozen=True, slots=True)
class Capacity:
    """Effective bytes/s: ``inside`` (variants, width), ``wire`` (2K,). ``inf`` where nothing limits."""

    inside: F64
    wire: F64


def add_path(row: F64, paths: Paths, i: int, j: int, amount: float) -> None:
    """Add ``amount`` along path (i, j) to one row of ``Loads.inside``."""
    np.add.at(row, paths.links(i, j), paths.weights(i, j) * amount)


def usage(loads: Loads, capacity: Capacity, variant_of_row: I64) -> tuple[F64, F64]:
    """Seconds per byte of ``size`` on every link: (rows, width) inside and (2K,) on wires."""
    return _busy(loads.inside, capacity.inside[variant_of_row]), _busy(loads.wire, capacity.wire)


def _busy(load: F64, capacity: F64) -> F64:
    """0 where nothing is sent, infinite where something is sent over a link without bandwidth."""
    with np.errstate(divide="ignore", invalid="ignore"):
        busy: F64 = np.where(load > 0, load / capacity, 0.0)
    return busy


def total(loads: Sequence[Loads]) -> Loads:
    """Sum of several phases' loads (what a link carries in the whole operation)."""
    out = loads[0]
    for other in loads[1:]:
        out = out.plus(other)
    return out
