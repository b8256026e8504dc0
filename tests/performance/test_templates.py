"""What the templates must predict, and what edits to them must change."""

import pytest

from fabricwright.performance.calibration import load_calibration
from fabricwright.performance.layout import lay_out
from fabricwright.performance.predict import PredictRequest, open_book, predict
from fabricwright.topology.cluster import compile_cluster

from .samples import compiled, edited, template

MIB, GIB = 1 << 20, 1 << 30
NIC = load_calibration().value("network.rdma")  # payload of a NIC port; NCCL counts 0.96


def at(cluster, size=GIB, collective="all_reduce", **request):
    prediction = predict(cluster, PredictRequest(collective, (size,), **request))
    return prediction.rows[0], " ".join(m.english() for m in prediction.explanation)


def changed(name, design, *edits, **settings):
    project = template(name)
    for edit, args in edits:
        project = edited(project, edit, design=design, **args)
    return compile_cluster(project, design, settings={**project.designs[design].settings, **settings})


@pytest.mark.parametrize("size", [256 * MIB, 512 * MIB, GIB, 2 * GIB, 4 * GIB, 8 * GIB])
def test_twice_the_nic_is_twice_as_fast(size):
    before, _ = at(compiled("seed-b-512", "before"), size)
    after, _ = at(compiled("seed-b-512", "after-network"), size)
    assert after.busbw / before.busbw == pytest.approx(2.0, rel=0.05)
    assert before.bottleneck.kind == after.bottleneck.kind == "nic_port"
    assert before.bottleneck.label.english() == "NIC port of slota-nic"
    assert before.bottleneck.address.endswith("/slota-nic:1")


def test_ring_limit_is_the_nic():
    # 2 ports x 100 Gb/s / 8 = 25 GB/s, then 2 x 200 / 8 = 50, times the payload share
    before, _ = at(compiled("seed-b-512", "before"), algorithm="ring")
    after, _ = at(compiled("seed-b-512", "after-network"), algorithm="ring")
    assert before.limit_rate == pytest.approx(25e9 * NIC)
    assert after.limit_rate == pytest.approx(50e9 * NIC)


def test_nic_on_the_other_socket_changes_nothing():
    where = {"sheet": "node"}
    nic = next(i for i in template("seed-b-512").designs["after-network"].sheets["node"].items)
    free = ("remove", {**where, "ids": ["slotb-nic"]})
    near = changed("seed-b-512", "after-network", free)
    far = changed("seed-b-512", "after-network", free, ("seat", {**where, "item": nic, "slot": "chassis:slotb"}))
    ports = lay_out(near).classes[0], lay_out(far).classes[0]
    sockets = [int(c.interior.nic_socket[int(c.interior.port_nic[c.ports[0]])]) for c in ports]
    assert sockets[0] != sockets[1]
    for size in (8, 64 * 1024, MIB, 64 * MIB, GIB):
        a, b = at(near, size)[0], at(far, size)[0]
        assert a.time_s == pytest.approx(b.time_s, rel=1e-3)
    row, text = at(far)
    assert row.bottleneck.kind == "nic_port"
    assert "socket that the NIC hangs on does not matter: NVLink carries the data" in text


def test_after_is_not_better_than_after_network():
    network, _ = at(compiled("seed-b-512", "after-network"))
    after, text = at(compiled("seed-b-512", "after"))
    assert after.busbw < network.busbw
    assert "host memory" in text


def test_one_dgx():
    cluster = compiled("single-8gpu")
    row, _ = at(cluster)
    assert row.algorithm == "NVLS"
    assert 463 * 0.95 < row.busbw / 1e9 < 480 * 1.05
    ring, _ = at(cluster, algorithm="ring")
    assert ring.busbw / 1e9 == pytest.approx(365, rel=0.05)


def test_switched_pcie_server():
    row, _ = at(compiled("pcie-8gpu-switch", "p2p-sys"))
    assert row.algorithm == "Ring"
    assert row.busbw / 1e9 == pytest.approx(46.4, rel=0.10)
    assert row.bottleneck.label.english() == "uplink of sw0/sw1"
    assert row.bottleneck.kind == "pcie_uplink"


@pytest.mark.parametrize("size", [GIB, 4 * GIB])
def test_switched_pcie_server_with_defaults(size):
    row, text = at(compiled("pcie-8gpu-switch", "default"), size)
    assert row.busbw / 1e9 == pytest.approx(22.2, rel=0.15)
    assert row.bottleneck.kind == "host_memory"
    assert "nccl.p2p_level=SYS" in text


def test_one_nic_behind_the_same_socket():
    # 48 GB/s of x16 by NCCL, 6/5 through the Intel root complex: 40; the NIC would give more
    row, _ = at(compiled("pcie-4gpu-1nic"), 4 * GIB)
    assert row.limit_rate == pytest.approx(40e9 * load_calibration().value("pcie.peer"))
    assert row.bottleneck.kind == "gpu_pcie"


