"""Links: bent by hand and kept so, labels above a selected line, the right ports, and a link dropped on nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt

from fabricwright.design import storage
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.canvas.bends import drag_piece, laned, lanes_of, simplified, slid
from fabricwright.ui.canvas.state import RubberLink
from fabricwright.ui.file_commands import blank_project
from tests.ui.canvas_stage import Stage, close, make_stage

pytestmark = pytest.mark.usefixtures("all_painted")


@pytest.fixture
def pair(app, tmp_path: Path) -> Iterator[Stage]:
    """Two switches, one above the other, joined by a single cable."""
    stage = make_stage(blank_project(), tmp_path)
    stage.drop_part("sn4700", QPointF(0, 0))
    stage.drop_part("sn4700", QPointF(300, 500))
    stage.context.edit("connect", a="leaf0:1", b="leaf1:1", wire={"mode": "mesh", "per_pair": 1}, link="up")
    stage.view.fit()
    yield stage
    close(stage)


def course(stage: Stage, link: str, n: int = 0) -> list[tuple[float, float]]:
    edges = stage.scene.edges
    rows = [k for k in range(len(edges)) if edges.links[int(edges.link[k])] == link]
    return [tuple(p) for p in edges.polyline(rows[n]).tolist()]


def middle(points: list[tuple[float, float]], piece: int) -> QPointF:
    (x0, y0), (x1, y1) = points[piece], points[piece + 1]
    return QPointF((x0 + x1) / 2, (y0 + y1) / 2)


# -- lanes -----------------------------------------------------------------------------------------------------------

numbers = st.integers(-400, 400).map(float)
points = st.tuples(numbers, numbers)


@given(points, points, st.lists(points, min_size=1, max_size=3).filter(lambda rows: len(rows) % 2 == 1))
def test_a_course_through_lanes_is_right_angled_and_ends_at_its_ports(a, b, lanes) -> None:
    found = laned(a, "b", b, "t", lanes)
    assert found is not None and found[0] == a and found[-1] == b
    assert all(p[0] == q[0] or p[1] == q[1] for p, q in itertools.pairwise(found))


def test_lanes_give_their_course_again() -> None:
    drawn = laned((0, 0), "b", (100, 200), "t", [(0, 50), (60, 0), (0, 150)])
    assert drawn == [(0, 0), (0, 50), (60, 50), (60, 150), (100, 150), (100, 200)]
    assert laned((0, 0), "b", (100, 200), "t", lanes_of(drawn)) == drawn


def test_ends_slide_along_lanes_that_stay() -> None:
    drawn = laned((0, 0), "b", (100, 200), "t", [(0, 50)])
    assert slid(drawn, (-30, 10), (0, 0)) == [(-30, 10), (-30, 50), (100, 50), (100, 200)]
    assert slid(drawn, (-30, 10), (0, 0)) == laned((-30, 10), "b", (100, 200), "t", [(0, 50)])


def test_outer_and_straight_pieces_get_stubs_and_flat_ones_go() -> None:
    straight = [(0.0, 0.0), (0.0, 200.0)]
    lanes = drag_piece(straight, 0, (40.0, 0.0))
    bent = laned(straight[0], "b", straight[1], "t", lanes)
    assert bent[0] == (0, 0) and bent[-1] == (0, 200) and (40, 22) in bent and len(bent) == 6
    assert simplified(drag_piece(straight, 0, (2.0, 0.0)), straight[0], straight[1], leaves_upright=True)[1:] == []


def test_wrong_number_of_lanes_is_no_course() -> None:
    assert laned((0, 0), "b", (100, 200), "l", [(0, 50)]) is None
    assert laned((0, 0), "b", (100, 200), "t", []) is None


# -- bending ---------------------------------------------------------------------------------------------------------


@pytest.mark.gui
def test_link_is_bent_by_hand_and_stays_when_a_part_moves(pair: Stage) -> None:
    before = course(pair, "up")
    assert len(before) == 4
    entries = pair.document.undo_stack.count()
    start = middle(before, 1)
    pair.drag(start, start + QPointF(0, 90))
    assert pair.document.undo_stack.count() == entries + 1
    bent = course(pair, "up")
    lane = bent[1][1]
    assert lane % 10 == 0 and abs(lane - before[1][1] - 90) <= 5
    pair.drag(pair.at("leaf0"), pair.at("leaf0") + QPointF(-120, -20))
    moved = course(pair, "up")
    assert moved[1][1] == lane and moved[0] != bent[0] and moved[-1] == bent[-1]
    pair.document.undo()
    pair.document.undo()
    assert course(pair, "up") == before


@pytest.mark.gui
def test_bend_survives_the_file(pair: Stage, tmp_path: Path) -> None:
    start = middle(course(pair, "up"), 1)
    pair.drag(start, start + QPointF(0, 60))
    bent = course(pair, "up")
    again = make_stage(storage.loads(storage.dumps(pair.context.project)), tmp_path)
    assert course(again, "up") == bent
    close(again)


@pytest.mark.gui
def test_outer_piece_and_both_ends_moved(pair: Stage) -> None:
    before = course(pair, "up")
    start = middle(before, 0)
    pair.drag(start, start + QPointF(-70, 0))
    bent = course(pair, "up")
    assert len(bent) == 6 and bent[0] == before[0] and bent[-1] == before[-1]
    pair.context.document.select(["leaf0", "leaf1"])
    pair.drag(pair.at("leaf0"), pair.at("leaf0") + QPointF(100, 50))
    shifted = course(pair, "up")
    dx, dy = shifted[0][0] - bent[0][0], shifted[0][1] - bent[0][1]
    assert [(round(x + dx), round(y + dy)) for x, y in bent] == [(round(x), round(y)) for x, y in shifted]


@pytest.mark.gui
def test_escape_ends_the_bending_and_tidy_forgets_it(pair: Stage) -> None:
    before = course(pair, "up")
    start = middle(before, 1)
    pair.press(start)
    pair.move(start + QPointF(0, 40))
    pair.move(start + QPointF(0, 80))
    assert pair.view.state.bent
    pair.view.grab()
    pair.window.actions_set["cancel"].trigger()
    pair.release(start + QPointF(0, 80))
    assert not pair.view.state.bent and course(pair, "up") == before
    pair.drag(start, start + QPointF(0, 80))
    assert course(pair, "up") != before
    pair.context.document.select(["up"])
    pair.window.actions_set["auto-layout"].trigger()
    assert course(pair, "up") == before


@pytest.fixture
def rails(app, tmp_path: Path) -> Iterator[Stage]:
    stage = make_stage(TEMPLATES["seed-a-256x8"].build(), tmp_path)
    yield stage
    close(stage)


@pytest.mark.gui
def test_lines_of_a_bundle_share_their_level_pieces_and_keep_their_distance(rails: Stage) -> None:
    x, y, w, _h = rails.scene.box(rails.scene.by_id["spine"][0])
    rails.context.edit("move", places={"spine": [x + w, y - 200]})
    edges = rails.scene.edges
    lines = [k for k in range(len(edges)) if edges.links[int(edges.link[k])] == "up"]
    bent = next(k for k in lines if len(edges.polyline(k)) == 4)
    points = [tuple(p) for p in edges.polyline(bent).tolist()]
    before = {round(float(edges.polyline(k)[1][1])) for k in lines if len(edges.polyline(k)) == 4}
    rails.view.zoom_to(1.0)
    rails.view.look_at(middle(points, 1), 1.0)
    start = QPointF(points[1][0] + (points[2][0] - points[1][0]) * 0.3, points[1][1])
    rails.drag(start, start + QPointF(0, 15))
    assert len(rails.context.sheet_row.look["up"].bends) == 1
    fresh = rails.scene.edges
    after = {round(float(fresh.polyline(k)[1][1])) for k in lines if len(fresh.polyline(k)) == 4}
    assert len(after) == len(before) and after != before
    # An upright piece of a bundle stays where it is.
    entries = rails.document.undo_stack.count()
    start = QPointF(points[0][0], points[0][1] + (points[1][1] - points[0][1]) * 0.3)
    rails.drag(start, start + QPointF(35, 0))
    assert rails.document.undo_stack.count() == entries


# -- ports -----------------------------------------------------------------------------------------------------------


def planned(stage: Stage, a: str, b: str):
    from fabricwright.ui.canvas.link_plan import plan_link

    context = stage.context
    return plan_link(context.project, context.design, context.sheet, a, b)


@pytest.mark.gui
def test_a_link_short_of_data_ports_does_not_take_the_management_port(pair: Stage) -> None:
    mgmt = [n for n, p in pair.context.eff.items["leaf0"].ports.items() if p.medium == "mgmt"]
    assert mgmt
    pair.context.edit("connect", a="leaf0:2-32", b="leaf1:2-32", wire={"mode": "deal"})
    pair.drop_part("sn4700", QPointF(700, 0))
    plan = planned(pair, "leaf0", "leaf2")
    assert plan is not None and plan.problem is not None and "no free port" in plan.problem.english()
    assert not any(port in str(plan.call.args["a"]) for port in mgmt)


@pytest.mark.gui
def test_management_ports_meet_when_they_are_pointed_at_or_the_network_asks_for_it(pair: Stage) -> None:
    mgmt = next(n for n, p in pair.context.eff.items["leaf0"].ports.items() if p.medium == "mgmt")
    pair.drop_part("sn2201", QPointF(700, 0))
    plan = planned(pair, f"leaf0:{mgmt}", "leaf2")
    assert plan.call.args["a"] == f"leaf0:{mgmt}" and plan.call.args["network"] == "oob"
    assert plan.objections == ()
    pair.context.edit(plan.call)
    # The switch serves the management network now, so the next one offers its management port, too.
    plan = planned(pair, "leaf1", "leaf2")
    assert plan.call.args["network"] == "oob" and str(plan.call.args["a"]).endswith(mgmt)
    # Two switches of the compute network stay on it, although one has a management link.
    plan = planned(pair, "leaf0", "leaf1")
    assert plan.call.args["network"] == "compute" and mgmt not in str(plan.call.args["a"])


@pytest.mark.gui
def test_ports_of_the_server_s_speed_come_first(pair: Stage) -> None:
    pair.drop_part("sn2201", QPointF(700, 0))  # 48 ports of 1G, 4 of 100G
    plan = planned(pair, "leaf0", "leaf2")
    ports = pair.context.eff.items["leaf2"].ports
    name = str(plan.call.args["b"]).partition(":")[2]
    assert ports[name].gbps == max(p.gbps for p in ports.values())


# -- dropped on nothing ----------------------------------------------------------------------------------------------


@pytest.fixture
def blank_server(app, tmp_path: Path) -> Iterator[Stage]:
    """One server, nothing else."""
    stage = make_stage(blank_project(), tmp_path)
    stage.drop_part("dgx-h100", QPointF(0, 400))
    stage.view.fit()
    yield stage
    close(stage)


@pytest.mark.gui
def test_link_dropped_on_nothing_offers_what_fits_and_places_it(qtbot, blank_server: Stage) -> None:
    stage = blank_server
    start = next(m.port for m in stage.scene.card(stage.scene.by_id["node0"][0]).marks if m.port.endswith("compute"))
    stage.drag(stage.port("node0", start), stage.at("node0") + QPointF(-40, -330))
    menu = stage.window.canvas.link_menu
    assert menu is not None and menu.isVisible() and stage.view.state.link is not None
    kinds = {e.icon for e in menu.list.results.entries[:10]}
    assert kinds <= {"leaf-switch", "spine-switch", "core-switch"}
    stage.view.grab()
    entries = stage.document.undo_stack.count()
    qtbot.keyClicks(menu.field, "sn4700")
    qtbot.keyClick(menu.field, Qt.Key.Key_Return)
    assert stage.document.undo_stack.count() == entries + 1
    assert any(row.of == "sn4700" for row in stage.items.values()) and len(stage.links) == 1
    assert not menu.isVisible() and stage.view.state.link is None
    assert stage.context.selection == list(stage.links)
    stage.document.undo()
    assert list(stage.items) == ["node0"] and not stage.links


@pytest.mark.gui
def test_escape_leaves_no_link_behind(qtbot, pair: Stage) -> None:
    pair.context.start_place("sn4700")
    pair.window.actions_set["cancel"].trigger()
    pair.window.canvas.tool.set_mode("link")
    pair.drag(pair.at("leaf0"), pair.at("leaf0") + QPointF(-100, 350))
    menu = pair.window.canvas.link_menu
    assert menu is not None and menu.isVisible()
    before = pair.document.undo_stack.count()
    qtbot.keyClick(menu.field, Qt.Key.Key_Escape)
    assert not menu.isVisible() and pair.document.undo_stack.count() == before
    assert pair.view.state.link is None


@pytest.mark.gui
def test_what_is_on_the_sheet_is_offered_too(qtbot, pair: Stage) -> None:
    pair.drop_part("sn4700", QPointF(700, 100))
    pair.window.canvas.tool.link_dropped.emit("leaf0:2", RubberLink((0.0, 0.0), "b", (10.0, 300.0)), QPointF(10, 300))
    menu = pair.window.canvas.link_menu
    assert [e.key for e in menu.list.results.entries if e.kind == "item"] == ["leaf1", "leaf2"]
    qtbot.keyClicks(menu.field, "leaf2")
    qtbot.keyClick(menu.field, Qt.Key.Key_Return)
    assert any(row.b.startswith("leaf2:") or row.a.startswith("leaf2:") for row in pair.links.values())
