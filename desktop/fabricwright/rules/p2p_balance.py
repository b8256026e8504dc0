"""P2P: how GPUs, NICs and sockets of one server divide up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.calls import EditCall
from fabricwright.design.options import stated
from fabricwright.rules.compute_ports import compute_ports
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.nic import host_gbps
from fabricwright.rules.p2p_paths import compute_columns, gpu_names, near_ports, wiring_assumed
from fabricwright.rules.pcie_path import PAYLOAD_SHARE, server_view
from fabricwright.rules.registry import rule
from fabricwright.topology.constants import pcie_nccl_rate
from fabricwright.topology.model import Interior
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

RING_COLLECTIVES = ("all_reduce", "reduce_scatter", "all_gather")
"""Collectives that NCCL runs as rings over all GPUs."""


def compute_nics(context: RuleContext, variant: Variant) -> list[str]:
    """NICs with a port on the compute network, natural order."""
    ports = compute_ports(context, variant).ports
    return sorted({p.rpartition(":")[0] for p in ports}, key=natural_key)


@rule(
    "P2P-07",
    "warning",
    needs=("effective", "root", "interior"),
    group="P2P & NUMA",
    subject="server",
    direction="up",
    title=N_("GPUs and NICs do not divide evenly"),
    checks=N_("In a rail fabric the GPUs of a server divide evenly over its compute NICs, two per NIC at most."),
    reason=N_(
        "A rail is one NIC of every server; a NIC that serves more GPUs than the others, or more than two, is the one "
        "that all wait for. In-network collectives need one NIC per GPU."
    ),
    source="era_hgx; nccl (collnet needs 1:1)",
)
def p2p_07(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    nics = compute_nics(context, variant)
    gpus = len(inside.gpus)
    if not nics or not gpus or not compute_ports(context, variant).rails:
        return
    if (gpus % len(nics) == 0 and gpus <= 2 * len(nics)) or len(nics) % gpus == 0:
        return
    ratio = gpus / len(nics)
    yield context.finding(
        (variant.at(),) if variant.item else [variant.at(n) for n in nics],
        msg(
            "GPUs to compute NICs {gpus}:{nics} ({ratio}:1) in a rail fabric; one NIC per GPU or per GPU pair is even.",
            gpus=gpus,
            nics=len(nics),
            ratio=round(ratio, 2),
        )
        if len(nics) > 1
        else msg(
            "{gpus} GPUs to one compute NIC in a rail fabric; one NIC per GPU or per GPU pair is even.", gpus=gpus
        ),
        variant=variant,
        measured=ratio,
        allowed=2.0 if gpus % len(nics) == 0 else 1.0,
        unit=":1",
        values={"gpus": gpus, "nics": nics},
    )


@rule(
    "P2P-08",
    "warning",
    needs=("effective", "interior"),
    group="P2P & NUMA",
    subject="server",
    direction="up",
    title=N_("GPUs unevenly over the sockets"),
    checks=N_("Every processor of a server has the same number of GPUs."),
    reason=N_(
        "Host memory, lanes and cores are shared by the GPUs of a socket; the fuller socket sets the pace, and more "
        "traffic crosses the link between sockets."
    ),
    source="mleng (topology)",
)
def p2p_08(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    cpus = server_view(variant.eff, context.project.parts).tree.cpus
    fitted = stated(context.config_of_chassis(variant.sheet), "cpus_fitted")
    sockets = int(fitted) if isinstance(fitted, (int, float)) and fitted >= 1 else len(cpus)
    if len(inside.gpus) < 2 or min(sockets, len(cpus)) < 2 or (inside.gpu_socket < 0).any():
        return
    counts = np.bincount(inside.gpu_socket, minlength=len(cpus))[:sockets]
    if counts.max() == counts.min():
        return
    yield context.finding(
        (variant.at(),) if variant.item else [variant.at(cpu) for cpu in cpus[:sockets]],
        msg(
            "GPUs per socket {counts}: the fuller one has {most} of {all}.",
            counts="/".join(str(int(c)) for c in counts),
            most=int(counts.max()),
            all=len(inside.gpus),
        ),
        variant=variant,
        measured=float(counts.max() - counts.min()),
        allowed=0.0,
        unit="GPUs",
        values={"counts": {cpu: int(n) for cpu, n in zip(cpus, counts, strict=False)}},
    )


@rule(
    "P2P-16",
    "warning",
    needs=("effective", "root", "interior"),
    group="P2P & NUMA",
    subject="gpu, nic",
    direction="up",
    title=N_("Only some GPUs have a NIC nearby"),
    checks=N_("Either every GPU of a server has a compute NIC at PXB or nearer, or none has."),
    reason=N_(
        "GPUs without one send over NVLink through a neighbour (PXN) or through the processor; the near NICs bound "
        "what leaves the server."
    ),
    source="field cases C011, C038",
)
def p2p_16(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    columns = compute_columns(inside, compute_ports(context, variant))
    if not columns or not inside.gpus:
        return
    has = near_ports(inside)[:, sorted(columns)].any(axis=1)
    if has.all() or not has.any():
        return
    without = [int(g) for g in np.flatnonzero(~has)]
    through = bool((inside.nvlink_domain[without] >= 0).all())
    names = gpu_names(inside, without)
    text = (
        msg(
            "{n} of {gpus} GPUs have no compute NIC nearby ({names}); they send over NVLink through a neighbour (PXN).",
            n=len(without),
            gpus=len(inside.gpus),
            names=names,
        )
        if through
        else msg(
            "{n} of {gpus} GPUs have no compute NIC nearby ({names}); they send through the processor.",
            n=len(without),
            gpus=len(inside.gpus),
            names=names,
        )
    )
    yield context.finding(
        [variant.at(inside.gpus[g]) for g in without],
        text,
        variant=variant,
        measured=float(len(without)),
        allowed=0.0,
        unit="GPUs",
        values={"near": [inside.gpus[g] for g in np.flatnonzero(has)]},
        estimate=wiring_assumed(context, variant, without),
    )


def _sends(context: RuleContext, variant: Variant, inside: Interior, columns: dict[int, int], nic: str) -> float:
    """Bytes/s that a NIC puts on the compute network: its ports, and what its PCIe link leaves of them."""
    ports = float(sum(inside.port_rate[c] for c in columns if inside.nics[int(inside.port_nic[c])] == nic))
    link = host_gbps(context, variant, nic) * PAYLOAD_SHARE * 1e9 / 8
    return min(ports, link) if link else ports


def _link_name(variant: Variant, inside: Interior) -> str:
    """What joins the GPUs: ``xGMI``, else ``NVLink``."""
    part = variant.eff.items[inside.gpus[0]].part
    return "xGMI" if part is not None and "xgmi" in part.word("gpu_link").lower() else "NVLink"


def inside_rate(context: RuleContext, variant: Variant, inside: Interior) -> tuple[float, bool]:
    """(bytes/s that every GPU gets towards the others, whether over NVLink): the line rate of one NVLink domain, else
    what NCCL counts for the slowest GPU's PCIe link. 0 when it is not known.
    """
    domain = inside.nvlink_domain
    if (domain >= 0).all() and len(np.unique(domain)) == 1:
        return float(inside.nvlink_rate.min()), True
    tree = server_view(variant.eff, context.project.parts).tree
    feeds = [tree.feeds.get(g) for g in inside.gpus]
    rates = [pcie_nccl_rate(f.lanes, f.gen) for f in feeds if f is not None and not f.c2c]
    return (min(rates), False) if len(rates) == len(feeds) else (0.0, False)


@rule(
    "P2P-17",
    "warning",
    needs=("effective", "root", "interior", "settings"),
    group="P2P & NUMA",
    subject="server",
    direction="up",
    title=N_("More NICs than a ring can fill"),
    checks=N_(
        "The compute NICs of a server together are not faster than what one GPU gets inside it (NVLink, or one PCIe "
        "link), where the job does ring collectives."
    ),
    reason=N_(
        "A ring runs from a NIC through all GPUs to a NIC: it is as fast as its slowest step. Further NICs add "
        "crossings, not speed; all-to-all still gains."
    ),
    source="field cases C016, C017",
)
def p2p_17(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    collective = stated(context.settings, "job.collective")
    inside = context.interior(variant.sheet)
    nics = compute_nics(context, variant)
    if (collective is not None and collective not in RING_COLLECTIVES) or len(nics) < 2 or len(inside.gpus) < 2:
        return
    columns = compute_columns(inside, compute_ports(context, variant))
    total = sum(_sends(context, variant, inside, columns, nic) for nic in nics)
    bound, nvlink = inside_rate(context, variant, inside)
    if not bound or total <= bound * 1.001:
        return
    names = {"n": len(nics), "total": round(total / 1e9, 1), "bound": round(bound / 1e9, 1)}
    text = (
        msg(
            "{n} NICs ({total} GB/s) cannot speed up a ring: {link} gives a GPU {bound} GB/s.",
            link=_link_name(variant, inside),
            **names,
        )
        if nvlink
        else msg("{n} NICs ({total} GB/s) cannot speed up a ring: PCIe gives a GPU {bound} GB/s.", **names)
    )
    if collective is None:
        text = msg("{text} (The main collective is not stated: all-reduce assumed.)", text=text)
    yield context.finding(
        [variant.at(nic) for nic in nics],
        text,
        variant=variant,
        measured=total / 1e9,
        allowed=bound / 1e9,
        unit="GB/s",
        values={"nics": nics, "nvlink": nvlink},
    )


@rule(
    "P2P-19",
    "info",
    needs=("effective", "root", "interior"),
    group="P2P & NUMA",
    subject="host",
    direction="up",
    title=N_("Every step of the ring passes the processor"),
    checks=N_("GPUs without NVLink hang below PCIe switches, not all of them on root ports."),
    reason=N_(
        "A ring over g GPUs of a socket is g flows through that processor, and one more where it leaves for another "
        "socket or server. They share its root complex and memory."
    ),
    source="field case C031",
)
def p2p_19(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    view = server_view(variant.eff, context.project.parts)
    if len(inside.gpus) < 2 or (inside.nvlink_domain >= 0).any() or (inside.gpu_socket < 0).any():
        return
    if any(view.tree.levels(node) for gpu in inside.gpus for node in view.above(gpu)):
        return
    many = len(variant.members) > 1 and bool(compute_ports(context, variant).ports)
    for socket, cpu in enumerate(view.tree.cpus):
        mine = [g for g in range(len(inside.gpus)) if int(inside.gpu_socket[g]) == socket]
        if not mine:
            continue
        flows = len(mine) + (1 if many or len(mine) < len(inside.gpus) else 0)
        yield context.finding(
            (variant.at(cpu),),
            msg(
                "{flows} flows of a ring over {gpus} pass socket {cpu}: no switch and no NVLink carries them.",
                flows=flows,
                gpus=gpu_names(inside, mine),
                cpu=cpu,
            ),
            variant=variant,
            measured=float(flows),
            unit="flows",
            values={"gpus": [inside.gpus[g] for g in mine]},
        )


@rule(
    "P2P-22",
    "warning",
    needs=("effective", "root", "interior", "settings"),
    group="P2P & NUMA",
    subject="host, nic",
    direction="up",
    title=N_("One rank drives NICs of several sockets"),
    checks=N_("A server runs at least as many ranks as sockets that have compute NICs, where the ranks are stated."),
    reason=N_(
        "A buffer lies in the memory of one socket; rails on the others cross the link between sockets. Two rails "
        "gave 90 instead of 50 GB/s, further ones less and less."
    ),
    source="field case C092",
)
def p2p_22(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    ranks = stated(context.settings, "job.ranks_per_server")
    if not isinstance(ranks, (int, float)) or isinstance(ranks, bool):
        return
    inside = context.interior(variant.sheet)
    compute = compute_ports(context, variant)
    wanted = compute_nics(context, variant) if compute.ports else list(inside.nics)
    sockets: dict[int, list[str]] = {}
    for nic, socket in zip(inside.nics, inside.nic_socket, strict=True):
        if nic in wanted and int(socket) >= 0:
            sockets.setdefault(int(socket), []).append(nic)
    if len(sockets) < 2 or ranks >= len(sockets):
        return
    nics = sorted((n for names in sockets.values() for n in names), key=natural_key)
    yield context.finding(
        [variant.at(nic) for nic in nics],
        msg(
            "Ranks per server {ranks}, sockets with NICs {sockets} ({nics}): rails of another socket cross the "
            "socket link.",
            ranks=int(ranks),
            sockets=len(sockets),
            nics=nics,
        ),
        variant=variant,
        measured=len(sockets) / max(float(ranks), 1.0),
        allowed=1.0,
        unit="sockets per rank",
        values={"nics": nics},
        fix=(
            EditCall(
                "set_setting", {"design": context.design_id, "key": "job.ranks_per_server", "value": len(sockets)}
            ),
        ),
    )
