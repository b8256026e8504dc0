"""FAB-22: what alone cuts servers off, where the design states that nothing may."""

from __future__ import annotations

from fabricwright.design.values import Export, Link, Project, Sheet
from fabricwright.rules.fabric_single_points import is_stated
from fabricwright.units.table import Table
from tests.rules.drawing import claim, context, deal, fabric, fired, group, mesh, one_nic, places
from tests.rules.examples import fires, silent
from tests.rules.networks import SWITCH, leaf_spine

ON = {"fabric.redundant": "on"}
SAID = claim("network.redundant", True, "", "requirement")


def redundant(leafs: int = 2, spines: int = 2, per_pair: int = 4, nics: int = 2, **settings: object) -> Project:
    """Four servers, each with a cable from each of its NICs to another leaf."""
    node = two_nics() if nics == 2 else one_nic()
    items = {"node": group("sheet:node", node=4), "leaf": group(SWITCH, leaf=leafs), "spine": group(SWITCH, sp=spines)}
    links = {
        "down": Link("node:compute", "leaf:1-32", deal("leaf") if nics == 2 else deal()),
        "up": Link("leaf:33-64", "spine:1-64", mesh(per_pair)),
    }
    return fabric(items, links, {"node": node}, settings={**ON, **settings})


def two_nics() -> Sheet:
    """A server whose two single-port NICs export one port per leaf."""
    one = one_nic()
    (name, row), *_ = one.items.items()
    items = {name: row, "second": row.__class__(row.of, seat="chassis:s2")}
    ports = tuple(one.exports["compute"].ports)
    other = tuple(p.replace(f"{name}:", "second:") for p in ports[:1])
    export = Export((*ports[:1], *other), (("leaf", 2),))
    return Sheet("server", "", one.chassis, items=Table(items), exports=Table({"compute": export}))


@fires("FAB-22")
def test_fab_22_servers_on_one_leaf() -> None:
    found = fired(leaf_spine(4, 32, 16, leafs=2, statements=(SAID,)), "FAB-22")
    assert sorted(places(found)) == ["leaf", "node"]
    by_place = {str(f.at[0]): f for f in found}
    assert "no single failure does" in by_place["leaf"].message.english()
    assert by_place["leaf"].measured == 4  # the servers of one leaf
    assert "hang on one NIC" in by_place["node"].message.english()


@silent("FAB-22")
def test_fab_22_two_nics_on_two_leafs_and_two_spines() -> None:
    assert fired(redundant(), "FAB-22") == []


@silent("FAB-22")
def test_fab_22_nothing_is_stated() -> None:
    assert fired(leaf_spine(4, 32, 16), "FAB-22") == []
    off = claim("network.redundant", False, "", "requirement")
    assert fired(leaf_spine(4, 32, 16, statements=(off,)), "FAB-22") == []


def test_fab_22_the_setting_states_it_too() -> None:
    assert is_stated(context(redundant()))
    assert not is_stated(context(redundant(**{"fabric.redundant": "off"})))


def test_fab_22_two_leafs_below_one_spine_need_no_spine() -> None:
    # every server is on both leafs: without the spine they still reach each other over either
    assert fired(redundant(spines=1), "FAB-22") == []


def test_fab_22_servers_of_a_lost_only_leaf_do_not_reach_each_other() -> None:
    found = {str(f.at[0]): f for f in fired(leaf_spine(4, 32, 16, statements=(SAID,)), "FAB-22")}
    assert found["leaf"].measured == 3


def test_fab_22_one_cable_to_the_only_spine() -> None:
    project = leaf_spine(4, 1, 1, leafs=2, statements=(SAID,))
    texts = [f.message.english() for f in fired(project, "FAB-22")]
    assert any(t.startswith("The only cable from leaf[") for t in texts)
    assert any("loss of one cuts 4 servers off" in t for t in texts)


def test_fab_22_one_spine_joins_single_homed_leafs() -> None:
    project = redundant(spines=1, nics=1)
    found = {str(f.at[0]): f for f in fired(project, "FAB-22")}
    assert {"leaf", "node"} <= set(found)
