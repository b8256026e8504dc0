"""Tables as CSV. Text that a spreadsheet would take for a formula is written as text.

A cell that begins with ``= + - @``, their full-width forms (Chinese and Japanese spreadsheets take those too), a tab or
a line end gets an apostrophe in front, the customary mark for text: spreadsheets then show it (CSV has no other way to
say "text"), and nothing is computed. Numbers stay numbers. Control characters, which would steer a terminal or end a
reader's line, become blanks.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

Cell = str | int | float | None

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def to_csv(
    heads: Sequence[str], rows: Iterable[Sequence[Cell]], lang: str = "en", *, mark: bool | None = None
) -> bytes:
    """UTF-8 CSV with CRLF line ends (RFC 4180). ``mark``: begin with a byte-order mark, by which Excel knows UTF-8;
    None = in Chinese only.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow([_cell(head) for head in heads])
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    marked = lang == "zh_CN" if mark is None else mark
    return ("\ufeff" * marked + stream.getvalue()).encode("utf-8", "replace")


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        # All digits of a price; no ".0" behind a whole number.
        return str(int(value)) if isinstance(value, float) and value.is_integer() else repr(value)
    return as_text(value)


def as_text(value: str) -> str:
    """A cell that no spreadsheet computes."""
    value = _CONTROL.sub(" ", value)
    return f"'{value}" if value.lstrip(" ").startswith(_FORMULA) else value
