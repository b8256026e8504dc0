"""Which devices, cables, NICs and GPUs of a cluster are alike, so that a sweep looks at one of each kind.

Devices are alike when they are of one item and have equally many cables of each kind to each kind of device: the
coarsest equitable partition that keeps items and server variants apart. Servers are told apart further by where they
stand in the rank order (whether the next and the previous server hang on the same leafs) and by the part they play in
the job. In a regular fabric that is exactly what a symmetry of the drawing leaves; in an irregular one, things that
differ only far away may share a class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.topology.model import Cluster, Interior
from fabricwright.topology.outage import Outage

I64 = NDArray[np.int64]
KINDS = ("link", "nic", "leaf", "spine", "core", "nvlink-switch", "server", "gpu")
TIERS = {1: "leaf", 2: "spine", 3: "core"}


@dataclass(frozen=True, slots=True)
class Alike:
    """``count`` things of one kind that are alike; ``example`` is the first of them."""

    kind: str
    count: int
    example: Outage


def single_failures(cluster: Cluster, network: str, part: I64 | None = None) -> list[Alike]:
    """Every single thing of a network that can fail, alike ones together, in the order of ``KINDS``.

    Taken are the network's cables and switches, the NVLink switches and cables of racks, and of the servers that take
    part: themselves, their NICs on the network and their GPUs. ``part`` (S,) tells servers apart that play different
    parts in the job.
    """
    if not len(cluster.fabric.absent):
        return []
    color = device_classes(cluster, network)
    stand = _stand(cluster, network) + 4 * (part + 1 if part is not None else 0)
    extra = np.zeros(len(color), dtype=np.int64)
    extra[cluster.server_dev] = stand
    color = _compact(color, extra)
    found = [*_links(cluster, network, color), *_devices(cluster, network, color), *_insides(cluster, network, color)]
    return sorted(found, key=lambda a: KINDS.index(a.kind))


def device_classes(cluster: Cluster, network: str) -> I64:
    """Class of every device. Cables of other networks, and of what neither switches nor takes part, do not count."""
    fabric = cluster.fabric
    n = len(fabric.absent)
    item = np.zeros(n, dtype=np.int64)
    for number, name in enumerate(fabric.items):
        item[fabric.offset[name] : fabric.offset[name] + fabric.count[name]] = number
    place = np.zeros(n, dtype=np.int64)
    place[cluster.server_dev] = cluster.variant + 1
    place[cluster.server_dev[np.unique(cluster.rank_server)]] += len(cluster.interiors) + 1
    color = _compact(item, place, fabric.tier.astype(np.int64), fabric.absent.astype(np.int64))
    code = fabric.networks.index(network) if network in fabric.networks else -1
    counts = fabric.switch.copy() if len(fabric.switch) else np.zeros(n, dtype=bool)
    counts[cluster.server_dev[np.unique(cluster.rank_server)]] = True
    on = (fabric.rate > 0) & (fabric.network == code) & counts[fabric.a_dev] & counts[fabric.b_dev]
    nvlink = np.array([b.medium == "nvlink" for b in fabric.bundles], dtype=bool)
    live = np.flatnonzero(on | nvlink[fabric.bundle] if nvlink.any() else on)
    a, b = fabric.a_dev[live].astype(np.int64), fabric.b_dev[live].astype(np.int64)
    kind = _compact(fabric.bundle[live].astype(np.int64), np.round(fabric.rate[live]).astype(np.int64))
    draw = np.random.default_rng(11).integers(1, 1 << 63, size=2 * (n + len(live) + 2), dtype=np.uint64)
    count = -1
    while int(color.max(initial=0)) + 1 != count:
        count = int(color.max(initial=0)) + 1
        seen = np.zeros(n, dtype=np.uint64)
        with np.errstate(over="ignore"):
            for near, far, side in ((a, b, 0), (b, a, 1)):
                np.add.at(seen, near, draw[color[far]] * (draw[-1 - kind] + np.uint64(side)))
        color = np.unique(np.stack((color.astype(np.uint64), seen), axis=1), axis=0, return_inverse=True)[1].reshape(-1)
    return color.astype(np.int64)


def _stand(cluster: Cluster, network: str) -> I64:
    """(S,) whether the next server in rank order hangs on the same leafs + 2 x whether the previous does."""
    out = np.zeros(len(cluster.server_dev), dtype=np.int64)
    _, first = np.unique(cluster.rank_server, return_index=True)
    order = cluster.rank_server[np.sort(first)].astype(np.int64)
    if not len(order):
        return out
    fabric = cluster.fabric
    code = fabric.networks.index(network) if network in fabric.networks else -1
    ours = cluster.uplink >= 0
    if len(fabric.network):
        ours &= fabric.network[np.maximum(cluster.uplink, 0)] == code
    leafs = np.where(ours, cluster.uplink_leaf, -1)[order]
    same = (leafs == np.roll(leafs, -1, axis=0)).all(axis=1)
    out[order] = same + 2 * np.roll(same, 1)
    return out


def _compact(*columns: I64) -> I64:
    return np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


class _Tally:
    """Counts by key, with the first of each."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.counts: dict[object, int] = {}
        self.first: dict[object, Outage] = {}

    def add(self, key: object, count: int, outage: Outage) -> None:
        self.counts[key] = self.counts.get(key, 0) + count
        self.first.setdefault(key, outage)

    def all(self) -> Iterator[Alike]:
        return (Alike(self.kind, self.counts[key], outage) for key, outage in self.first.items())


