"""Which resource binds: the link with the largest load / effective capacity, named as people name it.

Several links often finish together (a NIC port and the PCIe link behind it). Then the one a person would think of
first is named: NIC port, fabric link, processors' link, host memory, switch uplink, the NIC's and the GPU's own PCIe
link, NVLink.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.indexset import IndexSet
from fabricwright.performance.flows import Capacity, Loads, usage
from fabricwright.performance.kept import Kept
from fabricwright.performance.layout import Layout
from fabricwright.topology.domains import devices_of, tray_of
from fabricwright.topology.model import Interior, InteriorLink, LinkKind
from fabricwright.units.text import Message, msg

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
TIE = 0.005
MAX_NAMES = 3
MAX_RANGES = 8


class Role(IntEnum):
    """What a link is to a reader; smaller is named first on a tie."""

    NIC_PORT = 0
    FABRIC_LINK = 1
    SOCKET_LINK = 2
    HOST_MEMORY = 3
    PCIE_UPLINK = 4
    NIC_PCIE = 5
    GPU_PCIE = 6
    C2C = 7
    NVLINK = 8

    @property
    def word(self) -> str:
        """The ``kind`` of the JSON."""
        return self.name.lower()


def _no_wires() -> I64:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Peak:
    """The busiest link of one role: seconds per byte of ``size``, and all links of that role within ``TIE`` of it.

    Inside servers: ``columns`` of ``Loads.inside`` in ``rows`` (first the row of most servers); else ``wires`` of the
    fabric.
    """

    role: Role
    seconds_per_byte: float
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    wires: I64 = field(default_factory=_no_wires)


def role_of(interior: Interior, link: InteriorLink) -> Role:
    """Role of a link inside a server."""
    if link.kind is LinkKind.NVLINK:
        return Role.NVLINK
    if link.kind is LinkKind.SOCKET:
        return Role.SOCKET_LINK
    if link.kind is LinkKind.HOST_MEMORY:
        return Role.HOST_MEMORY
    if link.kind is LinkKind.C2C:
        return Role.C2C
    if link.src in interior.gpus or link.dst in interior.gpus:
        return Role.GPU_PCIE
    if link.src in interior.nics or link.dst in interior.nics:
        return Role.NIC_PCIE
    return Role.PCIE_UPLINK


def _roles_of(interior: Interior) -> NDArray[np.int8]:
    return np.array([role_of(interior, link) for link in interior.links], dtype=np.int8)


_roles: Kept[NDArray[np.int8]] = Kept(64)


def peaks(layout: Layout, loads: Loads, capacity: Capacity) -> tuple[Peak, ...]:
    """Busiest link of every role that carries anything, busiest first (ties in the order of ``Role``)."""
    first = loads.first_of_row()
    servers = np.bincount(loads.row, minlength=len(first))
    inside, wire = usage(loads, capacity, layout.variant_of[first])
    roles = np.full((len(layout.cluster.interiors), layout.width), -1, dtype=np.int8)
    for c in layout.classes:
        roles[c.variant, : len(c.interior.links)] = _roles.get(c.interior, None, partial(_roles_of, c.interior))
    role_of_row = roles[layout.variant_of[first]]
    found = []
    for role in Role:
        if role in (Role.NIC_PORT, Role.FABRIC_LINK):
            ours = np.where(layout.is_port == (role is Role.NIC_PORT), wire, 0.0)
            top = float(ours.max(initial=0.0))
            if top > 0:
                found.append(Peak(role, top, wires=np.flatnonzero(ours >= top * (1 - TIE)).astype(np.int64)))
            continue
        ours = np.where(role_of_row == role, inside, 0.0)
        top = float(ours.max(initial=0.0))
        if top > 0:
            found.append(_inside_peak(role, ours, top, servers))
    highest = max((p.seconds_per_byte for p in found), default=0.0)
    return tuple(
        sorted(
            found,
            key=lambda p: (p.role if p.seconds_per_byte >= highest * (1 - TIE) else 99, -p.seconds_per_byte, p.role),
        )
    )


def _inside_peak(role: Role, ours: F64, top: float, servers: I64) -> Peak:
    tied = np.flatnonzero(ours.max(axis=1) >= top * (1 - TIE))
    row = int(tied[np.argmax(servers[tied])])
    columns = np.flatnonzero(ours[row] >= top * (1 - TIE))
    same = [int(r) for r in tied if r != row and ours[r, columns[0]] >= top * (1 - TIE)]
    return Peak(role, top, (row, *same), tuple(int(c) for c in columns))


@dataclass(frozen=True, slots=True)
class Named:
    """A resource as it is shown: address, kind word, label."""

    address: str
    kind: str
    label: Message


def name_peak(layout: Layout, loads: Loads, peak: Peak) -> Named:
    """Address and label of the busiest link of a role."""
    if peak.role is Role.NIC_PORT:
        return _name_port(layout, peak)
    if peak.role is Role.FABRIC_LINK:
        return _name_wire(layout, peak)
    position = int(loads.first_of_row()[peak.rows[0]])
    interior = layout.classes[int(layout.group[position])].interior
    links = [interior.links[c] for c in peak.columns]
    tray, name = tray_of(links[0].name)
    owner = server_address(layout, np.flatnonzero(np.isin(loads.row, peak.rows)), tray)
    return Named(f"{owner}/{name}", peak.role.word, _inside_label(peak.role, links))


def _inside_label(role: Role, links: list[InteriorLink]) -> Message:
    names = _names([tray_of(link.name)[1].partition(":")[0] for link in links])
    if role is Role.SOCKET_LINK:
        ends = ["-".join(sorted((tray_of(link.src)[1], tray_of(link.dst)[1]))) for link in links]
        return msg("socket link {ends}", ends=_names(ends))
    if role is Role.HOST_MEMORY:
        return msg("host-memory path of {names}", names=names)
    if role is Role.PCIE_UPLINK:
        return msg("uplink of {names}", names=names)
    if role is Role.NVLINK:
        return msg("NVLink of {names}", names=names)
    if role is Role.C2C:
        return msg("C2C link of {names}", names=names)
    return msg("PCIe link of {names}", names=names)


def _names(names: list[str]) -> str | Message:
    distinct = list(dict.fromkeys(names))
    if len(distinct) <= MAX_NAMES:
        return "/".join(distinct)
    return msg("{first} and {n} more", first=distinct[0], n=len(distinct) - 1)


def server_address(layout: Layout, positions: I64, tray: int = 0) -> str:
    """``node[0-31]``: the members of the first server's item among ``positions``; the first member where they are
    scattered. ``tray`` of those that are joined NVLink domains.
    """
    fabric = layout.cluster.fabric
    devices = devices_of(layout.cluster, layout.server[positions], tray)
    item, _ = fabric.device_name(int(devices[0]))
    if fabric.count[item] == 1:
        return item
    offset = fabric.offset[item]
    there = np.zeros(fabric.count[item], dtype=bool)
    there[devices[(devices >= offset) & (devices < offset + fabric.count[item])] - offset] = True
    inside = np.flatnonzero(there)
    breaks = np.flatnonzero(np.diff(inside) > 1)
    if len(breaks) >= MAX_RANGES:
        return f"{item}[{int(inside[0])}]"
    starts, ends = inside[np.concatenate(([0], breaks + 1))], inside[np.concatenate((breaks, [len(inside) - 1]))]
    members = IndexSet(tuple(zip(starts.tolist(), ends.tolist(), strict=True)))
    return f"{item}[{members}]"


def _name_port(layout: Layout, peak: Peak) -> Named:
    tied = np.zeros(len(layout.wire_rate) + 1, dtype=bool)  # the last place stands for ports without a wire (-1)
    tied[peak.wires] = True
    hits = np.argwhere(tied[layout.out_wire] | tied[layout.in_wire])
    first = hits[0]
    interior = layout.classes[int(layout.group[first[0]])].interior
    tray, port = tray_of(interior.net_ports[int(first[1])])
    same_class = layout.variant_of[hits[:, 0]] == layout.variant_of[first[0]]
    ports = np.flatnonzero(np.bincount(hits[same_class, 1]))
    nics = [tray_of(interior.net_ports[int(p)])[1].partition(":")[0] for p in ports]
    positions = hits[same_class & (hits[:, 1] == first[1]), 0]
    label = msg("NIC port of {names}", names=_names(nics))
    return Named(f"{server_address(layout, positions, tray)}/{port}", peak.role.word, label)


def _name_wire(layout: Layout, peak: Peak) -> Named:
    fabric = layout.cluster.fabric
    wire = int(peak.wires[0])
    k = wire // 2
    ends = (
        (int(fabric.a_dev[k]), int(fabric.b_dev[k])) if wire % 2 == 0 else (int(fabric.b_dev[k]), int(fabric.a_dev[k]))
    )
    source, target = (fabric.device_address(d) for d in ends)
    address = fabric.link_address(k)
    if fabric.tier[ends[0]] < fabric.tier[ends[1]]:
        return Named(address, peak.role.word, msg("uplink of {source} to {target}", source=source, target=target))
    return Named(address, peak.role.word, msg("link from {source} down to {target}", source=source, target=target))
