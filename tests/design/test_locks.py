"""Who has a project open; what is stale."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fabricwright.design import locks
from fabricwright.design.locks import Holder, Lock, holder_of, take


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "own"))
    file = tmp_path / "方案.fwproj"
    file.write_text("{}")
    return file


def _written(plan: Path, **fields: object) -> Path:
    lock = plan.parent / f".{plan.name}.fwlock"
    row = {"user": "li", "host": "desk-7", "since": "2026-11-30T10:00:00+08:00", "pid": 1, "token": "t", "born": ""}
    lock.write_text(json.dumps({**row, **fields}))
    return lock


def test_the_second_one_sees_who_where_and_when(plan: Path) -> None:
    first = take(plan)
    assert isinstance(first, Lock)
    second = take(plan)
    assert isinstance(second, Holder) and second == holder_of(plan)
    assert second.user and second.host == locks.host_name() and second.pid == os.getpid()
    assert second.since[:4].isdigit()
    first.release()
    assert holder_of(plan) is None
    assert sorted(os.listdir(plan.parent)) == sorted([plan.name, "own"])


def test_a_lock_of_a_process_that_is_gone_is_taken_over(plan: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    _written(plan, host=locks.host_name(), pid=gone.pid)
    taken = take(plan)
    assert isinstance(taken, Lock)
    taken.release()
    # The number lives again, in another process than the one that wrote the lock.
    _written(plan, host=locks.host_name(), pid=os.getpid(), born="1")
    if sys.platform == "linux":
        assert isinstance(take(plan), Lock)


def test_another_computer_counts_while_it_renews(plan: Path) -> None:
    lock = _written(plan)
    assert isinstance(take(plan), Holder)
    old = time.time() - locks.STALE_S - 5
    os.utime(lock, (old, old))
    taken = take(plan)
    assert isinstance(taken, Lock)
    os.utime(taken.path, (old, old))
    taken.beat()
    assert time.time() - os.stat(taken.path).st_mtime < 60


def test_a_lock_that_was_renewed_tomorrow_gets_stale_too(plan: Path) -> None:
    lock = _written(plan)
    os.utime(lock, (time.time() + 600, time.time() + 600))
    assert isinstance(take(plan), Holder), "a clock may be some minutes ahead"
    os.utime(lock, (4e9, 4e9))
    assert isinstance(take(plan), Lock)


def test_a_name_from_a_lock_is_shown_in_one_short_line(plan: Path) -> None:
    _written(plan, user="x\x1b[31m\u202e\n" + "y" * 3000, host="", since="s\0")
    holder = take(plan)
    assert isinstance(holder, Holder)
    assert holder.user.isprintable() and len(holder.user) == 80 and (holder.host, holder.since) == ("?", "s ")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"user":1,"host":2,"since":3}', "x" * 9000])
def test_a_damaged_lock_is_nobodys(plan: Path, text: str) -> None:
    (plan.parent / f".{plan.name}.fwlock").write_text(text)
    taken = take(plan)
    assert isinstance(taken, Lock)
    taken.release()


def test_somebody_elses_lock_is_not_taken_away(plan: Path) -> None:
    taken = take(plan)
    assert isinstance(taken, Lock)
    lock = _written(plan)
    taken.release()
    assert lock.exists()


def test_a_folder_that_cannot_be_written_is_locked_from_ones_own(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refuse(path, *args, **more):
        if str(path).startswith(f"{plan.parent}/."):
            raise PermissionError(13, "Permission denied")
        return real(path, *args, **more)

    monkeypatch.setattr(os, "open", refuse)
    taken = take(plan)
    assert isinstance(taken, Lock) and str(plan.parent / "own") in taken.path
    assert isinstance(take(plan), Holder)
    taken.release()


def test_names_as_long_as_names_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "own"))
    plan = tmp_path / f"{'方' * 82}.fwproj"  # 253 bytes
    plan.write_text("{}")
    taken = take(plan)
    assert isinstance(taken, Lock) and len(os.path.basename(taken.path).encode()) <= 255
    assert taken.path.startswith(str(tmp_path / "."))
    taken.release()
