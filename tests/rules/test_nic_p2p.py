"""NIC and P2P: every rule at the two sides of its limit."""

from __future__ import annotations

import pytest

from fabricwright.catalog.parts import BuiltinLink, Port
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Export, Link, Sheet
from fabricwright.units.table import Table
from tests.rules.drawing import (
    board,
    card,
    claim,
    cpu,
    deal,
    fabric,
    fired,
    group,
    places,
    root_port,
    server,
    slot,
    switch_chip,
)

GPU = "h100-pcie-80gb"
DUAL_200 = "lres1260pf-2qsfp112"


def dual(**config: object):
    return {"nic0": card(DUAL_200, "chassis:s1", **config)}


def one_slot(gen: int = 5):
    return board({"s1": slot("cpu0:p1", gen=gen)})


@pytest.mark.parametrize(("stated", "fires"), [(800, True), (400, False)])
def test_nic_01_claim_against_gen5_x16(stated: int, fires: bool) -> None:
    project = server(one_slot(), dual(), statements=(claim("nic.aggregate_gbps", stated, "node/nic0"),))
    found = fired(project, "NIC-01")
    assert bool(found) is fires
    if fires:
        assert found[0].allowed == pytest.approx(504.1, abs=0.1)  # 16 x 31.508 Gb/s


@pytest.mark.parametrize(("stated", "fires"), [(800, True), (400, False)])
def test_nic_02_claim_against_the_ports(stated: int, fires: bool) -> None:
    project = server(one_slot(), dual(), statements=(claim("nic.aggregate_gbps", stated, "node/nic0"),))
    assert bool(fired(project, "NIC-02")) is fires


def test_nic_02_claim_about_a_part() -> None:
    project = server(one_slot(), dual(), statements=(claim("nic.aggregate_gbps", 800, f"part:{DUAL_200}"),))
    assert places(fired(project, "NIC-02")) == ["node/nic0"]


def test_claims_of_another_design_are_not_held_against_this_one() -> None:
    project = server(one_slot(), dual(), statements=(claim("nic.aggregate_gbps", 800, "other!node/nic0"),))
    assert fired(project, "NIC-02") == []


def cabled(nic: str, gen: int, switch: str, ports: str, **config: object):
    """One server, both ports of its NIC cabled to one switch."""
    node = Sheet(
        "server",
        chassis="board",
        items=Table({"nic0": card(nic, "chassis:s1", **config)}),
        exports=Table({"compute": Export(("nic0:1", "nic0:2"), (("port", 2),))}),
    )
    links = {"down": Link("node:compute", f"leaf:{ports}", deal())}
    return fabric({"node": group("sheet:node"), "leaf": group(switch)}, links, {"node": node}, chassis=one_slot(gen))


def test_nic_04_two_100g_ports_on_gen3() -> None:
    # 0.88 x 16 x 7.877 = 110.9 Gb/s for 2 x 100 Gb/s
    (found,) = fired(cabled("mcx516a-cdat", 3, "sn4600c", "1-2"), "NIC-04")
    assert (found.measured, found.allowed) == (pytest.approx(200), pytest.approx(110.9, abs=0.1))
    assert fired(cabled("mcx516a-cdat", 4, "sn4600c", "1-2"), "NIC-04") == []


def test_nic_04_two_200g_ports_on_gen5_fit() -> None:
    drawn = cabled(DUAL_200, 5, "sn3700", "1-2", mode="2x200")
    assert fired(drawn, "NIC-04") == []  # 400 <= 443


@pytest.mark.parametrize(("stated", "fires"), [(390, True), (190, False)])
def test_nic_05_single_flow(stated: int, fires: bool) -> None:
    project = server(one_slot(), dual(), statements=(claim("flow.single_gbps", stated, "node/nic0"),))
    found = fired(project, "NIC-05")
    assert bool(found) is fires
    if fires:
        assert (found[0].measured, found[0].allowed) == (390, 200)


def test_nic_05_bond_needs_more_than_one_queue_pair() -> None:
    one = server(one_slot(), dual(bond=True))
    (found,) = fired(one, "NIC-05")
    assert fired(apply(one, run(one, found.fix[0])), "NIC-05") == []
    assert fired(server(one_slot(), dual(bond=True), settings={"ecmp.qps": 2}), "NIC-05") == []


