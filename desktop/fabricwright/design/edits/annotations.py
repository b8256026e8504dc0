"""Edits of what is only drawn: notes, frames, drawing groups, pictures."""

from __future__ import annotations

import base64
import binascii
import dataclasses
from collections.abc import Sequence
from typing import Any

from fabricwright.design.check_values import known_ids
from fabricwright.design.edits import arguments as given
from fabricwright.design.edits.places import at, design_of, fresh_id, new_id, sheet_of
from fabricwright.design.frames import framed_ids, holder_of, rows_in
from fabricwright.design.images import MAX_IMAGES, image_of, image_problems, pixels_of
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Frame, Note, Picture, Project, Sheet
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

COLOURS = ("", "blue", "teal", "green", "amber", "red", "purple", "grey")


def add_note(
    project: Project, *, design: str, sheet: str, text: str, xy: Sequence[float] = (0, 0), note: str | None = None
) -> Patch:
    """Free text on a sheet."""
    builder = PatchBuilder(project)
    sheet_of(project, design, sheet)
    note_id = new_id(project, design, sheet, note, "note")
    builder.set(at(design, sheet, "notes", note_id), Note(given.text(text, "text"), given.pair(xy, "xy")))
    return builder.patch("Add note")


def set_note(project: Project, *, design: str, sheet: str, note: str, **fields: Any) -> Patch:
    """Change ``text`` or ``xy`` of a note; an empty text removes it."""
    builder = PatchBuilder(project)
    row = sheet_of(project, design, sheet).notes.get(note)
    if row is None:
        raise UserError(msg("Note '{note}' does not exist on sheet '{sheet}'.", note=note, sheet=sheet))
    changes = _fields(fields, {"text": lambda v: given.text(v, "text"), "xy": lambda v: given.pair(v, "xy")})
    changed = dataclasses.replace(row, **changes)
    if not changed.text.strip():
        from fabricwright.design.edits.items import remove

        builder.include(remove(project, design=design, sheet=sheet, ids=[note]))
    else:
        builder.set(at(design, sheet, "notes", note), changed)
    return builder.patch("Change note")


def add_frame(
    project: Project,
    *,
    design: str,
    sheet: str,
    title: str = "",
    xy: Sequence[float] | None = None,
    wh: Sequence[float] | None = None,
    ids: Sequence[str] = (),
    colour: str = "",
    frame: str | None = None,
) -> Patch:
    """A titled box: at ``xy`` with size ``wh``, or around the rows ``ids``."""
    builder = PatchBuilder(project)
    sheet_of(project, design, sheet)
    if (xy is None) != (wh is None) or (xy is None and not ids):
        raise UserError(msg("A frame needs a place and a size, or things to go around."))
    frame_id = new_id(project, design, sheet, frame, "frame")
    box = ((), ()) if xy is None else (given.pair(xy, "xy"), given.size(wh, "wh"))
    row = Frame(given.text(title, "title", 400), (), box[0], box[1], False, _colour(colour))
    _hold(builder, design, sheet, frame_id, row, given.texts(ids, "ids"))
    return builder.patch("Add frame")


def set_frame(project: Project, *, design: str, sheet: str, frame: str, **fields: Any) -> Patch:
    """Change ``title``, ``colour``, ``xy``, ``wh`` (both None = follow the members), ``ids`` of a frame."""
    builder = PatchBuilder(project)
    row = _frame(project, design, sheet, frame)
    readers = {
        "title": lambda v: given.text(v, "title", 400),
        "colour": _colour,
        "xy": lambda v: () if v is None else given.pair(v, "xy"),
        "wh": lambda v: () if v is None else given.size(v, "wh"),
        "ids": lambda v: given.texts(v, "ids"),
    }
    changes = _fields(fields, readers)
    members = changes.pop("ids", list(row.members))
    changed = dataclasses.replace(row, **changes)
    if bool(changed.xy) != bool(changed.wh) or (not changed.xy and not members):
        raise UserError(msg("A frame needs a place and a size, or things to go around."))
    _hold(builder, design, sheet, frame, dataclasses.replace(changed, members=()), members)
    return builder.patch("Change frame")


