"""In which order GPUs are visited and who talks to the NIC."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from fabricwright.performance.interior_order import chain, channels, closed_ring, direct_mesh, members, nested

from . import samples


def interior(name, design=""):
    return samples.compiled(name, design).interiors[0]


def crossings(order, group, closed):
    pairs = itertools.pairwise([*order, order[0]] if closed else order)
    return sum(group(a) != group(b) for a, b in pairs)


def test_two_switches_are_visited_one_after_the_other():
    inner = interior("pcie-8gpu-switch", "p2p-sys")
    order = closed_ring(inner, range(8)).order
    assert sorted(order) == list(range(8))
    assert crossings(order, lambda g: g // 4, closed=True) == 2  # once there, once back


def test_cards_and_sockets_are_nested():
    # seed A: cards sw0 {0,1}, sw1 {2,3}, sw2 {4,5}, retimers 6 and 7; GPU0-3 on socket 0
    inner = interior("seed-a-256x8")
    tree = nested(inner, range(8))
    assert sorted(members(tree)) == list(range(8))
    order = closed_ring(inner, range(8)).order
    assert crossings(order, lambda g: g // 4, closed=True) == 2
    assert abs(order.index(0) - order.index(1)) == 1 and abs(order.index(4) - order.index(5)) == 1


def test_chain_leaves_and_enters_through_different_cards():
    # the NIC hangs on socket 0 beside sw0 and sw1: with both ends behind one card its uplink would carry twice
    inner = interior("seed-a-256x8")
    for channel in channels(inner, range(8), (0, 1), 2):
        first, last = channel.order[0], channel.order[-1]
        assert {first, last} <= {0, 1, 2, 3}
        assert first // 2 != last // 2
        assert crossings(channel.order, lambda g: g // 4, closed=False) == 2


def test_gpu_beside_the_nic_receives():
    inner = samples.nvlink_server()
    for port, channel in enumerate(channels(inner, range(8), tuple(range(8)), 8)):
        assert channel.in_port == channel.out_port == port
        assert channel.order[0] == port
        assert sorted(channel.order) == list(range(8))


def test_a_lost_port_is_taken_over_by_another():
    inner = samples.nvlink_server()
    found = channels(inner, range(8), (0, 1, 2, 4, 5, 6, 7), 8)
    assert [c.in_port for c in found] == [0, 1, 2, 4, 5, 6, 7, 0]


def test_switched_domains_are_no_mesh():
    assert direct_mesh(samples.nvlink_server(), range(8)) == {}


@given(st.permutations(range(6)), st.data())
def test_chain_visits_all_between_its_ends(order, data):
    tree = [[order[0], [order[1], order[2]]], [order[3]], [order[4], order[5]]]
    first = data.draw(st.integers(0, 5))
    last = data.draw(st.integers(0, 5).filter(lambda g: g != first))
    found = chain(tree, first, last)
    assert sorted(found) == list(range(6))
    assert found[0] == first and found[-1] == last


def test_without_pxn_a_channel_leaves_through_its_neighbours_nic():
    # the last GPU of a channel has no near way back to the NIC it came in by: NCCL's crossNic
    inner = samples.nvlink_server(pxn=False)
    found = channels(inner, range(8), tuple(range(8)), 8)
    assert [c.in_port for c in found] == list(range(8))
    assert sorted(c.out_port for c in found) == list(range(8))
    assert all(c.out_port != c.in_port and c.order[-1] == c.out_port for c in found)


def test_a_mesh_is_used_evenly():
    # 8 GPUs, 7 links each: rings together put 1/7 of a byte on each of the 56 directed links
    ring = closed_ring(samples.mesh_server(), range(8))
    assert len(ring.edges) == 56
    assert {round(e.share * 7, 9) for e in ring.edges} == {1.0}
