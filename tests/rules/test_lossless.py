"""LSL: lossless Ethernet, with the numbers of the examples."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.network_health import network_health
from fabricwright.design.options import OPTIONS
from fabricwright.design.values import Item, Link, Project
from fabricwright.exchange.formats import FORMATS
from fabricwright.rules.lossless_view import buffers, ethernet_links
from fabricwright.rules.registry import all_rules
from fabricwright.rules.run import run_rule
from fabricwright.topology.switch_ports import cabled_ports
from fabricwright.units.table import Table
from tests.rules.drawing import card, context, deal, fabric, fired, group, mesh, one_nic, places, server
from tests.rules.examples import fires, silent
from tests.rules.networks import leaf_spine, mended, with_link

NIC = "mcx715105as-weat"
SELECTIVE = "thor-ultra"


def pod(nic: str = NIC, *, nodes: int = 4, length_m: float = 5.0, switch: str = "sn5600", **settings: Any) -> Project:
    """Servers of one 400G NIC on one switch, each at one half of a cage."""
    stated = {key.replace("_", "."): value for key, value in settings.items()}
    items = {"node": group("sheet:node", node=nodes), "leaf": group(switch)}
    ports = f"1-{nodes}/1" if switch != "generic-64x400" else f"1-{nodes}"
    if switch == "sn5600":
        items["leaf"] = Item(switch, config=Table({"breakout": Table({f"1-{nodes}": "2x400"})}))
    links = {"down": Link("node:compute", f"leaf:{ports}", deal(), "eth", length_m=length_m)}
    return fabric(items, links, {"node": one_nic(nic=nic)}, settings=stated)


def switches(length_m: float, **settings: Any) -> Project:
    """Two SN5600 with all 64 cages at 800G between them."""
    stated = {key.replace("_", ".", 1): value for key, value in settings.items()}
    wide = Table({"breakout": Table({"1-64": "1x800"})})
    items = {"a": Item("sn5600", config=wide), "b": Item("sn5600", config=wide)}
    return fabric(items, {"up": Link("a:1-64", "b:1-64", mesh(64), "eth", length_m=length_m)}, settings=stated)


@fires("LSL-01")
def test_lsl_01_three_classes_at_300_m() -> None:
    """64 x 1,150,976 B x 3 = 221 MB of 158 MB at either end; one class would take 73.7 MB, two 147.3."""
    project = switches(300, pfc_priorities="3,4,5")
    found = fired(project, "LSL-01")
    assert places(found) == ["a", "b"]
    assert (found[0].measured, found[0].allowed) == (64 * 1_150_976 * 3, 158_229_504)
    assert "221 MB" in found[0].message.english() and not found[0].estimate
    assert fired(mended(project, found[0]), "LSL-01") == []


@silent("LSL-01")
def test_lsl_01_one_class_at_40_m() -> None:
    assert fired(switches(40, pfc_priorities="3"), "LSL-01") == []  # 23.2 MB
    assert fired(switches(300), "LSL-01") == []  # nobody says lossless
    assert fired(switches(300, pfc="off", pfc_priorities="3,4,5"), "LSL-01") == []


@fires("LSL-02")
def test_lsl_02_pfc_off_on_one_hop() -> None:
    project = with_link(pod(pfc="on"), "down", config=Table({"pfc.b": "off"}))
    (found,) = fired(project, "LSL-02")
    assert places([found]) == ["down"] and found.values["ends"] == ["leaf"]
    assert fired(mended(project, found), "LSL-02") == []


@silent("LSL-02")
def test_lsl_02_on_everywhere_unknown_or_no_need() -> None:
    assert fired(pod(pfc="on"), "LSL-02") == []
    assert fired(pod(), "LSL-02") == []
    assert fired(pod(SELECTIVE, pfc="off"), "LSL-02") == []  # resends only what was lost
    assert fired(pod(pfc="off", network_transport="tcp"), "LSL-02") == []


def test_lsl_02_off_in_the_design_and_at_the_nic() -> None:
    for project in (pod(pfc="off"), pod(lossless="off")):
        (found,) = fired(project, "LSL-02")
        assert found.values["ends"] == ["leaf", "node/nic0"]
        assert fired(mended(project, found), "LSL-02") == []


@fires("LSL-03")
def test_lsl_03_three_priorities() -> None:
    (found,) = fired(pod(pfc_priorities="3,4,5"), "LSL-03")
    assert (found.measured, found.allowed) == (3, 2)
    assert fired(mended(pod(pfc_priorities="3,4,5"), found), "LSL-03") == []


@silent("LSL-03")
def test_lsl_03_two_priorities() -> None:
    assert fired(pod(pfc_priorities="3,4"), "LSL-03") == []


@fires("LSL-04")
def test_lsl_04_kmax_above_xoff() -> None:
    project = pod(pfc="on", ecn_kmin=100_000, ecn_kmax=3_000_000, pfc_xoff=2_000_000)
    (found,) = fired(project, "LSL-04")
    assert (found.measured, found.allowed) == (3_000_000, 2_000_000)
    after = mended(project, found)
    assert fired(after, "LSL-04") == []
    assert after.designs["main"].settings["ecn.kmax"] == 1_500_000  # 3/4 of xoff; the paper's would be 2,000,000


@silent("LSL-04")
def test_lsl_04_both_below_xoff() -> None:
    assert fired(pod(pfc="on", ecn_kmin=100_000, ecn_kmax=1_500_000, pfc_xoff=2_000_000), "LSL-04") == []
    assert fired(pod(pfc="on"), "LSL-04") == []


def test_lsl_04_kmin_of_less_than_two_frames_and_kmax_below_kmin() -> None:
    (small,) = fired(pod(pfc="on", ecn_kmin=9_000, ecn_kmax=1_000_000, mtu=9000), "LSL-04")
    assert (small.measured, small.allowed) == (9_000, 18_000)
    (crossed,) = fired(pod(pfc="on", ecn_kmin=200_000, ecn_kmax=100_000), "LSL-04")
    assert "not above Kmin" in crossed.message.english()


def test_lsl_04_against_the_pool_where_xoff_is_not_stated() -> None:
    """4 ports of 231,424 B leave 157.3 MB, a fifth of it for each queue: 31.5 MB."""
    (found,) = fired(pod(pfc="on", ecn_kmin=100_000, ecn_kmax=40e6), "LSL-04")
    assert found.allowed == pytest.approx((158_229_504 - 4 * 231_424) / 5) and found.estimate


@fires("LSL-05")
def test_lsl_05_400_m() -> None:
    (found,) = fired(pod(length_m=400, pfc="on"), "LSL-05")
    assert (found.measured, found.allowed) == (400, 300)
    # 677,888 + 100 m x (677,888 - 283,648) / 260 m = 829,519 B
    assert "830 kB" in found.message.english()


@silent("LSL-05")
def test_lsl_05_40_m() -> None:
    assert fired(pod(length_m=40, pfc="on"), "LSL-05") == []
    assert fired(pod(length_m=400), "LSL-05") == []


def with_mtu(nic: int, switch: int) -> Project:
    return with_link(pod(), "down", config=Table({"mtu.a": nic, "mtu.b": switch}))


@fires("LSL-06")
def test_lsl_06_9000_against_1500() -> None:
    (found,) = fired(with_mtu(9000, 1500), "LSL-06")
    assert places([found]) == ["down"] and found.measured == 7500
    assert fired(mended(with_mtu(9000, 1500), found), "LSL-06") == []


@silent("LSL-06")
def test_lsl_06_9000_everywhere() -> None:
    assert fired(with_mtu(9000, 9000), "LSL-06") == []
    assert fired(with_mtu(9000, 9216), "LSL-06") == []  # the switch counts headers
    assert fired(pod(), "LSL-06") == []


def test_lsl_06_between_switches() -> None:
    project = with_link(leaf_spine(4, 4, 1), "up", config=Table({"mtu.a": 9216, "mtu.b": 9000}))
    assert places(fired(project, "LSL-06")) == ["up"]


def nic_config(project: Project, **config: Any) -> Project:
    design = project.designs["main"]
    sheet = design.sheets["node"]
    row = replace(sheet.items["nic0"], config=Table({k.replace("_", "."): v for k, v in config.items()}))
    changed = replace(sheet, items=sheet.items.put("nic0", row))
    return replace(project, designs=Table({"main": replace(design, sheets=design.sheets.put("node", changed))}))


@fires("LSL-07")
def test_lsl_07_dscp_on_the_nic_pcp_on_the_leaf() -> None:
    project = with_link(
        nic_config(pod(pfc_priorities="3"), qos_trust="dscp"), "down", config=Table({"qos.trust.b": "pcp"})
    )
    (found,) = fired(project, "LSL-07")
    assert places([found]) == ["down"] and found.values == {"a": "dscp", "b": "pcp"}
    assert fired(mended(project, found), "LSL-07") == []


@silent("LSL-07")
def test_lsl_07_dscp_everywhere_with_the_same_map() -> None:
    stated = {"qos.trust": "dscp", "qos.dscp_map": "26:3", "pfc.priorities": "3", "nccl.ib_tc": 104}
    project = pod()
    design = project.designs["main"]
    project = replace(project, designs=Table({"main": replace(design, settings=Table(stated))}))
    assert fired(project, "LSL-07") == []
    assert fired(pod(pfc_priorities="3"), "LSL-07") == []


def test_lsl_07_traffic_class_in_a_priority_that_is_dropped() -> None:
    project = leaf_spine(4, 4, 1, settings={"pfc.priorities": "3", "nccl.ib_tc": 0})
    (found,) = fired(project, "LSL-07")
    assert places([found]) == ["leaf", "spine"]
    after = mended(project, found)
    assert after.designs["main"].settings["nccl.ib_tc"] == 96  # DSCP 24, priority 3
    assert fired(after, "LSL-07") == []


def test_lsl_07_maps_and_lossless_priorities_that_differ() -> None:
    maps = nic_config(pod(pfc_priorities="3"))
    maps = with_link(maps, "down", config=Table({"qos.dscp_map.a": "26:3", "qos.dscp_map.b": "26:4"}))
    assert "DSCP 26 is priority 3" in fired(maps, "LSL-07")[0].message.english()


@fires("LSL-08")
def test_lsl_08_routes_that_climb_again() -> None:
    project = pod(pfc="on", routes_valley="on")
    (found,) = fired(project, "LSL-08")
    assert places([found]) == ["leaf"]
    assert fired(mended(project, found), "LSL-08") == []


@silent("LSL-08")
def test_lsl_08_up_and_down() -> None:
    assert fired(leaf_spine(4, 4, 2, settings={"pfc": "on"}), "LSL-08") == []
    assert fired(pod(pfc="on"), "LSL-08") == []
    assert fired(pod(routes_valley="on"), "LSL-08") == []


def ring(*pairs: str) -> Project:
    items = {name: group("generic-64x400") for name in "abc"}
    links = {
        pair: Link(f"{pair[0]}:{n * 2 + 1}", f"{pair[1]}:{n * 2 + 2}", deal(), "eth") for n, pair in enumerate(pairs)
    }
    return fabric(items, links, settings={"pfc": "on"})


def test_lsl_08_three_switches_in_a_ring() -> None:
    (found,) = fired(ring("ab", "bc", "ca"), "LSL-08")
    assert places([found]) == ["a", "b", "c"]
    assert fired(ring("ab", "bc"), "LSL-08") == []


def without_servers(leafs: int, spines: int) -> Project:
    items = {"leaf": group("generic-64x400", leaf=leafs), "spine": group("generic-64x400", spine=spines)}
    links = {"up": Link("leaf:33-64", "spine:1-32", mesh(1), "eth")}
    return fabric(items, links, settings={"pfc": "on"})


def test_lsl_08_leafs_and_spines_without_servers_are_no_ring() -> None:
    # Nothing tells the tiers here. Leaf, spine, leaf, spine: every ring has an even number of switches, unlike a-b-c.
    for leafs, spines in ((2, 2), (4, 2), (3, 8)):
        assert fired(without_servers(leafs, spines), "LSL-08") == []


def test_lsl_08_four_leafs_in_a_ring_with_servers_on_them() -> None:
    names = "abcd"
    items = {name: group("generic-64x400") for name in names}
    links = {name: Link(f"{name}:1", f"{names[n - 3]}:2", deal(), "eth") for n, name in enumerate(names)}
    for name in names:
        items[f"on-{name}"] = group("sheet:node", node=2)
        links[f"on-{name}"] = Link(f"on-{name}:compute", f"{name}:9-10", deal(), "eth")
    (found,) = fired(fabric(items, links, {"node": one_nic()}, settings={"pfc": "on"}), "LSL-08")
    assert places([found]) == ["a", "b", "c", "d"]


def slow(gen: int) -> Project:
    project = pod(pfc="on")
    design = project.designs["main"]
    sheet = design.sheets["node"]
    chassis = Item(None, config=Table({"slot.n1.gen": gen}))
    changed = replace(sheet, items=sheet.items.put("chassis", chassis))
    return replace(project, designs=Table({"main": replace(design, sheets=design.sheets.put("node", changed))}))


@fires("LSL-09")
def test_lsl_09_400g_in_gen4_x16() -> None:
    """Gen4 x16 carries 252 x 0.88 = 221.8 Gb/s."""
    (found,) = fired(slow(4), "LSL-09")
    assert (round(found.measured or 0), found.allowed) == (222, 400)
    assert places([found]) == ["node/nic0"] and str(found.members) == "0-3"


@silent("LSL-09")
def test_lsl_09_gen5_x16() -> None:
    assert fired(slow(5), "LSL-09") == []  # 443 Gb/s
    assert fired(server("pcie-4dw-one-socket", {"nic0": card(NIC, "chassis:n1")}), "LSL-09") == []


@fires("LSL-10")
def test_lsl_10_1500() -> None:
    (found,) = fired(pod(mtu=1500), "LSL-10")
    assert (found.measured, found.allowed) == (1024, 4096)
    (stated,) = fired(pod(mtu=9000, roce_mtu=1024), "LSL-10")
    assert stated.measured == 1024 and stated.fix


@silent("LSL-10")
def test_lsl_10_9000() -> None:
    assert fired(pod(mtu=9000), "LSL-10") == []
    assert fired(pod(), "LSL-10") == []


JUNK: tuple[object, ...] = ("", "nan", "1e999", -1, 0, True, "3,x", "off", "\u00bd", 10**400, float("inf"), "9" * 5000)


def test_switches_without_a_pausing_port_have_no_buffer_to_judge() -> None:
    """Beside the leaf of the servers one that nothing is cabled to."""
    project = pod(pfc="on")
    design = project.designs["main"]
    sheet = design.sheets["fabric"]
    sheet = replace(sheet, items=sheet.items.put("spare", group("sn5600")))
    project = replace(project, designs=Table({"main": replace(design, sheets=design.sheets.put("fabric", sheet))}))
    drawn = context(project)
    assert [use.item for use in buffers(drawn)] == ["leaf"]
    assert len(cabled_ports(drawn.fabric(), ethernet_links(drawn), "leaf", 0)) == 4
    assert cabled_ports(drawn.fabric(), [], "leaf", 0) == []


@pytest.mark.parametrize("value", JUNK, ids=lambda value: str(value)[:8])
def test_nonsense_never_raises(value: object) -> None:
    """Every key of a lossless network at every place: rules, settings for export and the panel's values stand it."""
    mine = [rule for rule in all_rules() if rule.startswith("LSL")]
    keys = [o for o in OPTIONS.values() if any(r.startswith("LSL") for r in o.rules)]
    at = {place: {o.key: value for o in keys if o.place == place} for place in ("design", "switch", "nic", "link_end")}
    project = nic_config(pod())
    design = project.designs["main"]
    node, root = design.sheets["node"], design.sheets["fabric"]
    node = replace(node, items=node.items.put("nic0", replace(node.items["nic0"], config=Table(at["nic"]))))
    leaf = replace(root.items["leaf"], config=Table({**root.items["leaf"].config, **at["switch"]}))
    ends = {f"{key}.{side}": junk for key, junk in at["link_end"].items() for side in "ab"}
    down = replace(root.links["down"], config=Table(ends))
    root = replace(root, items=root.items.put("leaf", leaf), links=root.links.put("down", down))
    sheets = design.sheets.put("node", node).put("fabric", root)
    project = replace(project, designs=Table({"main": replace(design, sheets=sheets, settings=Table(at["design"]))}))
    for rule in mine:
        for found in run_rule(context(project), rule):
            assert found.message.text("zh_CN")
    json.dumps(network_health(analyze(project, "main")), allow_nan=False)
    for name in ("sonic", "nvue", "nic", "nccl-env"):
        assert FORMATS[name].make(project, "main")
