"""LAN-02, LAN-05, LAN-13: lanes of the processors together, absent processors, room left."""

from __future__ import annotations

import dataclasses

from fabricwright.catalog.parts import BuiltinItem, BuiltinLink
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Item
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, cpu, fired, places, root_port, server, slot
from tests.rules.examples import fires, silent

NIC = "mcx715105as-weat"


def epyc(cards: int, links: str = "", board_links: int = 0, lanes: int = 0):
    """Two EPYC 9004; ``cards`` x16 cards dealt over the sockets, the last one x16 of 72 lanes per socket."""
    ports = {f"p{n}": root_port() for n in range(1, 6)}
    known = Table({"lanes_available": lanes}) if lanes else Table()
    items = {f"cpu{s}": BuiltinItem("epyc-genoa", ports=Table(ports), config=known) for s in (0, 1)}
    between = {"x": BuiltinLink("cpu0:x", "cpu1:x", "socket", kind="xgmi", count=board_links)} if board_links else {}
    seats = {f"s{s}{n}": slot(f"cpu{s}:p{n}") for s in (0, 1) for n in range(1, 6)}
    nics = {f"nic{k}": card(NIC, f"chassis:s{k % 2}{k // 2 + 1}") for k in range(cards)}
    stated = {f"cpu{s}": Item(None, config=Table({"xgmi_links": links})) for s in (0, 1)} if links else {}
    return server(board(seats, items, between), {**nics, **stated})


@fires("LAN-02")
def test_lan_02_144_lanes_with_four_xgmi_links() -> None:
    (found,) = fired(epyc(9, "4"), "LAN-02")
    assert (found.measured, found.allowed) == (144, 128)  # 9 x 16
    assert places([found]) == ["node/cpu0", "node/cpu1"]


@silent("LAN-02")
def test_lan_02_144_lanes_with_three() -> None:
    assert fired(epyc(9, "3"), "LAN-02") == []
    assert fired(epyc(9, "3"), "LAN-01") == []  # 80 lanes per socket then


def test_lan_02_fix_states_three_links() -> None:
    project = epyc(9, "4")
    (found,) = fired(project, "LAN-02")
    for call in found.fix:
        project = apply(project, run(project, call))
    assert fired(project, "LAN-02") == []


def test_lan_02_links_of_the_board_count_and_are_named() -> None:
    (found,) = fired(epyc(9, board_links=4), "LAN-02")
    assert "as the board has them" in found.message.english() and not found.fix
    assert fired(epyc(9, board_links=3), "LAN-02") == []
    assert fired(epyc(9), "LAN-02") == []  # nobody says: silent


def two_sockets(seat: str, **chassis: object):
    seats = {"a": slot("cpu0:p1"), "b": slot("cpu1:p1")}
    items = {"cpu0": cpu({"p1": root_port()}), "cpu1": cpu({"p1": root_port()})}
    return server(
        board(seats, items), {"nic0": card(NIC, f"chassis:{seat}"), "chassis": Item(None, config=Table(chassis))}
    )


@fires("LAN-05")
def test_lan_05_card_on_socket_1_without_cpu_1() -> None:
    project = two_sockets("b", cpus_fitted=1)
    (found,) = fired(project, "LAN-05")
    assert (places([found]), found.values["cpu"]) == (["node/nic0"], "cpu1")
    assert found.fix[0].args["slot"] == "chassis:a"
    assert fired(apply(project, run(project, found.fix[0])), "LAN-05") == []


@silent("LAN-05")
def test_lan_05_both_fitted() -> None:
    assert fired(two_sockets("b", cpus_fitted=2), "LAN-05") == []
    assert fired(two_sockets("b"), "LAN-05") == []
    assert fired(two_sockets("a", cpus_fitted=1), "LAN-05") == []


def test_lan_05_processor_taken_out_of_the_drawing() -> None:
    project = two_sockets("b")
    sheet = project.designs["main"].sheets["node"]
    gone = dataclasses.replace(sheet, removed=("cpu1",))
    design = project.designs["main"]
    design = dataclasses.replace(design, sheets=design.sheets.put("node", gone))
    project = dataclasses.replace(project, designs=project.designs.put("main", design))
    assert places(fired(project, "LAN-05")) == ["node/nic0"]


def test_lan_05_built_in_devices_are_one_finding() -> None:
    project = server("dgx-h100", {"chassis": Item(None, config=Table({"cpus_fitted": 1}))})
    (found,) = fired(project, "LAN-05")
    assert places([found]) == ["node/cpu1"] and found.measured and found.measured > 8


def sapphire_rapids(cards: int):
    seats = {f"s{s}{n}": slot(f"cpu{s}:p{n}") for s in (0, 1) for n in range(1, 6)}
    items = {f"cpu{s}": cpu({f"p{n}": root_port() for n in range(1, 6)}) for s in (0, 1)}
    return server(board(seats, items), {f"nic{k}": card(NIC, f"chassis:s{k % 2}{k // 2 + 1}") for k in range(cards)})


@fires("LAN-13")
def test_lan_13_32_of_160_lanes_left() -> None:
    (found,) = fired(sapphire_rapids(8), "LAN-13")  # 8 x 16 = 128
    assert (found.severity, found.measured, places([found])) == ("fact", 32, ["node"])


@silent("LAN-13")
def test_lan_13_nothing_left() -> None:
    assert fired(sapphire_rapids(10), "LAN-13") == []
    assert fired(server("dgx-h100", {}), "LAN-13") == []  # 80 of 80 on each socket


def test_lan_01_one_epyc_alone_has_128_lanes() -> None:
    items = {"cpu0": BuiltinItem("epyc-genoa", ports=Table({f"p{n}": root_port() for n in range(1, 10)}))}
    seats = {f"s{n}": slot(f"cpu0:p{n}") for n in range(1, 10)}

    def alone(count: int):
        return server(board(seats, items), {f"nic{n}": card(NIC, f"chassis:s{n}") for n in range(1, count + 1)})

    assert fired(alone(8), "LAN-01") == []
    (found,) = fired(alone(9), "LAN-01")
    assert (found.measured, found.allowed) == (144, 128)
