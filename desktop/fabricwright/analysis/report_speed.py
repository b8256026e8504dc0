"""Chapters of a report on figures: the summary, and how fast collectives are, with bands and what binds."""

from __future__ import annotations

from fabricwright.analysis.compare import binding_words
from fabricwright.analysis.figures import GIB, BusbwFigure
from fabricwright.analysis.network_lines import network_lines
from fabricwright.analysis.report_source import Source
from fabricwright.design.place_words import said_of, thing_text
from fabricwright.exchange.naming import failure_word, thousands
from fabricwright.exchange.prices import bill_price
from fabricwright.exchange.report_blocks import (
    Block,
    Chapter,
    Figure,
    Heading,
    Paragraph,
    ReportTable,
    TableColumn,
    Tile,
    Tiles,
)
from fabricwright.performance.predict import PredictRequest, Row
from fabricwright.performance.resilience import Failure
from fabricwright.units.errors import UserError
from fabricwright.units.figure_text import NOTHING, figure_text
from fabricwright.units.quantity import format_size, format_time
from fabricwright.units.text import Message, msg

SIZES = tuple(1 << e for e in (13, 16, 20, 24, 27, 30, 33))
MOST_FAILURES = 12
TIERS = {"leaf": msg("leaf"), "spine": msg("spine"), "core": msg("core"), "other": msg("other")}


def collective_words(name: str) -> Message:
    """A collective as it is written in headings."""
    return {"all_reduce": msg("All-reduce"), "all_to_all": msg("All-to-all")}.get(name) or msg("{name}", name=name)


# -- summary ----------------------------------------------------------------------------------------------------------


def summary(source: Source) -> list[Block]:
    """Key figures, what binds, what is open."""
    figures = source.figures
    say = source.say
    tiers = ", ".join(f"{thousands(n)} {say(TIERS[tier])}" for tier, n in figures.switches.items())
    findings = figures.findings
    worst = thing_text(source.analysis.stages.design, figures.worst_failure)
    bad = findings.get("error", 0)
    tiles = [
        Tile(say(msg("GPUs")), thousands(figures.gpus), say(msg("in {n} servers", n=thousands(figures.servers)))),
        _rate_tile(source, figures.all_reduce),
        _rate_tile(source, figures.all_to_all),
        Tile(say(msg("Switches")), thousands(figures.switch_count), tiers),
        Tile(
            say(msg("Cables")),
            thousands(figures.cables),
            say(msg("{n} links", n=thousands(figures.links))),
        ),
        Tile(
            say(msg("Power, nominal maxima")),
            figure_text(figures.power_w, "W"),
            say(msg("{power} of it network", power=figure_text(figures.fabric_power_w, "W"))),
        ),
        Tile(
            say(msg("Worst single failure leaves")),
            figure_text(figures.worst_failure_ratio, "1"),
            say(msg("{place} stops the job", place=worst)) if figures.worst_failure_ratio == 0 else worst,
        ),
        Tile(
            say(msg("Errors")),
            thousands(bad),
            say(
                msg(
                    "{warnings} warnings, {approved} approved",
                    warnings=findings.get("warning", 0),
                    approved=findings.get("approved", 0),
                )
            ),
            "error" if bad else "ok",
        ),
        _price_tile(source),
    ]
    blocks: list[Block] = [Chapter(say(msg("Summary"))), Tiles(tuple(tiles))]
    lines = [line for line in network_lines(source.analysis) if line is not None]
    if lines:
        blocks.append(Paragraph(say(msg("Network: {lines}.", lines="; ".join(say(line) for line in lines)))))
    for figure in (figures.all_reduce, figures.all_to_all):
        blocks.append(Paragraph(_bound(source, figure)))
    without = sum(line.unit_price is None for line in source.bom.lines)
    if without:
        text = msg("{n} of {all} lines of the bill of materials have no price.", n=without, all=len(source.bom.lines))
        blocks.append(Paragraph(say(text)))
    return blocks


def _rate_tile(source: Source, figure: BusbwFigure) -> Tile:
    size = format_size(figure.n_bytes)
    label = source.say(msg("{collective} {size}, busbw", collective=collective_words(figure.collective), size=size))
    if not figure.known:
        return Tile(label, NOTHING, source.say(figure.problem))
    band = msg("{low} to {high}", low=figure_text(figure.low, "B/s"), high=figure_text(figure.high, "B/s"))
    return Tile(label, figure_text(figure.busbw, "B/s"), source.say(band))


def _price_tile(source: Source) -> Tile:
    price = bill_price(source.bom)
    label = source.say(msg("Price without tax"))
    if price.net is None or not price.money:
        return Tile(label, NOTHING, source.say(msg("no price list")))
    note = msg("{n} lines without a price", n=price.without_price) if price.without_price else msg("all lines priced")
    return Tile(label, f"{price.net:,.0f} {price.currency}", source.say(note))


