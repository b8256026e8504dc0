"""``fabricwright report FILE -o X.pdf``: everything about a design as a document to hand over."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from fabricwright.analysis.report import ReportWish, design_report
from fabricwright.cli import painting
from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output, progress, suffix_of, write_file
from fabricwright.cli.projects import Working, analysis_of, open_project
from fabricwright.exchange.page_size import PageSize, page_size
from fabricwright.exchange.report_template import load_template
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

SUMMARY = msg("a report of a design as PDF: summary, drawings, checks, performance, parts, assumptions")

PAPERS = ("A4", "A3")
"""Paper of the text pages; drawings have their own."""

PAINTING_FROM = 0.5
"""Part of the progress that is over when the pages are recorded and painting begins."""


def add_arguments(parser: Parser) -> None:
    """FILE, ``-o``, how it looks."""
    add_project(parser)
    say = parser.say
    parser.add_argument("-o", "--output", metavar="X.pdf", required=True, help=say(msg("report to write, .pdf")))
    text = msg("look of the report: name, logo, accent colour, footer (.toml or .json, docs/report-template.md)")
    parser.add_argument("--template", metavar="FILE", help=say(text))
    text = msg("paper of the text pages, A4 or A3, or with -landscape (default: A4)")
    parser.add_argument("--page", metavar="A4", default="A4", help=say(text))
    parser.add_argument("--revision", metavar="R", help=say(msg("revision on the cover (default: the project's)")))
    parser.add_argument("--no-drawings", action="store_true", help=say(msg("without the drawings")))
    parser.add_argument("--report-progress", action="store_true", help=say(msg("say on stderr how far it is")))


def run(arguments: Arguments, out: Output) -> int:
    """Put the report together and write it."""
    suffix_of(arguments.output, (".pdf",))
    wish = ReportWish(
        report_paper(arguments.page),
        load_template(arguments.template),
        arguments.revision or "",
        not arguments.no_drawings,
    )
    project, design = open_project(arguments)
    told = teller(arguments.report_progress)
    steps = iter(range(1, 1000))

    def checkpoint() -> None:
        told(min(0.9, next(steps) / 16) * PAINTING_FROM)

    with Working(arguments):
        analysis = analysis_of(project, design, arguments)
        pages = design_report(analysis, out.lang, wish, checkpoint)
    title = msg("{project}: design report", project=project.title or design).text(out.lang)
    with progress(msg("Drawing {file} ...", file=arguments.output), out.lang):
        data = painting.painter().pdf(
            pages,
            title=title,
            author=str(project.meta.get("author") or ""),
            date=str(project.meta.get("date") or ""),
            progress=lambda part: told(PAINTING_FROM + part * (1 - PAINTING_FROM)),
        )
    write_file(arguments.output, data)
    out.document({"design": design, "file": arguments.output, "pages": len(pages)})
    out.say(msg("{file}: {n} pages", file=arguments.output, n=len(pages)))
    return 0


def report_paper(text: str) -> PageSize:
    """Paper of the text pages: upright unless it is said otherwise. Raises UserError."""
    size = page_size(text)
    if size.name not in PAPERS:
        raise UserError(
            msg("'{text}' is no paper of a report; expected A4 or A3, with -landscape where wanted.", text=text)
        )
    wide = re.search("landscape", text, re.IGNORECASE) is not None
    return PageSize(size.name, landscape=wide)


def teller(wanted: bool) -> Callable[[float], bool]:
    """Says ``progress 0.25`` on stderr, for whoever started this program."""

    def told(part: float) -> bool:
        if wanted:
            print(f"progress {part:.3f}", file=sys.stderr, flush=True)
        return True

    return told
