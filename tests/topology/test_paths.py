"""Classes, transports and loads inside a server under settings, on drawn variants."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fabricwright.design.values import Item, Link
from fabricwright.topology.model import Interior, LinkKind, NcclClass, Paths, PciClass, Transport
from fabricwright.units.table import Table
from tests.topology.samples import interior, server, template

GB = 1e9


def words(compiled: Interior) -> Counter[str]:
    n = len(compiled.gpus)
    return Counter(compiled.gpu_gpu.smi[i][j] for i in range(n) for j in range(i))


def names(compiled: Interior, paths: Paths, i: int, j: int) -> list[str]:
    return [f"{compiled.links[k].src}>{compiled.links[k].dst}" for k in paths.links(i, j)]


def pcie_gpus(chassis: str, n: int = 8, of: str = "rtx-pro-6000-bse", **more: Item):
    gpus = {f"gpu{i}": Item(of, seat=f"chassis:g{i + 1}") for i in range(n)}
    return server(chassis, {**gpus, **more})


# -- templates.md section 4 and its variants


@pytest.mark.parametrize(
    ("chassis", "expected"),
    [
        ("pcie-8dw-2switch-single-root", {"PIX": 12, "NODE": 16}),
        ("pcie-8dw-2switch-dual-root", {"PIX": 12, "SYS": 16}),
        ("pcie-8dw-3switch-cascade", {"PIX": 12, "PXB": 16}),
        ("pcie-8dw-2chip-4part", {"PIX": 4, "NODE": 8, "SYS": 16}),
    ],
)
def test_variants_of_eight_cards_behind_switches(chassis, expected):
    assert words(interior(pcie_gpus(chassis))) == expected


def test_cascade_is_peer_to_peer_everywhere_by_default():
    compiled = interior(pcie_gpus("pcie-8dw-3switch-cascade"))
    assert (compiled.gpu_gpu.transport[~np.eye(8, dtype=bool)] == Transport.P2P).all()


def test_default_settings_leave_root_crossing_pairs_to_host_memory():
    compiled = interior(pcie_gpus("pcie-8dw-2switch-single-root"))
    assert compiled.gpu_gpu.transport[0, 3] == Transport.P2P
    assert compiled.gpu_gpu.transport[0, 4] == Transport.HOST_MEMORY
    # 22.2 GB/s: eight-GPU ring under NCCL's defaults, collectives.md 5.5
    assert compiled.gpu_gpu.bandwidth[0, 4] == pytest.approx(22.2 * GB)
    assert names(compiled, compiled.gpu_gpu, 0, 4) == [
        "gpu0>mem:cpu0",
        "gpu0>sw0",
        "sw0>cpu0",
        "cpu0>mem:cpu0",
        "mem:cpu0>cpu0",
        "cpu0>sw1",
        "sw1>gpu4",
        "mem:cpu0>gpu4",
    ]


def test_host_memory_ring_reaches_the_measured_plateau():
    # A ring over eight GPUs: six hops inside the switches, two through host memory. One unit of traffic per
    # edge: time is the
    # largest load over capacity, so the plateau is 1 / max(load / rate). Measured 22.2 (collectives.md 5.5),
    # within 15 %.
    compiled = interior(pcie_gpus("pcie-8dw-2switch-single-root"))
    load = np.zeros(len(compiled.links))
    for i in range(8):
        j = (i + 1) % 8
        np.add.at(load, compiled.gpu_gpu.links(i, j), compiled.gpu_gpu.weights(i, j))
    assert 1 / (load / compiled.nccl_rate).max() == pytest.approx(22.2 * GB, rel=0.15)


def test_level_sys_makes_it_peer_to_peer_over_the_root():
    compiled = interior(pcie_gpus("pcie-8dw-2switch-single-root"), nccl__p2p_level="SYS", acs="off", iommu="off")
    assert compiled.gpu_gpu.transport[0, 4] == Transport.P2P
    assert compiled.gpu_gpu.bandwidth[0, 4] == pytest.approx(48 * GB)  # AMD: no Intel overhead
    assert names(compiled, compiled.gpu_gpu, 0, 4) == ["gpu0>sw0", "sw0>cpu0", "cpu0>sw1", "sw1>gpu4"]


def test_intel_root_complex_costs_six_fifths():
    # templates.md section 5: 48 x 5/6 = 40 GB/s between cards of one Xeon
    compiled = interior(pcie_gpus("pcie-4dw-one-socket", 4, "h100-pcie-80gb"), nccl__p2p_level="SYS")
    assert compiled.gpu_gpu.bandwidth[0, 1] == pytest.approx(40 * GB)
    assert compiled.gpu_gpu.weights(0, 1).tolist() == [1.2, 1.2]


def test_acs_sends_neighbours_through_the_root_port():
    compiled = interior(pcie_gpus("pcie-8dw-2switch-single-root"), acs="on")
    assert compiled.gpu_gpu.pci[0, 1] == PciClass.SWITCH
    assert names(compiled, compiled.gpu_gpu, 0, 1) == ["gpu0>sw0", "sw0>cpu0", "cpu0>sw0", "sw0>gpu1"]


def test_p2p_disable_takes_nvlink_too():
    compiled = interior(server("dgx-h100"), nccl__p2p_disable=1)
    assert set(compiled.gpu_gpu.transport[~np.eye(8, dtype=bool)].tolist()) == {Transport.HOST_MEMORY}


def test_two_gpus_on_amd_use_peer_to_peer_up_to_sys():
    compiled = interior(pcie_gpus("pcie-8dw-cpu-direct", 2))
    assert compiled.gpu_gpu.transport[0, 1] == Transport.P2P
    assert interior(pcie_gpus("pcie-8dw-cpu-direct", 3)).gpu_gpu.transport[0, 1] == Transport.HOST_MEMORY


# -- worked example B: DGX H100


def test_dgx_h100_paths():
    compiled = interior(server("dgx-h100"))
    port = {name: i for i, name in enumerate(compiled.net_ports)}
    own, far, other = port["nic0:1"], port["nic3:1"], port["nic6:1"]
    sends = compiled.gpu_port
    assert [NcclClass(sends.nccl[0, p]).name for p in (own, far, other)] == ["PXB", "PHB", "SYS"]
    assert sends.nccl_flattened[0, own] == NcclClass.PXB  # two ConnectX bridges, not one Broadcom chip
    assert [Transport(sends.transport[0, p]).name for p in (own, far, other)] == ["GPUDIRECT", "PXN", "PXN"]
    assert sends.overlay[0, far] == NcclClass.PXN and sends.overlay[0, own] == -1
    # PXN to nic3 leaves by GPU 3, which sits beside it
    assert names(compiled, sends, 0, far) == ["gpu0>nvl0", "nvl0>gpu3", "gpu3>br3", "br3>nic3"]
    assert compiled.gpu_gpu.pci[0, 7] == PciClass.SOCKET and compiled.gpu_gpu.overlay[0, 7] == NcclClass.NVL
    assert compiled.nvls and compiled.nvlink_gen == 4
    assert compiled.nvlink_nccl[0] == pytest.approx(18 * 20.6 * GB)  # collectives.md 1.4: 371
    assert compiled.port_rate[own] == 50 * GB


def test_without_pxn_far_nics_are_staged():
    compiled = interior(server("dgx-h100"), nccl__pxn=False)
    far = compiled.net_ports.index("nic3:1")
    assert compiled.gpu_port.transport[0, far] == Transport.HOST_STAGED
    assert compiled.port_gpu.transport[far, 0] == Transport.HOST_STAGED
    sys = interior(server("dgx-h100"), nccl__pxn=False, nccl__gdr_level="SYS")
    assert sys.gpu_port.transport[0, far] == Transport.GPUDIRECT


def test_two_levels_of_one_broadcom_chip_are_flattened():
    # dgx-a100: nvidia-smi PXB, NCCL raw PXB, after fusing PIX (path-classes.md section 2)
    compiled = interior(server("dgx-a100"))
    own = compiled.net_ports.index("nic0:1")
    assert compiled.gpu_port.smi[0][own] == "PXB"
    assert compiled.gpu_port.nccl[0, own] == NcclClass.PXB
    assert compiled.gpu_port.nccl_flattened[0, own] == NcclClass.PIX
    # two chips one above the other stay two bridges
    cascade = interior(pcie_gpus("pcie-8dw-3switch-cascade"))
    assert cascade.gpu_gpu.nccl_flattened[0, 4] == NcclClass.PXB


def test_mesh_and_third_gpu():
    # four A100 fully meshed: NV4 by one direct link each; without one pair's link the path runs over a third GPU
    full = interior(server("hgx-4sxm-direct"))
    assert words(full) == {"NV4": 6} and not full.nvls
    gap = interior(server("hgx-4sxm-direct", removed=("b2",)))
    assert gap.gpu_gpu.overlay[0, 1] == NcclClass.NVB
    assert gap.gpu_gpu.smi[0][1] == "NODE"
    assert gap.gpu_gpu.transport[0, 1] == Transport.NVLINK and len(gap.gpu_gpu.links(0, 1)) == 2


def test_drawn_nvlink_bridge():
    project = pcie_gpus("pcie-4dw-one-socket", 4, "h100-pcie-80gb")
    bridge = {"nb": Link("gpu0:nv", "gpu1:nv", medium="nvlink")}
    gpus = {f"gpu{i}": Item("h100-pcie-80gb", seat=f"chassis:g{i + 1}") for i in range(4)}
    compiled = interior(server("pcie-4dw-one-socket", gpus, bridge))
    assert compiled.gpu_gpu.smi[0][1] == "NV12" and compiled.gpu_gpu.smi[0][2] == "NODE"
    assert compiled.nvlink_rate.tolist() == [300 * GB, 300 * GB, 0, 0]  # 600 GB/s both ways
    assert compiled.nvlink_domain.tolist() == [0, 0, -1, -1]
    assert (interior(project).nvlink_domain == -1).all()


# -- seed A and seed B


def test_seed_a():
    compiled = interior(template("seed-a-256x8"))
    assert words(compiled) == {"PIX": 3, "NODE": 9, "SYS": 16}
    assert [compiled.gpu_port.smi[i][0] for i in range(8)] == ["NODE"] * 4 + ["SYS"] * 4
    assert {c: (u.wired, u.used, u.available) for c, u in compiled.lanes.items()} == {
        "cpu0": (64, 48, 80),
        "cpu1": (64, 48, 80),
    }
    assert compiled.lanes["cpu1"].by_kind == {"pcie-switch-card": 16, "retimer": 32}
    # behind a retimer: one more hop, same width
    assert names(compiled, compiled.gpu_host, 6, 1)[:2] == ["gpu6>rt0", "rt0>cpu1"]
    # through the sockets: 22 GB/s, Sapphire Rapids in NCCL
    assert interior(template("seed-a-256x8"), nccl__p2p_level="SYS").gpu_gpu.bandwidth[0, 4] == pytest.approx(22 * GB)


def test_seed_b_cards_forced_into_a_full_server():
    # sw0 and two CXL cards share slotb with slotb-nic: same feed stor0:d1. Retimers hang on sw0's cables, GPUs
    # behind them.
    items = {
        "sw0": Item("lrsv9500-4i", seat="chassis:slotb", forced=True),
        "rt0": Item("lrsv9560-2e"),
        "rt1": Item("lrsv9560-2e"),
        "ext0": Item("ext-gpu-box-2"),
        "gpu8": Item("h100-pcie-80gb", seat="ext0:g1"),
        "gpu9": Item("h100-pcie-80gb", seat="ext0:g2"),
        "nic8": Item("lres1260pf-2qsfp112", seat="chassis:slota", config=Table({"mode": "2x200"})),
    }
    links = {
        "c1": Link("sw0:d1", "rt0:up", medium="pcie"),
        "c2": Link("sw0:d2", "rt1:up", medium="pcie"),
        "c3": Link("rt0:d1", "ext0:g1", medium="pcie"),
        "c4": Link("rt1:d1", "ext0:g2", medium="pcie"),
    }
    compiled = interior(server("dgx-h100", items, links, ("slota-nic",)))
    gpu = {name: i for i, name in enumerate(compiled.gpus)}
    assert compiled.problems == ()
    assert compiled.feeds["sw0"] == compiled.feeds["slotb-nic"] == "stor0:d1"
    pair = compiled.gpu_gpu
    assert NcclClass(pair.nccl[gpu["gpu8"], gpu["gpu9"]]).name == "PIX"
    assert {NcclClass(pair.nccl[gpu["gpu8"], gpu[f"gpu{i}"]]).name for i in range(4)} == {"PHB"}
    assert {NcclClass(pair.nccl[gpu["gpu8"], gpu[f"gpu{i}"]]).name for i in range(4, 8)} == {"SYS"}
    nic = compiled.net_ports.index("nic8:1")
    assert NcclClass(compiled.gpu_port.nccl[gpu["gpu8"], nic]).name == "SYS"
    assert compiled.nvlink_domain.tolist() == [0] * 8 + [-1, -1]


# -- shape


def test_rates_of_links():
    compiled = interior(server("dgx-h100"))
    x16 = next(row for row in compiled.links if row.name == "gpu0:up" and row.src == "gpu0")
    assert (x16.lanes, x16.gen) == (16, 5)
    assert x16.rate == pytest.approx(63.0 * GB, rel=1e-3) and x16.nccl_rate == pytest.approx(48 * GB)
    old = interior(server("dgx-a100"))
    gen4 = next(row for row in old.links if row.name == "gpu0:up")
    assert gen4.nccl_rate == pytest.approx(24 * GB)
    kinds = Counter(LinkKind(row.kind).name for row in compiled.links)
    assert kinds["SOCKET"] == 2 and kinds["NVLINK"] == 16


def test_width_is_the_narrowest_of_both_ends_and_the_slot():
    # n2 of pcie-8dw-cpu-direct is x8; an x16 NIC trains at x8 there: 24 GB/s in NCCL's count
    project = server("pcie-8dw-cpu-direct", {"nic0": Item("mcx715105as-weat", seat="chassis:n2")})
    compiled = interior(project)
    row = next(link for link in compiled.links if link.name == "nic0:up")
    assert (row.lanes, row.nccl_rate) == (8, 24 * GB)


def test_directions_mirror():
    compiled = interior(server("dgx-h100"))
    ends = {(row.src, row.dst, row.name): row.rate for row in compiled.links}
    for (src, dst, name), rate in ends.items():
        assert ends[dst, src, name] == rate


def test_loose_things_are_problems_not_exceptions():
    items = {
        "gpu9": Item("h100-pcie-80gb"),  # lies on the table
        "nic9": Item("mcx715105as-weat", seat="chassis:s9"),  # no such slot
        "rt0": Item("lrsv9560-2i"),
        "rt1": Item("lrsv9560-2i"),
    }
    links = {
        "l1": Link("rt0:d1", "rt1:up", medium="pcie"),
        "l2": Link("rt1:d1", "rt0:up", medium="pcie"),  # a ring of retimers
    }
    compiled = interior(server("cabled-4u8g", items, links))
    assert set(compiled.problems) == {"no-feed:gpu9", "no-feed:nic9", "loop:rt0"}
    assert compiled.gpu_gpu.transport.tolist() == [[Transport.NONE]]
    assert compiled.gpu_port.pci.tolist() == [[PciClass.NONE]]


def test_empty_sheet():
    compiled = interior(server("pcie-4dw-one-socket"))
    assert compiled.gpus == () and compiled.gpu_port.bandwidth.shape == (0, 0)
