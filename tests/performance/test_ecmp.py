"""Hashed, pinned and sprayed paths: against a Monte-Carlo table, hand calculations, and a brute-force filling."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.performance.ecmp import routed, routing_of
from fabricwright.performance.fair_share import fair_speeds
from fabricwright.performance.flows import Loads
from fabricwright.performance.layout import lay_out
from fabricwright.performance.pair_flows import pair_loads
from fabricwright.performance.plans import PlanBook
from fabricwright.performance.predict import PredictRequest, predict
from fabricwright.performance.ring import ring_loads
from fabricwright.performance.sends import Pattern

from . import samples

GIB = 1 << 30


def one_nic(servers, per_leaf, spines, **stated):
    """Servers with one GPU and one NIC: every send is one flow of 50 GB/s."""
    settings_ = {key.replace("__", "."): value for key, value in stated.items()}
    return samples.clos(samples.nvlink_server(gpus=1, nics=1, gen=0), servers, per_leaf, spines, settings=settings_)


def scattered(m, k, qps=1):
    """m x k servers on one leaf send over m spines (k flows per uplink) to as many servers, each on its own leaf."""
    n = m * k
    cluster = one_nic(2 * n, n, m, ecmp__mode="hash", ecmp__qps=qps)
    fabric = cluster.fabric
    # receivers n .. 2n-1 get leafs of their own: more leafs, each meshed to all spines
    leaf = fabric.offset["leaf"]
    down = [(s, leaf if s < n else leaf + 1 + s - n) for s in range(2 * n)]
    leafs = 1 + n
    up = [(leaf + a, leaf + leafs + b) for a in range(leafs) for b in range(m)]
    count = {"node": 2 * n, "leaf": leafs, "spine": m}
    made = samples.cluster_of(cluster.interiors[0], 2 * n, count, [("down", down), ("up", up)], cluster.settings)
    made.fabric.rate[2 * n :] *= k  # nothing is oversubscribed
    return made


@pytest.mark.parametrize(
    ("m", "k", "slowest", "mean"),
    # collectives.md 3.5: flows hashed uniformly onto m uplinks, k per uplink
    [(8, 1, 0.41, 0.66), (8, 2, 0.50, 0.75), (8, 4, 0.58, 0.82), (16, 1, 0.34, 0.64), (16, 4, 0.52, 0.81)],
)
def test_hashed_flows_meet_the_monte_carlo_table(m, k, slowest, mean):
    layout = lay_out(scattered(m, k))
    n = m * k
    loads = pair_loads(layout, np.arange(n), np.arange(n) + n)
    found = routed(layout, loads, {}).collisions
    assert found is not None and found.flows == n
    assert found.slowest == pytest.approx(slowest, abs=0.05)
    assert found.mean == pytest.approx(mean, abs=0.05)
    assert found.low <= found.slowest <= found.high


def test_more_queue_pairs_collide_less():
    found = []
    for qps in (1, 4, 16):
        layout = lay_out(scattered(8, 1, qps))
        collisions = routed(layout, pair_loads(layout, np.arange(8), np.arange(8) + 8), {}).collisions
        assert collisions is not None
        found.append(collisions.slowest)
    # 4 queue pairs are 4 flows per uplink: the table's .58; 16: .74
    assert found[0] < found[1] < found[2]
    assert found[1] == pytest.approx(0.58, abs=0.06) and found[2] == pytest.approx(0.74, abs=0.06)


def test_rail_traffic_is_not_hashed():
    cluster = samples.clos(samples.nvlink_server(), 4, 4, 2, settings={"ecmp.mode": "hash"})
    layout = lay_out(cluster)
    loads = ring_loads(layout)
    assert routed(layout, loads, {}) is loads


def test_pinned_flows_are_dealt_in_turn():
    # 8 flows of one leaf over 8 uplinks: one each, nothing shared
    cluster = scattered(8, 1)
    cluster = samples.with_settings(cluster, {"ecmp.mode": "pinned"})
    layout = lay_out(cluster)
    found = routed(layout, pair_loads(layout, np.arange(8), np.arange(8) + 8), {}).collisions
    assert found is not None
    assert (found.slowest, found.mean, found.stretch) == pytest.approx((1.0, 1.0, 1.0))


def test_modes_by_medium():
    assert routing_of(lay_out(one_nic(4, 2, 2))).mode == "hash"  # Ethernet states nothing: a hash
    assert routing_of(lay_out(one_nic(4, 2, 2, ecmp__mode="adaptive"))).mode == "split"
    assert routing_of(lay_out(one_nic(4, 2, 2, ecmp__mode="spray"))).mode == "split"
    assert routing_of(lay_out(samples.infiniband(one_nic(4, 2, 2)))).mode == "pinned"
    assert routing_of(lay_out(one_nic(4, 2, 2, ecmp__qps=16))).qps == 16


def test_a_collision_halves_two_of_three_flows():
    # two flows on one link of 50, one alone on another; caps 50: 25, 25, 50
    speed = fair_speeds(np.array([0, 1, 2]), np.array([0, 0, 1]), np.array([50.0, 50.0]), np.ones(3), np.full(3, 50.0))
    assert speed.tolist() == pytest.approx([25, 25, 50])


def test_filling_gives_what_others_leave():
    # link 0 (30): flows 0, 1; link 1 (50): flows 1, 2. Flow 0 and 1 get 15, flow 2 the 35 that are left
    speed = fair_speeds(
        np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1]), np.array([30.0, 50.0]), np.ones(3), np.full(3, 1e9)
    )
    assert speed.tolist() == pytest.approx([15, 15, 35])


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_filling_is_max_min(data):
    flows, links = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 6))
    pairs = {
        (f, link)
        for f in range(flows)
        for link in data.draw(st.sets(st.integers(0, links - 1), min_size=1, max_size=links))
    }
    flow, link = (np.array(x) for x in zip(*sorted(pairs), strict=True))
    capacity = np.array(data.draw(st.lists(st.integers(1, 100), min_size=links, max_size=links)), dtype=float)
    weight = np.array(data.draw(st.lists(st.integers(1, 4), min_size=flows, max_size=flows)), dtype=float)
    cap = np.array(data.draw(st.lists(st.integers(1, 60), min_size=flows, max_size=flows)), dtype=float)
    speed = fair_speeds(flow, link, capacity, weight, cap)
    load = np.bincount(link, (weight * speed)[flow], links)
    assert (load <= capacity * (1 + 1e-6)).all() and (speed <= cap * (1 + 1e-9)).all()
    for f in range(flows):  # at its cap, or among the fastest of a full link of its own: nobody can be given more
        mine = link[flow == f]
        fair = [
            load[e] >= capacity[e] * (1 - 1e-6) and speed[f] >= speed[flow[link == e]].max() * (1 - 1e-6) for e in mine
        ]
        assert speed[f] >= cap[f] * (1 - 1e-9) or any(fair)


def test_all_to_all_counts_its_flows():
    # 2 leafs of 8 one-GPU servers, 4 spines. Uplink: 8 x 8 flows of 1/16 over 4: 1.0 even, deviation
    # sqrt(1.0 x 1/16 x 3/4) = 0.217; 16 loaded links: the largest of 16 normals is 1.77 above the mean (tables)
    layout = lay_out(one_nic(16, 8, 4, ecmp__mode="hash"))
    book = PlanBook(layout)
    plan = book.routed(book.direct("all_to_all"))
    found = plan.phases[0].collisions
    assert found is not None
    assert found.stretch == pytest.approx(1 + 1.77 * 0.2165, abs=0.01)
    # each NIC carries 15/16 of the buffer
    assert found.slowest == pytest.approx(15 / 16 / found.stretch, abs=0.01)
    assert found.low < found.slowest < found.high < found.mean


@pytest.mark.parametrize(("m", "k", "slowest"), [(8, 16, 0.74), (8, 64, 0.85), (32, 16, 0.65), (64, 8, 0.53)])
def test_the_count_meets_the_same_table(m, k, slowest):
    # one leaf sends m x k flows over m uplinks of a port's rate each; the even load is k flows
    layout = lay_out(scattered(m, 1))
    wire = np.zeros(len(layout.wire_rate))
    first_up = 2 * (2 * m)
    wire[first_up : first_up + 2 * m : 2] = 1.0  # uplinks of leaf 0, as much as a port carries
    wire[layout.out_wire[0]] = 1.0
    loads = Loads(layout.group, np.zeros((1, layout.width)), wire, Pattern("x", None, 1.0 / k))
    found = routed(layout, loads, {}).collisions
    assert found is not None and found.slowest == pytest.approx(slowest, abs=0.035)


def test_prediction_tells_the_slowest_flow():
    hashed = one_nic(16, 8, 4, ecmp__mode="hash")
    sprayed = samples.with_settings(hashed, {"ecmp.mode": "adaptive"})
    pairs = samples.with_settings(hashed, {"ecmp.mode": "hash", "ecmp.qps": 16})
    times = [predict(c, PredictRequest("all_to_all", (GIB,))) for c in (sprayed, pairs, hashed)]
    plain, some, one = (p.rows[0].time_s for p in times)
    assert plain < some < one
    shape = times[2].to_json()["rows"][0]["slowest_flow"]
    assert shape["mode"] == "hash" and shape["queue_pairs"] == 1
    assert 0 < shape["low"] <= shape["share"] <= shape["high"] <= shape["mean"] <= 1
    assert times[0].to_json()["rows"][0]["slowest_flow"] is None
    text = " ".join(m.english() for m in times[2].explanation)
    assert "slowest flow" in text and "hash" in text
    assert times[2].to_wire()["rows"][0]["slowest_flow"] == shape


def test_ideal_networks_do_not_hash():
    hashed = samples.clos(samples.nvlink_server(), 16, 8, 8, settings={"ecmp.mode": "hash"})
    sprayed = samples.with_settings(hashed, {"ecmp.mode": "adaptive"})
    request = PredictRequest("all_to_all", (GIB,), network="ideal")
    assert predict(hashed, request).rows[0].time_s == predict(sprayed, request).rows[0].time_s


def test_a_shuffled_ring_collides_and_a_straight_one_does_not():
    # 64 servers of one rail, 16 per leaf, 16 spines: in rank order one flow leaves each leaf
    straight = one_nic(64, 16, 16, ecmp__mode="hash")
    order = np.random.default_rng(1).permutation(64)
    mixed = replace(straight, rank_server=order.astype(np.int32))
    in_order, shuffled = (routed(lay_out(c), ring_loads(lay_out(c)), {}).collisions for c in (straight, mixed))
    assert in_order is not None and shuffled is not None
    assert in_order.slowest == pytest.approx(1.0)
    assert shuffled.slowest < 0.6


def test_heat_is_the_busiest_and_the_mean():
    # links between switches: the busiest is the stretch above the mean of an even split
    cluster = one_nic(16, 8, 4, ecmp__mode="hash")
    hashed = predict(cluster, PredictRequest("all_to_all", (GIB,)))
    even = predict(samples.with_settings(cluster, {"ecmp.mode": "adaptive"}), PredictRequest("all_to_all", (GIB,)))
    stretch = routed_stretch(cluster)
    slower = hashed.rows[0].time_s / even.rows[0].time_s
    assert hashed.heat["up"]["mean"] == pytest.approx(even.heat["up"]["mean"] / slower)
    assert hashed.heat["up"]["max"] == pytest.approx(hashed.heat["up"]["mean"] * stretch)


def routed_stretch(cluster):
    book = PlanBook(lay_out(cluster))
    found = book.routed(book.direct("all_to_all")).phases[0].collisions
    assert found is not None
    return found.stretch
