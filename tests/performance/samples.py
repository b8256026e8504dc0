"""Small compiled things made by hand: servers, fabrics and clusters as ``topology.model`` describes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from fabricwright.catalog.parts import Scalar
from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.training.presets import preset
from fabricwright.design.values import Project, Workload
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.model import (
    Bundle,
    Cluster,
    Fabric,
    Interior,
    InteriorLink,
    LinkKind,
    NcclClass,
    Paths,
    PciClass,
    Transport,
)
from fabricwright.units.table import Table

GB = 1e9
Leg = tuple[NcclClass, Transport, list[tuple[int, float]]]


def workload_of(name: str, **plan: Scalar) -> Workload:
    """A workload of a published model with a plan."""
    found = preset(name)
    return Workload(found.title, Table(found.model), Table(plan))


@lru_cache(maxsize=8)
def template(name: str) -> Project:
    return TEMPLATES[name].build()


def compiled(name: str, design: str = "", **options: object) -> Cluster:
    project = template(name)
    return compile_cluster(project, design or next(iter(project.designs)), **options)  # type: ignore[arg-type]


def edited(project: Project, name: str, **args: object) -> Project:
    return apply(project, run(project, EditCall(name, args)))


def pack(legs: Sequence[Sequence[Leg]], latency_s: float = 1e-6) -> Paths:
    """Paths from a table of (class, transport, [(link, weight)])."""
    n, m = len(legs), len(legs[0]) if legs else 0
    flat = [leg for row in legs for leg in row]
    indptr = np.zeros(n * m + 1, dtype=np.int32)
    np.cumsum([len(leg[2]) for leg in flat], out=indptr[1:])
    classes = np.array([leg[0] for leg in flat], dtype=np.int8).reshape(n, m)
    return Paths(
        pci=np.full((n, m), PciClass.NUMA_NODE, dtype=np.int8),
        nccl=classes,
        nccl_flattened=classes,
        smi=tuple(tuple("?" for _ in row) for row in legs),
        overlay=np.where(classes == NcclClass.NVL, NcclClass.NVL, -1).astype(np.int8),
        transport=np.array([leg[1] for leg in flat], dtype=np.int8).reshape(n, m),
        bandwidth=np.full((n, m), GB),
        latency_s=np.full((n, m), latency_s),
        indptr=indptr,
        link=np.array([e for leg in flat for e, _ in leg[2]], dtype=np.int32),
        weight=np.array([w for leg in flat for _, w in leg[2]], dtype=np.float64),
    )


def nvlink_server(
    gpus: int = 8,
    nics: int = 8,
    line: float = 450 * GB,
    port: float = 50 * GB,
    gen: int = 4,
    pxn: bool = True,
) -> Interior:
    """GPUs behind one NVLink switch; NIC i beside GPU i (modulo) on a PCIe switch, reached by the others by PXN, or
    across the processors without.
    """
    links: list[InteriorLink] = []

    def both(name: str, a: str, b: str, kind: LinkKind, rate: float, nccl: float) -> tuple[int, int]:
        links.append(InteriorLink(name, a, b, kind, rate, nccl, 0.25e-6))
        links.append(InteriorLink(name, b, a, kind, rate, nccl, 0.25e-6))
        return len(links) - 2, len(links) - 1

    nv = [both(f"gpu{i}:nv", f"gpu{i}", "nvl0", LinkKind.NVLINK, line, line) for i in range(gpus)]
    up = [both(f"gpu{i}:up", f"gpu{i}", f"br{i}", LinkKind.PCIE, 63 * GB, 48 * GB) for i in range(gpus)]
    nic = [both(f"nic{i}:up", f"nic{i}", f"br{i % gpus}", LinkKind.PCIE, 63 * GB, 48 * GB) for i in range(nics)]
    far = NcclClass.NVL
    local: list[list[Leg]] = [
        [
            (NcclClass.LOC, Transport.NONE, [])
            if a == b
            else (far, Transport.NVLINK, [(nv[a][0], 1.0), (nv[b][1], 1.0)])
            for b in range(gpus)
        ]
        for a in range(gpus)
    ]

    def send(g: int, p: int) -> Leg:
        near = p % gpus
        own = [(up[near][0], 1.0), (nic[p][1], 1.0)]
        if g == near:
            return NcclClass.PIX, Transport.GPUDIRECT, own
        if not pxn:
            return NcclClass.SYS, Transport.GPUDIRECT, [(up[g][0], 1.0), (nic[p][1], 1.0)]
        return NcclClass.PXN, Transport.PXN, [(nv[g][0], 1.0), (nv[near][1], 1.0), *own]

    def receive(p: int, g: int) -> Leg:
        class_ = NcclClass.PIX if g == p % gpus else NcclClass.SYS
        return class_, Transport.GPUDIRECT, [(nic[p][0], 1.0), (up[g][1], 1.0)]

    return _interior(
        links,
        gpus,
        nics,
        port,
        pack(local),
        pack([[send(g, p) for p in range(nics)] for g in range(gpus)]),
        pack([[receive(p, g) for g in range(gpus)] for p in range(nics)]),
        nvlink=(gen, line),
    )


def mesh_server(gpus: int = 8, rate: float = 64 * GB) -> Interior:
    """GPUs joined pair by pair (xGMI), no NIC."""
    links: list[InteriorLink] = []
    legs: list[list[Leg]] = [[(NcclClass.LOC, Transport.NONE, [])] * gpus for _ in range(gpus)]
    for a in range(gpus):
        for b in range(gpus):
            if a != b:
                links.append(InteriorLink(f"x{a}{b}", f"gpu{a}", f"gpu{b}", LinkKind.NVLINK, rate, rate, 0.5e-6))
                legs[a][b] = (NcclClass.NVL, Transport.NVLINK, [(len(links) - 1, 1.0)])
    return _interior(
        links, gpus, 0, 0.0, pack(legs), pack([[] for _ in range(gpus)]), pack([]), nvlink=(0, rate * (gpus - 1))
    )


def _interior(
    links: list[InteriorLink],
    gpus: int,
    nics: int,
    port: float,
    local: Paths,
    out: Paths,
    into: Paths,
    nvlink: tuple[int, float],
) -> Interior:
    gen, line = nvlink
    return Interior(
        sheet="node",
        gpus=tuple(f"gpu{i}" for i in range(gpus)),
        gpu_parts=("gpu",) * gpus,
        nics=tuple(f"nic{i}" for i in range(nics)),
        net_ports=tuple(f"nic{i}:1" for i in range(nics)),
        port_nic=np.arange(nics, dtype=np.int32),
        port_rate=np.full(nics, port),
        links=tuple(links),
        rate=np.array([link.rate for link in links]),
        nccl_rate=np.array([link.nccl_rate for link in links]),
        gpu_gpu=local,
        gpu_port=out,
        port_gpu=into,
        gpu_host=pack([]),
        nvlink_domain=np.full(gpus, 0 if gen else -1, dtype=np.int32),
        nvlink_rate=np.full(gpus, line),
        nvlink_nccl=np.full(gpus, line),
        nvls=gen >= 4,
        nvlink_gen=gen,
        gpu_socket=np.array([2 * i // max(gpus, 1) for i in range(gpus)], dtype=np.int32),
        nic_socket=np.array([2 * i // max(nics, 1) for i in range(nics)], dtype=np.int32),
        cpu_parts=("cpu", "cpu"),
        lanes={},
    )


def clos(
    interior: Interior,
    servers: int,
    per_leaf: int,
    spines: int,
    up_per_spine: int = 1,
    rate: float = 50 * GB,
    settings: Mapping[str, object] | None = None,
) -> Cluster:
    """Rail-wired leaf-spine: port p of the servers of one unit goes to the unit's leaf p; leafs mesh to spines."""
    ports = len(interior.net_ports)
    units = -(-servers // per_leaf)
    leafs = units * ports
    offset = {"node": 0, "leaf": servers, "spine": servers + leafs}
    s = np.repeat(np.arange(servers), ports)
    p = np.tile(np.arange(ports), servers)
    leaf = offset["leaf"] + (s // per_leaf) * ports + p
    down = np.stack((s, leaf), axis=1)
    up = np.array(
        [
            (offset["leaf"] + a, offset["spine"] + b)
            for a in range(leafs)
            for b in range(spines)
            for _ in range(up_per_spine)
        ]
    ).reshape(-1, 2)
    return _cluster(
        interior,
        servers,
        offset,
        {"node": servers, "leaf": leafs, "spine": spines},
        [("down", down), ("up", up)],
        rate,
        settings or {},
    )


def three_tier(
    interior: Interior, pods: int, units: int, per_leaf: int, spines: int, cores: int, rate: float = 50 * GB
) -> Cluster:
    """Rail-wired pods: leaf (pod, unit, rail) meshes to the pod's ``spines`` of its rail, spine j of a rail to
    core group (rail, j).
    """
    ports = len(interior.net_ports)
    servers = pods * units * per_leaf
    leafs, n_spines = pods * units * ports, pods * ports * spines
    offset = {"node": 0, "leaf": servers, "spine": servers + leafs, "core": servers + leafs + n_spines}
    s, p = np.repeat(np.arange(servers), ports), np.tile(np.arange(ports), servers)
    down = np.stack((s, offset["leaf"] + (s // per_leaf) * ports + p), axis=1)
    pod, unit, rail, spine = (
        x.reshape(-1) for x in np.meshgrid(*(np.arange(v) for v in (pods, units, ports, spines)), indexing="ij")
    )
    up = np.stack(
        (offset["leaf"] + (pod * units + unit) * ports + rail, offset["spine"] + (pod * ports + rail) * spines + spine),
        axis=1,
    )
    pod, rail, spine, core = (
        x.reshape(-1) for x in np.meshgrid(*(np.arange(v) for v in (pods, ports, spines, cores)), indexing="ij")
    )
    top = np.stack(
        (
            offset["spine"] + (pod * ports + rail) * spines + spine,
            offset["core"] + (rail * spines + spine) * cores + core,
        ),
        axis=1,
    )
    count = {"node": servers, "leaf": leafs, "spine": n_spines, "core": ports * spines * cores}
    return _cluster(interior, servers, offset, count, [("down", down), ("up", up), ("top", top)], rate, {})


def _cluster(
    interior: Interior,
    servers: int,
    offset: dict[str, int],
    count: dict[str, int],
    layers: list[tuple[str, np.ndarray]],
    rate: float,
    settings: Mapping[str, object],
) -> Cluster:
    devices = sum(count.values())
    tier = np.zeros(devices, dtype=np.int8)
    for n, item in enumerate(count):
        tier[offset[item] : offset[item] + count[item]] = n
    names = list(count)
    bundles = tuple(
        Bundle(
            link,
            names[n],
            names[n + 1],
            (),
            (),
            np.zeros((len(ends), 4), dtype=np.int32),
            np.ones(len(ends), dtype=bool),
            "compute",
            "eth",
        )
        for n, (link, ends) in enumerate(layers)
    )
    ends = np.concatenate([e for _, e in layers]).astype(np.int32)
    k = len(ends)
    fabric = Fabric(
        items=tuple(names),
        offset=offset,
        count=count,
        absent=np.zeros(devices, dtype=bool),
        tier=tier,
        bundles=bundles,
        bundle=np.repeat(np.arange(len(layers)), [len(e) for _, e in layers]).astype(np.int32),
        row=np.concatenate([np.arange(len(e)) for _, e in layers]).astype(np.int32),
        a_dev=ends[:, 0],
        a_port=np.zeros(k, dtype=np.int32),
        b_dev=ends[:, 1],
        b_port=np.zeros(k, dtype=np.int32),
        rate=np.full(k, rate),
        switch_latency_s=np.where(tier > 0, 0.6e-6, 0.0),
        length_m=np.full(k, 10.0),
        failed=np.zeros(devices, dtype=bool),
        switch=tier > 0,
        networks=("compute",),
        network=np.zeros(k, dtype=np.int32),
    )
    ports, gpus = len(interior.net_ports), len(interior.gpus)
    first = layers[0][1]
    return Cluster(
        design="main",
        settings=settings,
        interiors=(interior,),
        variant_sheet=("node",),
        server_dev=np.arange(servers, dtype=np.int32),
        variant=np.zeros(servers, dtype=np.int32),
        rank_server=np.repeat(np.arange(servers), gpus).astype(np.int32),
        rank_gpu=np.tile(np.arange(gpus), servers).astype(np.int32),
        uplink=np.arange(servers * ports, dtype=np.int32).reshape(servers, ports),
        uplink_leaf=first[:, 1].astype(np.int32).reshape(servers, ports),
        fabric=fabric,
    )


def with_settings(cluster: Cluster, settings: Mapping[str, object]) -> Cluster:
    """The same cluster under other settings."""
    return replace(cluster, settings=settings)


def infiniband(cluster: Cluster) -> Cluster:
    """The same cluster over InfiniBand links."""
    bundles = tuple(replace(b, medium="ib") for b in cluster.fabric.bundles)
    return replace(cluster, fabric=replace(cluster.fabric, bundles=bundles, memo={}))


def cluster_of(
    interior: Interior,
    servers: int,
    count: dict[str, int],
    layers: Sequence[tuple[str, Sequence[tuple[int, int]]]],
    settings: Mapping[str, object],
    rate: float = 50 * GB,
) -> Cluster:
    """A cluster from lists of (device, device) cables; the first layer joins servers to leafs in order of ports."""
    offset, at = {}, 0
    for item, n in count.items():
        offset[item] = at
        at += n
    ends = [(name, np.array(rows).reshape(-1, 2)) for name, rows in layers]
    return _cluster(interior, servers, offset, count, ends, rate, settings)
