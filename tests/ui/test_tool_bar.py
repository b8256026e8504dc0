"""The tool bar at every width: what stands at its right end never falls off."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QToolButton

from fabricwright.ui.views import built_views
from fabricwright.ui.window import MainWindow
from tests.ui.canvas_stage import Stage

pytestmark = pytest.mark.gui


@pytest.fixture
def window(blank: Stage) -> MainWindow:
    """A window that may be narrower than the program otherwise allows."""
    blank.window.setMinimumSize(0, 0)
    return blank.window


def _settle(qtbot, window: MainWindow, width: int) -> None:  # type: ignore[no-untyped-def]
    window.resize(width, 720)
    window.show()
    qtbot.waitExposed(window)
    qtbot.waitUntil(lambda: window.bar.width() <= width and window.bar.language.isVisible())


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("width", [1000, 1200, 1280, 1600, 2200])
def test_counts_and_language_stay(qtbot, window: MainWindow, width: int, language: str) -> None:  # type: ignore[no-untyped-def]
    window.set_language(language)
    window.bar.setFixedWidth(width)
    _settle(qtbot, window, width)
    bar = window.bar
    for widget in (bar.counts, bar.language):
        assert widget.isVisible() and widget.geometry().right() <= bar.width()
    more = bar.findChild(QToolButton, "qt_toolbar_ext_button")
    assert more is None or not more.isVisible()
    assert bar.views.isVisible() != bar.views_menu.isVisible()


def test_the_views_become_a_menu(qtbot, window: MainWindow) -> None:  # type: ignore[no-untyped-def]
    _settle(qtbot, window, 1000)
    bar = window.bar
    assert bar.views_menu.isVisible() and not bar.views.isVisible()
    rows = {row.data(): row for row in bar.views_menu.menu().actions()}
    assert list(rows) == [spec.id for spec in built_views()]
    assert rows["canvas"].isChecked() and bar.views_menu.text() == rows["canvas"].text()
    rows["racks"].trigger()
    assert window.views.spec.id == "racks" and bar.views.current() == "racks"
    assert bar.views_menu.text() == rows["racks"].text() and rows["racks"].isChecked()
    window.resize(2000, 720)
    qtbot.waitUntil(bar.views.isVisible)
    assert bar.views.current() == "racks" and not bar.views_menu.isVisible()
