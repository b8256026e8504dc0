"""NIC-07, NIC-08, FAB-19: functions that are no ports, the way to host memory, and lists of NICs."""

from __future__ import annotations

import dataclasses

import pytest

from fabricwright.catalog.parts import BuiltinItem, BuiltinLink, Port
from fabricwright.design.edits import EDITS, run
from fabricwright.design.patch import apply
from fabricwright.design.values import Export, Link, Project, Sheet
from fabricwright.units.table import Table
from tests.cases.machines import cluster, node
from tests.rules.drawing import board, card, cpu, deal, fabric, fired, group, places, root_port, server, slot
from tests.rules.examples import fires, silent
from tests.rules.hosts import host

HALVES = {"nic0": "a0", "nic1": "a0", "nic2": "b0", "nic3": "b0"}


def twins(export: tuple[str, ...], guids: dict[str, str] | None = None, **settings: object) -> Project:
    """Field case C013: two Socket Direct cards, each shown twice, one half on each socket."""
    config = {nic: {"base_guid": guid} for nic, guid in (HALVES if guids is None else guids).items()}
    drawn = host(["nic", "nic"], ["nic", "nic"], nic="mcx75310aas-neat", config=config, **settings)
    design = drawn.designs["main"]
    sheet = design.sheets["node"]
    ports = Export(tuple(f"{n}:1" for n in export), (("port", len(export)),))
    sheet = dataclasses.replace(sheet, exports=Table({"compute": ports}))
    design = dataclasses.replace(design, sheets=design.sheets.put("node", sheet))
    return dataclasses.replace(drawn, designs=Table({"main": design}))


@fires("NIC-07")
def test_nic_07_four_functions_of_two_cards() -> None:
    (found,) = fired(twins(("nic0", "nic1", "nic2", "nic3")), "NIC-07")
    assert (found.measured, found.allowed) == (4, 2)
    assert places([found]) == [f"node/nic{n}" for n in range(4)]
    assert found.values["gbps"] == 800  # two ports of 400G; four are none


@silent("NIC-07")
def test_nic_07_each_cage_counted_once() -> None:
    assert fired(twins(("nic0", "nic2")), "NIC-07") == []


