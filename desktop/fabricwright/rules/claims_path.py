"""SED-06, SED-07: statements about the way between servers, against the way that is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.address import Address, Step
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, about_design, held, meant
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.topology.constants import FIBRE_S_PER_M, NIC_LATENCY_S
from fabricwright.topology.model import Fabric
from fabricwright.topology.routes import FAR, SwitchGraph, example_route, switch_graph
from fabricwright.units.text import N_, msg

NETWORK = "compute"
SLACK = 0.9
"""A stated latency within 10 % of the sum is not doubted: the sum rests on typical latencies of NICs and switches."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Ways between servers on the compute network. ``fewest``/``most`` switches of a shortest way; ``tiers`` levels of
    switches; ``latency_s`` of the longest shortest way: two NICs, its switches and its cables; ``switch_s`` and
    ``cable_s`` parts of it.
    """

    fewest: int
    most: int
    tiers: int
    latency_s: float
    switch_s: float
    cable_s: float


def ways(context: RuleContext) -> Ways | None:
    """None when no two servers meet on a switch."""
    known = context.shared("claims.ways")
    if known is None:
        known = _ways(context) or "none"
        context.share("claims.ways", known)
    return known if isinstance(known, Ways) else None


def _ways(context: RuleContext) -> Ways | None:
    fabric = context.fabric()
    if NETWORK not in fabric.networks:
        return None
    leaf, length = _server_links(context, fabric)
    if len(leaf) < 2:
        return None
    graph = switch_graph(fabric, NETWORK)
    leaves, servers_at = np.unique(leaf, return_counts=True)
    nodes = graph.node[leaves]
    nodes = nodes[nodes >= 0].astype(np.int64)
    if not len(nodes):
        return None
    classes = np.unique(graph.cls[nodes])
    hops = graph.hops(np.repeat(classes, len(classes)), np.tile(classes, len(classes)))
    same = np.repeat(classes, len(classes)) == np.tile(classes, len(classes))
    hops[same & (np.repeat(graph.size[classes], len(classes)) < 2)] = FAR  # alone in its class: no other to go to
    reached = hops[hops < FAR]
    fewest = 1 if (servers_at > 1).any() else int(reached.min()) + 1 if len(reached) else 0
    most = int(reached.max()) + 1 if len(reached) else 1
    if not fewest:
        return None
    device = [int(leaves[0])]
    cable_m = 2 * (float(length[length > 0].min()) if (length > 0).any() else 0.0)
    if len(reached):
        far = int(np.flatnonzero(hops == reached.max())[0])
        a, b = int(classes[far // len(classes)]), int(classes[far % len(classes)])
        ends = [_device(graph, a, 0), _device(graph, b, 1 if a == b else 0)]
        device, between = _along(fabric, ends[0], ends[1])
        cable_m += between
    switch_s = float(sum(fabric.switch_latency_s[d] for d in device))
    cable_s = cable_m * FIBRE_S_PER_M
    return Ways(fewest, most, _tiers(context), 2 * NIC_LATENCY_S + switch_s + cable_s, switch_s, cable_s)


def _device(graph: SwitchGraph, cls: int, place: int) -> int:
    return int(graph.device[graph.members[graph.first[cls] + place]])


def _along(fabric: Fabric, start: int, end: int) -> tuple[list[int], float]:
    """Switches of a shortest way, both ends included, and the metres of cable between them."""
    route = example_route(fabric, NETWORK, start, end) or []
    devices, metres = [start], 0.0
    for directed in route:
        link = directed // 2
        devices.append(int(fabric.b_dev[link] if directed % 2 == 0 else fabric.a_dev[link]))
        metres += float(fabric.length_m[link])
    return devices, metres


def _server_links(context: RuleContext, fabric: Fabric) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Switch of every cable between a server and a switch of the network (one entry per server and switch), and the
    lengths of those cables.
    """
    servers = np.zeros(len(fabric.absent), dtype=bool)
    for item in {v.item for v in context.variants() if v.item}:
        servers[fabric.offset[item] : fabric.offset[item] + fabric.count[item]] = True
    on = (fabric.network == fabric.networks.index(NETWORK)) & (fabric.rate > 0)
    keys, lengths = [], []
    n = len(fabric.absent)
    for near, far in ((fabric.a_dev, fabric.b_dev), (fabric.b_dev, fabric.a_dev)):
        mine = on & servers[near] & fabric.switch[far]
        keys.append(near[mine].astype(np.int64) * n + far[mine])
        lengths.append(fabric.length_m[mine])
    return (np.unique(np.concatenate(keys)) % max(n, 1)).astype(np.int32), np.concatenate(lengths)


