"""How NCCL moves bytes between GPUs, and between a GPU and a network port, under the settings of the design.

Rules: NCCL's path table (docs/path-classes.md). Settings ``nccl.p2p_level``, ``nccl.p2p_disable``, ``nccl.gdr_level``,
``nccl.pxn``, ``acs``, ``iommu`` ("on" also sends peer traffic to the root; "pt" does not), ``gdr`` (off: no GPUDirect).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from fabricwright.design.effective import EffItem
from fabricwright.topology import constants as k
from fabricwright.topology.classes import NCCL_OF_PCI, SMI_OF_PCI, flag, flattened, level
from fabricwright.topology.model import I32, NcclClass, Paths, PciClass, Transport
from fabricwright.topology.server_graph import Route, ServerGraph, cpu_vendor
from fabricwright.units.record import record

LOCAL_NIC = NcclClass.P2C  # a GPU this near to the NIC may carry others' traffic (PXN)


@record
class Levels:
    """Settings as they count for one server."""

    p2p: NcclClass
    p2p_disable: bool
    gdr: NcclClass
    pxn: bool
    through_root: bool


def levels_of(settings: Mapping[str, object], graph: ServerGraph, n_gpus: int) -> Levels:
    """Settings with NCCL's defaults: P2P up to PXB (SYS on AMD with at most two GPUs), GPUDirect up to PXB
    (P2C with C2C).
    """
    vendor = cpu_vendor(graph.tree.items[graph.tree.cpus[0]]) if graph.tree.cpus else ""
    coherent = any(feed.c2c for feed in graph.tree.feeds.values())
    p2p = NcclClass.SYS if vendor == "amd" and n_gpus <= 2 else NcclClass.PXB
    gdr = NcclClass.P2C if coherent else NcclClass.PXB
    return Levels(
        p2p=level(settings.get("nccl.p2p_level"), p2p),
        p2p_disable=flag(settings.get("nccl.p2p_disable"), False),
        gdr=level(settings.get("nccl.gdr_level"), gdr) if flag(settings.get("gdr"), True) else NcclClass.LOC,
        pxn=flag(settings.get("nccl.pxn"), True),
        through_root=flag(settings.get("acs"), False) or flag(settings.get("iommu"), False),
    )


@dataclass(slots=True)
class Leg:
    """One pair: classes, transport and what a byte loads."""

    pci: PciClass = PciClass.NONE
    raw: NcclClass = NcclClass.DIS
    flat: NcclClass = NcclClass.DIS
    smi: str = "-"
    overlay: int = -1
    transport: Transport = Transport.NONE
    links: list[int] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)

    @property
    def nearest(self) -> NcclClass:
        """The class that NCCL decides by."""
        return self.flat if self.overlay < 0 else min(self.flat, NcclClass(self.overlay))

    def load(self, links: list[int] | tuple[int, ...], weight: float = 1.0) -> None:
        """Set what a byte loads."""
        self.links, self.weight = list(links), [weight] * len(links)


def _leg(route: Route) -> Leg:
    raw = NCCL_OF_PCI[route.pci]
    return Leg(route.pci, raw, flattened(route.pci, route.bridges, route.fused), SMI_OF_PCI[route.pci])


def coherent_only(graph: ServerGraph, gpu: str) -> bool:
    """A GPU on a coherent link: nvidia-smi gives it a NUMA node of its own and prints SYS to every NIC."""
    feed = graph.tree.feeds.get(gpu)
    return feed is not None and feed.c2c


def gpu_to_gpu(graph: ServerGraph, gpus: tuple[str, ...], set_: Levels) -> list[list[Leg]]:
    """All GPU pairs, (n, n)."""
    return [[_gpu_pair(graph, a, b, set_) for b in gpus] for a in gpus]


def _gpu_pair(graph: ServerGraph, a: str, b: str, set_: Levels) -> Leg:
    route = graph.route(a, b)
    leg = _leg(route)
    if a == b:
        return leg
    if coherent_only(graph, a):
        leg.smi = "SYS"
    nv = graph.nv.path(a, b)
    if nv is not None:
        kind, count = nv
        leg.overlay = NcclClass.NVB if kind == "third" else NcclClass.NVL
        if kind != "third":
            leg.smi = "XGMI" if graph.nv.xgmi else f"NV{count}"
    if set_.p2p_disable or leg.nearest > set_.p2p or (nv is None and not _both_allow_p2p(graph, a, b)):
        _through_host(graph, a, b, leg)
    elif nv is not None and leg.nearest <= NcclClass.NVB:
        leg.transport = Transport.NVLINK
        leg.load(nvlink_path(graph, a, b))
    elif leg.pci is not PciClass.NONE:
        moved = graph.route(a, b, set_.through_root)
        leg.transport = Transport.P2P
        intel = (
            route.via_cpu
            and leg.raw is NcclClass.PHB
            and cpu_vendor(graph.tree.items.get(graph.tree.cpu_of(a))) == "intel"
        )
        leg.load(moved.links, k.INTEL_P2P_OVERHEAD if intel else 1.0)
    return leg


def _both_allow_p2p(graph: ServerGraph, a: str, b: str) -> bool:
    return allows_p2p(graph.tree.items[a]) and allows_p2p(graph.tree.items[b])


def allows_p2p(item: EffItem) -> bool:
    """Whether a GPU's driver allows peer-to-peer over PCIe: what is stated (config ``p2p``), else the stock driver's
    word (figure ``p2p``); not known counts as allowed.
    """
    figure = item.part.figures.get("p2p") if item.part is not None else None
    return flag(item.config.get("p2p"), figure is None or figure.value is not False)


def _through_host(graph: ServerGraph, a: str, b: str, leg: Leg) -> None:
    """Shared host memory beside the sender's CPU: the sender writes, the receiver reads, each by its own copy loop."""
    cpu_a, cpu_b = graph.tree.cpu_of(a), graph.tree.cpu_of(b)
    between = graph.sockets(cpu_a, cpu_b) if cpu_a and cpu_b else None
    if between is None:
        return
    leg.transport = Transport.HOST_MEMORY
    links = [graph.copy_out[a], *graph.climb(a), graph.mem_in[cpu_a], graph.mem_out[cpu_a]]
    leg.load([*links, *between, *graph.descend(b), graph.copy_in[b]])
    if between:
        from_gen = min(graph.links[graph.up[a]].gen or 5, graph.links[graph.up[b]].gen or 5)
        share = k.HOST_COPY_CROSS_SOCKET.get(from_gen, 1.0)
        for at in (0, len(leg.links) - 1):
            leg.weight[at] = 1.0 / share


