"""One card in one slot: the questions that the drag and the rules ask alike. Each answers with a Reason or None.

A question whose input is not known (no length stated, unknown slot) is answered with None: rules are silent about it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.parts import Slot
from fabricwright.design.effective import EffItem
from fabricwright.rules.card import HEIGHT_MM, LENGTH_MM, Card, card_of_item
from fabricwright.rules.pcie_path import DeviceLink, ServerView, raw_gbs, socket_lanes
from fabricwright.rules.reason import Reason
from fabricwright.units.text import Message, msg


def slot_taken(view: ServerView, card: Card, seat: str, item: str) -> Reason | None:
    """MEC-01: another card sits there already, or a double-wide neighbour covers the slot."""
    others = view.others_in(seat, item)
    if others:
        return Reason(
            "MEC-01",
            "error",
            msg("Slot {slot} is taken by {other}.", slot=view.slot_label(seat), other=others),
            len(others) + 1,
            1,
            "cards",
        )
    cover = covered_by(view, seat, item)
    if cover:
        return Reason(
            "MEC-01",
            "error",
            msg("Slot {slot} is covered by the double-wide card {other}.", slot=view.slot_label(seat), other=cover),
            2,
            1,
            "cards",
        )
    return None


def covered_by(view: ServerView, seat: str, item: str) -> str:
    """Item whose double-wide card reaches over ``seat`` from the slot that names it as neighbour; "" when none."""
    for other_seat, ids in view.seated.items():
        slot = view.eff.slots.get(other_seat)
        if slot is None or not slot.neighbour or neighbour_seat(other_seat, slot) != seat:
            continue
        for other in ids:
            part = view.eff.items[other].part
            if other != item and part is not None and part.get("slot_width", 1) >= 2:
                return other
    return ""


def neighbour_seat(seat: str, slot: Slot) -> str:
    """Full name of the slot that a double-wide card in ``seat`` covers, "" when it covers none."""
    if not slot.neighbour or ":" in slot.neighbour:
        return slot.neighbour
    return f"{seat.partition(':')[0]}:{slot.neighbour}"


def slot_assumed(view: ServerView, seat: str) -> bool:
    """Whether what is known of a slot was neither read in a source nor stated."""
    slot = view.eff.slots.get(seat)
    return slot is not None and slot.confidence != "read"


def wrong_form(view: ServerView, card: Card, seat: str) -> Reason | None:
    """MEC-06: the form of the card is another than the slot takes."""
    slot = view.eff.slots.get(seat)
    if slot is None or not card.form or card.form == slot.kind:
        return None
    return Reason(
        "MEC-06",
        "error",
        msg(
            "{card} ({form}) does not fit slot {slot} ({kind}).",
            card=card.name,
            form=form_words(card.form),
            slot=view.slot_label(seat),
            kind=form_words(slot.kind),
        ),
        values={"form": card.form, "takes": slot.kind},
        estimate=card.estimate,
    )


def can_be_plugged(view: ServerView, item: EffItem) -> bool:
    """Whether an item is of its slot's form at all; where it is not, MEC-06 says so and links are not judged."""
    card = card_of_item(item)
    return card is None or not item.seat or wrong_form(view, card, item.seat) is None


def form_words(form: str) -> Message:
    """A form as people say it."""
    return {
        "cem": msg("PCIe card"),
        "sxm4": msg("SXM4 module"),
        "sxm5": msg("SXM5 module"),
        "sxm6": msg("SXM6 module"),
        "oam": msg("OAM module"),
        "ocp3": msg("OCP 3.0 card"),
        "u2": msg("U.2 drive"),
        "m2": msg("M.2 drive"),
        "e1s": msg("E1.S drive"),
        "e3s": msg("E3.S module"),
    }.get(form, msg("{form} module", form=form))


