"""The thread that writes a journal. The window posts a patch and goes on; it is told when the disk has it.

Nothing is written before the first edit. Patches that wait are written together and share one fsync. After any failure
the tail is not trusted: the whole journal is written anew beside the old one, which stays until then.
"""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from fabricwright.design.journal import Head, Lines, claim, folder, journal_name
from fabricwright.design.patch import Patch
from fabricwright.design.values import Project
from fabricwright.units.files import host_name, patiently, sync_folder, temporary_name, write_all

Saved = Callable[[int, str, int], None]
Failed = Callable[[str], None]

RETRY_S = 2.0
COMPACT_BYTES = 4 * 1024 * 1024
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class _Begin:
    head: Head
    project: Project
    unsaved: bool
    base: Project


@dataclass(frozen=True, slots=True)
class _Edit:
    seq: int
    time: str
    patch: Patch
    after: Project


@dataclass(frozen=True, slots=True)
class _Clear:
    """The file holds everything up to here; ``document`` is where."""

    document: str
    project: Project


class _Stop:
    """Write what waits, then end."""


def now_text() -> str:
    """This second with its zone."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


class JournalWriter:
    """``begin`` a document, ``post`` its patches, ``saved`` when the file has them, ``end``.

    ``on_saved(seq, time, edits)`` is called in the writer's thread after fsync returned: that is what acknowledged
    means. ``on_failed(reason)`` likewise; it is tried again by itself.
    """

    def __init__(self, on_saved: Saved, on_failed: Failed, where: Path | None = None) -> None:
        self._where = where or folder()
        self._on_saved, self._on_failed = on_saved, on_failed
        self._queue: queue.SimpleQueue[_Begin | _Edit | _Clear | _Stop | threading.Event] = queue.SimpleQueue()
        self._seq = 0
        self._handle = -1
        self._path = ""
        self._lines = Lines()
        self._head = Head()
        self._base = self._project = Project()
        self._edits = 0
        self._bytes = 0
        self._broken = False
        self._shown: tuple[int, str] | None = None
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    # -- the window's side --------------------------------------------------------------------------------------------

    def begin(
        self,
        project: Project,
        document: str = "",
        *,
        edits: int = 0,
        unsaved: bool = False,
        base: Project | None = None,
        supersedes: str = "",
    ) -> int:
        """Another document. What the one before it had is dropped. ``unsaved``: it is in no file, write it now;
        ``edits`` lie between ``base`` and it, ``supersedes`` names the journal it was restored from. Returns the
        number that will be acknowledged."""
        self._seq += 1
        now = now_text()
        head = Head(document, project.title, host_name(), os.getpid(), now, edits, self._seq, supersedes)
        self._queue.put(_Begin(head, project, unsaved, base if base is not None else project))
        return self._seq

    def post(self, patch: Patch, after: Project) -> int:
        """One patch as it was applied (also by undo and redo), and the project it made. Returns its number."""
        self._seq += 1
        self._queue.put(_Edit(self._seq, now_text(), patch, after))
        return self._seq

    def saved(self, project: Project, document: str) -> None:
        """The file holds this project: the journal is not needed any more."""
        self._queue.put(_Clear(document, project))

    def flush(self, timeout_s: float = 10.0) -> bool:
        """Wait until everything posted so far was tried."""
        done = threading.Event()
        self._queue.put(done)
        return done.wait(timeout_s)

    def end(self, *, keep: bool = False, timeout_s: float = 10.0) -> None:
        """Stop. The journal is removed, as the person has decided about the changes, unless ``keep``."""
        if not keep:
            self._queue.put(_Clear("", Project()))
        self._queue.put(_Stop())
        self._thread.join(timeout_s)

    @property
    def path(self) -> str:
        """The file that is written, "" while there is none."""
        return self._path

    # -- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                first = self._queue.get(timeout=RETRY_S if self._broken else None)
            except queue.Empty:
                self._guarded([])
                continue
            batch = [first]
            with contextlib.suppress(queue.Empty):
                while True:
                    batch.append(self._queue.get_nowait())
            edits: list[_Edit] = []
            for entry in batch:
                if isinstance(entry, _Edit):
                    edits.append(entry)
                    continue
                self._guarded(edits)
                edits = []
                if isinstance(entry, threading.Event):
                    entry.set()
                elif isinstance(entry, _Begin):
                    self._drop()
                    self._head, self._base, self._project = entry.head, entry.base, entry.project
                    self._edits = entry.head.edits
                    if entry.unsaved:
                        self._shown = (entry.head.seq, entry.head.started)
                        self._broken = True  # nothing is on the disk yet: write the whole
                        self._guarded([])
                elif isinstance(entry, _Clear):
                    self._drop()
                    self._base = self._project = entry.project
                    self._edits = 0
                    fresh = replace(self._head, edits=0, supersedes="")
                    self._head = replace(fresh, document=entry.document, title=entry.project.title)
                else:
                    self._close()
                    return
            self._guarded(edits)

    def _guarded(self, edits: list[_Edit]) -> None:
        """Whatever goes wrong is told, and the thread lives on: the next try writes everything anew."""
        if not edits and not self._broken:
            return
        if edits:
            self._shown = (edits[-1].seq, edits[-1].time)
            self._edits += len(edits)
        try:
            self._write(edits)
        except Exception as error:  # noqa: BLE001 (the thread must live: nothing else keeps the work)
            self._broken = True  # the file stays open and claimed: what it holds so far counts
            if edits:
                self._project = edits[-1].after
            reason = error.strerror if isinstance(error, OSError) else ""
            self._on_failed(reason or type(error).__name__)
            return
        self._broken = False
        if self._shown is not None:
            self._on_saved(*self._shown, self._edits)

    def _write(self, edits: list[_Edit]) -> None:
        if self._broken or self._bytes > COMPACT_BYTES or self._is_gone():
            self._project = edits[-1].after if edits else self._project
            self._create(None)
        elif self._handle < 0:
            self._create(edits)
            self._project = edits[-1].after
        else:
            data = b"".join(self._lines.patch(e.seq, e.time, e.patch) for e in edits)
            write_all(self._handle, data)
            os.fsync(self._handle)
            self._bytes += len(data)
            self._project = edits[-1].after

    def _is_gone(self) -> bool:
        """Whether somebody removed or replaced the journal, or its folder: what goes into it then nobody will find."""
        if self._handle < 0 or os.name == "nt":  # an open file cannot be removed there
            return False
        try:
            return not os.path.samestat(os.stat(self._path), os.fstat(self._handle))
        except OSError:
            return True

    def _create(self, edits: list[_Edit] | None) -> None:
        """A whole journal in one step, of the edits since the base or (None) of the present state. The one it replaces
        is closed only when it is there."""
        lines = Lines()
        head = replace(self._head, host=host_name(), pid=os.getpid())
        if edits is None:
            seq, time = self._shown or (head.seq, head.started)
            head = replace(head, edits=self._edits, seq=seq, started=time)
            data = lines.head(head) + lines.project("base", self._base) + lines.project("state", self._project)
        else:
            data = lines.head(head) + lines.project("base", self._base)
            data += b"".join(lines.patch(e.seq, e.time, e.patch) for e in edits)
        if os.path.lexists(self._where) and not os.path.isdir(self._where):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(self._where))
        os.makedirs(self._where, mode=0o700, exist_ok=True)
        # Known before it is there: where only the sync of the folder fails, the next try writes the same one.
        path = self._path = self._path or os.path.join(self._where, journal_name(self._head.document))
        name = temporary_name(path)
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
        try:
            claim(handle)
            write_all(handle, data)
            os.fsync(handle)
            if os.name == "nt":  # an open file cannot be renamed there
                os.close(handle)
                handle = -1
                self._close()
            patiently(lambda: os.replace(name, path))
            sync_folder(self._where)
            if handle < 0:
                handle = os.open(path, os.O_RDWR | os.O_APPEND | _BINARY)
                claim(handle)
        except BaseException:
            if handle >= 0:
                os.close(handle)
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
        self._close()
        self._handle, self._lines, self._bytes = handle, lines, 0

    def _close(self) -> None:
        if self._handle >= 0:
            with contextlib.suppress(OSError):
                os.close(self._handle)
        self._handle = -1

    def _drop(self) -> None:
        """The journal has done its work."""
        if os.name == "nt":  # an open file cannot be removed there
            self._close()
        if self._path:
            with contextlib.suppress(OSError):
                os.unlink(self._path)
        self._close()  # after it is gone, or somebody who looks for unsaved work finds one that nobody has open
        self._path, self._broken, self._shown, self._bytes = "", False, None, 0
