"""What an entry says about its machines, in the words a drawing needs; what it does not say is assumed and noted.

Only the closed hardware fields count, and of the GPU's name only the generation it stands for. Two entries with the
same ``Hardware`` describe the same design.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from fabricwright.performance.measured.entries import Entry
from fabricwright.units.text import Message, msg

RACK_GPUS = 72
"""Most GPUs of one NVLink domain (NVL72)."""

# GB/s per direction and GPU by NVLink generation: 6 x 25, 12 x 25, 18 x 25, 18 x 50.
NVLINK_LINE = {1: 80.0, 2: 150.0, 3: 300.0, 4: 450.0, 5: 900.0}
PCIE_OF_NVLINK = {1: 3, 2: 3, 3: 4, 4: 5, 5: 5}
FABRICS = ("infiniband", "roce", "efa", "tcpx", "slingshot", "tcp", "nvlink-domain", "unknown")

# GPU names to (how its neighbours are reached when that is not stated, NVLink or PCIe generation, Gb/s of a NIC of its
# time). The first match counts.
_GPUS: tuple[tuple[str, str, int, float], ...] = (
    (r"MI[23]\d\d", "xgmi", 5, 400),
    (r"G?B[23]00", "nvlink", 5, 400),
    (r"(H[12]00|H800|H20).*(PCIE|NVL)", "pcie-cpu", 5, 400),
    (r"GH200|H[128]00|H20\b", "nvlink", 4, 400),
    (r"A[18]00.*PCIE", "pcie-cpu", 4, 200),
    (r"A[18]00", "nvlink", 3, 200),
    (r"V100", "nvlink", 2, 100),
    (r"RTX PRO|RTX 50|RTX 6000D|GB10|5090", "pcie-cpu", 5, 400),
    (r"L40|L20|L4\b|L2\b|A40|A10|A30|A6000|RTX", "pcie-cpu", 4, 100),
)


@dataclass(frozen=True, slots=True)
class Hardware:
    """``servers`` drawn servers with ``gpus`` each; a server is an NVLink domain where one spans several trays.

    ``inside``: nvlink (switch), cube-mesh, bridge, xgmi, pcie-switch, pcie-cpu, host-memory, single. ``line_gbs`` per
    GPU and direction. ``last_gpus`` GPUs of the last server when the ranks do not fill it. ``fabric`` a word of
    ``FABRICS``, "" on one server; ``trays`` nodes of one server.
    """

    inside: str
    nvlink_gen: int
    line_gbs: float
    pcie_gen: int
    servers: int
    gpus: int
    last_gpus: int
    nics: int
    nic_gbps: float
    fabric: str
    trays: int


def hardware_of(entry: Entry) -> tuple[Hardware, tuple[Message, ...]]:
    """Hardware of an entry, and what was assumed."""
    notes: list[Message] = []
    name = str(entry.fields.get("gpu") or "")
    kind, generation, nic_speed, known = _gpu(name)
    if not known:
        notes.append(msg("GPU '{name}' is not known; only the links stated for it count.", name=name))
    inside, nv_gen, pcie_gen = _inside(entry, kind, generation, known, notes)
    line = _line(entry, inside, nv_gen, name, notes)
    trays, servers, gpus, last = _domains(entry, inside, notes)
    fabric, nics, gbps = "", 0, 0.0
    if servers > 1:
        fabric = _fabric(entry, notes)
        per_node, gbps = entry.number("nics_per_node"), entry.number("nic_gbps")
        if not per_node:
            per_node = float(entry.gpus_per_node if inside in ("nvlink", "xgmi", "cube-mesh") else 1)
            notes.append(msg("NICs are not stated; {n} per server assumed.", n=int(per_node)))
        if not gbps:
            gbps = nic_speed
            notes.append(msg("The NIC's speed is not stated; {gbps} Gb/s assumed.", gbps=gbps))
        nics = min(max(1, round(per_node * trays)), 512)
    return Hardware(inside, nv_gen, line, pcie_gen, servers, gpus, last, nics, gbps, fabric, trays), tuple(notes)


def _gpu(name: str) -> tuple[str, int, float, bool]:
    for pattern, kind, generation, nic in _GPUS:
        if re.search(pattern, name.upper().replace("_", " ")):
            return kind, generation, nic, True
    return "pcie-cpu", 5, 400.0, False


def _inside(entry: Entry, kind: str, generation: int, known: bool, notes: list[Message]) -> tuple[str, int, int]:
    """(inside, NVLink generation, PCIe generation)."""
    word = entry.word("intra")
    own_nv = generation if kind == "nvlink" else 0
    own_pcie = PCIE_OF_NVLINK[generation] if kind == "nvlink" else generation
    nvlink = re.match(r"nvlink(\d)", word)
    if nvlink:
        nv_gen = min(max(int(nvlink[1]), 1), 5)
        pcie = re.search(r"pcie(\d)", word)
        pcie_gen = int(pcie[1]) if pcie else max(PCIE_OF_NVLINK[nv_gen], own_pcie if known else 0)
        if "hcm" in word and entry.gpus_per_node <= 8:
            return "cube-mesh", nv_gen, pcie_gen
        return "bridge" if "bridge" in word else "nvlink", nv_gen, pcie_gen
    if word.startswith("xgmi"):
        return "xgmi", 0, 5
    pcie = re.match(r"pcie(\d)-(switch|cpu|shm)", word)
    if pcie:
        return {"switch": "pcie-switch", "cpu": "pcie-cpu", "shm": "host-memory"}[pcie[2]], 0, int(pcie[1])
    if entry.gpus_per_node == 1:
        return "single", own_nv, own_pcie
    notes.append(
        msg("How the GPUs of a server are joined is not stated ('{word}'); taken from the GPU's name.", word=word)
    )
    return kind, own_nv, own_pcie


def _line(entry: Entry, inside: str, nv_gen: int, name: str, notes: list[Message]) -> float:
    if inside in ("pcie-switch", "pcie-cpu", "host-memory", "single"):
        return 0.0
    line = entry.number("nvlink_gbs_per_gpu")
    if line:
        return line
    if inside == "xgmi":
        line = (76.8 if re.search(r"MI35", name.upper()) else 64.0) * (entry.gpus_per_node - 1)
    elif inside == "bridge":
        line = 56.25 if nv_gen <= 3 and "A100" not in name.upper() else 300.0
    else:
        line = NVLINK_LINE[nv_gen]
    notes.append(msg("The links between GPUs have no stated rate; {gbs} GB/s assumed.", gbs=line))
    return line


def _domains(entry: Entry, inside: str, notes: list[Message]) -> tuple[int, int, int, int]:
    """(nodes per drawn server, servers, GPUs per server, GPUs of the last one)."""
    nodes, per_node, ranks = entry.nodes, entry.gpus_per_node, entry.ranks
    domain = int(entry.number("nvlink_domain_gpus"))
    if not domain and entry.word("fabric_kind") == "nvlink-domain" and nodes > 1:
        domain = min(ranks, RACK_GPUS)
        notes.append(msg("The NVLink domain's size is not stated; {n} GPUs assumed.", n=domain))
    if inside != "nvlink" or domain <= per_node or nodes == 1:
        return 1, nodes, per_node, per_node
    trays = max(1, min(nodes, domain // per_node))
    servers = math.ceil(nodes / trays)
    last = ranks - (servers - 1) * trays * per_node
    return trays, servers, trays * per_node, last


def _fabric(entry: Entry, notes: list[Message]) -> str:
    word = entry.word("fabric_kind")
    if word == "tcpx" and str(entry.fields.get("fabric_gen") or "").upper() == "TCPXO":
        return "tcpxo"
    if word in FABRICS and word not in ("unknown", "nvlink-domain"):
        return word
    if word == "nvlink-domain":
        notes.append(msg("The network between NVLink domains is not stated; InfiniBand or RoCE assumed."))
    elif word not in ("unknown", ""):
        notes.append(msg("Network '{word}' is not known; InfiniBand or RoCE assumed.", word=word))
    elif entry.fields.get("rdma") is False:
        notes.append(msg("The network is not stated and has no RDMA; TCP assumed."))
        return "tcp"
    else:
        notes.append(msg("The network is not stated; InfiniBand or RoCE assumed."))
    return "unknown"
