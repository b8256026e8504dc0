"""What MEC-07, MEC-08 and MEC-09 say about one card in one place, for the rules, the mouse and the fixes alike."""

from __future__ import annotations

from collections.abc import Callable

from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffItem, EffSheet, stated_at
from fabricwright.design.stated_slots import number_of
from fabricwright.rules.card import Card
from fabricwright.rules.pcie_path import ServerView
from fabricwright.rules.reason import Reason
from fabricwright.topology.server_power import host_of
from fabricwright.units.text import Message, msg

E3S = "e3s"


def no_bay(view: ServerView, card: Card, seat: str) -> Reason | None:
    """MEC-07: an E3.S CXL module, and no bay for it anywhere. In an E3.S bay without CXL, CXL-01 says so."""
    slots = view.eff.slots
    if card.kind != "cxl" or card.form != E3S or (seat in slots and slots[seat].kind == E3S):
        return None
    if not any(name.startswith("chassis:") for name in slots):
        return None  # nothing is known about this server's bays
    if any(slot.kind == E3S and slot.cxl for slot in slots.values()):
        return None
    return Reason(
        "MEC-07",
        "error",
        msg("{card} is an E3.S module; this server has no E3.S bay with CXL.", card=card.name),
        1.0,
        0.0,
        "bays",
    )


def riser_too_old(view: ServerView, card: Card, seat: str) -> Reason | None:
    """MEC-08: the riser of a slot is of an older generation than the card."""
    riser, estimate = _riser_gen(view.eff, seat)
    if not card.gen or not riser or riser >= card.gen:
        return None
    return Reason(
        "MEC-08",
        "warning",
        msg(
            "{card} is a Gen{gen} card; the riser of slot {slot} is Gen{riser}.",
            card=card.name,
            gen=card.gen,
            slot=view.slot_label(seat),
            riser=riser,
        ),
        float(riser),
        float(card.gen),
        "PCIe gen",
        estimate=estimate,
    )


def _riser_gen(eff: EffSheet, seat: str) -> tuple[int, bool]:
    """(generation of the riser a slot is on, whether that is an estimate); 0 = no riser, or not known."""
    own = number_of(stated_at(eff, seat), "riser_gen")
    if own:
        return int(own), False
    holder = eff.items.get(seat.partition(":")[0])
    if holder is None or holder.kind != "riser":
        return 0, False
    return min((port.gen for port in holder.ports.values() if port.role == "up"), default=0), True


def _is_wide_gpu(part: Part) -> bool:
    return part.kind == "gpu" and part.get("slot_width") >= 2


def _is_dpu(part: Part) -> bool:
    return part.kind == "nic" and ("arm cores" in part.word("features").lower() or "dpu" in part.name().lower())


def _is_retimer(part: Part) -> bool:
    return part.kind == "retimer"


MAXIMA: tuple[tuple[str, Callable[[Part], bool], Message], ...] = (
    ("max_gpus", _is_wide_gpu, msg("double-wide GPUs")),
    ("max_dpus", _is_dpu, msg("DPUs")),
    ("max_retimers", _is_retimer, msg("retimer cards")),
)
"""Key and figure -> what it counts. Single-wide GPUs are not counted: vendors give them a maximum of their own."""


def vendor_maximum(eff: EffSheet, part: Part) -> Reason | None:
    """MEC-09 for one more card of a kind in the chassis."""
    for key, counts, _ in MAXIMA:
        if counts(part):
            return above_maximum(eff, key, len(counted(eff, counts)) + 1)
    return None


def counted(eff: EffSheet, counts: Callable[[Part], bool]) -> list[EffItem]:
    """Cards in the chassis itself, not in a box beside it, that a maximum counts."""
    every = (i for i in eff.items.values() if i.part is not None and counts(i.part))
    return [i for i in every if host_of(eff, i) == "chassis"]


def above_maximum(eff: EffSheet, key: str, count: int) -> Reason | None:
    """MEC-09: ``count`` cards of the kind ``key`` are more than stated, or than the catalogue has; None when neither
    says.
    """
    own = eff.chassis_config.get(key)
    figure = eff.chassis_part.figures.get(key) if eff.chassis_part is not None else None
    if isinstance(own, (int, float)) and not isinstance(own, bool):
        most, estimate = float(own), False
    elif figure is not None and eff.chassis_part is not None:
        most, estimate = eff.chassis_part.get(key), figure.confidence != "read"
    else:
        return None
    if count <= most:
        return None
    kind = next(words for name, _, words in MAXIMA if name == key)
    return Reason(
        "MEC-09",
        "warning",
        msg(
            "{count} {kind} in this server; the vendor's maximum is {most}.",
            count=count,
            kind=kind,
            most=int(most),
        ),
        float(count),
        most,
        "cards",
        estimate=estimate,
    )
