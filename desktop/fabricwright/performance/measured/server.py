"""The server that stated hardware stands for, drawn as a chassis part: processors, PCIe switches, GPUs, NICs, NVLink.

What a measured entry leaves open is drawn as such machines are usually built: two processors, GPUs dealt over both,
NICs on the PCIe switch of their GPU, NVLink planes that join every GPU.
"""

from __future__ import annotations

import math

from fabricwright.catalog.parts import BuiltinExport, BuiltinItem, BuiltinLink, Figure, Interior, Part, Port
from fabricwright.performance.measured.hardware import Hardware
from fabricwright.topology.constants import NVLINK_RATE
from fabricwright.units.table import Table

CHASSIS, GPU, NIC, CPU, BRIDGE, NVSWITCH = (f"measured-{w}" for w in ("server", "gpu", "nic", "cpu", "bridge", "nvsw"))
LANES = 16
GPUS_PER_CHIP = 2
QUAD = 4
# DGX-1V: links between GPU pairs of the hybrid cube mesh (25 GB/s each), as nvidia-smi prints them for that machine.
CUBE_MESH = {
    (0, 1): 1, (0, 2): 1, (0, 3): 2, (0, 4): 2, (1, 2): 2, (1, 3): 1, (1, 5): 2, (2, 3): 2,
    (2, 6): 1, (3, 7): 1, (4, 5): 1, (4, 6): 1, (4, 7): 2, (5, 6): 2, (5, 7): 1, (6, 7): 2,
}  # fmt: skip


def parts_of(hardware: Hardware, medium: str) -> dict[str, Part]:
    """Parts by id: the chassis ``CHASSIS`` and what it holds. Its export ``compute`` lists the NIC ports by rail."""
    drawn = _Drawing(hardware)
    return {
        CHASSIS: Part("chassis", model="measured", interior=drawn.interior()),
        GPU: _gpu(hardware),
        NIC: Part(
            "nic",
            ports=Table(
                {
                    "up": Port("pcie", "up", LANES, drawn.nic_gen),
                    "1": Port(medium, gbps=hardware.nic_gbps, media=(medium,)),
                }
            ),
        ),
        CPU: Part("cpu", vendor="Intel" if hardware.inside in ("nvlink", "cube-mesh") else "AMD"),
        BRIDGE: Part("pcie-switch"),
        NVSWITCH: Part("nvswitch"),
    }


def _gpu(hardware: Hardware) -> Part:
    figures: dict[str, Figure] = {"nvlink_gen": Figure(hardware.nvlink_gen)}
    if hardware.inside == "nvlink":
        figures["nvlinks"] = Figure(_links(hardware))
    ports = {"up": Port("pcie", "up", LANES, hardware.pcie_gen), "nv": Port("nvlink", "nv")}
    return Part("gpu", vendor="AMD" if hardware.inside == "xgmi" else "", ports=Table(ports), figures=Table(figures))


def _links(hardware: Hardware) -> int:
    return max(1, round(hardware.line_gbs * 1e9 / NVLINK_RATE[hardware.nvlink_gen]))


