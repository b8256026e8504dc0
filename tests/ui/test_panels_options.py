"""What a drawing may state, in the inspector: fields from the declared table, at every kind of place."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from fabricwright.design.options import OPTIONS, Option, options_for
from fabricwright.design.options.words import SUBJECTS, WORDS, subject_of
from fabricwright.ui.context import UiContext
from fabricwright.ui.panels.fields import ChoiceField, TextField
from fabricwright.ui.panels.inspector import InspectorPanel
from fabricwright.ui.panels.inspector_option_fields import Wrong, default_text, parse_option
from fabricwright.ui.widgets import SectionHeader
from tests.ui.panel_stage import finding, stage
from tests.ui.test_panels_inspector import choice, shown, text, type_in


def fold(panel: InspectorPanel, title: str) -> SectionHeader:
    assert panel.page is not None
    return next(h for h in panel.page.findChildren(SectionHeader) if h.text() == title)


def labels(panel: InspectorPanel) -> set[str]:
    assert panel.page is not None
    return {f.label.text() for f in panel.page.fields()}


def test_every_option_has_a_subject_and_its_words_a_label() -> None:
    for option in OPTIONS.values():
        assert subject_of(option) in SUBJECTS
        own_names = {"RS528", "RS544", "Ring", "Tree", "NVLS", "NVLSTree", "LL", "LL128", "Simple"}
        for word in option.choices:
            assert word in WORDS or word in own_names or word.isdigit(), (option.key, word)


def test_stating_an_option_is_one_undo_entry_and_clearing_it_removes_the_key(app: QApplication) -> None:
    context = stage("node-after")
    panel = shown(context, "cpu0")
    head = fold(panel, "Firmware and host")
    assert head._note == "" and not head.isChecked()
    type_in(text(panel, "ACS control of root ports"), "0x001d")
    assert context.sheet_row.items["cpu0"].config["acs_ctl"] == "0x001d"
    assert context.document.undo_stack.count() == 1
    panel.refresh()
    assert fold(panel, "Firmware and host")._note == "1"
    edit = text(panel, "ACS control of root ports")
    edit.clear()
    type_in(edit, "")
    assert "cpu0" not in context.sheet_row.items  # an overlay row that says nothing is no row
    context.document.undo()
    assert context.sheet_row.items["cpu0"].config["acs_ctl"] == "0x001d"


def test_the_server_and_its_slots(app: QApplication) -> None:
    context = stage("node-after")
    panel = shown(context)
    choice(panel, "Above 4G decoding").pick("on")
    assert context.sheet_row.items["chassis"].config["above_4g"] == "on"
    slot = choice(panel, "Slot")
    slot.pick("slotb")
    power = text(panel, "Power from the edge, W")
    assert power.placeholderText() == "75"  # what the catalogue has
    type_in(power, "66.5")
    assert context.sheet_row.items["chassis"].config["slot.slotb.power_w"] == 66.5
    panel.refresh()
    assert fold(panel, "Slots")._note == "1" and slot.combo.currentText() == "slotb (1 stated)"
    choice(panel, "Height").pick("LP")
    slot.pick("slota")
    assert text(panel, "Power from the edge, W").text() == ""
    context.document.select(["chassis:slotb"])
    panel.refresh()
    assert text(panel, "Power from the edge, W").text() == "66.5"
    assert choice(panel, "Height").combo.currentText() == "low profile"
    choice(panel, "Height").pick(None)
    assert "slot.slotb.height" not in context.sheet_row.items["chassis"].config


def test_a_variant_shows_in_grey_what_its_base_states(app: QApplication) -> None:
    context = stage("node-after")
    context.edit("set_config", item="chassis", key="psu_mode", value="3+3")
    context.open_sheet("node-after-cxl")
    panel = shown(context)
    mode = text(panel, "Power supply redundancy")
    assert (mode.text(), mode.placeholderText()) == ("", "3+3")
    type_in(mode, "4+2")
    assert context.sheet_row.items["chassis"].config["psu_mode"] == "4+2"


def test_a_group_of_servers_states_what_its_sheet_states(app: QApplication) -> None:
    context = stage()
    panel = shown(context, "node")
    choice(panel, "Resizable BAR").pick("off")
    sheet = context.sheet_row.items["node"].of[6:]  # type: ignore[index]
    assert context.design_row.sheets[sheet].items["chassis"].config["resizable_bar"] == "off"


def test_cards_switches_racks_and_links(app: QApplication) -> None:
    context = stage("node-after")
    panel = shown(context, "nic8")
    assert {"Address translation (ATS)", "Auxiliary power cable"} <= labels(panel)
    choice(panel, "Auxiliary power cable").pick("aux-8pin-pcie-150w")
    assert context.sheet_row.items["nic8"].config["aux"] == "aux-8pin-pcie-150w"
    context.open_sheet("fabric")
    context.document.select(["leaf"])
    panel.refresh()
    choice(panel, "Airflow").pick("front-to-rear")
    assert context.sheet_row.items["leaf"].config["airflow"] == "front-to-rear"
    context.document.select(["down"])
    panel.refresh()
    choice(panel, "FEC, end A").pick("RS544")
    type_in(text(panel, "MTU, B, end B"), "9000")
    assert dict(context.sheet_row.links["down"].config) == {"fec.a": "RS544", "mtu.b": 9000}
    choice(panel, "FEC, end A").pick(None)
    assert dict(context.sheet_row.links["down"].config) == {"mtu.b": 9000}
    optic = choice(panel, "Transceiver B")
    optic.pick("optic-100g-cwdm4-fr1-dr1")
    assert context.sheet_row.links["down"].optics == (None, "optic-100g-cwdm4-fr1-dr1")
    optic.pick(None)
    assert context.sheet_row.links["down"].optics == ()


def test_several_things_are_stated_together(app: QApplication) -> None:
    context = stage()
    context.edit("set_config", item="leaf", key="airflow", value="front-to-rear")
    panel = shown(context, "leaf", "spine")
    airflow = choice(panel, "Airflow")
    assert airflow.combo.currentText() == "different" and airflow.combo.property("quiet")
    airflow.pick("rear-to-front")
    assert {context.sheet_row.items[i].config["airflow"] for i in ("leaf", "spine")} == {"rear-to-front"}
    assert context.document.undo_stack.count() == 2
    context.open_sheet("node-after")
    panel = shown(context, "gpu0", "gpu1")
    edit = text(panel, "Virtual machine")
    type_in(edit, "guest", enter=False)
    assert "gpu0" not in context.sheet_row.items  # only tried until it is meant
    type_in(edit, "guest-1")
    assert {context.sheet_row.items[i].config["vm"] for i in ("gpu0", "gpu1")} == {"guest-1"}
    assert context.document.undo_stack.count() == 3


def test_typing_into_an_option_of_a_card_keeps_the_page(app: QApplication) -> None:
    context = stage("node-after")
    panel = shown(context, "gpu0")
    page = panel.page
    type_in(text(panel, "Virtual machine"), "guest-1")
    app.processEvents()
    panel.refresh()
    assert panel.page is page and context.sheet_row.items["gpu0"].config["vm"] == "guest-1"


def test_folds_stay_as_people_left_them(app: QApplication) -> None:
    context = stage("node-after")
    panel = shown(context, "cpu0")
    fold(panel, "Firmware and host").click()
    context.document.select(["cpu1"])
    panel.refresh()
    assert fold(panel, "Firmware and host").isChecked()
    fold(panel, "Firmware and host").click()
    context.document.select(["cpu0"])
    panel.refresh()
    assert not fold(panel, "Firmware and host").isChecked()


def test_switches_that_were_stored_as_true_are_read(app: QApplication) -> None:
    context = stage()
    context.edit("set_setting", key="acs", value=True)
    panel = shown(context)
    acs = choice(panel, "PCIe ACS")
    assert isinstance(acs, ChoiceField) and acs.combo.currentText() == "on" and not acs.combo.property("quiet")
    acs.pick("off")
    assert context.design_row.settings["acs"] == "off"


@pytest.mark.parametrize(
    ("typed", "value"),
    [("", None), ("12", 12), ("12.5", 12.5), ("1,024", 1024), ("x", Wrong), ("-1", Wrong), ("nan", Wrong)],
)
def test_numbers_are_read_as_people_write_them(app: QApplication, typed: str, value: object) -> None:
    found = parse_option(Option("rack", "w", "number", "W", "", low=0), typed)
    assert isinstance(found, Wrong) if value is Wrong else found == value


@pytest.mark.parametrize(
    ("typed", "fine"),
    [("4+2", True), ("n+n", True), ("N+1", True), ("3+3 FTR", True), ("xyz", False), ("4", False), ("2N", False)],
)
def test_redundancy_is_written_as_the_rules_read_it(app: QApplication, typed: str, fine: bool) -> None:
    option = next(o for o in options_for("chassis") if o.key == "psu_mode")
    found = parse_option(option, typed)
    assert found == typed if fine else isinstance(found, Wrong) and "4+2" in found.sentence


def test_names_and_defaults(app: QApplication) -> None:
    names = Option("design", "n", "names", "N", "")
    assert parse_option(names, "nic0,nic1 ，nic2") == "nic0, nic1, nic2"
    assert default_text(names, None) == "not stated" and default_text(names, "nic0") == "nic0"
    assert default_text(Option("design", "s", "switch", "S", "", "off"), None) == "default (off)"


def test_facts_are_under_a_fold_of_what_they_point_at(app: QApplication) -> None:
    context = stage()
    panel = shown(context, "spine")
    assert panel.page is not None and panel.page.facts() == ["spine is wrong."]
    assert not panel.page.notices()
    assert fold(panel, "Facts")._note == "1"
    fact = finding("GPU-02", "fact", ["spine"], estimate=True)
    context.analysis.change_findings([fact], [], [])
    panel.refresh()
    assert panel.page.facts() == ["spine is wrong.", "spine is wrong. (estimate)"]
    context.document.select(["leaf"])
    panel.refresh()
    assert panel.page.facts() == [] and fold(panel, "Facts").parentWidget().isHidden()


def test_facts_about_the_design_are_on_its_page(app: QApplication) -> None:
    context = stage()
    whole = finding("SCL-01", "fact", ["x"], sheet="", message=["All well.", {}]) | {"at": []}
    context.analysis.change_findings([whole], [], [])
    panel = shown(context)
    assert panel.page is not None and panel.page.facts() == ["All well."]


def test_findings_about_the_design_or_the_server_are_on_its_page(app: QApplication) -> None:
    context = stage()
    rows = [
        finding("SED-02", "error", [""], message=["Said twice.", {}]),
        finding("PWR-01", "error", ["node"], sheet="node-after", message=["Too much power.", {}]),
    ]
    context.analysis.update(findings={row["key"]: row for row in rows})
    panel = shown(context)
    assert panel.page is not None
    assert [box._text.text() for box in panel.page.notices()] == ["Said twice."]
    context.open_sheet("node-after")
    panel.refresh()
    assert [box._text.text() for box in panel.page.notices()] == ["Too much power."]


def test_every_field_of_every_place_is_a_field_that_a_screen_reader_can_name(app: QApplication) -> None:
    context: UiContext = stage("node-after")
    panel = shown(context)
    assert panel.page is not None
    for field in panel.page.fields():
        assert field.control.accessibleName()
        if isinstance(field, TextField | ChoiceField):
            assert field.control.width() <= 158
