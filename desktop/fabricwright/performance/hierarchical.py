"""Two levels: reduce_scatter inside each server, the collective itself per GPU index across servers, all_gather
inside.
"""

from __future__ import annotations

import numpy as np

from fabricwright.performance.flows import Loads, add_path
from fabricwright.performance.layout import Layout
from fabricwright.performance.pair_flows import pair_loads
from fabricwright.performance.schedule import ring
from fabricwright.performance.sends import Sends
from fabricwright.performance.wires import wire_loads


def uniform_servers(layout: Layout) -> bool:
    """Whether all servers have the same GPUs taking part (the levels need equal groups)."""
    return len({c.gpus for c in layout.classes}) == 1


def inside_ring_loads(layout: Layout) -> Loads:
    """One byte on each edge of a ring inside every server."""
    inside = np.zeros((len(layout.classes), layout.width))
    for row, c in zip(inside, layout.classes, strict=True):
        order = c.channels[0].order
        edges = [(e.src, e.dst, e.share) for e in c.channels[0].edges] if c.mesh else _closed(order)
        scale = len(order) / max(sum(e[2] for e in edges), 1e-12)
        for a, b, share in edges:
            add_path(row, c.interior.gpu_gpu, a, b, share * scale)
    return Loads(layout.group, inside, wire_loads(layout, Sends.none()))


def _closed(order: tuple[int, ...]) -> list[tuple[int, int, float]]:
    return [(a, b, 1.0) for a, b in zip(order, order[1:] + order[:1], strict=True) if a != b]


def across_loads(layout: Layout) -> Loads:
    """One byte from every GPU to the same GPU of the next server."""
    g = len(layout.classes[0].gpus)
    rank = np.argsort(layout.rank_position * (1 << 20) + layout.rank_gpu, kind="stable")
    return pair_loads(layout, rank, np.roll(rank, -g))


def hierarchical_phases(layout: Layout, collective: str) -> tuple[Loads, ...]:
    """Serial phases of all_reduce, reduce_scatter or all_gather."""
    g, k = len(layout.classes[0].gpus), layout.k
    inner, outer = inside_ring_loads(layout), across_loads(layout)
    local = inner.scaled(ring("reduce_scatter", g).bytes_out)
    middle = outer.scaled(ring(collective, k).bytes_out / g)
    return (local, middle, local) if collective == "all_reduce" else (local, middle)
