"""What a directed link really carries: line rate x efficiency of its kind for the algorithm that loads it.

NVLink efficiencies are measured per algorithm (a ring copies with one pattern, NVLS with another). PCIe links count
NCCL's own constant (48 GB/s for Gen5 x16: TLP headers and flow control are in it), processors' links and host-memory
copies what topology says they really give, NIC ports and fabric links 0.96 of line rate. In ideal semantics every
link carries its line rate.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.calibration import Calibration
from fabricwright.performance.flows import Capacity
from fabricwright.performance.layout import Layout, ServerClass
from fabricwright.topology.model import Interior, LinkKind

F64 = NDArray[np.float64]


def capacities(layout: Layout, mode: str, calibration: Calibration) -> Capacity:
    """Effective rates for ``mode``: ring, tree, nvls, nvls_tree, all_to_all, send_recv."""
    inside = np.full((len(layout.cluster.interiors), layout.width), np.inf)
    for c in layout.classes:
        links = c.interior.links
        inside[c.variant, : len(links)] = [
            _effective(c, mode, link.kind, link.rate, link.nccl_rate, calibration) for link in links
        ]
    if calibration.ideal:
        return Capacity(inside, layout.wire_rate)
    wire = layout.wire_rate * calibration.value("network.nic")
    if mode == "all_to_all":
        wire = np.where(layout.is_port, layout.wire_rate * calibration.value("network.all_to_all"), wire)
    return Capacity(inside, wire)


def _effective(
    c: ServerClass, mode: str, kind: LinkKind, rate: float, nccl_rate: float, calibration: Calibration
) -> float:
    if rate <= 0:
        return 0.0
    if calibration.ideal:
        return rate
    if kind is LinkKind.NVLINK:
        return rate * nvlink_efficiency(c, mode, calibration)
    if kind is LinkKind.PCIE:
        return (nccl_rate or rate) * calibration.value("pcie.p2p")
    if kind is LinkKind.SOCKET:
        return rate * calibration.value("pcie.socket")
    if kind is LinkKind.C2C:
        return rate * calibration.value("pcie.c2c")
    return rate


def nvlink_efficiency(c: ServerClass, mode: str, calibration: Calibration) -> float:
    """Effective / line rate of a GPU's NVLink port (or of a direct link) under an algorithm."""
    interior: Interior = c.interior
    generation = min(5, interior.nvlink_gen)
    if mode in ("nvls", "nvls_tree") and generation >= 4:
        measured = calibration.value(f"nvlink.nvls_{generation}")
        return measured * (calibration.value("nvlink.nvls_tree") if mode == "nvls_tree" else 1.0)
    if mode in ("all_to_all", "send_recv"):
        return calibration.value(f"nvlink.{mode}")
    if c.mesh and len(c.gpus) == 2 and generation >= 3:
        ring = calibration.value("nvlink.bridge")
    elif generation >= 2:
        ring = calibration.value(f"nvlink.ring_{generation}")
        if len(c.gpus) == 2 and not c.mesh:
            ring *= calibration.value("nvlink.pair")
    else:
        ring = calibration.value("nvlink.ring_other")
    return ring * (calibration.value("nvlink.tree") if mode == "tree" else 1.0)
