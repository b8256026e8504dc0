"""Which column of a price list holds what: guessed by words in the heads (English and Chinese), or named by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fabricwright.exchange.spreadsheet import Cell, SheetRows
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

FIELDS = {
    "part": msg("Part number"),
    "price": msg("Unit price"),
    "currency": msg("Currency"),
    "discount": msg("Discount"),
    "tax": msg("Tax rate"),
    "date": msg("List date"),
    "lead": msg("Lead time (days)"),
    "length": msg("Length (m)"),
    "description": msg("Description"),
    "vendor": msg("Vendor"),
}
"""What a column may hold. Only ``part`` and ``price`` are needed."""

_WORDS: dict[str, tuple[str, ...]] = {
    "part": (
        *("part number", "part no", "part#", "p/n", "pn", "part", "sku", "order code", "ordering code", "item no"),
        *("model", "product number", "mpn", "料号", "物料编码", "物料号", "部件号", "零件号", "产品编码", "产品型号"),
        *("订货号", "编码", "型号", "部件"),
    ),
    "price": (
        *("unit price", "list price", "net price", "price", "unit cost", "cost", "未税单价", "不含税单价", "单价"),
        *("目录价", "含税单价", "报价", "未税价", "含税价", "价格"),
    ),
    "currency": ("currency", "curr", "币种", "币别", "货币"),
    "discount": ("discount", "折扣", "折扣率"),
    "tax": ("tax rate", "vat", "tax", "税率", "增值税率", "增值税"),
    "date": ("list date", "valid from", "effective date", "date", "价格日期", "生效日期", "日期"),
    "lead": ("lead time", "leadtime", "delivery", "货期", "交期", "交货期", "供货周期"),
    "length": ("length", "长度", "线长"),
    "description": ("description", "product name", "name", "名称", "描述", "品名", "产品名称", "规格"),
    "vendor": ("vendor", "manufacturer", "brand", "maker", "品牌", "厂商", "厂家", "制造商"),
}
HEAD_ROWS = 30
"""Rows from the top among which the heads are looked for."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """Which column (from 0) of which sheet holds what, below the head row. ``taxed`` = the price column says that tax
    is included, None = it says nothing."""

    sheet: int
    head: int
    columns: Mapping[str, int]
    taxed: bool | None = None


def guess_columns(sheets: Sequence[SheetRows]) -> Mapped | None:
    """The first sheet and row whose heads name a part number and a price; None when none does."""
    best: tuple[int, Mapped] | None = None
    for n, sheet in enumerate(sheets):
        for r, row in enumerate(sheet.rows[:HEAD_ROWS]):
            columns = _columns(row)
            if "part" in columns and "price" in columns and (best is None or len(columns) > best[0]):
                best = len(columns), Mapped(n, r, columns, _taxed(row[columns["price"]]))
        if best is not None:
            return best[1]
    return None


def _columns(row: Sequence[Cell]) -> dict[str, int]:
    """Field -> column whose head says it best: a whole word list entry before one that only holds it."""
    found: dict[str, tuple[int, int]] = {}
    for n, cell in enumerate(row):
        head = _head(cell)
        if not head or len(head) > 60:
            continue
        for field, words in _WORDS.items():
            rank = next((2 * r for r, word in enumerate(words) if head == word), None)
            if rank is None:
                rank = next((2 * r + 101 for r, word in enumerate(words) if _holds(head, word)), None)
            if rank is not None and (field not in found or rank < found[field][0]):
                found[field] = rank, n
    out: dict[str, int] = {}
    for field, (_, n) in sorted(found.items(), key=lambda item: item[1]):
        if n not in out.values():
            out[field] = n
    return out


def _head(cell: Cell) -> str:
    text = " ".join(str(cell).lower().split()) if isinstance(cell, str) else ""
    return re.sub(r"\s*[(（\[].*?[)）\]]\s*", "", text).strip(" :：*")


def _holds(head: str, word: str) -> bool:
    if word.isascii():
        return len(word) > 2 and re.search(rf"\b{re.escape(word)}\b", head) is not None
    return word in head


def _taxed(cell: Cell) -> bool | None:
    text = str(cell or "").lower()
    if any(word in text for word in ("未税", "不含税", "excl", "without tax", "net price", "ex. vat", "ex vat")):
        return False
    if any(word in text for word in ("含税", "incl", "with tax")):
        return True
    return None


def named_columns(sheets: Sequence[SheetRows], names: Mapping[str, str], guess: Mapped | None) -> Mapped:
    """Columns named by hand: FIELD -> head text or column letter, over what was guessed. Raises UserError."""
    unknown = sorted(set(names) - set(FIELDS))
    if unknown:
        raise UserError(
            msg("'{field}' is no field of a price list; expected {known}.", field=unknown[0][:40], known=list(FIELDS))
        )
    base = guess if guess is not None else Mapped(0, _first_row(sheets), {})
    columns = dict(base.columns)
    taxed = base.taxed
    if not sheets:
        raise UserError(msg("The price list has no sheets."))
    heads = sheets[base.sheet].rows[base.head] if sheets[base.sheet].rows else ()
    for field, text in names.items():
        column = _column_named(heads, text)
        if column is None:
            raise UserError(
                msg(
                    "The price list has no column '{name}'; expected one of {heads}, or a letter.",
                    name=text[:60],
                    heads=[str(head) for head in heads if head][:20],
                )
            )
        columns = {f: c for f, c in columns.items() if c != column or f == field}
        columns[field] = column
        if field == "price":
            taxed = _taxed(heads[column] if column < len(heads) else None)
    return replace(base, columns=columns, taxed=taxed)


def _column_named(heads: Sequence[Cell], text: str) -> int | None:
    wanted = " ".join(text.lower().split())
    for n, head in enumerate(heads):
        if " ".join(str(head or "").lower().split()) == wanted:
            return n
    if re.fullmatch(r"[A-Za-z]{1,2}", text.strip()):
        n = 0
        for letter in text.strip().upper():
            n = n * 26 + ord(letter) - 64
        return n - 1
    return None


def _first_row(sheets: Sequence[SheetRows]) -> int:
    rows = sheets[0].rows if sheets else ()
    return next((n for n, row in enumerate(rows) if sum(cell not in (None, "") for cell in row) > 1), 0)
