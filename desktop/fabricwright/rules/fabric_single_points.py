"""FAB-22: what alone can cut servers off, in a design that states that nothing may."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.indexset import IndexSet
from fabricwright.design.options import effective_value
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric import at_item
from fabricwright.rules.fabric_attached import Attached, attached
from fabricwright.rules.fabric_cabling import COMPUTE, Bool, cabling, items_hit, network_code
from fabricwright.rules.fabric_joined import components
from fabricwright.rules.fabric_view import I64, members_where
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import about_design, held
from fabricwright.topology.classes import flag
from fabricwright.units.record import record
from fabricwright.units.text import N_, msg

STATED = "network.redundant"


def is_stated(context: RuleContext) -> bool:
    """Whether the design states that no single failure may cut a server off: by its setting or by a statement."""
    value, _ = effective_value(context.settings, "design", "fabric.redundant")
    if flag(value, False):
        return True
    return any(
        about_design(row, context.design_id) and row.row.value is True
        for row in held(context.project, STATED)
        if row.scope == "design"
    )


@record
class _Net:
    """Switches and kinds of servers as one graph: nodes 0 .. n - 1 are devices, those behind are sets of leafs that
    servers are cabled to; ``weight`` servers of each node. Edges ``a``-``b`` with how many ``cables``.
    """

    n: int
    a: I64
    b: I64
    cables: I64
    weight: I64

    def cut_off(self, keep: Bool) -> int:
        """Servers outside the largest part when only the edges ``keep`` are left, of those that were in one part."""
        before = components(len(self.weight), self.a, self.b)
        after = components(len(self.weight), self.a[keep], self.b[keep])
        alone = np.ones(len(self.weight), dtype=bool)  # without any cable its servers do not even reach each other
        alone[self.a[keep]] = False
        alone[self.b[keep]] = False
        lost = 0
        for part in np.unique(before[self.weight > 0]):
            inside = before == part
            sizes = np.bincount(after[inside], np.where(alone[inside], 1, self.weight[inside]))
            lost += int(self.weight[inside].sum() - sizes.max(initial=0))
        return lost


def _net(context: RuleContext, groups: list[Attached]) -> _Net:
    fabric, seen = context.fabric(), cabling(context)
    code, n = network_code(fabric, COMPUTE), len(fabric.absent)
    rows = np.flatnonzero(seen.between & seen.drawn & (seen.network == code))
    low, high = np.minimum(seen.a[rows], seen.b[rows]), np.maximum(seen.a[rows], seen.b[rows])
    key, cables = np.unique(low * n + high, return_counts=True)
    a, b, number = [key // n], [key % n], [cables]
    weight = [np.zeros(n, dtype=np.int64)]
    node = n
    for group in groups:
        far = np.where(group.far >= 0, group.far, n)[group.there]
        far = np.where(np.concatenate((fabric.switch, [False]))[far], far, n)
        kinds, counts = np.unique(np.sort(far, axis=1), axis=0, return_counts=True)
        for kind, count in zip(kinds, counts, strict=True):
            leafs = np.unique(kind[kind < n])
            if len(leafs):
                a.append(leafs.astype(np.int64))
                b.append(np.full(len(leafs), node, dtype=np.int64))
                number.append(np.full(len(leafs), 2, dtype=np.int64))  # its own cables are looked at one by one
                weight.append(np.array([count], dtype=np.int64))
                node += 1
    return _Net(n, *(np.concatenate(x).astype(np.int64) for x in (a, b, number, weight)))


def _articulation(net: _Net) -> tuple[list[int], list[tuple[int, int]]]:
    """(switches, edges) whose removal leaves more parts (Hopcroft and Tarjan 1973, without recursion)."""
    beside: dict[int, list[int]] = {}
    for a, b in zip(net.a.tolist(), net.b.tolist(), strict=True):
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    cuts: set[int] = set()
    bridges: list[tuple[int, int]] = []
    for root in beside:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack = [(root, -1, iter(beside[root]))]
        branches = 0
        while stack:
            node, parent, following = stack[-1]
            other = next(following, None)
            if other is None:
                stack.pop()
                if parent >= 0:
                    low[parent] = min(low[parent], low[node])
                    if low[node] > order[parent]:
                        bridges.append((parent, node))
                    if parent == root:
                        branches += 1
                    elif low[node] >= order[parent]:
                        cuts.add(parent)
            elif other not in order:
                order[other] = low[other] = len(order)
                stack.append((other, node, iter(beside[other])))
            elif other != parent:
                low[node] = min(low[node], order[other])
        if branches > 1:
            cuts.add(root)
    return sorted(v for v in cuts if v < net.n), bridges


@rule(
    "FAB-22",
    "warning",
    needs=("effective", "root", "fabric", "settings", "statements"),
    scope="design",
    group="spine-leaf",
    subject="redundancy",
    direction="up",
    title=N_("Single point of failure"),
    checks=N_(
        "Where the design states that no single failure cuts a server off (fabric.redundant or a statement), every "
        "server keeps a way to the others on the compute network without any one switch, cable or NIC."
    ),
    reason=N_(
        "A job stops when one of its ranks cannot be reached. Servers on one leaf are common and cheaper, so nothing "
        "is said where no redundancy is stated; fabricwright resilience lists them all."
    ),
    source="EK",
)
def fab_22(context: RuleContext) -> Iterator[Finding]:
    groups = attached(context)
    if not groups or not is_stated(context):
        return
    net = _net(context, groups)
    if int((net.weight > 0).sum()) < 1 or int(net.weight.sum()) < 2:
        return
    switches, bridges = _articulation(net)
    yield from _switches(context, net, switches)
    yield from _cables(context, net, bridges)
    for group in groups:
        yield from _ports(context, group)


def _switches(context: RuleContext, net: _Net, switches: list[int]) -> Iterator[Finding]:
    lost = np.zeros(net.n, dtype=np.int64)
    for switch in switches:
        lost[switch] = net.cut_off((net.a != switch) & (net.b != switch))
    for item, row, devices, members in items_hit(context, lost > 0):
        most = int(lost[devices].max())
        yield context.finding(
            (at_item(item),),
            msg(
                "{device}: the loss of one cuts {servers} servers off, although the design states that no single "
                "failure does.",
                device=item_label(row),
                servers=most,
            ),
            members=members,
            measured=float(most),
            allowed=0.0,
            unit="servers",
        )


def _cables(context: RuleContext, net: _Net, bridges: list[tuple[int, int]]) -> Iterator[Finding]:
    """Single cables between switches; one finding per link."""
    fabric, seen = context.fabric(), cabling(context)
    worst: dict[str, tuple[int, str, str, list[int]]] = {}
    for one, other in bridges:
        a, b = min(one, other), max(one, other)
        edge = (net.a == a) & (net.b == b)
        if b >= net.n or int(net.cables[edge].sum()) != 1:
            continue
        lost = net.cut_off(~edge)
        if not lost:
            continue
        low, high = (a, b) if fabric.tier[a] <= fabric.tier[b] else (b, a)
        ends = np.minimum(seen.a, seen.b) * net.n + np.maximum(seen.a, seen.b)
        row = int(np.flatnonzero(seen.between & seen.drawn & (ends == a * net.n + b))[0])
        link = fabric.bundles[int(fabric.bundle[row])].link
        known = worst.get(link, (0, "", "", []))
        names = (fabric.device_address(low), fabric.device_address(high)) if lost > known[0] else known[1:3]
        worst[link] = (max(lost, known[0]), *names, [*known[3], int(fabric.row[row])])
    for link, (lost, low_name, high_name, where) in worst.items():
        yield context.finding(
            (at_item(link),),
            msg(
                "The only cable from {a} to {b}: its loss cuts {servers} servers off, although the design states that "
                "no single failure does.",
                a=low_name,
                b=high_name,
                servers=lost,
            ),
            members=IndexSet.of(where),
            measured=float(lost),
            allowed=0.0,
            unit="servers",
        )


def _ports(context: RuleContext, group: Attached) -> Iterator[Finding]:
    """Servers that hang on one NIC, or on one cable."""
    cabled = group.far >= 0
    nics = np.stack([cabled[:, group.columns(nic)].any(axis=1) for nic in group.nics], axis=1).sum(axis=1)
    alone = group.there & (nics == 1)
    if not alone.any():
        return
    yield context.finding(
        (at_item(group.item),),
        msg(
            "{servers} servers hang on one NIC: its loss cuts its server off, although the design states that no "
            "single failure does.",
            servers=int(alone.sum()),
        ),
        members=members_where(alone),
        measured=1.0,
        allowed=0.0,
        unit="servers",
    )
