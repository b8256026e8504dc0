"""The journal of an open document: every patch on the disk before the program says so. See docs/storage.md.

A journal is one text file. Each line is JSON, a tab, and 16 hex digits: blake2b-64 of the digits of the line before and
this line's JSON, so that a line that is torn, changed or out of place ends what counts::

    {"format":"fabricwright-journal","version":1,"document":"...","pid":...,"host":...,"edits":0,...}   head
    {"base":"..."}                    the project as last saved, in the file's form
    {"state":"..."}                   only after compaction: the project that the lines below start from
    {"seq":1,"time":"...","patch":{...}}   one line per patch, in the file's codec

Reading stops at the first line that does not check; what follows is counted and reported, never fatal.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from fabricwright.design import storage
from fabricwright.design.patch import Patch, PatchMismatchError, apply, patch_from_json, patch_to_json
from fabricwright.design.values import Project
from fabricwright.resources import user_data_path
from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.reading import some_bytes
from fabricwright.units.record import record
from fabricwright.units.text import msg

FORMAT = "fabricwright-journal"
VERSION = 1
SUFFIX = ".fwjournal"
MOST_BYTES = limits.JOURNAL_BYTES
_LOCK_AT = 1 << 40
"""Windows locks bytes, which nobody may read then: one far behind the end is taken."""


@record
class Head:
    """Whose journal it is. ``document`` the file ("" = it has none yet), ``edits`` those before the first line,
    ``supersedes`` file name of the journal whose work this one goes on with."""

    document: str = ""
    title: str = ""
    host: str = ""
    pid: int = 0
    started: str = ""
    edits: int = 0
    seq: int = 0
    supersedes: str = ""


@record
class Journal:
    """What a journal holds. ``base`` the project as last saved, ``project`` with all edits, ``edits`` how many,
    ``time`` of the last one, ``seq`` its number, ``torn_bytes`` what was cut off the tail."""

    head: Head
    base: Project
    project: Project
    edits: int
    time: str
    seq: int
    torn_bytes: int = 0


def folder() -> Path:
    """Where the journals of this person are."""
    return user_data_path("journal")


def journal_name(document: str) -> str:
    """A fresh file name: journals of one document stand together."""
    key = hashlib.blake2b(os.path.normcase(document).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    return f"{key if document else 'untitled'}-{secrets.token_hex(4)}{SUFFIX}"


# -- lines ------------------------------------------------------------------------------------------------------------


class Lines:
    """Makes lines that hang together by their checksums."""

    def __init__(self) -> None:
        self._last = ""

    def line(self, value: dict[str, Any]) -> bytes:
        """One line with its checksum and its end."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return self._checked(text.encode("utf-8", "replace"))  # half a character, of a paste, as the file writes it

    def _checked(self, text: bytes) -> bytes:
        self._last = _checksum(self._last, text)
        return text + b"\t" + self._last.encode("ascii") + b"\n"

    def head(self, head: Head) -> bytes:
        """The first line."""
        self._last = ""
        told = {name: getattr(head, name) for name in Head.__dataclass_fields__}
        return self.line({"format": FORMAT, "version": VERSION, **told})

    def project(self, kind: str, project: Project) -> bytes:
        """``base`` or ``state``."""
        return self.line({kind: storage.dumps(project).decode("utf-8")})

    def patch(self, seq: int, time: str, patch: Patch) -> bytes:
        """One edit."""
        return self.line({"seq": seq, "time": time, "patch": patch_to_json(patch)})


def _checksum(last: str, text: bytes) -> str:
    return hashlib.blake2b(last.encode("ascii") + text, digest_size=8).hexdigest()


def _checked(data: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """Lines that check, each with the place behind it."""
    last, place = "", 0
    while (end := data.find(b"\n", place)) >= 0:
        text, _, told = data[place:end].rpartition(b"\t")
        last = _checksum(last, text)
        if told != last.encode("ascii"):
            return
        try:
            value = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            return
        if not isinstance(value, dict):
            return
        place = end + 1
        yield place, value


def _no_constant(text: str) -> float:
    raise ValueError(text)


# -- reading ----------------------------------------------------------------------------------------------------------


def read_journal(path: str | Path) -> Journal:
    """What the journal holds up to the first line that does not check. Raises UserError when not even the project that
    it starts from can be read."""
    name = Path(path).name
    try:
        data = some_bytes(path, MOST_BYTES + 1)
    except OSError as error:
        raise UserError(msg("{file}: cannot be read ({reason}).", file=name, reason=reason_of(error))) from error
    if len(data) > MOST_BYTES:
        raise UserError(msg("{file}: is too large for a journal.", file=name))
    lines = _checked(data)
    _end, told = next(lines, (0, {}))
    if told.get("format") != FORMAT:
        raise UserError(msg("{file}: is not a journal, or its first line is damaged.", file=name))
    if told.get("version") != VERSION:
        raise UserError(msg("{file}: is a journal of another version of the program.", file=name))
    sound = {f.name: told[f.name] for f in fields(Head) if type(told.get(f.name)) is type(f.default)}
    head = Head(**sound)
    good, first = next(lines, (0, {}))
    if not isinstance(first.get("base"), str):
        raise UserError(msg("{file}: the project that the journal starts from is damaged.", file=name))
    base = project = storage.loads(first["base"].encode("utf-8"), name)
    edits, seq, time = head.edits, head.seq, head.started
    for end, value in lines:
        try:
            if "state" in value:
                project = storage.loads(value["state"].encode("utf-8"), name)
            else:
                project = apply(project, patch_from_json(value["patch"]))
                edits, seq, time = edits + 1, int(value["seq"]), str(value["time"])
        except (UserError, PatchMismatchError, KeyError, TypeError, ValueError, AttributeError, OverflowError):
            break
        good = end
    return Journal(head, base, project, edits, time, seq, len(data) - good)


# -- whose it is ------------------------------------------------------------------------------------------------------


def claim(handle: int) -> bool:
    """Mark an open journal as in use; the mark goes when its process does, however it ends. False = somebody has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            place = os.lseek(handle, 0, os.SEEK_CUR)
            os.lseek(handle, _LOCK_AT, os.SEEK_SET)
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(handle, place, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        import errno

        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


def in_use(path: str | Path) -> bool:
    """Whether a living process writes this journal."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            return not claim(handle)
        finally:
            os.close(handle)
    return False
