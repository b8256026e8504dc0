"""Edges of a scene: bundles far out, straight lines at mid zoom, orthogonal with round corners near; ties and labels
on top."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from fabricwright.ui.paint import text
from fabricwright.ui.paint.primitives import FAR, MID, NEAR, Ink
from fabricwright.ui.paint.scene import F32, I32, KINDS, Edges, Label, Scene, Tie
from fabricwright.ui.theme import MEDIUM, LinkStyle, link_style, load_color, load_step, load_width, make_pen

CORNER = 6.0
#: Up to so many lines, far and mid zoom draw the real courses.
COURSES = 3000
#: Up to so many edges in sight are drawn with round corners at near zoom.
NEAR_EDGES = 1500
#: More lines than that at far zoom are thinned: of those between the same two squares of the screen one is drawn.
FAR_EDGES = 4000
#: Side of such a square at the upper end of its octave of zoom, px; at most twice that on the screen.
FAR_CELL = 28.0
#: (kind, rail, load step) -> edges and their straight lines
LineGroups = dict[tuple[int, int, int], tuple[I32, list[QLineF]]]
#: Kinds whose colour is the load while the heat map is on; the others keep theirs at 75 % opacity.
HEATED = ("compute", "pcie", "upi", "nvlink")


def style_of(edges: Edges, index: int, *, paper: bool = False) -> LinkStyle:
    """Line style of one edge without load colours."""
    kind = KINDS[edges.kind[index]]
    rail = int(edges.rail[index])
    if kind == "compute" and rail < 0:
        return LinkStyle("pcie", 1.5)
    if kind == "dmi":
        return LinkStyle("border.strong", 1.25)
    return link_style(kind, rail if rail >= 0 else None, paper=paper)


def edge_path(points: F32, radius: float = CORNER) -> QPainterPath:
    """Polyline with rounded corners."""
    # Plain numbers: for a handful of points numpy takes many times as long.
    course: list[list[float]] = points.tolist()
    (bx, by), (lx, ly) = course[0], course[-1]
    path = QPainterPath(QPointF(bx, by))
    for (x, y), (ax, ay) in itertools.pairwise(course[1:]):
        l0, l1 = math.hypot(x - bx, y - by), math.hypot(ax - x, ay - y)
        r = min(radius, l0 / 2, l1 / 2)
        if r < 0.5:
            path.lineTo(x, y)
        else:
            path.lineTo(x - (x - bx) / l0 * r, y - (y - by) / l0 * r)
            path.quadTo(x, y, x + (ax - x) / l1 * r, y + (ay - y) / l1 * r)
        bx, by = x, y
    path.lineTo(lx, ly)
    return path


def offset_polyline(points: F32, distance: float) -> F32:
    """A parallel of an orthogonal polyline, ``distance`` to its left."""
    d = np.diff(points, axis=0)
    length = np.maximum(np.hypot(d[:, 0], d[:, 1]), 1e-6)
    normal = np.stack([d[:, 1] / length, -d[:, 0] / length], axis=1)
    out = points.astype(np.float64).copy()
    out[0] += normal[0] * distance
    out[-1] += normal[-1] * distance
    for k in range(1, len(points) - 1):
        joined = normal[k - 1] + normal[k]
        if abs(float(normal[k - 1] @ normal[k])) > 0.99:
            joined = normal[k]
        out[k] += joined * distance
    return out.astype(np.float32)


def _colour(edges: Edges, index: int, style: LinkStyle, ink: Ink, heat: bool) -> tuple[QColor, float]:
    kind = KINDS[edges.kind[index]]
    load = float(edges.load[index])
    if heat and kind in HEATED and not np.isnan(load):
        return load_color(load, ink.theme), load_width(load)
    colour = ink[style.token]
    if heat:
        colour = ink.theme.alpha(style.token, 0.75)
    return colour, style.width


def paint_edges(
    p: QPainter, scene: Scene, which: I32, ink: Ink, *, heat: bool = False, hidden: frozenset[int] = frozenset()
) -> None:
    """Draw the edges ``which``; ``hidden`` are being dragged and drawn elsewhere."""
    if not len(which):
        return
    p.save()
    p.setBrush(Qt.BrushStyle.NoBrush)
    if hidden:
        which = which[~np.isin(which, list(hidden))]
    if ink.band == NEAR and len(which) <= NEAR_EDGES:
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        _paint_courses(p, scene.edges, which, ink, heat)
    else:
        p.setRenderHint(QPainter.RenderHint.Antialiasing, ink.scale >= 0.5)
        _paint_batched(p, scene.edges, which, ink, heat)
    p.restore()


def _paint_courses(p: QPainter, edges: Edges, which: I32, ink: Ink, heat: bool) -> None:
    """Edges at near zoom: the same as ``paint_edge`` one by one, with pens and paths that are made once."""
    pens: dict[tuple[int, int, int, bool], tuple[QPen, float]] = {}
    paths: dict[tuple[int, float], tuple[QPainterPath, ...]]
    paths = edges.memo.setdefault("paths", {})  # type: ignore[assignment]
    steps = load_steps(edges)[which].tolist() if heat else [-1] * len(which)
    many = (edges.count[which] > 1).tolist()
    current: QPen | None = None
    looks = zip(edges.kind[which].tolist(), edges.rail[which].tolist(), steps, many, strict=True)
    for index, look in zip(which.tolist(), looks, strict=True):
        known = pens.get(look)
        if known is None:
            known = pens[look] = edge_pen(edges, index, ink, heat)
        pen, gap = known
        drawn = paths.get((index, gap))
        if drawn is None:
            drawn = paths[(index, gap)] = _course_paths(edges.polyline(index), gap)
        if pen is not current:
            p.setPen(pen)
            current = pen
        for path in drawn:
            p.drawPath(path)


def edge_pen(edges: Edges, index: int, ink: Ink, heat: bool) -> tuple[QPen, float]:
    """Pen of an edge at near zoom, and the distance of its two lines (0 = one line)."""
    style = style_of(edges, index, paper=ink.paper)
    colour, width = _colour(edges, index, style, ink, heat)
    pen = make_pen(colour, ink.line(width if not ink.paper else min(width, 1.4)), style.dash)
    double = style.gap > 0 or (edges.count[index] > 1 and KINDS[edges.kind[index]] == "compute")
    gap = style.gap or (4.0 if width < 2.5 else width + 1.5)
    return pen, gap if double and gap * ink.scale >= 2.5 else 0.0


def _course_paths(course: F32, gap: float) -> tuple[QPainterPath, ...]:
    if len(course) < 2:
        return ()
    if not gap:
        return (edge_path(course),)
    return tuple(edge_path(offset_polyline(course, side)) for side in (gap / 2, -gap / 2))


def paint_edge(
    p: QPainter,
    edges: Edges,
    index: int,
    ink: Ink,
    *,
    heat: bool = False,
    points: F32 | None = None,
    selected: bool = False,
) -> None:
    """One edge at near zoom. ``points`` overrides its course while an end is being dragged."""
    course = edges.polyline(index) if points is None else points
    pen, gap = edge_pen(edges, index, ink, heat)
    if selected and len(course) >= 2:
        p.setPen(make_pen(ink.theme.alpha("select", 0.35), ink.line(pen.widthF() + gap + 6)))
        p.drawPath(edge_path(course))
        pen.setColor(ink["select"])
    p.setPen(pen)
    for path in _course_paths(course, gap):
        p.drawPath(path)


def _paint_batched(p: QPainter, edges: Edges, which: I32, ink: Ink, heat: bool) -> None:
    """Straight lines, one drawLines per pen."""
    if not len(which):
        return
    thin = ink.band == FAR and len(which) > FAR_EDGES
    groups = line_groups(edges, ink.band, heat, math.floor(math.log2(ink.scale)) if thin else None)
    whole = len(which) == len(edges)
    chosen = np.zeros(len(edges), np.bool_)
    chosen[which] = True
    for (kind, rail, step), (members, lines) in groups.items():
        style = (
            LinkStyle("pcie", 1.5)
            if KINDS[kind] == "compute" and rail < 0
            else link_style(KINDS[kind], rail if rail >= 0 else None, paper=ink.paper)
        )
        if KINDS[kind] == "dmi":
            style = LinkStyle("border.strong", 1.0)
        if step >= 0:
            colour, width = ink[f"heat{step}"], load_width((0.1, 0.3, 0.6, 0.8, 1.0)[step])
        else:
            colour, width = ink[style.token], style.width
        pen = make_pen(
            colour,
            # Hair lines have a path of their own through the rasteriser, several times as fast.
            width if ink.band == MID else 1.0 if thin else max(1.0, width * 0.75),
            style.dash if ink.band == MID and len(which) < 2000 else (),
            cosmetic=True,
        )
        wanted = members[:0] if whole else np.flatnonzero(chosen[members])
        if whole or len(wanted) == len(lines):
            p.setPen(pen)
            p.drawLines(lines)
        elif len(wanted):
            p.setPen(pen)
            p.drawLines([lines[k] for k in wanted.tolist()])


def load_steps(edges: Edges) -> NDArray[np.int8]:
    """Step 0..4 of the load of each edge that the heat map colours, -1 for the others; int8(n), kept on the edges."""
    found: NDArray[np.int8] | None = edges.memo.get("steps")  # type: ignore[assignment]
    if found is None:
        found = np.full(len(edges), -1, np.int8)
        heated = np.isin(edges.kind, [KINDS.index(k) for k in HEATED]) & ~np.isnan(edges.load)
        found[heated] = [load_step(v) for v in edges.load[heated].tolist()]
        edges.memo["steps"] = found
    return found


def line_groups(edges: Edges, band: int, heat: bool, octave: int | None) -> LineGroups:
    """Lines by pen, kept on the edges: at far zoom one line per pair of cards, with ``octave`` (whole logarithm of the
    zoom) one line for all that run between the same two places."""
    key = ("lines", band, heat, octave)
    found = edges.memo.get(key)
    if found is not None:
        return found  # type: ignore[return-value]
    n = len(edges)
    steps = load_steps(edges) if heat else np.full(n, -1, np.int8)
    keep: I32 = np.arange(n, dtype=np.int32)
    if band == FAR and n:
        keep = _first_of(np.minimum(edges.a, edges.b), np.maximum(edges.a, edges.b), edges.kind)
    if octave is not None:
        cell = FAR_CELL / 2.0**octave
        ends = (edges.points[edges.indptr[:-1][keep]], edges.points[edges.indptr[1:][keep] - 1])
        places = [np.floor(end[:, axis] / cell).astype(np.int32) for end in ends for axis in (0, 1)]
        keep = keep[_first_of(*places, edges.kind[keep], steps[keep])]
    pieces, owner = _pieces(edges, keep)
    # One number per pen: kind, rail (-1 = none or told by the load), load step.
    rails = np.where((edges.rail[owner] < 0) | (steps[owner] >= 0), -1, edges.rail[owner] % 8).astype(np.int64)
    pens = (edges.kind[owner].astype(np.int64) * 16 + rails + 1) * 16 + steps[owner] + 1
    out: LineGroups = {}
    for pen in dict.fromkeys(pens.tolist()):
        rows = np.flatnonzero(pens == pen)
        lines = list(itertools.starmap(QLineF, pieces[rows].tolist()))
        out[(pen // 256, pen // 16 % 16 - 1, pen % 16 - 1)] = (owner[rows], lines)
    edges.memo[key] = out
    return out


def _first_of(*columns: NDArray[Any]) -> I32:
    """Ascending indices of the first row of every distinct combination."""
    order = np.lexsort(columns[::-1])
    fresh = np.zeros(len(order), np.bool_)
    fresh[:1] = True
    for column in columns:
        fresh[1:] |= np.diff(column[order]) != 0
    return np.sort(order[fresh]).astype(np.int32)


def _pieces(edges: Edges, keep: I32) -> tuple[F32, I32]:
    """Straight pieces and the edge of each: the real course while there are few, end to end when there are
    thousands."""
    if len(keep) <= COURSES:
        pieces, owner = edges.segments()
        if len(keep) < len(edges):
            mask = np.isin(owner, keep)
            return pieces[mask], owner[mask]
        return pieces, owner
    ends = [edges.points[edges.indptr[:-1][keep]], edges.points[edges.indptr[1:][keep] - 1]]
    return np.concatenate(ends, axis=1), keep


def paint_tie(p: QPainter, tie: Tie, ink: Ink, *, heat: bool = False) -> None:
    """The pill across parallel lines: as wide as the lines it speaks for, or as its text."""
    px = ink.px(11.5)
    h = px * 1.6
    span = tie.x1 - tie.x0
    room = max(span, 150.0)
    label = text.choose(tie.texts, room - 16, px)
    if not label:
        return
    w = max(span, text.width(label, px) + 18)
    centre = (tie.x0 + tie.x1) / 2
    box = QRectF(centre - w / 2, tie.y - h / 2, w, h)
    hot = heat and tie.load is not None and tie.load >= 0.75
    line = load_color(tie.load or 0.0, ink.theme) if hot else ink[tie.token] if tie.token else ink["border"]
    p.setPen(make_pen(line if not ink.paper else ink["border.strong"], ink.line(1.6 if hot and span < 40 else 1.0)))
    p.setBrush(ink["raised"])
    p.drawRoundedRect(box, h / 2, h / 2)
    own = hot and span < 40
    colour = line if own else ink["text"]
    text.draw_in(p, box, (label,), px, colour, weight=MEDIUM if own else 400, align=text.CENTRE)


def tie_box(tie: Tie, ink: Ink) -> QRectF:
    """Box of a tie, for picking."""
    px = ink.px(11.5)
    label = text.choose(tie.texts, max(tie.x1 - tie.x0, 150.0) - 16, px)
    w = max(tie.x1 - tie.x0, text.width(label, px) + 18)
    return QRectF((tie.x0 + tie.x1) / 2 - w / 2, tie.y - px * 0.8, w, px * 1.6)


def paint_label(p: QPainter, label: Label, ink: Ink) -> None:
    """Lanes or loss beside a link; a label with a state is a pill."""
    if ink.scale < label.min_scale:
        return
    px = ink.px(11)
    shown = text.choose(label.text.split("\t"), label.room, px)
    if not shown:
        return
    if label.state:
        w = text.width(shown, px, MEDIUM) + 14
        token = {"warning": "warn", "error": "error", "ok": "ok"}.get(label.state, "info")
        box = QRectF(label.x - w / 2, label.y - px * 0.8, w, px * 1.6)
        p.setPen(make_pen(ink[token], ink.line(1.2)))
        p.setBrush(ink[f"{token}.soft"])
        p.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        text.draw_in(p, box, (shown,), px, ink[token], weight=MEDIUM, align=text.CENTRE)
        return
    w = text.width(shown, px)
    left = label.x if label.anchor == "l" else label.x - w if label.anchor == "r" else label.x - w / 2
    box = QRectF(left, label.y - px * 0.8, w + 1, px * 1.6)
    if not ink.paper:
        p.fillRect(box.adjusted(-2, 2, 2, -2), ink.theme.alpha("canvas", 0.75))
    text.draw_in(p, box, (shown,), px, ink[label.token])
