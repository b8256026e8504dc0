"""Plain tables as an Excel workbook: a head band, frozen and filtered heads, formulas with their results, ready to
print.

The same tables give the same bytes: the creation date is fixed unless one is stated, and the archive carries no clock
time. Text is always written as text: nothing that begins with ``= + - @`` becomes a formula, no address a link.
"""

from __future__ import annotations

import datetime
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fabricwright.exchange.data_table import Column, DataTable, Formula, TotalLine, Value
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

MAX_ROWS = 1_048_576
"""Rows of a sheet, by the file format (ECMA-376 as Excel and LibreOffice read it)."""
MAX_TEXT = 32_767
"""Characters of a cell, by the file format."""
LONGEST_SHEET_NAME = 31
FIXED_DATE = datetime.datetime(2000, 1, 1)
"""Creation date of a workbook for which no date is stated."""

_FORMATS = {
    "count": "#,##0",
    "number": "#,##0.00",
    "money": "#,##0.00",
    "length_m": "0.00",
    "power_w": "#,##0",
    "mass_kg": "#,##0.0",
    "percent": "0.0%",
}
_BAND, _INK, _SOFT, _RULE, _PALE, _ON_BAND = "#172033", "#172033", "#5F6B7E", "#D8DEE7", "#F1F4F8", "#B8C4E8"
_ACCENT = "#2554D8"
_FONTS = {"en": "Calibri", "zh_CN": "Microsoft YaHei"}
_A4, _A3 = 9, 8
WIDEST_A4 = 205.0
"""Characters of all columns that still read well on A4 across: 205 print at 6.5 points."""
_LINE_PT = 13.0
_HEAD_ROW = 5  # 0-based: band, gap, two lines of project data, gap, heads
_TOKEN = re.compile(r"\{([a-z0-9_.-]+)(:all)?\}")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_BAD_NAME = re.compile(r"[\[\]:*?/\\]")


@dataclass(frozen=True, slots=True)
class BookFacts:
    """What the head of each sheet says. ``facts`` in order: (label, value), the first six are shown; ``company`` is the
    text at the left of the band; ``created`` the stated date, None = a fixed one."""

    title: Message
    facts: tuple[tuple[Message, str], ...] = ()
    company: str = "Fabricwright"
    created: datetime.date | None = None


@dataclass(slots=True)
class _Book:
    """A workbook being written: its formats by description, and where each table stands."""

    book: Any
    lang: str
    facts: BookFacts
    names: dict[str, str] = field(default_factory=dict)
    tables: dict[str, DataTable] = field(default_factory=dict)
    formats: dict[tuple[tuple[str, object], ...], Any] = field(default_factory=dict)

    def style(self, **wish: Any) -> Any:
        """A cell format, each combination made once."""
        base: dict[str, object] = {"font_name": _FONTS.get(self.lang, "Calibri"), "font_size": 10, "font_color": _INK}
        base = {**base, "valign": "vcenter", **wish}
        key = tuple(sorted(base.items()))
        if key not in self.formats:
            self.formats[key] = self.book.add_format(base)
        return self.formats[key]


def workbook_bytes(
    tables: Sequence[DataTable],
    facts: BookFacts,
    lang: str = "en",
    checkpoint: Callable[[], None] | None = None,
) -> bytes:
    """The workbook, a sheet per table. ``checkpoint`` is called now and then and may raise to give up.

    Raises UserError when a table has more rows than a sheet can hold.
    """
    import xlsxwriter  # costs 100 ms to import: only who writes a workbook pays

    stream = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    book = xlsxwriter.Workbook(stream, options)
    created = FIXED_DATE if facts.created is None else datetime.datetime.combine(facts.created, datetime.time())
    book.set_properties({"title": _clean(facts.title.text(lang)), "author": _clean(facts.company), "created": created})
    book.set_calc_mode("auto")
    state = _Book(book, lang, facts)
    for table in tables:
        if _HEAD_ROW + 1 + len(table.rows) + len(table.totals) + len(table.notes) + 2 > MAX_ROWS:
            raise UserError(
                msg(
                    "{title}: {count} rows are more than a spreadsheet can hold ({limit}); write CSV or JSON instead.",
                    title=table.title,
                    count=len(table.rows),
                    limit=MAX_ROWS,
                )
            )
        state.names[table.id] = _sheet_name(table.title.text(lang), set(state.names.values()))
        state.tables[table.id] = table
    for table in tables:
        _write_sheet(state, table, checkpoint)
    book.close()
    return stream.getvalue()


def _sheet_name(text: str, taken: set[str]) -> str:
    base = _BAD_NAME.sub(" ", _clean(text)).strip().strip("'")[:LONGEST_SHEET_NAME] or "Sheet"
    name, n = base, 2
    while name.lower() in {other.lower() for other in taken}:
        tail = f" {n}"
        name = base[: LONGEST_SHEET_NAME - len(tail)] + tail
        n += 1
    return name


