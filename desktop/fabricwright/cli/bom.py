"""``fabricwright bom FILE``: the bill of materials."""

from __future__ import annotations

from fabricwright.catalog.kind_words import kind_words
from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, open_project
from fabricwright.cli.table_files import add_table_output, check_table_name, hand_out
from fabricwright.exchange.bom import BomTable, bom
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

SUMMARY = msg("bill of materials")


def add_arguments(parser: Parser) -> None:
    """FILE, ``-o``, ``--prices``."""
    add_project(parser)
    add_table_output(parser)
    parser.add_argument("--prices", metavar="FILE", help=parser.say(msg("price list (not built yet)")))


def run(arguments: Arguments, out: Output) -> int:
    """Count, then print or write."""
    if arguments.prices is not None:
        raise UserError(msg("fabricwright bom: --prices is not built yet; prices of the project itself are used."))
    check_table_name(arguments.output)
    project, design = open_project(arguments)
    with Working(arguments):
        table = bom(project, design)
    document = table.to_json(out.lang)
    said = msg("{file}: {count} lines", file=arguments.output, count=len(table.lines))
    if not hand_out(arguments.output, out, document, lambda: table.to_csv(out.lang), said):
        _print(table, out)
    return 0


def _print(table: BomTable, out: Output) -> None:
    heads = [msg("kind"), msg("part"), msg("quantity"), msg("description")]
    out.table(
        heads, [(kind_words(r.kind), r.part or "-", r.quantity, r.description(out.lang)) for r in table.lines], "llrl"
    )
    open_lines = [line for line in table.lines if not line.part]
    priced = [line for line in table.lines if line.unit_price is not None]
    if priced:
        total = sum(line.total or 0.0 for line in priced)
        out.say(msg("total {price} {currency}", price=f"{total:,.2f}", currency=priced[0].currency))
    out.say(
        msg("{count} lines, {without} without a price", count=len(table.lines), without=len(table.lines) - len(priced))
    )
    if open_lines:
        out.say(msg("{count} lines name no part yet", count=len(open_lines)))
