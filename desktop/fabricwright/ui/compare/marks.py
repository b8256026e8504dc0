"""What differs, on the drawing: frames around cards and strokes along links; "changes only" pales the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter

from fabricwright.ui.canvas.layers import Layer
from fabricwright.ui.canvas.state import CanvasState
from fabricwright.ui.paint.cards import paint_card
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.paint.scene import Style
from fabricwright.ui.theme import make_pen

TOKENS = {"removed": "error", "added": "ok", "changed": "accent"}
DASH = (6.0, 4.0)
_PALE = 0.78
_FILL = {"removed": 0.10, "added": 0.10, "changed": 0.04}
#: Rows that fold the marks of others (a spine frame holds its switches).
_MOST_CARDS = 4000


@dataclass(slots=True)
class Marks:
    """Row id -> removed, added or changed, for cards and for links; ``only`` pales everything else."""

    items: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    only: bool = False


def marks_of(rows: Iterable[Mapping[str, Any]], side: str, sheet: str) -> Marks:
    """Marks of one sheet. ``rows`` as ``RowChange.to_json``; ``side`` a or b. A replaced part is a removed one at the
    left and an added one at the right.
    """
    marks = Marks()
    gone = "removed" if side == "a" else "added"
    for row in rows:
        kind = str(row["kind"])
        if row.get(f"sheet_{side}") != sheet or kind == ("added" if side == "a" else "removed"):
            continue
        (marks.items if row["table"] == "items" else marks.links)[str(row["id"])] = (
            gone if kind in ("replaced", "removed", "added") else "changed"
        )
    return marks


class MarkLayer(Layer):
    """Painted over cards and lines; part of the backdrop, so that it costs nothing while nothing moves."""

    z = 4.0

    def __init__(self, state: CanvasState) -> None:
        super().__init__(state)
        self.marks = Marks()

    def cards(self) -> list[tuple[int, str]]:
        """Cards with their mark."""
        scene = self.state.scene
        found = [(i, kind) for row, kind in self.marks.items.items() for i in scene.rows_of(row) if i < len(scene)]
        return found[:_MOST_CARDS]

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        scene = self.state.scene
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.marks.only:
            p.fillRect(area, ink.theme.alpha("canvas", _PALE))
        self._links(p, ink)
        for index, kind in self.cards():
            x, y, w, h = scene.box(index)
            box = QRectF(x, y, w, h)
            if not box.adjusted(-10, -10, 10, 10).intersects(area):
                continue
            if self.marks.only and scene.style[index] != Style.FRAME:
                p.save()
                p.translate(x, y)
                paint_card(p, scene.card(index), w, h, ink)
                p.restore()
            token = TOKENS[kind]
            p.setBrush(ink.theme.alpha(token, _FILL[kind] * (1.6 if ink.theme.dark else 1.0)))
            p.setPen(make_pen(ink[token], ink.line(1.75), DASH if kind == "removed" else ()))
            p.drawRoundedRect(box, 8, 8)

    def _links(self, p: QPainter, ink: Ink) -> None:
        edges = self.state.scene.edges
        if not self.marks.links or not len(edges):
            return
        numbers = edges.numbers()
        pieces, owner = edges.segments()
        for link, kind in self.marks.links.items():
            number = numbers.get(link)
            if number is None:
                continue
            mine = pieces[np.flatnonzero(edges.link[owner] == number)]
            token = TOKENS[kind]
            p.setPen(make_pen(ink[token], ink.line(2.5), DASH if kind == "removed" else ()))
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawLines([QLineF(*row) for row in mine[:_MOST_CARDS].tolist()])
