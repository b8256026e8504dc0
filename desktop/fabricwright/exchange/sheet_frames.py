"""Frames, notes and pictures of a sheet on the exported page.

The page has its own layout, so a frame is drawn around the cards of its members, a note joins the list of notes, and a
picture stands in the right column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fabricwright.design.images import pixels_of
from fabricwright.design.values import Frame, Project, Sheet
from fabricwright.exchange.sheet_page import Page
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key

COLOURS = {
    "blue": "accent",
    "teal": "rail6",
    "green": "ok",
    "amber": "warn",
    "red": "error",
    "purple": "cxl",
    "grey": "border.strong",
}
MARGIN = 9.0


class Placed(Protocol):
    """A placed card."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def w(self) -> float: ...
    @property
    def h(self) -> float: ...


def draw_frames(page: Page, frames: Mapping[str, Frame], boxes: Mapping[str, Sequence[Placed]]) -> None:
    """A titled frame around the cards of the members of each frame; drawing groups have no box of their own."""
    for frame_id in sorted(frames, key=natural_key):
        frame = frames[frame_id]
        if frame.group:
            continue
        inside = [box for member in _members(frames, frame_id) for box in boxes.get(member, ())]
        if not inside:
            continue
        x, y = min(b.x for b in inside) - MARGIN, min(b.y for b in inside) - MARGIN - (18 if frame.title else 0)
        right, bottom = max(b.x + b.w for b in inside) + MARGIN, max(b.y + b.h for b in inside) + MARGIN
        token = COLOURS.get(frame.colour, "border.strong")
        page.svg.begin(f"frame-{frame_id}", layer="frames")
        page.svg.rect(x, y, right - x, bottom - y, stroke=token, width=1.2, radius=8)
        if frame.title:
            page.svg.text(x + 10, y + 15, frame.title, 12, weight=600, fill=token, room=right - x - 20)
        page.svg.end()


def _members(frames: Mapping[str, Frame], frame_id: str) -> list[str]:
    out: dict[str, None] = {}
    todo, seen = [frame_id], {frame_id}
    while todo:
        for member in frames[todo.pop()].members:
            if member in frames and member not in seen:
                seen.add(member)
                todo.append(member)
            out[member] = None
    return list(out)


def notes_of(sheet: Sheet) -> tuple[str, ...]:
    """Texts of the sheet's notes from top to bottom, a line break as a space."""
    rows = sorted(sheet.notes.items(), key=lambda row: (tuple(reversed(row[1].xy)), natural_key(row[0])))
    return tuple(" ".join(note.text.split()) for _, note in rows if note.text.strip())


def draw_pictures(page: Page, project: Project, sheet: Sheet, bottom: float) -> None:
    """Pictures of the sheet side by side in the right column, their lower edge at ``bottom``; damaged ones are left
    out."""
    size = page.size
    if not sheet.pictures or not size.wide:
        return
    ids = sorted(sheet.pictures, key=natural_key)[:4]
    room = (size.right - 20 - size.side + 12) / len(ids) - 12
    for n, picture_id in enumerate(ids):
        image = project.images.get(sheet.pictures[picture_id].image)
        if image is None:
            continue
        try:
            pixels = pixels_of(image)
        except UserError:
            continue
        scale = min(room / pixels.width, 110 / pixels.height)
        w, h = pixels.width * scale, pixels.height * scale
        page.svg.begin(f"picture-{picture_id}", layer="notes")
        page.svg.picture(size.side + n * (room + 12), bottom - h, w, h, image.media, image.data)
        page.svg.end()
