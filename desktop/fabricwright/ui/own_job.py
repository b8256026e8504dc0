"""A command of this program in a process of its own, on the project as it is now: the window neither waits nor
computes."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Signal
from shiboken6 import isValid

from fabricwright.design.storage import dumps
from fabricwright.design.values import Project
from fabricwright.resources import own_program


class OwnJob(QObject):
    """Saves ``project`` in a folder that only this job has, runs ``command(path of the project)``, then calls ``_over``
    once, however it ended; the folder is gone by then. Subclasses say what is run and what came of it.
    """

    _saved = Signal(str)

    def __init__(self, project: Project, purpose: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.project = project
        self._folder = Path(tempfile.mkdtemp(prefix=f"fabricwright-{purpose}-"))
        self._process: QProcess | None = None
        self._said = ""
        self._stopping = self._done = False
        self._saved.connect(self._run)

    def start(self) -> None:
        """Begin; the project is written down in a thread, since a large one takes a while."""
        threading.Thread(target=self._save, daemon=True).start()

    def stop(self) -> None:
        """Give up. What the command writes appears only when it is whole, so nothing has to be undone."""
        if self._done:
            return
        self._stopping = True
        if self._process is not None:
            self._process.kill()

    def _command(self, path: str) -> list[str]:
        """Arguments of the program for the project at ``path``."""
        raise NotImplementedError

    def _prepare(self) -> None:
        """Write what else the command reads into ``_folder``; runs in the thread that saves."""

    def _listening(self, process: QProcess) -> None:
        """Connect to what ``process`` says and set its surroundings before it starts."""
        raise NotImplementedError

    def _listen(self) -> None:
        """Take what the process has said so far."""
        raise NotImplementedError

    def _over(self) -> None:
        """Say what came of it."""
        raise NotImplementedError

    def _save(self) -> None:
        path = self._folder / "project.fwproj"
        try:
            path.write_bytes(dumps(self.project))
            self._prepare()
        except Exception as error:  # noqa: BLE001 - told in the window, whatever it is
            self._said = str(error)
        with contextlib.suppress(RuntimeError):  # whoever wanted it may be gone
            self._saved.emit(str(path))

    def _run(self, path: str) -> None:
        if self._stopping or self._said:
            self._end()
            return
        process = self._process = QProcess(self)
        process.finished.connect(lambda *_: self._end())
        process.errorOccurred.connect(self._trouble)
        self._listening(process)
        program, *first = own_program()
        process.start(program, [*first, *self._command(path)])

    def _trouble(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            self._said = self._process.errorString()
            self._end()

    def _end(self) -> None:
        if self._done:
            return
        self._done = True
        # A process that is destroyed with its window ends it first, and says so when nobody is there any more.
        gone = self._process is not None and not isValid(self._process)
        if not gone and self._process is not None and self._process.state() == QProcess.ProcessState.NotRunning:
            self._listen()
        shutil.rmtree(self._folder, ignore_errors=True)
        if not gone:
            self._over()
