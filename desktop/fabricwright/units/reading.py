"""Reading a file that somebody else named: bounded, and never waiting for one that is no file.

A device may never end and a named pipe may never begin. Pipes that a shell opens for a command (``/dev/fd``, standard
input) are read like files.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from math import isinf
from pathlib import Path
from typing import Any

from fabricwright.units.errors import UserError
from fabricwright.units.files import NO_FILE
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.text import Message, msg

# Possessive: nothing is tried again, or a long text of backslashes would take gigabytes to remember where.
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_BRACKETS = b"[]{}"
_OTHERS = bytes(sign for sign in range(256) if sign not in _BRACKETS)
_OPENING = frozenset(b"[{")


def read_file(path: str | Path, most_bytes: int) -> bytes:
    """The bytes of a file of at most ``most_bytes``. Raises ``UserError`` naming it."""
    name = str(path)
    try:
        data = some_bytes(path, most_bytes + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = reason_of(error)
        raise UserError(msg("{file}: cannot be read ({reason}).", file=name, reason=reason)) from error
    if len(data) > most_bytes:
        limit = f"{most_bytes // 1024} KB" if most_bytes < 1 << 20 else f"{most_bytes >> 20} MB"
        raise UserError(msg("{file}: is larger than {size}, the most that is read.", file=name, size=limit))
    return data


def some_bytes(path: str | Path, most_bytes: int) -> bytes:
    """At most the first ``most_bytes`` of a file. Raises ``OSError`` for a folder and for a named pipe, ``ValueError``
    for a name that no file can have."""
    is_pipe_of_a_shell = os.path.realpath(path).startswith(("/dev/", "/proc/"))
    # What it is is asked of the open file, which nobody can exchange; a pipe must not be waited for until then.
    handle = os.open(path, os.O_RDONLY | (0 if is_pipe_of_a_shell else _AT_ONCE) | _BINARY)
    try:
        kind = os.fstat(handle).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if stat.S_ISSOCK(kind) or (stat.S_ISFIFO(kind) and not is_pipe_of_a_shell):
            raise OSError(errno.EINVAL, NO_FILE, str(path))
        with open(handle, "rb", closefd=False) as stream:
            return stream.read(most_bytes)
    finally:
        os.close(handle)


def without_strings(text: str) -> str:
    """JSON without what stands in quotes."""
    return _STRING.sub("", text)


def json_depth(text: str, most: int = 1 << 30) -> int:
    """Deepest nesting of brackets outside strings; no recursion. Counting ends one above ``most``."""
    deepest = level = 0
    for sign in without_strings(text).encode("utf-8", "replace").translate(None, _OTHERS):
        if sign in _OPENING:
            level += 1
            if level > deepest:
                deepest = level
                if deepest > most:
                    break
        else:
            level -= 1
    return deepest


def finite(text: str) -> float:
    """What ``json.loads`` reads floats with, so that none is larger than a float may be (``1e999``): it would become an
    infinity, which no file can be written with again. Raises ``ValueError``."""
    value = float(text)
    if isinf(value):
        raise ValueError(f"{text[:20]} is larger than a number may be")
    return value


def plain_json(data: bytes, name: str, most_depth: int, otherwise: Message) -> Any:
    """Parsed JSON: UTF-8, nested no deeper than ``most_depth``, no half characters. Raises ``UserError``, with
    ``otherwise`` for what is no JSON."""
    try:
        text = data.decode("utf-8-sig")
        if json_depth(text, most_depth) > most_depth:
            raise UserError(msg("{file}: is nested deeper than {limit} levels.", file=name, limit=most_depth))
        value = json.loads(text, parse_float=finite)
    except (ValueError, RecursionError):
        raise UserError(otherwise) from None
    refuse_half_characters(text, value, name)
    return value


def refuse_half_characters(text: str, value: object, name: str) -> None:
    r"""JSON can write half of a character (``\ud800``), which no file can be written with again. Raises ``UserError``.

    ``text`` is what ``value`` was parsed from: without such an escape there is nothing to look for.
    """
    if "\\ud" not in text and "\\uD" not in text:
        return
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
    except UnicodeEncodeError:
        raise UserError(msg("{file}: holds half a character (a lone surrogate).", file=name)) from None
