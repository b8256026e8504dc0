"""LAN: every rule about slots, cards and sockets at the two sides of its limit."""

from __future__ import annotations

import pytest

from fabricwright.catalog.parts import BuiltinLink, Part
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Item, Link
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, claim, cpu, fired, places, root_port, server, slot, switch_chip
from tests.rules.examples import fires, silent
from tests.rules.pcie_parts import nic_part

NIC = "mcx715105as-weat"
SWITCH = "lrsv9500-4i"
RETIMER = "lrsv9560-2i"


def slots(count: int, **fields: object):
    return {f"s{n}": slot(f"cpu0:p{n}", **fields) for n in range(1, count + 1)}


def cable(a: str, b: str, part: str = "mcio-2x8i") -> Link:
    return Link(a, b, medium="pcie", cable=part, length_m=0.35)


@fires("LAN-01")
@silent("LAN-01")
def test_lan_01_six_x16_on_80_lanes() -> None:
    def full(count: int):
        return server(board(slots(count)), {f"nic{n}": card(NIC, f"chassis:s{n}") for n in range(1, count + 1)})

    (found,) = fired(full(6), "LAN-01")
    assert (places([found]), found.measured, found.allowed) == (["node/cpu0"], 96, 80)
    assert fired(full(5), "LAN-01") == []


@fires("LAN-03")
def test_lan_03_gen5_card_in_a_gen4_slot() -> None:
    (found,) = fired(server(board(slots(1, gen=4)), {"nic0": card(NIC, "chassis:s1")}), "LAN-03")
    # Gen4 x16 = 31.5 GB/s of 63.0 (catalogue table pcie)
    assert found.values["got_gbs"] == pytest.approx(16 * 16 * 128 / 130 / 8)  # Gen4 x16: 31.5 GB/s
    assert found.values["full_gbs"] == pytest.approx(16 * 32 * 128 / 130 / 8)  # Gen5 x16: 63.0 GB/s
    assert fired(server(board(slots(1)), {"nic0": card(NIC, "chassis:s1")}), "LAN-03") == []


def test_lan_03_offers_the_faster_slot() -> None:
    chassis = board({"s1": slot("cpu0:p1", gen=4), "s2": slot("cpu0:p2")})
    project = server(chassis, {"nic0": card(NIC, "chassis:s1")})
    (found,) = fired(project, "LAN-03")
    assert found.fix[0].args["slot"] == "chassis:s2"
    assert fired(apply(project, run(project, found.fix[0])), "LAN-03") == []


def test_lan_03_a_gen4_cable_limits_a_gen5_card() -> None:
    links = {"c1": cable("sw0:d1", "chassis:bay1", "slimsas-2x8i"), "c2": cable("sw0:d2", "chassis:bay2")}
    gpus = {"gpu0": card("h100-pcie-80gb", "chassis:bay1"), "gpu1": card("h100-pcie-80gb", "chassis:bay2")}
    project = server("cabled-4u8g", {"sw0": card(SWITCH, "chassis:s1", mode="2x16"), **gpus}, links)
    (found,) = fired(project, "LAN-03")
    assert (places([found]), found.values["by"]) == (["node/gpu0"], "c1")


@fires("LAN-04")
def test_lan_04_x16_card_in_an_x8_slot_gen3() -> None:
    chassis = board(slots(1, electrical=8, gen=3))
    (found,) = fired(server(chassis, {"nic0": card("mcx516a-cdat", "chassis:s1")}), "LAN-04")
    assert found.values["got_gbs"] == pytest.approx(8 * 8 * 128 / 130 / 8)  # Gen3 x8, and 15.8 at x16
    assert found.values["full_gbs"] == pytest.approx(16 * 8 * 128 / 130 / 8)
    assert fired(server(board(slots(1, gen=3)), {"nic0": card("mcx516a-cdat", "chassis:s1")}), "LAN-04") == []


def test_lan_04_single_connector_cable_halves_the_link() -> None:
    project = server(
        "cabled-4u8g",
        {"sw0": card(SWITCH, "chassis:s1", mode="2x16"), "gpu0": card("h100-pcie-80gb", "chassis:bay1")},
        {"c1": cable("sw0:d1", "chassis:bay1", "mcio-8i")},
    )
    (found,) = fired(project, "LAN-04")
    assert (found.measured, found.allowed) == (8, 16)


