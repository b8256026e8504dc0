"""FAB-07, 10, 16, 20 and 21: rails, planes, redundant ports, and who reaches whom."""

from __future__ import annotations

from typing import Any

from fabricwright.design.values import Export, Link, Moved, Project, Sheet, Wire
from fabricwright.units.table import Table
from tests.rules.drawing import card, deal, fabric, fired, group, mesh, one_nic, places
from tests.rules.examples import fires, silent
from tests.rules.networks import SWITCH, mended, rails


@silent("FAB-07")
def test_fab_07_every_nic_on_its_leaf() -> None:
    assert fired(rails(), "FAB-07") == []


@fires("FAB-07")
def test_fab_07_nic_3_of_node_7_on_leaf_4() -> None:
    swapped = rails({"59": Moved(b="leaf[4]:9/1"), "60": Moved(b="leaf[3]:9/1")})  # rows 7 x 8 + 3 and + 4
    (found,) = fired(swapped, "FAB-07")
    assert (str(found.members), found.measured) == ("7", 2)
    assert places([found]) == ["node", "down#59", "down#60"]
    assert fired(mended(swapped, found), "FAB-07") == []


def test_fab_07_uncabled_ports_do_not_count() -> None:
    assert fired(rails({"59": Moved(cut=True)}), "FAB-07") == []


def single_leafs(swap: bool) -> Project:
    """Eight DGX H100 on eight leafs that are drawn one by one, without an axis ``rail``."""
    items = {"node": group("sheet:node", node=8), **{f"leaf{k}": group("qm9700") for k in range(8)}}
    links = {}
    for k in range(8):
        wire = Wire("rows", rows=tuple((n, 0, 0, n) for n in range(8)))
        links[f"l{k}"] = Link(f"node:r{k}", f"leaf{k}:1-16/1-2", wire, "ib")
    if swap:
        seven = tuple((n, 0, 0, n) for n in range(7))
        links["l3"] = Link("node:r3", "leaf3:1-16/1-2", Wire("rows", rows=seven), "ib")
        links["l4"] = Link("node:r4", "leaf4:1-16/1-2", Wire("rows", rows=seven), "ib")
        links["x3"] = Link("node:r3", "leaf4:8/2", Wire("rows", rows=((7, 0, 0, 0),)), "ib")
        links["x4"] = Link("node:r4", "leaf3:8/2", Wire("rows", rows=((7, 0, 0, 0),)), "ib")
    exports = {f"r{k}": Export((f"nic{k}:1",)) for k in range(8)}
    return fabric(items, links, {"node": Sheet("server", chassis="dgx-h100", exports=Table(exports))})


def test_fab_07_leafs_without_an_axis_by_what_most_cables_do() -> None:
    assert fired(single_leafs(False), "FAB-07") == []
    (found,) = fired(single_leafs(True), "FAB-07")
    assert (str(found.members), found.measured) == ("7", 2)


# -- FAB-10 ------------------------------------------------------------------------------------------------------------


def bonded(leafs: int, bond: str | None = "active-standby") -> Project:
    config = {"bond": bond} if bond else {}
    node = Sheet(
        "server",
        chassis="pcie-4dw-one-socket",
        items=Table({"nic0": card("mcx755106as-heat", "chassis:n1", **config)}),
        exports=Table({"compute": Export(("nic0:1", "nic0:2"), (("leaf", 2),))}),
    )
    items = {"node": group("sheet:node", node=4), "leaf": group("sn3700", leaf=leafs)}
    on = ("leaf",) if leafs > 1 else ()
    return fabric(items, {"down": Link("node:compute", "leaf:1-32", deal(*on))}, {"node": node})


@fires("FAB-10")
def test_fab_10_a_bond_on_one_leaf() -> None:
    (found,) = fired(bonded(1), "FAB-10")
    assert (places([found]), found.measured, str(found.members)) == (["node/nic0", "leaf"], 2, "0-3")


@silent("FAB-10")
def test_fab_10_a_bond_over_two_leafs() -> None:
    assert fired(bonded(2), "FAB-10") == []


