"""FAB, OPT, SCL and PWR: every rule at the two sides of its limit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabricwright.catalog.parts import Figure
from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Export, Item, Link, Moved, Sheet, Wire
from fabricwright.units.table import Table
from tests.rules.drawing import card, claim, deal, fabric, fired, group, mesh, one_nic, places, server

SWITCH = "generic-64x400"


def leaf_spine(nodes: int, uplinks: int, spines: int, *, ufm: int = 0, uplink_wire: Wire | None = None, **more: object):
    """``nodes`` servers with one 400G port each on one leaf of 64 ports, ``uplinks`` of them to ``spines`` spines."""
    items = {
        "node": group("sheet:node", node=nodes),
        "leaf": group(SWITCH),
        "spine": group(SWITCH, spine=spines),
    }
    links = {
        "down": Link("node:compute", "leaf:1-32", deal()),
        "up": Link(f"leaf:{65 - uplinks}-64", "spine:1-64", uplink_wire or mesh(uplinks // spines)),
    }
    if ufm:
        items["ufm"] = group("sheet:node", ufm=ufm)
        links["ufm"] = Link("ufm:compute", "leaf:32", deal())
    return fabric(items, links, {"node": one_nic()}, **more)  # type: ignore[arg-type]


def test_fab_01_33_down_and_32_up_on_64_ports() -> None:
    (found,) = fired(leaf_spine(33, 32, 16), "FAB-01")
    assert (places([found]), found.measured, found.allowed) == (["leaf"], 65, 64)
    assert fired(leaf_spine(31, 32, 16, ufm=1), "FAB-01") == []


def test_fab_01_two_cables_in_one_port() -> None:
    project = leaf_spine(4, 32, 16)
    root = project.designs["main"].sheets["fabric"]
    link = replace(root.links["down"], wire=replace(deal(), moved=Table({"1": Moved(b="leaf:1")})))
    changed = replace(root, links=root.links.put("down", link))
    design = replace(project.designs["main"], sheets=project.designs["main"].sheets.put("fabric", changed))
    (found,) = fired(replace(project, designs=Table({"main": design})), "FAB-01")
    assert "two cables" in found.message.english()


def test_fab_01_port_that_does_not_exist() -> None:
    project = fabric(
        {"a": group(SWITCH), "b": group(SWITCH)},
        {"l": Link("a:64-65", "b:1-2", deal())},
    )
    assert places(fired(project, "FAB-01")) == ["a"]


def test_fab_03_oversubscription() -> None:
    (found,) = fired(leaf_spine(32, 16, 16), "FAB-03")
    assert (places([found]), found.measured, found.allowed) == (["leaf"], pytest.approx(2.0), 1.0)
    assert fired(leaf_spine(31, 32, 16), "FAB-03") == []  # 0.97


def test_fab_03_target_is_stated() -> None:
    wanted = claim("leaf.oversubscription", 2, "leaf", "requirement")
    assert fired(leaf_spine(32, 16, 16, statements=(wanted,)), "FAB-03") == []


def test_fab_03_storage_networks_may_have_three_to_one() -> None:
    project = leaf_spine(32, 16, 16)
    root = project.designs["main"].sheets["fabric"]
    links = Table({k: replace(v, network="storage") for k, v in root.links.items()})
    design = replace(
        project.designs["main"], sheets=project.designs["main"].sheets.put("fabric", replace(root, links=links))
    )
    assert fired(replace(project, designs=Table({"main": design})), "FAB-03") == []


def test_fab_04_32_uplinks_over_12_spines() -> None:
    (found,) = fired(leaf_spine(31, 32, 12, uplink_wire=deal()), "FAB-04")
    assert (found.measured, found.allowed) == (32, 12)
    assert fired(leaf_spine(31, 32, 16, uplink_wire=deal()), "FAB-04") == []


def rails(moved: dict[str, Moved] | None = None):
    """Eight DGX H100 over eight rails."""
    return fabric(
        {"node": group("sheet:node", su=1, node=8), "leaf": group("qm9700", su=1, rail=8)},
        {"down": Link("node:compute", "leaf:1-16/1-2", replace(deal("su", "rail"), moved=Table(moved or {})), "ib")},
        {"node": Sheet("server", chassis="dgx-h100")},
    )


def test_fab_07_nic_3_of_node_7_on_leaf_4() -> None:
    assert fired(rails(), "FAB-07") == []
    swapped = rails({"59": Moved(b="leaf[4]:9/1"), "60": Moved(b="leaf[3]:9/1")})  # rows 7 x 8 + 3 and + 4
    (found,) = fired(swapped, "FAB-07")
    assert (str(found.members), found.measured) == ("7", 2)
    assert places([found]) == ["node", "down#59", "down#60"]
    mended = swapped
    for call in found.fix:
        mended = apply(mended, run(mended, call))
    assert fired(mended, "FAB-07") == []


def test_fab_07_uncabled_ports_do_not_count() -> None:
    assert fired(rails({"59": Moved(cut=True)}), "FAB-07") == []


def switches(cable: str, length_m: float, part: str = "sn5600", optics: tuple[str | None, ...] = ()):
    return fabric(
        {"a": group(part), "b": group(part)},
        {"l": Link("a:1/1", "b:1/1", deal(), cable=cable, length_m=length_m, optics=optics)},
    )


def test_opt_01_osfp_plug_in_a_qsfp_dd_cage() -> None:
    project = fabric(
        {"a": group("sn5600"), "b": group(SWITCH)},
        {"l": Link("a:1/1", "b:1", deal(), cable="mcp4y10-800g-osfp-osfp", length_m=1.0)},
    )
    (found,) = fired(project, "OPT-01")
    assert (places([found]), found.values["cage"]) == (["l", "b"], "QSFP-DD")
    assert fired(apply(project, run(project, found.fix[0])), "OPT-01") == []


def test_opt_01_qsfp56_plug_in_a_qsfp_dd_cage() -> None:
    project = fabric(
        {"a": group("sn3700"), "b": group(SWITCH)},
        {"l": Link("a:1", "b:1", deal(), cable="dac-200g-qsfp56", length_m=1.0)},
    )
    assert fired(project, "OPT-01") == []


def test_opt_01_finned_module_in_a_nic_cage() -> None:
    node = one_nic(nic="mcx75310aas-neat")
    project = fabric(
        {"node": group("sheet:node"), "leaf": group("qm9700")},
        {"l": Link("node:compute", "leaf:1/1", deal(), "ib", optics=("optic-800g-2xsr4-mma4z00-ns",) * 2)},
        {"node": node},
    )
    (found,) = fired(project, "OPT-01")
    assert (places([found]), found.values["cage"]) == (["l", "node"], "OSFP-RHS")


def test_opt_03_splitter_of_3_m_at_4_m() -> None:
    (found,) = fired(switches("mcp7y00-800g-2x400-osfp", 4.0), "OPT-03")
    assert (found.measured, found.allowed, found.unit) == (4.0, 3.0, "m")
    assert fired(switches("mcp7y00-800g-2x400-osfp", 3.0), "OPT-03") == []


def test_opt_03_reach_is_that_of_the_module() -> None:
    twin = "optic-800g-2xsr4-mma4z00-ns"  # 50 m
    assert fired(switches("mpo12-apc-mmf", 60.0, "qm9700", (twin, twin)), "OPT-03") != []
    assert fired(switches("mpo12-apc-mmf", 50.0, "qm9700", (twin, twin)), "OPT-03") == []


def split(part: str, breakout: str):
    item = Item(part, (), None, False, Table({"breakout": Table({"1-4": breakout})}))
    return fabric({"leaf": item}, {})


def test_opt_04_split_the_switch_does_not_offer() -> None:
    (found,) = fired(split("sn5600", "8x100"), "OPT-04")
    assert places([found]) == ["leaf"]
    assert fired(split("sn5600", "4x200"), "OPT-04") == []
    mended = apply(split("sn5600", "8x100"), run(split("sn5600", "8x100"), found.fix[0]))
    assert fired(mended, "OPT-04") == []


def test_opt_13_splitters_for_200g_nics() -> None:
    def seed_b(servers: int):
        return TEMPLATES["seed-b-512"].build(servers=servers)

    (found,) = fired(seed_b(32), "OPT-13", "after-network")
    assert (found.measured, found.severity) == (32, "info")  # 64 ports, two to a splitter
    assert fired(leaf_spine(31, 32, 16), "OPT-13") == []  # 400G NICs on 400G ports


def test_scl_01_256_and_64_gpus_are_not_512() -> None:
    def stated(target: int):
        wanted = claim("cluster.gpus", target, "main!", "requirement")
        return fired(server("dgx-h100", {}, count=32, statements=(wanted,)), "SCL-01")

    assert stated(256) == []
    (found,) = stated(512)
    assert (found.measured, found.allowed) == (256, 512)


def test_scl_01_counts_absent_members_out() -> None:
    project = TEMPLATES["superpod-h100-127"].build(servers=100)
    assert fired(project, "SCL-01") == []  # the template states 800


def test_pwr_01_n_plus_n_counts_half() -> None:
    def dgx(redundancy: str):
        part = catalogue().get("dgx-h100")
        part = replace(part, figures=part.figures.put("psu_redundancy", Figure(redundancy)))
        return fired(server("dgx-h100", {}, parts={"dgx-h100": part}), "PWR-01")

    (found,) = dgx("3+3")
    assert (found.measured, found.allowed) == (pytest.approx(11_220), 9_900)  # 10,200 x 1.1 over 3 x 3,300
    assert dgx("4+2") == []  # 13,200


def test_pwr_01_external_boxes_have_supplies_of_their_own() -> None:
    items = {"ext0": card("ext-gpu-box-2"), **{f"gpu{n}": card("rtx-pro-6000-bse", f"ext0:g{n + 1}") for n in (0, 1)}}
    found = fired(server("dgx-h100", items), "PWR-01")
    # 120 + 2 x 600 = 1,320 W, x 1.1 = 1,452 of 1,600 W: fits; the same cards do not load the chassis.
    assert found == []
    weak = catalogue().get("ext-gpu-box-2")
    weak = replace(weak, figures=weak.figures.put("psu_w", Figure(1_400)))
    (over,) = fired(server("dgx-h100", items, parts={"ext-gpu-box-2": weak}), "PWR-01")
    assert places([over]) == ["node/ext0"]


def test_exports_of_a_hand_made_sheet_reach_the_rules() -> None:
    sheet = Sheet("server", chassis="dgx-h100", exports=Table({"compute": Export(("nic0:1",))}))
    project = fabric({"node": group("sheet:node")}, {}, {"node": sheet})
    assert fired(project, "P2P-01") == []
