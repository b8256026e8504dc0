"""P2P that does not happen: GPUs without it, traffic that crosses an uplink twice, and a mesh used in part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.design.options import stated
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.p2p_paths import gdr_stated_off, gpu_names, gpu_port_pairs, peer_traffic_hindered
from fabricwright.rules.parallel import tensor_groups
from fabricwright.rules.pcie_path import server_view
from fabricwright.rules.registry import rule
from fabricwright.topology.classes import flag, level
from fabricwright.topology.constants import pcie_nccl_rate
from fabricwright.topology.model import NcclClass, PciClass
from fabricwright.topology.transport import allows_p2p
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg


@rule(
    "P2P-09",
    "warning",
    needs=("effective", "interior", "settings", "workload"),
    group="P2P & NUMA",
    subject="gpu",
    direction="up",
    title=N_("Design counts on peer-to-peer that the driver lacks"),
    checks=N_(
        "Where a peer-to-peer level is set, or GPUs form a tensor-parallel group, their stock driver has peer-to-peer."
    ),
    reason=N_(
        "Consumer cards such as RTX 4090 and 5090 have no peer-to-peer in the stock driver; every byte between them "
        "goes through host memory, whatever the topology looks like."
    ),
    source="EK; field cases C006, C100",
)
def p2p_09(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    settings = context.settings
    inside = context.interior(variant.sheet)
    lacking = {g for g, gpu in enumerate(inside.gpus) if not allows_p2p(variant.eff.items[gpu])}
    if len(lacking) < 2 or flag(settings.get("nccl.p2p_disable"), False):
        return
    wanted = stated(settings, "nccl.p2p_level")
    grouped = {g for group in tensor_groups(context, len(inside.gpus)) if len(lacking & set(group)) > 1 for g in group}
    if level(wanted, NcclClass.LOC) >= NcclClass.PIX:
        gpus = sorted(lacking)
        text = msg(
            "{gpus}: the stock driver has no peer-to-peer, but nccl.p2p_level is {level}; traffic goes through host "
            "memory.",
            gpus=gpu_names(inside, gpus),
            level=wanted,
        )
    elif grouped & lacking:
        gpus = sorted(grouped & lacking)
        text = msg(
            "{gpus} form a tensor-parallel group, but their stock driver has no peer-to-peer; traffic goes through "
            "host memory.",
            gpus=gpu_names(inside, gpus),
        )
    else:
        return
    yield context.finding(
        [variant.at(inside.gpus[g]) for g in gpus],
        text,
        variant=variant,
        measured=float(len(gpus)),
        allowed=0.0,
        unit="GPUs",
        values={"parts": sorted({inside.gpu_parts[g] for g in gpus})},
        estimate=any(_assumed(variant.eff.items[inside.gpus[g]]) for g in gpus),
    )


def _assumed(gpu: EffItem) -> bool:
    """That a GPU has no peer-to-peer is the catalogue's word, not read in a source, and nobody stated it."""
    figure = gpu.part.figures.get("p2p") if gpu.part is not None else None
    return stated(gpu.config, "p2p") is None and figure is not None and figure.confidence != "read"


