"""Replacing a file in one step."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fabricwright.units import files
from fabricwright.units.files import (
    replace_file,
    settle_case,
    sweep_beside,
    sweep_folder,
    system_path,
    temporary_name,
)


def test_a_new_file_and_a_second_version(tmp_path: Path) -> None:
    target = tmp_path / "plan.json"
    replace_file(target, b"one")
    replace_file(str(target), b"two")
    assert target.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["plan.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="rights and links of POSIX")
def test_rights_and_links_are_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "plan.json", tmp_path / "link.json"
    replace_file(target, b"one")
    assert stat.S_IMODE(target.stat().st_mode) == 0o644
    target.chmod(0o600)
    link.symlink_to(target)
    replace_file(link, b"two")
    assert link.is_symlink() and target.read_bytes() == b"two"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "plan.json"
    replace_file(target, b"one")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(target, b"two")
    assert target.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["plan.json"]


def test_the_previous_version_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "plan.json"
    for data in (b"one", b"two", b"three"):
        replace_file(target, data, backup=True)
    assert (target.read_bytes(), (tmp_path / "plan.json.bak").read_bytes()) == (b"three", b"two")
    assert sorted(os.listdir(tmp_path)) == ["plan.json", "plan.json.bak"]


def test_the_previous_version_is_copied_where_there_are_no_second_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_args: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    test_the_previous_version_is_kept(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="owners of POSIX")
def test_the_owner_is_kept_as_far_as_one_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "plan.json"
    replace_file(target, b"one")
    asked: list[tuple[int, int]] = []

    def only_the_group(_handle: int, uid: int, gid: int) -> None:
        asked.append((uid, gid))
        if uid != -1:
            raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "fchown", only_the_group)
    replace_file(target, b"two")
    state = target.stat()
    assert asked == [(state.st_uid, state.st_gid), (-1, state.st_gid)]


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "plan.json"
    replace_file(target, b"one")
    target.chmod(0o444)
    with pytest.raises(PermissionError, match="read-only"):
        replace_file(target, b"two")
    assert target.read_bytes() == b"one" and os.listdir(tmp_path) == ["plan.json"]


def test_a_file_that_is_held_for_a_moment_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, left = os.replace, [3]
    slept: list[float] = []
    monkeypatch.setattr(files.time, "sleep", slept.append)

    def held(a: str, b: str) -> None:
        if left[0]:
            left[0] -= 1
            raise PermissionError(errno.EACCES, "Access is denied")
        real(a, b)

    monkeypatch.setattr(os, "replace", held)
    replace_file(tmp_path / "plan.json", b"one")
    assert (tmp_path / "plan.json").read_bytes() == b"one" and len(slept) == 3
    left[0] = 99
    with pytest.raises(PermissionError):
        replace_file(tmp_path / "plan.json", b"two")
    assert (tmp_path / "plan.json").read_bytes() == b"one" and sum(slept[3:]) < 1


def test_a_share_that_keeps_something_else_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "plan.json"
    replace_file(target, b"one")
    monkeypatch.setattr(os, "read", lambda _handle, _count: b"\0")
    with pytest.raises(OSError, match="reads back differently"):
        replace_file(target, b"two")
    assert target.read_bytes() == b"one" and os.listdir(tmp_path) == ["plan.json"]


@pytest.mark.parametrize("name", ["方案 v2 – Größe.fwproj", "方" * 82 + ".fwproj", "a" * 255, "x\udce9.fwproj"])
def test_any_name_that_a_file_may_have(tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    for data in (b"one", b"two"):
        replace_file(target, data, backup=True)
    assert target.read_bytes() == b"two" and len(os.listdir(tmp_path)) == 2


def test_a_path_longer_than_windows_once_knew(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(12):
        folder /= "目录" * 20
    folder.mkdir(parents=True)
    assert len(str(folder)) > 400
    replace_file(folder / "plan.json", b"one")
    assert (folder / "plan.json").read_bytes() == b"one"


def test_long_paths_on_windows_get_their_prefix() -> None:
    deep = "\\".join(["folder"] * 40)
    assert system_path(f"C:\\{deep}\\a.fwproj", windows=True) == f"\\\\?\\C:\\{deep}\\a.fwproj"
    assert system_path(f"C:/{deep}/../a.fwproj", windows=True).startswith("\\\\?\\C:\\folder")
    assert system_path(f"\\\\files\\presales\\{deep}", windows=True) == f"\\\\?\\UNC\\files\\presales\\{deep}"
    assert system_path("\\\\files\\presales\\a.fwproj", windows=True) == "\\\\files\\presales\\a.fwproj"
    assert system_path(f"\\\\?\\C:\\{deep}", windows=True) == f"\\\\?\\C:\\{deep}"
    assert system_path(deep, windows=True) == deep
    assert system_path("x" * 300, windows=False) == "x" * 300


def test_what_a_dead_process_left_is_swept(tmp_path: Path) -> None:
    target = tmp_path / "plan.json"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    ours = temporary_name(str(target))
    host = os.path.basename(ours).split(".")[3].split("-")[0]
    dead = tmp_path / f".plan.json.{host}-{gone.pid}-4.fwtmp"
    elsewhere = tmp_path / f".plan.json.abcdef-{gone.pid}-4.fwtmp"
    kept = [tmp_path / ".plan.json.fwtmp", tmp_path / "notes.fwtmp"]
    for path in (Path(ours), dead, elsewhere, *kept):
        path.write_bytes(b"half")
    assert sweep_folder(tmp_path) == 1
    assert not dead.exists() and Path(ours).exists() and elsewhere.exists() and all(k.exists() for k in kept)
    old = time.time() - 2 * files.OLD_S
    os.utime(elsewhere, (old, old))
    assert sweep_beside(target) == 1 and not elsewhere.exists()
    assert sweep_folder(tmp_path / "absent") == 0


def test_a_process_that_cannot_be_asked_counts_as_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    assert files.is_running(os.getpid())
    assert files.is_running(1 << 80), "no such number: nobody may be swept by mistake"
    monkeypatch.setattr(files, "open", lambda *_a: (_ for _ in ()).throw(FileNotFoundError()), raising=False)
    assert files.is_running(os.getpid()), "there is no /proc on every system"

    def refused(_pid: int, _signal: int) -> None:
        raise PermissionError(errno.EPERM, "another user's")

    monkeypatch.setattr(os, "kill", refused)
    assert files.is_running(4711)


def test_capitals_are_settled_where_names_ignore_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Plan.json").write_bytes(b"one")
    settle_case(tmp_path / "plan.json")
    assert os.listdir(tmp_path) == ["Plan.json"], "two names here"
    monkeypatch.setattr(os.path, "exists", lambda _path: True)
    monkeypatch.setattr(os.path, "samefile", lambda _a, _b: True)
    settle_case(tmp_path / "plan.json")
    assert os.listdir(tmp_path) == ["plan.json"]
