"""Quick fixes that put a card somewhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabricwright.design.calls import EditCall
from fabricwright.rules.card import Card, card_of_item
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.mechanical_fit import riser_too_old
from fabricwright.rules.pcie_path import ServerView, slot_link
from fabricwright.rules.power_feed import gpu_above_limit, underfed
from fabricwright.rules.predicates import behind_switch, misfits, narrower, no_cxl_here, overloaded_socket, slower
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
    owner, port, _ = view.feed_of_slot(seat)
    if not owner:
        return False
    if owner in view.tree.cpus and overloaded_socket(view, owner, port, card.lanes):
        return False
    link = slot_link(view, seat, card.lanes, card.gen)
    if slower(card.name, link) or narrower(card.name, link):
        return False
    item = view.eff.items.get(item_id)
    if (
        item is not None
        and item.part is not None
        and (
            riser_too_old(view, card, seat)
            or gpu_above_limit(view, item.part, seat, item.config)
            or (underfed(view, item, seat) and not underfed(view, item, item.seat))
        )
    ):
        return False
    if card.kind == "cxl":
        return not (no_cxl_here(view, card.name, seat) or behind_switch(view, card.name, owner))
    return True


def move_to_better_slot(
    context: RuleContext,
    variant: Variant,
    view: ServerView,
    item_id: str,
    suits: Callable[[str], bool] | None = None,
) -> tuple[EditCall, ...]:
    """The fix "move the card to a legal slot"; empty when there is none or the item is built in. ``suits`` says
    whether a slot ("chassis:s3") mends what the rule found; without it a NIC stays on its socket, because another may
    be the wrong one for its GPUs.
    """
    if view.eff.items[item_id].locked or "/" in item_id:
        return ()
    item = view.eff.items[item_id]
    home = view.cpu_above(item_id) if item.kind == "nic" and suits is None else ""
    good = suits or (lambda s: not home or view.cpu_above(view.feed_of_slot(s)[0]) == home)
    seat = next((s for s in better_slots(view, item_id) if good(s)), None)
    if seat is None:
        return ()
    owner = context.owner_sheet(variant.sheet, item_id)
    return (context.edit("seat", owner, item=item_id, slot=seat),)


def stating_sheet(context: RuleContext, sheet_id: str, item_id: str, key: str) -> str:
    """The sheet of the base chain whose row of an item states ``key``; ``sheet_id`` itself when none does."""
    sheets = context.design.sheets
    here: str | None = sheet_id
    seen: set[str] = set()
    while here and here in sheets and here not in seen:
        seen.add(here)
        row = sheets[here].items.get(item_id)
        if row is not None and key in row.config:
            return here
        here = sheets[here].base
    return sheet_id


def link_sheet(context: RuleContext, sheet_id: str, link_id: str) -> str:
    """The sheet of the base chain that stores a link; ``sheet_id`` itself for a built-in one."""
    sheets = context.design.sheets
    here: str | None = sheet_id
    seen: set[str] = set()
    while here and here in sheets and here not in seen:
        seen.add(here)
        if link_id in sheets[here].links:
            return here
        here = sheets[here].base
    return sheet_id


def restate(
    context: RuleContext, variant: Variant, item_id: str, key: str, value: str | int | float | bool
) -> tuple[EditCall, ...]:
    """The fix "state it otherwise": config ``key`` of an item, where it is stated now."""
    sheet = stating_sheet(context, variant.sheet, item_id, key)
    return (context.edit("set_config", sheet, item=item_id, key=key, value=value),)
