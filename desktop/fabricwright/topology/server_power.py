"""What a server draws at most, and what its power supplies carry.

A component sum where the catalogue states no maximum of the system; external boxes on a server sheet have supplies of
their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.design.options import stated
from fabricwright.units.record import record
from fabricwright.units.table import Table

DIMM_W = 10.0  # one registered module where the part states nothing (engineering estimate)
_REDUNDANCY = re.compile(r"(\d+)\s*\+\s*(\d+)")
FAULT_TOLERANT = "FTR"
"""Fault-tolerant redundancy: all supplies share the load; above what the kept half carries, one failure throttles."""


@record
class Supply:
    """One enclosure with supplies of its own: "chassis" or the id of an external box.

    ``load_w`` sum of its components, ``usable_w`` what the supplies carry with their redundancy kept (0 = not known),
    ``rule`` how that comes about. ``mode`` the redundancy as stated; in fault-tolerant mode all supplies count as
    usable, and ``kept_w`` is what remains after a failure. ``stated`` = somebody stated the mode on the drawing.
    """

    host: str
    load_w: float
    usable_w: float
    rule: str
    estimate: bool
    mode: str = ""
    kept_w: float = 0.0
    fault_tolerant: bool = False
    stated: bool = False


@record
class _Capacity:
    usable_w: float = 0.0
    rule: str = ""
    mode: str = ""
    kept_w: float = 0.0
    fault_tolerant: bool = False
    stated: bool = False


def capacity(part: Part, config: Mapping[str, object]) -> _Capacity:
    """What the supplies carry: ``4+2`` of 3,300 W = 4 x 3,300; ``N+N`` = half of all; nothing stated about redundancy =
    all; ``3+3 FTR`` = all six, of which three are kept. ``psu_mode`` in ``config`` wins over the part's own.
    """
    count, each = int(part.get("psu_count")), part.get("psu_w")
    said = stated(config, "psu_mode")
    mode = str(said).strip().upper() if said is not None else ""
    own = f"{part.word('psu_redundancy')} {part.word('psu_mode')}".strip().upper()
    word = mode or own
    tolerant = FAULT_TOLERANT in word
    if tolerant and not _REDUNDANCY.search(word) and "N+" not in word:
        word = f"{part.word('psu_redundancy').upper()} {word}"
    if not count or not each:
        return _Capacity(mode=word, fault_tolerant=tolerant, stated=bool(mode))
    found = _REDUNDANCY.search(word)
    if found:
        active = min(int(found[1]), count)
    elif "N+N" in word:
        active = count // 2
    elif "N+1" in word:
        active = count - 1
    else:
        active = count
    usable = count if tolerant else active
    return _Capacity(usable * each, f"{usable} x {each:.0f} W", word, active * each, tolerant, bool(mode))


def supplies(eff: EffSheet, parts: Table[Part], fitted: Mapping[str, object]) -> list[Supply]:
    """Load and capacity of the chassis and of every external box on a server sheet."""
    out = []
    chassis = eff.chassis_part
    if chassis is not None:
        load, estimate = _chassis_load(eff, chassis, parts, fitted)
        out.append(_supply("chassis", load, estimate, capacity(chassis, fitted)))
    for item in eff.items.values():
        if item.kind == "external-box" and item.part is not None:
            inside = [i for i in eff.items.values() if host_of(eff, i) == item.id]
            load = item.part.get("power_w") + sum(item_w(i) for i in inside)
            out.append(_supply(item.id, load, True, capacity(item.part, item.config)))
    return out


def _supply(host: str, load_w: float, estimate: bool, has: _Capacity) -> Supply:
    return Supply(host, load_w, has.usable_w, has.rule, estimate, has.mode, has.kept_w, has.fault_tolerant, has.stated)


def item_w(item: EffItem) -> float:
    """Watts of one item; 0 where its part states none."""
    return item.part.get("power_w") or item.part.get("tdp_w") if item.part is not None else 0.0


def host_of(eff: EffSheet, item: EffItem) -> str:
    """Enclosure that feeds an item: an external box for what sits in it, else the chassis."""
    owner = item.id.partition("/")[0] if "/" in item.id else item.seat.partition(":")[0]
    owner = owner.partition("/")[0]
    seen: set[str] = set()
    while owner in eff.items and owner not in seen:
        seen.add(owner)
        if eff.items[owner].kind == "external-box":
            return owner
        owner = eff.items[owner].seat.partition(":")[0].partition("/")[0]
    return "chassis"


def _chassis_load(eff: EffSheet, chassis: Part, parts: Table[Part], fitted: Mapping[str, object]) -> tuple[float, bool]:
    inside = [i for i in eff.items.values() if i.kind != "external-box" and host_of(eff, i) == "chassis"]
    stated = chassis.get("max_system_w")
    if stated:
        shipped = chassis.interior.items if chassis.interior else Table[object]()
        gone = [shipped[i] for i in shipped if i not in eff.items or not eff.items[i].locked]
        missing = sum(_part_w(parts, getattr(row, "of", "")) for row in gone)
        added = sum(item_w(i) for i in inside if not i.locked)
        return stated + added - missing, bool(added) or chassis.figures["max_system_w"].confidence != "read"
    return sum(item_w(i) for i in inside) + _fitted_w(chassis, parts, fitted), True


def _fitted_w(chassis: Part, parts: Table[Part], fitted: Mapping[str, object]) -> float:
    """Memory and drives that hang on no drawn slot: ``fitted.PART`` counts, else the chassis' own memory population."""
    total, dimms = 0.0, False
    for key, value in fitted.items():
        if key.startswith("fitted.") and isinstance(value, (int, float)) and not isinstance(value, bool):
            part = parts.get(key[7:])
            dimms = dimms or (part is not None and part.kind == "dimm")
            total += value * (part.get("power_w", DIMM_W) if part is not None else DIMM_W)
    if not dimms:
        own = parts.get(chassis.word("dimm_part"))
        total += chassis.get("dimm_count") * (own.get("power_w", DIMM_W) if own is not None else DIMM_W)
    return total


def _part_w(parts: Table[Part], part_id: str) -> float:
    part = parts.get(part_id)
    return part.get("power_w") if part is not None else 0.0
