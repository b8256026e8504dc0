"""The form of a part: numbers as typed, figures, tables of rows, what is wrong said beside the field."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from fabricwright.catalog import own
from fabricwright.catalog.store import catalogue
from fabricwright.design.storage import dumps
from fabricwright.ui.own_parts.draft import Draft, read_number, read_value
from fabricwright.ui.own_parts.form import PartForm
from fabricwright.ui.own_parts.rows_model import expand, span
from fabricwright.ui.panels.palette import PalettePanel
from tests.ui.own_parts.moves import cell, form_of, rows, type_into

# -- numbers and names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("12", 12),
        ("0.5", 0.5),
        ("1,200", 1200),
        ("12,00", None),
        ("abc", None),
        ("", None),
        ("\u22123", -3),
        ("x4", None),
    ],
)
def test_numbers_as_people_type_them(typed: str, number: object) -> None:
    assert read_number(typed) == number


def test_values_by_their_shape() -> None:
    assert read_value("700 W", "number", "W") == 700
    assert read_value("0.5, 1、2", "numbers") == [0.5, 1, 2]
    assert read_value("QSFP56, SFP28", "texts") == ["QSFP56", "SFP28"]
    assert read_value("true", "flag") is True
    assert read_value("soon", "number") == "soon"


@pytest.mark.parametrize("typed", ["1\u201364", "eth1..8", "1-4", "17/1", "m2-0"])
def test_a_range_stands_for_its_names(typed: str) -> None:
    names = expand(typed)
    assert len(names) == {"1\u201364": 64, "eth1..8": 8, "1-4": 4}.get(typed, 1)
    assert expand(span(names)) == names


# -- the form ---------------------------------------------------------------------------------------------------------


def test_a_part_is_made_and_can_be_dropped_at_once(palette: PalettePanel, own_folder: Path) -> None:
    placed: list[str] = []
    palette._context.place_part.connect(placed.append)
    before = dumps(palette._context.project)
    form = form_of(palette, "sn5600")
    assert form.general.edit("id").text() == "my-sn5600"
    type_into(form.general.edit("names.en"), "SN5600 of the lab")
    assert form.draft.text("names.zh_CN") == "SN5600 of the lab", "a name typed once stands for both languages"
    assert form.keep(place=True)
    part = catalogue().get("my-sn5600")
    assert part.name("en") == "SN5600 of the lab" and own.based_on(part) == "sn5600"
    assert placed == ["my-sn5600"]
    assert palette.current_part() == "my-sn5600"
    assert palette.model.category_of(palette.tree.currentIndex()) == "own"
    # The catalogue is not the document.
    assert dumps(palette._context.project) == before and not palette._context.document.modified


def test_a_changed_figure_is_the_users_until_it_is_changed_back(palette: PalettePanel) -> None:
    draft = form_of(palette, "sn5600").draft
    before = dict(draft.table("figures")["power_w"])
    assert before["value"] == 2170
    draft.set_figure("power_w", "1,900 W")
    row = draft.table("figures")["power_w"]
    assert (row["value"], row["source"], row["confidence"]) == (1900, "own", "engineering")
    draft.set_figure("power_w", "2170")
    assert draft.part().figures["power_w"] == own.make_from("sn5600", {})[1].figures["power_w"]
    draft.set_figure_field("power_w", "source", "offer of May")
    draft.set_figure_field("power_w", "confidence", "read")
    draft.set_figure("power_w", "1800")
    row = draft.table("figures")["power_w"]
    assert (row["value"], row["source"], row["confidence"]) == (1800, "offer of May", "read")


def test_what_is_wrong_stands_beside_the_field(palette: PalettePanel) -> None:
    form = form_of(palette, "sn5600")
    type_into(form.general.edit("id"), "SN 5600")
    assert "lower-case" in form.general.fields["id"].message.text()
    assert not form.save_button.isEnabled() and not form.verdict.isHidden()
    type_into(form.general.edit("id"), "sn5600")
    assert "shipped part" in form.general.fields["id"].message.text()
    type_into(form.general.edit("id"), "lab-sn5600")
    assert form.save_button.isEnabled() and form.verdict.isHidden()
    figures = form.figures.model
    row, column = figures.row_of("figures.height_u") or (0, 0)
    figures.set_cell(figures.index(row, column), "tall")
    last = figures.index(row, figures.columnCount() - 1)
    assert last.data() == "expected a number, found tall."
    assert form.verdict.text() == "Figures: Height: expected a number, found tall."
    form.show_first()
    assert form.stack.currentWidget() is form.figures and form.figures.table.currentIndex().row() == row
    figures.set_cell(figures.index(row, column), "2")
    assert not last.data() and form.save_button.isEnabled()


def test_an_id_of_ones_own_is_not_taken_twice(palette: PalettePanel) -> None:
    own.save(*own.make_from("sn5600", {}))
    form = form_of(palette, "sn5600")
    assert form.draft.part_id == "my-sn5600-2"
    type_into(form.general.edit("id"), "my-sn5600")
    assert "already" in form.general.fields["id"].message.text() and not form.save_button.isEnabled()


def test_figures_are_added_and_removed(palette: PalettePanel) -> None:
    form = form_of(palette, "sn5600")
    page, model = form.figures, form.figures.model
    assert page.picker is not None
    name = str(page.picker.itemData(0))
    assert name not in form.draft.table("figures")
    page.picker.setCurrentIndex(0)
    page.add()
    assert name in form.draft.table("figures") and not form.save_button.isEnabled()
    assert "state a value" in str(model.index(0, model.columnCount() - 1).data())
    page.show_cell(0, 0)
    page.remove()
    assert name not in form.draft.table("figures") and form.save_button.isEnabled()
    assert page.picker.findData(name) >= 0


def test_equal_cages_are_one_line_and_edited_together(palette: PalettePanel) -> None:
    form = form_of(palette, "sn5600")
    cages = rows(form, "cages")
    assert [cages.index(n, 0).data() for n in range(cages.rowCount())] == ["1\u201364", "mgmt"]
    cages.set_cell(cell(cages, 0, "default"), "1x800")
    cages.set_cell(cell(cages, 0, "breakouts"), "2x400, 4x200")
    part = form.draft.part()
    assert {part.cages[str(n)].default for n in range(1, 65)} == {"1x800"}
    assert part.cages["64"].breakouts == ("2x400", "4x200") and part.cages["mgmt"].default == "1x1"
    cages.set_cell(cages.index(0, 0), "1-32")
    assert sorted(form.draft.table("cages"), key=len)[-1] == "mgmt" and len(form.draft.table("cages")) == 33
    cages.set_together(False)
    assert cages.rowCount() == 33
    cages.set_cell(cell(cages, 0, "type"), "OSFP9")
    assert "expected one of" in str(cages.index(0, cages.columnCount() - 1).data())
    assert not form.save_button.isEnabled()
    cages.set_cell(cell(cages, 0, "type"), "OSFP")
    assert form.save_button.isEnabled()


def test_names_of_rows_are_checked_and_kept_apart(palette: PalettePanel) -> None:
    form = form_of(palette, "sn5600")
    cages = rows(form, "cages")
    cages.set_cell(cages.index(1, 0), "7")
    assert form.draft.problems and cages.index(1, 0).data() == "7", "what was typed stays, marked"
    assert len(form.draft.table("cages")) == 65
    cages.set_cell(cages.index(1, 0), "management")
    assert not form.draft.problems and "management" in form.draft.table("cages")


def test_modes_are_rows_too(palette: PalettePanel) -> None:
    form = form_of(palette, "lres1260pf-2qsfp112")
    modes = rows(form, "modes")
    assert [cell(modes, n, "mode").data() for n in range(4)] == ["2x100", "2x100", "2x200", "2x200"]
    modes.set_cell(cell(modes, 0, "lanes"), "x4")
    assert form.draft.problems[0].place == "modes.2x100.ports.1.lanes"
    assert cell(modes, 0, "lanes").data() == "x4"
    modes.set_cell(cell(modes, 0, "lanes"), "")
    line = modes.add_mode(2)
    assert cell(modes, line, "mode").data() == "2x200-2"
    modes.set_cell(cell(modes, line, "mode"), "2x50")
    part = form.draft.part()
    assert set(part.modes) == {"2x100", "2x200", "2x50"} and part.modes["2x50"].ports["2"].gbps == 200
    found = modes.row_of("modes.2x200.ports.1")
    assert found is not None
    modes.remove([found[0], found[0] + 1])
    assert set(form.draft.part().modes) == {"2x100", "2x50"}
    assert form.draft.text("default_mode") == "2x50", "the default was removed; another one is"
    assert form.default_mode.currentData() == "2x50"


def test_rows_of_an_empty_table(palette: PalettePanel) -> None:
    form = form_of(palette, "sn5600")
    for table in ("modes", "slots", "ports"):
        form.tables[table].add()
        assert rows(form, table).rowCount() == 1
    assert form.draft.text("default_mode") == "1x100" and not form.draft.problems_at("default_mode")


def test_slots_must_agree_with_the_wiring_inside(palette: PalettePanel) -> None:
    form = form_of(palette, "dgx-h100")
    slots = rows(form, "slots")
    found = slots.row_of("slots.slota")
    assert found is not None and form.tables["slots"].note.text()
    fed = cell(slots, found[0], "fed_by")
    before = str(fed.data())
    slots.set_cell(fed, "nothing:d9")
    assert form.draft.problems and not form.save_button.isEnabled()
    slots.set_cell(fed, before)
    assert not form.draft.problems


@pytest.mark.parametrize(
    "part_id", ["a100-pcie-80gb", "aec-400g", "rack-48u-20kw", "cmm-b", "optic-25g-sr", "epyc-turin"]
)
def test_every_kind_of_part_opens_sound(app: QApplication, own_folder: Path, part_id: str) -> None:
    draft = Draft(*own.make_from(part_id, {}))
    assert draft.problems == []
    assert draft.part() == own.make_from(part_id, {})[1]
    assert draft.save() in own.listing()


def test_closing_with_changes_asks(palette: PalettePanel, monkeypatch: pytest.MonkeyPatch) -> None:
    form = form_of(palette, "sn5600")
    asked: list[bool] = []

    def stay(_form: PartForm) -> bool:
        asked.append(True)
        return False

    monkeypatch.setattr(PartForm, "ask_discard", stay)
    type_into(form.general.edit("model"), "SN5600-L")
    form.reject()
    assert asked and form.isVisible() and not own.listing()
    monkeypatch.setattr(PartForm, "ask_discard", lambda _self: True)
    form.reject()
    assert not own.listing()


def test_a_full_disk_is_one_sentence(palette: PalettePanel, told: list[str], own_folder: Path) -> None:
    own_folder.write_text("a file stands where the folder should")
    form = form_of(palette, "sn5600")
    assert not form.keep(place=False)
    assert len(told) == 1 and "cannot be" in told[0]
