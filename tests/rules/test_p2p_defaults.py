"""P2P-01, 02, 03: what NCCL leaves off by default, on the rules' own examples and the field cases beside them."""

from __future__ import annotations

from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Export, Item, Link, Project
from fabricwright.units.table import Table
from tests.cases.machines import gpus, nics, node
from tests.rules.drawing import card, deal, fabric, fired, group, places, server
from tests.rules.examples import fires, silent
from tests.rules.hosts import host

PRO = "rtx-pro-6000-bse"


def a800(seat: str, rails: bool = False) -> Project:
    """Eight A800 with NVLink and one NIC, as field case C012."""
    rows = {f"gpu{n}": card("a800-sxm4-80gb", f"chassis:sxm{n}") for n in range(8)}
    rows["nic0"] = card("mcx653106a-hdat", f"chassis:{seat}")
    export = Export(("nic0:1",), (("rail" if rails else "port", 1),))
    return server("hgx-a100-8sxm", rows, exports={"compute": export})


@fires("P2P-01")
def test_p2p_01_eight_gpus_and_a_nic_on_a_root_port() -> None:
    (found,) = fired(a800("s9"), "P2P-01")
    assert places([found]) == [f"node/gpu{n}" for n in range(8)]
    assert found.values["distance"] == ["SYS"]  # four NUMA nodes per socket: the NIC's has no GPU
    near = host([*["gpu"] * 4, "nic"], gpu="h100-nvl-94gb", nvlink=[("gpu0", "gpu1"), ("gpu2", "gpu3")], rails=False)
    assert fired(near, "P2P-01")[0].values["distance"] == ["PHB"]


@silent("P2P-01")
def test_p2p_01_a_nic_at_pxb_for_every_gpu() -> None:
    assert fired(server("dgx-h100", {}), "P2P-01") == []


def test_p2p_01_far_numa_nodes_warn_but_are_no_rail() -> None:
    """Field case C008: one NIC, GPUs on both NUMA nodes."""
    drawn = host(["gpu", "nic"], ["gpu"], rails=False)
    assert places(fired(drawn, "P2P-01")) == ["node/gpu0", "node/gpu1"]
    assert fired(drawn, "P2P-02") == []


def test_p2p_01_a_level_that_does_not_reach_the_nic() -> None:
    """PHB away: a level of PXB leaves GPUDirect RDMA off, SYS turns it on."""
    (off,) = fired(host(["gpu", "nic"], rails=False, nccl_gdr_level="PXB"), "P2P-01")
    assert off.message.english().startswith("GPUDirect RDMA is off for gpu0")
    (on,) = fired(host(["gpu", "nic"], rails=False, nccl_gdr_level="SYS"), "P2P-01")
    assert "runs only because" in on.message.english()


def test_p2p_01_a_cabled_port_needs_no_export() -> None:
    sheet = node("pcie-4dw-2u-direct", gpus("l40s", ["f1", "f2"]) | nics("mcx715105as-weat", ["r1"]))
    links = {"down": Link("node:nic0:1", "leaf:1-2", deal())}
    parts = {"node": group("sheet:node", node=2), "leaf": group("generic-64x400")}
    assert len(fired(fabric(parts, links, {"node": sheet}), "P2P-01")) == 1


@fires("P2P-02")
def test_p2p_02_gpu5_on_the_other_socket() -> None:
    """Four GPUs and all four rails' NICs on socket 0, GPU5 of eight on socket 1 with its rail's NIC on socket 0."""
    drawn = host([*["gpu"] * 4, *["nic"] * 8], ["gpu"] * 4, rails=True)
    (found,) = fired(drawn, "P2P-02")
    assert "node/gpu5" in places([found]) and found.values["gbs"] == 22.0


@silent("P2P-02")
def test_p2p_02_nvlink_reaches_the_far_nic() -> None:
    """GPU0 to NIC6 is SYS in a DGX H100: not its rail, and NVLink reaches it."""
    assert fired(server("dgx-h100", {}), "P2P-02") == []


def test_p2p_02_numa_nodes_of_one_socket_are_no_sockets() -> None:
    """Field case C145: SNC splits the socket; the PCIe tree and the processor count."""
    split = host(["gpu", "nic"], ["gpu"], numa=True, rails=True)
    assert places(fired(split, "P2P-02")) == ["node/gpu1"]


@fires("P2P-03")
def test_p2p_03_two_root_ports_at_the_default_level() -> None:
    drawn = host([["gpu"] * 4], [["gpu"] * 4], gpu=PRO)
    (found,) = fired(drawn, "P2P-03")
    assert (found.measured, len(found.at)) == (16, 8)  # 4 x 4 pairs across
    assert fired(apply(drawn, run(drawn, found.fix[0])), "P2P-03") == []


@silent("P2P-03")
def test_p2p_03_level_set_nvlink_or_two_gpus_on_amd() -> None:
    assert fired(host([["gpu"] * 4], [["gpu"] * 4], gpu=PRO, nccl_p2p_level="SYS"), "P2P-03") == []
    assert fired(server("dgx-h100", {}), "P2P-03") == []
    assert fired(host(["gpu"], ["gpu"], gpu=PRO, cpu="epyc-turin"), "P2P-03") == []


def test_p2p_03_off_is_off_and_stated_on_is_on() -> None:
    assert fired(host(["gpu"] * 3, nccl_p2p_disable="on"), "P2P-03") == []
    assert fired(host(["gpu"] * 3, nccl_p2p_disable="off"), "P2P-03") != []


def test_p2p_03_a_level_does_not_help_gpus_without_peer_to_peer() -> None:
    assert fired(host(["gpu"] * 4, gpu="rtx4090"), "P2P-03") == []


def test_paths_of_an_archetype_are_marked_as_estimates() -> None:
    """Where the slots of a board were not read in a source, neither is the distance of what sits in them."""
    rows = {"gpu0": card("l40s", "chassis:g1"), "nic0": card("mcx653106a-hdat", "chassis:n1")}
    ports = {"compute": Export(("nic0:1",), (("port", 1),))}
    (assumed,) = fired(server("generic-2s-4u8g", rows, exports=ports), "P2P-01")
    rows["chassis"] = Item(None, config=Table({"slot.g1.gen": 5}))
    (told,) = fired(server("generic-2s-4u8g", rows, exports=ports), "P2P-01")
    assert (assumed.estimate, told.estimate) == (True, False)