def nvlink_path(graph: ServerGraph, a: str, b: str) -> list[int]:
    """Links of the NVLink path; over the third GPU where there is no direct link. Empty when there is none."""
    found = graph.nv.path(a, b)
    if found is None:
        return []
    if found[0] == "switch":
        return [graph.nv_out[a], graph.nv_in[b]]
    if found[0] == "direct":
        return [graph.nv_direct[a, b]]
    third = graph.nv.third(a, b)
    return [graph.nv_direct[a, third], graph.nv_direct[third, b]]


def gpu_to_nic(graph: ServerGraph, gpus: tuple[str, ...], nics: tuple[str, ...], set_: Levels) -> list[list[Leg]]:
    """Sends, (n, nics): directly, through an NVLink peer beside the NIC (PXN), or through host memory."""
    plain = [[_nic_leg(graph, gpu, nic) for nic in nics] for gpu in gpus]
    for j, nic in enumerate(nics):
        near = [i for i in range(len(gpus)) if plain[i][j].nearest <= min(LOCAL_NIC, set_.gdr)]
        nearest = min((plain[i][j].nearest for i in near), default=NcclClass.DIS)
        peers = [i for i in near if plain[i][j].nearest == nearest]
        for i, gpu in enumerate(gpus):
            leg = plain[i][j]
            helper = (
                _helper(graph, gpus, peers, i, j)
                if set_.pxn and not set_.p2p_disable and leg.nearest > NcclClass.PXN
                else None
            )
            if helper is not None:
                leg.overlay = NcclClass.PXN
                leg.transport = Transport.PXN
                direct = graph.route(gpus[helper], nic, set_.through_root)
                leg.load([*nvlink_path(graph, gpu, gpus[helper]), *direct.links])
            elif leg.nearest <= set_.gdr and leg.pci is not PciClass.NONE:
                leg.transport = Transport.GPUDIRECT
                leg.load(graph.route(gpu, nic, set_.through_root).links)
            else:
                _staged_send(graph, gpu, nic, leg)
    return plain


def _helper(graph: ServerGraph, gpus: tuple[str, ...], peers: list[int], i: int, j: int) -> int | None:
    """The GPU that sends for GPU i through NIC j: one of the nearest to the NIC that has NVLink to i; NICs
    take turns.
    """
    able = [p for p in peers if p != i and graph.nv.path(gpus[i], gpus[p]) is not None]
    return able[j % len(able)] if able else None


def nic_to_gpu(graph: ServerGraph, gpus: tuple[str, ...], nics: tuple[str, ...], set_: Levels) -> list[list[Leg]]:
    """Receives, (nics, n): directly or through host memory (the sender's PXN already chose a NIC that is near)."""
    out = []
    for nic in nics:
        row = []
        for gpu in gpus:
            leg = _nic_leg(graph, gpu, nic)
            if leg.nearest <= set_.gdr and leg.pci is not PciClass.NONE:
                leg.transport = Transport.GPUDIRECT
                leg.load(graph.route(nic, gpu, set_.through_root).links)
            else:
                _staged_receive(graph, gpu, nic, leg)
            row.append(leg)
        out.append(row)
    return out


