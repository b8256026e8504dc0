"""Deliverables as plain frozen tables: named columns with a kind each, rows, totals. Files come after.

``Formula`` is a value that a spreadsheet computes itself: its result is known here, too, and is what CSV, JSON and the
cached value of the spreadsheet's cell say. In its text ``{key}`` is the cell of that column in the same row,
``{key:all}`` the whole column (without head and totals) and ``{table.key:all}`` a column of another sheet.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fabricwright.exchange.tabular import Cell, to_csv
from fabricwright.units.text import Message

KINDS = ("text", "count", "number", "money", "length_m", "power_w", "mass_kg", "percent", "colour")
"""What a column holds: text; whole numbers; plain numbers; money (two decimals); metres; watts; kilograms; a share as
a fraction of 1 (0.13 is shown as 13.0%); a colour as #RRGGBB, shown as such."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A computed cell: its ``value`` as computed here, and the spreadsheet's formula ``text`` (without "=")."""

    value: str | int | float | None
    text: str


Value = str | int | float | Message | Formula | None


@dataclass(frozen=True, slots=True)
class Column:
    """``key`` names it in JSON and in formulas; ``head`` is shown. ``width`` in characters, None = from its content.
    ``wrap`` lets long text run over several lines; ``centred`` values stand in the middle."""

    key: str
    head: Message
    kind: str = "text"
    width: float | None = None
    wrap: bool = False
    centred: bool = False


@dataclass(frozen=True, slots=True)
class TotalLine:
    """A line below the rows: a label, and values by column key."""

    label: Message
    cells: Mapping[str, Value] = field(default_factory=dict)
    strong: bool = False


@dataclass(frozen=True, slots=True)
class DataTable:
    """``id`` names it in formulas of other sheets; ``title`` is the sheet's; ``notes`` stand below the totals.

    ``soft`` rows (by their number) are estimates and shown in italics; ``frozen`` columns stay in view at the left.
    """

    id: str
    title: Message
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    totals: tuple[TotalLine, ...] = ()
    notes: tuple[Message, ...] = ()
    soft: frozenset[int] = frozenset()
    frozen: int = 0

    def column(self, key: str) -> int:
        """Place of a column. Raises KeyError."""
        for n, column in enumerate(self.columns):
            if column.key == key:
                return n
        raise KeyError(key)


def plain(value: Value, lang: str) -> Cell:
    """The value as CSV and JSON show it; what is no finite number is empty."""
    if isinstance(value, Formula):
        value = value.value
    if isinstance(value, Message):
        return value.text(lang)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def table_csv(table: DataTable, lang: str = "en", *, mark: bool | None = None) -> bytes:
    """Heads and rows as CSV (totals and notes are a spreadsheet's matter). ``mark``: begin with a UTF-8 byte-order
    mark; None = in Chinese only."""
    rows = ([plain(value, lang) for value in row] for row in table.rows)
    return to_csv([column.head.text(lang) for column in table.columns], rows, lang, mark=mark)


def table_records(table: DataTable, lang: str = "en") -> list[dict[str, object]]:
    """Rows as JSON objects by column key."""
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, (plain(value, lang) for value in row), strict=True)) for row in table.rows]


def summed(key: str, values: Iterable[float | int | None]) -> Formula:
    """The sum of a column of the same table."""
    return Formula(sum(value for value in values if value is not None), f"SUM({{{key}:all}})")


def records_of(tables: Sequence[DataTable], lang: str = "en") -> dict[str, object]:
    """Several tables as one JSON document: table id -> rows."""
    return {table.id: table_records(table, lang) for table in tables}
