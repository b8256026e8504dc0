"""Journal, lock, recovery and snapshots in the window."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from fabricwright.design import journal, recovery, storage
from fabricwright.design.locks import Holder
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui import dialogs, safekeeping, storage_dialogs
from fabricwright.ui.file_commands import blank_project
from fabricwright.ui.safekeeping import AUTOSAVE, Safekeeping, autosave_minutes
from fabricwright.ui.snapshots_dialog import SnapshotsDialog
from fabricwright.units.errors import UserError
from tests.ui.canvas_stage import Stage, close, make_stage


@pytest.fixture
def kept(app: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, all_painted: None) -> Iterator[Stage]:
    """A window that keeps its work, with a data folder of its own."""
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "data"))
    stage = make_stage(blank_project(), tmp_path)
    stage.window.commands.start_safekeeping()
    yield stage
    close(stage)


def keeper(stage: Stage) -> Safekeeping:
    assert stage.window.safekeeping is not None
    return stage.window.safekeeping


def settle(stage: Stage) -> None:
    assert keeper(stage).writer.flush()
    QApplication.processEvents()


def left_behind(tmp_path: Path, stage: Stage) -> Path:
    """What a killed process leaves: a copy of the journal that nobody has open."""
    settle(stage)
    path = Path(keeper(stage).writer.path)
    copy = path.with_name(f"dead-{path.name}")
    shutil.copy(path, copy)
    return copy


def look(qtbot, stage: Stage) -> None:
    with qtbot.waitSignal(keeper(stage).found, timeout=5000):
        keeper(stage).look()


@pytest.mark.says("journal cannot be written .No space left")
def test_saved_to_journal_is_said_only_when_the_disk_has_it(kept: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = kept.window.status
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda _handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    kept.document.edit("retitle", title="A")
    assert panel._file.text() == "Not saved"
    settle(kept)
    assert panel._file.text() == "Not saved: journal: No space left on device"
    monkeypatch.setattr(os, "fsync", real)
    kept.document.edit("retitle", title="B")
    assert not panel._file.text().startswith("Saved to journal")
    settle(kept)
    assert panel._file.text().startswith("Saved to journal ")
    found = journal.read_journal(keeper(kept).writer.path)
    assert (found.project.title, found.edits) == ("B", 2)
    kept.document.undo()
    settle(kept)
    assert journal.read_journal(keeper(kept).writer.path).project.title == "A"


def test_undo_and_the_clean_mark_stay_right(kept: Stage, tmp_path: Path) -> None:
    document = kept.document
    document.edit("retitle", title="A")
    assert kept.window.commands._write(tmp_path / "plan.fwproj")
    settle(kept)
    assert not document.modified and keeper(kept).writer.path == ""
    document.undo()
    assert document.modified
    settle(kept)
    assert journal.read_journal(keeper(kept).writer.path).base.title == "A"
    document.redo()
    assert not document.modified and document.undo_stack.canUndo()


def test_the_journal_is_never_behind_the_file_that_is_written(
    kept: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a crash between the two would offer work that is older than the file."""
    real, seen = storage.save, []

    def save(project, path, **more):
        seen.append(journal.read_journal(keeper(kept).writer.path).edits)
        return real(project, path, **more)

    monkeypatch.setattr(storage, "save", save)
    for n in range(5):
        kept.document.edit("retitle", title=f"title {n}")
    assert kept.window.commands._write(tmp_path / "plan.fwproj")
    assert seen == [5]


