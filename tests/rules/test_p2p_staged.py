"""P2P-09, 11, 14, 15: peer traffic that does not happen, and what it costs."""

from __future__ import annotations

import pytest

from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from tests.rules.drawing import fired, places, server
from tests.rules.examples import fires, silent
from tests.rules.hosts import host

NO_P2P = "rtx4090"


@fires("P2P-09")
def test_p2p_09_four_4090_with_a_level() -> None:
    (found,) = fired(host(["gpu"] * 4, gpu=NO_P2P, gen=4, nccl_p2p_level="SYS"), "P2P-09")
    assert (found.measured, found.estimate) == (4, True)  # the figure is engineering knowledge
    assert "SYS" in found.message.english()


@silent("P2P-09")
def test_p2p_09_four_l40s() -> None:
    assert fired(host(["gpu"] * 4, gpu="l40s", nccl_p2p_level="SYS"), "P2P-09") == []


def test_p2p_09_tensor_parallel_group() -> None:
    pair = ["gpu", "gpu"]
    assert places(fired(host(pair, gpu="rtx5090", job_tp=2), "P2P-09")) == ["node/gpu0", "node/gpu1"]
    assert places(fired(host(pair, gpu="rtx5090", tp=2), "P2P-09")) == ["node/gpu0", "node/gpu1"]
    assert fired(host(pair, gpu="rtx5090", tp=1, job_tp=2), "P2P-09") == []  # the workload's plan counts first
    assert fired(host(pair, gpu="rtx5090"), "P2P-09") == []  # nothing counts on it
    assert fired(host(pair, gpu="rtx5090", nccl_p2p_level="LOC"), "P2P-09") == []
    assert fired(host(pair, gpu="rtx5090", nccl_p2p_level="SYS", nccl_p2p_disable="on"), "P2P-09") == []
    mixed = host(["gpu"] * 4, gpu=["l40s", NO_P2P, "l40s", NO_P2P], gen=4, job_tp=2)
    assert fired(mixed, "P2P-09") == []  # one in each group
    assert places(fired(host(["gpu"] * 3, gpu=NO_P2P, job_tp=2), "P2P-09")) == ["node/gpu0", "node/gpu1"]


def test_p2p_09_what_is_stated_of_the_driver_counts_first() -> None:
    patched = {f"gpu{n}": {"p2p": "on"} for n in range(2)}
    assert fired(host(["gpu", "gpu"], gpu="rtx5090", job_tp=2, config=patched), "P2P-09") == []
    assert fired(host([["gpu", "gpu"]], gpu="rtx5090", config=patched), "P2P-14") == []
    refused = {f"gpu{n}": {"p2p": "off"} for n in range(2)}
    (found,) = fired(host(["gpu", "gpu"], gpu="l40s", job_tp=2, config=refused), "P2P-09")
    assert not found.estimate
    assert not fired(host([["gpu", "gpu"]], gpu="l40s", config=refused), "P2P-14")[0].estimate


@fires("P2P-11")
def test_p2p_11_two_of_eight() -> None:
    project = server("as-8125gs-tnmr2", {}, settings={"job.gpus_per_server": 2})
    (found,) = fired(project, "P2P-11")
    assert (found.measured, found.allowed, found.unit) == (64, 448, "GB/s")
    assert fired(apply(project, run(project, found.fix[0])), "P2P-11") == []


@silent("P2P-11")
@pytest.mark.parametrize("settings", [{}, {"job.gpus_per_server": 8}, {"job.gpus_per_server": 1}])
def test_p2p_11_all_or_one(settings: dict[str, int]) -> None:
    assert fired(server("as-8125gs-tnmr2", {}, settings=settings), "P2P-11") == []


def test_p2p_11_is_about_xgmi() -> None:
    assert fired(server("dgx-h100", {}, settings={"job.gpus_per_server": 2}), "P2P-11") == []
    assert fired(server("as-8125gs-tnmr2", {}, settings={"job.gpus_per_server": 4}), "P2P-11") != []
    assert fired(server("as-8125gs-tnmr2", {}, settings={"job.gpus_per_server": 5}), "P2P-11") == []


