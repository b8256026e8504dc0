"""One export in a process of its own: the window neither waits nor computes, and a stopped job leaves no file."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from fabricwright.design.storage import dumps
from fabricwright.design.values import Project

_ROWS = {"diagram": "sheets", "export-pack": "files"}
"""Command -> where its JSON document lists what was written."""


def program() -> list[str]:
    """This executable again, in a frozen build too."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "fabricwright"]


class ExportJob(QObject):
    """Runs ``fabricwright diagram`` (or another ``command`` that writes a file) on a snapshot of the project.

    ``progressed`` 0..1; ``worked`` (start, done or skipped; job) from an export pack; then one of ``finished`` (rows of
    what was written; none from other commands), ``failed`` (one sentence) or ``stopped``.
    """

    progressed = Signal(float)
    worked = Signal(str, str)
    finished = Signal(list)
    failed = Signal(str)
    stopped = Signal()
    _saved = Signal(str)

    def __init__(
        self,
        project: Project,
        target: Path,
        arguments: list[str],
        parent: QObject | None = None,
        command: str = "diagram",
    ) -> None:
        super().__init__(parent)
        self._command = command
        self._project, self._target, self._arguments = project, target, arguments
        self._folder = Path(tempfile.mkdtemp(prefix="fabricwright-export-"))
        self._process: QProcess | None = None
        self._stopping = False
        self._done = False
        self._said = ""
        self._out = b""
        self._saved.connect(self._run)

    def start(self) -> None:
        """Begin; the project is written down in a thread, since a large one takes a while."""
        threading.Thread(target=self._save, daemon=True).start()

    def stop(self) -> None:
        """Give up. Files appear under their names only when they are whole, so nothing has to be undone."""
        if self._done:
            return
        self._stopping = True
        if self._process is not None:
            self._process.kill()

    def _save(self) -> None:
        path = self._folder / "project.fwproj"
        try:
            text = dumps(self._project)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        except Exception as error:  # noqa: BLE001 - told in the window, whatever it is
            self._said = str(error)
        with contextlib.suppress(RuntimeError):  # the dialog may be gone
            self._saved.emit(str(path))

    def _run(self, path: str) -> None:
        if self._stopping or self._said:
            self._end()
            return
        process = self._process = QProcess(self)
        process.readyReadStandardError.connect(self._listen)
        process.readyReadStandardOutput.connect(self._gather)
        process.finished.connect(self._end)
        process.errorOccurred.connect(self._trouble)
        command = program()
        fixed = [self._command, path, "-o", str(self._target)]
        fixed += ["--json"] if self._command in _ROWS else []
        fixed += ["--report-progress"] if self._command in (*_ROWS, "report") else []
        # What a killed process leaves behind in its folder for temporary files goes with ours.
        around = QProcessEnvironment.systemEnvironment()
        for name in ("TMPDIR", "TEMP", "TMP"):
            around.insert(name, str(self._folder))
        process.setProcessEnvironment(around)
        process.start(command[0], [*command[1:], *fixed, *self._arguments])

    def _listen(self) -> None:
        assert self._process is not None
        for line in bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").splitlines():
            word, _, rest = line.partition(" ")
            if word == "progress":
                with contextlib.suppress(ValueError):
                    self.progressed.emit(float(rest))
            elif word == "job" and len(rest.split()) == 2:
                self.worked.emit(*rest.split())
            elif line.strip():
                self._said = line.strip()

    def _gather(self) -> None:
        assert self._process is not None
        self._out += bytes(self._process.readAllStandardOutput().data())

    def _trouble(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._said = self._process.errorString() if self._process is not None else "?"
            self._end()

    def _end(self, *_: object) -> None:
        if self._done:
            return
        self._done = True
        process = self._process
        if process is not None and process.state() == QProcess.ProcessState.NotRunning:
            self._listen()
            self._gather()
        shutil.rmtree(self._folder, ignore_errors=True)
        if self._stopping:
            self.stopped.emit()
            return
        rows = self._rows()
        if process is not None and process.exitCode() == 0 and rows is not None:
            self.finished.emit(rows)
        else:
            self.failed.emit(self._said or self.tr("The export ended without a word."))

    def _rows(self) -> list[dict[str, Any]] | None:
        if self._command not in _ROWS:
            return []
        try:
            document = json.loads(self._out)
        except ValueError:
            return None
        rows = document.get(_ROWS[self._command]) if isinstance(document, dict) else None
        return rows if isinstance(rows, list) else None
