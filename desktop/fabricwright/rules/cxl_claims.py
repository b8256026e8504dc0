"""CXL-02, CXL-05, CXL-06: what is said of CXL against what the drawn hosts and GPUs can do."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.ports import ports_of
from fabricwright.design.indexset import IndexSet
from fabricwright.rules.card import item_label, upstream_port
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.cxl import version_of
from fabricwright.rules.cxl_memory import ADDED_NS, LOCAL_NS, expanders
from fabricwright.rules.finding import Finding
from fabricwright.rules.pcie_path import PAYLOAD_SHARE, ServerView, device_link, raw_gbs, server_view
from fabricwright.rules.predicates import cxl_version
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, about_design, held, meant
from fabricwright.rules.switched import switched
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, Message, msg

POOLING = 2.0
"""CXL version from which there are switches and pools (CXL specification)."""

SAME_AS_LINK = 0.95
"""A module's stated bandwidth from 95 % of its link's payload on is the link itself, measured through it."""


@rule(
    "CXL-02",
    "error",
    needs=("effective", "statements"),
    scope="design",
    group="CXL",
    subject="cxl switch/pool",
    direction="down",
    title=N_("Pooling with CXL 1.1 hosts"),
    checks=N_("Where a CXL switch is drawn or pooling is stated, the processors speak CXL 2.0 or later."),
    reason=N_("CXL 1.1 attaches a device directly; switches and pools came with 2.0."),
    source="EK CXL spec; xeon6",
)
def cxl_02(context: RuleContext) -> Iterator[Finding]:
    told: set[tuple[str, str, str]] = set()
    for statement in held(context.project, "cxl.pooling"):
        if not _claimed(statement):
            continue
        for about in meant(context, statement):
            view = server_view(about.variant.eff, context.project.parts)
            named = about.item if about.item in view.tree.cpus else view.cpu_above(about.item) if about.item else ""
            for cpu in [named] if named else view.tree.cpus:
                place = (about.variant.item, about.variant.sheet, cpu)
                if place not in told and (finding := _too_old(context, about.variant, view, cpu, about.members)):
                    told.add(place)
                    yield finding
    for variant in context.variants():
        view = server_view(variant.eff, context.project.parts)
        for node in sorted(variant.eff.items, key=natural_key):
            item = variant.eff.items[node]
            is_cxl_switch = item.part is not None and item.part.word("cxl") and view.tree.levels(node) > 0
            cpu = view.cpu_above(node) if is_cxl_switch and node not in view.tree.cpus else ""
            if cpu and (variant.item, variant.sheet, cpu) not in told:
                finding = _too_old(context, variant, view, cpu, variant.members)
                if finding is not None:
                    told.add((variant.item, variant.sheet, cpu))
                    yield finding


def _claimed(statement: Held) -> bool:
    return switched(statement.row.value) is True


def _too_old(context: RuleContext, variant: Variant, view: ServerView, cpu: str, members: IndexSet) -> Finding | None:
    item = variant.eff.items[cpu]
    word = cxl_version(view, cpu)
    version = version_of(word)
    if version >= POOLING or (item.part is None and not word):
        return None
    text: Message = (
        msg("CXL pooling needs 2.0 or later; {cpu} speaks {version}.", cpu=cpu, version=word)
        if version
        else msg("CXL pooling needs 2.0 or later; {cpu} has no CXL.", cpu=cpu)
    )
    figure = item.part.figures.get("cxl") if item.part is not None else None
    return context.finding(
        (variant.at(cpu),),
        text,
        variant=variant,
        members=members,
        measured=version,
        allowed=POOLING,
        unit="CXL version",
        estimate=item.estimate or ("cxl" not in item.config and figure is not None and figure.confidence != "read"),
    )


@rule(
    "CXL-05",
    "error",
    needs=("effective", "statements"),
    scope="design",
    group="CXL",
    subject="gpu, cxl",
    title=N_("GPU does not load from CXL memory"),
    checks=N_("No statement has a GPU without CXL read or write CXL memory by load and store."),
    reason=N_("A GPU without CXL sees that memory as host memory, by DMA over its own PCIe link."),
    source="seedA SD21",
)
def cxl_05(context: RuleContext) -> Iterator[Finding]:
    for statement in held(context.project, "cxl.gpu_loadstore"):
        if not _claimed(statement):
            continue
        for about in meant(context, statement):
            rows = about.variant.eff.items
            named = [about.item] if about.item and rows[about.item].kind == "gpu" else []
            gpus = named or sorted((i for i, item in rows.items() if item.kind == "gpu"), key=natural_key)
            gpus = [g for g in gpus if not ((part := rows[g].part) is not None and part.word("cxl"))]
            if gpus:
                yield context.finding(
                    [about.variant.at(gpu) for gpu in gpus],
                    msg(
                        "{gpu} has no CXL: it reaches CXL memory only as host memory, by DMA through the processor.",
                        gpu=item_label(rows[gpus[0]]),
                    ),
                    variant=about.variant,
                    members=about.members,
                    values={"statement": statement.id},
                )


@rule(
    "CXL-06",
    "warning",
    needs=("effective", "statements"),
    scope="design",
    group="CXL",
    subject="offload",
    direction="up",
    title=N_("Offload is bulk transfer"),
    checks=N_(
        "Stated latencies of CXL offload, and statements that nothing moves over PCIe, are held against the time "
        "that the bytes take over the slowest of GPU link, CXL link and memory."
    ),
    reason=N_("Load latency is about 64 bytes; an offload moves gigabytes over the GPU's PCIe link and the CXL link."),
    source="seedA SD20/22; krnl_cxl min rule",
)
def cxl_06(context: RuleContext) -> Iterator[Finding]:
    amount = _amount(context)
    for statement in held(context.project, "cxl.latency_ns", "cxl.no_pcie_moves"):
        latency = statement.number if statement.row.quantity == "cxl.latency_ns" else None
        if latency is None and not _claimed(statement):
            continue
        if latency is not None and not amount and latency >= LOCAL_NS + ADDED_NS[0]:
            continue  # a load latency that CXL does have, and no bytes stated
        for variant, members, items in _subjects(context, statement):
            rate = _offload_gbs(context, variant, items, statement)
            if rate is None:
                continue
            yield context.finding(
                [variant.at(item) for item in items] or (variant.at(),),
                _offload_text(amount, rate, latency),
                variant=variant,
                members=members,
                measured=amount / rate if amount else None,
                allowed=latency * 1e-9 if latency is not None and amount else None,
                unit="s" if amount else "",
                values={"statement": statement.id, "gbs": rate, "gb": amount},
                estimate=True,
            )


def _amount(context: RuleContext) -> float:
    """GB that one GPU offloads, as stated; 0 when nobody says."""
    stated = held(context.project, "model.state_per_gpu_gb")
    return max((s.number or 0.0 for s in stated if about_design(s, context.design_id)), default=0.0)


def _subjects(context: RuleContext, statement: Held) -> Iterator[tuple[Variant, IndexSet, list[str]]]:
    """Servers with GPUs that a statement is about, and the expanders that it names. A part that the design does not
    use is spoken of for all of them.
    """
    found = list(meant(context, statement))
    if not found and statement.scope == "part" and about_design(statement, context.design_id):
        for variant in context.variants():
            yield variant, variant.members, []
        return
    groups: dict[tuple[str, str], tuple[Variant, IndexSet, list[str]]] = {}
    for about in found:
        key = (about.variant.item, about.variant.sheet)
        row = groups.setdefault(key, (about.variant, about.members, []))
        if about.item and about.item not in row[2]:
            row[2].append(about.item)
    yield from groups.values()


def _offload_gbs(context: RuleContext, variant: Variant, items: list[str], statement: Held) -> float | None:
    """GB/s of one GPU's offload: the least of its PCIe link, the CXL link and the module. None without a GPU."""
    view = server_view(variant.eff, context.project.parts)
    rates: list[float] = []
    for item_id, item in variant.eff.items.items():
        link = device_link(view, item_id) if item.kind == "gpu" else None
        if link is not None and link.lanes and link.own_gen:
            rates.append(PAYLOAD_SHARE * raw_gbs(link.lanes, link.gen))
    if not rates:
        return None
    for card in [i for i in items if variant.eff.items[i].kind == "cxl"] or expanders(variant):
        link = device_link(view, card)
        part = variant.eff.items[card].part
        if link is not None and link.lanes:
            payload = PAYLOAD_SHARE * raw_gbs(link.lanes, link.gen)
            module = part.get("memory_gbs") if part is not None else 0.0
            rates.append(min(payload, module) if 0 < module < SAME_AS_LINK * payload else payload)
    part = context.project.parts.get(statement.name) if statement.scope == "part" else None
    up = upstream_port(ports_of(part, {})) if part is not None else None
    if up is not None and up.lanes and up.gen:
        rates.append(PAYLOAD_SHARE * raw_gbs(up.lanes, up.gen))
    return min(rates)


def _offload_text(amount: float, rate: float, latency: float | None) -> Message:
    if amount and latency is not None:
        return msg(
            "Offload moves {amount} GB at {rate} GB/s in {seconds} s; a latency of {latency} ns does not apply to it.",
            amount=round(amount, 1),
            rate=round(rate, 1),
            seconds=round(amount / rate, 1),
            latency=round(latency),
        )
    if latency is not None:
        return msg(
            "Offload moves at {rate} GB/s; a latency of {latency} ns is below that of CXL memory and does not apply to "
            "it.",
            rate=round(rate, 1),
            latency=round(latency),
        )
    if amount:
        return msg(
            "Offload to CXL still crosses the GPU's PCIe link and the CXL link: {amount} GB at {rate} GB/s take "
            "{seconds} s.",
            amount=round(amount, 1),
            rate=round(rate, 1),
            seconds=round(amount / rate, 1),
        )
    return msg(
        "Offload to CXL still crosses the GPU's PCIe link and the CXL link, at {rate} GB/s at most.",
        rate=round(rate, 1),
    )
