"""Loads of many flows against a hop-by-hop reference on small fabrics, regular and broken."""

from __future__ import annotations

from collections import defaultdict, deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.design.values import Item, Link
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.model import Fabric
from fabricwright.topology.routes import example_route, switch_graph
from fabricwright.topology.spread import spread
from tests.topology.samples import deal, fabric, mesh, rail_fabric, template


def reference(compiled: Fabric, src: list[int], dst: list[int], amount: list[float]) -> tuple[np.ndarray, list[int]]:
    """Equal split over all cables that lead one hop nearer, device by device (breadth-first search from each
    target).
    """
    out: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for k in np.flatnonzero(compiled.rate > 0):
        a, b = int(compiled.a_dev[k]), int(compiled.b_dev[k])
        if compiled.switch[a] and compiled.switch[b]:
            out[a].append((b, 2 * k))
            out[b].append((a, 2 * k + 1))
    load, hops = np.zeros(2 * len(compiled.rate)), []
    for s, d, x in zip(src, dst, amount, strict=True):
        dist = {d: 0}
        queue = deque([d])
        while queue:
            v = queue.popleft()
            for w, _ in out[v]:
                if w not in dist:
                    dist[w] = dist[v] + 1
                    queue.append(w)
        hops.append(dist.get(s, -1))
        here = {s: x} if s in dist else {}
        while here and set(here) != {d}:
            ahead: dict[int, float] = defaultdict(float)
            for v, y in here.items():
                ways = [(w, k) for w, k in out[v] if dist.get(w, 99) == dist[v] - 1]
                for w, k in ways:
                    load[k] += y / len(ways)
                    ahead[w] += y / len(ways)
            here = ahead
    return load, hops


def leafs(compiled: Fabric) -> np.ndarray:
    return np.flatnonzero(compiled.tier == 1)


def pods(n_pods: int, n_leafs: int, n_spines: int, n_cores: int, up: int, top: int):
    items = {
        "node": Item("sheet:node", (("pod", n_pods), ("node", 2))),
        "leaf": Item("qm9700", (("pod", n_pods), ("l", n_leafs))),
        "spine": Item("qm9700", (("pod", n_pods), ("s", n_spines))),
        "core": Item("qm9700", (("s", n_spines), ("core", n_cores))),
    }
    links = {
        "down": Link("node:compute", "leaf:1-16/1-2", deal("pod"), "ib"),
        "up": Link("leaf:17-32/1-2", "spine:1-16/1-2", mesh(up, "pod"), "ib"),
        "top": Link(f"spine:17-{16 + top}/1", "core:1-32/1-2", deal("s"), "ib"),
    }
    return fabric(items, links)


@st.composite
def broken(draw):
    """A small two- or three-tier fabric with some cables and devices down, and some flows between its leafs."""
    if draw(st.booleans()):
        project = rail_fabric(draw(st.integers(1, 2)), 2, draw(st.integers(1, 4)), draw(st.integers(1, 3)))
    else:
        project = pods(
            draw(st.integers(2, 3)), 2, 2, draw(st.integers(1, 3)), draw(st.integers(1, 2)), draw(st.integers(1, 3))
        )
    sizes = {b.link: len(b.rows) for b in compile_cluster(project, "main").fabric.bundles}
    failed = [f"up#{i}" for i in draw(st.lists(st.integers(0, min(sizes["up"], 40) - 1), max_size=4))]
    if "top" in sizes:
        failed += [f"top#{i}" for i in draw(st.lists(st.integers(0, min(sizes["top"], 8) - 1), max_size=3))]
    failed += ["spine[0]"] if draw(st.integers(0, 5)) == 0 else []
    compiled = compile_cluster(project, "main", failed=failed).fabric
    at = leafs(compiled)
    pairs = draw(st.lists(st.tuples(st.integers(0, len(at) - 1), st.integers(0, len(at) - 1)), min_size=1, max_size=30))
    src, dst = [int(at[a]) for a, _ in pairs], [int(at[b]) for _, b in pairs]
    return compiled, src, dst, [float(n + 1) for n in range(len(pairs))]


@given(broken())
@settings(max_examples=60)
def test_equal_split_is_that_of_the_reference(case):
    compiled, src, dst, amount = case
    load, hops = reference(compiled, src, dst, amount)
    got = spread(compiled, np.array(src), np.array(dst), np.array(amount))
    assert got.load == pytest.approx(load)
    assert [(-1 if lost else h) for h, lost in zip(got.hops.tolist(), got.unreachable.tolist(), strict=True)] == hops


