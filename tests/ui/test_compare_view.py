"""The comparison in the window: sides, marks, tables, cameras that move together, ways to the drawing."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fabricwright.analysis.analyze import Analysis, analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.compare import Comparer
from fabricwright.analysis.compare_wire import OtherFiles, sections, sides_of
from fabricwright.design.storage import save
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.ui.compare.export import export_comparison
from fabricwright.ui.compare.head import Choice
from fabricwright.ui.compare.training import StepBar
from fabricwright.ui.compare.view import CompareView
from fabricwright.ui.designs import remove_design
from tests.ui.canvas_stage import Stage, close, make_stage

_cache = StageCache()


@functools.cache
def seed_b() -> Project:
    return TEMPLATES["seed-b-512"].build()


def _analysed(project: Project, design: str) -> Analysis:
    return analyze(project, design, cache=_cache)


@functools.lru_cache(maxsize=8)
def told(designs: tuple[str, ...]) -> dict[str, Any]:
    """What the worker sends about these designs."""
    wanted = [{"design": name, "file": ""} for name in designs]
    return dict(sections(Comparer(sides_of(wanted, seed_b(), OtherFiles(), _analysed), training=False)))


def tell(stage: Stage, view: CompareView) -> None:
    """Answer as the worker would."""
    analysis = stage.context.analysis
    for name, data in told(tuple(side.design for side in view.head.known())).items():
        analysis.take_section(name, analysis.compared, data)


@pytest.fixture
def stage(app: QApplication, tmp_path: Path, all_painted: None) -> Iterator[Stage]:
    made = make_stage(seed_b(), tmp_path)
    yield made
    close(made)


@pytest.fixture
def view(stage: Stage) -> CompareView:
    assert stage.window.commands.show_view("compare")
    shown = stage.window.views.widget_of("compare")
    assert isinstance(shown, CompareView)
    QApplication.processEvents()
    return shown


def test_it_opens_on_before_after_network_and_after(stage: Stage, view: CompareView) -> None:
    assert [side.design for side in view.head.known()] == ["before", "after-network", "after"]
    assert [side["design"] for side in stage.context.analysis.compared] == ["before", "after-network", "after"]
    assert [pane.context.design for pane in view.panes] == ["before", "after-network"]
    assert stage.window.docks.palette.isHidden()


def test_what_has_not_arrived_is_waited_for_and_not_called_equal(stage: Stage, view: CompareView) -> None:
    analysis = stage.context.analysis
    said = told(tuple(side.design for side in view.head.known()))
    analysis.take_section("figures", analysis.compared, said["figures"])
    assert (view.figures.table.empty, view.figures.parts.empty) == ("Comparing…", "Comparing…")
    analysis.take_section("claims", analysis.compared, [])
    analysis.take_section("bom", analysis.compared, [[], []])
    assert view.figures.table.empty == "No statement was judged on these sides."
    assert view.figures.parts.empty == "Both sides need the same parts."


def test_marks_are_there_before_the_worker_answers(view: CompareView) -> None:
    left, right = (pane.view.marks.marks for pane in view.panes)
    assert left.items == {"leaf": "removed", "node": "changed"} and left.links == {"down": "changed"}
    assert right.items == {"leaf": "added", "node": "changed"}
    view.head.only.click()
    assert view.panes[0].view.marks.marks.only
    QApplication.processEvents()


def test_figures_tables_and_chart(stage: Stage, view: CompareView) -> None:
    tell(stage, view)
    QApplication.processEvents()
    assert "46.2 GB/s" in view.strip.labels[0].accessibleName()
    assert len(view.figures.chart.model().series) == 3
    assert view.figures.bind_line.text() == "Both sides are bound by the NIC ports."
    assert [row.cells[3].text for row in view.figures.parts.rows] == ["+32", "−4", "+4", "−64", "+32"]
    for name, least in (("claims", 10), ("findings", 6), ("drawing", 5), ("figures", 12)):
        view.figures.switch._pick(name)
        assert len(view.figures.table.rows) >= least, name
        view.figures.table.grab()


def test_the_third_side_has_its_own_parts(stage: Stage, view: CompareView) -> None:
    tell(stage, view)
    first = len(view.figures.parts.rows)
    view.figures.pairs._pick("1")
    assert len(view.figures.parts.rows) > first


def test_swapping_the_sides_swaps_the_drawings(stage: Stage, view: CompareView) -> None:
    view.head.swap.click()
    assert [pane.context.design for pane in view.panes] == ["after-network", "before"]
    assert view.panes[0].view.marks.marks.items["leaf"] == "removed"
    assert [side["design"] for side in stage.context.analysis.compared][:2] == ["after-network", "before"]
    assert view.comparison == {}  # nothing is told of these sides yet


def test_answers_about_other_sides_are_dropped(stage: Stage, view: CompareView) -> None:
    old = list(stage.context.analysis.compared)
    view.head.swap.click()
    stage.context.analysis.take_section("bom", old, [[]])
    assert stage.context.analysis.comparison == {}


def test_leaving_the_view_ends_the_comparison(stage: Stage, view: CompareView) -> None:
    stage.window.commands.show_view("canvas")
    assert stage.context.analysis.compared == []
    assert not stage.window.docks.palette.isHidden()


def test_cameras_move_together(view: CompareView) -> None:
    one, two = (pane.view for pane in view.panes)
    view.view.fit()
    before = two.zoom
    view.view.zoom_by(1.25)
    assert two.zoom == pytest.approx(before * 1.25, rel=1e-3)
    centre = one.centre()
    two.pan_by(40, 0)
    assert (centre - one.centre()).x() * one.zoom == pytest.approx(40, abs=2)
    view.view.fit()
    assert one.fitted and two.fitted


def test_an_edit_shows_at_once(stage: Stage, view: CompareView) -> None:
    stage.context.edit("rename", design="before", sheet="fabric", item="spine", name="core-{spine1}")
    assert view.panes[0].view.marks.marks.items["spine"] == "changed"
    stage.document.undo()
    assert "spine" not in view.panes[0].view.marks.marks.items


def test_a_double_click_on_a_server_goes_into_it_on_both_sides(view: CompareView) -> None:
    view.panes[0].opened.emit("node")
    assert [pane.context.sheet for pane in view.panes] == ["node", "node"]
    assert view.panes[0].view.marks.marks.items == {"slota-nic": "removed"}
    assert view.panes[1].view.marks.marks.items == {"nic8": "added"}
    view.panes[0].opened.emit("gpu0")
    assert [pane.context.sheet for pane in view.panes] == ["fabric", "fabric"]


def test_a_row_of_a_table_leads_to_the_drawing(stage: Stage, view: CompareView) -> None:
    tell(stage, view)
    view.figures.switch._pick("drawing")
    number = next(n for n, row in enumerate(view.figures.table.rows) if row.key == "b|node|nic8")
    view.figures.table._open(number)
    assert stage.window.views.current == "canvas"
    assert (stage.context.design, stage.context.sheet) == ("after-network", "node")
    assert stage.document.selection == ("nic8",)


def test_the_tables_work_from_the_keyboard(stage: Stage, view: CompareView) -> None:
    tell(stage, view)
    opened: list[str] = []
    view.figures.table.opened.connect(opened.append)
    view.figures.switch._pick("findings")
    QTest.keyClick(view.figures.table, Qt.Key.Key_Down)
    QTest.keyClick(view.figures.table, Qt.Key.Key_Return)
    assert opened and stage.window.views.current == "canvas"


def test_a_design_of_another_file(stage: Stage, view: CompareView, tmp_path: Path) -> None:
    other = tmp_path / "other.fwproj"
    save(TEMPLATES["seed-b-512"].build(servers=24), other)
    assert view.open_file(1, other)
    assert view.head.sides[1] == Choice("after-network", str(other))
    assert stage.context.analysis.compared[1]["file"] == str(other)
    assert "node" in view.panes[1].view.marks.marks.items


def test_training_steps_are_bars_and_a_missing_one_says_why(stage: Stage, view: CompareView) -> None:
    names = view.head.names()
    step = {"step_time_s": 1.0, "compute_s": 0.65, "exposed_communication_s": 0.35, "communication_share": 0.35}
    faster = {**step, "step_time_s": 0.825, "exposed_communication_s": 0.175}
    gain = [{"quantity": "train.gain", "value": 0.4}]
    view.figures._training({"figures": {"designs": [{"training": step}, {"training": faster}]}, "claims": gain}, names)
    assert [round(bar.seconds, 3) for bar in view.figures.training.bars] == [1.0, 0.825, 0.714]  # 1 / 1.4
    assert not view.figures.training.isHidden()
    why = [["{what} does not fit.", {"what": "ZeRO-3"}], None]
    view.figures._training({"figures": {"designs": [{"training": None}] * 2, "training_problems": why}}, names)
    assert view.figures.training.isHidden() and view.figures.training_problem.text() == "ZeRO-3 does not fit."


def test_training_bars_hide_without_figures(view: CompareView) -> None:
    view.figures.training.show_bars(())
    assert view.figures.training.isHidden()
    bars = (StepBar("A", 1.0, (("compute", 0.65, "pcie"), ("comm", 0.35, "rail1"))), StepBar("C", 0.7, claim="+40 %"))
    view.figures.training.show_bars(bars)
    assert not view.figures.training.isHidden()
    view.figures.training.grab()


def test_both_languages_and_themes(stage: Stage, view: CompareView, app: QApplication) -> None:
    tell(stage, view)
    stage.window.set_language("zh_CN")
    app.processEvents()
    assert view.head.title.text() == "对比"
    assert view.figures.table.columns[0].title == "陈述"
    stage.window.set_theme("dark")
    view.grab()
    stage.window.set_language("en")
    app.processEvents()
    assert view.head.title.text() == "Compare"


def test_a_project_with_one_design_says_what_is_missing(app: QApplication, tmp_path: Path) -> None:
    made = make_stage(TEMPLATES["pcie-4gpu-1nic"].build(), tmp_path)
    made.window.commands.show_view("compare")
    view = made.window.views.widget_of("compare")
    assert isinstance(view, CompareView)
    assert made.context.analysis.compared == []
    view.grab()
    close(made)


def test_looking_does_not_edit(stage: Stage, view: CompareView) -> None:
    pane = view.panes[0]
    before = stage.context.project
    scene = pane.view.source.scene
    x, y, w, h = scene.box(scene.by_id["leaf"][0])
    spot: QPoint = pane.view.mapFromScene(QPointF(x + w / 2, y + h / 2))
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    QTest.keyClick(pane.view, Qt.Key.Key_Delete)
    assert pane.document.selection == ("leaf",)
    assert stage.context.project is before and pane.document.project is before


def test_a_single_design_offers_a_copy_to_compare_with(app: QApplication, tmp_path: Path, all_painted: None) -> None:
    made = make_stage(TEMPLATES["single-8gpu"].build(), tmp_path)
    view = CompareView(made.context)
    view.resize(1200, 700)
    view.show()
    view.shown(True)
    assert view.lonely.isVisibleTo(view) and not view.panes[1].isVisibleTo(view)
    view.lonely.activated.emit()
    titles = [row.title for row in made.context.project.designs.values()]
    assert len(titles) == 2 and len(set(titles)) == 2
    assert not view.lonely.isVisibleTo(view) and view.panes[1].isVisibleTo(view)
    remove_design(made.context)
    assert len(made.context.project.designs) == 1 and made.context.design in made.context.project.designs
    view.close()
    close(made)


def test_the_report_of_the_first_side_is_asked_for(monkeypatch: pytest.MonkeyPatch, view: CompareView) -> None:
    asked: list[str] = []
    monkeypatch.setattr("fabricwright.ui.export.report_dialog.export_report", lambda _w, design: asked.append(design))
    view.head.as_report.trigger()
    assert asked == [view.head.known()[0].design]


def test_the_page_of_the_comparison_is_written_by_the_command(
    monkeypatch: pytest.MonkeyPatch, view: CompareView, tmp_path: Path
) -> None:
    asked: list[tuple[str, Path, list[str]]] = []
    target = tmp_path / "page.pdf"
    monkeypatch.setattr("fabricwright.ui.compare.export.start_of", lambda _window, name: name)
    monkeypatch.setattr("fabricwright.ui.dialogs.ask_save", lambda *_: target)
    monkeypatch.setattr(
        "fabricwright.ui.compare.export.write_file", lambda _window, verb, path, more: asked.append((verb, path, more))
    )
    export_comparison(view)
    assert asked == [("compare", target, ["--designs", "before,after-network", "--lang", "en"])]
