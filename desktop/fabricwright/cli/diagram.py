"""``fabricwright diagram FILE -o X.svg|.pdf|.png|.drawio``: sheets as drawings."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fabricwright.analysis.drawings import ALSO, BookWish, drawing_book
from fabricwright.cli import painting
from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output, progress, suffix_of, write_file
from fabricwright.cli.projects import Working, analysis_of, open_project
from fabricwright.design.values import Design
from fabricwright.exchange.diagram_svg import DrawnPage
from fabricwright.exchange.drawing_options import DrawOptions
from fabricwright.exchange.mxgraph import drawio_bytes
from fabricwright.exchange.page_size import page_size
from fabricwright.exchange.svg import svg_bytes
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

SUMMARY = msg("draw a sheet, or all, as SVG, PDF, PNG or draw.io")

FORMATS = (".svg", ".pdf", ".png", ".drawio")
MOST_DPI = 2400.0


def add_arguments(parser: Parser) -> None:
    """FILE, ``--sheet``, ``-o`` and what is to be on the page."""
    add_project(parser)
    say = parser.say
    parser.add_argument("--sheet", metavar="NAME,...", help=say(msg("these sheets, or racks (default: all sheets)")))
    parser.add_argument(
        "-o",
        "--output",
        metavar="X.svg",
        required=True,
        help=say(
            msg(
                "drawing to write, .svg, .pdf, .png or .drawio; .pdf and .drawio hold all pages, of the others further "
                "sheets get their name appended"
            )
        ),
    )
    parser.add_argument("--page", metavar="A3", default="A3", help=say(msg("A4 to A0, or with -portrait")))
    parser.add_argument("--dpi", metavar="N", default="150", help=say(msg("dots per inch of PNG")))
    parser.add_argument("--transparent", action="store_true", help=say(msg("PNG and SVG without white ground")))
    parser.add_argument("--heat", action="store_true", help=say(msg("load of the links under an all-reduce")))
    parser.add_argument("--findings", action="store_true", help=say(msg("open findings on the cards")))
    parser.add_argument("--no-labels", action="store_true", help=say(msg("lines without their labels")))
    parser.add_argument("--no-legend", action="store_true", help=say(msg("without legend and notes")))
    parser.add_argument("--no-figures", action="store_true", help=say(msg("without parts, predictions and counts")))
    parser.add_argument(
        "--print-safe", action="store_true", help=say(msg("greys only; kinds of link keep their dashes"))
    )
    parser.add_argument("--only", metavar="ID,...", help=say(msg("only these rows of the fabric sheet")))
    parser.add_argument("--also", metavar="LIST", help=say(msg("pages behind the sheets: racks, parts, findings")))
    parser.add_argument(
        "--revision", metavar="R", help=say(msg("revision in the title block (default: the project's)"))
    )
    parser.add_argument("--report-progress", action="store_true", help=say(msg("say on stderr how far it is")))


def run(arguments: Arguments, out: Output) -> int:
    """Draw and write. One PDF or draw.io file holds all pages; of SVG and PNG the root sheet takes the given name, the
    others ``X-SHEET.svg``, a second page of a sheet ``X-SHEET-2.svg``.
    """
    suffix = suffix_of(arguments.output, FORMATS)
    options, wish = _options(arguments)
    dpi = _dpi(arguments.dpi)
    project, design = open_project(arguments)
    if arguments.revision is not None:
        project = replace(project, meta=project.meta.put("revision", arguments.revision))
    _check_only(project.designs[design], options.only)
    with Working(arguments):
        analysis = analysis_of(project, design, arguments)
        pages = drawing_book(analysis, options, wish, out.lang)
    target = Path(arguments.output)
    told = _progress(arguments.report_progress)
    with progress(msg("Drawing {file} ...", file=target.name), out.lang):
        if suffix == ".pdf":
            written = [(page, target) for page in pages]
            data = painting.painter().pdf(
                [page.ink for page in pages],
                title=project.title,
                author=str(project.meta.get("author") or ""),
                date=str(project.meta.get("date") or ""),
                progress=told,
            )
            write_file(str(target), data)
        elif suffix == ".drawio":
            written = [(page, target) for page in pages]
            write_file(str(target), drawio_bytes([page.ink for page in pages], _page_names(pages)))
        else:
            written = _one_each(pages, target, project.designs[design].root)
            for n, (page, named) in enumerate(written):
                write_file(str(named), _picture(page, suffix, dpi, arguments.transparent, told, n, len(written)))
    for page, named in written:
        out.say(msg("{file}: sheet {sheet}", file=str(named), sheet=page.sheet))
        if page.shrunk > 1.01:
            out.say(
                msg(
                    "{file}: sheet {sheet} is shrunk 1 : {scale}, letters are under 9 pt; take larger paper.",
                    file=str(named),
                    sheet=page.sheet,
                    scale=f"{page.shrunk:.3g}",
                )
            )
    rows = [
        {"sheet": page.sheet, "file": str(named), "title": page.title, "part": page.part} for page, named in written
    ]
    out.document({"design": design, "sheets": rows})
    return 0


def _check_only(design: Design, only: frozenset[str]) -> None:
    """A mistyped id would give an empty drawing."""
    root = design.sheets.get(design.root)
    for name in sorted(only - set(root.items) - set(root.links)) if root is not None else ():
        raise UserError(msg("--only: '{name}' is no row of the fabric sheet.", name=name[:40]))


def _options(arguments: Arguments) -> tuple[DrawOptions, BookWish]:
    also = _names(arguments.also)
    for name in also:
        if name not in ALSO:
            raise UserError(msg("--also: '{name}' is not known; expected {known}.", name=name[:40], known=list(ALSO)))
    options = DrawOptions(
        page=page_size(arguments.page),
        labels=not arguments.no_labels,
        legend=not arguments.no_legend,
        figures=not arguments.no_figures,
        without_colour=arguments.print_safe,
        transparent=arguments.transparent,
        only=frozenset(_names(arguments.only)),
    )
    wish = BookWish(
        tuple(_names(arguments.sheet)), arguments.heat, arguments.findings, tuple(name for name in ALSO if name in also)
    )
    return options, wish


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _dpi(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 10 <= value <= MOST_DPI:
        raise UserError(msg("--dpi: '{text}' is not a number from 10 to {most}.", text=text[:40], most=f"{MOST_DPI:g}"))
    return value


def _progress(wanted: bool) -> Callable[[float], bool]:
    def told(part: float) -> bool:
        if wanted:
            print(f"progress {part:.3f}", file=sys.stderr, flush=True)
        return True

    return told


def _page_names(pages: list[DrawnPage]) -> list[str]:
    return [page.title if page.part == 1 else f"{page.title} ({page.part})" for page in pages]


def _one_each(pages: list[DrawnPage], target: Path, root: str) -> list[tuple[DrawnPage, Path]]:
    out = []
    for n, page in enumerate(pages):
        tail = "" if page.part == 1 else f"-{page.part}"
        plain = page.sheet == root or n == 0 or (page.part > 1 and page.sheet == pages[0].sheet)
        stem = target.stem + ("" if plain else f"-{page.sheet}") + tail
        out.append((page, target.with_name(stem + target.suffix)))
    return out


def _picture(
    page: DrawnPage, suffix: str, dpi: float, transparent: bool, told: Callable[[float], bool], n: int, of: int
) -> bytes:
    if suffix == ".svg":
        told((n + 1) / of)
        return svg_bytes(page.ink)
    return painting.painter().png(
        page.ink, dpi=dpi, transparent=transparent, progress=lambda part: told((n + part) / of)
    )