def _tiers(context: RuleContext) -> int:
    """Levels of the switches that cables of the network end at."""
    fabric = context.fabric()
    on = (fabric.network == fabric.networks.index(NETWORK)) & (fabric.rate > 0)
    ends = np.unique(np.concatenate((fabric.a_dev[on], fabric.b_dev[on])))
    return len(np.unique(fabric.tier[ends][fabric.switch[ends]]))


def _groups(context: RuleContext, statement: Held) -> tuple[Address, ...] | None:
    """Groups of servers that a statement is about: places of a finding; None when it is about none."""
    found = dict.fromkeys(place.variant.item for place in meant(context, statement) if place.variant.item)
    return tuple(Address((Step(item),)) for item in found) or None


@rule(
    "SED-06",
    "error",
    needs=("effective", "fabric", "statements"),
    scope="design",
    group="seed claims",
    subject="claim",
    title=N_("Other number of switches on the way"),
    checks=N_("A stated number of switches between two servers, or of tiers, is the one that is drawn."),
    reason=N_(
        "Below one leaf a packet crosses one switch. From leaf to leaf it crosses a leaf, a spine and a leaf: three "
        "switches, two of them leafs."
    ),
    source="seedA SD19",
)
def sed_06(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, switch_verdicts(context))


@judges("SED-06")
def switch_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Stated switches and tiers against the drawing."""
    for statement in held(context.project, "path.switches", "network.tiers"):
        value = statement.number
        drawn = ways(context) if about_design(statement, context.design_id) else None
        at = _groups(context, statement)
        if value is None or drawn is None or at is None:
            continue
        if statement.row.quantity == "network.tiers":
            text = (
                msg("{drawn} tiers of switches, as stated.", drawn=drawn.tiers)
                if value == drawn.tiers
                else msg("{stated} tiers of switches stated, {drawn} drawn.", stated=value, drawn=drawn.tiers)
            )
            yield Verdict(
                statement, value == drawn.tiers, text, at, measured=value, allowed=float(drawn.tiers), unit="tiers"
            )
            continue
        words = {"stated": value, "fewest": drawn.fewest, "most": drawn.most}
        if value == drawn.most:
            text = msg("{most} switches between two servers, as stated.", **words)
        elif drawn.fewest == drawn.most:
            text = msg("{stated} switches between two servers stated, {most} drawn.", **words)
        else:
            text = msg(
                "{stated} switches between any two servers stated; drawn are {fewest} below one leaf and {most} from "
                "leaf to leaf.",
                **words,
            )
        yield Verdict(
            statement,
            value == drawn.most,
            text,
            at,
            measured=value,
            allowed=float(drawn.most),
            unit="switches",
            values={"fewest": drawn.fewest, "most": drawn.most},
        )


@rule(
    "SED-07",
    "warning",
    needs=("effective", "fabric", "statements"),
    scope="design",
    group="seed claims",
    subject="claim",
    title=N_("Latency below that of the way"),
    checks=N_("A stated latency one way is not below two NICs, all switches and all cables of the longest way drawn."),
    reason=N_(
        "NICs take about 0.6 us each, a switch 0.3 to 0.8 us, fibre 5 ns a metre. What is stated was measured on "
        "another way, often below one switch."
    ),
    source="seedB SD32; EK",
    direction="down",
)
def sed_07(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, latency_verdicts(context))


@judges("SED-07")
def latency_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Stated latencies against the longest way drawn."""
    for statement in held(context.project, "latency.one_way_us"):
        value = statement.number
        drawn = ways(context) if about_design(statement, context.design_id) else None
        at = _groups(context, statement)
        if value is None or drawn is None or at is None:
            continue
        needed = drawn.latency_s * 1e6
        words = {
            "stated": value,
            "needed": f"{needed:.1f}",
            "switches": drawn.most,
            "nics": f"{2 * NIC_LATENCY_S * 1e6:.1f}",
            "switch_us": f"{drawn.switch_s * 1e6:.1f}",
            "cable_us": f"{drawn.cable_s * 1e6:.2f}",
        }
        holds = value >= needed * SLACK
        text = (
            msg("{stated} us stated; the longest way over {switches} switches needs {needed} us.", **words)
            if holds
            else msg(
                "{stated} us stated, but the way over {switches} switches needs {needed} us (NICs {nics}, switches "
                "{switch_us}, cables {cable_us}): say which way was measured.",
                **words,
            )
        )
        yield Verdict(
            statement,
            holds,
            text,
            at,
            measured=value,
            allowed=needed,
            unit="us",
            values={"switches": drawn.most, "fewest": drawn.fewest},
            estimate=True,
        )
