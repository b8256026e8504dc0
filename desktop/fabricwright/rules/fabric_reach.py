"""FAB: whether everybody reaches everybody: rails and units that nothing joins, and servers cabled port to port."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.calls import EditCall
from fabricwright.design.options import effective_value, stated
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric import at_item
from fabricwright.rules.fabric_attached import Attached, attached
from fabricwright.rules.fabric_cabling import COMPUTE, cabling, downs, kind_mask, network_code, once
from fabricwright.rules.fabric_joined import components, joined
from fabricwright.rules.fabric_view import I64, members_where
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.uplinks import nvlink_groups
from fabricwright.units.record import record
from fabricwright.units.text import N_, Message, msg

IN_RAIL_ORDER = frozenset({"all_reduce", "all_gather", "reduce_scatter", "broadcast"})
"""Collectives that rings can do without a cable from one rail to another."""
PATTERNS = 256
"""Kinds of servers (by what they are cabled to) that are compared with one another."""


@record
class Reach:
    """What the switches join. ``piece`` label per device, planes of one NIC counted as one; ``patterns`` (k, ports) the
    different rows of labels that servers have, ``of`` (group, member) -> pattern, ``group`` of each pattern.
    """

    groups: tuple[Attached, ...]
    patterns: tuple[tuple[int, ...], ...]
    first: tuple[tuple[int, int], ...]
    counts: tuple[int, ...]


def reach(context: RuleContext) -> Reach:
    """Which connected parts of the compute network each server is cabled to."""
    return once(context, "reach", lambda: _reach(context))


def _reach(context: RuleContext) -> Reach:
    groups = tuple(g for g in attached(context) if _switched(context, g) and g.there.any())
    label = joined(context, 3, COMPUTE)
    edges: list[tuple[int, int]] = []
    rows: list[tuple[int, int, int, I64]] = []
    for number, group in enumerate(groups):
        table = np.where(group.far >= 0, label[np.maximum(group.far, 0)], -1)
        table[~context.fabric().switch[np.maximum(group.far, 0)]] = -1
        table = table[group.there]
        members = np.flatnonzero(group.there)
        kinds, index, counts = _unique(table)
        for row, first, count in zip(kinds, index, counts, strict=True):
            rows.append((number, int(members[first]), int(count), row))
            for nic in group.nics:
                own = [int(row[k]) for k in group.columns(nic) if row[k] >= 0]
                edges += [(own[0], other) for other in own[1:]]
    a, b = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    merged = components(len(label), a, b)
    found: dict[tuple[int, ...], tuple[tuple[int, int], int]] = {}
    for number, member, count, row in rows:
        key = tuple(sorted({int(merged[v]) for v in row if v >= 0}))
        first, total = found.get(key, ((number, member), 0))
        found[key] = (first, total + count)
    return Reach(groups, tuple(found), tuple(f for f, _ in found.values()), tuple(c for _, c in found.values()))


def _switched(context: RuleContext, group: Attached) -> bool:
    far = group.far[group.far >= 0]
    return bool(len(far)) and bool(context.fabric().switch[far].any())


def _unique(table: I64) -> tuple[I64, I64, I64]:
    """Different rows, their first places, how many of each. Nearly always there is one only."""
    if (table == table[0]).all():
        return table[:1], np.zeros(1, dtype=np.int64), np.array([len(table)], dtype=np.int64)
    kinds, index, counts = np.unique(table, axis=0, return_index=True, return_counts=True)
    return kinds, index.astype(np.int64), counts.astype(np.int64)


@rule(
    "FAB-20",
    "error",
    needs=("effective", "fabric", "settings"),
    scope="design",
    group="spine-leaf",
    subject="rail",
    direction="up",
    title=N_("Nothing joins the rails or units"),
    checks=N_(
        "Any two compute servers have a way to each other; and where rails are joined by no switch, the job needs no "
        "pair of NICs of different rails (rings in rail order do not; send-recv, gather, all-to-all and groups that "
        "share no rail do)."
    ),
    reason=N_("A NIC has no way to a NIC of another rail when no spine joins the leafs: connections time out."),
    source="field cases C044, C045, C151",
)
def fab_20(context: RuleContext) -> Iterator[Finding]:
    found = reach(context)
    if sum(found.counts) < 2:
        return
    apart = _apart(found)
    if apart is not None:
        yield _in_pieces(context, found, apart)
        return
    widest = max(range(len(found.patterns)), key=lambda k: len(found.patterns[k]))
    if len(found.patterns[widest]) >= 2:
        yield from _rails_apart(context, found, widest)


def _apart(found: Reach) -> tuple[int, int] | None:
    """Two kinds of servers that share no connected part."""
    if len(found.patterns) > PATTERNS:  # each with cables of its own: look at the first against all
        pairs = [(0, k) for k in range(1, len(found.patterns))]
    else:
        pairs = [(j, k) for k in range(len(found.patterns)) for j in range(k)]
    sets = [set(p) for p in found.patterns]
    return next(((j, k) for j, k in pairs if not sets[j] & sets[k]), None)


def _in_pieces(context: RuleContext, found: Reach, apart: tuple[int, int]) -> Finding:
    fabric = context.fabric()
    pair = sorted(apart, key=lambda k: (-found.counts[k], found.first[k]))  # the smaller part is the one to look at
    names = []
    for k in pair:
        number, member = found.first[k]
        names.append(fabric.device_address(fabric.offset[found.groups[number].item] + member))
    sets = [set(p) for p in found.patterns]
    parts = len(set(_pieces_of(sets)))
    alone = sets[pair[1]]
    number, _ = found.first[pair[1]]
    group = found.groups[number]
    label = joined(context, 3, COMPUTE)
    table = np.where(group.far >= 0, label[np.maximum(group.far, 0)], -1)
    mask = np.isin(table, list(alone)).any(axis=1) & group.there if alone else ~(table >= 0).any(axis=1) & group.there
    return context.finding(
        (at_item(group.item),),
        msg(
            "The compute network is in {parts} parts that nothing joins: {a} and {b} cannot reach each other.",
            parts=parts,
            a=names[0],
            b=names[1],
        ),
        members=members_where(mask),
        measured=float(parts),
        allowed=1.0,
        unit="parts",
        values={"a": names[0], "b": names[1]},
    )


def _pieces_of(sets: list[set[int]]) -> list[int]:
    """Part of each pattern when patterns that share a label are one; a server without cables is a part of its own."""
    owner: dict[int, int] = {}
    part = list(range(len(sets)))

    def top(k: int) -> int:
        while part[k] != k:
            k = part[k]
        return k

    for k, labels in enumerate(sets):
        for label in labels:
            part[top(k)] = top(owner.setdefault(label, k))
    return [top(k) for k in range(len(sets))]


def _rails_apart(context: RuleContext, found: Reach, widest: int) -> Iterator[Finding]:
    number, member = found.first[widest]
    group = found.groups[number]
    collective = stated(context.settings, "job.collective")
    crossing = str(context.settings.get("nccl.cross_nic", "")) == "1"
    if collective is not None and str(collective) in IN_RAIL_ORDER and not crossing:
        return
    relayed = _all_nvlink(context, group.item)
    pxn, _ = effective_value(context.settings, "design", "nccl.pxn")
    told = stated(context.settings, "nccl.pxn") is not None
    if relayed and told and _on(pxn) and not crossing:
        return
    a, b = _two_rails(context, group, member)
    fix: tuple[EditCall, ...] = ()
    if relayed and not crossing:
        fix = (EditCall("set_setting", {"design": context.design_id, "key": "nccl.pxn", "value": "on"}),)
    address = context.fabric().device_address(context.fabric().offset[group.item] + member)
    yield context.finding(
        (at_item(group.item),),
        msg(
            "{rails} rails are joined by no switch: {a} and {b} of different servers ({item}) cannot reach each other, "
            "which {what} needs.",
            rails=len(found.patterns[widest]),
            a=a,
            b=b,
            item=address,
            what=_what(collective, crossing),
        ),
        members=members_where(group.there),
        measured=float(len(found.patterns[widest])),
        allowed=1.0,
        unit="parts",
        values={"a": a, "b": b, "collective": str(collective or "")},
        fix=fix,
    )


def _what(collective: object, crossing: bool) -> Message | str:
    if crossing:
        return msg("a ring that crosses NICs")
    if collective is None:
        return msg("everything but rings in rail order (the main collective is not stated)")
    return str(collective)


def _on(value: object) -> bool:
    return value is True or str(value).strip().lower() in ("on", "true", "yes", "1")


def _two_rails(context: RuleContext, group: Attached, member: int) -> tuple[str, str]:
    """Ports of one server on two parts that nothing joins."""
    label = joined(context, 3, COMPUTE)
    far = group.far[member]
    seen: dict[int, str] = {}
    for k, port in enumerate(group.ports):
        if far[k] >= 0:
            seen.setdefault(int(label[far[k]]), port)
    names = list(seen.values())
    return names[0], names[-1]


def _all_nvlink(context: RuleContext, item: str) -> bool:
    """All GPUs of every variant of a group are in one NVLink domain, so that any of them can relay."""
    for variant in context.variants():
        if variant.item != item:
            continue
        gpus = [i for i, row in variant.eff.items.items() if row.kind == "gpu"]
        domain = nvlink_groups(variant)
        if not gpus or len({domain.get(g, -1 - n) for n, g in enumerate(gpus)}) != 1:
            return False
    return True


@rule(
    "FAB-21",
    "error",
    needs=("root", "fabric"),
    scope="design",
    group="spine-leaf",
    subject="node",
    direction="up",
    title=N_("Servers cabled port to port that miss each other"),
    checks=N_("Servers that are cabled to each other without a switch have a cable between any two of them."),
    reason=N_(
        "A NIC forwards nothing for others: n servers need n - 1 ports each. A ring of four leaves 2 of 6 pairs "
        "without a way."
    ),
    source="field case C080",
)
def fab_21(context: RuleContext) -> Iterator[Finding]:
    fabric, seen = context.fabric(), cabling(context)
    if not (~(seen.between | seen.down) & seen.drawn).any():
        return
    server = kind_mask(context, "server")
    code = network_code(fabric, COMPUTE)
    direct = seen.drawn & (seen.network == code) & server[seen.a] & server[seen.b] & (seen.a != seen.b)
    if not direct.any():
        return
    below = downs(context)
    switched = np.zeros(len(fabric.absent), dtype=bool)
    switched[below.end[below.drawn & (below.network == code)]] = True
    nodes = np.unique(np.concatenate((seen.a[direct], seen.b[direct])))
    nodes = nodes[~switched[nodes]]
    n = len(nodes)
    if n < 3:
        return
    low, high = np.minimum(seen.a[direct], seen.b[direct]), np.maximum(seen.a[direct], seen.b[direct])
    both = ~switched[low] & ~switched[high]
    linked = np.unique(low[both] * len(fabric.absent) + high[both])
    pairs = n * (n - 1) // 2
    missing = pairs - len(linked)
    if missing <= 0:
        return
    items = list(dict.fromkeys(fabric.items[i] for i in seen.item[nodes]))
    first = items[0]
    inside = nodes[(nodes >= fabric.offset[first]) & (nodes < fabric.offset[first] + fabric.count[first])]
    mask = np.zeros(fabric.count[first], dtype=bool)
    mask[inside - fabric.offset[first]] = True
    yield context.finding(
        tuple(at_item(item) for item in items),
        msg(
            "{missing} of {pairs} pairs of {servers} servers have no cable between them; without a switch each server "
            "needs {ports} ports.",
            missing=missing,
            pairs=pairs,
            servers=n,
            ports=n - 1,
        ),
        members=members_where(mask),
        measured=float(missing),
        allowed=0.0,
        unit="pairs",
        values={"pairs": pairs, "servers": n},
    )
