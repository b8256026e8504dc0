"""Groups in the inspector: what edits apply to, members that differ, places in racks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from fabricwright.design.indexset import IndexSet
from fabricwright.design.templates import TEMPLATES
from fabricwright.exchange.bom import bom
from fabricwright.ui.paint.guard import clear_reported, reported_failures
from fabricwright.ui.panels.fields import FactField
from fabricwright.ui.panels.inspector import InspectorPanel
from fabricwright.ui.panels.inspector_group import ExceptionsSection, parse_places
from fabricwright.ui.widgets import SectionHeader
from tests.ui.canvas_stage import Stage, close, make_stage

pytestmark = pytest.mark.gui


@pytest.fixture
def seed_a(app, tmp_path: Path) -> Iterator[Stage]:
    clear_reported()
    stage = make_stage(TEMPLATES["seed-a-256x8"].build(), tmp_path)
    yield stage
    close(stage)
    assert reported_failures() == frozenset()


def show(stage: Stage, *members: int) -> tuple[InspectorPanel, ExceptionsSection]:
    stage.context.open_sheet("fabric")
    stage.document.select(["node"], {"node": IndexSet.of(members)} if members else None)
    panel = stage.window.docks.panels["inspector"]
    panel.refresh()
    panel.page.fill_folds()
    return panel, panel.page.findChild(ExceptionsSection)


def test_what_edits_apply_to_is_always_said(seed_a: Stage) -> None:
    panel, _ = show(seed_a)
    assert "all 256" in panel.banner.text() and panel.banner.isVisibleTo(panel)
    panel, section = show(seed_a, 17)
    assert "all 256" in panel.banner.text() and "n018" in panel.banner.text()
    assert section.members.edit.text() == "17" and section.name.text() == "n018"
    seed_a.document.select(["rack"])
    seed_a.document.select(["down"])
    panel.refresh()
    assert not panel.banner.isVisibleTo(panel)


def test_node_17_has_a_cxl_card_is_a_click_and_a_drop(seed_a: Stage) -> None:
    _, section = show(seed_a, 17)
    section.differ.click()
    assert seed_a.context.sheet_row.base == "node"
    variant = seed_a.context.sheet
    panel, section = show(seed_a)
    assert len(section.rows) == 1 and section.rows[0].text.startswith("17")
    assert seed_a.items["node"].except_["17"].sheet == variant
    section.rows[0].back.click()
    assert not seed_a.items["node"].except_
    panel.refresh()
    assert not panel.page.findChild(ExceptionsSection).rows


def test_absent_members_and_detached_ones(qtbot, seed_a: Stage) -> None:
    panel, section = show(seed_a)
    assert not section.absent.isEnabled()
    qtbot.keyClicks(section.members.edit, "300")
    assert "255" in section.members.error.text() and not section.absent.isEnabled()
    section.members.edit.clear()
    qtbot.keyClicks(section.members.edit, "40-43")
    section.absent.click()
    assert seed_a.items["node"].except_["40-43"].absent
    panel.refresh()
    assert "absent" in section.rows[0].text
    qtbot.keyClicks(section.members.edit, "7")
    section.detach.click()
    assert len([i for i in seed_a.items.values() if i.of == "sheet:node"]) == 2
    assert seed_a.document.undo_stack.count() == 2


def test_places_in_racks_with_single_members_elsewhere(qtbot, seed_a: Stage) -> None:
    seed_a.context.open_folds.add("Racks")
    panel, _ = show(seed_a)
    page = panel.page
    field = page.field("Per rack")
    assert field.edit.text() == "4"
    for label, text in (("Per rack", "3"), ("First rack", "2"), ("Elsewhere", "17=40@12, 3=0@41")):
        edit = page.field(label).edit
        edit.setFocus()
        edit.selectAll()
        qtbot.keyClicks(edit, text)
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert [page.field(f).error.text() for f in ("Per rack", "First rack", "Elsewhere")] == [""] * 3
    seat = seed_a.context.sheet_row.seats["node"]
    assert (seat.per_rack, seat.first) == (3, 2)
    assert {k: (p.rack, p.u) for k, p in seat.except_.items()} == {"17": (40, 12), "3": (0, 41)}
    page.field("Stand in").pick(None)
    assert "node" not in seed_a.context.sheet_row.seats


@pytest.mark.parametrize("text", ["17", "17=3", "17@3", "x=1@2"])
def test_a_place_that_is_none_is_said(app, text: str) -> None:
    assert isinstance(parse_places(text), str)
    assert parse_places("4-5=3@40") == {"4-5": [3, 40]}


def test_members_and_groups_are_put_into_a_phase(seed_a: Stage) -> None:
    panel, section = show(seed_a, 17)
    assert "Phase" in [label.text() for label in panel.page.findChildren(QLabel)]
    next(row for row in section.phases.actions() if row.text() == "Phase 2").trigger()
    assert dict(seed_a.items["node"].except_["17"].config) == {"phase": 2}
    _, section = show(seed_a)
    assert section.rows[0].text == "17  Phase 2"
    table = bom(seed_a.context.project, seed_a.context.design, group="phase")
    assert {row.group.english() for row in table.groups} == {"Phase 1", "Phase 2"}


def test_a_fold_is_filled_when_it_is_first_opened(seed_a: Stage) -> None:
    seed_a.context.open_sheet("fabric")
    seed_a.document.select(["leaf"])
    panel = seed_a.window.docks.panels["inspector"]
    panel.refresh()
    head = next(h for h in panel.page.findChildren(SectionHeader) if h.text() == "Ports")
    before = {f.label.text() for f in panel.page.findChildren(FactField)}
    head.toggled.emit(True)
    ports = {f.label.text() for f in panel.page.findChildren(FactField)} - before
    assert len(ports) == min(64, len(seed_a.context.eff.items["leaf"].ports))
    head.toggled.emit(False)
    head.toggled.emit(True)
    assert {f.label.text() for f in panel.page.findChildren(FactField)} == before | ports
    seed_a.document.select(["spine"])
    panel.refresh()
    assert "Ports" in seed_a.context.open_folds
    shown = [f for f in panel.page.findChildren(FactField) if f.label.text() == "1"]
    assert shown and shown[0].isVisibleTo(panel.page)
