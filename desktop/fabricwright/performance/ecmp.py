"""What routing makes of flows between switches: hashed, pinned, or spread packet by packet.

Even loads (``wires``) are what packet spraying and adaptive routing do. A hash puts every flow (each queue pair of a
connection) on one path: some links get more than their part, and a collective waits for its slowest flow. Static
pinning deals the flows of a switch to its paths in turn. Traffic that stays on one leaf switch is not routed and meets
none of it.

Hashed flows are routed for several seeds; the expected slowest one counts, its spread over the seeds is told. Flows of
an all-to-all are too many to list: their number on a link is binomial, and the busiest of M links is taken from the
normal order statistics (Blom 1958). Tests hold both against a Monte-Carlo table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.options import effective_value
from fabricwright.performance.fair_share import fair_speeds
from fabricwright.performance.flows import Loads
from fabricwright.performance.layout import Layout
from fabricwright.performance.routing import Collisions, Routing
from fabricwright.performance.sends import Sends
from fabricwright.topology.routes import switch_graph
from fabricwright.topology.spread import distinct, mix, turns, walk
from fabricwright.topology.stated import stated_figure

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
SPRAYED = frozenset({"adaptive", "spray", "spraying", "packet-spraying"})
MOST_SEEDS, FEWEST_SEEDS, SEED_WORK = 32, 2, 200_000
FILL_WORK = 30_000
"""Sub-flows up to which the mean rate is filled for several seeds; above, for one."""
KEPT = 16
MOST_QPS = 256
"""Queue pairs of a connection that are told apart, the most that the setting takes; a file may state anything."""
LOW, HIGH = 0.1, 0.9
MEAN_ABOVE = 0.3989
"""Mean of the positive part of a standard normal."""


def routing_of(layout: Layout) -> Routing:
    """Routing between the leaf switches of the collectives' network. InfiniBand that states nothing is pinned: its
    subnet manager deals destinations to paths in turn.
    """
    settings = layout.cluster.settings
    value, assumed = effective_value(settings, "design", "ecmp.mode")
    mode = str(value or "hash").strip().lower()
    if assumed and layout.medium == "ib":
        mode = "pinned"
    count, _ = effective_value(settings, "design", "ecmp.qps")
    figure = stated_figure(count)
    qps = min(int(figure), MOST_QPS) if figure is not None and figure >= 1 else 1
    return Routing("split" if mode in SPRAYED else "pinned" if mode == "pinned" else "hash", qps, assumed)


def routed(layout: Layout, loads: Loads, known: dict[str, tuple[Collisions, F64] | None]) -> Loads:
    """The loads as routing really places them: links between switches get ``Collisions.stretch`` times their even load
    (hash) or what the pinned paths carry. ``known`` keeps what was found for a layout, by pattern.
    """
    pattern, routing = loads.pattern, routing_of(layout)
    if pattern is None or layout.k == 1 or routing.mode == "split":
        return loads
    if pattern.key not in known:
        known[pattern.key] = (
            _listed(layout, pattern.make(), loads.wire / loads.scale, routing)
            if pattern.make is not None
            else _counted(layout, loads, pattern.each * loads.scale, routing)
        )
    found = known[pattern.key]
    if found is None:
        return loads
    collisions, unit = found
    inner = ~layout.is_port
    wire = loads.wire.copy()
    if routing.mode == "pinned":
        wire[inner] = unit[inner] * loads.scale
    else:
        wire[inner] *= collisions.stretch
    return replace(loads, wire=wire, collisions=collisions)


def _listed(layout: Layout, sends: Sends, even_load: F64, routing: Routing) -> tuple[Collisions, F64] | None:
    """Flows one by one. ``even_load`` what an even split puts on the wires. Kept on the fabric, where an edit inside a
    server that leaves the flows alone finds it again.
    """
    crossing = _Crossing(layout, sends)
    if not crossing.count:
        return None
    memo = layout.cluster.fabric.memo
    kept = memo.get("collisions")
    if not isinstance(kept, dict) or len(kept) >= KEPT:
        kept = memo["collisions"] = {}
    key = (routing, layout.network, *(hash(x.tobytes()) for x in crossing.arrays()))
    if key not in kept:
        kept[key] = _collide(layout, crossing, even_load, routing)
    found: tuple[Collisions, F64] = kept[key]
    return found


def _collide(layout: Layout, crossing: _Crossing, even_load: F64, routing: Routing) -> tuple[Collisions, F64]:
    parts = routing.qps
    rate = layout.wire_rate
    even = float(_busiest(np.where(layout.is_port, 0.0, even_load), rate))
    if routing.mode == "pinned":
        walked = crossing.walk(parts, None)
        peak = float(_busiest(walked.load, rate[walked.used])[0])
        load = np.zeros(len(rate))
        load[walked.used] = walked.load[0]
        share, mean = min(1.0, crossing.port_s / peak), crossing.mean_share(walked, 1)
        return Collisions(routing, crossing.count, peak / even, share, share, share, mean, 1), load
    seeds = max(FEWEST_SEEDS, min(MOST_SEEDS, SEED_WORK // (crossing.count * parts)))
    walked = crossing.walk(parts, seeds)
    worst = _busiest(walked.load, rate[walked.used])
    slowest = np.minimum(1.0, crossing.port_s / worst)
    collisions = Collisions(
        routing,
        crossing.count,
        float(worst.mean()) / even,
        float(slowest.mean()),
        float(slowest.min()),
        float(slowest.max()),
        crossing.mean_share(walked, max(1, min(seeds, FILL_WORK // (crossing.count * parts)))),
        seeds,
    )
    return collisions, np.zeros(0)


def _busiest(load: F64, rate: F64) -> F64:
    """Seconds of the busiest link in each row, per byte of the unit load."""
    with np.errstate(divide="ignore", invalid="ignore"):
        busy = np.where(load > 0, load / rate, 0.0)
    return np.asarray(busy.max(axis=-1, initial=0.0))


@dataclass(frozen=True, slots=True)
class _Walked:
    """``used`` links, ``load`` (draws, used) on them; parallel: ``sub`` sub-flow and the place in ``load`` of a link
    that it takes, both numbered on from draw to draw. ``parts`` sub-flows of a flow.
    """

    used: I64
    load: F64
    sub: I64
    link: I64
    parts: int


@lru_cache(maxsize=16)
def _labels(count: int, draws: int) -> NDArray[np.uint64]:
    """Hash of every sub-flow for every draw, one draw after the other: the same for all layouts (at most
    ``SEED_WORK`` of them, or ``FEWEST_SEEDS`` draws)."""
    number = np.arange(count, dtype=np.uint64)
    out = np.concatenate([mix(number, seed) for seed in range(draws)])
    out.flags.writeable = False
    return out


class _Crossing:
    """Flows of a pattern that leave their leaf switch."""

    def __init__(self, layout: Layout, sends: Sends) -> None:
        self.layout = layout
        out = layout.out_wire[sends.src, sends.src_port]
        into = layout.in_wire[sends.dst, sends.dst_port]
        src = layout.leaf[sends.src, sends.src_port]
        dst = layout.leaf[sends.dst, sends.dst_port]
        away = np.flatnonzero((out != into) & (src != dst) & (sends.amount > 0))
        size = len(layout.wire_rate)
        with np.errstate(divide="ignore", invalid="ignore"):
            busy = np.bincount(out, sends.amount, size) / layout.wire_rate
            busy = np.maximum(busy, np.bincount(into, sends.amount, size) / layout.wire_rate)
        self.src, self.dst, self.amount = src[away], dst[away], sends.amount[away].astype(np.float64)
        # every flow's own ports give it this many seconds per byte of the unit load at least
        self.own_s = np.maximum(busy[out[away]], busy[into[away]])
        self.port_s = float(np.nanmax(busy)) if len(away) else 0.0
        self.count = len(away)

    def arrays(self) -> tuple[I64, I64, F64, F64]:
        """Everything that decides where the flows go and how fast."""
        return self.src, self.dst, self.amount, self.own_s

    def walk(self, parts: int, seeds: int | None) -> _Walked:
        """Paths of all sub-flows for each of ``seeds`` hashes at once; None deals them in turn. Sub-flow p of flow f is
        f * parts + p.
        """
        graph = switch_graph(self.layout.cluster.fabric, self.layout.network)
        draws, wires = seeds or 1, len(self.layout.wire_rate)
        flow = np.repeat(np.arange(self.count, dtype=np.int64), parts)
        at = graph.node[self.src].astype(np.int64)[flow]
        goal = graph.node[self.dst].astype(np.int64)[flow]
        label = _labels(len(flow), draws)
        turn = turns(at) if seeds is None else None
        steps = list(walk(graph, np.tile(at, draws), np.tile(goal, draws), label, turn))
        sub = np.concatenate([who for who, _ in steps])
        used, place = distinct(np.concatenate([link for _, link in steps]), wires)
        link = place + sub // len(flow) * len(used)
        load = np.bincount(link, self.amount[flow[sub % len(flow)]] / parts, draws * len(used))
        return _Walked(used, load.reshape(draws, len(used)).astype(np.float64), sub, link, parts)

    def mean_share(self, walked: _Walked, draws: int) -> float:
        """Mean max-min fair rate of a flow as a part of what its own ports give it, over the first ``draws``. Sub-flows
        share the bytes of their flow evenly, so it is done when its slowest one is.
        """
        parts, subs = walked.parts, self.count * walked.parts
        mine = walked.sub < draws * subs
        flow = np.tile(np.repeat(np.arange(self.count, dtype=np.int64), parts), draws)
        capacity = np.tile(self.layout.wire_rate[walked.used], draws)
        cap = 1.0 / self.own_s[flow]
        speed = fair_speeds(walked.sub[mine], walked.link[mine], capacity, self.amount[flow] / parts, cap)
        slowest = speed.reshape(draws, self.count, parts).min(axis=2)
        return float((slowest * self.own_s).mean())


def _counted(layout: Layout, loads: Loads, each: float, routing: Routing) -> tuple[Collisions, F64] | None:
    """Everybody to everybody: the number of sub-flows on a link is binomial around its even load."""
    inner = ~layout.is_port
    used = np.flatnonzero(inner & (loads.wire > each * 1e-6))
    if not len(used):
        return None
    if routing.mode == "pinned":
        return None  # so many flows in turn are an even split
    load, rate = loads.wire[used], layout.wire_rate[used]
    spread = np.sqrt(load * each / routing.qps * (1.0 - _lane_share(layout, used, load)))
    normal, m = NormalDist(), len(used)
    lift = normal.inv_cdf((m - 0.375) / (m + 0.25)) if m > 1 else 0.0
    edges = [normal.inv_cdf(q ** (1.0 / m)) for q in (LOW, HIGH)]
    ports = np.flatnonzero(layout.is_port & (loads.wire > 0))
    port_s = float((loads.wire[ports] / layout.wire_rate[ports]).max(initial=0.0))
    even = float((load / rate).max())
    worst = max(even, float(((load + lift * spread) / rate).max()))
    slow, quick = (min(1.0, port_s / max(even, float(((load + e * spread) / rate).max()))) for e in edges[::-1])
    busy = load / rate
    top = busy >= even * 0.999
    mean = float((1.0 - MEAN_ABOVE * spread[top] / load[top]).mean()) if even >= port_s * 0.999 else 1.0
    share = min(1.0, port_s / worst)
    return Collisions(
        routing, 0, worst / even, share, slow, quick, max(share, mean * min(1.0, port_s / even)), 0
    ), np.zeros(0)


def _lane_share(layout: Layout, used: I64, load: F64) -> F64:
    """Chance that a flow which may take a link takes it: its part of what the switch at its lower end sends up or
    receives from above.
    """
    fabric = layout.cluster.fabric
    k = used // 2
    forward = used % 2 == 0
    src = np.where(forward, fabric.a_dev[k], fabric.b_dev[k])
    dst = np.where(forward, fabric.b_dev[k], fabric.a_dev[k])
    climbs = fabric.tier[src] <= fabric.tier[dst]
    end = np.where(climbs, src, dst) * 2 + climbs
    total = np.bincount(end, load)
    return np.asarray(np.minimum(1.0, load / total[end]))
