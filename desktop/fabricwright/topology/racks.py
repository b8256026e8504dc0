"""What stands in each rack, and what that adds up to: units, depth, weight, watts. Arrays over the racks of one item.

Sums count what the catalogue or the drawing states; members without a figure are counted apart, so that a sum can be
read as a lower bound. Heat equals power. Limits come from the rack's config, else from its part.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffItem, EffSheet, effective, part_of
from fabricwright.design.options import stated
from fabricwright.design.values import Design, Project
from fabricwright.topology.model import F64, I32
from fabricwright.topology.seating import Places
from fabricwright.topology.server_power import supplies
from fabricwright.topology.wiring import absent_members, member_set, product
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record

Bool = NDArray[np.bool_]
QUANTITIES = ("units", "depth_mm", "weight_kg", "power_w")
"""What is added up (the depth: its largest)."""


@record
class Figure:
    """One quantity of one thing. ``known`` False = no figure at all or only a part of it; ``guessed`` = not read from a
    source.
    """

    value: float = 0.0
    known: bool = False
    guessed: bool = False


@record
class Content:
    """Members of one item in the racks of another: ``count`` members per rack; ``each`` quantity -> value of one member
    (of the largest, when they differ); sums per rack.
    """

    item: str
    count: I32
    each: Mapping[str, float]
    power_w: F64


@record
class Limit:
    """A limit of every rack; 0 = not known. ``guessed`` where it is only the rack part's own figure."""

    value: F64
    guessed: Bool


@record
class RackLoads:
    """The n racks of one rack item.

    ``total`` quantity -> sum per rack; ``unknown`` quantity -> members without (a whole) figure, ``guessed`` whether
    some figure is an estimate. ``top_u`` highest unit in use, ``deepest`` item that needs the depth. ``limits``: "u",
    "depth_mm", "static_kg", "cooling_kw", "feed_kw".
    """

    racks: str
    n: int
    total: Mapping[str, F64]
    unknown: Mapping[str, I32]
    guessed: Mapping[str, Bool]
    top_u: I32
    deepest: tuple[str, ...]
    contents: Mapping[str, Content]
    limits: Mapping[str, Limit]

    @property
    def used(self) -> Bool:
        """Racks in which something stands."""
        out: Bool = self.top_u > 0
        return out


def rack_loads(project: Project, design: Design, eff: EffSheet, places: Mapping[str, Places]) -> dict[str, RackLoads]:
    """Loads of every rack item of a fabric sheet, rack item -> loads; empty racks included."""
    if eff.kind != "fabric":
        return {}
    out = {}
    for racks in sorted((i for i in eff.items if eff.items[i].kind == "rack"), key=natural_key):
        out[racks] = _loads(project, design, eff, racks, {i: p for i, p in places.items() if p.racks == racks})
    return out


def _loads(project: Project, design: Design, eff: EffSheet, racks: str, seated: Mapping[str, Places]) -> RackLoads:
    n = product(eff.items[racks].axes)
    total = {q: np.zeros(n) for q in QUANTITIES}
    unknown = {q: np.zeros(n, dtype=np.int32) for q in QUANTITIES}
    guessed = {q: np.zeros(n, dtype=bool) for q in QUANTITIES}
    top = np.zeros(n, dtype=np.int32)
    deepest = np.full(n, "", dtype=object)
    contents = {}
    for item_id in sorted(seated, key=natural_key):
        item, place = eff.items[item_id], seated[item_id]
        there = (place.rack >= 0) & ~absent_members(design, eff, item_id, len(place.rack))
        count = np.zeros(n, dtype=np.int32)
        watts = np.zeros(n)
        each = dict.fromkeys(QUANTITIES, 0.0)
        np.maximum.at(top, place.rack[there], (place.u + place.height_u - 1)[there])
        for figures, mine in _variants(project, design, eff, item, there):
            rack = place.rack[mine]
            here = np.bincount(rack, minlength=n).astype(np.int32)
            count += here
            watts += here * figures["power_w"].value
            for quantity, figure in figures.items():
                each[quantity] = max(each[quantity], figure.value)
                unknown[quantity] += 0 if figure.known else here
                guessed[quantity] |= (here > 0) & figure.guessed
                if quantity == "depth_mm":
                    deeper = (here > 0) & (figure.value > total[quantity])
                    deepest[deeper] = item_id
                    total[quantity] = np.where(deeper, figure.value, total[quantity])
                else:
                    total[quantity] += here * figure.value
        contents[item_id] = Content(item_id, count, each, watts)
    return RackLoads(
        racks,
        n,
        total,
        unknown,
        guessed,
        top,
        tuple(deepest.tolist()),
        contents,
        _limits(project, design, eff, eff.items[racks], n),
    )


