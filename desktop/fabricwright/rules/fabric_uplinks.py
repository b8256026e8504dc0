"""FAB: how uplinks spread over the switches above, and how flows spread over the uplinks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from fabricwright.design.calls import EditCall
from fabricwright.design.options import effective_value
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric import at_item
from fabricwright.rules.fabric_cabling import COMPUTE, Bool, bundle_slices, cabling, items_hit, once, ups
from fabricwright.rules.fabric_joined import components, joined
from fabricwright.rules.fabric_size import pieces
from fabricwright.rules.fabric_view import I64, axis_values, present
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.units.record import record
from fabricwright.units.text import N_, Message, msg

ADAPTIVE = frozenset({"adaptive", "spray", "spraying", "packet-spraying"})
FLOWS_PER_PATH = 4
_STEM = re.compile(r"[-_]?\d+$")


def routing(context: RuleContext) -> tuple[bool, bool]:
    """(adaptive routing or spraying is on, nobody stated it)."""
    value, assumed = effective_value(context.settings, "design", "ecmp.mode")
    return str(value).strip().lower() in ADAPTIVE, assumed


@record
class Between:
    """Uplinks between two tiers of one network, for each ``low`` device: ``most``/``least`` cables to one of the
    ``high`` devices that belong to what it is joined to; ``pair`` rows (low, high, cables), in order of low.
    """

    low: I64
    high: I64
    most: I64
    least: I64
    pair: I64
    piece: I64
    idle: I64

    def extremes(self, context: RuleContext, device: int) -> tuple[int, int, int, int]:
        """(high device with most cables, how many, one with the fewest, how many) of one low device."""
        mine = self.pair[self.pair[:, 0] == device]
        top = mine[mine[:, 2].argmax()]
        same = self.high[self.piece[self.high] == self.piece[device]]
        none = [int(h) for h in np.setdiff1d(same, mine[:, 1])]
        none += [int(d) for d in self.idle if _reached(context, np.array([device]), int(d))[0]]
        if none:
            return int(top[1]), int(top[2]), none[0], 0
        bottom = mine[mine[:, 2].argmin()]
        return int(top[1]), int(top[2]), int(bottom[1]), int(bottom[2])


def between(context: RuleContext) -> list[Between]:
    """Every pair of neighbouring tiers that has uplinks."""
    return once(context, "between", lambda: list(_between(context)))


def _between(context: RuleContext) -> Iterator[Between]:
    fabric, rising = context.fabric(), ups(context)
    if not len(rising.low):
        return
    n = len(fabric.absent)
    kind = rising.network * 16 + rising.tier * 4 + fabric.tier[rising.high]
    for code in np.flatnonzero(np.bincount(kind)):
        own = kind == code
        a, b, cables = _counted(n, rising.low[own], rising.high[own])
        low, high = np.flatnonzero(np.bincount(a, minlength=n)), np.flatnonzero(np.bincount(b, minlength=n))
        most, least = np.zeros(n, dtype=np.int64), np.full(n, np.iinfo(np.int64).max)
        np.maximum.at(most, a, cables)
        np.minimum.at(least, a, cables)
        piece = np.zeros(n, dtype=np.int64)
        if len(a) < len(low) * len(high):  # some do not meet: those that are nevertheless joined have no cable at all
            nearest = int(code) % 16 == 6  # tiers 1 and 2
            piece = joined(context, 2, fabric.networks[int(code) // 16]) if nearest else components(n, a, b)
            beside = np.bincount(piece[high], minlength=n)[piece[low]]
            least[low[np.bincount(a, minlength=n)[low] < beside]] = 0
        idle = _idle(context, high)
        for device in idle:
            least[low[_reached(context, low, int(device))]] = 0
        yield Between(low, high, most[low], least[low], np.column_stack((a, b, cables)), piece, idle)


def _counted(n: int, low: I64, high: I64) -> tuple[I64, I64, I64]:
    """(low, high, cables) of every pair that has any. Those of a mesh stand next to each other already."""
    for first, second in ((low, high), (high, low)):
        key = first * n + second
        steps = np.diff(key)
        if (steps >= 0).all():
            starts = np.flatnonzero(np.concatenate(([True], steps > 0)))
            return low[starts], high[starts], np.diff(np.append(starts, len(key)))
    pairs, cables = np.unique(low * n + high, return_counts=True)
    return pairs // n, pairs % n, cables.astype(np.int64)


def _idle(context: RuleContext, high: I64) -> I64:
    """Switches beside those above that have no data cable at all: members of their items, or items of the same part and
    stem of name (``spine1``, ``spine2``).
    """
    fabric, root, seen = context.fabric(), context.root, cabling(context)
    free = once(context, "switches without cables", lambda: _free(context))
    if not len(free):
        return free
    names = {fabric.items[i] for i in np.unique(seen.item[high])}
    kin = {(root.items[i].of, _STEM.sub("", i)) for i in names if i in root.items}
    good = np.array(
        [i in names or (i in root.items and (root.items[i].of, _STEM.sub("", i)) in kin) for i in fabric.items],
        dtype=bool,
    )
    return np.compress(np.take(good, np.take(seen.item, free)), free)


def _free(context: RuleContext) -> I64:
    fabric, seen = context.fabric(), cabling(context)
    bare = fabric.switch & (fabric.tier < 0) & ~fabric.absent
    if not bare.any():
        return np.zeros(0, dtype=np.int64)
    used = np.zeros(len(fabric.absent), dtype=bool)
    used[seen.a[seen.drawn]] = True
    used[seen.b[seen.drawn]] = True
    return np.flatnonzero(bare & ~used)


def _reached(context: RuleContext, low: I64, idle: int) -> Bool:
    """Which lower switches a link row would lead to an idle one above: equal on the axes that the row joins on."""
    fabric, root, seen = context.fabric(), context.root, cabling(context)
    item = fabric.items[seen.item[idle]]
    member = idle - fabric.offset[item]
    out = np.zeros(len(low), dtype=bool)
    linked = False
    for bundle in fabric.bundles:
        if item not in (bundle.a_item, bundle.b_item) or bundle.link not in root.links:
            continue
        other = bundle.b_item if bundle.a_item == item else bundle.a_item
        linked = True
        ours = (low >= fabric.offset[other]) & (low < fabric.offset[other] + fabric.count[other])
        for name in root.links[bundle.link].wire.on:
            mine = axis_values(root.items[other].axes, fabric.count[other], name)
            theirs = axis_values(root.items[item].axes, fabric.count[item], name)
            if mine is not None and theirs is not None:
                ours[ours] &= mine[low[ours] - fabric.offset[other]] == theirs[member]
        out |= ours
    return out if linked else np.ones(len(low), dtype=bool)


@rule(
    "FAB-12",
    "warning",
    needs=("root", "fabric", "settings"),
    scope="design",
    group="spine-leaf",
    subject="ecmp",
    direction="down",
    title=N_("Too few flows for static routing"),
    checks=N_(
        "Without adaptive routing or packet spraying at least four flows (compute NICs times queue pairs per "
        "connection) share every uplink of a leaf."
    ),
    reason=N_(
        "Equal-cost paths are picked by a hash. With few large flows some paths get several and others none: half to "
        "60 % of the rate is what remains."
    ),
    source="th5; thor_ultra; field cases C040, C042",
)
def fab_12(context: RuleContext) -> Iterator[Finding]:
    adaptive, assumed = routing(context)
    if adaptive or context.settings.get("ecmp.mode") == "pinned":  # dealt in turn: no hash, no collision
        return
    stated, qps_assumed = effective_value(context.settings, "design", "ecmp.qps")
    qps = max(1.0, float(stated)) if isinstance(stated, (int, float)) and not isinstance(stated, bool) else 1.0
    n = len(context.fabric().absent)
    nics, paths = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for piece in pieces(context):
        if piece.network == COMPUTE:
            nics[piece.leafs], paths[piece.leafs] = piece.servers, piece.uplinks
    few = (nics > 0) & (paths > 1) & (nics * qps < FLOWS_PER_PATH * paths)
    for item, row, devices, members in items_hit(context, few):
        worst = int(devices[np.argmin(nics[devices] * qps / paths[devices])])
        yield context.finding(
            (at_item(item),),
            msg(
                "{device}: {nics} NICs x {qps} queue pairs are {flows} flows over {paths} paths; without adaptive "
                "routing expect 50-60 % under collisions{assumed}.",
                device=item_label(row),
                nics=int(nics[worst]),
                qps=qps,
                flows=int(nics[worst] * qps),
                paths=int(paths[worst]),
                assumed=_assumed(assumed, qps_assumed),
            ),
            members=members,
            measured=float(nics[worst] * qps),
            allowed=float(FLOWS_PER_PATH * paths[worst]),
            unit="flows",
            values={"paths": int(paths[worst]), "queue_pairs": qps, "share": (0.5, 0.6)},
            fix=(EditCall("set_setting", {"design": context.design_id, "key": "ecmp.mode", "value": "adaptive"}),),
        )


def _assumed(mode: bool, qps: bool) -> Message | str:
    if mode and qps:
        return msg(" (static routing and one queue pair assumed, neither is stated)")
    if mode:
        return msg(" (static routing assumed, nothing is stated)")
    if qps:
        return msg(" (one queue pair assumed, none is stated)")
    return ""


@rule(
    "FAB-15",
    "error",
    needs=("root", "fabric", "settings"),
    scope="design",
    group="spine-leaf",
    subject="uplinks",
    direction="up",
    title=N_("Lopsided uplinks"),
    checks=N_(
        "The uplinks of a switch have one speed, and as many of them go to each switch above; with adaptive routing "
        "the counts may differ by one."
    ),
    reason=N_(
        "Equal-cost routing sends equal shares over unequal ways; two uplinks on one spine and none on the other lose "
        "everything when that spine goes."
    ),
    source="EK; field case C112",
)
def fab_15(context: RuleContext) -> Iterator[Finding]:
    yield from _speeds(context)
    adaptive, assumed = routing(context)
    fabric = context.fabric()
    for tier in between(context):
        spread = tier.most - tier.least
        odd = spread > (1 if adaptive else 0)
        if not odd.any():
            continue
        by_device = np.zeros(len(fabric.absent), dtype=np.int64)
        by_device[tier.low[odd]] = spread[odd]
        for item, row, devices, members in items_hit(context, by_device > 0):
            worst = int(devices[np.argmax(by_device[devices])])
            a, most, b, least = tier.extremes(context, worst)
            quietly = assumed and most - least == 1
            yield context.finding(
                (at_item(item),),
                msg(
                    "{device}: {most} uplinks to {a}, {least} to {b}{assumed}.",
                    device=item_label(row),
                    most=most,
                    a=fabric.device_address(a),
                    least=least,
                    b=fabric.device_address(b),
                    assumed=msg(" (static routing assumed, nothing is stated)") if quietly else "",
                ),
                members=members,
                measured=float(most - least),
                allowed=1.0 if adaptive else 0.0,
                unit="uplinks",
                fix=_even_again(context, item),
            )


def _speeds(context: RuleContext) -> Iterator[Finding]:
    """Switches whose uplinks have different speeds."""
    fabric, above = context.fabric(), ups(context)
    if not above.live.any() or np.ptp(above.gbps[above.live]) == 0:
        return
    low, gbps = above.low[above.live], above.gbps[above.live]
    slow, fast = np.full(len(fabric.absent), np.inf), np.zeros(len(fabric.absent))
    np.minimum.at(slow, low, gbps)
    np.maximum.at(fast, low, gbps)
    for item, row, devices, members in items_hit(context, (fast > slow * 1.001) & (fast > 0)):
        worst = int(devices[np.argmax(fast[devices] / slow[devices])])
        yield context.finding(
            (at_item(item), at_item(fabric.device_name(int(above.high[above.live][low == worst][0]))[0])),
            msg(
                "{device}: uplinks of {fast} and of {slow} Gb/s.",
                device=item_label(row),
                fast=float(fast[worst]),
                slow=float(slow[worst]),
            ),
            members=members,
            measured=float(fast[worst] / slow[worst]),
            allowed=1.0,
            unit="x",
        )


def _even_again(context: RuleContext, leaf: str) -> tuple[EditCall, ...]:
    """Cables that were plugged elsewhere by hand go back; listed ones become a mesh where that divides."""
    root, fabric = context.root, context.fabric()
    rising = [b for b in fabric.bundles if leaf in (b.a_item, b.b_item) and _climbs(context, b.link)]
    moved = [(b.link, int(r)) for b in rising for r, m in root.links[b.link].wire.moved.items() if not m.cut]
    if moved and len(moved) <= 256:
        return tuple(context.edit("move_cable", context.design.root, link=name, row=row) for name, row in moved)
    if len(rising) != 1:
        return ()
    bundle = rising[0]
    low, high = (bundle.a_item, bundle.b_item) if bundle.a_item == leaf else (bundle.b_item, bundle.a_item)
    low_ports, high_ports = len(bundle.a_ports), len(bundle.b_ports)
    if low != bundle.a_item:
        low_ports, high_ports = high_ports, low_ports
    spines = int(present(fabric, high).sum())
    wire = root.links[bundle.link].wire
    if wire.mode != "rows" or not spines or low_ports % spines or spines != fabric.count[high]:
        return ()
    each = low_ports // spines
    if each * fabric.count[low] > high_ports:
        return ()
    change = {"mode": "mesh", "on": [], "per_pair": each, "rows": []}
    return (context.edit("set_link", context.design.root, link=bundle.link, wire=change),)


def _climbs(context: RuleContext, link: str) -> bool:
    fabric, seen = context.fabric(), cabling(context)
    for bundle, rows in zip(fabric.bundles, bundle_slices(fabric), strict=True):
        if bundle.link == link:
            return bool(seen.up[rows].any())
    return False
