"""Where the lines of a fabric sheet run: ports on the edges of cards, straight bundles between tiers, buses under the
units."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fabricwright.ui.canvas.bends import laned
from fabricwright.ui.canvas.fabric_layout import Box, Layout
from fabricwright.ui.canvas.fabric_links import Strand, Wired
from fabricwright.ui.canvas.fabric_pieces import LEAF, SERVER, SIDE, Pieces, rail_of
from fabricwright.ui.canvas.routing import Point, crosses, route, tidy, touches
from fabricwright.ui.paint.scene import Mark

BUS_STEP = 13.0
#: So many cards moved at once are a new picture: every course is laid anew.
MANY = 40
NETWORK_KIND = {"storage": "storage", "inband": "storage", "oob": "mgmt", "mgmt": "mgmt"}
TOKEN = {"storage": "storage", "inband": "storage", "oob": "mgmt", "mgmt": "mgmt"}


@dataclass(slots=True)
class Course:
    """One line: its strand, points, kind and rail. ``bus`` lines run under the units; ``mid`` where a tie may sit (x,
    y)."""

    wired: Wired
    strand: Strand
    points: list[Point]
    kind: str
    rail: int
    bus: bool = False
    straight: bool = False
    offset: float = 0.0


Key = tuple[object, ...]


@dataclass(slots=True)
class Memory:
    """Courses of the last time and the boxes they went around: a course stays while nothing new stands in its way."""

    courses: dict[Key, list[Point]] = field(default_factory=dict)
    boxes: dict[tuple[str, int, int], Box] = field(default_factory=dict)


@dataclass(slots=True)
class Courses:
    """All lines, and the ports they gave the cards (by piece)."""

    lines: list[Course] = field(default_factory=list)
    marks: dict[int, list[Mark]] = field(default_factory=lambda: defaultdict(list))
    quiet: list[tuple[Wired, Strand]] = field(default_factory=list)
    memory: Memory = field(default_factory=Memory)
    routed: int = 0


class Plotter:
    """Lays the lines of one sheet."""

    def __init__(
        self,
        pieces: Pieces,
        layout: Layout,
        wired: list[Wired],
        memory: Memory | None = None,
        bends: Mapping[str, Sequence[Sequence[float]]] | None = None,
    ) -> None:
        self.bends = bends or {}
        self.pieces = pieces
        self.layout = layout
        self.wired = wired
        self.out = Courses()
        self.obstacles = np.array([layout.boxes[n] for n in sorted(layout.boxes)], np.float32).reshape(-1, 4)
        self.row_of = {n: k for k, n in enumerate(sorted(layout.boxes))}
        self.exports: dict[tuple[int, str], int] = {}
        self._side_marks: dict[tuple[int, str], int] = {}
        self.networks: list[str] = []
        self.old = memory or Memory()
        names = {n: (p.item, p.unit, p.tile) for n, p in enumerate(pieces.pieces)}
        self.out.memory.boxes = {names[n]: box for n, box in layout.boxes.items()}
        fresh = [box for name, box in self.out.memory.boxes.items() if self.old.boxes.get(name) != box]
        self.fresh = fresh
        self.gone = [box for name, box in self.old.boxes.items() if self.out.memory.boxes.get(name) != box]

    def run(self) -> Courses:
        """All lines."""
        main: list[Wired] = []
        other: list[Wired] = []
        for wired in self.wired:
            (main if self._is_main(wired) else other).append(wired)
        self.networks = sorted({w.row.network for w in other}, key=lambda n: (n in ("oob", "mgmt"), n))
        for wired in main:
            for strand in wired.strands:
                self._main(wired, strand)
        for wired in other:
            for strand in wired.strands:
                self._other(wired, strand)
        return self.out

    def _is_main(self, wired: Wired) -> bool:
        if not wired.strands:
            return True
        pieces, first = self.pieces.pieces, wired.strands[0]
        return pieces[first.a].role != SIDE and pieces[first.b].role != SIDE

    def _box(self, n: int) -> Box:
        return self.layout.boxes[n]

    # -- between tiers ----------------------------------------------------------------------------------------------

    def _main(self, wired: Wired, strand: Strand) -> None:
        a, b = self._box(strand.a), self._box(strand.b)
        piece = self.pieces.pieces[strand.a]
        fixed: float | None = None
        if strand.port >= 0 and piece.role == SERVER:
            fixed = a[0] + a[2] * (strand.port + 0.5) / max(wired.ports, 1)
        rail = self._rail(wired, strand)
        if b[1] + b[3] + 8 <= a[1]:
            edges = ("t", "b")
        elif a[1] + a[3] + 8 <= b[1]:
            edges = ("b", "t")
        else:
            edges = ("r", "l") if a[0] < b[0] else ("l", "r")
        if edges[0] in "tb":
            xa, xb = self._columns(a, b, fixed)
            pa = (xa, a[1] if edges[0] == "t" else a[1] + a[3])
            pb = (xb, b[1] if edges[1] == "t" else b[1] + b[3])
        else:
            pa = (a[0] + a[2] if edges[0] == "r" else a[0], a[1] + a[3] / 2)
            pb = (b[0] if edges[1] == "l" else b[0] + b[2], b[1] + b[3] / 2)
        offset = _spread(strand)
        points = self._bent(wired, pa, edges[0], pb, edges[1], offset)
        if points is None:
            points = self._course(strand, pa, edges[0], pb, edges[1])
        straight = len(points) == 2
        kind = NETWORK_KIND.get(wired.row.network, "compute")
        self.out.lines.append(Course(wired, strand, points, kind, rail, straight=straight, offset=offset))
        self._main_marks(wired, strand, pa, edges[0], pb, edges[1], rail)

    def _columns(self, a: Box, b: Box, fixed: float | None) -> tuple[float, float]:
        """x of both ends: straight when the spans allow it."""
        if fixed is not None:
            inside = b[0] + 6 <= fixed <= b[0] + b[2] - 6
            return fixed, fixed if inside else min(max(fixed, b[0] + 12), b[0] + b[2] - 12)
        low, high = max(a[0], b[0]) + 6, min(a[0] + a[2], b[0] + b[2]) - 6
        narrow = a if a[2] <= b[2] else b
        centre = narrow[0] + narrow[2] / 2
        if low <= high:
            x = min(max(centre, low), high)
            return x, x
        xa, xb = a[0] + a[2] / 2, b[0] + b[2] / 2
        return min(max(xb, a[0] + 12), a[0] + a[2] - 12) if a[2] > b[2] else xa, min(
            max(xa, b[0] + 12), b[0] + b[2] - 12
        ) if b[2] >= a[2] else xb

    def _kept(self, key: Key) -> list[Point] | None:
        """The course of last time, when no card has come or moved into it."""
        course = self.old.courses.get(key)
        if course is None or len(self.fresh) > MANY or touches(course, self.fresh):
            return None
        if self.gone and len(course) > 4 and self._freed(course):
            return None  # a way around something that is gone
        self.out.memory.courses[key] = course
        return course

    def _freed(self, course: list[Point]) -> bool:
        """Whether something has left the area that a course lies in."""
        if len(self.gone) > MANY:
            return True
        left, right = min(p[0] for p in course), max(p[0] for p in course)
        top, low = min(p[1] for p in course), max(p[1] for p in course)
        return any(x < right and x + w > left and y < low and y + h > top for x, y, w, h in self.gone)

    def _keep(self, key: Key, course: list[Point]) -> list[Point]:
        self.out.memory.courses[key] = course
        self.out.routed += 1
        return course

    def _bent(self, wired: Wired, pa: Point, ea: str, pb: Point, eb: str, offset: float) -> list[Point] | None:
        """Course through lanes that were drawn by hand, told from end ``a`` of the row; None without any."""
        bends = self.bends.get(wired.link)
        if not bends:
            return None
        if not wired.flipped:
            return laned(pa, ea, pb, eb, bends, offset)
        course = laned(pb, eb, pa, ea, bends, offset)
        return None if course is None else course[::-1]

    def _course(self, strand: Strand, pa: Point, ea: str, pb: Point, eb: str) -> list[Point]:
        key = (strand.link, strand.port, pa, ea, pb, eb)
        return self._kept(key) or self._keep(key, self._new_course(strand, pa, ea, pb, eb))

    def _new_course(self, strand: Strand, pa: Point, ea: str, pb: Point, eb: str) -> list[Point]:
        skip = (self.row_of[strand.a], self.row_of[strand.b])
        if ea in "tb":
            if abs(pa[0] - pb[0]) < 0.5:
                straight = [pa, (pa[0], pb[1])]
                if not crosses(straight, self.obstacles, skip):
                    return straight
            middle = (pa[1] + pb[1]) / 2 + _spread(strand)
            simple = tidy([pa, (pa[0], middle), (pb[0], middle), pb])
            if not crosses(simple, self.obstacles, skip):
                return simple
        return route(pa, ea, pb, eb, self.obstacles, skip, lane=4.0 * (strand.port % 4 if strand.port >= 0 else 0))

    def _rail(self, wired: Wired, strand: Strand) -> int:
        for n in (strand.b, strand.a):
            piece = self.pieces.pieces[n]
            if piece.role == LEAF and piece.tiles > 1:
                rail = rail_of(piece, self.pieces.axis)
                if rail >= 0:
                    return rail
        return strand.port if strand.port >= 0 and wired.ports > 1 else -1

    def _main_marks(self, wired: Wired, strand: Strand, pa: Point, ea: str, pb: Point, eb: str, rail: int) -> None:
        ends = (wired.row.b, wired.row.a) if wired.flipped else (wired.row.a, wired.row.b)
        for n, end, point, edge in ((strand.a, ends[0], pa, ea), (strand.b, ends[1], pb, eb)):
            piece = self.pieces.pieces[n]
            box = self._box(n)
            at = point[0] - box[0] if edge in "tb" else point[1] - box[1]
            token = f"rail{rail % 8}" if rail >= 0 else "pcie"
            if piece.role == SERVER:
                label = str(strand.port) if strand.port >= 0 and wired.ports > 1 else ""
                self._mark(n, Mark(end, edge, at, token, label))
            elif piece.role == LEAF and box[2] > 60:
                self._mark(n, Mark(end, edge, at, token))

    def _mark(self, n: int, mark: Mark) -> None:
        marks = self.out.marks[n]
        for known in marks:
            if known.edge == mark.edge and abs(known.at - mark.at) <= 3:
                return
        marks.append(mark)

    # -- other networks ---------------------------------------------------------------------------------------------

    def _other(self, wired: Wired, strand: Strand) -> None:
        roles = (self.pieces.pieces[strand.a].role, self.pieces.pieces[strand.b].role)
        kind = NETWORK_KIND.get(wired.row.network, "compute")
        if SERVER in roles and SIDE in roles:
            flip = roles[0] == SIDE
            self._bus(wired, strand, strand.b if flip else strand.a, strand.a if flip else strand.b, kind, flip)
        elif roles == (SIDE, SIDE) and kind != "mgmt":
            self._side(wired, strand, kind)
        else:
            # Management ports of switches and the like would cross everything; their number stands in the tip of the
            # card.
            self.out.quiet.append((wired, strand))

    def _bus(self, wired: Wired, strand: Strand, server: int, side: int, kind: str, flip: bool) -> None:
        a, b = self._box(server), self._box(side)
        k = self.networks.index(wired.row.network)
        column = self.layout.columns.get(side, 0)
        y = self.layout.bus_y + BUS_STEP * k
        x = a[0] + 34 + 22 * k
        token = TOKEN.get(wired.row.network, "pcie")
        side_end = wired.row.a if (flip != wired.flipped) else wired.row.b
        order = self._side_marks.setdefault(
            (side, f"l{wired.row.network}"), len([1 for key in self._side_marks if key[0] == side])
        )
        at = min(b[3] / 2 + 14 * order, b[3] - 10)
        target = (b[0], b[1] + at)
        channel = b[0] - 16 - 7 * (k % 4)
        points = tidy([(x, a[1] + a[3]), (x, y), (channel, y), (channel, target[1]), target])
        del column
        if flip:
            points.reverse()
        server_end = wired.row.b if flip != wired.flipped else wired.row.a
        self._mark(server, Mark(server_end, "b", x - a[0], token))
        self._mark(side, Mark(side_end, "l", at, token))
        self.out.lines.append(Course(wired, strand, points, kind, -1, bus=True))

    def _side(self, wired: Wired, strand: Strand, kind: str) -> None:
        a, b = self._box(strand.a), self._box(strand.b)
        token = TOKEN.get(wired.row.network, "pcie")
        ends = (wired.row.b, wired.row.a) if wired.flipped else (wired.row.a, wired.row.b)
        same = abs(a[0] - b[0]) < 2
        if same and (0 < b[1] - a[1] - a[3] < 60 or 0 < a[1] - b[1] - b[3] < 60):
            upper, lower = (a, b) if a[1] < b[1] else (b, a)
            offset = 22 + 16 * self._next(min(strand.a, strand.b), "v")
            x = upper[0] + offset
            first, second = (x, upper[1] + upper[3]), (x, lower[1])
            points = [first, second] if upper is a else [second, first]
            edges = ("b", "t") if upper is a else ("t", "b")
            self._mark(strand.a, Mark(ends[0], edges[0], offset, token))
            self._mark(strand.b, Mark(ends[1], edges[1], offset, token))
            self.out.lines.append(Course(wired, strand, points, kind, -1))
            return
        if same:
            k = self._next(strand.a, "r") + self._next(strand.b, "r")
            channel = a[0] + a[2] + 10 + 6 * (k % 5)
            pa, pb = (a[0] + a[2], a[1] + a[3] * 0.4 + 5 * (k % 3)), (b[0] + b[2], b[1] + b[3] * 0.4 + 5 * (k % 3))
            points = tidy([pa, (channel, pa[1]), (channel, pb[1]), pb])
            edges = ("r", "r")
        else:
            edges = ("r", "l") if a[0] < b[0] else ("l", "r")
            pa = (a[0] + a[2] if edges[0] == "r" else a[0], a[1] + a[3] * 0.65)
            pb = (b[0] if edges[1] == "l" else b[0] + b[2], b[1] + b[3] * 0.65)
            lane = 5.0 * (len(self.out.lines) % 4)
            skip = (self.row_of[strand.a], self.row_of[strand.b])
            key = (strand.link, lane, pa, edges[0], pb, edges[1])
            points = (
                self._bent(wired, pa, edges[0], pb, edges[1], 0.0)
                or self._kept(key)
                or self._keep(key, route(pa, edges[0], pb, edges[1], self.obstacles, skip, lane=lane))
            )
        self._mark(strand.a, Mark(ends[0], edges[0], pa[1] - a[1], token))
        self._mark(strand.b, Mark(ends[1], edges[1], pb[1] - b[1], token))
        self.out.lines.append(Course(wired, strand, points, kind, -1))

    def _next(self, piece: int, key: str) -> int:
        value = self._side_marks.get((piece, key), 0)
        self._side_marks[(piece, key)] = value + 1
        return value


def _spread(strand: Strand) -> float:
    """How far the level piece of a line lies from the middle one of its bundle."""
    if strand.port < 0:
        return (hash((strand.a, strand.port)) % 5 - 2) * 7.0
    return (strand.port % 8 - 3.5) * 5.0
