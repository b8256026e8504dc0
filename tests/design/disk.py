"""A disk that fails, and a disk whose power is cut: what tests of saving and of the journal put in place of ``os``."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

STEPS = ("open", "write", "fsync", "replace", "link", "chmod")


@dataclass
class FailingDisk:
    """The n-th call among ``steps`` raises ``error``; a failing write takes half of the data first."""

    fail_at: int
    error: int
    inside: Path
    steps: tuple[str, ...] = STEPS
    calls: list[str] = field(default_factory=list)

    @contextmanager
    def active(self) -> Iterator[FailingDisk]:
        with pytest.MonkeyPatch.context() as patch:
            for step in self.steps:
                patch.setattr(os, step, self._step(step, getattr(os, step)))
            yield self

    def _step(self, step: str, real):
        def call(*args, **more):
            # Only writes of the files under test; reading modules, catalogue and folders goes on as it does.
            if step == "open" and not args[1] & (os.O_CREAT | os.O_WRONLY | os.O_RDWR):
                return real(*args, **more)
            if step in ("open", "replace", "link", "chmod") and str(self.inside) not in str(args[0]):
                return real(*args, **more)
            if step == "write" and args[0] <= 2:
                return real(*args, **more)
            self.calls.append(step)
            if len(self.calls) - 1 == self.fail_at:
                if step == "write":
                    real(args[0], bytes(args[1])[: len(args[1]) // 2])
                raise OSError(self.error, os.strerror(self.error))
            return real(*args, **more)

        return call


@dataclass
class RecordedDisk:
    """Writes, fsyncs and renames as they come, to be replayed up to a power cut: ``state_after``.

    The model is the harsh one: of a file that was not synced nothing is kept, or half, or all; a rename counts from the
    sync of its folder on, and may count before.
    """

    inside: Path
    log: list[tuple[str, ...]] = field(default_factory=list)
    data: dict[str, list[tuple[int, bytes]]] = field(default_factory=dict)

    @contextmanager
    def active(self) -> Iterator[RecordedDisk]:
        names: dict[int, str] = {}
        real_open, real_write, real_fsync, real_close = os.open, os.write, os.fsync, os.close
        real_replace, real_link, real_unlink = os.replace, os.link, os.unlink

        def open_(path, flags, *args, **more):
            handle = real_open(path, flags, *args, **more)
            if str(self.inside) in str(path):
                names[handle] = str(path)
                if flags & os.O_CREAT:
                    self.log.append(("create", str(path)))
            return handle

        def write(handle, data):
            done = real_write(handle, data)
            if handle in names:
                self.log.append(("write", names[handle], bytes(data)[:done].hex()))
            return done

        def fsync(handle):
            real_fsync(handle)
            if handle in names:
                self.log.append(("fsync", names[handle]))

        def close(handle):
            real_close(handle)
            names.pop(handle, None)

        def replace(a, b, **more):
            real_replace(a, b, **more)
            for handle, name in names.items():
                if name == str(a):
                    names[handle] = str(b)
            if str(self.inside) in str(a):
                self.log.append(("replace", str(a), str(b)))

        def link(a, b, **more):
            real_link(a, b, **more)
            if str(self.inside) in str(a):
                self.log.append(("link", str(a), str(b)))

        def unlink(path, **more):
            real_unlink(path, **more)
            if str(self.inside) in str(path):
                self.log.append(("unlink", str(path)))

        with pytest.MonkeyPatch.context() as patch:
            for name, call in (("open", open_), ("write", write), ("fsync", fsync), ("close", close)):
                patch.setattr(os, name, call)
            for name, call in (("replace", replace), ("link", link), ("unlink", unlink)):
                patch.setattr(os, name, call)
            yield self

    def mark(self, word: str) -> None:
        """A moment that the test knows by name."""
        self.log.append(("mark", word))

    def states_after(self, length: int, start: dict[str, bytes]) -> list[dict[str, bytes]]:
        """Contents of the folder that a power cut after ``length`` steps may leave: names as of the last sync of the
        folder or as they were in memory, unsynced bytes lost, torn or kept.
        """
        inode: dict[str, int] = {}
        written: dict[int, bytes] = {}
        synced: dict[int, bytes] = {}
        for n, (name, content) in enumerate(sorted(start.items())):
            inode[name], written[n], synced[n] = n, content, content
        fresh = len(start)
        durable = dict(inode)
        for entry in self.log[:length]:
            if entry[0] == "create":
                inode[entry[1]], written[fresh], synced[fresh] = fresh, b"", b""
                fresh += 1
            elif entry[0] == "write":
                written[inode[entry[1]]] += bytes.fromhex(entry[2])
            elif entry[0] == "fsync":
                if entry[1] in inode:
                    synced[inode[entry[1]]] = written[inode[entry[1]]]
                else:
                    durable = dict(inode)
            elif entry[0] == "replace":
                inode[entry[2]] = inode.pop(entry[1])
            elif entry[0] == "link":
                inode[entry[2]] = inode[entry[1]]
            elif entry[0] == "unlink":
                inode.pop(entry[1], None)
        out = []
        for names in (durable, inode):
            for keep in (0.0, 0.5, 1.0):
                state = {}
                for name, node in names.items():
                    lost = written[node][len(synced[node]) :]
                    state[name] = synced[node] + lost[: int(len(lost) * keep)]
                out.append(state)
        return out


ERRORS = (errno.ENOSPC, errno.EACCES, errno.EIO)
