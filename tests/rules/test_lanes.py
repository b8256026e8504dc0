"""LAN, BIF, RET and CXL: every rule at the two sides of its limit."""

from __future__ import annotations

import pytest

from fabricwright.catalog.parts import BuiltinLink
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Link
from tests.rules.drawing import board, card, claim, cpu, fired, places, root_port, server, slot, switch_chip

NIC = "mcx715105as-weat"
SWITCH = "lrsv9500-4i"
RETIMER = "lrsv9560-2i"


def slots(count: int, **fields: object):
    return {f"s{n}": slot(f"cpu0:p{n}", **fields) for n in range(1, count + 1)}


def cable(a: str, b: str, part: str = "mcio-2x8i") -> Link:
    return Link(a, b, medium="pcie", cable=part, length_m=0.35)


def test_lan_01_six_x16_on_80_lanes() -> None:
    def full(count: int):
        return server(board(slots(count)), {f"nic{n}": card(NIC, f"chassis:s{n}") for n in range(1, count + 1)})

    (found,) = fired(full(6), "LAN-01")
    assert (places([found]), found.measured, found.allowed) == (["node/cpu0"], 96, 80)
    assert fired(full(5), "LAN-01") == []


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


def test_bif_01_split_the_board_does_not_list() -> None:
    def asked(split: str):
        chassis = board(slots(1, bifurcation=("x16", "x8x8", "x4x4x4x4")))
        return server(chassis, {"rt0": card(RETIMER, "chassis:s1", slot_split=split)})

    (found,) = fired(asked("x4x4x8"), "BIF-01")
    mended = apply(asked("x4x4x8"), run(asked("x4x4x8"), found.fix[0]))
    assert fired(mended, "BIF-01") == []
    assert fired(asked("x8x8"), "BIF-01") == []


def test_bif_03_slot_and_retimer_card_split_alike() -> None:
    def pair(mode: str, split: str | None):
        config = {"mode": mode} | ({"slot_split": split} if split else {})
        return server(board(slots(1)), {"rt0": card(RETIMER, "chassis:s1", **config)})

    assert len(fired(pair("1x16", "x8x8"), "BIF-03")) == 1
    assert fired(pair("2x8", "x8x8"), "BIF-03") == []
    assert fired(pair("1x16", None), "BIF-03") == []
    (found,) = fired(pair("2x8", None), "BIF-03")
    assert "not set" in found.message.english()  # the default that decides is named
    mended = apply(pair("2x8", None), run(pair("2x8", None), found.fix[0]))
    assert fired(mended, "BIF-03") == []


def test_ret_01_three_retimers_between_two_ports() -> None:
    def chain(count: int):
        items = {f"rt{n}": card(RETIMER) for n in range(count)}
        items["rt0"] = card(RETIMER, "chassis:s1")
        links = {f"c{n}": cable(f"rt{n}:d1", f"rt{n + 1}:up") for n in range(count - 1)}
        links["end"] = cable(f"rt{count - 1}:d1", "chassis:bay1")
        return server("cabled-4u8g", {**items, "gpu0": card("h100-pcie-80gb", "chassis:bay1")}, links)

    (found,) = fired(chain(3), "RET-01")
    assert (found.at[0].bare(), found.measured, found.allowed) == ("node/gpu0", 3, 2)
    assert fired(chain(2), "RET-01") == []


def test_cxl_01_processor_or_slot_without_cxl() -> None:
    expander = {"cxl0": card("lr-cxl-generic", "chassis:s1")}
    ice_lake = {"cpu0": cpu({"p1": root_port()}, cxl="none")}
    assert places(fired(server(board(slots(1, cxl=True), ice_lake), expander), "CXL-01")) == ["node/cxl0"]
    assert places(fired(server(board(slots(1, cxl=False)), expander), "CXL-01")) == ["node/cxl0"]
    assert fired(server(board(slots(1, cxl=True)), expander), "CXL-01") == []


def test_cxl_04_expander_below_a_switch() -> None:
    items = {"cpu0": cpu({"p1": root_port()}), "sw0": switch_chip(1)}
    links = {"b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5)}
    below = board({"s1": slot("sw0:d1", cxl=True)}, items, links)
    expander = {"cxl0": card("lr-cxl-generic", "chassis:s1")}
    assert places(fired(server(below, expander), "CXL-04")) == ["node/cxl0"]
    assert fired(server(board(slots(1, cxl=True)), expander), "CXL-04") == []
