"""Loads on the links of a network for many flows at once: split evenly, hashed, or pinned in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.topology.model import F64, I32, Fabric
from fabricwright.topology.routes import FAR, SwitchGraph, expand, onward, shares_of, switch_graph

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
Bool = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Spread:
    """``load`` bytes per directed link (2K); ``hops`` links crossed by each flow; ``unreachable`` flows
    without any route.
    """

    load: F64
    hops: I32
    unreachable: Bool


def spread(
    fabric: Fabric,
    src_dev: I32,
    dst_dev: I32,
    bytes_: F64,
    mode: str = "split",
    seed: int = 0,
    qps: int = 1,
    network: str = "compute",
) -> Spread:
    """Route flows from device to device over one network and add up the bytes on each directed link.

    Devices are switches (leaf to leaf) or end points; an end point uses those of its living cables that make the way
    shortest: evenly in mode "split", one by hash or in turn in the others. "split" is what packet spraying and adaptive
    routing do; "hash" sends each of ``qps`` sub-flows along one hashed path (own hash: a sample, not a
    vendor's); "pinned"
    deals the sub-flows of a source to its ways in turn. A flow to its own device loads nothing. One entry per flow.
    """
    load = np.zeros(2 * len(fabric.rate))
    n = len(src_dev)
    if n == 0:
        return Spread(load, np.zeros(0, dtype=np.int32), np.zeros(0, dtype=bool))
    graph = switch_graph(fabric, network)
    src, dst = np.asarray(src_dev, dtype=np.int64), np.asarray(dst_dev, dtype=np.int64)
    parts = 1 if mode == "split" else max(1, qps)
    flow = np.repeat(np.arange(n, dtype=np.int64), parts)
    sub = np.tile(np.arange(parts, dtype=np.int64), n)
    amount = np.asarray(bytes_, dtype=np.float64)[flow] / parts
    flow, sub = flow[src[flow] != dst[flow]], sub[src[flow] != dst[flow]]
    amount = np.asarray(bytes_, dtype=np.float64)[flow] / parts
    label = mix((flow * parts + sub).astype(np.uint64), seed)
    legs = _attach(fabric, graph, network, src[flow], dst[flow])
    walk = _choose(legs, len(flow), amount, label, sub, mode)
    np.add.at(load, legs.out[walk.leg][legs.out[walk.leg] >= 0], walk.amount[legs.out[walk.leg] >= 0])
    np.add.at(load, legs.back[walk.leg][legs.back[walk.leg] >= 0], walk.amount[legs.back[walk.leg] >= 0])
    a, b = legs.a[walk.leg], legs.b[walk.leg]
    apart = a != b
    if mode == "split":
        _split(fabric, network, graph, a[apart], b[apart], walk.amount[apart], load)
    else:
        turn = turns(a[apart]) if mode == "pinned" else None
        _walk(graph, a[apart], b[apart], walk.amount[apart], label[walk.flow[apart]], turn, load)
    hops = np.zeros(n, dtype=np.int32)
    hops[flow[walk.flow]] = legs.hops[walk.leg]
    lost = src != dst
    lost[flow[walk.flow]] = False
    return Spread(load, hops, lost)


@dataclass(frozen=True, slots=True)
class _Legs:
    """Ways of sub-flows: ``flow`` sub-flow, ``a``/``b`` first and last switch node, ``out``/``back`` directed
    cable of an end
    point (-1 when it is a switch), ``hops``. Shortest ones only, sorted by sub-flow.
    """

    flow: I64
    a: I64
    b: I64
    out: I64
    back: I64
    hops: I64


@dataclass(frozen=True, slots=True)
class _Walk:
    leg: I64
    flow: I64
    amount: F64


def _attach(fabric: Fabric, graph: SwitchGraph, network: str, src: I64, dst: I64) -> _Legs:
    flow = np.arange(len(src), dtype=np.int64)
    side, a, out = _cables(fabric, graph, network, src, True)
    other, b, back = _cables(fabric, graph, network, dst, False)
    per_dst = np.bincount(other, minlength=len(src))
    ptr = np.concatenate(([0], np.cumsum(per_dst))).astype(np.int64)
    at, pick = expand(ptr, flow[side])
    flow, a, out, b, back = flow[side][at], a[at], out[at], b[pick], back[pick]
    known = (graph.column[graph.cls[a]] >= 0) & (graph.column[graph.cls[b]] >= 0)
    hops = np.where(a == b, 0, np.where(known, graph.hops(graph.cls[a], graph.cls[b]), FAR))
    good = hops < FAR
    flow, a, out, b, back, hops = flow[good], a[good], out[good], b[good], back[good], hops[good]
    best = np.full(len(src), FAR, dtype=np.int64)
    np.minimum.at(best, flow, hops)
    near = hops == best[flow]
    ends = (out >= 0).astype(np.int64) + (back >= 0)
    return _Legs(flow[near], a[near], b[near], out[near], back[near], (hops + ends)[near])


def _cables(fabric: Fabric, graph: SwitchGraph, network: str, device: I64, leaving: bool) -> tuple[I64, I64, I64]:
    """(sub-flow, switch node, directed cable or -1) for each way on or off the network, sorted by sub-flow."""
    node = graph.node[device].astype(np.int64)
    if (node >= 0).all():
        return np.arange(len(device), dtype=np.int64), node, np.full(len(device), -1, dtype=np.int64)
    code = fabric.networks.index(network) if network in fabric.networks else -1
    link = np.flatnonzero((fabric.network == code) & (fabric.rate > 0))
    a, b = fabric.a_dev[link].astype(np.int64), fabric.b_dev[link].astype(np.int64)
    down, up = graph.node[a] >= 0, graph.node[b] >= 0
    first, second = up & ~down, down & ~up
    owner = np.concatenate((a[first], b[second]))
    switch = np.concatenate((graph.node[b[first]], graph.node[a[second]])).astype(np.int64)
    forward = np.concatenate((2 * link[first], 2 * link[second] + 1)).astype(np.int64)
    cable = forward if leaving else forward ^ 1
    own = np.flatnonzero(graph.node >= 0).astype(np.int64)
    owner = np.concatenate((owner, own))
    switch = np.concatenate((switch, graph.node[own].astype(np.int64)))
    cable = np.concatenate((cable, np.full(len(own), -1, dtype=np.int64)))
    order = np.argsort(owner, kind="stable")
    ptr = np.searchsorted(owner[order], np.arange(len(graph.node) + 1)).astype(np.int64)
    at, pick = expand(ptr, device)
    return at, switch[order][pick], cable[order][pick]


def _choose(legs: _Legs, n: int, amount: F64, label: U64, sub: I64, mode: str) -> _Walk:
    ways = np.bincount(legs.flow, minlength=n)
    if mode == "split":
        every = np.arange(len(legs.flow), dtype=np.int64)
        return _Walk(every, legs.flow, amount[legs.flow] / ways[legs.flow])
    some = np.flatnonzero(ways > 0)
    first = np.cumsum(ways) - ways
    if mode == "pinned":
        pick = sub[some] % ways[some]
    else:
        pick = (mix(label[some], 77) % ways[some].astype(np.uint64)).astype(np.int64)
    return _Walk((first[some] + pick).astype(np.int64), some.astype(np.int64), amount[some])


def _split(fabric: Fabric, network: str, graph: SwitchGraph, a: I64, b: I64, amount: F64, load: F64) -> None:
    """Equal split at every switch, added to ``load`` in place."""
    if len(a) == 0:
        return
    q, n = graph.n_classes, len(graph.cls)
    ca, cb = graph.cls[a], graph.cls[b]
    pairs, pair_of = np.unique(ca * q + cb, return_inverse=True)
    degree = (graph.ptr[1:] - graph.ptr[:-1])[graph.cls]
    base = np.cumsum(degree) - degree
    cables = graph.cables.astype(np.float64)
    size = graph.size.astype(np.float64)
    top = np.repeat(np.arange(q), graph.ptr[1:] - graph.ptr[:-1])
    total = np.bincount(pair_of, amount, len(pairs))
    middle = np.zeros(len(graph.to))
    first, last = np.zeros(int(degree.sum())), np.zeros(int(degree.sum()))
    ends = [(*_mass(near, pair_of, amount), stage, out) for near, stage, out in ((a, 1, first), (b, 2, last))]
    done = 0
    for table in shares_of(fabric, network, graph, pairs):
        row = np.repeat(np.arange(len(table.pair)), table.ptr[1:] - table.ptr[:-1]) + done
        mid = table.stage == 0
        edge = table.edge[mid]
        per_cable = total[row[mid]] * table.share[mid] / (size[top[edge]] * cables[edge])
        middle += np.bincount(edge, per_cable, len(middle))
        for node, pair, mass, stage, out in ends:
            lo, hi = np.searchsorted(pair, (done, done + len(table.pair)))
            picked = table.stage == stage
            ptr = np.concatenate(([0], np.cumsum(picked)))[table.ptr].astype(np.int64)
            entry, at = expand(ptr, pair[lo:hi] - done)
            edge, who = table.edge[picked][at], node[lo:hi][entry]
            own = edge if stage == 1 else graph.rev[edge]
            place = base[who] + own - graph.ptr[graph.cls[who]]
            out += np.bincount(place, mass[lo:hi][entry] * table.share[picked][at] / cables[own], len(out))
        done += len(table.pair)
    s, d, e = graph.src, graph.dst, graph.edge
    load[graph.link] += (
        first[base[s] + e - graph.ptr[graph.cls[s]]]
        + middle[e]
        + last[base[d] + graph.rev[e] - graph.ptr[graph.cls[d]]]
    )
    beside = graph.hops(ca, cb) == 1
    if beside.any():
        want, back = np.unique(a[beside] * n + b[beside], return_inverse=True)
        mass = np.bincount(back, amount[beside], len(want)).astype(np.float64)
        have = s * n + d
        at = np.minimum(np.searchsorted(want, have), len(want) - 1)
        hit = want[at] == have
        load[graph.link[hit]] += mass[at[hit]] * size[graph.cls[d[hit]]] / cables[e[hit]]


def _mass(near: I64, pair: I64, amount: F64) -> tuple[I64, I64, F64]:
    """(node, pair, bytes) of each pair's end nodes, sorted by pair."""
    nodes = int(near.max()) + 1
    key, back = np.unique(pair * nodes + near, return_inverse=True)
    return key % nodes, key // nodes, np.bincount(back, amount, len(key)).astype(np.float64)


def _walk(graph: SwitchGraph, at: I64, goal: I64, amount: F64, label: U64, turn: I64 | None, load: F64) -> None:
    """One path per sub-flow, chosen hop by hop, added to ``load`` in place."""
    for who, link in walk(graph, at, goal, label, turn):
        load += np.bincount(link, amount[who], len(load))


def walk(graph: SwitchGraph, at: I64, goal: I64, label: U64, turn: I64 | None) -> Iterator[tuple[I64, I64]]:
    """Hop by hop (sub-flow, directed link) of one path per sub-flow between switch nodes ``at`` and ``goal``, which are
    joined: by hash of ``label``, or in turn where ``turn`` gives each sub-flow's number at its first switch.
    """
    q = graph.n_classes
    who = np.flatnonzero(at != goal)
    at, goal, label = at[who], goal[who], label[who]
    turn = None if turn is None else turn[who]
    step = 0
    while len(at):
        pairs, row = distinct(graph.cls[at] * q + graph.cls[goal], q * q)
        here, target = pairs // q, pairs % q
        left = graph.hops(here, target)
        entry, edge = onward(graph, here, target, left)
        parallel = graph.cables[edge] // graph.size[graph.to[edge]]  # cables to one member, where all are joined to all
        width = np.where(left[entry] == 1, parallel, graph.cables[edge])
        ways = np.bincount(entry, width, len(pairs)).astype(np.int64)
        limit = np.cumsum(width)
        first = np.cumsum(ways) - ways
        if turn is None:
            draw = mix(label + np.uint64(step * 0x9E37), at.astype(np.uint64))
            pick = (draw % np.maximum(ways[row], 1).astype(np.uint64)).astype(np.int64)
        else:
            # the next switch deals by where the flow came from, so that its neighbours' flows do not follow each other
            pick, turn = turn % ways[row], turn // ways[row] + graph.rank[at]
        slot = np.searchsorted(limit, first[row] + pick, side="right")
        place = pick + first[row] - (limit - width)[slot]
        end = left[row] == 1
        cable = graph.start[at] + graph.skip[edge[slot]] + place + np.where(end, graph.rank[goal] * parallel[slot], 0)
        yield who, graph.link[cable]
        go = ~end
        who, at, goal, label = who[go], graph.dst[cable[go]], goal[go], label[go]
        turn = turn[go] if turn is not None else None
        step += 1


def distinct(key: I64, space: int) -> tuple[I64, I64]:
    """Sorted distinct keys (all in 0 .. space - 1) and the place of each key among them."""
    if space > 16 * len(key) + 1024:
        found, place = np.unique(key, return_inverse=True)
        return found, place.reshape(-1)
    seen = np.zeros(space, dtype=bool)
    seen[key] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[key]


def turns(at: I64) -> I64:
    """Running number of each sub-flow among those of its first switch."""
    order = np.argsort(at, kind="stable")
    ordered = at[order]
    starts = (
        np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        if len(at)
        else np.zeros(0, dtype=np.int64)
    )
    out = np.empty(len(at), dtype=np.int64)
    counts = np.diff(np.concatenate((starts, [len(at)])))
    out[order] = np.arange(len(at)) - np.repeat(starts, counts)
    return out


def mix(x: U64, salt: U64 | int) -> U64:
    """A 64-bit mixing function (splitmix64, Steele et al. 2014)."""
    with np.errstate(over="ignore"):
        z = x + (np.asarray(salt, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        out: U64 = z ^ (z >> np.uint64(31))
    return out
