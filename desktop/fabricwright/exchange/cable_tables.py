"""The cable schedule as plain tables: what to plug where, how many of which, and the cables inside servers."""

from __future__ import annotations

from fabricwright.design.address import split_end
from fabricwright.design.network_names import network_words
from fabricwright.exchange.cables import CableTable
from fabricwright.exchange.data_table import Column, DataTable, TotalLine, Value, summed
from fabricwright.exchange.tabular import Cell, to_csv
from fabricwright.units.natural import natural_key
from fabricwright.units.text import msg

TITLE = msg("Cable schedule")


def schedule_table(table: CableTable) -> DataTable:
    """A row per cable, with the columns of as many ends as the widest splitter has."""
    most = max([2, *(len(row.ends) for row in table.cables)])
    columns = [
        Column("cable", msg("Cable"), width=14),
        Column("label", msg("Label"), wrap=True),
        Column("network", msg("Network"), width=12),
        Column("lane", msg("Rail or plane"), "count", width=8, centred=True),
        Column("colour", msg("Colour"), "colour", width=9),
        Column("part", msg("Part"), width=24),
        Column("length_m", msg("Length (m)"), "length_m", width=9),
        Column("rows", msg("Links"), "count", width=7, centred=True),
    ]
    for n in range(1, most + 1):
        columns += [
            Column(f"name_{n}", msg("Device {n}", n=n), width=14),
            Column(f"rack_{n}", msg("Rack {n}", n=n), width=11),
            Column(f"u_{n}", msg("U {n}", n=n), "count", width=6, centred=True),
            Column(f"cage_{n}", msg("Cage {n}", n=n), width=9),
            Column(f"port_{n}", msg("Port {n}", n=n), width=13),
        ]
    rows = []
    for row in table.cables:
        cells: list[Value] = [row.id, row.label, network_words(row.network)]
        cells += [None if row.lane is None else row.lane + 1, row.colour, row.part or "-", row.length_m, row.rows]
        for end, name, rack in zip(row.ends, row.names, row.racks, strict=True):
            cells += [name, rack, end.u or None, end.cage, end.port]
        rows.append(tuple(cells + [None] * (5 * (most - len(row.ends)))))
    return DataTable("cables", TITLE, tuple(columns), tuple(rows), frozen=2)


def inside_table(table: CableTable) -> DataTable:
    """A row per cable inside a kind of server; ``total`` counts them over all servers."""
    columns = (
        Column("cable", msg("Cable"), width=18),
        Column("sheet", msg("Server type"), width=18),
        Column("part", msg("Part"), width=24),
        Column("length_m", msg("Length (m)"), "length_m", width=10),
        Column("a", msg("From"), width=26),
        Column("b", msg("To"), width=26),
        Column("servers", msg("Servers"), "count", width=10),
    )
    rows = tuple(
        (row.id, row.sheet, row.part or "-", row.length_m, row.ends[0], row.ends[1], row.servers)
        for row in table.inside
    )
    total = TotalLine(msg("Cables inside servers"), {"servers": summed("servers", [r.servers for r in table.inside])})
    return DataTable("inside", msg("Inside servers"), columns, rows, (total,) if rows else ())


def picking_table(table: CableTable) -> DataTable:
    """How many cables of which part and length each network takes."""
    counted: dict[tuple[str, str, float], int] = {}
    for row in table.cables:
        key = row.network, row.part, row.length_m or 0.0
        counted[key] = counted.get(key, 0) + 1
    columns = (
        Column("network", msg("Network"), width=18),
        Column("part", msg("Part"), width=28),
        Column("length_m", msg("Length (m)"), "length_m", width=12),
        Column("count", msg("Cables"), "count", width=12),
    )
    order = sorted(counted, key=lambda key: (natural_key(key[0]), natural_key(key[1]), key[2]))
    rows = tuple((network_words(key[0]), key[1] or "-", key[2] or None, counted[key]) for key in order)
    total = TotalLine(msg("All cables"), {"count": summed("count", list(counted.values()))}, strong=True)
    return DataTable("picking", msg("Cables by length"), columns, rows, (total,))


def cable_tables(table: CableTable) -> list[DataTable]:
    """What goes into the workbook."""
    tables = [schedule_table(table), picking_table(table)]
    return [*tables, inside_table(table)] if table.inside else tables


def schedule_csv(table: CableTable, lang: str, *, mark: bool | None = None) -> bytes:
    """Cables of the fabric and those inside servers in one CSV table, ends as addresses."""
    most = max([2, *(len(row.ends) for row in table.cables)])
    heads = [msg("Cable"), msg("Label"), msg("Network"), msg("Colour"), msg("Part"), msg("Length (m)"), msg("Links")]
    heads.append(msg("Servers"))
    for n in range(1, most + 1):
        heads += [msg("Device {n}", n=n), msg("Rack {n}", n=n), msg("U {n}", n=n)]
        heads += [msg("Cage {n}", n=n), msg("Port {n}", n=n)]
    rows: list[list[Cell]] = []
    for row in table.cables:
        cells: list[Cell] = [row.id, row.label, row.network, row.colour, row.part, row.length_m, row.rows, None]
        for end in row.ends:
            cells += [end.device, end.rack, end.u or None, end.cage, end.port]
        rows.append(cells + [None] * (5 * (most - len(row.ends))))
    for inner in table.inside:
        cells = [inner.id, " - ".join(inner.ends), "", "", inner.part, inner.length_m, 1, inner.servers]
        for text in inner.ends:
            device, port = split_end(text)
            cells += [f"{inner.sheet}/{device}", "", None, "", port]
        rows.append(cells + [None] * (5 * (most - 2)))
    return to_csv([head.text(lang) for head in heads], rows, lang, mark=mark)
