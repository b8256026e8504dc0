"""The list of problems: order, filter, what its actions do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fabricwright.ui.i18n import install_language
from fabricwright.ui.paint.guard import clear_reported, reported_failures
from fabricwright.ui.panels import problems as module
from fabricwright.ui.panels.problems import ProblemsPanel
from fabricwright.ui.panels.problems_model import problem_of
from fabricwright.ui.panels.problems_row import actions_of, wrapped
from tests.ui.panel_stage import FINDINGS, stage


@pytest.fixture
def panel(app: QApplication) -> ProblemsPanel:
    made = ProblemsPanel(stage())
    made.resize(880, 230)
    return made


def rules(panel: ProblemsPanel) -> list[str]:
    return [panel.model.problem(n).rule for n in range(panel.model.rowCount())]  # type: ignore[union-attr]


def test_errors_come_first_approved_last_and_facts_are_not_shown(panel: ProblemsPanel) -> None:
    assert rules(panel) == ["CXL-04", "MEC-01", "FAB-03", "P2P-03", "OPT-13", "NIC-02"]
    assert panel.model.counts() == {"error": 2, "warning": 2, "info": 1, "approved": 1}


def test_the_count_leaves_approved_ones_out(panel: ProblemsPanel, qtbot: object) -> None:
    told: list[int] = []
    panel.count_changed.connect(told.append)
    panel._context.analysis.change_findings([], [FINDINGS[0]["key"]], [])
    assert told == [4]


def test_filter_needs_every_word(panel: ProblemsPanel) -> None:
    panel.filter.setText("node wrong")
    panel.filter.returnPressed.emit()
    assert rules(panel) == ["CXL-04", "MEC-01", "P2P-03", "NIC-02"]
    panel.filter.setText("p2p")
    panel.filter.returnPressed.emit()
    assert rules(panel) == ["P2P-03"]


def test_switching_a_severity_off_hides_its_rows(panel: ProblemsPanel) -> None:
    panel.severities.switch("error").click()
    panel.severities.switch("approved").click()
    assert rules(panel) == ["FAB-03", "P2P-03", "OPT-13"]


def test_nothing_found_says_so_and_a_filter_can_be_taken_back(panel: ProblemsPanel) -> None:
    panel.show()
    panel.filter.setText("nothing like it")
    panel.filter.returnPressed.emit()
    assert panel.empty.isVisible() and not panel.list.isVisible()
    panel.empty.activated.emit()
    assert panel.list.isVisible() and panel.model.rowCount() == 6
    panel._context.analysis.update(findings={}, figures={"rules": 33})
    words = [label.text() for label in panel.empty._labels]
    assert words and words[0].startswith("No problems. 33 rules,")


def test_places_name_members_only_when_not_all_are_meant() -> None:
    design = stage().design_row
    assert problem_of(design, FINDINGS[1]).place == "node[0-7] › cxl0"
    assert problem_of(design, FINDINGS[2]).place == "node › sw0"
    assert problem_of(design, FINDINGS[3]).place == "node › gpu8, gpu9"


def test_stepping_goes_to_the_variant_that_the_finding_is_about(panel: ProblemsPanel) -> None:
    context = panel._context
    panel.next_problem()
    assert (context.sheet, context.selection) == ("node-after-cxl", ["cxl0"])
    panel.next_problem()
    assert (context.sheet, context.selection) == ("node-after", ["sw0"])
    panel.next_problem()
    assert (context.sheet, context.selection) == ("fabric", ["leaf"])
    panel.next_problem()
    assert (context.sheet, context.selection) == ("node-after", ["gpu8", "gpu9"])
    panel.prev_problem()
    assert context.selection == ["leaf"]
    for _ in range(3):  # past the first one to the last that is not approved
        panel.prev_problem()
    assert context.selection == ["leaf", "down"]


def test_clicking_fix_applies_the_edit_once(panel: ProblemsPanel, qtbot: object) -> None:
    panel.show()
    QTest.qWait(20)
    row = panel.model.row_of(FINDINGS[3]["key"])
    panel.list.scrollTo(panel.model.index(row))
    box = panel.list.action_box(row, "fix")
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    document = panel._context.document
    assert panel._context.design_row.settings["nccl.p2p_level"] == "SYS"
    assert document.undo_stack.count() == 1
    document.undo()
    assert "nccl.p2p_level" not in panel._context.design_row.settings


def test_several_fixes_are_one_undo_entry(panel: ProblemsPanel) -> None:
    calls = [
        {"name": "set_setting", "args": {"key": "acs", "value": False}},
        {"name": "set_setting", "args": {"key": "iommu", "value": False}},
    ]
    panel._context.analysis.change_findings([], [], [FINDINGS[3] | {"fix": calls}])
    panel.fix(panel.model.row_of(FINDINGS[3]["key"]))
    assert panel._context.design_row.settings["acs"] is False
    assert panel._context.document.undo_stack.count() == 1


def test_approving_records_reason_author_members_and_value(
    panel: ProblemsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(dialog: module.ApproveDialog) -> int:
        assert not dialog.accept_button.isEnabled()
        dialog.reason.setPlainText("as ordered")
        dialog.author.setText("Wang")
        assert dialog.accept_button.isEnabled()
        return 1

    monkeypatch.setattr(module.ApproveDialog, "exec", answer)
    row = panel.model.row_of(FINDINGS[0]["key"])
    panel.approve(row)
    approvals = list(panel._context.project.approvals.values())
    assert [(a.key, a.reason, a.author, a.members) for a in approvals] == [
        (FINDINGS[0]["key"], "as ordered", "Wang", "0-3")
    ]
    problem = panel.model.problem(panel.model.row_of(FINDINGS[-1]["key"]))
    assert problem is not None and actions_of(problem) == ("go",)


def test_rows_speak_and_follow_the_language(panel: ProblemsPanel, app: QApplication) -> None:
    index = panel.model.index(0)
    assert panel.model.data(index, Qt.ItemDataRole.AccessibleTextRole) == (
        "Error CXL-04: node/cxl0 is wrong. node[0-7] › cxl0"
    )
    assert panel.list.accessibleName() == "Problems"
    install_language(app, "zh_CN")
    app.processEvents()
    assert panel.list.accessibleName() != ""
    assert panel.filter.accessibleName() == panel.filter.placeholderText()
    assert not index.parent().isValid() and isinstance(index, QModelIndex)


def test_a_chosen_row_stays_chosen_over_new_findings(panel: ProblemsPanel) -> None:
    panel.list.setCurrentIndex(panel.model.index(2))
    panel._context.analysis.change_findings([FINDINGS[1] | {"key": "AAA-01|after|node", "rule": "AAA-01"}], [], [])
    chosen = panel.model.problem(panel.list.currentIndex())
    assert chosen is not None and chosen.rule == "FAB-03"


@pytest.mark.parametrize("width", [300, 520, 880, 1400])
def test_rows_paint_at_any_width(panel: ProblemsPanel, width: int) -> None:
    clear_reported()
    panel.resize(width, 230)
    panel.show()
    panel.grab()
    assert not reported_failures()


def test_long_messages_take_two_lines_and_no_more(app: QApplication) -> None:
    text = "word " * 60
    assert len(wrapped(text, 300)) == 2
    assert wrapped("short", 300) == ["short"]
