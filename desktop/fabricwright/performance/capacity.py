"""What a directed link really carries: line rate x efficiency of its kind for the algorithm that loads it.

NVLink efficiencies are calibrated per algorithm (a ring copies with one pattern, NVLS with another). PCIe links count
NCCL's own constant (48 GB/s for Gen5 x16) times an efficiency, processors' links and host-memory copies what topology
says they really give, NIC ports and fabric links their line rate times an efficiency of the kind of network. In ideal
semantics every link carries its line rate.

Which calibrated values multiply to a link's efficiency depends on its kind only (``Efficiencies``); their values come
from a calibration (``Efficiencies.capacity``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.calibration import Calibration
from fabricwright.performance.flows import Capacity
from fabricwright.performance.kept import Kept
from fabricwright.performance.layout import Layout, ServerClass
from fabricwright.performance.loss import kept_share
from fabricwright.performance.network_kind import network_kind
from fabricwright.topology.model import LinkKind

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Names = tuple[str, ...]
MORE_CHANNELS = 4
"""Channels from which copies through host memory count as many (NCCL takes two by itself)."""


@dataclass(frozen=True, slots=True)
class Efficiencies:
    """Rates before calibration, and for each link the index into ``names`` of what it is multiplied by.

    ``inside``/``inside_names`` (variants, width), ``wire``/``wire_names`` (2K,).
    """

    names: tuple[Names, ...]
    inside: F64
    inside_names: I64
    wire: F64
    wire_names: I64

    def capacity(self, calibration: Calibration) -> Capacity:
        """Effective rates."""
        factor = np.array([math.prod(calibration.value(n) for n in names) for names in self.names] or [1.0])
        return Capacity(self.inside * factor[self.inside_names], self.wire * factor[self.wire_names])


def efficiencies(layout: Layout, mode: str) -> Efficiencies:
    """For ``mode``: ring, tree, nvls, nvls_tree, all_to_all, send_recv, one_shot."""
    known: dict[Names, int] = {}
    shape = (len(layout.cluster.interiors), layout.width)
    inside, inside_names = np.full(shape, np.inf), np.zeros(shape, dtype=np.int64)
    many = _channels(layout) >= MORE_CHANNELS
    for c in layout.classes:
        rates, kinds, kind_of = _inside.get(c, (mode, many), partial(_links_of, c, mode, many))
        numbers = np.array([known.setdefault(names, len(known)) for names in kinds], dtype=np.int64)
        inside[c.variant, : len(rates)] = rates
        inside_names[c.variant, : len(rates)] = numbers[kind_of]
    port = _wire_names(layout, mode)
    switch = _wire_names(layout, "ring")
    wire_names = np.where(
        layout.is_port, known.setdefault(port, len(known)), known.setdefault(switch, len(known))
    ).astype(np.int64)
    return Efficiencies(tuple(known), inside, inside_names, layout.wire_rate * kept_share(layout), wire_names)


_OfClass = tuple[F64, tuple[Names, ...], I64]
"""Rates of the links of a server class, the kinds of efficiency among them, and which each link has."""
_inside: Kept[_OfClass] = Kept(256)


def _links_of(c: ServerClass, mode: str, many: bool) -> _OfClass:
    found = [_link(c, mode, link.kind, link.rate, link.nccl_rate, many) for link in c.interior.links]
    kinds = {names: n for n, names in enumerate(dict.fromkeys(names for _, names in found))}
    kind_of = np.array([kinds[names] for _, names in found], dtype=np.int64)
    return np.array([rate for rate, _ in found], dtype=np.float64), tuple(kinds), kind_of


def line_rates(layout: Layout) -> Capacity:
    """Every link at its line rate (ideal semantics)."""
    inside = np.full((len(layout.cluster.interiors), layout.width), np.inf)
    for c in layout.classes:
        inside[c.variant, : len(c.interior.links)] = [max(link.rate, 0.0) for link in c.interior.links]
    return Capacity(inside, layout.wire_rate)


def _channels(layout: Layout) -> int:
    value = layout.cluster.settings.get("nccl.channels")
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else 0


def _wire_names(layout: Layout, mode: str) -> Names:
    kind = f"network.{network_kind(layout).payload}"
    return (kind, "network.all_to_all") if mode == "all_to_all" else (kind,)


def _link(c: ServerClass, mode: str, kind: LinkKind, rate: float, nccl: float, many: bool) -> tuple[float, Names]:
    if rate <= 0:
        return 0.0, ()
    if kind is LinkKind.NVLINK:
        return rate, nvlink_names(c, mode)
    if kind is LinkKind.PCIE:
        return nccl or rate, ("pcie.gpudirect",) if c.nvlink else ("pcie.peer",)
    if kind is LinkKind.SOCKET:
        return rate, ("pcie.socket",)
    if kind is LinkKind.HOST_MEMORY:
        return rate, ("host.copy", "host.more_channels") if many else ("host.copy",)
    return rate, ()


def nvlink_names(c: ServerClass, mode: str) -> Names:
    """Efficiencies of a GPU's NVLink port (or of a direct link) under an algorithm."""
    generation = min(5, c.interior.nvlink_gen)
    if mode in ("nvls", "nvls_tree") and generation >= 4:
        base = f"nvlink.nvls_{generation}"
        return (base, "nvlink.nvls_tree") if mode == "nvls_tree" else (base,)
    if mode == "one_shot":
        return ("nvlink.one_shot",)
    if mode in ("all_to_all", "send_recv"):
        return (f"nvlink.{mode}",)
    if c.mesh and len(c.gpus) == 2 and generation >= 3:
        names: Names = ("nvlink.bridge",)
    elif generation >= 2:
        names = (f"nvlink.ring_{generation}",)
        if len(c.gpus) == 2 and not c.mesh:
            names = (*names, "nvlink.pair")
    else:
        names = ("nvlink.xgmi",)
    return (*names, "nvlink.tree") if mode == "tree" else names
