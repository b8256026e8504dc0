"""Equal-cost routes between the switches of one network, and how traffic is shared among them.

Method (no path lists): switches that are alike are routed as one class. Leafs are alike when they have the very same
neighbours (twins); all others when they have equally many cables to each class (the coarsest equitable partition that
keeps the leaf classes apart). Members of a class are then equally far from any leaf, and traffic that is split evenly
reaches them in equal parts, so distances and shares are worked out between classes; only the leafs at either end of a
flow are looked at one by one. A regular Clos fabric has a few classes per pod whatever the number of GPUs; every
irregularity (a cut cable, an odd uplink) costs some more. Equal-cost multipath counts cables: two parallel cables to
one spine take two shares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.topology.model import F64, I32, Fabric

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
Bool = NDArray[np.bool_]
FAR = 127  # distance of what cannot be reached
CHUNK = 4_000_000  # dense work size of one step
KEEP = 2_000_000  # entries of shares that are kept on the fabric


@dataclass(frozen=True, slots=True)
class SwitchGraph:
    """Living switch-to-switch cables of a network, and its classes.

    ``node`` device -> node (-1 none), ``device`` back. Directed cables sorted by (source, class of target, target):
    ``src``, ``dst`` nodes, ``link`` directed id of the fabric, ``start`` first cable of a node. ``cls`` node -> class,
    ``size`` members, ``rank`` place of a node among its class, ``members`` nodes by class from ``first``.
    Class edges in
    CSR ``ptr``, ``to``: ``cables`` of each member to that class, ``skip`` cables of the member sorted before them,
    ``rev`` the opposite edge; ``edge`` class edge of each directed cable. ``dist`` (class, target) hops, to another
    member of the own class 2; targets are the classes of switches with end points, ``column`` class -> place (-1 none).
    """

    node: I32
    device: I32
    src: I64
    dst: I64
    link: I64
    start: I64
    cls: I64
    size: I64
    first: I64
    members: I64
    rank: I64
    ptr: I64
    to: I64
    cables: I64
    skip: I64
    edge: I64
    rev: I64
    dist: NDArray[np.int8]
    column: I64

    def hops(self, source: I64, target: I64) -> I64:
        """Hops from one class to another, FAR where there is no way or the target holds no end points."""
        column = self.column[target]
        return np.where(column < 0, FAR, self.dist[source, np.maximum(column, 0)]).astype(np.int64)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.size)


def switch_graph(fabric: Fabric, network: str) -> SwitchGraph:
    """The graph of one network, kept on the fabric. An unknown network gives an empty graph."""
    key = f"graph:{network}"
    known = fabric.memo.get(key)
    if not isinstance(known, SwitchGraph):
        known = fabric.memo[key] = _build(fabric, network)
    return known


def _build(fabric: Fabric, network: str) -> SwitchGraph:
    code = fabric.networks.index(network) if network in fabric.networks else -1
    on = (fabric.network == code) & (fabric.rate > 0)
    between = np.flatnonzero(on & fabric.switch[fabric.a_dev] & fabric.switch[fabric.b_dev])
    attached, ends = np.zeros(len(fabric.absent), dtype=bool), np.zeros(len(fabric.absent), dtype=bool)
    for near, far in ((fabric.a_dev[on], fabric.b_dev[on]), (fabric.b_dev[on], fabric.a_dev[on])):
        attached[near] = True
        ends[near[~fabric.switch[far]]] = True
    device = np.flatnonzero(attached & fabric.switch).astype(np.int32)
    node = np.full(len(attached), -1, dtype=np.int32)
    node[device] = np.arange(len(device), dtype=np.int32)
    n = len(device)
    a, b = node[fabric.a_dev[between]].astype(np.int64), node[fabric.b_dev[between]].astype(np.int64)
    src, dst = np.concatenate((a, b)), np.concatenate((b, a))
    link = np.concatenate((2 * between, 2 * between + 1)).astype(np.int64)
    order = np.lexsort((dst, src))
    src, dst, link = src[order], dst[order], link[order]
    targets = ends[device] if ends[device].any() else np.ones(n, dtype=bool)
    cls = _classes(src, dst, targets)
    order = np.lexsort((dst, cls[dst], src))
    src, dst, link = src[order], dst[order], link[order]
    start = np.searchsorted(src, np.arange(n + 1)).astype(np.int64)
    size = np.bincount(cls, minlength=1).astype(np.int64)
    members = np.argsort(cls, kind="stable").astype(np.int64)
    first = np.cumsum(size) - size
    rank = np.zeros(n, dtype=np.int64)
    rank[members] = np.arange(n) - np.repeat(first, size) if n else 0
    q = len(size)
    edges, edge, total = np.unique(cls[src] * q + cls[dst], return_inverse=True, return_counts=True)
    top, to = edges // q, edges % q
    ptr = np.searchsorted(top, np.arange(q + 1)).astype(np.int64)
    cables = total // np.maximum(size[top], 1)
    before = np.cumsum(cables) - cables
    skip = before - before[np.minimum(ptr[top], max(len(before) - 1, 0))] if len(before) else before
    rev = np.searchsorted(edges, to * q + top).astype(np.int64)
    goal = np.unique(cls[targets])
    column = np.full(q, -1, dtype=np.int64)
    column[goal] = np.arange(len(goal))
    dist = _distances(top, to, q, goal)
    return SwitchGraph(
        node=node,
        device=device,
        src=src,
        dst=dst,
        link=link,
        start=start,
        cls=cls,
        size=size,
        first=first,
        members=members,
        rank=rank,
        ptr=ptr,
        to=to,
        cables=cables,
        skip=skip,
        edge=edge,
        rev=rev,
        dist=dist,
        column=column,
    )


def _classes(src: I64, dst: I64, targets: Bool) -> I64:
    """Class of each node: targets with the very same neighbours, others refined until every member of a class
    has as many
    cables to each class as the next. By 2 x 64-bit sums of random numbers; cables sorted by source.
    """
    n = len(targets)
    if n == 0:
        return np.zeros(0, dtype=np.int64)
    starts = np.flatnonzero(np.concatenate(([True], src[1:] != src[:-1]))) if len(src) else np.zeros(0, dtype=np.int64)
    draw = np.random.default_rng(20240607).integers(1, 1 << 63, size=(2, n + 1), dtype=np.uint64)
    twins = _sums(draw, dst, src, starts, n)
    lonely = np.ones(n, dtype=bool)
    lonely[src] = False
    twins[lonely, 0] = draw[0, :n][lonely]  # unconnected switches are no twins: nothing leads from one to the other
    fixed = np.unique(twins, axis=0, return_inverse=True)[1].reshape(-1)
    color = np.where(targets, fixed, -1)
    color = np.unique(color, return_inverse=True)[1].reshape(-1)
    count = int(color.max()) + 1
    while True:
        seen = _sums(draw, color[dst], src, starts, n)
        seen[targets] = 0  # twins stay together: their neighbours are the same
        rows = np.column_stack((color.astype(np.uint64), seen))
        color = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
        if int(color.max()) + 1 == count:
            return color.astype(np.int64)
        count = int(color.max()) + 1


def _sums(draw: U64, label: I64, src: I64, starts: I64, n: int) -> U64:
    """Sum of the random numbers of the labels on each node's cables, (n, 2)."""
    out = np.zeros((n, 2), dtype=np.uint64)
    if len(starts):
        for c in range(2):
            out[src[starts], c] = np.add.reduceat(draw[c][label], starts)
    return out


