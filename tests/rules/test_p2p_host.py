"""P2P-06, 10, 18, 20: peer traffic, staging and fan-out through the processor."""

from __future__ import annotations

import pytest

from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Project
from tests.rules.drawing import card, fired, places, server
from tests.rules.examples import fires, silent
from tests.rules.hosts import host


@fires("P2P-06")
def test_p2p_06_host_that_linux_does_not_list() -> None:
    (found,) = fired(host(["gpu"] * 4, cpu="kunpeng920", nccl_p2p_level="SYS"), "P2P-06")
    assert (places([found]), found.measured, found.severity) == (["node/cpu0"], 6, "info")


@silent("P2P-06")
def test_p2p_06_amd_zen() -> None:
    assert fired(host(["gpu"] * 4, cpu="epyc-genoa", nccl_p2p_level="SYS"), "P2P-06") == []


def test_p2p_06_edges() -> None:
    assert fired(host(["gpu"] * 4, cpu="kunpeng920"), "P2P-06") == []  # no peer-to-peer across root ports
    assert fired(host([["gpu"] * 4], cpu="kunpeng920", nccl_p2p_level="SYS"), "P2P-06") == []
    assert fired(host(["gpu"] * 4, cpu="grace", nccl_p2p_level="SYS"), "P2P-06") == []  # not known
    two = host(["gpu"] * 2, ["gpu"] * 2, cpu="hygon7490", nccl_p2p_level="SYS")
    assert [(places([f]), f.measured) for f in fired(two, "P2P-06")] == [(["node/cpu0"], 5), (["node/cpu1"], 5)]


@fires("P2P-10")
def test_p2p_10_two_root_ports_of_an_intel_socket() -> None:
    (found,) = fired(host(["gpu", "gpu"]), "P2P-10")
    assert (found.severity, found.measured, places([found])) == ("fact", 1.2, ["node/cpu0"])


@silent("P2P-10")
def test_p2p_10_nvlink() -> None:
    assert fired(server("dgx-h100", {}), "P2P-10") == []
    assert fired(host([["gpu", "gpu"]]), "P2P-10") == []
    assert fired(host(["gpu", "gpu"], cpu="epyc-genoa"), "P2P-10") == []
    assert fired(host(["gpu", "gpu"], nccl_p2p_disable="on"), "P2P-10") == []


def staged(**more: object) -> Project:
    """Field case C030: one GPU, the NIC on another root port, so that it is fed through host memory."""
    return host(["gpu", "nic"], rails=False, count=2, **{"cpu": "epyc-rome", "gen": 4, **more})


@fires("P2P-18")
def test_p2p_18_nps1_and_staging() -> None:
    project = staged(config={"cpu0": {"nps": "1"}}, gdr="off")
    (found,) = fired(project, "P2P-18")
    assert places([found]) == ["node/cpu0"] and "assumed" not in found.message.english()
    assert fired(apply(project, run(project, found.fix[0])), "P2P-18") == []


@silent("P2P-18")
def test_p2p_18_nps4() -> None:
    assert fired(staged(config={"cpu0": {"nps": "4"}}, gdr="off"), "P2P-18") == []
    assert fired(staged(config={"cpu0": {"nps": 4}}, gdr="off"), "P2P-18") == []


def test_p2p_18_edges() -> None:
    (found,) = fired(staged(), "P2P-18")  # PHB: GPUDirect RDMA off by default
    assert "1 assumed" in found.message.english()
    assert fired(staged(nccl_gdr_level="SYS"), "P2P-18") == []
    assert fired(staged(cpu="xeon-icx"), "P2P-18") == []
    assert fired(staged(cpu="hygon7490"), "P2P-18") == []
    peers = host([["gpu"] * 4], cpu="epyc-turin")
    assert fired(peers, "P2P-18") == []
    off = host([["gpu"] * 4], cpu="epyc-turin", nccl_p2p_disable="on")
    assert places(fired(off, "P2P-18")) == ["node/cpu0"]
    assert fired(server("as-8125gs-tnhr", {}), "P2P-18") == []


def eight(chassis: str = "pcie-8dw-2chip-4part", **settings: object) -> Project:
    """Two PEX89144 with two uplinks each below two EPYC Turin: the box of field case C137."""
    return server(
        chassis, {f"gpu{n}": card("rtx-pro-6000-bse", f"chassis:g{n + 1}") for n in range(8)}, settings=settings
    )


@fires("P2P-20")
def test_p2p_20_all_to_all() -> None:
    found = fired(eight(**{"job.collective": "all_to_all"}), "P2P-20")
    assert places(found) == [f"node/sw{n}" for n in range(4)]
    assert {f.measured for f in found} == {3}  # three other root ports
    assert "6.3 of 63 GB/s" in found[0].message.english()


@silent("P2P-20")
@pytest.mark.parametrize("settings", [{"job.collective": "all_reduce"}, {}])
def test_p2p_20_ring(settings: dict[str, str]) -> None:
    assert fired(eight(**settings), "P2P-20") == []


def test_p2p_20_edges() -> None:
    asked = {"job.collective": "all_to_all"}
    two_root_ports = eight("pcie-8dw-2switch-single-root", **asked)
    assert fired(two_root_ports, "P2P-20") == []  # one other root port only
    off = {"nccl.p2p_disable": "on"}
    assert fired(eight(**asked, **off), "P2P-20") == []
    assert fired(eight(**asked, **{"nccl.p2p_level": "PXB"}), "P2P-20") == []

    def three(**more: object) -> Project:
        layout = [["gpu", "gpu"], "gpu", "gpu"]
        return host(layout, job_collective="all_to_all", **{"cpu": "epyc-turin", "chip": "pex89048", **more})

    assert places(fired(three(), "P2P-20")) == ["node/sw0"]
    assert fired(three(chip="pm50100"), "P2P-20") == []
    assert fired(three(cpu="epyc-genoa"), "P2P-20") == []
    single = host([["gpu"], "gpu", "gpu"], cpu="epyc-turin", job_collective="all_to_all")
    assert fired(single, "P2P-20") == []  # one source


def test_p2p_18_a_management_nic_of_a_server_with_switches() -> None:
    """A NIC on the processor does not stage the GPUs' traffic while their own NICs are not drawn yet."""
    nic = {"bf": card("b3220", "chassis:c1", aux="aux-bf3-8pin")}
    assert fired(server("as-8125gs-tnhr", nic), "P2P-18") == []
    assert places(fired(server("as-8125gs-tnhr", nic, settings={"gdr": "off"}), "P2P-18")) == ["node/cpu0", "node/cpu1"]
