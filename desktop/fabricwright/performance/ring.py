"""Ring flows: every server passes on what it got, channel by channel, GPU by GPU.

One unit on every edge of the ring, split over the channels; a collective scales it by the bytes an edge carries
(``schedule.ring``).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.flows import Loads, add_path
from fabricwright.performance.kept import Kept
from fabricwright.performance.layout import Layout, ServerClass
from fabricwright.performance.sends import Pattern, Sends
from fabricwright.performance.wires import wire_loads

F64 = NDArray[np.float64]
_rows: Kept[F64] = Kept(64)


def ring_loads(layout: Layout) -> Loads:
    """Load of one byte per ring edge."""
    key = (layout.shares.tobytes(), layout.width)
    inside = np.stack([_rows.get(c, key, partial(_inside, layout, c)) for c in layout.classes])
    sends = ring_sends(layout)
    return Loads(layout.group, inside, wire_loads(layout, sends), Pattern("ring", lambda: sends))


def _inside(layout: Layout, c: ServerClass) -> F64:
    row, inner = np.zeros(layout.width), c.interior
    for channel, share in zip(c.channels, layout.shares, strict=True):
        for edge in channel.edges:
            add_path(row, inner.gpu_gpu, edge.src, edge.dst, share * edge.share)
        if channel.in_port >= 0:
            add_path(row, inner.port_gpu, channel.in_port, channel.order[0], share)
            add_path(row, inner.gpu_port, channel.order[-1], channel.out_port, share)
    return row


def ring_sends(layout: Layout) -> Sends:
    """Sends between servers: each to the next in rank order, the last to the first, on every channel."""
    if layout.k == 1:
        return Sends.none()
    position = np.arange(layout.k, dtype=np.int64)
    following = np.roll(position, -1)
    out_port, in_port = layout.port_table("out_port"), layout.port_table("in_port")
    c = len(layout.shares)
    return Sends(
        src=np.repeat(position, c),
        src_port=out_port[layout.group].reshape(-1),
        dst=np.repeat(following, c),
        dst_port=in_port[layout.group[following]].reshape(-1),
        amount=np.tile(layout.shares, layout.k),
    )