def test_unsaved_work_is_offered_and_restored(qtbot, kept: Stage, tmp_path: Path) -> None:
    kept.document.edit("retitle", title="Plan 方案")
    kept.document.edit("add_note", design="main", sheet="fabric", text="x")
    copy = left_behind(tmp_path, kept)
    wanted = kept.context.project
    kept.document.replace(blank_project())
    kept.window.show_welcome()
    look(qtbot, kept)
    (banner,) = kept.window.welcome.banners
    assert banner._title.text() == "Unsaved work found: Plan 方案"
    assert banner._text.text().startswith("2 edits after the last save, ")
    assert banner._text.text().endswith("The copy is complete and passed its check.")
    kept.window.set_language("zh_CN")
    QApplication.processEvents()
    assert "方案" in banner._title.text() and "Unsaved" not in banner._title.text()
    kept.window.set_language("en")
    QApplication.processEvents()
    banner.buttons["restore"].click()
    assert storage.dumps(kept.context.project) == storage.dumps(wanted)
    assert kept.document.modified and not kept.window.welcome.isVisible()
    settle(kept)
    assert not copy.exists(), "its work is in the new journal now"
    found = journal.read_journal(keeper(kept).writer.path)
    assert found.edits == 2 and storage.dumps(found.project) == storage.dumps(wanted)
    assert kept.window.welcome.banners == []


def test_the_history_says_what_undo_does_not_reach_after_a_restore(qtbot, kept: Stage, tmp_path: Path) -> None:
    for title in "AB":
        kept.document.edit("retitle", title=title)
    left_behind(tmp_path, kept)
    look(qtbot, kept)
    kept.document.replace(blank_project())
    assert kept.window.history.emptyLabel() == "As opened"
    keeper(kept).restore(keeper(kept).recovered[0])
    assert kept.document.restored_edits == 2 and not kept.document.undo_stack.canUndo()
    assert "2 earlier edits" in kept.window.history.emptyLabel()
    kept.document.replace(blank_project())
    assert kept.window.history.emptyLabel() == "As opened"


@pytest.mark.says("journal cannot be written .Input/output error")
def test_the_old_journal_stays_until_the_new_one_is_written(
    qtbot, kept: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.document.edit("retitle", title="A")
    copy = left_behind(tmp_path, kept)
    look(qtbot, kept)
    kept.document.replace(blank_project())
    settle(kept)
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda _handle: (_ for _ in ()).throw(OSError(5, "Input/output error")))
    keeper(kept).restore(keeper(kept).recovered[0])
    settle(kept)
    assert copy.exists() and kept.context.project.title == "A"
    monkeypatch.setattr(os, "fsync", real)
    kept.document.edit("retitle", title="B")
    settle(kept)
    assert not copy.exists()


