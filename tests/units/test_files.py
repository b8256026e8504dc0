"""Replacing a file in one step."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from fabricwright.units.files import replace_file


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