def too_wide(view: ServerView, card: Card, seat: str, item: str) -> Reason | None:
    """MEC-02: the card is wider than the slot and its free neighbour leave."""
    slot = view.eff.slots.get(seat)
    if slot is None or slot.kind != "cem" or card.width <= 1:
        return None
    free = float(slot.max_width)
    beside = neighbour_seat(seat, slot)
    blocking = view.others_in(beside, item) if beside else []
    if blocking:
        free = min(free, 1.0)
    if card.width <= free:
        return None
    if blocking:
        text = msg(
            "{card} is {width} slots wide; slot {slot} leaves {free}, because {other} sits beside it.",
            card=card.name,
            width=card.width,
            slot=view.slot_label(seat),
            free=free,
            other=blocking,
        )
    else:
        text = msg(
            "{card} is {width} slots wide; slot {slot} leaves {free}.",
            card=card.name,
            width=card.width,
            slot=view.slot_label(seat),
            free=free,
        )
    return Reason(
        "MEC-02", "error", text, float(card.width), free, "slots", estimate=card.estimate or slot.confidence != "read"
    )


def too_long(view: ServerView, card: Card, seat: str) -> Reason | None:
    """MEC-03: the card is longer than the slot."""
    slot = view.eff.slots.get(seat)
    room = LENGTH_MM.get(slot.length, 0.0) if slot is not None else 0.0
    if slot is None or not room or not card.length_mm or card.length_mm <= room:
        return None
    return Reason(
        "MEC-03",
        "error",
        msg(
            "{card} is {length} mm long; slot {slot} takes {room} mm.",
            card=card.name,
            length=card.length_mm,
            slot=view.slot_label(seat),
            room=room,
        ),
        card.length_mm,
        room,
        "mm",
        estimate=card.estimate or slot.confidence != "read",
    )


def too_high(view: ServerView, card: Card, seat: str) -> Reason | None:
    """MEC-04: a full-height card in a low-profile slot."""
    slot = view.eff.slots.get(seat)
    if slot is None or slot.height != "LP" or card.height != "FH":
        return None
    return Reason(
        "MEC-04",
        "error",
        msg("{card} is full height; slot {slot} is low profile.", card=card.name, slot=view.slot_label(seat)),
        HEIGHT_MM["FH"],
        HEIGHT_MM["LP"],
        "mm",
        estimate=card.estimate or slot.confidence != "read",
    )


def edge_too_long(view: ServerView, card: Card, seat: str) -> Reason | None:
    """MEC-05: more edge fingers than the closed connector takes."""
    slot = view.eff.slots.get(seat)
    if (
        slot is None
        or slot.kind != "cem"
        or not card.lanes
        or not slot.physical
        or slot.open_ended
        or card.lanes <= slot.physical
    ):
        return None
    return Reason(
        "MEC-05",
        "error",
        msg(
            "{card} has an x{lanes} edge; slot {slot} has an x{physical} connector.",
            card=card.name,
            lanes=card.lanes,
            slot=view.slot_label(seat),
            physical=slot.physical,
        ),
        float(card.lanes),
        float(slot.physical),
        "lanes",
        estimate=card.estimate or slot.confidence != "read",
    )


def slower(card_name: str, link: DeviceLink) -> Reason | None:
    """LAN-03: the link trains to an older generation than the device can."""
    step = link.oldest()
    if step is None:
        return None
    got, full = raw_gbs(link.lanes, link.gen), raw_gbs(link.lanes, link.own_gen)
    return Reason(
        "LAN-03",
        "warning",
        msg(
            "{card} trains to Gen{gen} because of {step}: {got} of {full} GB/s.",
            card=card_name,
            gen=link.gen,
            step=step_words(step),
            got=round(got, 1),
            full=round(full, 1),
        ),
        float(link.gen),
        float(link.own_gen),
        "PCIe gen",
        {"got_gbs": got, "full_gbs": full, "by": step.name},
    )


def narrower(card_name: str, link: DeviceLink) -> Reason | None:
    """LAN-04: the link trains to fewer lanes than the device has."""
    step = link.narrowest()
    if step is None:
        return None
    got, full = raw_gbs(link.lanes, link.gen), raw_gbs(link.own_lanes, link.gen)
    return Reason(
        "LAN-04",
        "warning",
        msg(
            "{card} trains to x{lanes} of x{own} because of {step}: {got} of {full} GB/s.",
            card=card_name,
            lanes=link.lanes,
            own=link.own_lanes,
            step=step_words(step),
            got=round(got, 1),
            full=round(full, 1),
        ),
        float(link.lanes),
        float(link.own_lanes),
        "lanes",
        {"got_gbs": got, "full_gbs": full, "by": step.name},
    )


