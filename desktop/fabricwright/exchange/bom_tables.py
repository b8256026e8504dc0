"""The bill of materials as plain tables: the order list with formulas, its sums, and the division by group."""

from __future__ import annotations

from fabricwright.catalog.kind_words import kind_words
from fabricwright.exchange.bom import BomLine, BomTable
from fabricwright.exchange.data_table import Column, DataTable, Formula, TotalLine, Value
from fabricwright.exchange.prices import DEFAULT_CURRENCY, Money, bill_price
from fabricwright.units.text import msg

TITLE = msg("Bill of materials")
_CONFIDENCE = {
    "read": msg("read in a source"),
    "engineering": msg("engineering knowledge"),
    "inferred": msg("inferred"),
}
_GROUPED = {
    "rack": (msg("By rack"), msg("Rack")),
    "server": (msg("By server type"), msg("Server type")),
    "phase": (msg("By phase"), msg("Phase")),
}
_ONLY_WHEN_TOLD = (
    *("vendor", "model", "length_m", "spare_share", "spares", "owned", "discount", "tax", "tax_amount", "lead_days"),
    "price_list",
)
"""Columns that a spreadsheet leaves out when no line has a value for them."""
_WITH = {"needed": ("spares", "owned"), "list_price": ("discount",)}
"""Columns that say something only beside one of these."""

COLUMNS: tuple[Column, ...] = (
    Column("part", msg("Part"), width=24),
    Column("kind", msg("Kind"), width=14, wrap=True),
    Column("description", msg("Description"), width=36, wrap=True),
    Column("vendor", msg("Vendor"), width=10, wrap=True),
    Column("model", msg("Model"), width=17, wrap=True),
    Column("length_m", msg("Length (m)"), "length_m"),
    Column("needed", msg("Needed"), "count"),
    Column("spare_share", msg("Spares rule"), "percent", width=9),
    Column("spares", msg("Spares"), "count"),
    Column("owned", msg("Owned"), "count"),
    Column("quantity", msg("Quantity"), "count"),
    Column("list_price", msg("List price"), "money", width=13),
    Column("discount", msg("Discount"), "percent"),
    Column("unit_price", msg("Unit price"), "money", width=13),
    Column("total", msg("Total"), "money", width=16),
    Column("currency", msg("Currency"), width=8, centred=True),
    Column("tax", msg("Tax rate"), "percent"),
    Column("tax_amount", msg("Tax"), "money", width=14),
    Column("lead_days", msg("Lead time (days)"), "count", width=10),
    Column("price_list", msg("Price list"), width=14, wrap=True),
    Column("source", msg("Source"), width=11, wrap=True),
    Column("confidence", msg("Confidence"), width=20),
)


def order_table(table: BomTable, lang: str = "en", *, form: bool = False) -> DataTable:
    """One row per part and length; orders and totals are formulas over the needed, spare and owned quantities.

    ``form``: for a spreadsheet that people fill in: columns without any value are left out, and lines without a price
    have formulas that count as soon as somebody writes one.
    """
    columns = COLUMNS
    rows = [_row(line, table, lang, form=form) for line in table.lines]
    if form:
        kept = {c.key for n, c in enumerate(columns) if _kept(c.key, [row[n] for row in rows])}
        kept -= {key for key, others in _WITH.items() if not kept & set(others)}
        places = [n for n, column in enumerate(columns) if column.key in kept]
        columns = tuple(columns[n] for n in places)
        rows = [tuple(row[n] for n in places) for row in rows]
    keys = {column.key for column in columns}
    soft = frozenset(n for n, line in enumerate(table.lines) if not line.part)
    rows = [tuple(_without(value, keys) for value in row) for row in rows]
    return DataTable("bom", TITLE, columns, tuple(rows), _totals(table, keys), table.notes, soft, frozen=1)


def _kept(key: str, values: list[Value]) -> bool:
    if key not in _ONLY_WHEN_TOLD:
        return True
    told = [value.value if isinstance(value, Formula) else value for value in values]
    return any(value not in (None, "", 0) for value in told)


