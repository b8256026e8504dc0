"""P2P-07, 08, 16, 17, 19, 22: how GPUs, NICs and sockets divide up."""

from __future__ import annotations

import dataclasses

import pytest

from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Export
from fabricwright.units.table import Table
from tests.rules.drawing import card, fired, places, server
from tests.rules.examples import fires, silent
from tests.rules.hosts import host

G8 = [["gpu"] * 4, ["gpu"] * 4]
MESH = [(f"gpu{a}", f"gpu{b}") for a in range(4) for b in range(a)]
NVLINK_GPU = "a100-pcie-80gb"


@fires("P2P-07")
def test_p2p_07_eight_gpus_one_nic() -> None:
    (found,) = fired(host([*["gpu"] * 8, "nic"], rails=True), "P2P-07")
    assert (places([found]), found.measured, found.unit) == (["node"], 8, ":1")


@silent("P2P-07")
@pytest.mark.parametrize("nics", [8, 4])
def test_p2p_07_one_nic_per_gpu_or_for_two(nics: int) -> None:
    assert fired(host([*["gpu"] * 8, *["nic"] * nics], rails=True), "P2P-07") == []


def test_p2p_07_edges() -> None:
    (found,) = fired(host([*["gpu"] * 8, *["nic"] * 3], rails=True), "P2P-07")
    assert found.measured == pytest.approx(8 / 3)
    assert fired(host([*["gpu"] * 8, "nic"], rails=False), "P2P-07") == []  # no rail fabric
    assert fired(host(["gpu", "gpu", *["nic"] * 4], rails=True), "P2P-07") == []  # two NICs per GPU
    assert fired(host(["gpu"] * 8), "P2P-07") == []
    assert fired(server("dgx-h100", {}), "P2P-07") == []
    assert fired(server("dgx-b300", {}), "P2P-07") == []  # 8 NICs of two ports


@fires("P2P-08")
def test_p2p_08_six_and_two() -> None:
    (found,) = fired(host(["gpu"] * 6, ["gpu"] * 2), "P2P-08")
    assert (found.measured, found.values["counts"]) == (4, {"cpu0": 6, "cpu1": 2})
    assert "6/2" in found.message.english()


@silent("P2P-08")
def test_p2p_08_four_and_four() -> None:
    assert fired(host(["gpu"] * 4, ["gpu"] * 4), "P2P-08") == []


def test_p2p_08_edges() -> None:
    assert fired(host(["gpu"] * 4), "P2P-08") == []
    assert fired(host(["gpu"], ["gpu"], ["gpu"], ["gpu"]), "P2P-08") == []
    assert fired(host(["gpu"], ["nic"]), "P2P-08") == []  # one GPU cannot be shared out
    alone = host(["gpu"] * 4, ["nic"], config={"chassis": {"cpus_fitted": 1}})
    assert fired(alone, "P2P-08") == []  # the second processor is not there
    assert fired(host(["gpu"] * 4, ["nic"]), "P2P-08") != []


def test_p2p_08_numa_nodes_of_one_socket_are_one_socket() -> None:
    """Field case C145: SNC splits a socket into NUMA nodes; GPUs are counted per processor."""
    assert fired(host(*G8, config={"cpu0": {"nps": "4"}}), "P2P-08") == []


