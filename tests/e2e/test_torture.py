"""A few kills at random moments; ``make torture`` does two hundred."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "torture.py"


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_what_was_acknowledged_survives_kills(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("torture", SCRIPT)
    assert spec and spec.loader
    torture = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "torture", torture)
    spec.loader.exec_module(torture)
    for name in ("FABRICWRIGHT_DATA", "QT_QPA_PLATFORM"):  # the script sets them for its children
        monkeypatch.setenv(name, "offscreen")
    said: list[str] = []
    assert torture.run(8, 7, said.append) == 0, said
    assert said[0].startswith("8 of 8 recovered")
