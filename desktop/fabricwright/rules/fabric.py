"""FAB: leafs, spines and rails."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.address import Address, Step
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.indexset import IndexSet, coordinates
from fabricwright.design.values import Axes
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_view import (
    Side,
    axis_values,
    climbs,
    is_management,
    is_switch,
    levels,
    members_where,
    present,
    sides,
)
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import group_members, held
from fabricwright.topology.model import Bundle, Fabric
from fabricwright.units.text import N_, msg

TARGET = {"compute": 1.0}
OTHER_TARGET = 3.0
"""Oversubscription allowed: training traffic 1:1 (sp_h100), storage up to 3:1, front end 3:1 (juniper)."""


def _at(item: str, port: str = "") -> Address:
    return Address((Step(item),), port)


@rule(
    "FAB-01",
    "error",
    needs=("effective", "fabric"),
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
    for item in fabric.items:
        row = root.items.get(item)
        count = fabric.count[item]
        if row is None or not count:
            continue
        wanted, unplugged, twice, unknown = _plugging(
            root, fabric, item, frozenset(row.ports) if row.part is not None else None
        )
        bad = (unplugged > 0) | twice
        radix = (
            len([p for p in row.ports.values() if p.role == "net" and p.medium != "mgmt"])
            if is_switch(root, item)
            else 0
        )
        over = wanted > radix if radix else np.zeros(count, dtype=bool)
        if not (bad | over).any() and not unknown:
            continue
        hit = bad | over
        most = int(wanted[hit].max()) if hit.any() else int(wanted.max())
        if radix and most > radix:
            text = msg("{device}: {wanted} cables for {radix} ports.", device=item_label(row), wanted=most, radix=radix)
        elif unknown:
            hit = hit | (wanted > 0)
            text = msg(
                "{device} has no port {ports} as it is configured.", device=item_label(row), ports=sorted(unknown)[:4]
            )
        elif (unplugged > 0).any():
            text = msg(
                "{device}: {count} cables of a link find no port in its range.",
                device=item_label(row),
                count=int(unplugged.max()),
            )
        else:
            text = msg("{device}: a port carries two cables.", device=item_label(row))
        yield context.finding(
            (_at(item),),
            text,
            members=members_where(hit),
            measured=float(most),
            allowed=float(radix) if radix else None,
            unit="ports",
            values={"unplugged": int(unplugged.sum()), "twice": int(twice.sum())},
        )


def _plugging(
    root: EffSheet, fabric: Fabric, item: str, known: frozenset[str] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_], set[str]]:
    """Per device: cables wanted, cables without a port, a port used twice; and port names that do not exist."""
    count = fabric.count[item]
    wanted = np.zeros(count, dtype=np.int64)
    unplugged = np.zeros(count, dtype=np.int64)
    used_devices: list[NDArray[np.int64]] = []
    used_ports: list[NDArray[np.int64]] = []
    names: dict[str, int] = {}
    unknown: set[str] = set()
    for bundle in fabric.bundles:
        for side, other in zip(sides(bundle), reversed(sides(bundle)), strict=True):
            if side.item != item:
                continue
            rows = bundle.rows
            there = _there(fabric, side, rows) & _there(fabric, other, rows)
            instance, port = rows[there, side.column].astype(np.int64), rows[there, side.column + 1]
            np.add.at(unplugged, instance[port < 0], 1)
            if is_management(root, side):  # these take no port of the data plane
                continue
            np.add.at(wanted, instance, 1)
            inside = (port >= 0) & (port < len(side.ports))
            ids = np.array([names.setdefault(p, len(names)) for p in side.ports] or [0], dtype=np.int64)
            used_devices.append(instance[inside])
            used_ports.append(ids[port[inside]])
            if known is not None:
                unknown |= {
                    side.ports[p]
                    for p in np.unique(port[inside])
                    if side.ports[p] not in known and ":" not in side.ports[p]
                }
    twice = np.zeros(count, dtype=bool)
    if used_devices:
        key = np.concatenate(used_devices) * max(1, len(names)) + np.concatenate(used_ports)
        values, repeats = np.unique(key, return_counts=True)
        twice[values[repeats > 1] // max(1, len(names))] = True
    return wanted, unplugged, twice, unknown


def _there(fabric: Fabric, side: Side, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Rows whose device on this side exists."""
    here = present(fabric, side.item)
    instance = rows[:, side.column]
    inside = (instance >= 0) & (instance < len(here))
    out = np.zeros(len(rows), dtype=bool)
    out[inside] = here[instance[inside]]
    return out