class _Drawing:
    """Items and links of one server, as they are added."""

    def __init__(self, hardware: Hardware) -> None:
        self.hardware = hardware
        self.items: dict[str, BuiltinItem] = {}
        self.links: dict[str, BuiltinLink] = {}
        self.down: dict[str, dict[str, Port]] = {}
        # an 800G NIC is the end of a Gen6 link of its own whatever the GPU is
        self.nic_gen = max(hardware.pcie_gen, 6 if hardware.nic_gbps > 400 else 3)

    def interior(self) -> Interior:
        """Draw it."""
        h = self.hardware
        for n in range(h.gpus):
            self.items[f"gpu{n}"] = BuiltinItem(GPU)
        for n in range(h.nics):
            self.items[f"nic{n}"] = BuiltinItem(NIC)
        if h.inside in ("pcie-switch",):
            self._switched()
        elif h.inside in ("pcie-cpu", "host-memory", "bridge") and not h.nics:
            self._direct()
        else:
            self._beside_nics()
        self._processors()
        self._nvlink()
        for name, ports in self.down.items():
            if not name.startswith("cpu"):
                self.items[name] = BuiltinItem(BRIDGE, ports=Table({"up": Port("pcie", "up"), **ports}))
        exports = {"compute": BuiltinExport(tuple(f"nic{n}:1" for n in range(h.nics)), (("rail", max(h.nics, 1)),))}
        return Interior(Table(self.items), Table(self.links), Table(exports))

    def feed(self, upper: str, lower: str, gen: int) -> None:
        """A x16 link from a new port of ``upper`` down to ``lower``."""
        ports = self.down.setdefault(upper, {})
        cpu = upper.startswith("cpu")
        name = f"d{len(ports)}"
        number = int(upper[3:]) if cpu else 0
        bridge = f"{upper}-{name}" if cpu else ""
        ports[name] = Port("pcie", "root" if cpu else "down", LANES, gen, host_bridge=bridge, numa=number)
        self.links[f"p{len(self.links)}"] = BuiltinLink(f"{upper}:{name}", f"{lower}:up", "pcie", LANES, gen)

    def _socket(self, place: int, places: int) -> str:
        """Processor of the n-th of equal things dealt over two sockets."""
        return f"cpu{2 * place // max(places, 1)}"

    def _direct(self) -> None:
        """GPUs on the processors: four x16 links fit one; without peer-to-peer two GPUs stay on one."""
        h = self.hardware
        alone = GPUS_PER_CHIP if h.inside == "host-memory" else QUAD
        for n in range(h.gpus):
            self.feed("cpu0" if h.gpus <= alone else self._socket(n, h.gpus), f"gpu{n}", h.pcie_gen)

    def _switched(self) -> None:
        """Switch chips of up to four GPUs below one top chip, so that every pair meets in a switch; with NICs one chip
        per NIC (a NIC with a switch built in)."""
        h = self.hardware
        chips = max(math.ceil(h.gpus / QUAD), min(h.nics, h.gpus))
        if chips > 1:
            self.feed("cpu0", "top", h.pcie_gen)
        for c in range(chips):
            self.feed("top" if chips > 1 else "cpu0", f"sw{c}", h.pcie_gen)
        for n in range(h.gpus):
            self.feed(f"sw{n * chips // h.gpus}", f"gpu{n}", h.pcie_gen)
        for n in range(h.nics):
            self.feed(f"sw{n * chips // h.nics}", f"nic{n}", self.nic_gen)

    def _beside_nics(self) -> None:
        """One PCIe switch per GPU and its NICs; two GPUs share one where there are fewer NICs than GPUs."""
        h = self.hardware
        chips = h.gpus if h.nics >= h.gpus else math.ceil(h.gpus / GPUS_PER_CHIP)
        for c in range(chips):
            self.feed(self._socket(c, chips), f"sw{c}", max(h.pcie_gen, self.nic_gen))
        for n in range(h.gpus):
            self.feed(f"sw{n * chips // h.gpus}", f"gpu{n}", max(h.pcie_gen, self.nic_gen))
        for n in range(h.nics):
            self.feed(f"sw{n * chips // h.nics}", f"nic{n}", self.nic_gen)

    def _processors(self) -> None:
        for cpu in ("cpu0", "cpu1"):
            ports = {**self.down.get(cpu, {}), "peer": Port("socket", "peer")}
            self.items[cpu] = BuiltinItem(CPU, ports=Table(ports))
        self.links["socket"] = BuiltinLink("cpu0:peer", "cpu1:peer", "socket")

    def _nvlink(self) -> None:
        h = self.hardware
        if h.inside == "nvlink" and h.gpus > 1:
            self.items["nvsw0"] = BuiltinItem(NVSWITCH)
            for n in range(h.gpus):
                self.links[f"v{n}"] = BuiltinLink(f"gpu{n}:nv", f"nvsw0:g{n}", "nvlink", nvlinks=_links(h))
            return
        for (a, b), gbs in self._direct_links().items():
            medium = "xgmi" if h.inside == "xgmi" else "nvlink"
            self.links[f"v{a}-{b}"] = BuiltinLink(f"gpu{a}:nv", f"gpu{b}:nv", medium, nvlinks=1, gbs=gbs)

    def _direct_links(self) -> dict[tuple[int, int], float]:
        """GB/s of the direct links between GPU pairs."""
        h = self.hardware
        pairs = [(a, b) for b in range(h.gpus) for a in range(b)]
        if h.inside == "xgmi":
            return dict.fromkeys(pairs, h.line_gbs / max(h.gpus - 1, 1))
        if h.inside == "cube-mesh":
            unit = h.line_gbs / 6
            return {pair: unit * count for pair, count in CUBE_MESH.items() if pair[1] < h.gpus}
        if h.inside == "bridge":
            # a bridge with 18 links per card joins four cards, each pair by a third of them; others join two
            group = QUAD if h.line_gbs >= 400 and h.gpus > 2 else 2
            near = [(a, b) for a, b in pairs if a // group == b // group]
            return {(a, b): h.line_gbs / max(min(group, h.gpus - a // group * group) - 1, 1) for a, b in near}
        return {}
