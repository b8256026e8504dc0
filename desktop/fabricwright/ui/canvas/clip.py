"""Copy and paste on the canvas: the selection as a clip, and a clip back onto the open sheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fabricwright.design.edits import copy_rows
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.scene import Scene


def copy_clip(context: UiContext, scene: Scene, ids: Iterable[str]) -> dict[str, Any] | None:
    """Rows as a clip that knows where they stand; None when nothing of them is stored on this sheet."""
    row = context.sheet_row
    tables = (row.items, row.notes, row.links, row.frames, row.pictures)
    wanted = [i for i in ids if any(i in table for table in tables)]
    if not wanted:
        return None
    clip = copy_rows(context.project, design=context.design, sheet=context.sheet, ids=wanted)
    for item in clip["items"]:
        place = place_of(scene, item)
        if place is not None and item not in clip["look"] and not clip["items"][item].get("seat"):
            clip["look"][item] = {"xy": list(place)}
    return clip


def place_of(scene: Scene, row: str) -> tuple[float, float] | None:
    """Top left corner of a row's cards; None when it has none."""
    cards = scene.by_id.get(row, ())
    if not cards:
        return None
    return min(float(scene.x[i]) for i in cards), min(float(scene.y[i]) for i in cards)


def paste_clip(context: UiContext, clip: dict[str, Any], at: tuple[float, float] | None) -> bool:
    """Paste and select what came; beside the original when ``at`` is None. False when it did not fit."""
    before = set(_drawn(context))
    args: dict[str, Any] = {"clip": clip}
    if at is not None:
        args["at_xy"] = [at[0], at[1]]
    if context.edit("paste", args) is None:
        return False
    context.document.select([i for i in _drawn(context) if i not in before])
    return True


def _drawn(context: UiContext) -> list[str]:
    """Ids of what a paste can bring."""
    row = context.sheet_row
    return [*row.items, *row.notes, *row.pictures]