def test_unsaved_work_is_compared_and_discarded(
    qtbot, kept: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.document.replace(TEMPLATES["pcie-4gpu-1nic"].build(servers="3"))
    path = tmp_path / "plan.fwproj"
    assert kept.window.commands._write(path)
    kept.document.edit("add_note", design="main", sheet="fabric", text="x")
    kept.document.edit("rename", design="main", sheet="fabric", item="leaf", name="changed")
    copy = left_behind(tmp_path, kept)
    kept.document.undo_stack.setClean()
    kept.document.replace(blank_project())
    kept.window.show_welcome()
    look(qtbot, kept)
    kept.window.welcome.banners[0].buttons["compare"].click()
    view = kept.window.views.widget_of("compare")
    assert kept.document.file == path and not kept.document.modified
    assert view.head.known()[1].file == str(copy)
    assert "unsaved work" in view.head.names()[1]
    assert view.project_of(view.head.known()[1]).designs["main"].sheets["fabric"].notes
    kept.window.show_welcome()
    monkeypatch.setattr(dialogs, "ask_yes", lambda _parent, _text: False)
    kept.window.welcome.banners[0].buttons["discard"].click()
    assert copy.exists()
    monkeypatch.setattr(dialogs, "ask_yes", lambda _parent, _text: True)
    kept.window.welcome.banners[0].buttons["discard"].click()
    assert not copy.exists() and kept.window.welcome.banners == []


def test_a_torn_tail_is_told(qtbot, kept: Stage, tmp_path: Path) -> None:
    kept.document.edit("retitle", title="A")
    copy = left_behind(tmp_path, kept)
    copy.write_bytes(copy.read_bytes() + b'{"seq":9')
    (copy.parent / "broken.fwjournal").write_bytes(b"nothing")
    kept.window.show_welcome()
    look(qtbot, kept)
    good, broken = kept.window.welcome.banners
    assert "1 edit after" in good._text.text() and "The last 8 bytes were not whole" in good._text.text()
    assert set(broken.buttons) == {"discard"} and "broken.fwjournal" in broken._text.text()


def test_restoring_over_a_file_that_somebody_changed_asks_before_saving(
    qtbot, kept: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan.fwproj"
    assert kept.window.commands._write(path)
    kept.document.edit("retitle", title="mine")
    left_behind(tmp_path, kept)
    kept.document.undo()
    kept.document.replace(blank_project())
    other = dataclasses.replace(blank_project(), title="theirs")
    storage.save(other, path)
    look(qtbot, kept)
    keeper(kept).restore(keeper(kept).recovered[0])
    asked: list[str] = []
    monkeypatch.setattr(storage_dialogs, "ask_changed", lambda _p, name: asked.append(name) or "")
    assert not kept.window.commands.save() and asked == ["plan.fwproj"]
    assert storage.load(path).title == "theirs"
    monkeypatch.setattr(storage_dialogs, "ask_changed", lambda _p, _name: "overwrite")
    assert kept.window.commands.save()
    assert storage.load(path).title == "mine" and storage.load(f"{path}.bak").title == "theirs"


def test_a_file_that_was_changed_meanwhile(kept: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, second = tmp_path / "plan.fwproj", tmp_path / "mine.fwproj"
    assert kept.window.commands._write(path)
    os.utime(path, (1, 1))
    kept.document.edit("retitle", title="touched only")
    assert kept.window.commands.save(), "a sync client touched it; the bytes are the same"
    storage.save(dataclasses.replace(blank_project(), title="theirs"), path)
    kept.document.edit("retitle", title="mine")
    monkeypatch.setattr(storage_dialogs, "ask_changed", lambda _p, _name: "compare")
    assert not kept.window.commands.save()
    assert kept.window.views.current == "compare"
    monkeypatch.setattr(storage_dialogs, "ask_changed", lambda _p, _name: "elsewhere")
    monkeypatch.setattr(dialogs, "ask_save", lambda _p, _start: second)
    assert kept.window.commands.save() and kept.document.file == second
    assert (storage.load(path).title, storage.load(second).title) == ("theirs", "mine")


def test_what_cannot_be_written_stays_open(kept: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "share"
    folder.mkdir()
    assert kept.window.commands._write(folder / "plan.fwproj")
    kept.document.edit("retitle", title="A")
    keeper(kept)._lock.release()  # type: ignore[union-attr]
    shutil.rmtree(folder)
    said: list[str] = []
    answers = ["retry", ""]
    monkeypatch.setattr(
        storage_dialogs, "ask_not_written", lambda _p, message: said.append(str(message)) or answers.pop(0)
    )
    assert not kept.window.commands.save()
    assert len(said) == 2 and "No such file or directory" in said[0]
    assert kept.document.modified and kept.context.project.title == "A"
    folder.mkdir()
    assert kept.window.commands.save() and not kept.document.modified
    (folder / "plan.fwproj").chmod(0o444)
    kept.document.edit("retitle", title="B")
    answers[:] = [""]
    assert not kept.window.commands.save() and "read-only" in said[-1]


def _lock_of_another(path: Path) -> Path:
    lock = path.parent / f".{path.name}.fwlock"
    row = {"user": "li", "host": "desk-7", "since": "2026-11-30T10:00:00+08:00", "pid": 7, "token": "t", "born": ""}
    lock.write_text(json.dumps(row))
    return lock


def test_a_file_that_somebody_has_open(kept: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, mine = tmp_path / "plan.fwproj", tmp_path / "mine.fwproj"
    storage.save(blank_project(), path)
    lock = _lock_of_another(path)
    asked: list[Holder] = []
    answer = [""]
    monkeypatch.setattr(storage_dialogs, "ask_held", lambda _p, _name, holder: asked.append(holder) or answer[0])
    assert not kept.window.commands.open_path(path) and kept.document.file is None
    assert (asked[0].user, asked[0].host) == ("li", "desk-7")
    text = storage_dialogs.held_text("plan.fwproj", asked[0])
    assert text.startswith("plan.fwproj is open: li on desk-7, since 30 Nov")
    answer[0] = "read-only"
    assert kept.window.commands.open_path(path)
    assert kept.document.read_only and "(read-only)" in kept.window.windowTitle()
    kept.document.edit("retitle", title="mine")
    monkeypatch.setattr(dialogs, "ask_save", lambda _p, _start: path)
    monkeypatch.setattr(storage_dialogs, "ask_save_held", lambda _p, _name, _holder: False)
    assert not kept.window.commands.save(), "saving is under another name"
    monkeypatch.setattr(dialogs, "ask_save", lambda _p, _start: mine)
    assert kept.window.commands.save()
    assert not kept.document.read_only and storage.load(path).title == "" and storage.load(mine).title == "mine"
    answer[0] = "copy"
    assert kept.window.commands.open_path(path)
    assert kept.document.file is None and kept.document.modified
    assert lock.exists()
    kept.document.undo_stack.setClean()


def test_parts_of_another_catalogue_are_told_at_opening(kept: Stage, tmp_path: Path) -> None:
    """The project's own copies count, and the status line names those that this catalogue has otherwise."""
    project = TEMPLATES["single-8gpu"].build()
    part = dataclasses.replace(project.parts["dgx-h100"], model="mine")
    path = tmp_path / "other.fwproj"
    storage.save(dataclasses.replace(project, parts=project.parts.put("dgx-h100", part)), path)
    told: list[str] = []
    kept.window.context.said.connect(lambda message, _severity: told.append(message.english()))
    assert kept.window.commands.open_path(path)
    assert any("differ from this catalogue: dgx-h100;" in text for text in told)


def test_the_lock_is_there_while_the_file_is_open(kept: Stage, tmp_path: Path) -> None:
    path = tmp_path / "plan.fwproj"
    assert kept.window.commands._write(path)
    lock = tmp_path / ".plan.fwproj.fwlock"
    assert lock.exists()
    token = json.loads(lock.read_text())["token"]
    kept.document.edit("retitle", title="A")
    assert kept.window.commands.save() and json.loads(lock.read_text())["token"] == token
    assert kept.window.commands._write(tmp_path / "two.fwproj")
    assert not lock.exists() and (tmp_path / ".two.fwproj.fwlock").exists()
    kept.window.close()
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith((".", "plan", "two"))) == [
        "plan.fwproj",
        "plan.fwproj.bak",
        "two.fwproj",
    ]
    assert os.listdir(journal.folder()) == [] if journal.folder().exists() else True


def test_saving_by_itself(kept: Stage, tmp_path: Path) -> None:
    session, keep = kept.window.session, keeper(kept)
    assert autosave_minutes(session) == 0 and not keep._clock.isActive()
    session.put(AUTOSAVE, "5")
    keep.follow_settings()
    assert keep._clock.isActive() and keep._clock.interval() == 300_000
    kept.document.edit("retitle", title="no name yet")
    keep.autosave()
    assert kept.document.modified
    path = tmp_path / "plan.fwproj"
    assert kept.window.commands._write(path)
    kept.document.edit("retitle", title="A")
    keep.autosave()
    assert not kept.document.modified and storage.load(path).title == "A"
    storage.save(dataclasses.replace(blank_project(), title="theirs"), path)
    kept.document.edit("retitle", title="B")
    said: list[object] = []
    kept.document.told.connect(lambda message, _severity: said.append(str(message)))
    keep.autosave()
    assert storage.load(path).title == "theirs" and "changed by someone else" in str(said[0])
    session.put(AUTOSAVE, "nonsense")
    assert autosave_minutes(session) == 0 and safekeeping.AUTOSAVE_MINUTES[0] == "0"
    kept.document.undo_stack.setClean()


def test_snapshots_are_taken_compared_restored_and_deleted(
    kept: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.document.replace(TEMPLATES["pcie-4gpu-1nic"].build(servers="3"))
    before = kept.context.project
    monkeypatch.setattr(dialogs, "ask_text", lambda *_a: "before the meeting")
    kept.window.actions_set["take-snapshot"].trigger()
    kept.document.edit("rename", design="main", sheet="fabric", item="leaf", name="changed")
    dialog = SnapshotsDialog(kept.window)
    assert dialog.rows.count() == 1 and "before the meeting" in dialog.rows.item(0).text()
    monkeypatch.setattr(dialogs, "ask_text", lambda *_a: "v1")
    dialog.rename.click()
    assert kept.context.project.snapshots["snapshot0"].title == "v1"
    dialog.compare.click()
    assert dialog.wanted == ("compare", "snapshot0")
    kept.window.commands.compare_snapshot("snapshot0")
    view = kept.window.views.widget_of("compare")
    assert kept.window.views.current == "compare"
    assert view.head.names()[1] == "B v1: main" and view.project_of(view.head.known()[1]) == before
    assert [row["id"] for row in view.figures._drawing] == ["leaf"] or view._rows
    kept.document.undo_stack.setClean()
    kept.window.commands.restore_snapshot("snapshot0")
    assert kept.context.project == before and kept.document.file is None and kept.document.modified
    kept.document.undo_stack.setClean()
    empty = SnapshotsDialog(kept.window)
    assert not empty.compare.isEnabled() and empty.note.text().startswith("None yet")


def test_snapshots_are_deleted_and_undone(kept: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "ask_text", lambda *_a: "one")
    dialog = SnapshotsDialog(kept.window)
    assert dialog.take.isDefault()  # nothing else can be done with none
    dialog.take.click()
    assert dialog.rows.count() == 1 and dialog.compare.isDefault()
    dialog.delete.click()
    assert not kept.context.project.snapshots and not dialog.delete.isEnabled()
    kept.document.undo()
    assert "snapshot0" in kept.context.project.snapshots
    kept.document.undo_stack.setClean()


def test_opening_a_file_with_unsaved_work_asks(
    qtbot, kept: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan.fwproj"
    assert kept.window.commands._write(path)
    kept.document.edit("retitle", title="mine")
    left_behind(tmp_path, kept)
    kept.document.undo()
    kept.document.replace(blank_project())
    look(qtbot, kept)
    assert [f.document for f in keeper(kept).recovered] == [path.resolve()]
    asked: list[recovery.Found] = []
    monkeypatch.setattr(storage_dialogs, "ask_recovered", lambda _p, left: asked.append(left) or "restore")
    assert kept.window.commands.open_path(path)
    assert len(asked) == 1 and kept.context.project.title == "mine" and kept.document.file == path
    assert kept.window.commands.save() and storage.load(path).title == "mine"


def test_what_could_not_be_opened_again_does_not_become_the_project(blank: Stage, tmp_path: Path) -> None:
    """A count beyond what a group may have, a name that is none: saved, the file would be refused."""
    document = blank.document
    before = document.project
    with pytest.raises(UserError, match="is not allowed; expected a-z"):
        document.edit("add_design", title="x", design="4 00")
    assert document.project is before and not document.undo_stack.canUndo()
    document.edit("add_design", title="x", design="sound")
    document.save(tmp_path / "x.fwproj")
    assert storage.load(tmp_path / "x.fwproj") == document.project
