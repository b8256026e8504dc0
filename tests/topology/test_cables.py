"""Racks, lengths and physical cables: counts of templates.md."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import effective
from fabricwright.design.rack_height import height_units
from fabricwright.design.values import Item, Link, RackPlace, Seating
from fabricwright.topology.cable_fit import cable_fits, port_cages
from fabricwright.topology.cables import all_cables, cable_rows
from fabricwright.topology.fabric import wire_all
from fabricwright.topology.seating import orderable_all, places_of
from fabricwright.units.table import Table
from tests.topology.samples import deal, fabric, mesh, rail_fabric, template


def cabled(project, design_id: str = ""):
    design = project.designs[design_id or next(iter(project.designs))]
    eff = effective(project, design, design.root)
    bundles, places = wire_all(project, design, eff), places_of(project, design, eff)
    return design, bundles, places, all_cables(project, design, bundles, places)


def test_seed_a_cables():
    design, bundles, places, cables = cabled(project := template("seed-a-256x8"))
    splitter = "aoc-400g-qdd-2x200-q56"
    assert cables["down"].counted() == {
        (splitter, 5.0): 40,
        (splitter, 7.0): 52,
        (splitter, 10.0): 80,
        (splitter, 15.0): 84,
    }
    assert cables["up"].counted() == {("aoc-400g", 20.0): 256}
    first = next(cable_rows(project, design, bundles["down"], cables["down"], places))
    # leaf (0, 0) stands in network rack 0; nodes 0 and 1 of its unit share rack 0
    assert first.id == "down#0" and first.rows == 2
    assert [(e.device, e.rack, e.u, e.port) for e in first.ends] == [
        ("leaf[0]", "nrack[0]", 40, "1/1,1/2"),
        ("node[0]", "rack[0]", 1, "nic0:1"),
        ("node[1]", "rack[0]", 5, "nic0:1"),
    ]
    assert sorted(int(x) for x in cables["down"].first[:4]) == [0, 1, 4, 5]


def test_superpod_cables():
    _, _, _, cables = cabled(template("superpod-h100-127"))
    count = {link: c.count for link, c in cables.items()}
    assert (count["c-down"] + count["c-ufm"], count["c-up"]) == (1020, 1024)
    assert count["s-down"] + count["s-stor"] + count["s-ufm"] + count["s-up"] == 482
    assert sum(n for link, n in count.items() if link.startswith("i-")) == 424
    assert sum(n for link, n in count.items() if link.startswith("o-")) == 362
    assert {part for (part, _) in cables["c-up"].counted()} == {"mpo12-apc-smf"}


@pytest.mark.parametrize(
    ("design", "down", "up"),
    [("before", 64, 64), ("after-network", 32, 64), ("after", 32, 64)],
)
def test_seed_b_cables(design, down, up):
    _, _, _, cables = cabled(template("seed-b-512"), design)
    assert (cables["down"].count, cables["up"].count) == (down, up)
    assert cables["down"].trunk == ("" if design == "before" else "b")


def test_four_servers_on_two_splitters():
    _, _, _, cables = cabled(template("pcie-4gpu-1nic"))
    assert cables["down"].counted() == {("mcp7y10-800g-2x400-q112", 2.0): 2}


def test_auto_takes_the_cheapest_that_reaches():
    # QSFP112 NIC ports at 400G on QSFP112 cages: passive copper up to 2.5 m; nothing of that kind reaches 4 m
    items = {"node": Item("sheet:node", (("n", 2),)), "leaf": Item("sn5600")}
    for length, expected in ((2.0, "mcp7y10-800g-2x400-q112"), (4.0, "mca7j65-acc-800g-2x400-q112"), (20.0, "")):
        link = Link("node:storage", "leaf:1-2/1-2", deal(), length_m=length)
        _, _, _, cables = cabled(fabric(items, {"l": link}))
        assert cables["l"].counted() == {(expected, length): 2}


def test_straight_twin_cables_carry_both_rows():
    # two OSFP twin cages joined port by port: one 800G cable per pair of cages
    items = {"leaf": Item("sn5600", (("n", 2),)), "spine": Item("sn5600", (("s", 2),))}
    link = Link("leaf:1-4/1-2", "spine:1-4/1-2", mesh(4), cable="auto", length_m=1.5)
    _, _, _, cables = cabled(fabric(items, {"up": link}))
    assert cables["up"].counted() == {("mcp4y10-800g-osfp-osfp", 1.5): 8}
    assert (cables["up"].rows == 2).all()


def test_twin_cages_whose_rows_part_need_fibres():
    # DGX H100: cage osfp1 carries rails 7 and 4, which go to two leafs; no single cable does that
    project = rail_fabric(1, 4, 1, 1)
    design = project.designs["main"]
    eff = effective(project, design, "fabric")
    cages = port_cages(project, design, eff.items["node"], ("nic7:1", "nic4:1", "nic0:1", "slota-nic:1"))
    assert [c.cage for c in cages[:3]] == ["osfp1", "osfp1", "osfp4"] and cages[0].type == "OSFP"
    _, _, _, cables = cabled(project)
    assert cables["down"].count == 32 and cables["down"].counted() == {("", 0.0): 32}


def test_cable_fits():
    shelf = catalogue()
    splitter = shelf.get("aoc-400g-qdd-2x200-q56")
    assert cable_fits(splitter, "QSFP-DD", "QSFP112", 30, 200) == ()
    assert cable_fits(splitter, "OSFP", "QSFP112", 31, 400) == ("plug-a", "rate", "reach")
    assert cable_fits(splitter, "", "", 5, 0) == ()
    assert cable_fits(shelf.get("mpo12-apc-mmf"), "OSFP", "OSFP", 60, 400) == ("reach",)
    # OPT-06: a finned OSFP does not go into a NIC's riding-heat-sink cage
    assert cable_fits(shelf.get("mcp4y10-800g-osfp-osfp"), "OSFP", "OSFP-RHS", 1, 400) == ("plug-b",)


def test_places_and_lengths():
    # units counted at the middle: 2U at u 40 is 40.5, 8U at u 1 is 4.5; 48U racks, tray above at 49
    items = {
        "node": Item("sheet:node", (("n", 6),)),
        "leaf": Item("sn5600"),
        "rack": Item("rack-48u-60kw", (("row", 2), ("rack", 2))),
        "nrack": Item("rack-48u-20kw", config=Table({"row0": 1, "rack0": 2})),
    }
    project = fabric(items, {"l": Link("node:storage", "leaf:1-6/1-2", deal())})
    design = project.designs["main"]
    sheet = design.sheets["fabric"]
    seats = {
        "node": Seating("rack", 0, 1, 2, 1, except_=Table({"5": RackPlace(3, 20)})),
        "leaf": Seating("nrack", u=40),
    }
    design = replace(design, sheets=design.sheets.put("fabric", replace(sheet, seats=Table(seats))))
    eff = effective(project, design, "fabric")
    places = places_of(project, design, eff)
    assert places["node"].rack.tolist() == [0, 0, 1, 1, 2, 3] and places["node"].u.tolist() == [1, 9, 1, 9, 1, 20]
    assert height_units(project, design, eff.items["node"].of) == 8
    assert places["node"].row.tolist() == [0, 0, 0, 0, 1, 1] and places["node"].position.tolist() == [0, 0, 1, 1, 0, 1]
    run = all_cables(project, design, wire_all(project, design, eff), places)["l"].run_m
    down = 0.04445 * (49 - 40.5)
    pitch = catalogue().get("rack-48u-60kw").get("pitch_mm") / 1e3
    assert run[0] == pytest.approx(0.04445 * (49 - 4.5) + down + pitch * 2 + 1.2 * 1 + 1.0)
    assert run[-1] == pytest.approx(0.04445 * (49 - 23.5) + down + pitch * 1 + 1.0)


def test_orderable_lengths():
    part = catalogue().get("aoc-400g")
    assert orderable_all(part, np.array([0.2, 3.0, 3.1, 14.99, 51.2])).tolist() == [3, 3, 5, 15, 51.5]
    assert orderable_all(None, np.array([2.3])) == 2.5 and orderable_all(part, np.array([0.0])) == 0.0


def test_unseated_things_have_no_length():
    _, bundles, places, cables = cabled(rail_fabric(1, 2, 1, 1))
    assert places == {} and (cables["up"].run_m == 0).all() and np.isfinite(cables["up"].length_m).all()
    assert bundles["up"].alive.all()
