"""A supplier's price list as rows of prices.

Numbers are read strictly: a cell that is no number is named, nothing is guessed. Discounts: ``15%`` and 0.15 mean 15%
off, ``8.5折`` means that 85% of the price is paid.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fabricwright.design.values import Price
from fabricwright.exchange.price_columns import Mapped, guess_columns, named_columns
from fabricwright.exchange.spreadsheet import Cell, SheetRows, read_sheets
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

_SIGNS = {"¥": "CNY", "￥": "CNY", "$": "USD", "€": "EUR", "£": "GBP"}
_NAMES = {"RMB": "CNY", "人民币": "CNY", "人民币元": "CNY", "元": "CNY", "美元": "USD", "欧元": "EUR", "港币": "HKD"}
_NAMES |= {"US$": "USD", "HK$": "HKD", "EURO": "EUR", "日元": "JPY"}
_MARKS = sorted({**_SIGNS, **_NAMES}.items(), key=lambda item: -len(item[0]))
_NUMBER = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?|\d+(\.\d+)?")
_CODE = re.compile(r"[A-Z]{3}")
MOST_PROBLEMS = 200


@dataclass(frozen=True, slots=True)
class PriceRow:
    """A price as listed. ``place`` of its cell; ``price.part`` still is the list's own number."""

    place: str
    price: Price
    description: str = ""
    vendor: str = ""


@dataclass(frozen=True, slots=True)
class PriceList:
    """What was read: prices, and cells that are not understood."""

    rows: tuple[PriceRow, ...]
    problems: tuple[Message, ...] = ()


def read_prices(
    sheets: Sequence[SheetRows],
    mapped: Mapped,
    source: str,
    *,
    currency: str = "CNY",
    tax: float | None = None,
    discount: float = 0.0,
    date: str = "",
) -> PriceList:
    """The prices below the heads. What a row does not tell is taken from the arguments. Rows without a part number or
    without a price are left out; a cell that should be a number and is none is a problem."""
    missing = [field for field in ("part", "price") if field not in mapped.columns]
    if missing:
        raise UserError(
            msg(
                "{file}: no column for {fields} was found; name the columns, such as part=A and price=F.",
                file=source,
                fields=missing,
            )
        )
    sheet = sheets[mapped.sheet]
    reader = _Reader(sheet, mapped, source, Price("", 0.0, currency, source, date, discount, tax))
    rows: list[PriceRow] = []
    for r in range(mapped.head + 1, len(sheet.rows)):
        found = reader.row(r)
        if found is not None:
            rows.append(found)
    problems = list(reader.problems[:MOST_PROBLEMS])
    if sheet.cut:
        problems.append(msg("{file}: only the first {count} rows were read.", file=source, count=len(sheet.rows)))
    return PriceList(tuple(rows), tuple(problems))


