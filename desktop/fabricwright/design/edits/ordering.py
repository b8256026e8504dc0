"""Edits of what the bill of materials needs to know: prices, what is owned already, spares, rates of exchange, and the
template of cable labels.

Keys of ``Project.ordering``: ``currency`` the main one (CNY when not stated); ``rate.USD`` what one USD is in the main
currency; ``tax`` rate of prices that tell none (0.13 = 13%); ``spares.KIND`` share of spares of a kind of part (0.02 =
2%), ``spares`` of every kind; ``cable_label`` the template of cable labels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.design.edits.arguments import number, text
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Price, Project, Stock
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

MAX_PRICES = 50_000
MAX_AMOUNT = 1e12
MAX_QUANTITY = 1_000_000_000
CURRENCY = re.compile(r"[A-Z]{3}")
_KEY = re.compile(r"currency|tax|cable_label|rate\.[A-Z]{3}|spares(\.[a-z][a-z0-9-]{0,39})?")
_PRICE_FIELDS = frozenset(
    ("part", "amount", "currency", "source", "date", "discount", "tax", "tax_included", "length_m", "lead_days")
)


def set_prices(project: Project, *, rows: Sequence[Mapping[str, Any]], source: str) -> Patch:
    """Take in a price list: ``rows`` hold the fields of ``Price``. Rows of the same list (``source``) go, and so do
    older prices of the same part and length: one price counts.
    """
    builder = PatchBuilder(project)
    if len(rows) > MAX_PRICES:
        raise UserError(
            msg("The price list has {count} prices; at most {limit} are taken.", count=len(rows), limit=MAX_PRICES)
        )
    fresh = [_price({**row, "source": text(source, "source", 200)}) for row in rows]
    new = {(row.part, row.length_m) for row in fresh}
    kept = set(project.prices)
    for name, row in project.prices.items():
        if row.source == source or (row.part, row.length_m) in new:
            builder.remove(("prices", name))
            kept.discard(name)
    n = 0
    for row in fresh:
        n += 1
        while f"p{n}" in kept:
            n += 1
        builder.set(("prices", f"p{n}"), row)
    return builder.patch("Import prices")


def set_price(
    project: Project, *, part: str, amount: float | None, length_m: float | None = None, **more: Any
) -> Patch:
    """The price of one part (and length); None takes it out. ``more``: further fields of ``Price``."""
    builder = PatchBuilder(project)
    name = next((k for k, row in project.prices.items() if (row.part, row.length_m) == (part, length_m)), None)
    if amount is None:
        if name is not None:
            builder.remove(("prices", name))
        return builder.patch("Remove price")
    given = {} if name is None else {f: getattr(project.prices[name], f) for f in _PRICE_FIELDS}
    row = _price({**given, **more, "part": part, "amount": amount, "length_m": length_m})
    builder.set(("prices", name or _free("p", project.prices)), row)
    return builder.patch("Change price")


def set_owned(project: Project, *, part: str, quantity: int, length_m: float | None = None, note: str = "") -> Patch:
    """How many of a part are there already; 0 takes the entry out."""
    builder = PatchBuilder(project)
    name = next((k for k, row in project.stock.items() if (row.part, row.length_m) == (part, length_m)), None)
    if isinstance(quantity, bool) or not isinstance(quantity, int) or not 0 <= quantity <= MAX_QUANTITY:
        raise UserError(
            msg(
                "Owned quantity of {part}: expected a whole number from 0 to {limit}.",
                part=str(part)[:60],
                limit=MAX_QUANTITY,
            )
        )
    if quantity == 0:
        if name is not None:
            builder.remove(("stock", name))
        return builder.patch("Change owned quantity")
    length = None if length_m is None else number(length_m, "length_m")
    row = Stock(text(part, "part", 200), quantity, length, text(note, "note", 2000))
    builder.set(("stock", name or _free("own", project.stock)), row)
    return builder.patch("Change owned quantity")


def set_ordering(project: Project, *, key: str, value: str | float | None) -> Patch:
    """One rule of the bill of materials; None puts it back to the default. Keys: see above."""
    builder = PatchBuilder(project)
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise UserError(
            msg(
                "'{key}' is no rule of the bill of materials; expected {known}.",
                key=str(key)[:60],
                known=["currency", "tax", "rate.USD", "spares", "spares.KIND", "cable_label"],
            )
        )
    if value is None:
        builder.set(("ordering",), project.ordering.drop(key))
        return builder.patch("Change ordering rule")
    if key == "currency":
        checked: str | float = _currency(value)
    elif key == "cable_label":
        checked = text(value, key, 300)
    else:
        checked = number(value, key)
        if checked <= 0 if key.startswith("rate.") else not 0 <= checked <= 1:
            raise UserError(
                msg("'{key}' is {value}; expected a rate above 0, or a share from 0 to 1.", key=key, value=checked)
            )
    builder.set(("ordering",), project.ordering.put(key, checked))
    return builder.patch("Change ordering rule")


def _price(given: Mapping[str, Any]) -> Price:
    unknown = sorted(set(given) - _PRICE_FIELDS)
    if unknown:
        raise UserError(msg("'{key}' is no field of a price.", key=str(unknown[0])[:60]))
    part = text(given.get("part", ""), "part", 200)
    if not part:
        raise UserError(msg("A price needs the part it is for."))
    tax, length, lead = given.get("tax"), given.get("length_m"), given.get("lead_days")
    return Price(
        part,
        _within(given.get("amount"), "amount", 0.0, MAX_AMOUNT),
        _currency(given.get("currency", "CNY")),
        text(given.get("source", ""), "source", 200),
        text(given.get("date", ""), "date", 40),
        _within(given.get("discount", 0.0), "discount", 0.0, 1.0),
        None if tax is None else _within(tax, "tax", 0.0, 1.0),
        bool(given.get("tax_included", False)),
        None if length is None else _within(length, "length_m", 0.0, 1e6),
        None if lead is None else int(_within(lead, "lead_days", 0, 3650)),
    )


def _currency(value: object) -> str:
    if isinstance(value, str) and CURRENCY.fullmatch(value):
        return value
    raise UserError(msg("Currency '{value}' is not understood; expected a code such as CNY.", value=str(value)[:20]))


def _within(value: object, what: str, low: float, high: float) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high:
        return float(value)
    raise UserError(
        msg(
            "'{what}' of a price is {value}; expected a number from {low} to {high}.",
            what=what,
            value=str(value)[:60],
            low=low,
            high=high,
        )
    )


def _free(prefix: str, table: Mapping[str, object]) -> str:
    n = len(table) + 1
    while f"{prefix}{n}" in table:
        n += 1
    return f"{prefix}{n}"
