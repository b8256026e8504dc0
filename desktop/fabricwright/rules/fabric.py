"""FAB: ports of leafs and spines, and what goes down against what goes up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.address import Address, Step
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_cabling import bundle_slices, cabling, once, radix_of
from fabricwright.rules.fabric_view import F64, is_management, is_switch, main_networks, members_where, sides
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import group_members, held
from fabricwright.topology.model import Fabric
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record
from fabricwright.units.text import N_, msg

TARGET = {"compute": 1.0}
OTHER_TARGET = 3.0
"""Oversubscription allowed: training traffic 1:1 (sp_h100), storage up to 3:1, front end 3:1 (juniper)."""
DENSE = 4_000_000
"""Pairs of device and port that are counted in a table; more are sorted."""


def at_item(item: str, port: str = "") -> Address:
    """Address of a thing on the root sheet."""
    return Address((Step(item),), port)


@rule(
    "FAB-01",
    "error",
    needs=("root", "fabric"),
    scope="design",
    group="spine-leaf",
    subject="leaf",
    direction="up",
    title=N_("More cables than ports"),
    checks=N_("Every cable of every link finds a port of its own at both ends, after breakout."),
    reason=N_("A switch has as many ports as its cages and their split give; what finds no port cannot be plugged in."),
    source="sp_h100",
)
def fab_01(context: RuleContext) -> Iterator[Finding]:
    fabric, root = context.fabric(), context.root
    for item, use in plugging(context).items():
        row = root.items[item]
        radix = use.radix
        over = use.wanted > radix if radix else np.zeros(len(use.wanted), dtype=bool)
        if is_spine(fabric, item):  # FAB-02 counts these
            bad = ((use.unplugged > 0) | use.twice) & ~over
            over = np.zeros_like(over)
        else:
            bad = (use.unplugged > 0) | use.twice
        hit = bad | over
        if not hit.any() and not use.unknown:
            continue
        most = int(use.wanted[hit].max()) if hit.any() else int(use.wanted.max())
        if over.any():
            text = msg("{device}: {wanted} cables for {radix} ports.", device=item_label(row), wanted=most, radix=radix)
        elif use.unknown:
            hit = hit | (use.wanted > 0)
            text = msg(
                "{device} has no port {ports} as it is configured.",
                device=item_label(row),
                ports=sorted(use.unknown, key=natural_key)[:4],
            )
        elif (use.unplugged > 0).any():
            text = msg(
                "{device}: {count} cables of a link find no port in its range.",
                device=item_label(row),
                count=int(use.unplugged.max()),
            )
        else:
            text = msg("{device}: a port carries two cables.", device=item_label(row))
        yield context.finding(
            (at_item(item),),
            text,
            members=members_where(hit),
            measured=float(most),
            allowed=float(radix) if radix else None,
            unit="ports",
            values={"unplugged": int(use.unplugged.sum()), "twice": int(use.twice.sum())},
        )


def is_spine(fabric: Fabric, item: str) -> bool:
    """Whether an item's switches stand above leafs."""
    start = fabric.offset[item]
    return bool((fabric.tier[start : start + fabric.count[item]] >= 2).any())


@record
class Plugging:
    """How the cables of an item's devices meet its ports.

    Per device: ``wanted`` cables, ``unplugged`` those without a port, ``twice`` a port carries two. ``unknown`` port
    names that the item does not have; ``radix`` data ports of a switch, 0 for anything else.
    """

    wanted: NDArray[np.int64]
    unplugged: NDArray[np.int64]
    twice: NDArray[np.bool_]
    unknown: frozenset[str]
    radix: int


def plugging(context: RuleContext) -> dict[str, Plugging]:
    """Item -> how its cables and ports meet."""

    def make() -> dict[str, Plugging]:
        fabric, root = context.fabric(), context.root
        return {i: _plugging(context, root.items[i], i) for i in fabric.items if i in root.items and fabric.count[i]}

    return once(context, "plugging", make)


