"""NVLink domains over several servers: racks of compute trays with drawn switch trays, or as their part states."""

import numpy as np
import pytest

from fabricwright.design.values import Export, Item, Link
from fabricwright.performance.calibration import load_calibration
from fabricwright.performance.layout import lay_out
from fabricwright.performance.predict import PredictRequest, predict
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.domains import joined, tray_of
from fabricwright.topology.model import NcclClass, Transport
from tests.topology.samples import deal, fabric, mesh

GIB = 1 << 30


def racks(n_racks, trays, switches=1, drawn=True, leafs=True):
    """Racks of GB200 compute trays (four GPUs, four 400G NICs), their switch trays, and one leaf per rail."""
    items = {"tray": Item("sheet:node", (("rack", n_racks), ("tray", trays)))}
    links = {}
    if drawn:
        items["sw"] = Item("nvl72-switch-tray", (("rack", n_racks), ("sw", switches)))
        links["nv"] = Link("tray:nvlink", "sw:nvlink", mesh(72 // switches, "rack"), "nvlink", "nvlink")
    if leafs:
        items["leaf"] = Item("qm9700", (("rail", 4),))
        links["down"] = Link("tray:compute", "leaf:1-16/1-2", deal("rail"), "ib")
        items["spine"] = Item("qm9700", (("spine", 2),))
        links["up"] = Link("leaf:17-32/1-2", "spine:1-32/1-2", mesh(16), "ib")
    ports = Export(tuple(f"nic{n}:1" for n in range(4)), (("rail", 4),))
    return fabric(items, links, "gb200-compute-tray", ports)


def compiled(*args, **options):
    chosen = {key: options.pop(key) for key in ("failed", "nodes", "ranks", "settings") if key in options}
    return compile_cluster(racks(*args, **options), "main", **chosen)


def test_trays_of_a_rack_are_one_server():
    cluster = compiled(2, 2)
    one = joined(cluster)
    assert (len(one.server_dev), one.n_ranks) == (2, 16)
    first = cluster.fabric.offset["tray"]
    assert (one.tray_dev - first).tolist() == [[0, 1], [2, 3]]
    assert one.rank_gpu.tolist() == [*range(8), *range(8)] and one.rank_server.tolist() == [0] * 8 + [1] * 8
    inner = one.interiors[0]
    assert (
        len(one.interiors) == 1
        and len(inner.gpus) == 8
        and len(inner.net_ports) == 2 * len(cluster.interiors[0].net_ports)
    )
    assert (one.uplink[:, : len(cluster.interiors[0].net_ports)] == cluster.uplink[::2]).all()
    # gpu1 of the first tray to gpu2 of the second: its own NVLink port out, the other's in
    i, j = inner.gpus.index("0|gpu1"), inner.gpus.index("1|gpu2")
    assert inner.gpu_gpu.transport[i, j] == Transport.NVLINK
    names = [(tray_of(inner.links[e].src), tray_of(inner.links[e].dst)) for e in inner.gpu_gpu.links(i, j)]
    assert names[0][0] == (0, "gpu1") and names[1][1] == (1, "gpu2") and len(names) == 2
    # NICs of the other tray are no PXN: that does not cross hosts
    far = inner.net_ports.index("1|nic0:1")
    assert inner.gpu_port.nccl_flattened[i, far] == NcclClass.NET
    near = inner.net_ports.index("0|nic1:1")
    assert inner.gpu_port.transport[i, near] == cluster.interiors[0].gpu_port.transport[1, near]


def test_one_rack_needs_no_network():
    # 8 GPUs on NVLink 5: 18 links of 50 GB/s = 900 GB/s a port; a ring carries 2 x 7/8 of the buffer over it
    cluster = compiled(1, 2, leafs=False)
    eff = load_calibration()
    row = predict(cluster, PredictRequest(sizes=(8 * GIB,), algorithm="ring", protocol="Simple")).rows[0]
    assert row.bottleneck.kind == "nvlink" and row.bottleneck.address.startswith("tray[0]/gpu")
    assert row.limit_rate == pytest.approx(900e9 * eff.value("nvlink.ring_5"))
    assert predict(cluster, PredictRequest(sizes=(8 * GIB,))).rows[0].algorithm == "NVLS"


def test_a_whole_rack_of_72():
    cluster = compiled(1, 18, 9, leafs=False)
    layout = lay_out(joined(cluster))
    assert (layout.n, layout.k) == (72, 1)
    eff = load_calibration()
    # direct: each port sends 71/72 of the buffer, busbw = line rate x efficiency
    row = predict(cluster, PredictRequest("all_to_all", (8 * GIB,))).rows[0]
    assert row.limit_rate == pytest.approx(900e9 * eff.value("nvlink.all_to_all"))
    ring = predict(cluster, PredictRequest(sizes=(8 * GIB,), algorithm="ring", protocol="Simple")).rows[0]
    assert ring.limit_rate == pytest.approx(900e9 * eff.value("nvlink.ring_5"))


def test_a_lost_switch_tray_takes_a_ninth():
    whole = predict(compiled(1, 18, 9, leafs=False), PredictRequest("all_to_all", (8 * GIB,))).rows[0]
    lost = compiled(1, 18, 9, leafs=False, failed=("sw[4]",))
    assert predict(lost, PredictRequest("all_to_all", (8 * GIB,))).rows[0].limit_rate == pytest.approx(
        whole.limit_rate * 8 / 9
    )


def test_between_racks_the_nics_carry():
    # 2 racks of 2 trays: 8 NICs of 50 GB/s each; all_to_all: 8/16 of a GPU's buffer leaves through its own NIC
    layout = lay_out(joined(compiled(2, 2)))
    assert (layout.k, len(layout.classes)) == (2, 1)
    row = predict(compiled(2, 2), PredictRequest("all_to_all", (8 * GIB,), network="ideal")).rows[0]
    assert row.bottleneck.kind == "nic_port"
    assert row.limit_rate == pytest.approx(50e9 / (8 / 16) * 15 / 16)
    ring = predict(compiled(4, 2), PredictRequest(sizes=(8 * GIB,), algorithm="ring", network="ideal")).rows[0]
    assert ring.limit_rate == pytest.approx(8 * 50e9)
    assert ring.bottleneck.address.startswith("tray[")


def test_heat_names_the_trays_links():
    heat = predict(compiled(2, 2), PredictRequest(sizes=(GIB,))).heat
    assert 0 < heat["interior"]["node"]["gpu0:nv"] <= 1
    assert not any("|" in name for name in heat["interior"]["node"])


def test_parts_state_the_domain_where_no_switch_trays_are_drawn():
    # 40 trays of four: racks of 72 GPUs are 18 + 18 + 4 trays
    cluster = compiled(1, 40, drawn=False)
    _, sizes = np.unique(cluster.rank_domain, return_counts=True)
    assert sorted(sizes.tolist()) == [16, 72, 72]
    assert len(joined(cluster).server_dev) == 3


@pytest.mark.parametrize("settings", [{"nccl.p2p_disable": "on"}, {"nccl.mnnvl": "off"}])
def test_switched_off_domains_end_at_the_server(settings):
    assert joined(compiled(2, 2, settings=settings)).tray_dev.size == 0


def test_servers_of_their_own_stay_as_they_are():
    from . import samples

    cluster = samples.clos(samples.nvlink_server(), 4, 4, 1)
    assert joined(cluster) is cluster


def test_part_of_a_rack():
    # three GPUs on two trays: NVLink joins them, and only those take part
    cluster = compiled(1, 2, leafs=False, ranks=("tray[0]/gpu0", "tray[0]/gpu3", "tray[1]/gpu1"))
    one = joined(cluster)
    assert one.rank_gpu.tolist() == [0, 3, 5]
    assert lay_out(one).k == 1
