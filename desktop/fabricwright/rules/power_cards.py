"""PWR-02, PWR-03, NIC-06: watts of one card, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.parts import Part, Slot
from fabricwright.catalog.store import catalogue
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.rules.card import item_label
from fabricwright.rules.card_findings import ask_cards
from fabricwright.rules.context import RuleContext, Variant, own_items
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import move_to_better_slot
from fabricwright.rules.pcie_path import ServerView, server_view
from fabricwright.rules.power_feed import aux_part, aux_words, feed_of, gpu_above_limit, guessed, underfed
from fabricwright.rules.reason import Reason
from fabricwright.rules.registry import rule
from fabricwright.units.text import N_, msg


def attach_cable(context: RuleContext, variant: Variant, item: EffItem, need_w: float) -> tuple[EditCall, ...]:
    """The fix "attach the cable", where the card has a connector for one that delivers ``need_w``."""
    name = aux_part(item.part) if item.part is not None else ""
    if not name or name not in catalogue() or catalogue().get(name).get("max_power_w") < need_w or "/" in item.id:
        return ()
    owner = context.owner_sheet(variant.sheet, item.id)
    return (context.edit("set_config", owner, item=item.id, key="aux", value=name),)


def _cards(variant: Variant) -> Iterator[tuple[EffItem, Part, Slot]]:
    """Cards that somebody put into an edge slot; modules on a baseboard are fed by it."""
    for item in own_items(variant.eff):
        slot = variant.eff.slots.get(item.seat)
        if item.part is not None and slot is not None and slot.kind == "cem" and item.part.word("form") == "cem":
            yield item, item.part, slot


@rule(
    "PWR-02",
    "error",
    needs=("effective",),
    group="power & cooling",
    subject="slot, card",
    direction="up",
    title=N_("Card needs more power than slot and cable give"),
    checks=N_("A card draws no more than its slot (75 W unless stated) and the auxiliary cables that are plugged in."),
    reason=N_("An edge connector carries 75 W, 66 W of them at 12 V; the card does not start, or resets under load."),
    source="bf3; EK CEM",
)
def pwr_02(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from ask_cards(context, variant, lambda view, item: underfed(view, item, item.seat), _missing_cable)


def _missing_cable(context: RuleContext, variant: Variant, view: ServerView, item: EffItem) -> tuple[EditCall, ...]:
    reason = underfed(view, item, item.seat)
    need_w = reason.measured or 0.0 if reason is not None else 0.0
    edge = feed_of(context.project.parts, item, variant.eff.slots[item.seat])
    return attach_cable(context, variant, item, need_w - edge.edge_w)


@rule(
    "PWR-03",
    "error",
    needs=("effective",),
    group="power & cooling",
    subject="gpu",
    direction="up",
    title=N_("GPU above the slot's limit"),
    checks=N_("A GPU draws no more than the server feeds and cools at its slot."),
    reason=N_("The vendor qualifies power and airflow per slot; a hotter GPU throttles or shuts down."),
    source="EK",
)
def pwr_03(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from ask_cards(context, variant, _above_limit)


def _above_limit(view: ServerView, item: EffItem) -> Reason | None:
    return gpu_above_limit(view, item.part, item.seat, item.config) if item.part is not None else None


@rule(
    "NIC-06",
    "error",
    needs=("effective",),
    group="NIC, ports, cables, optics",
    subject="nic, slot",
    title=N_("DPU without its cable or its second slot"),
    checks=N_("A NIC with an auxiliary connector has its cable, and one that is two slots wide has both places."),
    reason=N_("A BlueField-3 draws up to 150 W, 66 W of them from the edge; the B3240 is two slots wide."),
    source="bf3",
)
def nic_06(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for item, part, slot in _cards(variant):
        if part.kind != "nic":
            continue
        feed = feed_of(context.project.parts, item, slot)
        width = int(part.get("slot_width", 1)) or 1
        plug = bool(part.word("aux_connector")) and not feed.aux_w and feed.known
        wide = width > slot.max_width
        if not plug and not wide:
            continue
        if plug and wide:
            text = msg(
                "{card} needs its {connector} power cable and {width} slots; slot {slot} has {free}, and {aux}.",
                card=item_label(item),
                connector=part.word("aux_connector"),
                width=width,
                slot=view.slot_label(item.seat),
                free=slot.max_width,
                aux=aux_words(feed),
            )
        elif plug:
            text = msg(
                "{card} needs its {connector} power cable: {aux}.",
                card=item_label(item),
                connector=part.word("aux_connector"),
                aux=aux_words(feed),
            )
        else:
            text = msg(
                "{card} takes {width} slots; slot {slot} has {free}.",
                card=item_label(item),
                width=width,
                slot=view.slot_label(item.seat),
                free=slot.max_width,
            )
        cable = attach_cable(context, variant, item, part.get("power_w") - feed.edge_w)
        move = move_to_better_slot(context, variant, view, item.id)
        yield context.finding(
            (variant.at(item.id),),
            text,
            variant=variant,
            values={"cable": aux_part(part), "width": width},
            fix=(*(cable if plug else ()), *(move if wide else ())),
            estimate=guessed(part, "aux_connector") if plug else guessed(part, "slot_width"),
        )
