"""PWR and NIC-06 of servers, cards and modules: every rule at the two sides of its limit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fabricwright.catalog.parts import Figure, Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import EDITS, run
from fabricwright.design.patch import apply
from fabricwright.design.values import Item, Link, Project
from fabricwright.rules.legality import legality
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, fabric, fired, group, mesh, one_nic, places, server, slot
from tests.rules.examples import fires, silent

DPU = "b3220"  # BlueField-3: 150 W, of them 66 W from the edge (bf3)
GPU = "h100-pcie-80gb"


def stated(**config: Any) -> Item:
    """The overlay row ``chassis``: ``slot__s1__gpu_w=350`` states ``slot.s1.gpu_w``."""
    return Item(None, config=Table({key.replace("__", "."): value for key, value in config.items()}))


def mended(project: Project, rule: str) -> Project:
    (found,) = fired(project, rule)
    for call in found.fix:
        project = apply(project, run(project, call))
    return project


# -- PWR-01, PWR-04: supplies ------------------------------------------------------------------------------------------


@fires("PWR-01")
def test_pwr_01_three_plus_three_of_a_dgx_h100() -> None:
    (found,) = fired(server("dgx-h100", {"chassis": stated(psu_mode="3+3")}), "PWR-01")
    assert (found.measured, found.allowed) == (pytest.approx(11_220), 9_900)  # 10,200 x 1.1 over 3 x 3,300


@silent("PWR-01")
def test_pwr_01_four_plus_two_of_a_dgx_h100() -> None:
    assert fired(server("dgx-h100", {"chassis": stated(psu_mode="4+2")}), "PWR-01") == []  # 4 x 3,300 = 13,200


def xe9680(load_w: float, **config: Any) -> Project:
    """PowerEdge XE9680: six supplies of 3,200 W, 3+3 FTR as its page says; at ``load_w``."""
    part = catalogue().get("poweredge-xe9680")
    part = replace(part, figures=part.figures.put("max_system_w", Figure(load_w, "test", "read")))
    items = {"chassis": stated(**config)} if config else {}
    return server("poweredge-xe9680", items, parts={"poweredge-xe9680": part})


@fires("PWR-04")
def test_pwr_04_fault_tolerant_mode_above_three_supplies() -> None:
    (found,) = fired(xe9680(10_500, psu_mode="3+3 FTR"), "PWR-04")
    assert (found.measured, found.allowed, found.unit) == (10_500, 9_600, "W")  # 3 x 3,200
    assert fired(xe9680(10_500, psu_mode="3+3 FTR"), "PWR-01") == []  # it runs on: all six carry it


@silent("PWR-04")
def test_pwr_04_fault_tolerant_mode_below() -> None:
    assert fired(xe9680(9_000, psu_mode="3+3 FTR"), "PWR-04") == []


def test_pwr_04_the_catalogue_may_state_the_mode_and_the_drawing_another() -> None:
    assert fired(xe9680(10_500), "PWR-04")[0].allowed == 9_600
    plain = xe9680(10_500, psu_mode="3+3")
    assert fired(plain, "PWR-04") == [] and len(fired(plain, "PWR-01")) == 1


def test_pwr_04_a_stated_throttling_limit_counts() -> None:
    project = server("dgx-h100", {"chassis": stated(psu_throttle_w=10_000)})
    (found,) = fired(project, "PWR-04")
    assert (found.measured, found.allowed) == (10_200, 10_000)
    assert fired(server("dgx-h100", {"chassis": stated(psu_throttle_w=10_200)}), "PWR-04") == []


# -- PWR-02, NIC-06: cables ----------------------------------------------------------------------------------------


def plain(**config: Any) -> Project:
    """A DPU in a slot where the chassis brings no cable."""
    return server(board({"s1": slot("cpu0:p1")}), {"nic0": card(DPU, "chassis:s1", **config)})


@fires("PWR-02")
def test_pwr_02_a_dpu_without_its_plug() -> None:
    (found,) = fired(plain(), "PWR-02")
    assert (places([found]), found.measured, found.allowed) == (["node/nic0"], 150, 66)
    assert "none assumed" in found.message.english()
    assert fired(plain(aux="none"), "PWR-02")[0].message.english() == (
        "nic0 (B3220) needs 150 W; the slot gives 66 W, cables nothing."
    )


@silent("PWR-02")
def test_pwr_02_with_its_plug() -> None:
    assert fired(plain(aux="aux-bf3-8pin"), "PWR-02") == []  # 66 + 150 W
    assert fired(plain(aux="aux-8pin-pcie-150w"), "PWR-02") == []


def test_pwr_02_the_fix_plugs_the_cable() -> None:
    project = mended(plain(), "PWR-02")
    assert project.designs["main"].sheets["node"].items["nic0"].config["aux"] == "aux-bf3-8pin"
    assert fired(project, "PWR-02") == [] and fired(project, "NIC-06") == []


def test_pwr_02_what_the_slot_gives_may_be_stated() -> None:
    def low(**config: Any):
        return server(
            board({"s1": slot("cpu0:p1")}),
            {"nic0": card("mcx715105as-weat", "chassis:s1"), "chassis": stated(**config)},
        )

    (found,) = fired(low(slot__s1__power_w=25), "PWR-02")
    assert (found.measured, found.allowed, found.fix) == (27, 25, ())  # the card has no connector for a cable
    assert fired(low(slot__s1__power_w=30), "PWR-02") == []
    brought = server(
        board({"s1": slot("cpu0:p1")}), {"nic0": card(DPU, "chassis:s1"), "chassis": stated(slot__s1__aux_w=150)}
    )
    assert fired(brought, "PWR-02") == [] and fired(brought, "NIC-06") == []


def test_pwr_02_a_cable_too_weak_and_one_that_nobody_knows() -> None:
    def gpu(aux: str):
        chassis = board({"g1": slot("cpu0:p1", max_width=2)})
        mine = {"of-my-own": Part("aux-cable", Table({"en": "Cable"}))}
        return fired(server(chassis, {"gpu0": card(GPU, "chassis:g1", aux=aux)}, parts=mine), "PWR-02")

    (found,) = gpu("aux-8pin-pcie-150w")
    assert (found.measured, found.allowed) == (350, 225)  # 75 + 150
    assert gpu("aux-12v2x6-600w") == []
    assert gpu("of-my-own") == []  # a cable is plugged in; what it carries is not known


def test_pwr_02_gpu_slots_bring_their_cables_and_modules_are_fed_by_the_baseboard() -> None:
    assert fired(server("pcie-4dw-one-socket", {"gpu0": card(GPU, "chassis:g1")}), "PWR-02") == []
    for part in ("dgx-h100", "dgx-b200", "hgx-8sxm-4chip-split"):
        assert fired(server(part, {}), "PWR-02") == [] and fired(server(part, {}), "NIC-06") == []


@fires("NIC-06")
def test_nic_06_b3220_without_8_pin() -> None:
    (found,) = fired(plain(), "NIC-06")
    assert places([found]) == ["node/nic0"] and found.values["cable"] == "aux-bf3-8pin"
    assert fired(mended(plain(), "NIC-06"), "NIC-06") == []


@silent("NIC-06")
def test_nic_06_b3220_with_8_pin() -> None:
    assert fired(plain(aux="aux-bf3-8pin"), "NIC-06") == []


def test_nic_06_b3240_needs_two_slots() -> None:
    def wide(width: int):
        chassis = board({"s1": slot("cpu0:p1", max_width=width), "s2": slot("cpu0:p2", max_width=2)})
        return server(chassis, {"nic0": card("b3240", "chassis:s1", aux="aux-bf3-8pin")})

    (found,) = fired(wide(1), "NIC-06")
    assert "2 slots" in found.message.english()
    assert fired(mended(wide(1), "NIC-06"), "NIC-06") == []  # moved to s2
    assert fired(wide(2), "NIC-06") == []


def test_nic_06_other_nics_need_neither() -> None:
    project = server(board({"s1": slot("cpu0:p1")}), {"nic0": card("mcx715105as-weat", "chassis:s1")})
    assert fired(project, "NIC-06") == []


# -- PWR-03 --------------------------------------------------------------------------------------------------------


def limited(gpu: str, limit_w: float | None = 350, **config: Any) -> Project:
    chassis = board({f"g{n}": slot(f"cpu0:p{n}", max_width=2, aux_w=600.0) for n in (1, 2)})
    items = {"gpu0": card(gpu, "chassis:g1", **config)}
    return server(chassis, {**items, "chassis": stated(slot__g1__gpu_w=limit_w)} if limit_w else items)


@fires("PWR-03")
def test_pwr_03_a_600_w_gpu_where_350_w_are_admitted() -> None:
    project = limited("h200-nvl-141gb")
    (found,) = fired(project, "PWR-03")
    assert (places([found]), found.measured, found.allowed) == (["node/gpu0"], 600, 350)
    assert fired(mended(project, "PWR-03"), "PWR-03") == []  # in g2 nobody states a limit: 75 + 600 W
    verdict = legality(project, "main", "node", catalogue().get("h200-nvl-141gb"))["chassis:g1"]
    assert "PWR-03" in {rule for rule, _ in verdict.reasons}


@silent("PWR-03")
def test_pwr_03_a_350_w_gpu() -> None:
    assert fired(limited(GPU), "PWR-03") == []


def test_pwr_03_what_slot_and_cable_of_a_server_give_is_its_limit() -> None:
    # PowerEdge R760xa: 75 + 350 W per double-wide slot.
    def r760xa(gpu: str):
        return server("poweredge-r760xa", {"gpu0": card(gpu, "chassis:f1")})

    (found,) = fired(r760xa("rtx-pro-6000-bse"), "PWR-03")
    assert (found.measured, found.allowed, found.estimate) == (600, 425, True)
    assert fired(r760xa("rtx-pro-6000-bse"), "PWR-02") == []  # one finding, not two
    assert fired(r760xa("h100-nvl-94gb"), "PWR-03") == []


def test_pwr_03_modules_have_the_limit_of_their_socket() -> None:
    chassis = "as-8125gs-tnmr2"  # OAM, 750 W
    items = {"hot": card("mi325x", "chassis:oam0", forced=True)}
    seats = [s for s in catalogue().get(chassis).slots if s.startswith("oam")]
    items = {"hot": card("mi325x", f"chassis:{seats[0]}", forced=True)}
    (found,) = fired(server(chassis, items), "PWR-03")
    assert (found.measured, found.allowed) == (1000, 750)


# -- PWR-07 --------------------------------------------------------------------------------------------------------


def optical(switch: str, ports: str, watts: float, like: str, **link: Any) -> Project:
    """Servers cabled to one switch by fibre; the transceiver at the switch draws ``watts``."""
    part: Part = catalogue().get(like)
    part = replace(part, figures=part.figures.put("power_w", Figure(watts, "test", "read")))
    row = Link("node:compute", f"leaf:{ports}", cable="mpo12-apc-smf", length_m=30, optics=(None, like), **link)
    project = fabric({"node": group("sheet:node", node=2), "leaf": group(switch)}, {"down": row}, {"node": one_nic()})
    return replace(project, parts=project.parts.put(like, part))


@fires("PWR-07")
def test_pwr_07_a_17_w_module_in_an_sn5400() -> None:
    project = optical("sn5400", "1-2", 17, "optic-400g-lr4-plr4")
    (found,) = fired(project, "PWR-07")
    assert places([found]) == ["leaf", "down"]
    assert (found.measured, found.allowed, found.unit) == (17, 12, "W")
    assert found.values["cages"] == ["2"]  # cage 1 is one of the sixteen that admit 21 W


@silent("PWR-07")
def test_pwr_07_the_same_in_an_sn5600() -> None:
    assert fired(optical("sn5600", "1-2/1", 17, "optic-800g-2xdr4-mms4x00-ns"), "PWR-07") == []  # 18 W
    assert fired(optical("sn5400", "1,5", 17, "optic-400g-lr4-plr4"), "PWR-07") == []


def test_pwr_07_above_the_high_class_and_where_no_limit_is_known() -> None:
    (found,) = fired(optical("sn5400", "1,5", 23, "optic-400g-lr4-plr4"), "PWR-07")
    assert (found.measured, found.allowed) == (23, 21)
    assert fired(optical("qm9700", "1-2/1", 30, "optic-800g-2xdr4-mms4x00-ns"), "PWR-07") == []


def test_pwr_07_a_cooler_module_of_the_same_kind_is_the_fix() -> None:
    like = "optic-400g-dr4"  # 9 W
    project = optical("sn5400", "2,3", 17, like)
    assert fired(project, "PWR-07")[0].fix == ()  # the catalogue has no other of its kind
    own = project.parts[like]
    project = replace(project, parts=project.parts.put("hot", own).put(like, catalogue().get(like)))
    project = apply(
        project, EDITS["set_link"](project, design="main", sheet="fabric", link="down", optics=[None, "hot"])
    )
    changed = mended(project, "PWR-07")
    assert changed.designs["main"].sheets["fabric"].links["down"].optics == (None, like)
    assert fired(changed, "PWR-07") == []


def test_pwr_07_plugs_of_active_cables_count() -> None:
    aoc: Part = catalogue().get("aoc-400g")

    def trunk(watts: float):
        part = aoc
        for end in ("power_w_a", "power_w_b"):
            part = replace(part, figures=part.figures.put(end, Figure(watts, "test", "read")))
        items = {"leaf": group("sn5400", leaf=2), "spine": group("sn5400")}
        project = fabric(items, {"up": Link("leaf:1-2", "spine:1-4", mesh(2), cable="aoc-400g", length_m=20)})
        return fired(replace(project, parts=project.parts.put("aoc-400g", part)), "PWR-07")

    assert trunk(12) == []
    leaf, spine = trunk(14)
    assert (places([leaf]), str(leaf.members), leaf.values["cages"]) == (["leaf", "up"], "0-1", ["2"])
    assert (places([spine]), spine.values["cages"]) == (["spine", "up"], ["2", "3", "4"])


# -- PWR-09 --------------------------------------------------------------------------------------------------------


@fires("PWR-09")
def test_pwr_09_states_the_maximum_of_a_dgx_h100() -> None:
    (found,) = fired(server("dgx-h100", {}, count=4), "PWR-09")
    assert (found.severity, found.measured, found.unit, found.estimate) == ("fact", 10.2, "kW", False)
    assert found.message.english() == "Plan 10.2 kW per server." and str(found.members) == "0-3"


@silent("PWR-09")
def test_pwr_09_servers_without_gpus_are_not_its_matter() -> None:
    assert fired(server("gp-2u-2s-2dw", {}), "PWR-09") == []


@pytest.mark.parametrize(("part", "kw"), [("dgx-h200", 10.2), ("dgx-b200", 14.3), ("dgx-b300", 14.5)])
def test_pwr_09_reference_servers(part: str, kw: float) -> None:
    assert fired(server(part, {}), "PWR-09")[0].measured == kw


def test_pwr_09_a_sum_of_parts_says_that_it_is_one() -> None:
    (found,) = fired(server("pcie-4dw-one-socket", {"gpu0": card(GPU, "chassis:g1")}), "PWR-09")
    assert found.estimate and "more than" in found.message.english()
