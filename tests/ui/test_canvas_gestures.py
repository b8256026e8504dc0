"""What a person does with the mouse: place, drop on a slot, force, link, select, move, copy, undo. One gesture is one
undo entry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt

from fabricwright.design import storage
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui import dialogs
from fabricwright.ui.paint.scene import Style
from tests.ui.canvas_stage import ALT, CTRL, SHIFT, Stage, close, make_stage

pytestmark = [pytest.mark.gui, pytest.mark.usefixtures("all_painted")]


@pytest.fixture
def seed_b(app, tmp_path: Path) -> Iterator[Stage]:
    stage = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    yield stage
    close(stage)


@pytest.fixture
def one_nic(app, tmp_path: Path) -> Iterator[Stage]:
    stage = make_stage(TEMPLATES["pcie-4gpu-1nic"].build(), tmp_path)
    yield stage
    close(stage)


# -- placing ---------------------------------------------------------------------------------------------------------


def test_server_dropped_on_an_empty_fabric_brings_its_sheet_and_is_one_undo_entry(blank: Stage) -> None:
    before = storage.dumps(blank.context.project)
    assert blank.drop_part("dgx-h100", QPointF(0, 0))
    assert list(blank.items) == ["node0"] and blank.items["node0"].of == "sheet:node"
    assert blank.context.selection == ["node0"]
    assert blank.document.undo_stack.count() == 1
    blank.document.undo()
    assert storage.dumps(blank.context.project) == before and not blank.document.modified
    blank.document.redo()
    assert "node0" in blank.items


def test_position_of_a_drop_snaps_to_ten(blank: Stage) -> None:
    blank.drop_part("sn4700", QPointF(203, 151))
    x, y = blank.context.sheet_row.look["leaf0"].xy
    assert x % 10 == 0 and y % 10 == 0


def test_gpu_over_the_fabric_is_refused_with_a_reason_and_over_a_server_opens_it(one_nic: Stage) -> None:
    said = []
    one_nic.context.said.connect(lambda message, severity: said.append((message.english(), severity)))
    assert not one_nic.drop_part("h100-pcie-80gb", QPointF(-2000, -2000))
    assert said and "goes into a server" in said[0][0]
    one_nic.drop_part("h100-pcie-80gb", one_nic.at("node"))
    assert one_nic.context.sheet == "node"
    assert one_nic.window.canvas.tool.busy  # the card hangs on the pointer


def test_place_mode_repeats_until_escape(qtbot, blank: Stage) -> None:
    blank.context.start_place("sn4700")
    blank.click(QPointF(0, 0))
    blank.click(QPointF(400, 0))
    assert list(blank.items) == ["leaf0", "leaf1"]
    blank.window.actions_set["cancel"].trigger()
    blank.click(QPointF(0, 400))
    assert list(blank.items) == ["leaf0", "leaf1"]


# -- slots -----------------------------------------------------------------------------------------------------------


def test_legal_slots_light_up_while_a_card_hangs_over_the_sheet(one_nic: Stage) -> None:
    one_nic.open("node")
    one_nic.hover_part("lres1260pf-2qsfp112", one_nic.at("chassis:n2"))
    state = one_nic.view.state
    n2 = one_nic.scene.by_id["chassis:n2"][0]
    taken = one_nic.scene.by_id["nic0"][0]
    assert state.signs[n2].state == "ok" and state.hot == n2
    assert state.signs[taken].state == "error" and "MEC-01" in state.signs[taken].lines
    assert state.ghost is not None and "n2" in state.ghost.tip_title.lower()
    # 80 of 80 lanes are wired to slots; the card takes 16 of socket 1, which holds none yet.
    lanes = {row[0]: row[1] for row in state.ghost.tip_rows}
    assert lanes == {} or "→" in next(iter(lanes.values()))
    one_nic.window.canvas.tool.drag_leave()
    assert not one_nic.view.state.signs and one_nic.view.state.ghost is None


def test_drop_on_a_legal_slot(one_nic: Stage) -> None:
    one_nic.open("node")
    assert one_nic.drop_part("lres1260pf-2qsfp112", one_nic.at("chassis:n2"))
    row = one_nic.items["nic1"]
    assert row.seat == "chassis:n2" and not row.forced
    assert one_nic.document.undo_stack.undoText() == "Add part"


def test_drop_on_a_taken_slot_needs_alt_and_is_recorded(one_nic: Stage) -> None:
    one_nic.open("node")
    said = []
    one_nic.context.said.connect(lambda message, severity: said.append(message.english()))
    assert not one_nic.drop_part("lr-cxl-generic", one_nic.at("nic0"))
    assert "cxl0" not in one_nic.items and "MEC-01" in said[0] and "Alt" in said[0]
    assert one_nic.drop_part("lr-cxl-generic", one_nic.at("nic0"), ALT)
    row = one_nic.items["cxl0"]
    assert row.seat == "chassis:n1" and row.forced
    assert one_nic.scene.card(one_nic.scene.by_id["cxl0"][0]).forced


def test_card_dragged_to_another_slot_moves_there(one_nic: Stage) -> None:
    one_nic.open("node")
    one_nic.drag(one_nic.at("nic0"), one_nic.at("chassis:n2"))
    assert one_nic.items["nic0"].seat == "chassis:n2"
    one_nic.document.undo()
    assert one_nic.items["nic0"].seat == "chassis:n1"


def test_keyboard_walks_the_slots_and_drops(one_nic: Stage) -> None:
    one_nic.open("node")
    one_nic.context.start_place("lres1260pf-2qsfp112")
    next_slot = one_nic.window.actions_set["next-part"].trigger
    seen = []
    for _ in range(3):
        next_slot()
        seen.append(one_nic.window.canvas.tool.gesture.placement.slot)
    assert seen == ["chassis:n2", "chassis:n3", "chassis:n2"]  # legal: the free x16 slots of socket 1
    next_slot()
    one_nic.window.actions_set["enter"].trigger()
    assert one_nic.items["nic1"].seat == "chassis:n3"
    assert one_nic.context.sheet == "node"


def test_built_in_parts_cannot_be_dragged(seed_b: Stage) -> None:
    seed_b.open("node")
    seed_b.drag(seed_b.at("gpu0"), seed_b.at("gpu0") + QPointF(300, 0))
    assert seed_b.document.undo_stack.count() == 0


def test_retimer_dropped_into_a_cable_splits_it(app, tmp_path: Path) -> None:
    stage = make_stage(TEMPLATES["seed-a-256x8"].build(), tmp_path)
    stage.open("node")
    edges = stage.scene.edges
    index = next(i for i in range(len(edges)) if edges.links[int(edges.link[i])] == "c1")
    course = edges.polyline(index)
    middle = QPointF(float(course[:, 0].mean()), float((course[0, 1] + course[-1, 1]) / 2))
    assert stage.drop_part("lrsv9560-2i", middle)
    assert stage.links["c1"].b == "rt2:up" and "rt2" in stage.items
    close(stage)


# -- links -----------------------------------------------------------------------------------------------------------


def test_link_from_a_server_port_to_a_switch_picks_free_ports(blank: Stage) -> None:
    blank.drop_part("dgx-h100", QPointF(0, 400))
    blank.context.edit("set_count", item="node0", count=4)
    blank.drop_part("qm9700", QPointF(0, 0))
    blank.view.fit()
    blank.drag(blank.port("node0", "node0:compute"), blank.at("leaf0"))
    (link,) = blank.links.values()
    # 4 servers x 8 ports on one switch: 32 twin ports of 400G = cages 1-16.
    assert (link.a, link.b, link.wire.mode, link.network, link.medium) == (
        "node0:compute",
        "leaf0:1-16/1-2",
        "deal",
        "compute",
        "ib",
    )
    assert blank.context.selection == ["link0"]


def test_leaf_and_spine_are_meshed(blank: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    from fabricwright.ui.wiring.dialog import WiringDialog

    monkeypatch.setattr(WiringDialog, "exec", lambda dialog: dialog.DialogCode.Accepted)  # as it is proposed
    blank.drop_part("sn4700", QPointF(0, 300))
    blank.drop_part("sn4700", QPointF(0, 0))
    for item, count in (("leaf0", 4), ("leaf1", 2)):
        blank.context.edit("set_count", item=item, count=count)
    blank.view.fit()
    blank.window.actions_set["link-mode"].trigger()
    assert blank.window.canvas.tool.mode == "link"
    blank.drag(blank.at("leaf0", dy=0.3), blank.at("leaf1"))
    (link,) = blank.links.values()
    # 32 ports over 2 spines = 16 each; 32 ports of a spine over 4 leafs = 8 each; 8 per pair.
    assert link.wire.mode == "mesh" and link.wire.per_pair == 8
    assert (link.a, link.b) == ("leaf0:1-16", "leaf1:1-32")


def test_illegal_link_says_why_before_it_is_dropped(one_nic: Stage) -> None:
    one_nic.open("node")
    one_nic.press(one_nic.port("nic0", "nic0:1"))
    for k in range(1, 5):
        one_nic.move(one_nic.port("nic0", "nic0:1") + QPointF(10 * k, 20))
    one_nic.move(one_nic.at("gpu0"))
    link = one_nic.view.state.link
    assert link is not None and link.state in ("warn", "error") and link.lines
    one_nic.window.canvas.tool.cancel()
    assert one_nic.document.undo_stack.count() == 0


# -- selecting and moving --------------------------------------------------------------------------------------------


def test_click_selects_the_member_that_was_meant_and_empty_deselects(seed_b: Stage) -> None:
    seed_b.click(seed_b.at("leaf", 2))
    assert seed_b.context.selection == ["leaf"]
    assert [str(a) for a in seed_b.context.addresses] == ["leaf[2]"]
    seed_b.click(seed_b.at("spine"), SHIFT)
    assert seed_b.context.selection == ["leaf", "spine"]
    seed_b.click(QPointF(-500, -500))
    assert seed_b.context.selection == []


def test_click_on_a_bundle_selects_the_link(seed_b: Stage) -> None:
    edges = seed_b.scene.edges
    index = next(i for i in range(len(edges)) if edges.links[int(edges.link[i])] == "up")
    course = edges.polyline(index)
    seed_b.click(QPointF(float(course[0, 0]) + 1, float(course[0, 1] * 0.25 + course[-1, 1] * 0.75)))
    assert seed_b.context.selection == ["up"]


def test_rubber_band_both_ways(seed_b: Stage) -> None:
    x, y, w, h = seed_b.scene.bounds()
    seed_b.drag(QPointF(x - 20, y - 20), QPointF(x + w + 20, y + h + 20))
    assert {"spine", "leaf", "node", "rack", "nrack", "down", "up"} == set(seed_b.context.selection)
    box = seed_b.scene.box(seed_b.scene.by_id["spine"][0])
    x, low = box[0] + box[2] / 2, box[1] + box[3]
    seed_b.drag(QPointF(x + 40, low + 30), QPointF(x + 20, low - 5))  # right to left: touched is enough
    assert seed_b.context.selection == ["spine"]
    seed_b.drag(QPointF(x + 20, low + 30), QPointF(x + 40, low - 5))  # left to right: must be inside
    assert seed_b.context.selection == []


def test_move_snaps_is_one_patch_and_undo_during_the_drag_cancels_it(seed_b: Stage) -> None:
    start = seed_b.at("spine", dx=0.1)
    seed_b.press(start)
    for k in range(1, 6):
        seed_b.move(start + QPointF(8 * k, -20 * k))
    assert seed_b.view.state.hidden_cards
    seed_b.document.undo()
    assert not seed_b.view.state.hidden_cards and seed_b.document.undo_stack.count() == 0
    seed_b.release(start)
    seed_b.drag(start, start + QPointF(4, -163))
    _x, y = seed_b.context.sheet_row.look["spine"].xy
    assert y % 10 == 0 and y < 0
    assert seed_b.document.undo_stack.count() == 1 and seed_b.document.undo_stack.undoText() == "Move"
    seed_b.document.undo()
    assert not seed_b.context.sheet_row.look and not seed_b.document.modified


def test_the_keys_of_undo_cancel_the_first_drag_of_all(qtbot, seed_b: Stage) -> None:
    start = seed_b.at("spine", dx=0.1)
    assert not seed_b.window.actions_set["undo"].isEnabled()  # nothing to take back: the key comes to the canvas
    seed_b.press(start)
    seed_b.move(start + QPointF(40, -60))
    seed_b.move(start + QPointF(60, -80))
    assert seed_b.view.state.hidden_cards
    seed_b.key(qtbot, Qt.Key.Key_Z, CTRL)
    assert not seed_b.view.state.hidden_cards
    seed_b.release(start + QPointF(60, -80))
    assert seed_b.document.undo_stack.count() == 0 and not seed_b.context.sheet_row.look


def test_escape_cancels_a_drag(seed_b: Stage) -> None:
    start = seed_b.at("spine", dx=0.1)
    seed_b.press(start)
    seed_b.move(start + QPointF(40, -60))
    seed_b.move(start + QPointF(60, -80))
    seed_b.window.actions_set["cancel"].trigger()
    seed_b.release(start + QPointF(60, -80))
    assert seed_b.document.undo_stack.count() == 0


def test_shift_keeps_one_axis(seed_b: Stage) -> None:
    start = seed_b.at("spine", dx=0.1)
    x0 = seed_b.scene.box(seed_b.scene.by_id["spine"][0])[0]
    seed_b.drag(start, start + QPointF(30, -200), SHIFT)
    assert seed_b.context.sheet_row.look["spine"].xy[0] == x0


def test_ctrl_drag_copies(seed_b: Stage) -> None:
    start = seed_b.at("spine", dx=0.1)
    seed_b.press(start)
    seed_b.release(start)
    seed_b.drag(start, start + QPointF(0, -300), CTRL)
    assert "spine0" in seed_b.items and seed_b.items["spine0"].axes == seed_b.items["spine"].axes


def test_arrows_nudge_and_grow_one_entry(qtbot, seed_b: Stage) -> None:
    seed_b.document.select(["spine"])
    x0, y0 = seed_b.scene.box(seed_b.scene.by_id["spine"][0])[:2]
    for _ in range(3):
        seed_b.key(qtbot, Qt.Key.Key_Up)
    assert seed_b.context.sheet_row.look["spine"].xy == (x0, y0 - 30)
    assert seed_b.document.undo_stack.count() == 1


def test_delete_takes_links_along_and_undo_brings_them_back(seed_b: Stage) -> None:
    before = storage.dumps(seed_b.context.project)
    seed_b.document.select(["spine"])
    seed_b.window.actions_set["delete"].trigger()
    assert "spine" not in seed_b.items and "up" not in seed_b.links and seed_b.context.selection == []
    seed_b.document.undo()
    assert storage.dumps(seed_b.context.project) == before


def test_copy_and_paste(seed_b: Stage) -> None:
    seed_b.document.select(["leaf", "spine"])
    seed_b.window.actions_set["copy"].trigger()
    seed_b.window.actions_set["paste"].trigger()
    assert {"leaf0", "spine0"} <= set(seed_b.items)
    pasted = [link for key, link in seed_b.links.items() if key not in ("up", "down")]
    assert [(link.a, link.b) for link in pasted] == [("leaf0:17-32", "spine0:1-32")]
    assert set(seed_b.context.selection) == {"leaf0", "spine0"}


# -- sheets and names ------------------------------------------------------------------------------------------------


def test_double_click_enters_the_server_and_alt_up_leads_back(qtbot, seed_b: Stage) -> None:
    seed_b.double(seed_b.at("node", 1))
    qtbot.waitUntil(lambda: seed_b.context.sheet == "node", timeout=3000)
    assert seed_b.scene.kind == "server" and seed_b.context.host == "node"
    assert seed_b.window.canvas.path.path()[-1][1] == "32 × DGX H100"
    assert seed_b.window.canvas.applies.text() == "Edits apply to all 32 servers"
    seed_b.window.actions_set["up"].trigger()
    assert seed_b.context.sheet == "fabric" and seed_b.context.selection == ["node"]


def test_members_with_an_exception_open_their_own_sheet(seed_b: Stage) -> None:
    seed_b.context.open_design("after")
    assert seed_b.context.go_to("node[3]/cxl0")
    assert seed_b.context.sheet == "node-after-cxl" and seed_b.context.selection == ["cxl0"]
    assert seed_b.window.canvas.applies.text() == "Edits apply to all 8 servers"


def test_rename_in_place(qtbot, seed_b: Stage) -> None:
    from fabricwright.ui.canvas.rename import InlineRename

    seed_b.document.select(["nrack"])
    seed_b.window.actions_set["rename"].trigger()
    editor = seed_b.view.viewport().findChild(InlineRename)
    editor.setText("网络机柜")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert seed_b.items["nrack"].name == "网络机柜"
    assert any("网络机柜" in t for t in seed_b.scene.card(seed_b.scene.by_id["nrack"][0]).titles)


def test_tab_walks_the_cards(seed_b: Stage) -> None:
    seen = []
    for _ in range(4):
        seed_b.window.actions_set["next-part"].trigger()
        seen.append(str(seed_b.context.addresses[0]))
    assert seen == ["spine", "leaf[0]", "leaf[1]", "leaf[2]"]


# -- files -----------------------------------------------------------------------------------------------------------


def test_save_reopen_and_the_clean_mark(qtbot, seed_b: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "方案 v2.fwproj"
    monkeypatch.setattr(dialogs, "ask_save", lambda *_a, **_k: target)
    seed_b.context.edit("set_count", item="spine", count=4)
    assert seed_b.document.modified and seed_b.window.isWindowModified()
    seed_b.window.actions_set["save"].trigger()
    assert target.exists() and not seed_b.document.modified and target.name in seed_b.window.windowTitle()
    seed_b.document.undo()
    assert seed_b.document.modified
    seed_b.document.redo()
    assert not seed_b.document.modified
    monkeypatch.setattr(dialogs, "ask_open", lambda *_a: target)
    seed_b.window.actions_set["open"].trigger()
    assert dict(seed_b.items["spine"].axes) == {"spine": 4}


def test_wrong_file_gives_a_sentence_and_leaves_the_project(
    seed_b: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []
    monkeypatch.setattr(dialogs, "show_problem", lambda _parent, message: shown.append(message.english()))
    wrong = tmp_path / "wrong.fwproj"
    wrong.write_text("{")
    before = seed_b.context.project
    assert not seed_b.window.commands.open_path(wrong)
    assert seed_b.context.project is before and len(shown) == 1 and "wrong.fwproj" in shown[0] and "\n" not in shown[0]


@pytest.mark.parametrize(("answer", "leaves"), [("discard", True), ("cancel", False), ("save", False)])
def test_unsaved_changes_are_asked_about(
    seed_b: Stage, monkeypatch: pytest.MonkeyPatch, answer: str, leaves: bool
) -> None:
    asked = []
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda _w, name: asked.append(name) or answer)
    monkeypatch.setattr(dialogs, "ask_save", lambda *_a, **_k: None)  # the person backs out of choosing a name
    assert seed_b.window.may_leave() and not asked
    seed_b.context.edit("retitle", title="Other")
    assert seed_b.window.may_leave() is leaves
    assert asked == ["Other"]


def test_every_undo_gives_the_same_bytes_again(seed_b: Stage) -> None:
    first = storage.dumps(seed_b.context.project)
    seed_b.drop_part("sn4700", QPointF(-400, 0))
    seed_b.drag(seed_b.at("leaf0"), seed_b.at("leaf0") + QPointF(-200, 40))
    seed_b.context.edit("rename", item="leaf0", name="new")
    seed_b.document.select(["up"])
    seed_b.window.actions_set["delete"].trigger()
    last = storage.dumps(seed_b.context.project)
    while seed_b.document.undo_stack.canUndo():
        seed_b.document.undo()
    assert storage.dumps(seed_b.context.project) == first and not seed_b.document.modified
    while seed_b.document.undo_stack.canRedo():
        seed_b.document.redo()
    assert storage.dumps(seed_b.context.project) == last


def test_frames_are_not_selected(seed_b: Stage) -> None:
    frame = next(i for i in range(len(seed_b.scene)) if seed_b.scene.style[i] == Style.FRAME)
    x, y, _w, h = seed_b.scene.box(frame)
    seed_b.click(QPointF(x + 6, y + h - 6))
    assert seed_b.context.selection == []