def _variants(
    project: Project, design: Design, eff: EffSheet, item: EffItem, there: Bool
) -> list[tuple[dict[str, Figure], Bool]]:
    """(figures of one member, which members they hold for) of an item; several for a group with exceptions."""
    if not item.of.startswith("sheet:"):
        return [(figures_of_part(item.part), there)]
    row = design.sheets[eff.id].items.get(item.id) if eff.id in design.sheets else None
    sheet_of = np.zeros(len(there), dtype=np.int32)
    sheets = [item.of[6:]]
    for key, override in row.except_.items() if row is not None else ():
        if override.sheet is not None and not override.absent:
            sheets += [override.sheet] if override.sheet not in sheets else []
            for lo, hi in member_set(key, item.axes).ranges:
                sheet_of[lo : hi + 1] = sheets.index(override.sheet)
    return [(figures_of_server(project, design, s), there & (sheet_of == n)) for n, s in enumerate(sheets)]


def figures_of_part(part: Part | None) -> dict[str, Figure]:
    """Height in units, depth, weight, maximum watts of something that is one part."""
    if part is None:
        return dict.fromkeys(QUANTITIES, Figure())
    return {
        "units": _figure(part, "height_u"),
        "depth_mm": _figure(part, "depth_mm"),
        "weight_kg": _figure(part, "weight_kg"),
        "power_w": _figure(part, "max_system_w", "power_w"),
    }


def figures_of_server(project: Project, design: Design, sheet_id: str) -> dict[str, Figure]:
    """The same of a server sheet: its chassis and the external boxes that are drawn on it, one above the other."""
    eff = effective(project, design, sheet_id)
    boxes = [item for item in eff.items.values() if item.kind == "external-box"]
    enclosures = [figures_of_part(part) for part in (eff.chassis_part, *(box.part for box in boxes))]
    out = {}
    for quantity in ("units", "depth_mm", "weight_kg"):
        values = [figures[quantity] for figures in enclosures]
        out[quantity] = Figure(
            max(v.value for v in values) if quantity == "depth_mm" else sum(v.value for v in values),
            all(v.known for v in values),
            any(v.guessed for v in values),
        )
    loads = supplies(eff, project.parts, eff.chassis_config)
    whole = eff.chassis_part is not None and bool(eff.chassis_part.get("max_system_w"))
    out["power_w"] = Figure(sum(s.load_w for s in loads), whole, any(s.estimate for s in loads))
    return out


def _figure(part: Part, *names: str) -> Figure:
    for name in names:
        value = part.get(name)
        if value:
            return Figure(value, True, part.figures[name].confidence != "read")
    return Figure()


def _limits(project: Project, design: Design, eff: EffSheet, racks: EffItem, n: int) -> dict[str, Limit]:
    """Limits of every rack: what the rack item states, what single racks state otherwise, else the part's figures."""
    part = racks.part
    own = {
        "u": ("u", "u"),
        "depth_mm": ("depth_mm", "depth_mm"),
        "static_kg": ("static_kg", "static_load_kg"),
        "cooling_kw": ("cooling_kw", "cooling_kw"),
    }
    values = {name: np.full(n, _stated(racks.config, key)) for name, (key, _) in own.items()}
    values["feed_kw"] = np.full(n, feed_kw(project, racks.config))
    row = design.sheets[eff.id].items.get(racks.id) if eff.id in design.sheets else None
    for text, override in row.except_.items() if row is not None else ():
        config = {**racks.config, **override.config}
        for lo, hi in member_set(text, racks.axes).ranges:
            for name, (key, _) in own.items():
                values[name][lo : hi + 1] = _stated(config, key)
            values["feed_kw"][lo : hi + 1] = feed_kw(project, config)
    out = {"feed_kw": Limit(values.pop("feed_kw"), np.zeros(n, dtype=bool))}
    for name, (_, figure) in own.items():
        missing = values[name] <= 0
        value = part.get(figure) if part is not None else 0.0
        sure = part is not None and value > 0 and part.figures[figure].confidence == "read"
        out[name] = Limit(np.where(missing, value, values[name]), missing & (not sure))
    return out


def _stated(config: Mapping[str, object], key: str) -> float:
    value = stated(config, key)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0 else 0.0


def feed_kw(project: Project, config: Mapping[str, object]) -> float:
    """Kilowatts of one feed of a rack: stated, or what its PDUs carry together; 0 while no feeds are drawn."""
    own = _stated(config, "feed_kw")
    if own:
        return own
    name = stated(config, "pdu")
    if not isinstance(name, str):
        return 0.0
    part = part_of(project, name) or (catalogue().get(name) if name in catalogue() else None)
    return part.get("usable_kw") * max(1.0, _stated(config, "pdus_per_feed")) if part is not None else 0.0
