"""FAB-04, 11, 12 and 15: how uplinks spread over spines, and flows over uplinks."""

from __future__ import annotations

import pytest

from fabricwright.design.values import Link, Moved, Project, Wire
from fabricwright.units.table import Table
from tests.rules.drawing import deal, fabric, fired, group, mesh, one_nic, places
from tests.rules.examples import fires, silent
from tests.rules.networks import SWITCH, leaf_spine, mended, with_link


@fires("FAB-04")
def test_fab_04_32_uplinks_over_12_spines() -> None:
    (found,) = fired(leaf_spine(31, 32, 12, uplink_wire=deal()), "FAB-04")
    assert (found.measured, found.allowed) == (32, 12)
    assert places([found]) == ["leaf", "spine"]


@silent("FAB-04")
def test_fab_04_32_uplinks_over_16_spines() -> None:
    assert fired(leaf_spine(31, 32, 16, uplink_wire=deal()), "FAB-04") == []


def test_fab_04_ports_that_a_mesh_leaves_empty() -> None:
    (found,) = fired(leaf_spine(31, 32, 12), "FAB-04")  # 12 x 2 = 24 of 32 ports
    assert (found.measured, found.allowed) == (32, 12)
    assert fired(leaf_spine(8, 32, 8, uplink_wire=mesh(2)), "FAB-04") == []  # 32 divide by 8


@fires("FAB-11")
def test_fab_11_one_spine() -> None:
    project = leaf_spine(16, 16, 1, leafs=2, uplink_wire=mesh(16))
    (found,) = fired(project, "FAB-11")
    assert (places([found]), found.measured, found.allowed) == (["spine"], 1, 2)
    after = mended(project, found)  # one more spine, half as many cables to each
    assert fired(after, "FAB-11") == [] and fired(after, "FAB-03") == []


def test_fab_11_no_second_spine_for_an_odd_number_of_uplinks_that_two_could_not_take() -> None:
    """Eight leafs set 17 uplink ports aside, a mesh of four fills none evenly: 136 ports over 2 x 64."""
    project = leaf_spine(4, 17, 1, leafs=8, uplink_wire=mesh(4))
    (found,) = fired(project, "FAB-11")
    assert found.fix == ()


@silent("FAB-11")
def test_fab_11_two_spines() -> None:
    assert fired(leaf_spine(16, 16, 2, leafs=2), "FAB-11") == []


def test_fab_11_one_leaf_needs_no_spine() -> None:
    assert fired(leaf_spine(4, 8, 1), "FAB-11") == []


def flows(**settings: object) -> Project:
    """32 servers on a leaf with 16 uplinks."""
    return leaf_spine(32, 16, 16, leafs=2, settings=settings)


@fires("FAB-12")
def test_fab_12_32_flows_over_16_paths() -> None:
    """C042: one queue pair per connection and static ECMP."""
    project = flows(**{"ecmp.mode": "hash", "ecmp.qps": 1})
    (found,) = fired(project, "FAB-12")
    assert (found.measured, found.allowed, found.severity, found.values["paths"]) == (32, 64, "warning", 16)
    assert "50-60 %" in found.message.english() and "assumed" not in found.message.english()
    assert fired(mended(project, found), "FAB-12") == []


@silent("FAB-12")
def test_fab_12_adaptive_routing_or_four_queue_pairs() -> None:
    assert fired(flows(**{"ecmp.mode": "adaptive"}), "FAB-12") == []
    assert fired(flows(**{"ecmp.mode": "spray"}), "FAB-12") == []
    assert fired(flows(**{"ecmp.mode": "pinned"}), "FAB-12") == []
    assert fired(flows(**{"ecmp.qps": 4}), "FAB-12") == []  # 128


def test_fab_12_names_the_defaults_that_decide() -> None:
    (found,) = fired(flows(), "FAB-12")
    assert "static routing and one queue pair assumed" in found.message.english()
    (known,) = fired(flows(**{"ecmp.qps": 1}), "FAB-12")
    assert "static routing assumed, nothing" in known.message.english()


def test_c040_four_800g_rails_per_node() -> None:
    """GB300-like: four rails of 800G, RoCE, leafs and spines; adaptive routing mends it."""

    def racks(**settings: object) -> Project:
        items = {
            "node": group("sheet:node", rack=2, node=16),
            "leaf": group("sn5600", rack=2, rail=4),
            "spine": group("sn5600", spine=8),
        }
        links = {
            "down": Link("node:compute", "leaf:1-32/1-2", deal("rack", "rail")),
            "up": Link("leaf:33-48/1", "spine:1-64/1-2", mesh(2)),
        }
        return fabric(items, links, {"node": four_nics()}, settings=settings)

    (found,) = fired(racks(), "FAB-12")
    assert (found.measured, found.allowed) == (16, 64)
    assert fired(racks(**{"ecmp.mode": "adaptive"}), "FAB-12") == []
    assert fired(racks(**{"ecmp.qps": 4}), "FAB-12") == []  # 64 flows: 8 queue pairs are no better than 4


