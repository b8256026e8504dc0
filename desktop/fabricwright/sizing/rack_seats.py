"""Seating a drawn design by rule: its groups with their figures, the plan for them, and the edit that makes it so."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.address import split_end
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffSheet, effective, part_of
from fabricwright.design.rack_height import height_units
from fabricwright.design.values import Design, Project
from fabricwright.sizing.rack_plan import RackGroup, RackItem, RackPlan, RackStyle, RackType, plan_racks
from fabricwright.topology.racks import feed_kw, figures_of_part, figures_of_server
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import msg

SEATED_KINDS = ("server", "switch", "storage-server", "management-server", "external-box", "power-shelf", "fibre-panel")
"""Kinds of things on a fabric sheet that stand in racks, besides whatever states a height in units."""
DEFAULT_RACK = "rack-48u-40kw"


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A plan for a design: the groups it seats, the racks and seats, and ``without_power`` items whose draw is not (or
    only partly) known, so that racks may hold more watts than planned.
    """

    groups: tuple[RackGroup, ...]
    plan: RackPlan
    without_power: tuple[str, ...] = ()


def seatable(project: Project, design: Design) -> list[str]:
    """Items of the root sheet that stand in racks, in natural order."""
    eff = effective(project, design, design.root)
    return [i for i in sorted(eff.items, key=natural_key) if _stands(eff, i)]


def _stands(eff: EffSheet, item_id: str) -> bool:
    item = eff.items[item_id]
    if item.kind in ("rack", "pdu", "rack-set", "cooling", "feed", ""):
        return False
    return item.kind in SEATED_KINDS or (item.part is not None and item.part.get("height_u") > 0)


def groups_of(project: Project, design: Design, items: Collection[str] | None = None) -> list[RackGroup]:
    """Groups of the root sheet (all that can be seated, or those named) with height, watts and kilograms of a member;
    of the largest where members differ.
    """
    eff = effective(project, design, design.root)
    out = []
    for item_id in seatable(project, design):
        if items is not None and item_id not in items:
            continue
        item = eff.items[item_id]
        row = design.sheets[design.root].items.get(item_id)
        if item.of.startswith("sheet:"):
            others = {o.sheet for o in row.except_.values() if o.sheet and not o.absent} if row is not None else set()
            every = [
                figures_of_server(project, design, s) for s in (item.of[6:], *sorted(others)) if s in design.sheets
            ]
        else:
            every = [figures_of_part(item.part)]
        count = 1
        for _, size in item.axes:
            count *= size
        out.append(
            RackGroup(
                item_id,
                count,
                _role(eff, item_id),
                height_units(project, design, item.of),
                max((f["power_w"].value for f in every), default=0.0),
                max((f["weight_kg"].value for f in every), default=0.0),
                item.axes[0][1] if len(item.axes) > 1 else 1,
                max((ceil(f["units"].value) for f in every), default=0),
            )
        )
    return out


def _role(eff: EffSheet, item_id: str) -> str:
    """Servers by kind. A switch with cables to servers is a leaf, one with cables to other switches only a spine, and
    one that nothing speaks for a leaf.
    """
    item = eff.items[item_id]
    if item.kind == "server":
        return "server"
    if item.kind != "switch":
        return "service"
    near: set[str] = set()
    for link in eff.links.values():
        ends = {split_end(end)[0].partition("/")[0] for end in (link.a, link.b)}
        if item_id in ends:
            near |= {eff.items[e].kind for e in ends - {item_id} if e in eff.items}
    return "spine" if "switch" in near and "server" not in near else "leaf"


def rack_type(project: Project, part_id: str, config: dict[str, object] | None = None) -> RackType:
    """Limits of a rack part, or what ``config`` of a rack item states instead. Raises UserError when it is no rack."""
    part = part_of(project, part_id) or (catalogue().get(part_id) if part_id in catalogue() else None)
    if part is None or part.kind != "rack":
        raise UserError(msg("Part '{part}' is not a rack.", part=part_id))
    said = config or {}
    cooling, feed = _figure(part, said, "cooling_kw", "cooling_kw"), feed_kw(project, said)
    limits = [kw for kw in (cooling, feed) if kw > 0]
    return RackType(
        part_id,
        int(_figure(part, said, "u", "u") or 48),
        min(limits) * 1e3 if limits else 0.0,
        _figure(part, said, "static_kg", "static_load_kg"),
        pitch_m=(part.get("pitch_mm") or 600) / 1e3,
    )


def _figure(part: Part, config: dict[str, object], key: str, figure: str) -> float:
    value = config.get(key)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
        return float(value)
    return part.get(figure)


