"""LAN-08, LAN-10, LAN-11: switch chips and the shape of the tree."""

from __future__ import annotations

import dataclasses

from fabricwright.catalog.parts import BuiltinLink
from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Link
from tests.rules.drawing import board, card, cpu, fired, places, root_port, server, slot, switch_chip
from tests.rules.examples import fires, silent
from tests.rules.pcie_parts import nic_part, switch_part

NIC = "mcx715105as-weat"
CHIP = {"pex89048": catalogue().get("pex89048")}


def below_48_lanes(cards: int):
    """A PEX89048 with its x16 uplink and x16 slots; two partitions of one chip share its 48 lanes."""
    chip = dataclasses.replace(switch_chip(4), chip="plx0", chip_part="pex89048")
    items = {"cpu0": cpu({"p1": root_port()}), "sw0": chip}
    links = {"b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5)}
    seats = {f"s{n}": slot(f"sw0:d{n}") for n in range(1, 5)}
    return server(
        board(seats, items, links), {f"nic{n}": card(NIC, f"chassis:s{n}") for n in range(1, cards + 1)}, parts=CHIP
    )


@fires("LAN-08")
def test_lan_08_four_x16_on_48_lanes() -> None:
    (found,) = fired(below_48_lanes(3), "LAN-08")  # uplink and three cards
    assert (places([found]), found.measured, found.allowed) == (["node/sw0"], 64, 48)
    assert "PEX89048" in found.message.english()


@silent("LAN-08")
def test_lan_08_three_x16() -> None:
    assert fired(below_48_lanes(2), "LAN-08") == []


def test_lan_08_second_card_on_a_port() -> None:
    """Two cards forced into one slot ask for its lanes twice; a free slot elsewhere mends it."""
    chip = dataclasses.replace(switch_chip(2), chip="plx0", chip_part="pex89048")
    items = {"cpu0": cpu({"p1": root_port(), "p2": root_port()}), "sw0": chip}
    links = {"b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5)}
    seats = {"s1": slot("sw0:d1"), "s2": slot("sw0:d2"), "s3": slot("cpu0:p2")}
    cards = {"nic0": card(NIC, "chassis:s1"), "nic1": card(NIC, "chassis:s2"), "nic2": card(NIC, "chassis:s2", True)}
    project = server(board(seats, items, links), cards, parts=CHIP)
    (found,) = fired(project, "LAN-08")
    assert (found.measured, found.fix[0].args["slot"]) == (64, "chassis:s3")
    assert fired(apply(project, run(project, found.fix[0])), "LAN-08") == []


def test_lan_08_more_ports_than_the_chip_has() -> None:
    items = {"cpu0": cpu({"p1": root_port()}), "sw0": switch_chip(4)}
    items["sw0"] = dataclasses.replace(items["sw0"], chip="plx0", chip_part="small")
    seats = {f"s{n}": slot(f"sw0:d{n}") for n in range(1, 5)}
    cards = {f"nic{n}": card(NIC, f"chassis:s{n}") for n in range(1, 5)}
    links = {"b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5)}
    project = server(board(seats, items, links), cards, parts={"small": switch_part(0, chip_lanes=80, chip_ports=4)})
    (found,) = fired(project, "LAN-08")
    assert (found.measured, found.allowed, found.unit) == (5, 4, "ports")


def cascade(depth: int):
    """Switches one below the other on a board, with a card below the last."""
    items = {"cpu0": cpu({"p1": root_port()})} | {f"sw{n}": switch_chip(1) for n in range(depth)}
    ends = ["cpu0:p1", *(f"sw{n}:d1" for n in range(depth))]
    links = {f"b{n}": BuiltinLink(ends[n], f"sw{n}:up", "pcie", 16, 5) for n in range(depth)}
    return server(board({"s1": slot(ends[-1])}, items, links), {"nic0": card(NIC, "chassis:s1")})


@fires("LAN-10")
def test_lan_10_three_switches_deep() -> None:
    (found,) = fired(cascade(3), "LAN-10")
    assert (places([found]), found.measured, found.allowed) == (["node/sw2"], 3, 2)
    assert found.values["added_ns"] == 345  # 3 x 115


@silent("LAN-10")
def test_lan_10_two() -> None:
    assert fired(cascade(2), "LAN-10") == []
    assert fired(server("pcie-8dw-3switch-cascade", {}), "LAN-10") == []
    assert fired(server("dgx-h100", {}), "LAN-10") == []  # ConnectX-7 and the tray's bridge


def test_lan_10_moves_a_switch_card_up() -> None:
    items = {"cpu0": cpu({"p1": root_port(), "p2": root_port()}), "sw0": switch_chip(1), "sw1": switch_chip(1)}
    links = {
        "b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5),
        "b2": BuiltinLink("sw0:d1", "sw1:up", "pcie", 16, 5),
    }
    chassis = board({"s1": slot("sw1:d1"), "s2": slot("cpu0:p2")}, items, links)
    project = server(chassis, {"sw2": card("lrsv9500-4i", "chassis:s1")})
    (found,) = fired(project, "LAN-10")
    assert found.fix[0].args["slot"] == "chassis:s2"
    assert fired(apply(project, run(project, found.fix[0])), "LAN-10") == []


def twice(*uppers: str, **config: object):
    """A card in slot s1 of root port p1 with further cables to ``uppers``."""
    chassis = board({"s1": slot("cpu0:p1"), "s2": slot("cpu0:p2")})
    links = {f"c{n}": Link(end, "nic0:up", medium="pcie") for n, end in enumerate(uppers, 1)}
    return server(chassis, {"nic0": card("nic", "chassis:s1", **config)}, links, parts={"nic": nic_part(400)})


@fires("LAN-11")
def test_lan_11_card_on_two_root_ports() -> None:
    project = twice("cpu0:p2")
    (found,) = fired(project, "LAN-11")
    assert (places([found]), found.measured, found.allowed) == (["node/nic0"], 2, 1)
    assert fired(apply(project, run(project, found.fix[0])), "LAN-11") == []


@silent("LAN-11")
def test_lan_11_multi_host_card() -> None:
    assert fired(twice("cpu0:p2", multi_host="on"), "LAN-11") == []
    assert fired(twice(), "LAN-11") == []


def test_lan_11_slot_fed_by_cable_from_two_switches() -> None:
    items = {f"sw{n}": card("lrsv9500-4i", f"chassis:s{n + 1}", mode="2x16") for n in (0, 1)}
    links = {f"c{n}": Link(f"sw{n}:d1", "chassis:bay1", medium="pcie", cable="mcio-2x8i") for n in (0, 1)}
    gpu = {"gpu0": card("h100-pcie-80gb", "chassis:bay1")}
    assert places(fired(server("cabled-4u8g", {**items, **gpu}, links), "LAN-11")) == ["node/gpu0"]
    one = {"c0": links["c0"]}
    assert fired(server("cabled-4u8g", {**items, **gpu}, one), "LAN-11") == []


def test_lan_11_two_halves_of_one_link_are_one() -> None:
    items = {"sw0": card("lrsv9500-4i", "chassis:s1", mode="4x8"), "gpu0": card("h100-pcie-80gb", "chassis:bay1")}
    links = {f"c{n}": Link(f"sw0:d{n}", "chassis:bay1", medium="pcie", cable="mcio-8i") for n in (1, 2)}
    assert fired(server("cabled-4u8g", items, links), "LAN-11") == []


def test_lan_11_card_in_a_bay_without_a_cable() -> None:
    seats = {f"gpu{n}": card("h100-pcie-80gb", f"chassis:bay{n + 1}") for n in (0, 1)}
    items = {"sw0": card("lrsv9500-4i", "chassis:s1", mode="2x16"), **seats}
    cable = Link("sw0:d1", "chassis:bay1", medium="pcie", cable="mcio-2x8i")
    (found,) = fired(server("cabled-4u8g", items, {"c0": cable}), "LAN-11")
    assert (places([found]), found.measured, found.allowed) == (["node/gpu1"], 0, 1)
    assert "BAY2" in found.message.english() and "BAY1" not in found.message.english()
    both = {"c0": cable, "c1": Link("sw0:d2", "chassis:bay2", medium="pcie", cable="mcio-2x8i")}
    assert fired(server("cabled-4u8g", items, both), "LAN-11") == []


def test_lan_11_loop_of_two_switches() -> None:
    items = {"sw0": card("sw"), "sw1": card("sw")}
    links = {"c1": Link("sw0:d1", "sw1:up", medium="pcie"), "c2": Link("sw1:d1", "sw0:up", medium="pcie")}
    project = server(board({"s1": slot("cpu0:p1")}), items, links, parts={"sw": switch_part(2)})
    assert len(fired(project, "LAN-11")) == 1
