"""NVLink domains over several servers (NVL72 and the like), joined into one server each for whoever plans collectives.

``joined`` gives a cluster in which the compute trays of a domain are one server: all their GPUs see each other through
the rack's NVLink switches, each tray keeps its own processors, NICs and PCIe links. A GPU reaches the NICs of another
tray only by handing the data to a GPU there: NCCL's PXN does not cross hosts (src/graph/paths.cc of NVIDIA/nccl asks
for one system).

Names inside carry the tray: ``3|gpu0`` is gpu0 of the fourth tray; ``tray_of`` takes them apart.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from fabricwright.topology.classes import flag
from fabricwright.topology.model import (
    F64,
    I32,
    Cluster,
    Interior,
    InteriorLink,
    LinkKind,
    NcclClass,
    Paths,
    PciClass,
    Transport,
)

MARK = "|"
KEPT = 8
Key = tuple[tuple[int, float], ...]
Place = tuple[int, int]
"""(tray, index inside it)."""


def tray_of(name: str) -> tuple[int, str]:
    """(tray, name inside it) of a name in a joined server; tray 0 for plain names."""
    tray, mark, rest = name.partition(MARK)
    return (int(tray), rest) if mark else (0, name)


def joined(cluster: Cluster) -> Cluster:
    """The cluster with the servers of each NVLink domain as one; the same object when no domain spans servers.

    Servers without ranks are left out of what was joined. ``tray_dev`` tells the devices behind each server.
    """
    groups = _groups(cluster)
    if groups is None:
        return cluster
    share = _living_share(cluster)
    interiors: list[Interior] = []
    known: dict[Key, int] = {}
    variant = np.zeros(len(groups), dtype=np.int32)
    for g, servers in enumerate(groups):
        key = tuple((int(cluster.variant[s]), round(float(share[s]), 6) if len(servers) > 1 else 1.0) for s in servers)
        if key not in known:
            known[key] = len(interiors)
            interiors.append(_merged([(cluster.interiors[v], part) for v, part in key]))
        variant[g] = known[key]
    width, trays = max(len(i.net_ports) for i in interiors), max(len(s) for s in groups)
    uplink = np.full((len(groups), width), -1, dtype=np.int32)
    leaf = uplink.copy()
    tray_dev = np.full((len(groups), trays), -1, dtype=np.int32)
    group_of = np.full(len(cluster.server_dev), -1, dtype=np.int32)
    first_gpu = np.zeros(len(cluster.server_dev), dtype=np.int32)
    for g, servers in enumerate(groups):
        port = gpu = 0
        for t, s in enumerate(servers):
            inner = cluster.interiors[int(cluster.variant[s])]
            ports = len(inner.net_ports)
            uplink[g, port : port + ports] = cluster.uplink[s, :ports]
            leaf[g, port : port + ports] = cluster.uplink_leaf[s, :ports]
            tray_dev[g, t] = cluster.server_dev[s]
            group_of[s], first_gpu[s] = g, gpu
            port, gpu = port + ports, gpu + len(inner.gpus)
    return replace(
        cluster,
        interiors=tuple(interiors),
        variant_sheet=tuple(i.sheet for i in interiors),
        server_dev=tray_dev[:, 0].copy(),
        variant=variant,
        rank_server=group_of[cluster.rank_server],
        rank_gpu=(first_gpu[cluster.rank_server] + cluster.rank_gpu).astype(np.int32),
        uplink=uplink,
        uplink_leaf=leaf,
        server_axes={},
        up=np.ones(len(groups), dtype=bool),
        tray_dev=tray_dev,
    )


def _groups(cluster: Cluster) -> list[list[int]] | None:
    """Servers of each domain in rank order; None when no domain spans two servers."""
    settings = cluster.settings
    if not len(cluster.rank_domain) or flag(settings.get("nccl.p2p_disable"), False):
        return None
    if not flag(settings.get("nccl.mnnvl"), True):
        return None
    if not any(b.medium == "nvlink" for b in cluster.fabric.bundles) and not any(
        i.domain_gpus for i in cluster.interiors
    ):
        return None
    server, first, inverse = np.unique(cluster.rank_server, return_index=True, return_inverse=True)
    domain = cluster.rank_domain[first]
    whole = np.ones(len(server), dtype=bool)
    whole[inverse[cluster.rank_domain != domain[inverse]]] = False
    whole &= domain >= 0
    _, counts = np.unique(domain[whole], return_counts=True)
    if not len(counts) or int(counts.max()) < 2:
        return None
    out: dict[int, list[int]] = {}
    for n in np.argsort(first, kind="stable"):
        out.setdefault(int(domain[n]) if whole[n] else -2 - int(n), []).append(int(server[n]))
    return list(out.values())


def _living_share(cluster: Cluster) -> F64:
    """Part of each server's NVLink cables to the rack's switches that is alive; 1 where none are drawn."""
    fabric = cluster.fabric
    drawn, alive = np.zeros(len(fabric.absent)), np.zeros(len(fabric.absent))
    for n, bundle in enumerate(fabric.bundles):
        if bundle.medium != "nvlink":
            continue
        mine = np.flatnonzero(fabric.bundle == n)
        up = fabric.up[mine] if len(fabric.up) else np.ones(len(mine), dtype=bool)
        there = bundle.alive[fabric.row[mine]]
        for end in (fabric.a_dev[mine], fabric.b_dev[mine]):
            drawn += np.bincount(end, there, len(drawn))
            alive += np.bincount(end, there & up, len(alive))
    share = np.where(drawn > 0, alive / np.maximum(drawn, 1), 1.0)
    return np.asarray(share[cluster.server_dev], dtype=np.float64)


_kept: OrderedDict[tuple[tuple[int, float], ...], tuple[tuple[Interior, ...], Interior]] = OrderedDict()


def _merged(trays: list[tuple[Interior, float]]) -> Interior:
    """One interior of several; the last few are kept (servers are compiled once and shared)."""
    if len(trays) == 1:
        return trays[0][0]
    key = tuple((id(interior), share) for interior, share in trays)
    found = _kept.get(key)
    if found is None:
        found = _kept[key] = tuple(i for i, _ in trays), _merge(trays)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return found[1]


def _merge(trays: list[tuple[Interior, float]]) -> Interior:
    inners = [interior for interior, _ in trays]
    links = [_link(t, link, share) for t, (inner, share) in enumerate(trays) for link in inner.links]
    gpus, nics, ports = _Places(inners, "gpus"), _Places(inners, "nics"), _Places(inners, "net_ports")
    at = np.cumsum([0, *(len(i.links) for i in inners)])
    out, into = _planes(inners, at)
    rate = np.array([link.nccl_rate for link in links])
    wait = np.array([link.latency_s for link in links])
    helper = [_nearest_gpu(i) for i in inners]

    def gpu_gpu(a: Place, b: Place) -> list[int]:
        return [out[a], into[b]]

    def gpu_port(a: Place, p: Place) -> list[int]:
        t, port = p
        g = int(helper[t][port])
        return [out[a], into[t, g], *(inners[t].gpu_port.links(g, port) + at[t]).tolist()]

    def port_gpu(p: Place, b: Place) -> list[int]:
        t, port = p
        g = int(helper[t][port])
        return [*(inners[t].port_gpu.links(port, g) + at[t]).tolist(), out[t, g], into[b]]

    line = [share * inner.nvlink_rate for inner, share in trays]
    nccl = [share * inner.nvlink_nccl for inner, share in trays]
    first = inners[0]
    return Interior(
        sheet=first.sheet,
        gpus=gpus.names,
        gpu_parts=tuple(p for i in inners for p in i.gpu_parts),
        nics=nics.names,
        net_ports=ports.names,
        port_nic=np.concatenate([i.port_nic + n for i, n in zip(inners, nics.start, strict=True)]).astype(np.int32),
        port_rate=np.concatenate([i.port_rate for i in inners]),
        links=tuple(links),
        rate=np.array([link.rate for link in links]),
        nccl_rate=rate,
        gpu_gpu=_join([i.gpu_gpu for i in inners], at, gpus, gpus, gpu_gpu, NcclClass.NVL, rate, wait),
        gpu_port=_join([i.gpu_port for i in inners], at, gpus, ports, gpu_port, NcclClass.NET, rate, wait),
        port_gpu=_join([i.port_gpu for i in inners], at, ports, gpus, port_gpu, NcclClass.NET, rate, wait),
        gpu_host=first.gpu_host,
        nvlink_domain=np.zeros(len(gpus.names), dtype=np.int32),
        nvlink_rate=np.concatenate(line),
        nvlink_nccl=np.concatenate(nccl),
        nvls=all(i.nvls for i in inners),
        nvlink_gen=min(i.nvlink_gen for i in inners),
        gpu_socket=_sockets(inners, "gpu_socket"),
        nic_socket=_sockets(inners, "nic_socket"),
        cpu_parts=tuple(p for i in inners for p in i.cpu_parts),
        lanes={},
        nic_selective=tuple(x for i in inners for x in (i.nic_selective or (False,) * len(i.nics))),
    )


class _Places:
    """Things of one kind over all trays: ``names``, ``start`` of each tray, and ``where`` (tray, index inside)."""

    def __init__(self, inners: list[Interior], what: str) -> None:
        lists = [getattr(i, what) for i in inners]
        self.names = tuple(f"{t}{MARK}{name}" for t, names in enumerate(lists) for name in names)
        self.start = np.cumsum([0, *(len(names) for names in lists)])[:-1]
        self.where = [(t, n) for t, names in enumerate(lists) for n in range(len(names))]


def _link(tray: int, link: InteriorLink, share: float) -> InteriorLink:
    part = share if link.kind is LinkKind.NVLINK else 1.0
    return replace(
        link,
        name=f"{tray}{MARK}{link.name}",
        src=f"{tray}{MARK}{link.src}",
        dst=f"{tray}{MARK}{link.dst}",
        rate=link.rate * part,
        nccl_rate=link.nccl_rate * part,
    )


def _planes(inners: list[Interior], at: I32) -> tuple[dict[Place, int], dict[Place, int]]:
    """Links of every GPU into and out of the NVLink switches, by (tray, GPU)."""
    out: dict[Place, int] = {}
    into: dict[Place, int] = {}
    for t, inner in enumerate(inners):
        index = {name: n for n, name in enumerate(inner.gpus)}
        for e, link in enumerate(inner.links):
            if link.kind is LinkKind.NVLINK and link.src in index and link.dst not in index:
                out[t, index[link.src]] = int(at[t]) + e
            elif link.kind is LinkKind.NVLINK and link.dst in index and link.src not in index:
                into[t, index[link.dst]] = int(at[t]) + e
    return out, into


def _nearest_gpu(inner: Interior) -> I32:
    """The GPU nearest to each port of a server."""
    if not len(inner.net_ports):
        return np.zeros(0, dtype=np.int32)
    return np.asarray(np.argmin(inner.gpu_port.nccl_flattened, axis=0), dtype=np.int32)


def _sockets(inners: list[Interior], what: str) -> I32:
    parts, first = [], 0
    for inner in inners:
        own = getattr(inner, what)
        parts.append(np.where(own >= 0, own + first, -1))
        first += max(1, len(inner.cpu_parts))
    return np.concatenate(parts).astype(np.int32)


def _join(
    own: list[Paths],
    at: I32,
    rows: _Places,
    columns: _Places,
    across: Callable[[Place, Place], list[int]],
    far: NcclClass,
    rate: F64,
    wait: F64,
) -> Paths:
    """Paths of each tray as they were, and between trays those of ``across`` with the class ``far``."""
    n, m = len(rows.names), len(columns.names)
    shape = (n, m)
    pci = np.full(shape, PciClass.NETWORK, dtype=np.int8)
    raw, flat = np.full(shape, NcclClass.NET, dtype=np.int8), np.full(shape, NcclClass.NET, dtype=np.int8)
    overlay = np.full(shape, NcclClass.NVL if far is NcclClass.NVL else -1, dtype=np.int8)
    moved = np.full(shape, Transport.NVLINK if far is NcclClass.NVL else Transport.NONE, dtype=np.int8)
    bandwidth, latency = np.zeros(shape), np.zeros(shape)
    smi = [["NV" if far is NcclClass.NVL else "-"] * m for _ in range(n)]
    for t, paths in enumerate(own):
        r, c = int(rows.start[t]), int(columns.start[t])
        here = np.s_[r : r + paths.pci.shape[0], c : c + paths.pci.shape[1]]
        pci[here], raw[here], flat[here] = paths.pci, paths.nccl, paths.nccl_flattened
        overlay[here], moved[here] = paths.overlay, paths.transport
        bandwidth[here], latency[here] = paths.bandwidth, paths.latency_s
        for i, words in enumerate(paths.smi):
            smi[r + i][c : c + len(words)] = words
    indptr, link, weight = [0], [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for i, a in enumerate(rows.where):
        for j, b in enumerate(columns.where):
            if a[0] == b[0]:
                paths = own[a[0]]
                link.append(paths.links(a[1], b[1]) + at[a[0]])
                weight.append(paths.weights(a[1], b[1]))
            else:
                ids = np.array(across(a, b), dtype=np.int64)
                link.append(ids)
                weight.append(np.ones(len(ids)))
                bandwidth[i, j], latency[i, j] = rate[ids].min(), wait[ids].sum()
            indptr.append(indptr[-1] + len(link[-1]))
    return Paths(
        pci=pci,
        nccl=raw,
        nccl_flattened=flat,
        smi=tuple(tuple(row) for row in smi),
        overlay=overlay,
        transport=moved,
        bandwidth=bandwidth,
        latency_s=latency,
        indptr=np.array(indptr, dtype=np.int32),
        link=np.concatenate(link).astype(np.int32),
        weight=np.concatenate(weight),
    )


def devices_of(cluster: Cluster, servers: Iterable[int], tray: int = 0) -> I32:
    """Devices behind servers: themselves, or the given tray of joined domains that have it."""
    index = np.fromiter(servers, dtype=np.int64)
    if not cluster.tray_dev.size:
        return np.asarray(cluster.server_dev[index], dtype=np.int32)
    found = cluster.tray_dev[index, tray]
    return np.asarray(found[found >= 0], dtype=np.int32)
