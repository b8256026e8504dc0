"""Mechanics and wiring of slots as a drawing states them: ``slot.NAME.KEY`` in the config of whatever has the slot.

Slots of the chassis are stated on the overlay row ``chassis``, those of a riser or box on the item itself. What is
stated counts as read: somebody looked at the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fabricwright.catalog.parts import Slot
from fabricwright.design.options import OPTIONS

PREFIX = "slot."
_INTEGERS = ("max_width", "physical", "electrical", "gen")
_NUMBERS = ("power_w", "aux_w")
_WORDS = ("length", "height")


def stated_of_slot(config: Mapping[str, object], name: str) -> dict[str, object]:
    """KEY -> value of everything stated about slot ``name``."""
    start = f"{PREFIX}{name}."
    return {key[len(start) :]: value for key, value in config.items() if key.startswith(start)}


def with_stated(slots: dict[str, Slot], owner: str, config: Mapping[str, object]) -> None:
    """Overlay what ``config`` of ``owner`` states on its slots ("owner:NAME"). Values of a wrong form count as not
    stated, as do names of slots that are not there.
    """
    for name in sorted({key[len(PREFIX) :].rpartition(".")[0] for key in config if key.startswith(PREFIX)}):
        seat = f"{owner}:{name}"
        if seat in slots:
            slots[seat] = stated_slot(slots[seat], stated_of_slot(config, name))


def stated_slot(slot: Slot, values: Mapping[str, object]) -> Slot:
    """A slot with the stated values. No more lanes are wired than the connector holds; a riser of an older generation
    (``riser_gen``) limits the slot on it.
    """
    changes: dict[str, object] = {}
    for key in (*_INTEGERS, *_NUMBERS):
        number = number_of(values, key)
        if number is not None:
            changes[key] = int(number) if key in _INTEGERS else number
    for key in _WORDS:
        word = values.get(key)
        if isinstance(word, str) and word in OPTIONS["slot", key].choices:
            changes[key] = word
    splits = values.get("bifurcation")
    if isinstance(splits, str) and splits.strip():
        changes["bifurcation"] = tuple(piece.strip().lower() for piece in splits.split(",") if piece.strip())
    riser = number_of(values, "riser_gen")
    if not changes and riser is None:
        return slot
    new: Slot = replace(slot, **changes, confidence="read")  # type: ignore[arg-type]
    gen = min(new.gen, int(riser)) if riser and new.gen else new.gen
    return replace(new, electrical=min(new.electrical, new.physical) if new.physical else new.electrical, gen=gen)


def number_of(values: Mapping[str, object], key: str) -> float | None:
    """A stated number, None when it is not stated or no number that the option admits."""
    value = values.get(key)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    option = OPTIONS.get(("slot", key))
    low, high = (option.low, option.high) if option is not None else (None, None)
    return float(value) if (low is None or value >= low) and (high is None or value <= high) else None
