"""What stands where a file is read or written: pipes, devices, folders, other people's files, rights."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from fabricwright.design import journal, recovery, storage
from fabricwright.design.file_state import changed_since, holds, state_of
from fabricwright.design.journal import Lines
from fabricwright.design.locks import Lock, take
from fabricwright.design.patch import apply, patch_to_json
from fabricwright.design.values import Project
from fabricwright.units import files
from fabricwright.units.errors import UserError
from fabricwright.units.files import replace_file
from tests.design.strategies import empty_project

posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes and rights of POSIX")


def _renamed(project: Project, title: str) -> Project:
    from fabricwright.design.edits import EDITS

    return apply(project, EDITS["retitle"](project, title=title))


@posix
def test_a_pipe_is_neither_waited_for_nor_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "plan.fwproj"
    os.mkfifo(pipe)
    with pytest.raises(UserError, match=r"cannot be read \(not an ordinary file\)"):
        storage.load(pipe)
    with pytest.raises(UserError, match=r"cannot be written \(not an ordinary file\)"):
        storage.save(empty_project(), pipe, backup=True)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and os.listdir(tmp_path) == ["plan.fwproj"]


@posix
def test_a_device_is_no_place_to_write(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="not an ordinary file"):
        replace_file("/dev/full", b"x")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@posix
def test_a_pipe_in_place_of_a_lock_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "own"))
    os.mkfifo(tmp_path / ".plan.fwproj.fwlock")
    taken = take(tmp_path / "plan.fwproj")
    assert isinstance(taken, Lock)
    taken.release()


@pytest.mark.parametrize("name", ["a\0b.fwproj", "half\ud800.fwproj"])
def test_a_name_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    if sys.platform == "win32" and "\0" not in name:
        pytest.skip("Windows takes any sixteen bits")
    with pytest.raises(UserError, match="cannot be read"):
        storage.load(tmp_path / name)
    with pytest.raises(UserError, match="no file can have this name"):
        storage.save(empty_project(), tmp_path / name)


def test_what_stands_in_the_way_of_the_version_before_is_named(tmp_path: Path) -> None:
    plan = tmp_path / "plan.fwproj"
    storage.save(empty_project(), plan)
    before = plan.read_bytes()
    (tmp_path / "plan.fwproj.bak").mkdir()
    with pytest.raises(UserError, match=r"the version before cannot be kept as plan\.fwproj\.bak"):
        storage.save(_renamed(empty_project(), "two"), plan, backup=True)
    assert plan.read_bytes() == before and sorted(os.listdir(tmp_path)) == ["plan.fwproj", "plan.fwproj.bak"]


def test_a_disk_that_does_not_confirm_is_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = tmp_path / "plan.fwproj"
    two = _renamed(empty_project(), "two")

    def fails(_folder: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(files, "sync_folder", fails)
    with pytest.raises(UserError, match="was written, but the disk did not confirm it") as said:
        storage.save(two, plan)
    assert "untouched" not in str(said.value) and plan.read_bytes() == storage.dumps(two)


@posix
def test_a_folder_that_cannot_be_looked_into_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refused(path, flags, *more):  # type: ignore[no-untyped-def]
        if flags & os.O_DIRECTORY:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, *more)

    monkeypatch.setattr(os, "open", refused)
    replace_file(tmp_path / "plan.json", b"one")
    assert (tmp_path / "plan.json").read_bytes() == b"one"


def test_bytes_decide_whether_somebody_else_wrote(tmp_path: Path) -> None:
    """Same length and same time: what `cp -p`, `rsync -t` and clocks of two seconds leave."""
    plan = tmp_path / "plan.fwproj"
    state = storage.save(_renamed(empty_project(), "ours"), plan)
    told = plan.stat()
    plan.write_bytes(plan.read_bytes().replace(b"ours", b"them"))
    os.utime(plan, ns=(told.st_atime_ns, told.st_mtime_ns))
    assert plan.stat().st_size == told.st_size and changed_since(plan, state)
    assert holds(plan, state_of(plan.read_bytes())) and not holds(plan, state)
    assert not changed_since(tmp_path / "gone", state) and not holds(tmp_path / "gone", state)


@posix
def test_a_group_that_cannot_be_kept_hands_its_rights_to_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tmp_path / "plan.json"
    replace_file(plan, b"one")
    plan.chmod(0o2664)
    monkeypatch.setattr(os, "fchown", lambda *_a: (_ for _ in ()).throw(PermissionError(errno.EPERM, "no")))
    real = os.fstat

    def another_group(handle: int) -> os.stat_result:
        told = list(real(handle))
        told[5] += 1
        return os.stat_result(told)

    monkeypatch.setattr(os, "fstat", another_group)
    replace_file(plan, b"two")
    assert plan.read_bytes() == b"two" and stat.S_IMODE(plan.stat().st_mode) == 0o644


@pytest.mark.skipif(not hasattr(os, "listxattr"), reason="no extended attributes here")
def test_notes_of_a_file_are_kept(tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    replace_file(plan, b"one")
    try:
        os.setxattr(plan, "user.note", b"from the customer")
    except OSError:
        pytest.skip("this file system keeps none")
    replace_file(plan, b"two", backup=True)
    assert os.getxattr(plan, "user.note") == b"from the customer" == os.getxattr(f"{plan}.bak", "user.note")


@posix
def test_of_two_names_only_the_saved_one_changes(tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    replace_file(plan, b"one")
    os.link(plan, tmp_path / "other.json")
    replace_file(plan, b"two")
    assert (plan.read_bytes(), (tmp_path / "other.json").read_bytes()) == (b"two", b"one")


# -- journals ----------------------------------------------------------------------------------------------------------


def _journal(path: Path, head: dict[str, object], *more: dict[str, object]) -> None:
    lines = Lines()
    rows = [{"format": journal.FORMAT, "version": 1, "document": "", "edits": 0, **head}, *more]
    path.write_bytes(b"".join(lines.line(row) for row in rows))


def test_one_bad_journal_hides_none_of_the_others(tmp_path: Path) -> None:
    from fabricwright.design.edits import EDITS

    one = empty_project()
    base = {"base": storage.dumps(one).decode()}
    edit = {"seq": 1, "time": "t", "patch": patch_to_json(EDITS["retitle"](one, title="two"))}
    _journal(tmp_path / "good.fwjournal", {}, base, edit)
    _journal(tmp_path / "name.fwjournal", {"document": "/a\0b"}, base, edit)
    _journal(tmp_path / "newer.fwjournal", {"version": 99}, base, edit)
    huge = (tmp_path / "good.fwjournal").read_bytes().splitlines(keepends=True)
    text = huge[2].rpartition(b"\t")[0].replace(b'"seq":1', b'"seq":1e999')
    last = huge[1].rpartition(b"\t")[2].strip()
    sum_ = journal._checksum(last.decode(), text).encode()
    (tmp_path / "huge.fwjournal").write_bytes(b"".join(huge[:2]) + text + b"\t" + sum_ + b"\n")
    (tmp_path / "empty.fwjournal").write_bytes(b"")
    (tmp_path / "folder.fwjournal").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.fwjournal")
        (tmp_path / "device.fwjournal").symlink_to("/dev/zero")
    found = {left.path.name: left for left in recovery.find(tmp_path)}
    assert set(found) == {"good.fwjournal", "name.fwjournal", "newer.fwjournal", "empty.fwjournal"} | (
        {"huge.fwjournal"} & set(found)
    )
    good = found["good.fwjournal"].journal
    assert good is not None and good.project.title == "two"
    for name in ("name", "newer", "empty"):
        left = found[f"{name}.fwjournal"]
        assert left.journal is None and left.problem is not None and "\n" not in str(left.problem.english())
        assert left.path.exists(), "kept until somebody discards it"


@posix
def test_a_journal_that_somebody_removed_is_written_anew_before_anything_is_acknowledged(tmp_path: Path) -> None:
    """A broom in the user's folder, a sync client that moves it: what goes into a removed file nobody will find."""
    import shutil

    from fabricwright.design.edits import EDITS
    from fabricwright.design.journal_writer import JournalWriter

    told: list[object] = []
    writer = JournalWriter(lambda seq, time, edits: told.append(edits), told.append, tmp_path / "journal")
    project = empty_project()
    writer.begin(project)
    for count, title in enumerate(("one", "two", "three"), 1):
        patch = EDITS["retitle"](project, title=title)
        project = apply(project, patch)
        writer.post(patch, project)
        assert writer.flush() and told[-1] == count
        kept = journal.read_journal(writer.path)
        assert (kept.project.title, kept.edits) == (title, count)
        if count == 1:
            shutil.rmtree(tmp_path / "journal")
        else:
            os.replace(writer.path, tmp_path / "moved")
    writer.end()


