"""What a command prints: collected first, written at the end, so that a closed pipe changes no exit code.

With ``--json`` exactly one document goes to stdout and nothing else. Progress goes to stderr, only when it takes over a
second and somebody is looking.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fabricwright.units.errors import UserError
from fabricwright.units.files import replace_file
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.text import Message, format_value, msg

PROGRESS_AFTER_S = 1.0

Cell = Message | str | int | float | None


@dataclass(slots=True)
class Output:
    """Lines for people, or one JSON document. ``lang`` is "en" or "zh_CN"."""

    lang: str = "en"
    as_json: bool = False
    _lines: list[str] = field(default_factory=list)
    _document: object = None

    def say(self, text: Message | str = "") -> None:
        """One line; dropped when JSON is wanted."""
        self._lines.append(self.text(text))

    def table(self, heads: Sequence[Message | str], rows: Sequence[Sequence[Cell]], right: str = "") -> None:
        """A table with aligned columns. ``right`` holds one letter per column: r right, anything else left."""
        cells = [[self.text(head) for head in heads]]
        cells += [[" ".join(self.text(cell).split("\n")) for cell in row] for row in rows]
        widths = [max(display_width(row[n]) for row in cells) for n in range(len(heads))]
        for row in cells:
            shown = []
            for n, cell in enumerate(row):
                gap = " " * (widths[n] - display_width(cell))
                shown.append(gap + cell if right[n : n + 1] == "r" else cell + gap)
            self._lines.append("  ".join(shown).rstrip())

    def document(self, value: object) -> None:
        """The JSON document of the command."""
        self._document = value

    def text(self, value: Cell) -> str:
        """A cell or line in the chosen language."""
        if isinstance(value, Message):
            return harmless(value.text(self.lang))
        return "" if value is None else harmless(format_value(value, self.lang))

    def flush(self) -> None:
        """Write everything to stdout; a reader that has gone away is no error. Raises UserError for a full disk."""
        if sys.stdout is None:  # closed by whoever started this
            return
        if self.as_json:
            text = json.dumps(self._document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
        else:
            text = "".join(line + "\n" for line in self._lines)
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            # Python flushes stdout once more at exit; give it somewhere to go.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise UserError(msg("The output cannot be written ({reason}).", reason=reason_of(error))) from error


_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """A text in which names from files neither steer the terminal nor turn its direction round."""
    return _STEERING.sub("\ufffd", text)


def display_width(text: str) -> int:
    """Columns that a text takes in a terminal: wide East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


@contextlib.contextmanager
def progress(text: Message, lang: str) -> Iterator[None]:
    """Say on stderr what is going on when it takes longer than a second and stderr is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    timer = threading.Timer(PROGRESS_AFTER_S, lambda: print(text.text(lang), file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def write_file(path: str, data: bytes) -> None:
    """Write a result file; the old one stays when something fails. Raises UserError naming the file."""
    try:
        replace_file(path, data)
    except (OSError, ValueError) as error:
        reason = reason_of(error)
        raise UserError(msg("{file}: cannot be written ({reason}).", file=path, reason=reason)) from error


def suffix_of(path: str, known: Sequence[str]) -> str:
    """Lower-case suffix of an output file. Raises UserError when it is none of ``known`` (".csv" ...)."""
    suffix = Path(path).suffix.lower()
    if suffix not in known:
        raise UserError(
            msg(
                "{file}: the ending '{suffix}' is not supported here; expected {known}.",
                file=path,
                suffix=suffix,
                known=list(known),
            )
        )
    return suffix
