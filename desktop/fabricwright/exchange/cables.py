"""Cable schedule: every physical cable with its ends, part, length and label, in the order in which one plugs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.naming import member_name
from fabricwright.design.values import Design, Project
from fabricwright.exchange.cable_labels import DEFAULT, check_label, fill_label
from fabricwright.exchange.ink import colour
from fabricwright.rules.context import split_members
from fabricwright.topology.cables import CableEnd, PhysicalCable, all_cables, cable_rows
from fabricwright.topology.fabric import wire_all
from fabricwright.topology.model import Bundle
from fabricwright.topology.seating import places_of
from fabricwright.topology.shared_cables import SharedCables, shared_cables
from fabricwright.units.natural import natural_key

_COLOURS = {"storage": "storage", "inband": "mgmt", "oob": "mgmt", "mgmt": "mgmt"}
_LANES = ("rail", "plane")
LANE_COLOURS = 8


@dataclass(frozen=True, slots=True)
class ScheduledCable:
    """One cable. ``ends`` two, or 1 + k for a splitter (the common end first); ``label`` what is printed on it, those
    of a splitter's branches one after the other; ``labels`` one per branch. ``names`` and ``racks`` of the ends as
    people call them; ``lane`` rail or plane (from 0) where the network has them; ``colour`` #RRGGBB of the network.
    """

    id: str
    network: str
    part: str
    length_m: float | None
    ends: tuple[CableEnd, ...]
    label: str
    rows: int
    labels: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    racks: tuple[str, ...] = ()
    lane: int | None = None
    colour: str = ""


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
    """The schedule: cables of the fabric by rack, unit and port of their first ends, then those inside servers."""

    cables: tuple[ScheduledCable, ...]
    inside: tuple[InsideCable, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The shape of ``cables --json``; ``inside`` holds cables within servers, one entry for all equal servers."""
        return {"cables": [_json(row) for row in self.cables], "inside": [_inside_json(row) for row in self.inside]}

    def to_csv(self, lang: str = "en", *, mark: bool | None = None) -> bytes:
        """One line per cable; the columns of further ends follow those of the first two."""
        from fabricwright.exchange.cable_tables import schedule_csv

        return schedule_csv(self, lang, mark=mark)


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


def cable_schedule(
    project: Project, design_id: str, bundles: Mapping[str, Bundle] | None = None, *, label: str | None = None
) -> CableTable:
    """All cables of a design. ``label`` template (see ``cable_labels``), None = the project's. Raises UserError when
    the template names a field that does not exist."""
    template = label if label is not None else str(project.ordering.get("cable_label") or DEFAULT)
    check_label(template)
    design = project.designs[design_id]
    eff = effective(project, design, design.root)
    found: list[ScheduledCable] = []
    if eff.kind == "fabric":
        wired = bundles if bundles is not None else wire_all(project, design, eff)
        places = places_of(project, design, eff)
        every = all_cables(project, design, wired, places)
        shared = shared_cables(project, eff, wired, every)
        physical: dict[tuple[str, int], PhysicalCable] = {}
        for link_id in sorted(every, key=natural_key):
            rows = cable_rows(project, design, wired[link_id], every[link_id], places)
            physical.update({(link_id, n): cable for n, cable in enumerate(rows)})
        for cable in _joined(physical, shared):
            found.append(_scheduled(eff, cable, wired[cable.link].network, template))
    found.sort(key=_installer)
    return CableTable(tuple(found), tuple(_inside(project, design)))


def _joined(physical: dict[tuple[str, int], PhysicalCable], shared: SharedCables) -> list[PhysicalCable]:
    """Every cable once: branches of a splitter that belong to another link go to the cable that they are part of."""
    for name, main in shared.owner.items():
        branch, whole = physical.pop(name), physical[main]
        trunk = next((e for e in whole.ends if any(_same_plug(e, other) for other in branch.ends)), whole.ends[0])
        ports = [trunk.port, *(end.port for end in branch.ends if _same_plug(end, trunk))]
        merged = replace(trunk, port=",".join(sorted(",".join(ports).split(","), key=natural_key)))
        rest = [end for end in (*whole.ends, *branch.ends) if not _same_plug(end, trunk)]
        length = max(whole.length_m, branch.length_m, shared.length_m.get(main, 0.0))
        physical[main] = replace(whole, ends=(merged, *rest), rows=whole.rows + branch.rows, length_m=length)
    return list(physical.values())


def _same_plug(a: CableEnd, b: CableEnd) -> bool:
    return (a.device, a.cage) == (b.device, b.cage)


def _installer(row: ScheduledCable) -> tuple[object, ...]:
    """Rack by rack (what stands in none comes last), from the lowest unit up, port by port."""
    first = row.ends[0]
    return (not first.rack, natural_key(first.rack), first.u, natural_key(first.device), natural_key(first.port))


def _scheduled(eff: EffSheet, cable: PhysicalCable, network: str, template: str) -> ScheduledCable:
    names = tuple(_name(eff, end.device) for end in cable.ends)
    racks = tuple(_name(eff, end.rack) if end.rack else "" for end in cable.ends)
    ends = [_end_values(end, name, rack) for end, name, rack in zip(cable.ends, names, racks, strict=True)]
    whole = {"id": cable.id, "network": network, "part": cable.part, "length": f"{cable.length_m:g}"}
    if template == DEFAULT:
        labels = [" - ".join(f"{name}:{end.port}" for name, end in zip(names, cable.ends, strict=True))]
    else:
        labels = []
        for branch in ends[1:] or [{}]:
            values = {f"a.{k}": v for k, v in ends[0].items()} | {f"b.{k}": v for k, v in branch.items()} | whole
            labels.append(fill_label(template, values))
    lane = _lane(eff, cable.ends)
    return ScheduledCable(
        cable.id,
        network,
        cable.part,
        cable.length_m or None,
        cable.ends,
        "; ".join(dict.fromkeys(labels)),
        cable.rows,
        tuple(labels),
        names,
        racks,
        lane,
        colour(_COLOURS.get(network, f"rail{(lane or 0) % LANE_COLOURS}")),
    )


def _end_values(end: CableEnd, name: str, rack: str) -> dict[str, str]:
    unit = str(end.u) if end.u else ""
    return {"device": end.device, "name": name, "rack": rack, "u": unit, "cage": end.cage, "port": end.port}


def _member(eff: EffSheet, device: str) -> tuple[str, int]:
    item_id, _, rest = device.partition("[")
    return item_id, int(rest.rstrip("]")) if rest else 0


def _name(eff: EffSheet, device: str) -> str:
    """Name of a member, as people call it."""
    item_id, index = _member(eff, device)
    item = eff.items.get(item_id)
    return member_name(item.name, item.axes, index, item_id) if item is not None else device


def _lane(eff: EffSheet, ends: tuple[CableEnd, ...]) -> int | None:
    """Rail or plane of the first end that has one."""
    for end in ends:
        item_id, index = _member(eff, end.device)
        item = eff.items.get(item_id)
        for name, size in reversed(item.axes if item is not None else ()):
            index, here = divmod(index, size)
            if name in _LANES:
                return here
    return None


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
