"""What a design compiles to: plain arrays that rules and the performance engine read. No objects per GPU.

Rates are bytes/s per direction, times seconds. Directed links: every physical connection is two directed links.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from fabricwright.topology.signal import SignalPath
from fabricwright.units.record import record

F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I8 = NDArray[np.int8]


class LinkKind(IntEnum):
    """What a directed link is, for labels, colours and efficiencies."""

    PCIE = 0
    SOCKET = 1
    NVLINK = 2
    HOST_MEMORY = 3
    NIC_PORT = 4
    FABRIC = 5
    C2C = 6


class PciClass(IntEnum):
    """Where a path runs in the drawn tree (docs/path-classes.md); smaller is nearer."""

    SELF = 0
    FUNCTION = 1
    SWITCH = 2
    CASCADE = 3
    HOST_BRIDGE = 4
    NUMA_NODE = 5
    SOCKET = 6
    NETWORK = 7
    NONE = 8


class NcclClass(IntEnum):
    """NCCL's path types in NCCL's order; smaller is nearer."""

    LOC = 0
    NVL = 1
    NVB = 2
    C2C = 3
    PIX = 4
    PXB = 5
    P2C = 6
    PXN = 7
    PHB = 8
    SYS = 9
    NET = 10
    DIS = 11


class Transport(IntEnum):
    """How NCCL moves the bytes under the settings of the design."""

    NONE = 0
    NVLINK = 1
    P2P = 2
    HOST_MEMORY = 3
    GPUDIRECT = 4
    HOST_STAGED = 5
    PXN = 6


@record
class InteriorLink:
    """One direction of one connection inside a server.

    ``name`` address of the drawn thing that names it ("sw0:up", "sl0" socket link, "gpu0:nv"); ``src``/``dst`` node ids
    ("cpu0", "sw0", "gpu0", "nic0", "mem:cpu0"); ``rate`` bytes/s by encoding (63.0e9 for Gen5 x16), ``nccl_rate``
    NCCL's constant for it (48e9), ``latency_s`` of crossing it.
    """

    name: str
    src: str
    dst: str
    kind: LinkKind
    rate: float
    nccl_rate: float
    latency_s: float
    lanes: int = 0
    gen: int = 0


@record
class Paths:
    """All paths from n sources to m targets. Matrices are (n, m).

    ``pci``/``nccl``/``nccl_flattened`` classes, ``smi`` words of nvidia-smi ("PIX", "NODE", "NV18"), ``overlay`` NCCL
    class that replaced the PCI class (-1 = none), ``transport`` under the settings, ``bandwidth`` bytes/s by NCCL's
    constants and overheads of the transport's own path, ``latency_s``. ``indptr``/``link``/``weight``: CSR over the
    n*m pairs, directed interior links that a byte loads and how often (6/5 for P2P through an Intel root complex).
    """

    pci: I8
    nccl: I8
    nccl_flattened: I8
    smi: tuple[tuple[str, ...], ...]
    overlay: I8
    transport: I8
    bandwidth: F64
    latency_s: F64
    indptr: I32
    link: I32
    weight: F64

    def links(self, i: int, j: int) -> I32:
        """Directed link ids of pair (i, j)."""
        k = i * self.pci.shape[1] + j
        return self.link[self.indptr[k] : self.indptr[k + 1]]

    def weights(self, i: int, j: int) -> F64:
        """Load weights, parallel to ``links``."""
        k = i * self.pci.shape[1] + j
        return self.weight[self.indptr[k] : self.indptr[k + 1]]


@record
class LaneUse:
    """Lanes of one CPU: ``wired`` from root ports to something in the chassis, ``used`` by what is really seated or
    cabled, ``available``."""

    wired: int
    used: int
    available: int
    by_kind: Mapping[str, int] = field(default_factory=dict)


@record
class Interior:
    """One server type, compiled.

    ``net_ports`` "item:port" of every network port inside, natural order; ``port_nic`` index into ``nics``;
    ``port_rate`` line rate. ``gpu_port``/``port_gpu``: what a send (GPU to wire) and a receive load inside, the NIC's
    PCIe link included, the wire itself excluded. ``nvlink_domain`` -1 = none, else id; ``nvlink_rate`` line rate per
    GPU; ``nvlink_nccl`` NCCL's; ``nvls`` in-switch reduction. ``nic_selective`` NICs that resend only lost packets.
    ``domain_gpus`` GPUs of the NVLink domain that the part belongs to beyond the server, 0 = it ends at the server.
    ``gpu_socket``/``nic_socket`` CPU index (-1 unknown). ``problems``: codes of things that could not be compiled.
    ``signal`` what the PCIe link above each device loses on its way.
    """

    sheet: str
    gpus: tuple[str, ...]
    gpu_parts: tuple[str, ...]
    nics: tuple[str, ...]
    net_ports: tuple[str, ...]
    port_nic: I32
    port_rate: F64
    links: tuple[InteriorLink, ...]
    rate: F64
    nccl_rate: F64
    gpu_gpu: Paths
    gpu_port: Paths
    port_gpu: Paths
    gpu_host: Paths
    nvlink_domain: I32
    nvlink_rate: F64
    nvlink_nccl: F64
    nvls: bool
    nvlink_gen: int
    gpu_socket: I32
    nic_socket: I32
    cpu_parts: tuple[str, ...]
    lanes: Mapping[str, LaneUse]
    feeds: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    nic_selective: tuple[bool, ...] = ()
    domain_gpus: int = 0
    signal: Mapping[str, SignalPath] = field(default_factory=dict)


@record
class Bundle:
    """One link row of the fabric sheet, wired. ``rows`` (n, 4) int32: a instance, a port, b instance, b port; ports
    index
    ``a_ports``/``b_ports``; -1 = no port left. ``alive`` bool(n): both members exist and the cable is not cut.
    """

    link: str
    a_item: str
    b_item: str
    a_ports: tuple[str, ...]
    b_ports: tuple[str, ...]
    rows: I32
    alive: NDArray[np.bool_]
    network: str
    medium: str


def _none_bool() -> NDArray[np.bool_]:
    return np.zeros(0, dtype=bool)


def _none_int() -> I32:
    return np.zeros(0, dtype=np.int32)


def _no_trays() -> I32:
    return np.zeros((0, 0), dtype=np.int32)


@record
class Fabric:
    """The fabric sheet as arrays.

    Devices: instance i of fabric item k is device ``offset[item] + i``. ``tier`` -1 other, 0 server/endpoint, 1 leaf,
    2 spine, 3 core; a switch counts in the network that takes most of its bandwidth. ``absent`` not there at all,
    ``failed`` there but down, ``switch`` network switches: bool per device.

    Physical link k joins ``a_dev[k]``:``a_port[k]`` and ``b_dev[k]``:``b_port[k]`` (port indices into the bundle's port
    lists, -1 = no port left) at ``rate[k]`` bytes/s, 0 = dead; directed ids 2k (a to b) and 2k+1.
    ``bundle[k]`` index into
    ``bundles``, ``row[k]`` row in it, ``network[k]`` index into ``networks``; ``length_m`` 0 = not known.
    ``up`` bool per physical link: neither it nor an end has failed (empty: nothing has).
    ``switch_latency_s`` per device, 0 for endpoints. ``memo`` holds what is derived from this very fabric (routes).
    """

    items: tuple[str, ...]
    offset: Mapping[str, int]
    count: Mapping[str, int]
    absent: NDArray[np.bool_]
    tier: I8
    bundles: tuple[Bundle, ...]
    bundle: I32
    row: I32
    a_dev: I32
    a_port: I32
    b_dev: I32
    b_port: I32
    rate: F64
    switch_latency_s: F64
    length_m: F64
    failed: NDArray[np.bool_] = field(default_factory=_none_bool)
    switch: NDArray[np.bool_] = field(default_factory=_none_bool)
    networks: tuple[str, ...] = ()
    network: I32 = field(default_factory=_none_int)
    up: NDArray[np.bool_] = field(default_factory=_none_bool)
    memo: dict[str, object] = field(default_factory=dict, compare=False, repr=False)

    def device_name(self, device: int) -> tuple[str, int]:
        """(item id, member index) of a device."""
        best = ""
        for item in self.items:
            if self.offset[item] <= device < self.offset[item] + self.count[item]:
                best = item
        return best, device - self.offset[best]

    def device_address(self, device: int) -> str:
        """Address of a device: "leaf[3]", "mgmt" when the item stands for one."""
        item, member = self.device_name(device)
        return f"{item}[{member}]" if self.count[item] > 1 else item

    def link_address(self, link: int) -> str:
        """Address of a physical link: "down#82"."""
        return f"{self.bundles[self.bundle[link]].link}#{self.row[link]}"


@record
class Cluster:
    """A compiled design.

    ``server_dev`` device of server s; ``variant`` index into ``interiors``. ``uplink`` (S, P) int32: physical link k of
    fabric that net port p of server s is cabled with (-1 none or dead), P = most net ports of any variant;
    ``uplink_leaf`` the device at its far end (-1). Ranks: ``rank_server``, ``rank_gpu`` (index into the
    variant's gpus),
    ``rank_domain`` NVLink domain over the whole cluster (-1 none). ``settings`` of the design. ``server_axes``
    coordinates by axis name -> int32(S) (-1 where the item lacks the axis). ``up`` bool(S): the server is not failed.
    ``tray_dev`` (S, T) devices that a server stands for where NVLink domains are joined (``domains``), else empty.
    """

    design: str
    settings: Mapping[str, object]
    interiors: tuple[Interior, ...]
    variant_sheet: tuple[str, ...]
    server_dev: I32
    variant: I32
    rank_server: I32
    rank_gpu: I32
    uplink: I32
    uplink_leaf: I32
    fabric: Fabric
    keys: Mapping[str, str] = field(default_factory=dict)
    rank_domain: I32 = field(default_factory=_none_int)
    server_axes: Mapping[str, I32] = field(default_factory=dict)
    up: NDArray[np.bool_] = field(default_factory=_none_bool)
    tray_dev: I32 = field(default_factory=_no_trays)

    @property
    def n_ranks(self) -> int:
        """GPUs that take part."""
        return len(self.rank_server)

    def server_address(self, server: int) -> str:
        """Address of a server: "node[41]"."""
        return self.fabric.device_address(int(self.server_dev[server]))
