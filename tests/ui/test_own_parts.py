"""Parts of the user's own in the window: the palette's section, the form, packs and NetBox device types."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPointF, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu

from fabricwright.catalog import own
from fabricwright.catalog.pack import export_pack, read_pack
from fabricwright.catalog.store import catalogue
from fabricwright.design.storage import dumps
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui import dialogs
from fabricwright.ui.own_parts import verbs as verbs_module
from fabricwright.ui.own_parts.draft import Draft, read_number, read_value
from fabricwright.ui.own_parts.form import PartForm
from fabricwright.ui.own_parts.netbox_dialog import NetboxDialog
from fabricwright.ui.own_parts.pack_dialogs import PackExport, PackImport
from fabricwright.ui.own_parts.rows_model import RowsModel, expand, span
from fabricwright.ui.panels.palette import PalettePanel
from fabricwright.ui.panels.palette_model import ESTIMATE_ROLE, OWN_ROLE
from fabricwright.ui.panels.statements_cells import CellCombo
from tests.ui.canvas_stage import Stage, close, make_stage
from tests.ui.panel_stage import stage

LEAF = """
manufacturer: Acme
model: LX-8
slug: acme-lx-8
u_height: 1
console-ports: [{name: con}]
interfaces:
""" + "".join(f"  - {{name: Ethernet1/{n}, type: 400gbase-x-qsfpdd}}\n" for n in range(1, 9))


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder for own parts, and settings that no other test sees."""
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(PartForm, "ask_discard", lambda _form: True)  # no test waits for a person
    catalogue().set_own({})
    for key in ("approval/author", "palette/favourites"):
        QSettings().remove(key)
    yield tmp_path / "data"
    for key in ("approval/author", "palette/favourites"):
        QSettings().remove(key)
    catalogue().set_own({})


