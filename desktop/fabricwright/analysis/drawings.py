"""A design's drawings as a book of recorded pages, with what the analysis knows on them: loads, findings, figures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fabricwright.analysis.analyze import Analysis
from fabricwright.design.place_words import said_of
from fabricwright.exchange.bom import bom
from fabricwright.exchange.diagram_elevation import ElevationPages, elevation_pages
from fabricwright.exchange.diagram_svg import DrawnPage, draw_pages
from fabricwright.exchange.drawing_options import Badge, DrawOptions
from fabricwright.exchange.naming import thousands
from fabricwright.exchange.page_size import MM
from fabricwright.exchange.sheet_page import SideBlock
from fabricwright.exchange.table_page import Column, TablePages
from fabricwright.performance.predict import PredictRequest
from fabricwright.rules.approvals import Judged
from fabricwright.rules.run import count
from fabricwright.units.errors import UserError
from fabricwright.units.quantity import format_size
from fabricwright.units.text import Message, msg

SHOWN_SIZE = 1 << 30
"""Buffer of the collectives that a sheet quotes."""

ORDER = ("error", "warning", "info")
ICONS = {"error": ("error-octagon", "error"), "warning": ("warning-triangle", "warn"), "info": ("info-circle", "info")}
APPROVED = ("shield", "text.2")


@dataclass(frozen=True, slots=True)
class BookWish:
    """What is wanted of a book: ``sheets`` these or, empty, all; heat map, findings on the cards; ``also`` what stands
    behind the sheets (``ALSO``). ``collective`` and ``size`` say which loads the heat map shows."""

    sheets: tuple[str, ...] = ()
    heat: bool = False
    findings: bool = False
    also: tuple[str, ...] = ()
    collective: str = "all_reduce"
    size: int = SHOWN_SIZE


def drawing_book(
    analysis: Analysis, options: DrawOptions, wish: BookWish, lang: str, checkpoint: Callable[[], None] = lambda: None
) -> list[DrawnPage]:
    """Pages in book order. Raises UserError for a sheet that does not exist, or a heat map that cannot be had."""
    project, design_id = analysis.project, analysis.design
    if wish.heat:
        options = _heated(analysis, options, wish)
    if wish.findings:
        options = replace(options, badges=badges(analysis.judged))
    wish, sheets_too = _racks_as_a_sheet(wish, project.designs[design_id].sheets)
    checkpoint()
    tables = [_table(analysis, name, lang, wish.findings) for name in wish.also]
    counts = [table.count(options.page) for table in tables]
    side = side_blocks(analysis) if options.figures else ()
    pages = []
    if sheets_too:
        pages = draw_pages(
            project,
            design_id,
            sheets=wish.sheets,
            lang=lang,
            fabric=analysis.cluster.fabric,
            side=side,
            options=options,
            more=sum(counts),
        )
    checkpoint()
    per_sheet = 2 if not options.page.wide and (options.legend or options.figures) else 1
    of = per_sheet * len(project.designs[design_id].sheets) + sum(counts)
    first = of - sum(counts) + 1
    for name, table, taken in zip(wish.also, tables, counts, strict=True):
        title = table.title.text(lang)
        for part, ink in enumerate(table.draw(project, lang, options, first, of), 1):
            pages.append(DrawnPage(name, title, ink, part, max(1.0, ink.width / ink.width_mm / MM)))
        first += taken
    return pages


def _heated(analysis: Analysis, options: DrawOptions, wish: BookWish) -> DrawOptions:
    """Loads of one collective. Asking for a heat map that cannot be had is an error, so that no sheet lies."""
    found: dict[str, Any] = dict(analysis.predict(PredictRequest(wish.collective, (wish.size,))).heat)
    inside: Mapping[str, Mapping[str, float]] = found.pop("interior", {})
    links = {link: float(row["max"]) for link, row in found.items()}
    return replace(options, loads=links, loads_inside=inside)


def badges(judged: list[Judged]) -> dict[str, dict[str, Badge]]:
    """Open findings by sheet and item: on the fabric sheet those about a group, on a server sheet those inside it."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for entry in judged:
        finding = entry.finding
        if finding.severity not in ORDER or entry.approval is not None or not finding.at:
            continue
        address = finding.at[0]
        if not address.steps:
            continue
        item = address.steps[-1].item
        here = found.setdefault(finding.sheet, {}).setdefault(item, {})
        here[finding.key] = finding.severity
    return {
        sheet: {item: Badge(min(rows.values(), key=ORDER.index), len(rows)) for item, rows in items.items()}
        for sheet, items in found.items()
    }


