"""Chapters of a report from the deliverables' tables: parts with totals, cables, lanes and slots, racks."""

from __future__ import annotations

from dataclasses import replace

from fabricwright.analysis.report_source import Source
from fabricwright.exchange.bom_tables import order_table
from fabricwright.exchange.cable_tables import inside_table, picking_table
from fabricwright.exchange.cables import cable_schedule
from fabricwright.exchange.data_table import Column, DataTable, Value
from fabricwright.exchange.elevation import elevation
from fabricwright.exchange.naming import thousands
from fabricwright.exchange.prices import bill_price
from fabricwright.exchange.rack_report import rack_tables
from fabricwright.exchange.report_blocks import Block, Chapter, Heading, Paragraph, ReportTable, TableColumn
from fabricwright.exchange.slot_report import slot_tables
from fabricwright.units.text import msg

_ALIKE = ("part", "devices", "used_u", "units", "power_w", "limit_w", "power_share", "weight_kg", "state")


def parts(source: Source) -> list[Block]:
    """Totals, then every line."""
    say, table = source.say, source.bom
    blocks: list[Block] = [Chapter(say(msg("Bill of materials")))]
    price = bill_price(table)
    if price.money:
        columns = (
            TableColumn(say(msg("Currency")), 1.0),
            TableColumn(say(msg("Lines")), 1.0, True),
            TableColumn(say(msg("Total without tax")), 2.0, True),
            TableColumn(say(msg("Tax")), 2.0, True),
            TableColumn(say(msg("Total with tax")), 2.0, True),
        )
        rows = tuple(
            (m.currency, str(m.lines), f"{m.net:,.2f}", f"{m.tax:,.2f}", f"{m.gross:,.2f}") for m in price.money
        )
        without = msg("{n} lines have no price and are not in the totals.", n=price.without_price)
        notes = (say(without),) if price.without_price else ()
        blocks.append(ReportTable(say(msg("Totals")), columns, rows, notes=notes))
    else:
        blocks.append(Paragraph(say(msg("The project has no prices; quantities only."))))
    priced = bool(price.money)
    shares = {"part": 2.9, "description": 4.4 if not priced else 3.4}
    told = {
        "spares": any(line.spares for line in table.lines),
        "owned": any(line.owned for line in table.lines),
    }
    if any(told.values()):
        shares["needed"] = 0.9
    shares |= {key: 0.9 for key, wanted in told.items() if wanted}
    shares["quantity"] = 1.0
    if priced:
        shares |= {"unit_price": 1.6, "total": 1.8, "currency": 0.9}
    blocks.append(source.table(order_table(table, source.lang), shares, msg("Parts to order")))
    return blocks


def cables(source: Source) -> list[Block]:
    """How many cables of which part and length; every single one is in the schedule. Nothing where there is none."""
    say = source.say
    found = cable_schedule(source.analysis.project, source.analysis.design)
    if not found.cables and not found.inside:
        return []
    blocks: list[Block] = [Chapter(say(msg("Cables")))]
    text = msg(
        "{n} cables between devices. The cable schedule of the pack lists each with both ends, label and length.",
        n=thousands(len(found.cables)),
    )
    blocks.append(Paragraph(say(text)))
    if found.cables:
        shares = {"network": 2.0, "part": 4.0, "length_m": 1.2, "count": 1.2}
        blocks.append(source.table(picking_table(found), shares))
    if found.inside:
        inside = {"sheet": 1.6, "part": 3.0, "length_m": 1.0, "a": 2.8, "b": 2.8, "servers": 1.0}
        blocks.append(source.table(inside_table(found), inside, msg("Cables inside servers")))
    return blocks


