"""Network health in the window: it follows the worker, says why something is missing; its settings leave as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QPointF, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.network_health import network_health
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.ui.analysis_state import AnalysisState
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.health.export_dialog import FORMATS, write_settings
from fabricwright.ui.health.thresholds import sentence_of
from fabricwright.ui.health.view import HealthView
from fabricwright.ui.i18n import install_language

pytestmark = pytest.mark.gui


class Desk:
    """A context whose worker answers at once."""

    def __init__(self, project: Project) -> None:
        self.document = Document(project)
        self.context = UiContext(self.document, AnalysisState())
        self.state = self.context.analysis
        self.state.update(status="idle")
        self.state.view_wanted.connect(self.answer)
        self.document.project_changed.connect(lambda _patch: self.answer())

    def answer(self) -> None:
        if self.state.health_wanted:
            found = network_health(analyze(self.context.project, self.context.design))
            self.state.update(health={**json.loads(json.dumps(found)), "design": self.context.design})


def view_of(template: str, width: int = 1000) -> tuple[Desk, HealthView]:
    desk = Desk(TEMPLATES[template].build())
    view = HealthView(desk.context)
    view.resize(width, 1800)
    view.shown(True)
    view.grab()
    return desk, view


def test_nothing_is_worked_out_while_nobody_looks(app: QApplication) -> None:
    desk = Desk(TEMPLATES["seed-a-256x8"].build())
    view = HealthView(desk.context)
    assert not desk.state.health and not view.empty.isHidden()
    view.shown(True)
    assert desk.state.health and view.empty.isHidden()
    view.shown(False)
    assert not desk.state.health_wanted


def test_seed_a_shows_buffers_thresholds_and_the_warning(app: QApplication, all_painted: None) -> None:
    _, view = view_of("seed-a-256x8")
    assert "leaf 0-7 · generic-64x400" in view.bars.accessibleName()
    assert "10.3 MB of 100 MB (10.3 %)" in view.bars.accessibleName()
    drawn = {text for _, text in view.axes.texts}
    assert {"Kmax ≈ 694 kB", "XOFF ≈ 925 kB", "Kmin ≈ 25 kB", "Pmax ≈ 1 %"} <= drawn
    assert any(text.startswith("headroom 10.3 MB") for text in drawn)
    curve = {text for _, text in view.curve.texts}
    assert "0.01 % at 400G: 97.6 % left" in curve  # go-back-N, 20 us, 4 KiB
    assert "go-back-N, 200G as drawn" in curve
    assert any("510 × 200G" in text for text in view.incast.texts())
    assert view.table.figures.rowCount() > 20


def test_a_lossy_network_marks_where_it_stands(app: QApplication, all_painted: None) -> None:
    desk, view = view_of("seed-a-256x8")
    desk.context.edit("set_setting", key="lossless", value=None)
    desk.context.edit("set_setting", key="pfc", value="off")
    view.grab()
    assert "Pause frames are off" in view.state.text()
    assert view.bars.isHidden() and "No port pauses" in view.sections[0].instead.text()
    assert any(text.startswith("now: ≈ 0.01 % lost") for _, text in view.curve.texts)
    assert "packets are dropped" in " ".join(view.incast.texts())


@pytest.mark.parametrize("width", [560, 760, 1000, 1500])
@pytest.mark.parametrize("template", ["seed-a-256x8", "seed-b-512", "superpod-h100-127", "b300-4su"])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_no_text_lies_on_another_or_is_cut(
    app: QApplication, all_painted: None, template: str, width: int, language: str
) -> None:
    install_language(app, language)
    _, view = view_of(template, width)
    for drawing in (view.axes, view.curve):
        boxes = drawing.texts
        for n, (box, text) in enumerate(boxes):
            assert box.right() <= drawing.width() + 1 or drawing is view.axes, (text, width)
            for other, more in boxes[n + 1 :]:
                assert not box.intersects(other), (text, more)


def test_why_there_is_nothing(app: QApplication) -> None:
    _, pod = view_of("superpod-h100-127")
    assert "credits" in pod.state.text() and not pod.export.isEnabled()
    assert "InfiniBand needs no headroom" in pod.sections[0].instead.text()
    _, alone = view_of("single-8gpu")
    assert not alone.empty.isHidden() and alone.area.isHidden()


def test_hovering_tells_formula_and_source(app: QApplication) -> None:
    _, view = view_of("seed-b-512")
    tip = view.bars.tip_at(QPointF(20, 20))
    assert "SONiC sn3700_sn4700" in tip and "Shared pool" in tip and "estimate" in tip
    assert "SIGCOMM 2015" in view.axes.tip_at(QPointF(100, 50))
    assert "Bertsekas" in view.curve.tip_at(QPointF(100, 50))
    row = view.health["switches"][0]
    assert "Kmin 18.4 kB, Kmax 500 kB, Pmax 1 %" in sentence_of(row, row["thresholds"][0])


def test_the_state_of_another_design_is_not_shown(app: QApplication) -> None:
    desk, view = view_of("seed-b-512")
    desk.state.health_wanted = False
    desk.context.open_design("after")
    view.refresh()
    assert view.health == {} and not view.empty.isHidden()


def test_settings_are_written_and_hold_the_same_numbers(app: QApplication, tmp_path: Path) -> None:
    desk = Desk(TEMPLATES["seed-a-256x8"].build())

    class Shell(QWidget):
        context = desk.context

    shell = Shell()
    shell.show()
    said: list[str] = []
    loop = QEventLoop()
    desk.context.said.connect(lambda message, _severity: said.append(message.english()))
    desk.context.said.connect(lambda message, _severity: message.english().startswith("Saved") and loop.quit())
    QTimer.singleShot(90_000, loop.quit)
    write_settings(shell, tmp_path, list(FORMATS))  # type: ignore[arg-type]
    loop.exec()
    app.processEvents()  # the last job ends before the window does
    assert said[-1].startswith("Saved")
    tables = [json.loads(path.read_text()) for path in (tmp_path / "sonic").glob("*.json")]
    assert tables and all(tables)
    values = (tmp_path / "sonic" / "values.csv").read_text()
    health = network_health(analyze(desk.context.project, "main"))
    spine = next(row for row in health["switches"] if row["item"] == "spine")
    assert f"{spine['thresholds'][0]['kmin']:.0f}" in values and f"{spine['buffer']:.0f}" in values
    assert list((tmp_path / "nvue").glob("*.nvue")) and list((tmp_path / "nic").glob("*.sh"))
    assert "NCCL_IB_TC" in (tmp_path / "nccl.env").read_text()


def test_settings_are_one_click_away(app: QApplication, tmp_path: Path) -> None:
    from fabricwright.ui.widgets import SectionHeader
    from tests.ui.canvas_stage import close, make_stage

    stage = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    try:
        window = stage.window
        assert window.commands.show_view("health")
        view = window.views.widget_of("health")
        view.settings.click()
        heads = window.docks.panels["inspector"].findChildren(SectionHeader)
        assert any(head.text() == "Lossless Ethernet" and head.isChecked() for head in heads)
        assert window.context.sheet == window.context.design_row.root
    finally:
        close(stage)
