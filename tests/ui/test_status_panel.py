"""The status line says what is selected, how big the design is, whether it is saved, and how the analysis stands."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QDesktopServices

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.panels.status import StatusPanel
from fabricwright.units.text import msg


@pytest.fixture
def context(qapp):
    return UiContext(Document(TEMPLATES["seed-b-512"].build()))


def test_it_follows_selection_edits_and_saving(qtbot, context, tmp_path):
    panel = StatusPanel(context)
    qtbot.addWidget(panel)
    assert panel._first.text() == "Nothing selected"
    context.document.select(["leaf"])
    assert panel._first.text() == "1 selected: leaf"
    context.edit("move", places={"leaf": [0, 0]})
    assert panel._file.text() == "Not saved"
    context.document.save(tmp_path / "p.fwproj")
    assert panel._file.text().startswith("Saved ")
    panel.show_pointer(QPointF(1240, 640))
    assert panel._pointer.text() == "x 1,240  y 640"


def test_it_shows_the_design_and_the_analysis(qtbot, context):
    panel = StatusPanel(context)
    qtbot.addWidget(panel)
    context.analysis.update(figures={"servers": 256, "gpus": 2048, "switches": 12, "links": 768})
    assert panel._counts.text() == "256 servers, 2,048 GPUs, 12 switches, 768 links"
    context.analysis.update(status="idle", seconds=0.1654)
    assert panel._state.text() == "Analysis up to date, 165 ms"
    context.analysis.update(status="lost")
    assert "restart" in panel._state.text()


def test_a_sentence_comes_first_and_goes(qtbot, context):
    panel = StatusPanel(context)
    qtbot.addWidget(panel)
    context.say(msg("{file}: no such file.", file="x"), "error")
    assert panel._first.text() == "x: no such file."
    panel._quiet()
    assert panel._first.text() == "Nothing selected"


def test_a_written_file_can_be_opened_or_shown(qtbot, context, tmp_path, monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    panel = StatusPanel(context)
    qtbot.addWidget(panel)
    panel.show()
    assert panel.written.isHidden()
    report = tmp_path / "report.pdf"
    report.write_bytes(b"%PDF")
    context.say_written(report)
    assert panel._first.text() == "Saved to report.pdf." and not panel.written.isHidden()
    panel.written.open_file.click()
    panel.written.open_folder.click()
    assert opened == [str(report), str(tmp_path)]
    context.say_written(tmp_path)  # a folder of files: there is no one file to open
    assert panel.written.open_file.isHidden()
    panel.written.open_folder.click()
    assert opened[-1] == str(tmp_path)
    context.say(msg("Nothing to change: everything stands so already."))
    assert panel.written.isHidden()


def test_a_file_that_cannot_be_opened_is_said(qtbot, context, tmp_path, monkeypatch):
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    panel = StatusPanel(context)
    qtbot.addWidget(panel)
    context.say_written(tmp_path / "gone.pdf")
    panel.written.open_file.click()
    assert panel._first.text() == "gone.pdf cannot be opened from here."
