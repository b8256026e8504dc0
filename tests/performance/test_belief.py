"""NCCL's tuner by hand, from its published constants (NVIDIA/nccl v2.30 src/graph/tuning.cc)."""

import math

import numpy as np
import pytest

from fabricwright.performance.belief import Tuner
from fabricwright.performance.layout import lay_out
from fabricwright.performance.plans import PlanBook
from fabricwright.performance.predict import PredictRequest, predict, prepare
from fabricwright.topology.model import Interior

from . import samples
from .samples import GB

MIB, GIB = 1 << 20, 1 << 30


def counted(interior: Interior, nvlink: float) -> Interior:
    """The same server with the rate that NCCL counts for its NVLink ports."""
    links = tuple(
        type(link)(link.name, link.src, link.dst, link.kind, link.rate, nvlink, link.latency_s)
        if link.name.endswith(":nv")
        else link
        for link in interior.links
    )
    fields = {name: getattr(interior, name) for name in interior.__dataclass_fields__}
    return Interior(**fields | {"links": links, "nvlink_nccl": np.full(len(interior.gpus), nvlink)})


def hopper(servers=1, **server):
    inner = counted(samples.nvlink_server(**server), 370.8 * GB)
    return PlanBook(lay_out(samples.clos(inner, servers, servers, 1)))


def beliefs(book, collective="all_reduce"):
    prepared = prepare(book, PredictRequest(collective))
    return {(c.costed.plan.algorithm, c.protocol): c.belief for c in prepared.candidates}


def test_ring_inside_one_server():
    # LL: 6.6 + 14 x 0.6 us; min(half of 12 x 30 GB/s, llMaxBw 141) over 2 x 7/8 of the buffer
    found = beliefs(hopper())
    ll, simple = found["ring", "LL"], found["ring", "Simple"]
    assert ll.latency_s == pytest.approx((6.6 + 14 * 0.6) * 1e-6)
    assert ll.seconds_per_byte == pytest.approx(14 / 8 / 141e9)
    assert simple.latency_s == pytest.approx((8.4 + 14 * 3.4) * 1e-6)
    assert simple.seconds_per_byte == pytest.approx(14 / 8 / 360e9)
    assert found["ring", "LL128"].seconds_per_byte == pytest.approx(14 / 8 / (0.92 * 360e9))


def test_in_switch_reduction():
    # eight heads: 370.8 / 8 = 46.35 GB/s each, x 0.85 x 7/8 x 2, eight of them; 25 us
    found = beliefs(hopper())["nvls", "Simple"]
    assert found.latency_s == pytest.approx(25e-6)
    assert found.seconds_per_byte == pytest.approx(14 / 8 / (46.35e9 * 0.85 * 7 / 8 * 2 * 8))


def test_five_gpus_take_nvls_and_four_do_not():
    # five heads at 60 GB/s: 60 x 0.85 x 4/5 x 2 x 5 = 408 > 360; four: 60 x 0.85 x 3/4 x 2 x 4 = 306 < 360
    for gpus, algorithm in ((5, "NVLS"), (4, "Ring")):
        server = counted(samples.nvlink_server(gpus=gpus), 370.8 * GB)
        row = predict(samples.clos(server, 1, 1, 1), PredictRequest(sizes=(8 * GIB,))).rows[0]
        assert row.algorithm == algorithm


def test_tree_between_servers():
    # four servers of eight, eight 400G NICs: ring bus 360 GB/s; Simple: min(0.92 x 360, 8 x 36) x 1/2, 2 x (7 + 2 hops)
    found = beliefs(hopper(4))["tree", "Simple"]
    assert found.latency_s == pytest.approx((8.4 + 2 * (7 * 4.0 + 2 * 14.0)) * 1e-6)
    assert found.seconds_per_byte == pytest.approx(2 / (8 * 36e9))
    # the correction at 1 MiB (2^14 x 64 B) is 0.5: the transfer counts twice
    size = np.array([float(MIB)])
    assert found.seconds(size)[0] == pytest.approx(found.latency_s + 2 * MIB * found.seconds_per_byte)
    assert found.seconds(np.array([8.0 * GIB]))[0] == pytest.approx(found.latency_s + 8 * GIB * found.seconds_per_byte)


def test_ring_over_the_network_counts_a_longer_latency_for_larger_messages():
    # 64 bytes x 8 channels x 32 ranks = 16 KiB: from there x 1.4
    found = beliefs(hopper(4))["ring", "Simple"]
    assert found.slow_from == 64 * 8 * 32
    step = 8.4 + (62 - 6) * 3.4 + 6 * 14.0
    assert found.seconds(np.array([8.0]))[0] == pytest.approx(step * 1e-6, rel=1e-4)
    assert found.seconds(np.array([16384.0]))[0] == pytest.approx(1.4 * step * 1e-6, rel=1e-3)


def test_two_servers_keep_the_ring_where_a_tree_would_be_faster():
    # one 400G NIC for eight GPUs: the tree sends the buffer once, the ring almost twice, but the tuner halves the tree
    book = hopper(2, nics=1)
    assert Tuner(book).bus == pytest.approx(48.0)
    found = beliefs(book)
    assert found["tree", "Simple"].seconds_per_byte == pytest.approx(2 / (0.92 * 48e9))
    assert found["ring", "Simple"].seconds_per_byte == pytest.approx(30 / 16 / 48e9)
    assert predict(book, PredictRequest(sizes=(GIB,))).rows[0].algorithm == "Ring"


def test_no_belief_about_textbook_algorithms():
    prepared = prepare(hopper(4), PredictRequest(algorithm="hierarchical"))
    assert all(c.belief is None for c in prepared.candidates)
    assert math.isfinite(predict(hopper(4), PredictRequest(algorithm="hierarchical")).rows[0].time_s)
