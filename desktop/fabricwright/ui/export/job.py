"""One export in a process of its own; a stopped job leaves no file."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from fabricwright.design.values import Project
from fabricwright.ui.own_job import OwnJob

_ROWS = {"diagram": "sheets", "export-pack": "files"}
"""Command -> where its JSON document lists what was written."""


class ExportJob(OwnJob):
    """Runs ``fabricwright diagram`` (or another ``command`` that writes a file) on a snapshot of the project.

    ``progressed`` 0..1; ``worked`` (start, done or skipped; job) from an export pack; then one of ``finished`` (rows of
    what was written; none from other commands), ``failed`` (one sentence) or ``stopped``.
    """

    progressed = Signal(float)
    worked = Signal(str, str)
    finished = Signal(list)
    failed = Signal(str)
    stopped = Signal()

    def __init__(
        self,
        project: Project,
        target: Path,
        arguments: list[str],
        parent: QObject | None = None,
        command: str = "diagram",
    ) -> None:
        super().__init__(project, "export", parent)
        self._verb, self._target, self._arguments = command, target, arguments
        self._out = b""

    def _command(self, path: str) -> list[str]:
        fixed = [self._verb, path, "-o", str(self._target)]
        fixed += ["--json"] if self._verb in _ROWS else []
        fixed += ["--report-progress"] if self._verb in (*_ROWS, "report") else []
        return [*fixed, *self._arguments]

    def _listening(self, process: QProcess) -> None:
        process.readyReadStandardError.connect(self._listen)
        process.readyReadStandardOutput.connect(self._listen)
        # What a killed process leaves behind in its folder for temporary files goes with ours.
        around = QProcessEnvironment.systemEnvironment()
        for name in ("TMPDIR", "TEMP", "TMP"):
            around.insert(name, str(self._folder))
        process.setProcessEnvironment(around)

    def _listen(self) -> None:
        assert self._process is not None
        self._out += bytes(self._process.readAllStandardOutput().data())
        for line in bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").splitlines():
            word, _, rest = line.partition(" ")
            if word == "progress":
                with contextlib.suppress(ValueError):
                    self.progressed.emit(float(rest))
            elif word == "job" and len(rest.split()) == 2:
                self.worked.emit(*rest.split())
            elif line.strip():
                self._said = line.strip()

    def _over(self) -> None:
        rows = self._rows()
        if self._stopping:
            self.stopped.emit()
        elif self._process is not None and self._process.exitCode() == 0 and rows is not None:
            self.finished.emit(rows)
        else:
            self.failed.emit(self._said or self.tr("The export ended without a word."))

    def _rows(self) -> list[dict[str, Any]] | None:
        if self._verb not in _ROWS:
            return []
        try:
            document = json.loads(self._out)
        except ValueError:
            return None
        rows = document.get(_ROWS[self._verb]) if isinstance(document, dict) else None
        return rows if isinstance(rows, list) else None
