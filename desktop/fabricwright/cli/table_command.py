"""Commands that print or write plain tables: ``slots`` and ``racks``."""

from __future__ import annotations

from collections.abc import Sequence

from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output
from fabricwright.cli.table_files import add_table_output, check_table_name, hand_out
from fabricwright.design.values import Project
from fabricwright.exchange.data_table import DataTable, Formula, Value, records_of, table_csv
from fabricwright.exchange.workbook import facts_of, workbook_bytes
from fabricwright.units.text import Message, msg


def add_arguments(parser: Parser) -> None:
    """FILE, ``-o``."""
    add_project(parser)
    add_table_output(parser, xlsx=True)


def check(arguments: Arguments) -> None:
    """Refuse a name that cannot be written, before any work."""
    check_table_name(arguments.output, xlsx=True)


def give(
    arguments: Arguments, out: Output, project: Project, design: str, title: Message, tables: Sequence[DataTable]
) -> None:
    """Print the tables, or write them: all of them as XLSX or JSON, the first one as CSV."""

    def xlsx() -> bytes:
        name = project.designs[design].title or design
        return workbook_bytes(tables, facts_of(title, project.meta, project.title, name), out.lang)

    def csv() -> bytes:
        return table_csv(tables[0], out.lang, mark=True if arguments.bom_utf8 else None)

    said = msg("{file}: {count} lines", file=arguments.output, count=len(tables[0].rows))
    if not hand_out(arguments.output, out, records_of(tables, out.lang), csv, said, xlsx):
        for n, table in enumerate(table for table in tables if table.rows):
            if n:
                out.say()
            out.say(table.title)
            right = "".join("l" if column.kind in ("text", "colour") else "r" for column in table.columns)
            out.table(
                [c.head for c in table.columns], [[_printed(value) for value in row] for row in table.rows], right
            )
            for note in table.notes:
                out.say(note)
        if not any(table.rows for table in tables):
            out.say(msg("There is nothing to list."))


def _printed(value: Value) -> Message | str | int | float | None:
    return value.value if isinstance(value, Formula) else value
