"""Pictures, notes and frames on both kinds of sheet: put, pasted, dropped, drawn, moved, resized, copied."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDropEvent, QImage
from PySide6.QtWidgets import QApplication

from fabricwright.design import storage
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui import dialogs
from tests.ui.canvas_stage import SHIFT, Stage


@pytest.fixture
def logo(tmp_path: Path) -> Path:
    image = QImage(120, 60, QImage.Format.Format_RGB32)
    image.fill(QColor("#c02030"))
    path = tmp_path / "logo.png"
    assert image.save(str(path))
    return path


def insert(stage: Stage, monkeypatch, logo: Path) -> str:
    monkeypatch.setattr(dialogs, "ask_picture", lambda *_a: logo)
    stage.window.actions_set["add-picture"].trigger()
    (row,) = stage.context.selection
    return row


@pytest.mark.parametrize("sheet", ["fabric", "node"])
def test_a_picture_is_drawn_moved_and_resized(monkeypatch, blank: Stage, logo: Path, sheet: str, all_painted) -> None:
    blank.document.replace(TEMPLATES["pcie-4gpu-1nic"].build())
    blank.open(sheet)
    row = insert(blank, monkeypatch, logo)
    before = blank.context.sheet_row.pictures[row]
    assert before.wh == (120.0, 60.0)
    blank.view.fit()
    spot = blank.view.mapFromScene(blank.at(row))
    QApplication.processEvents()
    blank.document.select(())
    colour = blank.view.grab().toImage().pixelColor(spot * blank.view.devicePixelRatioF())
    assert colour.red() > 150 and colour.green() < 80
    blank.drag(blank.at(row), blank.at(row) + QPointF(100, 60))
    moved = blank.context.sheet_row.pictures[row]
    assert moved.xy != before.xy and moved.wh == before.wh
    x, y, w, h = blank.scene.box(blank.scene.by_id[row][0])
    blank.document.select([row])
    blank.drag(QPointF(x + w, y + h), QPointF(x + 2 * w, y + h))
    wide = blank.context.sheet_row.pictures[row]
    assert wide.wh[0] == pytest.approx(2 * w, abs=12) and wide.wh[0] / wide.wh[1] == pytest.approx(2.0, rel=0.01)
    x, y, w, h = blank.scene.box(blank.scene.by_id[row][0])
    blank.drag(QPointF(x, y), QPointF(x, y + 40), SHIFT)
    free = blank.context.sheet_row.pictures[row]
    assert free.wh[0] == pytest.approx(w, abs=10) and free.wh[1] < h - 20
    while blank.document.undo_stack.canUndo():
        blank.document.undo()
    assert not blank.context.sheet_row.pictures and not blank.context.project.images


def test_a_picture_is_pasted_and_dropped(qtbot, blank: Stage, logo: Path) -> None:
    QApplication.clipboard().setImage(QImage(str(logo)))
    blank.window.actions_set["paste"].trigger()
    assert len(blank.context.sheet_row.pictures) == 1
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(logo))])
    event = QDropEvent(
        QPointF(200, 200), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    blank.view.dropEvent(event)
    assert len(blank.context.sheet_row.pictures) == 2
    assert len(blank.context.project.images) <= 2
    assert storage.loads(storage.dumps(blank.context.project), "x") == blank.context.project


def test_what_is_no_picture_is_told(monkeypatch, blank: Stage, tmp_path: Path) -> None:
    said: list[str] = []
    blank.context.said.connect(lambda message, _s: said.append(message.text("en")))
    bad = tmp_path / "bad.png"
    bad.write_bytes(b"<svg onload='x'/>")
    monkeypatch.setattr(dialogs, "ask_picture", lambda *_a: bad)
    blank.window.actions_set["add-picture"].trigger()
    assert "neither PNG nor JPEG" in said[-1]
    bad.unlink()
    blank.window.actions_set["add-picture"].trigger()
    assert "cannot be read" in said[-1]
    assert not blank.context.sheet_row.pictures


def test_a_picture_is_copied_with_its_image(monkeypatch, blank: Stage, logo: Path) -> None:
    row = insert(blank, monkeypatch, logo)
    blank.window.actions_set["copy"].trigger()
    blank.window.actions_set["paste"].trigger()
    pictures = blank.context.sheet_row.pictures
    assert len(pictures) == 2 and len({p.image for p in pictures.values()}) == 1
    blank.document.select([row])
    blank.window.actions_set["duplicate"].trigger()
    assert len(blank.context.sheet_row.pictures) == 3
    blank.document.select(list(blank.context.sheet_row.pictures))
    blank.window.actions_set["delete"].trigger()
    assert not blank.context.sheet_row.pictures and not blank.context.project.images


def test_notes_are_drawn_on_server_sheets_too(blank: Stage) -> None:
    blank.document.replace(TEMPLATES["pcie-4gpu-1nic"].build())
    blank.open("node")
    blank.window.actions_set["add-note"].trigger()
    (row,) = blank.context.selection
    assert blank.scene.by_id[row]
    before = blank.context.sheet_row.notes[row].xy
    blank.drag(blank.at(row, dx=0.2), blank.at(row, dx=0.2) + QPointF(80, 50))
    assert blank.context.sheet_row.notes[row].xy != before


def test_a_frame_of_its_own_is_resized_by_its_corner(blank: Stage) -> None:
    blank.document.select(())
    blank.window.actions_set["add-frame"].trigger()
    (row,) = blank.context.selection
    x, y, w, h = blank.scene.box(blank.scene.by_id[row][0])
    blank.drag(QPointF(x + w, y + h), QPointF(x + w + 100, y + h + 60))
    assert blank.context.sheet_row.frames[row].wh == pytest.approx((w + 100, h + 60), abs=6)
