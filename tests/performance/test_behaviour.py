"""What moving, cutting and switching things does, each with a limit worked out by hand.

All on the ideal network (line rates, no protocol losses), so that the figures are those of the drawing. The other cases
of the same kind: NIC in half a slot, one NIC for eight GPUs, NVLS by number of GPUs, xGMI (test_predict); two-server
trees, lost spines and NICs, a swapped rail (test_templates); NVL72 racks (test_domains); hashing and loss (test_ecmp,
test_loss).
"""

from __future__ import annotations

import numpy as np
import pytest

from fabricwright.design.values import Item
from fabricwright.performance.direct import all_to_all_loads
from fabricwright.performance.layout import lay_out
from fabricwright.performance.predict import PredictRequest, predict
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.constants import HOST_COPY_RATE, SOCKET_RATE_AMD_GEN5, pcie_rate
from tests.topology.samples import server

from . import samples
from .samples import GB

GIB = 1 << 30
GEN5 = pcie_rate(16, 5)  # 63.0 GB/s


def cards(chassis, seats, settings=None, of="rtx-pro-6000-bse"):
    gpus = {f"gpu{n}": Item(of, seat=f"chassis:g{seat}") for n, seat in enumerate(seats)}
    return compile_cluster(server(chassis, gpus), "main", settings=settings or {})


def limit(cluster, collective="all_reduce", algorithm="ring", **request):
    if collective != "all_reduce":
        algorithm = "auto"
    return predict(
        cluster, PredictRequest(collective, (8 * GIB,), algorithm=algorithm, network="ideal", **request)
    ).rows[0]


def test_a_gpu_moved_across_the_socket():
    # a ring of two sends the whole buffer each way: over both cards' x16 links, or over the link between the sockets
    near = limit(cards("pcie-8dw-cpu-direct", (1, 2)))
    far = limit(cards("pcie-8dw-cpu-direct", (1, 5)))
    assert (near.limit_rate, near.bottleneck.kind) == (pytest.approx(GEN5), "gpu_pcie")
    assert (far.limit_rate, far.bottleneck.kind) == (pytest.approx(SOCKET_RATE_AMD_GEN5), "socket_link")


def test_one_uplink_is_shared_by_four_gpus():
    # all_to_all of 8 behind two switches: each of 4 GPUs sends 4/8 of its buffer up, 2.0 on one x16 link;
    # a ring crosses once in each direction and fills uplink and card alike
    cluster = cards("pcie-8dw-2switch-single-root", range(1, 9), {"nccl.p2p_level": "SYS"})
    row = limit(cluster, "all_to_all")
    assert (row.limit_rate, row.bottleneck.kind) == (pytest.approx(GEN5 / 2.0 * 7 / 8), "pcie_uplink")
    assert limit(cluster).limit_rate == pytest.approx(GEN5)


def test_acs_sends_four_neighbours_over_one_uplink():
    # without ACS a ring inside one switch uses each card's link; with it all four edges climb the uplink
    off = limit(cards("pcie-8dw-2switch-single-root", (1, 2, 3, 4)))
    on = limit(cards("pcie-8dw-2switch-single-root", (1, 2, 3, 4), {"acs": "on"}))
    assert off.limit_rate == pytest.approx(GEN5)
    assert (on.limit_rate, on.bottleneck.kind) == (pytest.approx(GEN5 / 4), "pcie_uplink")


def test_without_peer_to_peer_the_copies_bind():
    # four cards of one socket: each sends its ring edge through host memory at the copy loop's rate
    p2p = limit(cards("pcie-8dw-cpu-direct", (1, 2, 3, 4), {"nccl.p2p_level": "SYS"}))
    host = limit(cards("pcie-8dw-cpu-direct", (1, 2, 3, 4), {"nccl.p2p_disable": "on"}))
    assert p2p.limit_rate == pytest.approx(GEN5)
    assert (host.limit_rate, host.bottleneck.kind) == (pytest.approx(HOST_COPY_RATE[5]), "host_memory")


def test_a_ring_crosses_the_sockets_once():
    # eight cards on two sockets: one edge each way over the link between them; every second one would leave a quarter
    row = limit(cards("pcie-8dw-cpu-direct", range(1, 9), {"nccl.p2p_level": "SYS"}))
    assert (row.limit_rate, row.bottleneck.kind) == (pytest.approx(SOCKET_RATE_AMD_GEN5), "socket_link")


