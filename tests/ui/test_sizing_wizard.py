"""The wizard: a sentence fills the form, alternatives stream in, refusals are mended by a click, designs are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fabricwright.analysis.protocol import Unpacker
from fabricwright.analysis.size_request import SizeRequests
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.i18n import install_language
from fabricwright.ui.sizing import start
from fabricwright.ui.sizing.form import RequirementForm
from fabricwright.ui.sizing.rows import fronts, switches, written
from fabricwright.ui.sizing.wizard import ASK, CHOOSE, NAME, SizingWizard
from tests.ui.canvas_stage import Stage, close, make_stage

pytestmark = pytest.mark.gui


class Worker:
    """Answers at once, as the worker does in its own process. ``most`` alternatives, to be quick."""

    def __init__(self, stage: Stage, most: int = 2) -> None:
        self.context, self.most = stage.context, most
        self.asked: list[dict[str, Any]] = []
        self.requests = SizeRequests(self._send, lambda: None)
        self.state = stage.context.analysis
        self.state.update(status="idle")
        self.state.size_wanted.connect(self._take)
        self.state.setProperty("worker", self)  # Qt holds plain objects weakly

    def _take(self, asked: dict[str, Any]) -> None:
        self.asked.append(asked)
        self.requests.take({**asked, "most": self.most})
        self.requests.answer(self.context.project)

    def _send(self, frame: bytes) -> None:
        for header, _ in Unpacker().feed(frame):
            (self.state.sized if header["type"] == "sized" else self.state.size_taken).emit(header)


@pytest.fixture
def stage(app: QApplication, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["single-8gpu"].build(), tmp_path)
    yield made
    close(made)


def opened(stage: Stage, **more: Any) -> SizingWizard:
    wizard = start(stage.window, **more)
    wizard.activateWindow()  # else Enter is the canvas's shortcut
    QApplication.processEvents()
    wizard.sentence.line.setFocus()
    return wizard


def ask(wizard: SizingWizard, text: str) -> None:
    wizard.sentence.line.setText(text)
    wizard.sentence.take()
    wizard._timer.stop()
    wizard._request()


def test_sentence_look_alternatives_and_a_new_project(blank: Stage, qtbot: QtBot) -> None:
    """32 servers of 8: one unit, 8 rail leafs; 8 x 32 uplinks / 64 ports = 4 spines."""
    worker, wizard = Worker(blank), opened(blank)
    qtbot.keyClicks(wizard.sentence.line, "32 x 8 H100 NDR")
    wizard.sentence.take()
    assert wizard.form.fields["servers"].value() == 32 and wizard.form.fields["gpus"].value() == 256
    wizard._timer.stop()
    wizard._request()
    assert wizard.look.best.text() == "8 + 4 × QM9700"
    qtbot.keyClick(wizard.sentence.line, Qt.Key.Key_Return)
    assert wizard.step == CHOOSE and [r["id"] for r in wizard.rows] == ["a1", "a2"] and not wizard._busy
    assert not wizard.other.isVisible()  # nothing to add to
    qtbot.keyClick(wizard.results.table, Qt.Key.Key_Return)
    drawn = blank.context.project.designs["main"]
    assert {row.count for row in drawn.sheets["fabric"].items.values()} >= {8, 4, 32}
    assert blank.document.modified and worker.asked[-1]["new"] and not wizard.isVisible()


def test_added_to_the_open_project_as_one_undo_step(stage: Stage, qtbot: QtBot) -> None:
    Worker(stage)
    before = set(stage.context.project.designs)
    wizard = opened(stage, add=True)
    ask(wizard, "64 H100, RoCE")
    wizard.go(CHOOSE)
    wizard.results.table.selectAll()
    assert "2" in wizard.primary.text()
    qtbot.mouseClick(wizard.primary, Qt.MouseButton.LeftButton)
    fresh = set(stage.context.project.designs) - before
    assert len(fresh) == 2 and stage.context.design in fresh
    stage.document.undo()
    assert set(stage.context.project.designs) == before


def test_a_refusal_is_mended_by_one_click(blank: Stage, qtbot: QtBot) -> None:
    Worker(blank)
    wizard = opened(blank)
    ask(wizard, "32 x 8 H100, dual plane")
    (button,) = wizard.look.notice.buttons()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert wizard.form.values()["planes"] == 1
    wizard._timer.stop()
    wizard._request()
    assert wizard.look.best.text() and wizard.look.notice.isHidden()
    wizard.form.change({"nics_per_server": 12})
    wizard.go(CHOOSE)
    assert not wizard.results.notice.isHidden() and wizard.rows == [] and not wizard.primary.isEnabled()


def test_wrong_numbers_are_marked_while_typing(blank: Stage, qtbot: QtBot) -> None:
    worker, wizard = Worker(blank), opened(blank)
    field = wizard.form.fields["servers"]
    qtbot.keyClicks(field, "12x")
    assert field.property("invalid") and not wizard.primary.isEnabled()
    wizard.go(CHOOSE)
    assert wizard.step == ASK and all(asked["requirement"] is None for asked in worker.asked)
    field.clear()
    qtbot.keyClicks(field, "16")
    assert not field.property("invalid") and wizard.form.fields["gpus"].value() == 128


def test_growth_names_and_racks(stage: Stage, qtbot: QtBot) -> None:
    Worker(stage)
    wizard = opened(stage)
    ask(wizard, "32 x 8 H100 NDR, later 1,024")
    wizard.go(CHOOSE)
    wizard.results.which._pick("growth")
    row = wizard.results.current()
    assert row is not None and row["growth"]["added"]["servers"] == 96  # 1,024 / 8 = 128 servers later
    wizard.go(NAME)
    wizard.naming.name.clear()
    qtbot.keyClicks(wizard.naming.name, "North hall")
    wizard.naming.view.set_value("racks")
    wizard.draw("add")
    assert stage.context.design_row.title == "North hall" and stage.window.views.current == "racks"


def test_sorting_axes_and_picking_in_the_plot(blank: Stage, qtbot: QtBot) -> None:
    Worker(blank, most=3)
    wizard = opened(blank)
    ask(wizard, "32 x 8 H100 NDR")
    wizard.go(CHOOSE)
    table, scatter = wizard.results.table, wizard.results.scatter
    column = table.rows.columns.index("cables")
    table.sortByColumn(column, Qt.SortOrder.AscendingOrder)
    cables = [int(written(r, "cables").replace(",", "")) for r in table.rows.rows]
    assert cables == sorted(cables)
    scatter.resize(500, 300)
    last = wizard.rows[-1]
    spot = scatter.spot(last)
    assert spot is not None
    qtbot.mouseClick(scatter, Qt.MouseButton.LeftButton, pos=spot.toPoint())
    picked = wizard.results.current()
    assert picked is not None and scatter.spot(picked) == spot
    assert {r["id"] for r in fronts(wizard.rows, "power", "reduce")} <= {r["id"] for r in wizard.rows}


def test_answers_to_older_questions_are_dropped(blank: Stage) -> None:
    Worker(blank)
    wizard = opened(blank)
    ask(wizard, "32 x 8 H100 NDR")
    shown = wizard.look.best.text()
    blank.context.analysis.sized.emit({"type": "sized", "id": -1, "error": ["x", {}]})
    assert wizard.look.best.text() == shown and wizard.look.notice.isHidden()


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (640, 400)])
def test_fits_small_screens(
    app: QApplication, blank: Stage, lang: str, width: int, height: int, all_painted: None
) -> None:
    Worker(blank)
    install_language(app, lang)
    wizard = opened(blank)
    ask(wizard, "32 x 8 H100 NDR")
    for step in (ASK, CHOOSE, NAME):
        wizard.go(step)
        wizard.resize(width, height)
        app.processEvents()
        assert wizard.minimumSizeHint().width() <= 640 and wizard.minimumSizeHint().height() <= 400
        assert wizard.primary.geometry().right() <= wizard.width()
        wizard.grab()


def test_form_round_trip(app: QApplication) -> None:
    form = RequirementForm()
    given = {
        "gpus": 512, "server": "dgx-b200", "nic": "c8180", "nics_per_server": 4, "planes": 2, "rails": "no",
        "medium": "ib", "oversubscription": [2.0, 3.0], "redundancy": 1, "tiers": 2, "leaf": "qm9700",
        "switches": ["qm9700", "q3400-ra"], "networks": ["compute", "storage"], "rack_kw": 40.0, "rack_u": 48,
        "leaf_place": "top", "max_cable_m": 30.0, "grow_to": 2048,
    }  # fmt: skip
    form.set_values(given)
    assert form.values() == given
    form.set_values({})
    assert form.values() == {"server": "dgx-h100"}


def test_typing_finds_a_part_by_any_piece(app: QApplication, qtbot: QtBot) -> None:
    form = RequirementForm()
    field = form.fields["leaf"]
    field.lineEdit().setText("sn5600")
    field._settle()
    assert field.value() == "sn5600"
    field.lineEdit().setText("nonsense that is no part")
    field._settle()
    assert field.value() == "sn5600"


def test_switch_counts_in_words() -> None:
    row = {"leaf": {"part": "sn5600", "count": 32}, "spine": {"part": "sn5600", "count": 16}, "core": None}
    assert switches(row) == "32 + 16 × SN5600"
