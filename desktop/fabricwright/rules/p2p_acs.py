"""P2P on bare metal: bridges that redirect peer traffic, and an IOMMU that translates it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabricwright.design.calls import EditCall
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.p2p_paths import (
    NEAR,
    acs_bits,
    acs_words,
    gdr_stated_off,
    gpu_names,
    gpu_port_pairs,
    on_bare_metal,
    peer_pairs,
    redirects,
    virtualised,
)
from fabricwright.rules.pcie_path import server_view
from fabricwright.rules.registry import rule
from fabricwright.topology.classes import flag
from fabricwright.topology.model import Transport
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, Message, msg


def redirecting(context: RuleContext, variant: Variant, pairs: Iterable[tuple[str, str]]) -> dict[str, list[int]]:
    """Item whose bridges redirect -> numbers of the pairs (two items each) whose path passes one of them."""
    view = server_view(variant.eff, context.project.parts)
    out: dict[str, list[int]] = {}
    for number, (a, b) in enumerate(pairs):
        for node in dict.fromkeys(node for node, _ in view.tree.bridges(a, b)):
            if redirects(context, view.tree.items[node]):
                out.setdefault(node, []).append(number)
    return dict(sorted(out.items(), key=lambda entry: natural_key(entry[0])))


def clear_acs(context: RuleContext, variant: Variant, item: str) -> tuple[EditCall, ...]:
    """The fix "clear ACS control" where it is stated: at the item, or as the setting of the design."""
    if acs_bits(variant.eff.items[item]) is None:
        return (EditCall("set_setting", {"design": context.design_id, "key": "acs", "value": "off"}),)
    if "/" in item:
        return ()
    owner = context.owner_sheet(variant.sheet, item)
    return (context.edit("set_config", owner, item=item, key="acs_ctl", value="0x0000"),)


@rule(
    "P2P-04",
    "error",
    needs=("effective", "interior", "settings"),
    group="P2P & NUMA",
    subject="switch",
    direction="up",
    title=N_("ACS redirects GPU peer traffic"),
    checks=N_(
        "On bare metal no root port and no switch port between two GPUs that use peer-to-peer has ReqRedir or "
        "CmpltRedir set in its ACS control. SrcValid alone does no harm; where nothing is stated nothing is said."
    ),
    reason=N_(
        "A redirect sends every packet between GPUs up to the root complex: two GPUs below one switch fell from 103 "
        "to 50 GB/s, GPUs on two root ports hung. Both levels have to be cleared, root ports and switch ports."
    ),
    source="p2p; field cases C001, C138",
)
def p2p_04(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    in_guests, known = virtualised(context, variant)
    if in_guests:
        return
    inside = context.interior(variant.sheet)
    pairs = peer_pairs(inside, Transport.P2P)
    names = [(inside.gpus[i], inside.gpus[j]) for i, j in pairs]
    for node, hit in redirecting(context, variant, names).items():
        gpus = sorted({g for n in hit for g in pairs[n]})
        item = variant.eff.items[node]
        text = msg(
            "{bridge} redirects the peer traffic of {gpus} to the root complex ({stated}); {pairs} GPU pairs pass it.",
            bridge=item_label(item),
            gpus=gpu_names(inside, gpus),
            stated=acs_words(item),
            pairs=len(hit),
        )
        values: dict[str, object] = {"gpus": [inside.gpus[g] for g in gpus]}
        yield _redirected(context, variant, node, on_bare_metal(text, known), len(hit), values)


def _redirected(
    context: RuleContext, variant: Variant, node: str, text: Message, pairs: int, values: dict[str, object]
) -> Finding:
    return context.finding(
        (variant.at(node),),
        text,
        variant=variant,
        measured=float(pairs),
        allowed=0.0,
        unit="pairs",
        values={**values, "acs_ctl": acs_bits(variant.eff.items[node])},
        fix=clear_acs(context, variant, node),
    )


@rule(
    "P2P-12",
    "error",
    needs=("effective", "root", "interior", "settings"),
    group="P2P & NUMA",
    subject="gpu, nic",
    direction="up",
    title=N_("ACS redirects GPUDirect RDMA"),
    checks=N_(
        "On bare metal no root port and no switch port between a GPU and the NIC that it sends through has ReqRedir "
        "or CmpltRedir set in its ACS control."
    ),
    reason=N_(
        "With a redirect on the way GPUDirect RDMA failed with protection errors or crashed; clearing ACS control, "
        "best in firmware because a restart sets it again, cured it."
    ),
    source="field cases C002, C003",
)
def p2p_12(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    in_guests, known = virtualised(context, variant)
    if in_guests:
        return
    inside = context.interior(variant.sheet)
    direct = [
        pair
        for pair in gpu_port_pairs(context, variant)
        if int(inside.gpu_port.transport[pair.gpu, pair.port]) == int(Transport.GPUDIRECT)
    ]
    names = [(inside.gpus[p.gpu], p.nic) for p in direct]
    for node, hit in redirecting(context, variant, names).items():
        gpus = sorted({direct[n].gpu for n in hit})
        nics = sorted({direct[n].nic for n in hit}, key=natural_key)
        item = variant.eff.items[node]
        text = msg(
            "GPUDirect RDMA between {gpus} and {nics} is unusable through {bridge} ({stated}).",
            gpus=gpu_names(inside, gpus),
            nics=nics,
            bridge=item_label(item),
            stated=acs_words(item),
        )
        values: dict[str, object] = {"gpus": [inside.gpus[g] for g in gpus], "nics": nics}
        yield _redirected(context, variant, node, on_bare_metal(text, known), len(hit), values)


@rule(
    "P2P-13",
    "error",
    needs=("effective", "root", "interior", "settings"),
    group="P2P & NUMA",
    subject="host",
    direction="up",
    title=N_("IOMMU translates peer traffic"),
    checks=N_(
        "On bare metal the IOMMU is off or in pass-through mode where GPUs use peer-to-peer or GPUDirect RDMA below "
        "a switch."
    ),
    reason=N_(
        "With VT-d or AMD-Vi translating, all-reduce hung on GPU pairs below switches and ran on pairs across "
        "sockets; turning it off and a cold start cured it."
    ),
    source="field case C004",
)
def p2p_13(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    in_guests, known = virtualised(context, variant)
    if in_guests or not flag(context.settings.get("iommu"), False):
        return
    inside = context.interior(variant.sheet)
    near = inside.gpu_gpu.nccl_flattened <= NEAR
    gpus = {g for pair in peer_pairs(inside, Transport.P2P) if near[pair] for g in pair}
    nics: set[str] = set()
    if not gdr_stated_off(context):
        for pair in gpu_port_pairs(context, variant):
            direct = int(inside.gpu_port.transport[pair.gpu, pair.port]) == int(Transport.GPUDIRECT)
            if direct and inside.gpu_port.nccl_flattened[pair.gpu, pair.port] <= NEAR:
                gpus.add(pair.gpu)
                nics.add(pair.nic)
    if not gpus:
        return
    names = gpu_names(inside, sorted(gpus))
    text = (
        msg("The IOMMU translates; peer traffic of {gpus} below switches hangs or is slow.", gpus=names)
        if not nics
        else msg(
            "The IOMMU translates; traffic of {gpus} below switches (peers, {nics}) hangs or is slow.",
            gpus=names,
            nics=sorted(nics, key=natural_key),
        )
    )
    view = server_view(variant.eff, context.project.parts)
    cpus = sorted({view.tree.cpu_of(inside.gpus[g]) for g in gpus} - {""}, key=natural_key)
    yield context.finding(
        [variant.at(cpu) for cpu in cpus] or [variant.at(inside.gpus[min(gpus)])],
        on_bare_metal(text, known),
        variant=variant,
        measured=float(len(gpus)),
        allowed=0.0,
        unit="GPUs",
        values={"gpus": [inside.gpus[g] for g in sorted(gpus)], "nics": sorted(nics, key=natural_key)},
        fix=(EditCall("set_setting", {"design": context.design_id, "key": "iommu", "value": "pt"}),),
    )
