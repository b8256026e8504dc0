"""Ends that drawings seldom have: ports of a box, devices with bridges of their own, cables that nobody knows."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any, cast

import numpy as np
import pytest

from fabricwright.catalog.parts import Port
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import effective
from fabricwright.design.values import Item, Link, Project
from fabricwright.sizing.cabling import cable_up
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.interior import _label, _ports
from fabricwright.topology.model import PciClass
from fabricwright.topology.nvlinks import NvDomains
from fabricwright.topology.pcie_tree import Feed, PcieTree, _attach, _Edge, _members, build_tree
from fabricwright.topology.point import point_to_point
from fabricwright.topology.server_graph import ServerGraph
from fabricwright.topology.shared_cables import shared_cables
from fabricwright.topology.signal import signal_paths
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.rules import drawing
from tests.rules.drawing import card
from tests.topology.samples import deal, embed, fabric, rail_fabric, server

GPU = "h100-pcie-80gb"


def thing(kind: str, **ports: str) -> Any:
    """An item of a tree: its ports by role; what has ports down shows one bridge."""
    table = {name: Port("pcie", role, 16, 5) for name, role in ports.items()}
    return Made(kind=kind, ports=table, bridge_levels=1, chip_part="PEX89144", part=None, seat="", locked=False)


# -- the tree


def test_a_link_to_the_host_ports_of_a_box() -> None:
    project = server("cabled-4u8g", {"ext0": Item("h3-falcon-5012")})
    eff = effective(project, project.designs["main"], "node")
    assert _members(eff, "ext0:host") == [("ext0/h", "1"), ("ext0/h", "2")]
    assert _members(eff, "ext0:1-2") == [("ext0", "1"), ("ext0", "2")]


def test_a_gpu_with_a_coherent_and_a_pcie_link_keeps_the_coherent_one() -> None:
    tree = PcieTree(items={"cpu0": thing("cpu", p1="root"), "gpu0": thing("gpu", up="up")}, cpus=("cpu0",))
    tree.feeds["gpu0"] = Feed("cpu0", "c2c", "c2c", 0, 0, c2c=True, gbs=450.0)
    _attach(tree, _Edge("cpu0", "p1", "gpu0", "up", 16, 5, "pcie"))
    assert tree.feeds["gpu0"].c2c and tree.problems == []
    tree.feeds["gpu0"] = Feed("cpu0", "p2", "up", 16, 5)
    tree.items["sw0"] = thing("pcie-switch", up="up", d1="down")
    _attach(tree, _Edge("sw0", "d1", "gpu0", "up", 16, 5, "pcie"))
    assert tree.problems == ["second-feed:gpu0"]


def test_a_nic_with_a_bridge_of_its_own_lies_behind_two_bridges() -> None:
    """GPU and NIC below one switch are one bridge apart; where the NIC shows a bridge too, the way has two."""
    for nic, bridges, pci in (
        (thing("nic", up="up"), 1, PciClass.SWITCH),
        (thing("nic", up="up", d1="down"), 2, PciClass.CASCADE),
    ):
        items = {
            "cpu0": thing("cpu", p1="root"),
            "sw0": thing("pcie-switch", up="up", d1="down", d2="down"),
            "gpu0": thing("gpu", up="up"),
            "nic0": nic,
        }
        feeds = {name: Feed("sw0", f"d{n}", "up", 16, 5) for n, name in enumerate(("gpu0", "nic0"), 1)}
        tree = PcieTree(items=items, feeds={"sw0": Feed("cpu0", "p1", "up", 16, 5), **feeds}, cpus=("cpu0",))
        ids = {name: n for n, name in enumerate(("sw0", "gpu0", "nic0"))}
        graph = ServerGraph(tree, NvDomains({}, {}), up=ids, down={name: n + 3 for name, n in ids.items()})
        there, back = graph.route("gpu0", "nic0"), graph.route("nic0", "gpu0")
        assert (there.pci, there.bridges) == (back.pci, back.bridges) == (pci, bridges)


def test_management_ports_carry_no_data_and_what_feeds_others_is_a_switch() -> None:
    ports = {"1": Port("eth", "net", gbps=200.0), "mgmt": Port("mgmt", "net", gbps=1.0)}
    eff = cast(Any, Made(items={"nic0": Made(ports=ports)}))
    assert _ports(eff, ("nic0",)) == (["nic0:1"], [0], [25e9])
    assert _label(thing("", up="up", d1="down")) == "pcie-switch"
    assert _label(thing("", up="up")) == "other" and _label(thing("gpu")) == "gpu"


# -- ways that are not there


def test_no_way_between_gpus_of_which_one_hangs_nowhere() -> None:
    items = {"gpu0": Item(GPU, seat="chassis:g1"), "gpu1": Item(GPU)}
    cluster = compile_cluster(server("pcie-8dw-cpu-direct", items), "main")
    with pytest.raises(UserError, match="There is no way from 'gpu0' to 'gpu1'"):
        point_to_point(cluster, "gpu0", "gpu1")


def test_rails_without_spines_are_used_where_both_servers_are() -> None:
    """Eight leafs that nothing joins: of 64 pairs of ports the eight on one leaf are ways."""
    project = rail_fabric(1, 2, 1, 1)
    sheet = project.designs["main"].sheets["fabric"]
    alone = fabric({"node": sheet.items["node"], "leaf": sheet.items["leaf"]}, {"down": sheet.links["down"]})
    way = point_to_point(compile_cluster(alone, "main"), "node[0]/gpu3", "node[1]/gpu3")
    assert way.bandwidth == pytest.approx(50e9, rel=0.05)  # one port of 400 Gb/s
    assert sum("leaf" in str(hop) for hop in way.hops) >= 1


# -- signals


def tree_of(project: Project) -> tuple[Any, PcieTree]:
    eff = effective(project, project.designs["main"], "node")
    return eff, build_tree(eff)


def bay(**link: Any) -> Project:
    """A GPU in bay 7, cabled to a retimer card in slot s5."""
    items = {"rt0": card("lrsv9560-2i", "chassis:s5", mode="1x16"), "gpu0": card(GPU, "chassis:bay7")}
    figures = {k: v for k, v in catalogue().get("mcio-2x8i").figures.items() if k != "db_per_m"}
    parts = {"mystery": replace(catalogue().get("mcio-2x8i"), figures=Table(figures))}
    row = Link("rt0:d1", "chassis:bay7", medium="pcie", length_m=0.75, **link)
    return drawing.server("cabled-4u8g", items, {"c": row}, parts=parts)


def test_a_cable_whose_loss_its_part_does_not_say() -> None:
    _, known = tree_of(bay(cable="mcio-2x8i"))
    _, open_ = tree_of(bay(cable="mystery"))
    assert known.signal["gpu0"].segments[-1].known and not open_.signal["gpu0"].segments[-1].known
    # chip 4 + card trace 2 + backplane 3 + connector 1.5 + card 9.5, without the cable's 6.75
    assert open_.signal["gpu0"].segments[-1].loss_db == pytest.approx(20.0)


def test_a_bay_cabled_to_the_processor_crosses_its_board() -> None:
    """Processor 9 + board 6 + cable (1.5 + 7 x 0.75) + backplane 3 + connector 1.5 + card 9.5 = 35.75; the backplane's
    3 dB are a usual value where nobody states them.
    """
    for trace_db in (None, 3.0):
        chassis = drawing.board({"s1": drawing.slot("cpu0:p1"), "bay1": drawing.slot("", trace_db=trace_db)})
        items = {"gpu0": card(GPU, "chassis:bay1")}
        link = Link("cpu0:p1", "chassis:bay1", medium="pcie", cable="mcio-2x8i", length_m=0.75)
        _, tree = tree_of(drawing.server(chassis, items, {"c": link}))
        (only,) = tree.signal["gpu0"].segments
        assert only.loss_db == pytest.approx(35.75)
        assert [e.kind for e in only.elements if e.assumed] == (["board"] if trace_db else ["board", "backplane"])
        assert only.assumed


def test_a_generation_that_no_budget_is_known_of_has_no_signal_path() -> None:
    eff, tree = tree_of(bay(cable="mcio-2x8i"))
    tree.feeds["gpu0"] = replace(tree.feeds["gpu0"], gen=7)
    assert "gpu0" not in signal_paths(eff, tree)


# -- cables


def test_one_fibre_for_all_ports_of_two_cages() -> None:
    """Modules of one connector in cages of eight ports: sixteen links of 100 Gb/s are two fibres."""
    split = Table({"breakout": Table({"1-2": "8x100"})})
    items = {name: Item("ais800-64o", config=split) for name in "ab"}
    named = {"cable": "mpo16-apc-mmf", "optics": ("optic-800g-sr8", "optic-800g-sr8")}
    links = {"up": Link("a:1-2/1-8", "b:1-2/1-8", deal(), "eth", length_m=10.0, **named)}
    project = fabric(items, links)
    parts = {**project.parts, **embed("optic-800g-sr8", "mpo16-apc-mmf")}
    assert cable_up(replace(project, parts=Table(parts)), "main").cables == {"up": 2}


def rows_of(cable: str, length_m: float, trunk: str, part: str, node: int) -> tuple[Any, Any, Any]:
    """(link, bundle, cables) of one link from port 1/1 of a leaf to a NIC of a server."""
    cages = Made(cage="1", type="QSFP-DD"), Made(cage="n", type="QSFP56")
    bundle = Made(a_item="leaf", b_item="node", rows=np.array([[0, 0, node, 0]]))
    found = Made(
        part=np.array([0]),
        parts=(part,),
        rows=np.array([1]),
        first=np.array([0]),
        count=1,
        trunk=trunk,
        length_m=np.array([length_m]),
        a_cages=[cages[0]],
        b_cages=[cages[1]],
    )
    return Made(cable=cable), bundle, found


def test_a_branch_in_another_link_is_the_same_cable_unless_it_is_another_part() -> None:
    """A splitter of two branches with one in use; the neighbour stands further off, so that the cable is 7 m long."""
    splitter = "aoc-400g-qdd-2x200-q56"

    def shared(cable: str, part: str) -> tuple[dict[Any, Any], dict[Any, Any]]:
        made = {"m": rows_of("auto", 5.0, "a", splitter, 0), "n": rows_of(cable, 7.0, "", part, 1)}
        links, bundles, cables = ({name: row[k] for name, row in made.items()} for k in range(3))
        found = shared_cables(Project(""), cast(Any, Made(links=links)), bundles, cables)
        return dict(found.owner), dict(found.length_m)

    assert shared("auto", "") == ({("n", 0): ("m", 0)}, {("m", 0): 7.0})
    assert shared("aoc-200g", "aoc-200g") == ({}, {})
