"""Where the stack goes when the process is killed by a fault below Python: ``logs/crash.txt`` in the user's folder.

The file is opened when the window starts, since at the end nothing can be opened any more. What the last run left there
is kept as ``crash-before.txt``.
"""

from __future__ import annotations

import contextlib
import faulthandler
import logging
from typing import IO

from fabricwright.resources import user_data_path

log = logging.getLogger(__name__)

_file: IO[str] | None = None


def keep_stack(name: str = "crash") -> bool:
    """Have the stacks of all threads written when the process dies of a fault. False when no file can be written."""
    global _file
    folder = user_data_path("logs")
    path, before = folder / f"{name}.txt", folder / f"{name}-before.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size:
            path.replace(before)
        _file = open(path, "w", encoding="utf-8")  # noqa: SIM115 (open as long as the process lives)
    except OSError:
        log.warning("no file for crashes can be written")
        with contextlib.suppress(ValueError, OSError, RuntimeError):
            faulthandler.enable()
        return False
    faulthandler.enable(_file, all_threads=True)
    return True


def last_crash() -> str:
    """What the run before this one left when it died, "" when it did not."""
    try:
        with open(user_data_path("logs", "crash-before.txt"), encoding="utf-8", errors="replace") as stream:
            return stream.read(200_000)
    except OSError:
        return ""
