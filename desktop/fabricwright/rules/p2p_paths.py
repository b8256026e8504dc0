"""Questions about paths inside a server that several P2P rules ask: who is near whom, which bridges redirect, what is
stated about virtual machines.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.effective import EffItem
from fabricwright.design.options import stated
from fabricwright.rules.compute_ports import ComputePorts, compute_ports
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.pcie_path import server_view
from fabricwright.rules.predicates import slot_assumed
from fabricwright.topology.classes import flag
from fabricwright.topology.model import Interior, NcclClass, Transport
from fabricwright.units.record import record
from fabricwright.units.text import Message, msg

Mask = NDArray[np.bool_]

NEAR = int(NcclClass.PXB)
"""Farthest class at which GPUDirect RDMA and peer-to-peer are on by default (NCCL); P2C counts as near on C2C hosts."""

REQUEST_REDIRECT, COMPLETION_REDIRECT = 0x04, 0x08
"""Bits of the ACS control register (PCI Express Base Specification, ACS extended capability)."""

ACS_BITS = ("srcvalid", "transblk", "reqredir", "cmpltredir", "upstreamfwd", "egressctrl", "directtrans")
"""The same register's bits from bit 0 on, as lspci names them."""


def near_ports(inside: Interior) -> Mask:
    """(gpus, ports): GPUDirect RDMA on by default on the direct path."""
    paths = inside.gpu_port
    near: Mask = (paths.nccl_flattened <= NEAR) | (paths.overlay == int(NcclClass.P2C))
    return near


def compute_columns(inside: Interior, compute: ComputePorts) -> dict[int, int]:
    """Column of the port matrices -> rail, for the compute ports."""
    index = {name: k for k, name in enumerate(inside.net_ports)}
    return {index[p]: r for p, r in zip(compute.ports, compute.rail, strict=True) if p in index}


def rail_columns(inside: Interior, columns: dict[int, int], rails: int) -> list[list[int]]:
    """Ports that each GPU uses in a rail fabric: those of its rail.

    With as many rails as GPUs, GPU k has the rail of its own nearest port when that gives every GPU another one,
    else rail k.
    With fewer rails a GPU uses the nearest ports, as NCCL does.
    """
    ports = sorted(columns)
    distance = inside.gpu_port.nccl_flattened[:, ports].astype(int)
    nearest = [[ports[j] for j in np.flatnonzero(row == row.min())] for row in distance]
    n = len(inside.gpus)
    if rails != n:
        return nearest
    own = [{columns[p] for p in near} for near in nearest]
    if all(len(r) == 1 for r in own) and len(set().union(*own)) == n:
        return nearest
    by_rail = {r: [p for p in ports if columns[p] == r] for r in set(columns.values())}
    order = sorted(by_rail)
    if len(order) < n:
        return nearest
    return [by_rail[order[g]] for g in range(n)]


@record
class GpuPort:
    """A GPU and a network port that it sends through by itself: indices into the matrices, and the NIC's id."""

    gpu: int
    port: int
    nic: str


def gpu_port_pairs(context: RuleContext, variant: Variant) -> list[GpuPort]:
    """Every GPU with the ports that it uses: its rail's or nearest compute ports, one per NIC.

    Where the drawing names no compute network, the nearest NIC of any kind stands for it.
    """
    inside = context.interior(variant.sheet)
    compute = compute_ports(context, variant)
    columns = compute_columns(inside, compute)
    if not columns and not compute.ports:
        columns = dict.fromkeys(range(len(inside.net_ports)), -1)
    if not columns or not inside.gpus:
        return []
    out = []
    for gpu, ports in enumerate(rail_columns(inside, columns, compute.rails)):
        for port in {int(inside.port_nic[p]): p for p in reversed(ports)}.values():
            out.append(GpuPort(gpu, port, inside.nics[int(inside.port_nic[port])]))
    return out


