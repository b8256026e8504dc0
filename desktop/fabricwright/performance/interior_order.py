"""In which order a ring or chain visits the GPUs of a server, and which GPUs talk to the NIC.

NCCL searches for the order that keeps the slowest link fastest. Over an NVLink switch every order is as good; over a
mesh of direct links the rings together use all links evenly; over PCIe GPUs are visited group by group (switch, host
bridge, socket), so that each shared link is crossed once in each direction. The GPUs that receive from and send to a
NIC port are those with the nearest path to it, and where several are equally near, those that leave the busiest link
least loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fabricwright.topology.model import Interior, LinkKind, NcclClass, Paths, Transport

F64 = NDArray[np.float64]
Tree = int | list["Tree"]
MOST_TRIES = 20_000


@dataclass(frozen=True, slots=True)
class Edge:
    """GPU ``src`` sends ``share`` of what the ring carries to GPU ``dst`` (indices into ``Interior.gpus``)."""

    src: int
    dst: int
    share: float


@dataclass(frozen=True, slots=True)
class Channel:
    """One channel of a server: bytes enter at ``order[0]`` from ``in_port`` and leave at ``order[-1]`` to
    ``out_port``.

    ``tree_order`` the chain of a tree, which starts beside the NIC and need not come back to it; its second GPU talks
    to the tree's second child.
    """

    order: tuple[int, ...]
    edges: tuple[Edge, ...]
    tree_order: tuple[int, ...]
    in_port: int = -1
    out_port: int = -1


def nccl_class(paths: Paths) -> NDArray[np.int8]:
    """Class NCCL decides by: the overlay where there is one, else the flattened PCI class."""
    nearer = (paths.overlay >= 0) & (paths.transport != Transport.HOST_MEMORY)
    return np.where(nearer, np.minimum(paths.overlay, paths.nccl_flattened), paths.nccl_flattened).astype(np.int8)


def all_nvlink(interior: Interior, gpus: Sequence[int]) -> bool:
    """Every pair talks over NVLink (true for one GPU)."""
    index = np.asarray(gpus)
    pairs = interior.gpu_gpu.transport[np.ix_(index, index)]
    off = ~np.eye(len(index), dtype=bool)
    return bool((pairs[off] == Transport.NVLINK).all())


def direct_mesh(interior: Interior, gpus: Sequence[int]) -> dict[int, dict[int, float]]:
    """Rates of direct GPU-GPU links (mesh, cube mesh, bridge) when they connect all ``gpus``; empty otherwise."""
    rates: dict[int, dict[int, float]] = {g: {} for g in gpus}
    names = set(interior.gpus)
    for i in gpus:
        for j in gpus:
            if i == j or interior.gpu_gpu.transport[i, j] != Transport.NVLINK:
                continue
            links = interior.gpu_gpu.links(i, j)
            if len(links) == 1:
                link = interior.links[int(links[0])]
                if link.kind is LinkKind.NVLINK and link.src in names and link.dst in names:
                    rates[i][j] = link.rate
    if len(gpus) < 2 or any(len(r) < min(2, len(gpus) - 1) for r in rates.values()):
        return {}
    reached, frontier = {gpus[0]}, [gpus[0]]
    while frontier:
        near = [j for j in rates[frontier.pop()] if j not in reached]
        reached.update(near)
        frontier += near
    return rates if len(reached) == len(gpus) else {}


def nested(interior: Interior, gpus: Sequence[int]) -> Tree:
    """GPUs grouped by nearness, nearest groups innermost: [[0, 1], [2, 3]] for two switches."""
    if len(gpus) == 1:
        return gpus[0]
    index = np.asarray(gpus)
    far = nccl_class(interior.gpu_gpu).astype(np.int64) * 16 + interior.gpu_gpu.pci
    far = np.maximum(far, far.T)[np.ix_(index, index)]
    groups: list[tuple[list[int], Tree]] = [([n], int(g)) for n, g in enumerate(gpus)]
    for level in np.unique(far[~np.eye(len(index), dtype=bool)]):
        merged: list[list[tuple[list[int], Tree]]] = []
        for group in groups:
            touching = [m for m in merged if any(far[a, b] <= level for other in m for a in other[0] for b in group[0])]
            joined = [item for m in touching for item in m] + [group]
            merged = [m for m in merged if m not in touching] + [joined]
        groups = [m[0] if len(m) == 1 else ([g for x in m for g in x[0]], [x[1] for x in m]) for m in merged]
        groups.sort(key=lambda g: min(g[0]))
        if len(groups) == 1:
            break
    return groups[0][1] if len(groups) == 1 else [g[1] for g in groups]


def members(tree: Tree) -> list[int]:
    """GPUs of a nested grouping, in order."""
    return [tree] if isinstance(tree, int) else [g for part in tree for g in members(part)]


def chain(tree: Tree, first: int, last: int) -> list[int]:
    """All GPUs group by group, from ``first`` to ``last``; when both are in one group, the others are visited in
    between.
    """
    if isinstance(tree, int):
        return [tree]
    if first == last:
        return _starting(tree, first)
    head = next(t for t in tree if first in members(t))
    tail = next(t for t in tree if last in members(t))
    others = [g for t in tree if t is not head and t is not tail for g in members(t)]
    if head is not tail:
        return _starting(head, first) + others + _starting(tail, last)[::-1]
    inner = chain(head, first, last)
    if not others:
        return inner
    near_first = next((members(t) for t in head if first in members(t)), [first]) if isinstance(head, list) else [first]
    cut = len(near_first) if last not in near_first else 1
    return inner[:cut] + others + inner[cut:]


def _starting(tree: Tree, first: int) -> list[int]:
    if isinstance(tree, int):
        return [tree]
    head = next(t for t in tree if first in members(t))
    return _starting(head, first) + [g for t in tree if t is not head for g in members(t)]


def closed_ring(interior: Interior, gpus: Sequence[int]) -> Channel:
    """The ring inside one server (no NIC)."""
    mesh = direct_mesh(interior, gpus)
    order = members(nested(interior, gpus))
    if mesh and len(gpus) > 1:
        return Channel(tuple(order), _mesh_edges(mesh, 1.0), tuple(order))
    groups = _bridged(interior, order)
    if groups:
        turns = len(groups[0])
        amount: dict[tuple[int, int], float] = {}
        for turn in range(turns):
            ring = [g for group in groups for g in group[turn:] + group[:turn]]
            for pair in zip(ring, ring[1:] + ring[:1], strict=True):
                amount[pair] = amount.get(pair, 0.0) + 1.0 / turns
        return Channel(tuple(order), tuple(Edge(a, b, x) for (a, b), x in sorted(amount.items())), tuple(order))
    edges = tuple(Edge(a, b, 1.0) for a, b in zip(order, order[1:] + order[:1], strict=True) if a != b)
    return Channel(tuple(order), edges, tuple(order))


def _bridged(interior: Interior, order: Sequence[int]) -> list[list[int]]:
    """Groups of equal size that NVLink bridges join when nothing but PCIe joins the groups; empty otherwise.

    NCCL then closes one ring per GPU of a group, each leaving the groups through another GPU, so that all PCIe links
    share what crosses.
    """
    direct = interior.gpu_gpu.transport == Transport.NVLINK
    left, groups = list(order), []
    while left:
        group = [left[0], *(g for g in left[1:] if direct[left[0], g])]
        groups.append(group)
        left = [g for g in left if g not in group]
    size = len(groups[0])
    return groups if size > 1 and len(groups) > 1 and all(len(g) == size for g in groups) else []


def _mesh_edges(mesh: dict[int, dict[int, float]], share: float) -> tuple[Edge, ...]:
    n = len(mesh)
    even = len({rate for row in mesh.values() for rate in row.values()}) == 1
    if even and all(len(row) == n - 1 for row in mesh.values()):
        return tuple(Edge(i, j, share / (n - 1)) for i, row in mesh.items() for j in row)
    rings = mesh_rings(mesh)
    if not rings:
        return tuple(Edge(i, j, share * rate / sum(row.values())) for i, row in mesh.items() for j, rate in row.items())
    amount: dict[tuple[int, int], float] = {}
    for ring, part in rings:
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            amount[a, b] = amount.get((a, b), 0.0) + share * part
    return tuple(Edge(i, j, part) for (i, j), part in sorted(amount.items()))


def mesh_rings(mesh: dict[int, dict[int, float]]) -> list[tuple[tuple[int, ...], float]]:
    """Rings over all GPUs of an uneven mesh of direct links (a cube mesh), and the part of the bytes on each.

    Of all ways to lay whole links into closed rings, each link in one, the one with most rings; every ring is then run
    both ways (NCCL's search does the same link by link). Empty when no ring closes.
    """
    unit = min(rate for row in mesh.values() for rate in row.values())
    free = {(i, j): round(rate / unit) for i, row in mesh.items() for j, rate in row.items() if i < j}
    first = next(iter(mesh))
    closed: list[tuple[int, ...]] = []

    def walk(path: list[int]) -> None:
        if len(path) == len(mesh):
            if first in mesh[path[-1]] and path[1] <= path[-1]:
                closed.append(tuple(path))
            return
        for following in mesh[path[-1]]:
            if following not in path:
                walk([*path, following])

    walk([first])
    best: list[tuple[int, ...]] = []
    budget = [MOST_TRIES]

    def pack(start: int, left: dict[tuple[int, int], int], taken: list[tuple[int, ...]]) -> None:
        nonlocal best
        if len(taken) > len(best):
            best = list(taken)
        budget[0] -= 1
        room = min(sum(left[min(i, j), max(i, j)] for j in mesh[i]) for i in mesh) // 2
        if budget[0] <= 0 or len(taken) + room <= len(best):
            return
        for number in range(start, len(closed)):
            ring = closed[number]
            edges = [(min(a, b), max(a, b)) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
            if all(left[edge] > 0 for edge in edges):
                after = dict(left)
                for edge in edges:
                    after[edge] -= 1
                pack(number, after, [*taken, ring])

    pack(0, free, [])
    both = [*best, *(ring[::-1] for ring in best)]
    return [(ring, 1.0 / len(both)) for ring in both]


def _chain_edges(order: Sequence[int], mesh: dict[int, dict[int, float]]) -> tuple[Edge, ...]:
    if mesh:
        return _mesh_edges(mesh, (len(order) - 1) / len(order))
    return tuple(Edge(a, b, 1.0) for a, b in pairwise(order))


def channels(interior: Interior, gpus: Sequence[int], ports: Sequence[int], count: int) -> tuple[Channel, ...]:
    """``count`` channels of a server with live ``ports``; channel c uses port c modulo their number."""
    search = _Search(interior, gpus)
    found = [search.place(ports[c % len(ports)]) for c in range(count)]
    if len(gpus) > 1 and len(set(ports)) > 1:
        found = [search.leave_elsewhere(found, c) for c in range(count)]
    return tuple(found)


class _Search:
    """Places channels one by one; remembers what the earlier ones loaded."""

    def __init__(self, interior: Interior, gpus: Sequence[int]) -> None:
        self.interior = interior
        self.gpus = list(gpus)
        self.mesh = direct_mesh(interior, gpus)
        self.free_order = all_nvlink(interior, gpus) or bool(self.mesh)
        self.tree = nested(interior, gpus)
        self.used = dict.fromkeys(gpus, 0)
        self.load: F64 = np.zeros(len(interior.links))
        self.capacity = np.array([link.nccl_rate or link.rate for link in interior.links])
        self.out_class = nccl_class(interior.gpu_port)
        self.in_class = nccl_class(interior.port_gpu)

    def place(self, port: int) -> Channel:
        """A channel that enters and leaves through ``port``."""
        if len(self.gpus) == 1:
            return Channel((self.gpus[0],), (), (self.gpus[0],), port, port)
        into = sorted(self.gpus, key=lambda g: self._in_key(g, port))
        out = sorted(self.gpus, key=lambda g: self._out_key(g, port))
        if self.free_order:
            first = into[0]
            last = next(g for g in out if g != first)
            self.used[first] += 1
            self.used[last] += 1
            rest = [g for g in self.gpus if g not in (first, last)]
            order = [first, *rest, last]
            return Channel(tuple(order), _chain_edges(order, self.mesh), (first, last, *rest), port, port)
        near_in = [g for g in into if self.in_class[port, g] == self.in_class[port, into[0]]]
        near_out = [g for g in out if self.out_class[g, port] == self.out_class[out[0], port]]
        if len(near_out) == 1 and near_out == near_in:
            near_out = [next(g for g in out if g != near_in[0])]
        best: tuple[tuple[float, float], Channel, F64] | None = None
        for first in near_in:
            for last in near_out:
                if first == last:
                    continue
                order = chain(self.tree, first, last)
                path = tuple(_starting(self.tree, first))
                candidate = Channel(tuple(order), _chain_edges(order, {}), path, port, port)
                load = self.load + self._loads(candidate)
                busy = load / self.capacity * 1e9
                # among chains with the same slowest link, the one that leaves the others most even
                key = (round(float(busy.max(initial=0.0)), 9), round(float((busy**2).sum()), 9))
                if best is None or key < best[0]:
                    best = (key, candidate, load)
        assert best is not None
        self.load = best[2]
        return best[1]

    def leave_elsewhere(self, found: list[Channel], c: int) -> Channel:
        """Without a near exit at its own port, a channel leaves through the neighbouring channel's (NCCL's
        crossNic). Over a mesh of direct links another GPU's NIC is no near exit: one thin link leads there.
        """
        here, other = found[c], found[c - 1]
        exit_gpu = other.order[0]
        if exit_gpu == here.order[0] or other.in_port == here.in_port:
            return here
        own = self.out_class[here.order[-1], here.out_port]
        near = NcclClass.PXB if self.mesh else NcclClass.PXN
        if own <= near or self.out_class[exit_gpu, other.in_port] >= own:
            return here
        order = [g for g in here.order if g != exit_gpu] + [exit_gpu]
        if not self.free_order:
            order = chain(self.tree, here.order[0], exit_gpu)
        return Channel(tuple(order), _chain_edges(order, self.mesh), here.tree_order, here.in_port, other.in_port)

    def _in_key(self, gpu: int, port: int) -> tuple[int, int, int, float, int]:
        p = self.interior.port_gpu
        staged = int(p.transport[port, gpu] == Transport.HOST_STAGED)
        return int(self.in_class[port, gpu]), staged, self.used[gpu], -float(p.bandwidth[port, gpu]), gpu

    def _out_key(self, gpu: int, port: int) -> tuple[int, int, int, float, int]:
        p = self.interior.gpu_port
        staged = int(p.transport[gpu, port] == Transport.HOST_STAGED)
        return int(self.out_class[gpu, port]), staged, self.used[gpu], -float(p.bandwidth[gpu, port]), gpu

    def _loads(self, channel: Channel) -> F64:
        row = np.zeros(len(self.interior.links))
        inner = self.interior
        for edge in channel.edges:
            np.add.at(
                row, inner.gpu_gpu.links(edge.src, edge.dst), inner.gpu_gpu.weights(edge.src, edge.dst) * edge.share
            )
        np.add.at(
            row,
            inner.port_gpu.links(channel.in_port, channel.order[0]),
            inner.port_gpu.weights(channel.in_port, channel.order[0]),
        )
        np.add.at(
            row,
            inner.gpu_port.links(channel.order[-1], channel.out_port),
            inner.gpu_port.weights(channel.order[-1], channel.out_port),
        )
        return row
