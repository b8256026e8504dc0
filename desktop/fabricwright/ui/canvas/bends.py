"""Bends drawn by hand: lanes that a link keeps while the parts at its ends move. Pure.

A course from port to port is a chain of level and upright pieces. Each piece between the first and the last is a lane:
the height of a level piece, the x of an upright one. ``Look.bends`` holds one corner per lane; which of its two
numbers counts follows from the edge that the course leaves, so lanes stay put and the ends slide along them.
"""

from __future__ import annotations

from collections.abc import Sequence

from fabricwright.ui.canvas.routing import Point, tidy

STUB = 22.0
#: Lanes that nearly meet become one.
SNAP = 5.0


def laned(
    a: Point, a_edge: str, b: Point, b_edge: str, bends: Sequence[Sequence[float]], offset: float = 0.0
) -> list[Point] | None:
    """Course through lanes; ``offset`` spreads the lines of a bundle. None when the lanes do not lead to the far
    edge."""
    points = [p for p in bends if len(p) == 2]
    level = a_edge in "tb"
    arrives_upright = level if len(points) % 2 else not level
    if not points or arrives_upright != (b_edge in "tb"):
        return None
    out: list[Point] = [a]
    for x, y in points:
        here = out[-1]
        out.append((here[0], float(y) + offset) if level else (float(x) + offset, here[1]))
        level = not level
    here = out[-1]
    out += [(b[0], here[1]) if b_edge in "tb" else (here[0], b[1]), b]
    return tidy(out)


def lanes_of(course: Sequence[Sequence[float]]) -> list[Point]:
    """Lanes of a course as it is drawn."""
    return [(float(p[0]), float(p[1])) for p in list(course)[1:-2]]


def drag_piece(course: Sequence[Sequence[float]], piece: int, by: Point) -> list[Point]:
    """Lanes after a piece was moved by (dx, dy) across itself; an outer piece gets a short stub at its port."""
    points = [(float(p[0]), float(p[1])) for p in course]
    lanes = lanes_of(points)
    last = len(points) - 2
    (x0, y0), (x1, y1) = points[piece], points[piece + 1]
    moved = (x0, y0 + by[1]) if abs(y0 - y1) < abs(x0 - x1) else (x0 + by[0], y0)
    if 0 < piece < last:
        lanes[piece - 1] = moved
        return lanes
    first_stub, last_stub = _stub(points[0], points[1]), _stub(points[-1], points[-2])
    if last == 0:
        return [first_stub, moved, last_stub]
    return [first_stub, moved, *lanes] if piece == 0 else [*lanes, moved, last_stub]


def simplified(lanes: Sequence[Point], a: Point, b: Point, *, leaves_upright: bool) -> list[Point]:
    """Without jogs that are hardly there: neighbouring lanes of one direction that nearly meet."""
    # Lanes and both ports as the numbers that count, in turn across and along.
    out = list(lanes)
    changed = True
    while changed and out:
        changed = False
        axes = [1 if leaves_upright == (n % 2 == 0) else 0 for n in range(len(out))]
        before = a[1 - axes[0]]  # the port's own line runs across the first lane
        if len(out) >= 2 and abs(out[1][axes[1]] - before) < SNAP:
            out, changed = out[2:], True
            continue
        after = b[1 - axes[-1]]
        if len(out) >= 2 and abs(out[-2][axes[-2]] - after) < SNAP:
            out, changed = out[:-2], True
            continue
        for n in range(len(out) - 2):
            if abs(out[n][axes[n]] - out[n + 2][axes[n]]) < SNAP:
                out = [*out[: n + 1], *out[n + 3 :]]
                changed = True
                break
    return out


def slid(course: Sequence[Sequence[float]], da: Point, db: Point) -> list[Point]:
    """A course while its ends are moved by ``da`` and ``db``: its lanes stay, the first and last corners slide."""
    points = [[float(p[0]), float(p[1])] for p in course]
    for n, m, (dx, dy) in ((0, 1, da), (-1, -2, db)):
        upright = abs(points[n][0] - points[m][0]) < abs(points[n][1] - points[m][1])
        points[n] = [points[n][0] + dx, points[n][1] + dy]
        if upright:
            points[m][0] += dx
        else:
            points[m][1] += dy
    return [(x, y) for x, y in points]


def _stub(port: Point, towards: Point) -> Point:
    dx, dy = towards[0] - port[0], towards[1] - port[1]
    size = max(abs(dx), abs(dy), 1e-6)
    step = min(STUB, size / 3)
    return port[0] + dx / size * step, port[1] + dy / size * step
