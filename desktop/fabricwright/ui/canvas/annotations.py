"""What is only drawn, as cards of a scene: notes and pictures, on both kinds of sheet."""

from __future__ import annotations

from fabricwright.design.values import Image, Project, Sheet
from fabricwright.ui.paint.scene import Card, Scene, Style


def note_size(text: str) -> tuple[float, float]:
    """Width and height of a note."""
    lines = text.splitlines() or [""]
    return 12 + 7.0 * max(len(line) for line in lines), 8 + 17.0 * len(lines)


def add_annotations(project: Project, row: Sheet, scene: Scene) -> None:
    """Notes (on a fabric sheet they are there already) and pictures."""
    cards: list[Card] = []
    boxes: list[tuple[float, float, float, float]] = []
    for note_id, note in row.notes.items():
        if note_id not in scene.by_id:
            x, y = note.xy or (0.0, 0.0)
            cards.append(Card(note_id, Style.NOTE, "note", (note.text,)))
            boxes.append((x, y, *note_size(note.text)))
    for picture_id, picture in row.pictures.items():
        image = project.images.get(picture.image)
        x, y = picture.xy or (0.0, 0.0)
        w, h = picture.wh or (200.0, 120.0)
        cards.append(Card(picture_id, Style.PICTURE, "image", (image.title if image else "",), picture=_source(image)))
        boxes.append((x, y, w, h))
    scene.append(cards, boxes)


def _source(image: Image | None) -> tuple[str, str]:
    return (image.media, image.data) if image is not None else ("", "")
