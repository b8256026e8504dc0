"""Finding things on the drawing, the command palette, and the way back: with real keys and clicks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.navigation.fuzzy import score
from tests.ui.canvas_stage import CTRL, SHIFT, Stage, close, make_stage

pytestmark = [pytest.mark.gui, pytest.mark.usefixtures("all_painted")]
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def stage(app, tmp_path: Path) -> Iterator[Stage]:
    stage = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    stage.window.activateWindow()
    stage.view.setFocus()
    yield stage
    close(stage)


def finding(key: str, at: list[str], severity: str = "error", **more: object) -> dict[str, object]:
    return {
        "key": key,
        "rule": key.partition("|")[0],
        "severity": severity,
        "at": at,
        "message": {"template": "Leaf is overbooked", "params": {}},
        **more,
    }


# -- fuzzy -----------------------------------------------------------------------------------------------------------


def test_better_fits_come_first() -> None:
    texts = ["zoom in", "export diagram", "fit the sheet", "equal horizontal gaps"]
    ranked = sorted((t for t in texts if score("zi", (t,)) is not None), key=lambda t: -(score("zi", (t,)) or 0))
    assert ranked[:1] == ["zoom in"]
    assert score("fit", ("fit the sheet",)) > score("sheet", ("fit the sheet",))  # start before inside
    assert score("dgx h100", ("nvidia dgx h100",)) is not None
    assert score("xyz", ("fit the sheet",)) is None


@given(st.text(alphabet="abc -x1", max_size=12))
def test_a_text_fits_itself(text: str) -> None:
    assert score(text, (text.casefold(),)) is not None


# -- find ------------------------------------------------------------------------------------------------------------


def test_ctrl_f_finds_selects_and_walks(qtbot, stage: Stage) -> None:
    stage.key(qtbot, Qt.Key.Key_F, CTRL)
    bar = stage.window.canvas.find_bar
    assert bar is not None and bar.isVisible() and bar.field.hasFocus()
    qtbot.keyClicks(bar.field, "leaf")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert stage.context.selection == ["leaf"]
    assert bar.count.text().startswith("1 of ")
    first = stage.context.selection
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert stage.context.selection != first
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, SHIFT)
    assert stage.context.selection == first
    assert stage.view.state.found  # ringed on the sheet
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible() and not stage.view.state.found


def test_find_reaches_other_sheets_and_comes_back_round(qtbot, stage: Stage) -> None:
    stage.window.actions_set["find"].trigger()
    bar = stage.window.canvas.find_bar
    qtbot.keyClicks(bar.field, "gpu7")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert stage.context.sheet != "fabric" and "gpu7" in stage.context.selection[0]
    seen = {(stage.context.sheet, stage.context.selection[0])}
    total = len(bar.list.results.entries)
    for _ in range(total):
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
        seen.add((stage.context.sheet, (stage.context.selection or [""])[0]))
    assert len(seen) == total  # every row once, then the first again
    assert bar.count.text() == f"1 of {total}"


def test_find_knows_members_parts_links_notes_and_findings(stage: Stage) -> None:
    stage.window.commands.add_note()
    note = stage.context.selection[0]
    stage.context.analysis.change_findings([finding("FAB-01|main|leaf", ["leaf"])], [], [])
    bar = stage.window.commands.find_bar()
    assert any(e.kind == "note" and e.key == note for e in bar.entries("note"))
    assert any(e.kind == "item" and e.sheet == "fabric" for e in bar.entries("node"))
    assert any(e.kind == "link" for e in bar.entries("compute"))
    assert any(e.kind == "finding" for e in bar.entries("overbooked"))
    member = bar.entries("node[17]")[0]
    assert member.kind == "member" and list(member.members) == [17]
    assert bar.entries("no such thing at all") == []


def test_finding_is_shown_where_it_is(stage: Stage) -> None:
    stage.view.zoom_to(3.0)
    stage.view.look_at(QPointF(-5000, -5000), 3.0)
    stage.context.analysis.change_findings([finding("FAB-01|main|leaf", ["leaf"])], [], [])
    from fabricwright.ui.navigation.drawing_index import go_to_finding

    wanted: list[str] = []
    stage.context.problem_wanted.connect(wanted.append)
    assert go_to_finding(stage.context, "FAB-01|main|leaf")
    stage.view._camera.setCurrentTime(stage.view._camera.duration())
    assert wanted == ["FAB-01|main|leaf"] and stage.context.selection == ["leaf"]
    seen = stage.view.mapToScene(stage.view.viewport().rect()).boundingRect()
    assert seen.contains(stage.at("leaf"))


# -- palette ---------------------------------------------------------------------------------------------------------


def test_ctrl_k_runs_a_command(qtbot, stage: Stage) -> None:
    stage.key(qtbot, Qt.Key.Key_K, CTRL)
    box = stage.window.palette_box
    assert box is not None and box.isVisible() and box.field.hasFocus()
    qtbot.keyClicks(box.field, "select all")
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert not box.isVisible()
    assert len(stage.context.selection) > 3


def test_ctrl_k_hangs_a_part_on_the_pointer(qtbot, stage: Stage) -> None:
    stage.window.actions_set["place-part"].trigger()
    box = stage.window.palette_box
    assert box.field.text() == "+"
    qtbot.keyClicks(box.field, "sn4700")
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert stage.window.canvas.tool.gesture is not None
    assert stage.window.canvas.tool.gesture.part_id == "sn4700"


def test_ctrl_k_goes_to_findings_and_sheets(qtbot, stage: Stage) -> None:
    stage.context.analysis.change_findings([finding("FAB-01|main|leaf", ["leaf"])], [], [])
    stage.window.actions_set["command-palette"].trigger()
    box = stage.window.palette_box
    qtbot.keyClicks(box.field, "!over")
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert stage.context.selection == ["leaf"]
    stage.window.actions_set["command-palette"].trigger()
    qtbot.keyClicks(box.field, "@")
    qtbot.keyClick(box.field, Qt.Key.Key_Down)
    qtbot.keyClick(box.field, Qt.Key.Key_Up)
    assert box.list.current().kind == "sheet"
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert stage.context.sheet != "fabric"


def test_ctrl_k_says_when_nothing_fits_and_reads_chinese_without_spaces(qtbot, stage: Stage) -> None:
    stage.window.set_language("zh_CN")
    try:
        stage.window.actions_set["command-palette"].trigger()
        box = stage.window.palette_box
        box.query("导出线缆")
        assert box.list.current().key == "export-cables" and not box.nothing.isVisible()
        box.query("qqqqzz")
        assert box.list.current() is None and box.nothing.isVisible()
        box.dismiss()
    finally:
        stage.window.set_language("en")


def test_palette_leaves_without_doing_anything(qtbot, stage: Stage) -> None:
    before = stage.document.undo_stack.count()
    stage.window.actions_set["command-palette"].trigger()
    box = stage.window.palette_box
    qtbot.keyClicks(box.field, "del")
    qtbot.keyClick(box.field, Qt.Key.Key_Escape)
    assert not box.isVisible() and stage.document.undo_stack.count() == before
    assert stage.view.hasFocus() or QApplication.focusWidget() is stage.view


# -- back and forward ------------------------------------------------------------------------------------------------


def test_back_and_forward_restore_sheet_camera_and_selection(qtbot, stage: Stage) -> None:
    actions = stage.window.actions_set
    assert not actions["back"].isEnabled()
    stage.view.zoom_by(2.0)
    stage.view.pan_by(40, 30)
    stage.context.document.select(["leaf"])
    centre, zoom = stage.view.centre(), stage.view.zoom
    sheet = next(s for s in stage.context.design_row.sheets if s != "fabric")
    stage.context.open_sheet(sheet)
    assert actions["back"].isEnabled() and not actions["forward"].isEnabled()
    stage.key(qtbot, Qt.Key.Key_Left, ALT)
    assert stage.context.sheet == "fabric" and stage.context.selection == ["leaf"]
    assert stage.view.zoom == pytest.approx(zoom)
    assert stage.view.centre().x() == pytest.approx(centre.x(), abs=2)
    stage.key(qtbot, Qt.Key.Key_Right, ALT)
    assert stage.context.sheet == sheet and not actions["forward"].isEnabled()


def test_every_way_back_leads_to_where_the_sheet_was_left(qtbot, stage: Stage) -> None:
    def seen() -> tuple[object, float]:
        return stage.view.mapFromScene(QPointF(0, 0)), stage.view.zoom

    def enter() -> None:
        stage.double(stage.at("node"))  # the camera dives at the card before the sheet opens
        qtbot.waitUntil(lambda: stage.context.sheet == "node")

    actions = stage.window.canvas.actions_set
    first = seen()
    for move in (lambda: None, lambda: stage.view.zoom_by(1.7, QPointF(310, 222)), lambda: stage.view.pan_by(31, -17)):
        move()
        left = seen()
        for way in ("back", "up"):
            enter()
            inner = seen()
            stage.view.zoom_by(1.2)
            actions[way].trigger()
            assert (stage.context.sheet, seen()) == ("fabric", left)
            enter()
            assert seen() != inner  # the server sheet, too, is as it was left
            stage.view.fit()
            actions[way].trigger()
    stage.view.fit()
    assert seen() == first
    project = stage.document.project
    stage.view.zoom_by(2.0)
    stage.document.replace(project)
    assert stage.view.fitted  # opened anew, nothing is remembered


def test_a_jump_on_the_same_sheet_can_be_gone_back_from(qtbot, stage: Stage) -> None:
    qtbot.wait(1)
    stage.view.zoom_to(2.0)
    stage.view.look_at(QPointF(-900, -900), 2.0)
    centre = stage.view.centre()
    stage.context.go_to("leaf")
    stage.view._camera.setCurrentTime(stage.view._camera.duration())
    assert abs(stage.view.centre().x() - centre.x()) > 100
    assert stage.window.commands.visited.go(-1)
    stage.view._camera.setCurrentTime(stage.view._camera.duration())
    assert stage.view.centre().x() == pytest.approx(centre.x(), abs=2)


def test_places_that_are_gone_are_skipped(stage: Stage) -> None:
    visited = stage.window.commands.visited
    sheet = next(s for s in stage.context.design_row.sheets if s != "fabric")
    stage.context.open_sheet(sheet)
    stage.context.open_sheet("fabric", "")
    hosts = [i for i, row in stage.items.items() if row.of == f"sheet:{sheet}"]
    stage.context.edit("remove", ids=hosts)
    if sheet in stage.context.design_row.sheets:
        pytest.skip("the sheet is still used")
    assert visited.go(-1)
    assert stage.context.sheet == "fabric"
