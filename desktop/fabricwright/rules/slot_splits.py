"""How a slot may be split, and whether a card and its slot agree: the questions of the BIF rules and of the drag."""

from __future__ import annotations

from fabricwright.rules.pcie_path import ServerView, split_lanes
from fabricwright.rules.reason import Reason
from fabricwright.units.text import msg

DEFAULT_SPLITS = ("x16", "x8x8", "x8x4x4", "x4x4x4x4")
"""Splits of an x16 root port where the board lists none (engineering knowledge)."""


def allowed_splits(view: ServerView, seat: str) -> tuple[str, ...]:
    """Splits the root port of a slot offers; empty when the slot hangs on no root port (BIF-02's matter)."""
    slot = view.eff.slots.get(seat)
    owner, _, _ = view.feed_of_slot(seat)
    if slot is None or owner not in view.tree.cpus:
        return ()
    return slot.bifurcation or tuple(s for s in DEFAULT_SPLITS if sum(split_lanes(s)) <= slot.electrical)


def illegal_split(view: ServerView, seat: str, split: str) -> Reason | None:
    """BIF-01: the split is not one that the root port offers. BIF-02: the port behind the slot is not split at all."""
    if not split or len(split_lanes(split)) < 2:
        return None
    offered = allowed_splits(view, seat)
    owner = view.feed_of_slot(seat)[0]
    if split in offered:
        return None
    if offered and all(len(split_lanes(s)) == 1 for s in offered):
        return Reason(
            "BIF-02",
            "error",
            msg(
                "Slot {slot} is asked for {split}; its root port is not split ({offered} only).",
                slot=view.slot_label(seat),
                split=split,
                offered=list(offered),
            ),
            values={"split": split, "offered": list(offered)},
        )
    if owner in view.tree.items and owner not in view.tree.cpus and view.tree.levels(owner) > 0:
        return Reason(
            "BIF-02",
            "error",
            msg(
                "Slot {slot} is asked for {split}; it hangs on the switch {switch}, whose ports firmware does not "
                "split.",
                slot=view.slot_label(seat),
                split=split,
                switch=owner,
            ),
            values={"split": split, "switch": owner},
        )
    if not offered:
        return None
    return Reason(
        "BIF-01",
        "error",
        msg(
            "Slot {slot} cannot be split {split}; it offers {offered}.",
            slot=view.slot_label(seat),
            split=split,
            offered=list(offered),
        ),
        values={"split": split, "offered": list(offered)},
    )


def split_mismatch(view: ServerView, card_name: str, seat: str, mode: str, split: str) -> Reason | None:
    """BIF-03: a retimer card is set to another split than its slot, so that only the first device appears."""
    wanted, owner = split_lanes(mode), view.feed_of_slot(seat)[0]
    if not wanted or owner not in view.tree.cpus or sum(wanted) > 16:
        return None
    have = split_lanes(split) if split else (16,)
    if have == wanted:
        return None
    if split:
        text = msg(
            "{card} is set to {mode}, slot {slot} to {split}: only the first device appears.",
            card=card_name,
            mode=mode,
            slot=view.slot_label(seat),
            split=split,
        )
    else:
        text = msg(
            "{card} is set to {mode}; the split of slot {slot} is not set and counts as x16: only the first "
            "device appears.",
            card=card_name,
            mode=mode,
            slot=view.slot_label(seat),
        )
    return Reason(
        "BIF-03", "error", text, float(len(have)), float(len(wanted)), "parts", {"wanted": split_name(wanted)}
    )


def split_name(lanes: tuple[int, ...]) -> str:
    """(8, 8) -> "x8x8"."""
    return "".join(f"x{n}" for n in lanes)