def slots(source: Source) -> list[Block]:
    """Slot by slot and socket by socket, one kind of server after the other."""
    say = source.say
    every, lanes, power = slot_tables(source.analysis.project, source.analysis.design, source.lang)
    if not every.rows:
        return []
    blocks: list[Block] = [Chapter(say(msg("Lanes and slots")))]
    if lanes.rows:
        shares = {"server": 2.6, "socket": 0.9, "cpu": 2.0, "available": 1.0, "used": 0.9, "free": 0.9, "by_kind": 3.0}
        blocks.append(source.table(lanes, shares))
    for server in dict.fromkeys(source.say(row[0]) for row in every.rows):
        called = _called(source, server)
        blocks.append(Heading(called))
        blocks.append(_slots(source, every, server, called))
    if power.rows:
        blocks.append(Heading(say(power.title)))
        shares = {"server": 2.6, "servers": 0.9, "enclosure": 1.4, "load_w": 1.2, "usable_w": 1.2}
        blocks.append(source.table(power, {**shares, "spare_w": 1.1, "all_w": 1.3, "sure": 1.1}))
    return blocks


def _called(source: Source, server: str) -> str:
    """A kind of server that has no title is told by its model, too."""
    sheet = source.analysis.stages.design.sheets.get(server)
    part = source.analysis.project.parts.get(sheet.chassis or "") if sheet is not None and not sheet.title else None
    return source.say(msg("{name} ({model})", name=server, model=part.model)) if part and part.model else server


def _slots(source: Source, data: DataTable, server: str, called: str) -> ReportTable:
    say = source.say
    columns = (
        TableColumn(say(msg("Slot")), 1.7),
        TableColumn(say(msg("Socket")), 0.9),
        TableColumn(say(msg("Slot gives")), 1.2),
        TableColumn(say(msg("Card")), 3.6),
        TableColumn(say(msg("In use")), 1.2),
        TableColumn(say(msg("Power (W)")), 1.0, True),
        TableColumn(say(msg("State")), 1.0),
    )
    at = data.column
    rows: list[tuple[str, ...]] = []
    soft: set[int] = set()
    for n, row in enumerate(data.rows):
        if say(row[0]) != server:
            continue
        if n in data.soft:
            soft.add(len(rows))
        rows.append(
            (
                say(row[at("slot")]),
                say(row[at("socket")]),
                _lanes(row[at("slot_lanes")], row[at("slot_gen")]),
                say(row[at("card")]),
                _lanes(row[at("lanes")], row[at("gen")]),
                source.cell(row[at("power_w")], "power_w"),
                say(row[at("state")]),
            )
        )
    caption = msg("Slots of {server}", server=called)
    return ReportTable(say(caption), columns, tuple(rows), (), frozenset(), frozenset(soft))


def _lanes(lanes: Value, gen: Value) -> str:
    """``x16 Gen5``"""
    return " ".join(text for text in (f"x{lanes}" if lanes else "", f"Gen{gen}" if gen else "") if text)


def racks(source: Source) -> list[Block]:
    """Power, heat, weight of every rack; alike ones in one row. Nothing where no rack is drawn."""
    say = source.say
    project, design = source.analysis.project, source.analysis.design
    standing = elevation(project, design)
    data = rack_tables(project, design, standing)[0]
    if not data.rows:
        return []
    shares = {"rack": 2.2, "count": 0.8, "used_u": 0.9, "power_w": 1.2, "limit_w": 1.2}
    shares |= {"power_share": 0.9, "heat_btu_h": 1.2, "weight_kg": 1.0, "state": 1.3}
    return [
        Chapter(say(msg("Racks"))),
        source.table(_alike(data), shares, msg("Power, heat and weight of the racks")),
    ]


def _alike(data: DataTable) -> DataTable:
    """Racks one after the other that are alike, in one row; the sums stay."""
    at = [data.column(key) for key in _ALIKE]
    rows: list[tuple[Value, ...]] = []
    before: tuple[str, ...] = ()
    runs: list[list[tuple[Value, ...]]] = []
    for row in data.rows:
        key = tuple(repr(row[n]) for n in at)
        if key == before:
            runs[-1].append(row)
        else:
            runs.append([row])
        before = key
    for run in runs:
        first, last = run[0], run[-1]
        name: Value = first[0] if len(run) == 1 else msg("{first} to {last}", first=first[0], last=last[0])
        rows.append((name, len(run), *first[1:]))
    columns = (data.columns[0], Column("count", msg("Racks"), "count"), *data.columns[1:])
    totals = tuple(replace(t, cells={**t.cells, "count": len(data.rows)}) for t in data.totals)
    return replace(data, columns=columns, rows=tuple(rows), totals=totals)
