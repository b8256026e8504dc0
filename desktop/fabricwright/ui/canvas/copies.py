"""Copies on the same sheet: duplicate, repeat, and dragging with Ctrl. Servers go on standing for the same sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabricwright.catalog.store import catalogue
from fabricwright.design.address import split_end
from fabricwright.rules.legality import legality
from fabricwright.ui.canvas.selected import boxes_of
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.scene import Scene
from fabricwright.units.natural import natural_key


def free_slots(context: UiContext, seated: Sequence[str]) -> list[str]:
    """Free slots that the rules find legal for the cards ``seated`` (rows of one kind), best first.

    Legal ones come first, of these the kind that the first card sits in, then the order of their numbers.
    """
    item = context.eff.items.get(seated[0]) if seated else None
    if item is None:
        return []
    part = context.project.parts.get(item.of) or catalogue().get(item.of)
    verdicts = legality(context.project, context.design, context.sheet, part)
    order = {"legal": 0, "loss": 1}
    used = context.eff.seated()
    good = [slot for slot, verdict in verdicts.items() if verdict.level in order and slot not in used]
    own = _likeness(context, str(item.seat))
    return sorted(
        good, key=lambda slot: (order[verdicts[slot].level], _likeness(context, slot) != own, natural_key(slot))
    )


def _likeness(context: UiContext, seat: str) -> tuple[object, ...]:
    """What makes two slots of a chassis the same kind of place: a GPU bay is none for a switch card."""
    slot = context.eff.slots.get(seat)
    if slot is None:
        return ()
    fed = slot.cable_feed is not None
    return slot.kind, slot.electrical, slot.physical, slot.length, slot.height, slot.max_width, slot.aux_w, fed


def make_copies(context: UiContext, scene: Scene, ids: Sequence[str], times: int, offset: tuple[float, float]) -> bool:
    """``times`` copies of rows, each ``offset`` beside the one before, as one undo entry; selects them.

    Cards in slots take the next free ones that suit them.
    """
    row = context.sheet_row
    rows = [i for i in ids if i in row.items or i in row.notes or i in row.frames or i in row.pictures]
    if not rows:
        return False
    before = {*row.items, *row.notes, *row.pictures}
    places = {
        i: [box[0], box[1]]
        for i, box in boxes_of(scene, rows).items()
        if i in row.items and not row.items[i].seat and not (i in row.look and row.look[i].xy)
    }
    seated = [i for i in rows if i in row.items and row.items[i].seat]
    seated = [i for i in seated if split_end(str(row.items[i].seat))[0] not in rows]
    calls: list[Any] = [("move", {"places": places})] if places else []  # a copy needs a place to count from
    args: dict[str, Any] = {"ids": rows, "offset": list(offset), "slots": free_slots(context, seated)}
    if times == 1:
        calls.append(("duplicate", args))
        done = context.edit_all("Duplicate", calls)
    else:
        calls.append(("repeat", {**args, "times": times}))
        done = context.edit_all("Repeat", calls)
    if done is None:
        return False
    row = context.sheet_row
    context.document.select([i for i in (*row.items, *row.notes, *row.pictures) if i not in before])
    return True