def test_half_a_character_of_a_paste_reaches_journal_and_file_alike(tmp_path: Path) -> None:
    from fabricwright.design.edits import EDITS
    from fabricwright.design.journal_writer import JournalWriter

    told: list[object] = []
    writer = JournalWriter(lambda seq, time, edits: told.append(edits), told.append, tmp_path / "journal")
    project = empty_project()
    writer.begin(project)
    for title in ("one", "half \ud83d of it", "three"):
        patch = EDITS["retitle"](project, title=title)
        project = apply(project, patch)
        writer.post(patch, project)
        assert writer.flush()
        assert storage.dumps(journal.read_journal(writer.path).project) == storage.dumps(project)
    writer.end()
    assert told == [1, 2, 3]


# -- numbers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["1e999", "[-1e400]", '{"a":1' + "0" * 320 + ".0}"])
def test_a_number_that_could_not_be_saved_again_is_refused(value: str) -> None:
    """Under a key that this version does not know, too: it would be carried along until the save."""
    text = storage.dumps(empty_project()).decode().replace('"version":1', f'"version":1,"later":{value}', 1)
    with pytest.raises(UserError, match="larger than a number may be"):
        storage.loads(text.encode())


def test_large_numbers_that_are_none_too_large_are_taken() -> None:
    text = storage.dumps(empty_project()).decode().replace('"version":1', '"version":1,"later":[1e300,1e-400]', 1)
    assert storage.dumps(storage.loads(text.encode()))


