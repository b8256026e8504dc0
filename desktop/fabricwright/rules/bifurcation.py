"""BIF: how the lanes of a slot are split."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.ports import mode_of
from fabricwright.design.calls import EditCall
from fabricwright.rules.card import label
from fabricwright.rules.context import RuleContext, Variant, own_items
from fabricwright.rules.finding import Finding
from fabricwright.rules.pcie_path import ServerView, server_view, slot_split, split_lanes
from fabricwright.rules.predicates import allowed_splits, can_be_plugged, illegal_split, split_mismatch, split_name
from fabricwright.rules.registry import rule
from fabricwright.units.text import N_


@rule(
    "BIF-01",
    "error",
    needs=("effective",),
    group="bifurcation",
    subject="slot",
    title=N_("Split that the slot does not offer"),
    checks=N_("The split asked of a slot is one that its root port offers; boards list their own."),
    reason=N_("Firmware offers only some ways to divide an x16 root port."),
    source="EK",
)
def bif_01(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item in own_items(variant.eff):
        split = slot_split(item)
        reason = illegal_split(view, item.seat, split) if split and item.seat in variant.eff.slots else None
        if reason is not None:
            yield context.finding(
                (variant.at(item.id),),
                reason.message,
                variant=variant,
                values=reason.values,
                fix=_nearest_split(context, variant, view, item.id, split),
            )


def _nearest_split(
    context: RuleContext, variant: Variant, view: ServerView, item_id: str, split: str
) -> tuple[EditCall, ...]:
    """The offered split with as many parts (else the next more), the widest first part deciding."""
    wanted = split_lanes(split)
    item = view.eff.items[item_id]
    offered = [s for s in allowed_splits(view, item.seat) if len(split_lanes(s)) >= max(1, len(wanted))]
    if not offered or not wanted:
        return ()
    best = min(offered, key=lambda s: (len(split_lanes(s)), -split_lanes(s)[0]))
    owner = context.owner_sheet(variant.sheet, item_id)
    return (context.edit("set_config", owner, item=item_id, key="slot_split", value=best),)


@rule(
    "BIF-03",
    "error",
    needs=("effective",),
    group="bifurcation",
    subject="retimer card",
    title=N_("Slot and retimer card split differently"),
    checks=N_(
        "A retimer card's mode (1x16, 2x8, 4x4) and the split of its slot agree; a split that is not set counts as x16."
    ),
    reason=N_("A retimer passes lanes through: a split only one side knows of leaves the further devices unseen."),
    source="astera",
)
def bif_03(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item in own_items(variant.eff):
        if item.kind != "retimer" or item.part is None or item.seat not in variant.eff.slots:
            continue
        if not can_be_plugged(view, item):
            continue
        mode = mode_of(item.part, item.config)
        reason = split_mismatch(view, label(item.part), item.seat, mode, slot_split(item))
        if reason is None:
            continue
        wanted = split_name(split_lanes(mode))
        fix: tuple[EditCall, ...] = ()
        if wanted in allowed_splits(view, item.seat):
            owner = context.owner_sheet(variant.sheet, item.id)
            fix = (context.edit("set_config", owner, item=item.id, key="slot_split", value=wanted),)
        yield context.finding(
            (variant.at(item.id),),
            reason.message,
            variant=variant,
            measured=reason.measured,
            allowed=reason.allowed,
            unit=reason.unit,
            values=reason.values,
            fix=fix,
        )
