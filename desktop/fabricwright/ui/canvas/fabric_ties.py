"""What the bundles of a fabric sheet say: ties across parallel lines, counts beside single ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from fabricwright.ui.canvas.fabric_courses import Course, Courses
from fabricwright.ui.canvas.fabric_layout import Layout
from fabricwright.ui.canvas.fabric_pieces import SERVER, SIDE, Pieces
from fabricwright.ui.canvas.naming import thousands
from fabricwright.ui.paint.scene import Label, Tie
from fabricwright.units.quantity import format_rate
from fabricwright.units.text import msg


class BundleWords:
    """Ties and labels of one sheet; ``load`` gives the load of a link (1.0 = full), None where it is not known."""

    def __init__(self, pieces: Pieces, layout: Layout, lang: str, load: Callable[[str], float | None]) -> None:
        self.pieces, self.layout, self.lang, self.load = pieces, layout, lang, load
        self._bus_courses: list[Course] = []

    def _role(self, piece: int) -> str:
        return self.pieces.pieces[piece].role

    def ties(self, courses: Courses) -> list[Tie]:
        """The ties of all bundles, in the order of their links."""
        groups: dict[tuple[str, int, bool], list[Course]] = defaultdict(list)
        self._bus_courses = [c for c in courses.lines if c.bus]
        for course in courses.lines:
            if self._role(course.strand.a) == SIDE and self._role(course.strand.b) == SIDE:
                continue
            piece = self.pieces.pieces[course.strand.a]
            other = self.pieces.pieces[course.strand.b]
            unit = -1 if course.bus else max(piece.unit, other.unit)
            groups[(course.strand.link, unit, course.straight)].append(course)
        out: list[Tie | None] = []
        for (link, _unit, straight), members in sorted(groups.items(), key=lambda kv: (kv[0][0], kv[0][1], kv[0][2])):
            first = members[0]
            if first.bus:
                out.append(self._bus_tie(link, members))
            elif straight and abs(first.points[0][0] - first.points[-1][0]) < 1:
                out.append(self._straight_tie(link, members))
            else:
                out.append(self._bent_tie(link, members))
        return [t for t in out if t is not None]

    def side_labels(self, courses: Courses) -> list[Label]:
        """Counts beside the lines between side cards."""
        out = []
        for c in courses.lines:
            if (
                self._role(c.strand.a) == SIDE
                and self._role(c.strand.b) == SIDE
                and len(c.points) == 2
                and c.points[0][0] == c.points[1][0]
            ):
                rate = f" × {format_rate(c.wired.gbps * 1e9)}" if c.wired.gbps else ""
                x, y = c.points[0][0] + 7, (c.points[0][1] + c.points[-1][1]) / 2
                out.append(Label(x, y, f"{thousands(c.strand.count)}{rate}", 140.0, "l", "", c.strand.link))
        return out

    def _texts(self, link: str, members: list[Course], per: str) -> tuple[str, ...]:
        wired = members[0].wired
        counts = {c.strand.count for c in members}
        rate = format_rate(wired.gbps * 1e9) if wired.gbps else ""
        load = self.load(link)
        tail = f" · {load * 100:.0f} %" if load is not None else ""
        total = sum(c.strand.count for c in members)
        what = f" × {rate}" if rate else ""
        if len(members) == 1 or len(counts) > 1:
            text = f"{thousands(total)}{what}" if what else thousands(total)
            return tuple(dict.fromkeys((text + tail, text, tail.strip(" ·") or text)))
        each = thousands(next(iter(counts)))
        word = {
            "rail": msg("{count}{what} per rail", count=each, what=what),
            "leaf": msg("{count}{what} per leaf", count=each, what=what),
            "port": msg("{count}{what} per port", count=each, what=what),
        }.get(per, msg("{count}{what} each", count=each, what=what))
        long = word.text(self.lang)
        return tuple(dict.fromkeys((long + tail, f"{each}{what}{tail}", f"{each}{what}")))

    def _per(self, members: list[Course]) -> str:
        first = members[0]
        roles = {self._role(first.strand.a), self._role(first.strand.b)}
        if SERVER in roles:
            coords = self.pieces.pieces[first.strand.b].coords
            return "rail" if "rail" in coords else "port"
        return "leaf"

    def _straight_tie(self, link: str, members: list[Course]) -> Tie:
        xs = [c.points[0][0] for c in members]
        y0 = max(min(c.points[0][1], c.points[-1][1]) for c in members)
        y1 = min(max(c.points[0][1], c.points[-1][1]) for c in members)
        frame = self._frame_edge(members[0])
        if frame is not None and y0 < frame < y1:
            y1 = frame
        return Tie(
            link,
            min(xs) - 8,
            max(xs) + 8,
            (y0 + y1) / 2,
            self._texts(link, members, self._per(members)),
            self.load(link),
        )

    def _frame_edge(self, course: Course) -> float | None:
        """Top of the unit's frame, so that a tie between a spine and a leaf sits outside of it."""
        unit = max(self.pieces.pieces[course.strand.a].unit, self.pieces.pieces[course.strand.b].unit)
        other = min(self.pieces.pieces[course.strand.a].unit, self.pieces.pieces[course.strand.b].unit)
        box = self.layout.frames.get(unit)
        return box[1] if box and other < 0 else None

    def _bent_tie(self, link: str, members: list[Course]) -> Tie | None:
        best: tuple[float, tuple[float, float], tuple[float, float]] | None = None
        for course in members:
            for p, q in zip(course.points, course.points[1:], strict=False):
                length = abs(p[0] - q[0]) if abs(p[1] - q[1]) < 1 else abs(p[1] - q[1]) * 0.6
                if best is None or length > best[0]:
                    best = (length, p, q)
        if best is None or best[0] < 14:
            return None
        x, y = (best[1][0] + best[2][0]) / 2, (best[1][1] + best[2][1]) / 2
        kind = members[0].kind
        token = kind if kind in ("storage", "mgmt") else ""
        return Tie(link, x - 2, x + 2, y, self._texts(link, members, "each")[-2:], self.load(link), token)

    def _bus_tie(self, link: str, members: list[Course]) -> Tie:
        y = max(p[1] for c in members for p in c.points)
        left = min(min(p[0] for p in c.points if abs(p[1] - y) < 1) for c in members)
        right = min(self.layout.main_right, max(p[0] for c in members for p in c.points))
        total = sum(c.strand.count for c in members)
        rate = format_rate(members[0].wired.gbps * 1e9) if members[0].wired.gbps else ""
        text = f"{thousands(total)} × {rate}" if rate else thousands(total)
        k = sorted({c.wired.row.network for c in self._bus_courses}).index(members[0].wired.row.network)
        x = left + (right - left) * (0.36 + 0.2 * (k % 3)) if right > left else left + 60
        return Tie(link, x - 2, x + 2, y, (text,), self.load(link), members[0].kind, False)
