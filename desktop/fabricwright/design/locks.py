"""Who has a project open: a small file beside it, ``.NAME.fwlock``, or in the person's own folder when there is no room
beside the project.

A lock is a courtesy between people, not a gate: saving checks the file itself (``file_state``). It is stale when its
process on this computer is gone, or when no other computer has renewed it for ``STALE_S``.
"""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import json
import os
import secrets
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fabricwright.design.journal_writer import now_text
from fabricwright.resources import user_data_path
from fabricwright.units.files import beside, host_name, is_running, system_path, temporary_name
from fabricwright.units.reading import some_bytes

SUFFIX = ".fwlock"
BEAT_S = 60.0
STALE_S = 900.0
AHEAD_S = 24 * 3600.0
"""No clock is a day ahead: a lock that claims to be renewed tomorrow would never get stale."""
MOST_BYTES = 4096
MOST_SIGNS = 80


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has it open, on which computer, since when (ISO 8601)."""

    user: str
    host: str
    since: str
    pid: int = 0
    token: str = ""
    born: str = ""


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock that is ours. ``path`` of its file, "" when none could be written anywhere."""

    path: str
    token: str

    def beat(self) -> None:
        """Tell others that we are still there; do it every ``BEAT_S``."""
        with contextlib.suppress(OSError):
            if self.path and _read(self.path, self.token) is not None:
                os.utime(self.path)

    def release(self) -> None:
        """Take it away, if it is still ours."""
        with contextlib.suppress(OSError):
            if self.path and _read(self.path, self.token) is not None:
                os.unlink(self.path)


def take(project: str | Path) -> Lock | Holder:
    """The lock of a project file, or who has it. Stale ones are taken over. Never raises: where no lock can be written
    there is none (``path`` "")."""
    ours = Holder(_user(), host_name(), now_text(), os.getpid(), secrets.token_hex(8), _born(os.getpid()))
    data = json.dumps({name: getattr(ours, name) for name in Holder.__dataclass_fields__}).encode("utf-8")
    for path in _places(project):
        try:
            return _take(path, data, ours.token)
        except OSError:
            continue
    return Lock("", ours.token)


def _take(path: str, data: bytes, token: str) -> Lock | Holder:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        holder = _read(path)
        if holder is not None and not _is_stale(path, holder):
            return holder
        # Two may find it stale at once: each writes its own beside and renames; who stands there afterwards has it.
        name = temporary_name(path)
        try:
            with open(name, "xb") as stream:
                stream.write(data)
            os.replace(name, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
        holder = _read(path)
        return Lock(path, token) if holder is None or holder.token == token else holder
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise
    return Lock(path, token)


def holder_of(project: str | Path) -> Holder | None:
    """Who has a project open, None when nobody does."""
    for path in _places(project):
        holder = _read(path)
        if holder is not None and not _is_stale(path, holder):
            return holder
    return None


def _places(project: str | Path) -> tuple[str, str]:
    target = os.path.realpath(system_path(project))
    key = hashlib.blake2b(os.path.normcase(target).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    own = user_data_path("locks", f"{key}{SUFFIX}")
    with contextlib.suppress(OSError):
        os.makedirs(own.parent, mode=0o700, exist_ok=True)
    return beside(target, ".", SUFFIX), str(own)


def _read(path: str, token: str = "") -> Holder | None:
    """Who wrote the lock (with ``token``: only if it is that one). A damaged one, as a crash leaves it, is nobody's."""
    try:
        told: Any = json.loads(some_bytes(path, MOST_BYTES))
        fields = {name: told[name] for name in Holder.__dataclass_fields__ if name in told}
        holder = Holder(**fields)
        if not all(isinstance(getattr(holder, n), str) for n in ("user", "host", "since", "token", "born")):
            return None
        if isinstance(holder.pid, bool) or not isinstance(holder.pid, int):
            return None
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    holder = replace(holder, user=_shown(holder.user), host=_shown(holder.host), since=_shown(holder.since))
    return holder if not token or holder.token == token else None


def _shown(text: str) -> str:
    """A name from a file of somebody else as a line can show it."""
    return "".join(sign if sign.isprintable() else " " for sign in text[:MOST_SIGNS]) or "?"


def _is_stale(path: str, holder: Holder) -> bool:
    if holder.host == host_name():
        if holder.pid <= 0 or not is_running(holder.pid):
            return True
        return bool(holder.born) and _born(holder.pid) not in ("", holder.born)  # the number was given away again
    try:
        age_s = time.time() - os.stat(path).st_mtime
        return age_s > STALE_S or age_s < -AHEAD_S
    except OSError:
        return True


def _born(pid: int) -> str:
    """When a process of this computer began, in its own terms; "" where the system does not say."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return stream.read().rpartition(b")")[2].split()[19].decode("ascii")
    except (OSError, IndexError, UnicodeDecodeError):
        return ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return os.environ.get("USERNAME", "") or "?"
