"""BIF: how the lanes of a slot are split."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.ports import mode_of
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.rules.card import item_label, label
from fabricwright.rules.card_findings import Question, ask_cards
from fabricwright.rules.context import RuleContext, Variant, own_items
from fabricwright.rules.finding import Finding
from fabricwright.rules.lanes import is_switch
from fabricwright.rules.moves import move_to_better_slot
from fabricwright.rules.pcie_path import ServerView, server_view, slot_split, split_lanes
from fabricwright.rules.predicates import can_be_plugged
from fabricwright.rules.reason import Reason
from fabricwright.rules.registry import rule
from fabricwright.rules.slot_splits import allowed_splits, illegal_split, split_mismatch, split_name
from fabricwright.units.text import N_, msg


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
    yield from ask_cards(context, variant, _illegal("BIF-01"), _nearest_split)


def _illegal(rule_id: str) -> Question:
    """What is wrong with the split asked of a card's slot, where that is this rule's matter."""

    def question(view: ServerView, item: EffItem) -> Reason | None:
        split = slot_split(item)
        reason = illegal_split(view, item.seat, split) if split and item.seat in view.eff.slots else None
        return reason if reason is not None and reason.rule == rule_id else None

    return question


def _set_split(context: RuleContext, variant: Variant, item: EffItem, split: str) -> tuple[EditCall, ...]:
    owner = context.owner_sheet(variant.sheet, item.id)
    return (context.edit("set_config", owner, item=item.id, key="slot_split", value=split),)


def _nearest_split(context: RuleContext, variant: Variant, view: ServerView, item: EffItem) -> tuple[EditCall, ...]:
    """The offered split with as many parts (else the next more), the widest first part deciding."""
    wanted = split_lanes(slot_split(item))
    offered = [s for s in allowed_splits(view, item.seat) if len(split_lanes(s)) >= max(1, len(wanted))]
    if not offered or not wanted:
        return ()
    best = min(offered, key=lambda s: (len(split_lanes(s)), -split_lanes(s)[0]))
    return _set_split(context, variant, item, best)


@rule(
    "BIF-02",
    "error",
    needs=("effective",),
    group="bifurcation",
    subject="slot",
    title=N_("Split of a port that is not split"),
    checks=N_("No split is asked of a root port that offers x16 only, nor of a port of a PCIe switch."),
    reason=N_("Where firmware or processor do not divide the port, only the first device appears."),
    source="EK",
)
def bif_02(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from ask_cards(context, variant, _illegal("BIF-02"), _slot_with)


def _slot_with(context: RuleContext, variant: Variant, view: ServerView, item: EffItem) -> tuple[EditCall, ...]:
    """Move the card to a slot whose root port offers the split."""
    split = slot_split(item)
    return move_to_better_slot(context, variant, view, item.id, lambda seat: split in allowed_splits(view, seat))


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
    yield from ask_cards(context, variant, _mismatch, _as_retimer)


def _mismatch(view: ServerView, item: EffItem) -> Reason | None:
    if item.kind != "retimer" or item.part is None or item.seat not in view.eff.slots:
        return None
    if not can_be_plugged(view, item):
        return None
    return split_mismatch(view, label(item.part), item.seat, mode_of(item.part, item.config), slot_split(item))


def _as_retimer(context: RuleContext, variant: Variant, view: ServerView, item: EffItem) -> tuple[EditCall, ...]:
    """Split the slot as the retimer card is set, where its root port offers that."""
    assert item.part is not None
    wanted = split_name(split_lanes(mode_of(item.part, item.config)))
    return _set_split(context, variant, item, wanted) if wanted in allowed_splits(view, item.seat) else ()


@rule(
    "BIF-04",
    "error",
    needs=("effective",),
    group="bifurcation",
    subject="adapter",
    direction="down",
    title=N_("Passive adapter in a slot that is not split"),
    checks=N_("A passive adapter for several devices sits in a slot that is split for all of them."),
    reason=N_("A passive adapter divides wires, not links: without the split only the first device appears."),
    source="EK",
)
def bif_04(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item in own_items(variant.eff):
        wanted = split_lanes(item.part.word("needs_bifurcation")) if item.part is not None else ()
        if len(wanted) < 2 or view.feed_of_slot(item.seat)[0] not in view.tree.cpus:
            continue
        split = slot_split(item)
        seen = min(len(split_lanes(split)) or 1, len(wanted))
        if seen >= len(wanted):
            continue
        text = (
            msg(
                "{card} needs slot {slot} split {wanted}; it is {split}: {seen} of {count} devices appear.",
                card=item_label(item),
                slot=view.slot_label(item.seat),
                wanted=split_name(wanted),
                split=split,
                seen=seen,
                count=len(wanted),
            )
            if split
            else msg(
                "{card} needs slot {slot} split {wanted}; the split is not set and counts as x16: {seen} of {count} "
                "devices appear.",
                card=item_label(item),
                slot=view.slot_label(item.seat),
                wanted=split_name(wanted),
                seen=seen,
                count=len(wanted),
            )
        )
        fix: tuple[EditCall, ...] = ()
        if split_name(wanted) in allowed_splits(view, item.seat):
            fix = _set_split(context, variant, item, split_name(wanted))
        yield context.finding(
            (variant.at(item.id),),
            text,
            variant=variant,
            measured=float(seen),
            allowed=float(len(wanted)),
            unit="devices",
            fix=fix,
        )


@rule(
    "BIF-05",
    "info",
    needs=("effective",),
    group="bifurcation",
    subject="switch card",
    direction="down",
    title=N_("Switch card in a split slot"),
    checks=N_("The slot of a PCIe switch card is not split."),
    reason=N_("The card takes the first part only, so that its uplink is x8 or x4."),
    source="EK",
)
def bif_05(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item in own_items(variant.eff):
        parts = split_lanes(slot_split(item))
        slot = variant.eff.slots.get(item.seat)
        if not is_switch(item) or len(parts) < 2 or slot is None:
            continue
        yield context.finding(
            (variant.at(item.id),),
            msg(
                "{card} gets x{lanes} upstream, because slot {slot} is split {split}.",
                card=item_label(item),
                lanes=min(parts[0], slot.electrical),
                slot=view.slot_label(item.seat),
                split=slot_split(item),
            ),
            variant=variant,
            measured=float(parts[0]),
            allowed=float(slot.electrical),
            unit="lanes",
            fix=_set_split(context, variant, item, f"x{slot.electrical}"),
        )
