"""Spreadsheets that people hand in, as rows of plain cells: XLSX and CSV. Nothing in them is computed or followed.

Sizes are bounded before anything is unpacked; XML goes through defusedxml, so entities do not expand; of a formula only
the result that the file stores is read.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fabricwright.exchange.workbook import column_letters
from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.reading import read_file
from fabricwright.units.text import msg

MAX_FILE_BYTES = limits.TABLE_BYTES
MAX_UNPACKED_BYTES = limits.TABLE_UNPACKED_BYTES
MAX_MEMBERS = limits.TABLE_MEMBERS
"""Files inside an XLSX archive."""
MAX_ROWS = limits.TABLE_ROWS
MAX_COLUMNS = limits.TABLE_COLUMNS
MAX_CELL = limits.TABLE_TEXT
"""Characters of a cell that are looked at."""

_TEXT = re.compile(rb"<(?:\w+:)?si[\s/>]")
_SMALL = 1 << 20

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class SheetRows:
    """One sheet: its name ("" of a CSV file) and its rows, all as they stand. ``cut`` = there were more."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]
    cut: bool = False

    def place(self, row: int, column: int) -> str:
        """``Prices!D7`` of a cell (both counted from 0)."""
        cell = f"{column_letters(column)}{row + 1}"
        return f"{self.name}!{cell}" if self.name else cell


def read_sheets(path: str | Path) -> list[SheetRows]:
    """The sheets of an ``.xlsx``/``.xlsm`` or ``.csv``/``.txt``/``.tsv`` file. Raises UserError naming the file."""
    name = str(path)
    suffix = Path(path).suffix.lower()
    if suffix not in (".xlsx", ".xlsm", ".csv", ".txt", ".tsv"):
        raise UserError(msg("{file}: expected a spreadsheet (.xlsx) or a text table (.csv).", file=name))
    data = read_file(path, MAX_FILE_BYTES)
    return _xlsx(data, name) if suffix in (".xlsx", ".xlsm") else [_csv(data, name)]


def _csv(data: bytes, name: str) -> SheetRows:
    text = _decoded(data, name)
    head = text.splitlines()[:20]
    mark = max(",;\t", key=lambda sign: (sum(sign in line for line in head), text.count(sign)))
    rows: list[tuple[Cell, ...]] = []
    csv.field_size_limit(1_000_000)
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark):
            if len(rows) >= MAX_ROWS:
                return SheetRows("", tuple(rows), cut=True)
            rows.append(tuple(cell[:MAX_CELL] for cell in row[:MAX_COLUMNS]))
    except csv.Error as error:
        raise UserError(msg("{file}: is no text table ({reason}).", file=name, reason=str(error))) from error
    return SheetRows("", tuple(rows))


def _decoded(data: bytes, name: str) -> str:
    """UTF-8 or UTF-16 by its mark, else UTF-8, else what Chinese Windows writes (GB 18030)."""
    encodings = ["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "gb18030"]
    if b"\0" in data[:4096] and encodings[0] != "utf-16":
        raise UserError(msg("{file}: is no text table.", file=name))
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UserError(msg("{file}: is no text in UTF-8 or GB 18030.", file=name))


def _xlsx(data: bytes, name: str) -> list[SheetRows]:
    _check_archive(data, name)
    import openpyxl  # costs 200 ms to import

    if not openpyxl.DEFUSEDXML:
        raise UserError(msg("{file}: cannot be read safely here, defusedxml is missing.", file=name))
    out = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and extensions that do not matter here
            book = openpyxl.load_workbook(
                io.BytesIO(data), read_only=True, data_only=True, keep_links=False, keep_vba=False
            )
            left = limits.TABLE_CELLS
            for sheet in book.worksheets[: limits.TABLE_SHEETS]:
                rows: list[tuple[Cell, ...]] = []
                cut = False
                for row in sheet.iter_rows(max_row=MAX_ROWS + 1, max_col=MAX_COLUMNS, values_only=True):
                    filled = _filled(row)
                    left -= filled
                    if len(rows) >= MAX_ROWS or left < 0:
                        cut = True
                        break
                    rows.append(tuple(_plain(value) for value in row[:filled]))
                out.append(SheetRows(str(sheet.title), tuple(rows), cut))
            book.close()
    except UserError:
        raise
    except Exception as error:  # the reader of a broken archive raises whatever it trips over
        if _declares_entities(error):
            raise UserError(
                msg("{file}: declares entities, which no spreadsheet does; they are not expanded.", file=name)
            ) from error
        reason = " ".join(f"{type(error).__name__}: {error}".split()).partition(". ")[0].rstrip(".")[:200]
        raise UserError(msg("{file}: is no readable spreadsheet ({reason}).", file=name, reason=reason)) from error
    return out


def _check_archive(data: bytes, name: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            unpacked = sum(member.file_size for member in members)
            _check_size(members, unpacked, name)
            _check_tags(archive, members, name)
    except UserError:
        raise
    except (zipfile.BadZipFile, zlib.error, RuntimeError, ValueError, OSError, EOFError) as error:
        raise UserError(msg("{file}: is no spreadsheet of the kind .xlsx.", file=name)) from error


def _check_size(members: Sequence[zipfile.ZipInfo], unpacked: int, name: str) -> None:
    bomb = any(
        m.file_size > max(limits.TABLE_RATIO_FROM, limits.TABLE_RATIO * max(m.compress_size, 1)) for m in members
    )
    if bomb:
        raise UserError(msg("{file}: unpacks to many times its size, as no spreadsheet does.", file=name))
    if len(members) > MAX_MEMBERS:
        raise UserError(
            msg(
                "{file}: holds {count} files; at most {limit} are read.",
                file=name,
                count=len(members),
                limit=MAX_MEMBERS,
            )
        )
    if unpacked > MAX_UNPACKED_BYTES:
        raise UserError(
            msg(
                "{file}: unpacks to {size} MB; at most {limit} MB are read.",
                file=name,
                size=unpacked // 1_000_000,
                limit=MAX_UNPACKED_BYTES // 1_000_000,
            )
        )


def _check_tags(archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo], name: str) -> None:
    """How many texts and formats there are: all of them are read before the first row."""
    texts = tags = 0
    for member in members:
        # A sheet is read row by row, as far as its bounds; what is small holds few.
        if member.file_size < _SMALL or member.filename.startswith("xl/worksheets/"):
            continue
        with archive.open(member) as stream:
            while piece := stream.read(1 << 20):
                if member.filename.lower().endswith("sharedstrings.xml"):
                    texts += len(_TEXT.findall(piece))
                elif member.filename.lower().endswith((".xml", ".rels")):
                    tags += piece.count(b"<")
    if texts > limits.TABLE_STRINGS or tags > limits.TABLE_TAGS:
        raise UserError(msg("{file}: holds more texts or formats than are read.", file=name))


def _declares_entities(error: BaseException | None) -> bool:
    while error is not None:
        if type(error).__module__.startswith("defusedxml"):
            return True
        error = error.__cause__ or error.__context__
    return False


def _filled(row: tuple[object, ...]) -> int:
    """Cells up to the last one that holds something: a sheet may claim a width and height that it does not have."""
    count = len(row)
    while count and row[count - 1] is None:
        count -= 1
    return count


def _plain(value: object) -> Cell:
    if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)):
        return value
    if isinstance(value, str):
        return value[:MAX_CELL]
    date = getattr(value, "date", None)
    return (date() if callable(date) else value).isoformat() if hasattr(value, "isoformat") else str(value)[:MAX_CELL]
