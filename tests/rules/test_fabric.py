"""FAB-01, 02, 03, 05, 08, 09 and 17: ports, sizes and counts, each at the two sides of its limit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabricwright.design.values import Link, Moved, Override, Project, Sheet
from fabricwright.units.table import Table
from tests.rules.drawing import claim, deal, fabric, fired, group, mesh, one_nic, places
from tests.rules.examples import fires, silent
from tests.rules.networks import SWITCH, leaf_spine, rails, with_link


@fires("FAB-01")
def test_fab_01_33_down_and_32_up_on_64_ports() -> None:
    (found,) = fired(leaf_spine(33, 32, 16), "FAB-01")
    assert (places([found]), found.measured, found.allowed) == (["leaf"], 65, 64)


@silent("FAB-01")
def test_fab_01_31_down_one_ufm_and_32_up() -> None:
    assert fired(leaf_spine(31, 32, 16, ufm=1), "FAB-01") == []


def test_fab_01_two_cables_in_one_port() -> None:
    wire = replace(deal(), moved=Table({"1": Moved(b="leaf:1")}))
    (found,) = fired(with_link(leaf_spine(4, 32, 16), "down", wire=wire), "FAB-01")
    assert "two cables" in found.message.english()


def test_fab_01_port_that_does_not_exist() -> None:
    project = fabric({"a": group(SWITCH), "b": group(SWITCH)}, {"l": Link("a:64-65", "b:1-2", deal())})
    assert places(fired(project, "FAB-01")) == ["a"]
    many = fabric({"a": group(SWITCH), "b": group(SWITCH)}, {"l": Link("a:98-101", "b:1-4", deal())})
    assert "has no port 98, 99, 100, 101" in fired(many, "FAB-01")[0].message.english()


def spines(per_pair: int, leafs: int = 32) -> Project:
    """Leafs of two servers each and one spine of 64 ports."""
    return fabric(
        {"node": group("sheet:node", su=leafs, node=2), "leaf": group(SWITCH, su=leafs), "spine": group(SWITCH)},
        {"down": Link("node:compute", "leaf:1-32", deal("su")), "up": Link("leaf:33-64", "spine:1-64", mesh(per_pair))},
        {"node": one_nic()},
    )


@fires("FAB-02")
def test_fab_02_32_leafs_with_4_links_each() -> None:
    (found,) = fired(spines(4), "FAB-02")
    assert (places([found]), found.measured, found.allowed, found.unit) == (["spine"], 128, 64, "ports")
    assert "32 switches bring 128 cables to 64 ports" in found.message.english()
    assert fired(spines(4), "FAB-01") == []  # one fault, one finding


@silent("FAB-02")
def test_fab_02_32_leafs_with_2_links_each() -> None:
    assert fired(spines(2), "FAB-02") == []


@fires("FAB-03")
def test_fab_03_32_down_16_up() -> None:
    (found,) = fired(leaf_spine(32, 16, 16), "FAB-03")
    assert (places([found]), found.measured, found.allowed) == (["leaf"], pytest.approx(2.0), 1.0)


@silent("FAB-03")
def test_fab_03_31_down_32_up() -> None:
    assert fired(leaf_spine(31, 32, 16), "FAB-03") == []  # 0.97


def test_fab_03_target_is_stated() -> None:
    wanted = claim("leaf.oversubscription", 2, "leaf", "requirement")
    assert fired(leaf_spine(32, 16, 16, statements=(wanted,)), "FAB-03") == []


def test_fab_03_storage_networks_may_have_three_to_one() -> None:
    project = with_link(with_link(leaf_spine(32, 16, 16), "down", network="storage"), "up", network="storage")
    assert fired(project, "FAB-03") == []


def two_tiers(leafs: int) -> Project:
    """``leafs`` leafs of 32 servers, one cable to each of 32 spines of 64 ports."""
    return leaf_spine(32, 32, 32, leafs=leafs)


@fires("FAB-05")
def test_fab_05_2112_end_points_at_radix_64() -> None:
    (found,) = fired(two_tiers(66), "FAB-05")
    assert (found.measured, found.allowed, places([found])) == (2112, 2048, ["spine", "leaf"])  # 66 x 32; 64 x 32


@silent("FAB-05")
def test_fab_05_2048_end_points() -> None:
    assert fired(two_tiers(64), "FAB-05") == []


def test_fab_05_more_fit_where_oversubscription_is_wanted() -> None:
    wanted = claim("leaf.oversubscription", 3, "leaf", "target")  # 48 of 64 ports down
    assert fired(leaf_spine(32, 32, 32, leafs=66, statements=(wanted,)), "FAB-05") == []


@fires("FAB-08")
def test_fab_08_33_servers_of_a_unit() -> None:
    (found,) = fired(rails(nodes=33, spines=32), "FAB-08")
    assert (places([found]), found.measured, found.allowed, str(found.members)) == (["leaf"], 33, 32, "0-7")


@silent("FAB-08")
def test_fab_08_32_servers() -> None:
    assert fired(rails(nodes=32, spines=32), "FAB-08") == []


def test_fab_08_a_network_without_rails_or_spines_has_no_units() -> None:
    assert fired(leaf_spine(40, 16, 16), "FAB-08") == []  # no rails: FAB-03 says what is to say
    assert fired(rails(nodes=33), "FAB-08") == []  # one switch per rail and nothing above


def short_unit(uplinks: int) -> Project:
    """Two units of 32 DGX H100, one server missing in the second, whose leafs have ``uplinks`` of 32."""
    project = rails(nodes=32, units=2, spines=32, settings={"ecmp.mode": "adaptive"})
    design = project.designs["main"]
    root = design.sheets["fabric"]
    node = replace(root.items["node"], except_=Table({"63": Override(absent=True)}))
    cut = {str(leaf * 32 + n): Moved(cut=True) for leaf in range(8, 16) for n in range(uplinks, 32)}
    up = replace(root.links["up"], wire=replace(root.links["up"].wire, moved=Table(cut)))
    sheet = replace(root, items=root.items.put("node", node), links=root.links.put("up", up))
    return replace(project, designs=Table({"main": replace(design, sheets=design.sheets.put("fabric", sheet))}))


@fires("FAB-09")
def test_fab_09_uplinks_left_out_with_the_missing_server() -> None:
    (found,) = fired(short_unit(31), "FAB-09")
    assert (found.measured, found.allowed) == (16 * 32 - 8, 16 * 32)
    assert places([found]) == ["leaf", "spine"]


@silent("FAB-09")
def test_fab_09_all_uplinks_are_there() -> None:
    assert fired(short_unit(32), "FAB-09") == []


def test_fab_09_oversubscription_is_not_a_missing_uplink() -> None:
    assert fired(short_unit(16), "FAB-09") == []  # FAB-03's


def test_fab_09_a_unit_drawn_as_a_group_of_31() -> None:
    """Two groups of their own, 32 and 31 servers, 31 uplinks at the second one's leafs."""
    items = {
        "n1": group("sheet:node", node=32),
        "n2": group("sheet:node", node=31),
        "l1": group("qm9700", rail=8),
        "l2": group("qm9700", rail=8),
        "spine": group("qm9700", spine=31),
        "last": group("qm9700"),
    }
    links = {
        "d1": Link("n1:compute", "l1:1-16/1-2", deal("rail"), "ib"),
        "d2": Link("n2:compute", "l2:1-16/1-2", deal("rail"), "ib"),
        "u1": Link("l1:17-32/1-2", "spine:1-32/1-2", mesh(1), "ib"),
        "u2": Link("l2:17-32/1-2", "spine:5-32/1-2", mesh(1), "ib"),
        "v1": Link("l1:32/2", "last:1-4/1-2", mesh(1), "ib"),
    }
    project = fabric(items, links, {"node": Sheet("server", chassis="dgx-h100")}, settings={"ecmp.mode": "adaptive"})
    (found,) = fired(project, "FAB-09")
    assert (found.measured, found.allowed) == (504, 512)


