"""Headroom, buffers and thresholds of lossless Ethernet, against SONiC's tables and by hand."""

from __future__ import annotations

import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.topology.buffers import (
    TABLES,
    buffer_use,
    ecn_plan,
    headroom,
    pause_threshold,
)
from fabricwright.topology.roce import dscp_map, payload_of, priorities, priority_of

PART_OF = {"sn3700_sn4700": "sn4700", "sn5600": "sn5600", "sn5640": "sn5640", "arista_7060x6": "dcs-7060x6-64pe"}


@pytest.mark.parametrize("table", sorted(PART_OF))
def test_tabulated_speeds_and_lengths_equal_the_tables(table: str) -> None:
    part = catalogue().get(PART_OF[table])
    rows = catalogue().table("pfc_headroom")[table]
    for speed, by_length in rows.items():
        for length, value in by_length.items():
            found = headroom(part, PART_OF[table], float(speed.removesuffix("G")), float(length.removesuffix("m")))
            assert (found.bytes, found.method, found.estimate) == (value, "sonic", False), (speed, length)


def test_every_table_is_reachable() -> None:
    assert {table for table, _ in TABLES.values()} == set(catalogue().table("pfc_headroom"))


def test_between_rows_the_longer_one_counts() -> None:
    part = catalogue().get("sn5600")
    assert headroom(part, "sn5600", 800, 12).bytes == 362_496
    assert headroom(part, "sn5600", 800, 2).bytes == 257_024
    # beyond 300 m the slope of the last two rows: (1,150,976 - 362,496) / 260 m = 3,032.6 B/m
    far = headroom(part, "sn5600", 800, 400)
    assert far.bytes == pytest.approx(1_150_976 + 100 * 788_480 / 260) and far.estimate


def test_sum_of_802_1qbb_by_hand() -> None:
    """100G, 40 m: 2 x 200 ns x 100 = 40,000 bits + 672 + 2 x 73,888 + 122,880 + 201,728 = 513,056 bits = 64,132 B."""
    found = headroom(None, "", 100, 40)
    assert (found.bytes, found.method, found.estimate) == (64_132, "802.1qbb", False)
    # a table is there, the sum is asked for: the same
    assert headroom(catalogue().get("sn5600"), "sn5600", 100, 40, method="802.1qbb") == found
    # 1500 B frames: 2 x (73,888 - 12,160) bits less; 500 ns until a pause counts: 50,000 instead of 201,728 bits
    assert headroom(None, "", 100, 40, mtu=1500).bytes == 64_132 - 2 * (73_888 - 12_160) / 8
    assert headroom(None, "", 100, 40, delay_ns=500).bytes == 64_132 - (201_728 - 50_000) / 8
    assert headroom(None, "", 400, 40).estimate


def test_sn5600_with_64_ports_of_800g() -> None:
    """64 x 362,496 B = 23.2 MB of 158 MB; three classes at 300 m: 64 x 1,150,976 x 3 = 221 MB."""
    part = catalogue().get("sn5600")
    use = buffer_use(part, "sn5600", [(800, 40, 64)])
    assert use.headroom == 23_199_744 and use.buffer == 158_229_504
    assert (use.pool, use.estimate) == (158_229_504 - 23_199_744, False)
    many = buffer_use(part, "sn5600", [(800, 300, 64)], classes=3)
    assert many.headroom == 64 * 1_150_976 * 3 > many.buffer and many.pool == 0
    # 65 shares of the pool: 135,029,760 / (1 + 64)
    assert pause_threshold(use) == pytest.approx(135_029_760 / 65)


def test_marks_come_before_pauses() -> None:
    plan = ecn_plan(40, 1024, 1e6)
    assert (plan.kmin, plan.kmax, plan.pmax) == (5_000, 200_000, 0.01)  # the paper's own
    fast = ecn_plan(400, 9216, 10e6)
    assert (fast.kmin, fast.kmax) == (50_000, 2_000_000)
    tight = ecn_plan(800, 9216, 1e6)
    assert tight.kmin < tight.kmax == 750_000 < tight.xoff


def test_words_of_quality_of_service() -> None:
    assert priorities("3, 4") == (3, 4) and priorities(3) == (3,) and priorities(None) == priorities(True) == ()
    assert dscp_map("26:3, 48:6") == {26: 3, 48: 6} and dscp_map("") is None
    assert priority_of(26, None) == 3 and priority_of(26, {26: 5}) == 5
    assert [payload_of(n) for n in (9000, 4200, 1500, 300)] == [4096, 4096, 1024, 256]