def test_pxn_keeps_the_rails():
    # 4 servers of 8 on rail leafs: 24/32 of every GPU's buffer leaves its server. With PXN it leaves through the NIC on
    # the receiver's rail and no byte climbs; without, 7/8 of it changes rails: 32 x 24/32 x 7/8 = 21
    kept = lay_out(samples.clos(samples.nvlink_server(), 4, 4, 4))
    lost = lay_out(samples.clos(samples.nvlink_server(pxn=False), 4, 4, 4))
    up = 2 * 32  # after the 32 server cables
    assert all_to_all_loads(kept).wire[up:].sum() == pytest.approx(0)
    assert all_to_all_loads(lost).wire[up::2].sum() == pytest.approx(21)
    assert limit(samples.clos(samples.nvlink_server(pxn=False), 4, 4, 1), "all_to_all").bottleneck.kind == "fabric_link"
    assert limit(samples.clos(samples.nvlink_server(), 4, 4, 1), "all_to_all").bottleneck.kind == "nic_port"


def planes(**options):
    return samples.compiled("b300-4su", nodes=8, **options)


def test_planes_of_a_nic_carry_half_each():
    # B300: 8 NICs of two 400G ports, one per plane: 16 x 50 GB/s. Without one plane half of it
    whole = limit(planes())
    assert whole.limit_rate == pytest.approx(16 * 50 * GB)
    assert whole.bottleneck.kind == "nic_port"
    cluster = planes()
    fabric = cluster.fabric
    leafs = np.unique(cluster.uplink_leaf[:8][cluster.uplink[:8] >= 0])
    ports = [np.unique(cluster.uplink_leaf[:8, p][cluster.uplink[:8, p] >= 0]) for p in range(cluster.uplink.shape[1])]
    assert all(len(p) <= 1 for p in ports) and len(leafs) >= 2
    second = [n for n, name in enumerate(cluster.interiors[0].net_ports) if name.endswith(":2")]
    lost = sorted({fabric.device_address(int(ports[p][0])) for p in second if len(ports[p])})
    half = limit(planes(failed=lost))
    assert half.limit_rate == pytest.approx(8 * 50 * GB)


def test_a_port_lost_on_one_plane_is_taken_over_on_the_same_plane():
    hurt = limit(planes(failed=["node[3]/nic2:1"]))
    assert hurt.limit_rate == pytest.approx(16 * 50 * GB / 2)  # one of its ports carries two of sixteen channels
    assert hurt.bottleneck.address.startswith("node[3]/")


def test_a_mesh_of_mi300x_uses_all_its_links():
    # 7 links of 64 GB/s per GPU; ring and all_to_all load them all alike
    cluster = compile_cluster(server("oam-8-mi300x"), "main")
    assert limit(cluster).limit_rate == pytest.approx(7 * 64 * GB)
    assert limit(cluster, "all_to_all").limit_rate == pytest.approx(7 * 64 * GB)


def test_the_arithmetic_is_told():
    prediction = predict(
        samples.clos(samples.nvlink_server(nics=4), 4, 4, 1), PredictRequest(sizes=(GIB,), algorithm="ring")
    )
    text = " ".join(m.english() for m in prediction.explanation)
    row = prediction.rows[0]
    # 4 x 50 GB/s x share for 2 x 31/32 bytes per byte: the busbw it ends at is the product
    assert "4 x 50.0 GB/s x" in text and "1.938 bytes per byte of buffer" in text
    count, line = 4, 50 * GB
    share = float(text.split("4 x 50.0 GB/s x ")[1].split(" ")[0])
    assert count * line * share == pytest.approx(row.limit_rate, rel=2e-3)


def test_an_edit_that_changes_nothing_says_why():
    # faster uplinks do nothing for a ring that is bound by the NIC ports
    one = predict(
        samples.clos(samples.nvlink_server(nics=4), 8, 4, 8), PredictRequest(sizes=(8 * GIB,), algorithm="ring")
    )
    two = predict(
        samples.clos(samples.nvlink_server(nics=4), 8, 4, 16), PredictRequest(sizes=(8 * GIB,), algorithm="ring")
    )
    assert one.rows[0].time_s == pytest.approx(two.rows[0].time_s)
    text = " ".join(m.english() for m in two.explanation)
    assert "would change nothing" in text and "NVLink" in text


@pytest.mark.parametrize("collective", ["all_to_all", "send_recv", "all_gather"])
def test_nobody_talks_across_planes(collective):
    # a port of one plane is down: its server reaches the others over what is left of that plane and the other one
    hurt = limit(planes(failed=["node[3]/nic2:1"]), collective)
    whole = limit(planes(), collective)
    assert 0.4 * whole.limit_rate < hurt.limit_rate <= whole.limit_rate * 1.001


def test_all_to_all_with_a_port_less_on_one_plane():
    # GPU 2 of server 3 has no port of its own on plane 1 any more: the three other NICs of its socket are equally near
    # and take a third of its half each: (1 + 1/3) x 1/2 x 56/64 of a buffer on 50 GB/s
    row = limit(planes(failed=["node[3]/nic2:1"]), "all_to_all")
    assert row.limit_rate == pytest.approx(50 * GB / (4 / 3 * 0.5 * 56 / 64) * 63 / 64)
    assert row.bottleneck.kind == "nic_port" and row.bottleneck.address.startswith("node[3]/")
