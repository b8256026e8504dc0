"""P2P: what NCCL does between GPUs, and between a GPU and its NIC, by default."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.calls import EditCall
from fabricwright.design.options import stated
from fabricwright.rules.compute_ports import compute_ports
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.p2p_paths import (
    NEAR,
    Mask,
    compute_columns,
    gpu_names,
    near_ports,
    peer_traffic_hindered,
    rail_columns,
    wiring_assumed,
)
from fabricwright.rules.registry import rule
from fabricwright.topology.classes import flag
from fabricwright.topology.model import Interior, NcclClass, Transport
from fabricwright.topology.transport import allows_p2p
from fabricwright.units.text import N_, msg


def _peer_near(inside: Interior, gpu: int, ports: list[int], near: Mask) -> bool:
    """An NVLink peer has one of these ports near, so that PXN carries the data."""
    domain = inside.nvlink_domain
    if domain[gpu] < 0:
        return False
    peers = np.flatnonzero(domain == domain[gpu])
    return bool(near[peers][:, ports].any())


@rule(
    "P2P-01",
    "warning",
    needs=("effective", "root", "interior", "settings"),
    group="P2P & NUMA",
    subject="gpu, nic",
    direction="up",
    title=N_("GPU far from its NIC"),
    checks=N_(
        "The nearest compute NIC of every GPU (its rail's NIC in a rail fabric) is behind the same switch, or "
        "behind that of an NVLink peer."
    ),
    reason=N_(
        "NCCL turns GPUDirect RDMA on up to PXB (P2C on C2C hosts). Farther away the data goes through host "
        "memory or the processor."
    ),
    source="nccl paths.cc",
)
def p2p_01(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    compute = compute_ports(context, variant)
    columns = compute_columns(inside, compute)
    if not columns or not inside.gpus:
        return
    near = near_ports(inside)
    users = rail_columns(inside, columns, compute.rails) if compute.rails else [sorted(columns)] * len(inside.gpus)
    far: list[int] = []
    for g, ports in enumerate(users):
        if not near[g, ports].any() and not _peer_near(inside, g, ports, near):
            far.append(g)
    if not far:
        return
    words = sorted({_word(inside, g, users[g]) for g in far})
    level = context.settings.get("nccl.gdr_level")
    text = (
        msg(
            "GPUDirect RDMA is off by default for {gpus}: nearest NIC at {distance}.",
            gpus=gpu_names(inside, far),
            distance=words,
        )
        if stated(context.settings, "nccl.gdr_level") is None
        else msg(
            "{gpus} are far from their NIC ({distance}); GPUDirect RDMA runs only because nccl.gdr_level is {level}.",
            gpus=gpu_names(inside, far),
            distance=words,
            level=level,
        )
        if all(_directly(inside, g, users[g]) for g in far)
        else msg(
            "GPUDirect RDMA is off for {gpus}: nearest NIC at {distance}, nccl.gdr_level is {level}.",
            gpus=gpu_names(inside, far),
            distance=words,
            level=level,
        )
    )
    yield context.finding(
        [variant.at(inside.gpus[g]) for g in far],
        text,
        variant=variant,
        measured=float(len(far)),
        allowed=0.0,
        unit="GPUs",
        values={"distance": words, "ports": [inside.net_ports[p] for p in columns]},
        estimate=wiring_assumed(context, variant, far),
    )


def _directly(inside: Interior, gpu: int, ports: list[int]) -> bool:
    """The GPU reaches one of the ports without host memory, as the settings stand."""
    return bool((inside.gpu_port.transport[gpu, ports] == int(Transport.GPUDIRECT)).any())


def _word(inside: Interior, gpu: int, ports: list[int]) -> str:
    return NcclClass(int(inside.gpu_port.nccl_flattened[gpu, ports].min())).name


def _same_socket(inside: Interior, gpu: int, ports: list[int]) -> bool:
    """One of the ports hangs on the GPU's processor, whatever NUMA nodes (NPS, SNC) its memory is split into."""
    return bool((inside.nic_socket[inside.port_nic[ports]] == inside.gpu_socket[gpu]).any())


