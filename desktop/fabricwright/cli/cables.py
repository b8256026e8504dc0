"""``fabricwright cables FILE``: the cable schedule, port to port, and labels for the cables."""

from __future__ import annotations

from pathlib import Path

from fabricwright.cli import painting
from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output, suffix_of, write_file
from fabricwright.cli.projects import Working, open_project
from fabricwright.cli.table_files import add_table_output, hand_out
from fabricwright.exchange.cable_labels import EXAMPLE, check_label
from fabricwright.exchange.cable_tables import TITLE, cable_tables
from fabricwright.exchange.cables import CableTable, cable_schedule
from fabricwright.exchange.label_sheet import DEFAULT, label_format, label_pages
from fabricwright.exchange.workbook import facts_of, workbook_bytes
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

SUMMARY = msg("cable schedule, port to port")


def add_arguments(parser: Parser) -> None:
    """FILE, ``-o``, what the labels say and on which sheets they are printed."""
    add_project(parser)
    add_table_output(parser, xlsx=True, more="|.pdf")
    text = msg("text of the labels, such as '{example}'", example=EXAMPLE)
    parser.add_argument("--label", metavar="TEMPLATE", help=parser.say(text))
    text = msg("sheet of labels for .pdf: L7651, L4731, L7160, 5160, or WIDTHxHEIGHT in mm (default: L7651)")
    parser.add_argument("--label-sheet", metavar="FORMAT", default=DEFAULT, help=parser.say(text))


def run(arguments: Arguments, out: Output) -> int:
    """Schedule, then print or write."""
    output = arguments.output
    if output is not None:
        suffix_of(output, (".xlsx", ".csv", ".json", ".pdf"))
    form = label_format(arguments.label_sheet)
    if arguments.label is not None:
        check_label(arguments.label)
    project, design = open_project(arguments)
    with Working(arguments):
        table = cable_schedule(project, design, label=arguments.label)
    document = table.to_json()
    said = msg("{file}: {count} cables", file=output, count=len(table.cables))
    if output is not None and Path(output).suffix.lower() == ".pdf":
        if not table.cables:
            raise UserError(msg("{file}: there are no cables to label.", file=arguments.file))
        templated = arguments.label is not None or "cable_label" in project.ordering
        with Working(arguments):
            pages = label_pages(table, form, out.lang, templated=templated)
            data = painting.painter().pdf(
                pages, title=msg("Cable labels").text(out.lang), date=str(project.meta.get("date") or "")
            )
        write_file(output, data)
        out.document(document)
        out.say(
            msg(
                "{file}: labels for {count} cables, sheets of paper: {pages}",
                file=output,
                count=len(table.cables),
                pages=len(pages),
            )
        )
        return 0

    def xlsx() -> bytes:
        title = project.designs[design].title or design
        return workbook_bytes(cable_tables(table), facts_of(TITLE, project.meta, project.title, title), out.lang)

    mark = True if arguments.bom_utf8 else None
    if not hand_out(output, out, document, lambda: table.to_csv(out.lang, mark=mark), said, xlsx):
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
