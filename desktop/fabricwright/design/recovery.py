"""Work that a crash, a kill or a power cut left in journals: found, told, restored or put away.

A journal counts by whether it checks, never by its age beside the file. One that holds nothing but what its file holds
is removed in silence; one that cannot be read is told and kept until the person discards it.
"""

from __future__ import annotations

import contextlib
import logging
import os
from dataclasses import dataclass
from pathlib import Path

from fabricwright.design import storage
from fabricwright.design.journal import SUFFIX, Journal, folder, in_use, read_journal
from fabricwright.units.errors import UserError
from fabricwright.units.files import sweep_beside, sweep_folder
from fabricwright.units.text import Message, msg

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """A journal that nobody writes any more. ``journal`` None and ``problem`` why, when it cannot be read."""

    path: Path
    journal: Journal | None
    problem: Message | None = None

    @property
    def document(self) -> Path | None:
        """The file it belongs to."""
        if self.journal is None or not self.journal.head.document:
            return None
        return Path(self.journal.head.document)


def find(where: Path | None = None) -> list[Found]:
    """All unsaved work, the latest first. Leftovers of interrupted writes are removed. Never raises."""
    where = where or folder()
    sweep_folder(where)
    found: list[Found] = []
    superseded: set[str] = set()
    for path in left_over(where):
        try:
            journal = read_journal(path)
            superseded.add(journal.head.supersedes)
            if journal.head.document:
                sweep_beside(journal.head.document)
            if not _is_saved(journal):
                found.append(Found(path, journal))
            else:
                discard(path)
        except UserError as error:
            if os.path.lexists(path):  # else its process has put it away since the folder was listed
                found.append(Found(path, None, error.message))
        except Exception as error:  # whatever is in one of them, the others are offered
            log.exception("a journal cannot be read")
            told = msg("{file}: cannot be read ({reason}).", file=path.name, reason=type(error).__name__)
            found.append(Found(path, None, told))
    for old in [f for f in found if f.path.name in superseded]:
        # Restored already, by a process that died before it could put the old journal away.
        discard(old.path)
        found.remove(old)
    return sorted(found, key=lambda f: f.journal.time if f.journal else "", reverse=True)


def left_over(where: Path | None = None) -> list[Path]:
    """Journals that no living process writes, unread: how many ``find`` will look into. Never raises."""
    where = where or folder()
    try:
        names = sorted(n for n in os.listdir(where) if n.endswith(SUFFIX) and os.path.isfile(where / n))
    except OSError:
        return []
    return [where / name for name in names if not in_use(where / name)]


def _is_saved(journal: Journal) -> bool:
    """Whether the file, or the project it started from, is what the journal ends with."""
    data = storage.dumps(journal.project)
    if not journal.torn_bytes and not journal.head.document and data == storage.dumps(journal.base):
        return True
    if not journal.head.document:
        return False
    with contextlib.suppress(UserError):
        return storage.dumps(storage.load(journal.head.document)) == data
    return False


def discard(path: Path) -> None:
    """Put a journal away for good."""
    with contextlib.suppress(OSError):
        os.unlink(path)
