"""What keeps the open document from getting lost: its journal, its lock, saving by itself.

Made by the running program only (``app``); a window without one works, and keeps nothing.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from fabricwright.design import locks, recovery, storage
from fabricwright.design.file_state import FileState, state_of
from fabricwright.design.journal import Journal
from fabricwright.design.journal_writer import JournalWriter
from fabricwright.design.locks import Holder, Lock
from fabricwright.design.patch import Patch
from fabricwright.design.recovery import Found
from fabricwright.units.errors import UserError
from fabricwright.units.files import sweep_beside
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.document import Document
    from fabricwright.ui.session import Session

log = logging.getLogger(__name__)

#: How long a save waits for the journal.
BEFORE_SAVING_S = 2.0
#: Setting: minutes between saves of a named file by itself, 0 = never.
AUTOSAVE = "files/autosave_min"
AUTOSAVE_MINUTES = ("0", "1", "5", "15")


class Safekeeping(QObject):
    """``found`` (list of ``recovery.Found``) once what other processes left was looked through.

    ``holder`` who has the file that was open before this was made; ``claim`` a file
    before opening it: the lock is taken over when the document changes to it.
    """

    found = Signal(object)
    _acknowledged = Signal(int, str, int)
    _failed = Signal(str)

    def __init__(self, document: Document, session: Session, where: Path | None = None) -> None:
        super().__init__(document)
        self.document = document
        self.session = session
        self.recovered: list[Found] = []
        self._where = where
        self._lock: Lock | None = None
        self._locked: Path | None = None
        self.holder: Holder | None = None
        self._claimed: tuple[Path, Lock] | None = None
        self._superseded: dict[int, Path] = {}
        self._restoring: Found | None = None
        self._posted = 0
        self._acknowledged.connect(self._on_saved)
        self._failed.connect(self._on_failed)
        self.writer = JournalWriter(self._acknowledged.emit, self._failed.emit, where)
        document.project_changed.connect(self._on_change)
        document.saving.connect(self._before_saving)
        document.saved.connect(self._on_file_saved)
        self._beat = QTimer(self)
        self._beat.setInterval(int(locks.BEAT_S * 1000))
        self._beat.timeout.connect(self._renew)
        self._beat.start()
        self._clock = QTimer(self)
        self._clock.timeout.connect(self.autosave)
        self.follow_settings()
        self._begin()

    # -- the lock -----------------------------------------------------------------------------------------------------

    def claim(self, path: Path) -> Holder | None:
        """Reserve a file before it is opened; who has it, when somebody has. None: it is ours."""
        self.unclaim()
        if self._lock is not None and self.document.file is not None and _same(self.document.file, path):
            return None
        taken = locks.take(path)
        if isinstance(taken, Holder):
            return taken
        self._claimed = (path, taken)
        return None

    def unclaim(self) -> None:
        """The file could not be opened after all."""
        if self._claimed is not None:
            self._claimed[1].release()
            self._claimed = None

    def _take_lock(self) -> None:
        file = self.document.file
        if self._lock is not None and file is not None and self._locked is not None and _same(self._locked, file):
            return
        before, self._lock, self._locked = self._lock, None, file
        if file is not None and not self.document.read_only:
            if self._claimed is not None and _same(self._claimed[0], file):
                self._lock, self._claimed = self._claimed[1], None
            else:
                if before is not None:
                    before.release()
                    before = None
                taken = locks.take(file)
                self._lock = taken if isinstance(taken, Lock) else None
                self.holder = taken if isinstance(taken, Holder) else None
        if before is not None:
            before.release()
        self.unclaim()

    def _renew(self) -> None:
        if self._lock is not None:
            self._lock.beat()

    # -- the journal --------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        document, left = self.document, self._restoring
        self._restoring = None
        self._take_lock()
        document.journal_time = ""
        name = str(document.file.resolve()) if document.file else ""
        if left is not None and left.journal is not None:
            journal = left.journal
            number = self.writer.begin(
                document.project,
                name,
                edits=journal.edits,
                unsaved=True,
                base=journal.base,
                supersedes=left.path.name,
            )
            self._superseded[number] = left.path
            self._posted = number
        else:
            self._posted = self.writer.begin(document.project, name)
        if document.file is not None:
            sweep_beside(document.file)

    def _on_change(self, patch: Patch | None) -> None:
        if patch is None:
            self._begin()
        elif patch:
            self._posted = self.writer.post(patch, self.document.project)

    def _before_saving(self) -> None:
        # A journal that is behind its file would look like older work of somebody else after a crash at this moment.
        self.writer.flush(BEFORE_SAVING_S)

    def _on_file_saved(self) -> None:
        assert self.document.file is not None
        self.writer.saved(self.document.project, str(self.document.file.resolve()))
        for path in self._superseded.values():
            recovery.discard(path)
        self._superseded.clear()
        self._take_lock()

    def _on_saved(self, number: int, time: str, _edits: int) -> None:
        for known in [n for n in self._superseded if n <= number]:
            recovery.discard(self._superseded.pop(known))
        self.document.tell_journal(time if number >= self._posted else "", "")

    def _on_failed(self, reason: str) -> None:
        if reason != self.document.journal_problem:  # it is tried again every two seconds
            log.error("the journal cannot be written (%s)", reason)
        self.document.tell_journal("", reason)

    # -- what was left ------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Look through the journals in a thread; ``found`` tells what there is."""
        threading.Thread(target=self._look, name="recovery", daemon=True).start()

    def _look(self) -> None:
        found = recovery.find(self._where)
        try:
            self.recovered = found
            self.found.emit(found)
        except RuntimeError:
            pass  # the window was closed meanwhile

    def restore(self, left: Found) -> None:
        """Unsaved work becomes the document. Its journal stays until the new one is on the disk."""
        journal = left.journal
        assert journal is not None
        file = left.document
        if file is not None and (not file.parent.is_dir() or self.claim(file) is not None):
            file = None  # somebody has it, or its folder is gone: it is a project without a name then
        self._restoring = left
        state = _state_before(journal, file)
        self.document.replace(journal.project, file, modified=True, state=state, restored_edits=journal.edits)
        self.forget(left)

    def discard(self, left: Found) -> None:
        """Put unsaved work away for good."""
        recovery.discard(left.path)
        self.forget(left)

    def forget(self, left: Found) -> None:
        """It is no longer offered."""
        self.recovered = [f for f in self.recovered if f.path != left.path]
        self.found.emit(self.recovered)

    # -- saving by itself ---------------------------------------------------------------------------------------------

    def follow_settings(self) -> None:
        """The interval as it is set now."""
        minutes = autosave_minutes(self.session)
        self._clock.stop()
        if minutes:
            self._clock.start(minutes * 60_000)

    def autosave(self) -> None:
        """Save a named file that was changed; asks nothing, and tells what is wrong in the status line."""
        document = self.document
        if document.file is None or not document.modified or document.read_only:
            return
        try:
            document.save()
        except UserError as error:
            document.told.emit(msg("Not saved by itself: {problem}", problem=error.message), "warning")

    # -- leaving ------------------------------------------------------------------------------------------------------

    def stop(self, keep: bool = False) -> None:
        """The window closes; ``keep`` leaves the journal for the next start."""
        self._beat.stop()
        self._clock.stop()
        self.writer.end(keep=keep)
        self.unclaim()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def autosave_minutes(session: Session) -> int:
    """Minutes between saves of a named file, 0 = never."""
    stored = str(session.settings.value(AUTOSAVE) or "0")
    return int(stored) if stored in AUTOSAVE_MINUTES else 0


def _state_before(journal: Journal, file: Path | None) -> FileState | None:
    """What the file is known to hold: what the edits began from. Where it is written otherwise, somebody changed it."""
    if file is None:
        return None
    base = storage.dumps(journal.base)
    try:
        data = storage.read_bytes(file)
        if storage.dumps(storage.loads(data, str(file))) == base:
            return state_of(data)
    except UserError:
        pass
    return state_of(base)


def _same(a: Path, b: Path) -> bool:
    try:
        return a.samefile(b)
    except OSError:
        return a.absolute() == b.absolute()
