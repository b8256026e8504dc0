"""Every test of the window starts in English and light, whatever the one before it did."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

if TYPE_CHECKING:
    from tests.ui.canvas_stage import Stage


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
        if isValid(window):  # closing one may have ended another, as the list of a completer
            window.close()
            window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]
    app.processEvents()


class _Heard(logging.Handler):
    """What the program and Qt (where its messages come this way) said aloud."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name == "fabricwright.ui.watchdog":
            return  # how long a handler took says how busy the machine is
        if record.name.split(".")[0] in ("fabricwright", "qt"):
            self.found.append(f"{record.name}: {record.levelname}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def nothing_unexpected_is_said(request: pytest.FixtureRequest) -> Iterator[None]:
    """A warning that no test expects is a defect that nobody has looked at.

    ``@pytest.mark.says("pattern")`` allows what matches; without a pattern, everything.
    """
    heard = _Heard()
    # pytest-qt listens to Qt until the test's own part has ended, and lets go of it before this one goes on.
    captured = getattr(request.node, "qt_log_capture", None)
    logging.getLogger().addHandler(heard)
    yield
    logging.getLogger().removeHandler(heard)
    allowed = [pattern for mark in request.node.iter_markers("says") for pattern in (mark.args or (".*",))]
    for record in captured.records if captured is not None else ():
        if not record.ignored and record.log_type_name in ("WARNING", "CRITICAL", "FATAL"):
            heard.found.append(f"qt: {record.log_type_name}: {record.message}")
    unexpected = [text for text in heard.found if not any(re.search(pattern, text, re.DOTALL) for pattern in allowed)]
    if unexpected:
        pytest.fail("said aloud, expected by no test:\n" + "\n".join(unexpected), pytrace=False)


@pytest.fixture
def all_painted() -> Iterator[None]:
    """What fails to paint, fails the test: in use the guard only leaves a sign."""
    from fabricwright.ui.paint.guard import clear_reported, reported_failures

    clear_reported()
    yield
    assert reported_failures() == frozenset()


@pytest.fixture
def blank(app: QApplication, tmp_path: Path) -> Iterator[Stage]:
    """A window on a new project."""
    from fabricwright.ui.file_commands import blank_project
    from tests.ui.canvas_stage import close, make_stage

    stage = make_stage(blank_project(), tmp_path)
    yield stage
    close(stage)