def _plugging(context: RuleContext, row: EffItem, item: str) -> Plugging:
    fabric, root = context.fabric(), context.root
    count = fabric.count[item]
    known = frozenset(row.ports) if row.part is not None else None
    wanted = np.zeros(count, dtype=np.int64)
    unplugged = np.zeros(count, dtype=np.int64)
    devices: list[NDArray[np.int64]] = []
    ports: list[NDArray[np.int64]] = []
    names: dict[str, int] = {}
    unknown: set[str] = set()
    seen = cabling(context)
    there = once(context, "both there", lambda: _both_there(fabric))
    for bundle, rows in zip(fabric.bundles, bundle_slices(fabric), strict=True):
        for side in sides(bundle):
            if side.item != item:
                continue
            near, near_port = (seen.a, fabric.a_port) if side.column == 0 else (seen.b, fabric.b_port)
            instance, port = near[rows] - fabric.offset[item], near_port[rows]
            if not there[rows].all():
                instance, port = instance[there[rows]], port[there[rows]]
            free = instance
            if len(port) and port.min() < 0:
                unplugged += np.bincount(instance[port < 0], minlength=count)
                free, port = instance[port >= 0], port[port >= 0]
            if is_management(root, side):  # these take no port of the data plane
                continue
            wanted += np.bincount(instance, minlength=count)
            ids = np.array([names.setdefault(p, len(names)) for p in side.ports] or [0], dtype=np.int64)
            devices.append(free)
            ports.append(ids[port])
            if known is not None:
                odd = [k for k, p in enumerate(side.ports) if p not in known and ":" not in p]
                if odd:
                    used = np.bincount(port, minlength=len(side.ports))
                    unknown |= {side.ports[k] for k in odd if used[k]}
    twice = np.zeros(count, dtype=bool)
    if devices:
        key = np.concatenate(devices) * max(1, len(names)) + np.concatenate(ports)
        space = count * max(1, len(names))
        if space <= DENSE:
            doubled = np.flatnonzero(np.bincount(key, minlength=space) > 1)
        else:
            values, repeats = np.unique(key, return_counts=True)
            doubled = values[repeats > 1]
        twice[doubled // max(1, len(names))] = True
    return Plugging(wanted, unplugged, twice, frozenset(unknown), radix_of(row) if is_switch(root, item) else 0)


def _both_there(fabric: Fabric) -> NDArray[np.bool_]:
    if not fabric.absent.any():
        return np.ones(len(fabric.a_dev), dtype=bool)
    return ~(fabric.absent[fabric.a_dev] | fabric.absent[fabric.b_dev])


@record
class Levels:
    """Line rate up and down of every device of a switch item, Gb/s, and which networks its downlinks belong to."""

    item: str
    up: F64
    down: F64
    down_networks: frozenset[str]


def levels(context: RuleContext) -> list[Levels]:
    """Up and down rates of every switch item that has uplinks, over the cables of its own network and what hangs on
    it.
    """
    return once(context, "levels", lambda: list(_levels(context)))


def _levels(context: RuleContext) -> Iterator[Levels]:
    fabric, root, main, seen = context.fabric(), context.root, main_networks(context), cabling(context)
    n = len(fabric.absent)
    up, down = np.zeros(n), np.zeros(n)
    below: dict[str, set[str]] = {item: set() for item in main}
    gbps = seen.gbps if seen.live.all() else np.where(seen.live, seen.gbps, 0.0)
    for bundle, rows in zip(fabric.bundles, bundle_slices(fabric), strict=True):
        rises, low_a = seen.up[rows], fabric.tier[seen.a[rows]] < fabric.tier[seen.b[rows]]
        for side, device, lower in zip(sides(bundle), (seen.a[rows], seen.b[rows]), (low_a, ~low_a), strict=True):
            if side.item not in main or (is_management(root, side) and main[side.item] != bundle.network):
                continue
            climbs = rises & lower
            share = np.bincount(device, gbps[rows], n)
            if climbs.any() and not climbs.all():
                own = np.bincount(device[climbs], gbps[rows][climbs], n)
                up, down = up + own, down + share - own
            elif climbs.all() and len(climbs):
                up += share
                continue
            else:
                down += share
            below[side.item].add(bundle.network)
    for item in main:
        here = slice(fabric.offset[item], fabric.offset[item] + fabric.count[item])
        if up[here].any():
            yield Levels(item, up[here], down[here], frozenset(below[item]))


@rule(
    "FAB-03",
    "warning",
    needs=("root", "fabric", "statements"),
    scope="design",
    group="spine-leaf",
    subject="leaf",
    direction="up",
    title=N_("Oversubscribed leaf"),
    checks=N_(
        "The line rate down of a switch is within its line rate up times the target: 1:1 for compute, 3:1 for "
        "other networks, or as stated."
    ),
    reason=N_(
        "All-to-all and trees cross the spine with all their traffic; what the uplinks lack becomes waiting time."
    ),
    source="sp_h100 (1:1); juniper 3:1 for front end",
)
def fab_03(context: RuleContext) -> Iterator[Finding]:
    for level in levels(context):
        allowed = target_of(context, level.item, level.down_networks)
        ratio = np.divide(level.down, level.up, out=np.zeros_like(level.down), where=level.up > 0)
        over = ratio > allowed * 1.0005
        if over.any():
            worst = int(np.argmax(ratio))
            yield context.finding(
                (at_item(level.item),),
                msg(
                    "{device}: {down} Gb/s down over {up} Gb/s up is {ratio}:1, the target is {allowed}:1.",
                    device=item_label(context.root.items[level.item]),
                    down=round(float(level.down[worst])),
                    up=round(float(level.up[worst])),
                    ratio=round(float(ratio[worst]), 2),
                    allowed=allowed,
                ),
                members=members_where(over),
                measured=float(ratio[worst]),
                allowed=allowed,
                unit=":1",
            )


def target_of(context: RuleContext, item: str, networks: frozenset[str]) -> float:
    """Oversubscription that a switch item may have: as stated for it or for the design, else by network."""
    stated = once(context, "stated oversubscription", lambda: _stated_targets(context))
    default = min((TARGET.get(n, OTHER_TARGET) for n in networks), default=OTHER_TARGET)
    return stated.get(item, stated.get("", default))


def _stated_targets(context: RuleContext) -> dict[str, float]:
    """Item -> stated oversubscription; "" for the whole design."""
    out: dict[str, float] = {}
    for statement in held(context.project, "leaf.oversubscription"):
        value = statement.number
        group = group_members(context, statement)
        if value is not None and value > 0 and statement.row.kind != "claim":
            if group is not None:
                out[group[0]] = value
            elif statement.scope == "design" and statement.design in ("", context.design_id):
                out[""] = value
    return out


def labels(root: EffSheet, items: list[str]) -> list[str]:
    """Names of items for a sentence."""
    return [item_label(root.items[i]) if i in root.items else i for i in items]
