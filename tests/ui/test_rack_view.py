"""The elevation view: what is drawn, picked, moved, asked; one undo entry for each gesture."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication

from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Project
from fabricwright.exchange.elevation import Device
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.racks.room import lay_out
from fabricwright.ui.racks.seat_dialog import SeatDialog
from fabricwright.ui.racks.view import RackView
from fabricwright.ui.racks.words import device_tip, number, rack_title
from fabricwright.units.text import Message
from tests.rules.test_racks import racked
from tests.topology.samples import template

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


class Shown:
    """A view on a project, and what it said."""

    def __init__(self, qtbot, project: Project) -> None:
        self.document = Document(project)
        self.context = UiContext(self.document)
        self.said: list[tuple[Message, str]] = []
        self.context.said.connect(lambda message, severity: self.said.append((message, severity)))
        self.panel = RackView(self.context)
        qtbot.addWidget(self.panel)
        self.panel.resize(1200, 760)
        self.panel.show()
        self.panel.shown(True)
        self.view = self.panel.view

    def device(self, item: str, member: int) -> Device:
        found = self.view.elevation.find(item, member)
        assert found is not None
        return found

    def point(self, item: str, member: int) -> QPoint:
        """Middle of a device in the viewport, after scrolling to it."""
        device = self.device(item, member)
        rack = self.view.elevation.rack_of(item, member)
        stand = self.view.room.stand_of(rack.racks, rack.index)
        box = stand.unit_box(device.u, device.height_u)
        self.view._show(box)
        return self.view.to_view(box).center().toPoint()

    def unit(self, racks: str, index: int, u: int) -> QPoint:
        box = self.view.room.stand_of(racks, index).unit_box(u, 1)
        return self.view.to_view(box).center().toPoint()


@pytest.fixture
def superpod(app: QApplication, qtbot, all_painted: None) -> Shown:
    return Shown(qtbot, template("superpod-h100-127"))


@pytest.fixture
def small(app: QApplication, qtbot, all_painted: None) -> Shown:
    """Four servers of 8 U in a rack, a second rack beside it: units 1-32 taken, 33-48 free."""
    return Shown(qtbot, racked(4, 4, racks=2, rack="rack-48u-60kw"))


def test_rows_and_figures_of_the_room(superpod: Shown) -> None:
    assert [len(row.stands) for row in superpod.view.room.rows] == [9, 9, 9, 9, 2]
    assert "38 racks in 5 rows" in superpod.panel.figures.text()
    assert "40.8 kW" in superpod.panel.figures.text()


def test_equal_racks_fold(superpod: Shown) -> None:
    superpod.panel.fold.click()
    assert superpod.view.folded
    # Rows 1 to 3 are alike: 8 server racks, one network rack. Row 4 lacks a server in its last rack.
    rows = superpod.view.room.rows
    assert [row.rows for row in rows] == [(0, 1, 2), (3,), (4,)]
    assert [s.many for s in rows[0].stands] == [24, 3]
    assert [s.many for s in rows[1].stands] == [7, 1, 1]
    assert rack_title(rows[0].stands[0].racks)[0] == "r101 … r308"
    # What is picked elsewhere is the rack that is shown of its pile.
    superpod.context.document.select(["node"], {"node": IndexSet.of((5,))})
    assert superpod.view.room.rows[0].stands[0].rack.label == "r102"
    superpod.view.viewport().repaint()


def test_every_zoom_paints(superpod: Shown) -> None:
    for zoom in (0.05, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0):
        superpod.view.zoom_to(zoom)
        superpod.view.viewport().repaint()
        assert superpod.view.zoom == pytest.approx(zoom)
    superpod.view.fit()
    assert superpod.view.zoom < 0.6


def test_a_click_selects_the_member_and_selection_comes_back(qtbot, superpod: Shown) -> None:
    qtbot.mouseClick(superpod.view.viewport(), LEFT, pos=superpod.point("node", 6))
    assert superpod.context.selection == ["node"]
    assert superpod.document.members["node"] == IndexSet.of((6,))
    superpod.context.document.select(["spine"], {"spine": IndexSet.of((9,))})
    assert superpod.view.state.chosen == ("spine", 9)
    superpod.context.document.select(["lrack"])
    assert len(superpod.view.state.chosen_racks) == 4 and superpod.view.state.chosen is None
    superpod.view.viewport().repaint()


def test_a_drag_is_one_undo_entry(qtbot, small: Shown) -> None:
    view = small.view.viewport()
    start, end = small.point("node", 3), small.unit("rack", 1, 12)
    qtbot.mousePress(view, LEFT, pos=start)
    qtbot.mouseMove(view, start + QPoint(10, 10))
    _move(small, end)
    assert small.view.state.target is not None and small.view.state.target[3]
    view.repaint()
    qtbot.mouseRelease(view, LEFT, pos=end)
    assert small.device("node", 3).by_hand
    assert small.view.elevation.rack_of("node", 3).index == 1
    assert small.document.undo_stack.count() == 1
    small.document.undo_stack.undo()
    assert not small.device("node", 3).by_hand


def test_an_illegal_place_says_why(qtbot, small: Shown) -> None:
    view = small.view.viewport()
    start, end = small.point("node", 3), small.point("node", 0)
    qtbot.mousePress(view, LEFT, pos=start)
    _move(small, start + QPoint(10, 10))
    _move(small, end)
    assert small.view.state.target is not None and not small.view.state.target[3]
    view.repaint()
    qtbot.mouseRelease(view, LEFT, pos=end)
    assert small.document.undo_stack.count() == 0
    assert small.said and "stands in unit" in small.said[-1][0].english() and small.said[-1][1] == "error"


def _move(shown: Shown, to: QPoint) -> None:
    """A mouse move with the left button down, which QTest cannot send."""
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    at = QPointF(to)
    event = QMouseEvent(
        QEvent.Type.MouseMove, at, shown.view.viewport().mapToGlobal(at), LEFT, LEFT, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(shown.view.viewport(), event)


def test_arrows_walk_and_ctrl_arrows_move(qtbot, small: Shown) -> None:
    small.view.setFocus()
    qtbot.keyClick(small.view, Qt.Key.Key_Down)  # nothing picked: the topmost of the first rack
    assert small.view.state.chosen == ("node", 3)
    qtbot.keyClick(small.view, Qt.Key.Key_Down)
    assert small.view.state.chosen == ("node", 2)
    qtbot.keyClick(small.view, Qt.Key.Key_Up)
    qtbot.keyClick(small.view, Qt.Key.Key_Up, CTRL)  # 25-32 -> 26-33
    assert small.device("node", 3).u == 26
    qtbot.keyClick(small.view, Qt.Key.Key_Right, CTRL)
    assert small.view.elevation.rack_of("node", 3).index == 1
    assert small.view.state.chosen == ("node", 3)
    qtbot.keyClick(small.view, Qt.Key.Key_Left)
    assert small.view.state.chosen == ("node", 2)  # at the nearest height in the rack beside it
    qtbot.keyClick(small.view, Qt.Key.Key_Left, CTRL)
    assert "no rack on that side" in small.said[-1][0].english()


def test_enter_opens_the_server(qtbot, superpod: Shown) -> None:
    qtbot.mouseClick(superpod.view.viewport(), LEFT, pos=superpod.point("node", 6))
    qtbot.keyClick(superpod.view, Qt.Key.Key_Return)
    assert (superpod.context.sheet, superpod.context.host) == ("node", "node")


def test_the_menu_puts_a_member_back(small: Shown) -> None:
    where = {"sheet": "fabric", "item": "node", "member": 3, "rack": 1, "u": 1}
    small.context.edit("seat_member", where)
    device = small.device("node", 3)
    texts = {a.text(): a for a in small.panel.menu_for(device, small.view.elevation.racks[1]).actions()}
    texts["Put back where the rule seats it"].trigger()
    assert small.device("node", 3).u == 25 and not small.device("node", 3).by_hand


def test_tips_give_units_watts_and_heat(superpod: Shown) -> None:
    rack = superpod.view.elevation.rack_of("node", 6)
    told = device_tip(superpod.device("node", 6), rack, superpod.context.project, ["PWR-06: too hot"])
    # 10,200 W x 3.412142 BTU/h
    assert "U17–24 of r102, 8 U" in told and "10.2 kW (34,804 BTU/h)" in told and "PWR-06" in told
    stand = superpod.view.room.stand_of("rack", 0)
    head = superpod.view.to_view(stand.box).topLeft() + QPointF(30, 4)
    assert "Power: 40.8 of 60 kW" in superpod.view.tip_at(head)


def test_findings_stand_at_racks_and_devices(superpod: Shown) -> None:
    superpod.context.analysis.change_findings(
        [
            {"key": "a", "rule": "PWR-06", "severity": "warning", "at": ["rack"], "members": "0-3", "message": "hot"},
            {"key": "b", "rule": "FAB-01", "severity": "error", "at": ["leaf"], "members": "", "message": "full"},
            {"key": "c", "rule": "LAN-01", "severity": "error", "at": ["node/nic0"], "members": "", "message": "x"},
            {"key": "d", "rule": "PWR-08", "severity": "error", "at": ["spine"], "approved": {"reason": "ok"}},
        ],
        [],
        [],
    )
    state = superpod.view.state
    assert (state.sign("rack", 3), state.sign("rack", 4), state.sign("leaf", 7)) == ("warning", "", "error")
    assert (state.sign("node", 0), state.sign("spine", 0)) == ("", "")
    superpod.view.viewport().repaint()


def test_an_empty_design_says_what_to_do(app: QApplication, qtbot, all_painted: None) -> None:
    from fabricwright.ui.file_commands import blank_project

    shown = Shown(qtbot, blank_project())
    assert shown.panel.empty.isVisible() and not shown.view.isVisible()


def test_racks_appear_when_the_devices_are_seated(superpod: Shown) -> None:
    root = superpod.context.design_row.root
    racks = ["rack", "lrack", "mrack"]
    superpod.context.edit("remove", sheet=root, ids=racks)
    assert superpod.panel.empty.isVisible() and superpod.view.elevation.unseated["node"] == 127
    dialog = SeatDialog(superpod.panel, superpod.context)
    superpod.context.edit(dialog.call())
    dialog.close()
    assert superpod.view.isVisible() and not superpod.panel.empty.isVisible()
    superpod.document.undo_stack.undo()
    superpod.document.undo_stack.undo()
    assert len(superpod.view.elevation.racks) == 38


def test_the_dialog_shows_the_plan_and_seats_in_one_step(superpod: Shown) -> None:
    dialog = SeatDialog(superpod.panel, superpod.context)
    dialog.show()
    # 60 kW: five of 10.2 kW (51 kW); 128 / 5 -> 26 racks.
    assert dialog.rack.currentData() == "rack-48u-60kw"
    assert dialog.plan.plan.seats["node"].per_rack == 5
    assert "power decides" in dialog.notes.text()
    dialog.grab()
    dialog.rack.setCurrentIndex(dialog.rack.findData("rack-42u-8kw"))
    assert not dialog.accept_button.isEnabled() and "8 kW" in dialog.notes.text()
    dialog.rack.setCurrentIndex(dialog.rack.findData("rack-48u-40kw"))
    dialog.leafs._pick("middle")
    call = dialog.call()
    dialog.close()
    assert superpod.context.edit(call) is not None
    assert superpod.document.undo_stack.count() == 1
    assert {b.severity for r in superpod.view.elevation.racks for b in r.budgets} == {""}


def test_a_large_room_is_folded_and_laid_out(app: QApplication, qtbot, all_painted: None) -> None:
    shown = Shown(qtbot, racked(1024, 4, racks=256, rack="rack-48u-60kw"))
    assert shown.view.folded and [s.many for s in shown.view.room.stands()] == [256]
    shown.view.set_fold(False)
    room = lay_out(shown.view.elevation, False)
    assert len(room.stands()) == 256
    # Only what a part of the scene shows is painted.
    first = room.stands()[0].box
    assert len(list(room.visible(first))) <= 2
    shown.view.viewport().repaint()


def test_in_the_window_enter_leads_to_the_drawing(app: QApplication, qtbot, all_painted: None, tmp_path) -> None:
    from tests.ui.canvas_stage import close, make_stage

    stage = make_stage(template("pcie-4gpu-1nic"), tmp_path)
    window = stage.window
    assert window.commands.show_view("racks")
    panel = window.views.widget_of("racks")
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    assert stage.context.selection == ["node"]
    window.views.zoomed().zoom_to(0.8)
    assert panel.view.zoom == pytest.approx(0.8)
    panel.view.fit_selection()
    qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert window.views.current == "canvas" and stage.context.sheet == "node"
    close(stage)


def test_the_head_says_what_the_bars_are(superpod: Shown) -> None:
    key = superpod.panel.bars
    what = {b.what for r in superpod.view.elevation.racks for b in r.budgets}
    assert not key.isHidden() and {"units", "power", "weight"} <= what
    text = key.label.text()
    places = [text.index(word) for word in ("units used", "power against cooling", "weight")]
    assert places == sorted(places)
    most = max(b.value for r in superpod.view.elevation.racks for b in r.budgets if b.what == "power")
    assert f"Power: {number(most)}" in key.toolTip()
    key.show_racks(())
    assert key.isHidden()
