"""Servers and fabrics that no shipped part leads to: half known processors, cables both ways, traffic to a spine."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any, cast

import numpy as np
import pytest

from fabricwright.catalog.parts import BuiltinItem, BuiltinLink, Port
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.values import Export, Item, Link, Moved, Project
from fabricwright.topology import buffers, wiring_plans
from fabricwright.topology.buffers import headroom
from fabricwright.topology.cable_choice import shelf_of
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.domains import _nearest_gpu
from fabricwright.topology.host_memory import _way_up
from fabricwright.topology.interior import compile_interior
from fabricwright.topology.nvlinks import nvlink_domains
from fabricwright.topology.pcie_tree import build_tree
from fabricwright.topology.port_choice import free_ports, network_exports, used_ports
from fabricwright.topology.reach import _through_domains
from fabricwright.topology.roce import _ends
from fabricwright.topology.routes import example_route, onward, switch_graph
from fabricwright.topology.server_graph import ServerGraph, _memory_rate, is_broadcom
from fabricwright.topology.spread import spread
from fabricwright.topology.transport import nvlink_path
from fabricwright.topology.wiring_sides import tally
from fabricwright.topology.wiring_wish import WiringWish
from fabricwright.units.table import Table
from tests.rules.drawing import board, cpu, root_port, slot
from tests.rules.drawing import server as drawn
from tests.topology.samples import deal, fabric, rail_fabric, server


def sheet(project: Project, name: str = "node") -> EffSheet:
    return effective(project, project.designs["main"], name)


# -- processors


@pytest.mark.parametrize(("sockets", "lanes"), [(1, 128), (2, 64)])
def test_lanes_of_a_processor_that_the_board_does_not_state(sockets: int, lanes: int) -> None:
    """EPYC Genoa has 128 lanes alone and 64 of each in a pair (the other 64 join the sockets)."""
    chips = {f"cpu{n}": BuiltinItem("epyc-genoa", ports=Table({"p1": root_port()})) for n in range(sockets)}
    project = drawn(board({f"s{n}": slot(f"cpu{n}:p1") for n in range(sockets)}, chips), {})
    inside = compile_interior(sheet(project), {})
    assert {row.available for row in inside.lanes.values()} == {lanes}


def test_processors_that_nothing_joins_do_not_reach_each_other() -> None:
    graph = ServerGraph(cast(Any, Made(cpus=("a", "b", "c"))), cast(Any, Made()))
    graph.socket = {("a", "b"): 7, ("b", "a"): 8}
    assert graph.sockets("a", "b") == [7] and graph.sockets("a", "a") == [] and graph.sockets("a", "c") is None


def test_a_drawn_socket_link_joins_two_processors() -> None:
    chips = {f"cpu{n}": cpu({"p1": root_port(), "x": Port("socket", "peer")}) for n in range(2)}
    chassis = board({f"s{n}": slot(f"cpu{n}:p1", max_width=2) for n in range(2)}, chips)
    gpus = {f"gpu{n}": Item("l40s", (), f"chassis:s{n}") for n in range(2)}
    apart = compile_interior(sheet(drawn(chassis, gpus)), {})
    ends = {"upi": ("cpu0:x", "cpu1:x"), "odd": ("cpu0:x", "gpu0:up")}
    joined = drawn(chassis, gpus, {name: Link(a, b, medium="socket") for name, (a, b) in ends.items()})
    assert apart.gpu_gpu.smi[0][1] != "SYS" and compile_interior(sheet(joined), {}).gpu_gpu.smi[0][1] == "SYS"


def test_what_is_not_known_of_a_chip() -> None:
    row = sheet(server("pcie-4dw-one-socket")).items["cpu0"]
    assert _memory_rate(replace(row, part=None)) > 0
    assert not is_broadcom(replace(row, part=None, chip_part=""))
    assert is_broadcom(replace(row, chip_part="PEX89144")) and not is_broadcom(replace(row, chip_part="PM50100"))


def test_a_coherent_link_may_be_drawn_from_either_end() -> None:
    """GPU to processor or processor to GPU: the processor is the upper end."""
    found = []
    for a, b in (("cpu0:c", "gpu0:c"), ("gpu0:c", "cpu0:c")):
        chips = {
            "cpu0": BuiltinItem("grace", ports=Table({"c": Port("c2c", "peer")})),
            "gpu0": BuiltinItem("gb200-gpu", ports=Table({"c": Port("c2c", "peer")})),
        }
        project = drawn(board({}, chips, {"l": BuiltinLink(a, b, "c2c", gbs=450)}), {})
        found.append(build_tree(sheet(project)).feeds["gpu0"].parent)
    assert found == ["cpu0", "cpu0"]


def test_a_card_is_fed_once() -> None:
    """A second cable from another port of another device is a problem, not a wider link."""
    items = {name: Item("lrsv9560-2i") for name in ("rt0", "rt1", "rt2")}
    links = {f"l{n}": Link(f"rt{n}:d1", "rt2:up", medium="pcie") for n in range(2)}
    assert "second-feed:rt2" in build_tree(sheet(server("cabled-4u8g", items, links))).problems


def test_management_ports_are_no_network_ports() -> None:
    project = server("dgx-h100")
    assert not [name for name in compile_interior(sheet(project), {}).net_ports if "mgmt" in name.lower()]


def test_what_reaches_no_processor_has_no_way_up() -> None:
    assert _way_up(compile_interior(sheet(server("dgx-h100")), {}), "nothing") == ()


def test_a_server_without_ports_has_no_nearest_gpu() -> None:
    assert _nearest_gpu(compile_interior(sheet(server("pcie-4dw-one-socket")), {})).tolist() == []


# -- fabrics


def test_traffic_to_the_next_switch_takes_the_cables_between() -> None:
    """Two leafs with servers and two cables between them: 6 bytes are 3 on each, in that direction only."""
    items = {
        "na": Item("sheet:node", (("n", 2),)),
        "nb": Item("sheet:node", (("m", 2),)),
        "one": Item("qm9700"),
        "two": Item("qm9700"),
        "node": Item("sheet:node"),
    }
    links = {
        "a": Link("na:compute", "one:1-8/1-2", deal(), "ib"),
        "b": Link("nb:compute", "two:1-8/1-2", deal(), "ib"),
        "between": Link("one:30/1-2", "two:30/1-2", deal("port"), "ib"),
    }
    export = rail_fabric(1, 1, 1, 1).parts["dgx-h100"].interior.exports["compute"]  # type: ignore[union-attr]
    compiled = compile_cluster(fabric(items, links, export=export), "main").fabric
    one, two = compiled.offset["one"], compiled.offset["two"]
    load = spread(compiled, np.array([one], np.int32), np.array([two], np.int32), np.array([6.0])).load
    used = np.flatnonzero(load)
    assert load[used].tolist() == [3.0, 3.0]
    assert all({int(compiled.a_dev[k // 2]), int(compiled.b_dev[k // 2])} == {one, two} for k in used)


def test_nothing_to_route_and_nowhere_to_route_to() -> None:
    compiled = compile_cluster(rail_fabric(1, 4, 2, 1), "main").fabric
    none = np.zeros(0, dtype=np.int64)
    assert [part.tolist() for part in onward(switch_graph(compiled, "compute"), none, none, none)] == [[], []]
    assert example_route(compiled, "compute", compiled.offset["node"], compiled.offset["spine"]) is None


def test_domains_that_join_parts_in_a_chain() -> None:
    """Parts 0, 1 and 2 of six ranks; domains {0, 1} and {1, 2} make one of all three."""
    part, domain = np.array([0, 1, 1, 2, 2, 2]), np.array([0, 0, 1, 1, -1, -1])
    assert _through_domains(part, domain).tolist() == [0] * 6


def test_headroom_over_a_cable_longer_than_the_table() -> None:
    part = catalogue().get("sn4700")
    short, long = (headroom(part, "msn4700", 400, metres) for metres in (5, 5000))
    assert long.bytes > short.bytes and long.estimate


def test_cages_of_which_nothing_is_known_are_offered_nothing() -> None:
    assert shelf_of(rail_fabric(1, 1, 1, 1)).offer("", "", False, 1, 400.0).parts == ()


# -- ports that are free


def test_a_cable_that_was_moved_holds_its_port() -> None:
    moved = replace(deal("su", "rail"), moved=Table({"0": Moved(b="leaf[0]:9/1")}))
    project = rail_fabric(1, 2, 1, 1)
    design = project.designs["main"]
    rows = design.sheets["fabric"]
    rows = replace(rows, links=rows.links.put("down", replace(rows.links["down"], wire=moved)))
    eff = effective(project, replace(design, sheets=design.sheets.put("fabric", rows)), "fabric")
    assert "9/1" in used_ports(eff, "leaf")


def test_ports_split_to_the_slower_side() -> None:
    """SN4700: 32 cages of 400G, 64 of 200G, 128 of 100G; no split gives 50G, so the cages stay whole."""
    project = fabric({"leaf": Item("sn4700")}, {})
    eff = sheet(project, "fabric")
    leaf = eff.items["leaf"]
    assert [len(free_ports(eff, leaf, gbps)) for gbps in (400.0, 200.0, 100.0, 50.0)] == [32, 64, 128, 32]
    assert network_exports(project, project.designs["main"], eff, leaf) == {}


def test_a_server_part_shows_the_exports_of_its_chassis() -> None:
    export = Export(("nic0:1",))
    project = rail_fabric(1, 1, 1, 1)
    part = project.parts["dgx-h100"]
    assert part.interior is not None and export
    eff = sheet(project, "fabric")
    row = replace(eff.items["leaf"], of="dgx-h100", part=part)
    assert set(network_exports(project, project.designs["main"], eff, row)) == set(part.interior.exports)


# -- where nothing is to be counted


def test_a_side_without_present_members_uses_no_ports() -> None:
    absent = np.ones(2, dtype=bool)
    side = cast(Any, Made(end=Made(count=2, absent=absent), item=Made(id="x"), offered=("1", "2")))
    wired = cast(Any, Made(rows=np.zeros((0, 4), dtype=np.int32), alive=np.zeros(0, dtype=bool)))
    found = tally(side, wired, 0)
    assert (found.used_max, found.free_min, found.peers_max) == (0, 2, 0)


def test_too_many_pairs_to_list_ask_for_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring_plans, "MAX_LISTED", 16)
    rows = {name: Item("dgx-h100", ((axis, 4),)) for name, axis in (("one", "n"), ("two", "m"))}
    project = fabric(rows, {})
    found = wiring_plans.plan_wiring(project, "main", "fabric", WiringWish("one", "two", "one-to-one"))
    assert "Give 'two' the axes of 'one' first." in [text.english() for text in found.problems]


def test_gpus_of_two_domains_have_no_nvlink_path() -> None:
    assert nvlink_path(cast(Any, Made(nv=Made(path=lambda _a, _b: None))), "a", "b") == []


def test_a_link_to_what_is_gone_has_no_ends() -> None:
    assert list(_ends(cast(Any, Made(items={})), "gone", ("1",), cast(Any, None), cast(Any, None))) == []


def test_a_table_of_one_length_says_nothing_of_longer_cables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sum of IEEE 802.1Q is taken instead."""
    buffers._by_table.cache_clear()
    monkeypatch.setattr(buffers, "_rows", lambda _table, _gbps: ((5.0,), (100.0,)))
    name = next(iter(buffers.TABLES))
    assert buffers.headroom(None, name, 400, 5).method == "sonic"
    assert buffers.headroom(None, name, 400, 500).method == "802.1qbb"
    buffers._by_table.cache_clear()


def test_a_loose_device_hangs_on_no_root_port() -> None:
    tree = build_tree(sheet(server("cabled-4u8g", {"rt0": Item("lrsv9560-2i")})))
    assert tree.root_port("rt0") == ("", 0)


def test_a_gpu_bridged_to_one_of_a_plane_is_not_in_the_plane() -> None:
    """Two GPUs on a switch chip, a third with a bridge to the first: it is a domain of its own."""
    port = Table({"n": Port("nvlink", "peer")})
    chips = {name: BuiltinItem("h100-sxm5-80gb", ports=port) for name in ("g0", "g1", "g2")}
    chips["sw"] = BuiltinItem("nvswitch3", ports=Table({"n": Port("nvlink", "peer")}))
    ends = {"a": ("g0:n", "sw:n"), "b": ("g1:n", "sw:n"), "c": ("g2:n", "g0:n")}
    links = {name: BuiltinLink(a, b, "nvlink", 4) for name, (a, b) in ends.items()}
    found = nvlink_domains(sheet(drawn(board({}, chips, links), {})), ("g0", "g1", "g2"))
    assert found.domain["g0"] == found.domain["g1"] != found.domain["g2"]
    assert found.switched[found.domain["g0"]] and not found.switched[found.domain["g2"]]