def side_blocks(analysis: Analysis) -> tuple[SideBlock, ...]:
    """Predictions and counts of findings for the right column of the fabric page."""
    counts = count(analysis.judged)
    checks = SideBlock(
        msg("Checks"),
        (
            (msg("errors"), str(counts["error"])),
            (msg("warnings"), str(counts["warning"])),
            (msg("approved"), str(counts["approved"])),
        ),
    )
    rows: list[tuple[Message, Message | str]] = []
    limit: Message | str | None = None
    titles = {
        "all_reduce": msg("All-reduce {size}, busbw", size=format_size(SHOWN_SIZE)),
        "all_to_all": msg("All-to-all {size}, busbw", size=format_size(SHOWN_SIZE)),
    }
    for collective, title in titles.items():
        try:
            row = analysis.predict(PredictRequest(collective, (SHOWN_SIZE,))).rows[0]
        except UserError:
            continue
        factor = row.busbw * row.time_s
        low, high = _rate(factor / row.high_s), _rate(factor / row.low_s)
        rows.append((title, msg("{rate} GB/s ({low} to {high})", rate=_rate(row.busbw), low=low, high=high)))
        limit = limit or said_of(analysis.stages.design, row.bottleneck.label, row.bottleneck.address)
    if not rows:
        return (checks,)
    if limit is not None:
        rows.append((msg("Limit"), limit))
    power_w = analysis.figures()["power_w"]
    if power_w:
        rows.append((msg("Power, nominal"), f"{power_w / 1000:,.0f} kW"))
    ranks = thousands(analysis.cluster.n_ranks)
    return (SideBlock(msg("Predicted, {ranks} GPUs", ranks=ranks), tuple(rows)), checks)


def _rate(bytes_per_s: float) -> str:
    return f"{bytes_per_s / 1e9:.3g}"


ALSO = ("racks", "parts", "findings")
"""What a book may have behind its sheets, in this order."""


def _racks_as_a_sheet(wish: BookWish, sheets: Collection[str]) -> tuple[BookWish, bool]:
    """Rack pages may be asked for like a sheet: (the wish with them behind the sheets, whether sheets are drawn)."""
    if "racks" not in wish.sheets or "racks" in sheets:
        return wish, True
    others = tuple(name for name in wish.sheets if name != "racks")
    also = ("racks", *(name for name in wish.also if name != "racks"))
    return replace(wish, sheets=others, also=also), bool(others)


def _table(analysis: Analysis, name: str, lang: str, signs: bool = False) -> TablePages | ElevationPages:
    if name == "racks":
        shown = [entry.finding for entry in analysis.judged if entry.approval is None] if signs else ()
        return elevation_pages(analysis.project, analysis.design, shown)
    if name == "parts":
        return _parts(analysis, lang)
    if name == "findings":
        return _findings(analysis, lang)
    raise UserError(msg("'{name}' is no part of a book; expected {known}.", name=name[:40], known=list(ALSO)))


def _parts(analysis: Analysis, lang: str) -> TablePages:
    lines = bom(analysis.project, analysis.design).lines
    rows = tuple(
        (line.model or line.part, line.description(lang), line.vendor, thousands(line.quantity)) for line in lines
    )
    return TablePages(
        msg("Bill of materials"),
        msg("{n} lines", n=len(rows)),
        (
            Column(msg("Part"), 3.0),
            Column(msg("Description"), 5.5),
            Column(msg("Vendor"), 1.6),
            Column(msg("Quantity"), 1.0, figures=True),
        ),
        rows,
    )


def _findings(analysis: Analysis, lang: str) -> TablePages:
    rows, icons = [], []
    shown = [entry for entry in analysis.judged if entry.finding.severity in ORDER]
    shown.sort(key=lambda entry: entry.approval is not None)
    for entry in shown:
        finding, approval = entry.finding, entry.approval
        text = finding.message.text(lang)
        if approval is not None:
            by = ", ".join(t for t in (approval.author, approval.date) if t)
            text += " " + msg("Approved: {reason} ({by})", reason=approval.reason or "-", by=by or "-").text(lang)
        places = [str(address) for address in finding.at[:2]]
        more = f" +{len(finding.at) - 2}" if len(finding.at) > 2 else ""
        rows.append((finding.rule, ", ".join(places) + more, text))
        icons.append(ICONS[finding.severity] if approval is None else APPROVED)
    counts = count(analysis.judged)
    subtitle = msg(
        "{errors} errors, {warnings} warnings, {approved} approved",
        errors=counts["error"],
        warnings=counts["warning"],
        approved=counts["approved"],
    )
    columns = (Column(msg("Rule"), 1.3), Column(msg("Place"), 2.2), Column(msg("Finding"), 7.0))
    if not rows:
        return TablePages(msg("Findings and approvals"), subtitle, columns, (("", "", msg("None.").text(lang)),))
    return TablePages(msg("Findings and approvals"), subtitle, columns, tuple(rows), tuple(icons))