def _bound(source: Source, figure: BusbwFigure) -> str:
    name = collective_words(figure.collective)
    if not figure.known:
        return source.say(msg("{collective} does not run: {problem}", collective=name, problem=figure.problem or ""))
    return source.say(
        msg(
            "{collective} of {size} per GPU takes {time} and is bound by {what} ({label}), busy {share} of the time.",
            collective=name,
            size=format_size(figure.n_bytes),
            time=format_time(figure.time_s),
            what=binding_words(figure.kind),
            label=said_of(source.analysis.stages.design, figure.label, figure.address or "") if figure.label else "",
            share=f"{figure.utilisation:.0%}",
        )
    )


# -- performance ------------------------------------------------------------------------------------------------------


def performance(source: Source) -> list[Block]:
    """Curves with bands, tables, the reasons, the worst failures."""
    say = source.say
    blocks: list[Block] = [Chapter(say(msg("Performance")))]
    intro = msg(
        "busbw as nccl-tests reports it, so that designs of different size compare. The band is where measurements on "
        "systems unknown to the model fell; outside of it the model has no claim."
    )
    blocks.append(Paragraph(say(intro)))
    for collective in ("all_reduce", "all_to_all"):
        blocks.append(Heading(say(collective_words(collective))))
        try:
            found = source.analysis.predict(PredictRequest(collective, SIZES))
        except UserError as error:
            blocks.append(Paragraph(say(said_of(source.analysis.stages.design, error.message))))
            continue
        model = source.chart([(say(msg("predicted, with band")), source.curve(collective), "accent", False)])
        caption = msg(
            "{collective} on {n} GPUs, busbw over message size",
            collective=collective_words(collective),
            n=thousands(found.n_ranks),
        )
        blocks.append(Figure(say(caption), 240, source.drawer(model)))
        blocks.append(_rows(source, collective, found.rows))
        design, at = source.analysis.stages.design, found.rows[-1].bottleneck.address
        blocks += [Paragraph(say(said_of(design, told, at)), bullet=True) for told in found.explanation]
    blocks += _failures(source)
    return blocks


def _rows(source: Source, collective: str, rows: tuple[Row, ...]) -> ReportTable:
    say = source.say
    columns = (
        TableColumn(say(msg("Size")), 1.0, True),
        TableColumn(say(msg("Time")), 1.1, True),
        TableColumn(say(msg("Low")), 1.1, True),
        TableColumn(say(msg("High")), 1.1, True),
        TableColumn("busbw, GB/s", 1.1, True),
        TableColumn(say(msg("Algorithm, protocol")), 2.0),
        TableColumn(say(msg("What binds")), 3.2),
    )
    cells = tuple(
        (
            format_size(row.n_bytes),
            format_time(row.time_s),
            format_time(row.low_s),
            format_time(row.high_s),
            f"{row.busbw / 1e9:.2f}",
            f"{row.algorithm}, {row.protocol}",
            say(said_of(source.analysis.stages.design, row.bottleneck.label, row.bottleneck.address)),
        )
        for row in rows
    )
    caption = msg("{collective}: time with band, busbw, what binds", collective=collective_words(collective))
    return ReportTable(say(caption), columns, cells)


def _failures(source: Source) -> list[Block]:
    swept = source.failures
    say = source.say
    blocks: list[Block] = [Heading(say(msg("Single failures")))]
    if swept is None or not swept.failures:
        return [*blocks, Paragraph(say(msg("No single failure was looked at: the collective does not run.")))]
    points = len(swept.single_points)
    text = msg(
        "Each of {n} single failures was tried with an all-reduce of {size}; alike ones count as one kind. "
        "{points} kinds are single points of failure.",
        n=thousands(swept.count),
        size=format_size(GIB),
        points=points,
    )
    worst = sorted(swept.failures, key=lambda f: (-f.cut_off, f.ratio))[:MOST_FAILURES]
    columns = (
        TableColumn(say(msg("What fails")), 1.4),
        TableColumn(say(msg("Place")), 3.2),
        TableColumn(say(msg("Alike")), 0.8, True),
        TableColumn(say(msg("GPUs lost")), 0.9, True),
        TableColumn(say(msg("GPUs cut off")), 1.0, True),
        TableColumn("busbw, GB/s", 1.1, True),
        TableColumn(say(msg("Left")), 0.9, True),
    )
    rows = tuple(_failure(source, f) for f in worst)
    caption = msg("The worst single failures, all-reduce of {size}", size=format_size(GIB))
    return [*blocks, Paragraph(say(text)), ReportTable(say(caption), columns, rows)]


def _failure(source: Source, failure: Failure) -> tuple[str, ...]:
    return (
        source.say(failure_word(failure.kind)),
        thing_text(source.analysis.stages.design, failure.address),
        thousands(failure.count),
        thousands(failure.lost),
        thousands(failure.cut_off),
        f"{failure.busbw / 1e9:.1f}" if failure.busbw is not None else NOTHING,
        f"{failure.ratio:.1%}",
    )
