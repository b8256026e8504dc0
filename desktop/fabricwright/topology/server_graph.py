"""Directed links of a server and the links that a byte takes between two devices of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from fabricwright.design.address import split_end
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.topology import constants as k
from fabricwright.topology.model import InteriorLink, LinkKind, PciClass
from fabricwright.topology.nvlinks import NvDomains
from fabricwright.topology.pcie_tree import PcieTree
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record


@record
class Route:
    """A PCI path: its class, bridges as the operating system shows them and after fusing, directed links in order."""

    pci: PciClass
    bridges: int
    fused: int
    links: tuple[int, ...]
    via_cpu: bool


def cpu_vendor(item: EffItem | None) -> str:
    """ "intel", "amd", "arm" or "" of a processor item."""
    if item is None:
        return ""
    text = (
        f"{item.of} {item.part.vendor if item.part else ''} {item.part.word('platform') if item.part else ''}".lower()
    )
    for vendor, words in (
        ("intel", ("intel", "xeon")),
        ("amd", ("amd", "epyc", "threadripper")),
        ("arm", ("grace", "ampere", "arm", "kunpeng")),
    ):
        if any(word in text for word in words):
            return vendor
    return ""


@dataclass(slots=True)
class ServerGraph:
    """``links`` all directed links; ``up``/``down`` node -> id of its feed in either direction; ``socket``
    (cpu, cpu) -> id;
    ``mem_in``/``mem_out`` cpu -> write and read of its memory; ``copy_out``/``copy_in`` GPU -> its host-copy loop;
    ``nv_out``/``nv_in`` GPU -> its NVLink port to the plane; ``nv_direct`` (GPU, GPU) -> id."""

    tree: PcieTree
    nv: NvDomains
    links: list[InteriorLink] = field(default_factory=list)
    up: dict[str, int] = field(default_factory=dict)
    down: dict[str, int] = field(default_factory=dict)
    socket: dict[tuple[str, str], int] = field(default_factory=dict)
    mem_in: dict[str, int] = field(default_factory=dict)
    mem_out: dict[str, int] = field(default_factory=dict)
    copy_out: dict[str, int] = field(default_factory=dict)
    copy_in: dict[str, int] = field(default_factory=dict)
    nv_out: dict[str, int] = field(default_factory=dict)
    nv_in: dict[str, int] = field(default_factory=dict)
    nv_direct: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, link: InteriorLink) -> int:
        """Append a directed link, return its id."""
        self.links.append(link)
        return len(self.links) - 1

    def sockets(self, a: str, b: str) -> list[int] | None:
        """Links between two CPUs, fewest hops first found; None when they are not joined."""
        if a == b:
            return []
        reached: dict[str, list[int]] = {a: []}
        front = [a]
        while front:
            following = []
            for cpu in front:
                for (src, dst), link in self.socket.items():
                    if src == cpu and dst not in reached:
                        reached[dst] = [*reached[cpu], link]
                        following.append(dst)
            if b in reached:
                return reached[b]
            front = following
        return None

    def climb(self, node: str) -> list[int]:
        """Links from a device up to its CPU (or loose root)."""
        return [self.up[n] for n in self.tree.chain(node)[:-1]]

    def descend(self, node: str) -> list[int]:
        """Links from the CPU down to a device."""
        return [self.down[n] for n in reversed(self.tree.chain(node)[:-1])]

    def route(self, a: str, b: str, through_root: bool = False) -> Route:
        """PCI path from ``a`` to ``b``. ``through_root``: ACS sends peer traffic up to the root port and back."""
        if a == b:
            return Route(PciClass.SELF, 0, 0, (), False)
        meet = self.tree.meeting(a, b)
        if meet:
            return self._inside(a, b, meet, through_root)
        cpu_a, cpu_b = self.tree.cpu_of(a), self.tree.cpu_of(b)
        between = self.sockets(cpu_a, cpu_b) if cpu_a and cpu_b else None
        if between is None:
            return Route(PciClass.NONE, 0, 0, (), False)
        return Route(PciClass.SOCKET, 0, 0, (*self.climb(a), *between, *self.descend(b)), True)

    def _inside(self, a: str, b: str, meet: str, through_root: bool) -> Route:
        up, down = self.tree.chain(a), self.tree.chain(b)
        links = [self.up[n] for n in up[: up.index(meet)]] + [self.down[n] for n in reversed(down[: down.index(meet)])]
        if meet in self.tree.cpus:
            return Route(self._cpu_class(a, b), 0, 0, tuple(links), True)
        nodes = [*up[1 : up.index(meet)], meet, *reversed(down[1 : down.index(meet)])]
        if meet != b and self.tree.levels(b) > 0:
            nodes.append(b)  # a NIC with a bridge of its own: the function lies behind it
        if meet != a and self.tree.levels(a) > 0:
            nodes.insert(0, a)
        bridges = sum(self.tree.levels(n) for n in nodes)
        fused = sum(1 if is_broadcom(self.tree.items[n]) else self.tree.levels(n) for n in nodes if self.tree.levels(n))
        pci = PciClass.SWITCH if bridges <= 1 else PciClass.CASCADE
        if through_root and self.tree.cpu_of(a):
            return Route(pci, bridges, fused, (*self.climb(a), *self.descend(b)), True)
        return Route(pci, bridges, fused, tuple(links), False)

    def _cpu_class(self, a: str, b: str) -> PciClass:
        bridge_a, numa_a = self.tree.root_port(a)
        bridge_b, numa_b = self.tree.root_port(b)
        if not bridge_a or not bridge_b:
            return PciClass.NUMA_NODE  # a coherent GPU link has no root port
        if numa_a != numa_b:
            return PciClass.SOCKET
        return PciClass.HOST_BRIDGE if bridge_a == bridge_b else PciClass.NUMA_NODE


def is_broadcom(item: EffItem) -> bool:
    """Whether the switch chip is one whose two bridge levels NCCL fuses (Broadcom PEX88000 and PEX89000)."""
    if item.chip_part:
        return item.chip_part.lower().startswith(("pex88", "pex89", "pex 88", "pex 89"))
    if item.part is None:
        return False
    return item.part.word("chip").lower().startswith(("pex88", "pex89")) or "broadcom" in item.part.vendor.lower()


def build_graph(eff: EffSheet, tree: PcieTree, nv: NvDomains, gpus: tuple[str, ...]) -> ServerGraph:
    """All directed links of a server."""
    g = ServerGraph(tree, nv)
    for node in sorted(tree.feeds, key=natural_key):
        _pcie(g, node, node in gpus)
    for link_id in sorted(eff.builtin_links, key=natural_key):
        row = eff.builtin_links[link_id]
        if row.medium == "socket":
            _socket(g, eff, link_id, row.a, row.b, row.gbs)
    for link_id in sorted(eff.links, key=natural_key):
        if eff.links[link_id].medium == "socket":
            _socket(g, eff, link_id, eff.links[link_id].a, eff.links[link_id].b, 0.0)
    for cpu in tree.cpus:
        rate = _memory_rate(tree.items[cpu])
        g.mem_in[cpu] = g.add(InteriorLink(f"{cpu}:mem", cpu, f"mem:{cpu}", LinkKind.HOST_MEMORY, rate, rate, 0.0))
        g.mem_out[cpu] = g.add(InteriorLink(f"{cpu}:mem", f"mem:{cpu}", cpu, LinkKind.HOST_MEMORY, rate, rate, 0.0))
    for gpu in gpus:
        cpu = tree.cpu_of(gpu)
        if cpu:
            rate = k.HOST_COPY_RATE.get(host_gen(tree, gpu), k.HOST_COPY_RATE[5])
            wait = k.HOST_COPY_LATENCY_S
            g.copy_out[gpu] = g.add(
                InteriorLink(f"{gpu}:host-copy", gpu, f"mem:{cpu}", LinkKind.HOST_MEMORY, rate, rate, wait)
            )
            g.copy_in[gpu] = g.add(
                InteriorLink(f"{gpu}:host-copy", f"mem:{cpu}", gpu, LinkKind.HOST_MEMORY, rate, rate, wait)
            )
        if gpu in nv.domain and nv.switched[nv.domain[gpu]]:
            plane = f"nvl{nv.domain[gpu]}"
            g.nv_out[gpu] = g.add(
                _nvlink(f"{gpu}:nv", gpu, plane, nv.rate[gpu], nv.nccl[gpu], nv.links[gpu], nv.generation)
            )
            g.nv_in[gpu] = g.add(
                _nvlink(f"{gpu}:nv", plane, gpu, nv.rate[gpu], nv.nccl[gpu], nv.links[gpu], nv.generation)
            )
    for (a, b), (link_id, count, rate, nccl) in sorted(nv.direct.items()):
        g.nv_direct[a, b] = g.add(_nvlink(link_id, a, b, rate, nccl, count, nv.generation))
        g.nv_direct[b, a] = g.add(_nvlink(link_id, b, a, rate, nccl, count, nv.generation))
    return g


def host_gen(tree: PcieTree, gpu: str) -> int:
    """PCIe generation of a GPU's own feed (a coherent link counts as the newest)."""
    feed = tree.feeds.get(gpu)
    return 5 if feed is None or feed.c2c else max(3, min(6, feed.gen))


