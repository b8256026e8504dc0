"""OPT and NIC-09: plugs, lanes, light, splits and modes, each at the two sides of its limit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fabricwright.catalog.parts import Figure, Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Export, Item, Link, Project, Sheet
from fabricwright.units.table import Table
from tests.rules.drawing import card, deal, everything, fabric, fired, group, one_nic, places
from tests.rules.examples import fires, silent
from tests.rules.networks import SWITCH, leaf_spine, mended, node_pair, pair, with_link

TWIN = "optic-800g-2xsr4-mma4z00-ns"
TWIN_DR = "optic-800g-2xdr4-mms4x00-ns"
FLAT = "optic-400g-sr4-osfp-flat"
OSFP_NIC, QSFP_NIC = "mcx75310aas-neat", "mcx715105as-weat"


# -- OPT-01, 06, 07: plugs ---------------------------------------------------------------------------------------------


@fires("OPT-01")
def test_opt_01_osfp_plug_in_a_qsfp_dd_cage() -> None:
    project = pair("mcp4y10-800g-osfp-osfp", 1.0, "sn5600", other=SWITCH, ends=("1/1", "1"))
    (found,) = fired(project, "OPT-01")
    assert (places([found]), found.values["cage"]) == (["l", "b"], "QSFP-DD")


@silent("OPT-01")
def test_opt_01_qsfp56_plug_in_a_qsfp_dd_cage() -> None:
    assert fired(pair("dac-200g-qsfp56", 1.0, "sn3700", other=SWITCH, ends=("1", "1")), "OPT-01") == []


def test_opt_01_transceivers_are_judged_too() -> None:
    wrong = pair("mpo12-apc-mmf", 10.0, SWITCH, ("optic-400g-sr8", TWIN), ends=("1", "1"))
    (found,) = fired(wrong, "OPT-01")
    assert (places([found]), found.values["plug"]) == (["l", "b"], "OSFP-finned")
    assert fired(mended(wrong, found), "OPT-01") == []
    named_as_cable = pair(TWIN, 10.0, SWITCH, ends=("1", "1"))  # a module where a cable is asked for
    assert places(fired(named_as_cable, "OPT-01")) == ["l", "a", "l", "b"]


def test_opt_01_a_cable_of_another_trade() -> None:
    assert len(fired(pair("mcio-2x8i", 0.5), "OPT-01")) == 2  # a PCIe cable between two switches, at both of them


def test_opt_01_an_automatic_link_that_nothing_fits() -> None:
    nothing = pair("auto", 1.0, "sn2201", other="sn5600", ends=("1", "1/1"))  # RJ45 and OSFP
    (found,) = fired(nothing, "OPT-01")
    assert places([found]) == ["l"] and "no cable and no pair of transceivers" in found.message.english()
    assert found.fix == ()
    assert fired(pair("auto", 1.0), "OPT-01") == []
    # QSFP-DD and OSFP: no cable, but transceivers and a fibre
    assert fired(pair("auto", 10.0, "sn5600", other=SWITCH, ends=("1/1", "1")), "OPT-01") == []


@fires("OPT-06")
def test_opt_06_finned_module_in_a_connectx_7() -> None:
    project = node_pair("mpo12-apc-mmf", OSFP_NIC, (TWIN, TWIN))
    (found,) = fired(project, "OPT-06")
    assert (places([found]), found.values["cage"]) == (["l", "node"], "OSFP-RHS")
    assert fired(project, "OPT-01") == []  # one fault, one finding
    after = mended(project, found)
    assert after.designs["main"].sheets["fabric"].links["l"].optics == (FLAT, TWIN)


@silent("OPT-06")
def test_opt_06_flat_module() -> None:
    assert fired(node_pair("mpo12-apc-mmf", OSFP_NIC, (FLAT, TWIN)), "OPT-06") == []


def test_opt_06_flat_module_in_a_switch() -> None:
    assert places(fired(node_pair("mpo12-apc-mmf", OSFP_NIC, (FLAT, FLAT)), "OPT-06")) == ["l", "leaf"]


@fires("OPT-07")
def test_opt_07_osfp_end_on_a_qsfp112_card() -> None:
    project = node_pair("mcp7y00-800g-2x400-osfp", "b3140h")
    (found,) = fired(project, "OPT-07")
    assert (places([found]), found.values["plug"], found.values["cage"]) == (["l", "node"], "OSFP-flat", "QSFP112")
    assert fired(project, "OPT-01") == []
    assert fired(mended(project, found), "OPT-07") == []


@silent("OPT-07")
def test_opt_07_the_cable_with_a_qsfp112_end() -> None:
    assert fired(node_pair("mcp7y10-800g-2x400-q112", "b3140h"), "OPT-07") == []


def test_opt_07_qsfp112_in_an_nvidia_switch() -> None:
    assert places(fired(node_pair("dac-400g-qsfp112", "b3140h"), "OPT-07")) == ["l", "leaf"]


# -- OPT-02, 08: lanes and light ---------------------------------------------------------------------------------------


@fires("OPT-02")
def test_opt_02_hdr_to_ndr() -> None:
    """C064: 50G PAM4 against 100G PAM4."""
    project = pair("mpo12-apc-mmf", 10.0, "qm8700", ("optic-200g-sr4", TWIN), other="qm9700", ends=("1", "1/1"))
    (found,) = fired(project, "OPT-02")
    assert (places([found]), found.values) == (["l"], {"a": [50.0], "b": [100.0]})


@silent("OPT-02")
def test_opt_02_ndr_to_ndr_and_the_listed_splitter() -> None:
    assert fired(pair("mpo12-apc-mmf", 10.0, "qm9700", (TWIN, TWIN)), "OPT-02") == []
    listed = pair("mcp7y60-400g-2x200-q56", 1.0, "qm9700", other="qm8700", ends=("1/1", "1"))
    assert fired(listed, "OPT-02") == []
    optical = pair("aoc-400g-qdd-2x200-q56", 5.0, SWITCH, other="qm8700", ends=("1/1", "1"))
    assert fired(optical, "OPT-02") == []


def test_c064_qsfp56_module_in_a_qsfp112_cage() -> None:
    project = node_pair("mpo12-apc-mmf", QSFP_NIC, ("optic-200g-sr4", "optic-200g-sr4"), "qm8700")
    project = with_link(project, "l", b="leaf:1")
    assert fired(project, "OPT-01") == [] and fired(project, "OPT-02") == []


@pytest.mark.parametrize(("partner", "fault"), [("optic-100g-sr4", True), ("optic-100g-cwdm4-fr1-dr1", False)])
def test_c099_branches_of_a_400g_dr4(partner: str, fault: bool) -> None:
    """Each branch is one wavelength of 100G PAM4: DR1 or FR1 understands it, 4 x 25G NRZ does not."""
    project = pair(
        "mpo12-smf-4xlc",
        10.0,
        SWITCH,
        ("optic-400g-dr4", partner),
        other="sn2700",
        ends=("1/1-4", "1-4"),
        breakout={"a": {"1": "4x100"}},
    )
    assert bool(fired(project, "OPT-02")) is fault
    assert bool(fired(project, "OPT-08")) is fault  # SR4 is multimode as well


def test_opt_02_4x100g_of_50g_lanes_wants_a_gearbox_towards_qsfp28() -> None:
    def split(cable: str) -> Project:
        return pair(cable, 2.0, SWITCH, other="sn2700", ends=("1/1-4", "1-4"), breakout={"a": {"1": "4x100"}})

    plain = replace(catalogue().get("dac-400g-qdd-4x100-q56"), model="plain")
    plain = replace(plain, figures=plain.figures.put("end_b", Figure("QSFP28")))
    project = replace(
        split("dac-400g-qdd-4x100-q56"),
        parts=split("dac-400g-qdd-4x100-q56").parts.put("dac-400g-qdd-4x100-q56", plain),
    )
    (found,) = fired(project, "OPT-02")
    assert found.values == {"a": [50.0], "b": [25.0]}
    assert fired(split("dac-400g-qdd-4x100-q28"), "OPT-02") == []  # turns 2 x 50G PAM4 into 4 x 25G NRZ


@fires("OPT-08")
def test_opt_08_sr4_to_dr4() -> None:
    project = pair("mpo12-apc-smf", 10.0, "qm9700", (TWIN, TWIN_DR))
    (found,) = fired(project, "OPT-08")
    assert (places([found]), found.severity) == (["l"], "error")
    assert "cannot talk to" in found.message.english()
    after = mended(project, found)
    assert fired(after, "OPT-08") == []


@silent("OPT-08")
def test_opt_08_dr4_to_dr4() -> None:
    assert fired(pair("mpo12-apc-smf", 10.0, "qm9700", (TWIN_DR, TWIN_DR)), "OPT-08") == []
    half = pair("mpo12-apc-mmf", 10.0, "qm9700", (TWIN, None))
    assert fired(half, "OPT-08") == []  # the other end is not known


def test_opt_08_the_fibre_is_of_another_kind_or_ends_in_another_plug() -> None:
    (kind,) = fired(pair("mpo12-apc-smf", 10.0, "qm9700", (TWIN, TWIN)), "OPT-08")
    assert places([kind]) == ["l", "a"]
    assert fired(mended(pair("mpo12-apc-smf", 10.0, "qm9700", (TWIN, TWIN)), kind), "OPT-08") == []
    (plug,) = fired(pair("mpo12-apc-smf", 10.0, SWITCH, ("optic-400g-fr4",) * 2, ends=("1", "1")), "OPT-08")
    assert "does not join" in plug.message.english()
    assert fired(pair("lc-duplex-smf", 10.0, SWITCH, ("optic-400g-fr4",) * 2, ends=("1", "1")), "OPT-08") == []


def test_opt_08_dr_to_fr() -> None:
    assert len(fired(pair("auto", 10.0, SWITCH, ("optic-400g-dr4", "optic-400g-fr4"), ends=("1", "1")), "OPT-08")) == 1


# -- OPT-03, 12: lengths -----------------------------------------------------------------------------------------------


@fires("OPT-03")
def test_opt_03_splitter_of_3_m_at_4_m() -> None:
    project = pair("mcp7y00-800g-2x400-osfp", 4.0)
    (found,) = fired(project, "OPT-03")
    assert (found.measured, found.allowed, found.unit) == (4.0, 3.0, "m")
    assert fired(mended(project, found), "OPT-03") == []


@silent("OPT-03")
def test_opt_03_splitter_at_3_m() -> None:
    assert fired(pair("mcp7y00-800g-2x400-osfp", 3.0), "OPT-03") == []


def test_opt_03_reach_is_that_of_the_module() -> None:
    assert fired(pair("mpo12-apc-mmf", 60.0, "qm9700", (TWIN, TWIN)), "OPT-03") != []  # 50 m
    assert fired(pair("mpo12-apc-mmf", 50.0, "qm9700", (TWIN, TWIN)), "OPT-03") == []
    # DR4 reaches 500 m over single mode; that jumpers are sold up to 100 m only is no limit of the light
    dr4 = ("optic-400g-dr4", "optic-400g-dr4")
    assert fired(pair("mpo12-apc-smf", 300.0, SWITCH, dr4, ends=("1", "1")), "OPT-03") == []
    assert fired(pair("mpo12-apc-smf", 600.0, SWITCH, dr4, ends=("1", "1")), "OPT-03") != []


def test_opt_03_an_automatic_link_beyond_everything() -> None:
    (found,) = fired(pair("auto", 12_000.0, SWITCH, ends=("1", "1")), "OPT-03")
    assert (found.measured, found.allowed) == (12_000, 10_000)  # 400G-LR4
    assert found.fix == ()
    assert fired(pair("auto", 9_000.0, SWITCH, ends=("1", "1")), "OPT-03") == []
    assert fired(pair("auto", None, SWITCH, ends=("1", "1")), "OPT-03") == []  # not in racks: no length is known


def generic(lane: int, branches: int = 1) -> Part:
    """A passive cable whose part states no reach."""
    part = catalogue().get("mcp7y00-800g-2x400-osfp" if branches > 1 else "mcp4y10-800g-osfp-osfp")
    figures = {k: v for k, v in part.figures.items() if k not in ("max_m", "orderable_m")}
    return replace(part, figures=Table({**figures, "lane_gbps": Figure(lane), "branches": Figure(branches)}))


def unstated(length_m: float, lane: int = 100, branches: int = 1) -> Project:
    name = "dac-generic"
    project = pair("auto", length_m)
    project = replace(project, parts=project.parts.put(name, generic(lane, branches)))
    return with_link(project, "l", cable=name)


@fires("OPT-12")
def test_opt_12_3_m_straight_at_100g_per_lane() -> None:
    (found,) = fired(unstated(3.0), "OPT-12")
    assert (found.measured, found.allowed, found.severity, found.estimate) == (3, 2, "info", True)
    assert fired(mended(unstated(3.0), found), "OPT-12") == []


@silent("OPT-12")
def test_opt_12_a_part_with_a_reach_of_its_own() -> None:
    assert fired(pair("mcp7y00-800g-2x400-osfp", 3.0), "OPT-12") == []


@pytest.mark.parametrize(("lane", "branches", "most"), [(100, 1, 2), (100, 2, 3), (50, 1, 3), (25, 1, 5)])
def test_opt_12_usual_reaches(lane: int, branches: int, most: float) -> None:
    assert fired(unstated(most, lane, branches), "OPT-12") == []
    assert len(fired(unstated(most + 0.5, lane, branches), "OPT-12")) == 1


# -- OPT-04, 05, 09, 10, 13: splits ------------------------------------------------------------------------------------


def split(part: str, breakout: str, cages: str = "1-4") -> Project:
    item = Item(part, (), None, False, Table({"breakout": Table({cages: breakout})}))
    return fabric({"leaf": item}, {})


@fires("OPT-04")
def test_opt_04_split_the_switch_does_not_offer() -> None:
    (found,) = fired(split("sn5600", "8x100"), "OPT-04")
    assert places([found]) == ["leaf"]
    assert fired(mended(split("sn5600", "8x100"), found), "OPT-04") == []


@silent("OPT-04")
def test_opt_04_split_the_switch_offers() -> None:
    assert fired(split("sn5600", "4x200"), "OPT-04") == []


@pytest.mark.parametrize(("part", "breakout"), [("sn5400", "4x25"), ("ds4000", "2x200"), ("sn4600", "4x50")])
def test_c066_splits_that_the_platform_file_does_not_list(part: str, breakout: str) -> None:
    assert len(fired(split(part, breakout), "OPT-04")) == 1


@fires("OPT-05")
def test_opt_05_64_cages_of_8_ports() -> None:
    project = split("ais800-64d", "8x100", "1-64")
    (found,) = fired(project, "OPT-05")
    assert (places([found]), found.measured, found.allowed) == (["leaf"], 512, 320)
    assert fired(mended(project, found), "OPT-05") == []


@silent("OPT-05")
def test_opt_05_64_cages_of_4_ports() -> None:
    assert fired(split("ais800-64d", "4x200", "1-64"), "OPT-05") == []  # 256
    assert fired(split("dcs-7060x6-64pe", "8x100", "1-64"), "OPT-05") == []  # 512 of 512


def four_by_100(optic: str) -> Project:
    return pair(
        "auto", 10.0, SWITCH, (optic, None), other="sn2700", ends=("1/1-4", "1-4"), breakout={"a": {"1": "4x100"}}
    )


@fires("OPT-09")
def test_opt_09_fr4_in_a_cage_of_4x100() -> None:
    (found,) = fired(four_by_100("optic-400g-fr4"), "OPT-09")
    assert (places([found]), found.values["split"], found.severity) == (["l", "a"], "4x100", "warning")
    assert fired(mended(four_by_100("optic-400g-fr4"), found), "OPT-09") == []


@silent("OPT-09")
def test_opt_09_dr4_in_a_cage_of_4x100() -> None:
    assert fired(four_by_100("optic-400g-dr4"), "OPT-09") == []
    assert fired(four_by_100("optic-400g-lr4-plr4"), "OPT-09") == []  # PLR4 can
    assert fired(pair("lc-duplex-smf", 10.0, SWITCH, ("optic-400g-fr4",) * 2, ends=("1", "1")), "OPT-09") == []


def twin(second: str, cage: str = "1/2") -> Project:
    """Two links from a QM9700; the second one by another fibre."""
    items = {"a": group("qm9700"), "b": group("qm9700"), "c": group("qm9700")}
    links = {
        "l": Link("a:1/1", "b:1/1", deal(), "ib", cable="mpo12-apc-mmf", optics=(TWIN, TWIN), length_m=10.0),
        "m": Link(f"a:{cage}", "c:1/1", deal(), "ib", cable=second, optics=(TWIN, TWIN), length_m=10.0),
    }
    return fabric(items, links)


@fires("OPT-10")
def test_opt_10_one_straight_fibre_and_one_splitter() -> None:
    (found,) = fired(twin("mpo12-apc-mmf-split2"), "OPT-10")
    assert (places([found]), found.severity, found.values["cage"]) == (["a", "l", "m"], "warning", "1")


@silent("OPT-10")
def test_opt_10_both_straight() -> None:
    assert fired(twin("mpo12-apc-mmf"), "OPT-10") == []
    assert fired(twin("mpo12-apc-mmf-split2", "2/1"), "OPT-10") == []  # another module


def test_opt_10_tells_two_links_once_and_knows_the_cages_of_a_server() -> None:
    straight, split = "mpo12-apc-mmf", "mpo12-apc-mmf-split2"
    items = {"a": group("qm9700"), "b": group("qm9700"), "c": group("qm9700")}
    links = {  # both links have a port in each of two modules
        "l": Link("a:1-2/1", "b:1-2/1", deal(), "ib", cable=straight, optics=(TWIN, TWIN), length_m=10.0),
        "m": Link("a:1-2/2", "c:1-2/1", deal(), "ib", cable=split, optics=(TWIN, TWIN), length_m=10.0),
    }
    (found,) = fired(fabric(items, links), "OPT-10")
    assert places([found]) == ["a", "l", "m"]
    # osfp1 of a DGX H100 holds nic7 and nic4 (facts: interiors)
    exports = {"one": Export(("nic7:1",)), "two": Export(("nic4:1",))}
    items = {"node": group("sheet:node"), "b": group("qm9700"), "c": group("qm9700")}
    links = {
        "l": Link("node:one", "b:1/1", deal(), "ib", cable=straight, optics=(TWIN, TWIN), length_m=10.0),
        "m": Link("node:two", "c:1/1", deal(), "ib", cable=split, optics=(TWIN, TWIN), length_m=10.0),
    }
    sheet = Sheet("server", chassis="dgx-h100", exports=Table(exports))
    (found,) = fired(fabric(items, links, {"node": sheet}), "OPT-10")
    assert (places([found]), found.values["cage"]) == (["node", "l", "m"], "osfp1")


@fires("OPT-13")
def test_opt_13_splitters_for_200g_nics() -> None:
    (found,) = fired(TEMPLATES["seed-b-512"].build(servers=32), "OPT-13", "after-network")
    assert (found.measured, found.severity) == (32, "info")  # 64 ports, two to a splitter


@silent("OPT-13")
def test_opt_13_400g_nics_on_400g_ports() -> None:
    assert fired(leaf_spine(31, 32, 16), "OPT-13") == []


# -- OPT-11 ------------------------------------------------------------------------------------------------------------


@fires("OPT-11")
def test_opt_11_rs528_against_rs544() -> None:
    project = pair("auto", 1.0, **{"fec.a": "RS528", "fec.b": "RS544"})
    (found,) = fired(project, "OPT-11")
    assert (found.severity, found.values["a"], found.values["b"]) == ("warning", "RS528", "RS544")
    assert fired(mended(project, found), "OPT-11") == []


@silent("OPT-11")
def test_opt_11_rs544_at_both_ends() -> None:
    assert fired(pair("auto", 1.0, **{"fec.a": "RS544", "fec.b": "RS544"}), "OPT-11") == []
    assert fired(pair("auto", 1.0, **{"fec.a": "RS544"}), "OPT-11") == []  # the other end is not stated


def test_opt_11_autonegotiation_and_the_modules_own_fec() -> None:
    assert len(fired(pair("auto", 1.0, **{"autoneg.a": True, "autoneg.b": "off"}), "OPT-11")) == 1
    assert fired(pair("auto", 1.0, **{"autoneg.a": True, "autoneg.b": "on"}), "OPT-11") == []
    modules = pair("mpo12-apc-mmf", 10.0, "qm9700", (TWIN, TWIN), **{"fec.a": "RS528"})
    assert len(fired(modules, "OPT-11")) == 1  # the twin SR4 uses RS544


# -- NIC-09 ------------------------------------------------------------------------------------------------------------


def cx8(mode: str | None, medium: str = "eth", nic: str = "c8180", ports: int = 1, **config: Any) -> Project:
    """C113: a ConnectX-8 card in a server, cabled to a leaf."""
    stated = {**({"mode": mode} if mode else {}), **config}
    node = Sheet(
        "server",
        chassis="pcie-4dw-one-socket",
        items=Table({"nic0": card(nic, "chassis:n1", **stated)}),
        exports=Table({"compute": Export(tuple(f"nic0:{n + 1}" for n in range(ports)))}),
    )
    leaf = "sn5600" if medium == "eth" else "q3400-ra"
    items = {"node": group("sheet:node"), "leaf": group(leaf)}
    return fabric(items, {"l": Link("node:compute", "leaf:1/1-2", deal(), medium)}, {"node": node})


@fires("NIC-09")
def test_nic_09_one_port_of_800_gbe() -> None:
    for mode in ("1x800GbE", "1x800"):
        (found,) = fired(cx8(mode), "NIC-09")
        assert (places([found]), found.severity, found.values["medium"]) == (["node/nic0"], "error", "eth")
        assert "2x400" in found.message.english()
    (stated,) = fired(cx8("1x800GbE", firmware="40.44"), "NIC-09")
    assert fired(mended(cx8("1x800GbE", firmware="40.44"), stated), "NIC-09") == []


@silent("NIC-09")
def test_nic_09_two_ports_of_400_gbe() -> None:
    assert fired(cx8("2x400GbE", ports=2), "NIC-09") == []
    assert fired(cx8("2x400", ports=2), "NIC-09") == []
    assert fired(cx8("1x800", "ib"), "NIC-09") == []  # XDR


def test_nic_09_modes_of_other_cards() -> None:
    assert fired(cx8(None, nic=QSFP_NIC), "NIC-09") == []
    assert fired(cx8("1x200", nic=QSFP_NIC), "NIC-09") == []
    assert len(fired(cx8("2x200", nic=QSFP_NIC), "NIC-09")) == 1  # one cage
    assert len(fired(cx8("dual", nic=QSFP_NIC), "NIC-09")) == 1
    assert fired(cx8("2x400ib", nic="cx7-dual-qsfp112"), "NIC-09") == []


def test_nic_09_an_ethernet_card_on_infiniband_is_not_mended_by_its_own_mode() -> None:
    (found,) = fired(cx8(None, "ib", nic="e810-cqda2"), "NIC-09")
    assert "on InfiniBand" in found.message.english() and found.fix == ()


def test_nic_09_what_is_inferred_decides_nothing() -> None:
    """One port of 800G of an on-board ConnectX-8 on an Ethernet switch: no firmware is stated."""
    assert fired(TEMPLATES["b300-4su"].build(planes=1), "NIC-09") == []


def test_one_nic_of_a_sheet_alone() -> None:
    assert fired(fabric({"node": group("sheet:node")}, {}, {"node": one_nic()}), "NIC-09") == []


@pytest.mark.parametrize("rule", ["OPT-02", "OPT-08"])
def test_the_partner_offered_for_a_split_port_still_feeds_all_branches(rule: str) -> None:
    """Four 100G cards on one 400G-DR4: not a 100G module in the switch's cage."""
    project = pair(
        "auto",
        10.0,
        SWITCH,
        ("optic-400g-dr4", "optic-100g-cwdm4"),
        other="sn2700",
        ends=("1/1-4", "1-4"),
        breakout={"a": {"1": "4x100"}},
    )
    (found,) = fired(project, rule)
    if found.fix:
        after = mended(project, found)
        assert after.designs["main"].sheets["fabric"].links["l"].optics[0] == "optic-400g-dr4"
        assert {f.rule for f in everything(after)} <= {f.rule for f in everything(project)} - {rule}
