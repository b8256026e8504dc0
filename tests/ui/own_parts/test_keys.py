"""Keys in the tables of the form, and parts that lie elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from fabricwright.catalog import own
from fabricwright.ui.own_parts.form import PartForm
from fabricwright.ui.panels.palette import PalettePanel
from fabricwright.ui.widgets import CellCombo
from tests.ui.own_parts.moves import form_of
from tests.ui.panel_stage import stage

# -- keys -------------------------------------------------------------------------------------------------------------


def opened(form: PartForm, page: str) -> Any:
    form.show_page(page)
    table = form.pages[page].table  # type: ignore[union-attr]
    QTest.qWait(1)
    return table


def test_typing_in_a_cell_writes_at_every_key_and_escape_takes_it_back(palette: PalettePanel) -> None:
    form = form_of(palette, "sn5600")
    table, model = opened(form, "figures"), form.figures.model
    row, column = model.row_of("figures.power_w") or (0, 0)
    form.figures.show_cell(row, column, edit=True)
    editor = table.findChild(QLineEdit)
    assert editor is not None and editor.text() == "2170"
    editor.selectAll()
    QTest.keyClicks(editor, "19x")
    assert form.draft.table("figures")["power_w"]["value"] == "19x" and editor.property("invalid")
    assert editor.text() == "19x" and not form.save_button.isEnabled()
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert form.draft.table("figures")["power_w"]["value"] == 19 and form.save_button.isEnabled()
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert form.draft.table("figures")["power_w"]["value"] == 2170 and form.isVisible()


def test_a_name_is_taken_with_enter_which_never_saves(palette: PalettePanel, qtbot: Any) -> None:
    form = form_of(palette, "sn5600")
    table = opened(form, "cages")
    form.tables["cages"].show_cell(1, 0, edit=True)
    editor = table.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "oob")
    assert "oob" not in form.draft.table("cages"), "a name waits until it is complete"
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "oob" in form.draft.table("cages"))
    assert "mgmt" not in form.draft.table("cages")
    QTest.keyClick(form.tables["cages"].separate, Qt.Key.Key_Return)
    assert form.isVisible() and not own.listing()
    QTest.keyClick(form.tables["cages"].separate, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert own.listing(), "Ctrl+Enter saves from anywhere"


def test_a_choice_is_written_at_once(palette: PalettePanel) -> None:
    form = form_of(palette, "sn5600")
    table = opened(form, "cages")
    form.tables["cages"].show_cell(0, 1, edit=True)
    combo = table.findChild(CellCombo)
    assert combo is not None
    combo.set_value("QSFP-DD")
    combo.activated.emit(combo.currentIndex())
    assert form.draft.part().cages["64"].type == "QSFP-DD"


def test_a_part_that_only_the_project_has_can_be_a_start(palette: PalettePanel) -> None:
    own.save(*own.make_from("sn5600", {}, "theirs"))
    assert palette._context.edit("add_item", part="theirs") is not None
    own.remove("theirs")
    form = form_of(palette, "theirs")
    assert form.draft.part_id == "my-theirs" and form.draft.problems == []
    assert form.keep(place=False) and "my-theirs" in own.listing()


def test_a_damaged_file_of_own_parts_is_told_and_kept(
    app: QApplication, own_folder: Path, told: list[str], qtbot: Any
) -> None:
    own_folder.mkdir()
    (own_folder / "own_parts.json").write_text("{not json")
    context = stage(analysed=False)
    said: list[str] = []
    context.said.connect(lambda message, _severity: said.append(message.english()))
    panel = PalettePanel(context)
    qtbot.waitUntil(lambda: bool(said))
    assert len(said) == 1 and "own_parts.json" in said[0]
    form = form_of(panel, "sn5600")
    assert not form.keep(place=False) and len(told) == 1
    assert (own_folder / "own_parts.json").read_text() == "{not json"
    form.discard()