class _Reader:
    def __init__(self, sheet: SheetRows, mapped: Mapped, source: str, default: Price) -> None:
        self.sheet, self.mapped, self.source, self.default = sheet, mapped, source, default
        self.problems: list[Message] = []

    def row(self, r: int) -> PriceRow | None:
        part = self._text(r, "part")
        if not part or self._cell(r, "price") in (None, ""):
            return None
        amount, sign = self._money(r)
        if amount is None:
            return None
        price = replace(
            self.default,
            part=part[:200],
            amount=amount,
            currency=self._currency(r) or sign or self.default.currency,
            date=self._text(r, "date")[:40] or self.default.date,
            discount=self._share(r, "discount", self.default.discount) or 0.0,
            tax=self._share(r, "tax", self.default.tax),
            tax_included=bool(self.mapped.taxed),
            length_m=self._number(r, "length", "m"),
            lead_days=self._lead(r),
        )
        place = self.sheet.place(r, self.mapped.columns["part"])
        return PriceRow(place, price, self._text(r, "description"), self._text(r, "vendor"))

    def _cell(self, r: int, field: str) -> Cell:
        column = self.mapped.columns.get(field)
        row = self.sheet.rows[r]
        return row[column] if column is not None and column < len(row) else None

    def _text(self, r: int, field: str) -> str:
        cell = self._cell(r, field)
        if isinstance(cell, float) and cell.is_integer():
            cell = int(cell)
        text = " ".join(str(cell).split()) if cell is not None else ""
        return text[1:] if text[:2] in ("'=", "'+", "'-", "'@") else text

    def _bad(self, r: int, field: str, expected: Message) -> None:
        self.problems.append(
            msg(
                "{file}, cell {cell}: '{value}' is not understood; expected {expected}.",
                file=self.source,
                cell=self.sheet.place(r, self.mapped.columns[field]),
                value=str(self._cell(r, field))[:40],
                expected=expected,
            )
        )

    def _money(self, r: int) -> tuple[float | None, str]:
        cell = self._cell(r, "price")
        if isinstance(cell, (int, float)):
            if math.isfinite(cell) and 0 <= cell <= 1e12:
                return round(float(cell) * self._thousands(), 6), ""
            self._bad(r, "price", msg("a price from 0, such as 1234.50"))
            return None, ""
        text = str(cell).strip()
        sign = ""
        for mark, code in _MARKS:
            if mark in text:
                sign, text = code, text.replace(mark, "")
                break
        told = re.match(r"\s*([A-Z]{3})\b|.*\b([A-Z]{3})\s*$", text)
        if told and not sign:
            sign = told[1] or told[2]
            text = text.replace(sign, "")
        value = _plain_number(text)
        if value is None:
            self._bad(r, "price", msg("a price from 0, such as 1234.50"))
        return (round(value * self._thousands(), 6) if value is not None else None), sign

    def _currency(self, r: int) -> str:
        text = self._text(r, "currency").upper()
        if not text:
            return ""
        found = _NAMES.get(text) or _SIGNS.get(text) or (text if _CODE.fullmatch(text) else "")
        if not found:
            self._bad(r, "currency", msg("a code such as CNY"))
        return found

    def _share(self, r: int, field: str, default: float | None) -> float | None:
        cell = self._cell(r, field)
        if cell in (None, ""):
            return default
        value: float | None
        if isinstance(cell, (int, float)):
            value = float(cell)
        else:
            text = str(cell).strip()
            if text.endswith("折"):
                paid = _plain_number(text[:-1])
                value = None if paid is None else 1.0 - (paid / 10.0 if paid <= 10 else paid / 100.0)
            elif text.endswith(("%", "％")):
                value = _plain_number(text[:-1])
                value = None if value is None else value / 100.0
            else:
                value = _plain_number(text)
        if value is not None and 1.0 < value <= 100.0:
            value /= 100.0
        if value is None or not 0.0 <= value <= 1.0:
            self._bad(r, field, msg("a share such as 13% or 0.13"))
            return default
        return round(value, 9)

    def _number(self, r: int, field: str, unit: str) -> float | None:
        cell = self._cell(r, field)
        if cell in (None, ""):
            return None
        text = str(cell).strip().lower().removesuffix(unit).removesuffix("米").strip()
        value = float(cell) if isinstance(cell, (int, float)) else _plain_number(text)
        if value is None or not 0 <= value <= 1e6:
            self._bad(r, field, msg("a number from 0"))
            return None
        return value or None

    def _head(self, field: str) -> str:
        """What stands above a column: its unit counts for the numbers below."""
        return str(self.sheet.rows[self.mapped.head][self.mapped.columns[field]] or "").casefold()

    def _thousands(self) -> float:
        """10,000 below "单价（万元）", 1,000 below "千元"; 1 below anything else."""
        head = self._head("price")
        return 1e4 if re.search(r"万(?:元|美元|人民币)|[(（]万[)）]", head) else 1e3 if "千元" in head else 1.0

    def _lead_unit(self) -> str:
        """Unit of bare numbers below the head of the lead time."""
        head = self._head("lead")
        found = re.search(r"周(?!期)|星期|week|wks?\b|个月|[(（]月|month", head)
        return found[0] if found else "d"

    def _lead(self, r: int) -> int | None:
        cell = self._cell(r, "lead")
        if cell in (None, ""):
            return None
        days: float | None
        if isinstance(cell, (int, float)):
            days = float(cell) * _days(self._lead_unit())
        else:
            text = str(cell).strip().lower()
            found = re.fullmatch(
                r"(?:\d+\s*[-~–至到]\s*)?(\d+)\s*(days?|d|天|日|个?工作日|weeks?|w|wks?|周|星期|months?|个?月)?", text
            )
            days = int(found[1]) * _days(found[2] or self._lead_unit()) if found else None
        if days is None or not 0 <= days <= 3650:
            self._bad(r, "lead", msg("days or weeks, such as 30 or 8 weeks"))
            return None
        return int(days)


def _days(unit: str) -> int:
    return 7 if unit[:1] in ("w", "周", "星") else 30 if unit[:1] == "m" or "月" in unit else 1


def _plain_number(text: str) -> float | None:
    bare = text.replace("\u00a0", " ").replace("，", ",").strip()
    return float(bare.replace(",", "")) if len(bare) <= 24 and _NUMBER.fullmatch(bare) else None


def load_prices(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    *,
    currency: str = "CNY",
    tax: float | None = None,
    discount: float = 0.0,
    date: str = "",
) -> PriceList:
    """Read a price list file. Raises UserError naming the file when it has no part and price columns."""
    sheets = read_sheets(path)
    guess = guess_columns(sheets)
    name = Path(path).name
    mapped = named_columns(sheets, columns, guess) if columns else guess
    if mapped is None:
        mapped = Mapped(0, 0, {})
    return read_prices(sheets, mapped, name, currency=currency, tax=tax, discount=discount, date=date)
