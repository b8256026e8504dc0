"""``fabricwright slots FILE``: slots, lanes and power of every kind of server."""

from __future__ import annotations

from fabricwright.cli import table_command
from fabricwright.cli.arguments import Arguments, Parser
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, open_project
from fabricwright.exchange.slot_report import TITLE, slot_tables
from fabricwright.units.text import msg

SUMMARY = msg("slots, lanes and power of every kind of server")


def add_arguments(parser: Parser) -> None:
    """FILE, ``-o``."""
    table_command.add_arguments(parser)


def run(arguments: Arguments, out: Output) -> int:
    """List, then print or write."""
    table_command.check(arguments)
    project, design = open_project(arguments)
    with Working(arguments):
        tables = slot_tables(project, design, out.lang)
    table_command.give(arguments, out, project, design, TITLE, tables)
    return 0
