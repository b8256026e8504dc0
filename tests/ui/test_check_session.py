"""The checks in a whole window with the real worker: step from the canvas, fix all of a kind, approve, statements."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fabricwright.design.storage import dumps
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.panels.problems import ProblemsPanel
from fabricwright.ui.panels.statements import StatementsPanel
from tests.ui.canvas_stage import Stage, close, make_stage

WAIT_S = 60


def until(told: Callable[[], bool], what: str) -> None:
    """Let events happen until something is so."""
    end = time.monotonic() + WAIT_S
    while not told():
        assert time.monotonic() < end, what
        QTest.qWait(10)


@pytest.fixture
def stage(app: QApplication, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    made.context.open_design("after")
    yield made
    made.window.commands.stop_worker()
    close(made)


def problems(stage: Stage) -> ProblemsPanel:
    panel = stage.window.docks.panels["problems"]
    assert isinstance(panel, ProblemsPanel)
    return panel


def statements(stage: Stage) -> StatementsPanel:
    panel = stage.window.docks.panels["statements"]
    assert isinstance(panel, StatementsPanel)
    return panel


def checked(stage: Stage) -> bool:
    analysis = stage.context.analysis
    return analysis.status == "idle" and bool(analysis.findings) and bool(analysis.book)


def start(stage: Stage) -> None:
    stage.window.commands.start_worker()
    until(lambda: checked(stage), "the first check")


def test_f8_on_the_canvas_steps_through_the_problems(stage: Stage) -> None:
    start(stage)
    panel = problems(stage)
    stage.window.docks.tabs.show_panel("outline")
    stage.view.setFocus()
    QTest.keyClick(stage.view, Qt.Key.Key_F8)
    first = panel.model.problem(panel.list.currentIndex())
    assert first is not None and stage.context.selection
    assert panel.pane.title.text() == stage.context.analysis.book[first.rule]["title"]
    assert stage.window.docks.tabs.stack.currentWidget() is panel
    QTest.keyClick(stage.view, Qt.Key.Key_F8)
    assert panel.list.currentIndex().row() == 1
    QTest.keyClick(stage.view, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert panel.model.problem(panel.list.currentIndex()) == first


def test_fixing_all_of_a_kind_is_one_step_back(stage: Stage) -> None:
    start(stage)
    panel, document = problems(stage), stage.document
    before = dumps(stage.context.project)
    row = next(n for n in range(panel.model.rowCount()) if (p := panel.model.problem(n)) is not None and p.fixable)
    problem = panel.model.problem(row)
    assert problem is not None
    rule, key = problem.rule, problem.key
    errors = stage.context.analysis.counts()["error"]
    panel.fix_all(row)
    until(lambda: not stage.context.analysis.mending, "the fixes were tried")
    assert document.undo_stack.count() == 1, rule
    until(lambda: key not in stage.context.analysis.findings, "the check after the fixes")
    until(lambda: stage.context.analysis.status == "idle", "the rest of it")
    assert stage.context.analysis.counts()["error"] <= errors
    document.undo()
    assert json.loads(dumps(stage.context.project)) == json.loads(before) and dumps(stage.context.project) == before


def test_an_approval_survives_and_lapses(stage: Stage) -> None:
    start(stage)
    panel = problems(stage)
    found = next(p for n in range(panel.model.rowCount()) if (p := panel.model.problem(n)) and p.rule == "FAB-03")
    given = {"key": found.key, "reason": "phase one", "author": "Li", "date": "2026-11-30"}
    members, measured = found.finding["members"], found.finding["measured"]
    stage.context.edit("approve", **given, members=members, measured=measured)
    until(lambda: stage.context.analysis.findings[found.key]["approved"] is not None, "approved")
    stage.context.edit("rename", item="leaf", name="other-{su1}{port1}")
    until(lambda: panel.model.counts()["approved"] == 1, "still approved")
    stage.context.edit("unapprove", key=found.key)
    stage.context.edit("approve", **given, members=members, measured=measured / 2)
    until(lambda: bool(stage.context.analysis.findings[found.key]["lapsed"]), "lapsed")
    again = panel.model.problem(panel.model.row_of(found.key))
    assert again is not None and again.lapsed and again.state == "warning"


def test_delete_in_the_table_leaves_the_canvas_alone(stage: Stage) -> None:
    table = statements(stage)
    stage.window.docks.tabs.show_panel("statements")
    stage.document.select(["leaf"])
    count = len(stage.context.project.statements)
    table._choose([0], 0, 2)
    table.table.setFocus()
    QTest.keyClick(table.table, Qt.Key.Key_Delete)
    assert len(stage.context.project.statements) == count - 1 and "leaf" in stage.items
    QTest.keyClick(table.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(stage.context.project.statements) == count


def test_a_statement_shows_what_the_checks_say(stage: Stage) -> None:
    start(stage)
    table = statements(stage)
    row = table.model.row_of("s9")  # 512 GPUs are asked for, 320 are drawn
    line = table.model.line(row)
    assert line is not None and line.verdict.state == "error" and "SCL-01" in line.verdict.text
    assert table.show_problem(row)
    chosen = problems(stage).model.problem(problems(stage).list.currentIndex())
    assert chosen is not None and chosen.rule == "SCL-01"
    stage.context.edit("set_statement", statement="s9", value=320)

    def clear() -> bool:
        now = table.model.line(table.model.row_of("s9"))
        return now is not None and now.verdict.state == "clear"

    until(clear, "the verdict follows the value")


def test_a_statement_is_added_from_the_menu(stage: Stage) -> None:
    stage.document.select(["leaf"])
    stage.window.actions_set["add-statement"].trigger()
    table = statements(stage)
    last = table.model.line(table.model.rowCount() - 1)
    assert last is not None and last.incomplete and last.row.subject == "leaf"
    assert stage.window.docks.tabs.stack.currentWidget() is table
