"""Every chassis of the catalogue compiles to the classes and lanes that the facts list for it."""

from __future__ import annotations

from collections import Counter

import pytest

from fabricwright.topology.model import Interior, NcclClass, Transport
from tests.topology.samples import EXPECTED, interior, server

SERVERS = sorted(name for name, row in EXPECTED.items() if "matrix_nvidia_smi" in row["expected"])


def columns(compiled: Interior, nics: list[str]) -> list[int]:
    owner = [name.rpartition(":")[0] for name in compiled.net_ports]
    return [owner.index(nic) for nic in nics]


@pytest.mark.parametrize("chassis", SERVERS)
def test_nvidia_smi_matrix(chassis):
    expected = EXPECTED[chassis]["expected"]
    compiled = interior(server(chassis, populate=True))
    assert list(compiled.gpus) == expected["gpus"]
    assert sorted(compiled.nics) == sorted(expected["nics"])
    ports = columns(compiled, expected["nics"])
    for i, gpu in enumerate(compiled.gpus):
        words = [*compiled.gpu_gpu.smi[i], "|", *(compiled.gpu_port.smi[i][p] for p in ports)]
        assert " ".join(words) == expected["matrix_nvidia_smi"][gpu]


@pytest.mark.parametrize("chassis", SERVERS)
def test_nccl_classes_and_decisions(chassis):
    expected = EXPECTED[chassis]["expected"]
    compiled = interior(server(chassis, populate=True))
    ports, n = columns(compiled, expected["nics"]), len(compiled.gpus)
    raw = Counter(NcclClass(compiled.gpu_port.nccl[i, p]).name for i in range(n) for p in ports)
    assert raw == Counter(expected["gpu_nic_nccl"])
    direct = sum(
        compiled.gpu_gpu.transport[i, j] in (Transport.NVLINK, Transport.P2P) for i in range(n) for j in range(i)
    )
    assert direct == expected["default_p2p_pairs"]
    # GPUDirect from the GPU that is nearest to the NIC
    near = [
        nic
        for nic, p in zip(expected["nics"], ports, strict=True)
        if any(compiled.gpu_port.transport[i, p] == Transport.GPUDIRECT for i in range(n))
    ]
    assert near == expected["gdr_default"]


@pytest.mark.parametrize("chassis", sorted(EXPECTED))
def test_lanes(chassis):
    compiled = interior(server(chassis, populate=True))
    for cpu, row in EXPECTED[chassis]["expected"].get("lanes", {}).items():
        lanes = compiled.lanes[cpu]
        assert (lanes.wired, lanes.available) == (row["wired"], row["available"])
        assert lanes.used <= lanes.wired


@pytest.mark.parametrize("chassis", sorted(EXPECTED))
def test_nothing_is_left_over(chassis):
    compiled = interior(server(chassis, populate=True))
    # an external box alone has no root above it, but every card in it has a feed
    assert compiled.problems == ()


def test_grace_servers_use_the_coherent_link():
    # gb200-compute-tray: nvidia-smi prints SYS for all 24 pairs, NCCL decides by P2C to the own Grace's three NICs
    compiled = interior(server("gb200-compute-tray"))
    assert {w for row in compiled.gpu_port.smi for w in row} == {"SYS"}
    words = Counter(
        NcclClass(o).name for o in compiled.gpu_port.overlay[:, columns(compiled, list(compiled.nics))].ravel()
    )
    assert words == {"P2C": 4 * 3, "PXN": 4 * 3}
    assert Counter(w for row in compiled.gpu_gpu.smi for w in row) == {"NV18": 12, "X": 4}
    assert compiled.nvlink_rate[0] == 18 * 50e9


def test_external_chassis_joins_by_its_host_ports():
    # both host ports on one switch card: cards of different halves meet over three bridges (PXB)
    from fabricwright.design.values import Item, Link

    population = {f"gpu{8 + i}": Item("h100-pcie-80gb", seat=f"ext0:g{i + 1}") for i in range(8)}
    cards = {
        "sw0": Item("lrsv9500-4i", seat="chassis:s1"),
        "ext0": Item("ext-gpu-chassis-8"),
        **population,
    }
    cables = {
        "c1": Link("sw0:d1", "ext0/h:1", medium="pcie"),
        "c2": Link("sw0:d2", "ext0/h:2", medium="pcie"),
    }
    compiled = interior(server("cabled-4u8g", cards, cables))
    upper = Counter(compiled.gpu_gpu.smi[i][j] for i in range(8) for j in range(i))
    assert upper == {"PIX": 12, "PXB": 16}
    assert compiled.problems == ()
