"""A pack in one or several languages, written by processes one after the other."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from fabricwright.design.values import Project
from fabricwright.ui.export.job import ExportJob


class PackRun(QObject):
    """Runs ``fabricwright export-pack`` for each language; several lie in folders of their own, each a whole pack with
    its list of checksums.

    ``began`` (folder); ``progressed`` 0..1 over all; ``worked`` (start, done or skipped; job); then one of ``finished``
    (files written), ``failed`` (one sentence) or ``stopped`` (packs that were whole by then).
    """

    began = Signal(str)
    progressed = Signal(float)
    worked = Signal(str, str)
    finished = Signal(int)
    failed = Signal(str)
    stopped = Signal(int)

    def __init__(
        self, project: Project, folder: Path, languages: list[str], arguments: list[str], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._project, self._arguments = project, arguments
        self._packs = [(folder / code if len(languages) > 1 else folder, code) for code in languages]
        self._whole = self._files = 0
        self._job: ExportJob | None = None

    def start(self) -> None:
        """The next pack."""
        folder, code = self._packs[self._whole]
        arguments = [*self._arguments, "--lang", code]
        job = self._job = ExportJob(self._project, folder, arguments, self, command="export-pack")
        job.progressed.connect(lambda part: self.progressed.emit((self._whole + part) / len(self._packs)))
        job.worked.connect(self.worked)
        job.finished.connect(self._done)
        job.failed.connect(self.failed)
        job.stopped.connect(lambda: self.stopped.emit(self._whole))
        self.began.emit(folder.name)
        job.start()

    def stop(self) -> None:
        """Give up; packs that are whole stay."""
        if self._job is not None:
            self._job.stop()

    def _done(self, rows: list[dict[str, object]]) -> None:
        self._files += len(rows)
        self._whole += 1
        if self._whole < len(self._packs):
            self.start()
        else:
            self.finished.emit(self._files)
