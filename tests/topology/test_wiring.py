"""The wiring rule: counts of the reference fabrics, and what holds for every drawing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricwright.design.address import expand_ports
from fabricwright.design.effective import effective
from fabricwright.design.values import Export, Item, Link, Moved, Override, Wire
from fabricwright.topology.fabric import wire_all
from fabricwright.topology.wiring import End, end_of, product, wire
from fabricwright.units.table import Table
from tests.topology.samples import deal, fabric, mesh, rail_fabric, template


def end(item: str, axes: tuple[tuple[str, int], ...], ports: str, absent: tuple[int, ...] = ()) -> End:
    gone = np.zeros(product(axes), dtype=bool)
    gone[list(absent)] = True
    return End(item, product(axes), axes, tuple(expand_ports(ports)), (), gone)


def rails(item: str, axes: tuple[tuple[str, int], ...], n: int, absent: tuple[int, ...] = ()) -> End:
    plain = end(item, axes, f"1-{n}", absent)
    return replace(plain, ports=tuple(f"nic{i}:1" for i in range(n)), port_axes=(("rail", n),))


def bundles(project):
    design = next(iter(project.designs.values()))
    return wire_all(project, design, effective(project, design, design.root))


def living(bundle) -> int:
    return int(bundle.alive.sum())


def no_port_twice(bundle) -> bool:
    rows = bundle.rows[(bundle.rows >= 0).all(axis=1)]
    return all(len(np.unique(rows[:, c : c + 2], axis=0)) == len(rows) for c in (0, 2))


# -- the seven example fabrics (catalog.json fabric_validation, templates.md)


@pytest.mark.parametrize(
    ("units", "servers", "spines", "per_pair", "absent", "down", "up"),
    [
        (3, 32, 16, 2, "95", 760, 768),  # H100-3
        (4, 32, 16, 2, "127", 1016, 1024),  # H100-4
    ],
)
def test_h100_superpods(units, servers, spines, per_pair, absent, down, up):
    wired = bundles(rail_fabric(units, servers, spines, per_pair, absent))
    assert (living(wired["down"]), living(wired["up"])) == (down, up)
    assert no_port_twice(wired["down"]) and no_port_twice(wired["up"])
    uplinks = Counter(wired["up"].rows[:, 0].tolist())
    assert set(uplinks.values()) == {32}


def test_b200_16_in_three_tiers():
    # 512 servers, 128 leafs, 128 spines, 64 cores; 4,096 cables on each level
    items = {
        "node": Item("sheet:node", (("pod", 4), ("su", 4), ("node", 32))),
        "leaf": Item("qm9700", (("pod", 4), ("su", 4), ("rail", 8))),
        "spine": Item("qm9700", (("pod", 4), ("s", 32))),
        "core": Item("qm9700", (("s", 32), ("core", 2))),
    }
    links = {
        "down": Link("node:compute", "leaf:1-16/1-2", deal("pod", "su", "rail"), "ib"),
        "up": Link("leaf:17-32/1-2", "spine:1-16/1-2", mesh(1, "pod"), "ib"),
        "top": Link("spine:17-32/1-2", "core:1-32/1-2", mesh(16, "s"), "ib"),
    }
    wired = bundles(fabric(items, links))
    assert {k: living(b) for k, b in wired.items()} == {"down": 4096, "top": 4096, "up": 4096}
    assert all(no_port_twice(b) and (b.rows >= 0).all() for b in wired.values())


def test_b300_8_in_two_planes():
    # 512 servers x 8 x 800G as two planes of 400G: 8,192 links down and 8,192 up, planes disjoint
    export = Export(tuple(f"nic{i}:{p}" for i in range(8) for p in (1, 2)), (("rail", 8), ("plane", 2)))
    items = {
        "node": Item("sheet:node", (("su", 8), ("node", 64))),
        "leaf": Item("sn5600", (("plane", 2), ("su", 8), ("rail", 8))),
        "spine": Item("sn5600", (("plane", 2), ("spine", 32))),
    }
    links = {
        "down": Link("node:compute", "leaf:1-32/1-2", deal("plane", "su", "rail")),
        "up": Link("leaf:33-64/1-2", "spine:1-64/1-2", mesh(2, "plane")),
    }
    wired = bundles(fabric(items, links, "hgx-b300-8sxm", export))
    assert {k: living(b) for k, b in wired.items()} == {"down": 8192, "up": 8192}
    assert all(no_port_twice(b) and (b.rows >= 0).all() for b in wired.values())
    plane_of_port = wired["down"].rows[:, 1] % 2
    assert (wired["down"].rows[:, 2] // 64 == plane_of_port).all()


def test_seed_a_and_its_edits():
    wired = bundles(template("seed-a-256x8"))
    assert (living(wired["down"]), living(wired["up"])) == (512, 256)
    # the example of document-model.md section 10: member 255 absent, rows 82 and 83 swapped
    a, b = rails("node", (("su", 4), ("node", 64)), 2, (255,)), end("leaf", (("su", 4), ("rail", 2)), "1-32/1-2")
    moved = Table({"82": Moved(b="leaf[1]:21/2"), "83": Moved(b="leaf[0]:21/2")})
    bundle = wire(Link("node:compute", "leaf:1-32/1-2", Wire("deal", ("su", "rail"), moved=moved)), a, b, "down")
    assert living(bundle) == 510 and len(bundle.rows) == 512
    assert bundle.rows[82].tolist() == [41, 0, 1, 41] and bundle.rows[83].tolist() == [41, 1, 0, 41]
    assert bundle.b_ports[41] == "21/2"
    # member 9 absent moves nobody else's cable
    fewer = wire(Link("", "", deal("su", "rail")), rails("node", (("su", 4), ("node", 64)), 2, (9,)), b)
    full = wire(Link("", "", deal("su", "rail")), rails("node", (("su", 4), ("node", 64)), 2), b)
    assert (fewer.rows == full.rows).all()
    assert np.flatnonzero(~fewer.alive).tolist() == [18, 19]


def test_superpod_template_counts():
    wired = bundles(template("superpod-h100-127"))
    expected = {"c-down": 1016, "c-ufm": 4, "c-up": 1024, "s-down": 254, "s-stor": 32, "s-ufm": 4, "s-up": 192}
    expected |= {"i-down": 254, "i-mgmt": 10, "i-stor": 16, "i-oob": 16, "i-up": 128}
    assert {k: living(b) for k, b in wired.items() if not k.startswith("o-")} == expected
    assert sum(living(b) for k, b in wired.items() if k.startswith("o-")) == 362
    assert all(no_port_twice(b) for b in wired.values())


def test_nvl72_and_storage_spread():
    # 18 trays x 72 NVLink ports in a rack: each port once, 8 links to each of 9 switch trays from each tray
    trays = End(
        "tray", 36, (("rack", 2), ("tray", 18)), tuple(f"nvl:{i}" for i in range(1, 73)), (), np.zeros(36, dtype=bool)
    )
    chips = End(
        "nvsw", 18, (("rack", 2), ("sw", 9)), tuple(f"nvl:{i}" for i in range(1, 145)), (), np.zeros(18, dtype=bool)
    )
    bundle = wire(Link("", "", mesh(8, "rack"), "nvlink"), trays, chips)
    assert living(bundle) == 2 * 18 * 72 and no_port_twice(bundle)
    assert set(Counter(map(tuple, bundle.rows[:, [0, 2]].tolist())).values()) == {8}
    # storage: 254 ports dealt over 8 leafs, evenly to within one
    nodes, leafs = end("node", (("node", 127),), "1-2"), end("sleaf", (("sleaf", 8),), "1-16/1-2")
    spread = wire(Link("", "", deal()), nodes, leafs)
    per_leaf = Counter(spread.rows[:, 2].tolist())
    assert sorted(per_leaf.values()) == [31, 31, 32, 32, 32, 32, 32, 32] and no_port_twice(spread)


def test_dual_homed_ports_reach_two_leafs():
    # seed B: export axis `port` against the leafs' axis `port`
    wired = bundles(template("seed-b-512"))
    rows = wired["down"].rows
    assert (rows[:, 2] == (rows[:, 0] // 16) * 2 + rows[:, 1]).all()
    # a plain port list has the axis by its place
    a, b = end("mgmt", (("mgmt", 3),), "1-2"), end("leaf", (("port", 2),), "1-8")
    assert wire(Link("", "", deal("port")), a, b).rows[:, 2].tolist() == [0, 1] * 3


def test_more_rows_than_ports_keep_port_minus_one():
    bundle = wire(Link("", "", deal()), end("a", (("n", 5),), "1"), end("b", (), "1-3"))
    assert bundle.rows[:, 3].tolist() == [0, 1, 2, -1, -1]
    assert bundle.alive.tolist() == [True, True, True, False, False]


def test_an_axis_without_a_partner_leaves_the_cable_open():
    # five units of servers, leafs for four: the fifth unit finds no leaf
    bundle = wire(Link("", "", deal("su")), end("node", (("su", 5),), "1"), end("leaf", (("su", 4),), "1"))
    assert bundle.rows[4].tolist() == [4, 0, -1, -1] and not bundle.alive[4]


def test_moved_cut_and_foreign_rows():
    a, b = end("a", (("n", 2),), "1"), end("b", (("n", 2),), "1")
    moved = Table({"0": Moved(cut=True), "1": Moved(b="c[0]:1"), "7": Moved(cut=True), "x": Moved()})
    bundle = wire(Link("", "", Wire("deal", ("n",), moved=moved)), a, b)
    assert bundle.alive.tolist() == [False, False]
    extra = wire(Link("", "", Wire("deal", ("n",), moved=Table({"1": Moved(b="b[n=0]:9")}))), a, b)
    assert extra.b_ports == ("1", "9") and extra.rows[1].tolist() == [1, 0, 0, 1] and extra.alive[1]


def test_rows_as_imported():
    bundle = wire(
        Link("", "", Wire("rows", rows=((0, 0, 1, 1), (1, 0, 5, 0)))),
        end("a", (("n", 2),), "1"),
        end("b", (("n", 2),), "1-2"),
    )
    assert bundle.alive.tolist() == [True, False]


def test_mesh_of_as_many_as_fit():
    bundle = wire(Link("", "", mesh(0)), end("leaf", (("n", 8),), "33-64"), end("spine", (("n", 4),), "1-64"))
    assert len(bundle.rows) == 256


def test_ends_of_a_fabric_sheet():
    project = rail_fabric(1, 2, 1, 1)
    design = project.designs["main"]
    eff = effective(project, design, "fabric")
    assert end_of(project, design, eff, "node:compute").port_axes == (("rail", 8),)
    assert end_of(project, design, eff, "node/nic0:1").ports == ("nic0:1",)
    assert end_of(project, design, eff, "leaf:3/1-2").ports == ("3/1", "3/2")
    assert end_of(project, design, eff, "nobody:1").count == 0


# -- for every drawing

AXES = st.lists(st.sampled_from(["su", "rail", "plane"]), unique=True, max_size=3)


@st.composite
def drawing(draw, mode: str):
    sizes = {name: draw(st.integers(1, 4)) for name in ("su", "rail", "plane")}
    a_axes = tuple((n, sizes[n]) for n in draw(AXES)) + ((("node", draw(st.integers(1, 5))),) if mode == "deal" else ())
    b_axes = (*((n, sizes[n]) for n in draw(AXES)), ("sw", draw(st.integers(1, 4))))
    on = tuple(draw(AXES))
    a, b = end("a", a_axes, f"1-{draw(st.integers(1, 40))}"), end("b", b_axes, f"1-{draw(st.integers(1, 40))}")
    gone = draw(st.lists(st.integers(0, a.count - 1), max_size=2))
    a.absent[gone] = True
    return Link("", "", Wire(mode, on, draw(st.integers(1, 3)))), a, b


@given(drawing("deal"))
def test_deal_gives_every_port_one_cable_and_takes_turns(case):
    link, a, b = case
    bundle = wire(link, a, b)
    assert len(bundle.rows) == a.count * len(a.ports)
    assert len(np.unique(bundle.rows[:, :2], axis=0)) == len(bundle.rows)
    assert no_port_twice(bundle)
    # within a join class the devices take turns: their counts differ by one at most
    shared = [n for n in link.wire.on if n in dict(a.axes) and n in dict(b.axes)]
    if not shared:
        counts = np.bincount(bundle.rows[:, 2], minlength=b.count)
        assert counts.max() - counts.min() <= 1
    again = wire(link, a, b)
    assert (again.rows == bundle.rows).all() and (again.alive == bundle.alive).all()
    assert not bundle.alive[a.absent[bundle.rows[:, 0]]].any()


@given(drawing("mesh"))
def test_mesh_is_even(case):
    link, a, b = case
    bundle = wire(link, a, b)
    assert no_port_twice(bundle)
    pairs = Counter(map(tuple, bundle.rows[:, [0, 2]].tolist()))
    assert set(pairs.values()) <= {link.wire.per_pair}
    per_a, per_b = Counter(bundle.rows[:, 0].tolist()), Counter(bundle.rows[:, 2].tolist())
    assert len(set(per_a.values())) <= 1 and len(set(per_b.values())) <= 1
    enough_a = len(a.ports) >= max(per_a.values(), default=0)
    assert (bundle.rows[:, 1] >= 0).all() == enough_a or not len(bundle.rows)


@given(st.integers(1, 4), st.integers(1, 6), st.booleans())
def test_another_link_renumbers_nothing(units, servers, absent):
    gone = "0" if absent else ""
    before = bundles(rail_fabric(units, servers, 2, 4, gone))
    more = Link("node:storage", "spine:17-32/1", deal(), "ib", "storage")
    after = bundles(rail_fabric(units, servers, 2, 4, gone, aaa=more))
    for link in before:
        assert (before[link].rows == after[link].rows).all()


def test_absent_members_by_coordinates():
    project = rail_fabric(2, 2, 1, 1)
    design = project.designs["main"]
    sheet = design.sheets["fabric"]
    node = replace(sheet.items["node"], except_=Table({"1,3": Override(absent=True)}))
    sheet = replace(sheet, items=sheet.items.put("node", node))
    changed = replace(design, sheets=design.sheets.put("fabric", sheet))
    eff = effective(project, changed, "fabric")
    assert end_of(project, changed, eff, "node:compute").absent.tolist() == [False, True, False, True]


@pytest.mark.parametrize("row", [mesh(10**30), mesh(1, "p", "q"), deal("p", "q")])
def test_a_slip_of_the_pen_stays_empty_and_costs_nothing(row):
    # Joining on p and q makes 100,000 x 100,000 classes although neither end has more members than its ports.
    a, b = end("a", (("p", 100_000), ("q", 1)), "1-2"), end("b", (("p", 1), ("q", 100_000)), "1-2")
    assert len(wire(Link("a:1-2", "b:1-2", row), a, b).rows) == 0


def test_hundreds_of_thousands_of_join_classes_are_meshed_at_once():
    n = 200_000
    a, b = end("a", (("p", n),), "1-2"), end("b", (("p", n),), "1-2")
    rows = wire(Link("a:1-2", "b:1-2", mesh(2, "p")), a, b).rows
    assert len(rows) == 2 * n and (rows[:, 0] == rows[:, 2]).all() and (rows[:, 1] == rows[:, 3]).all()