def four_nics():
    from fabricwright.design.values import Export, Sheet
    from tests.rules.drawing import card

    return Sheet(
        "server",
        chassis="pcie-8dw-cpu-direct",
        items=Table({f"nic{n}": card("mcx715105as-weat", f"chassis:g{n + 1}") for n in range(4)}),
        exports=Table({"compute": Export(tuple(f"nic{n}:1" for n in range(4)), (("rail", 4),))}),
    )


def two_uplinks(rows: tuple[tuple[int, int, int, int], ...], **settings: object) -> Project:
    return fabric(
        {"node": group("sheet:node", node=2), "leaf": group(SWITCH), "spine": group(SWITCH, spine=2)},
        {
            "down": Link("node:compute", "leaf:1-2", deal()),
            "up": Link("leaf:63-64", "spine:1-2", Wire("rows", rows=rows)),
        },
        {"node": one_nic()},
        settings=settings,
    )


@fires("FAB-15")
def test_fab_15_both_uplinks_on_one_spine() -> None:
    """C112: LLDP shows spine 1 twice where spines 1 and 2 were meant."""
    project = two_uplinks(((0, 0, 0, 0), (0, 1, 0, 1)), **{"ecmp.mode": "adaptive"})
    (found,) = fired(project, "FAB-15")
    assert (found.severity, places([found]), found.measured) == ("error", ["leaf"], 2)
    assert "2 uplinks to spine[0], 0 to spine[1]" in found.message.english()
    assert fired(mended(project, found), "FAB-15") == []


@silent("FAB-15")
def test_fab_15_one_uplink_to_each_spine() -> None:
    assert fired(two_uplinks(((0, 0, 0, 0), (0, 1, 1, 0))), "FAB-15") == []


@pytest.mark.parametrize("second", [("spine1", "spine1"), ("spine1", "spine2")])
def test_c112_drawn_as_single_switches(second: tuple[str, str]) -> None:
    items = {
        "node": group("sheet:node", node=2),
        **{name: group(SWITCH) for name in ("leaf1", "leaf2", "spine1", "spine2")},
    }
    links = {
        "d1": Link("node:compute", "leaf1:1-2", deal()),
        "a1": Link("leaf1:63", f"{second[0]}:1", deal()),
        "a2": Link("leaf1:64", f"{second[1]}:2", deal()),
        "b1": Link("leaf2:63", "spine1:3", deal()),
        "b2": Link("leaf2:64", "spine2:3", deal()),
    }
    items["other"] = group("sheet:node", node=2)
    links["d2"] = Link("other:compute", "leaf2:1-2", deal())
    project = fabric(items, links, {"node": one_nic()}, settings={"ecmp.mode": "adaptive"})
    found = fired(project, "FAB-15")
    assert places(found) == (["leaf1"] if second == ("spine1", "spine1") else [])


def test_c112_where_the_other_spine_has_no_cable_at_all() -> None:
    items = {"node": group("sheet:node"), **{name: group(SWITCH) for name in ("leaf1", "spine1", "spine2")}}
    links = {"d": Link("node:compute", "leaf1:1", deal()), "u": Link("leaf1:63-64", "spine1:1-2", deal())}
    (found,) = fired(fabric(items, links, {"node": one_nic()}), "FAB-15")
    assert found.message.english() == "leaf1 (GENERIC-64x400): 2 uplinks to spine1, 0 to spine2."


def test_fab_15_counts_that_differ_by_one_matter_to_static_routing() -> None:
    def thirty_two_over_twelve(mode: str) -> Project:
        return leaf_spine(31, 32, 12, uplink_wire=deal(), settings={"ecmp.mode": mode})

    assert fired(thirty_two_over_twelve("adaptive"), "FAB-15") == []
    (found,) = fired(thirty_two_over_twelve("hash"), "FAB-15")
    assert (found.measured, found.allowed) == (1, 0)


def test_fab_15_planes_and_pods_are_no_lopsidedness() -> None:
    items = {
        "node": group("sheet:node", plane=2, node=4),
        "leaf": group(SWITCH, plane=2),
        "spine": group(SWITCH, plane=2, spine=2),
    }
    links = {
        "down": Link("node:compute", "leaf:1-32", deal("plane")),
        "up": Link("leaf:33-64", "spine:1-64", mesh(4, "plane")),
    }
    assert fired(fabric(items, links, {"node": one_nic()}), "FAB-15") == []


def test_fab_15_uplinks_of_two_speeds() -> None:
    project = leaf_spine(8, 8, 2)
    slow = with_link(project, "up", a="leaf:57-60", wire=mesh(2))
    design = slow.designs["main"]
    root = design.sheets["fabric"]
    second = Link("leaf:61-64", "spine:33-64", mesh(2), speed=200e9)
    from dataclasses import replace

    sheet = replace(root, links=root.links.put("slow", second))
    slow = replace(slow, designs=Table({"main": replace(design, sheets=design.sheets.put("fabric", sheet))}))
    (found,) = fired(slow, "FAB-15")
    assert "uplinks of 400 and of 200 Gb/s" in found.message.english()


def test_fab_15_a_cut_cable_is_one_less_and_no_more() -> None:
    wire = Wire("mesh", (), 2, (), Table({"0": Moved(cut=True)}))
    project = leaf_spine(8, 32, 16, uplink_wire=wire, settings={"ecmp.mode": "adaptive"})
    assert fired(project, "FAB-15") == []  # 1 and 2
