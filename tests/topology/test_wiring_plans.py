"""Wiring plans: the rule that a pattern means, the ports that meet, the cables, and what is short."""

from __future__ import annotations

import pytest

from fabricwright.design.check_values import check
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.port_text import port_text
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Design, Project, Sheet
from fabricwright.topology.wiring_plans import PATTERNS, plan_calls, plan_wiring
from fabricwright.topology.wiring_wish import WiringWish
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table

WHERE = {"design": "main", "sheet": "fabric"}


def edit(project, name, **args):
    return apply(project, EDITS[name](project, **args))


def plan(project, a, b, pattern, **more):
    found = plan_wiring(project, "main", "fabric", WiringWish(a, b, pattern, **more))
    if found.possible:  # what is previewed is what is drawn
        calls = [[c.name, dict(c.args)] for c in plan_calls(found, "main", "fabric")]
        after = edit(project, "together", calls=calls, label="wire")
        assert [m.english() for m in check(after)] == []
    return found


def said(found):
    return " ".join(m.english() for m in found.problems)


@pytest.fixture
def seed_a():
    """Seed A without its two bundles."""
    project = TEMPLATES["seed-a-256x8"].build()
    return edit(project, "remove", **WHERE, ids=["down", "up"])


def group(project, part, item, axes):
    return edit(project, "add_item", **WHERE, part=part, item=item, axes=axes)


@pytest.fixture
def empty():
    return Project("Test", designs=Table({"main": Design("", "fabric", (), Table({"fabric": Sheet("fabric")}))}))


def test_rail_aligned_is_seed_a_s_own_bundle(seed_a):
    """256 servers x 2 ports of 200G to 4 x 2 leaves: 64 ports of each, in 32 cages split 2x200, 256 splitters."""
    found = plan(seed_a, "node", "leaf", "rail-aligned", cable="aoc-400g-qdd-2x200-q56")
    (link,) = found.links
    assert (link.a, link.b) == ("node:compute", "leaf:1-32/1-2")
    assert (link.wire.mode, link.wire.on, link.network, link.medium) == ("deal", ("su", "rail"), "compute", "eth")
    assert (found.rows, found.cables, found.short, found.problems) == (512, 256, 0, ())
    assert found.preview[:3] == (
        ("node[0]/nic0:1", "leaf[0]:1/1"),
        ("node[0]/nic0:2", "leaf[1]:1/1"),
        ("node[1]/nic0:1", "leaf[0]:1/2"),
    )
    # leaves offer 32 cages split by their breakout and 32 whole ones
    assert (found.b.used_min, found.b.used_max, found.b.ports, found.b.free_max) == (64, 64, 96, 32)
    assert (found.a.used_max, found.a.peers_max) == (2, 2)


def test_a_full_mesh_takes_what_both_sides_have(seed_a):
    """8 leaves with 32 free ports after the servers, 4 spines with 64: 8 per pair, 256 cables."""
    down = plan_calls(plan(seed_a, "node", "leaf", "rail-aligned"), "main", "fabric")
    project = edit(seed_a, "together", calls=[[c.name, dict(c.args)] for c in down], label="wire")
    found = plan(project, "leaf", "spine", "full-mesh")
    (link,) = found.links
    assert (link.a, link.b, link.wire.mode, link.wire.per_pair) == ("leaf:33-64", "spine:1-64", "mesh", 8)
    assert (found.rows, found.cables, found.short) == (256, 256, 0)
    few = plan(project, "leaf", "spine", "full-mesh", per_pair=2)
    assert (few.rows, few.links[0].a, few.links[0].b) == (64, "leaf:33-40", "spine:1-16")
    assert few.a.free_min == 24
    many = plan(project, "leaf", "spine", "full-mesh", per_pair=9)
    assert many.short > 0 and "find no port" in said(many)


