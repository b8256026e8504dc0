"""The view of sweeps: choosing, counting, a real run in a process, stopping, table, plot, export, a row as a design."""

from __future__ import annotations

import csv
import time

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from fabricwright.analysis.sweep_metrics import parse_metric
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.analysis_state import AnalysisState
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.sweep.choice import METRICS
from fabricwright.ui.sweep.columns import columns_of
from fabricwright.ui.sweep.model import cell_text
from fabricwright.ui.sweep.plot import PlotPoint
from fabricwright.ui.sweep.view import SweepView

pytestmark = pytest.mark.gui


@pytest.fixture
def view(app, all_painted):
    document = Document(TEMPLATES["seed-a-256x8"].build(servers=16))
    view = SweepView(UiContext(document, AnalysisState()))
    view.resize(1280, 700)
    view.show()
    view.shown(True)
    view._later.stop()
    yield view
    view.stop()
    view._forget_estimate()


def until(app, done, seconds=60):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        app.processEvents()
        time.sleep(0.01)


def test_columns_are_those_of_the_command():
    """The window does not load the floor that computes, so its list of columns is held against that floor here."""
    for name in (*METRICS, "all_reduce@64m", "all_to_all@1G"):
        assert columns_of((name,)) == [column.key for column in parse_metric(name).columns]


def test_choosing_counts_at_once(view):
    assert view.count.text() == "4 points"  # one field with four values around today's 8
    row = view.choice.add_row("settings.ecmp.qps", "1..10")
    assert view.count.text() == "40 points"
    row.values.setText("1..100000")
    assert "2,000 of" in view.count.text() or "100,000" in view.count.text() or "256" in view.count.text()
    assert not view.run.isEnabled()  # 100,000 queue pairs are none
    row.field.setCurrentText("settings.nothing")
    assert not view.run.isEnabled() and row.now.text() == "There is no such field."
    row.field.setCurrentText("up.length_m")
    row.values.setText("1..1000")
    assert view.run.isEnabled() and view.count.text() == "2,000 of 4,000 points"
    row.gone.emit(row)
    assert view.count.text() == "4 points"


def test_fields_have_names_with_units_and_keys_may_be_typed(view):
    row = view.choice.rows[0]
    assert (row.field.currentText(), row.key()) == ("up: cables per pair", "up.per_pair")
    names = view.choice.names()
    assert len(set(names.values())) == len(names)
    assert names["down.length_m"] == "down: length (m)"
    assert names["node/nic0.of"] == "node › nic0: part"
    assert names["template.servers"] == "Number of servers"
    assert not [key for key in names if key.startswith("settings.") and names[key] == key]
    row.field.setCurrentText("DOWN: length (m)")
    assert row.key() == "down.length_m"
    row.field.setCurrentText("down.length_m")
    assert row.key() == "down.length_m" and view.choice.grid().fields.keys() == {"down.length_m"}


def test_a_choice_offers_its_words(view):
    row = view.choice.add_row("settings.ecmp.mode")
    assert "spray" in row.values.text()
    assert "today hash" in row.now.text()


def test_run_show_pick_export_and_open(app, view, tmp_path):
    view.choice.rows[0].values.setText("2, 4, 8")
    view.choice.add_row("settings.ecmp.qps", "1, 4")
    view.start()
    assert view.run.text() == "Stop"
    until(app, lambda: view.job is None)
    assert view.run.text() == "Run"
    assert [row[:3] for row in sorted(view.model.rows)] == [
        [0, 2, 1], [1, 2, 4], [2, 4, 1], [3, 4, 4], [4, 8, 1], [5, 8, 4],
    ]  # fmt: skip
    app.processEvents()
    assert len(view.plot.spots) == 6
    _, spot = view.plot.spots[3]
    QTest.mouseClick(view.plot, Qt.MouseButton.LeftButton, pos=QPoint(round(spot.x()), round(spot.y())))
    assert view.results.selected()[0][0] in range(6)
    assert view.open.isEnabled()
    path = tmp_path / "x.csv"
    view.export_csv(path)
    rows = list(csv.DictReader(path.open(newline="", encoding="utf-8")))
    assert [row["up.per_pair"] for row in rows] == ["2", "2", "4", "4", "8", "8"]
    view.results.pick(2)
    view.open_as_design()
    context = view.context
    assert len(context.project.designs) == 2 and context.design == "main-2"
    opened = context.project.designs["main-2"]
    assert opened.sheets["fabric"].links["up"].wire.per_pair == 4 and opened.settings["ecmp.qps"] == 1
    assert context.project.designs["main"].sheets["fabric"].links["up"].wire.per_pair == 8
    context.document.undo_stack.undo()
    assert list(context.project.designs) == ["main"]


def test_stop_keeps_what_is_finished(app, view):
    view.choice.rows[0].field.setCurrentText("up.length_m")
    view.choice.rows[0].values.setText("1..1500")
    view.start()
    until(app, lambda: len(view.model.rows) >= 3)
    view.stop()
    until(app, lambda: view.job is None)
    assert 3 <= len(view.model.rows) < 1500
    assert view.export.isEnabled()


def test_counts_have_whole_marks(view):
    view.plot.show_points([PlotPoint(n, n + 2, 1.0, "") for n in range(7)], "x", "y", lines=True)
    _, marks = view.plot._x_axis(QRectF(0, 0, 1400, 300))
    assert [text for _, text in marks] == [str(n) for n in range(2, 9)]


def test_sorting_and_texts(view):
    model = view.model
    model.begin(["point", "a", "b"], ["Point", "A", "B"])
    model.add([[0, 3.5, "x"], [1, None, "z"], [2, 12345.6, ""]])
    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert [row[0] for row in model.rows] == [0, 2, 1]
    assert [cell_text(v) for v in (None, 2048, 3.14159, 12345.6, "x")] == ["–", "2,048", "3.142", "12,346", "x"]


def test_time_is_estimated_in_a_process(app, view):
    view._ask_time()
    until(app, lambda: "about" in view.count.text())
    until(app, lambda: view._estimating is None)