def _nic_leg(graph: ServerGraph, gpu: str, nic: str) -> Leg:
    leg = _leg(graph.route(gpu, nic))
    if coherent_only(graph, gpu) and leg.pci is not PciClass.NONE:
        leg.smi = "SYS"
        if graph.tree.cpu_of(gpu) == graph.tree.cpu_of(nic):
            leg.overlay = NcclClass.P2C
    return leg


def _staged_send(graph: ServerGraph, gpu: str, nic: str, leg: Leg) -> None:
    """Through host memory beside the GPU. The copy loop's limit (HOST_COPY_RATE) is measured between GPUs
    only: not counted.
    """
    cpu_gpu, cpu_nic = graph.tree.cpu_of(gpu), graph.tree.cpu_of(nic)
    between = graph.sockets(cpu_gpu, cpu_nic) if cpu_gpu and cpu_nic else None
    if between is None:
        return
    leg.transport = Transport.HOST_STAGED
    up = [*graph.climb(gpu), graph.mem_in[cpu_gpu], graph.mem_out[cpu_gpu]]
    leg.load([*up, *between, *graph.descend(nic)])


def _staged_receive(graph: ServerGraph, gpu: str, nic: str, leg: Leg) -> None:
    cpu_gpu, cpu_nic = graph.tree.cpu_of(gpu), graph.tree.cpu_of(nic)
    between = graph.sockets(cpu_nic, cpu_gpu) if cpu_gpu and cpu_nic else None
    if between is None:
        return
    leg.transport = Transport.HOST_STAGED
    up = [*graph.climb(nic), *between, graph.mem_in[cpu_gpu], graph.mem_out[cpu_gpu]]
    leg.load([*up, *graph.descend(gpu)])


def gpu_to_memory(graph: ServerGraph, gpus: tuple[str, ...]) -> list[list[Leg]]:
    """Writes to host memory by the copy engine, (n, CPUs in natural order). Reading loads the reverse links
    the same way.
    """
    out = []
    for gpu in gpus:
        row = []
        for cpu in graph.tree.cpus:
            own = graph.tree.cpu_of(gpu)
            between = graph.sockets(own, cpu) if own else None
            if between is None:
                row.append(Leg())
                continue
            pci = PciClass.SOCKET if between else PciClass.HOST_BRIDGE
            leg = Leg(pci, NCCL_OF_PCI[pci], NCCL_OF_PCI[pci], SMI_OF_PCI[pci], transport=Transport.HOST_MEMORY)
            if coherent_only(graph, gpu) and not between:
                leg.overlay = NcclClass.C2C
            leg.load([*graph.climb(gpu), *between, graph.mem_in[cpu]])
            row.append(leg)
        out.append(row)
    return out


def pack(graph: ServerGraph, rows: list[list[Leg]], n: int, m: int, spread: I32 | None = None) -> Paths:
    """Legs to arrays. ``spread`` repeats columns (a NIC's leg for each of its ports); then m is the number of ports."""
    columns = list(range(m)) if spread is None else [int(c) for c in spread]
    legs = [[row[c] for c in columns] for row in rows]
    pci = np.array([[leg.pci for leg in row] for row in legs], dtype=np.int8).reshape(n, m)
    flat = [leg for row in legs for leg in row]
    indptr = np.zeros(n * m + 1, dtype=np.int32)
    np.cumsum([len(leg.links) for leg in flat], out=indptr[1:])
    rates = [link.nccl_rate for link in graph.links]
    return Paths(
        pci=pci,
        nccl=np.array([leg.raw for leg in flat], dtype=np.int8).reshape(n, m),
        nccl_flattened=np.array([leg.flat for leg in flat], dtype=np.int8).reshape(n, m),
        smi=tuple(tuple(leg.smi for leg in row) for row in legs),
        overlay=np.array([leg.overlay for leg in flat], dtype=np.int8).reshape(n, m),
        transport=np.array([leg.transport for leg in flat], dtype=np.int8).reshape(n, m),
        bandwidth=np.array([_bandwidth(leg, rates) for leg in flat], dtype=np.float64).reshape(n, m),
        latency_s=np.array(
            [sum(graph.links[e].latency_s for e in leg.links) for leg in flat], dtype=np.float64
        ).reshape(n, m),
        indptr=indptr,
        link=np.array([e for leg in flat for e in leg.links], dtype=np.int32),
        weight=np.array([w for leg in flat for w in leg.weight], dtype=np.float64),
    )


def _bandwidth(leg: Leg, rates: list[float]) -> float:
    return min((rates[e] / w for e, w in zip(leg.links, leg.weight, strict=True)), default=0.0)
