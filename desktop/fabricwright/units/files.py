"""Writing a file so that a failure leaves the old one: full disk, no right to write, power cut, a share that went away.

Every step is one call of ``os`` (open, write, fsync, replace), so that tests can let each of them fail in turn or cut
the power between two of them.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import ntpath
import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

TEMPORARY = ".fwtmp"
"""Suffix of what is being written; leftovers of a process that died are swept (``sweep_folder``)."""

BACKUP = ".bak"
"""Suffix of the previous version."""

MOST_NAME_BYTES = 255
PAUSES_S = (0.02, 0.05, 0.1, 0.2, 0.3)
"""How long a file that a sync client or virus scanner holds for a moment is waited for, try by try."""

OLD_S = 24 * 3600.0
LONG_WINDOWS_PATH = 240
_TRANSIENT = (errno.EACCES, errno.EBUSY, errno.EPERM)
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_numbers = itertools.count()

READ_ONLY = "read-only"
NO_FILE = "not an ordinary file"


class NotConfirmedError(OSError):
    """The file holds what was to be written, but the disk did not confirm that it will after a power cut."""


def replace_file(path: str | Path, data: bytes, *, backup: bool = False) -> None:
    """Write ``data`` in one step: a temporary file beside the target, fsync, read back, rename, fsync of the folder.

    A symbolic link stays one and its target is written; an existing file keeps its rights and, where the system lets
    us, its owner; a new one gets 0644. Of several names of one file (hard links) only this one gets the new content.
    ``backup`` keeps the previous version as ``NAME.bak``. A file marked read-only is not replaced, nor is what is no
    file (a device, a pipe). Raises ``OSError`` (``NotConfirmedError`` when the new file is there already) and
    ``ValueError`` for a name that no file can have; callers say in their own words what could not be written.
    """
    target = os.path.realpath(system_path(path))
    before = _state(target)
    if before is not None and stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if before is not None and not stat.S_ISREG(before.st_mode):
        raise OSError(errno.EINVAL, NO_FILE, str(path))
    if before is not None and _is_read_only(target, before):
        raise PermissionError(errno.EACCES, READ_ONLY, str(path))
    name = temporary_name(target)
    try:
        _write_new(name, data, before, target)
        if before is not None and backup:
            _keep_previous(target)
        patiently(lambda: os.replace(name, target))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    try:
        sync_folder(os.path.dirname(target))
    except OSError as error:
        raise NotConfirmedError(error.errno, error.strerror, str(path)) from error
    _sweep(os.path.dirname(target), _temporary_start(target))


def _write_new(name: str, data: bytes, like: os.stat_result | None, target: str = "") -> None:
    """``like`` and ``target``: the file whose rights it gets."""
    handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
    try:
        write_all(handle, data)
        if like is None:
            os.chmod(name, 0o644)
        else:
            _rights_as(handle, name, like, target)
        os.fsync(handle)
        _read_back(handle, data)
    finally:
        os.close(handle)


def write_all(handle: int, data: bytes) -> None:
    """All of ``data``; a system may take it in pieces."""
    view = memoryview(data)
    while len(view):
        view = view[os.write(handle, view) :]


def _read_back(handle: int, data: bytes) -> None:
    """What some shares and sync clients acknowledge is not what they keep."""
    os.lseek(handle, 0, os.SEEK_SET)
    view = memoryview(data)
    while len(view):
        piece = os.read(handle, min(len(view), 1 << 20))
        if not piece or piece != view[: len(piece)]:
            raise OSError(errno.EIO, "what was written reads back differently")
        view = view[len(piece) :]


def _rights_as(handle: int, name: str, like: os.stat_result, target: str) -> None:
    """Owner, group, mode, access list and notes (extended attributes) of the file that is replaced, as far as this user
    may give them away. A group that cannot be kept hands its rights to no other group."""
    mode = stat.S_IMODE(like.st_mode)
    kept = True
    if hasattr(os, "fchown"):
        for uid, gid in ((like.st_uid, like.st_gid), (-1, like.st_gid)):
            try:
                os.fchown(handle, uid, gid)
                break
            except OSError:
                continue
        kept = os.fstat(handle).st_gid == like.st_gid
    os.chmod(name, mode if kept else _without_group(mode))
    if not hasattr(os, "listxattr"):
        return
    with contextlib.suppress(OSError):
        for key in os.listxattr(target):
            if key.startswith("user.") or (kept and key == "system.posix_acl_access"):
                with contextlib.suppress(OSError):
                    os.setxattr(handle, key, os.getxattr(target, key))


def _without_group(mode: int) -> int:
    """A mode whose group may do no more than everybody may."""
    return mode & ~0o2070 | (mode & (mode & 0o007) << 3)


def _keep_previous(target: str) -> None:
    """The present file under a second name. It is linked where the file system can, else copied."""
    kept = beside(target, "", BACKUP)
    name = temporary_name(target)
    try:
        try:
            os.link(target, name)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
                raise
            with open(target, "rb") as stream:
                _write_new(name, stream.read(), _state(target), target)
        patiently(lambda: os.replace(name, kept))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def patiently(step: Callable[[], T]) -> T:
    """Do something to a file that another program may hold for a moment (sync clients, virus scanners), with pauses of
    0.7 s in all. Raises the last ``OSError``."""
    for pause in PAUSES_S:
        try:
            return step()
        except OSError as error:
            if error.errno not in _TRANSIENT and not isinstance(error, PermissionError):
                raise
            time.sleep(pause)
    return step()


def sync_folder(folder: str | Path) -> None:
    """A rename is on the disk once its folder is. Windows cannot open a folder, and some shares refuse."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    try:
        handle = os.open(folder or ".", os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:
        return  # a folder that may be written but not looked into
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


# -- names ------------------------------------------------------------------------------------------------------------


def beside(path: str | Path, prefix: str, suffix: str) -> str:
    """A name in the folder of ``path`` that holds its name, cut where it would be longer than a file name may be."""
    folder, name = os.path.split(os.fspath(path))
    room = MOST_NAME_BYTES - len(prefix.encode()) - len(suffix.encode())
    return os.path.join(folder, f"{prefix}{_cut(name, room)}{suffix}")


def _cut(name: str, room: int) -> str:
    """The name, or its beginning and a digest where it takes more than ``room`` bytes."""
    encoded = name.encode("utf-8", "surrogateescape")
    if len(encoded) <= room:
        return name
    digest = hashlib.blake2b(encoded, digest_size=6).hexdigest()
    return f"{encoded[: room - 13].decode('utf-8', 'ignore')}-{digest}"


def _temporary_start(target: str) -> str:
    return f".{_cut(os.path.basename(target), 120)}."


def temporary_name(target: str) -> str:
    """Where something is written before it is renamed to ``target``; ``sweep_folder`` knows it."""
    name = f"{_temporary_start(target)}{_mark()}-{next(_numbers)}{TEMPORARY}"
    return os.path.join(os.path.dirname(target), name)


def system_path(path: str | Path, windows: bool = sys.platform == "win32") -> str:
    r"""The path as the system takes it: on Windows a long one gets the prefix ``\\?\`` (``\\?\UNC\`` on a share)."""
    text = os.fspath(path)
    if not windows or len(text) < LONG_WINDOWS_PATH or text.startswith("\\\\?\\"):
        return text
    full = ntpath.normpath(text)
    if full.startswith("\\\\"):
        return "\\\\?\\UNC\\" + full[2:]
    return "\\\\?\\" + full if ntpath.isabs(full) else text


def host_name() -> str:
    """Name of this computer, as the system knows it: no socket is asked."""
    uname = getattr(os, "uname", None)
    return str(uname().nodename if uname is not None else os.environ.get("COMPUTERNAME", "")) or "localhost"


def _mark() -> str:
    host = hashlib.blake2b(host_name().encode(), digest_size=3).hexdigest()
    return f"{host}-{os.getpid()}"


def is_running(pid: int) -> bool:
    """Whether a process of this computer lives (a zombie does not)."""
    if sys.platform == "win32":
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(0x1000, False, pid)
        if not handle:
            return bool(ctypes.windll.kernel32.GetLastError() == 5)
        code = ctypes.c_ulong()
        ctypes.windll.kernel32.GetExitCodeProcess(handle, ctypes.byref(code))
        ctypes.windll.kernel32.CloseHandle(handle)
        return code.value == 259
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as stream:
        return stream.read().rpartition(b")")[2].split()[0] != b"Z"
    return True


def sweep_beside(path: str | Path) -> int:
    """``sweep_folder`` of the folder that a file is in."""
    return sweep_folder(os.path.dirname(os.path.realpath(system_path(path))))


def sweep_folder(folder: str | Path) -> int:
    """Remove what processes that died while they wrote left in a folder; how many files that were."""
    return _sweep(os.fspath(folder), ".")


def _sweep(folder: str, start: str) -> int:
    host, gone = _mark().partition("-")[0], 0
    try:
        names = os.listdir(folder)
    except OSError:
        return 0
    for name in names:
        if not name.endswith(TEMPORARY) or not name.startswith(start):
            continue
        pieces = name.removesuffix(TEMPORARY).rpartition(".")[2].split("-")
        if len(pieces) != 3 or not pieces[1].isdigit():
            continue
        full = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            dead = pieces[0] == host and not is_running(int(pieces[1]))
            if dead or time.time() - os.stat(full).st_mtime > OLD_S:
                os.unlink(full)
                gone += 1
    return gone


def settle_case(path: str | Path) -> None:
    """Give a file the capitals that were asked for, where the file system knows one name in any capitals."""
    folder, name = os.path.split(os.path.abspath(path))
    names = os.listdir(folder)
    if name in names or not os.path.exists(path):
        return
    for other in names:
        if other.casefold() == name.casefold() and os.path.samefile(os.path.join(folder, other), path):
            os.rename(os.path.join(folder, other), os.path.join(folder, name))
            return


def _state(target: str) -> os.stat_result | None:
    try:
        return os.stat(target)
    except FileNotFoundError:
        return None


def _is_read_only(target: str, state: os.stat_result) -> bool:
    """Also for an administrator, whom the system would let write anyway."""
    return not state.st_mode & 0o222 or not os.access(target, os.W_OK)
