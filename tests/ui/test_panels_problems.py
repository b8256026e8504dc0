"""The list of problems: order, filter, what its actions do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fabricwright.ui.i18n import install_language
from fabricwright.ui.paint.guard import clear_reported, reported_failures
from fabricwright.ui.panels import problems as module
from fabricwright.ui.panels.problems import ProblemsPanel
from fabricwright.ui.panels.problems_model import problem_of
from fabricwright.ui.panels.problems_page import Offer
from fabricwright.ui.panels.problems_row import actions_of, wrapped
from fabricwright.ui.panels.words import measured_text
from tests.ui.panel_stage import BOOK, FINDINGS, finding, stage


@pytest.fixture
def panel(app: QApplication) -> ProblemsPanel:
    made = ProblemsPanel(stage())
    made.resize(880, 230)
    return made


def rules(panel: ProblemsPanel) -> list[str]:
    """Rules of the rows shown; the head of the approved ones is ``-``."""
    rows = [panel.model.problem(n) for n in range(panel.model.rowCount())]
    return [row.rule if row else "-" for row in rows]


def test_errors_come_first_approved_are_folded_away_and_facts_are_not_shown(panel: ProblemsPanel) -> None:
    assert rules(panel) == ["CXL-04", "MEC-01", "FAB-03", "P2P-03", "OPT-13", "-"]
    panel.fold(True)
    assert rules(panel) == ["CXL-04", "MEC-01", "FAB-03", "P2P-03", "OPT-13", "-", "NIC-02"]
    assert panel.model.counts() == {"error": 2, "warning": 2, "info": 1, "approved": 1}


def test_the_count_leaves_approved_ones_out(panel: ProblemsPanel, qtbot: object) -> None:
    told: list[int] = []
    panel.count_changed.connect(told.append)
    panel._context.analysis.change_findings([], [FINDINGS[0]["key"]], [])
    assert told == [4]


def test_filter_needs_every_word(panel: ProblemsPanel) -> None:
    panel.filter.setText("node wrong")
    panel.filter.returnPressed.emit()
    # OPT-13 is about the link that the sheet shows from node to leaf.
    assert rules(panel) == ["CXL-04", "MEC-01", "P2P-03", "OPT-13", "-"]
    panel.filter.setText("p2p")
    panel.filter.returnPressed.emit()
    assert rules(panel) == ["P2P-03"]


def test_switching_a_severity_off_hides_its_rows(panel: ProblemsPanel) -> None:
    panel.severities.switch("error").click()
    assert rules(panel) == ["FAB-03", "P2P-03", "OPT-13", "-"]


def test_nothing_found_says_so_and_a_filter_can_be_taken_back(panel: ProblemsPanel) -> None:
    panel.show()
    panel.filter.setText("nothing like it")
    panel.filter.returnPressed.emit()
    assert panel.empty.isVisible() and not panel.list.isVisible()
    panel.empty.activated.emit()
    assert panel.list.isVisible() and panel.model.rowCount() == 6
    panel._context.analysis.update(findings={}, figures={"rules": 33})
    words = [label.text() for label in panel.empty._labels if not label.isHidden()]
    assert words and words[0].startswith("No problems. 33 rules,")


def test_places_name_members_only_when_not_all_are_meant() -> None:
    design = stage().design_row
    assert problem_of(design, FINDINGS[1]).place == "n01 … n08 › CXL0"
    assert problem_of(design, FINDINGS[2]).place == "node › SW0"
    assert problem_of(design, FINDINGS[3]).place == "node › GPU8, GPU9"


def test_stepping_goes_to_the_variant_that_the_finding_is_about(panel: ProblemsPanel) -> None:
    context = panel._context
    panel.step(1)
    assert (context.sheet, context.selection) == ("node-after-cxl", ["cxl0"])
    panel.step(1)
    assert (context.sheet, context.selection) == ("node-after", ["sw0"])
    panel.step(1)
    assert (context.sheet, context.selection) == ("fabric", ["leaf"])
    panel.step(1)
    assert (context.sheet, context.selection) == ("node-after", ["gpu8", "gpu9"])
    panel.step(-1)
    assert context.selection == ["leaf"]
    for _ in range(3):  # past the first one to the last that is not approved
        panel.step(-1)
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
    panel.fold(True)
    problem = panel.model.problem(panel.model.row_of(FINDINGS[-1]["key"]))
    assert problem is not None and actions_of(problem) == ("withdraw", "go")


def test_the_dialog_remembers_the_name_and_shows_what_is_approved(panel: ProblemsPanel, app: QApplication) -> None:
    QSettings().remove("approval/author")
    problem = problem_of(stage().design_row, FINDINGS[0] | {"measured": 2.0, "allowed": 1.0, "unit": ":1"})
    dialog = module.ApproveDialog(problem, panel, "Project author")
    assert dialog.author.text() == "Project author"
    assert dialog.members.text() == "0-3" and dialog.value.text() == "2:1; at most 1:1"
    dialog.author.setText("Wang")
    dialog.reason.setPlainText("agreed")
    dialog.everywhere.setChecked(True)
    dialog.accept()
    assert dialog.arguments()["everywhere"] is True and dialog.arguments()["measured"] == 2.0
    assert module.ApproveDialog(problem, panel, "Project author").author.text() == "Wang"
    QSettings().remove("approval/author")


def test_withdrawing_takes_the_approval_that_was_given(panel: ProblemsPanel) -> None:
    context = panel._context
    context.edit("approve", key="NIC-02|before|node/nic8", reason="r", author="Li", date="d", everywhere=True)
    given = {"key": "NIC-02|before|node/nic8", "reason": "r", "author": "Li", "date": "d", "everywhere": True}
    context.analysis.change_findings([], [], [FINDINGS[-1] | {"approved": given}])
    panel.fold(True)
    row = panel.model.row_of(FINDINGS[-1]["key"])
    panel.list.setCurrentIndex(panel.model.index(row))
    panel.pane.withdraw.click()
    assert len(context.project.approvals) == 0
    context.document.undo()
    assert len(context.project.approvals) == 1


def test_an_approval_that_lapsed_is_told(panel: ProblemsPanel) -> None:
    given = {"key": FINDINGS[0]["key"], "reason": "for now", "author": "Li", "date": "2026-11-30"}
    more = {"measured": 3.0, "allowed": 1.0, "unit": ":1", "lapsed": given | {"members": "0-3", "measured": 2.0}}
    panel._context.analysis.change_findings([], [], [FINDINGS[0] | more])
    row = panel.model.row_of(FINDINGS[0]["key"])
    problem = panel.model.problem(row)
    assert problem is not None and problem.state == "warning" and "approval lapsed" in problem.sentence
    panel.list.setCurrentIndex(panel.model.index(row))
    assert panel.pane.approval.text.text() == "Li, 2026-11-30: for now\nIt was given for 2:1; now it is 3:1."
    assert not panel.pane.withdraw.isHidden() and not panel.pane.approve.isHidden()
    panel._context.analysis.change_findings(
        [], [], [FINDINGS[0] | {"members": "0-5", "lapsed": given | {"members": "0"}}]
    )
    assert "now 0-5 are hit" in panel.pane.approval.text.text()


def test_sheets_and_groups_of_rules_filter_the_list(panel: ProblemsPanel) -> None:
    panel._context.analysis.update(book=BOOK)
    panel.where.choose(sheet="node-after")
    assert rules(panel) == ["MEC-01", "P2P-03", "-"]
    panel.where.choose(group="mechanical")
    assert rules(panel) == ["MEC-01"] and panel.where.active
    texts = [action.text() for action in panel.where.menu().actions()]
    assert "All sheets" in texts and "Mechanics\t1" in texts
    panel.where.choose("", "")
    panel.filter.setText("mechanics")
    panel.filter.returnPressed.emit()
    assert rules(panel) == ["MEC-01"]
    row = panel.model.row_of(FINDINGS[2]["key"])
    next(a for a in panel.menu(row).actions() if a.text() == "Show only this sheet").trigger()
    assert panel.where.sheet == "node-after"
    panel._clear_filter()
    assert len(rules(panel)) == 6


def test_the_explanation_shows_the_rules_page_and_the_figures(panel: ProblemsPanel) -> None:
    panel._context.analysis.update(book=BOOK)
    more = {"measured": 9.0, "allowed": 7.0, "unit": "cards", "evidence": ["slot list"], "estimate": True}
    panel._context.analysis.change_findings([], [], [FINDINGS[2] | more])
    panel.list.setCurrentIndex(panel.model.index(panel.model.row_of(FINDINGS[2]["key"])))
    pane = panel.pane
    assert pane.rule.text() == "MEC-01  ·  Mechanics" and pane.title.text() == "Two cards in one slot"
    assert pane.figures.text.text() == "9 cards; at most 7 cards"
    assert pane.checks.text.text() == BOOK["MEC-01"]["checks"] and pane.reason.text.text() == BOOK["MEC-01"]["reason"]
    assert pane.evidence.text.text() == "slot list" and pane.chips[0].text() == "estimate"
    assert pane.fix.isHidden() and not pane.approve.isHidden()


def test_the_explanation_can_be_put_away(panel: ProblemsPanel) -> None:
    panel.show()
    assert panel.pane.isVisible()
    panel.explain.click()
    assert not panel.pane.isVisible()
    panel.explain.click()
    panel.resize(500, 230)
    assert not panel.pane.isVisible() and not panel.explain.isEnabled()


def test_the_fold_opens_with_mouse_and_keys(panel: ProblemsPanel) -> None:
    panel.show()
    QTest.qWait(20)
    row = panel.model.rowCount() - 1
    panel.list.scrollTo(panel.model.index(row))
    spot = panel.list.visualRect(panel.model.index(row)).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert panel.model.is_open
    panel.list.setCurrentIndex(panel.model.index(row))
    QTest.keyClick(panel.list, Qt.Key.Key_Left)
    assert not panel.model.is_open
    panel.list.setCurrentIndex(panel.model.index(row))
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert panel.model.is_open


def two_of_a_kind(panel: ProblemsPanel) -> list[str]:
    """P2P-03 in two places; the keys."""
    other = FINDINGS[3] | {"key": "P2P-03|after|node/gpu1", "at": ["node/gpu1"]}
    panel._context.analysis.change_findings([other], [], [])
    return [FINDINGS[3]["key"], other["key"]]


def test_fixing_all_of_a_kind_asks_the_checks_and_is_one_undo_entry(panel: ProblemsPanel) -> None:
    context = panel._context
    keys = two_of_a_kind(panel)
    asked: list[str] = []
    context.analysis.mend_wanted.connect(asked.append)
    panel.list.setCurrentIndex(panel.model.index(panel.model.row_of(keys[0])))
    assert panel.pane.fix_all.text() == "Fix all 2" and not panel.pane.fix_all.isHidden()
    panel.pane.fix_all.click()
    assert asked == ["P2P-03"] and panel.pane.fix_all.text() == "Stop trying fixes"
    assert not panel.pane.fix.isEnabled()
    panel.pane.fix_all.click()
    assert asked == ["P2P-03", ""] and context.analysis.mending == ""
    panel.pane.fix_all.click()
    assert asked == ["P2P-03", "", "P2P-03"]
    calls = [
        {"name": "set_setting", "args": {"design": "after", "key": "nccl.p2p_level", "value": "SYS"}},
        {"name": "set_setting", "args": {"design": "after", "key": "acs", "value": "off"}},
    ]
    said: list[str] = []
    context.said.connect(lambda message, _severity: said.append(message.english()))
    context.analysis.take_mended({"rule": "P2P-03", "calls": calls, "fixed": 2, "left": 1})
    assert context.design_row.settings["nccl.p2p_level"] == "SYS" and context.document.undo_stack.count() == 1
    assert said == ["P2P-03: 2 fixed, 1 left."]
    context.document.undo()
    assert "nccl.p2p_level" not in context.design_row.settings


def test_another_design_stops_the_fixes_that_are_tried(panel: ProblemsPanel) -> None:
    context = panel._context
    keys = two_of_a_kind(panel)
    asked: list[str] = []
    context.analysis.mend_wanted.connect(asked.append)
    panel.fix_all(panel.model.row_of(keys[0]))
    context.open_design("before")
    assert asked == ["P2P-03", ""] and context.analysis.mending == ""


def test_nothing_is_fixed_blindly_while_the_checks_do_not_run(panel: ProblemsPanel) -> None:
    context = panel._context
    keys = two_of_a_kind(panel)
    context.analysis.update(status="lost")
    said: list[str] = []
    context.said.connect(lambda message, _severity: said.append(message.english()))
    panel.fix_all(panel.model.row_of(keys[0]))
    assert said == ["The checks are not running, so the fixes cannot be tried."]
    context.analysis.take_mended({"rule": "P2P-03", "calls": [], "fixed": 0, "left": 2})
    assert said[1].startswith("No fix of P2P-03 helps") and context.document.undo_stack.count() == 0


def test_the_menu_of_a_row_offers_what_can_be_done(panel: ProblemsPanel) -> None:
    keys = two_of_a_kind(panel)
    texts = [a.text() for a in panel.menu(panel.model.row_of(keys[0])).actions() if a.text()]
    assert texts[:4] == ["Go to the place", "Fix", "Fix all 2 of P2P-03", "Approve…"]
    panel.fold(True)
    approved = panel.menu(panel.model.row_of(FINDINGS[-1]["key"]))
    texts = [a.text() for a in approved.actions() if a.text()]
    assert texts[:2] == ["Go to the place", "Withdraw the approval"] and "Approve…" not in texts


def test_going_to_a_finding_about_the_design_shows_its_page(panel: ProblemsPanel) -> None:
    context = panel._context
    context.analysis.change_findings([finding("AAA-01", "error", [""], sheet="", message=["Said twice.", {}])], [], [])
    context.open_sheet("node-after")
    context.document.select(["gpu0"])
    problem = panel.model.problem(0)
    assert problem is not None and (problem.rule, problem.place) == ("AAA-01", "After")
    panel.go(0)
    assert (context.sheet, context.selection) == ("fabric", [])


def test_f8_says_where_it_is(panel: ProblemsPanel) -> None:
    said: list[str] = []
    panel._context.said.connect(lambda message, _severity: said.append(message.english()))
    panel.step(1)
    assert said == ["Problem 1 of 5: CXL-04, node/cxl0 is wrong."]
    panel._context.analysis.update(findings={})
    panel.step(1)
    assert said[-1] == "There are no problems."


def test_rows_speak_and_follow_the_language(panel: ProblemsPanel, app: QApplication) -> None:
    index = panel.model.index(0)
    assert panel.model.data(index, Qt.ItemDataRole.AccessibleTextRole) == (
        "Error CXL-04: node/cxl0 is wrong. n01 … n08 › CXL0"
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


def test_a_long_list_of_source_files_does_not_make_the_explanation_wider_than_its_pane(panel: ProblemsPanel) -> None:
    page = {"title": "t", "source": "github NVIDIA/nccl src/graph/{topo.h,topo.cc,paths.cc,tuning.cc,search.cc}"}
    panel.pane.setParent(None)
    panel.pane.resize(260, 200)
    panel.pane.show()
    panel.pane.show_problem(problem_of(panel._context.design_row, FINDINGS[3]), page, Offer())
    QApplication.processEvents()
    room = panel.pane._scroll.viewport().width()
    panel.pane.close()
    assert room > 200
    assert panel.pane._body.width() <= room


def test_a_limit_is_named_by_the_side_that_was_missed() -> None:
    assert measured_text({"measured": 25.0, "allowed": 200.0, "unit": "Gb/s"}) == "25 Gb/s; at least 200 Gb/s"
    assert measured_text({"measured": 65, "allowed": 64, "unit": "ports"}) == "65 ports; at most 64 ports"
    assert measured_text({"measured": 3.0, "unit": "GPUs"}) == "3 GPUs"
    assert measured_text({}) == ""
