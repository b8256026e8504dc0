"""Dragging a piece of a link: its lane moves, the other lines of its bundle keep their distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt

from fabricwright.ui.canvas.bends import drag_piece, laned, simplified
from fabricwright.ui.canvas.gestures import Gesture
from fabricwright.ui.canvas.routing import Point
from fabricwright.ui.paint.edges import Edges
from fabricwright.ui.paint.pick import snap

if TYPE_CHECKING:
    from fabricwright.ui.canvas.key_tool import KeyTool

Mods = Qt.KeyboardModifier


def bendable(edges: Edges, edge: int) -> tuple[float, bool] | None:
    """(offset in its bundle, told from its other end) of an edge that may be bent by hand, else None."""
    known = edges.memo.get("bendable")
    return known.get(edge) if isinstance(known, dict) else None


def piece_at(course: np.ndarray, where: QPointF) -> int:
    """The straight piece of a course that is nearest to a point."""
    best, found = float("inf"), 0
    for n in range(len(course) - 1):
        (x0, y0), (x1, y1) = course[n].tolist(), course[n + 1].tolist()
        dx, dy = x1 - x0, y1 - y0
        t = ((where.x() - x0) * dx + (where.y() - y0) * dy) / max(dx * dx + dy * dy, 1e-9)
        t = min(max(t, 0.0), 1.0)
        distance = (x0 + t * dx - where.x()) ** 2 + (y0 + t * dy - where.y()) ** 2
        if distance < best:
            best, found = distance, n
    return found


def is_level(course: np.ndarray, piece: int) -> bool:
    """Whether a piece runs from side to side."""
    (x0, y0), (x1, y1) = course[piece].tolist(), course[piece + 1].tolist()
    return abs(y0 - y1) < abs(x0 - x1)


def may_bend(edges: Edges, edge: int, where: QPointF) -> bool:
    """Whether the piece of an edge at a point may be dragged.

    The lines of a bundle share their level pieces, which lie between two tiers; an upright piece of one of them would
    take the others along across the sheet, so it stays.
    """
    if bendable(edges, edge) is None:
        return False
    if int((edges.link == edges.link[edge]).sum()) == 1:
        return True
    course = edges.polyline(edge)
    piece = piece_at(course, where)
    return len(course) == 4 and piece == 1 and is_level(course, piece)


class BendGesture(Gesture):
    """Moves one piece across itself; snap 10, Alt off. Pulled flat again, a link goes back to the automatic course."""

    def __init__(self, tool: KeyTool, start: QPointF, edge: int) -> None:
        super().__init__(tool)
        edges = self.state.scene.edges
        self.edges = edges
        self.edge = edge
        self.link = edges.links[int(edges.link[edge])]
        self.start = start
        self.course = edges.polyline(edge)
        self.piece = piece_at(self.course, start)
        known = bendable(edges, edge)
        assert known is not None
        self.offset, self.flipped = known
        same = np.flatnonzero(edges.link == edges.link[edge]).tolist()
        self.others = [n for n in same if bendable(edges, n) is not None]
        self.bends: list[Point] | None = None

    def move(self, where: QPointF, mods: Mods) -> None:
        level = is_level(self.course, self.piece)
        corner = self.course[self.piece].tolist()
        at = corner[1] + where.y() - self.start.y() if level else corner[0] + where.x() - self.start.x()
        if not mods & Mods.AltModifier:
            at = snap(at)
        by = (0.0, at - corner[1]) if level else (at - corner[0], 0.0)
        lanes = drag_piece(self.course.tolist(), self.piece, by)
        upright = not is_level(self.course, 0)
        lanes = simplified(lanes, self._end(self.edge, 0), self._end(self.edge, -1), leaves_upright=upright)
        lanes = [(x - self.offset, y - self.offset) for x, y in lanes]
        self.bends = lanes[::-1] if self.flipped else lanes
        shown = {}
        for n in self.others:
            course = self.edges.polyline(n)
            offset, _flipped = bendable(self.edges, n) or (0.0, False)
            first = "l" if is_level(course, 0) else "t"
            last = "l" if is_level(course, len(course) - 2) else "t"
            points = laned(self._end(n, 0), first, self._end(n, -1), last, lanes, offset) if lanes else None
            shown[n] = np.array(points, np.float32) if points is not None else course
        self.state.bent = shown
        self.state.hidden_edges = frozenset(shown)

    def _end(self, edge: int, which: int) -> Point:
        x, y = self.edges.polyline(edge)[which].tolist()
        return x, y

    def release(self, where: QPointF, mods: Mods) -> None:
        self.move(where, mods)
        bends = self.bends
        self.clear()
        if bends is not None:
            self.context.edit("set_look", item=self.link, bends=[[round(x, 2), round(y, 2)] for x, y in bends])