def _without(value: Value, keys: set[str]) -> Value:
    """A formula without the columns that were left out: there is nothing in them. A plain value when nothing is left
    to compute."""
    if not isinstance(value, Formula):
        return value
    text = value.text
    for key in _ONLY_WHEN_TOLD:
        if key not in keys:
            text = text.replace(f"*(1-{{{key}}})", "").replace(f"+{{{key}}}", "").replace(f"-{{{key}}}", "")
    missing = any(f"{{{key}}}" in text for key in _WITH if key not in keys)
    return value.value if missing else Formula(value.value, text)


def _row(line: BomLine, table: BomTable, lang: str, *, form: bool) -> tuple[Value, ...]:
    priced = line.unit_price is not None
    taxed = line.total * line.tax if line.total is not None and line.tax is not None else None
    formulas = priced or form
    return (
        line.part or "-",
        kind_words(line.kind),
        line.description(lang),
        line.vendor,
        line.model,
        line.length_m,
        line.quantity,
        line.spare_rule or None,
        Formula(line.spares, "ROUNDUP(ROUND({needed}*{spare_share},9),0)") if line.spare_rule else None,
        line.owned or None,
        Formula(line.order, "MAX(0,{needed}+{spares}-{owned})"),
        line.list_price,
        line.discount or None,
        Formula(line.unit_price, 'IF({list_price}="","",{list_price}*(1-{discount}))') if formulas else None,
        Formula(line.total, 'IF({unit_price}="","",{quantity}*{unit_price})') if formulas else None,
        line.currency or ((table.currency or DEFAULT_CURRENCY) if form else ""),
        line.tax,
        Formula(taxed, 'IF({total}="","",{total}*{tax})') if taxed is not None else None,
        line.lead_days,
        " ".join(text for text in (line.price_source, line.price_date) if text),
        line.source,
        _CONFIDENCE.get(line.confidence, line.confidence),
    )


def _totals(table: BomTable, keys: set[str]) -> tuple[TotalLine, ...]:
    price = bill_price(table)
    out = []
    for money in price.money or (Money(table.currency or DEFAULT_CURRENCY, 0.0, 0.0, 0, 0),):
        code = money.currency
        net = f'SUMIF({{currency:all}},"{code}",{{total:all}})'
        cells: dict[str, Value] = {"total": Formula(money.net, net), "currency": code}
        out.append(TotalLine(msg("Total {currency}, without tax", currency=code), cells, strong=True))
        if "tax_amount" in keys and money.tax:
            tax = f'SUMIF({{currency:all}},"{code}",{{tax_amount:all}})'
            cells = {"total": Formula(money.tax, tax), "currency": code}
            out.append(TotalLine(msg("Tax {currency}", currency=code), cells))
            cells = {"total": Formula(money.gross, f"{net}+{tax}"), "currency": code}
            out.append(TotalLine(msg("Total {currency}, with tax", currency=code), cells, strong=True))
            if money.untaxed:
                label = msg("Priced lines in {currency} without a tax rate", currency=code)
                out.append(TotalLine(label, {"quantity": money.untaxed}))
    without = sum(line.unit_price is None for line in table.lines)
    label = msg("Lines without a price")
    out.append(TotalLine(label, {"quantity": Formula(without, "ROWS({unit_price:all})-COUNT({unit_price:all})")}))
    return tuple(out)


def group_table(table: BomTable, lang: str = "en") -> DataTable:
    """What the design needs, divided by rack, server type or phase. Spares and owned parts are the order list's."""
    title, head = _GROUPED.get(table.by, (msg("By part"), msg("Part")))
    columns = (
        Column("group", head, width=24),
        Column("part", msg("Part"), width=25),
        Column("kind", msg("Kind"), width=16),
        Column("description", msg("Description"), width=46, wrap=True),
        Column("model", msg("Model"), width=18),
        Column("length_m", msg("Length (m)"), "length_m"),
        Column("quantity", msg("Quantity"), "count"),
    )
    rows = tuple(
        (
            row.group,
            row.line.part or "-",
            kind_words(row.line.kind),
            row.line.description(lang),
            row.line.model,
            row.line.length_m,
            row.quantity,
        )
        for row in table.groups
    )
    return DataTable("groups", title, columns, rows, frozen=2)


def bom_tables(table: BomTable, lang: str = "en") -> list[DataTable]:
    """What goes into the workbook."""
    tables = [order_table(table, lang, form=True)]
    return tables if table.by == "part" else [*tables, group_table(table, lang)]
