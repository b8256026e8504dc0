"""``fabricwright diagram FILE -o X.svg``: sheets as drawings."""

from __future__ import annotations

from pathlib import Path

from fabricwright.analysis.analyze import Analysis
from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output, suffix_of, write_file
from fabricwright.cli.projects import Working, analysis_of, open_project
from fabricwright.exchange.diagram_svg import draw_sheets
from fabricwright.exchange.naming import thousands
from fabricwright.exchange.sheet_page import SideBlock
from fabricwright.performance.predict import PredictRequest
from fabricwright.rules.run import count
from fabricwright.units.errors import UserError
from fabricwright.units.quantity import format_size
from fabricwright.units.text import msg

SUMMARY = msg("draw a sheet, or all, as SVG")

SHOWN_SIZE = 1 << 30
"""Buffer of the all-reduce that the sheet quotes."""

LATER = (".pdf", ".png", ".drawio")


def add_arguments(parser: Parser) -> None:
    """FILE, ``--sheet``, ``-o``."""
    add_project(parser)
    parser.add_argument(
        "--sheet",
        metavar="NAME",
        help=parser.say(msg("one sheet (default: all; further sheets get their name appended)")),
    )
    parser.add_argument("-o", "--output", metavar="X.svg", required=True, help=parser.say(msg("drawing to write")))


def run(arguments: Arguments, out: Output) -> int:
    """Draw and write; the root sheet takes the given name, the others ``X-SHEET.svg``."""
    if Path(arguments.output).suffix.lower() in LATER:
        raise UserError(
            msg("{file}: this format is not built yet; expected a name that ends in .svg.", file=arguments.output)
        )
    suffix_of(arguments.output, (".svg",))
    project, design = open_project(arguments)
    with Working(arguments):
        analysis = analysis_of(project, design, arguments)
        drawn = draw_sheets(
            project, design, sheet=arguments.sheet, lang=out.lang, fabric=analysis.cluster.fabric, side=_side(analysis)
        )
    target = Path(arguments.output)
    root = project.designs[design].root
    written = []
    for row in drawn:
        named = (
            target
            if len(drawn) == 1 or row.sheet == root
            else target.with_name(f"{target.stem}-{row.sheet}{target.suffix}")
        )
        write_file(str(named), row.data)
        written.append({"sheet": row.sheet, "file": str(named)})
        out.say(msg("{file}: sheet {sheet}", file=str(named), sheet=row.sheet))
    out.document({"design": design, "sheets": written})
    return 0


def _side(analysis: Analysis) -> tuple[SideBlock, ...]:
    counts = count(analysis.judged)
    checks = SideBlock(
        msg("Checks"),
        (
            (msg("errors"), str(counts["error"])),
            (msg("warnings"), str(counts["warning"])),
            (msg("approved"), str(counts["approved"])),
        ),
    )
    try:
        row = analysis.predict(PredictRequest(sizes=(SHOWN_SIZE,))).rows[0]
    except UserError:
        return (checks,)
    factor = row.busbw * row.time_s
    rate = msg(
        "{rate} GB/s ({low} to {high})",
        rate=_rate(row.busbw),
        low=_rate(factor / row.high_s),
        high=_rate(factor / row.low_s),
    )
    predicted = SideBlock(
        msg("Predicted, {ranks} GPUs", ranks=thousands(analysis.cluster.n_ranks)),
        (
            (msg("All-reduce {size}, busbw", size=format_size(SHOWN_SIZE)), rate),
            (msg("Algorithm"), f"{row.algorithm}, {row.protocol}"),
            (msg("Limit"), row.bottleneck.label),
        ),
    )
    return (predicted, checks)


def _rate(bytes_per_s: float) -> str:
    return f"{bytes_per_s / 1e9:.3g}"
