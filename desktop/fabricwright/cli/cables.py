"""``fabricwright cables FILE``: the cable schedule, port to port."""

from __future__ import annotations

from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, open_project
from fabricwright.cli.table_files import add_table_output, check_table_name, hand_out
from fabricwright.exchange.cables import CableTable, cable_schedule
from fabricwright.units.text import msg

SUMMARY = msg("cable schedule, port to port")


def add_arguments(parser: Parser) -> None:
    """FILE, ``-o``."""
    add_project(parser)
    add_table_output(parser)


def run(arguments: Arguments, out: Output) -> int:
    """Schedule, then print or write."""
    check_table_name(arguments.output)
    project, design = open_project(arguments)
    with Working(arguments):
        table = cable_schedule(project, design)
    document = table.to_json()
    said = msg("{file}: {count} cables", file=arguments.output, count=len(table.cables))
    if not hand_out(arguments.output, out, document, lambda: table.to_csv(out.lang), said):
        _print(table, out)
    return 0


def _print(table: CableTable, out: Output) -> None:
    out.table(
        [msg("cable"), msg("part"), msg("length (m)"), msg("from"), msg("to")],
        [
            (
                row.id,
                row.part or "-",
                row.length_m,
                f"{row.ends[0].device} {row.ends[0].port}",
                "  ".join(f"{end.device} {end.port}" for end in row.ends[1:]),
            )
            for row in table.cables
        ],
        "llr",
    )
    if table.inside:
        out.say()
        out.table(
            [msg("cable"), msg("part"), msg("length (m)"), msg("from"), msg("to"), msg("in servers")],
            [(r.id, r.part or "-", r.length_m, r.ends[0], r.ends[1], r.servers) for r in table.inside],
            "llrllr",
        )
    out.say(
        msg("{count} cables, {inside} kinds of cable inside servers", count=len(table.cables), inside=len(table.inside))
    )
