"""Rack plans against hand calculations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricwright.sizing.rack_fill import Fill, servers_per_rack
from fabricwright.sizing.rack_plan import RackGroup, RackStyle, RackType, plan_racks
from fabricwright.units.errors import UserError

RACK = RackType("rack-48u-40kw", 48, 40e3, 1500)
DGX = RackGroup("node", 256, "server", 8, 10_200, 130.45, 8)  # facts: DGX H100, 8 U, 10.2 kW at most
LEAF = RackGroup("leaf", 32, "leaf", 1, 1_500, 14, 8)
SPINE = RackGroup("spine", 16, "spine", 1, 1_700, 14)


def test_power_decides_three_servers_of_10_2_kw_in_40_kw() -> None:
    # 3 x 10.2 = 30.6 kW <= 40 kW < 40.8 = 4 x 10.2 kW; height would allow 6 (48 / 8), weight 11 (1,500 / 130.45).
    assert servers_per_rack(DGX, RACK, Fill(), 0) == (3, "power")
    assert servers_per_rack(DGX, RackType("r", 48, 60e3), Fill(), 0) == (5, "power")
    assert servers_per_rack(DGX, RackType("r", 48), Fill(), 0) == (6, "height")
    assert servers_per_rack(DGX, RackType("r", 48, 0, 400), Fill(), 0) == (3, "weight")
    assert servers_per_rack(DGX, RackType("r", 48), Fill(), 4) == (4, "style")


def test_end_of_row_with_a_row_of_spines() -> None:
    # 256 / 3 = 85.3 -> 86 racks; at most 16 in a row -> 6 rows of 15 (90 places, four too many); 32 leafs over 6 rows
    # -> 6 in each; 16 spines of 1.7 kW = 27.2 kW fit one rack in the row after the last.
    plan = plan_racks([DGX, LEAF, SPINE], RACK)
    servers, network, spines = plan.racks
    assert (servers.axes, servers.absent, servers.count) == ((("row", 6), ("rack", 15)), "86-89", 86)
    assert (network.axes, network.config) == ((("row", 6),), (("rack0", 15),))
    assert (spines.axes, spines.config) == ((), (("row0", 6),))
    assert plan.count == 86 + 6 + 1
    node, leaf, spine = plan.seats["node"], plan.seats["leaf"], plan.seats["spine"]
    assert (node.racks, node.first, node.per_rack, node.u) == ("rack", 0, 3, 1)
    assert (leaf.racks, leaf.per_rack, leaf.u) == ("nrack", 6, 43)  # units 43 to 48
    assert (spine.racks, spine.per_rack, spine.u) == ("srack", 16, 33)  # units 33 to 48
    assert plan.fullest["rack"] == Fill(24, 30_600, pytest.approx(391.35))
    assert plan.power_w == 30_600
    assert plan.binds["node"] == "power"


def test_a_scalable_unit_ends_with_its_row() -> None:
    # 4 units of 64 servers, 4 U and 6 kW: 40 / 6 -> 6 per rack; 4 wanted -> 16 racks a unit, one row each.
    node = RackGroup("node", 256, "server", 4, 6_000, 60, 4)
    plan = plan_racks([node, RackGroup("leaf", 8, "leaf", 1, 1_500)], RACK, RackStyle(servers_per_rack=4))
    assert plan.racks[0].axes == (("row", 4), ("rack", 16))
    assert plan.seats["leaf"].per_rack == 2  # the two rails of a unit at the end of its row
    wide = plan_racks([node], RACK, RackStyle(servers_per_rack=4, racks_per_row=40))
    assert wide.racks[0].axes == (("row", 2), ("rack", 32))  # two whole units in each row, 8 places left unused


def test_middle_of_row_leaves_a_gap() -> None:
    plan = plan_racks([DGX, LEAF], RACK, RackStyle("middle"))
    # 15 racks a row: 8 left of the network rack, which stands at place 8, and 7 right of it.
    assert plan.racks[0].config == (("gap_at", 8), ("gap", 1))
    assert plan.racks[1].config == (("rack0", 8),)


def test_top_of_rack_takes_room_from_the_servers() -> None:
    # Servers of 8 U in 48 U: six fill the rack; a leaf on top leaves 47 U -> five. 20 / 5 = 4 racks, 4 leafs, one each.
    node = RackGroup("node", 20, "server", 8)
    plan = plan_racks([node, RackGroup("leaf", 4, "leaf", 1)], RackType("r", 48), RackStyle("top"))
    assert plan.seats["node"].per_rack == 5
    assert (plan.seats["leaf"].racks, plan.seats["leaf"].stride, plan.seats["leaf"].u) == ("rack", 1, 48)
    # Two leafs for four racks stand in every second one.
    two = plan_racks([node, RackGroup("leaf", 2, "leaf", 1)], RackType("r", 48), RackStyle("top"))
    assert (two.seats["leaf"].stride, two.seats["leaf"].per_rack) == (2, 1)
    # Eight leafs: two a rack, units 47 and 48.
    eight = plan_racks([node, RackGroup("leaf", 8, "leaf", 1)], RackType("r", 48), RackStyle("top"))
    assert (eight.seats["leaf"].per_rack, eight.seats["leaf"].u) == (2, 47)


def test_spines_beside_the_leafs() -> None:
    plan = plan_racks([DGX, LEAF, SPINE], RACK, RackStyle(spines="network"))
    assert plan.seats["spine"].racks == "nrack"
    assert (plan.seats["leaf"].u, plan.seats["spine"].u) == (43, 40)  # 16 over 6 rows -> 3, below the leafs


def test_switches_of_a_row_stay_in_it() -> None:
    # 4 rows of 9 leafs of 1.5 kW, 13.5 kW, in racks of 8 kW: two racks would take 5 + 5 and draw one leaf of the next
    # row into this one; three take 3 each.
    node = RackGroup("node", 64, "server", 4, 1_900)
    plan = plan_racks(
        [node, RackGroup("leaf", 36, "leaf", 1, 1_500)], RackType("r", 42, 8e3), RackStyle(racks_per_row=4)
    )
    assert plan.racks[1].axes == (("row", 4), ("rack", 3))
    assert plan.seats["leaf"].per_rack == 3


def test_machines_of_several_kinds_share_racks() -> None:
    storage = RackGroup("stor", 16, "service", 2, 1_100, 40)
    plan = plan_racks([DGX, LEAF, SPINE, storage], RACK)
    # Spines 27.2 kW + 16 x 1.1 = 17.6 -> 44.8 kW > 40: two racks, 8 of each.
    assert plan.racks[-1].axes == (("rack", 2),)
    assert (plan.seats["spine"].per_rack, plan.seats["stor"].per_rack, plan.seats["stor"].u) == (8, 8, 1)
    assert plan.binds["spine"] == "power"


def test_one_thing_too_many_names_the_limit() -> None:
    for group, words in (
        (RackGroup("node", 1, "server", 60), "60 U"),
        (RackGroup("node", 1, "server", 8, 41_000), "41 kW"),
        (RackGroup("node", 1, "server", 8, 0, 1_600), "1600 kg"),
    ):
        with pytest.raises(UserError) as caught:
            plan_racks([group], RACK)
        assert words in str(caught.value).replace(",", "")
    for style in (RackStyle("nowhere"), RackStyle(spines="nowhere"), RackStyle(racks_per_row=0)):
        with pytest.raises(UserError):
            plan_racks([DGX], RACK, style)


def groups() -> st.SearchStrategy[list[RackGroup]]:
    roles = st.sampled_from(("server", "leaf", "spine", "service"))
    one = st.tuples(st.integers(1, 300), roles, st.integers(1, 10), st.integers(0, 9_000), st.integers(0, 200))
    return st.lists(one, min_size=1, max_size=7).map(
        lambda rows: [RackGroup(f"g{n}", c, r, h, w, kg) for n, (c, r, h, w, kg) in enumerate(rows)]
    )


@given(
    groups(), st.sampled_from(("top", "middle", "end")), st.sampled_from(("separate", "network")), st.integers(1, 40)
)
def test_nobody_overlaps_and_no_limit_is_broken(many: list[RackGroup], leafs: str, spines: str, length: int) -> None:
    try:
        plan = plan_racks(many, RACK, RackStyle(leafs, spines, length))
    except UserError:
        return
    taken: set[tuple[str, int, int]] = set()
    load: dict[tuple[str, int], Fill] = {}
    sizes = {r.id: r.count for r in plan.racks}
    for group in many:
        seat = plan.seats[group.item]
        for i in range(group.count):
            rack = seat.first + seat.stride * (i // seat.per_rack)
            assert 0 <= rack < sizes[seat.racks]
            low = seat.u + (i % seat.per_rack) * group.height_u
            units = {(seat.racks, rack, u) for u in range(low, low + group.height_u)}
            assert not units & taken
            assert all(1 <= u <= RACK.units for _, _, u in units)
            taken |= units
            load[seat.racks, rack] = load.get((seat.racks, rack), Fill()).plus(group, 1)
    for held in load.values():
        assert not held.broken(RACK)