def step_words(step: object) -> Message:
    """``slot S3``, ``cable c1``, ``retimer rt0``, ``port sw0:d1``."""
    kind, name = getattr(step, "kind", ""), getattr(step, "name", "")
    return {
        "slot": msg("slot {name}", name=name),
        "cable": msg("cable {name}", name=name),
        "retimer": msg("retimer {name}", name=name),
        "riser": msg("riser {name}", name=name),
        "board": msg("the board link from {name}", name=name),
    }.get(kind, msg("port {name}", name=name))


def no_cxl_here(view: ServerView, card_name: str, seat: str) -> Reason | None:
    """CXL-01: the processor or the slot has no CXL."""
    slot = view.eff.slots.get(seat)
    owner, _, _ = view.feed_of_slot(seat)
    cpu = view.cpu_above(owner) if owner else ""
    if cpu and not cxl_version(view, cpu):
        return Reason(
            "CXL-01",
            "error",
            msg("{card} needs CXL; processor {cpu} has none.", card=card_name, cpu=cpu),
            values={"cpu": cpu},
        )
    if slot is not None and not slot.cxl:
        return Reason(
            "CXL-01",
            "error",
            msg("{card} needs CXL; slot {slot} does not offer it.", card=card_name, slot=view.slot_label(seat)),
            values={"slot": seat},
            estimate=slot.confidence != "read",
        )
    return None


def cxl_version(view: ServerView, cpu: str) -> str:
    """CXL version of a processor ("1.1"), "" for none."""
    item = view.eff.items[cpu]
    stated = item.config.get("cxl")
    if isinstance(stated, bool):
        return "1.1" if stated else ""
    if isinstance(stated, (str, int, float)):
        return "" if str(stated).lower() in ("", "none", "no") else str(stated)
    return item.part.word("cxl") if item.part is not None else ""


def behind_switch(view: ServerView, card_name: str, owner: str) -> Reason | None:
    """CXL-04: a plain PCIe switch lies between the expander and the processor. ``owner`` is what feeds it."""
    if owner not in view.tree.items:
        return None
    for node in [owner, *view.above(owner)]:
        item = view.tree.items[node]
        speaks_cxl = item.part is not None and bool(item.part.word("cxl"))
        if node not in view.tree.cpus and view.tree.levels(node) > 0 and not speaks_cxl:
            return Reason(
                "CXL-04",
                "error",
                msg(
                    "{card} hangs below the PCIe switch {switch}; CXL.mem does not pass it.",
                    card=card_name,
                    switch=node,
                ),
                values={"switch": node},
            )
    return None


def overloaded_socket(view: ServerView, cpu: str, port: str, lanes: int) -> Reason | None:
    """LAN-01 for a card on the mouse: the socket has fewer lanes than would then be assigned."""
    for use in socket_lanes(view, {(cpu, port): lanes}):
        if use.cpu == cpu and use.available and use.assigned > use.available:
            return lanes_reason(use.cpu, use.assigned, use.available, use.estimate)
    return None


def lanes_reason(cpu: str, assigned: int, available: int, estimate: bool) -> Reason:
    """LAN-01's text."""
    return Reason(
        "LAN-01",
        "error",
        msg("Socket {cpu}: {used} lanes assigned, {available} available.", cpu=cpu, used=assigned, available=available),
        float(assigned),
        float(available),
        "lanes",
        estimate=estimate,
    )


def misfits(view: ServerView, card: Card, seat: str, item: str) -> Iterator[Reason]:
    """Everything mechanical about a card in a slot (MEC-01 to MEC-06); a wrong form leaves nothing else to say."""
    wrong = wrong_form(view, card, seat)
    if wrong:
        yield wrong
        return
    taken = slot_taken(view, card, seat, item)
    if taken:
        yield taken
    for found in (
        too_wide(view, card, seat, item),
        too_long(view, card, seat),
        too_high(view, card, seat),
        edge_too_long(view, card, seat),
    ):
        if found:
            yield found
