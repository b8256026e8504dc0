"""The performance panel: ranks, failures, logs laid over the chart, a fitted profile, and what leaves the window."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QSplitter, QWidget

from fabricwright.design.edits import EDITS
from fabricwright.ui.i18n import install_language
from fabricwright.ui.paint.chart_export import SVG_MIME, chart_csv, chart_image, chart_svg
from fabricwright.ui.paint.chart_model import signed_percent
from fabricwright.ui.panels.performance import PerformancePanel
from fabricwright.ui.panels.performance_chart import chart_of, chart_title
from fabricwright.ui.panels.performance_texts import spread_text
from fabricwright.ui.panels.performance_verbs import profile_name
from fabricwright.ui.worker_client import AnalysisWorker
from tests.ui.panel_stage import GIB, PREDICTION, ROW, stage

MIB = 1 << 20


def table(**more: Any) -> dict[str, Any]:
    """Two points: at 1 MiB the model is 20 % slow, at 1 GiB 5 % fast in time."""
    points = [
        {"bytes": MIB, "time_us": 100.0, "busbw_gbs": 10.0, "predicted_us": 120.0, "off": 0.2},
        {"bytes": GIB, "time_us": 30_000.0, "busbw_gbs": 35.7, "predicted_us": 28_500.0, "off": -0.05},
    ]
    row = {"source": "logs/site.log", "collective": "all_reduce", "ranks": 64, "nodes": 8, "skipped": 1, "wrong": 0}
    return row | {"error": None, "points": points} | more


def failure(kind: str, address: str, ratio: float, cut_off: int = 0, count: int = 1) -> dict[str, Any]:
    return {
        "kind": kind,
        "address": address,
        "count": count,
        "ranks_lost": 0,
        "ranks_cut_off": cut_off,
        "cut_off": "0-7" if cut_off else "",
        "busbw_gbs": 37.6 * ratio,
        "ratio": ratio,
        "problem": None,
    }


SWEEP = {
    "collective": "all_reduce",
    "bytes": GIB,
    "nodes": 0,
    "single_failures": 7,
    "median_ratio": 0.5,
    "single_points_of_failure": [],
    "failures": [failure("leaf", "leaf[0]", 0.5, count=4), failure("spine", "spine[0]", 0.25, count=2)],
}


@pytest.fixture
def panel(app: QApplication) -> PerformancePanel:
    made = PerformancePanel(stage())
    made.resize(720, 240)
    return made


def test_time_has_both_axes_logarithmic_and_the_line_of_the_limit(app: QApplication) -> None:
    model = chart_of(PREDICTION, GIB, "time")
    assert model.y_log and model.y_unit == "\u00b5s"
    curve, limit = model.series
    assert curve.low[0] < curve.y[0] < curve.high[0]
    # the row: 37.6 GB/s in 28.5 ms; at 48 GB/s it would take 28.5 x 37.6 / 48 ms
    assert limit.at(GIB) == pytest.approx(28_500 * 37.6 / 48)
    assert model.read(28_500.0) == "28.5 ms"
    assert chart_of(PREDICTION, GIB, log_axis=True).y_log


def test_points_carry_their_residual_in_the_unit_of_the_axis(app: QApplication) -> None:
    measured = {"tables": [table(), table(collective="all_gather")]}
    (points,) = chart_of(PREDICTION, GIB, "time", measured=measured).points
    assert points.y == (100.0, 30_000.0) and points.predicted == (120.0, 28_500.0) and points.off == (0.2, -0.05)
    (points,) = chart_of(PREDICTION, GIB, measured=measured).points
    # bandwidth goes the other way round: 10 / 1.2, 35.7 / 0.95
    assert points.predicted == pytest.approx((10 / 1.2, 35.7 / 0.95))
    assert points.off == pytest.approx((1 / 1.2 - 1, 1 / 0.95 - 1))
    assert signed_percent(points.off[0]) == "\u221216.7 %"
    small = [{**table()["points"][0], "bytes": 1 << 12}]
    assert chart_of(PREDICTION, GIB, measured={"tables": [table(points=small)]}).x_range()[0] == 1 << 12


def test_a_failure_stands_beside_the_undamaged_curve(app: QApplication) -> None:
    damaged = {**PREDICTION, "fail": "spine[0]", "undamaged": PREDICTION}
    model = chart_of(damaged, GIB)
    assert [(s.label, s.dashed) for s in model.series] == [("with the failure", False), ("undamaged", True)]
    assert chart_title(damaged, "B") == "All-reduce, 256 ranks, B; spine[0] down"
    cut = {"error": ["cut", {}], "fail": "spine[0]", "undamaged": PREDICTION, "collective": "all_reduce"}
    assert [s.label for s in chart_of(cut, GIB).series] == ["undamaged"]
    assert chart_title(cut, "B").startswith("All-reduce, 256 ranks")


def test_ranks_are_asked_for_and_old_figures_pale(panel: PerformancePanel) -> None:
    state = panel._context.analysis
    boxes = panel.choices
    assert [boxes.nodes.itemData(n) for n in range(boxes.nodes.count())] == [0, 1, 2, 4, 8, 16]
    boxes.nodes.setCurrentIndex(2)
    boxes.nodes.activated.emit(2)
    assert state.nodes == 2 and panel.stale
    state.update(prediction={**PREDICTION, "nodes": 2, "fail": ""})
    assert not panel.stale and boxes.nodes.currentText() == "First 2 servers"


def test_a_failure_is_typed_or_chosen_worst_first_and_cleared(panel: PerformancePanel) -> None:
    state, box = panel._context.analysis, panel.choices.fail
    wanted: list[bool] = []
    state.view_wanted.connect(lambda: wanted.append(state.sweep_wanted))
    box.opened.emit()
    assert wanted == [True]
    state.update(resilience=SWEEP)
    assert not state.sweep_wanted
    texts = [box.itemText(n) for n in range(box.count())]
    assert texts == ["Nothing is down", "spine-1 (spine): 25.0 %", "leaf-11 (leaf): 50.0 %"]
    box.activated.emit(2)
    assert state.fail == "leaf[0]" and box.lineEdit().text() == "leaf-11"
    box.lineEdit().setText("spine[1]")
    box.lineEdit().editingFinished.emit()
    assert state.fail == "spine[1]"
    box.lineEdit().clear()
    assert state.fail == "" and box.lineEdit().text() == "Nothing is down"


def test_what_is_being_typed_is_left_alone(panel: PerformancePanel, qtbot: Any) -> None:
    panel.show()
    editor = panel.choices.editor
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    editor.selectAll()
    QTest.keyClicks(editor, "spine[")
    panel.refresh()
    assert editor.text() == "spine["
    QTest.keyClicks(editor, "1]")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert panel._context.analysis.fail == "spine[1]" and editor.text() == "spine-2"


def test_the_table_of_failures_selects_and_shows_the_curve(panel: PerformancePanel, qtbot: Any) -> None:
    panel.show()
    state = panel._context.analysis
    panel.show_view("failures")
    assert (
        state.sweep_wanted
        and panel.failures.isVisible()
        and "one thing after the other" in panel.failures.summary.text()
    )
    state.update(resilience=SWEEP)
    model = panel.failures.model
    assert [model.index(0, c).data() for c in range(4)] == ["spine-1  spine × 2", "0", "9.4", "25.0 %"]
    assert panel.failures.summary.text() == "7 single failures, none cuts ranks off; the median one leaves 50.0 %."
    assert "2 alike" in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    panel.failures.table.clicked.emit(model.index(0, 0))
    assert state.fail == "spine[0]" and panel._context.selection == ["spine"]
    assert panel.failures.table.currentIndex().row() == 0
    state.ask(size_bytes=1 << 20)
    panel.refresh()
    assert model.rowCount() == 0  # the sweep was about another size
    panel.show_view("figures")
    assert not state.sweep_wanted


def test_single_points_of_failure_are_said(panel: PerformancePanel) -> None:
    cut = failure("leaf", "leaf[0]", 0.0, cut_off=8)
    panel.show_view("failures")
    panel._context.analysis.update(resilience={**SWEEP, "failures": [cut], "single_points_of_failure": [cut]})
    assert panel.failures.summary.text().startswith("7 single failures; 1 of them stop ranks")
    assert panel.failures.model.index(0, 3).data() == "stops"
    assert "cannot reach the others: 0-7" in panel.failures.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_logs_are_read_by_the_worker_and_bring_their_ranks(
    panel: PerformancePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = panel._context.analysis
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_args, **_more: (["logs/site.log"], ""))
    panel.verbs.load_logs()
    assert state.logs == ["logs/site.log"]
    state.update(measured={"logs": state.logs, "tables": [table()], "error": None})
    assert state.nodes == 8
    assert panel.figure.measured.text() == (
        "site.log: 2 points on 64 ranks; predicted time off by 12.5 % (median), at worst +20.0 % at 1 MiB. "
        "1 rows left out (cut off or wrong values)."
    )
    assert len(panel.chart.model().points) == 1
    panel.verbs.remove_logs()
    assert state.logs == [] and not panel.chart.model().points and panel.figure.measured.text() == ""


def test_a_log_that_cannot_be_read_is_one_sentence(panel: PerformancePanel) -> None:
    said: list[str] = []
    panel._context.said.connect(lambda message, severity: said.append(f"{severity}: {message.english()}"))
    panel.verbs.lay_over(["x.log"])
    error = ["{file}: no table of nccl-tests.", {"file": "x.log"}]
    panel._context.analysis.update(measured={"logs": ["x.log"], "tables": [], "error": error})
    assert said == ["error: x.log: no table of nccl-tests."]
    assert panel.figure.measured.text() == "x.log: no table of nccl-tests." and not panel.figure.fit.isVisibleTo(panel)


def test_a_fitted_profile_is_one_undoable_edit(panel: PerformancePanel, monkeypatch: pytest.MonkeyPatch) -> None:
    context = panel._context
    state, document = context.analysis, context.document
    panel.verbs.lay_over(["logs/Site A.log"])
    monkeypatch.setattr(QInputDialog, "getText", lambda *_args, text="", **_more: (text, True))
    asked: list[str] = []
    state.fit_wanted.connect(asked.append)
    panel.verbs.fit()
    assert asked == ["site-a"] and state.fitting == "site-a" and not state.ask_fit("again")
    calls = [
        {"name": "set_profile", "args": {"name": "site-a", "values": {"time_us.launch": 4.0}, "title": "Site A.log"}},
        {"name": "set_setting", "args": {"design": context.design, "key": "profile", "value": "site-a"}},
    ]
    before = document.undo_stack.count()
    state.take_fitted({"name": "site-a", "calls": calls, "points": 2, "before": 0.2, "after": 0.01})
    assert document.undo_stack.count() == before + 1 and not state.fitting
    assert context.design_row.settings.get("profile") == "site-a" and "site-a" in context.project.profiles
    document.undo()
    assert "site-a" not in context.project.profiles and context.design_row.settings.get("profile") is None


def test_names_of_profiles() -> None:
    assert [profile_name(t) for t in ("Site A (new)", "...", "x" * 80)] == ["site-a-new", "site", "x" * 60]


def test_the_worker_is_asked_and_its_answers_land(app: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    context = stage()
    worker = AnalysisWorker(context)
    state = context.analysis
    state.ask(nodes=4, fail="spine[0]", logs=["a.log"], sweep_wanted=True)
    row = worker._view_row()
    assert (row["nodes"], row["fail"], row["logs"], row["sweep"]) == (4, "spine[0]", ["a.log"], True)
    worker._take({"type": "measured", "logs": ["a.log"], "tables": [], "error": None})
    worker._take({"type": "resilience", "resilience": SWEEP})
    assert state.measured["logs"] == ["a.log"] and state.resilience == SWEEP
    sent: list[str] = []
    monkeypatch.setattr(worker, "_send_fit", sent.append)
    state.fitting = "p"
    answers: list[dict[str, Any]] = []
    state.fitted.connect(answers.append)
    worker._take({"type": "fitted", "seq": 99, "design": context.design, "name": "p"})
    assert sent == ["p"] and not answers  # made for another state of the drawing
    worker._take({"type": "fitted", "seq": 0, "design": context.design, "name": "p", "error": ["no", {}]})
    assert len(answers) == 1 and state.fitting == ""
    state.clear()
    assert (state.nodes, state.fail, state.logs) == (0, "", [])


def test_an_edit_that_changes_nothing_says_what_binds(panel: PerformancePanel) -> None:
    context = panel._context
    state = context.analysis
    context.edit("set_count", item="spine", count=3, sheet="fabric")
    state.ran = True
    state.update(status="idle", seconds=0.1)
    assert panel.figure.unchanged.text() == "The last edit changed nothing here: NIC port of NIC8 binds as before."
    context.document.project_changed.emit(None)
    assert panel.figure.unchanged.text() == ""  # another project
    context.edit("set_count", item="spine", count=4, sheet="fabric")
    state.update(prediction={**PREDICTION, "rows": [{**ROW, "time_us": 27_000.0}]})
    state.update(status="idle", seconds=0.1)
    assert panel.figure.unchanged.text() == ""
    context.edit("move", places={"leaf": (10, 20)}, sheet="fabric")
    state.ran = False  # nothing was computed for a move
    state.update(status="idle", seconds=0.1)
    assert panel.figure.unchanged.text() == "" and "move" in EDITS


def test_hashed_flows_tell_their_spread(panel: PerformancePanel) -> None:
    found = {"mode": "hash", "share": 0.58, "low": 0.5, "high": 0.67, "mean": 0.9, "queue_pairs": 1}
    assert spread_text({"slowest_flow": found}) == (
        "Hashed paths: slowest flow 58 % of its NIC port (50–67 %), mean 90 %"
    )
    assert spread_text({"slowest_flow": None}) == ""
    panel._context.analysis.update(prediction={**PREDICTION, "rows": [{**ROW, "slowest_flow": found}]})
    assert "58 %" in panel.figure.spread.text() and panel.figure.spread.isVisibleTo(panel)


def test_another_design_has_other_addresses(panel: PerformancePanel) -> None:
    context = panel._context
    context.analysis.ask(fail="spine[0]", nodes=4)
    context.open_design("before")
    assert (context.analysis.fail, context.analysis.nodes) == ("", 0)


def test_the_heat_map_follows_ranks_and_failure(panel: PerformancePanel) -> None:
    """The load of the links comes with the prediction; asking for a failure asks for both."""
    context = panel._context
    asked: list[int] = []
    context.analysis.view_wanted.connect(lambda: asked.append(1))
    context.set_heat("all_reduce", GIB)
    panel.choices.fail_changed.emit("spine[0]")
    assert asked == [1] and context.heat_on


def test_picture_svg_and_csv_leave_the_window(panel: PerformancePanel, tmp_path: Path) -> None:
    panel._context.analysis.ask(logs=["logs/site.log"])
    panel._context.analysis.update(measured={"logs": ["logs/site.log"], "tables": [table()], "error": None})
    panel.verbs.copy_picture()
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage() and data.hasFormat(SVG_MIME)
    panel.verbs.copy_svg()
    assert "<svg" in QGuiApplication.clipboard().text()
    panel.verbs.copy_csv()
    rows = list(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text())))
    assert {r["kind"] for r in rows} == {"predicted", "measured", "limit"}
    first = next(r for r in rows if r["kind"] == "predicted")
    assert (first["bytes"], first["unit"], first["choice"]) == ("1048576", "GB/s", "Tree, LL")
    for suffix in ("svg", "png", "csv"):
        panel.verbs.write(tmp_path / f"chart.{suffix}")
    assert not QImage(str(tmp_path / "chart.png")).isNull()
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8").count("message per GPU") == 1
    names = [a.text() for a in panel.verbs.menu().actions() if a.text()]
    assert names[-4:] == ["Copy as picture", "Copy as SVG", "Copy as CSV", "Save chart…"]


def test_exports_need_no_widget(app: QApplication) -> None:
    model = chart_of(PREDICTION, GIB, measured={"tables": [table()]})
    image = chart_image(model, "All-reduce", width=500, height=300, scale=2.0)
    assert (image.width(), image.height()) == (1000, 600)
    assert b"All-reduce" in chart_svg(model, "All-reduce") and chart_csv(model).count("measured") >= 2


def test_the_cross_hair_reads_measured_sizes(panel: PerformancePanel) -> None:
    panel._context.analysis.ask(logs=["logs/site.log"])
    odd = [{**table()["points"][0], "bytes": 3 * MIB}]
    panel._context.analysis.update(measured={"logs": ["logs/site.log"], "tables": [table(points=odd)], "error": None})
    panel.show()
    QTest.qWaitForWindowExposed(panel)
    panel.grab()
    layout = panel.chart.chart_layout()
    assert layout is not None
    assert panel.chart._read_at(layout.x_of(3 * MIB) + 2, layout) == 3 * MIB
    assert panel.chart._measured_at(3 * MIB) == ["measured 10.0 GB/s (\u221216.7 %)"]


def test_the_choices_speak_the_language_switched_to(panel: PerformancePanel) -> None:
    panel.refresh()
    assert panel.choices.nodes.itemText(0) == "All ranks"
    try:
        install_language(QApplication.instance(), "zh_CN")
        QApplication.processEvents()
        assert panel.choices.nodes.itemText(0) == "全部 Rank"
        assert panel.choices.fail.itemText(0) == panel.choices.editor.text() == "无故障"
    finally:
        install_language(QApplication.instance(), "en")


def test_looking_at_the_failures_leaves_the_dock_its_width(panel: PerformancePanel) -> None:
    split = QSplitter(Qt.Orientation.Horizontal)
    split.addWidget(QWidget())
    split.addWidget(panel)
    split.resize(1000, 220)
    split.setSizes([400, 600])  # room for either of the two, not for both at once
    split.show()
    QApplication.processEvents()
    before = split.sizes()
    for view in ("failures", "figures"):
        panel.show_view(view)
        QApplication.processEvents()
        assert split.sizes() == before
