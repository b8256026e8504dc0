"""FAB: rails, planes and redundant ports of servers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.address import Address, Step
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem, effective
from fabricwright.design.indexset import IndexSet, coordinates
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.fabric import at_item
from fabricwright.rules.fabric_attached import Attached, attached
from fabricwright.rules.fabric_cabling import (
    COMPUTE,
    Bool,
    cabling,
    downs,
    half_of_leaf,
    items_hit,
    network_code,
    radix_of,
    ups,
)
from fabricwright.rules.fabric_joined import joined
from fabricwright.rules.fabric_view import I64, Side, axis_values, is_switch, members_where, sides
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.topology.model import Bundle
from fabricwright.units.text import N_, msg

RAIL_SHARE = 0.9
"""A network whose leafs have no axis ``rail`` counts as one of rails when so much of each leaf's cables is of one."""
NOT_BONDED = (None, "", False, "none", "off", "no")


@rule(
    "FAB-07",
    "error",
    needs=("root", "fabric"),
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
        if link is None or bundle.network != COMPUTE:
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
    yield from _off_the_majority(context)


def _rail_of_ports(context: RuleContext, side: Side, end: str) -> I64 | None:
    """Rail of every port of an end that is an export with an axis ``rail``; -1 for ports moved in from elsewhere."""
    row = context.root.items[side.item]
    export = effective(context.project, context.design, row.of[6:]).exports.get(end.partition(":")[2])
    if export is None or not any(name == "rail" for name, _ in export.axes):
        return None
    known = {port: coordinates(k, export.axes)["rail"] for k, port in enumerate(export.ports)}
    return np.array([known.get(p, -1) for p in side.ports], dtype=np.int64)


def _misaligned(
    context: RuleContext, bundle: Bundle, side: Side, leaf: Side, rail: I64, leaf_rail: I64
) -> Iterator[Finding]:
    fabric, root = context.fabric(), context.root
    rows = np.flatnonzero(bundle.alive)
    listed = bundle.rows if len(rows) == len(bundle.rows) else bundle.rows[rows]
    node, port, there = listed[:, side.column], listed[:, side.column + 1], listed[:, leaf.column]
    wrong = (rail[port] >= 0) & (rail[port] != leaf_rail[there])
    own, other = np.zeros(fabric.count[side.item], dtype=np.int64), np.zeros(fabric.count[leaf.item], dtype=np.int64)
    for name, size in root.items[side.item].axes:
        mine = axis_values(root.items[side.item].axes, len(own), name)
        theirs = axis_values(root.items[leaf.item].axes, len(other), name)
        if mine is not None and theirs is not None and name != "rail":
            radix = max(size, int(theirs.max(initial=0)) + 1)
            own, other = own * radix + mine, other * radix + theirs
    wrong |= own[node] != other[there]
    if not wrong.any():
        return
    bad = [int(r) for r in rows[wrong]]
    nodes = IndexSet.of_array(node[wrong])
    ports = sorted({side.ports[int(p)] for p in np.unique(port[wrong])})
    moved = root.links[bundle.link].wire.moved
    fix: tuple[EditCall, ...] = ()
    if all(str(r) in moved for r in bad):
        fix = tuple(context.edit("move_cable", context.design.root, link=bundle.link, row=r) for r in bad)
    yield context.finding(
        (at_item(side.item), *(Address((Step(bundle.link),), cable=r) for r in bad[:16])),
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


def _off_the_majority(context: RuleContext) -> Iterator[Finding]:
    """The same where leafs are drawn without an axis ``rail``: nearly all cables of each leaf are of one rail."""
    fabric, root = context.fabric(), context.root
    bare = [is_switch(root, i) and not _has_rail(root.items[i]) for i in fabric.items]
    if not any(bare):
        return
    for group in attached(context):
        rails = int(group.rail.max(initial=-1)) + 1
        if rails < 2:
            continue
        member, column = np.nonzero((group.far >= 0) & (group.rail >= 0)[None, :])
        far = group.far[member, column]
        judged = np.array(bare)[cabling(context).item[far]]
        if not judged.any():
            continue
        member, column, far = member[judged], column[judged], far[judged]
        count = np.bincount(far * rails + group.rail[column], minlength=len(fabric.absent) * rails)
        table = count.reshape(-1, rails)
        most = table.max(axis=1)
        if most.sum() < RAIL_SHARE * len(far) or np.median(most[most > 0]) < 4 or (most > 0).sum() < 2:
            continue
        wrong = group.rail[column] != table.argmax(axis=1)[far]
        if not wrong.any():
            continue
        nodes = IndexSet.of_array(member[wrong])
        ports = sorted({group.ports[k] for k in np.unique(column[wrong])})
        yield context.finding(
            (at_item(group.item),),
            msg(
                "{count} cables are on the wrong rail: {ports} of {item} {nodes}.",
                count=int(wrong.sum()),
                ports=ports[:8],
                item=group.item,
                nodes=str(nodes),
            ),
            members=nodes,
            measured=float(wrong.sum()),
            allowed=0.0,
            unit="cables",
            values={"ports": ports},
        )


def _has_rail(row: EffItem) -> bool:
    return any(name == "rail" for name, _ in row.axes)


@rule(
    "FAB-08",
    "warning",
    needs=("root", "fabric", "statements"),
    scope="design",
    group="spine-leaf",
    subject="SU",
    direction="up",
    title=N_("Scalable unit larger than a leaf"),
    checks=N_(
        "In a rail fabric no leaf serves more servers than half its ports (more where a target above 1:1 is stated)."
    ),
    reason=N_(
        "Every server of a scalable unit takes one port of each of its leafs; the other half goes up. With 64 ports "
        "a unit has at most 32 servers."
    ),
    source="sp_h100",
)
def fab_08(context: RuleContext) -> Iterator[Finding]:
    fabric, below = context.fabric(), downs(context)
    code = network_code(fabric, COMPUTE)
    railed = [group for group in attached(context) if group.rail.max(initial=-1) >= 1]
    if not railed or not (ups(context).network == code).any():
        return
    rows = below.server & below.drawn & (below.network == code)
    servers = np.bincount(below.leaf if rows.all() else below.leaf[rows], minlength=len(fabric.absent))
    half = half_of_leaf(context, COMPUTE)
    for item, row, devices, _ in items_hit(context, servers > 0):
        limit = half[devices]
        over = (servers[devices] > limit) & (limit > 0)
        if not over.any() or not _one_rail_each(railed, devices[over]):
            continue
        most = int(servers[devices][over].max())
        yield context.finding(
            (at_item(item),),
            msg(
                "{device}: {servers} servers of one scalable unit; with {ports} ports it serves {limit}.",
                device=item_label(row),
                servers=most,
                ports=radix_of(row),
                limit=int(limit[over].min()),
            ),
            members=IndexSet.of_array(devices[over] - fabric.offset[item]),
            measured=float(most),
            allowed=float(limit[over].min()),
            unit="servers",
        )


def _one_rail_each(groups: list[Attached], leafs: I64) -> bool:
    """Whether these leafs carry one rail each: then their servers are a scalable unit."""
    for leaf in leafs[:8]:
        rails = {int(group.rail[k]) for group in groups for k in np.unique(np.nonzero(group.far == leaf)[1])}
        if len(rails - {-1}) > 1 and len(rails) > 2:
            return False
    return True


def bonded(value: object) -> bool:
    """Whether a stated ``bond`` makes ports stand in for one another."""
    return value not in NOT_BONDED


@rule(
    "FAB-10",
    "warning",
    needs=("effective", "fabric"),
    group="spine-leaf",
    subject="redundancy",
    direction="up",
    title=N_("Redundant ports on one leaf"),
    checks=N_("Ports of a NIC that are stated to stand in for one another (a bond) end on different switches."),
    reason=N_("When that leaf is down or upgraded, both ports are gone at once."),
    source="EK",
)
def fab_10(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    if not variant.item:
        return
    members = variant.members.array()
    for network in context.fabric().networks:
        for group in attached(context, network):
            if group.item != variant.item:
                continue
            links = _bonded_links(context, group.item, network)
            for nic in group.nics:
                item = variant.eff.items.get(nic)
                if item is None or not (bonded(item.config.get("bond")) or links & set(group.ports)):
                    continue
                columns = group.columns(nic)
                far = group.far[members][:, columns]
                cabled = (far >= 0).sum(axis=1)
                top = far.max(axis=1)
                same = (cabled >= 2) & ((far == top[:, None]) | (far < 0)).all(axis=1)
                if same.any():
                    leaf, _ = context.fabric().device_name(int(top[same][0]))
                    yield context.finding(
                        (variant.at(nic), at_item(leaf)),
                        msg(
                            "{nic}: its {count} redundant ports end on one {leaf}; when that is down, so are they.",
                            nic=item_label(item),
                            count=int(cabled[same].max()),
                            leaf=leaf,
                        ),
                        variant=variant,
                        members=IndexSet.of_array(members[same]),
                        measured=float(cabled[same].max()),
                        allowed=1.0,
                        unit="ports",
                    )


def _bonded_links(context: RuleContext, item: str, network: str) -> set[str]:
    """Ports of a group that a link which states a bond names."""
    out: set[str] = set()
    for bundle in context.fabric().bundles:
        link = context.root.links.get(bundle.link)
        if link is not None and bundle.network == network and bonded(link.config.get("bond")):
            out |= {p for side in sides(bundle) if side.item == item for p in side.ports}
    return out


@rule(
    "FAB-16",
    "warning",
    needs=("root", "fabric"),
    scope="design",
    group="spine-leaf",
    subject="planes",
    direction="up",
    title=N_("Planes that meet"),
    checks=N_("The planes of two-plane NICs share no switch: neither the leaf nor anything above it."),
    reason=N_("Planes are there so that a fault or a congested switch of one leaves the other alone."),
    source="era_b300; mleng",
)
def fab_16(context: RuleContext) -> Iterator[Finding]:
    for group in attached(context):
        if group.plane.max(initial=-1) < 1:
            continue
        piece = joined(context, 3, COMPUTE)
        same, above = np.zeros(len(group.far), dtype=bool), np.zeros(len(group.far), dtype=bool)
        for nic in group.nics:
            columns = group.columns(nic)
            for n, one in enumerate(columns):
                for two in columns[n + 1 :]:
                    if group.plane[one] < 0 or group.plane[two] < 0 or group.plane[one] == group.plane[two]:
                        continue
                    a, b = group.far[:, one], group.far[:, two]
                    both = (a >= 0) & (b >= 0)
                    same |= both & (a == b)
                    above |= both & (a != b) & (piece[np.maximum(a, 0)] == piece[np.maximum(b, 0)])
        if same.any():
            yield _meet(context, group, same, on_leaf=True)
        elif above.any():
            yield _meet(context, group, above, on_leaf=False)


def _meet(context: RuleContext, group: Attached, hit: Bool, *, on_leaf: bool) -> Finding:
    fabric, above = context.fabric(), ups(context)
    member = int(np.flatnonzero(hit)[0])
    leafs = group.far[member][group.far[member] >= 0]
    if on_leaf:
        values, counts = np.unique(leafs, return_counts=True)
        place, _ = fabric.device_name(int(values[counts.argmax()]))
        text = msg(
            "{count} servers of {item}: both planes of a NIC end on one {switch}.",
            count=int(hit.sum()),
            item=group.item,
            switch=place,
        )
    else:
        high = above.high[np.isin(above.low, leafs)]
        place = fabric.device_name(int(high[0]))[0] if len(high) else group.item
        text = msg(
            "{count} servers of {item}: the planes of a NIC end on different leafs, but meet above them on {switch}.",
            count=int(hit.sum()),
            item=group.item,
            switch=place,
        )
    return context.finding(
        (at_item(group.item), at_item(place)),
        text,
        members=members_where(hit),
        measured=float(hit.sum()),
        allowed=0.0,
        unit="servers",
    )
