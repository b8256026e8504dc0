"""What parts cost under the prices of a project: net unit prices in one currency where a rate of exchange is stated,
and sums per currency, before and after tax.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabricwright.design.values import Price, Project

if TYPE_CHECKING:
    from fabricwright.exchange.bom import BomTable

DEFAULT_CURRENCY = "CNY"
NO_CURRENCY = "XXX"
"""What ISO 4217 writes where no currency is meant: a code that is none."""
_CODE = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class UnitPrice:
    """The price of one piece: ``list_price`` as listed but without tax, ``net`` after discount, both in ``currency``.

    ``tax`` rate, None = not told (then ``net`` may hold a tax that was included, see ``taxed``). ``listed`` the row;
    ``rate`` by which it was converted, 1 when it was not.
    """

    list_price: float
    net: float
    currency: str
    discount: float
    tax: float | None
    taxed: bool
    listed: Price
    rate: float = 1.0


@dataclass(frozen=True, slots=True)
class Money:
    """A sum in one currency. ``net`` before tax, ``tax`` of the lines whose rate is told; ``lines`` priced lines,
    ``untaxed`` of them without a rate."""

    currency: str
    net: float
    tax: float
    lines: int
    untaxed: int

    @property
    def gross(self) -> float:
        """With tax."""
        return self.net + self.tax


class PriceBook:
    """Prices by part and length. Later dates win over earlier ones, a price for the length over one for any. ``tax``
    rate of prices that tell none, None = not told."""

    def __init__(self, prices: Iterable[Price], ordering: Mapping[str, object] | None = None) -> None:
        rules = ordering or {}
        self.main = _code(str(rules["currency"])) if rules.get("currency") else ""
        self.rates = {
            key[5:]: float(value)
            for key, value in rules.items()
            if key.startswith("rate.") and isinstance(value, (int, float)) and value > 0
        }
        tax = rules.get("tax")
        self.tax = float(tax) if isinstance(tax, (int, float)) and not isinstance(tax, bool) and 0 <= tax <= 1 else None
        self._rows: dict[tuple[str, float | None], Price] = {}
        for row in sorted(prices, key=lambda p: p.date):
            length = None if row.length_m is None else round(row.length_m, 3)
            self._rows[row.part, length] = row
        if self.rates and not self.main:
            self.main = DEFAULT_CURRENCY

    @staticmethod
    def of(project: Project) -> PriceBook:
        """The project's own."""
        return PriceBook(project.prices.values(), project.ordering)

    def unit(self, part: str, length_m: float | None = None) -> UnitPrice | None:
        """Price of a part (in a length), None when there is none."""
        length = None if not length_m else round(length_m, 3)
        row = self._rows.get((part, length)) or self._rows.get((part, None))
        if row is None:
            return None
        code = _code(row.currency)
        converted = code in self.rates and code != self.main
        rate = self.rates[code] if converted else 1.0
        tax = row.tax if row.tax is not None and 0.0 <= row.tax <= 1.0 else self.tax
        plain = row.amount * rate / (1.0 + tax if row.tax_included and tax is not None else 1.0)
        net = round(plain * (1.0 - row.discount), 6)
        taxed = row.tax_included and tax is None
        return UnitPrice(
            round(plain, 6),
            net,
            self.main if converted else code,
            row.discount,
            tax,
            taxed,
            replace(row, currency=code),
            rate,
        )


def _code(text: str) -> str:
    """A currency's code; whatever else a file says counts as none (it would stand in formulas)."""
    return text if _CODE.fullmatch(text) else NO_CURRENCY


def main_currency(currencies: list[str], stated: str = "") -> str:
    """The stated one, else that of most priced lines (the first in the alphabet on a tie): sums over several would
    mean nothing."""
    return stated or min(set(currencies), key=lambda c: (-currencies.count(c), c), default="")


def money_of(table: BomTable) -> tuple[Money, ...]:
    """Sums of a bill per currency, the main one first."""
    sums: dict[str, list[float]] = {}
    for line in table.lines:
        if line.unit_price is None or line.total is None:
            continue
        row = sums.setdefault(line.currency, [0.0, 0.0, 0, 0])
        row[0] += line.total
        row[1] += line.total * (line.tax or 0.0)
        row[2] += 1
        row[3] += line.tax is None
    found = [Money(c, round(v[0], 6), round(v[1], 6), int(v[2]), int(v[3])) for c, v in sums.items()]
    return tuple(sorted(found, key=lambda m: (m.currency != table.currency, m.currency)))


@dataclass(frozen=True, slots=True)
class BillPrice:
    """The price of a bill: ``net`` in ``currency`` of what has a price in it, None when nothing has; ``without_price``
    lines that are not in it."""

    net: float | None
    currency: str
    without_price: int
    money: tuple[Money, ...] = ()


def bill_price(table: BomTable) -> BillPrice:
    """Price of what is to be ordered under the prices the bill was made with."""
    priced = [line for line in table.lines if line.unit_price is not None and line.currency == table.currency]
    net = round(sum(line.total or 0.0 for line in priced), 6) if priced else None
    return BillPrice(net, table.currency if priced else "", len(table.lines) - len(priced), money_of(table))