def test_fab_10_ports_that_nobody_calls_redundant() -> None:
    assert fired(bonded(1, None), "FAB-10") == []
    assert fired(bonded(1, "none"), "FAB-10") == []


# -- FAB-16 ------------------------------------------------------------------------------------------------------------


def planes(disjoint: bool, spines: str = "") -> Project:
    """Four DGX B300; plane A and plane B on leafs of their own, or both on one."""
    axes = {"rail": 8, "plane": 2} if disjoint else {"rail": 8}
    items = {"node": group("sheet:node", node=4), "leaf": group("sn5600", **axes)}
    links = {"down": Link("node:compute", "leaf:1-32/1-2", deal(*axes))}
    if spines:
        items["spine"] = group("sn5600", plane=2, spine=2) if spines == "own" else group("sn5600", spine=2)
        on = ("plane",) if spines == "own" else ()
        links["up"] = Link("leaf:33-34/1-2", "spine:1-64/1-2", mesh(2, *on))
    return fabric(items, links, {"node": Sheet("server", chassis="dgx-b300")})


@fires("FAB-16")
def test_fab_16_both_halves_on_one_leaf() -> None:
    (found,) = fired(planes(False), "FAB-16")
    assert (places([found]), found.measured, str(found.members)) == (["node", "leaf"], 4, "0-3")


@silent("FAB-16")
def test_fab_16_a_leaf_for_each_plane() -> None:
    assert fired(planes(True), "FAB-16") == []
    assert fired(planes(True, "own"), "FAB-16") == []


def test_fab_16_planes_that_meet_on_a_spine() -> None:
    (found,) = fired(planes(True, "shared"), "FAB-16")
    assert places([found]) == ["node", "spine"]


# -- FAB-20 ------------------------------------------------------------------------------------------------------------


def two_nics(joined: bool, nodes: int = 2, **settings: Any) -> Project:
    """C044, C045: servers with two NICs, a leaf for each, which a spine joins or not."""
    node = Sheet(
        "server",
        chassis="pcie-4dw-one-socket",
        items=Table(
            {
                **{f"gpu{n}": card("h100-pcie-80gb", f"chassis:g{n + 1}") for n in range(4)},
                "nic0": card("mcx715105as-weat", "chassis:n1"),
                "nic1": card("mcx715105as-weat", "chassis:n2"),
            }
        ),
        exports=Table({"compute": Export(("nic0:1", "nic1:1"), (("rail", 2),))}),
    )
    items = {"node": group("sheet:node", node=nodes), "leaf": group(SWITCH, rail=2)}
    links = {"down": Link("node:compute", "leaf:1-32", deal("rail"))}
    if joined:
        items["spine"] = group(SWITCH, spine=2)
        links["up"] = Link("leaf:63-64", "spine:1-64", mesh(1))
    return fabric(items, links, {"node": node}, settings=settings)


@fires("FAB-20")
def test_fab_20_gather_over_rails_that_nothing_joins() -> None:
    """C151: ring all-reduce works, gather does not."""
    (found,) = fired(rails(nodes=8, settings={"job.collective": "gather"}), "FAB-20")
    assert (places([found]), found.measured, found.severity) == (["node"], 8, "error")
    assert found.values == {"a": "nic0:1", "b": "nic7:1", "collective": "gather"}


@silent("FAB-20")
def test_fab_20_rings_in_rail_order() -> None:
    assert fired(rails(nodes=8, settings={"job.collective": "all_reduce"}), "FAB-20") == []


def test_fab_20_joined_rails_are_fine_for_everything() -> None:
    assert fired(rails(nodes=8, spines=4, settings={"job.collective": "gather"}), "FAB-20") == []
    assert fired(two_nics(True), "FAB-20") == []


def test_c044_groups_that_share_no_rail() -> None:
    (found,) = fired(two_nics(False, **{"job.collective": "send_recv"}), "FAB-20")
    assert "nic0:1 and nic1:1" in found.message.english()
    (unstated,) = fired(two_nics(False), "FAB-20")
    assert "the main collective is not stated" in unstated.message.english()


