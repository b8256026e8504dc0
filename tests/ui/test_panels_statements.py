"""The table of statements: rows, editors, validation in place, undo, verdicts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QApplication, QLineEdit

from fabricwright.design.quantities import QUANTITIES
from fabricwright.ui.i18n import install_language
from fabricwright.ui.paint.guard import clear_reported, reported_failures
from fabricwright.ui.panels.statements import StatementsPanel
from fabricwright.ui.panels.statements_model import COLUMNS
from fabricwright.ui.panels.statements_texts import (
    parse_value,
    quantity_choices,
    subject_choices,
    subject_text,
    subject_trouble,
    value_hint,
    value_text,
)
from fabricwright.ui.widgets import CellCombo
from tests.ui.panel_stage import finding, stage


@pytest.fixture
def panel(app: QApplication) -> StatementsPanel:
    made = StatementsPanel(stage())
    made.resize(880, 300)
    made.show()
    return made


def cell(panel: StatementsPanel, statement: str, column: str) -> QModelIndex:
    return panel.model.index(panel.model.row_of(statement), COLUMNS.index(column))


def shown(panel: StatementsPanel, statement: str, column: str) -> str:
    return str(panel.model.data(cell(panel, statement, column)))


def combo(panel: StatementsPanel) -> CellCombo:
    return panel.table.findChildren(CellCombo)[-1]


def line(panel: StatementsPanel) -> QLineEdit:
    found = [e for e in panel.table.viewport().findChildren(QLineEdit) if not isinstance(e.parent(), CellCombo)]
    return found[-1]


def open_editor(panel: StatementsPanel, index: QModelIndex) -> None:
    """As a click does: nothing where the cell is being edited already."""
    panel.table.setCurrentIndex(index)
    if panel.table.state() != QAbstractItemView.State.EditingState:
        panel.table.edit(index)


def pick(panel: StatementsPanel, index: QModelIndex, value: object) -> None:
    """Open the drop-down of a cell and choose, as a person does."""
    open_editor(panel, index)
    box = combo(panel)
    row = box.findData(value)
    assert row >= 0
    box.setCurrentIndex(row)
    box.activated.emit(row)
    QApplication.processEvents()


def type_in(panel: StatementsPanel, index: QModelIndex, text: str) -> None:
    open_editor(panel, index)
    edit = line(panel)
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    QApplication.processEvents()


def test_rows_are_the_statements_of_the_project(panel: StatementsPanel) -> None:
    project = panel._context.project
    assert panel.model.rowCount() == len(project.statements) == panel.model.total()
    assert shown(panel, "s1", "kind") == "Claim"
    assert shown(panel, "s1", "value") == "256 GPUs"
    assert shown(panel, "s9", "subject") == "Design After"
    assert shown(panel, "s9", "quantity") == QUANTITIES["cluster.gpus"].label


def test_text_and_kind_are_edited_in_place_with_undo(panel: StatementsPanel) -> None:
    context = panel._context
    before = context.project.statements["s1"]
    type_in(panel, cell(panel, "s1", "text"), "We have 256 GPUs.")
    assert context.project.statements["s1"].text == "We have 256 GPUs."
    pick(panel, cell(panel, "s1", "kind"), "target")
    assert context.project.statements["s1"].kind == "target"
    assert context.document.undo_stack.count() == 2
    context.document.undo()
    context.document.undo()
    assert context.project.statements["s1"] == before and shown(panel, "s1", "kind") == "Claim"


def test_a_value_of_another_form_is_refused_and_said(panel: StatementsPanel) -> None:
    context = panel._context
    said: list[str] = []
    context.said.connect(lambda message, _severity: said.append(str(message)))
    index = cell(panel, "s1", "value")
    panel.table.setCurrentIndex(index)
    panel.table.edit(index)
    edit = line(panel)
    edit.selectAll()
    QTest.keyClicks(edit, "many")
    assert edit.property("invalid") and edit.accessibleDescription() == "Expected here: a number, in GPUs."
    QTest.keyClick(edit, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert said == ["Expected here: a number, in GPUs."]
    assert shown(panel, "s1", "value") == "256 GPUs" and context.document.undo_stack.count() == 0
    type_in(panel, cell(panel, "s1", "value"), "1,024")
    assert context.project.statements["s1"].value == 1024


def test_another_quantity_waits_for_a_value_that_fits(panel: StatementsPanel) -> None:
    context = panel._context
    pick(panel, cell(panel, "s1", "quantity"), "network.lossless")
    assert context.project.statements["s1"].quantity == "cluster.gpus"  # 256 is no yes or no
    waiting = panel.model.line(panel.model.row_of("s1"))
    assert waiting is not None and waiting.incomplete and waiting.verdict.state == "draft"
    assert isinstance(combo(panel), CellCombo)  # the value is asked for at once
    pick(panel, cell(panel, "s1", "value"), True)
    row = context.project.statements["s1"]
    assert (row.quantity, row.value, row.unit) == ("network.lossless", True, "")
    assert context.document.undo_stack.count() == 1
    context.document.undo()
    assert context.project.statements["s1"].quantity == "cluster.gpus"


def test_a_new_row_is_stored_when_quantity_and_value_are_there(panel: StatementsPanel) -> None:
    context = panel._context
    count = len(context.project.statements)
    context.document.select(["leaf"])
    told: list[int] = []
    panel.count_changed.connect(told.append)
    panel.add()
    row = panel.model.rowCount() - 1
    edit = line(panel)
    QTest.keyClicks(edit, "Not oversubscribed.")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert len(context.project.statements) == count
    pick(panel, panel.model.index(row, COLUMNS.index("quantity")), "leaf.oversubscription")
    assert panel.model.data(panel.model.index(row, COLUMNS.index("value"))) == value_hint("leaf.oversubscription")
    type_in(panel, panel.model.index(row, COLUMNS.index("value")), "1")
    assert len(context.project.statements) == count + 1 and told == [count + 1]
    fresh = context.project.statements[context.project.statements.ordered()[-1]]
    assert (fresh.kind, fresh.text, fresh.quantity, fresh.value, fresh.subject) == (
        "requirement",
        "Not oversubscribed.",
        "leaf.oversubscription",
        1,
        "leaf",
    )
    assert context.document.undo_stack.count() == 1
    context.document.undo()
    assert panel.model.rowCount() == count


def test_duplicating_and_deleting_several_is_one_undo_entry_each(panel: StatementsPanel) -> None:
    context = panel._context
    count = len(context.project.statements)
    panel._choose([0, 1, 2], 0, 2)
    panel.duplicate()
    assert len(context.project.statements) == count + 3 and context.document.undo_stack.count() == 1
    assert panel.rows() == [count, count + 1, count + 2]
    QTest.keyClick(panel.table, Qt.Key.Key_Delete)
    assert len(context.project.statements) == count and context.document.undo_stack.count() == 2
    context.document.undo()
    assert len(context.project.statements) == count + 3
    context.document.undo()
    assert len(context.project.statements) == count


def test_a_draft_is_deleted_without_a_trace(panel: StatementsPanel) -> None:
    count = panel.model.rowCount()
    panel.add()
    panel.table.setCurrentIndex(panel.model.index(count, 2))
    panel._choose([count], count, 2)
    panel.delete()
    assert panel.model.rowCount() == count and panel._context.document.undo_stack.count() == 0


def test_verdicts_come_from_the_findings(panel: StatementsPanel) -> None:
    context = panel._context
    rows = [
        finding("NIC-02", "error", ["node/nic8"], statements=["s4"]),
        finding("NIC-05", "warning", ["node/nic8"], statements=["s4", "s5"]),
        finding("SCL-01", "error", ["node"], statements=["s9"], approved={"reason": "r", "author": "L", "date": "d"}),
    ]
    context.analysis.update(findings={row["key"]: row for row in rows})

    def verdict(statement: str) -> str:
        found = panel.model.line(panel.model.row_of(statement))
        assert found is not None
        return found.verdict.state

    assert [verdict(s) for s in ("s4", "s5", "s9")] == ["error", "warning", "approved"]
    assert verdict("s1") == "elsewhere"  # about the design before
    tip = panel.model.data(cell(panel, "s4", "verdict"), Qt.ItemDataRole.ToolTipRole)
    assert tip == "Error NIC-02: node/nic8 is wrong.\nWarning NIC-05: node/nic8 is wrong."
    context.analysis.update(findings={})
    assert verdict("s9") == "clear"
    wanted: list[str] = []
    context.problem_wanted.connect(wanted.append)
    assert not panel.show_problem(panel.model.row_of("s4"))
    context.analysis.update(findings={row["key"]: row for row in rows})
    assert panel.show_problem(panel.model.row_of("s4")) and wanted == [rows[0]["key"]]


def test_subjects_are_picked_or_typed_and_must_name_something(panel: StatementsPanel) -> None:
    context = panel._context
    context.open_sheet("node-after")
    context.document.select(["nic8"])
    values = [named.value for named in subject_choices(context)]
    assert values[:2] == ["", "node/nic8"] and {"design:after", "part:sn4700", "leaf"} <= set(values)
    assert len(values) == len(set(values))
    pick(panel, cell(panel, "s9", "subject"), "node/nic8")
    assert context.project.statements["s9"].subject == "node/nic8"
    for good in ("", "leaf", "after!node/nic8", "node[3]/gpu0", "design:before", "part:sn4700", "document:offer", "up"):
        assert subject_trouble(context, good) == "", good
    for bad in ("nothing", "after!nothing", "never!leaf", "node/gpu99", "part:x", "design:", "leaf[["):
        assert subject_trouble(context, bad) != "", bad
    assert subject_text(context.project, "design:after") == "Design After"
    panel.go_to_subject(panel.model.row_of("s10"))
    assert (context.sheet, context.selection) == ("fabric", ["leaf"])
    assert not panel.about_place(panel.model.row_of("s13"))


def test_a_typed_subject_that_names_nothing_is_refused(panel: StatementsPanel) -> None:
    context = panel._context
    index = cell(panel, "s9", "subject")
    panel.table.setCurrentIndex(index)
    panel.table.edit(index)
    box = combo(panel)
    box.setEditText("nowhere")
    panel.table.itemDelegate().commitData.emit(box)
    assert context.project.statements["s9"].subject == "design:after"
    box.setEditText("leaf")
    panel.table.itemDelegate().commitData.emit(box)
    assert context.project.statements["s9"].subject == "leaf"


@pytest.mark.parametrize(
    ("quantity", "typed", "value"),
    [
        ("cluster.gpus", "512", 512),
        ("cluster.gpus", "1,016 GPUs", 1016),
        ("latency.one_way_us", "1.8 µs", 1.8),
        ("link.ber", "1e-12", 1e-12),
        ("train.days", "30,21", "30, 21"),
        ("host.lanes", "96…128", "96..128"),
        ("network.lossless", "Yes", True),
        ("server.nic_set", "2x100G", "2x100G"),
        ("unknown", "text", "text"),
    ],
)
def test_values_are_read_as_people_write_them(app: QApplication, quantity: str, typed: str, value: object) -> None:
    assert parse_value(quantity, typed) == value


def test_values_are_shown_with_their_unit(panel: StatementsPanel) -> None:
    rows = panel._context.project.statements
    assert value_text(rows["s20"]) == "30, 21 days"
    assert value_text(rows["s11"]) == "1.8 µs"
    assert {named.value for named in quantity_choices()} == set(QUANTITIES)


def test_filter_and_empty_table(panel: StatementsPanel) -> None:
    panel.filter.setText("all-reduce design after")
    panel.filter.returnPressed.emit()
    rows = [panel.model.line(n) for n in range(panel.model.rowCount())]
    assert rows and all(row is not None and row.row.subject == "design:after" for row in rows)
    panel.filter.setText("nothing like it")
    panel.filter.returnPressed.emit()
    assert panel.empty.isVisible() and not panel.table.isVisible()
    panel.empty.activated.emit()
    panel._choose(list(range(panel.model.rowCount())), 0, 2)
    panel.delete()
    assert panel.empty.isVisible()
    panel.empty.activated.emit()
    assert panel.table.isVisible() and panel.model.rowCount() == 1


def test_every_cell_speaks_and_paints_in_both_languages(panel: StatementsPanel, app: QApplication) -> None:
    clear_reported()
    for code in ("en", "zh_CN"):
        install_language(app, code)
        app.processEvents()
        for row in range(panel.model.rowCount()):
            for column in range(len(COLUMNS)):
                index = panel.model.index(row, column)
                spoken = panel.model.data(index, Qt.ItemDataRole.AccessibleTextRole)
                assert spoken or COLUMNS[column] == "source"
        for width in (420, 700, 1200):
            panel.resize(width, 240)
            panel.grab()
    assert not reported_failures()


def test_choices_can_be_typed_with_the_keyboard_alone(panel: StatementsPanel) -> None:
    context = panel._context
    panel.activateWindow()
    index = cell(panel, "s9", "subject")
    panel.table.setFocus()
    panel.table.setCurrentIndex(index)
    QTest.keyClick(panel.table, Qt.Key.Key_Return)
    box = combo(panel)
    QTest.keyClicks(box, "leaf")
    QTest.keyClick(box, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert context.project.statements["s9"].subject == "leaf"
    index = cell(panel, "s9", "quantity")
    panel.table.setCurrentIndex(index)
    QTest.keyClick(panel.table, Qt.Key.Key_F2)
    box = combo(panel)
    QTest.keyClicks(box, QUANTITIES["cluster.servers"].label)
    QTest.keyClick(box, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert context.project.statements["s9"].quantity == "cluster.servers"
    assert context.document.undo_stack.count() == 2
    index = cell(panel, "s9", "quantity")
    panel.table.setCurrentIndex(index)
    QTest.keyClick(panel.table, Qt.Key.Key_F2)
    box = combo(panel)
    QTest.keyClicks(box, "no such thing")
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert context.project.statements["s9"].quantity == "cluster.servers"


@pytest.mark.parametrize(
    ("key", "modifiers", "own"),
    [
        (Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier, True),
        (Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier, True),
        (Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier, True),
        (Qt.Key.Key_F8, Qt.KeyboardModifier.NoModifier, False),
        (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, False),
    ],
)
def test_keys_of_the_table_never_reach_the_canvas(
    panel: StatementsPanel, key: Qt.Key, modifiers: Qt.KeyboardModifier, own: bool
) -> None:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
    event.setAccepted(False)
    QApplication.sendEvent(panel.table, event)
    assert event.isAccepted() is own


def test_what_the_search_of_quantities_finds_is_shown_whole(panel: StatementsPanel) -> None:
    panel.table.edit(cell(panel, "s9", "quantity"))
    box = combo(panel)
    QTest.keyClicks(box, "GPU")
    completer = box.completer()
    assert completer is not None
    wide, wanted = completer.popup().minimumWidth(), min(460, box.view().sizeHintForColumn(0))
    completer.popup().close()
    panel.table.closeEditor(box, QAbstractItemDelegate.EndEditHint.NoHint)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]  # the list goes with it
    assert wide >= wanted


def test_stepping_through_quantities_with_the_arrow_keys_chooses_none_yet(panel: StatementsPanel) -> None:
    before = panel._context.project.statements["s9"].quantity
    panel.table.edit(cell(panel, "s9", "quantity"))
    box = combo(panel)
    start = box.currentIndex()
    QTest.keyClick(box, Qt.Key.Key_Down)
    QTest.keyClick(box, Qt.Key.Key_Down)
    QApplication.processEvents()
    assert box.isVisible() and box.currentIndex() == start + 2
    assert panel._context.project.statements["s9"].quantity == before
    QTest.keyClick(box, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert panel._context.project.statements["s9"].quantity not in ("", before)
