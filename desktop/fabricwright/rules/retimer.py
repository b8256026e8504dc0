"""RET: retimers in a link."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.design.effective import EffItem
from fabricwright.rules.card import item_label, upstream_port
from fabricwright.rules.context import RuleContext, Variant, own_items
from fabricwright.rules.finding import Finding
from fabricwright.rules.pcie_path import DeviceLink, ServerView, device_link, server_view
from fabricwright.rules.registry import rule
from fabricwright.rules.retimer_fixes import newer_retimer, without_one
from fabricwright.rules.statements import held, meant
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.topology.signal_loss import GIGATRANSFERS, errors_per_s
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

MOST_RETIMERS = 2

PASSIVE = ("retimer", "riser", "backplane", "connector", "external-box")
"""Kinds that a link passes through."""

RETIMER_NS = 20
"""Latency of a retimer (EK); of a switch, where its part does not say: a Gen5 chip (pex89144)."""
SWITCH_NS = 115

ERRORS_PER_S = 0.5
"""One replay in two seconds: Gen5 x16 at 1e-12 has 16 x 32e9 x 1e-12 = 0.51 errors/s (kandou)."""


@rule(
    "RET-01",
    "error",
    needs=("effective",),
    group="retimer & signal",
    subject="link",
    direction="up",
    title=N_("More than two retimers in a link"),
    checks=N_("Between two ports (root port, switch port, device) lie at most two retimers."),
    reason=N_("The PCIe specification allows two; link training and timeouts are laid out for that."),
    source="EK PCIe Base spec",
)
def ret_01(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        if view.is_passive(item_id) and item.kind in PASSIVE:
            continue
        link = device_link(view, item_id)
        if link is not None and len(link.retimers) > MOST_RETIMERS:
            yield context.finding(
                (variant.at(item_id), *(variant.at(r) for r in link.retimers)),
                msg(
                    "{count} retimers ({retimers}) between {device} and {parent}; a link takes at most {most}.",
                    count=len(link.retimers),
                    retimers=list(link.retimers),
                    device=item_label(item),
                    parent=f"{link.parent}:{link.port}" if link.port else link.parent,
                    most=MOST_RETIMERS,
                ),
                variant=variant,
                measured=float(len(link.retimers)),
                allowed=float(MOST_RETIMERS),
                unit="retimers",
                fix=without_one(context, variant, view, item_id),
            )


@rule(
    "RET-10",
    "error",
    needs=("effective",),
    group="retimer & signal",
    subject="retimer",
    direction="down",
    title=N_("Retimer older than the link"),
    checks=N_("A retimer is of the generation that both ends of its link could train to without it."),
    reason=N_("A retimer takes part in the training: the link falls back to what it can do."),
    source="EK",
)
def ret_10(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    found: dict[str, tuple[int, str]] = {}
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        link = device_link(view, item_id) if item.kind not in PASSIVE else None
        if link is None or not link.own_gen:
            continue
        ends = min([link.own_gen, *(s.gen for s in link.steps if s.gen and s.kind != "retimer")])
        for retimer in link.retimers:
            own = retimer_gen(variant.eff.items[retimer])
            if own and own < ends and ends > found.get(retimer, (0, ""))[0]:
                found[retimer] = ends, item_id
    for retimer, (ends, device) in found.items():
        row = variant.eff.items[retimer]
        own = retimer_gen(row)
        yield context.finding(
            (variant.at(retimer),),
            msg(
                "{retimer} limits the link of {device} to Gen{own}; both ends train to Gen{ends}.",
                retimer=item_label(row),
                device=item_label(variant.eff.items[device]),
                own=own,
                ends=ends,
            ),
            variant=variant,
            measured=float(own),
            allowed=float(ends),
            unit="PCIe gen",
            values={"device": device},
            fix=newer_retimer(context, variant, row, ends),
            estimate=bool(row.part and row.part.confidence != "read"),
        )


def retimer_gen(item: EffItem) -> int:
    """PCIe generation of a retimer, 0 when it is not known."""
    up = upstream_port(item.ports)
    return (up.gen if up is not None else 0) or (int(item.part.get("pcie_gen")) if item.part is not None else 0)


@rule(
    "RET-07",
    "info",
    needs=("effective", "statements"),
    scope="design",
    group="retimer & signal",
    subject="link",
    direction="up",
    title=N_("Bit error rate at the limit of the specification"),
    checks=N_("A stated bit error rate leaves less than one replay in two seconds on the links that it is about."),
    reason=N_("At 1e-12 a Gen5 x16 link has about one error, and one replay, in two seconds: the limit, not a margin."),
    source="kandou",
)
def ret_07(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, error_rate_verdicts(context))


@judges("RET-07")
def error_rate_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Statements on a bit error rate, for the fastest link that each is about."""
    for statement in held(context.project, "link.ber"):
        rate = statement.number
        if not rate or rate <= 0:
            continue
        for about in meant(context, statement):
            variant = about.variant
            links = _links(server_view(variant.eff, context.project.parts), about.item)
            if not links:
                continue
            device, link = max(links, key=lambda row: row[1].lanes * GIGATRANSFERS.get(row[1].gen, 0.0))
            errors = errors_per_s(link.lanes, link.gen, rate)
            figures = {"rate": f"{rate:g}", "lanes": link.lanes, "gen": link.gen, "device": device}
            seconds = round(1 / errors, 2) if errors else 0.0
            holds = errors < ERRORS_PER_S
            text = (
                msg(
                    "A bit error rate of {rate} on x{lanes} Gen{gen} ({device}) is a replay every {seconds} s.",
                    **figures,
                    seconds=seconds,
                )
                if holds
                else msg(
                    "A bit error rate of {rate} on x{lanes} Gen{gen} ({device}) is a replay every {seconds} s; ask for "
                    "1e-15.",
                    **figures,
                    seconds=seconds,
                )
            )
            yield Verdict(
                statement,
                holds,
                text,
                (variant.at(about.item) if about.item else variant.at(),),
                about.members,
                variant,
                errors,
                ERRORS_PER_S,
                "errors/s",
                {"seconds": 1 / errors if errors else 0.0},
            )