def _grouped(kind: str, keys: Iterable[tuple[object, Outage]]) -> Iterator[Alike]:
    tally = _Tally(kind)
    for key, outage in keys:
        tally.add(key, 1, outage)
    return tally.all()


def _links(cluster: Cluster, network: str, color: I64) -> Iterator[Alike]:
    fabric = cluster.fabric
    code = fabric.networks.index(network) if network in fabric.networks else -1
    mine = (fabric.network == code) & (fabric.rate > 0)
    nvlink = np.array([b.medium == "nvlink" for b in fabric.bundles], dtype=bool)
    if nvlink.any() and len(cluster.rank_domain):
        mine |= nvlink[fabric.bundle] & (fabric.up if len(fabric.up) else True)
    link = np.flatnonzero(mine)
    if not len(link):
        return
    columns = [fabric.bundle[link].astype(np.int64), color[fabric.a_dev[link]], color[fabric.b_dev[link]]]
    columns += [_port_sign(cluster, link, end) for end in ("a", "b")]
    _, index, counts = np.unique(np.stack(columns, axis=1), axis=0, return_index=True, return_counts=True)
    for k in np.argsort(index, kind="stable"):
        yield Alike("link", int(counts[k]), Outage(link=int(link[index[k]])))


def _port_sign(cluster: Cluster, link: I64, end: str) -> I64:
    """What the server port at one end of each link is like inside; 0 at other ends."""
    fabric = cluster.fabric
    device = (fabric.a_dev if end == "a" else fabric.b_dev)[link].astype(np.int64)
    port = (fabric.a_port if end == "a" else fabric.b_port)[link].astype(np.int64)
    server = np.full(len(fabric.absent), -1, dtype=np.int64)
    server[cluster.server_dev] = np.arange(len(cluster.server_dev))
    out = np.zeros(len(link), dtype=np.int64)
    ours = np.flatnonzero(server[device] >= 0)
    signs = [_signs(i) for i in cluster.interiors]
    codes: dict[object, int] = {}
    for n in np.unique(fabric.bundle[link[ours]]):
        bundle = fabric.bundles[int(n)]
        names = bundle.a_ports if end == "a" else bundle.b_ports
        rows = ours[fabric.bundle[link[ours]] == n]
        table = np.zeros((len(cluster.interiors), len(names) + 1), dtype=np.int64)
        for v, interior in enumerate(cluster.interiors):
            where = {name: p for p, name in enumerate(interior.net_ports)}
            for p, name in enumerate(names):
                if name in where:
                    sign = signs[v].port[where[name]]
                    table[v, p] = codes.setdefault(sign, len(codes) + 1)
        out[rows] = table[cluster.variant[server[device[rows]]], port[rows]]
    return out


@dataclass(frozen=True, slots=True)
class _Signs:
    """What each port, NIC and GPU of an interior is like: what it sees of the others."""

    port: tuple[object, ...]
    nic: tuple[object, ...]
    gpu: tuple[object, ...]


