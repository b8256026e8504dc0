"""Courses of links: straight where ends face each other, else right angles that keep clear of cards. Pure, numpy."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
Point = tuple[float, float]


def vertical(a: Point, b: Point, lane: float | None = None) -> list[Point]:
    """From ``a`` down (or up) to ``b``: one straight piece, or vertical, horizontal at ``lane``, vertical."""
    if abs(a[0] - b[0]) < 0.5:
        return [a, (a[0], b[1])]
    y = (a[1] + b[1]) / 2 if lane is None else lane
    return [a, (a[0], y), (b[0], y), b]


def crosses(points: Sequence[Point], boxes: F32, skip: Sequence[int] = ()) -> int:
    """How many boxes (x, y, w, h) an orthogonal polyline runs through; ``skip`` are its own ends."""
    if not len(boxes):
        return 0
    keep = np.ones(len(boxes), np.bool_)
    keep[list(skip)] = False
    left, top = boxes[:, 0] + 1, boxes[:, 1] + 1
    right, low = boxes[:, 0] + boxes[:, 2] - 1, boxes[:, 1] + boxes[:, 3] - 1
    hit = np.zeros(len(boxes), np.bool_)
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        hit |= (
            (left < max(x0, x1)) & (right > min(x0, x1)) & (top < max(y0, y1)) & (low > min(y0, y1))
            if x0 != x1 and y0 != y1
            else (
                (left < max(x0, x1) + 0.5)
                & (right > min(x0, x1) - 0.5)
                & (top < max(y0, y1) + 0.5)
                & (low > min(y0, y1) - 0.5)
            )
        )
    return int((hit & keep).sum())


def crossings(courses: Sequence[Sequence[Point]], boxes: F32, skip: Sequence[int] = ()) -> NDArray[np.int64]:
    """``crosses`` of several right-angled polylines at once, int64(courses)."""
    if not len(boxes):
        return np.zeros(len(courses), np.int64)
    pieces = [(n, *p, *q) for n, course in enumerate(courses) for p, q in itertools.pairwise(course)]
    rows = np.array(pieces, np.float64)
    low, high = np.minimum(rows[:, 1:3], rows[:, 3:5]) - 0.5, np.maximum(rows[:, 1:3], rows[:, 3:5]) + 0.5
    left, top = boxes[:, 0] + 1, boxes[:, 1] + 1
    right, foot = boxes[:, 0] + boxes[:, 2] - 1, boxes[:, 1] + boxes[:, 3] - 1
    hit = (left < high[:, :1]) & (right > low[:, :1]) & (top < high[:, 1:]) & (foot > low[:, 1:])
    hit[:, list(skip)] = False
    starts = np.searchsorted(rows[:, 0], np.arange(len(courses)))
    return np.logical_or.reduceat(hit, starts, axis=0).sum(axis=1)


def touches(points: Sequence[Point], boxes: Sequence[tuple[float, float, float, float]]) -> bool:
    """Whether a right-angled course runs through one of a few boxes; plain Python, for asking often."""
    for x, y, w, h in boxes:
        left, right, top, low = x + 0.5, x + w - 0.5, y + 0.5, y + h - 0.5
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            if (x0 if x0 < x1 else x1) < right and (x1 if x0 < x1 else x0) > left:  # noqa: SIM102 (cheap test first)
                if (y0 if y0 < y1 else y1) < low and (y1 if y0 < y1 else y0) > top:
                    return True
    return False


def stub(point: Point, edge: str, length: float = 16.0) -> Point:
    """A point just outside a port."""
    dx, dy = {"t": (0.0, -1.0), "b": (0.0, 1.0), "l": (-1.0, 0.0), "r": (1.0, 0.0)}[edge]
    return point[0] + dx * length, point[1] + dy * length


def route(
    a: Point, a_edge: str, b: Point, b_edge: str, boxes: F32, skip: Sequence[int] = (), lane: float = 0.0
) -> list[Point]:
    """Shortest of a few orthogonal courses from port to port that touches no card; ``lane`` spreads parallels.

    When every course crosses something the one with the fewest crossings is taken.
    """
    if (
        a_edge in "tb"
        and b_edge in "tb"
        and abs(a[0] - b[0]) < 0.5
        and (b[1] - a[1] > 0) == (a_edge == "b")
        and a_edge != b_edge
    ):
        straight = [a, (a[0], b[1])]
        if not crosses(straight, boxes, skip):
            return straight
    s, t = stub(a, a_edge, 14 + abs(lane)), stub(b, b_edge, 14 + abs(lane))
    courses = [tidy([a, s, *middle, t, b]) for middle in _candidates(s, t, a_edge, b_edge, boxes, lane)]
    courses.sort(key=lambda course: _length(course) + 12 * len(course))
    if not crosses(courses[0], boxes, skip):  # the shortest first, so that the search mostly ends here
        return courses[0]
    return courses[int(np.argmin(crossings(courses, boxes, skip)))]


def _candidates(s: Point, t: Point, a_edge: str, b_edge: str, boxes: F32, lane: float) -> list[list[Point]]:
    mid_y, mid_x = (s[1] + t[1]) / 2 + lane, (s[0] + t[0]) / 2 + lane
    out: list[list[Point]] = [
        [(s[0], mid_y), (t[0], mid_y)],
        [(mid_x, s[1]), (mid_x, t[1])],
        [(t[0], s[1])],
        [(s[0], t[1])],
    ]
    if len(boxes):
        left, right = float(boxes[:, 0].min()) - 20 - lane, float((boxes[:, 0] + boxes[:, 2]).max()) + 20 + lane
        for x in (left, right):
            out.append([(x, s[1]), (x, t[1])])
        top, low = float(boxes[:, 1].min()) - 20 - lane, float((boxes[:, 1] + boxes[:, 3]).max()) + 20 + lane
        for y in (top, low):
            out.append([(s[0], y), (t[0], y)])
        for x in _gaps(boxes, s, t):
            out.append([(x + lane, s[1]), (x + lane, t[1])])
    del a_edge, b_edge
    return out


def _gaps(boxes: F32, s: Point, t: Point) -> list[float]:
    """Vertical corridors between the cards that lie between two heights."""
    y0, y1 = min(s[1], t[1]), max(s[1], t[1])
    between = boxes[(boxes[:, 1] < y1) & (boxes[:, 1] + boxes[:, 3] > y0)]
    if not len(between):
        return []
    between = between[np.argsort(between[:, 0])]
    ends = np.maximum.accumulate(between[:, 0] + between[:, 2])[:-1]
    starts = between[1:, 0]
    free = np.flatnonzero(starts - ends > 8)
    corridors = ((ends[free] + starts[free]) / 2).tolist()
    middle = (s[0] + t[0]) / 2
    return sorted(corridors, key=lambda x: abs(x - middle))[:6]


def tidy(points: Sequence[Point]) -> list[Point]:
    """Without repeated points and without points in the middle of a straight run."""
    out: list[Point] = []
    for p in points:
        if out and abs(out[-1][0] - p[0]) < 0.01 and abs(out[-1][1] - p[1]) < 0.01:
            continue
        if len(out) >= 2:
            (x0, y0), (x1, y1) = out[-2], out[-1]
            if (abs(x0 - x1) < 0.01 and abs(x1 - p[0]) < 0.01) or (abs(y0 - y1) < 0.01 and abs(y1 - p[1]) < 0.01):
                out[-1] = p
                continue
        out.append(p)
    return out if len(out) > 1 else [*out, *out]


def _length(points: Sequence[Point]) -> float:
    return sum(abs(x1 - x0) + abs(y1 - y0) for (x0, y0), (x1, y1) in itertools.pairwise(points))
