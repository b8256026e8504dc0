"""Groups that run at once inside one server: what they share by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fabricwright.performance.training.beside import groups_beside
from fabricwright.performance.training.groups import Groups
from fabricwright.topology.constants import SOCKET_RATE_AMD_GEN5
from tests.performance.test_behaviour import cards

SIZE = float(1 << 30)
PAIRED = (1, 5, 2, 6, 3, 7, 4, 8)
"""Seats by rank: every pair of neighbours lies across the sockets."""


def test_pairs_across_the_sockets_share_the_link_between_them() -> None:
    """Each of four pairs sends its whole buffer both ways over the one link: 4 x 1 GiB / its rate, or more; neighbours
    on one socket do not use it."""
    across = Groups(cards("pcie-8dw-cpu-direct", PAIRED)).exchange("all_reduce", 1, 2, SIZE)
    near = Groups(cards("pcie-8dw-cpu-direct", range(1, 9))).exchange("all_reduce", 1, 2, SIZE)
    least = 4 * SIZE / SOCKET_RATE_AMD_GEN5
    assert least <= across.time_s < 1.5 * least
    assert near.time_s < across.time_s
    assert across.label is not None and across.label.english() == "socket link cpu0-cpu1"
    assert across.low_s < across.time_s < across.high_s


def test_one_pair_alone_has_the_link_for_itself() -> None:
    alone = Groups(cards("pcie-8dw-cpu-direct", (1, 5))).exchange("all_reduce", 1, 2, SIZE)
    assert alone.time_s < 1.5 * SIZE / SOCKET_RATE_AMD_GEN5


def test_groups_of_one_kind_on_a_server() -> None:
    cluster = cards("pcie-8dw-cpu-direct", range(1, 9))
    pairs = groups_beside(cluster, np.array([2, 3]), 1)
    assert [ranks.tolist() for ranks in pairs] == [[0, 1], [4, 5], [6, 7]]
    apart = groups_beside(cluster, np.array([0, 4]), 4)
    assert [ranks.tolist() for ranks in apart] == [[1, 5], [2, 6], [3, 7]]


@pytest.mark.parametrize("collective", ["all_gather", "reduce_scatter", "all_to_all"])
def test_more_groups_never_make_one_faster(collective: str) -> None:
    eight = Groups(cards("pcie-8dw-cpu-direct", PAIRED))
    four = Groups(cards("pcie-8dw-cpu-direct", PAIRED[:4]))
    assert eight.exchange(collective, 1, 2, SIZE).time_s >= four.exchange(collective, 1, 2, SIZE).time_s * (1 - 1e-9)
