"""Whether a cable fits two cages, a length and a rate; and the cages behind port names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffItem, effective
from fabricwright.design.values import Design, Project
from fabricwright.units.record import record

KIND_ORDER = ("DAC", "active DAC", "twisted pair", "ACC", "AEC", "AOC")  # cheapest first (engineering order)


@record
class PortCage:
    """The cage that serves a port: its name on the device ("17", "osfp4", "nic0:1"), type ("" not known), line rate."""

    cage: str
    type: str
    gbps: float


def port_cages(project: Project, design: Design, item: EffItem, ports: tuple[str, ...]) -> list[PortCage]:
    """Cage of each named port of a fabric item. A port without a known cage is a cage of its own."""
    if item.of.startswith("sheet:"):
        inner = effective(project, design, item.of[6:])
        chassis, inside = inner.chassis_part, inner.items
    else:
        chassis, inside = item.part, {}
    fixed: dict[str, str] = {}
    if chassis is not None:
        fixed = {port: name for name, cage in chassis.cages.items() for port in cage.ports}
    out = []
    for name in ports:
        owner, _, port = name.rpartition(":")
        holder = inside.get(owner) if owner else item
        known = holder.ports.get(port) if holder is not None else None
        gbps = known.gbps if known is not None else 0.0
        if chassis is not None and name in fixed and (holder is None or holder.locked):
            out.append(PortCage(fixed[name], chassis.cages[fixed[name]].type, gbps))
        elif known is not None and known.cage and holder is not None and holder.part is not None:
            row = holder.part.cages.get(known.cage)
            out.append(PortCage(f"{owner}:{known.cage}" if owner else known.cage, row.type if row else "", gbps))
        else:
            out.append(PortCage(name, "", gbps))
    return out


@lru_cache(maxsize=128)
def accepted_plugs(cage_type: str) -> frozenset[str]:
    """Plugs that a cage takes (catalogue table ``cage_types``); empty when the type is not known."""
    row = catalogue().table("cage_types").get(cage_type)
    return frozenset(row.get("accepts", ())) if isinstance(row, Mapping) else frozenset()


def plugs(part: Part, end: str) -> tuple[str, ...]:
    """Plugs that end ``a`` or ``b`` of a cable may have."""
    figure = part.figures.get(f"end_{end}_options")
    if figure is not None and isinstance(figure.value, tuple):
        return tuple(str(v) for v in figure.value)
    word = part.word(f"end_{end}")
    return (word,) if word else ()


def plug_fits(part: Part, end: str, cage_type: str) -> bool:
    """Whether that end of a cable goes into a cage; True when the cage or the plug is not known."""
    accepted = accepted_plugs(cage_type)
    own = plugs(part, end)
    return not accepted or not own or any(p in accepted or p == cage_type for p in own)


def branch_gbps(part: Part) -> float:
    """Line rate of one branch of a cable, 0 when not stated (fibre carries what the optics give)."""
    return part.get("total_gbps") / max(part.get("branches", 1), 1)


def cable_fits(part: Part, cage_a: str, cage_b: str, length_m: float, gbps: float) -> tuple[str, ...]:
    """Why a cable does not do, as codes; empty when it does. ``cage_a`` takes the common end of a splitter.

    ``plug-a``, ``plug-b`` the plug does not go into the cage; ``reach`` longer than the cable's longest;
    ``rate`` a branch is
    slower than ``gbps``. What is not known does not object.
    """
    reasons = []
    if part.kind == "cable":
        reasons += [f"plug-{end}" for end, cage in (("a", cage_a), ("b", cage_b)) if not plug_fits(part, end, cage)]
        if gbps and branch_gbps(part) and branch_gbps(part) < gbps:
            reasons.append("rate")
    longest = part.get("max_m")
    if longest and length_m > longest + 1e-9:
        reasons.append("reach")
    return tuple(reasons)


def candidates(project: Project) -> dict[str, Part]:
    """All cables that "auto" may choose from, cheapest first: by list price where the project has one for all,
    else by kind
    (passive copper, active copper, active optical), then by rate, then by reach.
    """
    store = catalogue()
    # Only what ships, and what the project carries: a file must mean the same at every desk, whoever has own parts.
    parts = {i: store.get(i) for i in store.kinds().get("cable", ()) if store.is_shipped(i)}
    parts.update({i: p for i, p in project.parts.items() if p.kind == "cable"})
    return dict(sorted(parts.items(), key=lambda row: _cost(project, row[0], row[1])))


def _cost(project: Project, part_id: str, part: Part) -> tuple[int, float, float, str]:
    word = part.word("cable_kind")
    rank = next((n for n, kind in enumerate(KIND_ORDER) if word.startswith(kind)), len(KIND_ORDER))
    prices = [p.amount for p in project.prices.values() if p.part == part_id]
    return rank, min(prices) if prices else part.get("total_gbps"), part.get("max_m"), part_id
