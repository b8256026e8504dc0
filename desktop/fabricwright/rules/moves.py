"""Quick fixes that put a card somewhere else."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.design.calls import EditCall
from fabricwright.rules.card import Card, card_of_item
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.pcie_path import ServerView, slot_link
from fabricwright.rules.predicates import behind_switch, misfits, narrower, no_cxl_here, slower
from fabricwright.units.natural import natural_key


def better_slots(view: ServerView, item_id: str) -> Iterator[str]:
    """Free slots where the item would fit and lose nothing, in natural order, those of the same processor first."""
    item = view.eff.items[item_id]
    card = card_of_item(item)
    if card is None or not card.form:
        return
    home = view.cpu_above(item_id)
    seats = sorted(view.eff.slots, key=lambda s: (view.cpu_above(view.feed_of_slot(s)[0]) != home, natural_key(s)))
    for seat in seats:
        if seat != item.seat and not view.seated.get(seat) and fits_well(view, card, seat, item_id):
            yield seat


def fits_well(view: ServerView, card: Card, seat: str, item_id: str) -> bool:
    """Whether a card fits a slot without error or loss."""
    if next(misfits(view, card, seat, item_id), None) is not None:
        return False
    owner, _, _ = view.feed_of_slot(seat)
    if not owner:
        return False
    link = slot_link(view, seat, card.lanes, card.gen)
    if slower(card.name, link) or narrower(card.name, link):
        return False
    if card.kind == "cxl":
        return not (no_cxl_here(view, card.name, seat) or behind_switch(view, card.name, owner))
    return True


def move_to_better_slot(context: RuleContext, variant: Variant, view: ServerView, item_id: str) -> tuple[EditCall, ...]:
    """The fix "move the card to a legal slot"; empty when there is none or the item is built in."""
    if view.eff.items[item_id].locked or "/" in item_id:
        return ()
    seat = next(better_slots(view, item_id), None)
    if seat is None:
        return ()
    owner = context.owner_sheet(variant.sheet, item_id)
    return (context.edit("seat", owner, item=item_id, slot=seat),)
