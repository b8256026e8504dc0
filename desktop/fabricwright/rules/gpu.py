"""GPU: instances of one GPU, and the host links of a group."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabricwright.design.calls import EditCall
from fabricwright.design.options import stated
from fabricwright.rules.card import card_of_item
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import move_to_better_slot
from fabricwright.rules.p2p_paths import gpu_names
from fabricwright.rules.parallel import tensor_groups
from fabricwright.rules.pcie_path import ServerView, device_link, raw_gbs, server_view, slot_link
from fabricwright.rules.registry import rule
from fabricwright.topology.classes import flag
from fabricwright.units.text import N_, msg

_COUNT = re.compile(r"^(\d+)\s*[x*]", re.IGNORECASE)
_LIST = re.compile(r"\d+g", re.IGNORECASE)


def instances(value: object) -> int:
    """Instances that a GPU's ``mig`` states: ``7x1g`` 7, ``3g.40gb, 4g.40gb`` 2, ``on`` 1 at least; 0 for off."""
    if value is None or value is False:
        return 0
    text = str(value).strip()
    if text.lower() in ("", "off", "no", "none", "false", "0", "disabled"):
        return 0
    found = _COUNT.match(text)
    if found:
        return int(found.group(1))
    if text.isdigit():
        return int(text)
    return max(1, len(_LIST.findall(re.sub(r"\.\d+gb", "", text, flags=re.IGNORECASE)))) if not flag(text, False) else 1


@rule(
    "GPU-04",
    "info",
    needs=("effective",),
    group="scale",
    subject="gpu",
    direction="up",
    title=N_("GPU instances in one group"),
    checks=N_("A job does not run over several MIG instances of its GPUs."),
    reason=N_(
        "Instances have no peer-to-peer, no NVLink and no NVLS: those of one GPU talk through shared memory, others "
        "through the NIC."
    ),
    source="field case C111",
)
def gpu_04(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    counts = {
        item.id: number
        for item in variant.eff.items.values()
        if item.kind == "gpu" and (number := instances(stated(item.config, "mig")))
    }
    total = sum(counts.values())
    if total * max(len(variant.members), 1) < 2:
        return
    cut = sorted(counts)
    fix = [
        context.edit("set_config", context.owner_sheet(variant.sheet, gpu), item=gpu, key="mig", value="off")
        for gpu in cut
        if "/" not in gpu
    ]
    yield context.finding(
        [variant.at(gpu) for gpu in cut],
        msg(
            "{total} MIG instances on {gpus} GPUs form one group: no peer-to-peer, NVLink or NVLS between them, only "
            "shared memory and the NIC.",
            total=total,
            gpus=len(cut),
        ),
        variant=variant,
        measured=float(total),
        allowed=float(len(cut)),
        unit="instances",
        values={"instances": counts},
        fix=fix,
    )


@rule(
    "GPU-05",
    "warning",
    needs=("effective", "interior", "settings", "workload"),
    group="scale",
    subject="group",
    direction="down",
    title=N_("Host links of a tensor-parallel group differ"),
    checks=N_("The GPUs of one tensor-parallel group without NVLink have PCIe links of one rate."),
    reason=N_(
        "Every layer waits for the slowest exchange: a pair on Gen5 x16 and Gen4 x4 ran at 7.9 of 63 GB/s, and the "
        "model at a ninth of its speed."
    ),
    source="field case C143",
)
def gpu_05(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    view = server_view(variant.eff, context.project.parts)
    for group in tensor_groups(context, len(inside.gpus)):
        domains = {int(inside.nvlink_domain[g]) for g in group}
        links = [device_link(view, inside.gpus[g]) for g in group]
        known = [link for link in links if link is not None and link.parent]
        if len(known) < len(group) or (len(domains) == 1 and -1 not in domains):
            continue
        rates = [raw_gbs(link.lanes, link.gen) for link in known]
        low, high = min(rates), max(rates)
        if low >= high * 0.999:
            continue
        slow = [g for g, rate in zip(group, rates, strict=True) if rate < high * 0.999]
        worst = known[rates.index(low)]
        yield context.finding(
            [variant.at(inside.gpus[g]) for g in slow],
            msg(
                "{slow} set the pace of the tensor-parallel group {group}: Gen{gen} x{lanes}, {low} of {high} GB/s.",
                slow=gpu_names(inside, slow),
                group=gpu_names(inside, list(group)),
                gen=worst.gen,
                lanes=worst.lanes,
                low=round(low, 1),
                high=round(high, 1),
            ),
            variant=variant,
            measured=low,
            allowed=high,
            unit="GB/s",
            values={"group": [inside.gpus[g] for g in group], "rates_gbs": rates},
            fix=_faster_slot(context, variant, view, inside.gpus[group[rates.index(low)]], low),
        )


def _faster_slot(
    context: RuleContext, variant: Variant, view: ServerView, gpu: str, now: float
) -> tuple[EditCall, ...]:
    """The slowest GPU into a slot where its link is faster; a card of an older generation gains nothing by moving."""
    card = card_of_item(view.eff.items[gpu])

    def faster(seat: str) -> bool:
        link = slot_link(view, seat, card.lanes, card.gen) if card is not None else None
        return link is not None and raw_gbs(link.lanes, link.gen) > now * 1.001

    return move_to_better_slot(context, variant, view, gpu, faster)
