"""Lines drawn in bulk are the lines that would be drawn one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.canvas.dragged import FEW, DraggedLines
from fabricwright.ui.canvas.fabric_scene import fabric_scene
from fabricwright.ui.canvas.routing import crosses, crossings
from fabricwright.ui.canvas.server_scene import server_scene
from fabricwright.ui.paint.lines import FAR_EDGES, line_groups, paint_edge, paint_edges
from fabricwright.ui.paint.primitives import FAR, Ink
from fabricwright.ui.theme import theme
from tests.bench.big_sheets import scattered_scene

HEAT = {"down": {"max": 0.95}, "up": {"max": 0.4}}


def scenes():
    project = TEMPLATES["seed-b-512"].build()
    design = project.designs["after"]
    yield fabric_scene(project, design, "fabric", "en", heat=HEAT)
    for sheet_id in design.sheets.ordered():
        if design.sheets[sheet_id].kind == "server":
            yield server_scene(project, design, sheet_id, "en")


def picture(scene, draw) -> QImage:
    x, y, w, h = scene.bounds()
    image = QImage(round(w) + 40, round(h) + 40, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme()["canvas"])
    painter = QPainter(image)
    painter.translate(20 - x, 20 - y)
    draw(painter)
    painter.end()
    return image


@pytest.mark.parametrize("heat", [False, True])
def test_near_lines_in_bulk_are_the_same_pixels(app, heat: bool) -> None:
    ink = Ink.at(theme(), 1.0)

    def one_by_one(scene, p: QPainter) -> None:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in range(len(scene.edges)):
            paint_edge(p, scene.edges, index, ink, heat=heat)

    for scene in scenes():
        every = np.arange(len(scene.edges), dtype=np.int32)
        bulk = picture(scene, lambda p, s=scene, e=every: paint_edges(p, s, e, ink, heat=heat))
        assert bulk == picture(scene, lambda p, s=scene: one_by_one(s, p))


def test_edges_in_sight_are_those_with_a_piece_in_sight() -> None:
    scene = scattered_scene(1_000)
    box = QRectF(*scene.bounds())
    middle = (box.center().x() - 300, box.center().y() - 200, box.center().x() + 300, box.center().y() + 200)
    pieces, owner = scene.edges.segments()
    low, high = np.minimum(pieces[:, :2], pieces[:, 2:]), np.maximum(pieces[:, :2], pieces[:, 2:])
    touch = (low <= middle[2:]).all(axis=1) & (high >= middle[:2]).all(axis=1)
    found = scene.visible_edges(*middle, courses=True)
    assert found.tolist() == sorted(set(owner[touch].tolist()))
    assert 0 < len(found) < len(scene.visible_edges(*middle))


def test_far_lines_are_thinned_but_none_of_the_places_is_left_out() -> None:
    scene = scattered_scene(10_000)
    octave = -4
    kept = np.concatenate([members for members, _ in line_groups(scene.edges, FAR, False, octave).values()])
    assert FAR_EDGES < len(kept) < len(scene.edges) / 3
    # every node still has a line within two squares (80 px on the screen) of it
    ends = scene.edges.points[scene.edges.indptr[:-1][kept]]
    reach = 80 / 2.0**octave
    for x, y in zip(scene.x[::97].tolist(), scene.y[::97].tolist(), strict=True):
        assert (np.abs(ends - (x, y)).max(axis=1) < reach).any()


def test_crossings_of_several_courses_are_those_of_each() -> None:
    rng = np.random.default_rng(7)
    boxes = np.concatenate([rng.uniform(0, 1000, (60, 2)), rng.uniform(20, 90, (60, 2))], axis=1).astype(np.float32)
    courses = []
    for _ in range(30):
        xs, ys = rng.uniform(0, 1000, 4).round().tolist(), rng.uniform(0, 1000, 3).round().tolist()
        courses.append([(xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[2], ys[1]), (xs[2], ys[2])][: 2 + _ % 4])
    expected = [crosses(course, boxes, (3, 9)) for course in courses]
    assert crossings(courses, boxes, (3, 9)).tolist() == expected and max(expected) > 3


def test_many_dragged_lines_run_where_single_ones_would() -> None:
    scene = scattered_scene(400)
    edges = scene.edges
    cards = frozenset(range(100, 130))
    touched = np.flatnonzero(np.isin(edges.a, list(cards)) | np.isin(edges.b, list(cards)))
    lines = DraggedLines(edges, frozenset(touched.tolist()), cards)
    assert len(touched) > FEW
    carried, stretched = lines.carried(False), lines.stretched(50.0, 30.0, False)
    got = set()
    for _, group in carried:
        got |= {(round(g.x1() + 50), round(g.y1() + 30), round(g.x2() + 50), round(g.y2() + 30)) for g in group}
    for _, group in stretched:
        got |= {(round(g.x1()), round(g.y1()), round(g.x2()), round(g.y2())) for g in group}
    for k in range(len(touched)):
        course = np.round(lines.bent(k, 50.0, 30.0)).astype(int).tolist()
        for (x0, y0), (x1, y1) in itertools.pairwise(course):
            assert (x0, y0, x1, y1) in got
