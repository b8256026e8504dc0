"""Double binary tree over servers with a chain inside each, as NCCL builds them (src/graph/trees.cc, connect.cc).

Each tree carries half of the bytes, up (reduce) and down (broadcast) at once. A server that is inner in one tree is a
leaf in the other; with two servers each is root once, so each NIC carries the buffer once where a ring carries it
almost twice. Towards its parent and first child a server talks through the channel's first GPU, to the second child
through the second (balanced tree).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.flows import Loads, add_path
from fabricwright.performance.interior_order import Channel
from fabricwright.performance.kept import Kept
from fabricwright.performance.layout import Layout, ServerClass
from fabricwright.performance.sends import Pattern, Sends
from fabricwright.performance.wires import wire_loads

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
HALF = 0.5
_rows: Kept[F64] = Kept(256)


@dataclass(frozen=True, slots=True)
class ServerTree:
    """``parent`` (k,) position, -1 for the root; ``slot`` (k,) 0 for a first child, 1 for a second; ``children``
    (k,) count.
    """

    parent: I64
    slot: I64
    children: I64

    @property
    def role(self) -> I64:
        """Number of what a server does in this tree: 0-5 = children * 2 + (has a parent)."""
        return self.children * 2 + (self.parent >= 0)


def double_tree(k: int) -> tuple[ServerTree, ServerTree]:
    """The two trees of NCCL over k servers: the second is the first mirrored (even k) or shifted by one (odd k)."""
    rank = np.arange(k, dtype=np.int64)
    bit = rank & -rank
    up = (rank ^ bit) | (bit << 1)
    first = np.where(up >= k, rank ^ bit, up)
    first[0] = -1
    if k % 2 == 0:
        other = first[::-1]
        second = np.where(other < 0, -1, k - 1 - other)
    else:
        other = np.roll(first, 1)
        second = np.where(other < 0, -1, (other + 1) % k)
    return _tree(first), _tree(second)


def _tree(parent: I64) -> ServerTree:
    k = len(parent)
    child = np.flatnonzero(parent >= 0)
    children = np.bincount(parent[child], minlength=k).astype(np.int64)
    slot = np.zeros(k, dtype=np.int64)
    order = child[np.argsort(parent[child], kind="stable")]
    same = parent[order][1:] == parent[order][:-1]
    slot[order[1:]] = same.astype(np.int64)
    return ServerTree(parent, slot, children)


def tree_loads(layout: Layout, wire: F64) -> Loads:
    """Load of an all_reduce of one byte over both trees, pipelined: 1/2 up and 1/2 down in each. ``wire`` of
    ``tree_wire``.
    """

    def chain_inside(row: F64, c: ServerClass) -> None:
        for channel, share in zip(c.channels, layout.shares, strict=True):
            for src, dst, part in _tree_edges(c, channel):
                add_path(row, c.interior.gpu_gpu, src, dst, share * part)
                add_path(row, c.interior.gpu_gpu, dst, src, share * part)
        if not c.nvlink:
            np.maximum(row, 2.0 * _ring_inside(layout, c), out=row)

    return tree_network(layout, wire, chain_inside, balanced=True)


def _ring_inside(layout: Layout, c: ServerClass) -> F64:
    """Load of one byte per ring edge between GPUs.

    Over PCIe a chain would cross a slow link once where the ring crosses it twice, but no measurement shows a tree
    faster than the ring there and NCCL's tuner does not expect it, so twice the ring's load is the least that a tree
    is given.
    """
    row = np.zeros(layout.width)
    for channel, share in zip(c.channels, layout.shares, strict=True):
        for edge in channel.edges:
            add_path(row, c.interior.gpu_gpu, edge.src, edge.dst, share * edge.share)
    return row


def _tree_edges(c: ServerClass, channel: Channel) -> list[tuple[int, int, float]]:
    if c.mesh:
        scale = (len(c.gpus) - 1) / len(c.gpus) / max(sum(e.share for e in channel.edges) / len(c.gpus), 1e-12)
        return [(e.src, e.dst, e.share * scale) for e in channel.edges]
    return [(a, b, 1.0) for a, b in pairwise(channel.tree_order)]


InsideLoad = Callable[[F64, ServerClass], None]


def tree_network(layout: Layout, wire: F64, inside_load: InsideLoad, balanced: bool) -> Loads:
    """Flows of the trees between servers, on top of ``inside_load``, which adds what a server of a class does for
    itself. Servers with equal roles share a row.
    """
    trees = double_tree(layout.k) if layout.k > 1 else ()
    code = layout.group.copy()
    for tree in trees:
        code = code * 6 + tree.role
    _, first, row_of = np.unique(code, return_index=True, return_inverse=True)
    inside = np.zeros((len(first), layout.width))
    what = (inside_load.__qualname__, layout.shares.tobytes(), layout.width, balanced)
    for row, position in zip(inside, first, strict=True):
        c = layout.classes[int(layout.group[position])]
        roles = tuple((int(tree.children[position]), bool(tree.parent[position] >= 0)) for tree in trees)
        row[:] = _rows.get(c, (*what, roles), partial(_row, layout, c, inside_load, roles, balanced))
    return Loads(row_of.reshape(-1).astype(np.int64), inside, wire, Pattern("tree", lambda: tree_sends(layout)))


def _row(
    layout: Layout, c: ServerClass, inside_load: InsideLoad, roles: tuple[tuple[int, bool], ...], balanced: bool
) -> F64:
    row = np.zeros(layout.width)
    inside_load(row, c)
    for children, has_parent in roles:
        _server_ports(row, layout, c, children, has_parent, balanced)
    return row


def tree_wire(layout: Layout) -> F64:
    """Load of both trees on the directed fabric links (2K,)."""
    return wire_loads(layout, tree_sends(layout))


def tree_sends(layout: Layout) -> Sends:
    """Sends of both trees, up and down."""
    trees = double_tree(layout.k) if layout.k > 1 else ()
    return Sends.join([_sends(layout, tree) for tree in trees])


def _server_ports(row: F64, layout: Layout, c: ServerClass, children: int, has_parent: bool, balanced: bool) -> None:
    for channel, share in zip(c.channels, layout.shares, strict=True):
        first = channel.tree_order[0]
        second = channel.tree_order[1] if balanced and len(channel.tree_order) > 1 else first
        peers = [first] * has_parent + [first, second][:children]
        for gpu in peers:
            add_path(row, c.interior.gpu_port, gpu, channel.in_port, HALF * share)
            add_path(row, c.interior.port_gpu, channel.in_port, gpu, HALF * share)


def _sends(layout: Layout, tree: ServerTree) -> Sends:
    child = np.flatnonzero(tree.parent >= 0)
    parent = tree.parent[child]
    port = layout.port_table("in_port")
    c = len(layout.shares)
    up = Sends(
        src=np.repeat(child, c),
        src_port=port[layout.group[child]].reshape(-1),
        dst=np.repeat(parent, c),
        dst_port=port[layout.group[parent]].reshape(-1),
        amount=np.tile(layout.shares * HALF, len(child)),
    )
    return Sends.join([up, up.reverse()])
