"""The training panel on a step as the worker sends it, the editor of workloads, and ranks on the drawing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fabricwright.design.training.presets import PRESETS
from fabricwright.ui.canvas.placement import group_of, placement_of
from fabricwright.ui.training.contents import communication_lines
from fabricwright.ui.training.editor import WorkloadDialog
from fabricwright.ui.training.layouts_dialog import LayoutsDialog
from tests.ui.panel_stage import stage

# 8 GPUs in two servers: TP 2 x PP 2 x DP 2
STEP = {
    "plan": {"tp": 2, "pp": 2, "dp": 2, "cp": 1},
    "placement": {"servers": [["node", 0, 0, 0], ["node", 1, 4, 0]], "gpus": [["gpu0", "gpu1", "gpu2", "gpu3"]]},
}


def test_groups_follow_megatrons_rank_order() -> None:
    """rank = (pp x DP + dp) x TP + tp for TP 2, DP 2, PP 2: ranks 0 and 2 hold the same part of the model."""
    assert [group_of("tp", r, 2, 1, 2) for r in range(8)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [group_of("pp", r, 2, 1, 2) for r in range(8)] == [0, 0, 0, 0, 1, 1, 1, 1]
    assert [group_of("dp", r, 2, 1, 2) for r in range(8)] == [0, 1, 0, 1, 2, 3, 2, 3]


def test_placement_is_shown_only_while_it_is_wanted(app: QApplication) -> None:
    context = stage()
    context.analysis.update(training={"design": "after", "step": STEP})
    assert placement_of(context) is None
    context.analysis.update(placement="pp")
    found = placement_of(context)
    assert found is not None and (found.count, found.size) == (2, 4)
    assert found.of["node", 1] == {"gpu0": 1, "gpu1": 1, "gpu2": 1, "gpu3": 1}


def test_an_applied_workload_is_one_entry_of_the_undo_list(app: QApplication) -> None:
    context = stage()
    count = context.document.undo_stack.count() if hasattr(context.document, "undo_stack") else None
    dialog = WorkloadDialog(context)
    dialog.take_preset("gpt3-175b")
    dialog.fields["tp"].setText("8")
    dialog.fields["money.gpu_hour"].setText("16")
    assert dialog.problems() == {} and dialog.apply()
    row = context.project.workloads[dialog.workload]
    assert dict(row.model) == PRESETS["gpt3-175b"].model and row.plan["tp"] == 8
    assert context.design_row.settings["money.gpu_hour"] == 16
    if count is not None:
        assert context.document.undo_stack.count() == count + 1
    dialog.deleteLater()


def test_every_wrong_field_has_its_sentence(app: QApplication) -> None:
    dialog = WorkloadDialog(stage())
    dialog.take_preset("llama3-8b")
    dialog.fields["mbs"].setText("x")
    dialog.fields["money.pue"].setText("0.5")
    wrong = dialog.problems()
    assert wrong["mbs"].english() == "'x' is not a number."
    assert wrong["money.pue"].english() == "0.5 is not a number from 1 to 3."
    assert not dialog.ok.isEnabled()
    dialog.deleteLater()


def test_parameters_that_the_shape_does_not_make_are_said(app: QApplication) -> None:
    """Llama 3 70B: 80 layers of 8192 make 70.6 billion, whatever is typed beside them."""
    dialog = WorkloadDialog(stage())
    dialog.take_preset("llama3-70b")
    assert "70.6 billion parameters, " in dialog.summary.text()  # not a mixture: a token meets them all
    dialog.fields["params_b"].setText("7.5")
    said = dialog.summary.text()
    assert said == "7.5 billion parameters are stated, but this size and shape make 50.71 to 70.55 billion."
    assert dialog.ok.isEnabled()
    dialog.take_preset("mixtral-8x7b")
    assert "met by a token" in dialog.summary.text()
    dialog.deleteLater()


def test_the_layout_search_closes_in_every_way(app: QApplication) -> None:
    dialog = LayoutsDialog(stage(), "")
    for close in (dialog.close, dialog.shut.click, lambda: QTest.keyClick(dialog.table, Qt.Key.Key_Escape)):
        dialog.show()
        assert dialog.isVisible()
        close()
        assert not dialog.isVisible()
    dialog.deleteLater()


def test_what_binds_a_step_is_called_as_on_the_sheet(app: QApplication) -> None:
    row = {"kind": "data", "total_s": 2.0, "exposed_s": 1.0, "limit": ["NIC port of {names}", {"names": "nic8"}]}
    (line,) = communication_lines({"communication": [row]}, stage().design_row)
    assert line.endswith("bound by NIC port of NIC8")