def test_a_value_that_no_file_can_hold_does_not_come_in_by_an_edit(tmp_path: Path) -> None:
    from fabricwright.design.calls import EditCall
    from fabricwright.design.edits import run
    from fabricwright.units.quantity import parse_rate

    project = empty_project()
    for value in (float("inf"), [float("nan")], {"x": {"y": -float("inf")}}):
        with pytest.raises(UserError, match="no number that a file can hold"):
            run(project, EditCall("set_meta", {"key": "a", "value": value}))
    with pytest.raises(UserError, match="is not understood"):
        parse_rate("9" * 400 + "G")


def test_a_project_that_cannot_be_written_is_told_and_its_file_stays(tmp_path: Path) -> None:
    from dataclasses import replace

    plan = tmp_path / "plan.fwproj"
    storage.save(empty_project(), plan)
    before = plan.read_bytes()
    with pytest.raises(UserError, match="holds a value that no file can hold"):
        storage.save(replace(empty_project(), title=float("inf")), plan, backup=True)  # type: ignore[arg-type]
    assert plan.read_bytes() == before and os.listdir(tmp_path) == ["plan.fwproj"]


# -- what was written can be read again --------------------------------------------------------------------------------


def test_a_project_too_large_to_be_opened_again_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = tmp_path / "plan.fwproj"
    storage.save(empty_project(), plan)
    before = plan.read_bytes()
    two = _renamed(empty_project(), "x" * 3000)
    monkeypatch.setattr(storage, "MAX_FILE_BYTES", 2000)
    with pytest.raises(UserError, match="would be too large to be opened again"):
        storage.save(two, plan, backup=True)
    monkeypatch.setattr(storage, "MAX_FILE_BYTES", 1 << 20)
    monkeypatch.setattr(storage, "MAX_ROWS", 1)
    with pytest.raises(UserError, match="would be too large to be opened again"):
        storage.save(two, plan)
    assert plan.read_bytes() == before and os.listdir(tmp_path) == ["plan.fwproj"]


def test_snapshots_leave_room_for_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    from fabricwright.design.edits import EDITS
    from fabricwright.units import limits

    project = empty_project()
    take_one = EDITS["take_snapshot"]
    project = apply(project, take_one(project, title="a", time="2026-11-30T10:00:00+08:00"))
    size = len(project.snapshots["snapshot0"].content)
    monkeypatch.setattr(limits, "SNAPSHOTS_BYTES", size + 1)
    with pytest.raises(UserError, match="snapshots of a project take at most"):
        take_one(project, title="b", time="2026-11-30T10:00:01+08:00")


def test_a_block_that_could_not_be_read_again_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fabricwright.design.edits import blocks
    from fabricwright.units.strict_json import Limits
    from tests.hostile.readers import _blocks

    block = blocks.block_of_bytes(_blocks()[0])
    blocks.save_block(block, tmp_path / "good.fwblock")
    monkeypatch.setattr(blocks, "LIMITS", Limits(file_bytes=100))
    with pytest.raises(UserError, match="is larger than"):
        blocks.save_block(block, tmp_path / "large.fwblock")
    assert os.listdir(tmp_path) == ["good.fwblock"]
