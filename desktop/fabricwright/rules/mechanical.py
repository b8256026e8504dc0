"""MEC: does the card fit where it was put?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabricwright.design.effective import EffItem
from fabricwright.rules.card import Card, card_of_item
from fabricwright.rules.card_findings import ask_cards
from fabricwright.rules.context import RuleContext, Variant, own_items
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import move_to_better_slot
from fabricwright.rules.pcie_path import ServerView, server_view
from fabricwright.rules.predicates import (
    can_be_plugged,
    covered_by,
    edge_too_long,
    form_words,
    misfits,
    too_high,
    too_long,
    too_wide,
    wrong_form,
)
from fabricwright.rules.reason import Reason
from fabricwright.rules.registry import rule
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

Judge = Callable[[ServerView, Card, str, str], Reason | None]


def _seated(variant: Variant) -> Iterator[tuple[EffItem, Card]]:
    for item in own_items(variant.eff):
        card = card_of_item(item)
        if card is not None and item.seat in variant.eff.slots:
            yield item, card


def _ask(context: RuleContext, variant: Variant, judge: Judge) -> Iterator[Finding]:
    def question(view: ServerView, item: EffItem) -> Reason | None:
        card = card_of_item(item)
        return judge(view, card, item.seat, item.id) if card is not None and item.seat in view.eff.slots else None

    yield from ask_cards(context, variant, question)


@rule(
    "MEC-01",
    "error",
    needs=("effective",),
    group="mechanical",
    subject="server, card",
    direction="up",
    title=N_("More cards than slots"),
    checks=N_("Every card sits in a slot of its own, and cards without a slot find a free one of their kind."),
    reason=N_("Two cards cannot share a connector. A drawing may do so on purpose; the order may not."),
    source="EK; seedB SD07",
)
def mec_01(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    unseated = [
        (item, card)
        for item in own_items(variant.eff)
        if not item.seat and "/" not in item.id and (card := card_of_item(item)) is not None and card.form and item.part
    ]
    crowded = {i.id for i, _ in _seated(variant) if can_be_plugged(view, i) and _is_surplus(view, i)}
    for form in sorted({card.form for _, card in _seated(variant)} | {card.form for _, card in unseated}):
        homeless = [(item, card) for item, card in unseated if card.form == form]
        surplus = [(item, card) for item, card in _seated(variant) if item.id in crowded and card.form == form]
        if not homeless and not surplus:
            continue
        hosts = {item.seat.partition(":")[0] for item, _ in surplus} | {"chassis"}
        slots = [s for s, row in variant.eff.slots.items() if row.kind == form and s.partition(":")[0] in hosts]
        cards = sum(len(view.seated.get(s, ())) for s in slots) + len(homeless)
        free = [s for s in slots if not view.seated.get(s) and not covered_by(view, s, "")]
        fitting = [
            item for item, card in homeless if any(next(misfits(view, card, s, item.id), None) is None for s in free)
        ]
        lost = surplus + (homeless if len(homeless) > len(free) or len(fitting) < len(homeless) else [])
        for item, card in sorted(lost, key=lambda row: natural_key(row[0].id)):
            if len(slots) == 0 and card.kind == "gpu":
                continue  # MEC-06 says it
            if len(slots) == 0:
                text = msg(
                    "{card} ({form}) finds no slot of its kind in this server.", card=card.name, form=form_words(form)
                )
            elif item.seat:
                text = msg(
                    "{card} shares slot {slot} with {others}. {cards} cards need a slot of this kind ({form}), "
                    "{slots} are there.",
                    card=card.name,
                    slot=view.slot_label(item.seat),
                    others=view.others_in(item.seat, item.id) or _cover(view, item),
                    cards=cards,
                    form=form_words(form),
                    slots=len(slots),
                )
            else:
                text = msg(
                    "{card} has no slot. {cards} cards need a slot of this kind ({form}), {slots} are there, "
                    "{free} free.",
                    card=card.name,
                    cards=cards,
                    form=form_words(form),
                    slots=len(slots),
                    free=len(free),
                )
            yield context.finding(
                (variant.at(item.id),),
                text,
                variant=variant,
                measured=float(cards),
                allowed=float(len(slots)),
                unit="cards",
                fix=move_to_better_slot(context, variant, view, item.id),
                estimate=card.estimate and not item.seat,
            )


def _is_surplus(view: ServerView, item: EffItem) -> bool:
    """Whether an item is one too many in its slot: built-in cards stay, then the one not forced, then the first by
    name.
    """
    if covered_by(view, item.seat, item.id):
        return True
    there = [view.eff.items[i] for i in view.seated.get(item.seat, ())]
    there = [i for i in there if can_be_plugged(view, i)]
    there.sort(key=lambda i: (not i.locked, i.forced, natural_key(i.id)))
    return len(there) > 1 and there[0].id != item.id


def _cover(view: ServerView, item: EffItem) -> list[str]:
    return [covered_by(view, item.seat, item.id)]


@rule(
    "MEC-02",
    "error",
    needs=("effective",),
    group="mechanical",
    subject="slot, card",
    direction="up",
    title=N_("Card wider than the slot"),
    checks=N_(
        "A double-wide or wider card has as many slot pitches (20.32 mm) as it needs, its neighbour's place included."
    ),
    reason=N_("A card that covers the next connector leaves no room for a card there."),
    source="EK CEM",
)
def mec_02(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from _ask(context, variant, too_wide)


@rule(
    "MEC-03",
    "error",
    needs=("effective",),
    group="mechanical",
    subject="slot, card",
    direction="up",
    title=N_("Card longer than the slot"),
    checks=N_("The card is not longer than the slot takes: half length 167.65, three-quarter 254, full length 312 mm."),
    reason=N_("The chassis has fans, drives or a wall where a longer card would end."),
    source="EK CEM",
)
def mec_03(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from _ask(context, variant, lambda view, card, seat, _: too_long(view, card, seat))


@rule(
    "MEC-04",
    "error",
    needs=("effective",),
    group="mechanical",
    subject="slot, card",
    direction="up",
    title=N_("Full-height card in a low-profile slot"),
    checks=N_("A card with a full-height bracket (111.15 mm) sits in a full-height slot."),
    reason=N_("A low-profile slot leaves 68.9 mm."),
    source="EK CEM; bf3",
)
def mec_04(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from _ask(context, variant, lambda view, card, seat, _: too_high(view, card, seat))


@rule(
    "MEC-05",
    "error",
    needs=("effective",),
    group="mechanical",
    subject="slot, card",
    direction="up",
    title=N_("Edge connector longer than the slot's"),
    checks=N_("The card's edge has no more lanes than the connector, unless the connector is open at its end."),
    reason=N_("A closed x8 connector stops an x16 edge."),
    source="EK CEM",
)
def mec_05(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from _ask(context, variant, lambda view, card, seat, _: edge_too_long(view, card, seat))


@rule(
    "MEC-06",
    "error",
    needs=("effective",),
    group="mechanical",
    subject="gpu, server",
    title=N_("Wrong form factor"),
    checks=N_("The form of a GPU or card (SXM, OAM, PCIe, OCP, U.2 ...) is the one that its slot or server takes."),
    reason=N_("SXM and OAM modules sit on a baseboard, PCIe cards in a slot; there is no adapter between them."),
    source="basepod; mlc",
)
def mec_06(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from _ask(context, variant, lambda view, card, seat, _: wrong_form(view, card, seat))
    for item in own_items(variant.eff):
        card = card_of_item(item)
        if card is None or card.kind != "gpu" or item.seat or not card.form or not variant.eff.slots:
            continue
        kinds = {row.kind for seat, row in variant.eff.slots.items() if seat.startswith("chassis:")}
        if kinds and card.form not in kinds and not any(row.kind == card.form for row in variant.eff.slots.values()):
            taken = sorted(k for k in kinds if k.startswith(("sxm", "oam", "cem")))
            yield context.finding(
                (variant.at(item.id),),
                msg(
                    "{card} ({form}) finds no slot of its kind in this server.",
                    card=card.name,
                    form=form_words(card.form),
                ),
                variant=variant,
                values={"form": card.form, "takes": taken},
                estimate=card.estimate,
            )
