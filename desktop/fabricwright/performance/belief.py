"""What NCCL believes an algorithm takes, by which it chooses.

NCCL's tuner predicts latency + bytes / bandwidth per (algorithm, protocol) from its own constants
(resources/calibration/belief.toml; src/graph/tuning.cc of NVIDIA/nccl) and takes the smallest. The bandwidth that its
search would find comes from the flows over the drawn links at the rates NCCL counts for them. None of this is fitted,
and none of it is the time that the choice then takes (``cost``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.belief_tables import belief, belief_tables, hop_us
from fabricwright.performance.flows import Capacity, usage
from fabricwright.performance.layout import Layout
from fabricwright.performance.plans import Plan, PlanBook
from fabricwright.performance.protocols import PROTOCOLS

F64 = NDArray[np.float64]
SMALLEST = 64  # bytes: first entry of the tree correction
NVLS_KINDS = ("nvls", "nvls_tree")


@dataclass(frozen=True, slots=True)
class Belief:
    """Believed time of one (algorithm, protocol). ``correction``: factor on the bandwidth by log2(size / 64).

    ``slow_from`` size from which the latency is counted ``slow`` times (Ring/Simple over the network).
    """

    latency_s: float
    seconds_per_byte: float
    correction: tuple[float, ...] = ()
    slow_from: float = math.inf
    slow: float = 1.0

    def seconds(self, sizes: F64) -> F64:
        """Believed times at ``sizes`` (bytes)."""
        transfer = self.seconds_per_byte * sizes
        if self.correction:
            place = np.floor(np.log2(np.maximum(sizes, SMALLEST) / SMALLEST)).astype(np.int64)
            factors = np.array((*self.correction, 1.0))
            transfer = transfer / factors[np.minimum(place, len(self.correction))]
        latency = np.where(sizes >= self.slow_from, self.latency_s * self.slow, self.latency_s)
        out: F64 = latency + transfer
        return out


def generation_index(layout: Layout) -> int:
    """0 Volta, 1 Ampere, 2 Hopper, 3 Blackwell, by NVLink, else by PCIe generation of the GPUs."""
    nvlink = min(c.interior.nvlink_gen for c in layout.classes)
    if nvlink:
        return min(max(nvlink - 2, 0), 3)
    gens = [link.gen for c in layout.classes for link in c.interior.links if link.src in c.interior.gpus and link.gen]
    return {3: 0, 4: 1}.get(min(gens, default=5), 3)


def nccl_capacity(layout: Layout) -> Capacity:
    """Rates that NCCL counts: its constants for links inside, 0.96 of a NIC's line rate."""
    inside = np.full((len(layout.cluster.interiors), layout.width), np.inf)
    for c in layout.classes:
        inside[c.variant, : len(c.interior.links)] = [link.nccl_rate or link.rate for link in c.interior.links]
    return Capacity(inside, layout.wire_rate * belief("share", "nic"))


