"""Whoever works all day opens many files in one window: none leaves anything behind."""

from __future__ import annotations

import gc
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from fabricwright.design.templates import TEMPLATES
from tests.ui.canvas_stage import close, make_stage


def turn() -> None:
    """A loop of its own, as the program has one: what was deleted later goes only then."""
    loop = QEventLoop()
    QTimer.singleShot(30, loop.quit)
    loop.exec()


def widgets(app: QApplication) -> Counter[str]:
    turn()
    gc.collect()
    turn()
    return Counter(f"{type(w).__name__} in {type(w.parent()).__name__}" for w in app.allWidgets())


@pytest.mark.gui
def test_a_file_opened_ten_times_leaves_no_widget_behind(app: QApplication, tmp_path: Path) -> None:
    stage = make_stage(TEMPLATES["single-8gpu"].build(), tmp_path)
    file = tmp_path / "x.fwproj"
    stage.document.save(file)
    try:
        for view in ("racks", "bill", "canvas"):  # views are made when they are first shown
            stage.window.commands.show_view(view)
        stage.document.open(file)
        before = widgets(app)
        for _ in range(10):
            stage.document.edit("retitle", title="other")
            stage.document.open(file)
            turn()
        assert widgets(app) - before == Counter()
    finally:
        close(stage)
