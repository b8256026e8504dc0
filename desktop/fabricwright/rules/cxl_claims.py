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
from fabricwright.rules.verdict import Verdict, contradictions, judges
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
    told = set()
    for verdict in (v for v in pooling_verdicts(context) if not v.holds):
        told.add((verdict.at[0].bare(), verdict.variant.sheet if verdict.variant else ""))
    yield from contradictions(context, pooling_verdicts(context))
    for variant in context.variants():
        view = server_view(variant.eff, context.project.parts)
        for cpu in sorted(_hosts_of_switches(view), key=natural_key):
            word = cxl_version(view, cpu)
            if (variant.at(cpu).bare(), variant.sheet) not in told and word and version_of(word) < POOLING:
                yield context.finding(
                    (variant.at(cpu),),
                    _host_text(cpu, word),
                    variant=variant,
                    measured=version_of(word),
                    allowed=POOLING,
                    unit="CXL version",
                    estimate=_guessed(view, cpu),
                )


def _hosts_of_switches(view: ServerView) -> set[str]:
    """Processors with a CXL switch below them."""
    rows = [n for n, i in view.eff.items.items() if i.part is not None and i.part.word("cxl") and view.tree.levels(n)]
    return {cpu for n in rows if n not in view.tree.cpus and (cpu := view.cpu_above(n))}


@judges("CXL-02")
def pooling_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Statements that memory is pooled, for every processor that they are about."""
    for statement in held(context.project, "cxl.pooling"):
        if not _claimed(statement):
            continue
        for about in meant(context, statement):
            view = server_view(about.variant.eff, context.project.parts)
            named = about.item if about.item in view.tree.cpus else view.cpu_above(about.item) if about.item else ""
            for cpu in [named] if named else view.tree.cpus:
                word = cxl_version(view, cpu)
                if about.variant.eff.items[cpu].part is None and not word:
                    continue
                version = version_of(word)
                yield Verdict(
                    statement,
                    version >= POOLING,
                    _host_text(cpu, word),
                    (about.variant.at(cpu),),
                    about.members,
                    about.variant,
                    version,
                    POOLING,
                    "CXL version",
                    estimate=_guessed(view, cpu),
                )


def _claimed(statement: Held) -> bool:
    return switched(statement.row.value) is True


def _host_text(cpu: str, word: str) -> Message:
    if not word:
        return msg("CXL pooling needs 2.0 or later; {cpu} has no CXL.", cpu=cpu)
    return msg("CXL pooling needs 2.0 or later; {cpu} speaks {version}.", cpu=cpu, version=word)


def _guessed(view: ServerView, cpu: str) -> bool:
    item = view.eff.items[cpu]
    figure = item.part.figures.get("cxl") if item.part is not None else None
    return item.estimate or ("cxl" not in item.config and figure is not None and figure.confidence != "read")


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
    yield from contradictions(context, loadstore_verdicts(context))


@judges("CXL-05")
def loadstore_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Statements on whether GPUs load from CXL memory."""
    for statement in held(context.project, "cxl.gpu_loadstore"):
        claimed = switched(statement.row.value)
        if claimed is None:
            continue
        for about in meant(context, statement):
            rows = about.variant.eff.items
            named = [about.item] if about.item and rows[about.item].kind == "gpu" else []
            gpus = named or sorted((i for i, item in rows.items() if item.kind == "gpu"), key=natural_key)
            without = [g for g in gpus if not ((part := rows[g].part) is not None and part.word("cxl"))]
            if not gpus:
                continue
            shown = (without or gpus)[0]
            text = (
                msg(
                    "{gpu} has no CXL: it reaches CXL memory only as host memory, by DMA through the processor.",
                    gpu=item_label(rows[shown]),
                )
                if without
                else msg("{gpu} has CXL.", gpu=item_label(rows[shown]))
            )
            yield Verdict(
                statement,
                claimed is False or not without,
                text,
                tuple(about.variant.at(gpu) for gpu in (without or gpus)),
                about.members,
                about.variant,
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
    yield from contradictions(context, offload_verdicts(context))


@judges("CXL-06")
def offload_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Statements on the latency of CXL offload, and that nothing moves over PCIe. A load latency that CXL memory does
    have holds as long as nobody states the bytes that are to move.
    """
    amount = _amount(context)
    for statement in held(context.project, "cxl.latency_ns", "cxl.no_pcie_moves"):
        latency = statement.number if statement.row.quantity == "cxl.latency_ns" else None
        if latency is None and not _claimed(statement):
            continue
        possible = latency is not None and not amount and latency >= LOCAL_NS + ADDED_NS[0]
        for variant, members, items in _subjects(context, statement):
            rate = _offload_gbs(context, variant, items, statement)
            if rate is None:
                continue
            yield Verdict(
                statement,
                possible,
                msg(
                    "A load from CXL memory takes about {low} to {high} ns.",
                    low=LOCAL_NS + ADDED_NS[0],
                    high=LOCAL_NS + ADDED_NS[1],
                )
                if possible
                else _offload_text(amount, rate, latency),
                tuple(variant.at(item) for item in items) or (variant.at(),),
                members,
                variant,
                amount / rate if amount else None,
                latency * 1e-9 if latency is not None and amount else None,
                "s" if amount else "",
                {"gbs": rate, "gb": amount},
                True,
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
