"""Invariants of what is only drawn: frames hold rows that exist, pictures show images that exist and are harmless."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.design.frames import framed_ids
from fabricwright.design.images import image_problems
from fabricwright.design.values import Design, Project
from fabricwright.units.text import Message, msg


def check_images(project: Project) -> Iterator[Message]:
    """What is wrong with the images of a project."""
    for image_id, problem in image_problems(project.images):
        yield msg("{where}: {problem}", where=f"images.{image_id}" if image_id else "images", problem=problem)


def check_drawing(project: Project, design: Design, sheet_id: str, known: set[str], where: str) -> Iterator[Message]:
    """What is wrong with the frames and pictures of a sheet; ``known`` are the ids that its links may name."""
    sheet = design.sheets[sheet_id]
    for picture_id, picture in sheet.pictures.items():
        if picture.image not in project.images:
            place = f"{where}.pictures.{picture_id}"
            yield msg("{where}.image: image '{image}' does not exist.", where=place, image=picture.image)
    if not sheet.frames:
        return
    framed = framed_ids(design, sheet_id, known)
    held: dict[str, str] = {}
    for frame_id, frame in sheet.frames.items():
        place = f"{where}.frames.{frame_id}.members"
        for member in frame.members:
            if member not in framed:
                yield msg("{where}: '{item}' does not exist.", where=place, item=member)
            elif member in held:
                yield msg("{where}: '{item}' is in two frames.", where=place, item=member)
            held[member] = frame_id
    sound: set[str] = set()
    for frame_id in sheet.frames:
        way: dict[str, None] = {}
        here: str | None = frame_id
        while here is not None and here not in sound:
            if here in way:
                yield msg("{where}: frames lie inside each other in a circle.", where=f"{where}.frames.{frame_id}")
                return
            way[here] = None
            here = held.get(here)
        sound.update(way)
