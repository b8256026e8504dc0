"""PWR-02, PWR-03, NIC-06: watts of one card, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabricwright.catalog.parts import Part, Slot
from fabricwright.catalog.store import catalogue
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem, stated_at
from fabricwright.design.options import effective_value, stated
from fabricwright.design.options.option import NO_PART
from fabricwright.design.stated_slots import number_of
from fabricwright.rules.card import item_label, label
from fabricwright.rules.context import RuleContext, Variant, own_items
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import better_slots, move_to_better_slot
from fabricwright.rules.pcie_path import ServerView, server_view
from fabricwright.rules.reason import Reason
from fabricwright.rules.registry import rule
from fabricwright.units.text import N_, Message, msg

AUX_BY_CONNECTOR = {
    "8-pin PCIe": "aux-8pin-pcie-150w",
    "8-pin EPS": "aux-8pin-cpu-300w",
    "12V-2x6": "aux-12v2x6-600w",
}
"""Cable for a connector where the card's part names none (catalogue parts)."""


@dataclass(frozen=True, slots=True)
class Feed:
    """What reaches a card: ``edge_w`` through the slot, ``aux_w`` through cables; ``cable`` the part that is stated.

    ``brought`` = the chassis has its own cable at this slot; ``assumed`` = nobody stated a cable, none is assumed;
    ``known`` False = a cable is stated whose watts are not.
    """

    edge_w: float
    aux_w: float
    cable: str = ""
    brought: bool = False
    assumed: bool = False
    known: bool = True


def feed_of(context: RuleContext, item: EffItem, slot: Slot) -> Feed:
    """Watts that a card gets. From the slot no more than the card draws there: its total without its own connector."""
    part = item.part
    edge = slot.power_w
    if part is not None and part.get("aux_w") and part.get("power_w") > part.get("aux_w"):
        edge = min(edge, part.get("power_w") - part.get("aux_w"))
    value, default = effective_value(item.config, "card", "aux")
    name = str(value or "").strip()
    if not default and name.lower() != NO_PART:
        cable = context.project.parts.get(name) or (catalogue().get(name) if name in catalogue() else None)
        watts = cable.get("max_power_w") if cable is not None else 0.0
        return Feed(edge, watts, name, known=watts > 0)
    if default and slot.aux_w:
        return Feed(edge, slot.aux_w, brought=True)
    return Feed(edge, 0.0, assumed=default)


def aux_part(part: Part) -> str:
    """Cable for the card's auxiliary connector, "" when it has none."""
    return part.word("aux_cable") or AUX_BY_CONNECTOR.get(part.word("aux_connector"), "")


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
    for item, part, slot in _cards(variant):
        need = part.get("power_w") or part.get("tdp_w")
        feed = feed_of(context, item, slot)
        if not need or not feed.known or need <= feed.edge_w + feed.aux_w + 1e-6:
            continue
        if feed.brought and part.kind == "gpu":
            continue  # PWR-03: the slot is not made for such a GPU
        have = feed.edge_w + feed.aux_w
        yield context.finding(
            (variant.at(item.id),),
            msg(
                "{card} needs {need} W; the slot gives {edge} W, {aux}.",
                card=item_label(item),
                need=need,
                edge=feed.edge_w,
                aux=_aux_words(feed),
            ),
            variant=variant,
            measured=need,
            allowed=have,
            unit="W",
            values={"edge_w": feed.edge_w, "aux_w": feed.aux_w, "cable": feed.cable},
            fix=attach_cable(context, variant, item, need - feed.edge_w),
            estimate=_guessed(part, "power_w", "aux_w") or slot.confidence != "read",
        )


def _aux_words(feed: Feed) -> Message:
    if feed.cable:
        return msg("cable {cable} {watts} W", cable=feed.cable, watts=feed.aux_w)
    if feed.brought:
        return msg("the server's own cable {watts} W", watts=feed.aux_w)
    if feed.assumed:
        return msg("cables nothing (no auxiliary cable stated, none assumed)")
    return msg("cables nothing")


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
    view = server_view(variant.eff, context.project.parts)
    for item in own_items(variant.eff):
        reason = gpu_above_limit(view, item.part, item.seat, item.config) if item.part is not None else None
        if reason is not None:
            yield context.finding(
                (variant.at(item.id),),
                reason.message,
                variant=variant,
                measured=reason.measured,
                allowed=reason.allowed,
                unit=reason.unit,
                fix=_cooler_slot(context, variant, view, item),
                estimate=reason.estimate,
            )


def gpu_above_limit(view: ServerView, part: Part, seat: str, config: Mapping[str, object]) -> Reason | None:
    """PWR-03: the GPU draws more than the server admits at a slot of its form."""
    slot = view.eff.slots.get(seat)
    if slot is None or part.kind != "gpu" or part.word("form") != slot.kind:
        return None
    need = part.get("tdp_w") or part.get("power_w")
    limit, sure = _gpu_limit(view, seat, slot, config)
    if not limit or need <= limit + 1e-6:
        return None
    return Reason(
        "PWR-03",
        "error",
        msg(
            "{gpu} draws {need} W; slot {slot} is made for {limit} W.",
            gpu=label(part),
            need=need,
            slot=view.slot_label(seat),
            limit=limit,
        ),
        need,
        limit,
        "W",
        estimate=not sure or _guessed(part, "tdp_w", "power_w"),
    )


def _gpu_limit(view: ServerView, seat: str, slot: Slot, config: Mapping[str, object]) -> tuple[float, bool]:
    """(watts of the largest GPU at a slot, whether somebody stated or read it); 0 = not known."""
    own = number_of(stated_at(view.eff, seat), "gpu_w")
    if own:
        return own, True
    if slot.kind != "cem":
        return slot.power_w, slot.confidence == "read"
    if not slot.aux_w or stated(config, "aux") is not None:
        return 0.0, False  # a plain slot: what the card gets is PWR-02's matter
    return slot.power_w + slot.aux_w, slot.confidence == "read"


def _cooler_slot(context: RuleContext, variant: Variant, view: ServerView, item: EffItem) -> tuple[EditCall, ...]:
    """Move to the free slot that takes the GPU, where there is one."""
    if item.part is None or "/" in item.id:
        return ()
    for seat in better_slots(view, item.id):
        if gpu_above_limit(view, item.part, seat, item.config) is None:
            return (context.edit("seat", context.owner_sheet(variant.sheet, item.id), item=item.id, slot=seat),)
    return ()


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
        feed = feed_of(context, item, slot)
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
                aux=_aux_words(feed),
            )
        elif plug:
            text = msg(
                "{card} needs its {connector} power cable: {aux}.",
                card=item_label(item),
                connector=part.word("aux_connector"),
                aux=_aux_words(feed),
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
            estimate=_guessed(part, "aux_connector") if plug else _guessed(part, "slot_width"),
        )


def _guessed(part: Part, *figures: str) -> bool:
    return any(f in part.figures and part.figures[f].confidence != "read" for f in figures)
