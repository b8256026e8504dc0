"""Frames and drawing groups: which rows belong together on the drawing. Nothing electrical knows of them."""

from __future__ import annotations

from collections.abc import Iterable

from fabricwright.design.values import Design, Sheet


def framed_ids(design: Design, sheet_id: str, items: set[str]) -> set[str]:
    """Ids that frames of a sheet may hold: ``items`` that links may name, links (inherited ones too), and what is drawn
    on the sheet itself."""
    own = design.sheets[sheet_id]
    known = {*items, *own.notes, *own.frames, *own.pictures}
    here: str | None = sheet_id
    seen: set[str] = set()
    while here is not None and here in design.sheets and here not in seen:
        seen.add(here)
        known |= set(design.sheets[here].links)
        here = design.sheets[here].base
    return known


def holder_of(sheet: Sheet, row_id: str) -> str | None:
    """The frame that directly holds a row; a row is in one frame at most."""
    return next((frame_id for frame_id, frame in sheet.frames.items() if row_id in frame.members), None)


def group_of(sheet: Sheet, row_id: str, entered: str | None = None) -> str:
    """What a click on a row picks: its outermost group, or below ``entered`` the outermost one inside that; the row
    itself when it is in none."""
    here, picked, seen = row_id, row_id, {row_id}
    while True:
        holder = holder_of(sheet, here)
        if holder is None or holder in seen or holder == entered:
            return picked
        seen.add(holder)
        if sheet.frames[holder].group:
            picked = holder
        here = holder


def rows_in(sheet: Sheet, row_id: str) -> list[str]:
    """Rows that move along with one: all that a frame holds, at any depth; just the row when it is no frame."""
    out: list[str] = []
    todo = [row_id]
    while todo:
        here = todo.pop(0)
        if here in out:
            continue
        out.append(here)
        if here in sheet.frames:
            todo += sheet.frames[here].members
    return out


def with_grouped(sheet: Sheet, ids: Iterable[str]) -> list[str]:
    """``ids``, drawing groups followed by all that is in them; frames that are only boxes stay alone."""
    out: dict[str, None] = {}
    for row_id in ids:
        frame = sheet.frames.get(row_id)
        out.update(dict.fromkeys(rows_in(sheet, row_id) if frame is not None and frame.group else [row_id]))
    return list(out)
