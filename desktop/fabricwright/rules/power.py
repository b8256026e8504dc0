"""PWR: what the power supplies of a server can carry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.reason import Reason
from fabricwright.rules.registry import rule
from fabricwright.units.table import Table
from fabricwright.units.text import N_, msg

RESERVE = 1.1
DIMM_W = 10.0  # one registered module where the part states nothing (engineering estimate)
_REDUNDANCY = re.compile(r"(\d+)\+(\d+)")


@dataclass(frozen=True, slots=True)
class Supply:
    """One enclosure with supplies of its own: "chassis" or the id of an external box.

    ``load_w`` sum of its components, ``usable_w`` what the supplies carry with their redundancy kept (0 = not known).
    """

    host: str
    load_w: float
    usable_w: float
    rule: str
    estimate: bool


def usable_w(part: Part) -> tuple[float, str]:
    """(watts usable, how): ``4+2`` of 3,300 W = 4 x 3,300; ``N+N`` = half of all; nothing stated about redundancy =
    all.
    """
    count, each = int(part.get("psu_count")), part.get("psu_w")
    if not count or not each:
        return 0.0, ""
    word = part.word("psu_redundancy").strip().upper()
    found = _REDUNDANCY.fullmatch(word)
    if found:
        active = min(int(found[1]), count)
    elif word == "N+N":
        active = count // 2
    elif word == "N+1":
        active = count - 1
    else:
        active = count
    return active * each, f"{active} x {each:.0f} W"


def supplies(eff: EffSheet, parts: Table[Part], fitted: Mapping[str, object]) -> list[Supply]:
    """Load and capacity of the chassis and of every external box on a server sheet."""
    out = []
    chassis = eff.chassis_part
    if chassis is not None:
        capacity, how = usable_w(chassis)
        load, estimate = _chassis_load(eff, chassis, parts, fitted)
        out.append(Supply("chassis", load, capacity, how, estimate))
    for item in eff.items.values():
        if item.kind == "external-box" and item.part is not None:
            capacity, how = usable_w(item.part)
            inside = [i for i in eff.items.values() if host_of(eff, i) == item.id]
            load = item.part.get("power_w") + sum(item_w(i) for i in inside)
            out.append(Supply(item.id, load, capacity, how, True))
    return out


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


def overload(supply: Supply) -> Reason | None:
    """PWR-01: the load with 10 % reserve is more than the supplies carry."""
    need = supply.load_w * RESERVE
    if not supply.usable_w or need <= supply.usable_w:
        return None
    return Reason(
        "PWR-01",
        "error",
        msg(
            "{need} W with 10 % reserve, the supplies carry {usable} W ({how}).",
            need=round(need),
            usable=round(supply.usable_w),
            how=supply.rule,
        ),
        need,
        supply.usable_w,
        "W",
        {"load_w": supply.load_w},
        supply.estimate,
    )


@rule(
    "PWR-01",
    "error",
    needs=("effective",),
    group="power & cooling",
    subject="server",
    direction="up",
    title=N_("Power supplies too small"),
    checks=N_(
        "The sum of the components with 10 % reserve is within the supplies, redundancy kept (4+2 counts 4, N+N half)."
    ),
    reason=N_(
        "When a feed or supply fails, the rest must carry everything, or GPUs are throttled or the server goes down."
    ),
    source="EK; basepod",
)
def pwr_01(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    fitted = context.config_of_chassis(variant.sheet)
    for supply in supplies(variant.eff, context.project.parts, fitted):
        reason = overload(supply)
        if reason is not None:
            at = variant.at() if supply.host == "chassis" else variant.at(supply.host)
            yield context.finding(
                (at,),
                reason.message,
                variant=variant,
                measured=reason.measured,
                allowed=reason.allowed,
                unit=reason.unit,
                values=reason.values,
                estimate=reason.estimate,
            )
