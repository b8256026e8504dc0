"""Point-to-point paths: hops, limits, latency."""

from __future__ import annotations

import pytest

from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.point import point_to_point
from fabricwright.units.errors import UserError
from tests.topology.samples import rail_fabric, template


def compiled(name: str, design: str, **more):
    return compile_cluster(template(name), design, **more)


def test_inside_a_dgx():
    cluster = compiled("superpod-h100-127", "main")
    way = point_to_point(cluster, "node[0]/gpu0", "node[0]/gpu7")
    assert way.classes == {
        "pci": "socket",
        "nccl": "SYS",
        "nccl_flattened": "SYS",
        "nvidia_smi": "NV18",
        "overlay": "NVL",
    }
    assert way.transport == "nvlink" and way.bandwidth == pytest.approx(370.8e9)
    pxn = point_to_point(cluster, "node[0]/gpu0", "node[0]/nic3")
    assert pxn.transport == "pxn" and [h.kind for h in pxn.hops] == ["nvlink", "nvlink", "pcie", "pcie"]


def test_over_the_fabric():
    cluster = compiled("superpod-h100-127", "main")
    near = point_to_point(cluster, "node[0]/gpu2", "node[5]/gpu2")
    assert [h.address for h in near.hops if h.kind == "switch"] == ["leaf[2]"]
    far = point_to_point(cluster, "node[0]/gpu2", "node[40]/gpu2")
    assert [h.address for h in far.hops if h.kind == "switch"] == ["leaf[2]", "spine[0]", "leaf[10]"]
    # two NICs of 0.6 us, three QM9700 of 130 ns, fibre, and the PCIe hops at either end (FAB-14)
    switches = sum(h.latency_s for h in far.hops if h.kind == "switch")
    assert switches == pytest.approx(3 * 130e-9)
    assert far.latency_s == pytest.approx(sum(h.latency_s for h in far.hops))
    # 48 GB/s by x16 and by the port alike: the NIC is named
    assert far.bandwidth == pytest.approx(48e9) and far.limit == "node[0]/nic2:1"
    assert far.classes["nccl"] == "NET"


def test_rail_of_the_receiver_is_used():
    # gpu0 to gpu3 of the same unit: rail 3 by PXN, one switch only
    way = point_to_point(compiled("superpod-h100-127", "main"), "node[0]/gpu0", "node[1]/gpu3")
    assert [h.address for h in way.hops if h.kind in ("nic", "switch")] == [
        "node[0]/nic3:1",
        "leaf[3]",
        "node[1]/nic3:1",
    ]
    assert way.transport == "pxn"


def test_seed_a_is_staged_in_host_memory():
    way = point_to_point(compiled("seed-a-256x8", "main"), "node[0]/gpu4", "node[1]/gpu0")
    assert way.transport == "host-staged"
    assert way.limit in ("node[0]/sl0", "node[0]/nic0:1") and way.bandwidth == pytest.approx(22e9)


def test_seed_b_limit_is_the_nic_port():
    cluster = compiled("seed-b-512", "before")
    way = point_to_point(cluster, "node[0]/slota-nic:1", "node[1]/slota-nic:1")
    assert way.limit == "node[0]/slota-nic:1" and way.bandwidth == pytest.approx(12e9)


def test_one_server_alone():
    cluster = compiled("pcie-8gpu-switch", "default")
    prefix = "node/" if "node" in cluster.fabric.offset else ""
    way = point_to_point(cluster, f"{prefix}gpu0", f"{prefix}gpu5")
    assert way.transport == "host-memory" and way.bandwidth == pytest.approx(22.2e9)
    # two switches and the root complex take 1.06-1.07 us peer to peer (collectives.md 5.5)
    tuned = compiled("pcie-8gpu-switch", "p2p-sys")
    direct = point_to_point(tuned, f"{prefix}gpu0", f"{prefix}gpu5")
    assert direct.latency_s == pytest.approx(1.067e-6, rel=0.01)
    assert point_to_point(tuned, f"{prefix}gpu0", f"{prefix}gpu1").latency_s == pytest.approx(0.68e-6, rel=0.01)


def test_json_shape():
    shape = point_to_point(compiled("superpod-h100-127", "main"), "node[0]", "node[40]/gpu0").to_json()
    assert set(shape) == {"class", "hops", "latency_us", "bandwidth_gbs", "limit", "loss_db", "perftest"}
    assert set(shape["hops"][0]) == {"address", "kind", "latency_ns", "bandwidth_gbs"}


def test_no_way_is_said_in_one_sentence():
    cluster = compile_cluster(rail_fabric(1, 2, 1, 1), "main", failed=["leaf"])
    for source, target in (("node[0]/gpu0", "node[1]/gpu0"), ("node[0]/gpu0", "leaf[0]"), ("node", "node[1]/gpu0")):
        with pytest.raises(UserError):
            point_to_point(cluster, source, target)
    whole = compile_cluster(rail_fabric(1, 2, 1, 1), "main")
    for source, target in (("node[0]/gpu0", "node[0]/gpu0"), ("node[0]/nic0", "node[0]/nic1"), ("node[9]", "node[0]")):
        with pytest.raises(UserError):
            point_to_point(whole, source, target)


def test_perftest_over_the_fabric():
    # 400G port x 0.96 = 384 Gb/s between GPU memories; latency is the way's own
    way = point_to_point(compiled("superpod-h100-127", "main"), "node[0]/gpu0", "node[40]/gpu0")
    found = way.perftest
    assert found is not None and found.memory == "gpu"
    assert found.rate == pytest.approx(400e9 / 8 * 0.96)
    assert found.latency_s == pytest.approx(way.latency_s)
    assert way.to_json()["perftest"]["ib_write_bw_gbps"] == 384.0


def test_perftest_does_not_stage():
    # seed A stages in host memory: perftest measures between the hosts, whose 200G ports give 192 Gb/s
    way = point_to_point(compiled("seed-a-256x8", "main"), "node[0]/gpu0", "node[70]/gpu5")
    found = way.perftest
    assert found is not None and found.memory == "host"
    assert found.rate == pytest.approx(200e9 / 8 * 0.96)
    assert found.latency_s < way.latency_s
    assert way.bandwidth < found.rate


def test_perftest_is_for_networks():
    assert point_to_point(compiled("single-8gpu", "main"), "gpu0", "gpu1").perftest is None
