"""CXL: where an expander may sit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.rules.card import item_label, label
from fabricwright.rules.context import RuleContext, Variant, own_items
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import move_to_better_slot, restate
from fabricwright.rules.pcie_path import ServerView, device_link, server_view
from fabricwright.rules.predicates import behind_switch, can_be_plugged, no_cxl_here
from fabricwright.rules.registry import rule
from fabricwright.rules.switched import number_in, switched
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg


@rule(
    "CXL-01",
    "error",
    needs=("effective",),
    group="CXL",
    subject="slot, cxl",
    title=N_("No CXL at this slot"),
    checks=N_("The processor speaks CXL and the slot of the expander is one that offers it."),
    reason=N_("CXL runs on certain root ports of certain processors; elsewhere the card does not train as memory."),
    source="sth; xeon6; EK",
)
def cxl_01(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item in own_items(variant.eff):
        if item.kind != "cxl" or item.seat not in variant.eff.slots or not can_be_plugged(view, item):
            continue
        reason = no_cxl_here(view, label(item.part) or item.id, item.seat)
        if reason is not None:
            yield context.finding(
                (variant.at(item.id),),
                reason.message,
                variant=variant,
                values=reason.values,
                estimate=reason.estimate,
                fix=move_to_better_slot(context, variant, view, item.id),
            )


@rule(
    "CXL-04",
    "error",
    needs=("effective",),
    group="CXL",
    subject="cxl",
    title=N_("CXL memory behind a PCIe switch"),
    checks=N_("No plain PCIe switch lies between an expander and its processor."),
    reason=N_("CXL.mem is another protocol on the same pins; a PCIe switch does not forward it."),
    source="EK CXL spec",
)
def cxl_04(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item in own_items(variant.eff):
        feed = view.tree.feeds.get(item.id)
        if item.kind != "cxl" or feed is None or not can_be_plugged(view, item):
            continue
        reason = behind_switch(view, label(item.part) or item.id, feed.parent)
        if reason is not None:
            yield context.finding(
                (variant.at(item.id),),
                reason.message,
                variant=variant,
                values=reason.values,
                fix=move_to_better_slot(context, variant, view, item.id),
            )


def version_of(text: str) -> float:
    """CXL version as a number: "1.1+ (Type 3)" -> 1.1; 0 for none."""
    found = re.search(r"\d+(?:\.\d+)?", text)
    return float(found.group()) if found else 0.0


@rule(
    "CXL-03",
    "error",
    needs=("effective",),
    group="CXL",
    subject="server",
    direction="up",
    title=N_("More CXL lanes than the processor has"),
    checks=N_("The lanes of the expanders on a processor are within those on which it speaks CXL."),
    reason=N_("Only some of a processor's root ports can run CXL."),
    source="EK",
)
def cxl_03(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    lanes: dict[str, int] = {}
    cards: dict[str, list[str]] = {}
    for node, feed in view.tree.feeds.items():
        expanders = _reached(view, node) if feed.parent in view.tree.cpus else []
        if expanders:
            lanes[feed.parent] = lanes.get(feed.parent, 0) + feed.lanes
            cards.setdefault(feed.parent, []).extend(expanders)
    for cpu, used in lanes.items():
        item = variant.eff.items[cpu]
        stated = number_in(item.config.get("cxl_lanes"))
        figure = item.part.figures.get("cxl_lanes") if item.part is not None else None
        most = int(stated) if stated is not None else int(number_in(figure.value) or 0) if figure is not None else 0
        if not most or used <= most:
            continue
        yield context.finding(
            (variant.at(cpu), *(variant.at(c) for c in sorted(cards[cpu], key=natural_key))),
            msg("{cpu}: {used} CXL lanes asked, {most} there.", cpu=cpu, used=used, most=most),
            variant=variant,
            measured=float(used),
            allowed=float(most),
            unit="lanes",
            fix=_other_socket(context, variant, view, cpu, cards[cpu]),
            estimate=item.estimate if stated is not None else figure is not None and figure.confidence != "read",
        )


def _reached(view: ServerView, node: str) -> list[str]:
    """Expanders that hang on a root port through ``node``: itself, or below retimers and CXL switches only."""
    item = view.tree.items[node]
    if item.kind == "cxl":
        return [node]
    if view.tree.levels(node) > 0 and not (item.part is not None and item.part.word("cxl")):
        return []
    return [found for child in view.children().get(node, ()) for found in _reached(view, child)]


def _other_socket(
    context: RuleContext, variant: Variant, view: ServerView, cpu: str, cards: list[str]
) -> tuple[EditCall, ...]:
    for card in sorted(cards, key=natural_key, reverse=True):
        moved = move_to_better_slot(
            context, variant, view, card, lambda seat: view.cpu_above(view.feed_of_slot(seat)[0]) not in ("", cpu)
        )
        if moved:
            return moved
    return ()


@rule(
    "CXL-10",
    "warning",
    needs=("effective",),
    group="CXL",
    subject="cxl",
    title=N_("Retimer that does not pass CXL"),
    checks=N_("Retimers between an expander and its processor are made for CXL, where this is known."),
    reason=N_("A retimer that follows the PCIe protocol only does not bring up the CXL modes of the link."),
    source="astera (PCIe/CXL retimers)",
)
def cxl_10(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item_id in sorted(variant.eff.items, key=natural_key):
        link = device_link(view, item_id) if variant.eff.items[item_id].kind == "cxl" else None
        for retimer in link.retimers if link is not None else ():
            row = variant.eff.items[retimer]
            if _passes_cxl(row) is not False:
                continue
            yield context.finding(
                (variant.at(retimer), variant.at(item_id)),
                msg(
                    "{retimer} does not pass CXL; {card} needs a retimer that does.",
                    retimer=item_label(row),
                    card=item_label(variant.eff.items[item_id]),
                ),
                variant=variant,
                values={"card": item_id},
            )


def _passes_cxl(item: EffItem) -> bool | None:
    """Stated on the item, else a figure ``cxl`` of the part ("no", or a version); None when nobody says."""
    stated = switched(item.config.get("cxl"))
    if stated is not None or item.part is None or "cxl" not in item.part.figures:
        return stated
    value = item.part.figures["cxl"].value
    known = switched(value)
    return known if known is not None else bool(value)


@rule(
    "CXL-11",
    "error",
    needs=("effective",),
    group="CXL",
    subject="cxl, server",
    title=N_("Firmware without CXL"),
    checks=N_("Where an expander is drawn, firmware is not stated to be without CXL support."),
    reason=N_("Firmware has to publish the memory range; without it the card trains as a PCIe device without memory."),
    source="C061 (from field cases)",
)
def cxl_11(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    stated = context.config_of_chassis(variant.sheet).get("cxl_bios")
    if switched(stated) is not False and str(stated).strip().lower() != "absent":
        return
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        if item.kind == "cxl":
            yield context.finding(
                (variant.at(item_id),),
                msg("{card} trains as a PCIe device without memory: CXL is off in firmware.", card=item_label(item)),
                variant=variant,
                fix=restate(context, variant, "chassis", "cxl_bios", "on"),
            )