def _write_sheet(state: _Book, table: DataTable, checkpoint: Callable[[], None] | None) -> None:
    sheet = state.book.add_worksheet(state.names[table.id])
    sheet.hide_gridlines(2)
    last = max(len(table.columns) - 1, 0)
    _head_band(state, sheet, table, last)
    head: dict[str, Any] = {"bold": True, "bg_color": _PALE, "bottom": 2, "bottom_color": _ACCENT}
    head |= {"text_wrap": True, "valign": "top"}
    for n, column in enumerate(table.columns):
        align = "center" if column.centred else "left" if column.kind not in _FORMATS else "right"
        sheet.write_string(
            _HEAD_ROW,
            n,
            _clean(column.head.text(state.lang)),
            state.style(**head, align=align, **_indent(column, first=n == 0)),
        )
    widths = [_width(state, table, n, column) for n, column in enumerate(table.columns)]
    sheet.set_row(_HEAD_ROW, _LINE_PT * _head_lines(state, table, widths) + 4)
    styles = [
        [_cell_style(state, c, soft=soft, first=n == 0) for n, c in enumerate(table.columns)] for soft in (False, True)
    ]
    for r, row in enumerate(table.rows):
        if checkpoint is not None and r % 512 == 0:
            checkpoint()
        place = _HEAD_ROW + 1 + r
        mine = styles[r in table.soft]
        lines = 1
        for n, value in enumerate(row):
            style = mine[n]
            if table.columns[n].kind == "colour" and isinstance(value, str) and _COLOUR.fullmatch(value):
                style = state.style(bg_color=value, font_color=_text_on(value), align="center", font_size=8)
            _write(state, sheet, table, place, n, value, style)
            if table.columns[n].wrap:
                lines = max(lines, math.ceil(_display(_shown(value, table.columns[n], state.lang)) / widths[n]))
        if lines > 1:
            sheet.set_row(place, _LINE_PT * min(lines, 12) + 3)
    place = _HEAD_ROW + 1 + len(table.rows)
    for line in table.totals:
        _write_total(state, sheet, table, place, line)
        place += 1
    note = state.style(font_color=_SOFT, font_size=9, italic=False)
    for text in table.notes:
        place += 1
        sheet.write_string(place, 0, _clean(text.text(state.lang)), note)
    for n, width in enumerate(widths):
        sheet.set_column(n, n, width)
    _view_and_print(state, sheet, table, last, place, sum(widths))