@given(broken(), st.sampled_from(["hash", "pinned"]), st.integers(1, 3))
@settings(max_examples=40)
def test_single_paths_are_shortest_and_lose_nothing(case, mode, qps):
    compiled, src, dst, amount = case
    _, hops = reference(compiled, src, dst, amount)
    got = spread(compiled, np.array(src), np.array(dst), np.array(amount), mode, 5, qps)
    assert got.load.sum() == pytest.approx(sum(x * max(h, 0) for x, h in zip(amount, hops, strict=True)))
    assert (got.load[np.repeat(compiled.rate <= 0, 2)] == 0).all()
    # what enters a switch leaves it, but for the leafs' own traffic
    net = np.zeros(len(compiled.absent))
    np.add.at(net, compiled.a_dev, got.load[1::2] - got.load[0::2])
    np.add.at(net, compiled.b_dev, got.load[0::2] - got.load[1::2])
    own = np.zeros(len(net))
    for s, d, x, h in zip(src, dst, amount, hops, strict=True):
        own[s] -= x if h > 0 else 0
        own[d] += x if h > 0 else 0
    assert net == pytest.approx(own)


def test_hash_is_repeatable_and_seeded():
    compiled = compile_cluster(template("superpod-h100-127"), "main").fabric
    at = leafs(compiled)[:32]
    args = (compiled, np.repeat(at, 31), np.concatenate([np.delete(at, i) for i in range(32)]), np.ones(32 * 31))
    one, two = spread(*args, "hash", 1), spread(*args, "hash", 1)
    assert (one.load == two.load).all()
    assert (spread(*args, "hash", 2).load != one.load).any()
    assert spread(*args, "split").load.max() < one.load.max()


def test_rail_traffic_stays_on_its_leaf():
    cluster = compile_cluster(rail_fabric(1, 4, 2, 16), "main")
    ring = np.roll(np.arange(4), -1)
    for rail in range(8):
        got = spread(cluster.fabric, cluster.uplink_leaf[:, rail], cluster.uplink_leaf[ring, rail], np.ones(4))
        assert got.load.sum() == 0 and got.hops.tolist() == [0] * 4 and not got.unreachable.any()


def test_two_tier_loads_by_hand():
    # 2 units x 8 rails, 4 spines, 4 cables to each: 800 bytes leave leaf (0,0) over 16 cables = 50 each, and arrive so
    cluster = compile_cluster(rail_fabric(2, 32, 4, 4), "main")
    compiled = cluster.fabric
    a, b = compiled.offset["leaf"], compiled.offset["leaf"] + 8
    got = spread(compiled, np.array([a]), np.array([b]), np.array([800.0]))
    assert sorted(set(got.load.tolist())) == [0.0, 50.0] and (got.load > 0).sum() == 32
    assert got.hops.tolist() == [2]
    assert switch_graph(compiled, "compute").n_classes == 2


def test_end_points_use_their_own_cables():
    # server to server of one unit: eight rails, each on its own leaf: 1/8 per rail, up and down
    cluster = compile_cluster(rail_fabric(1, 2, 2, 16), "main")
    got = spread(cluster.fabric, cluster.server_dev[:1], cluster.server_dev[1:2], np.array([8.0]))
    assert got.hops.tolist() == [2] and got.load.sum() == 16 and set(got.load.tolist()) == {0.0, 1.0}
    up = cluster.uplink[0, [cluster.interiors[0].net_ports.index(f"nic{i}:1") for i in range(8)]]
    assert got.load[2 * up].tolist() == [1.0] * 8
    for mode in ("hash", "pinned"):
        single = spread(cluster.fabric, cluster.server_dev[:1], cluster.server_dev[1:2], np.array([8.0]), mode)
        assert sorted(single.load[single.load > 0].tolist()) == [8.0, 8.0]


def test_planes_do_not_reach_each_other():
    from fabricwright.design.values import Export

    export = Export(tuple(f"nic{i}:{p}" for i in range(8) for p in (1, 2)), (("rail", 8), ("plane", 2)))
    items = {
        "node": Item("sheet:node", (("su", 2), ("node", 4))),
        "leaf": Item("sn5600", (("plane", 2), ("su", 2), ("rail", 8))),
        "spine": Item("sn5600", (("plane", 2), ("spine", 2))),
    }
    links = {
        "down": Link("node:compute", "leaf:1-32/1-2", deal("plane", "su", "rail")),
        "up": Link("leaf:33-64/1-2", "spine:1-64/1-2", mesh(4, "plane")),
    }
    compiled = compile_cluster(fabric(items, links, "hgx-b300-8sxm", export), "main").fabric
    first = compiled.offset["leaf"]
    got = spread(compiled, np.array([first, first]), np.array([first + 8, first + 16]), np.ones(2))
    assert got.unreachable.tolist() == [False, True]
    assert example_route(compiled, "compute", first, first + 16) is None
    assert len(example_route(compiled, "compute", first, first + 8) or []) == 2


def test_nothing_to_route():
    compiled = compile_cluster(template("single-8gpu"), "main").fabric
    assert spread(compiled, np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32), np.zeros(0)).load.shape == (0,)
    lone = compile_cluster(rail_fabric(1, 2, 2, 16), "main").fabric
    got = spread(lone, np.array([0]), np.array([1]), np.ones(1), network="storage")
    assert got.unreachable.tolist() == [True]