def group(
    project: Project, *, design: str, sheet: str, ids: Sequence[str], title: str = "", frame: str | None = None
) -> Patch:
    """Things that are picked and moved as one from now on (drawing only; groups may lie in groups)."""
    builder = PatchBuilder(project)
    chosen = given.texts(ids, "ids")
    if len(chosen) < 2:
        raise UserError(msg("A group needs at least two things."))
    owner = sheet_of(project, design, sheet)
    frame_id = new_id(project, design, sheet, frame, "group")
    holders = {holder_of(owner, row_id) for row_id in chosen}
    outer = next(iter(holders)) if len(holders) == 1 else None
    if outer is not None and owner.frames[outer].group and set(owner.frames[outer].members) == set(chosen):
        raise UserError(msg("These are a group already."))
    if outer is not None:  # grouped inside an entered group: the new one takes their place there
        kept = tuple(m for m in owner.frames[outer].members if m not in chosen)
        around = dataclasses.replace(owner.frames[outer], members=(*kept, frame_id))
        builder.set(at(design, sheet, "frames", outer), around)
    _hold(builder, design, sheet, frame_id, Frame(given.text(title, "title", 400), group=True), chosen)
    return builder.patch("Group")


def ungroup(project: Project, *, design: str, sheet: str, frame: str) -> Patch:
    """Dissolve a group or take a frame away; what it held stays and moves up into what held it."""
    builder = PatchBuilder(project)
    row = _frame(project, design, sheet, frame)
    owner = sheet_of(project, design, sheet)
    outer = holder_of(owner, frame)
    if outer is not None and row.members:
        around = owner.frames[outer]
        kept = tuple(m for m in around.members if m != frame)
        builder.set(at(design, sheet, "frames", outer), dataclasses.replace(around, members=(*kept, *row.members)))
    _dissolve(builder, design, sheet, frame)
    return builder.patch("Ungroup" if row.group else "Delete frame")


def add_picture(
    project: Project,
    *,
    design: str,
    sheet: str,
    data: str = "",
    image: str | None = None,
    title: str = "",
    xy: Sequence[float] = (0, 0),
    wh: Sequence[float] | None = None,
    picture: str | None = None,
) -> Patch:
    """Put a picture on a sheet: ``data`` base64 of a PNG or JPEG file, or ``image`` one that the project has.

    ``wh`` left out: one drawing unit per pixel, at most 400 wide.
    """
    builder = PatchBuilder(project)
    sheet_of(project, design, sheet)
    if image is None:
        try:
            raw = base64.b64decode(given.text(data, "data", 8_000_000), validate=True)
        except (binascii.Error, ValueError) as error:
            raise UserError(msg("The picture is not base64 text.")) from error
        row = image_of(raw, given.text(title, "title", 400))
        same = next((k for k, v in project.images.items() if (v.media, v.data) == (row.media, row.data)), None)
        image = same or fresh_id("image", project.images)
        if same is None:
            if len(project.images) >= MAX_IMAGES:
                raise UserError(
                    msg("The project has {count} pictures already, the most it can carry.", count=MAX_IMAGES)
                )
            builder.set(("images", image), row)
            for _, problem in image_problems(builder.project.images):
                raise UserError(problem)
    elif image not in project.images:
        raise UserError(msg("Image '{image}' does not exist in this project.", image=image))
    if wh is None:
        pixels = pixels_of(builder.project.images[image])
        scale = min(1.0, 400 / pixels.width)
        box = (round(pixels.width * scale, 1), round(pixels.height * scale, 1))
    else:
        box = given.size(wh, "wh")
    picture_id = new_id(project, design, sheet, picture, "picture")
    builder.set(at(design, sheet, "pictures", picture_id), Picture(image, given.pair(xy, "xy"), box))
    return builder.patch("Add picture")


def set_picture(project: Project, *, design: str, sheet: str, picture: str, **fields: Any) -> Patch:
    """Change ``xy`` or ``wh`` of a picture."""
    builder = PatchBuilder(project)
    row = sheet_of(project, design, sheet).pictures.get(picture)
    if row is None:
        raise UserError(msg("Picture '{picture}' does not exist on sheet '{sheet}'.", picture=picture, sheet=sheet))
    changes = _fields(fields, {"xy": lambda v: given.pair(v, "xy"), "wh": lambda v: given.size(v, "wh")})
    builder.set(at(design, sheet, "pictures", picture), dataclasses.replace(row, **changes))
    return builder.patch("Change picture")