@rule(
    "FAB-03",
    "warning",
    needs=("effective", "fabric", "statements"),
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
    stated = _stated_targets(context)
    for level in levels(context):
        default = min((TARGET.get(n, OTHER_TARGET) for n in level.down_networks), default=OTHER_TARGET)
        allowed = stated.get(level.item, stated.get("", default))
        ratio = np.divide(level.down, level.up, out=np.zeros_like(level.down), where=level.up > 0)
        over = ratio > allowed * 1.0005
        if over.any():
            worst = int(np.argmax(ratio))
            yield context.finding(
                (_at(level.item),),
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


@rule(
    "FAB-04",
    "warning",
    needs=("effective", "fabric"),
    scope="design",
    group="spine-leaf",
    subject="leaf, spine",
    direction="",
    title=N_("Uplinks do not divide over the spines"),
    checks=N_("In a planned fabric the uplinks of a leaf are a multiple of the spines that it joins."),
    reason=N_(
        "With unequal numbers of links, static routing and ECMP load some spines more; adaptive routing mostly copes."
    ),
    source="sp_h100 row 3 (12 -> 16)",
)
def fab_04(context: RuleContext) -> Iterator[Finding]:
    fabric, root = context.fabric(), context.root
    pairs: dict[tuple[str, str], list[tuple[Bundle, Side, Side]]] = {}
    for bundle in fabric.bundles:
        link = root.links.get(bundle.link)
        if link is None or link.wire.mode == "rows":
            continue
        rising = climbs(context, bundle)
        if rising is not None:
            low, high = rising
            pairs.setdefault((low.item, high.item), []).append((bundle, low, high))
    for (leaf, spine), found in pairs.items():
        uplinks = np.zeros(fabric.count[leaf], dtype=np.int64)
        for bundle, low, _ in found:
            np.add.at(uplinks, bundle.rows[bundle.alive, low.column].astype(np.int64), 1)
        on = tuple(dict.fromkeys(name for bundle, _, _ in found for name in root.links[bundle.link].wire.on))
        spines = _joined(root.items[leaf].axes, root.items[spine].axes, on, fabric, leaf, spine)
        uneven = (uplinks > 0) & (spines > 0) & (uplinks % np.maximum(spines, 1) != 0)
        if uneven.any():
            worst = int(np.flatnonzero(uneven)[0])
            yield context.finding(
                (_at(leaf), _at(spine)),
                msg(
                    "{leaf}: {uplinks} uplinks over {spines} {spine} do not divide.",
                    leaf=item_label(root.items[leaf]),
                    uplinks=int(uplinks[worst]),
                    spines=int(spines[worst]),
                    spine=spine,
                ),
                members=members_where(uneven),
                measured=float(uplinks[worst]),
                allowed=float(spines[worst]),
                unit="uplinks",
            )


def _joined(
    leaf_axes: Axes, spine_axes: Axes, on: tuple[str, ...], fabric: Fabric, leaf: str, spine: str
) -> NDArray[np.int64]:
    """How many spines each leaf may reach: those present with equal coordinates on the joined axes."""
    own = np.zeros(fabric.count[leaf], dtype=np.int64)
    other = np.zeros(fabric.count[spine], dtype=np.int64)
    for name in on:
        mine, theirs = axis_values(leaf_axes, len(own), name), axis_values(spine_axes, len(other), name)
        if mine is not None and theirs is not None:
            size = int(max(mine.max(initial=0), theirs.max(initial=0))) + 1
            own, other = own * size + mine, other * size + theirs
    counts = np.bincount(other[present(fabric, spine)], minlength=int(own.max(initial=0)) + 1)
    return counts[own].astype(np.int64)


@rule(
    "FAB-07",
    "error",
    needs=("effective", "fabric"),
    scope="design",
    group="spine-leaf",
    subject="rail",
    direction="up",
    title=N_("Cable on the wrong rail"),
    checks=N_("In a rail fabric every cabled compute port of rail k of a server ends on leaf k of its scalable unit."),
    reason=N_(
        "Traffic within a rail then stays on one leaf; one cable in the wrong leaf sends it over the spine and "
        "breaks the pattern."
    ),
    source="sp_h100 (rail one hop)",
)
def fab_07(context: RuleContext) -> Iterator[Finding]:
    fabric, root = context.fabric(), context.root
    for bundle in fabric.bundles:
        link = root.links.get(bundle.link)
        if link is None or bundle.network != "compute":
            continue
        for side, leaf in zip(sides(bundle), reversed(sides(bundle)), strict=True):
            row, far = root.items.get(side.item), root.items.get(leaf.item)
            if row is None or far is None or row.kind != "server" or not is_switch(root, leaf.item):
                continue
            rail = _rail_of_ports(context, side, link.a if side.column == 0 else link.b)
            leaf_rail = axis_values(far.axes, fabric.count[leaf.item], "rail")
            if rail is None or leaf_rail is None:
                continue
            yield from _misaligned(context, bundle, side, leaf, rail, leaf_rail)


def _rail_of_ports(context: RuleContext, side: Side, end: str) -> NDArray[np.int64] | None:
    """Rail of every port of an end that is an export with an axis ``rail``; -1 for ports moved in from elsewhere."""
    row = context.root.items[side.item]
    export = effective(context.project, context.design, row.of[6:]).exports.get(end.partition(":")[2])
    if export is None or not any(name == "rail" for name, _ in export.axes):
        return None
    known = {port: coordinates(k, export.axes)["rail"] for k, port in enumerate(export.ports)}
    return np.array([known.get(p, -1) for p in side.ports], dtype=np.int64)


def _misaligned(
    context: RuleContext, bundle: Bundle, side: Side, leaf: Side, rail: NDArray[np.int64], leaf_rail: NDArray[np.int64]
) -> Iterator[Finding]:
    fabric, root = context.fabric(), context.root
    rows = np.flatnonzero(bundle.alive)
    node, port = bundle.rows[rows, side.column], bundle.rows[rows, side.column + 1]
    there = bundle.rows[rows, leaf.column]
    wrong = (rail[port] >= 0) & (rail[port] != leaf_rail[there])
    for name, _ in root.items[side.item].axes:
        mine = axis_values(root.items[side.item].axes, fabric.count[side.item], name)
        theirs = axis_values(root.items[leaf.item].axes, fabric.count[leaf.item], name)
        if mine is not None and theirs is not None and name != "rail":
            wrong |= mine[node] != theirs[there]
    if not wrong.any():
        return
    bad = [int(r) for r in rows[wrong]]
    nodes = IndexSet.of_array(node[wrong])
    ports = sorted({side.ports[int(p)] for p in port[wrong]})
    moved = root.links[bundle.link].wire.moved
    fix: tuple[EditCall, ...] = ()
    if all(str(r) in moved for r in bad):
        fix = tuple(context.edit("move_cable", context.design.root, link=bundle.link, row=r) for r in bad)
    yield context.finding(
        (_at(side.item), *(Address((Step(bundle.link),), cable=r) for r in bad[:16])),
        msg(
            "{count} cables of {link} are on the wrong rail: {ports} of {item} {nodes}.",
            count=len(bad),
            link=bundle.link,
            ports=ports[:8],
            item=side.item,
            nodes=str(nodes),
        ),
        members=nodes,
        measured=float(len(bad)),
        allowed=0.0,
        unit="cables",
        values={"rows": bad[:256], "ports": ports},
        fix=fix,
    )
