"""Where the watts of a card come from: its slot, its cables; and what PWR-02 and PWR-03 say about it in one place."""

from __future__ import annotations

from collections.abc import Mapping

from fabricwright.catalog.parts import Part, Slot
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffItem, stated_at
from fabricwright.design.options import effective_value, stated
from fabricwright.design.options.option import NO_PART
from fabricwright.design.stated_slots import number_of
from fabricwright.rules.card import item_label, label
from fabricwright.rules.pcie_path import ServerView
from fabricwright.rules.reason import Reason
from fabricwright.units.record import record
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

AUX_BY_CONNECTOR = {
    "8-pin PCIe": "aux-8pin-pcie-150w",
    "8-pin EPS": "aux-8pin-cpu-300w",
    "12V-2x6": "aux-12v2x6-600w",
}
"""Cable for a connector where the card's part names none (catalogue parts)."""


@record
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


def feed_of(parts: Table[Part], item: EffItem, slot: Slot) -> Feed:
    """Watts that a card gets. From the slot no more than the card draws there: its total without its own connector."""
    part = item.part
    edge = slot.power_w
    if part is not None and part.get("aux_w") and part.get("power_w") > part.get("aux_w"):
        edge = min(edge, part.get("power_w") - part.get("aux_w"))
    value, default = effective_value(item.config, "card", "aux")
    name = str(value or "").strip()
    if not default and name.lower() != NO_PART:
        cable = parts.get(name) or (catalogue().get(name) if name in catalogue() else None)
        watts = cable.get("max_power_w") if cable is not None else 0.0
        return Feed(edge, watts, name, known=watts > 0)
    if default and slot.aux_w:
        return Feed(edge, slot.aux_w, brought=True)
    return Feed(edge, 0.0, assumed=default)


def aux_part(part: Part) -> str:
    """Cable for the card's auxiliary connector, "" when it has none."""
    return part.word("aux_cable") or AUX_BY_CONNECTOR.get(part.word("aux_connector"), "")


def underfed(view: ServerView, item: EffItem, seat: str) -> Reason | None:
    """PWR-02: an add-in card draws more than slot and cables give; modules are fed by their baseboard."""
    slot, part = view.eff.slots.get(seat), item.part
    if slot is None or part is None or slot.kind != "cem" or part.word("form") != "cem":
        return None
    need = part.get("power_w") or part.get("tdp_w")
    feed = feed_of(view.parts, item, slot)
    have = feed.edge_w + feed.aux_w
    if not need or not feed.known or need <= have + 1e-6:
        return None
    if feed.brought and part.kind == "gpu":
        return None  # PWR-03: the slot is not made for such a GPU
    return Reason(
        "PWR-02",
        "error",
        msg(
            "{card} needs {need} W; the slot gives {edge} W, {aux}.",
            card=item_label(item),
            need=need,
            edge=feed.edge_w,
            aux=aux_words(feed),
        ),
        need,
        have,
        "W",
        {"edge_w": feed.edge_w, "aux_w": feed.aux_w, "cable": feed.cable},
        guessed(part, "power_w", "aux_w") or slot.confidence != "read",
    )


def aux_words(feed: Feed) -> Message:
    """Which auxiliary cable feeds a card, as the end of a sentence about its slot."""
    if feed.cable:
        return msg("cable {cable} {watts} W", cable=feed.cable, watts=feed.aux_w)
    if feed.brought:
        return msg("the server's own cable {watts} W", watts=feed.aux_w)
    if feed.assumed:
        return msg("cables nothing (no auxiliary cable stated, none assumed)")
    return msg("cables nothing")


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
        estimate=not sure or guessed(part, "tdp_w", "power_w"),
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


def guessed(part: Part, *figures: str) -> bool:
    """Whether one of a part's figures is an estimate."""
    return any(f in part.figures and part.figures[f].confidence != "read" for f in figures)