def two_switches(gpus_each: int, nvlink: bool = False):
    """One processor, two switch chips of one x16 uplink each, PCIe GPUs below; NVLink joins all of them if asked."""
    items = {"cpu0": cpu({"p1": root_port(), "p2": root_port()}), "sw0": switch_chip(4), "sw1": switch_chip(4)}
    links = {
        "b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5),
        "b2": BuiltinLink("cpu0:p2", "sw1:up", "pcie", 16, 5),
    }
    seats = [(s, n) for s in (0, 1) for n in range(1, gpus_each + 1)]
    chassis = board({f"g{s}{n}": slot(f"sw{s}:d{n}", max_width=2) for s, n in seats}, items, links)
    gpus = {f"gpu{k}": card("h100-pcie-80gb", f"chassis:g{s}{n}") for k, (s, n) in enumerate(seats)}
    bridges = {f"n{k}": Link("gpu0:nv", f"gpu{k}:nv", medium="nvlink") for k in range(1, len(gpus))} if nvlink else {}
    return server(chassis, gpus, bridges)


@fires("LAN-06")
def test_lan_06_four_gpus_on_one_uplink() -> None:
    found = fired(two_switches(4), "LAN-06")
    assert [(f.measured, places([f])) for f in found] == [(4, ["node/sw0"]), (4, ["node/sw1"])]


def test_lan_06_silent_with_one_gpu_per_uplink_and_with_nvlink() -> None:
    assert fired(two_switches(1), "LAN-06") == []
    assert fired(two_switches(4, nvlink=True), "LAN-06") == []
    assert fired(server("dgx-h100", {}), "LAN-06") == []


def test_lan_06_host_traffic_counts_when_it_is_stated() -> None:
    project = server("hgx-8sxm-4chip-shared", {})
    assert fired(project, "LAN-06") == []
    stated = server("hgx-8sxm-4chip-shared", {}, settings={"traffic.host": True})
    assert fired(stated, "LAN-06") != []


@fires("LAN-07")
@silent("LAN-07")
def test_lan_07_two_targets_and_a_third_one() -> None:
    links = {"c1": cable("sw0:d1", "chassis:bay1"), "c2": cable("sw0:d2", "chassis:bay2")}
    items = {"sw0": card(SWITCH, "chassis:s1", mode="2x16")}
    assert fired(server("cabled-4u8g", items, links), "LAN-07") == []
    (found,) = fired(server("cabled-4u8g", items, {**links, "c3": cable("sw0:d3", "chassis:bay3")}), "LAN-07")
    assert (found.measured, found.allowed, found.values["modes"]) == (40, 32, ["2x16", "4x8"])


def test_lan_07_claims_of_two_modes() -> None:
    items = {"sw0": card(SWITCH, "chassis:s1", mode="2x16")}
    one = claim("switch_card.modes", "2x16", "node/sw0")
    other = claim("switch_card.modes", "4x8", "node/sw0")
    assert fired(server("cabled-4u8g", items, statements=(one,)), "LAN-07") == []
    assert places(fired(server("cabled-4u8g", items, statements=(one, other)), "LAN-07")) == ["node/sw0"]


@silent("LAN-03")
def test_lan_03_idle_speed_of_a_drawn_link_does_not_count() -> None:
    """Field case C023: a Gen4 card in a Gen4 slot is as drawn; what LnkSta says at idle does not count."""
    chassis = board(slots(1, gen=4, max_width=3))
    assert fired(server(chassis, {"gpu0": card("rtx4090", "chassis:s1", lnksta="2.5GT/s x16")}), "LAN-03") == []


@silent("LAN-04")
def test_lan_04_x8_card_in_an_x8_slot() -> None:
    chassis = board(slots(1, electrical=8, gen=3))
    project = server(chassis, {"nic0": card("x8", "chassis:s1")}, parts={"x8": nic_part(100, 8, 3)})
    assert fired(project, "LAN-04") == []


@silent("LAN-06")
def test_lan_06_hgx_switch_with_nvlink_and_no_host_traffic() -> None:
    assert fired(server("hgx-8sxm-4chip-shared", {}), "LAN-06") == []


