"""FAB: what uplinks ask of the switches above: enough ports, a number that divides, and more than one of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.calls import EditCall
from fabricwright.design.indexset import IndexSet
from fabricwright.design.network_names import network_words
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric import at_item, is_spine, plugging
from fabricwright.rules.fabric_cabling import bundle_slices, cabling, once, radix_of, ups
from fabricwright.rules.fabric_size import pieces
from fabricwright.rules.fabric_view import I64, axis_values, members_where, present
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.units.record import record
from fabricwright.units.text import N_, msg


@rule(
    "FAB-02",
    "error",
    needs=("root", "fabric"),
    scope="design",
    group="spine-leaf",
    subject="spine",
    direction="up",
    title=N_("More cables than a spine has ports"),
    checks=N_("The cables that all switches below bring to a spine or core fit its ports, after breakout."),
    reason=N_("A spine takes a link of every leaf; its ports bound how many leafs and uplinks there can be."),
    source="sp_b200",
)
def fab_02(context: RuleContext) -> Iterator[Finding]:
    fabric, root = context.fabric(), context.root
    for item, use in plugging(context).items():
        if not use.radix or not is_spine(fabric, item):
            continue
        over = use.wanted > use.radix
        if not over.any():
            continue
        most = int(use.wanted.max())
        worst = fabric.offset[item] + int(use.wanted.argmax())
        below = ups(context).low[ups(context).high == worst]
        yield context.finding(
            (at_item(item),),
            msg(
                "{device}: {leafs} switches bring {wanted} cables to {radix} ports.",
                device=item_label(root.items[item]),
                leafs=len(np.unique(below)),
                wanted=most,
                radix=use.radix,
            ),
            members=members_where(over),
            measured=float(most),
            allowed=float(use.radix),
            unit="ports",
            values={"cables": int(use.wanted.sum()), "ports": use.radix * int((use.wanted > 0).sum())},
        )
    yield from _planned(context)


def _planned(context: RuleContext) -> Iterator[Finding]:
    """Meshes that leave uplink ports empty because they do not divide, and could not use them: too few spine ports."""
    root = context.root
    for plan in plans(context):
        unused = (plan.cables < plan.uplinks) & (plan.spines > 0) & (plan.uplinks % np.maximum(plan.spines, 1) != 0)
        radix, spines = radix_of(root.items[plan.spine]), int(plan.spines[unused].max(initial=0))
        each = float(plan.uplinks.sum()) / spines if spines else 0.0
        if each > radix > 0:
            yield context.finding(
                (at_item(plan.spine),),
                msg(
                    "{device}: {uplinks} uplinks are planned over {spines} of them, {each} on each; it has {radix} "
                    "ports.",
                    device=item_label(root.items[plan.spine]),
                    uplinks=int(plan.uplinks.sum()),
                    spines=spines,
                    each=round(each, 1),
                    radix=radix,
                ),
                members=members_where(present(context.fabric(), plan.spine)),
                measured=each,
                allowed=float(radix),
                unit="ports",
                values={"cables": int(plan.uplinks.sum()), "ports": radix * spines},
            )


@rule(
    "FAB-04",
    "warning",
    needs=("root", "fabric"),
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
    root = context.root
    for plan in plans(context):
        uneven = (plan.uplinks > 0) & (plan.spines > 0) & (plan.uplinks % np.maximum(plan.spines, 1) != 0)
        if uneven.any():
            worst = int(np.flatnonzero(uneven)[0])
            yield context.finding(
                (at_item(plan.leaf), at_item(plan.spine)),
                msg(
                    "{leaf}: {uplinks} uplinks do not divide evenly over {spines} switches of {spine}.",
                    leaf=item_label(root.items[plan.leaf]),
                    uplinks=int(plan.uplinks[worst]),
                    spines=int(plan.spines[worst]),
                    spine=plan.spine,
                ),
                members=members_where(uneven),
                measured=float(plan.uplinks[worst]),
                allowed=float(plan.spines[worst]),
                unit="uplinks",
            )


@record
class Plan:
    """What link rows with a wiring rule mean between a leaf item and a spine item, per leaf: ``uplinks`` ports set
    aside, ``cables`` drawn, ``spines`` to spread over. Pulled and moved cables are no matter of the plan.
    """

    leaf: str
    spine: str
    uplinks: I64
    cables: I64
    spines: I64


def plans(context: RuleContext) -> list[Plan]:
    """Every pair of items between which uplinks are planned (lists of single cables are not)."""
    return once(context, "plans", lambda: list(_plans(context)))


def _plans(context: RuleContext) -> Iterator[Plan]:
    fabric, root, seen = context.fabric(), context.root, cabling(context)
    there = ~fabric.absent
    pairs: dict[tuple[str, str], list[tuple[str, slice]]] = {}
    for bundle, rows in zip(fabric.bundles, bundle_slices(fabric), strict=True):
        link = root.links.get(bundle.link)
        if link is None or link.wire.mode == "rows" or not seen.up[rows].any():
            continue
        first = int(seen.up[rows].argmax()) + rows.start
        ends = (seen.a[first], seen.b[first])
        low, high = (fabric.items[seen.item[d]] for d in sorted(ends, key=lambda d: fabric.tier[d]))
        pairs.setdefault((low, high), []).append((bundle.link, rows))
    for (leaf, spine), found in pairs.items():
        uplinks, drawn = np.zeros(fabric.count[leaf], dtype=np.int64), np.zeros(fabric.count[leaf], dtype=np.int64)
        for name, rows in found:
            device = (seen.a if fabric.items[seen.item[seen.a[rows.start]]] == leaf else seen.b)[rows]
            if fabric.absent.any():
                device = device[there[seen.a[rows]] & there[seen.b[rows]]]
            cables = np.bincount(device - fabric.offset[leaf], minlength=fabric.count[leaf])
            uplinks += np.where(cables > 0, np.maximum(cables, _meant(context, name, leaf)), 0)
            drawn += cables
        on = tuple(dict.fromkeys(name for link, _ in found for name in root.links[link].wire.on))
        yield Plan(leaf, spine, uplinks, drawn, _joined(context, leaf, spine, on))


def _meant(context: RuleContext, link: str, leaf: str) -> int:
    """Uplink ports that a mesh sets aside at each leaf: those beyond the last full round stay empty."""
    row = context.root.links[link]
    bundle = next(b for b in context.fabric().bundles if b.link == link)
    if row.wire.mode != "mesh" or row.wire.moved:
        return 0
    return len(bundle.a_ports if bundle.a_item == leaf else bundle.b_ports)


def _joined(context: RuleContext, leaf: str, spine: str, on: tuple[str, ...]) -> I64:
    """How many spines each leaf may reach: those present with equal coordinates on the joined axes."""
    fabric, root = context.fabric(), context.root
    own = np.zeros(fabric.count[leaf], dtype=np.int64)
    other = np.zeros(fabric.count[spine], dtype=np.int64)
    for name in on:
        mine = axis_values(root.items[leaf].axes, len(own), name)
        theirs = axis_values(root.items[spine].axes, len(other), name)
        if mine is not None and theirs is not None:
            size = int(max(mine.max(initial=0), theirs.max(initial=0))) + 1
            own, other = own * size + mine, other * size + theirs
    counts = np.bincount(other[present(fabric, spine)], minlength=int(own.max(initial=0)) + 1)
    return counts[own].astype(np.int64)


@rule(
    "FAB-11",
    "warning",
    needs=("root", "fabric"),
    scope="design",
    group="spine-leaf",
    subject="redundancy",
    direction="down",
    title=N_("One spine only"),
    checks=N_("A network with a spine tier has at least two spines."),
    reason=N_("With one spine every path between leafs ends when it does, also for an upgrade."),
    source="EK",
)
def fab_11(context: RuleContext) -> Iterator[Finding]:
    fabric, root = context.fabric(), context.root
    for network in fabric.networks:
        parts = [part for part in pieces(context) if part.network == network]
        spines = [spine for part in parts for spine in part.spines]
        leafs = [leaf for part in parts for leaf in part.leafs]
        if len(spines) != 1 or len(leafs) < 2:
            continue
        item, member = fabric.device_name(int(spines[0]))
        yield context.finding(
            (at_item(item),),
            msg(
                "{spine} is the only spine of the network {network}; {leafs} leafs depend on it.",
                spine=item_label(root.items[item]),
                network=network_words(network),
                leafs=len(leafs),
            ),
            members=IndexSet.of((member,)),
            measured=1.0,
            allowed=2.0,
            unit="spines",
            fix=_second_spine(context, item, {fabric.device_name(int(leaf))[0] for leaf in leafs}),
        )


def _second_spine(context: RuleContext, item: str, leafs: set[str]) -> tuple[EditCall, ...]:
    """One more spine and half as many cables to each, where a mesh has an even number, nothing stands in racks, and
    all its cables go to leafs.
    """
    fabric, root = context.fabric(), context.root
    sheet = context.design.sheets[context.design.root]
    row = sheet.items.get(item)
    links = [b for b in fabric.bundles if item in (b.a_item, b.b_item)]
    if row is None or row.except_ or fabric.count[item] != 1 or item in sheet.seats or not links:
        return ()
    radix = radix_of(root.items[item])
    if any((p.uplinks % 2).any() and p.uplinks.sum() / 2 > radix for p in plans(context) if p.spine == item):
        return ()  # the ports that an odd number leaves empty would be too many for two
    calls = [context.edit("set_axes", context.design.root, item=item, axes=[["spine", 2]])]
    for bundle in links:
        wire = root.links[bundle.link].wire
        if wire.mode != "mesh" or wire.per_pair % 2 or wire.moved or wire.on:
            return ()
        if (bundle.b_item if bundle.a_item == item else bundle.a_item) not in leafs:
            return ()
        calls.append(
            context.edit("set_link", context.design.root, link=bundle.link, wire={"per_pair": wire.per_pair // 2})
        )
    return tuple(calls)