def _signs(interior: Interior) -> _Signs:
    out, into, peer = interior.gpu_port, interior.port_gpu, interior.gpu_gpu
    n_ports, n_gpus = len(interior.net_ports), len(interior.gpus)
    port = tuple(
        (
            float(interior.port_rate[p]),
            tuple(sorted(zip(out.nccl_flattened[:, p].tolist(), out.bandwidth[:, p].tolist(), strict=True))),
            tuple(sorted(zip(into.nccl_flattened[p].tolist(), into.bandwidth[p].tolist(), strict=True))),
        )
        for p in range(n_ports)
    )
    nic = tuple(
        tuple(sorted(str(port[p]) for p in range(n_ports) if int(interior.port_nic[p]) == n))
        for n in range(len(interior.nics))
    )
    gpu = tuple(
        (
            interior.gpu_parts[g],
            tuple(sorted(zip(peer.transport[g].tolist(), peer.bandwidth[g].tolist(), strict=True))),
            tuple(sorted(zip(out.nccl_flattened[g].tolist(), out.bandwidth[g].tolist(), strict=True))),
        )
        for g in range(n_gpus)
    )
    return _Signs(port, nic, gpu)


def _devices(cluster: Cluster, network: str, color: I64) -> Iterator[Alike]:
    fabric = cluster.fabric
    code = fabric.networks.index(network) if network in fabric.networks else -1
    on = (fabric.network == code) & (fabric.rate > 0)
    used = np.zeros(len(fabric.absent), dtype=bool)
    used[fabric.a_dev[on]] = True
    used[fabric.b_dev[on]] = True
    for tier, kind in TIERS.items():
        mine = np.flatnonzero(used & fabric.switch & (fabric.tier == tier) & ~fabric.failed)
        yield from _grouped(kind, ((int(color[d]), Outage(device=int(d))) for d in mine))
    servers = cluster.server_dev[np.unique(cluster.rank_server)]
    if len(fabric.bundles):
        yield from _grouped("server", ((int(color[d]), Outage(device=int(d))) for d in servers))
    nvlink = np.flatnonzero([b.medium == "nvlink" for b in fabric.bundles])
    if len(nvlink):
        ends = np.isin(fabric.bundle, nvlink)
        planes = np.setdiff1d(np.union1d(fabric.a_dev[ends], fabric.b_dev[ends]), cluster.server_dev)
        planes = planes[~fabric.failed[planes]]
        yield from _grouped("nvlink-switch", ((int(color[d]), Outage(device=int(d))) for d in planes))


def _insides(cluster: Cluster, network: str, color: I64) -> Iterator[Alike]:
    """NICs with a living port on the network, and GPUs that take part: counted class by class, not one by one."""
    fabric = cluster.fabric
    code = fabric.networks.index(network) if network in fabric.networks else -1
    signs = [_signs(i) for i in cluster.interiors]
    at = np.maximum(cluster.uplink, 0)
    live = (cluster.uplink >= 0) & (fabric.network[at] == code) if len(fabric.network) else cluster.uplink >= 0
    nics = _Tally("nic")
    servers = np.unique(cluster.rank_server).astype(np.int64)
    for s, members in _server_kinds(cluster, servers, live, color):
        inner = cluster.interiors[int(cluster.variant[s])]
        used = np.unique(inner.port_nic[live[s, : len(inner.net_ports)]]) if len(inner.net_ports) else ()
        for n in used:
            key = (int(color[cluster.server_dev[s]]), signs[int(cluster.variant[s])].nic[int(n)])
            nics.add(key, members, Outage(server=int(s), nic=inner.nics[int(n)]))
    gpus = _Tally("gpu")
    place = color[cluster.server_dev[cluster.rank_server]]
    pairs, index, counts = np.unique(
        np.stack((place, cluster.variant[cluster.rank_server], cluster.rank_gpu), axis=1),
        axis=0,
        return_index=True,
        return_counts=True,
    )
    for (where, v, g), first, count in zip(pairs.tolist(), index.tolist(), counts.tolist(), strict=True):
        key = (where, signs[v].gpu[g])
        server = int(cluster.rank_server[first])
        gpus.add(key, count, Outage(server=server, gpu=cluster.interiors[v].gpus[g]))
    yield from nics.all()
    yield from gpus.all()


def _server_kinds(cluster: Cluster, servers: I64, live: NDArray[np.bool_], color: I64) -> Iterator[tuple[int, int]]:
    """(first server, how many) that have the same class, variant and living ports."""
    rows = np.concatenate(
        (color[cluster.server_dev[servers]][:, None], cluster.variant[servers][:, None], live[servers]), axis=1
    )
    _, index, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
    for first, count in zip(index.tolist(), counts.tolist(), strict=True):
        yield int(servers[first]), int(count)