def _text_on(colour: str) -> str:
    """White or ink, whichever reads better on a colour (ITU-R BT.601 luma)."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#FFFFFF" if 0.299 * red + 0.587 * green + 0.114 * blue < 150 else _INK


def _head_lines(state: _Book, table: DataTable, widths: Sequence[float]) -> int:
    """Lines that the tallest head takes, words kept whole."""
    most = 1
    for column, width in zip(table.columns, widths, strict=True):
        lines, room = 1, width - 1
        for word in column.head.text(state.lang).split():
            size = _display(word)
            if size > room and room < width - 1:
                lines, room = lines + 1, width - 1
            room -= size + 1
        most = max(most, lines)
    return min(most, 4)


def _indent(column: Column, *, first: bool) -> dict[str, Any]:
    """Text stands a little off the figures at its left."""
    return {"indent": 1} if not first and column.kind == "text" and not column.centred else {}


def _cell_style(state: _Book, column: Column, *, soft: bool, first: bool) -> Any:
    wish: dict[str, Any] = {"bottom": 1, "bottom_color": _RULE, **_indent(column, first=first)}
    if column.kind in _FORMATS:
        wish |= {"num_format": _FORMATS[column.kind], "align": "right"}
    elif column.wrap:
        wish |= {"text_wrap": True}
    if column.centred:
        wish |= {"align": "center"}
    if soft:
        wish |= {"italic": True, "font_color": _SOFT}
    return state.style(**wish)


def _head_band(state: _Book, sheet: Any, table: DataTable, last: int) -> None:
    """The dark band with company and title, and two lines of project data."""
    band = state.style(bg_color=_BAND, font_color="#FFFFFF", bold=True, font_size=14)
    small = state.style(bg_color=_BAND, font_color=_ON_BAND, font_size=10, align="right")
    sheet.set_row(0, 30)
    for n in range(last + 1):
        sheet.write_blank(0, n, None, band)
    title = table.title.text(state.lang)
    book_title = state.facts.title.text(state.lang)
    sheet.write_string(0, 0, _clean(title), state.style(bg_color=_BAND, font_color="#FFFFFF", bold=True, font_size=14))
    company = state.facts.company if title == book_title else f"{state.facts.company}  |  {book_title}"
    if last > 0:
        sheet.write_string(0, last, _clean(company), small)
    sheet.set_row(1, 6)
    label = state.style(font_color=_SOFT, font_size=9, valign="top")
    shown = list(state.facts.facts[:6])
    for line, part in enumerate((shown[:3], shown[3:])):
        text: list[Any] = []
        for name, value in part:
            text += [f"{_clean(name.text(state.lang))}: {_clean(value)}"]
        if text:
            sheet.write_string(2 + line, 0, "     ".join(text), label)
    sheet.set_row(4, 6)


def _write_total(state: _Book, sheet: Any, table: DataTable, place: int, line: TotalLine) -> None:
    wish: dict[str, Any] = {"bold": line.strong, "bg_color": _PALE, "top": 1, "top_color": _RULE}
    for n, column in enumerate(table.columns):
        extra = {"num_format": _FORMATS[column.kind]} if column.kind in _FORMATS else {}
        style = state.style(**wish, **extra, **({"align": "center"} if column.centred else {}))
        value = line.cells.get(column.key)
        if n == 0 and value is None:
            value = line.label
        _write(state, sheet, table, place, n, value, style)


def _write(state: _Book, sheet: Any, table: DataTable, row: int, n: int, value: Value, style: Any) -> None:
    if isinstance(value, Message):
        value = value.text(state.lang)
    if isinstance(value, Formula):
        cached: object = "" if value.value is None else value.value
        sheet.write_formula(row, n, "=" + _resolved(state, table, value.text, row), style, cached)
    elif isinstance(value, str):
        sheet.write_string(row, n, _clean(value), style) if value else sheet.write_blank(row, n, None, style)
    elif value is None or (isinstance(value, float) and not math.isfinite(value)):
        sheet.write_blank(row, n, None, style)
    else:
        sheet.write_number(row, n, value, style)


def _resolved(state: _Book, table: DataTable, text: str, row: int) -> str:
    """Formula text with cell names for its ``{key}`` fields."""

    def place(match: re.Match[str]) -> str:
        owner, dot, key = match[1].rpartition(".")
        other = state.tables[owner] if dot else table
        letter = column_letters(other.column(key))
        if not match[2]:
            return f"{letter}{row + 1}"
        cells = f"${letter}${_HEAD_ROW + 2}:${letter}${_HEAD_ROW + 1 + max(len(other.rows), 1)}"
        return "'" + state.names[owner].replace("'", "''") + "'!" + cells if dot else cells

    return _TOKEN.sub(place, text)


def column_letters(n: int) -> str:
    """0 -> A, 26 -> AA."""
    out = ""
    n += 1
    while n:
        n, rest = divmod(n - 1, 26)
        out = chr(65 + rest) + out
    return out


def _width(state: _Book, table: DataTable, n: int, column: Column) -> float:
    if column.width is not None:
        return column.width
    longest = max(map(_display, _clean(column.head.text(state.lang)).split()), default=0) + 2.5  # the filter's arrow
    for row in table.rows[:2000]:
        longest = max(longest, _display(_shown(row[n], column, state.lang)))
    for line in table.totals:
        if n and line.cells.get(column.key) is not None:
            longest = max(longest, _display(_shown(line.cells[column.key], column, state.lang)))
    return float(min(max(longest + 1.5, 6.0), 46.0))


def _shown(value: Value, column: Column, lang: str) -> str:
    if isinstance(value, Formula):
        value = value.value
    if isinstance(value, Message):
        return value.text(lang)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return f"{value:,.2f}" if column.kind in ("money", "number", "length_m") else f"{value:,.0f}"


def _display(text: str) -> int:
    return sum(2 if ord(c) >= 0x2E80 else 1 for c in text[:400])


def _view_and_print(state: _Book, sheet: Any, table: DataTable, last: int, end: int, width: float) -> None:
    sheet.freeze_panes(_HEAD_ROW + 1, table.frozen)
    if table.rows:
        sheet.autofilter(_HEAD_ROW, 0, _HEAD_ROW + len(table.rows), last)
    sheet.set_landscape()
    sheet.set_paper(_A4 if width <= WIDEST_A4 else _A3)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(_HEAD_ROW)
    sheet.print_area(0, 0, end, last)
    sheet.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
    page = msg("page {n} of {all}", n="&P", all="&N").text(state.lang)
    title = _clean(table.title.text(state.lang)).replace("&", "&&")
    company = _clean(state.facts.company).replace("&", "&&")
    sheet.set_footer(f"&L&8{title}&C&8{page}&R&8{company}")


def _clean(text: str) -> str:
    """Text as a cell can hold it: no half surrogates, not too long."""
    safe = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return safe if len(safe) <= MAX_TEXT else safe[: MAX_TEXT - 1] + "…"


def facts_of(title: Message, meta: Mapping[str, object], project: str, design: str) -> BookFacts:
    """Head of a workbook from a project's data (``meta``: customer, project, revision, author, date)."""
    labels = (
        ("customer", msg("Customer")),
        ("revision", msg("Revision")),
        ("author", msg("Author")),
        ("date", msg("Date")),
    )
    facts = [(msg("Project"), str(meta.get("project") or project or "-"))]
    if design:
        facts.append((msg("Design"), design))
    facts += [(label, str(meta[key])) for key, label in labels if meta.get(key)]
    company = str(meta.get("company") or "Fabricwright")
    return BookFacts(title, tuple(facts), company, _date(meta.get("date")))


def _date(value: object) -> datetime.date | None:
    try:
        found = datetime.date.fromisoformat(str(value))
    except ValueError:
        return None
    return found if found.year >= 1900 else None
