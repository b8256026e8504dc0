"""Price lists: columns found by their heads, numbers read strictly, parts matched whatever their case."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from fabricwright.design.values import Price, Project
from fabricwright.exchange.bom import bom
from fabricwright.exchange.bom_tables import TITLE, bom_tables
from fabricwright.exchange.price_list import load_prices
from fabricwright.exchange.price_match import match_prices
from fabricwright.exchange.prices import PriceBook
from fabricwright.exchange.workbook import facts_of, workbook_bytes
from fabricwright.units.errors import UserError

ENGLISH = "Price list 2026\r\n\r\nPart Number,Description,List Price (USD),Discount,Currency,Lead Time\r\n"
CHINESE = "序号,物料编码,名称,含税单价,币种,折扣,税率,货期\r\n"


def written(folder: Path, text: str, name: str = "list.csv", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def test_an_english_list_below_its_title(tmp_path: Path) -> None:
    path = written(tmp_path, ENGLISH + 'SN5600,Switch,"$40,000.00",15%,USD,8 weeks\r\n\r\nMFP7E10,,12.5,,,\r\n')
    first, second = load_prices(path).rows
    assert (first.price.part, first.price.amount, first.price.currency) == ("SN5600", 40000.0, "USD")
    assert (first.price.discount, first.price.lead_days, first.place) == (0.15, 56, "A4")
    assert (second.price.amount, second.price.currency) == (12.5, "CNY")


def test_a_chinese_list_in_chinese_encoding(tmp_path: Path) -> None:
    path = written(tmp_path, CHINESE + "1,DGX-H100,服务器,￥226,人民币,8.5折,13%,4-6周\r\n", encoding="gb18030")
    (row,) = load_prices(path).rows
    price = row.price
    assert (price.part, price.currency, price.discount, price.tax, price.lead_days) == (
        "DGX-H100",
        "CNY",
        0.15,
        0.13,
        42,
    )
    assert price.tax_included
    # 226 with 13% tax is 200 without; 85% of it is paid: 170
    unit = PriceBook([price]).unit("DGX-H100")
    assert unit is not None
    assert (unit.list_price, unit.net) == (pytest.approx(200.0), pytest.approx(170.0))


@pytest.mark.parametrize(
    ("head", "days"),
    [
        ("货期（周）", 28),
        ("交期(周)", 28),
        ("Lead time (weeks)", 28),
        ("供货周期", 4),
        ("货期（天）", 4),
        ("货期（月）", 120),
    ],
)
def test_the_unit_in_the_head_of_the_lead_time_counts(tmp_path: Path, head: str, days: int) -> None:
    (row,) = load_prices(written(tmp_path, f"型号,单价,{head}\r\nSN5600,10,4\r\n")).rows
    assert row.price.lead_days == days


def test_ten_thousands_in_the_head_of_the_price_count(tmp_path: Path) -> None:
    (row,) = load_prices(written(tmp_path, "型号,单价（万元）,货期\r\nSN5600,19.8,8周\r\n")).rows
    assert (row.price.amount, row.price.lead_days) == (198000.0, 56)


def test_a_workbook_is_read_like_a_text_table(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Notes"  # type: ignore[union-attr]
    sheet = book.create_sheet("Prices")
    sheet.append(["型号", "单价", "长度"])
    sheet.append(["aoc-400g", 900, 20])
    sheet.append(["sn4700", "=1+1", None])  # a formula without a stored result has no price
    path = tmp_path / "list.xlsx"
    book.save(path)
    (row,) = load_prices(path).rows
    assert (row.price.part, row.price.amount, row.price.length_m, row.place) == ("aoc-400g", 900.0, 20.0, "Prices!A2")


@pytest.mark.parametrize("text", ["1.234,50", "-5", "twelve", "1e5", "=1+1", "inf", "NaN", "1,23,4"])
def test_a_cell_that_is_no_price_is_named(tmp_path: Path, text: str) -> None:
    found = load_prices(written(tmp_path, f'part;price\r\nx;"{text}"\r\n'))
    assert not found.rows
    assert "cell B2" in found.problems[0].english()


def test_columns_named_by_hand_win(tmp_path: Path) -> None:
    path = written(tmp_path, "Code,Cost A,Cost B\r\nSN5600,1,2\r\n")
    assert load_prices(path, {"part": "Code", "price": "cost b"}).rows[0].price.amount == 2.0
    assert load_prices(path, {"part": "A", "price": "B"}).rows[0].price.amount == 1.0
    with pytest.raises(UserError, match="Cost A"):
        load_prices(path, {"part": "Code", "price": "Cost C"})
    with pytest.raises(UserError, match="no field"):
        load_prices(path, {"colour": "A"})


def test_without_heads_the_columns_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"list\.csv"):
        load_prices(written(tmp_path, "SN5600,40000\r\n"))


def test_parts_are_matched_by_id_order_number_and_vendor(tmp_path: Path, projects: dict[str, Project]) -> None:
    text = (
        "part,vendor,price\r\nDGX-H100,,100\r\nnvidia sn3700c,,10\r\nAOC-100G-QSFP28 20m,,3\r\nAOC-100G-QSFP28,,4\r\n"
    )
    text += "nothing-like-it,,5\r\nNVIDIA DGX-H100,,90\r\n"
    rows = load_prices(written(tmp_path, text)).rows
    found = match_prices(rows, projects["seed-b-512"])
    assert [(p.part, p.length_m, p.amount) for p in found.prices] == [
        ("dgx-h100", None, 100.0),
        ("sn3700c", None, 10.0),
        ("aoc-100g-qsfp28", 20.0, 3.0),
        ("aoc-100g-qsfp28", None, 4.0),
    ]
    assert [row.price.part for row in found.unknown] == ["nothing-like-it"]
    assert ["A7" in text.english() and "A2" in text.english() for text in found.twice] == [True]


def test_a_price_for_the_length_comes_before_one_for_any(tmp_path: Path, projects: dict[str, Project]) -> None:
    text = "part,price,length\r\naoc-400g,10,\r\naoc-400g,20,20 m\r\n"
    book = PriceBook(match_prices(load_prices(written(tmp_path, text)).rows, projects["seed-a-256x8"]).prices)
    assert [book.unit("aoc-400g", length).net for length in (5.0, 20.0)] == [10.0, 20.0]  # type: ignore[union-attr]


def test_hostile_files_are_refused_with_one_sentence(tmp_path: Path) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * 400_000_000)
    laughs = io.BytesIO()
    entity = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><workbook>&b;</workbook>'
    with zipfile.ZipFile(laughs, "w") as archive:
        for name in ("[Content_Types].xml", "xl/workbook.xml", "_rels/.rels"):
            archive.writestr(name, entity)
    for n, data in enumerate((bomb.getvalue(), laughs.getvalue(), b"PK\3\4broken", b"", b"\0\1\2")):
        path = tmp_path / f"hostile{n}.xlsx"
        path.write_bytes(data)
        with pytest.raises(UserError, match=f"hostile{n}.xlsx"):
            load_prices(path)
    for name in ("list.doc", "missing.csv"):
        with pytest.raises(UserError, match=name):
            load_prices(tmp_path / name)
    with pytest.raises(UserError, match=r"zero\.csv"):
        load_prices(written(tmp_path, "part,price\0\r\n", "zero.csv"))


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
def test_an_order_sheet_that_was_filled_in_is_a_price_list(
    lang: str, tmp_path: Path, projects: dict[str, Project]
) -> None:
    """Purchasing writes prices into the workbook and sends it back."""
    project = projects["seed-b-512"]
    path = tmp_path / "order.xlsx"
    path.write_bytes(workbook_bytes(bom_tables(bom(project, "before"), lang), facts_of(TITLE, {}, "a", "b"), lang))
    book = openpyxl.load_workbook(path)
    sheet = book.worksheets[0]
    column = next(cell.column for cell in sheet[6] if cell.value in ("Unit price", "单价"))
    sheet.cell(7, column).value = 250.0
    book.save(path)
    (price,) = match_prices(load_prices(path).rows, project).prices
    assert (price.part, price.amount, price.currency) == ("dgx-h100", 250.0, "CNY")


def test_a_project_states_the_tax_of_prices_that_tell_none() -> None:
    rows = [Price("a", 113.0, "CNY"), Price("b", 113.0, "CNY", tax_included=True), Price("c", 100.0, "CNY", tax=0.06)]
    book = PriceBook(rows, {"tax": 0.13})
    a, b, c = (book.unit(name) for name in "abc")
    assert a is not None and (a.net, a.tax, a.taxed) == (113.0, 0.13, False)
    # 113 with 13% in it is 100 without: 113 / 1.13
    assert b is not None and (b.net, b.tax, b.taxed) == (100.0, 0.13, False)
    assert c is not None and (c.net, c.tax) == (100.0, 0.06)
    told = PriceBook(rows).unit("b")
    assert told is not None and told.tax is None and told.taxed