def two_cards_of_four() -> object:
    """Field case C139: two switch cards of four GPUs each, one Gen5 x16 uplink per card."""
    items = {f"sw{s}": card("generic-sw-g5-96", f"chassis:s{1 + s}", mode="4x16") for s in (0, 1)}
    items |= {f"gpu{k}": card("rtx-pro-6000-bse", f"chassis:bay{k + 1}") for k in range(8)}
    return server(
        "cabled-4u8g", items, {f"c{k}": cable(f"sw{k // 4}:d{k % 4 + 1}", f"chassis:bay{k + 1}") for k in range(8)}
    )


def test_lan_06_cross_card_traffic_shares_the_uplink() -> None:
    found = fired(two_cards_of_four(), "LAN-06")
    assert [(f.measured, places([f])) for f in found] == [(4, ["node/sw0"]), (4, ["node/sw1"])]


def narrow(lanes: int, gen: int, part: Part):
    chassis = board(slots(1, electrical=lanes, gen=gen))
    return server(chassis, {"nic0": card("nic", "chassis:s1")}, parts={"nic": part})


@fires("LAN-16")
def test_lan_16_x4_card_in_an_x1_gen2_slot() -> None:
    """Field case C025: 5 GT/s x 0.8 = 4 Gb/s of a 10G port, 40 %; the slot is also slower and narrower."""
    project = narrow(1, 2, nic_part(10, 4, 3))
    (found,) = fired(project, "LAN-16")
    assert places([found]) == ["node/nic0"]
    assert (found.measured, found.allowed, found.unit) == (pytest.approx(4), 5, "Gb/s")
    assert "40 %" in found.message.english()
    assert len(fired(project, "LAN-03")) == len(fired(project, "LAN-04")) == 1


@silent("LAN-16")
def test_lan_16_100g_port_on_gen3_x8() -> None:
    """Field case C021: 63 of 100 Gb/s trains and is a loss, no error."""
    project = narrow(8, 3, nic_part(100, 16, 3))
    assert fired(project, "LAN-16") == []
    assert len(fired(project, "LAN-04")) == 1


def test_lan_16_40g_on_gen2_x8_is_80_percent() -> None:
    assert fired(narrow(8, 2, nic_part(40, 8, 2)), "LAN-16") == []  # field case C027: 32 of 40 Gb/s


def test_lan_04_x4_slot_of_an_x16_gen4_card() -> None:
    """Field case C115: even healthy, x4 Gen4 caps a 100G port at 63 Gb/s."""
    project = narrow(4, 4, nic_part(100, 16, 4))
    (found,) = fired(project, "LAN-04")
    assert found.values["got_gbs"] * 8 == pytest.approx(4 * 16 * 128 / 130)
    assert fired(project, "LAN-16") == []


def test_lan_16_least_width_of_a_card() -> None:
    part = nic_part(10, 8, 4, min_lanes=4)
    (found,) = fired(narrow(2, 4, part), "LAN-16")
    assert (found.measured, found.allowed, found.unit) == (2, 4, "lanes")
    assert fired(narrow(4, 4, part), "LAN-16") == []


def test_lan_16_moves_the_card_to_a_wide_slot() -> None:
    chassis = board({"s1": slot("cpu0:p1", electrical=1, gen=2), "s2": slot("cpu0:p2")})
    project = server(chassis, {"nic0": card("nic", "chassis:s1")}, parts={"nic": nic_part(10, 4, 3)})
    (found,) = fired(project, "LAN-16")
    assert fired(apply(project, run(project, found.fix[0])), "LAN-16") == []


def test_lan_03_04_16_say_when_the_slot_is_assumed() -> None:
    """The slots of an archetype are assumed; what somebody states about one is not."""
    cards = {"nic0": card("mcx75310aas-neat", "chassis:n2")}
    (assumed,) = fired(server("generic-2s-4u8g", cards), "LAN-04")
    assert assumed.estimate
    told = {**cards, "chassis": Item(None, config=Table({"slot.n2.electrical": 8, "slot.n2.gen": 4}))}
    project = server("generic-2s-4u8g", told)
    for rule in ("LAN-03", "LAN-04", "LAN-16"):
        (known,) = fired(project, rule)
        assert not known.estimate