def below_switches(gpu: str = NO_P2P, **more: object):
    """Field case C006: two switches with four GPUs each, on two sockets."""
    return host([["gpu"] * 4], [["gpu"] * 4, "nic"], gpu=gpu, gen=4, **more)


@fires("P2P-14")
def test_p2p_14_four_4090_below_one_uplink() -> None:
    found = fired(below_switches(), "P2P-14")
    assert places(found) == ["node/sw0", "node/sw1"]
    # half of the 24 GB/s that NCCL counts for Gen4 x16; the field case says about 25/2
    assert found[0].values["pair_gbs"] == pytest.approx(12.5, rel=0.05)
    assert found[0].measured == 4


@silent("P2P-14")
def test_p2p_14_one_per_root_port() -> None:
    assert fired(host(["gpu"] * 4, gpu=NO_P2P, gen=4), "P2P-14") == []


def test_p2p_14_edges() -> None:
    assert fired(below_switches("l40s"), "P2P-14") == []
    assert fired(host([["gpu", "nic"], ["gpu"]], gpu=NO_P2P, gen=4), "P2P-14") == []  # one per switch
    assert places(fired(host([["gpu", "gpu"], "gpu"], gpu=NO_P2P), "P2P-14")) == ["node/sw0"]


def shared(gen: int = 3, nic: str = "mcx623106an-cdat", **more: object):
    """GPU and a NIC of 2 x 100G below one switch."""
    return host([["gpu", "nic"]], gen=gen, nic=nic, rails=False, **more)


@fires("P2P-15")
def test_p2p_15_gpudirect_off_on_a_shared_gen3_uplink() -> None:
    project = shared(gdr="off")
    (found,) = fired(project, "P2P-15")
    assert places([found]) == ["node/sw0"]
    assert (found.measured, found.allowed) == (pytest.approx(6), pytest.approx(12))
    after = apply(project, run(project, found.fix[0]))
    assert fired(after, "P2P-15") == []


@silent("P2P-15")
def test_p2p_15_on() -> None:
    assert fired(shared(gdr="on"), "P2P-15") == []
    assert fired(shared(), "P2P-15") == []


def test_p2p_15_edges() -> None:
    (level,) = fired(shared(nccl_gdr_level="LOC"), "P2P-15")  # the level forbids it
    assert level.fix[0].args["key"] == "nccl.gdr_level"
    assert fired(shared(nccl_gdr_level="PIX"), "P2P-15") == []
    (slow,) = fired(shared(gen=5, nic="mcx653106a-hdat", gdr="off"), "P2P-15")
    assert slow.measured == pytest.approx(24)  # half of Gen5 x16; the NIC's two ports could take 48
    assert fired(host(["gpu", "nic"], rails=False, gdr="off"), "P2P-15") == []  # no uplink is shared


def test_p2p_15_offers_no_fix_where_acs_would_stop_it() -> None:
    """Field case C007: ACS is on as well; GPUDirect RDMA would then fail (P2P-12)."""
    (found,) = fired(shared(gdr="off", acs="on"), "P2P-15")
    assert found.fix == ()
    (found,) = fired(shared(gdr="off", config={"sw0": {"acs_ctl": "0x1d"}}), "P2P-15")
    assert found.fix == ()


def test_p2p_14_a_fast_uplink_is_no_worse_than_another_socket() -> None:
    """Two Gen4 cards below a Gen5 uplink: half of 48 GB/s is all that their own links carry."""
    (same,) = fired(host([["gpu", "gpu"]], gpu=NO_P2P), "P2P-14")
    assert "all pairs together get 24 of 48 GB/s" in same.message.english()
    (less,) = fired(host([["gpu", "gpu"]], gpu=NO_P2P, gen=4), "P2P-14")
    assert less.message.english().endswith("less than across sockets.")
