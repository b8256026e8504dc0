"""Racks as they stand in the room: what is in each unit, and units, watts, kilograms and feeds against their limits.

Plain values for the elevation view, the printed pages and the rack tables. The racks of a design are cheap to list;
what stands in one is put together when somebody asks for it (``Elevation.devices``), so that a room of a thousand racks
costs what is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from fabricwright.design.address import split_end
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.naming import member_name
from fabricwright.design.options import stated
from fabricwright.design.values import Design, Item, Project
from fabricwright.topology.model import I32
from fabricwright.topology.racks import RackLoads, figures_of_part, figures_of_server, rack_loads
from fabricwright.topology.seating import Places, places_of, rack_units, standing
from fabricwright.topology.wiring import absent_members, member_set, product
from fabricwright.units.natural import natural_key

if TYPE_CHECKING:
    from fabricwright.rules.finding import Finding

BTU_H_PER_W = 3.412142
"""British thermal units per hour in one watt (1 BTU(IT) = 1055.056 J): what cooling is often ordered in."""

SEVERITIES = ("error", "warning", "info")
_OVER = {"units": "error", "feed": "error", "power": "warning", "weight": "warning"}
"""Severity of being over a limit, as the rules MEC-10, PWR-05, PWR-06 and MEC-11 have it."""


@dataclass(frozen=True, slots=True)
class Device:
    """One member in a rack: units ``u`` to ``top``; watts and kilograms 0 where not known.

    ``tint`` server, leaf, spine, storage, mgmt or other: what it is coloured by; ``by_hand`` moved out of its rule.
    """

    item: str
    member: int
    label: str
    part: str
    kind: str
    tint: str
    u: int
    height_u: int
    power_w: float
    weight_kg: float
    by_hand: bool = False

    @property
    def top(self) -> int:
        """Highest unit."""
        return self.u + self.height_u - 1


@dataclass(frozen=True, slots=True)
class Budget:
    """One quantity of a rack against its limit (0 = none stated). ``what`` units, power, feed or weight;
    ``severity`` "" while within it; ``at_least`` some member has no figure.
    """

    what: str
    value: float
    limit: float
    unit: str
    severity: str = ""
    at_least: bool = False

    @property
    def fraction(self) -> float:
        """Part of the limit that is used; 0 without a limit."""
        return self.value / self.limit if self.limit else 0.0


@dataclass(frozen=True, slots=True)
class Rack:
    """One rack: ``index`` of the rack item ``racks``, where it stands (row, place), and its budgets.

    ``feeds`` 0 = not stated. ``look`` equal for racks that hold the same things at the same units.
    """

    racks: str
    index: int
    label: str
    part: str
    row: int
    place: int
    units: int
    used_u: int
    power_w: float
    weight_kg: float
    feeds: int
    budgets: tuple[Budget, ...]
    look: int = 0

    @property
    def heat_btu_h(self) -> float:
        """All of the power becomes heat."""
        return self.power_w * BTU_H_PER_W

    @property
    def severity(self) -> str:
        """The worst of its budgets."""
        found = {b.severity for b in self.budgets}
        return "error" if "error" in found else "warning" if "warning" in found else ""


@dataclass(frozen=True, slots=True)
class _Group:
    """One seated item: order of its members by rack, and what they are."""

    item: EffItem
    row: Item | None
    places: Places
    order: I32
    starts: I32
    variant: I32
    figures: tuple[tuple[str, float, float], ...]
    by_hand: frozenset[int]
    tint: str


@dataclass(frozen=True, slots=True)
class Elevation:
    """All racks of a design, rows in order; ``unseated`` item -> members that stand in no rack.

    ``devices(rack)`` lists what stands in one, from the lowest unit up; ``findings`` open findings about whole members
    and racks, ``at(item, member)`` those of one.
    """

    design: str
    racks: tuple[Rack, ...]
    unseated: Mapping[str, int]
    _groups: Mapping[str, tuple[_Group, ...]]
    findings: tuple[Finding, ...] = ()
    _cache: dict[tuple[str, int], tuple[Device, ...]] = field(default_factory=dict, compare=False, repr=False)

    def devices(self, rack: Rack) -> tuple[Device, ...]:
        """What stands in a rack, lowest first."""
        key = (rack.racks, rack.index)
        found = self._cache.get(key)
        if found is None:
            made = [d for group in self._groups.get(rack.racks, ()) for d in _devices(group, rack.index)]
            found = tuple(sorted(made, key=lambda d: (d.u, natural_key(d.item), d.member)))
            self._cache[key] = found
        return found

    def at(self, item: str, member: int) -> tuple[Finding, ...]:
        """Findings about a member (or a rack) itself, not about a part inside it; the worst first."""
        mine = [
            f
            for f in self.findings
            if len(f.at[0].steps) == 1 and f.at[0].steps[0].item == item and (not f.members or member in f.members)
        ]
        return tuple(sorted(mine, key=lambda f: (SEVERITIES.index(f.severity), f.rule)))

    def rack_of(self, item: str, member: int) -> Rack | None:
        """The rack a member stands in."""
        for racks, groups in self._groups.items():
            for group in groups:
                if group.item.id == item and member < len(group.places.rack):
                    index = int(group.places.rack[member])
                    return next((r for r in self.racks if (r.racks, r.index) == (racks, index)), None)
        return None

    def find(self, item: str, member: int) -> Device | None:
        """A member as it stands."""
        rack = self.rack_of(item, member)
        found = self.devices(rack) if rack is not None else ()
        return next((d for d in found if (d.item, d.member) == (item, member)), None)

    def rows(self) -> dict[int, list[Rack]]:
        """Row of the room -> its racks from the first place on."""
        out: dict[int, list[Rack]] = {}
        for rack in self.racks:
            out.setdefault(rack.row, []).append(rack)
        return out


def elevation(project: Project, design_id: str, findings: Iterable[Finding] = ()) -> Elevation:
    """The racks of a design as they stand; ``findings`` open ones to be shown at them."""
    design = project.designs[design_id]
    eff = effective(project, design, design.root)
    places = places_of(project, design, eff)
    loads = rack_loads(project, design, eff, places)
    groups: dict[str, tuple[_Group, ...]] = {}
    for racks in loads:
        held = sorted((i for i, p in places.items() if p.racks == racks), key=natural_key)
        groups[racks] = tuple(_group(project, design, eff, i, places[i]) for i in held)
    out = [rack for racks in loads for rack in _racks(design, eff, racks, loads[racks], groups[racks])]
    out.sort(key=lambda r: (r.row, r.place, natural_key(r.racks), r.index))
    said = tuple(f for f in findings if f.at and f.at[0].steps and f.at[0].cable is None and f.severity in SEVERITIES)
    return Elevation(design_id, tuple(out), _unseated(design, eff, places), groups, said)


def _unseated(design: Design, eff: EffSheet, places: Mapping[str, Places]) -> dict[str, int]:
    """Things with a height that stand nowhere."""
    out = {}
    for item_id in sorted(eff.items, key=natural_key):
        item = eff.items[item_id]
        tall = item.kind == "server" or (item.part is not None and item.part.get("height_u") > 0)
        if not tall or item.kind in ("rack", "pdu"):
            continue
        there = ~absent_members(design, eff, item_id, product(item.axes))
        if item_id in places:
            there &= places[item_id].rack < 0
        if there.any():
            out[item_id] = int(there.sum())
    return out


def _group(project: Project, design: Design, eff: EffSheet, item_id: str, places: Places) -> _Group:
    item = eff.items[item_id]
    row = design.sheets[eff.id].items.get(item_id)
    n = len(places.rack)
    there = (places.rack >= 0) & ~absent_members(design, eff, item_id, n)
    rack = np.where(there, places.rack, np.iinfo(np.int32).max)
    order = np.argsort(rack, kind="stable").astype(np.int32)
    racks = product(eff.items[places.racks].axes)
    starts = np.searchsorted(rack[order], np.arange(racks + 1)).astype(np.int32)
    variant = np.zeros(n, dtype=np.int32)
    sheets = [item.of]
    for key, override in row.except_.items() if row is not None else ():
        if override.sheet is not None and not override.absent:
            of = f"sheet:{override.sheet}"
            sheets += [of] if of not in sheets else []
            for lo, hi in member_set(key, item.axes).ranges:
                variant[lo : hi + 1] = sheets.index(of)
    figures = []
    for of in sheets:
        is_sheet = of.startswith("sheet:")
        known = figures_of_server(project, design, of[6:]) if is_sheet else figures_of_part(item.part)
        part = effective(project, design, of[6:]).chassis if is_sheet else of
        figures.append((part, known["power_w"].value, known["weight_kg"].value))
    seat = design.sheets[eff.id].seats[item_id]
    hand: set[int] = set()
    for key in seat.except_:
        hand.update(member_set(key, item.axes).clip(n))
    return _Group(item, row, places, order, starts, variant, tuple(figures), frozenset(hand), tint_of(eff, item))


def tint_of(eff: EffSheet, item: EffItem) -> str:
    """What a device is coloured by: its role in the network it serves."""
    if item.kind == "server":
        return "server"
    if item.kind == "storage-server":
        return "storage"
    if item.kind != "switch":
        return "other"
    near: set[str] = set()
    networks: set[str] = set()
    for link in eff.links.values():
        ends = {split_end(end)[0].partition("/")[0] for end in (link.a, link.b)}
        if item.id in ends:
            near |= {eff.items[e].kind for e in ends - {item.id} if e in eff.items}
            networks.add(link.network)
    if networks and "compute" not in networks:
        return "storage" if "storage" in networks else "mgmt"
    return "spine" if "switch" in near and "server" not in near else "leaf"


def _devices(group: _Group, rack: int) -> list[Device]:
    out = []
    for member in group.order[group.starts[rack] : group.starts[rack + 1]].tolist():
        part, watts, kilograms = group.figures[int(group.variant[member])]
        item = group.item
        out.append(
            Device(
                item.id,
                member,
                member_name(item.name, item.axes, member, item.id),
                part,
                item.kind,
                group.tint,
                int(group.places.u[member]),
                group.places.height_u,
                watts,
                kilograms,
                member in group.by_hand,
            )
        )
    return out


def _racks(design: Design, eff: EffSheet, racks: str, loads: RackLoads, groups: tuple[_Group, ...]) -> list[Rack]:
    item = eff.items[racks]
    row, place = standing(item)
    gone = absent_members(design, eff, racks, loads.n)
    looks = _looks(loads.n, groups)
    feeds = stated(item.config, "feeds")
    n_feeds = int(feeds) if isinstance(feeds, (int, float)) and not isinstance(feeds, bool) else 0
    units = rack_units(item)
    out = []
    for index in range(loads.n):
        if gone[index]:
            continue
        budgets = _budgets(loads, index, units)
        out.append(
            Rack(
                racks,
                index,
                member_name(item.name, item.axes, index, racks),
                item.of,
                int(row[index]),
                int(place[index]),
                int(loads.limits["u"].value[index] or units),
                round(float(loads.total["units"][index])),
                float(loads.total["power_w"][index]),
                float(loads.total["weight_kg"][index]),
                n_feeds,
                budgets,
                int(looks[index]),
            )
        )
    return out


def _budgets(loads: RackLoads, index: int, units: int) -> tuple[Budget, ...]:
    total, unknown = loads.total, loads.unknown
    limit = {name: float(row.value[index]) for name, row in loads.limits.items()}
    kw = float(total["power_w"][index]) / 1e3
    used = max(float(total["units"][index]), float(loads.top_u[index]) if loads.top_u[index] > units else 0.0)
    rows = [
        ("units", used, limit["u"] or float(units), "U", False),
        ("power", kw, limit["cooling_kw"], "kW", bool(unknown["power_w"][index])),
        ("feed", kw, limit["feed_kw"], "kW", bool(unknown["power_w"][index])),
        ("weight", float(total["weight_kg"][index]), limit["static_kg"], "kg", bool(unknown["weight_kg"][index])),
    ]
    return tuple(
        Budget(what, value, most, unit, _OVER[what] if most and value > most + 1e-9 else "", least)
        for what, value, most, unit, least in rows
        if most or what != "feed"
    )


def _looks(n: int, groups: tuple[_Group, ...]) -> I32:
    """A number per rack, equal where the same items and variants stand in the same units."""
    keys: list[list[tuple[object, ...]]] = [[] for _ in range(n)]
    for k, group in enumerate(groups):
        places = group.places
        for rack in range(n):
            mine = group.order[group.starts[rack] : group.starts[rack + 1]]
            if len(mine):
                keys[rack].append((k, places.u[mine].tobytes(), group.variant[mine].tobytes()))
    known: dict[tuple[tuple[object, ...], ...], int] = {}
    return np.array([known.setdefault(tuple(key), len(known)) for key in keys], dtype=np.int32)