@rule(
    "P2P-11",
    "info",
    needs=("effective", "interior", "settings"),
    group="P2P & NUMA",
    subject="amd gpu",
    direction="down",
    title=N_("Part of an xGMI mesh"),
    checks=N_("A job on GPUs with an xGMI mesh uses all of them or one, not two to four."),
    reason=N_(
        "Each GPU of the mesh has one link to each other GPU: two GPUs talk over one of seven links, 64 of 448 GB/s "
        "on an MI300X."
    ),
    source="mleng",
)
def p2p_11(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    mesh = []
    for gpu in inside.gpus:
        part = variant.eff.items[gpu].part
        if part is not None and "xgmi" in part.word("gpu_link").lower() and part.get("nvlink_gbs_per_link"):
            mesh.append(part)
    asked = stated(context.settings, "job.gpus_per_server")
    number = asked if isinstance(asked, (int, float)) and not isinstance(asked, bool) else len(mesh)
    used = min(int(number), len(mesh))
    if len(mesh) != len(inside.gpus) or not 2 <= used <= 4 or not mesh[0].get("nvlinks"):
        return
    pair = mesh[0].get("nvlink_gbs_per_link")
    full = pair * mesh[0].get("nvlinks")
    fix = (EditCall("set_setting", {"design": context.design_id, "key": "job.gpus_per_server", "value": len(mesh)}),)
    yield context.finding(
        [variant.at(gpu) for gpu in inside.gpus],
        msg(
            "A job of {used} GPUs has {pair} GB/s from GPU to GPU, one of {links} links of the mesh ({full} GB/s).",
            used=used,
            pair=pair,
            links=int(mesh[0].get("nvlinks")),
            full=full,
        ),
        variant=variant,
        measured=pair,
        allowed=full,
        unit="GB/s",
        values={"gpus": used},
        fix=fix if len(mesh) > 4 else (),
        estimate=mesh[0].figures["nvlink_gbs_per_link"].confidence != "read",
    )


@rule(
    "P2P-14",
    "warning",
    needs=("effective", "interior"),
    group="P2P & NUMA",
    subject="switch, gpu",
    direction="up",
    title=N_("GPUs without peer-to-peer share an uplink"),
    checks=N_("At most one GPU whose driver has no peer-to-peer hangs below one switch uplink."),
    reason=N_(
        "Without peer-to-peer a byte between two GPUs of one switch climbs to host memory and comes down again: both "
        "share the uplink, and the pair is slower than one across sockets."
    ),
    source="field cases C006, C104",
)
def p2p_14(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    view = server_view(variant.eff, context.project.parts)
    lacking = [g for g, gpu in enumerate(inside.gpus) if not allows_p2p(variant.eff.items[gpu])]
    for node in sorted(view.tree.feeds, key=natural_key):
        below = [g for g in lacking if node in view.above(inside.gpus[g])]
        if not view.tree.levels(node) or not view.tree.cpu_of(node) or len(below) < 2:
            continue
        feed = view.tree.feeds[node]
        uplink = pcie_nccl_rate(feed.lanes, feed.gen) / 1e9
        own = [view.tree.feeds.get(inside.gpus[g]) for g in below]
        slowest = min((pcie_nccl_rate(f.lanes, f.gen) / 1e9 for f in own if f is not None), default=uplink)
        names = {
            "gpus": gpu_names(inside, below),
            "switch": item_label(view.tree.items[node]),
            "half": round(uplink / 2, 1),
            "uplink": round(uplink, 1),
        }
        yield context.finding(
            (variant.at(node),),
            msg(
                "{gpus} have no peer-to-peer and share the uplink of {switch}: a pair gets {half} of {uplink} GB/s, "
                "less than across sockets.",
                **names,
            )
            if uplink / 2 < slowest * 0.999
            else msg(
                "{gpus} have no peer-to-peer and share the uplink of {switch}: all pairs together get {half} of "
                "{uplink} GB/s.",
                **names,
            ),
            variant=variant,
            measured=float(len(below)),
            allowed=1.0,
            unit="GPUs",
            values={"gpus": [inside.gpus[g] for g in below], "pair_gbs": uplink / 2},
            estimate=any(_assumed(variant.eff.items[inside.gpus[g]]) for g in below),
        )


@dataclass(slots=True)
class _Shared:
    """GPUs and NICs below one switch that meet there, and the ports that are sent through."""

    gpus: set[int] = field(default_factory=set)
    nics: set[str] = field(default_factory=set)
    ports: set[int] = field(default_factory=set)


@rule(
    "P2P-15",
    "warning",
    needs=("effective", "root", "interior", "settings"),
    group="P2P & NUMA",
    subject="switch, gpu, nic",
    direction="down",
    title=N_("Traffic crosses the uplink twice without GPUDirect RDMA"),
    checks=N_("Where GPUDirect RDMA is stated off, no GPU and its NIC share a switch uplink."),
    reason=N_(
        "The data goes up to host memory and down again to the NIC beside the GPU, so that the NIC gets half of the "
        "uplink: 6 of 12 GB/s on Gen3 x16."
    ),
    source="field cases C007, C009",
)
def p2p_15(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    off = gdr_stated_off(context)
    gdr_level = stated(context.settings, "nccl.gdr_level")
    if not off and gdr_level is None:
        return
    inside = context.interior(variant.sheet)
    view = server_view(variant.eff, context.project.parts)
    paths = inside.gpu_port
    farthest = level(gdr_level, NcclClass.PXB)
    shared: dict[str, _Shared] = {}
    for pair in gpu_port_pairs(context, variant):
        below = paths.pci[pair.gpu, pair.port] in (PciClass.SWITCH, PciClass.CASCADE)
        if not below or not (off or paths.nccl_flattened[pair.gpu, pair.port] > farthest):
            continue
        meet = shared.setdefault(view.tree.meeting(inside.gpus[pair.gpu], pair.nic), _Shared())
        meet.gpus.add(pair.gpu)
        meet.nics.add(pair.nic)
        nic = int(inside.port_nic[pair.port])
        meet.ports |= {p for p in range(len(inside.net_ports)) if int(inside.port_nic[p]) == nic}
    for node in sorted(shared, key=natural_key):
        feed = view.tree.feeds.get(node)
        if feed is None or feed.c2c:
            continue
        uplink = pcie_nccl_rate(feed.lanes, feed.gen) / 1e9
        port = float(sum(inside.port_rate[p] for p in shared[node].ports)) / 1e9
        got, could = min(port, uplink / 2), min(port, uplink)
        nics = sorted(shared[node].nics, key=natural_key)
        yield context.finding(
            (variant.at(node),),
            msg(
                "GPUDirect RDMA is off: traffic of {gpus} and {nics} crosses the uplink of {switch} twice, {got} of "
                "{could} GB/s.",
                gpus=gpu_names(inside, sorted(shared[node].gpus)),
                nics=nics,
                switch=item_label(view.tree.items[node]),
                got=round(got, 1),
                could=round(could, 1),
            ),
            variant=variant,
            measured=got,
            allowed=could,
            unit="GB/s",
            values={"gpus": [inside.gpus[g] for g in sorted(shared[node].gpus)], "nics": nics, "uplink_gbs": uplink},
            fix=_gdr_on(context, variant, off),
        )


def _gdr_on(context: RuleContext, variant: Variant, off: bool) -> tuple[EditCall, ...]:
    """GPUDirect RDMA on again; not offered where ACS, an IOMMU or a guest would then be in its way."""
    if peer_traffic_hindered(context, variant):
        return ()
    key, value = ("gdr", "on") if off else ("nccl.gdr_level", "PXB")
    return (EditCall("set_setting", {"design": context.design_id, "key": key, "value": value}),)
