"""One sweep in processes of its own; a stopped run keeps its rows."""

from __future__ import annotations

import contextlib
import json
import os
from typing import Any

from PySide6.QtCore import QObject, QProcess, Signal

from fabricwright.design.grid_text import GridText
from fabricwright.design.values import Project
from fabricwright.ui.own_job import OwnJob


class SweepJob(OwnJob):
    """Runs ``fabricwright sweep`` on a snapshot of the project. ``row`` ([number, [values]]) for each as it is ready;
    then ``ended`` (one sentence, "" when all went well). With ``estimate`` only ``estimated`` (seconds).

    Once it is stopped nothing more is computed and ``ended`` follows; the processes that share the points end with it.
    """

    row = Signal(object)
    estimated = Signal(float)
    ended = Signal(str)

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
        super().__init__(project, "sweep", parent)
        self.design, self.grid = design, grid
        self._lang, self._limit, self._estimate = lang, limit, estimate
        self._rest = b""

    @property
    def _spec(self) -> str:
        return str(self._folder / "grid.json")

    def _prepare(self) -> None:
        with open(self._spec, "w", encoding="utf-8") as file:
            json.dump(self.grid.to_json(), file)

    def _command(self, path: str) -> list[str]:
        workers = max(1, min(8, (os.cpu_count() or 2) - 1))
        command = ["sweep", path, "--grid", f"@{self._spec}", "--design", self.design]
        command += ["--lang", self._lang, "--limit", str(self._limit)]
        return command + (["--estimate", "--json"] if self._estimate else ["--report-rows", "--workers", str(workers)])

    def _listening(self, process: QProcess) -> None:
        process.readyReadStandardOutput.connect(self._listen)

    def _listen(self) -> None:
        assert self._process is not None
        *lines, self._rest = (self._rest + bytes(self._process.readAllStandardOutput().data())).split(b"\n")
        if self._estimate:
            self._rest = b"\n".join([*lines, self._rest])
            return
        for line in lines:
            with contextlib.suppress(ValueError):
                self.row.emit(json.loads(line))

    def _over(self) -> None:
        if self._process is not None:
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
