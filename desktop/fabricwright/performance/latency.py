"""The part of a collective's time that does not depend on its size: dependent steps over the real paths, set-up and
launch.

Calibrated: L = base(protocol) + local steps x hop(protocol, NVLink or PCIe) + network steps x step(network), fitted as
a set (``cost.Terms``); path latency beyond the nearest one of its kind (a second switch, the other socket, more fabric
hops, long cables) comes on top. Ideal: every step costs exactly the latency of its path.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from fabricwright.performance.belief_tables import hop_us
from fabricwright.performance.cost import Term
from fabricwright.performance.kept import Kept
from fabricwright.performance.layout import Layout, ServerClass
from fabricwright.performance.network_kind import network_kind
from fabricwright.performance.protocols import LL, PROTOCOLS
from fabricwright.performance.ring import ring_sends
from fabricwright.performance.wires import mean_wire_latency_s
from fabricwright.topology.constants import NIC_LATENCY_S, SWITCH_ASIC_LATENCY_S
from fabricwright.topology.model import Transport

MOST_PER_HOST = 8


@dataclass(frozen=True, slots=True)
class PathTimes:
    """Means over the edges of the ring: ``local_s`` and ``network_s`` whole path latencies, ``local_excess_s`` and
    ``network_excess_s`` what lies beyond the nearest path of its kind; ``pcie_part`` of the local edges that do
    not run over NVLink.
    """

    local_s: float = 0.0
    local_excess_s: float = 0.0
    pcie_part: float = 0.0
    network_s: float = 0.0
    network_excess_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Steps:
    """Dependent steps of an algorithm, and its own constant (``kind``: hops, nvls, nvls_tree, all_to_all,
    one_shot)."""

    local: float
    network: float
    kind: str = "hops"
    peers: int = 0


_Edges = tuple[list[tuple[float, float, float, float]], list[float]]
"""(share, seconds, beyond the nearest, whether PCIe) of the ring steps in a class; seconds in and out of each
channel."""
_steps_inside: Kept[_Edges] = Kept(64)


def _inside_class(c: ServerClass) -> _Edges:
    edges: list[tuple[float, float, float, float]] = []
    doors: list[float] = []
    paths = c.interior.gpu_gpu
    nearest: dict[int, float] = {}
    for a in c.gpus:
        for b in c.gpus:
            if a != b:
                kind = int(paths.transport[a, b])
                nearest[kind] = min(nearest.get(kind, np.inf), float(paths.latency_s[a, b]))
    for channel in c.channels:
        for edge in channel.edges:
            seconds, kind = float(paths.latency_s[edge.src, edge.dst]), int(paths.transport[edge.src, edge.dst])
            edges.append((edge.share, seconds, seconds - nearest[kind], float(kind != Transport.NVLINK)))
        if channel.in_port >= 0:
            into = float(c.interior.port_gpu.latency_s[channel.in_port, channel.order[0]])
            out = float(c.interior.gpu_port.latency_s[channel.order[-1], channel.out_port])
            doors.append(into + out)
    return edges, doors


def path_times(layout: Layout) -> PathTimes:
    """Latencies of the paths that rings use, servers weighted by how often they occur."""
    count = np.bincount(layout.group, minlength=len(layout.classes)).astype(float)
    local: list[tuple[float, float, float, float]] = []
    ends: list[tuple[float, float]] = []
    for c, weight in zip(layout.classes, count, strict=True):
        edges, doors = _steps_inside.get(c, None, partial(_inside_class, c))
        local += [(weight * share, seconds, excess, pcie) for share, seconds, excess, pcie in edges]
        ends += [(weight, seconds) for seconds in doors]
    wire_s = mean_wire_latency_s(layout, ring_sends(layout))
    inside_s = _mean([(w, v) for w, v in ends])
    return PathTimes(
        local_s=_mean([(w, v) for w, v, _, _ in local]),
        local_excess_s=_mean([(w, v) for w, _, v, _ in local]),
        pcie_part=_mean([(w, v) for w, _, _, v in local]),
        network_s=inside_s + 2 * NIC_LATENCY_S + wire_s if layout.k > 1 else 0.0,
        network_excess_s=max(0.0, wire_s - SWITCH_ASIC_LATENCY_S),
    )


def _mean(rows: list[tuple[float, float]]) -> float:
    weight = sum(w for w, _ in rows)
    return sum(w * v for w, v in rows) / weight if weight else 0.0


def ideal_latency_s(steps: Steps, paths: PathTimes) -> float:
    """Ideal semantics: steps x path."""
    return steps.local * paths.local_s + steps.network * paths.network_s


def latency_terms(
    steps: Steps, protocol: str, layout: Layout, paths: PathTimes, launch: str
) -> tuple[tuple[Term, ...], float]:
    """Device-side latency of one operation, launch excluded: (terms in microseconds, seconds on top)."""
    kind = network_kind(layout)
    factor = (f"step.{kind.step}",) if kind.step else ()
    beyond = steps.network * paths.network_excess_s
    if steps.kind == "one_shot":
        return (Term(1.0, ("time_us.one_shot",)),), 0.0
    if steps.kind == "nvls":
        return (Term(max(1.0, layout.n / 8), ("time_us.nvls",)),), 0.0
    if steps.kind == "nvls_tree":
        step = Term(steps.network, ("time_us.nvls_tree_step", *factor))
        return (Term(1.0, ("time_us.nvls_tree_base",)), step), beyond
    if steps.kind == "all_to_all":
        once = min(1.0, steps.network)
        network = Term(once, ("time_us.network_step", *factor))
        return (Term(steps.peers, ("time_us.all_to_all_peer",)), network), once * paths.network_excess_s
    terms = [Term(steps.network, ("time_us.network_step", *factor))] if steps.network else []
    place = PROTOCOLS.index(protocol)
    nvlink, pcie = (hop_us("ring", where, place) for where in ("nvlink", "pcie"))
    hop = (1 - paths.pcie_part) * nvlink + paths.pcie_part * pcie
    terms.append(Term(steps.local * hop, ("step.local",)))
    terms.append(Term(1.0, ("time_us.base_ll",)))
    if protocol != LL:
        terms.append(Term(1.0, (f"time_us.base_{protocol.lower()}",)))
    return tuple(terms), steps.local * paths.local_excess_s + beyond


def launch_terms(layout: Layout, launch: str, peers: int = 0) -> tuple[Term, ...]:
    """Host launch in microseconds, by launch mode: a part per collective, one for every further GPU of a server (an
    operating system's; racks of NVLink trays are taken as servers of eight), and one for each of ``peers`` sends that
    are enqueued one by one (all_to_all), times the GPUs that one process enqueues them for.
    """
    if launch == "cuda-graph":
        return (Term(1.0, ("time_us.launch_graph",)),)
    gpus = min(int(layout.gpu_count.max()), MOST_PER_HOST)
    mode = () if launch == "unknown" else (f"launch.{launch.replace('-', '_')}",)
    terms = [Term(1.0, ("time_us.launch",)), Term(gpus - 1, ("time_us.launch_per_gpu", *mode))]
    if peers:
        terms.append(Term(peers * (gpus if launch == "single-process" else 1), ("time_us.launch_send",)))
    return tuple(terms)
