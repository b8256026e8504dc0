"""Count and axes of a group where they are drawn; members keep what they have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.canvas.group_size import GroupSizeEditor
from fabricwright.ui.paint.pills import pill_box
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.theme import theme
from tests.ui.canvas_stage import Stage, close, make_stage


@pytest.fixture
def stage(app, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    yield made
    close(made)


def count_of(stage: Stage, row: str, n: int = 0) -> QPointF:
    index = stage.scene.by_id[row][n]
    x, y, w, h = stage.scene.box(index)
    box = pill_box(stage.scene.card(index), w, h, Ink.at(theme(), stage.view.zoom))
    assert box is not None
    return box.translated(x, y).center()


def editor(stage: Stage) -> GroupSizeEditor:
    found = [e for e in stage.view.viewport().findChildren(GroupSizeEditor) if e.isVisible()]
    assert len(found) == 1
    return found[0]


def test_a_click_on_the_count_opens_it_and_enter_keeps(qtbot, stage: Stage, all_painted) -> None:
    assert stage.items["node"].axes == (("su", 2), ("node", 16))
    before = stage.document.undo_stack.count()
    stage.click(count_of(stage, "node"))
    box = editor(stage)
    assert [size.value() for size in box.sizes] == [2, 16]
    assert box._end.text() == "= 32"
    QTest.keyClicks(box.sizes[1].lineEdit(), "24")
    assert box._end.text() == "= 48"
    qtbot.keyClick(box.sizes[1].lineEdit(), Qt.Key.Key_Return)
    assert stage.items["node"].axes == (("su", 2), ("node", 24))
    assert stage.document.undo_stack.count() == before + 1
    assert not box.isVisible()


def test_esc_leaves_it_and_a_drag_from_the_count_moves_the_card(qtbot, stage: Stage) -> None:
    stage.click(count_of(stage, "node"))
    box = editor(stage)
    QTest.keyClicks(box.sizes[0].lineEdit(), "7")
    qtbot.keyClick(box.sizes[0].lineEdit(), Qt.Key.Key_Escape)
    assert stage.items["node"].axes == (("su", 2), ("node", 16))
    QApplication.processEvents()
    start = count_of(stage, "rack")
    stage.drag(start, start + QPointF(60, 40))
    assert "rack" in stage.context.sheet_row.look
    assert not [e for e in stage.view.viewport().findChildren(GroupSizeEditor) if e.isVisible()]


def test_a_new_axis_is_the_inner_one_and_wrong_names_are_told(qtbot, stage: Stage) -> None:
    stage.document.select(["rack"])
    stage.window.actions_set["group-size"].trigger()
    box = editor(stage)
    before = stage.items["rack"].axes
    box.more.click()
    box.names[-1].setText("9!")
    assert "no name" in box.said.text()
    qtbot.keyClick(box.names[-1], Qt.Key.Key_Return)
    assert box.isVisible()
    box.names[-1].setText("half")
    box.sizes[-1].setValue(2)
    qtbot.keyClick(box.sizes[-1].lineEdit(), Qt.Key.Key_Return)
    assert stage.items["rack"].axes == (*before, ("half", 2))


def test_what_goes_with_its_members_is_told_before(stage: Stage) -> None:
    stage.context.edit("add_exception", item="node", members="31", override={"absent": True})
    stage.click(count_of(stage, "node"))
    box = editor(stage)
    box.sizes[1].setValue(8)
    assert "A member with an exception goes" in box.said.text()
    box.finish(keep=False)


def test_leaving_keeps(stage: Stage) -> None:
    stage.click(count_of(stage, "node"))
    box = editor(stage)
    box.sizes[1].setValue(17)
    stage.window.canvas.load_box.setFocus()
    assert stage.items["node"].axes == (("su", 2), ("node", 17))


@pytest.mark.parametrize("size", [(1280, 720), (1600, 1000)])
def test_how_many_an_edit_means_is_always_in_sight(app, stage: Stage, size: tuple[int, int]) -> None:
    stage.window.resize(*size)
    QApplication.processEvents()
    stage.open(stage.items["node"].of[6:])
    QApplication.processEvents()
    label = stage.window.canvas.applies
    assert label.isVisible() and "32" in label.text()
    assert label.width() >= label.sizeHint().width() - 1