class Tuner:
    """NCCL's tuner on a layout. ``bus`` GB/s of a ring's edges over all channels, as its search would find them."""

    def __init__(self, book: PlanBook) -> None:
        layout = book.layout
        self.layout = layout
        self.k, self.n = layout.k, layout.n
        self.per_server = int(layout.gpu_count.max())
        self.gen = generation_index(layout)
        self.size_row = min(self.k - 1, 2)
        self.nvlink = all(c.nvlink for c in layout.classes)
        switched = self.nvlink and not any(c.mesh for c in layout.classes)
        loads = book.ring_unit()
        inside, wire = usage(loads, nccl_capacity(layout), layout.variant_of[loads.first_of_row()])
        per_byte = max(float(inside.max(initial=0.0)), float(wire.max(initial=0.0)))
        bus = 1e-9 / per_byte if per_byte > 0 else 1e3
        most = belief("rate_gbs", "channel_local", self.gen) * belief("rate_gbs", "channels_local", self.gen)
        self.bus = min(bus, most) if switched and self.per_server > 1 else bus
        self.channels = (
            int(belief("rate_gbs", "channels_local", self.gen)) if self.k == 1 else self._channels(len(layout.shares))
        )
        self.port = min((float(layout.classes[0].interior.nvlink_nccl[g]) for g in layout.classes[0].gpus), default=0.0)
        self.wire_bus = 1e-9 / float(wire.max(initial=0.0)) if self.k > 1 and wire.max(initial=0.0) > 0 else math.inf

    def _channels(self, ports: int) -> int:
        """Channels between servers: one per NIC port, twice as many where each would be fast (ncclTopoDupChannels)."""
        each = self.bus / ports
        double = each >= 25.0 and not (self.gen >= 2 and each < 50.0 and ports > 4)
        return min(2 * ports if double else ports, 32)

    def believe(self, plan: Plan, collective: str, protocol: str) -> Belief | None:
        """Belief about a candidate; None when NCCL has none (textbook algorithms): then its cost decides."""
        p = PROTOCOLS.index(protocol)
        if plan.algorithm == "ring":
            return self._ring(collective, p)
        if plan.algorithm == "tree":
            return self._tree(p)
        if plan.algorithm in NVLS_KINDS:
            return self._nvls(plan.algorithm)
        return None

    @property
    def _inside(self) -> str:
        return "nvlink" if self.nvlink else "pcie"

    def _steps(self, collective: str) -> int:
        if collective == "all_reduce":
            return 2 * (self.n - 1)
        return self.n - 1 if collective in ("all_gather", "reduce_scatter") else self.n

    def _ring(self, collective: str, p: int) -> Belief:
        bus = self.bus
        if p == 0:
            row = self.gen if self.k == 1 else 0
            bus = min(belief("rate_gbs", "ll_max", row, self.size_row), belief("share", "ll") * bus)
        elif p == 1:
            cap = self.channels * belief("rate_gbs", "channel_ring_ll128", self.gen)
            bus = min(belief("share", "ll128") * bus, cap)
        steps = self._steps(collective)
        network = 0 if self.k == 1 else (2 if collective == "all_reduce" else 1) * (self.k - 1)
        local = hop_us("ring", self._inside, p)
        if self.k > 1:
            local = max(local, belief("hop_us", "proxy", p))
        latency = belief("base_us", "ring", p)
        if collective in ("broadcast", "reduce"):
            latency += steps * local if self.k == 1 else (steps - network) * local + network * self._network("ring", p)
        else:
            latency += (steps - network) * local + network * self._network("ring", p)
        slow = math.inf
        if p == 2 and self.k > 1 and collective == "all_reduce":
            slow = 64.0 * self.channels * self.n
        return Belief(latency * 1e-6, steps / self.n / (bus * 1e9), (), slow, belief("share", "simple_latency"))

    def _network(self, algorithm: str, p: int) -> float:
        """With one GPU per server NCCL counts the tree's network hop for the ring too."""
        return hop_us("tree" if self.per_server == 1 else algorithm, "network", p)

    def _tree(self, p: int) -> Belief:
        bus = belief("share", "tree") * self.bus
        bus = min(bus, self.channels * belief("rate_gbs", "channel_tree_simple", self.gen, self.size_row))
        if p == 0:
            row = self.gen if self.k == 1 else 0
            bus = min(bus * belief("share", "tree_ll"), belief("rate_gbs", "ll_max", row, self.size_row))
        elif p == 1:
            bus *= belief("share", "tree_ll128_one" if self.k == 1 else "tree_ll128_more")
            bus = min(bus, self.channels * belief("rate_gbs", "channel_tree_ll128", self.gen, self.size_row))
        depth = int(math.log2(self.k)) if self.k > 1 else 0
        latency = belief("base_us", "tree", p)
        latency += 2 * ((self.per_server - 1) * hop_us("tree", self._inside, p) + depth * hop_us("tree", "network", p))
        table = belief_tables()["tree_correction"][("ll", "ll128", "simple")[p]]
        assert isinstance(table, list)
        return Belief(latency * 1e-6, 2.0 / (bus * 1e9), tuple(float(v) for v in table))

    def _nvls(self, algorithm: str) -> Belief:
        heads = min(self.per_server, 8)
        speed = min(self.port * 1e-9 / heads, belief("rate_gbs", "channel_nvls_most", self.gen))
        channel = speed * belief("share", "nvls", self.gen) * (heads - 1) / heads * 2
        latency = hop_us("nvls", "nvlink", 2)
        if algorithm == "nvls_tree":
            channel = min(channel, self.wire_bus / heads * (2 if self.k == 2 else 1))
            channel = min(channel, belief("rate_gbs", "channel_nvls_tree", self.gen, self.size_row))
            latency += 2 * int(math.log2(self.k)) * hop_us("nvls_tree", "network", 2)
        steps = 2 * (self.n - 1)
        return Belief(latency * 1e-6, steps / self.n / (channel * heads * 1e9))
