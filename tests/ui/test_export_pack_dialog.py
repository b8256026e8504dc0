"""The export pack dialog: jobs are ticked, changed and kept; files appear whole; a stopped pack leaves nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.export.pack_dialog import PackDialog
from tests.ui.canvas_stage import Stage, close, make_stage

pytestmark = pytest.mark.gui


@pytest.fixture
def dialog(app, tmp_path: Path) -> Iterator[PackDialog]:
    stage: Stage = make_stage(TEMPLATES["single-8gpu"].build(), tmp_path)
    made = PackDialog(stage.window)
    made.target.folder.setText(str(tmp_path / "pack"))
    made.show()
    try:
        yield made
    finally:
        made.reject()
        made.reject()
        close(stage)


def only(dialog: PackDialog, *names: str) -> None:
    for n in range(dialog.list.count()):
        row = dialog.list.item(n)
        on = row.data(Qt.ItemDataRole.UserRole) in names
        row.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)


def test_the_pack_is_written_with_its_list(qtbot, dialog: PackDialog, tmp_path: Path) -> None:
    only(dialog, "slots", "predictions")
    assert dialog.target.files.count() == 2
    dialog.export()
    assert not dialog.list.isEnabled()
    qtbot.waitUntil(lambda: dialog._running is None, timeout=60_000)
    listed = json.loads((tmp_path / "pack" / "manifest.json").read_text())
    kinds = {row["kind"] for row in listed["files"]}
    assert {"slots", "predictions"} <= kinds and dialog.open_folder.isVisible()
    assert not len(dialog.window_.context.project.jobs)


def test_cancel_stops_and_leaves_nothing(qtbot, dialog: PackDialog, tmp_path: Path) -> None:
    dialog.export()
    dialog.reject()
    qtbot.waitUntil(lambda: dialog._running is None, timeout=30_000)
    assert dialog.isVisible() and not (tmp_path / "pack").exists()
    assert dialog.accept_.isEnabled()


def test_changed_jobs_are_kept_in_the_project_and_can_be_undone(dialog: PackDialog) -> None:
    assert not dialog.keep.isEnabled()
    dialog.list.setCurrentRow([*dialog.jobs.jobs].index("bom"))
    form = dialog.options.fields["format"]
    assert isinstance(form, QComboBox)
    form.setCurrentIndex(form.findData("csv"))
    name = dialog.options.fields["name"]
    assert isinstance(name, QLineEdit)
    name.setText("{project} parts")
    name.textEdited.emit("{project} parts")
    only(dialog, "bom")
    assert dialog.keep.isEnabled() and dialog.keep_jobs()
    jobs = dialog.window_.context.project.jobs
    assert dict(jobs["bom"].options.items()) == {"format": "csv", "name": "{project} parts"}
    assert jobs["report"].options["off"] is True
    dialog.window_.document.undo()
    assert not len(dialog.window_.context.project.jobs)


def test_jobs_are_added_and_removed(dialog: PackDialog) -> None:
    before = dialog.list.count()
    dialog._add("diagram")
    assert dialog.list.count() == before + 1 and dialog._name() == "diagram-2"
    dialog._remove()
    assert dialog.list.count() == before


def test_a_wrong_file_name_is_told(monkeypatch, dialog: PackDialog) -> None:
    said: list[str] = []
    monkeypatch.setattr("fabricwright.ui.dialogs.show_problem", lambda _w, text: said.append(text.english()))
    dialog._changed("bom", "name", "{nonsense}")
    dialog.export()
    assert dialog._running is None and "nonsense" in said[0]


def test_a_pack_in_both_languages_lies_in_two_folders(qtbot, dialog: PackDialog, tmp_path: Path) -> None:
    only(dialog, "slots")
    dialog.target.language.setCurrentIndex(2)
    dialog.export()
    qtbot.waitUntil(lambda: dialog._running is None, timeout=60_000)
    told = [json.loads((tmp_path / "pack" / code / "manifest.json").read_text()) for code in ("en", "zh_CN")]
    assert [row["language"] for row in told] == ["en", "zh_CN"]


def test_the_pages_of_a_diagram_are_shown(qtbot, dialog: PackDialog) -> None:
    dialog.list.setCurrentRow([*dialog.jobs.jobs].index("bom"))
    assert dialog.pages.isHidden()
    dialog.list.setCurrentRow([*dialog.jobs.jobs].index("diagram"))
    assert not dialog.pages.isHidden()
    qtbot.waitUntil(lambda: bool(dialog.pages.pages), timeout=60_000)
    assert dialog.pages.told.text().startswith("1 of ") and not dialog.pages.back.isEnabled()