def _distances(top: I64, to: I64, q: int, goal: I64) -> NDArray[np.int8]:
    """Hops from every class to the target classes, breadth first for all targets at once."""
    dist = np.full((q, len(goal)), FAR, dtype=np.int8)
    own = np.arange(len(goal))
    dist[goal, own] = 0
    if not len(top):
        dist[goal, own] = FAR
        return dist
    starts = np.flatnonzero(np.concatenate(([True], top[1:] != top[:-1])))
    rows = top[starts]
    front = dist == 0
    for step in range(1, FAR):
        reach = np.logical_or.reduceat(front[to], starts, axis=0) & (dist[rows] == FAR)
        if not reach.any():
            break
        front = np.zeros_like(front)
        front[rows] = reach
        dist[front] = step
    joined = np.zeros(q, dtype=bool)
    joined[rows] = True
    dist[goal, own] = np.where(joined[goal], 2, FAR)  # from one twin to another, over any neighbour
    return dist


@dataclass(frozen=True, slots=True)
class Shares:
    """How one unit of traffic spreads between classes, for class pairs ``pair`` (source class * n + target class).

    CSR by pair: ``ptr``; each entry is a class edge ``edge``, the share of the unit that crosses it, and
    ``stage``: 1 first
    hop, 2 last hop, 3 both (neighbours), 0 in between.
    """

    pair: I64
    ptr: I64
    edge: I64
    share: F64
    stage: NDArray[np.int8]


