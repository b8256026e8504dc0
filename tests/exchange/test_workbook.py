"""Workbooks: text stays text, formulas carry their results, equal tables give equal bytes."""

from __future__ import annotations

import datetime
import io

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from fabricwright.exchange.data_table import (
    Column,
    DataTable,
    Formula,
    TotalLine,
    Value,
    summed,
    table_csv,
    table_records,
)
from fabricwright.exchange.workbook import BookFacts, column_letters, facts_of, workbook_bytes
from fabricwright.units.text import msg

EVIL = ("=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "=cmd|' /C calc'!A0", "http://example.org", "\ud800")


def sample(rows: tuple[tuple[Value, ...], ...] | None = None) -> DataTable:
    given = rows or (("a", 2, 2.5, Formula(5.0, "{count}*{price}")), ("b", 3, None, None))
    return DataTable(
        "sample",
        msg("Sample: a/b?"),
        (
            Column("part", msg("Part")),
            Column("count", msg("Quantity"), "count"),
            Column("price", msg("Unit price"), "money"),
            Column("total", msg("Total"), "money"),
        ),
        given,
        (TotalLine(msg("Total"), {"total": summed("total", [5.0, None])}, strong=True),),
        frozen=1,
    )


def opened(data: bytes, *, values: bool = False) -> Worksheet:
    sheet = openpyxl.load_workbook(io.BytesIO(data), data_only=values).worksheets[0]
    assert isinstance(sheet, Worksheet)
    return sheet


def test_formulas_stand_beside_their_results() -> None:
    data = workbook_bytes([sample()], BookFacts(msg("Sample")))
    formulas, values = opened(data), opened(data, values=True)
    assert formulas["D7"].value == "=B7*C7"
    assert values["D7"].value == 5
    assert formulas["D9"].value == "=SUM($D$7:$D$8)"
    assert values["D9"].value == 5


def test_the_head_is_frozen_filtered_and_repeated_on_paper() -> None:
    sheet = opened(workbook_bytes([sample()], BookFacts(msg("Sample"))))
    assert sheet.freeze_panes == "B7"
    assert sheet.auto_filter.ref == "A6:D8"
    assert sheet.print_title_rows == "$6:$6"
    assert sheet.page_setup.orientation == "landscape"
    assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) in ((1, 0), (None, 0))
    assert sheet.oddFooter.center.text is not None and "&P" in sheet.oddFooter.center.text
    assert sheet.title == "Sample  a b"


@pytest.mark.parametrize("text", EVIL)
def test_text_is_never_a_formula(text: str) -> None:
    table = sample(((text, 1, None, None),))
    sheet = opened(workbook_bytes([table], BookFacts(msg("Sample"), ((msg("Project"), text),), company=text)))
    assert sheet["A7"].data_type == "s"
    assert all(cell.data_type != "f" for row in sheet.iter_rows(max_row=7) for cell in row)
    line = table_csv(table).decode("utf-8").split("\r\n", 1)[1]
    assert line[0] in "'h?\"" or line.startswith("\"'")


def test_equal_tables_are_equal_bytes_and_a_stated_date_is_told() -> None:
    facts = facts_of(msg("Sample"), {"date": "2026-03-04", "customer": "Example"}, "P", "main")
    assert facts.created == datetime.date(2026, 3, 4)
    assert workbook_bytes([sample()], facts) == workbook_bytes([sample()], facts)
    book = openpyxl.load_workbook(io.BytesIO(workbook_bytes([sample()], facts)))
    assert book.properties.created is not None and book.properties.created.date() == facts.created


def test_records_and_csv_say_results() -> None:
    assert table_records(sample())[0] == {"part": "a", "count": 2, "price": 2.5, "total": 5.0}
    assert table_csv(sample(), mark=True) == "\ufeffPart,Quantity,Unit price,Total\r\na,2,2.5,5\r\nb,3,,\r\n".encode()


def test_column_letters() -> None:
    assert [column_letters(n) for n in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
