"""Compile a server sheet: its devices, directed links, and all paths between GPUs, network ports and host memory."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.topology import transport
from fabricwright.topology.model import Interior, LaneUse
from fabricwright.topology.nvlinks import nvlink_domains
from fabricwright.topology.pcie_tree import TREE_MEDIA, PcieTree, build_tree, has_down
from fabricwright.topology.roce import resends_selectively
from fabricwright.topology.server_graph import build_graph
from fabricwright.units.natural import natural_key


def compile_interior(eff: EffSheet, settings: Mapping[str, object]) -> Interior:
    """The compiled form of one server type under the settings of its design.

    GPUs, NICs and ports come in natural order. ``gpu_host`` has one column per CPU in natural order. ``feeds``
    names the port
    above each item ("gpu0" -> "br0:d1"). Nothing raises: what could not be compiled is a code in ``problems``
    (``second-feed:ITEM``, ``loop:ITEM``, ``open-end:ITEM``, ``no-feed:ITEM``).
    """
    gpus = _of_kind(eff, "gpu")
    nics = _of_kind(eff, "nic")
    tree = build_tree(eff)
    nv = nvlink_domains(eff, gpus)
    graph = build_graph(eff, tree, nv, gpus)
    set_ = transport.levels_of(settings, graph, len(gpus))
    ports, port_nic, port_rate = _ports(eff, nics)
    column = np.array(port_nic, dtype=np.int32)
    n, m = len(gpus), len(ports)
    sends = transport.gpu_to_nic(graph, gpus, nics, set_)
    receives = transport.nic_to_gpu(graph, gpus, nics, set_)
    cpu_index = {cpu: i for i, cpu in enumerate(tree.cpus)}
    return Interior(
        sheet=eff.id,
        gpus=gpus,
        gpu_parts=tuple(eff.items[g].of for g in gpus),
        nics=nics,
        net_ports=tuple(ports),
        port_nic=column,
        port_rate=np.array(port_rate, dtype=np.float64),
        links=tuple(graph.links),
        rate=np.array([link.rate for link in graph.links], dtype=np.float64),
        nccl_rate=np.array([link.nccl_rate for link in graph.links], dtype=np.float64),
        gpu_gpu=transport.pack(graph, transport.gpu_to_gpu(graph, gpus, set_), n, n),
        gpu_port=transport.pack(graph, sends, n, m, column),
        port_gpu=transport.pack(graph, [receives[j] for j in port_nic], m, n),
        gpu_host=transport.pack(graph, transport.gpu_to_memory(graph, gpus), n, len(tree.cpus)),
        nvlink_domain=np.array([nv.domain.get(g, -1) for g in gpus], dtype=np.int32),
        nvlink_rate=np.array([nv.rate.get(g, 0.0) for g in gpus], dtype=np.float64),
        nvlink_nccl=np.array([nv.nccl.get(g, 0.0) for g in gpus], dtype=np.float64),
        nvls=nv.reduces,
        nvlink_gen=nv.generation,
        gpu_socket=np.array([cpu_index.get(tree.cpu_of(g), -1) for g in gpus], dtype=np.int32),
        nic_socket=np.array([cpu_index.get(tree.cpu_of(c), -1) for c in nics], dtype=np.int32),
        cpu_parts=tuple(eff.items[c].of for c in tree.cpus),
        lanes=lane_use(eff, tree),
        feeds={node: f"{feed.parent}:{feed.port}" for node, feed in tree.feeds.items()},
        problems=tuple(tree.problems) + tuple(f"no-feed:{i}" for i in (*gpus, *nics) if i not in tree.feeds),
        nic_selective=tuple(resends_selectively(eff.items[c]) for c in nics),
        domain_gpus=_domain_gpus(eff, gpus) if nv.reduces else 0,
        signal=tree.signal,
    )


def _domain_gpus(eff: EffSheet, gpus: tuple[str, ...]) -> int:
    """GPUs of the rack-wide NVLink domain that chassis and GPUs state ("72-GPU domain"), 0 where it is the server's."""
    if eff.chassis_part is None or eff.chassis_part.word("nvlink_scope") != "rack":
        return 0
    texts = [item.part.word("gpu_link") for item in (eff.items[g] for g in gpus) if item.part is not None]
    found = [re.search(r"(\d+)-GPU domain", text) for text in texts]
    return min((int(m.group(1)) for m in found if m), default=0)


def _of_kind(eff: EffSheet, kind: str) -> tuple[str, ...]:
    return tuple(sorted((i for i, row in eff.items.items() if row.kind == kind), key=natural_key))


def _ports(eff: EffSheet, nics: tuple[str, ...]) -> tuple[list[str], list[int], list[float]]:
    names, owner, rate = [], [], []
    for j, nic in enumerate(nics):
        ports = eff.items[nic].ports
        for name in sorted(
            (n for n, p in ports.items() if p.role == "net" and p.medium not in TREE_MEDIA), key=natural_key
        ):
            if ports[name].medium == "mgmt":
                continue
            names.append(f"{nic}:{name}")
            owner.append(j)
            rate.append(ports[name].gbps * 1e9 / 8)
    return names, owner, rate


def lane_use(eff: EffSheet, tree: PcieTree) -> dict[str, LaneUse]:
    """Lanes of each CPU. ``used`` counts negotiated lanes of whatever hangs directly on its root ports, forced
    cards too.
    """
    out = {}
    for cpu in tree.cpus:
        used: dict[str, int] = {}
        for node, feed in tree.feeds.items():
            if feed.parent == cpu and feed.port in tree.root_ports[cpu] and not feed.c2c:
                kind = _label(tree.items[node])
                used[kind] = used.get(kind, 0) + feed.lanes
        wired = sum(tree.wired[cpu].values())
        out[cpu] = LaneUse(wired, sum(used.values()), _available(eff.items[cpu], tree, cpu), used)
    return out


def _label(item: EffItem) -> str:
    if item.kind:
        return item.kind
    return "pcie-switch" if has_down(item) else "other"


def _available(item: EffItem, tree: PcieTree, cpu: str) -> int:
    stated = item.config.get("lanes_available")
    if isinstance(stated, (int, float)) and not isinstance(stated, bool):
        return int(stated)
    if item.part is not None:
        alone = item.part.get("lanes_1s") if len(tree.cpus) == 1 else 0.0
        lanes = alone or item.part.get("lanes_per_socket")
        if lanes:
            return int(lanes)
    return sum(port.lanes for port in tree.root_ports[cpu].values())
