"""The export dialog: choices reach the page, the preview follows, a stopped export leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.export.choices import Choices
from fabricwright.ui.export.dialog import ExportDialog
from tests.ui.canvas_stage import Stage, close, make_stage

pytestmark = pytest.mark.gui


@pytest.fixture
def dialog(app, tmp_path: Path) -> Iterator[ExportDialog]:
    stage: Stage = make_stage(TEMPLATES["single-8gpu"].build(), tmp_path)
    made = ExportDialog(stage.window, ("node",))
    made.show()
    try:
        yield made
    finally:
        made.reject()
        made.reject()
        close(stage)


def test_choices_are_options_of_the_command_line(dialog: ExportDialog) -> None:
    dialog.sheets["node"].setChecked(False)
    dialog.style_.setCurrentIndex(1)
    dialog.turn.setCurrentIndex(1)
    dialog.paper.setCurrentText("A2")
    dialog.only.setChecked(True)
    dialog.legend.setChecked(False)
    arguments = dialog.choices().arguments("main")
    text = " ".join(arguments)
    for piece in ("--page A2-portrait", "--sheet fabric", "--print-safe", "--no-legend", "--only node", "--also"):
        assert piece in text
    assert Choices(format="pdf", transparent=True).arguments("d").count("--transparent") == 0


def test_the_preview_shows_every_page_and_the_export_writes_them(qtbot, dialog: ExportDialog, tmp_path: Path) -> None:
    dialog.racks.setChecked(False)
    qtbot.waitUntil(lambda: len(dialog.preview.pages) == 4, timeout=60_000)
    assert dialog.preview.page.image is not None and dialog.preview.page.image.width() > 1000
    dialog.preview.thumbs.choose(2)
    assert "3" in dialog.preview.title.text()
    assert dialog.minimumSizeHint().width() <= 784  # a screen of 1600 pixels at 200 % has 800, and frames
    target = tmp_path / "out.pdf"
    dialog.export_to(target)
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=60_000)
    assert target.read_bytes().startswith(b"%PDF-")


def test_cancel_stops_a_running_export(qtbot, dialog: ExportDialog, tmp_path: Path) -> None:
    target = tmp_path / "out.png"
    dialog.formats.setCurrentRow(2)
    dialog.export_to(target)
    dialog.reject()
    qtbot.waitUntil(lambda: dialog._exporting is None, timeout=30_000)
    assert dialog.isVisible() and list(tmp_path.glob("out*")) == []
    assert dialog.accept_.isEnabled()


def test_no_sheet_no_export(dialog: ExportDialog) -> None:
    for box in dialog.sheets.values():
        box.setChecked(False)
    assert not dialog.accept_.isEnabled() and dialog.preview.page.message