def wiring_assumed(context: RuleContext, variant: Variant, gpus: list[int]) -> bool:
    """Whether the slot of one of these GPUs, or a switch or processor above it, is assumed (the archetype of a board):
    not read in a source, and stated by nobody.
    """
    inside, items = context.interior(variant.sheet), variant.eff.items
    view = server_view(variant.eff, context.project.parts)
    for gpu in (inside.gpus[g] for g in gpus):
        if slot_assumed(view, items[gpu].seat) or any(n in items and items[n].estimate for n in view.above(gpu)):
            return True
    return False


def peer_pairs(inside: Interior, transport: Transport) -> list[tuple[int, int]]:
    """GPU pairs (i < j) that NCCL joins this way."""
    found = np.argwhere(np.triu(inside.gpu_gpu.transport == int(transport), 1))
    return [(int(i), int(j)) for i, j in found]


def gpu_names(inside: Interior, gpus: list[int]) -> list[str]:
    """``gpu0-gpu7`` for a run, else a list."""
    names = [inside.gpus[g] for g in gpus]
    run = len(gpus) > 2 and gpus == list(range(gpus[0], gpus[-1] + 1))
    return [f"{names[0]}-{names[-1]}"] if run else names


def acs_bits(item: EffItem) -> int | None:
    """ACS control of an item's ports: ``0x001d``, or the words of lspci (``ReqRedir+ CmpltRedir-``); None when not
    stated or not readable.
    """
    value = stated(item.config, "acs_ctl")
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str):
        return None
    if "redir" in value.lower():
        words = value.lower().replace(",", " ").split()
        return sum(1 << bit for bit, name in enumerate(ACS_BITS) if f"{name}+" in words)
    try:
        return int(value.strip(), 16)
    except ValueError:
        return None


def redirects(context: RuleContext, item: EffItem) -> bool | None:
    """Whether the bridges of an item redirect peer traffic upwards: its own bits, else the setting ``acs`` where it
    is stated; None when nothing says so.
    """
    bits = acs_bits(item)
    if bits is not None:
        return bool(bits & (REQUEST_REDIRECT | COMPLETION_REDIRECT))
    setting = stated(context.settings, "acs")
    return None if setting is None else flag(setting, False)


def acs_words(item: EffItem) -> Message:
    """What states the redirect, for a message."""
    bits = acs_bits(item)
    if bits is None:
        return msg("setting acs is on")
    names = [n for bit, n in ((REQUEST_REDIRECT, "ReqRedir"), (COMPLETION_REDIRECT, "CmpltRedir")) if bits & bit]
    return msg("ACSCtl {value}: {bits}", value=f"0x{bits:04x}", bits=names)


def vm_of(item: EffItem | None) -> str:
    """Guest that a device is stated to be passed through to, "" when none is."""
    value = stated(item.config, "vm") if item is not None else None
    return str(value).strip() if value is not None else ""


def virtualised(context: RuleContext, variant: Variant) -> tuple[bool, bool]:
    """(devices are passed through to guests, whether that is stated). Not stated counts as bare metal."""
    setting = stated(context.settings, "host.vm")
    if setting is not None:
        return flag(setting, False), True
    return (True, True) if any(_guests(variant)) else (False, False)


def _guests(variant: Variant) -> Iterator[str]:
    return (vm_of(item) for item in variant.eff.items.values() if item.kind in ("gpu", "nic"))


def on_bare_metal(text: Message, known: bool) -> Message:
    """A message, with the assumption named where nobody stated it."""
    return text if known else msg("{text} (Virtual machines are not stated: bare metal assumed.)", text=text)


def gdr_stated_off(context: RuleContext) -> bool:
    """Setting ``gdr`` is stated off."""
    value = stated(context.settings, "gdr")
    return value is not None and not flag(value, True)


def peer_traffic_hindered(context: RuleContext, variant: Variant) -> bool:
    """Redirects, a translating IOMMU or guests are stated: more peer traffic would be the next error, so that no fix
    turns it on.
    """
    if flag(context.settings.get("iommu"), False) or virtualised(context, variant)[0]:
        return True
    return any(redirects(context, item) for item in variant.eff.items.values())
