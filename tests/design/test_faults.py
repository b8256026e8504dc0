"""A disk that fails at each step, and power that is cut after each: the old file or the new one, never neither."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fabricwright.design import recovery, storage
from fabricwright.design.edits import EDITS
from fabricwright.design.journal import read_journal
from fabricwright.design.journal_writer import JournalWriter
from fabricwright.design.patch import apply
from fabricwright.design.values import Project
from fabricwright.units import files
from fabricwright.units.errors import UserError
from tests.design.disk import ERRORS, FailingDisk, RecordedDisk
from tests.design.strategies import empty_project

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the disk is imitated with POSIX calls")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a disk that is only imitated."""
    monkeypatch.setattr(files, "PAUSES_S", ())


def versions() -> tuple[Project, Project]:
    one = empty_project()
    return one, apply(one, EDITS["retitle"](one, title="第二版"))


@pytest.mark.parametrize("error", ERRORS)
def test_each_step_of_a_save_failing_leaves_the_old_file_or_the_new_one(tmp_path: Path, error: int) -> None:
    one, two = versions()
    path = tmp_path / "plan.fwproj"
    steps = failed = 0
    while True:
        storage.save(one, path)
        (tmp_path / "plan.fwproj.bak").unlink(missing_ok=True)
        disk = FailingDisk(steps, error, tmp_path)
        said = ""
        with disk.active():
            try:
                storage.save(two, path, backup=True)
            except UserError as wrong:
                said = str(wrong)
        assert path.read_bytes() in (storage.dumps(one), storage.dumps(two))
        assert set(os.listdir(tmp_path)) <= {"plan.fwproj", "plan.fwproj.bak"}, "stray files"
        if len(disk.calls) <= steps:
            assert path.read_bytes() == storage.dumps(two) and not said
            break
        if said:
            failed += 1
            assert said.startswith(str(path)) and os.strerror(error) in said and "\n" not in said
        else:
            # Only what can be done in another way may fail in silence: a file system without second names.
            assert disk.calls[steps] == "link", disk.calls[steps]
            assert (tmp_path / "plan.fwproj.bak").read_bytes() == storage.dumps(one)
        steps += 1
    assert {"open", "write", "fsync", "replace", "link", "chmod"} <= set(disk.calls) and failed >= 7


def test_power_cut_after_each_step_of_a_save(tmp_path: Path) -> None:
    one, two = versions()
    path = tmp_path / "plan.fwproj"
    storage.save(one, path)
    start = {str(path): path.read_bytes()}
    disk = RecordedDisk(tmp_path)
    with disk.active():
        storage.save(two, path, backup=True)
        disk.mark("saved")
    assert len(disk.log) >= 8
    for length in range(len(disk.log) + 1):
        saved = ("mark", "saved") in disk.log[:length]
        for state in disk.states_after(length, start):
            kept = state[str(path)]
            assert kept == storage.dumps(two) or (kept == storage.dumps(one) and not saved), disk.log[:length]
            backup = state.get(f"{path}.bak")
            assert backup in (None, storage.dumps(one)) and (backup is not None or not saved)


def _edit(project: Project, n: int):
    patch = EDITS["retitle"](project, title=f"edit {n} " + "x" * 50)
    return patch, apply(project, patch)


def test_power_cut_after_each_step_of_the_journal(tmp_path: Path) -> None:
    """Whatever was acknowledged before the cut is found after it."""
    where = tmp_path / "journal"
    disk = RecordedDisk(tmp_path)
    project = base = empty_project()
    states = {0: base}
    with disk.active():
        writer = JournalWriter(lambda seq, _t, _e: disk.mark(str(seq)), lambda _r: None, where)
        writer.begin(project)
        for n in range(6):
            patch, project = _edit(project, n)
            states[writer.post(patch, project)] = project
            if n != 3:
                assert writer.flush()
        writer.end(keep=True)
    marks = [n for n, entry in enumerate(disk.log) if entry[0] == "mark"]
    assert len(marks) >= 4
    target = tmp_path / "after"
    for length in range(marks[0] + 1, len(disk.log) + 1):
        acknowledged = max(int(e[1]) for e in disk.log[:length] if e[0] == "mark")
        for state in disk.states_after(length, {}):
            journals = [v for name, v in state.items() if name.endswith(".fwjournal")]
            assert len(journals) == 1
            target.write_bytes(journals[0])
            found = read_journal(target)
            assert found.seq >= acknowledged
            assert storage.dumps(found.project) == storage.dumps(states[found.seq])


@pytest.mark.parametrize("error", ERRORS)
def test_each_step_of_the_journal_failing_is_told_and_made_good(
    tmp_path: Path, error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fabricwright.design import journal_writer

    monkeypatch.setattr(journal_writer, "RETRY_S", 0.01)
    for step in range(9):
        where = tmp_path / str(step)
        told: list[str] = []
        acknowledged: list[int] = []
        project = empty_project()
        disk = FailingDisk(step, error, where)
        with disk.active():
            writer = JournalWriter(lambda seq, _t, _e, a=acknowledged: a.append(seq), told.append, where)
            writer.begin(project)
            for n in range(3):
                patch, project = _edit(project, n)
                last = writer.post(patch, project)
                writer.flush()
                if acknowledged and acknowledged[-1] == last:
                    assert storage.dumps(read_journal(writer.path).project) == storage.dumps(project)
            patch, project = _edit(project, 9)
            last = writer.post(patch, project)
            writer.flush()
        assert acknowledged[-1] == last
        assert told == ([os.strerror(error)] if disk.calls[step] != "chmod" else [])
        found = read_journal(writer.path)
        assert storage.dumps(found.project) == storage.dumps(project) and found.edits == 4
        writer.end(keep=True)
        assert len(recovery.find(where)) == 1 and len(os.listdir(where)) == 1
