"""Settings of pictures and tries: they are remembered while the process lives, and written nowhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fabricwright.ui.session import Session, passing_settings

pytestmark = pytest.mark.usefixtures("qapp")


def test_they_are_written_nowhere() -> None:
    """QSettings replaces its file by a rename: the null device itself would become a file."""
    session = Session(passing_settings())
    session.put("view/language", "zh_CN")
    session.settings.sync()
    assert session.text("view/language") == "zh_CN"
    assert Path(session.settings.fileName()) != Path(os.devnull)
    assert not os.path.lexists(session.settings.fileName())
    assert not Path(os.devnull).is_file()
