"""Single cables of a bundle in the window: moved to another port or leaf, cut, put back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.panels.inspector_cables import CablesSection
from tests.ui.canvas_stage import Stage, close, make_stage


@pytest.fixture
def stage(app, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    yield made
    close(made)


def opened(stage: Stage, link: str = "down") -> CablesSection:
    stage.window.commands.show_cables(link)
    QApplication.processEvents()
    (section,) = stage.window.docks.panels["inspector"].findChildren(CablesSection)
    return section


def test_a_double_click_on_a_bundle_opens_its_cables(stage: Stage) -> None:
    edges = stage.scene.edges
    index = next(n for n in range(len(edges)) if edges.links[int(edges.link[n])] == "down")
    points = edges.polyline(index)
    middle = (points[0] + points[1]) / 2
    stage.double(QPointF(float(middle[0]), float(middle[1])))
    QApplication.processEvents()
    (section,) = stage.window.docks.panels["inspector"].findChildren(CablesSection)
    assert section.isVisible()
    assert section.model.rowCount() == 64  # 32 servers x 2 ports


def test_an_end_is_typed_and_refused_with_a_reason(stage: Stage) -> None:
    section = opened(stage)
    model = section.model
    undo = stage.document.undo_stack.count()
    far = model.end(0, 1)
    assert far.startswith("leaf[")
    other = model.end(63, 1).partition(":")[0]  # another leaf
    assert model.setData(model.index(0, 1), f"{other}:31")
    assert stage.links["down"].wire.moved["0"].b == f"{other}:31"
    assert model.state(0) == "moved"
    assert stage.document.undo_stack.count() == undo + 1
    for text, word in (
        ("spine[0]:1", "Expected one port"),
        ("leaf[9]:1", "members 0 to 3"),
        ("leaf[1]:99", "no port 99"),
    ):
        assert not model.setData(model.index(0, 1), text)
        assert word in model.complaint
    assert stage.document.undo_stack.count() == undo + 1
    stage.document.undo()
    assert not stage.links["down"].wire.moved
    QApplication.processEvents()
    section.refresh()
    assert model.end(0, 1) == far


def test_cables_are_cut_and_put_back_together(qtbot, stage: Stage) -> None:
    section = opened(stage)
    section.table.selectRow(3)
    qtbot.mouseClick(section.cut_button, Qt.MouseButton.LeftButton)
    assert stage.links["down"].wire.moved["3"].cut
    assert section.model.state(3) == "cut"
    assert section.chosen() == [3]
    qtbot.mouseClick(section.back_button, Qt.MouseButton.LeftButton)
    assert not stage.links["down"].wire.moved


def test_the_search_and_the_moved_ones(stage: Stage) -> None:
    section = opened(stage)
    section.model.plug(5, 1, "leaf[1]:20")
    section.search.setText("node[0]")
    section._filter()
    assert section.model.rowCount() == 2
    section.search.clear()
    section.moved.setChecked(True)
    assert [section.model.cable(section.model.index(n, 0)) for n in range(section.model.rowCount())] == [5]
