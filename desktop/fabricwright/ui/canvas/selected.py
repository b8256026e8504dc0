"""Questions about what is selected on a sheet: where it is drawn, whether it may be moved, which groups it is in."""

from __future__ import annotations

from collections.abc import Iterable

from fabricwright.design.frames import group_of, rows_in
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.scene import Scene

Box = tuple[float, float, float, float]


def boxes_of(scene: Scene, ids: Iterable[str]) -> dict[str, Box]:
    """Box around the cards of each row that is drawn, (x, y, w, h)."""
    out: dict[str, Box] = {}
    for row_id in ids:
        cards = scene.rows_of(row_id)
        if cards:
            x0, y0 = float(scene.x[cards].min()), float(scene.y[cards].min())
            x1 = float((scene.x[cards] + scene.w[cards]).max())
            y1 = float((scene.y[cards] + scene.h[cards]).max())
            out[row_id] = (x0, y0, x1 - x0, y1 - y0)
    return out


def movable(context: UiContext, row_id: str) -> bool:
    """Whether a row has a place of its own that is not locked."""
    row = context.sheet_row
    look = row.look.get(row_id)
    if look is not None and look.locked:
        return False
    if row_id in row.notes or row_id in row.pictures or row_id in row.frames:
        return True
    item = context.eff.items.get(row_id)
    return item is not None and not item.locked and not item.seat


def is_locked(context: UiContext, row_id: str) -> bool:
    """Whether a row was locked in place by hand."""
    look = context.sheet_row.look.get(row_id)
    return look is not None and look.locked


def picked_with(context: UiContext, row_id: str) -> list[str]:
    """What a click on a row picks: the row, or all that is in its outermost group."""
    row = context.sheet_row
    group = group_of(row, row_id) if row.frames else row_id
    if group == row_id:
        return [row_id]
    return [i for i in rows_in(row, group) if i not in row.frames]


def with_framed(context: UiContext, ids: Iterable[str]) -> list[str]:
    """Rows with all that stands in the frames among them: a frame is moved with what it holds."""
    row = context.sheet_row
    return list(dict.fromkeys(inner for i in ids for inner in (rows_in(row, i) if i in row.frames else [i])))


def chosen_groups(context: UiContext) -> list[str]:
    """Outermost groups that the selection is in."""
    row = context.sheet_row
    if not row.frames:
        return []
    found = (group_of(row, i) for i in context.selection)
    return list(dict.fromkeys(g for g in found if g in row.frames and row.frames[g].group))