@pytest.mark.parametrize("slot", ["chassis:n2", "chassis:n3"])
def test_one_nic_behind_the_other_socket(slot):
    move = ("seat", {"sheet": "node", "item": "nic0", "slot": slot})
    row, _ = at(changed("pcie-4gpu-1nic", "main", move), 4 * GIB)
    assert row.limit_rate == pytest.approx(22e9, rel=0.01)
    assert row.bottleneck.kind == "socket_link"
    assert row.bottleneck.label.english() == "socket link cpu0-cpu1"
    assert row.bottleneck.address.endswith("/sl0")


@pytest.mark.parametrize("settings", [{}, {"nccl.p2p_level": "SYS"}])
def test_seed_a_is_bound_inside_not_by_its_nic(settings):
    # the NIC offers 2 x 25 x 0.96 = 48 GB/s; host-memory copies give 22.2, the socket link 22
    cluster = changed("seed-a-256x8", "main", **settings)
    row, _ = at(cluster, 8 * GIB, algorithm="ring")
    assert row.limit_rate == pytest.approx(22e9, rel=0.02)
    assert row.bottleneck.kind in ("socket_link", "host_memory")
    chosen, _ = at(cluster, 8 * GIB)
    assert chosen.bottleneck.kind in ("socket_link", "host_memory")


def superpod(nodes, **options):
    return compiled("superpod-h100-127", nodes=nodes, **options)


def test_two_servers_beat_their_nics_and_four_do_not():
    # measured on 8 x 400G: 465-487 GB/s with two servers, 360-380 with four and more (NIC: 8 x 50 x 0.96 = 384)
    two, text = at(superpod(2), 8 * GIB)
    assert 440 < two.busbw / 1e9 < 500
    assert "Do not read this result as that of a larger cluster" in text
    four, _ = at(superpod(4), 8 * GIB)
    assert 350 < four.busbw / 1e9 < 384
    assert four.bottleneck.kind == "nic_port"


def test_one_failed_nic_slows_every_rail():
    # the seven other NICs of that server carry its eight channels: one of them twice
    whole, _ = at(superpod(8), 8 * GIB, algorithm="ring")
    hurt, _ = at(superpod(8, failed=["node[3]/nic2"]), 8 * GIB, algorithm="ring")
    assert hurt.limit_rate == pytest.approx(8 * 50e9 * NIC / 2, rel=0.01)
    assert whole.limit_rate > 1.8 * hurt.limit_rate
    assert hurt.bottleneck.kind == "nic_port" and hurt.bottleneck.address.startswith("node[3]/")


def test_spines_lost_bind_an_all_to_all():
    cluster = superpod(64)
    full, _ = at(cluster, GIB, "all_to_all")
    assert full.bottleneck.kind == "nic_port"
    few, _ = at(superpod(64, failed=["spine[0-11]"]), GIB, "all_to_all")
    assert few.bottleneck.kind == "fabric_link"
    # 1:1 with 16 spines; half of the peers sit in the other unit of two, so uplinks run at half of a port's load.
    # With 4 of 16 spines left each carries 4 x as much, 2 x a port; ports count less than uplinks
    assert few.busbw / full.busbw == pytest.approx(0.5 / load_calibration().value("network.all_to_all"), rel=0.05)


def test_spine_lost_does_not_bind_a_ring():
    whole, _ = at(superpod(64), GIB, algorithm="ring")
    hurt, _ = at(superpod(64, failed=["spine[0]"]), GIB, algorithm="ring")
    assert hurt.time_s == pytest.approx(whole.time_s, rel=1e-3)


def test_a_miscabled_rail_pair_loads_the_spines_only():
    project = template("seed-a-256x8")
    for row, port in ((82, "leaf[1]:21/2"), (83, "leaf[0]:21/2")):
        project = edited(project, "move_cable", design="main", sheet="fabric", link="down", row=row, b=port)
    good, bad = open_book(compiled("seed-a-256x8")), open_book(compile_cluster(project, "main"))
    up = good.layout.cluster.fabric.bundle == [b.link for b in good.layout.cluster.fabric.bundles].index("up")

    def climb(book):
        return float(book.ring_unit().wire.reshape(-1, 2)[up].sum())

    # 4 units: 4 of the 256 ring edges change the unit, on both rails: half a byte up and down. The miscabled server
    # makes both of its edges on both rails change leafs: 4 more half bytes, up and down.
    assert climb(good) == pytest.approx(4 * 2 * 0.5 * 2)
    assert climb(bad) == pytest.approx((4 * 2 + 4) * 0.5 * 2)