# -- shared with deleting and moving -----------------------------------------------------------------------------------


def drop_unseen(builder: PatchBuilder, design: str, sheets: Sequence[str]) -> None:
    """After rows went: frames let go of them (an empty group goes too), and images that nothing shows go.

    Called at the end of every edit that deletes rows.
    """
    for sheet_id in sheets:
        owner = builder.project.designs[design].sheets.get(sheet_id)
        if owner is None or not owner.frames:
            continue
        while True:
            owner = sheet_of(builder.project, design, sheet_id)
            here = design_of(builder.project, design)
            known = framed_ids(here, sheet_id, known_ids(builder.project, here, sheet_id))
            changed = False
            for frame_id, frame in owner.frames.items():
                kept = tuple(m for m in frame.members if m in known)
                if kept == frame.members and (kept or frame.xy):
                    continue
                changed = True
                if kept or (frame.xy and not frame.group):
                    builder.set(at(design, sheet_id, "frames", frame_id), dataclasses.replace(frame, members=kept))
                else:
                    builder.remove(at(design, sheet_id, "frames", frame_id))
                    builder.remove(at(design, sheet_id, "look", frame_id))
            if not changed:
                break
    drop_unused_images(builder)


def drop_unused_images(builder: PatchBuilder) -> None:
    """Images that no picture shows go with the last one."""
    if builder.project.images:
        shown = {
            p.image for d in builder.project.designs.values() for s in d.sheets.values() for p in s.pictures.values()
        }
        for image_id in list(builder.project.images):
            if image_id not in shown:
                builder.remove(("images", image_id))


# -- helpers -----------------------------------------------------------------------------------------------------------


def _fields(fields: dict[str, Any], readers: dict[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(fields) - set(readers))
    if unknown:
        raise UserError(msg("There is no field '{field}'; expected {known}.", field=unknown[0], known=list(readers)))
    return {name: readers[name](value) for name, value in fields.items()}


def _colour(value: object) -> str:
    return given.word(value, "colour", COLOURS)


def _frame(project: Project, design: str, sheet: str, frame: str) -> Frame:
    row = sheet_of(project, design, sheet).frames.get(frame)
    if row is None:
        raise UserError(msg("Frame '{frame}' does not exist on sheet '{sheet}'.", frame=frame, sheet=sheet))
    return row


def _hold(builder: PatchBuilder, design: str, sheet: str, frame_id: str, row: Frame, ids: Sequence[str]) -> None:
    """Store a frame with its members; each leaves the frame that it was in."""
    owner: Sheet = sheet_of(builder.project, design, sheet)
    here = design_of(builder.project, design)
    known = framed_ids(here, sheet, known_ids(builder.project, here, sheet))
    for row_id in ids:
        if row_id not in known:
            raise UserError(msg("'{item}' does not exist on sheet '{sheet}'.", item=row_id, sheet=sheet))
        if frame_id in rows_in(owner, row_id):
            raise UserError(msg("'{item}' holds the frame that it would go into.", item=row_id))
    builder.set(at(design, sheet, "frames", frame_id), dataclasses.replace(row, members=tuple(ids)))
    for other_id, other in owner.frames.items():
        if other_id != frame_id and set(other.members) & set(ids):
            kept = tuple(m for m in other.members if m not in ids)
            if kept or (other.xy and not other.group):
                builder.set(at(design, sheet, "frames", other_id), dataclasses.replace(other, members=kept))
            else:
                _dissolve(builder, design, sheet, other_id)


def _dissolve(builder: PatchBuilder, design: str, sheet: str, frame_id: str) -> None:
    """Remove a frame that lost its last member, and then its holder if that was its last one."""
    owner = sheet_of(builder.project, design, sheet)
    outer = holder_of(owner, frame_id)
    builder.remove(at(design, sheet, "frames", frame_id))
    builder.remove(at(design, sheet, "look", frame_id))
    if outer is not None:
        around = owner.frames[outer]
        kept = tuple(m for m in around.members if m != frame_id)
        if kept or (around.xy and not around.group):
            builder.set(at(design, sheet, "frames", outer), dataclasses.replace(around, members=kept))
        else:
            _dissolve(builder, design, sheet, outer)