def test_c045_rings_that_cross_nics() -> None:
    crossing = {"job.collective": "all_reduce", "nccl.cross_nic": "1"}
    assert len(fired(two_nics(False, **crossing), "FAB-20")) == 1
    assert fired(two_nics(False, **{**crossing, "nccl.cross_nic": "0"}), "FAB-20") == []


def test_fab_20_pxn_relays_inside_nvlink() -> None:
    project = rails(nodes=8, settings={"job.collective": "all_to_all"})
    (found,) = fired(project, "FAB-20")
    assert fired(mended(project, found), "FAB-20") == []
    (without,) = fired(two_nics(False, **{"nccl.pxn": "on"}), "FAB-20")  # PCIe cards without NVLink: nothing relays
    assert without.fix == ()


def test_fab_20_planes_are_no_rails() -> None:
    """Two planes never meet, but every NIC has a port on both."""
    assert fired(planes(True, "own"), "FAB-20") == []


def test_fab_20_a_network_that_falls_into_parts() -> None:
    """Two units with leafs of their own and nothing above: no path between their servers, whatever the job does."""
    apart = rails(nodes=4, units=2, settings={"job.collective": "all_reduce"})
    (found,) = fired(apart, "FAB-20")
    assert (places([found]), found.measured, str(found.members)) == (["node"], 2, "4-7")
    assert (found.values["a"], found.values["b"]) == ("node[0]", "node[4]")
    assert fired(rails(nodes=4, units=2, spines=4), "FAB-20") == []


def test_fab_20_a_server_that_lost_all_its_cables() -> None:
    cut = {str(row): Moved(cut=True) for row in range(8, 16)}
    (found,) = fired(rails(cut, nodes=4, settings={"job.collective": "all_reduce"}), "FAB-20")
    assert (str(found.members), found.values["b"]) == ("1", "node[1]")


def test_fab_20_one_server_reaches_itself() -> None:
    assert fired(rails(nodes=1, settings={"job.collective": "gather"}), "FAB-20") == []


# -- FAB-21 ------------------------------------------------------------------------------------------------------------


def direct(cables: tuple[tuple[int, int, int, int], ...], nodes: int) -> Project:
    """C080: ``nodes`` small servers with two 200G ports each, cabled to each other."""
    node = Sheet(
        "server",
        chassis="pcie-4dw-one-socket",
        items=Table({"nic0": card("mcx755106as-heat", "chassis:n1")}),
        exports=Table({"left": Export(("nic0:1",)), "right": Export(("nic0:2",))}),
    )
    items = {"node": group("sheet:node", node=nodes)}
    return fabric(items, {"ring": Link("node:right", "node:left", Wire("rows", rows=cables))}, {"node": node})


def ring(nodes: int) -> tuple[tuple[int, int, int, int], ...]:
    return tuple((n, 0, (n + 1) % nodes, 0) for n in range(nodes))


@fires("FAB-21")
def test_fab_21_four_nodes_as_a_ring() -> None:
    (found,) = fired(direct(ring(4), 4), "FAB-21")
    assert (found.measured, found.values["pairs"], places([found]), str(found.members)) == (2, 6, ["node"], "0-3")
    assert "2 of 6 pairs" in found.message.english() and "needs 3 ports" in found.message.english()


@silent("FAB-21")
def test_fab_21_three_nodes_as_a_triangle() -> None:
    assert fired(direct(ring(3), 3), "FAB-21") == []


def test_fab_21_two_pairs_of_nodes() -> None:
    (found,) = fired(direct(((0, 0, 1, 0), (2, 0, 3, 0)), 4), "FAB-21")
    assert (found.measured, found.values["pairs"]) == (4, 6)


def test_fab_21_a_switch_joins_them() -> None:
    items = {"node": group("sheet:node", node=4), "leaf": group(SWITCH)}
    project = fabric(items, {"down": Link("node:compute", "leaf:1-32", deal())}, {"node": one_nic()})
    assert fired(project, "FAB-21") == [] and fired(project, "FAB-20") == []
