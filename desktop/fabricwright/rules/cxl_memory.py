"""CXL-07, CXL-08, CXL-09: how much CXL memory, how far away, how fast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fabricwright.design.calls import EditCall
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.legality import host_memory_gb
from fabricwright.rules.moves import move_to_better_slot
from fabricwright.rules.pcie_path import DeviceLink, ServerView, device_link, raw_gbs, server_view
from fabricwright.rules.predicates import behind_switch
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import held, meant
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.topology.fitted_memory import card_memory_gb
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

MOST_TIMES = 3
"""CXL memory of a socket per local memory beyond which everything depends on tiering."""

LOCAL_NS = 100
ADDED_NS = (70, 170)
SWITCH_NS = (70, 100)
"""Load latency: local DDR 80-110 ns (EK; 80.8 measured), an expander 70-170 ns more (pond 70-90, supmario to 410 in
all), a CXL switch 70-100 ns more (EK)."""

READ_SHARE = 30 / 31.5
"""Part of the raw rate that reads of an expander may ask for: 30 of 31.5 GB/s on Gen5 x8 (cz120)."""


def expanders(variant: Variant) -> list[str]:
    """Items that are CXL memory."""
    return sorted((i for i, item in variant.eff.items.items() if item.kind == "cxl"), key=natural_key)


@rule(
    "CXL-07",
    "warning",
    needs=("effective",),
    group="CXL",
    subject="numa",
    direction="up",
    title=N_("Far more CXL than local memory"),
    checks=N_("The CXL memory on a socket is at most three times the DDR memory of that socket."),
    reason=N_("Most accesses then go to the slower memory; 60 % of workloads lose more than 5 % by that."),
    source="pond (60 % of workloads slow by >5 %)",
)
def cxl_07(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    cards = expanders(variant)
    if not cards:
        return
    view = server_view(variant.eff, context.project.parts)
    rows = [variant.eff.items[c] for c in cards]
    sizes = {row.id: card_memory_gb(row.part, row.config) for row in rows if row.part is not None}
    every = sum(sizes.values())
    local = host_memory_gb(view, context.config_of_chassis(variant.sheet)) - every
    if local <= 0 or not view.tree.cpus:
        return
    own = local / len(view.tree.cpus)
    for cpu in view.tree.cpus:
        here = [c for c in sizes if view.cpu_above(c) == cpu]
        far = sum(sizes[c] for c in here)
        if far <= MOST_TIMES * own:
            continue
        full = [c for c in here if not _read(variant, c)]
        text = (
            msg(
                "{far} GB CXL beside {own} GB DDR on {cpu}: {times} times.",
                far=far,
                own=own,
                cpu=cpu,
                times=_times(far, own),
            )
            if len(view.tree.cpus) == 1
            else msg(
                "{far} GB CXL beside {own} GB DDR on {cpu} ({local} GB taken as even over {sockets} sockets): {times} "
                "times.",
                far=far,
                own=own,
                cpu=cpu,
                local=local,
                sockets=len(view.tree.cpus),
                times=_times(far, own),
            )
        )
        if full:
            text = msg("{text} (Size of {cards} not stated: fully populated assumed.)", text=text, cards=full)
        yield context.finding(
            (variant.at(cpu), *(variant.at(c) for c in here)),
            text,
            variant=variant,
            measured=far / own,
            allowed=float(MOST_TIMES),
            unit="x",
            values={"cxl_gb": far, "ddr_gb": own},
            estimate=bool(full),
        )


def _times(far: float, own: float) -> float:
    return round(far / own, 1)


def _read(variant: Variant, item: str) -> bool:
    """Whether the size of a card is stated or read."""
    row = variant.eff.items[item]
    figure = row.part.figures.get("memory_gb") if row.part is not None else None
    return "gib" in row.config or (figure is not None and figure.confidence == "read")


@rule(
    "CXL-08",
    "fact",
    needs=("effective",),
    group="CXL",
    subject="cxl",
    title=N_("Latency of CXL memory"),
    checks=N_("Shown for every expander: local memory's latency, 70 to 170 ns for CXL, 70 to 100 ns for a CXL switch."),
    reason=N_("The processor reads CXL memory through a serial link and a controller."),
    source="pond; supmario",
)
def cxl_08(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    groups: dict[int, list[str]] = {}
    for card in expanders(variant):
        if view.cpu_above(card) and not behind_switch(view, card, view.tree.feeds[card].parent):
            groups.setdefault(sum(view.tree.levels(n) > 0 for n in view.above(card)), []).append(card)
    for switches, cards in groups.items():
        low = LOCAL_NS + ADDED_NS[0] + switches * SWITCH_NS[0]
        high = LOCAL_NS + ADDED_NS[1] + switches * SWITCH_NS[1]
        yield context.finding(
            [variant.at(card) for card in cards],
            msg("A load from {cards} takes about {low} to {high} ns.", cards=cards, low=low, high=high),
            variant=variant,
            measured=float(high),
            unit="ns",
            values={"low_ns": low, "high_ns": high, "switches": switches},
            estimate=True,
        )


@rule(
    "CXL-09",
    "warning",
    needs=("effective", "statements"),
    scope="design",
    group="CXL",
    subject="cxl",
    direction="up",
    title=N_("Expander link too narrow for the stated reads"),
    checks=N_("Stated reads are within what the link of the expanders carries: 30 of 31.5 GB/s raw on Gen5 x8."),
    reason=N_("Reads come one way through the link; the slowest of module, retimer and port decides."),
    source="cz120",
)
def cxl_09(context: RuleContext) -> Iterator[Finding]:
    for found in contradictions(context, read_verdicts(context)):
        moved = found.values.get("moves")
        yield replace(found, fix=_wider_slot(context, str(moved), found.sheet)) if moved else found


@judges("CXL-09")
def read_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Statements on the read bandwidth of an expander, or of all expanders of a server together."""
    for statement in held(context.project, "cxl.read_gbs"):
        asked = statement.number
        if not asked:
            continue
        for about in meant(context, statement):
            variant = about.variant
            view = server_view(variant.eff, context.project.parts)
            cards = [about.item] if about.item else expanders(variant)
            links = [(c, link) for c in cards if (link := _link(view, c)) is not None]
            raw = sum(raw_gbs(link.lanes, link.gen) for _, link in links)
            if not links:
                continue
            narrowed = len(links) == 1 and links[0][1].narrowest() is not None
            yield Verdict(
                statement,
                asked <= READ_SHARE * raw,
                msg(
                    "{asked} GB/s of reads asked of {cards}; {links} give {raw} GB/s raw per direction.",
                    asked=round(asked, 1),
                    cards=[card for card, _ in links],
                    links=[f"x{link.lanes} Gen{link.gen}" for _, link in links],
                    raw=round(raw, 1),
                ),
                tuple(variant.at(card) for card, _ in links),
                about.members,
                variant,
                asked,
                READ_SHARE * raw,
                "GB/s",
                {"raw_gbs": raw, "moves": links[0][0] if narrowed else ""},
            )


def _wider_slot(context: RuleContext, card: str, sheet: str) -> tuple[EditCall, ...]:
    """Move an expander whose slot is what narrows its link."""
    for variant in context.variants():
        if variant.sheet == sheet:
            view = server_view(variant.eff, context.project.parts)
            return move_to_better_slot(context, variant, view, card)
    return ()


def _link(view: ServerView, card: str) -> DeviceLink | None:
    item = view.eff.items.get(card)
    link = device_link(view, card) if item is not None and item.kind == "cxl" else None
    return link if link is not None and link.lanes else None
