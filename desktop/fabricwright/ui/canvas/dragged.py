"""Lines of cards that are being moved: one by one while they are few, as bare pieces in a few calls when many."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter

from fabricwright.ui.canvas.bends import slid
from fabricwright.ui.canvas.routing import vertical
from fabricwright.ui.paint.edges import Edges
from fabricwright.ui.paint.lines import edge_pen, load_steps, paint_edge
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.paint.scene import F32, I32

#: Edges drawn with round corners while they move.
FEW = 40
#: Pieces drawn smooth while they move.
SMOOTH = 300


class DraggedLines:
    """The moving lines of one drag. What does not change while it lasts is worked out once."""

    def __init__(self, edges: Edges, moving: frozenset[int], cards: frozenset[int]) -> None:
        self.edges = edges
        self.moving = moving
        self.which: I32 = np.array(sorted(moving), np.int32)
        lifted = np.array(sorted(cards), np.int32)
        self.a: NDArray[np.bool_] = np.isin(edges.a[self.which], lifted)
        self.b: NDArray[np.bool_] = np.isin(edges.b[self.which], lifted)
        self._whole: list[tuple[int, list[QLineF]]] | None = None

    def draw(self, p: QPainter, dx: float, dy: float, ink: Ink, *, heat: bool) -> None:
        """Paint them where the pointer has taken them."""
        if len(self.which) <= FEW:
            for k, index in enumerate(self.which.tolist()):
                paint_edge(p, self.edges, index, ink, heat=heat, points=self.bent(k, dx, dy))
            return
        p.save()
        p.setRenderHint(QPainter.RenderHint.Antialiasing, 3 * len(self.which) <= SMOOTH)
        p.translate(dx, dy)
        for index, lines in self.carried(heat):
            p.setPen(edge_pen(self.edges, index, ink, heat)[0])
            p.drawLines(lines)
        p.translate(-dx, -dy)
        for index, lines in self.stretched(dx, dy, heat):
            p.setPen(edge_pen(self.edges, index, ink, heat)[0])
            p.drawLines(lines)
        p.restore()

    def bent(self, k: int, dx: float, dy: float) -> F32:
        """Course of the k-th edge while one or both of its ends are being moved."""
        course = self.edges.polyline(int(self.which[k])).copy()
        if self.a[k] and self.b[k]:
            return course + np.array([dx, dy], np.float32)
        bent = self.edges.memo.get("bent")
        if isinstance(bent, frozenset) and self.edges.links[int(self.edges.link[self.which[k]])] in bent:
            still = (0.0, 0.0)
            return np.array(slid(course.tolist(), (dx, dy) if self.a[k] else still, (dx, dy) if self.b[k] else still))
        first, last = course[0].copy(), course[-1].copy()
        if self.a[k]:
            first += (dx, dy)
        if self.b[k]:
            last += (dx, dy)
        return np.array(vertical((float(first[0]), float(first[1])), (float(last[0]), float(last[1]))), np.float32)

    def carried(self, heat: bool) -> list[tuple[int, list[QLineF]]]:
        """Edges that move as a whole, by look: (any edge of the look, pieces where they were)."""
        if self._whole is None:
            pieces, owner = self.edges.segments()
            mine = np.isin(owner, self.which[self.a & self.b])
            self._whole = _by_look(self.edges, owner[mine], pieces[mine], heat)
        return self._whole

    def stretched(self, dx: float, dy: float, heat: bool) -> list[tuple[int, list[QLineF]]]:
        """Edges of which one end moves: down, across, down."""
        one = self.a ^ self.b
        which = self.which[one]
        step = np.array([dx, dy], np.float32)
        first = self.edges.points[self.edges.indptr[:-1][which]] + step * self.a[one][:, None]
        last = self.edges.points[self.edges.indptr[1:][which] - 1] + step * self.b[one][:, None]
        middle = (first[:, 1] + last[:, 1]) / 2
        x0, y0, x1, y1 = first[:, 0], first[:, 1], last[:, 0], last[:, 1]
        rows = [(x0, y0, x0, middle), (x0, middle, x1, middle), (x1, middle, x1, y1)]
        pieces = np.concatenate([np.stack(row, axis=1) for row in rows])
        return _by_look(self.edges, np.concatenate([which] * 3), pieces, heat)


def _by_look(edges: Edges, owner: I32, pieces: F32, heat: bool) -> list[tuple[int, list[QLineF]]]:
    steps = load_steps(edges)[owner] if heat else np.zeros(len(owner), np.int8)
    looks = edges.kind[owner].astype(np.int64) * 1_000_000 + (edges.rail[owner].astype(np.int64) + 1) * 10 + steps
    out = []
    for look in np.unique(looks).tolist():
        rows = looks == look
        lines = [QLineF(x0, y0, x1, y1) for x0, y0, x1, y1 in pieces[rows].tolist()]
        out.append((int(owner[np.argmax(rows)]), lines))
    return out