@fires("FAB-17")
def test_fab_17_2047_cables_for_2048_ports() -> None:
    project = rails({"7": Moved(cut=True)}, nodes=32, units=8, spines=32)
    (found,) = fired(project, "FAB-17")
    assert (found.measured, found.values["cables"], found.values["ports"]) == (1, 2047, 2048)
    assert (places([found]), str(found.members)) == (["node"], "0")


@silent("FAB-17")
def test_fab_17_127_servers_and_four_ufm_links() -> None:
    from fabricwright.design.templates import TEMPLATES

    assert fired(TEMPLATES["h100-4su"].build(), "FAB-17") == []  # 127 x 8 = 1,016 and 4 UFM links


def test_fab_17_leaf_spine_cables_of_full_leafs() -> None:
    def cut(*rows: int) -> Project:
        project = rails(nodes=32, units=2, spines=32)
        wire = replace(mesh(1), moved=Table({str(r): Moved(cut=True) for r in rows}))
        return with_link(project, "up", wire=wire)

    (found,) = fired(cut(0, 40), "FAB-17")
    assert (found.values["cables"], found.values["formula"]) == (510, 512)
    assert fired(cut(), "FAB-17") == []
    assert fired(leaf_spine(32, 16, 16), "FAB-17") == []  # planned 2:1: no 1:1 formula holds


def test_fab_17_a_spare_group_without_compute_cables_is_nobodys_mistake() -> None:
    items = {"node": group("sheet:node", node=2), "spare": group("sheet:node", node=2), "leaf": group(SWITCH)}
    project = fabric(items, {"down": Link("node:compute", "leaf:1-32", deal())}, {"node": one_nic()})
    assert fired(project, "FAB-17") == []
