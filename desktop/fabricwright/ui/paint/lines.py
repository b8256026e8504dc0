"""Edges of a scene: bundles far out, straight lines at mid zoom, orthogonal with round corners near; ties and labels
on top."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from fabricwright.ui.paint import text
from fabricwright.ui.paint.primitives import FAR, MID, NEAR, Ink
from fabricwright.ui.paint.scene import F32, I32, KINDS, Edges, Label, Scene, Tie
from fabricwright.ui.theme import MEDIUM, LinkStyle, link_style, load_color, load_step, load_width, make_pen

CORNER = 6.0
COURSES = 3000
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
    path = QPainterPath(QPointF(float(points[0, 0]), float(points[0, 1])))
    count = len(points)
    for k in range(1, count - 1):
        before, here, after = points[k - 1], points[k], points[k + 1]
        d0, d1 = here - before, after - here
        l0, l1 = float(np.hypot(*d0)), float(np.hypot(*d1))
        r = min(radius, l0 / 2, l1 / 2)
        if r < 0.5 or l0 == 0 or l1 == 0:
            path.lineTo(float(here[0]), float(here[1]))
            continue
        start, end = here - d0 / l0 * r, here + d1 / l1 * r
        path.lineTo(float(start[0]), float(start[1]))
        path.quadTo(float(here[0]), float(here[1]), float(end[0]), float(end[1]))
    path.lineTo(float(points[-1, 0]), float(points[-1, 1]))
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
    if ink.band == NEAR and len(which) <= 1500:
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for index in which.tolist():
            if index not in hidden:
                paint_edge(p, scene.edges, index, ink, heat=heat)
    else:
        p.setRenderHint(QPainter.RenderHint.Antialiasing, ink.scale >= 0.5)
        _paint_batched(p, scene.edges, which, ink, heat, hidden)
    p.restore()


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
    style = style_of(edges, index, paper=ink.paper)
    colour, width = _colour(edges, index, style, ink, heat)
    course = edges.polyline(index) if points is None else points
    if len(course) < 2:
        return
    double = style.gap > 0 or (edges.count[index] > 1 and KINDS[edges.kind[index]] == "compute")
    gap = style.gap or (4.0 if width < 2.5 else width + 1.5)
    if selected:
        p.setPen(make_pen(ink.theme.alpha("select", 0.35), ink.line(width + (gap if double else 0) + 6)))
        p.drawPath(edge_path(course))
        colour = ink["select"]
    p.setPen(make_pen(colour, ink.line(width if not ink.paper else min(width, 1.4)), style.dash))
    if double and gap * ink.scale >= 2.5:
        for side in (gap / 2, -gap / 2):
            p.drawPath(edge_path(offset_polyline(course, side)))
    else:
        p.drawPath(edge_path(course))


def _paint_batched(p: QPainter, edges: Edges, which: I32, ink: Ink, heat: bool, hidden: frozenset[int]) -> None:
    """Straight lines, one drawLines per pen."""
    keep = which if not hidden else np.array([i for i in which.tolist() if i not in hidden], np.int32)
    if not len(keep):
        return
    groups = _line_groups(edges, ink.band, heat)
    chosen = np.zeros(len(edges), np.bool_)
    chosen[keep] = True
    everything = len(keep) == len(edges)
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
            width if ink.band == MID else max(1.0, width * 0.75),
            style.dash if ink.band == MID and len(keep) < 2000 else (),
            cosmetic=True,
        )
        p.setPen(pen)
        if everything:
            p.drawLines(lines)
        else:
            mask = chosen[members]
            if mask.all():
                p.drawLines(lines)
            elif mask.any():
                p.drawLines([lines[k] for k in np.flatnonzero(mask).tolist()])


def _line_groups(edges: Edges, band: int, heat: bool) -> LineGroups:
    """Lines by pen, cached on the edges: at far zoom one line per pair of cards."""
    key = ("lines", band, heat)
    found = edges.memo.get(key)
    if found is not None:
        return found  # type: ignore[return-value]
    n = len(edges)
    steps = np.full(n, -1, np.int8)
    if heat:
        known = ~np.isnan(edges.load)
        heated = np.isin(edges.kind, [KINDS.index(k) for k in HEATED]) & known
        steps[heated] = np.array([load_step(float(v)) for v in edges.load[heated]], np.int8)
    keep: I32 = np.arange(n, dtype=np.int32)
    if band == FAR and n:
        pair = np.stack(
            [np.minimum(edges.a, edges.b), np.maximum(edges.a, edges.b), edges.kind.astype(np.int32)], axis=1
        )
        _, first_of = np.unique(pair, axis=0, return_index=True)
        keep = np.sort(first_of).astype(np.int32)
    pieces, owner = _pieces(edges, keep)
    groups: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    columns = (edges.kind[owner].tolist(), edges.rail[owner].tolist(), steps[owner].tolist())
    for row, (kind, rail, step) in enumerate(zip(*columns, strict=True)):
        groups[(kind, -1 if rail < 0 or step >= 0 else rail % 8, step)].append(row)
    out: LineGroups = {}
    for pen, rows in groups.items():
        lines = [QLineF(x0, y0, x1, y1) for x0, y0, x1, y1 in pieces[rows].tolist()]
        out[pen] = (owner[rows], lines)
    edges.memo[key] = out
    return out


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
