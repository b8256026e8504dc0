"""Arranging what is drawn, copies, groups, and what the clipboard gives to other programs."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage

from fabricwright.design import storage
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.file_commands import blank_project
from fabricwright.ui.paint.pick import card_at
from tests.ui.canvas_stage import ALT, CTRL, SHIFT, Stage, close, make_stage

pytestmark = [pytest.mark.gui, pytest.mark.usefixtures("all_painted")]


@pytest.fixture
def three(blank: Stage) -> Stage:
    """Three switches, nowhere in line."""
    for where in (QPointF(0, 0), QPointF(310, 130), QPointF(700, 20)):
        blank.drop_part("sn4700", where)
    assert list(blank.items) == ["leaf0", "leaf1", "leaf2"]
    blank.view.fit()
    blank.view.setFocus()
    return blank


@pytest.fixture
def server(app, tmp_path: Path) -> Iterator[Stage]:
    stage = make_stage(TEMPLATES["pcie-4gpu-1nic"].build(), tmp_path)
    stage.open("node")
    yield stage
    close(stage)


def box(stage: Stage, row: str) -> tuple[float, float, float, float]:
    return stage.scene.box(stage.scene.by_id[row][0])


def test_align_and_distribute(qtbot, three: Stage) -> None:
    three.key(qtbot, Qt.Key.Key_A, CTRL)
    three.key(qtbot, Qt.Key.Key_Up, CTRL | SHIFT)
    assert len({box(three, i)[1] for i in three.items}) == 1
    three.window.actions_set["distribute-horizontally"].trigger()
    xs = sorted((box(three, i)[0], box(three, i)[2]) for i in three.items)
    gaps = [b[0] - a[0] - a[1] for a, b in itertools.pairwise(xs)]
    assert gaps[0] == pytest.approx(gaps[1], abs=0.01)
    count = three.document.undo_stack.count()
    three.document.undo()
    three.document.undo()
    assert three.document.undo_stack.index() == count - 2


def test_align_needs_two(three: Stage) -> None:
    three.context.document.select(["leaf0"])
    assert not three.window.actions_set["align-left"].isEnabled()
    three.context.document.select(["leaf0", "leaf1"])
    assert three.window.actions_set["align-left"].isEnabled()
    assert not three.window.actions_set["distribute-vertically"].isEnabled()


def test_locked_stays_put(qtbot, three: Stage) -> None:
    said = []
    three.context.said.connect(lambda message, severity: said.append(message.english()))
    three.context.document.select(["leaf0"])
    three.window.actions_set["lock"].trigger()
    before = box(three, "leaf0")
    three.drag(three.at("leaf0"), three.at("leaf0") + QPointF(100, 100))
    three.context.document.select(["leaf0"])
    three.key(qtbot, Qt.Key.Key_Right)
    assert box(three, "leaf0") == before
    assert any("locked" in text for text in said)
    three.view.grab()  # with its padlock
    three.context.document.select(["leaf0"])
    three.window.actions_set["unlock"].trigger()
    three.drag(three.at("leaf0"), three.at("leaf0") + QPointF(100, 100))
    assert box(three, "leaf0") != before


def test_bring_to_front_decides_what_is_seen_and_hit(three: Stage) -> None:
    three.context.edit("move", places={"leaf0": [0, 0], "leaf1": [40, 20]})
    x, y, _w, _h = box(three, "leaf1")
    scene = three.scene
    assert scene.card(card_at(scene, x + 5, y + 5)).id == "leaf1"
    shown = three.pixels()
    three.context.document.select(["leaf0"])
    three.window.actions_set["order-front"].trigger()
    scene = three.scene
    assert scene.card(card_at(scene, x + 5, y + 5)).id == "leaf0"
    order = [scene.card(int(i)).id for i in scene.visible(-1e4, -1e4, 1e4, 1e4)]
    assert order.index("leaf0") > order.index("leaf1")
    three.context.document.select(())
    assert three.pixels() != shown


def test_repeat_makes_copies_at_equal_steps(three: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    three.context.document.select(["leaf0"])
    asked = []

    def answer(_parent, size, slots=None):
        asked.append((size, slots))
        return 4, (0.0, 120.0)

    monkeypatch.setattr("fabricwright.ui.repeat_dialog.ask_repeat", answer)
    entries = three.document.undo_stack.count()
    three.window.actions_set["repeat"].trigger()
    assert len(three.items) == 7 and len(three.context.selection) == 4
    assert three.document.undo_stack.count() == entries + 1
    ys = sorted(box(three, i)[1] for i in ("leaf0", *three.context.selection))
    assert np.allclose(np.diff(ys), 120.0)
    assert asked[0][1] is None and asked[0][0][0] > 0


def test_repeat_dialog_shows_and_answers(qtbot, three: Stage) -> None:
    from fabricwright.ui.repeat_dialog import RepeatDialog

    dialog = RepeatDialog(three.window, (210.0, 80.0))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.way._pick("down")
    assert dialog.values() == (3, (0.0, 110.0))
    dialog.grab()


def test_card_repeated_on_a_server_sheet_takes_free_slots(server: Stage) -> None:
    server.context.document.select(["nic0"])
    server.window.actions_set["duplicate"].trigger()
    fresh = [i for i in server.context.selection if i != "nic0"]
    assert len(fresh) == 1
    seat = server.items[fresh[0]].seat
    assert seat and seat != server.items["nic0"].seat


def test_ctrl_drag_leaves_the_original(three: Stage) -> None:
    before = box(three, "leaf0")
    three.drag(three.at("leaf0"), three.at("leaf0") + QPointF(0, 200), CTRL)
    assert len(three.items) == 4 and box(three, "leaf0") == before
    assert len(three.context.selection) == 1  # what was selected before is not copied along
    x, y, _w, _h = box(three, three.context.selection[0])
    assert x == before[0] and y == pytest.approx(before[1] + 200, abs=8)  # a guide may pull it


def test_group_is_picked_and_moved_as_one(three: Stage) -> None:
    three.context.document.select(["leaf0", "leaf1"])
    three.window.actions_set["group"].trigger()
    three.context.document.select(())
    three.click(three.at("leaf0"))
    assert sorted(three.context.selection) == ["leaf0", "leaf1"]
    before = [box(three, i)[:2] for i in ("leaf0", "leaf1", "leaf2")]
    three.drag(three.at("leaf1"), three.at("leaf1") + QPointF(50, 300))
    after = [box(three, i)[:2] for i in ("leaf0", "leaf1", "leaf2")]
    assert before[2] == after[2]
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in zip(before[:2], after[:2], strict=True)}
    assert len(steps) == 1 and next(iter(steps)) != (0, 0)
    three.context.document.select(())
    three.click(three.at("leaf0"), ALT)
    assert three.context.selection == ["leaf0"]  # Alt takes one out of the group
    three.view.grab()
    three.window.actions_set["ungroup"].trigger()
    three.click(three.at("leaf1"))
    assert three.context.selection == ["leaf1"]


def test_copy_gives_other_programs_a_picture_and_svg(server: Stage) -> None:
    server.context.edit("move", places={})
    server.context.open_sheet("fabric", "")
    server.context.document.select(list(server.items))
    server.window.actions_set["copy"].trigger()
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    image = QImage(data.imageData())
    assert image.width() > 100 and len({image.pixel(x, image.height() // 2) for x in range(image.width())}) > 3
    root = ET.fromstring(bytes(data.data("image/svg+xml").data()))
    assert root.tag.endswith("svg")
    text = " ".join(t for e in root.iter() if e.tag.endswith("text") and (t := e.text or "").strip())
    assert "server" in text.lower()
    assert data.text()


def test_paste_into_another_document(three: Stage, app, tmp_path: Path) -> None:
    three.context.document.select(["leaf0", "leaf1"])
    three.window.actions_set["copy"].trigger()
    other = make_stage(blank_project(), tmp_path)
    before = storage.dumps(other.context.project)
    other.window.actions_set["paste"].trigger()
    assert len(other.items) == 2 and "sn4700" in other.context.project.parts
    other.document.undo()
    assert storage.dumps(other.context.project) == before
    close(other)


def test_frame_follows_what_it_holds_and_is_moved_with_it(qtbot, three: Stage) -> None:
    three.context.document.select(["leaf0", "leaf1"])
    three.window.actions_set["add-frame"].trigger()
    frame = three.context.selection[0]
    assert frame in three.context.sheet_row.frames
    x, y, w, h = box(three, frame)
    for leaf in ("leaf0", "leaf1"):
        bx, by, bw, bh = box(three, leaf)
        assert x < bx and y < by and bx + bw < x + w and by + bh < y + h
    before = [box(three, i)[:2] for i in ("leaf0", "leaf1", frame)]
    three.view.fit()
    edge = QPointF(x + 1, y + h / 2)
    three.drag(edge, edge + QPointF(200, 100))
    moved = [box(three, i)[:2] for i in ("leaf0", "leaf1", frame)]
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in zip(before, moved, strict=True)}
    assert len(steps) == 1 and next(iter(steps)) != (0, 0)
    three.context.document.select([frame])
    three.window.canvas.rename(frame)
    from fabricwright.ui.canvas.rename import InlineRename

    editor = three.view.findChild(InlineRename)
    editor.setText("Row A")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert three.context.sheet_row.frames[frame].title == "Row A"
    three.context.document.select([frame])
    three.window.actions_set["delete"].trigger()
    assert frame not in three.context.sheet_row.frames and len(three.items) == 3


def test_note_is_reworded_in_place(qtbot, three: Stage) -> None:
    from fabricwright.ui.canvas.rename import InlineRename

    three.window.commands.add_note()
    note = three.context.selection[0]
    three.window.canvas.rename(note)
    editor = three.view.findChild(InlineRename)
    editor.setText("Aisle 3")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert three.context.sheet_row.notes[note].text == "Aisle 3" and note not in three.items
