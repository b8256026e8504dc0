"""Edits of the arrangement: align, distribute, stack, lock. Positions live in ``look`` (and in notes, frames, pictures)
and enter no key.

Where the automatic layout draws a card and how large, only the window knows: it passes ``boxes``, row id -> (x, y,
width, height); a row left out counts with what is stored for it. Locked rows are measured against but never moved.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from fabricwright.design.edits import arguments as given
from fabricwright.design.edits.items import put_at
from fabricwright.design.edits.places import at, sheet_of
from fabricwright.design.frames import rows_in, with_grouped
from fabricwright.design.patch import ABSENT, Patch, PatchBuilder
from fabricwright.design.values import Look, Project, Sheet
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

Box = tuple[float, float, float, float]

EDGES = ("left", "center", "right", "top", "middle", "bottom")
ORDERS = ("front", "forward", "backward", "back")


def align(
    project: Project,
    *,
    design: str,
    sheet: str,
    ids: Sequence[str],
    edge: str,
    to: str | None = None,
    boxes: Mapping[str, Sequence[float]] | None = None,
) -> Patch:
    """Line rows up on an edge: left, center, right, top, middle, bottom; of the row ``to``, or of all together."""
    builder = PatchBuilder(project)
    given.word(edge, "edge", EDGES)
    owner = sheet_of(project, design, sheet)
    drawn = _drawn(boxes)
    placed = _placed(owner, given.texts(ids, "ids"), drawn, 2)
    if to is not None and to not in placed:
        raise UserError(msg("'{item}' is not among the things to arrange.", item=to))
    around = placed[to] if to is not None else _around(list(placed.values()))
    for row_id, box in placed.items():
        x, y = box[0], box[1]
        if edge == "left":
            x = around[0]
        elif edge == "right":
            x = around[0] + around[2] - box[2]
        elif edge == "center":
            x = around[0] + (around[2] - box[2]) / 2
        elif edge == "top":
            y = around[1]
        elif edge == "bottom":
            y = around[1] + around[3] - box[3]
        else:
            y = around[1] + (around[3] - box[3]) / 2
        _shift(builder, design, sheet, row_id, (x - box[0], y - box[1]), drawn)
    return builder.patch("Align")


def distribute(
    project: Project,
    *,
    design: str,
    sheet: str,
    ids: Sequence[str],
    axis: str,
    gap: float | None = None,
    boxes: Mapping[str, Sequence[float]] | None = None,
) -> Patch:
    """Equal gaps along ``x`` or ``y``: the outer two stay, or with ``gap`` the first one stays and all follow."""
    builder = PatchBuilder(project)
    n = ("x", "y").index(given.word(axis, "axis", ("x", "y")))
    owner = sheet_of(project, design, sheet)
    drawn = _drawn(boxes)
    placed = _placed(owner, given.texts(ids, "ids"), drawn, 2 if gap is not None else 3)
    order = sorted(placed, key=lambda row_id: (placed[row_id][n], row_id))
    first, last = placed[order[0]], placed[order[-1]]
    if gap is None:
        span = last[n] + last[n + 2] - first[n]
        step = (span - sum(placed[row_id][n + 2] for row_id in order)) / (len(order) - 1)
    else:
        step = given.number(gap, "gap")
    here = first[n]
    for row_id in order:
        by = here - placed[row_id][n]
        _shift(builder, design, sheet, row_id, (by, 0.0) if n == 0 else (0.0, by), drawn)
        here += placed[row_id][n + 2] + step
    return builder.patch("Distribute")


def arrange(project: Project, *, design: str, sheet: str, ids: Sequence[str], order: str) -> Patch:
    """Stacking: bring to the front, one forward, one backward, to the back. The rows keep their order among
    themselves."""
    builder = PatchBuilder(project)
    given.word(order, "order", ORDERS)
    owner = sheet_of(project, design, sheet)
    chosen = _known(owner, given.texts(ids, "ids"))
    mine = {row_id: owner.look.get(row_id, Look()).z for row_id in chosen}
    others = [row.z for row_id, row in owner.look.items() if row_id not in mine] or [0]
    low, high = min(mine.values()), max(mine.values())
    if order == "front":
        by = max(0, *others) + 1 - low
    elif order == "back":
        by = min(0, *others) - 1 - high
    else:
        by = 1 if order == "forward" else -1
    for row_id, z in mine.items():
        look = owner.look.get(row_id, Look())
        _set_look(builder, design, sheet, row_id, dataclasses.replace(look, z=max(-(10**6), min(10**6, z + by))))
    return builder.patch("Change stacking")


def lock(project: Project, *, design: str, sheet: str, ids: Sequence[str], locked: bool = True) -> Patch:
    """Keep rows where they are (``locked`` false lets them go): moving, aligning and tidying leave them alone."""
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    for row_id in _known(owner, given.texts(ids, "ids")):
        look = owner.look.get(row_id, Look())
        _set_look(builder, design, sheet, row_id, dataclasses.replace(look, locked=given.flag(locked, "locked")))
    return builder.patch("Lock" if locked else "Unlock")


def tidy(project: Project, *, design: str, sheet: str, ids: Sequence[str] = ()) -> Patch:
    """Forget places given by hand (of ``ids``, or of all rows), so that the automatic layout decides; bends of links
    too. Locked rows, notes, frames and pictures stay."""
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    chosen = set(with_grouped(owner, given.texts(ids, "ids")))
    for row_id, look in owner.look.items():
        bare = row_id.partition("[")[0]
        if look.locked or (ids and row_id not in chosen and bare not in chosen):
            continue
        _set_look(builder, design, sheet, row_id, dataclasses.replace(look, xy=(), bends=()))
    return builder.patch("Tidy up")


def _set_look(builder: PatchBuilder, design: str, sheet: str, row_id: str, look: Look) -> None:
    """Store drawing data; a row that says nothing is not stored."""
    builder.set(at(design, sheet, "look", row_id), ABSENT if look == Look() else look)


def _known(owner: Sheet, ids: Sequence[str]) -> list[str]:
    chosen = with_grouped(owner, ids)
    if not chosen:
        raise UserError(msg("Nothing is selected."))
    drawn = {*owner.items, *owner.links, *owner.notes, *owner.frames, *owner.pictures, *owner.look}
    # Inherited rows are drawn without being stored; they are known by where someone put them, or not at all.
    for row_id in chosen:
        if row_id not in drawn and owner.base is None and owner.chassis is None:
            raise UserError(msg("'{item}' is not drawn on this sheet.", item=row_id))
    return chosen


def _drawn(boxes: Mapping[str, Sequence[float]] | None) -> dict[str, Box]:
    out: dict[str, Box] = {}
    for row_id, box in given.mapping(boxes or {}, "boxes").items():
        if not isinstance(box, (list, tuple)) or len(box) != 4:
            raise UserError(msg("'{what}' is {value}; expected four numbers.", what=row_id, value=str(box)[:60]))
        x, y, width, height = (given.number(v, row_id) for v in box)
        out[row_id] = (x, y, width, height)
    return out


def _placed(owner: Sheet, ids: Sequence[str], drawn: Mapping[str, Box], least: int) -> dict[str, Box]:
    """Box of each row that has a place; groups as the box around what is in them."""
    out: dict[str, Box] = {}
    for row_id in ids:
        inside = [_box(owner, inner, drawn) for inner in rows_in(owner, row_id)]
        known = [box for box in inside if box is not None]
        if known:
            out[row_id] = _around(known)
    if len(out) < least:
        raise UserError(msg("To arrange, at least {count} things with a place are needed.", count=least))
    return out


def _box(owner: Sheet, row_id: str, drawn: Mapping[str, Box]) -> Box | None:
    if row_id in drawn and row_id not in owner.frames:
        return drawn[row_id]
    row = owner.notes.get(row_id) or owner.pictures.get(row_id) or owner.frames.get(row_id)
    look = owner.look.get(row_id, Look())
    xy = row.xy if row is not None else look.xy
    if len(xy) != 2:
        return None
    wh: Sequence[float] = getattr(row, "wh", ()) or look.wh
    return (xy[0], xy[1], wh[0], wh[1]) if len(wh) == 2 else (xy[0], xy[1], 0.0, 0.0)


def _around(boxes: Sequence[Box]) -> Box:
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    return (left, top, max(b[0] + b[2] for b in boxes) - left, max(b[1] + b[3] for b in boxes) - top)


def _shift(
    builder: PatchBuilder,
    design: str,
    sheet: str,
    row_id: str,
    by: tuple[float, float],
    drawn: Mapping[str, Box],
) -> None:
    """Move a row, or all that a group holds, by so much."""
    if by == (0.0, 0.0):
        return
    owner = sheet_of(builder.project, design, sheet)
    for inner in rows_in(owner, row_id):
        box = _box(owner, inner, drawn)
        if box is not None:
            put_at(builder, design, sheet, inner, (round(box[0] + by[0], 3), round(box[1] + by[1], 3)))
