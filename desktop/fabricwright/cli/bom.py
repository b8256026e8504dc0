"""``fabricwright bom FILE``: the bill of materials."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fabricwright.catalog.kind_words import kind_words
from fabricwright.catalog.store import catalogue
from fabricwright.cli.arguments import Arguments, Parser, add_project, key_values
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, open_project
from fabricwright.cli.table_files import add_table_output, check_table_name, hand_out
from fabricwright.design.values import Project
from fabricwright.exchange.bom import BomTable, bom, spares_of
from fabricwright.exchange.bom_groups import GROUPINGS
from fabricwright.exchange.bom_tables import TITLE, bom_tables
from fabricwright.exchange.price_list import load_prices
from fabricwright.exchange.price_match import Matched, match_prices
from fabricwright.exchange.prices import PriceBook, bill_price
from fabricwright.exchange.workbook import facts_of, workbook_bytes
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

SUMMARY = msg("bill of materials")
_SHARE = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*(%?)")
_RATE = re.compile(r"\d{1,9}(?:\.\d+)?")


def add_arguments(parser: Parser) -> None:
    """FILE, ``-o``, how to divide, spares, and the price list."""
    add_project(parser)
    add_table_output(parser, xlsx=True)
    parser.add_argument(
        "--group", choices=GROUPINGS, default="part", help=parser.say(msg("also divide by rack, server or phase"))
    )
    text = msg("spares of a kind of part, such as optic=2%; all=1% for every kind")
    parser.add_argument("--spares", metavar="KIND=SHARE", action="append", default=[], help=parser.say(text))
    parser.add_argument("--prices", metavar="FILE", help=parser.say(msg("price list (.xlsx or .csv)")))
    text = msg("column of the price list by its head or letter, such as price=F; fields: part, price, currency ...")
    parser.add_argument("--map", metavar="FIELD=COLUMN", action="append", default=[], help=parser.say(text))
    text = msg("currency of prices that tell none (default: CNY)")
    parser.add_argument("--currency", metavar="CODE", help=parser.say(text))
    parser.add_argument(
        "--tax", metavar="SHARE", help=parser.say(msg("tax rate of prices that tell none, such as 13%"))
    )
    text = msg("discount on prices that tell none, such as 15%")
    parser.add_argument("--discount", metavar="SHARE", help=parser.say(text))
    text = msg("rate of exchange into the main currency, such as USD=7.1")
    parser.add_argument("--rate", metavar="CODE=RATE", action="append", default=[], help=parser.say(text))


def run(arguments: Arguments, out: Output) -> int:
    """Count, then print or write."""
    check_table_name(arguments.output, xlsx=True)
    spares = {"" if kind == "all" else kind: _share(text, "--spares") for kind, text in _pairs(arguments, "spares")}
    rates = {code: _rate(code, text) for code, text in _pairs(arguments, "rate")}
    _check_kinds(spares)
    for text, option in ((arguments.tax, "--tax"), (arguments.discount, "--discount")):
        _share(text or "0", option)
    project, design = open_project(arguments)
    _check_currency(arguments.currency or "CNY")
    ordering: dict[str, object] = {**project.ordering, **{f"rate.{code}": value for code, value in rates.items()}}
    matched = None
    prices = list(project.prices.values())
    if arguments.prices is not None:
        matched = _matched(arguments, project)
        listed = {(row.part, row.length_m) for row in matched.prices}
        prices = [row for row in prices if (row.part, row.length_m) not in listed] + list(matched.prices)
    with Working(arguments):
        table = bom(
            project,
            design,
            group=arguments.group,
            spares={**spares_of(project), **spares},
            prices=PriceBook(prices, ordering),
        )
    document = table.to_json(out.lang)
    if matched is not None:
        document["price_list"] = _report(matched, table, out.lang)
    said = msg("{file}: {count} lines", file=arguments.output, count=len(table.lines))

    def xlsx() -> bytes:
        title = project.designs[design].title or design
        return workbook_bytes(
            bom_tables(table, out.lang), facts_of(TITLE, project.meta, project.title, title), out.lang
        )

    mark = True if arguments.bom_utf8 else None
    if not hand_out(arguments.output, out, document, lambda: table.to_csv(out.lang, mark=mark), said, xlsx):
        _print(table, out)
    if matched is not None:
        _say_matched(matched, out)
    return 0


def _check_kinds(spares: Mapping[str, float]) -> None:
    kinds = catalogue().kinds()
    for kind in spares:
        if kind and kind not in kinds:
            known = ", ".join(kinds)
            raise UserError(
                msg("--spares: there is no kind '{kind}'; expected all or one of {known}.", kind=kind[:40], known=known)
            )


def _check_currency(code: str) -> None:
    if not re.fullmatch(r"[A-Z]{3}", code.upper()):
        raise UserError(msg("--currency: '{value}' is not understood; expected a code such as CNY.", value=code[:20]))


def _matched(arguments: Arguments, project: Project) -> Matched:
    """The price list, matched. A cell that is not understood is an error: no price is dropped in silence."""
    columns = key_values(arguments.map, "--map")
    currency = (arguments.currency or str(project.ordering.get("currency") or "CNY")).upper()
    _check_currency(currency)
    found = load_prices(
        arguments.prices,
        columns,
        currency=currency,
        tax=None if arguments.tax is None else _share(arguments.tax, "--tax"),
        discount=0.0 if arguments.discount is None else _share(arguments.discount, "--discount"),
    )
    if found.problems:
        more = len(found.problems) - 1
        if more:
            raise UserError(msg("{problem} {count} more cells are wrong.", problem=found.problems[0], count=more))
        raise UserError(found.problems[0])
    return match_prices(found.rows, project)


def _report(matched: Matched, table: BomTable, lang: str) -> Mapping[str, object]:
    return {
        "matched": sorted({row.part for row in matched.prices}),
        "unmatched": [{"place": row.place, "part": row.price.part} for row in matched.unknown],
        "listed_twice": [text.text(lang) for text in matched.twice],
        "without_price": [line.part for line in table.lines if line.unit_price is None],
    }


def _say_matched(matched: Matched, out: Output) -> None:
    out.say(
        msg(
            "price list: {count} prices matched, {unknown} rows match no part",
            count=len(matched.prices),
            unknown=len(matched.unknown),
        )
    )
    for row in matched.unknown[:20]:
        out.say(msg("  {place}: no part '{part}'", place=row.place, part=row.price.part))
    for text in matched.twice[:20]:
        out.say(text)


def _print(table: BomTable, out: Output) -> None:
    if table.by == "part":
        heads: Sequence[Message] = [msg("kind"), msg("part"), msg("quantity"), msg("description")]
        rows = [(kind_words(r.kind), r.part or "-", r.order, r.description(out.lang)) for r in table.lines]
        out.table(heads, rows, "llrl")
    else:
        heads = [msg("group"), msg("part"), msg("quantity"), msg("description")]
        out.table(
            heads,
            [(g.group, g.line.part or "-", g.quantity, g.line.description(out.lang)) for g in table.groups],
            "llrl",
        )
    open_lines = [line for line in table.lines if not line.part]
    price = bill_price(table)
    for money in price.money:
        out.say(msg("total {price} {currency}", price=f"{money.net:,.2f}", currency=money.currency))
    spares = sum(line.spares for line in table.lines)
    owned = sum(line.owned for line in table.lines)
    if spares or owned:
        out.say(msg("{spares} spares are added, {owned} owned pieces taken off", spares=spares, owned=owned))
    out.say(msg("{count} lines, {without} without a price", count=len(table.lines), without=price.without_price))
    if open_lines:
        out.say(msg("{count} lines name no part yet", count=len(open_lines)))


def _pairs(arguments: Arguments, name: str) -> list[tuple[str, str]]:
    return list(key_values(getattr(arguments, name), f"--{name}").items())


def _share(text: str, option: str) -> float:
    """``2%`` and ``0.02`` = 0.02. Raises UserError."""
    found = _SHARE.fullmatch(text.strip())
    value = float(found[1]) / (100.0 if found[2] else 1.0) if found else -1.0
    if not 0.0 <= value <= 1.0:
        raise UserError(
            msg(
                "{option}: '{value}' is not understood; expected a share such as 2% or 0.02.",
                option=option,
                value=text[:40],
            )
        )
    return value


def _rate(code: str, text: str) -> float:
    value = float(text) if _RATE.fullmatch(text.strip()) else 0.0
    if not re.fullmatch(r"[A-Z]{3}", code) or value <= 0:
        raise UserError(
            msg("--rate: '{value}' is not understood; expected such as USD=7.1.", value=f"{code}={text}"[:40])
        )
    return value