def test_nic_07_counts_what_the_cables_carry() -> None:
    """2 cables of 100G: 200 Gb/s leave the server."""
    node = Sheet(
        "server",
        chassis="board",
        items=Table({f"nic{n}": card("mcx75310aas-neat", f"chassis:s{n}", base_guid="ab"[n // 2]) for n in range(4)}),
        exports=Table({"compute": Export(tuple(f"nic{n}:1" for n in range(4)), (("port", 4),))}),
    )
    slots = {f"s{n}": slot(f"cpu0:p{n}") for n in range(4)}
    chassis = board(slots, {"cpu0": cpu({f"p{n}": root_port() for n in range(4)})})
    rows = Link(
        "node:compute", "leaf:1-4", dataclasses.replace(deal(), mode="rows", on=(), rows=((0, 0, 0, 0), (0, 2, 0, 1)))
    )
    drawn = fabric(
        {"node": group("sheet:node"), "leaf": group("sn4600c")}, {"d": rows}, {"node": node}, chassis=chassis
    )
    (found,) = fired(drawn, "NIC-07")
    assert found.values["gbps"] == pytest.approx(200)


def test_nic_07_cages_of_one_card_are_apart() -> None:
    """Field case C081: one card, two cages, four functions are two ports."""
    guids = dict.fromkeys(HALVES, "5c25")
    drawn = twins(tuple(HALVES), guids)
    for nic, cage in (("nic0", "1"), ("nic1", "2"), ("nic2", "1"), ("nic3", "2")):
        call = {"design": "main", "sheet": "node", "item": nic, "key": "cage", "value": cage}
        drawn = apply(drawn, EDITS["set_config"](drawn, **call))
    (found,) = fired(drawn, "NIC-07")
    assert (found.measured, found.allowed) == (4, 2)


def test_nic_07_half_of_a_card_left_out_of_the_list() -> None:
    drawn = twins(("nic0", "nic2"), nccl_hca="nic0,nic2,nic3")
    (found,) = fired(drawn, "NIC-07")
    assert places([found]) == ["node/nic1"]
    after = apply(drawn, run(drawn, found.fix[0]))
    assert after.designs["main"].settings["nccl.hca"] == "nic0,nic2,nic3,nic1"
    assert fired(after, "NIC-07") == []
    assert fired(twins(tuple(HALVES), dict.fromkeys(HALVES, "")), "NIC-07") == []  # not stated


@pytest.mark.parametrize(
    ("listed", "missing"),
    [("rocep1s0f0", ["node/nic1"]), ("rocep1s0f1,roceP2p1s0f1", []), ("rocep1s0f0:1", ["node/nic1"])],
)
def test_nic_07_names_of_a_gb10(listed: str, missing: list[str]) -> None:
    """One name per port: either of a half's two stands for the half."""
    project = cluster(node("dgx-spark", {}), 2, "sn3700", "1-4", nccl_hca=listed)
    assert places(fired(project, "NIC-07")) == missing
    for found in fired(project, "NIC-07"):
        assert fired(apply(project, run(project, found.fix[0])), "NIC-07") == []


def behind_gen5(**settings: object) -> Project:
    """A CX-8 with its own bridge: GPU at Gen6 x16 below it, processor at Gen5 x16."""
    return server("dgx-b300", {}, settings=settings)


@fires("NIC-08")
def test_nic_08_host_buffers_behind_gen5() -> None:
    (found,) = fired(behind_gen5(**{"traffic.host": "on"}), "NIC-08")
    # 88 % of 63.0 GB/s; two ports of 400 Gb/s are 100 GB/s
    assert (found.measured, found.allowed) == (pytest.approx(55.5, abs=0.1), pytest.approx(100))
    assert len(found.at) == 8 and "55 of 100" in found.message.english()


@silent("NIC-08")
def test_nic_08_gpu_traffic_only() -> None:
    assert fired(behind_gen5(), "NIC-08") == []
    assert fired(behind_gen5(**{"traffic.host": "off"}), "NIC-08") == []


def test_nic_08_an_auxiliary_card_doubles_the_link() -> None:
    def drawn(links: int) -> Project:
        ports = {
            "up": Port("pcie", "up", 16, 5),
            "up2": Port("pcie", "up", 16, 5),
            "d1": Port("pcie", "down", 16, 6),
        }
        items = {
            "cpu0": cpu({"p1": root_port(), "p2": root_port()}),
            "nic0": BuiltinItem("c8180", ports=Table(ports)),
            "gpu0": BuiltinItem("b300-sxm-288gb"),
        }
        wires = {"u1": BuiltinLink("cpu0:p1", "nic0:up", "pcie"), "d1": BuiltinLink("nic0:d1", "gpu0:up", "pcie")}
        if links == 2:
            wires["u2"] = BuiltinLink("cpu0:p2", "nic0:up2", "pcie")
        return server(board({}, items, wires), {}, settings={"traffic.host": "on"})

    assert places(fired(drawn(1), "NIC-08")) == ["node/nic0"]
    assert fired(drawn(2), "NIC-08") == []


def test_nic_08_slower_nics_are_other_rules_matter() -> None:
    drawn = host([["gpu", "nic"]], gen=4, rails=False, traffic_host="on")
    assert fired(drawn, "NIC-08") == []


def six_nics(hca: str | None) -> Project:
    """Field case C090: four NICs on the compute network, two on the front end."""
    names = [f"nic{n}" for n in range(6)]
    slots = {f"s{n}": slot(f"cpu0:p{n}") for n in range(6)}
    chassis = board(slots, {"cpu0": cpu({f"p{n}": root_port() for n in range(6)}, lanes=128)})
    rows = {n: card("mcx715105as-weat", f"chassis:s{n[3]}", hca=f"mlx5_{n[3]}") for n in names}
    compute = Export(tuple(f"{n}:1" for n in ("nic0", "nic1", "nic4", "nic5")), (("port", 4),))
    front = Export(("nic2:1", "nic3:1"), (("port", 2),))
    node = Sheet("server", chassis="board", items=Table(rows), exports=Table({"compute": compute, "front": front}))
    links = {
        "c": Link("node:compute", "leaf:1-4", deal()),
        "f": dataclasses.replace(Link("node:front", "edge:1-2", deal()), network="inband"),
    }
    parts = {"node": group("sheet:node"), "leaf": group("generic-64x400"), "edge": group("generic-64x400")}
    settings = {} if hca is None else {"nccl.hca": hca}
    return fabric(parts, links, {"node": node}, settings=settings, chassis=chassis)


@fires("FAB-19")
def test_fab_19_list_of_six() -> None:
    project = six_nics("mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_4,mlx5_5")
    (found,) = fired(project, "FAB-19")
    assert (places([found]), found.measured) == (["node/nic2", "node/nic3"], 2)
    assert "in-band" in found.message.english()
    after = apply(project, run(project, found.fix[0]))
    assert after.designs["main"].settings["nccl.hca"] == "mlx5_0,mlx5_1,mlx5_4,mlx5_5"
    assert fired(after, "FAB-19") == []


@silent("FAB-19")
def test_fab_19_list_of_four() -> None:
    assert fired(six_nics("nic0,nic1,nic4,nic5"), "FAB-19") == []
    assert fired(six_nics(None), "FAB-19") == []


def test_fab_19_forms_of_the_list() -> None:
    assert places(fired(six_nics("=nic0:1, nic2:1"), "FAB-19")) == ["node/nic2"]
    excluding = six_nics("^nic2")
    (found,) = fired(excluding, "FAB-19")
    assert places([found]) == ["node/nic3"]
    assert fired(apply(excluding, run(excluding, found.fix[0])), "FAB-19") == []
    assert fired(six_nics("other0,other1"), "FAB-19") == []  # names nobody has drawn
    assert fired(six_nics("nic2,nic3"), "FAB-19") == []  # all on one network