def shares(graph: SwitchGraph, pairs: I64) -> Iterator[Shares]:
    """Shares for sorted unique reachable class pairs, in pieces of bounded size."""
    piece = max(1, CHUNK // max(graph.n_classes, 1))
    for start in range(0, len(pairs), piece):
        yield _shares(graph, pairs[start : start + piece])


def _shares(graph: SwitchGraph, pairs: I64) -> Shares:
    q = graph.n_classes
    source, target = pairs // q, pairs % q
    hops = graph.hops(source, target)
    index = np.arange(len(pairs), dtype=np.int64)
    at, left = source.copy(), hops.copy()
    amount: F64 = np.ones(len(pairs))
    out: list[tuple[I64, I64, F64, NDArray[np.int8]]] = []
    step = 0
    while len(index):
        entry, edge = onward(graph, at, target[index], left)
        to = graph.to[edge]
        last = left[entry] == 1
        weight = np.where(last, 1.0, graph.cables[edge])
        total = np.bincount(entry, weight, len(index))
        share = amount[entry] * weight / total[entry]
        stage = (np.int8(1 if step == 0 else 0) + np.where(last, 2, 0)).astype(np.int8)
        out.append((index[entry], edge, share, stage))
        entry, to, share = entry[~last], to[~last], share[~last]
        found, amount = _summed(index[entry] * q + to, share, len(pairs) * q)
        index, at = found // q, found % q
        step += 1
        left = hops[index] - step
    pair = np.concatenate([o[0] for o in out]) if out else index
    order = np.argsort(pair, kind="stable")
    return Shares(
        pairs,
        np.searchsorted(pair[order], np.arange(len(pairs) + 1)).astype(np.int64),
        np.concatenate([o[1] for o in out])[order] if out else index,
        np.concatenate([o[2] for o in out])[order] if out else amount,
        np.concatenate([o[3] for o in out])[order] if out else np.zeros(0, dtype=np.int8),
    )


def _summed(key: I64, value: F64, space: int) -> tuple[I64, F64]:
    """Values added up by key; sorted distinct keys."""
    if len(key) * 16 < space:
        found, back = np.unique(key, return_inverse=True)
        return found, np.bincount(back, value, len(found)).astype(np.float64)
    dense = np.bincount(key, value, space).astype(np.float64)
    found = np.flatnonzero(dense)
    return found, dense[found]


def onward(graph: SwitchGraph, here: I64, target: I64, left: I64) -> tuple[I64, I64]:
    """Class edges that lead from ``here`` one hop nearer to ``target``: (position in ``here``, class edge).

    ``left`` hops are left from there. Worked out once for equal (here, target).
    """
    q = graph.n_classes
    if not len(here):
        return here, here
    case = here * q + target
    case, sample, back = np.unique(case, return_index=True, return_inverse=True)
    entry, edge = expand(graph.ptr, case // q)
    to, goal = graph.to[edge], (case % q)[entry]
    # the target's own class counts as reached: its twins are as far from everything else as the target itself
    ahead = np.where(to == goal, 0, graph.hops(to, goal))
    good = ahead == left[sample][entry] - 1
    entry, edge = entry[good], edge[good]
    ptr = np.searchsorted(entry, np.arange(len(case) + 1)).astype(np.int64)
    at, pick = expand(ptr, back.reshape(-1))
    return at, edge[pick]


def expand(ptr: I64, rows: I64) -> tuple[I64, I64]:
    """(position in ``rows``, CSR entry) for all entries of the given CSR rows."""
    counts = ptr[rows + 1] - ptr[rows]
    entry = np.repeat(np.arange(len(rows), dtype=np.int64), counts)
    offset = np.arange(int(counts.sum()), dtype=np.int64) - np.repeat(np.cumsum(counts) - counts, counts)
    return entry, ptr[rows[entry]] + offset


def shares_of(fabric: Fabric, network: str, graph: SwitchGraph, pairs: I64) -> Iterator[Shares]:
    """Shares of the wanted sorted unique class pairs, in pieces; kept on the fabric when they are few."""
    key = f"shares:{network}"
    known = fabric.memo.get(key)
    if isinstance(known, list) and len(known) == 2 and np.array_equal(known[0], pairs):
        yield from known[1]
        return
    kept: list[Shares] = []
    entries = 0
    for piece in shares(graph, pairs):
        entries += len(piece.edge)
        if entries <= KEEP:
            kept.append(piece)
        yield piece
    if entries <= KEEP:
        fabric.memo[key] = [pairs, kept]


def example_route(fabric: Fabric, network: str, src_dev: int, dst_dev: int) -> list[int] | None:
    """Directed links of one of the shortest ways between two switches, always the same one; None when there is none."""
    graph = switch_graph(fabric, network)
    at, goal = int(graph.node[src_dev]), int(graph.node[dst_dev])
    if at < 0 or goal < 0:
        return None
    out: list[int] = []
    while at != goal:
        here, target = graph.cls[at : at + 1], graph.cls[goal : goal + 1]
        left = graph.hops(here, target)
        if left[0] >= FAR:
            return None
        edge = int(onward(graph, here, target, left)[1][0])
        cable = int(graph.start[at] + graph.skip[edge])
        if left[0] == 1:
            cable += int(graph.rank[goal] * (graph.cables[edge] // graph.size[graph.to[edge]]))
        out.append(int(graph.link[cable]))
        at = int(graph.dst[cable])
    return out
