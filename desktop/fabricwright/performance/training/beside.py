"""Groups that run at the same time inside one server and share its links: PCIe uplinks, the link between sockets.

On NVLink every GPU has its own way into the switch and nothing is shared. Over PCIe, tensor-parallel groups that lie
across the sockets all use the one link between them, and each gets its part of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.binding import Named, Peak, name_peak, role_of
from fabricwright.performance.choose import Candidate, Prepared
from fabricwright.performance.flows import total
from fabricwright.topology.model import Cluster

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


def groups_beside(cluster: Cluster, group: I64, stride: int) -> list[I64]:
    """The other groups of this kind (``stride`` apart, as many ranks) that lie wholly on the server of ``group``."""
    server = np.asarray(cluster.rank_server, dtype=np.int64)
    size = len(group)
    here = np.flatnonzero(server == server[group[0]])
    block = stride * size
    starts = np.unique(here - here % block + here % stride)
    out = []
    for start in starts.tolist():
        ranks = start + stride * np.arange(size)
        if start != int(group[0]) and ranks[-1] < len(server) and np.isin(ranks, here).all():
            out.append(ranks)
    return out


def together_inside(own: Prepared, others: Sequence[Prepared]) -> tuple[float, Named | None]:
    """Seconds per byte of one group's buffer on the busiest link inside the server when all send at once, and that
    link; 0 where the groups share none. Long messages: what each sends by its cheapest algorithm."""
    best = _cheapest(own)
    busy = _busy(own, best)
    alone = float(busy.max(initial=0.0))
    if not others or alone <= 0 or not np.isfinite(alone):
        return 0.0, None
    summed = busy.copy()
    for other in others:
        more = _busy(other, _cheapest(other))
        if more.shape != busy.shape:
            return 0.0, None
        summed += more
    grow = float(summed.max()) / alone
    if grow <= 1 + 1e-9 or not np.isfinite(grow):
        return 0.0, None
    at = int(np.argmax(summed))
    layout, loads = own.layout, total(best.costed.plan.phases)
    interior = layout.classes[int(layout.group[loads.first_of_row()[0]])].interior
    peak = Peak(role_of(interior, interior.links[at]), float(summed[at]), (0,), (at,))
    # what a group needs beyond its busiest link (a protocol's own limit, phases one after another) stays in proportion
    return best.seconds_per_byte * grow, name_peak(layout, loads, peak)


def _cheapest(prepared: Prepared) -> Candidate:
    return min(prepared.candidates, key=lambda c: c.seconds_per_byte)


def _busy(prepared: Prepared, candidate: Candidate) -> F64:
    """Seconds per byte on every link of the server (one row: a group inside one server)."""
    loads = total(candidate.costed.plan.phases)
    layout = prepared.layout
    variant = layout.variant_of[loads.first_of_row()[0]]
    capacity = candidate.costed.capacity.inside[variant]
    with np.errstate(divide="ignore", invalid="ignore"):
        busy: F64 = np.where(loads.inside[0] > 0, loads.inside[0] / capacity, 0.0)
    return busy
