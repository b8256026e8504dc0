"""Small things people stumbled over: badges, own parts on the pointer, units, searches, refused values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from fabricwright.design.indexset import IndexSet
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.canvas.place import Placement
from fabricwright.ui.paint.scene import Style
from fabricwright.ui.paint.sheet import badge_place
from fabricwright.ui.panels.performance_chart import chart_title
from tests.ui.canvas_stage import Stage, close, make_stage


@pytest.fixture
def stage(app, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    yield made
    close(made)


def test_badges_leave_names_and_lanes_alone(stage: Stage) -> None:
    stage.open(stage.items["node"].of[6:])
    scene = stage.scene
    narrow = [i for i in range(len(scene)) if scene.style[i] in (Style.GPU, Style.CARD, Style.CHIP)]
    assert narrow
    for index in narrow:
        _x, y, _w, h = scene.box(index)
        spot = badge_place(scene, index)
        assert spot.y() > y + 0.8 * h
        for label in scene.labels:
            assert abs(label.x - spot.x()) > 4 or abs(label.y - spot.y()) > 9


def test_units_stay_units_when_their_cables_go(stage: Stage) -> None:
    frames = [i for i in range(len(stage.scene)) if stage.scene.style[i] == Style.FRAME]
    before = {n: stage.scene.box(i) for n, i in enumerate(stage.scene.by_id["leaf"])}
    stage.document.select(["down"])
    stage.window.commands.delete()
    assert "down" not in stage.links
    assert len([i for i in range(len(stage.scene)) if stage.scene.style[i] == Style.FRAME]) == len(frames)
    assert {n: stage.scene.box(i) for n, i in enumerate(stage.scene.by_id["leaf"])} == before
    assert stage.scene.card(stage.scene.by_id["leaf"][0]).titles[0] == "leaf-11"


def test_find_selects_the_member(qtbot, stage: Stage) -> None:
    stage.window.actions_set["find"].trigger()
    bar = stage.window.canvas.find_bar
    bar.field.setText("leaf-21")
    bar._query("leaf-21")
    bar.step(1)
    assert stage.context.selection == ["leaf"]
    assert stage.document.members == {"leaf": IndexSet.of([2])}
    (ringed,) = stage.view.state.found
    assert stage.scene.card(ringed).titles[0] == "leaf-21"


def test_an_own_part_hangs_on_the_pointer_under_its_own_name(stage: Stage, tmp_path, monkeypatch) -> None:
    from fabricwright.catalog import own

    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "data"))
    part_id, part = own.make_from("dgx-h100", {"names": {"en": "Node of ours"}})
    own.save(part_id, part)
    try:
        placement = Placement(stage.context, stage.scene, part_id)
        assert placement.names[0] == "Node of ours"
        assert placement.ghost(0, 0).card.titles[0] == "Node of ours"
    finally:
        own.remove(part_id)


def test_one_rank_is_one_rank() -> None:
    assert "1 rank," in chart_title({"collective": "all_reduce", "ranks": 1}, "A")
    assert "2 ranks," in chart_title({"collective": "all_reduce", "ranks": 2}, "A")


def test_a_search_of_the_shortcuts_that_finds_nothing_says_so(qtbot, stage: Stage) -> None:
    from fabricwright.ui.shortcuts.dialog import ShortcutSheet

    sheet = ShortcutSheet(stage.window.actions_set)
    qtbot.addWidget(sheet)
    sheet.show()
    sheet.search.setText("zzz")
    sheet.refresh()
    assert sheet.empty.isVisible() and not sheet.list.isVisible()
    sheet.empty.activated.emit()
    sheet.refresh()
    assert sheet.list.isVisible() and not sheet.empty.isVisible()


def test_a_refused_value_of_a_statement_stays_in_the_editor(qtbot, stage: Stage) -> None:
    from fabricwright.ui.panels.statements_model import COLUMNS

    said: list[str] = []
    stage.context.said.connect(lambda text, _level: said.append(str(text)))
    stage.window.commands.show_dock("problems", "statements")
    panel = stage.window.docks.panels["statements"]
    QApplication.processEvents()
    column = COLUMNS.index("value")
    row = next(
        n
        for n in range(panel.model.rowCount())
        if isinstance(panel.model.line(panel.model.index(n, column)).row.value, (int, float))
        and not isinstance(panel.model.line(panel.model.index(n, column)).row.value, bool)
    )
    index = panel.model.index(row, column)
    before = panel.model.line(index).row.value
    panel.table.setCurrentIndex(index)
    panel.table.edit(index)
    editor = panel.table.viewport().findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "rubbish")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.isVisible() and editor.text() == "rubbish" and editor.property("invalid")
    assert said
    editor.clear()
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.isVisible() and "value is needed" in said[-1]
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert panel.model.line(panel.model.index(row, column)).row.value == before


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
def test_titles_of_docks_are_whole_on_a_small_window(app, stage: Stage, lang: str) -> None:
    stage.window.set_language(lang)
    stage.window.resize(1280, 720)
    stage.window.docks.tabs.counts.update(problems=128, statements=28)
    stage.window.docks.retranslate()
    QApplication.processEvents()
    QApplication.processEvents()
    bar = stage.window.docks.tabs.head.bar
    assert bar.elideMode() == Qt.TextElideMode.ElideNone
    for head in stage.window.docks.heads.values():
        assert head.title.width() >= head.title.sizeHint().width()


def test_a_retimer_is_dropped_into_a_link(app, tmp_path: Path) -> None:
    """On the lower line of a switch: the link is split and the retimer stands between its halves."""
    made = make_stage(TEMPLATES["seed-a-256x8"].build(), tmp_path)
    try:
        made.open(next(k for k, s in made.context.design_row.sheets.items() if s.kind == "server"))
        edges = made.scene.edges
        stored = made.context.sheet_row.links
        index = next(n for n in range(len(edges)) if edges.links[int(edges.link[n])] in stored)
        link = edges.links[int(edges.link[index])]
        before, items = len(stored), len(made.items)
        points = edges.polyline(index)
        where = QPointF(float((points[0][0] + points[1][0]) / 2), float((points[0][1] + points[1][1]) / 2))
        made.hover_part("lrsv9560-2i", where)
        ghost = made.view.state.ghost
        assert ghost is not None and link in ghost.tip_title
        assert made.drop_part("lrsv9560-2i", where)
        assert len(made.links) == before + 1 and len(made.items) == items + 1
        made.document.undo()
        assert len(made.links) == before and len(made.items) == items
    finally:
        close(made)
