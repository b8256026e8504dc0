"""A folder for own parts, the palette above it, and what the program says, for every test of own parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtWidgets import QApplication

from fabricwright.catalog.store import catalogue
from fabricwright.ui import dialogs
from fabricwright.ui.own_parts.form import PartForm
from fabricwright.ui.panels.palette import PalettePanel
from tests.ui.panel_stage import stage


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder for own parts, and settings that no other test sees."""
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(PartForm, "ask_discard", lambda _form: True)  # no test waits for a person
    catalogue().set_own({})
    for key in ("approval/author", "palette/favourites"):
        QSettings().remove(key)
    yield tmp_path / "data"
    for key in ("approval/author", "palette/favourites"):
        QSettings().remove(key)
    catalogue().set_own({})


@pytest.fixture
def palette(app: QApplication, own_folder: Path) -> Iterator[PalettePanel]:
    panel = PalettePanel(stage(analysed=False))
    panel.resize(220, 600)
    yield panel
    if panel.own.form is not None:
        panel.own.form.discard()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Sentences of message boxes."""
    heard: list[str] = []
    monkeypatch.setattr(dialogs, "show_problem", lambda _parent, message: heard.append(message.english()))
    return heard
