"""P2P in virtual machines: what ACS has to keep apart, and what GPUDirect RDMA needs inside a guest."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.design.calls import EditCall
from fabricwright.design.options import stated
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.p2p_paths import acs_bits, gpu_names, gpu_port_pairs, redirects, virtualised, vm_of
from fabricwright.rules.pcie_path import ServerView, server_view
from fabricwright.rules.registry import rule
from fabricwright.topology.classes import flag
from fabricwright.topology.model import Transport
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, Message, msg

ISOLATING = "0x001d"
"""SrcValid, ReqRedir, CmpltRedir and UpstreamFwd: what keeps the devices below a switch in groups of their own."""


def guests_below(view: ServerView, switch: str) -> dict[str, set[str]]:
    """Child of a switch -> guests that devices at or below it are stated to go to."""
    out: dict[str, set[str]] = {}
    for node in view.tree.feeds:
        item = view.eff.items.get(node)
        guest = vm_of(item) if item is not None and item.kind in ("gpu", "nic") else ""
        chain = view.tree.chain(node)
        if guest and switch in chain[1:]:
            out.setdefault(chain[chain.index(switch) - 1], set()).add(guest)
    return out


@rule(
    "P2P-05",
    "error",
    needs=("effective", "settings"),
    group="P2P & NUMA",
    subject="virtualisation",
    direction="up",
    title=N_("One IOMMU group for several virtual machines"),
    checks=N_("Where devices below one switch go to different guests, ACS is not switched off at its ports."),
    reason=N_(
        "Without ACS redirect the devices below a switch reach each other past the IOMMU; Linux puts them into one "
        "group, and a group goes to one guest as a whole."
    ),
    source="p2p",
)
def p2p_05(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    if not virtualised(context, variant)[0]:
        return
    view = server_view(variant.eff, context.project.parts)
    for node in sorted(view.tree.items, key=natural_key):
        if not view.tree.levels(node) or redirects(context, view.tree.items[node]) is not False:
            continue
        below = guests_below(view, node)
        guests = sorted(set().union(*below.values())) if below else []
        if len(below) < 2 or len(guests) < 2:
            continue
        item = view.tree.items[node]
        fix: tuple[EditCall, ...] = (
            EditCall("set_setting", {"design": context.design_id, "key": "acs", "value": "on"}),
        )
        if acs_bits(item) is not None:
            owner = context.owner_sheet(variant.sheet, node)
            fix = (context.edit("set_config", owner, item=node, key="acs_ctl", value=ISOLATING),)
        yield context.finding(
            (variant.at(node),),
            msg(
                "Devices below {switch} go to {guests}, but ACS is off there: they are one IOMMU group.",
                switch=item_label(item),
                guests=guests,
            ),
            variant=variant,
            measured=float(len(guests)),
            allowed=1.0,
            unit="VMs",
            values={"children": {child: sorted(names) for child, names in below.items()}},
            fix=() if "/" in node else fix,
        )


@rule(
    "P2P-21",
    "error",
    needs=("effective", "root", "interior", "settings"),
    group="P2P & NUMA",
    subject="virtualisation",
    direction="up",
    title=N_("GPUDirect RDMA in a guest without ATS or ACS direct-translated P2P"),
    checks=N_(
        "Where a GPU and its NIC are passed through to a guest, ATS of the NIC and ACS direct-translated P2P of the "
        "switch ports between them are not stated off."
    ),
    reason=N_(
        "In a guest addresses are translated. With ATS the NIC sends translated ones, which direct-translated P2P "
        "lets turn round in the switch: 48 instead of 27 GB/s. Switching ACS off is the cure of bare metal."
    ),
    source="field cases C128, C077",
)
def p2p_21(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    in_guests, _ = virtualised(context, variant)
    if not in_guests:
        return
    inside = context.interior(variant.sheet)
    view = server_view(variant.eff, context.project.parts)
    lacking: dict[str, set[int]] = {}
    for pair in gpu_port_pairs(context, variant):
        gpu = inside.gpus[pair.gpu]
        guests = {vm_of(variant.eff.items[gpu]), vm_of(variant.eff.items[pair.nic])} - {""}
        if int(inside.gpu_port.transport[pair.gpu, pair.port]) != int(Transport.GPUDIRECT) or len(guests) > 1:
            continue
        if _off(variant, pair.nic, "ats"):
            lacking.setdefault(pair.nic, set()).add(pair.gpu)
        for node, _ in view.tree.bridges(gpu, pair.nic):
            if node not in view.tree.cpus and _off(variant, node, "acs_dt"):
                lacking.setdefault(node, set()).add(pair.gpu)
    for node in sorted(lacking, key=natural_key):
        gpus = sorted(lacking[node])
        is_nic = _off(variant, node, "ats")
        owner = context.owner_sheet(variant.sheet, node)
        key = "ats" if is_nic else "acs_dt"
        yield context.finding(
            (variant.at(node),),
            _lack(variant, node, gpu_names(inside, gpus), is_nic),
            variant=variant,
            measured=float(len(gpus)),
            allowed=0.0,
            unit="GPUs",
            values={"gpus": [inside.gpus[g] for g in gpus], "off": key},
            fix=() if "/" in node else (context.edit("set_config", owner, item=node, key=key, value="on"),),
        )


def _off(variant: Variant, item: str, key: str) -> bool:
    row = variant.eff.items.get(item)
    value = stated(row.config, key) if row is not None else None
    return value is not None and not flag(value, True)


def _lack(variant: Variant, node: str, gpus: list[str], is_nic: bool) -> Message:
    name = item_label(variant.eff.items[node])
    if is_nic:
        return msg("ATS of {nic} is off: GPUDirect RDMA of {gpus} in a virtual machine needs it.", nic=name, gpus=gpus)
    return msg(
        "ACS direct-translated P2P of {switch} is off: GPUDirect RDMA of {gpus} in a virtual machine needs it.",
        switch=name,
        gpus=gpus,
    )
