"""The report of a design: its chapters in order, set as pages of recorded drawings.

``design_report`` is what the command line, the export pack and the window ask for. Same design, same pages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fabricwright.analysis import report_checks, report_speed, report_tables, report_training
from fabricwright.analysis.analyze import Analysis
from fabricwright.analysis.compare import Comparer, Side
from fabricwright.analysis.compare_page import comparison_page, figures_table, parts_table
from fabricwright.analysis.drawings import BookWish, drawing_book
from fabricwright.analysis.report_source import Source
from fabricwright.design.values import Design
from fabricwright.exchange.diagram_compare import CompareTable
from fabricwright.exchange.drawing_options import DrawOptions
from fabricwright.exchange.ink import Ink, Text
from fabricwright.exchange.page_size import PAPERS, PageSize
from fabricwright.exchange.report_blocks import (
    Block,
    Chapter,
    Cover,
    Figure,
    FullPage,
    Heading,
    Paragraph,
    ReportTable,
    TableColumn,
)
from fabricwright.exchange.report_pages import report_pages
from fabricwright.exchange.report_template import ReportTemplate
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

MOST_SHRUNK = 1.01
"""Drawings take the smallest paper from A3 on whose letters keep 9 pt."""
SMALLEST_PT = 8.0
MM_PER_INCH = 25.4
MOST_PAIRS = 3
"""Further designs that are compared with this one."""


@dataclass(frozen=True, slots=True)
class ReportWish:
    """``paper`` of the text pages; ``template`` the look; ``revision`` instead of the project's ("" = the project's);
    ``drawings`` whether the sheets stand in the report."""

    paper: PageSize = field(default_factory=lambda: PageSize("A4", landscape=False))
    template: ReportTemplate = field(default_factory=ReportTemplate)
    revision: str = ""
    drawings: bool = True


def design_report(
    analysis: Analysis,
    lang: str,
    wish: ReportWish | None = None,
    checkpoint: Callable[[], None] = lambda: None,
) -> list[Ink]:
    """All pages. ``checkpoint`` is called between chapters and may raise to stop. Raises UserError for a design that
    cannot be compiled."""
    wish = wish or ReportWish()
    source = Source(analysis, lang)
    blocks: list[Block] = []
    chapters: list[Callable[[Source], list[Block]]] = [
        report_speed.summary,
        *([_drawings] if wish.drawings else []),
        report_checks.checks,
        report_speed.performance,
        report_training.training,
        report_training.network_settings,
        _comparison,
        report_tables.parts,
        report_tables.cables,
        report_tables.slots,
        report_tables.racks,
        report_checks.assumptions,
        report_checks.claims,
    ]
    for chapter in chapters:
        checkpoint()
        blocks += chapter(source)
    checkpoint()
    return report_pages(_cover(source, wish), blocks, wish.paper, lang, wish.template, analysis.project.title)


def _cover(source: Source, wish: ReportWish) -> Cover:
    project = source.analysis.project
    meta = project.meta
    revision = wish.revision or str(meta.get("revision") or "")
    rows = [
        (msg("Customer"), str(meta.get("customer") or "")),
        (msg("Project"), str(meta.get("project") or project.title)),
        (msg("Design"), source.title),
        (msg("Number"), str(meta.get("number") or "")),
        (msg("Revision"), revision),
        (msg("Author"), str(meta.get("author") or "")),
        (msg("Checked"), str(meta.get("checked") or "")),
        (msg("Approved"), str(meta.get("approved") or "")),
        (msg("Date"), str(meta.get("date") or "")),
    ]
    note = msg(
        "Figures are predictions of a model with the band given beside them; estimates are marked. What they rest on "
        "stands in the chapter on assumptions."
    )
    return Cover(
        project.title or source.title,
        source.say(msg("Design report")),
        tuple((source.say(name), value) for name, value in rows if value),
        source.say(note),
    )


def _drawings(source: Source) -> list[Block]:
    analysis, lang = source.analysis, source.lang
    racked = any(analysis.stages.design.sheets[analysis.stages.design.root].seats)
    wish = BookWish(also=("racks",) if racked else ())
    pages = []
    for name in list(PAPERS)[1:]:
        pages = drawing_book(analysis, DrawOptions(page=PageSize(name)), wish, lang)
        if all(page.shrunk <= MOST_SHRUNK for page in pages):
            break
    design = analysis.stages.design
    if not _linked(design):  # a network sheet that joins nothing says nothing
        pages = [page for page in pages if page.sheet != design.root] or pages
    if not pages:
        return []
    many = msg(
        "{n} drawings follow, each on paper of its own, on which its letters keep their size: the network, every kind "
        "of server and, where devices stand in racks, the racks.",
        n=len(pages),
    )
    if not _linked(design):
        many = msg("{n} drawings follow, each on paper of its own, on which its letters keep their size.", n=len(pages))
    blocks: list[Block] = [Chapter(source.say(msg("Drawings"))), Paragraph(source.say(many))]
    total: dict[str, int] = {}
    for page in pages:
        total[page.sheet] = total.get(page.sheet, 0) + 1
    for page in pages:
        title = page.title
        if total[page.sheet] > 1:
            title = source.say(msg("{title}, page {n} of {m}", title=page.title, n=page.part, m=total[page.sheet]))
        blocks.append(FullPage(title, page.ink))
    return blocks


def _linked(design: Design) -> bool:
    """Whether the root sheet is a server, or a network with a link."""
    root = design.sheets[design.root]
    return root.kind != "fabric" or bool(len(root.links))


# -- comparison -------------------------------------------------------------------------------------------------------


def _comparison(source: Source) -> list[Block]:
    analysis = source.analysis
    project = analysis.project
    ordered = sorted(project.designs, key=lambda name: (project.designs[name].order, name))
    others = [name for name in ordered if name != analysis.design][:MOST_PAIRS]
    if not others:
        return []
    try:
        sides = [Side(analysis), *(Side(source.beside(name)) for name in others)]
        found = Comparer(sides, training=False).result()
    except UserError as error:
        return [Chapter(source.say(msg("Comparison"))), Paragraph(source.say(error.message))]
    blocks: list[Block] = [Chapter(source.say(msg("Comparison"))), Paragraph(source.say(found.binds))]
    names = [side.title for side in sides]
    curves = zip(names, found.curves, strict=True)
    model = source.chart(
        [(name, curve, f"rail{n}" if n else "accent", n > 0) for n, (name, curve) in enumerate(curves)]
    )
    if not model.empty:
        caption = source.say(msg("All-reduce of the designs over message size, with bands"))
        blocks.append(Figure(caption, 250, source.drawer(model)))
    for pair, other in enumerate(names[1:]):
        blocks.append(Heading(source.say(msg("{a} and {b}", a=names[0], b=other))))
        key = msg("A is {a}, B is {b}.", a=names[0], b=other)
        blocks.append(Paragraph(source.say(key)))
        for table in (figures_table(found, pair), parts_table(found, pair)):
            if table.rows:
                blocks.append(_compare_table(source, table, other))
        delta = found.pairs[pair].findings
        text = msg(
            "Findings: {gained} only in B, {lost} only in A, {kept} in both.",
            gained=len(delta.gained),
            lost=len(delta.lost),
            kept=delta.kept,
        )
        blocks.append(Paragraph(source.say(text)))
        if not any(_linked(project.designs[name]) for name in (analysis.design, others[pair])):
            continue
        title = msg("{a} and {b}, what differs", a=names[0], b=other)
        blocks.append(FullPage(source.say(title), _readable(comparison_page(found, source.lang, pair)), low=True))
    return blocks


def _readable(page: Ink) -> Ink:
    """The page on the smallest paper on which its smallest letters have 8 pt: both drawings are set into half of it."""
    smallest = min((op.size for op in page.ops if isinstance(op, Text)), default=SMALLEST_PT)
    for width_mm, height_mm in list(PAPERS.values())[1:]:
        page.width_mm, page.height_mm = width_mm, height_mm
        if smallest * width_mm / MM_PER_INCH * 72 / page.width >= SMALLEST_PT:
            break
    return page


def _compare_table(source: Source, table: CompareTable, other: str) -> ReportTable:
    columns = tuple(
        TableColumn(source.say(head), share, table.right[n : n + 1] == "r")
        for n, (head, share) in enumerate(zip(table.heads, table.widths, strict=True))
    )
    rows = tuple(tuple(source.say(cell) for cell in row) for row in table.rows)
    caption: Message = msg("{table}, A against B ({b})", table=table.title, b=other)
    return ReportTable(source.say(caption), columns, rows)