def _nvlink(name: str, src: str, dst: str, rate: float, nccl: float, links: int, gen: int) -> InteriorLink:
    return InteriorLink(name, src, dst, LinkKind.NVLINK, rate, nccl, k.NVLINK_LATENCY_S, links, gen)


def _pcie(g: ServerGraph, node: str, is_gpu: bool) -> None:
    feed = g.tree.feeds[node]
    item = node.partition(":")[0]
    if feed.c2c:
        rate = feed.gbs * 1e9
        out, back = f"{feed.parent}:{feed.port}", k.C2C_LATENCY_S
        g.up[node] = g.add(InteriorLink(out, node, feed.parent, LinkKind.C2C, rate, rate, back))
        g.down[node] = g.add(InteriorLink(out, feed.parent, node, LinkKind.C2C, rate, rate, back))
        return
    rate, nccl = k.pcie_rate(feed.lanes, feed.gen), k.pcie_nccl_rate(feed.lanes, feed.gen)
    end = k.ENDPOINT_LATENCY_S if is_gpu or (not g.tree.levels(node) and _is_end(g.tree, node)) else 0.0
    name = f"{item}:{feed.own}"
    up = end + _crossing(g.tree, feed.parent)
    down = end or _crossing(g.tree, node)
    g.up[node] = g.add(InteriorLink(name, node, feed.parent, LinkKind.PCIE, rate, nccl, up, feed.lanes, feed.gen))
    g.down[node] = g.add(InteriorLink(name, feed.parent, node, LinkKind.PCIE, rate, nccl, down, feed.lanes, feed.gen))


