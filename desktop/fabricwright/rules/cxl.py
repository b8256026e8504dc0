"""CXL: where an expander may sit."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.rules.card import label
from fabricwright.rules.context import RuleContext, Variant, own_items
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import move_to_better_slot
from fabricwright.rules.pcie_path import server_view
from fabricwright.rules.predicates import behind_switch, can_be_plugged, no_cxl_here
from fabricwright.rules.registry import rule
from fabricwright.units.text import N_


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