@rule(
    "P2P-02",
    "error",
    needs=("effective", "root", "interior"),
    group="P2P & NUMA",
    subject="gpu, nic",
    direction="up",
    title=N_("Rail NIC on the other socket"),
    checks=N_(
        "In a rail fabric, the NIC of a GPU's rail hangs on the same socket, or an NVLink peer reaches it at "
        "PXB or nearer."
    ),
    reason=N_(
        "The link between sockets carries 16 GB/s (AMD) or 22 GB/s (Intel SPR) in NCCL's model, less than one 400G NIC."
    ),
    source="nccl (AMD 16, SPR 22)",
)
def p2p_02(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    compute = compute_ports(context, variant)
    columns = compute_columns(inside, compute)
    if not columns or not inside.gpus or not compute.rails:
        return
    near = near_ports(inside)
    users = rail_columns(inside, columns, compute.rails)
    far = [
        g
        for g, ports in enumerate(users)
        if int(inside.gpu_port.nccl_flattened[g, ports].min()) == int(NcclClass.SYS)
        and not _same_socket(inside, g, ports)
        and not near[g, ports].any()
        and not _peer_near(inside, g, ports, near)
    ]
    if not far:
        return
    rates = [float(inside.gpu_port.bandwidth[g, users[g]].max()) / 1e9 for g in far]
    nics = sorted({inside.net_ports[p].rpartition(":")[0] for g in far for p in users[g]})
    yield context.finding(
        [variant.at(inside.gpus[g]) for g in far],
        msg(
            "{gpus} reach their rail's NIC ({nics}) over the socket link: {rate} GB/s in NCCL's model.",
            gpus=gpu_names(inside, far),
            nics=nics,
            rate=round(min(rates), 1),
        ),
        variant=variant,
        measured=float(len(far)),
        allowed=0.0,
        unit="GPUs",
        values={"gbs": min(rates), "nics": nics},
        estimate=wiring_assumed(context, variant, far),
    )


@rule(
    "P2P-03",
    "warning",
    needs=("effective", "interior", "settings"),
    group="P2P & NUMA",
    subject="gpu, gpu",
    direction="up",
    title=N_("GPUs do not use peer-to-peer by default"),
    checks=N_(
        "GPU pairs without NVLink are at PXB or nearer, or the peer-to-peer level is set (AMD hosts with up to "
        "two GPUs allow SYS)."
    ),
    reason=N_(
        "Beyond PXB NCCL copies through host memory, which is clearly slower. Whether the host does better must "
        "be tested."
    ),
    source="nccl",
)
def p2p_03(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    if stated(context.settings, "nccl.p2p_level") is not None:
        return
    if flag(context.settings.get("nccl.p2p_disable"), False):
        return
    inside = context.interior(variant.sheet)
    paths = inside.gpu_gpu
    if len(inside.gpus) < 2:
        return
    able = np.array([allows_p2p(variant.eff.items[g]) for g in inside.gpus])  # for others P2P-09 speaks
    staged = (paths.transport == int(Transport.HOST_MEMORY)) & (paths.nccl_flattened > NEAR) & np.outer(able, able)
    pairs = np.argwhere(np.triu(staged, 1))
    if not len(pairs):
        return
    hit = sorted({int(g) for pair in pairs for g in pair})
    alone = [g for g in hit if inside.nvlink_domain[g] < 0]
    shown = alone or hit
    words = sorted({NcclClass(int(paths.nccl_flattened[i, j])).name for i, j in pairs})
    fix = (EditCall("set_setting", {"design": context.design_id, "key": "nccl.p2p_level", "value": "SYS"}),)
    yield context.finding(
        [variant.at(inside.gpus[g]) for g in shown],
        msg(
            "{gpus}: {pairs} GPU pairs at {classes} copy through host memory, because nccl.p2p_level is at its "
            "default.",
            gpus=gpu_names(inside, shown),
            pairs=len(pairs),
            classes=words,
        ),
        variant=variant,
        measured=float(len(pairs)),
        allowed=0.0,
        unit="pairs",
        values={"classes": words},
        estimate=wiring_assumed(context, variant, hit),
        fix=() if peer_traffic_hindered(context, variant) else fix,
    )
