"""Every test of the window starts in English and light, whatever the one before it did."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    """The application with the program's style and fonts."""
    from fabricwright.ui.i18n import install_language
    from fabricwright.ui.theme import apply_theme

    apply_theme(qapp, "light")
    install_language(qapp, "en")
    yield qapp
    _close_windows(qapp)
    apply_theme(qapp, "light")
    install_language(qapp, "en")


def _close_windows(app: QApplication) -> None:
    """Windows of a test end with it, not whenever the collector finds them while Qt still sends them events."""
    # What a test copied would be destroyed after the interpreter is gone, which ends the process in a crash.
    app.clipboard().clear()
    for window in app.topLevelWidgets():
        window.close()
        window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]
    app.processEvents()