def test_leaves_without_a_rail_axis_get_one(empty):
    """32 DGX with 8 rails to 8 leaves in one axis: the plan renumbers the leaves by rail, in the same step."""
    project = group(group(empty, "dgx-h100", "node", [["node", 32]]), "qm9700", "leaf", [["leaf", 8]])
    found = plan(project, "node", "leaf", "rail-aligned")
    assert found.axes == (("leaf", (("rail", 8),)),)
    assert found.links[0].wire.on == ("rail",)
    assert (found.rows, found.b.used_max, found.a.peers_min) == (256, 32, 8)
    project = group(group(empty, "dgx-h100", "node", [["su", 2], ["node", 32]]), "qm9700", "leaf", [["leaf", 16]])
    found = plan(project, "node", "leaf", "rail-aligned")
    assert found.axes == (("leaf", (("su", 2), ("rail", 8))),) and found.links[0].wire.on == ("su", "rail")
    project = group(group(empty, "dgx-h100", "node", [["node", 4]]), "qm9700", "leaf", [["leaf", 6]])
    found = plan(project, "node", "leaf", "rail-aligned")
    assert not found.possible and "do not divide into 8 (rail)" in said(found)


def test_one_to_one_dual_homed_spread_and_planes(empty):
    project = group(group(empty, "sn4700", "tor", [["tor", 4]]), "sn4700", "agg", [["agg", 4]])
    found = plan(project, "tor:1-2", "agg", "one-to-one")
    assert (found.rows, found.a.peers_max, found.b.peers_max, found.problems) == (8, 1, 1, ())
    found = plan(project, "tor:1-2", "agg", "dual-homed")
    assert (found.rows, found.a.peers_min, found.problems) == (8, 2, ())
    assert "reach one device only" in said(plan(project, "tor:1", "agg", "dual-homed"))
    found = plan(project, "tor:1-4", "agg", "spread")
    assert (found.rows, found.b.used_min, found.b.used_max) == (16, 4, 4)
    project = group(project, "sn4700", "up", [["plane", 2], ["up", 2]])
    project = group(project, "sn4700", "leaf", [["plane", 2], ["leaf", 4]])
    found = plan(project, "leaf:1-8", "up", "planes")
    # plane by plane: every leaf meets the two of its own plane
    assert (found.links[0].wire.mode, found.links[0].wire.on) == ("mesh", ("plane",))
    assert (found.a.peers_max, found.rows) == (2, 64)


def test_by_hand(empty):
    project = group(group(empty, "sn4700", "tor", [["tor", 4]]), "sn4700", "agg", [["agg", 4]])
    rows = ((0, "1", 3, "7"), (2, "5", 1, "7"))
    found = plan(project, "tor", "agg", "by-hand", rows=rows)
    assert found.preview == (("tor[0]:1", "agg[3]:7"), ("tor[2]:5", "agg[1]:7"))
    assert (found.links[0].a, found.links[0].b, found.cables) == ("tor:1,5", "agg:7", 2)
    with pytest.raises(UserError, match="has no member 9"):
        plan(project, "tor", "agg", "by-hand", rows=((9, "1", 0, "1"),))


def test_what_is_short_is_one_clear_sentence(empty):
    project = group(group(empty, "dgx-h100", "node", [["node", 64]]), "qm9700", "leaf", [["leaf", 4]])
    found = plan(project, "node", "leaf", "spread")
    # 64 x 8 ports to 4 leaves of 64
    assert (found.short, found.rows) == (256, 256)
    assert said(found) == "256 cables find no port: 'leaf' has 64 free on each of its 4 members."


def test_ids_and_words_that_do_not_exist_are_refused(seed_a):
    for a, b, pattern in (("nope", "leaf", "spread"), ("node", "node", "spread"), ("node", "leaf", "star")):
        with pytest.raises(UserError):
            plan_wiring(seed_a, "main", "fabric", WiringWish(a, b, pattern))


def test_a_sheet_that_does_not_exist_is_refused(seed_a):
    with pytest.raises(UserError, match="Sheet 'nope' does not exist in design 'main'"):
        plan_wiring(seed_a, "main", "nope", WiringWish("node", "leaf"))


def test_servers_come_first_whichever_was_pointed_at(seed_a):
    one, other = plan(seed_a, "node", "leaf", "rail-aligned"), plan(seed_a, "leaf", "node", "rail-aligned")
    assert one.links == other.links and other.links[0].a.startswith("node:")
    assert plan(seed_a, "node:compute", "leaf", "rail-aligned").links == one.links