def _links(view: ServerView, item: str) -> list[tuple[str, DeviceLink]]:
    """The link above an item; without an item those of all devices that somebody put in."""
    wanted = [item] if item else [row.id for row in own_items(view.eff) if row.kind not in PASSIVE]
    found = [(name, device_link(view, name)) for name in wanted]
    return [(name, link) for name, link in found if link is not None and link.lanes and link.own_gen]


@rule(
    "RET-06",
    "fact",
    needs=("effective",),
    group="retimer & signal",
    subject="path",
    title=N_("Latency of retimers and switches"),
    checks=N_(
        "Shown for every GPU: what switches and retimers add on the way to its nearest NIC, else to the processor."
    ),
    reason=N_("A retimer adds about 20 ns, a switch about 115 ns (105 ns for Gen4 chips)."),
    source="linley; pex89144; EK",
)
def ret_06(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    nics = [i for i, item in variant.eff.items.items() if item.kind == "nic" and i in view.tree.feeds]
    paths: dict[tuple[int, int, int], list[str]] = {}
    for item_id in sorted(variant.eff.items, key=natural_key):
        if variant.eff.items[item_id].kind != "gpu" or item_id not in view.tree.feeds:
            continue
        ways = [added(view, between(view, item_id, nic)) for nic in nics] or [added(view, view.above(item_id))]
        best = min(ways, key=lambda way: way[2])
        if best[2]:
            paths.setdefault(best, []).append(item_id)
    for (switches, retimers, nanoseconds), gpus in paths.items():
        target = msg("nearest NIC") if nics else msg("processor")
        yield context.finding(
            [variant.at(gpu) for gpu in gpus],
            msg(
                "{nanoseconds} ns added between {gpus} and the {target} (switches: {switches}, retimers: {retimers}).",
                nanoseconds=nanoseconds,
                gpus=run_of(gpus),
                target=target,
                switches=switches,
                retimers=retimers,
            ),
            variant=variant,
            measured=float(nanoseconds),
            unit="ns",
            values={"switches": switches, "retimers": retimers},
            estimate=True,
        )


def run_of(names: list[str]) -> list[str]:
    """``gpu0-gpu7`` for three or more that follow one another, else all of them."""
    stem = names[0].rstrip("0123456789")
    first = names[0][len(stem) :]
    follows = first.isdigit() and names == [f"{stem}{int(first) + n}" for n in range(len(names))]
    return [f"{names[0]}-{names[-1]}"] if follows and len(names) > 2 else names


def between(view: ServerView, a: str, b: str) -> list[str]:
    """Nodes between two devices of one server, both left out: up to where their ways meet, that bridge included."""
    up, down = view.tree.chain(a), view.tree.chain(b)
    shared = next((n for n in up if n in down), "")
    if not shared:
        return [*up[1:], *down[1:]]
    nodes = [*up[1 : up.index(shared)], *down[1 : down.index(shared)]]
    return [*nodes, shared] if shared not in (a, b) else nodes


def added(view: ServerView, nodes: list[str]) -> tuple[int, int, int]:
    """(switches, retimers, ns that they add) among nodes of a path. A part's own latency counts where it is known."""
    switches = retimers = 0
    total = 0.0
    for node in nodes:
        item = view.tree.items[node]
        chip = view.parts.get(item.chip_part) if item.chip_part else None
        own = (chip.get("latency_ns") if chip else 0.0) or (item.part.get("latency_ns") if item.part else 0.0)
        if item.kind == "retimer":
            retimers += 1
            total += own or RETIMER_NS
        elif node not in view.tree.cpus and item.kind in ("pcie-switch", "pcie-switch-card") and view.tree.levels(node):
            switches += 1
            total += own or SWITCH_NS
    return switches, retimers, round(total)
