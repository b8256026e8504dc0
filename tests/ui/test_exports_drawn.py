"""A server drawn with its own NICs is cabled from the canvas: its ports join an export when the card is dropped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from fabricwright.design import storage
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.wiring import end_of, wire_rows
from fabricwright.ui.canvas.link_plan import plan_link
from fabricwright.ui.file_commands import blank_project
from fabricwright.ui.paint.guard import clear_reported, reported_failures
from fabricwright.ui.panels.inspector_exports import ExportsSection
from tests.ui.canvas_stage import Stage, close, make_stage

pytestmark = pytest.mark.gui
NIC = "lres1260pf-2qsfp112"


@pytest.fixture
def drawn(qtbot, app, tmp_path: Path) -> Iterator[Stage]:
    """A server with two cards of two ports each, drawn with the mouse from nothing."""
    clear_reported()
    stage = make_stage(blank_project(), tmp_path)
    try:
        stage.drop_part("cabled-4u8g", QPointF(0, 300))
        stage.view.fit()
        stage.double(stage.at("node0"))
        qtbot.waitUntil(lambda: stage.context.sheet == "node")
        for slot in ("chassis:s4", "chassis:s3"):
            stage.view.fit()
            assert stage.drop_part(NIC, stage.at(slot))
        stage.view.fit()
        yield stage
    finally:
        close(stage)
    assert reported_failures() == frozenset()


def section(stage: Stage) -> ExportsSection:
    """Exports of the open server, with nothing selected."""
    stage.document.select(())
    panel = stage.window.docks.panels["inspector"]
    panel.refresh()
    panel.page.fill_folds()
    return panel.page.findChild(ExportsSection)


def cables(stage: Stage, link: str) -> int:
    context = stage.context
    row = context.eff.links[link]
    ends = [end_of(context.project, context.design_row, context.eff, end) for end in (row.a, row.b)]
    wired = wire_rows(row, *ends)
    return int((wired.alive & (wired.rows[:, 3] >= 0)).sum())


def test_server_leaf_and_link_from_an_empty_project_give_all_cables(drawn: Stage) -> None:
    exports = drawn.context.sheet_row.exports
    assert exports["compute"].ports == ("nic0:1", "nic0:2", "nic1:1", "nic1:2")
    assert exports["compute"].axes == (("rail", 4),)
    drawn.context.open_sheet("fabric")
    drawn.context.edit("set_count", item="node0", count=8)
    drawn.drop_part("sn4700", QPointF(0, 0))
    drawn.view.fit()
    drawn.drag(drawn.port("node0", "node0:compute"), drawn.at("leaf0"))
    (link,) = drawn.links
    assert drawn.links[link].a == "node0:compute"
    # 8 servers x 2 cards x 2 ports
    assert cables(drawn, link) == 32


def test_a_dropped_card_and_its_ports_are_one_undo_entry(drawn: Stage) -> None:
    assert drawn.document.undo_stack.count() == 3
    before = storage.dumps(drawn.context.project)
    drawn.document.undo()
    assert drawn.context.sheet_row.exports["compute"].ports == ("nic0:1", "nic0:2")
    drawn.document.undo()
    assert not drawn.context.sheet_row.exports
    drawn.document.redo()
    drawn.document.redo()
    assert storage.dumps(drawn.context.project) == before


def test_exports_are_edited_in_the_inspector(qtbot, drawn: Stage) -> None:
    box = section(drawn).boxes["compute"]
    assert box.ports.ports() == ["nic0:1", "nic0:2", "nic1:1", "nic1:2"]
    box.ports.setCurrentRow(2)
    qtbot.keyClick(box.ports, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert drawn.context.sheet_row.exports["compute"].ports == ("nic0:1", "nic1:1", "nic0:2", "nic1:2")
    box = section(drawn).boxes["compute"]
    box.axes.edit.setFocus()
    box.axes.edit.selectAll()
    qtbot.keyClicks(box.axes.edit, "rail=3")
    assert "4" in box.axes.error.text()
    box.axes.edit.selectAll()
    qtbot.keyClicks(box.axes.edit, "port=2, rail=2")
    qtbot.keyClick(box.axes.edit, Qt.Key.Key_Return)
    assert drawn.context.sheet_row.exports["compute"].axes == (("port", 2), ("rail", 2))
    box.ports.clearSelection()
    box.ports.setCurrentRow(3)
    qtbot.keyClick(box.ports, Qt.Key.Key_Delete)
    here = section(drawn)
    assert drawn.context.sheet_row.exports["compute"].ports == ("nic0:1", "nic1:1", "nic0:2")
    assert "nic1:2" in here.hint.text() and here.new.isVisibleTo(here)
    here.new.click()
    assert drawn.context.sheet_row.exports["storage"].ports == ("nic1:2",)
    here = section(drawn)
    assert sorted(here.boxes) == ["compute", "oob", "storage"]
    qtbot.keyClicks(here.boxes["storage"].title.edit, "x")
    qtbot.keyClick(here.boxes["storage"].title.edit, Qt.Key.Key_Return)
    QApplication.processEvents()
    here = section(drawn)
    assert sorted(here.boxes) == ["compute", "oob", "xstorage"]
    here.boxes["xstorage"].drop.click()
    here = section(drawn)
    assert sorted(here.boxes) == ["compute", "oob"]
    here.boxes["compute"].add_port("nic1:2")
    assert drawn.context.sheet_row.exports["compute"].ports == ("nic0:1", "nic1:1", "nic0:2", "nic1:2")


def test_a_server_without_a_network_port_says_what_to_do(app, tmp_path: Path) -> None:
    stage = make_stage(blank_project(), tmp_path)
    try:
        stage.context.edit("add_item", part="desktop-am5", xy=[0, 300])
        stage.context.edit("add_item", part="sn4700", xy=[0, 0])
        plan = plan_link(stage.context.project, "main", "fabric", "node0", "leaf0")
        assert plan is not None and plan.problem is not None and "NIC" in plan.problem.english()
        assert plan_link(stage.context.project, "main", "fabric", "leaf0", "leaf0") is None
    finally:
        close(stage)


def test_a_retimer_over_a_cable_tells_the_watts_it_adds(app, tmp_path: Path) -> None:
    stage = make_stage(TEMPLATES["seed-a-256x8"].build(), tmp_path)
    try:
        stage.open("node")
        edges = stage.scene.edges
        index = next(i for i in range(len(edges)) if edges.links[int(edges.link[i])] == "c1")
        course = edges.polyline(index)
        middle = QPointF(float(course[:, 0].mean()), float((course[0, 1] + course[-1, 1]) / 2))
        stage.hover_part("lrsv9560-2i", middle)
        ghost = stage.view.state.ghost
        assert ghost is not None and ghost.tip_title.startswith("Insert")
        (row,) = ghost.tip_rows
        before, after = (float(figure) for figure in row[1].split(" → "))
        watts = stage.context.project.parts["lrsv9560-2i"].get("power_w")
        assert row[0] == "Power" and after - before == pytest.approx(watts / 1000, abs=0.011)
    finally:
        close(stage)