def half_near(pairs: int = 4):
    """Field case C038: a switch per GPU pair, the NIC beside the first of each."""
    sockets = [[["gpu", "nic"], "gpu"] * 2, [["gpu", "nic"], "gpu"] * 2]
    return host(*sockets[: pairs // 2], rails=True)


@fires("P2P-16")
def test_p2p_16_every_other_gpu_has_a_nic() -> None:
    (found,) = fired(half_near(), "P2P-16")
    assert (found.measured, places([found])) == (4, [f"node/gpu{n}" for n in (1, 3, 5, 7)])
    assert "4 of 8" in found.message.english()


@silent("P2P-16")
def test_p2p_16_every_gpu_has_its_own() -> None:
    assert fired(server("dgx-h100", {}), "P2P-16") == []
    assert fired(host(*([[["gpu", "nic"]] * 4] * 2), rails=True), "P2P-16") == []


def test_p2p_16_edges() -> None:
    assert fired(host(["gpu"] * 4 + ["nic"], rails=True), "P2P-16") == []  # none is near: P2P-01
    assert fired(host([["gpu", "gpu", "nic"]] * 2, rails=True), "P2P-16") == []  # shared by two, near both
    assert fired(host([["gpu", "nic"], "gpu"]), "P2P-16") == []  # no compute network drawn


def test_p2p_16_nvlink_relays_and_rail_rules_stay_silent() -> None:
    """Field case C011: four NVLink GPUs, NICs beside GPU1 and GPU2 only."""
    drawn = host(["gpu", ["gpu", "nic"]], [["gpu", "nic"], "gpu"], gpu=NVLINK_GPU, nvlink=MESH, rails=False)
    (found,) = fired(drawn, "P2P-16")
    assert places([found]) == ["node/gpu0", "node/gpu3"] and "PXN" in found.message.english()
    assert fired(drawn, "P2P-02") == []


def two_hundred(**more: object):
    """Field case C016 with cards of the catalogue: GPUs on Gen4 root ports, two NICs of 100G."""
    return host(["gpu"] * 4 + ["nic"], ["gpu"] * 4 + ["nic"], gen=4, nic="mcx623106an-cdat", rails=False, **more)


@fires("P2P-17")
def test_p2p_17_two_nics_over_gen4() -> None:
    (found,) = fired(two_hundred(job_collective="all_reduce"), "P2P-17")
    # 2 x 100 Gb/s = 25 GB/s against the 24 GB/s that NCCL counts for Gen4 x16
    assert (found.measured, found.allowed) == (pytest.approx(25), pytest.approx(24))


@silent("P2P-17")
def test_p2p_17_nvlink_is_faster() -> None:
    assert fired(server("dgx-h100", {}), "P2P-17") == []  # 8 x 50 = 400 <= 450
    assert fired(server("dgx-b300", {}), "P2P-17") == []  # 8 x 100 = 800 <= 900


def test_p2p_17_edges() -> None:
    (found,) = fired(two_hundred(), "P2P-17")
    assert "all-reduce assumed" in found.message.english()
    assert fired(two_hundred(job_collective="all_to_all"), "P2P-17") == []
    one = host(["gpu"] * 4 + ["nic"], rails=False, job_collective="all_reduce")
    assert fired(one, "P2P-17") == []  # 50 over 48 GB/s, but one NIC is no aggregate
    five = host(["gpu"] * 4 + ["nic", "nic"], rails=False, job_collective="all_reduce")
    assert fired(five, "P2P-17")[0].measured == pytest.approx(100)


@fires("P2P-19")
def test_p2p_19_eight_gpus_on_root_ports() -> None:
    found = fired(host(*G8), "P2P-19")
    assert [(places([f]), f.measured) for f in found] == [(["node/cpu0"], 5), (["node/cpu1"], 5)]


@silent("P2P-19")
def test_p2p_19_below_switches() -> None:
    assert fired(host([["gpu"] * 4], [["gpu"] * 4]), "P2P-19") == []
    assert fired(host([["gpu"] * 4, "gpu"]), "P2P-19") == []  # some below a switch


def test_p2p_19_edges() -> None:
    (alone,) = fired(host(["gpu"] * 4), "P2P-19")
    assert alone.measured == 4  # the ring does not leave the socket
    (many,) = fired(host(["gpu"] * 4 + ["nic"], rails=True, count=4), "P2P-19")
    assert many.measured == 5  # and here it does, through the NIC
    joined = host(["gpu"] * 4, gpu=NVLINK_GPU, nvlink=MESH)
    assert fired(joined, "P2P-19") == []
    assert fired(host(["gpu"]), "P2P-19") == []


def four_sockets(**more: object):
    return host(*[["nic"]] * 4, rails=False, **more)


@fires("P2P-22")
def test_p2p_22_one_rank_over_four_sockets() -> None:
    project = four_sockets(job_ranks_per_server=1)
    (found,) = fired(project, "P2P-22")
    assert places([found]) == [f"node/nic{n}" for n in range(4)]
    assert fired(apply(project, run(project, found.fix[0])), "P2P-22") == []


@silent("P2P-22")
def test_p2p_22_one_rank_per_socket() -> None:
    assert fired(four_sockets(job_ranks_per_server=4), "P2P-22") == []
    assert fired(four_sockets(), "P2P-22") == []  # not stated
    assert fired(host(["nic"] * 4, rails=False, job_ranks_per_server=1), "P2P-22") == []


def test_a_design_of_one_server_sheet_has_addresses() -> None:
    """Without a fabric sheet findings about the server point at what is in it."""
    project = host(["gpu"] * 6, ["gpu"] * 2)
    design = project.designs["main"]
    alone = design.sheets["node"]
    sheets = Table({"node": alone})
    project = dataclasses.replace(
        project, designs=Table({"main": dataclasses.replace(design, root="node", ranks=(), sheets=sheets)})
    )
    assert places(fired(project, "P2P-08")) == ["cpu0", "cpu1"]


def test_numa_words_are_no_structure() -> None:
    """Field case C145: SNC on, one GPU of four per socket beside the NICs; nothing crosses a socket."""
    socket = [["gpu", "nic", "nic"], "gpu", "gpu", "gpu"]
    drawn = host(socket, socket, numa=True, rails=True)
    assert fired(drawn, "P2P-16")[0].measured == 6
    assert fired(drawn, "P2P-02") == []
    assert fired(drawn, "P2P-08") == []


def test_far_gpus_of_a_switch_each_are_no_rail_fault() -> None:
    """Field case C038: every switch on its own host bridge, the NIC beside every other GPU."""
    assert fired(half_near(), "P2P-02") == []


def test_p2p_17_counts_what_the_slots_leave_of_the_ports() -> None:
    """Eight 800G cards in Gen5 x16 slots send 8 x 55.4 = 443 GB/s, within the 448 of an MI300X mesh."""
    cards = {f"nic{n}": card("thor-ultra", f"chassis:n{n + 1}") for n in range(8)}
    ports = Export(tuple(f"nic{n}:1" for n in range(8)), (("rail", 8),))
    assert fired(server("as-8125gs-tnmr2", cards, exports={"compute": ports}), "P2P-17") == []
