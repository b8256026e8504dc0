"""The head over problems, statements and the rest keeps what stands in it inside the dock, however narrow."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton

from fabricwright.ui.docks import TabbedPanels
from fabricwright.ui.panels.problems import ProblemsPanel
from tests.ui.panel_stage import stage

NAMES = ("problems", "statements", "outline", "paths", "history")


@pytest.fixture
def tabs(app: QApplication) -> TabbedPanels:
    made = TabbedPanels(NAMES)
    made.set_panel("problems", ProblemsPanel(stage()))
    made.counts = {"problems": 35, "statements": 28}
    made.retranslate()
    made.head.setParent(None)
    made.head.show()
    return made


@pytest.mark.parametrize("width", [1000, 724, 620, 520, 440])
def test_nothing_is_pushed_out_of_the_head(tabs: TabbedPanels, width: int) -> None:
    tabs.head.resize(width, tabs.head.height())
    QApplication.processEvents()
    shown = [widget for widget in tabs.beside["problems"] if widget.isVisible()]
    assert isinstance(shown[-1], QToolButton)
    assert shown[-1].geometry().right() < tabs.head.width()
    assert tabs.head.bar.geometry().right() < shown[0].x()
    assert tabs.head.bar.tabRect(len(NAMES) - 1).right() <= tabs.head.bar.width()


def test_tabs_are_shortened_last(tabs: TabbedPanels) -> None:
    severities = tabs.beside["problems"][0]
    close = tabs.head.bar.width_of(close=True)
    beside = tabs.head.width() - tabs.head._room(tabs.beside["problems"])
    staying = tabs.head.width() - tabs.head._room(tabs.beside["problems"][1:])
    for width, mode, counted in (
        (beside + close, "ElideNone", True),
        (beside + close - 1, "ElideNone", False),
        (staying + close, "ElideNone", False),
        (staying + close - 1, "ElideRight", False),
    ):
        tabs.head.resize(width, tabs.head.height())
        QApplication.processEvents()
        assert tabs.head.bar.elideMode() == Qt.TextElideMode[mode], width
        assert severities.isVisible() is counted, width
    tabs.head.resize(1000, tabs.head.height())
    QApplication.processEvents()
    assert severities.isVisible()
    tabs.show_panel("history")
    assert not severities.isVisible()
