"""The licences that an installed program has to show."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from fabricwright.ui.about import AboutDialog, licence_texts

pytestmark = pytest.mark.gui


def test_a_checkout_has_no_texts_and_says_where_they_are(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = AboutDialog(parent, "0.1.0")
    assert not dialog.parts.isVisibleTo(dialog)
    assert not dialog.text.isVisibleTo(dialog)


def test_an_installed_program_shows_the_text_of_each_part(qtbot, tmp_path: Path, monkeypatch):
    for part, text in (("numpy", "BSD"), ("qt", "LESSER GENERAL PUBLIC")):
        (tmp_path / "licenses" / part).mkdir(parents=True)
        (tmp_path / "licenses" / part / "LICENSE.txt").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "fabricwright"))
    assert sorted(licence_texts()) == ["numpy", "qt"]
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = AboutDialog(parent, "0.1.0")
    assert dialog.parts.currentText() == "qt"
    assert "LESSER" in dialog.text.toPlainText()
    dialog.parts.setCurrentText("numpy")
    assert dialog.text.toPlainText() == "BSD"
