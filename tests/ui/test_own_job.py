"""A command in a process of its own: what is called when the process outlives, or ends with, whoever wanted it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QProcess
from shiboken6 import delete, isValid

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui import own_job
from fabricwright.ui.own_job import OwnJob

pytestmark = pytest.mark.gui


class Sleeper(OwnJob):
    """Runs a line of Python instead of the program, and writes down what it is told."""

    def __init__(self, line: str, parent: QObject | None = None) -> None:
        super().__init__(TEMPLATES["single-8gpu"].build(), "test", parent)
        self.line = line
        self.heard: list[str] = []

    def _command(self, path: str) -> list[str]:
        return ["-c", self.line, path]

    def _listening(self, process: QProcess) -> None:
        self.heard.append("listening")

    def _listen(self) -> None:
        assert self._process is not None
        self.heard.append(bytes(self._process.readAllStandardOutput().data()).decode().strip())

    def _over(self) -> None:
        self.heard.append("over")


@pytest.fixture(autouse=True)
def python_for_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_job, "own_program", lambda: [sys.executable])


def test_what_the_process_said_is_heard_and_its_folder_is_gone(qtbot) -> None:
    job = Sleeper("import pathlib, sys; print(pathlib.Path(sys.argv[1]).name)")
    folder: Path = job._folder
    job.start()
    qtbot.waitUntil(lambda: "over" in job.heard, timeout=30_000)
    assert job.heard == ["listening", "project.fwproj", "over"]
    assert not folder.exists()


@pytest.mark.says("Destroyed while process .* is still running")
def test_a_running_process_that_is_destroyed_with_its_window_calls_nobody(qtbot) -> None:
    window = QObject()
    job = Sleeper("import time; time.sleep(60)", window)
    folder, heard = job._folder, job.heard
    job.start()
    qtbot.waitUntil(
        lambda: job._process is not None and job._process.state() == QProcess.ProcessState.Running, timeout=30_000
    )
    with qtbot.captureExceptions() as caught:
        delete(window)
    assert caught == []
    assert not isValid(job) and job._process is not None and not isValid(job._process)
    assert heard == ["listening"] and job._done
    assert not folder.exists()


def test_a_process_that_runs_on_when_it_is_stopped_ends_and_is_told(qtbot) -> None:
    job = Sleeper("import time; time.sleep(60)")
    job.start()
    qtbot.waitUntil(
        lambda: job._process is not None and job._process.state() == QProcess.ProcessState.Running, timeout=30_000
    )
    job.stop()
    qtbot.waitUntil(lambda: "over" in job.heard, timeout=30_000)
    assert job.heard == ["listening", "", "over"] and not job._folder.exists()
