"""LAN-09, LAN-14, LAN-15: what shares one link, and which root complex it ends on."""

from __future__ import annotations

import pytest

from fabricwright.catalog.parts import BuiltinItem, BuiltinLink, Port
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, cpu, fired, places, root_port, server, slot, switch_chip
from tests.rules.examples import fires, silent
from tests.rules.pcie_parts import nic_part


def drives(count: int):
    """U.2 drives below a switch of one x16 uplink."""
    ports = {"up": Port("pcie", "up", 16, 5)} | {f"d{n}": Port("pcie", "down", 4, 5) for n in range(count)}
    items = {"cpu0": cpu({"p1": root_port()}), "sw0": BuiltinItem("pcie-switch-partition", ports=Table(ports))}
    seats = {f"u{n}": slot(f"sw0:d{n}", electrical=4, physical=4) for n in range(count)}
    chassis = board(seats, items, {"b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5)})
    return server(chassis, {f"nvme{n}": card("nvme-u2-3t84-g4", f"chassis:u{n}") for n in range(count)})


@fires("LAN-09")
def test_lan_09_16_drives_behind_x16() -> None:
    (found,) = fired(drives(16), "LAN-09")
    assert (places([found]), found.measured, found.allowed) == (["node/sw0"], 64, 32)


@silent("LAN-09")
def test_lan_09_eight_drives() -> None:
    assert fired(drives(8), "LAN-09") == []


def nics_below(gen: int, bridge: bool = True, gpus: int = 0, gbps: float = 200, count: int = 2):
    """NICs of one port each below one bridge, or on switch ports of their own, beside GPUs on the same switch."""
    items = {"cpu0": cpu({"p1": root_port(16, gen)}), "sw0": switch_chip(6, gen)}
    links = {"b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, gen)}
    owner = "sw0"
    if bridge:
        items["br0"] = switch_chip(4, gen)
        links["b2"] = BuiltinLink("sw0:d6", "br0:up", "pcie", 16, gen)
        owner = "br0"
    seats = {f"n{n}": slot(f"{owner}:d{n + 1}", gen=gen) for n in range(count)}
    seats |= {f"g{n}": slot(f"sw0:d{n + 4}", gen=gen, max_width=2) for n in range(gpus)}
    cards = {f"nic{n}": card("nic", f"chassis:n{n}") for n in range(count)}
    cards |= {f"gpu{n}": card("a100-pcie-80gb", f"chassis:g{n}") for n in range(gpus)}
    return server(board(seats, items, links), cards, parts={"nic": nic_part(gbps, 16, gen)})


@fires("LAN-14")
def test_lan_14_two_200g_nics_below_one_gen4_x16() -> None:
    """Field case C015: GPUs and NICs share a switch, but the NICs are drawn behind one bridge."""
    (found,) = fired(nics_below(4, gpus=2), "LAN-14")
    assert (places([found])[0], found.measured) == ("node/br0", 400)
    assert found.allowed == pytest.approx(0.88 * 16 * 16 * 128 / 130)  # 221 Gb/s


@silent("LAN-14")
def test_lan_14_below_one_gen5_x16() -> None:
    assert fired(nics_below(5, gpus=2), "LAN-14") == []  # 400 of 443 Gb/s


def test_lan_14_own_switch_port_each() -> None:
    """The other half of C015: with a port each the NICs meet their GPUs inside the switch."""
    assert fired(nics_below(4, bridge=False, gpus=2), "LAN-14") == []


def test_lan_14_without_gpus_the_uplink_is_the_shared_link() -> None:
    assert places(fired(nics_below(4, bridge=False), "LAN-14"))[0] == "node/sw0"
    assert fired(nics_below(4, count=1, gbps=400), "LAN-14") == []  # one NIC is NIC-04's matter


def quadrants(*roots: str, free: int = 4, **settings: object):
    """A processor of four root complexes with two x16 ports each; a switch card with two GPUs on each named port."""
    ports = {f"q{q}p{p}": Port("pcie", "root", 16, 5, host_bridge=f"q{q}") for q in range(free) for p in (0, 1)}
    seats = {name: slot(f"cpu0:{name}") for name in ports} | {f"bay{n}": slot("", max_width=2) for n in range(8)}
    items = {f"sw{n}": card("lrsv9500-4i", f"chassis:{root}", mode="2x16") for n, root in enumerate(roots)}
    chassis = board(seats, {"cpu0": cpu(ports, 128)})
    return server(chassis, items, settings={k.replace("_", "."): v for k, v in settings.items()})


@fires("LAN-15")
def test_lan_15_two_switch_cards_on_one_quadrant() -> None:
    """Field case C142, layout B: measured 73 instead of 114 GB/s of host DMA."""
    project = quadrants("q0p0", "q0p1", traffic_host="on")
    (found,) = fired(project, "LAN-15")
    assert places([found]) == ["node/sw0", "node/sw1"] and found.severity == "info" and found.estimate
    apart = 2 * 0.88 * 16 * 32 * 128 / 130 / 8  # 110.9 GB/s
    assert (found.measured, found.allowed) == (pytest.approx(apart * 73 / 114), pytest.approx(apart))
    assert found.values["free"] == ["q1", "q2", "q3"]
    assert fired(apply(project, run(project, found.fix[0])), "LAN-15") == []


@silent("LAN-15")
def test_lan_15_one_card_per_quadrant() -> None:
    assert fired(quadrants("q0p0", "q1p0", traffic_host="on"), "LAN-15") == []
    assert fired(quadrants("q0p0", "q0p1"), "LAN-15") == []  # host traffic not stated
    assert fired(quadrants("q0p0", "q0p1", free=1, traffic_host="on"), "LAN-15") == []  # no other one


def test_lan_15_four_uplinks_on_three_quadrants() -> None:
    """Field case C141: four virtual switches, one quadrant used twice while another one is free."""
    (found,) = fired(quadrants("q0p0", "q0p1", "q1p0", "q2p0", traffic_host="on"), "LAN-15")
    assert places([found]) == ["node/sw0", "node/sw1"]
    assert fired(quadrants("q0p0", "q1p0", "q2p0", "q3p0", traffic_host="on"), "LAN-15") == []


def test_lan_14_counts_what_the_cards_own_links_leave() -> None:
    """Two ports of 200G on each card, whose own Gen4 x16 brings 222 of them to the shared one."""
    (found,) = fired(nics_below(4, bridge=False, gbps=400), "LAN-14")
    assert found.measured == pytest.approx(2 * found.allowed)
