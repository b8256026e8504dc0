"""What a file was when it was read or written, so that a save can tell whether somebody else wrote it meanwhile.

The bytes decide: sync clients touch files without changing them, and copy older ones with their old time.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from fabricwright.units.files import system_path
from fabricwright.units.record import record


@record
class FileState:
    """``digest`` of the bytes."""

    digest: str


def state_of(data: bytes) -> FileState:
    """State of a file that holds these bytes (blake2b-128)."""
    return FileState(hashlib.blake2b(data, digest_size=16).hexdigest())


def changed_since(path: str | Path, state: FileState) -> bool:
    """Whether the file holds other bytes than it did. A file that is gone or cannot be read has not been changed: the
    save itself will say what is wrong."""
    path = system_path(path)
    try:
        return os.path.isfile(path) and _now(path) != state
    except OSError:
        return False


def holds(path: str | Path, state: FileState) -> bool:
    """Whether the file is there and holds these bytes."""
    path = system_path(path)
    try:
        return os.path.isfile(path) and _now(path) == state
    except OSError:
        return False


def _now(path: str | Path) -> FileState:
    with open(path, "rb") as stream:
        return FileState(hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest())