def _is_end(tree: PcieTree, node: str) -> bool:
    return not any(feed.parent == node for feed in tree.feeds.values())


def _crossing(tree: PcieTree, node: str) -> float:
    """Time through a CPU's root complex, a switch or a retimer."""
    if node in tree.cpus:
        return k.ROOT_LATENCY_S
    item = tree.items[node]
    stated = item.part.get("latency_ns") * 1e-9 if item.part is not None else 0.0
    if tree.levels(node):
        return stated if stated and item.kind != "nic" else k.SWITCH_LATENCY_S
    return (stated or k.RETIMER_LATENCY_S) if item.kind == "retimer" else 0.0


def _socket(g: ServerGraph, eff: EffSheet, link_id: str, a_end: str, b_end: str, gbs: float) -> None:
    a, b = split_end(a_end)[0], split_end(b_end)[0]
    if a not in g.tree.cpus or b not in g.tree.cpus or (a, b) in g.socket:
        return
    vendor = cpu_vendor(eff.items[a])
    nccl = gbs * 1e9 if gbs else k.SOCKET_NCCL[vendor]
    gen = max((p.gen for p in g.tree.root_ports[a].values()), default=5)
    rate = max(nccl, k.SOCKET_RATE_AMD_GEN5) if vendor == "amd" and gen >= 5 else nccl
    for src, dst in ((a, b), (b, a)):
        g.socket[src, dst] = g.add(InteriorLink(link_id, src, dst, LinkKind.SOCKET, rate, nccl, k.SOCKET_LATENCY_S))


def _memory_rate(cpu: EffItem) -> float:
    """DRAM of a socket, one direction: 80 % of the channels' rate, half of it writing; the constant where not known."""
    if cpu.part is None:
        return k.HOST_MEMORY_RATE
    channels, mts = cpu.part.get("mem_channels"), cpu.part.get("mem_mts")
    return channels * mts * 8e6 * 0.8 / 2 if channels and mts else k.HOST_MEMORY_RATE