@pytest.fixture
def palette(app: QApplication, own_folder: Path) -> Iterator[PalettePanel]:
    panel = PalettePanel(stage(analysed=False))
    panel.resize(220, 600)
    yield panel
    if panel.own.form is not None:
        panel.own.form.discard()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Sentences of message boxes."""
    heard: list[str] = []
    monkeypatch.setattr(dialogs, "show_problem", lambda _parent, message: heard.append(message.english()))
    return heard


def form_of(palette: PalettePanel, part: str) -> PartForm:
    form = palette.own.make_from(part)
    assert form is not None
    return form


def type_into(edit: QLineEdit, text: str) -> None:
    """As a person does: the whole text is exchanged."""
    edit.setText(text)
    edit.textEdited.emit(text)


def texts(menu: QMenu) -> list[str]:
    return [a.text() for a in menu.actions() if a.text()]


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


def rows(form: PartForm, table: str) -> RowsModel:
    model = form.tables[table].model
    assert isinstance(model, RowsModel)
    return model


def cell(model: RowsModel, row: int, key: str) -> Any:
    return model.index(row, [c.key for c in model.columns].index(key))


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


# -- the palette ------------------------------------------------------------------------------------------------------


def test_my_parts_are_a_section_with_origin_and_estimate(palette: PalettePanel) -> None:
    assert not palette.model.find("my-sn5600").isValid()
    own.save(*own.make_from("as-4126gs-nmr-lcc", {"names": {"en": "Our server"}}, "our-server"))
    palette._context.catalogue_changed.emit(["our-server"])
    index = palette.model.find("our-server")
    assert index.isValid() and index.data() == "Our server"
    assert index.data(OWN_ROLE) and index.data(ESTIMATE_ROLE)
    tip = str(index.data(Qt.ItemDataRole.ToolTipRole))
    assert "your own part: own parts, from as-4126gs-nmr-lcc" in tip and "an estimate, wired as the archetype" in tip
    plain = palette.model.find("sn4700", "favourites")
    assert not plain.data(OWN_ROLE) and not plain.data(ESTIMATE_ROLE)


def test_the_menu_of_a_part(palette: PalettePanel) -> None:
    own.save(*own.make_from("sn5600", {}))
    palette._context.catalogue_changed.emit([])
    make = "Make own part from this\u2026"
    assert make in texts(palette.menu("sn5600")) and "Remove\u2026" not in texts(palette.menu("sn5600"))
    assert {make, "Edit\u2026", "Remove\u2026", "Export as pack\u2026"} <= set(texts(palette.menu("my-sn5600")))
    assert {"Import pack\u2026", "Import NetBox device type\u2026"} <= set(texts(palette.menu("sn5600")))


def test_editing_replaces_the_part_and_says_what_the_project_keeps(palette: PalettePanel) -> None:
    own.save(*own.make_from("sn5600", {}, "lab-leaf"))
    context = palette._context
    assert context.edit("add_item", part="lab-leaf", item="lab") is not None
    said: list[str] = []
    context.said.connect(lambda message, _severity: said.append(message.english()))
    form = palette.own.edit("lab-leaf")
    assert form is not None and not form.general.edit("id").isEnabled()
    form.draft.set_figure("height_u", "3")
    assert form.keep(place=False)
    assert catalogue().get("lab-leaf").get("height_u") == 3
    assert context.project.parts["lab-leaf"].get("height_u") == 2 and "keeps its copy" in said[-1]


def test_removing_asks_and_leaves_the_project_alone(palette: PalettePanel, monkeypatch: pytest.MonkeyPatch) -> None:
    own.save(*own.make_from("sn5600", {}))
    palette._context.catalogue_changed.emit([])
    palette.model.set_favourites(["my-sn5600", "sn4700"])
    before = dumps(palette._context.project)
    monkeypatch.setattr(verbs_module, "ask_remove", lambda *_a, **_k: False)
    assert not palette.own.remove("my-sn5600") and "my-sn5600" in catalogue()
    monkeypatch.setattr(verbs_module, "ask_remove", lambda *_a, **_k: True)
    assert palette.own.remove("my-sn5600") and "my-sn5600" not in catalogue()
    assert not palette.model.find("my-sn5600", "favourites").isValid()
    assert dumps(palette._context.project) == before
    palette.grab()


# -- packs ------------------------------------------------------------------------------------------------------------


def answer(monkeypatch: pytest.MonkeyPatch, dialog: type[QDialog], reply: Callable[[Any], bool]) -> None:
    """Answer a dialog as a person would; ``reply`` tells whether it is accepted."""
    codes = {True: QDialog.DialogCode.Accepted, False: QDialog.DialogCode.Rejected}
    monkeypatch.setattr(dialog, "exec", lambda self: codes[bool(reply(self))])


def test_a_pack_goes_out_with_title_version_and_author(
    palette: PalettePanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own.save(*own.make_from("sn5600", {}))
    own.save(*own.make_from("sn4700", {}))

    def fill(dialog: PackExport) -> bool:
        assert dialog.chosen() == ["my-sn5600"] and not dialog.save_button.isEnabled()
        dialog.title.setText("Lab parts")
        dialog.author.setText("Li Wei")
        dialog.version.setText("v2")
        assert "numbers and dots" in dialog._fields["version"].message.text() and not dialog.save_button.isEnabled()
        dialog.version.setText("2.1")
        assert dialog.save_button.isEnabled()
        return True

    answer(monkeypatch, PackExport, fill)
    target = tmp_path / "lab.fwcat"
    monkeypatch.setattr(dialogs, "ask_save", lambda *_a, **_k: target)
    assert palette.own.export_pack(["my-sn5600"])
    pack = read_pack(target)
    assert (pack.title, pack.author, pack.pack_version, list(pack.parts)) == (
        "Lab parts",
        "Li Wei",
        "2.1",
        ["my-sn5600"],
    )


def make_pack(tmp_path: Path) -> Path:
    """A pack of three parts; then two of them change here, and one is not here any more."""
    for base in ("sn5600", "sn4700", "sn2201"):
        own.save(*own.make_from(base, {}))
    path = tmp_path / "theirs.fwcat"
    path.write_bytes(export_pack(["my-sn5600", "my-sn4700", "my-sn2201"], "Lab", "Li"))
    own.remove("my-sn2201")
    for base in ("sn5600", "sn4700"):
        own.save(*own.make_from(base, {"figures": {"height_u": 9}}, f"my-{base}"), replace_own=True)
    return path


def test_a_pack_comes_in_part_by_part(palette: PalettePanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = make_pack(tmp_path)

    def choose(dialog: PackImport) -> bool:
        shown = [[str(dialog.model.index(r, c).data()) for c in range(3)] for r in range(dialog.model.rowCount())]
        assert any(row[0] == "Figures: Height" and row[1].startswith("9 (engineering") for row in shown), shown
        assert dialog.replaced() == [], "nothing is replaced unless it is chosen"
        dialog.choose("my-sn4700", "replace")
        assert "Added: 1, replaced: 1" in dialog.summary.text()
        dialog.grab()
        return True

    answer(monkeypatch, PackImport, choose)
    assert set(palette.own.import_pack(path)) == {"my-sn2201", "my-sn4700"}
    assert catalogue().get("my-sn5600").get("height_u") == 9, "mine was kept"
    assert catalogue().get("my-sn4700").get("height_u") == 1, "theirs was taken"
    assert palette.model.find("my-sn2201").isValid()


def test_a_refused_pack_changes_nothing(palette: PalettePanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = make_pack(tmp_path)
    before = (tmp_path / "data" / "own_parts.json").read_bytes()
    answer(monkeypatch, PackImport, lambda dialog: dialog.choose_all("replace") is not None)
    assert palette.own.import_pack(path) == ()
    assert (tmp_path / "data" / "own_parts.json").read_bytes() == before


@pytest.mark.parametrize("data", [b"", b"\x00\xff", b"{}", b'{"format":"fabricwright-pack"}', b"[" * 5000])
def test_a_bad_pack_is_one_sentence(palette: PalettePanel, told: list[str], tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.fwcat"
    path.write_bytes(data)
    assert palette.own.import_pack(path) == ()
    assert len(told) == 1 and "\n" not in told[0]


# -- NetBox -----------------------------------------------------------------------------------------------------------


def test_a_device_type_becomes_a_part_through_the_form(
    palette: PalettePanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "lx-8.yaml"
    path.write_text(LEAF, encoding="utf-8")
    seen: list[str] = []

    def look(dialog: NetboxDialog) -> bool:
        seen.extend(dialog._understood() + dialog._inferred() + dialog._skipped())
        dialog.grab()
        return True

    answer(monkeypatch, NetboxDialog, look)
    form = palette.own.import_netbox(path)
    assert form is not None and form.draft.problems == []
    assert "Interfaces: 8 \u00d7 400gbase-x-qsfpdd" in seen and "Console ports: 1" in seen and "Kind: Switch" in seen
    assert "kind" in form.general.fields, "the kind is a guess, so it can be corrected"
    assert form.keep(place=False)
    part = catalogue().get("netbox-lx-8")
    assert (part.kind, len(part.cages), part.confidence) == ("switch", 8, "inferred")
    assert palette.model.find("netbox-lx-8").data(ESTIMATE_ROLE)


def test_a_device_of_the_catalogue_is_held_against_it(
    palette: PalettePanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = "".join(f"  - {{name: swp{n}, type: 800gbase-x-osfp}}\n" for n in range(1, 65))
    path = tmp_path / "sn5600.yaml"
    head = "manufacturer: NVIDIA\nmodel: SN5600\nslug: sn5600\nu_height: 3\ninterfaces:\n"
    path.write_text(head + rows, encoding="utf-8")
    found: list[NetboxDialog] = []

    def keep(dialog: NetboxDialog) -> bool:
        found.append(dialog)
        return True

    answer(monkeypatch, NetboxDialog, keep)
    before = catalogue().get("sn5600")
    form = palette.own.import_netbox(path)
    assert form is not None and found[0].found.same_model == "sn5600"
    part = form.draft.part()
    # From the catalogue's part, with the record's height and the record as its source.
    assert own.based_on(part) == "sn5600" and form.draft.part_id == "my-sn5600"
    assert (part.get("height_u"), part.figures["height_u"].source) == (3, "nbx")
    assert len(part.cages) == 65 and catalogue().get("sn5600") is before


@pytest.mark.parametrize("text", ["", "a: [", "manufacturer: x", "!!python/object:os.system {}", "&a [*a]", "\x00"])
def test_a_bad_record_is_one_sentence(palette: PalettePanel, told: list[str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    assert palette.own.import_netbox(path) is None
    assert len(told) == 1


# -- in a window ------------------------------------------------------------------------------------------------------


@pytest.fixture
def window(app: QApplication, own_folder: Path, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    yield made
    close(made)


def test_an_own_part_is_dropped_like_any_other(window: Stage) -> None:
    palette = window.window.docks.panels["palette"]
    assert isinstance(palette, PalettePanel)
    form = form_of(palette, "sn5600")
    assert form.keep(place=False)
    items = set(window.items)
    x, y, w, h = window.scene.bounds()
    assert window.drop_part("my-sn5600", QPointF(x + w + 40, y + h + 40))
    fresh = set(window.items) - items
    assert [window.items[i].of for i in fresh] == ["my-sn5600"]
    assert "my-sn5600" in window.context.project.parts
    # Undo takes the drop back; the part stays in the catalogue.
    window.document.undo()
    assert set(window.items) == items and "my-sn5600" in catalogue()


def test_the_menu_makes_a_part_from_what_is_selected(window: Stage) -> None:
    palette = window.window.docks.panels["palette"]
    assert isinstance(palette, PalettePanel)
    switch = next(i for i in window.items if window.items[i].of == "sn3700c")
    window.document.select([switch])
    window.window.actions_set["own-part"].trigger()
    assert palette.own.form is not None and palette.own.form.draft.base_id == "sn3700c"
    palette.own.form.discard()


def test_the_window_needs_no_yaml_or_models() -> None:
    """The dialogs load neither the YAML parser nor what the analysis needs; only reading a record loads YAML."""
    code = (
        "import sys\n"
        "import fabricwright.ui.panels.palette, fabricwright.ui.own_parts.form\n"
        "import fabricwright.ui.own_parts.pack_dialogs, fabricwright.ui.own_parts.netbox_dialog\n"
        "print([m for m in ('yaml', 'pydantic', 'networkx', 'matplotlib') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


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