def two_sockets(gpu_socket: int, nic_socket: int, rails: bool = True):
    """A GPU and a NIC on root ports of two sockets."""
    ports = {"p1": root_port(), "p2": root_port(), "upi": Port("socket", "peer")}
    sockets = {f"cpu{s}": cpu(ports) for s in (0, 1)}
    chassis = board(
        {"g1": slot(f"cpu{gpu_socket}:p1", max_width=2), "n1": slot(f"cpu{nic_socket}:p2")},
        sockets,
        {"sl0": BuiltinLink("cpu0:upi", "cpu1:upi", "socket", kind="upi", gbs=22)},
    )
    export = Export(("nic0:1",), (("rail", 1),) if rails else (("port", 1),))
    items = {"gpu0": card(GPU, "chassis:g1"), "nic0": card("mcx715105as-weat", "chassis:n1")}
    return server(chassis, items, exports={"compute": export})


def test_p2p_01_nic_on_a_root_port() -> None:
    (found,) = fired(two_sockets(0, 0), "P2P-01")
    assert (places([found]), found.values["distance"]) == (["node/gpu0"], ["PHB"])
    assert fired(server("dgx-h100", {}), "P2P-01") == []  # every GPU has its own NIC at PXB


def test_p2p_01_nic_below_the_gpus_switch_is_near() -> None:
    items = {"cpu0": cpu({"p1": root_port()}), "sw0": switch_chip(2)}
    links = {"b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5)}
    chassis = board({"g1": slot("sw0:d1", max_width=2), "n1": slot("sw0:d2")}, items, links)
    cards = {"gpu0": card(GPU, "chassis:g1"), "nic0": card("mcx715105as-weat", "chassis:n1")}
    assert fired(server(chassis, cards, exports={"compute": Export(("nic0:1",))}), "P2P-01") == []


def test_p2p_01_is_silent_without_a_compute_network() -> None:
    assert fired(server("pcie-4dw-one-socket", {"gpu0": card(GPU, "chassis:g1")}), "P2P-01") == []


def test_p2p_02_rail_nic_on_the_other_socket() -> None:
    (found,) = fired(two_sockets(1, 0), "P2P-02")
    assert found.values["gbs"] == pytest.approx(22)
    assert fired(two_sockets(0, 0), "P2P-02") == []
    assert fired(two_sockets(1, 0, rails=False), "P2P-02") == []
    assert fired(server("dgx-h100", {}), "P2P-02") == []  # GPU0 to NIC6 is SYS, but not its rail


def test_p2p_02_rail_by_rail() -> None:
    """As many rails as GPUs: each GPU is held against its own rail."""

    def servers(nic1_socket: int):
        sockets = {
            f"cpu{s}": cpu({f"p{n}": root_port() for n in (1, 2, 3)} | {"upi": Port("socket", "peer")}) for s in (0, 1)
        }
        slots = {f"g{s}": slot(f"cpu{s}:p1", max_width=2) for s in (0, 1)}
        slots |= {"n0": slot("cpu0:p2"), "n1": slot(f"cpu{nic1_socket}:p3")}
        chassis = board(slots, sockets, {"sl0": BuiltinLink("cpu0:upi", "cpu1:upi", "socket", kind="upi", gbs=22)})
        gpus = {f"gpu{s}": card(GPU, f"chassis:g{s}") for s in (0, 1)}
        nics = {f"nic{s}": card("mcx715105as-weat", f"chassis:n{s}") for s in (0, 1)}
        return server(chassis, {**gpus, **nics}, exports={"compute": Export(("nic0:1", "nic1:1"), (("rail", 2),))})

    assert fired(servers(1), "P2P-02") == []
    assert places(fired(servers(0), "P2P-02")) == ["node/gpu1"]


def gpus_on_two_ports(**settings: object):
    chassis = board({f"g{n}": slot(f"cpu0:p{n}", max_width=2) for n in (1, 2, 3)})
    return server(chassis, {f"gpu{n}": card(GPU, f"chassis:g{n + 1}") for n in range(3)}, settings=settings)


def test_p2p_03_level_at_its_default() -> None:
    (found,) = fired(gpus_on_two_ports(), "P2P-03")
    assert (found.measured, places([found])) == (3, ["node/gpu0", "node/gpu1", "node/gpu2"])
    assert fired(gpus_on_two_ports(**{"nccl.p2p_level": "SYS"}), "P2P-03") == []
    mended = apply(gpus_on_two_ports(), run(gpus_on_two_ports(), found.fix[0]))
    assert fired(mended, "P2P-03") == []
    assert fired(server("dgx-h100", {}), "P2P-03") == []


def test_p2p_03_two_gpus_on_amd_are_allowed_sys() -> None:
    def pair(gpus: int):
        names = {f"gpu{n}": card(GPU, f"chassis:g{n + 1}") for n in range(gpus)}
        return server("pcie-8dw-cpu-direct", names)

    assert fired(pair(2), "P2P-03") == []
    assert fired(pair(3), "P2P-03") != []
