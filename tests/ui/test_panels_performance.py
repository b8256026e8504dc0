"""The performance panel and the paths inside a server."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from fabricwright.ui.paint.guard import clear_reported, reported_failures
from fabricwright.ui.panels.paths import PathsPanel, kind_of
from fabricwright.ui.panels.performance import PerformancePanel
from fabricwright.ui.panels.performance_chart import chart_of
from fabricwright.ui.panels.performance_texts import headline, heat_peak
from tests.ui.panel_stage import GIB, PREDICTION, ROW, stage


@pytest.fixture
def panel(app: QApplication) -> PerformancePanel:
    made = PerformancePanel(stage())
    made.resize(720, 220)
    return made


def test_headline_says_figure_range_time_and_limit(app: QApplication) -> None:
    texts = headline(ROW)
    # 37.6 x 28.5 / 31.7 = 33.8; 37.6 x 28.5 / 26.6 = 40.3
    assert texts.value == "37.6"
    assert texts.note == "range 33.8 – 40.3; 28.5 ms"
    assert texts.limit == "Limit: NIC port of nic8, 76 %"
    assert texts.choice == "Ring with Simple"
    assert texts.others == "Others: Tree, Simple 31 ms"


def test_the_chart_has_band_limit_and_where_each_algorithm_is_chosen(app: QApplication) -> None:
    model = chart_of(PREDICTION, GIB)
    assert model.series[0].x_bytes[0] == 1 << 20 and model.series[0].x_bytes[-1] == 1 << 32
    assert model.reading_bytes == GIB
    assert [r.value for r in model.references] == [48.0]
    assert [r.label for r in model.regions] == ["Tree, LL", "Ring, Simple"]
    low, value, high = model.series[0].low[5], model.series[0].y[5], model.series[0].high[5]
    assert low == pytest.approx(value / 1.1) and high == pytest.approx(value / 0.9)
    assert chart_of({}, GIB).empty


def test_small_sizes_bring_the_left_end_into_view(app: QApplication) -> None:
    assert chart_of(PREDICTION, 1 << 10).series[0].x_bytes[0] == 1 << 8


def test_the_busiest_link_is_named(panel: PerformancePanel) -> None:
    assert heat_peak({"down": {"max": 0.76}, "up": {"max": 0.1}}) == ("down", 0.76)
    assert panel.figure.peak.text() == "Fabric peak: node – leaf, 76 %"
    assert panel.figure.reasons.text() == "It binds."


def test_choosing_asks_and_keeps_the_heat_map_as_it_is(panel: PerformancePanel) -> None:
    context = panel._context
    asked: list[str] = []
    context.heat_changed.connect(lambda collective, _size: asked.append(collective))
    panel.collective.setCurrentIndex(panel.collective.findData("all_to_all"))
    panel.collective.activated.emit(panel.collective.currentIndex())
    assert context.analysis.collective == "all_to_all" and not context.heat_on
    assert panel.stale
    context.set_heat("all_reduce", GIB)
    panel.sizes.activated.emit(panel.sizes.findData(1 << 20))
    panel.chart.size_picked.emit(float(1 << 21))
    assert context.analysis.size_bytes == 1 << 21 and context.heat_on
    assert panel.sizes.currentData() == 1 << 21
    assert asked[0] == "" and asked[-1] == "all_reduce"


def test_show_on_canvas_colours_the_links_and_goes_there(panel: PerformancePanel) -> None:
    panel.figure.show_limit.click()
    context = panel._context
    assert context.heat_on
    assert (context.sheet, context.selection) == ("node-after", ["nic8"])


def test_a_prediction_that_cannot_run_says_why(panel: PerformancePanel) -> None:
    panel.show()
    error = ["{n} GPUs are too few.", {"n": 1}]
    panel._context.analysis.update(prediction={"error": error, "collective": "all_reduce"})
    assert panel.figure.trouble.isVisible() and panel.figure.trouble.text() == "1 GPUs are too few."
    assert panel.chart.model().empty and not panel.figure.headline.isVisible()


def test_busy_for_long_pales_the_figures_and_idle_brings_them_back(panel: PerformancePanel, qtbot: object) -> None:
    panel._context.analysis.update(status="busy")
    assert not panel.stale
    panel._timer.timeout.emit()
    assert panel.stale and panel.figure.limit.graphicsEffect() is not None
    panel._context.analysis.update(status="idle")
    assert not panel.stale and panel.figure.limit.graphicsEffect() is None


def test_nothing_predicted_yet(app: QApplication) -> None:
    context = stage(analysed=False)
    panel = PerformancePanel(context)
    assert panel.figure.trouble.text() == "Predicting…"
    context.analysis.update(status="lost")
    assert panel.figure.trouble.text() == "The prediction is not running."
    context.analysis.update(status="idle")
    assert panel.figure.trouble.text() == "Choose a collective"


def test_paths_show_words_and_colours(app: QApplication) -> None:
    clear_reported()
    context = stage("node-after")
    panel = PathsPanel(context)
    panel.resize(500, 240)
    panel.show()
    panel.grab()
    assert not reported_failures()
    assert [[panel.model.word(r, c) for c in range(2)] for r in range(3)] == [
        ["PXB", "SYS"],
        ["PHB", "PIX"],
        ["SYS", "NODE"],
    ]
    index = panel.model.index(2, 1)
    spoken = panel.model.data(index, Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "gpu4 to nic7: NODE; NCCL sees PHB"
    panel.view._pick("rdma")
    assert [panel.model.word(r, 0) for r in range(3)] == ["on", "off", "off"]
    panel.view._pick("gpu")
    assert panel.model.rowCount() == 2 and panel.model.word(0, 1) == "NV18"
    panel.table.doubleClicked.emit(panel.model.index(0, 1))
    assert context.selection == ["gpu4", "gpu0"]
    context.open_sheet("fabric")
    assert panel.empty.isVisible()


def test_path_colours() -> None:
    words = ("NV18", "NVL", "PIX", "PXB", "PHB", "SYS", "X")
    assert [kind_of(w) for w in words] == ["ok", "ok", "ok", "info", "warning", "error", "neutral"]
