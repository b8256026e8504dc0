"""Tables as CSV. Text that a spreadsheet would take for a formula is written as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

Cell = str | int | float | None

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(heads: Sequence[str], rows: Iterable[Sequence[Cell]], lang: str = "en") -> bytes:
    """UTF-8 CSV with CRLF line ends (RFC 4180); in Chinese with a byte-order mark, which Excel needs there."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(heads)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    mark = "\ufeff" if lang == "zh_CN" else ""
    return (mark + stream.getvalue()).encode("utf-8")


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        # All digits of a price; no ".0" behind a whole number.
        return str(int(value)) if isinstance(value, float) and value.is_integer() else repr(value)
    return f"'{value}" if value.startswith(_FORMULA) else value
