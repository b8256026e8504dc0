"""The inspector: pages for what is selected, validation while typing, one undo entry per word typed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from fabricwright.ui.canvas.naming import slot_label
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import install_language
from fabricwright.ui.panels.fields import CheckField, ChoiceField, TextField
from fabricwright.ui.panels.inspector import InspectorPanel
from fabricwright.ui.panels.inspector_budgets import item_budgets, power_budget, sheet_budgets
from fabricwright.ui.panels.inspector_texts import parse_axes, parse_breakouts
from tests.ui.panel_stage import SHEETS, stage


def shown(context: UiContext, *ids: str) -> InspectorPanel:
    panel = InspectorPanel(context)
    panel.resize(272, 700)
    context.document.select(ids)
    panel.refresh()
    panel.show()
    return panel


def text(panel: InspectorPanel, label: str) -> QLineEdit:
    assert panel.page is not None
    field = panel.page.field(label)
    assert isinstance(field, TextField)
    return field.edit


def choice(panel: InspectorPanel, label: str) -> ChoiceField:
    assert panel.page is not None
    field = panel.page.field(label)
    assert isinstance(field, ChoiceField)
    return field


def type_in(edit: QLineEdit, new: str, *, enter: bool = True) -> None:
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, new)
    if enter:
        QTest.keyClick(edit, Qt.Key.Key_Return)


def test_typing_a_name_is_one_undo_entry(app: QApplication) -> None:
    context = stage()
    panel = shown(context, "leaf")
    type_in(text(panel, "Name"), "sw-{port1}")
    assert context.sheet_row.items["leaf"].name == "sw-{port1}"
    assert context.document.undo_stack.count() == 1
    context.document.undo()
    panel.refresh()
    assert context.sheet_row.items["leaf"].name == "leaf-{su1}{port1}"


def test_a_count_that_does_not_divide_is_refused_while_typing(app: QApplication) -> None:
    context = stage()
    panel = shown(context, "leaf")
    count = text(panel, "Count")
    type_in(count, "5", enter=False)
    assert panel.page is not None and panel.page.field("Count").error.text().startswith("5 does not divide")
    assert context.sheet_row.items["leaf"].count == 4
    QTest.keyClick(count, Qt.Key.Key_Escape)
    assert count.text() == "4" and panel.page.field("Count").error.text() == ""
    type_in(count, "6")
    assert context.sheet_row.items["leaf"].axes == (("su", 2), ("port", 3))
    type_in(count, "x")
    assert panel.page.field("Count").error.text() != ""


def test_axes_and_breakouts_read_what_people_type(app: QApplication) -> None:
    part = stage().project.parts["sn4700"]
    assert parse_axes("su=2, node = 16") == [["su", 2], ["node", 16]]
    assert parse_axes("") == []
    assert isinstance(parse_axes("su 2 3"), str) and isinstance(parse_axes("su=1, su=2"), str)
    assert parse_breakouts("1-8=2x200, 17-32=1x100", part) == {"1-8": "2x200", "17-32": "1x100"}
    assert parse_breakouts("1,3=2x200", part) == {"1,3": "2x200"}
    assert parse_breakouts("99=2x200", part) == "There is no cage 99."
    assert "not 3x7" in str(parse_breakouts("1=3x7", part))
    assert isinstance(parse_breakouts("rubbish", part), str)


def test_breakout_is_written_as_a_map(app: QApplication) -> None:
    context = stage()
    panel = shown(context, "leaf")
    edit = text(panel, "Breakout")
    assert edit.text() == "1-8=2x200, 17-32=1x100"
    type_in(edit, "1-4=2x200")
    assert dict(context.sheet_row.items["leaf"].config["breakout"]) == {"1-4": "2x200"}  # type: ignore[arg-type]


def test_replacing_a_part(app: QApplication) -> None:
    context = stage()
    panel = shown(context, "spine")
    field = choice(panel, "Type")
    field.pick("sn4700")
    assert context.sheet_row.items["spine"].of == "sn4700"
    assert context.document.undo_stack.count() == 1


def test_mode_and_slot_of_a_card(app: QApplication) -> None:
    context = stage("node-after")
    panel = shown(context, "sw0")
    choice(panel, "Mode").pick("4x8")
    assert context.sheet_row.items["sw0"].config["mode"] == "4x8"
    slot = choice(panel, "Slot")
    # As the sheet says it, "in S1", not by the id.
    named = {str(c.value): c.text for c in slot._shown if str(c.value).startswith("chassis:")}
    assert named and all(t == slot_label(seat, context.eff.slots[seat].label) for seat, t in named.items())
    assert not any(t == seat.partition(":")[2] and t.islower() for seat, t in named.items())
    assert {c.severity for c in slot._shown} <= {"", "ok", "warning", "error"}
    slot.pick(None)
    panel.refresh()
    assert context.sheet_row.items["sw0"].seat is None
    illegal = next(c.value for c in choice(panel, "Slot")._shown if c.severity == "error")
    choice(panel, "Slot").pick(illegal)
    row = context.sheet_row.items["sw0"]
    assert row.seat == illegal and row.forced
    panel.refresh()
    assert panel.page is not None
    forced = panel.page.field("Forced")
    assert isinstance(forced, CheckField) and forced.box.isChecked()


def test_a_built_in_card_gets_an_overlay_and_no_slot_editor(app: QApplication) -> None:
    context = stage("node-after")
    panel = shown(context, "cpu0")
    assert panel.page is not None
    labels = [f.label.text() for f in panel.page.fields()]
    assert "Name" in labels and "Slot" not in labels and "Count" not in labels
    type_in(text(panel, "Name"), "left")
    assert context.sheet_row.items["cpu0"].of is None and context.eff.items["cpu0"].name == "left"


def test_link_fields(app: QApplication) -> None:
    context = stage()
    panel = shown(context, "down")

    def row() -> object:
        return context.sheet_row.links["down"]

    type_in(text(panel, "Speed"), "200G")
    assert context.sheet_row.links["down"].speed == 200e9
    type_in(text(panel, "Speed"), "200Q")
    assert panel.page is not None and "not understood" in panel.page.field("Speed").error.text()
    type_in(text(panel, "Length, m"), "12.5")
    assert context.sheet_row.links["down"].length_m == 12.5
    choice(panel, "Network").pick("storage")
    assert context.sheet_row.links["down"].network == "storage"
    choice(panel, "Cable").pick("auto")
    assert context.sheet_row.links["down"].cable == "auto"
    choice(panel, "Wiring").pick("mesh")
    assert context.sheet_row.links["down"].wire.mode == "mesh"
    type_in(text(panel, "End B"), "leaf:1-8/1-3")
    assert "no port" in panel.page.field("End B").error.text()
    assert context.sheet_row.links["down"].b == "leaf:1-8/1-2"
    type_in(text(panel, "End B"), "leaf:1-4/1-2")
    assert context.sheet_row.links["down"].b == "leaf:1-4/1-2"
    assert row() is not None


def test_settings_show_defaults_and_go_back_to_them(app: QApplication) -> None:
    context = stage()
    panel = shown(context)
    level = choice(panel, "NCCL P2P level")
    assert level.combo.currentText() == "not stated" and level.combo.property("quiet")
    level.pick("SYS")
    assert context.design_row.settings["nccl.p2p_level"] == "SYS"
    panel.refresh()
    choice(panel, "NCCL P2P level").pick(None)
    assert "nccl.p2p_level" not in context.design_row.settings
    panel.refresh()
    pairs = text(panel, "Queue pairs per connection")
    assert pairs.placeholderText() == "default (1)"
    type_in(pairs, "4")
    assert context.design_row.settings["ecmp.qps"] == 4
    type_in(pairs, "300", enter=False)
    assert panel.page is not None
    assert panel.page.field("Queue pairs per connection").error.text() == "A number from 1 to 256 is expected."
    QTest.keyClick(pairs, Qt.Key.Key_Escape)
    type_in(text(panel, "Project"), "Cluster")
    assert context.project.title == "Cluster"


def test_adding_a_setting_while_typing_keeps_the_field(app: QApplication) -> None:
    context = stage()
    panel = shown(context)
    edit = text(panel, "Tensor-parallel group")
    edit.setFocus()
    for key in "128":
        QTest.keyClicks(edit, key)
        app.processEvents()
    assert "job.tp" not in context.design_row.settings  # 1 and 12 are no group that anyone meant
    QTest.keyClick(edit, Qt.Key.Key_Return)
    app.processEvents()
    assert context.design_row.settings["job.tp"] == 128
    assert text(panel, "Tensor-parallel group") is edit


def test_several_cards_change_together(app: QApplication) -> None:
    context = stage("node-after")
    panel = shown(context, "rt0", "rt1")
    mode = choice(panel, "Mode")
    other = next(c.value for c in mode._shown if c.value != mode._read())
    mode.pick(other)
    assert {context.sheet_row.items[i].config["mode"] for i in ("rt0", "rt1")} == {other}
    assert context.document.undo_stack.count() == 1


def test_server_sheets_say_how_many_servers_an_edit_means(app: QApplication) -> None:
    context = stage("node-after")
    panel = shown(context)
    assert panel.banner.isVisible() and panel.banner.text() == "Edits apply to all 24 servers"
    context.open_sheet("fabric")
    panel.refresh()
    assert not panel.banner.isVisible()


def test_budgets_carry_figures_and_the_verdict(app: QApplication) -> None:
    context = stage("node-after")
    rows = sheet_budgets(context, "node-after")
    assert [(b.label, b.figure, b.verdict) for b in rows] == [
        ("Lanes, CPU0", "80 / 80", "ok"),
        ("Power", "10.3 / 13.2 kW", "ok"),
        ("Power, ext0", "1.5 / 1.6 kW", "error"),  # 1.5 kW and 10 % reserve are over 1.6 kW
    ]
    assert power_budget("Power", 500.0, 0.0).figure == "0.50 kW"
    context.open_sheet("fabric")
    leaf = context.eff.items["leaf"]
    # 8 cages down (1-8) and 16 up (17-32) of 32
    assert [b.figure for b in item_budgets(context, leaf, leaf.part)] == ["24 / 32"]
    node = context.eff.items["node"]
    assert [b.figure for b in item_budgets(context, node, None)] == ["80 / 80", "10.3 / 13.2 kW"]
    assert "node-after" in SHEETS


def test_findings_of_the_selection_with_their_fix(app: QApplication) -> None:
    context = stage("node-after")
    panel = shown(context, "gpu8")
    assert panel.page is not None
    boxes = panel.page.notices()
    assert len(boxes) == 1
    boxes[0].buttons()[0].click()
    assert context.design_row.settings["nccl.p2p_level"] == "SYS"
    context.document.select(["sw0"])
    panel.refresh()
    assert len(panel.page.notices()) == 1 and panel.page.notices()[0].buttons() == []


@pytest.mark.parametrize("template", ["seed-a-256x8", "seed-b-512"])
def test_every_page_can_be_made_and_every_control_has_a_name(app: QApplication, template: str) -> None:
    from fabricwright.design.templates import TEMPLATES
    from fabricwright.ui.document import Document

    if template not in TEMPLATES:
        pytest.skip(f"no template {template}")
    context = UiContext(Document(TEMPLATES[template].build()))
    panel = InspectorPanel(context)
    for sheet in context.design_row.sheets:
        context.open_sheet(sheet)
        eff = context.eff
        for row_id in (*eff.items, *eff.links, *list(eff.builtin_links)[:6], *list(eff.slots)[:6]):
            context.document.select([row_id])
            panel.refresh()
            assert panel.page is not None
            assert all(f.control.accessibleName() for f in panel.page.fields())


def test_language_switch_makes_the_page_anew(app: QApplication) -> None:
    context = stage()
    panel = shown(context, "leaf")
    install_language(app, "zh_CN")
    context.set_language("zh_CN")
    app.processEvents()
    panel.refresh()
    assert panel.page is not None and panel.page.fields()[0].label.text()