def rack_of(project: Project, design: Design) -> str:
    """The rack part a design uses for its servers now, else for anything, else the catalogue's usual one."""
    sheet = design.sheets[design.root]
    held = [sheet.seats[i].racks for i in sorted(sheet.seats, key=natural_key)]
    eff = effective(project, design, design.root)
    served = [
        sheet.seats[i].racks
        for i in sorted(sheet.seats, key=natural_key)
        if i in eff.items and eff.items[i].kind == "server"
    ]
    for racks in (*served, *held):
        if racks in eff.items and eff.items[racks].kind == "rack":
            return eff.items[racks].of
    return DEFAULT_RACK


def seat_plan(
    project: Project,
    design: Design,
    rack: str = "",
    style: RackStyle | None = None,
    items: Collection[str] | None = None,
    network_rack: str = "",
) -> SeatPlan:
    """Plan the racks of a design (``items``: of these groups only; what else stands in racks stays where it is and the
    new racks get rows of their own). Raises UserError when there is nothing to seat or a thing fits no rack.
    """
    groups = groups_of(project, design, items)
    if not groups:
        raise UserError(msg("Nothing here stands in racks; draw servers or switches first."))
    sheet = design.sheets[design.root]
    staying = {seat.racks for item, seat in sheet.seats.items() if item not in {g.item for g in groups}}
    style = style or RackStyle()
    style = dataclasses.replace(style, ids=_ids(project, design, groups, staying, style.ids))
    rack = rack or rack_of(project, design)
    limits = rack_type(project, rack, _config_of(design, style.ids[0]))
    apart = rack_type(project, network_rack or rack, _config_of(design, style.ids[1]))
    plan = plan_racks(groups, limits, style, apart)
    after = _rows_taken(project, design, staying)
    if after:
        moved = tuple(_shifted(r, after) for r in plan.racks)
        plan = dataclasses.replace(plan, racks=moved)
    unknown = tuple(g.item for g in groups if not g.power_w)
    return SeatPlan(tuple(groups), plan, unknown)


def _config_of(design: Design, rack_id: str) -> dict[str, object]:
    """What a rack item that stays states of its own (feeds, cooling)."""
    row = design.sheets[design.root].items.get(rack_id)
    return dict(row.config) if row is not None else {}


def _ids(
    project: Project, design: Design, groups: Sequence[RackGroup], staying: set[str], wanted: tuple[str, str, str]
) -> tuple[str, str, str]:
    """Ids of the rack items: those that hold such groups now, unless others stand in them too; else fresh ones."""
    eff = effective(project, design, design.root)
    sheet = design.sheets[design.root]
    out: list[str] = []
    for stem, roles in zip(wanted, (("server",), ("leaf",), ("spine", "service")), strict=True):
        now = [sheet.seats[g.item].racks for g in groups if g.role in roles and g.item in sheet.seats]
        free = [r for r in now if r not in staying and r not in out and r in eff.items]
        name, n = free[0] if free else stem, 2
        taken = {*out, *eff.items, *eff.links, *sheet.notes, *sheet.frames, *sheet.pictures}
        while (
            not free
            and name in taken
            and not (name not in out and name not in staying and _empty_rack(eff, sheet.seats.values(), name))
        ):
            name, n = f"{stem}{n}", n + 1
        out.append(name)
    return out[0], out[1], out[2]


def _empty_rack(eff: EffSheet, seats: Collection[object], name: str) -> bool:
    """Whether a rack item of that id stands there and holds nothing."""
    held = {getattr(seat, "racks", "") for seat in seats}
    return name in eff.items and eff.items[name].kind == "rack" and name not in held


def _rows_taken(project: Project, design: Design, staying: set[str]) -> int:
    """Rows of the room that racks which stay already stand in."""
    sheet = design.sheets[design.root]
    last = 0
    for racks in staying:
        row = sheet.items.get(racks)
        if row is not None:
            first = row.config.get("row0")
            start = int(first) if isinstance(first, (int, float)) and not isinstance(first, bool) else 0
            last = max(last, start + next((size for name, size in row.axes if name == "row"), 1))
    return last


def _shifted(rack: RackItem, rows: int) -> RackItem:
    config = dict(rack.config)
    config["row0"] = config.get("row0", 0) + rows
    return dataclasses.replace(rack, config=tuple(config.items()))


def seat_call(plan: RackPlan, design: str, sheet: str, *, keep_moved: bool = True) -> EditCall:
    """The edit ``seat_by_rule`` of a plan."""
    racks = {
        r.id: {
            "part": r.part,
            "axes": [list(axis) for axis in r.axes],
            "name": r.name,
            "config": dict(r.config),
            "absent": r.absent,
        }
        for r in plan.racks
    }
    seats = {
        item: {"racks": s.racks, "first": s.first, "stride": s.stride, "per_rack": s.per_rack, "u": s.u}
        for item, s in plan.seats.items()
    }
    return EditCall(
        "seat_by_rule", {"design": design, "sheet": sheet, "racks": racks, "seats": seats, "keep_moved": keep_moved}
    )
