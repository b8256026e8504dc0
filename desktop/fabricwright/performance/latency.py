"""The part of a collective's time that does not depend on its size: dependent steps over the real paths, set-up and
launch.

Calibrated: L = base(protocol) + local steps x hop(protocol, NVLink or PCIe) + network steps x step(fabric), fitted as
a set; path latency beyond the nearest one of its kind (a second switch, the other socket, more fabric hops, long
cables) comes on top. Ideal: every step costs exactly the latency of its path.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fabricwright.performance.calibration import Calibration
from fabricwright.performance.layout import Layout
from fabricwright.performance.ring import ring_sends
from fabricwright.performance.wires import mean_wire_latency_s
from fabricwright.topology.constants import NIC_LATENCY_S, SWITCH_ASIC_LATENCY_S
from fabricwright.topology.model import Transport


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
    """Dependent steps of an algorithm, and its own constant (``kind``: hops, nvls, nvls_tree, all_to_all)."""

    local: float
    network: float
    kind: str = "hops"
    peers: int = 0


def path_times(layout: Layout) -> PathTimes:
    """Latencies of the paths that rings use, servers weighted by how often they occur."""
    count = np.bincount(layout.group, minlength=len(layout.classes)).astype(float)
    local: list[tuple[float, float, float, float]] = []
    ends: list[tuple[float, float]] = []
    for c, weight in zip(layout.classes, count, strict=True):
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
                local.append((weight * edge.share, seconds, seconds - nearest[kind], float(kind != Transport.NVLINK)))
            if channel.in_port >= 0:
                into = float(c.interior.port_gpu.latency_s[channel.in_port, channel.order[0]])
                out = float(c.interior.gpu_port.latency_s[channel.order[-1], channel.out_port])
                ends.append((weight, into + out))
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


def latency_s(steps: Steps, protocol: str, layout: Layout, paths: PathTimes, calibration: Calibration) -> float:
    """Device-side latency of one operation, launch excluded."""
    if calibration.ideal:
        return steps.local * paths.local_s + steps.network * paths.network_s
    factor = (
        calibration.value(f"latency.fabric_{layout.medium}")
        if calibration.knows(f"latency.fabric_{layout.medium}")
        else 1.0
    )
    network = calibration.seconds("latency.network_step") * factor + paths.network_excess_s
    if steps.kind == "nvls":
        return calibration.seconds("latency.nvls") * max(1.0, layout.n / 8)
    if steps.kind == "nvls_tree":
        step = calibration.seconds("latency.nvls_tree_step") * factor + paths.network_excess_s
        return calibration.seconds("latency.nvls_tree_base") + steps.network * step
    if steps.kind == "all_to_all":
        return steps.peers * calibration.seconds("latency.all_to_all_peer") + min(1.0, steps.network) * network
    return (
        calibration.seconds(f"latency.base_{protocol.lower()}")
        + steps.local * local_hop_s(protocol, paths, calibration)
        + steps.network * network
    )


def local_hop_s(protocol: str, paths: PathTimes, calibration: Calibration) -> float:
    """One step inside a server."""
    scale = calibration.value("latency.hop_scale")
    nvlink = calibration.seconds(f"latency.hop_nvlink_{protocol.lower()}")
    pcie = calibration.seconds(f"latency.hop_pcie_{protocol.lower()}")
    return scale * ((1 - paths.pcie_part) * nvlink + paths.pcie_part * pcie) + paths.local_excess_s


def launch_s(layout: Layout, launch: str, calibration: Calibration) -> float:
    """Host launch, partly hidden behind the device."""
    if calibration.ideal:
        return 0.0
    if launch == "cuda-graph":
        return calibration.seconds("latency.launch_graph")
    return calibration.seconds("latency.launch") + calibration.seconds("latency.launch_per_gpu") * (
        int(layout.gpu_count.max()) - 1
    )