def test_axes_that_must_agree_may_be_named(seed_a):
    """256 servers of four units, two ports each, to 8 leaves: by unit alone a leaf gets 64 ports of its unit's 128."""
    found = plan(seed_a, "node", "leaf", "spread", on=("su",))
    assert (found.links[0].wire.mode, found.links[0].wire.on) == ("deal", ("su",))
    found = plan(seed_a, "leaf", "spine", "full-mesh", on=())
    assert (found.links[0].wire.mode, found.links[0].wire.on) == ("mesh", ())


def test_groups_may_be_laid_out_anew(empty):
    project = group(group(empty, "sn4700", "tor", [["tor", 8]]), "sn4700", "agg", [["agg", 4]])
    found = plan(project, "tor:1-2", "agg", "full-mesh", a_axes=(("row", 2), ("tor", 4)))
    assert found.axes == (("tor", (("row", 2), ("tor", 4))),)
    assert "'tor' has 8 members; its new axes have 6." in said(
        plan(project, "tor:1-2", "agg", "full-mesh", a_axes=(("row", 2), ("tor", 3)))
    )


def test_an_axis_is_not_given_to_what_is_cabled_already(empty):
    """Four leaves could be four rails, but what hangs on them goes by their numbers."""
    project = group(group(empty, "dgx-h100", "node", [["node", 4]]), "qm9700", "leaf", [["leaf", 8]])
    found = plan(project, "node", "leaf", "rail-aligned", b_axes=(("leaf", 8),))
    assert "'leaf' needs an axis 'rail' of 8." in said(found)


def test_far_more_cables_per_pair_than_ports(empty):
    """32 ports over 2 neighbours are 16 per pair; 65 and more are not tried."""
    project = group(group(empty, "sn4700", "tor", [["tor", 2]]), "sn4700", "agg", [["agg", 2]])
    found = plan(project, "tor", "agg", "full-mesh", per_pair=1000)
    assert "1000 cables per pair; there are ports for 16." in said(found)


def test_one_to_one_of_servers_pairs_ports(empty):
    """4 x 8 rail ports of one server group to those of the other, and one port each where only one is named."""
    project = group(group(empty, "dgx-h100", "one", [["n", 4]]), "dgx-h100", "two", [["m", 4]])
    found = plan(project, "one", "two", "one-to-one")
    assert (found.links[0].wire.mode, found.rows) == ("rows", 32)
    project = group(group(empty, "sn4700", "tor", [["tor", 4]]), "sn4700", "agg", [["agg", 4]])
    assert plan(project, "tor:1", "agg", "one-to-one").rows == 4


def test_ends_of_different_networks_are_told(empty):
    project = group(group(empty, "sn4700", "tor", [["tor", 2]]), "qm9700", "ib", [["ib", 2]])
    assert "'tor' speaks eth, 'ib' ib." in said(plan(project, "tor:1-2", "ib", "full-mesh"))


def test_rows_by_hand_have_four_entries_and_free_ports(empty):
    project = group(group(empty, "sn4700", "tor", [["tor", 4]]), "sn4700", "agg", [["agg", 4]])
    with pytest.raises(UserError, match="Row 1 has 3 entries; expected four"):
        plan(project, "tor", "agg", "by-hand", rows=((0, "1", 3),))  # type: ignore[arg-type]
    drawn = plan_calls(plan(project, "tor:1-4", "agg", "full-mesh", per_pair=1), "main", "fabric")
    project = edit(project, "together", calls=[[c.name, dict(c.args)] for c in drawn], label="wire")
    assert "Already cabled: tor:1" in said(plan(project, "tor", "agg", "by-hand", rows=((0, "1", 3, "9"),)))


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("ends", [("node", "leaf"), ("leaf", "spine"), ("rack", "leaf"), ("leaf:1", "spine:1-4")])
def test_every_pattern_gives_a_plan_or_a_sentence(seed_a, pattern, ends):
    found = plan(seed_a, *ends, pattern)
    assert found.possible or found.problems


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["1/1", "1/2", "2/1", "2/2"], "1-2/1-2"),
        (["1", "2", "3", "7"], "1-3,7"),
        (["1/1", "1/2", "2/1"], "1/1-2,2/1"),
        (["17"], "17"),
        (["d1", "d2"], "d1-d2"),
        (["osfp1/2", "osfp3/1"], "osfp1/2,osfp3/1"),
    ],
)
def test_ports_are_written_short_and_mean_the_same(names, text):
    assert port_text(names) == text
