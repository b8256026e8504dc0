"""Memory outside the GPUs: modules on the CPUs, CXL cards, drives; how much, how fast, over which link.

The same counts serve the rules, the inspector and the training step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffSheet
from fabricwright.topology.constants import HOST_MEMORY_RATE
from fabricwright.topology.fitted_memory import card_memory_gb, dram_gb
from fabricwright.topology.model import Interior, LinkKind

CXL_PORT_RATE = 60e9
"""bytes/s that a CXL 2.0 card on Gen5 x16 reads at most: 30 of 31.5 GB/s were measured on x8 (CZ120), twice that. An
estimate; used where the card states no rate."""
LOCAL_LATENCY_S, CXL_LATENCY_S = 100e-9, 250e-9
"""Load latency of local DDR5 (80 to 110 ns) and of an expander (170 to 410 ns): the CXL-08 figures, middle."""
NVME_LATENCY_S = 80e-6


@dataclass(frozen=True, slots=True)
class Tier:
    """``name`` dram, cxl, nvme. ``capacity`` bytes of a server, ``read_rate``/``write_rate`` bytes/s of all of it
    together, ``latency_s`` of one access."""

    name: str
    capacity: float
    read_rate: float
    write_rate: float
    latency_s: float

    @property
    def stream_rate(self) -> float:
        """bytes/s of reading and writing the same amount, one after the other."""
        return 2 / (1 / self.read_rate + 1 / self.write_rate) if self.read_rate and self.write_rate else 0.0


def tiers_of(
    eff: EffSheet, parts: Mapping[str, Part], fitted: Mapping[str, object], interior: Interior
) -> tuple[Tier, ...]:
    """Memory of a server outside its GPUs, nearest first. CXL cards are reached through their PCIe links and whatever
    those share on the way to a processor."""
    rate = (
        sum(
            link.rate
            for link in interior.links
            if link.kind is LinkKind.HOST_MEMORY and link.src.startswith("mem:") and not link.dst.startswith("gpu")
        )
        or HOST_MEMORY_RATE
    )
    out = [Tier("dram", dram_gb(eff, parts, fitted) * 1e9, rate, rate, LOCAL_LATENCY_S)]
    cards = [(i, item) for i, item in eff.items.items() if item.kind == "cxl" and item.part is not None]
    if cards:
        size = sum(card_memory_gb(item.part, item.config) for _, item in cards if item.part is not None) * 1e9
        own = {
            name: (item.part.get("memory_gbs") if item.part is not None else 0.0) * 1e9 or CXL_PORT_RATE
            for name, item in cards
        }
        speed = together(interior, own)
        out.append(Tier("cxl", size, speed, speed, CXL_LATENCY_S))
    drives = [item.part for item in eff.items.values() if item.kind == "nvme" and item.part is not None]
    if drives:
        size = sum(p.get("capacity_tb") * 1e12 or p.get("capacity_gb") * 1e9 for p in drives)
        out.append(
            Tier(
                "nvme",
                size,
                sum(p.get("read_gbs") for p in drives) * 1e9,
                sum(p.get("write_gbs") for p in drives) * 1e9,
                NVME_LATENCY_S,
            )
        )
    return tuple(out)


def together(interior: Interior, wanted: Mapping[str, float]) -> float:
    """bytes/s that cards reach to their processors all at once: each what it wants, or its part of the busiest link on
    its way up. Cards that are not in the compiled server get what they want.
    """
    ways = {name: _way_up(interior, name) for name in wanted}
    load: dict[int, float] = {}
    for name, way in ways.items():
        for link in way:
            load[link] = load.get(link, 0.0) + wanted[name]
    total = 0.0
    for name, way in ways.items():
        crowded = max((load[link] / float(interior.rate[link]) for link in way), default=1.0)
        total += wanted[name] / max(crowded, 1.0)
    return total


def _way_up(interior: Interior, name: str) -> tuple[int, ...]:
    """Links from a device to the nearest processor over PCIe, fewest first found."""
    processors = {
        link.dst for link in interior.links if link.kind is LinkKind.HOST_MEMORY and link.src.startswith("mem:")
    }
    seen = {name}
    front: list[tuple[str, tuple[int, ...]]] = [(name, ())]
    while front:
        following: list[tuple[str, tuple[int, ...]]] = []
        for node, way in front:
            for n, link in enumerate(interior.links):
                if link.src != node or link.kind is not LinkKind.PCIE or link.dst in seen:
                    continue
                if link.dst in processors:
                    return (*way, n)
                seen.add(link.dst)
                following.append((link.dst, (*way, n)))
        front = following
    return ()
