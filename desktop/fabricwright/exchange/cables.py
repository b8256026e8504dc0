"""Cable schedule: every physical cable with its ends, part, length and label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabricwright.design.address import split_end
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.naming import member_name
from fabricwright.design.values import Design, Project
from fabricwright.exchange.tabular import Cell, to_csv
from fabricwright.rules.context import split_members
from fabricwright.topology.cables import CableEnd, PhysicalCable, all_cables, cable_rows
from fabricwright.topology.fabric import wire_all
from fabricwright.topology.model import Bundle
from fabricwright.topology.seating import places_of
from fabricwright.units.natural import natural_key
from fabricwright.units.text import msg


@dataclass(frozen=True, slots=True)
class ScheduledCable:
    """One cable. ``ends`` two, or 1 + k for a splitter (the common end first); ``label`` what is printed on it."""

    id: str
    network: str
    part: str
    length_m: float | None
    ends: tuple[CableEnd, ...]
    label: str
    rows: int


@dataclass(frozen=True, slots=True)
class InsideCable:
    """A cable inside a kind of server (or to a box beside it). ``servers`` how many servers have it."""

    id: str
    sheet: str
    part: str
    length_m: float | None
    ends: tuple[str, str]
    servers: int


@dataclass(frozen=True, slots=True)
class CableTable:
    """The schedule: cables of the fabric in order of links and their first rows, then those inside servers."""

    cables: tuple[ScheduledCable, ...]
    inside: tuple[InsideCable, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The shape of ``cables --json``; ``inside`` holds cables within servers, one entry for all equal servers."""
        return {"cables": [_json(row) for row in self.cables], "inside": [_inside_json(row) for row in self.inside]}

    def to_csv(self, lang: str = "en") -> bytes:
        """One line per cable; the columns of further ends follow those of the first two."""
        most = max([2, *(len(row.ends) for row in self.cables)])
        heads = [
            msg("Cable"),
            msg("Label"),
            msg("Network"),
            msg("Part"),
            msg("Length (m)"),
            msg("Links"),
            msg("Servers"),
        ]
        for n in range(1, most + 1):
            heads += [msg("Device {n}", n=n), msg("Rack {n}", n=n), msg("U {n}", n=n)]
            heads += [msg("Cage {n}", n=n), msg("Port {n}", n=n)]
        rows: list[list[Cell]] = []
        for row in self.cables:
            cells: list[Cell] = [row.id, row.label, row.network, row.part, row.length_m, row.rows, None]
            for end in row.ends:
                cells += [end.device, end.rack, end.u or None, end.cage, end.port]
            rows.append(cells + [None] * (5 * (most - len(row.ends))))
        for inner in self.inside:
            cells = [inner.id, " - ".join(inner.ends), "", inner.part, inner.length_m, 1, inner.servers]
            for text in inner.ends:
                device, port = split_end(text)
                cells += [f"{inner.sheet}/{device}", "", None, "", port]
            rows.append(cells + [None] * (5 * (most - 2)))
        return to_csv([head.text(lang) for head in heads], rows, lang)


def _json(row: ScheduledCable) -> dict[str, object]:
    return {
        "id": row.id,
        "network": row.network,
        "ends": [
            {"device": end.device, "rack": end.rack or None, "u": end.u or None, "cage": end.cage, "port": end.port}
            for end in row.ends
        ],
        "part": row.part or None,
        "length_m": row.length_m,
        "label": row.label,
        "rows": row.rows,
    }


def _inside_json(row: InsideCable) -> dict[str, object]:
    return {
        "id": row.id,
        "sheet": row.sheet,
        "ends": list(row.ends),
        "part": row.part or None,
        "length_m": row.length_m,
        "servers": row.servers,
    }


def cable_schedule(project: Project, design_id: str, bundles: Mapping[str, Bundle] | None = None) -> CableTable:
    """All cables of a design."""
    design = project.designs[design_id]
    eff = effective(project, design, design.root)
    found: list[ScheduledCable] = []
    if eff.kind == "fabric":
        wired = bundles if bundles is not None else wire_all(project, design, eff)
        places = places_of(project, design, eff)
        every = all_cables(project, design, wired, places)
        for link_id in sorted(every, key=natural_key):
            bundle = wired[link_id]
            for cable in cable_rows(project, design, bundle, every[link_id], places):
                label = " - ".join(_short(eff, end) for end in cable.ends)
                found.append(_scheduled(cable, bundle.network, label))
    return CableTable(tuple(found), tuple(_inside(project, design)))


def _scheduled(cable: PhysicalCable, network: str, label: str) -> ScheduledCable:
    return ScheduledCable(cable.id, network, cable.part, cable.length_m or None, cable.ends, label, cable.rows)


def _short(eff: EffSheet, end: CableEnd) -> str:
    """Name of the member and its port, as printed on a label."""
    item_id, _, rest = end.device.partition("[")
    item = eff.items.get(item_id)
    if item is None:
        return f"{end.device}:{end.port}"
    index = int(rest.rstrip("]")) if rest else 0
    return f"{member_name(item.name, item.axes, index, item_id)}:{end.port}"


def _inside(project: Project, design: Design) -> list[InsideCable]:
    out = []
    for item, sheet, members in server_sheets(design):
        eff = effective(project, design, sheet)
        for link_id in sorted(eff.links, key=natural_key):
            link = eff.links[link_id]
            part = "" if link.cable == "auto" else link.cable
            name = f"{item}/{link_id}" if item else link_id
            out.append(InsideCable(name, sheet, part, link.length_m, (link.a, link.b), members))
    return out


def server_sheets(design: Design) -> list[tuple[str, str, int]]:
    """(item, sheet, present members) of every kind of server; ("", root, 1) when the root is a server sheet."""
    root = design.sheets.get(design.root)
    if root is None:
        return []
    if root.kind == "server":
        return [("", design.root, 1)]
    out = []
    for item_id in root.items.ordered():
        row = root.items[item_id]
        if (row.of or "").startswith("sheet:"):
            out += [(item_id, sheet, len(members)) for sheet, members in split_members(row).items() if members]
    return out
