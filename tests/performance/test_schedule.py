"""Rounds of the textbook algorithms, by hand."""

import numpy as np
import pytest

from fabricwright.performance import schedule
from fabricwright.performance.schedule import Partner, Round


@pytest.mark.parametrize("n", [2, 3, 8, 2048])
def test_ring_sends_each_byte_almost_twice(n):
    # reduce-scatter and all-gather: n-1 steps of 1/n each
    plan = schedule.ring("all_reduce", n)
    assert plan.steps == 2 * (n - 1)
    assert plan.bytes_out == pytest.approx(2 * (n - 1) / n)
    assert schedule.ring("all_gather", n).bytes_out == pytest.approx((n - 1) / n)


def test_halving_doubling_of_eight():
    # halves: 1/2 + 1/4 + 1/8 = 7/8, and back
    plan = schedule.halving_doubling("all_reduce", 8)
    assert [r.distance for r in plan.rounds] == [1, 2, 4, 4, 2, 1]
    assert plan.bytes_out == pytest.approx(2 * 7 / 8)


def test_broadcast_reaches_everybody():
    holders = {0}
    for round_ in schedule.binomial("broadcast", 11).rounds:
        src, dst = round_.pairs(11)
        assert holders.issuperset(src.tolist())
        holders |= set(dst.tolist())
    assert holders == set(range(11))
    assert len(schedule.binomial("broadcast", 11).rounds) == 4  # ceil(log2 11)


def test_exchange_is_symmetric():
    src, dst = Round(1, 0.5, Partner.EXCHANGE, 4).pairs(16)
    assert {(a, b) for a, b in zip(src, dst, strict=True)} == {(b, a) for a, b in zip(src, dst, strict=True)}
    assert (np.abs(src - dst) == 4).all()


def test_pairwise_meets_everybody_once():
    met = {tuple(p) for r in schedule.pairwise("all_to_all", 5).rounds for p in zip(*r.pairs(5), strict=True)}
    assert len(met) == 5 * 4
