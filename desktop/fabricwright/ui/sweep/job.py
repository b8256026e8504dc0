"""One sweep in processes of its own: the window neither computes nor waits, and a stopped run keeps its rows."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, Signal

from fabricwright.design.grid_text import GridText
from fabricwright.design.storage import dumps
from fabricwright.design.values import Project
from fabricwright.ui.export.job import program


class SweepJob(QObject):
    """Runs ``fabricwright sweep`` on a snapshot of the project. ``row`` ([number, [values]]) for each as it is ready;
    then ``ended`` (one sentence, "" when all went well). With ``estimate`` only ``estimated`` (seconds).
    """

    row = Signal(object)
    estimated = Signal(float)
    ended = Signal(str)
    _saved = Signal(str)

    def __init__(
        self,
        project: Project,
        design: str,
        grid: GridText,
        lang: str,
        limit: int,
        parent: QObject | None = None,
        *,
        estimate: bool = False,
    ) -> None:
        super().__init__(parent)
        self.project, self.design, self.grid = project, design, grid
        self._lang, self._limit, self._estimate = lang, limit, estimate
        self._folder = Path(tempfile.mkdtemp(prefix="fabricwright-sweep-"))
        self._process: QProcess | None = None
        self._rest = b""
        self._said = ""
        self._stopping = self._done = False
        self._saved.connect(self._run)

    def start(self) -> None:
        """Begin; the project is written down in a thread, since a large one takes a while."""
        threading.Thread(target=self._save, daemon=True).start()

    def stop(self) -> None:
        """Compute no more; ``ended`` follows. The processes that share the points end with the one that is stopped."""
        self._stopping = True
        if self._process is not None:
            self._process.kill()

    def _save(self) -> None:
        path = self._folder / "project.fwproj"
        try:
            path.write_bytes(dumps(self.project))
            (self._folder / "grid.json").write_text(json.dumps(self.grid.to_json()), "utf-8")
        except Exception as error:  # noqa: BLE001 - told in the window, whatever it is
            self._said = str(error)
        with contextlib.suppress(RuntimeError):  # the view may be gone
            self._saved.emit(str(path))

    def _run(self, path: str) -> None:
        if self._stopping or self._said:
            self._end()
            return
        process = self._process = QProcess(self)
        process.readyReadStandardOutput.connect(self._listen)
        process.finished.connect(lambda *_: self._end())
        process.errorOccurred.connect(self._trouble)
        workers = max(1, min(8, (os.cpu_count() or 2) - 1))
        command = [*program(), "sweep", path, "--grid", f"@{self._folder / 'grid.json'}", "--design", self.design]
        command += ["--lang", self._lang, "--limit", str(self._limit)]
        command += ["--estimate", "--json"] if self._estimate else ["--report-rows", "--workers", str(workers)]
        process.start(command[0], command[1:])

    def _listen(self) -> None:
        assert self._process is not None
        *lines, self._rest = (self._rest + bytes(self._process.readAllStandardOutput().data())).split(b"\n")
        if self._estimate:
            self._rest = b"\n".join([*lines, self._rest])
            return
        for line in lines:
            with contextlib.suppress(ValueError):
                self.row.emit(json.loads(line))

    def _trouble(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            self._said = self._process.errorString()
            self._end()

    def _end(self) -> None:
        if self._done:
            return
        self._done = True
        shutil.rmtree(self._folder, ignore_errors=True)
        if self._process is not None:
            self._listen()
            told = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").strip()
            if self._process.exitCode() and not self._stopping:
                self._said = told.rpartition("\n")[2] or str(self._process.exitCode())
        if self._estimate:
            found: Any = None
            with contextlib.suppress(ValueError):
                found = json.loads(self._rest)
            if isinstance(found, dict) and not self._stopping:
                self.estimated.emit(float(found["seconds"]))
        self.ended.emit("" if self._stopping else self._said)
