"""What a file was when it was read or written, so that a save can tell whether somebody else wrote it meanwhile.

Time and size are looked at first; where they differ, the bytes decide: sync clients touch files without changing them.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from fabricwright.units.files import system_path
from fabricwright.units.record import record


@record
class FileState:
    """``digest`` of the bytes, ``mtime_ns`` and ``size`` as the file system told them (0 where it could not)."""

    digest: str
    mtime_ns: int = 0
    size: int = 0


def digest_of(data: bytes) -> str:
    """blake2b-128 of a file's bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def state_of(path: str | Path, data: bytes) -> FileState:
    """State of a file whose bytes are known."""
    try:
        told = os.stat(system_path(path))
    except OSError:
        return FileState(digest_of(data), 0, len(data))
    return FileState(digest_of(data), told.st_mtime_ns, told.st_size)


def changed_since(path: str | Path, state: FileState) -> bool:
    """Whether the file holds other bytes than it did. A file that is gone or cannot be read has not been changed: the
    save itself will say what is wrong."""
    path = system_path(path)
    try:
        told = os.stat(path)
        if (told.st_mtime_ns, told.st_size) == (state.mtime_ns, state.size):
            return False
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest() != state.digest
    except OSError:
        return False
