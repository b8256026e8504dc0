"""``fabricwright racks FILE``: power, heat, weight and units of every rack, and what stands in it."""

from __future__ import annotations

from fabricwright.cli import table_command
from fabricwright.cli.arguments import Arguments, Parser
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, open_project
from fabricwright.exchange.rack_report import TITLE, rack_tables
from fabricwright.units.text import msg

SUMMARY = msg("power, heat and weight of every rack, and what stands in it")


def add_arguments(parser: Parser) -> None:
    """FILE, ``-o``."""
    table_command.add_arguments(parser)


def run(arguments: Arguments, out: Output) -> int:
    """List, then print or write."""
    table_command.check(arguments)
    project, design = open_project(arguments)
    with Working(arguments):
        tables = rack_tables(project, design)
    table_command.give(arguments, out, project, design, TITLE, tables)
    return 0
