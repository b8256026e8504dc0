"""Load on links by hand: rings, trees, in-switch reduction, all-to-all, lost links, oversubscription."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.performance.direct import all_to_all_loads
from fabricwright.performance.flows import Loads
from fabricwright.performance.layout import lay_out
from fabricwright.performance.nvls import nvls_loads
from fabricwright.performance.pair_flows import pair_loads
from fabricwright.performance.peer_ports import keeps_rails
from fabricwright.performance.ring import ring_loads
from fabricwright.performance.tree import double_tree, tree_loads, tree_wire
from fabricwright.performance.wires import leaf_loads
from fabricwright.topology.model import LinkKind
from fabricwright.units.errors import UserError

from . import samples
from .samples import GB


def nv(layout, loads, gpu=0, out=True, row=0):
    links = layout.classes[0].interior.links
    index = next(
        i
        for i, link in enumerate(links)
        if link.kind is LinkKind.NVLINK and (link.src if out else link.dst) == f"gpu{gpu}"
    )
    return loads.inside[row, index]


def test_ring_between_servers():
    # 4 servers, 8 rails: each rail carries 1/8 of the ring, out and in
    layout = lay_out(samples.clos(samples.nvlink_server(), 4, per_leaf=4, spines=4))
    loads = ring_loads(layout)
    assert loads.wire[layout.out_wire] == pytest.approx(1 / 8)
    assert loads.wire[layout.in_wire] == pytest.approx(1 / 8)
    assert loads.wire[~layout.is_port] == pytest.approx(0)  # one unit of servers: nothing climbs to the spines


def test_ring_climbs_only_where_it_leaves_a_unit():
    # 4 servers in two units of 2: of the 4 edges of each rail ring, 1-2 and 3-0 change the unit
    cluster = samples.clos(samples.nvlink_server(), 4, per_leaf=2, spines=4)
    loads = ring_loads(lay_out(cluster))
    up = loads.wire[2 * 32 :: 2]  # 32 server cables come first
    assert up.sum() == pytest.approx(2)  # 2 edges x 8 rails x 1/8, each spread over 4 spines
    assert up[up > 0] == pytest.approx(1 / 8 / 4)


def test_two_servers_send_a_tree_once():
    # each server is root of one tree: 1/2 of the buffer leaves upwards in one, 1/2 downwards in the other
    layout = lay_out(samples.clos(samples.nvlink_server(), 2, per_leaf=2, spines=1))
    wire = tree_wire(layout)
    assert wire[layout.out_wire].sum(axis=1) == pytest.approx([1, 1])


@pytest.mark.parametrize("k", [4, 5, 8, 13, 32])
def test_more_servers_send_a_tree_twice(k):
    layout = lay_out(samples.clos(samples.nvlink_server(), k, per_leaf=32, spines=1))
    out = tree_wire(layout)[layout.out_wire].sum(axis=1)
    assert out.max() == pytest.approx(2)  # inner in one tree (1/2 up, 2 x 1/2 down), leaf in the other (1/2 up)
    assert out.sum() == pytest.approx(2 * (k - 1))  # 2 trees x (k-1) edges x 1/2 x both ways


@given(st.integers(1, 300))
@settings(max_examples=60, deadline=None)
def test_double_tree_is_two_trees_with_at_most_two_children(k):
    for tree in double_tree(k):
        assert (tree.parent < 0).sum() == 1
        assert tree.children.max(initial=0) <= 2
        position = np.arange(k)
        for _ in range(12):  # everybody reaches the root
            position = np.where(tree.parent[position] >= 0, tree.parent[position], position)
        assert len(set(position.tolist())) == 1
    first, second = double_tree(k)
    inner = (first.children > 0) & (second.children > 0)
    assert inner.sum() <= 2  # inner in one, leaf in the other (one exception at each root)


def test_nccl_tree_of_eight():
    # src/graph/trees.cc draws: 0 - 4, 4 - (2, 6), 2 - (1, 3), 6 - (5, 7)
    assert double_tree(8)[0].parent.tolist() == [-1, 2, 4, 2, 0, 6, 4, 6]


def test_nvls_sends_the_buffer_and_an_eighth():
    layout = lay_out(samples.clos(samples.nvlink_server(), 1, per_leaf=1, spines=1))
    loads = nvls_loads(layout)
    assert nv(layout, loads) == pytest.approx(1 + 1 / 8)
    assert nv(layout, loads, out=False) == pytest.approx(1 + 1 / 8)


def test_tree_chain_inside_loads_each_gpu_seven_quarters():
    # a chain of 8: both neighbours up and down, the ends one; rotated over 8 rails: 2 x 7/8 per GPU
    layout = lay_out(samples.clos(samples.nvlink_server(), 2, per_leaf=2, spines=1))
    loads = tree_loads(layout, tree_wire(layout))
    total = sum(nv(layout, loads, gpu, row=0) for gpu in range(8))
    # 7 chain edges both ways; with two servers there is no second child whose bytes a second GPU would hand on
    assert total == pytest.approx(2 * 7)


def test_all_to_all_uses_the_receivers_rail():
    # 2 servers x 8: every GPU sends 8/16 of the buffer to the other server;
    # each rail takes the 8 GPUs' part for one receiver
    layout = lay_out(samples.clos(samples.nvlink_server(), 2, per_leaf=1, spines=4))
    assert keeps_rails(layout)
    loads = all_to_all_loads(layout)
    assert loads.wire[layout.out_wire] == pytest.approx(8 / 16)
    # inside: 7/16 to local GPUs; 7 of 8 rails are reached over NVLink: 7/16 more
    assert nv(layout, loads) == pytest.approx(14 / 16)
    assert nv(layout, loads, out=False) == pytest.approx(14 / 16)


def brute_force(layout) -> np.ndarray:
    """All rank pairs one by one, rail of the receiver."""
    n, g = layout.n, 8
    amount = np.zeros((layout.k, layout.k, g))
    for s in range(layout.k):
        for t in range(layout.k):
            if s != t:
                amount[s, t, :] = g / n
    s, t, p = np.nonzero(amount)
    return leaf_loads(layout, layout.leaf[s, p], layout.leaf[t, p], amount[s, t, p])


@pytest.mark.parametrize(("servers", "per_leaf"), [(6, 2), (7, 3), (5, 1)])
def test_all_to_all_equals_every_pair_routed_on_its_own(servers, per_leaf):
    cluster = samples.clos(samples.nvlink_server(), servers, per_leaf, spines=3)
    layout = lay_out(cluster)
    fabric = all_to_all_loads(layout).wire[~layout.is_port]
    assert fabric == pytest.approx(brute_force(layout)[~layout.is_port])


def test_all_to_all_on_an_irregular_fabric():
    cluster = samples.clos(samples.nvlink_server(), 6, 2, spines=3)
    cluster.fabric.rate[-2:] = 0  # two uplinks of the last leaf are cut: it is no twin any more
    layout = lay_out(cluster)
    fabric = all_to_all_loads(layout).wire[~layout.is_port]
    assert fabric == pytest.approx(brute_force(layout)[~layout.is_port])
    assert fabric[-4:] == pytest.approx(0)


def test_neighbours_leave_a_server_once():
    layout = lay_out(samples.clos(samples.nvlink_server(), 3, per_leaf=4, spines=1))
    rank = np.arange(layout.n)
    loads = pair_loads(layout, rank, np.roll(rank, -1))
    assert loads.wire[layout.is_port].sum() == pytest.approx(
        2 * 3
    )  # one send per server, its wire out and the next's in
    assert loads.inside.shape[0] == 1  # all servers do the same


def test_a_missing_uplink_doubles_another():
    cluster = samples.clos(samples.nvlink_server(), 4, per_leaf=4, spines=2)
    cluster.uplink[2, 3] = -1
    layout = lay_out(cluster)
    out = ring_loads(layout).wire[np.where(layout.out_wire[2] >= 0, layout.out_wire[2], 0)]
    assert sorted(out[np.arange(8) != 3].tolist()) == pytest.approx([1 / 8] * 6 + [2 / 8])
    assert len(layout.classes) == 2


def test_sum_of_loads_refines_rows():
    a = Loads(np.array([0, 0, 1]), np.array([[1.0], [2.0]]), np.zeros(2))
    b = Loads(np.array([0, 1, 1]), np.array([[10.0], [20.0]]), np.ones(2))
    both = a.plus(b)
    assert both.inside[both.row, 0].tolist() == [11, 21, 22]
    assert both.wire.tolist() == [1, 1]


def test_servers_without_cable_are_named():
    cluster = samples.clos(samples.nvlink_server(), 4, per_leaf=4, spines=2)
    cluster.uplink[1] = -1
    with pytest.raises(UserError, match=r"node\[1\] take part but have no port cabled"):
        lay_out(cluster)


def test_a_fabric_in_two_parts_is_named():
    cluster = samples.clos(samples.nvlink_server(), 4, per_leaf=2, spines=1)
    cluster.fabric.rate[32:] = 0
    with pytest.raises(UserError, match=r"network is cut: ranks 0-15 \(node\[0\], node\[1\]\) and ranks 16-31"):
        ring_loads(lay_out(cluster))


def test_slow_port_gets_less():
    # a 400G and a 200G port: two thirds and one third of the bytes
    inner = samples.nvlink_server(nics=2)
    inner.port_rate[:] = [50 * GB, 25 * GB]
    assert lay_out(samples.clos(inner, 2, 2, 1)).shares == pytest.approx([2 / 3, 1 / 3])
