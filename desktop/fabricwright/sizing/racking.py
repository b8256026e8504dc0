"""Racks for a chosen network: the groups that need seats, the rack type, and how wide the room is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt

from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Item, Seating
from fabricwright.sizing.rack_plan import MAX_RACKS, RackGroup, RackPlan, RackStyle, RackType, plan_racks
from fabricwright.sizing.requirement import Requirement
from fabricwright.topology.seating import ROW_PITCH_M
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

GOOD_SERVERS = 4
"""A rack type that takes this many servers is taken without looking for a larger one."""


@dataclass(frozen=True, slots=True)
class Racked:
    """Rows to store: rack items and seats; ``racks`` how many stand there."""

    items: dict[str, Item]
    seats: dict[str, Seating]
    racks: int
    plan: RackPlan


def rack_types(wanted: Requirement, server: RackGroup) -> list[RackType]:
    """The rack asked for, else those that take a server, the one with the least power that takes four first."""
    store = catalogue()
    ids = [wanted.rack] if wanted.rack else [i for i in store.kinds()["rack"] if i != "rack-nvl72"]
    types = [_type(i, wanted) for i in ids]
    if wanted.rack_kw and not wanted.rack:
        enough = [t for t in types if store.get(t.part).get("usable_kw") >= wanted.rack_kw - 1e-9]
        types = enough or types
    types.sort(key=lambda t: (store.get(t.part).get("usable_kw"), t.part))
    if not wanted.rack:
        types.sort(key=lambda t: min(GOOD_SERVERS, _fits(server, t)), reverse=True)
    best = types[0]
    if _fits(server, best) < 1:
        raise _too_small(wanted, server, best)
    return [t for t in types if _fits(server, t) >= 1]


def _type(part_id: str, wanted: Requirement) -> RackType:
    part = catalogue().get(part_id)
    limits = [kw for kw in (part.get("usable_kw"), part.get("cooling_kw")) if kw]
    kw = wanted.rack_kw or min(limits, default=0.0)
    return RackType(
        part_id,
        wanted.rack_u or int(part.get("u", 48)),
        kw * 1e3,
        part.get("static_load_kg"),
        pitch_m=part.get("pitch_mm", 600.0) / 1e3,
    )


def _fits(group: RackGroup, rack: RackType) -> int:
    room = [rack.units // max(1, group.height_u)]
    if rack.power_w and group.power_w:
        room.append(int((rack.power_w + 1e-6) // group.power_w))
    if rack.weight_kg and group.weight_kg:
        room.append(int((rack.weight_kg + 1e-6) // group.weight_kg))
    return min(room)


def _too_small(wanted: Requirement, server: RackGroup, rack: RackType) -> UserError:
    larger = [
        i
        for i in catalogue().kinds()["rack"]
        if _fits(server, _type(i, replace(wanted, rack=i, rack_kw=0.0, rack_u=0))) >= 1
    ]
    return UserError(
        msg(
            "A server draws {kw} kW and is {height} U high; rack '{rack}' has {limit_kw} kW and {units} U. The nearest "
            "that works is {kw} kW and {height} U per rack; such are {near}.",
            kw=round(server.power_w / 1e3, 1),
            height=server.height_u,
            rack=rack.part,
            limit_kw=rack.power_w / 1e3,
            units=rack.units,
            near=larger[:4] or "-",
        )
    )


def layouts(wanted: Requirement, groups: Sequence[RackGroup]) -> Iterator[Racked]:
    """Rooms in which everything finds a place, the most compact first. Raises UserError when there is none."""
    server = next(g for g in groups if g.role == "server")
    types = rack_types(wanted, server)
    if server.count > _fits(server, types[0]) * MAX_RACKS:
        # No room is planned for so many racks: halls of that size are cabled by trunks, whose lengths are not known.
        yield Racked({}, {}, 0, RackPlan((), {}))
        return
    problem: UserError | None = None
    given = False
    for rack in types[:3]:
        racks = ceil(server.count / _fits(server, rack))
        square = sqrt(racks * ROW_PITCH_M / rack.pitch_m)
        for width in dict.fromkeys(max(4, ceil(square * factor)) for factor in (1.0, 0.7, 0.5, 1.4, 0.35)):
            for spines in ("separate", "network"):
                style = RackStyle(leafs=wanted.leaf_place, spines=spines, racks_per_row=width)
                try:
                    plan = plan_racks(groups, rack, style)
                except UserError as error:
                    problem = problem or error
                    continue
                yield _rows(wanted, rack, plan)
                given = True
        if given:
            return
    if problem is not None:
        raise problem


def _rows(wanted: Requirement, rack: RackType, plan: RackPlan) -> Racked:
    items = plan.items()
    stated: dict[str, int | float] = {}
    part = catalogue().get(rack.part)
    if wanted.rack_kw:
        stated["cooling_kw"] = wanted.rack_kw
    if wanted.rack_u and wanted.rack_u != int(part.get("u")):
        stated["u"] = wanted.rack_u
    if stated:
        items = {i: replace(row, config=Table({**row.config, **stated})) for i, row in items.items()}
    return Racked(items, dict(plan.seats), plan.count, plan)
