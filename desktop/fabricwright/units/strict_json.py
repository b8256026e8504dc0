"""JSON that somebody else wrote: bounded in size, depth and rows, no key twice, no NaN, no control characters; one
sentence per mistake.

For small files (a user's parts, catalogue packs). The project file has its own reader with its own limits.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.reading import finite, json_depth, read_file, refuse_half_characters, without_strings
from fabricwright.units.record import record
from fabricwright.units.text import msg

#: Control characters other than tab and line ends: they would steer a terminal that shows the text.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


@record
class Limits:
    """Bytes of the file, levels of nesting, rows (members and elements) in all, characters of one text."""

    file_bytes: int = limits.PACK_BYTES
    depth: int = limits.PACK_DEPTH
    rows: int = limits.PACK_ROWS
    text: int = limits.PACK_TEXT


def read(path: str | Path, bounds: Limits | None = None) -> Any:
    """Parsed content of a file. Raises ``UserError`` naming the file."""
    bounds = bounds or Limits()
    return loads(read_file(path, bounds.file_bytes), str(path), bounds)


def loads(data: bytes, name: str, bounds: Limits | None = None) -> Any:
    """Parsed content of ``data``; ``name`` is the file in messages. Raises ``UserError``."""
    bounds = bounds or Limits()
    if len(data) > bounds.file_bytes:
        raise UserError(msg("{file}: is larger than {limit} MB.", file=name, limit=bounds.file_bytes // 1_048_576))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(msg("{file}: the file is not UTF-8 text.", file=name)) from None
    if json_depth(text, bounds.depth) > bounds.depth:
        raise UserError(msg("{file}: is nested deeper than {limit} levels.", file=name, limit=bounds.depth))
    counter = _Counter(name, bounds)
    if (
        text.count("{") + text.count("[") > bounds.rows and _brackets(text) > bounds.rows + 1
    ):  # each is a row of another: refused at once
        raise UserError(msg("{file}: holds more than {limit} rows.", file=name, limit=bounds.rows))
    try:
        value = json.loads(
            text,
            object_pairs_hook=counter.table,
            parse_constant=counter.constant,
            parse_float=finite,
        )
    except json.JSONDecodeError as error:
        raise UserError(
            msg("{file}: line {line} is not JSON ({problem}).", file=name, line=error.lineno, problem=error.msg)
        ) from None
    except (RecursionError, ValueError) as error:  # a number with thousands of digits
        raise UserError(msg("{file}: is not readable JSON ({problem}).", file=name, problem=str(error)[:80])) from None
    refuse_half_characters(text, value, name)
    counter.look(value)
    return value


def _brackets(text: str) -> int:
    """Tables and lists outside strings."""
    outside = without_strings(text)
    return outside.count("{") + outside.count("[")


class _Counter:
    """Counts members while parsing, and refuses what the limits forbid."""

    def __init__(self, name: str, limits: Limits) -> None:
        self._name = name
        self._limits = limits
        self._rows = 0

    def table(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in pairs:
            if key in out:
                raise UserError(msg("{file}: the key '{key}' is written twice.", file=self._name, key=key[:60]))
            out[key] = value
        self._count(len(out))
        return out

    def constant(self, word: str) -> Any:
        raise UserError(msg("{file}: holds {word}, which is no number.", file=self._name, word=word))

    def look(self, value: Any) -> None:
        """Elements of lists and lengths of texts, which the parser's hooks do not see."""
        if isinstance(value, str):
            if _CONTROL.search(value):
                raise UserError(msg("{file}: a text holds control characters.", file=self._name))
            if len(value) > self._limits.text:
                raise UserError(
                    msg("{file}: a text is longer than {limit} characters.", file=self._name, limit=self._limits.text)
                )
        elif isinstance(value, dict):
            for key, row in value.items():
                self.look(key)
                self.look(row)
        elif isinstance(value, list):
            self._count(len(value))
            for row in value:
                self.look(row)

    def _count(self, rows: int) -> None:
        self._rows += rows
        if self._rows > self._limits.rows:
            raise UserError(msg("{file}: holds more than {limit} rows.", file=self._name, limit=self._limits.rows))
