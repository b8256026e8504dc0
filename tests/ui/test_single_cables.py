"""Single cables on the canvas: an end dragged to another switch, refused with a reason, chosen alone and cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF

from fabricwright.design.indexset import IndexSet
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.canvas.cable_lines import cable_end_at, shown_cables
from tests.ui.canvas_stage import Stage, close, make_stage


@pytest.fixture
def stage(app, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    made.context.edit("move_cable", link="down", row=63, cut=True)  # its leaf has a free port now, the others are full
    made.document.undo_stack.clear()
    yield made
    close(made)


def lines(stage: Stage, link: str) -> list[int]:
    edges = stage.scene.edges
    return [n for n in range(len(edges)) if edges.links[int(edges.link[n])] == link]


def look(stage: Stage, edge: int, which: int) -> QPointF:
    """Bring an end of a line near; its place."""
    x, y = stage.scene.edges.polyline(edge)[-which].tolist()
    stage.view.look_at(QPointF(x, y), 1.0)
    return QPointF(x, y)


def switch_end(stage: Stage, edge: int) -> int:
    scene = stage.scene
    return 0 if scene.card(int(scene.edges.a[edge])).id == "leaf" else 1


def other_leaf(stage: Stage, edge: int, which: int) -> int:
    scene = stage.scene
    mine = int((scene.edges.a, scene.edges.b)[which][edge])
    return next(n for n in scene.by_id["leaf"] if n != mine)


def middle(stage: Stage, card: int) -> QPointF:
    x, y, w, h = stage.scene.box(card)
    return QPointF(x + w / 2, y + h / 2)


def test_an_end_is_dragged_to_another_leaf_and_back(stage: Stage) -> None:
    edge = lines(stage, "down")[0]
    stage.document.select(["down"])
    spot = look(stage, edge, switch_end(stage, edge))
    taken = cable_end_at(stage.context, stage.scene, spot, 5.0)
    assert taken is not None
    edge, _which = taken
    cable = str(shown_cables(stage.context, stage.scene, edge)[0])
    free = next(n for n in stage.scene.by_id["leaf"] if 3 in (stage.scene.card(n).members or ()))
    before = stage.document.project
    stage.drag(spot, middle(stage, free))
    assert stage.document.undo_stack.count() == 1
    moved = stage.links["down"].wire.moved
    assert set(moved) == {"63", cable}
    assert moved[cable].a is None and moved[cable].b == "leaf[3]:16"
    after = stage.document.project
    stage.document.undo()
    assert stage.document.project == before
    stage.document.redo()
    assert stage.document.project == after
    # home again: nothing is stored where the wiring rule says the same
    stage.document.select(["down"], {"down": IndexSet.of([int(cable)])})
    edge = next(n for n in lines(stage, "down") if shown_cables(stage.context, stage.scene, n))
    home = next(n for n in stage.scene.by_id["leaf"] if 0 in (stage.scene.card(n).members or ()))
    spot = look(stage, edge, switch_end(stage, edge))
    stage.drag(spot, middle(stage, home))
    assert set(stage.links["down"].wire.moved) == {"63"}


def test_an_illegal_target_is_explained(stage: Stage, said: list[str]) -> None:
    stage.context.said.connect(lambda text, _severity: said.append(text.english()))
    edge = lines(stage, "down")[0]
    stage.document.select(["down"])
    spot = look(stage, edge, switch_end(stage, edge))
    undo = stage.document.undo_stack.count()
    spine = stage.scene.by_id["spine"][0]
    stage.press(spot)
    stage.move(middle(stage, spine))
    link = stage.view.state.link
    assert link is not None and link.state == "error" and link.lines
    stage.release(middle(stage, spine))
    assert stage.document.undo_stack.count() == undo
    assert "stays on leaf" in said[-1]


@pytest.fixture
def said() -> list[str]:
    return []


def test_undo_during_the_drag_cancels_it(stage: Stage) -> None:
    edge = lines(stage, "down")[0]
    stage.document.select(["down"])
    spot = look(stage, edge, switch_end(stage, edge))
    stage.press(spot)
    stage.move(spot + QPointF(60, 60))
    assert stage.window.canvas.tool.busy
    stage.document.undo()
    assert not stage.window.canvas.tool.busy
    assert stage.view.state.link is None and not stage.view.state.hidden_edges


def test_delete_cuts_the_chosen_cable_only(stage: Stage) -> None:
    stage.document.select(["down"], {"down": IndexSet.of([7])})
    undo = stage.document.undo_stack.count()
    stage.window.commands.delete()
    assert stage.links["down"].wire.moved["7"].cut
    assert set(stage.links["down"].wire.moved) == {"7", "63"}
    assert stage.document.undo_stack.count() == undo + 1
    stage.document.undo()
    assert set(stage.links["down"].wire.moved) == {"63"}


def test_a_full_switch_is_told(stage: Stage, said: list[str]) -> None:
    stage.context.said.connect(lambda text, _severity: said.append(text.english()))
    edge = lines(stage, "down")[0]
    stage.document.select(["down"])
    spot = look(stage, edge, switch_end(stage, edge))
    full = next(n for n in stage.scene.by_id["leaf"] if 1 in (stage.scene.card(n).members or ()))
    stage.drag(spot, middle(stage, full))
    assert stage.document.undo_stack.count() == 0
    assert said[-1] == "leaf[1] has no free port that this cable fits."


def test_a_line_of_one_cable_is_chosen_alone_in_an_open_group(stage: Stage) -> None:
    stage.context.edit("set_look", item="node", open=True)
    scene = stage.scene
    singles = [n for n in lines(stage, "down") if int(scene.edges.count[n]) == 1]
    assert len(singles) > 20
    stage.document.select(["down"])
    course = scene.edges.polyline(singles[5])
    x, y = ((course[0] + course[1]) / 2).tolist()
    stage.view.look_at(QPointF(x, y), 1.0)
    stage.click(QPointF(x, y))
    (chosen,) = stage.document.members["down"]
    assert chosen in [n for edge in singles for n in shown_cables(stage.context, scene, edge)]
    stage.window.commands.delete()
    assert stage.links["down"].wire.moved[str(chosen)].cut
