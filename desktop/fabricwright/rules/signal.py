"""RET-02, RET-03, RET-08, RET-09: whether the signal of a PCIe link arrives."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.design.options import stated
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import link_sheet
from fabricwright.rules.pcie_path import ServerView, raw_gbs, server_view
from fabricwright.rules.registry import rule
from fabricwright.rules.retimer_cables import enclosure
from fabricwright.rules.signal_fixes import within
from fabricwright.rules.switched import switched
from fabricwright.topology.pcie_tree import TREE_MEDIA
from fabricwright.topology.signal import Segment, SignalPath
from fabricwright.topology.signal_loss import AIC_SHARE_DB, BUDGET_DB, BUDGET_READ, MARGIN, Element
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, Message, msg


def lossy(view: ServerView, low: float, high: float) -> Iterator[tuple[SignalPath, Segment]]:
    """Segments whose known loss lies above ``low`` and up to ``high`` times the budget, one per place."""
    told: set[tuple[str, str]] = set()
    for node in sorted(view.tree.signal, key=natural_key):
        path = view.tree.signal[node]
        for segment in path.segments:
            share = segment.loss_db / segment.budget_db if segment.budget_db else 0.0
            place = (segment.upper, segment.lower)
            if segment.known and low * (1 + 1e-9) < share <= high * (1 + 1e-9) and place not in told:
                told.add(place)
                yield path, segment


def _finding(
    context: RuleContext, variant: Variant, view: ServerView, path: SignalPath, segment: Segment, allowed: float
) -> Finding:
    item = view.tree.items[path.device]
    cables = [e.name for e in segment.elements if e.kind == "cable" and e.name in variant.eff.links]
    at = [variant.at(item.id), *(variant.at(name) for name in cables)]
    figures = {
        "device": item_label(item),
        "upper": segment.upper,
        "lower": segment.lower,
        "loss": round(segment.loss_db, 2),
        "budget": segment.budget_db,
        "gen": path.gen,
    }
    board = [e for e in segment.elements if e.kind == "board" and e.assumed]
    return context.finding(
        at,
        _message(path, segment, figures, round(sum(e.at(path.gen) for e in board), 2)),
        variant=variant,
        measured=segment.loss_db,
        allowed=allowed,
        unit="dB",
        values={
            "segment": segment.name,
            "falls_to": path.falls_to,
            "elements": [f"{e.kind} {e.name}: {round(e.at(path.gen), 2)} dB" for e in segment.elements],
        },
        fix=within(context, variant, view, path, segment, allowed),
        estimate=segment.estimate or path.gen not in BUDGET_READ,
    )


def _message(path: SignalPath, segment: Segment, figures: dict[str, object], board_db: float) -> Message:
    if segment.loss_db <= segment.budget_db * (1 + 1e-9):
        if board_db:
            return msg(
                "{device}: {loss} dB between {upper} and {lower} leave less than 15 % of the {budget} dB of Gen{gen} "
                "(board trace not stated, {board} dB assumed).",
                **figures,
                board=board_db,
            )
        return msg(
            "{device}: {loss} dB between {upper} and {lower} leave less than 15 % of the {budget} dB of Gen{gen}.",
            **figures,
        )
    figures |= {
        "falls": path.falls_to,
        "rate": round(raw_gbs(path.lanes, path.falls_to), 1),
        "full": round(raw_gbs(path.lanes, path.gen), 1),
    }
    if board_db:
        return msg(
            "{device}: {loss} dB between {upper} and {lower}, over the {budget} dB of Gen{gen} (board trace not "
            "stated, {board} dB assumed); expect Gen{falls}, {rate} of {full} GB/s.",
            **figures,
            board=board_db,
        )
    return msg(
        "{device}: {loss} dB between {upper} and {lower}, over the {budget} dB of Gen{gen}; expect Gen{falls}, {rate} "
        "of {full} GB/s.",
        **figures,
    )


@rule(
    "RET-02",
    "error",
    needs=("effective",),
    group="retimer & signal",
    subject="link segment",
    direction="up",
    title=N_("Signal loss over the budget"),
    checks=N_(
        "Between two places where the signal starts afresh, packages, traces, connectors and cables together lose no "
        "more than the budget: 22, 28, 36, 32 dB for Gen3, 4, 5, 6."
    ),
    reason=N_("Beyond it the receiver finds no open eye: the link trains slower, shows errors or stays down."),
    source="astera; edn_il",
)
def ret_02(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for path, segment in lossy(view, 1.0, float("inf")):
        yield _finding(context, variant, view, path, segment, segment.budget_db)


@rule(
    "RET-03",
    "warning",
    needs=("effective",),
    group="retimer & signal",
    subject="link segment",
    direction="up",
    title=N_("Little margin of signal loss"),
    checks=N_("A segment keeps 15 % of the loss budget of its generation free."),
    reason=N_("Temperature, humidity and the spread of boards and connectors take 10 to 20 % of it."),
    source="astera (10-20 %)",
)
def ret_03(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for path, segment in lossy(view, 1 - MARGIN, 1.0):
        yield _finding(context, variant, view, path, segment, segment.budget_db * (1 - MARGIN))


@rule(
    "RET-08",
    "warning",
    needs=("effective",),
    group="retimer & signal",
    subject="AIC",
    direction="up",
    title=N_("Card takes more than its share of the loss"),
    checks=N_(
        "What is stated about a card, its auxiliary card and the harness between them stays within the share of an "
        "add-in card (9.5 dB at Gen5)."
    ),
    reason=N_("Boards are laid out for that share: what the card takes more, the trace to its slot must take less."),
    source="cx8il",
)
def ret_08(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        path = view.tree.signal.get(item_id)
        if path is None or path.gen not in BUDGET_DB or item.seat not in variant.eff.slots:
            continue
        own = [
            e
            for segment in path.segments
            for e in segment.elements
            if e.name == item_id and e.source == "stated" and e.kind in ("card", "cable")
        ]
        loss = sum(e.db for e in own)
        share = Element("card", item_id, AIC_SHARE_DB).at(path.gen)
        if loss <= share * (1 + 1e-9):
            continue
        excess = loss - share
        yield context.finding(
            (variant.at(item_id),),
            msg(
                "{card}: {loss} dB on the card ({parts}) over the {share} dB of an add-in card; make the board trace "
                "to its slot {excess} dB shorter.",
                card=item_label(item),
                loss=round(loss, 2),
                parts=" + ".join(f"{e.db:g}" for e in own),
                share=round(share, 2),
                excess=round(excess, 2),
            ),
            variant=variant,
            measured=loss,
            allowed=share,
            unit="dB",
            values={"excess": excess},
            estimate=path.gen != 5,
        )


@rule(
    "RET-09",
    "warning",
    needs=("effective",),
    group="retimer & signal",
    subject="clock",
    title=N_("Reference clocks differ across a cable"),
    checks=N_("Both ends of a PCIe cable that leaves its box state the same kind of reference clock."),
    reason=N_("With one end on a common clock and the other on its own, the link drifts, replays or does not train."),
    source="astera (clock modes)",
)
def ret_09(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for name in sorted(variant.eff.links, key=natural_key):
        link = variant.eff.links[name]
        if link.medium not in TREE_MEDIA:
            continue
        part = view.parts.get(link.cable)
        outside = switched(link.config.get("outside")) or (part is not None and part.word("cable_where") == "outside")
        if not outside and enclosure(view, link.a) == enclosure(view, link.b):
            continue
        clocks = [stated(link.config, key) for key in ("clock.a", "clock.b")]
        words = [str(c).strip().lower() for c in clocks if c is not None]
        if len(words) < 2 or words[0] == words[1]:
            continue
        yield context.finding(
            (variant.at(name),),
            msg(
                "Cable {cable}: {a} at one end, {b} at the other; enable SRIS at both or pass the reference clock on.",
                cable=name,
                a=_clock(words[0]),
                b=_clock(words[1]),
            ),
            variant=variant,
            values={"a": words[0], "b": words[1]},
            fix=(
                context.edit(
                    "set_link",
                    link_sheet(context, variant.sheet, name),
                    link=name,
                    config={"clock.a": "sris", "clock.b": "sris"},
                ),
            ),
        )


def _clock(word: str) -> Message | str:
    """``SRIS`` and ``SRNS`` as they are known."""
    return msg("common clock") if word == "common" else word.upper()
