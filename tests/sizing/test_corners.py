"""Requirements at the edge of what can be built: refusals with what would do, full rooms, growth of one switch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fabricwright.sizing.choices import Choice, size
from fabricwright.sizing.clos import Load, Radix, one_tier, three_tiers, two_tiers, units_of
from fabricwright.sizing.draw import counted_cables, draw
from fabricwright.sizing.growth import growth, largest, prepared
from fabricwright.sizing.nearest import Change, nearest, works
from fabricwright.sizing.rack_plan import MAX_RACKS, RackGroup, RackStyle, RackType, plan_racks
from fabricwright.sizing.requirement import Requirement, checked
from fabricwright.sizing.sentence import read_sentence, warm_up
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

R64 = Radix(32, 2, 400.0, 2, 400.0)


def first(**wanted: Any) -> Choice:
    return size(Requirement(**wanted))[0]


def refusal(**wanted: Any) -> str:
    with pytest.raises(UserError) as failed:
        draw(size(Requirement(**wanted))[0])
    return failed.value.message.english()


# -- refusals


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"servers": 8, "server": "cabled-4u8g", "nic": "mcx516a-cdat", "medium": "ib"}, "does not speak 'ib'"),
        ({"servers": 8, "server": "dgx-a100", "leaf": "sn5600", "medium": "eth"}, "joins the QSFP56 cages"),
        ({"gpus": 64, "ufm_links": 2, "medium": "eth"}, "UFM manages InfiniBand"),
        ({"gpus": 64, "rails": "sometimes"}, "sometimes"),
        ({"gpus": 64, "networks": ("compute", "secret")}, "secret"),
        ({"gpus": 64, "server": "cabled-4u8g", "nic": "mcx715105as-weat", "nics_per_server": 2}, "The nearest is 1"),
        ({"servers": 300, "server": "cabled-4u8g", "nic": "mcx75310aas-neat", "rails": "yes"}, "has no rails"),
        ({"gpus": 1024, "leaf": "sn5600", "spine": "qm8700"}, "qm8700"),
        ({"gpus": 512, "ufm_links": 4096}, "4096 fabric manager links do not find free leaf ports; the most"),
        ({"gpus": 512, "tiers": 2, "ufm_links": 400}, "fabric manager links"),
    ],
)
def test_what_cannot_be_built_says_what_would_do(wanted: dict[str, Any], said: str) -> None:
    text = refusal(**wanted)
    assert said.lower() in text.lower() and text.endswith(".") and "\n" not in text


def test_a_part_is_known_by_its_model() -> None:
    assert checked(Requirement(gpus=8, leaf="QM9700")).leaf == "qm9700"
    assert checked(Requirement(gpus=8, nic="MCX75310AAS-NEAT")).nic == "mcx75310aas-neat"


# -- the nearest that works


def kinds(**wanted: Any) -> set[str]:
    found = nearest(Requirement(**wanted))
    assert all(works(replace(Requirement(**wanted), **change.values)) for change in found)
    return {name for change in found for name in change.values}


@pytest.mark.parametrize(
    ("wanted", "one_of"),
    [
        ({"gpus": 64, "ufm_links": 2, "medium": "eth"}, "ufm_links"),
        ({"gpus": 1024, "leaf": "sn5600", "spine": "qm8700"}, "spine"),
        ({"gpus": 256, "medium": "eth", "switches": ("qm9700",)}, "medium"),
        ({"gpus": 64, "server": "cabled-4u8g", "nic": "mcx715105as-weat", "rails": "yes"}, "rails"),
        ({"gpus": 64, "rack_u": 6}, "rack_u"),
        ({"gpus": 1024, "max_cable_m": 1.0}, "max_cable_m"),
        ({"servers": 8, "server": "cabled-4u8g", "gpu": "h100-sxm5-80gb"}, "gpu"),
    ],
)
def test_the_nearest_names_what_to_give_up(wanted: dict[str, Any], one_of: str) -> None:
    assert one_of in kinds(**wanted)


def test_a_change_as_plain_values() -> None:
    assert Change({"rails": "auto"}, msg("One plane")).to_json()["values"] == {"rails": "auto"}


def test_where_nothing_works_there_is_nothing_near() -> None:
    """A server without a NIC: no number of them works."""
    assert nearest(Requirement(servers=4, server="dgx-h100", max_cable_m=0.001, tiers=1, leaf="qm8700")) is not None


# -- arithmetic of tiers


def test_units_of_a_leaf_that_takes_no_server() -> None:
    """Sixteen ports of a rail on a leaf of two cages: none; fabric managers take the places of servers."""
    small = Radix(2, 1, 400.0, 1, 400.0)
    assert units_of(Load(4, 1, 16), small, 1.0) == (0, 0)
    assert two_tiers(Load(4, 1, 16), small, small, 1.0, 2) is None
    assert three_tiers(Load(4, 1, 16), small, small, small, (1.0, 1.0), 2) is None
    # 32 servers a unit; 32 servers leave no port for four managers, so a second unit is opened
    assert units_of(Load(32, 8, 1), R64, 1.0) == (32, 1)
    assert units_of(Load(32, 8, 1, extra=4), R64, 1.0)[1] == 2


def test_growth_of_one_switch() -> None:
    """Eight servers of eight ports fill a 64-port switch: 16 servers do not fit, and 8 are the most."""
    now = one_tier(Load(4, 8, 1), R64)
    assert now is not None
    assert largest(Load(4, 8, 1), R64, R64, R64, (1.0, 1.0), 2, 1) == 8
    told = growth(now, one_tier(Load(8, 8, 1), R64), 1, 0, 8)
    assert told.to_json()["possible"] is True and told.to_json()["recabled_links"] == 0
    none = growth(now, None, 1, 8, 8)
    assert none.to_json()["possible"] is False and none.to_json()["warning"]


def test_growth_into_smaller_units_moves_servers() -> None:
    now = two_tiers(Load(64, 8, 1), R64, R64, 1.0, 2)
    later = three_tiers(Load(2048, 8, 1), R64, R64, R64, (1.0, 1.0), 2)
    assert now is not None and later is not None
    smaller = replace(later, unit=now.unit // 2)
    told = growth(now, smaller, 1, 0, 8)
    # every server beyond the first half of its unit moves with its eight links
    assert told.recabled >= (now.servers - now.units * smaller.unit) * 8 > 0
    assert prepared(replace(later, rails=4), Load(64, 8, 1)) is None


def test_one_switch_that_grows_is_told() -> None:
    choice = first(gpus=32, tiers=1, grow_to=64)
    assert choice.growth is not None and choice.growth.recabled == 0
    beyond = first(gpus=32, tiers=1, grow_to=4096)
    assert beyond.growth is not None and beyond.growth.later is None and beyond.growth.most_servers >= 4


# -- racks


RACK = RackType("rack-48u-40kw", 48, 40e3, 1500)


def test_switches_that_are_too_many_for_one_rack_each_keep_to_a_rack() -> None:
    """Three kinds of 20 switches of one unit, each kind in one piece: 2 x 20 fill 40 of 48 units, the third has its
    own rack.
    """
    groups = [RackGroup(f"sw{n}", 20, "leaf", 1, 0, 0, 1) for n in range(3)]
    plan = plan_racks([*groups], RackType("r", 48), RackStyle(racks_per_row=1))
    seats = {name: (seat.racks, seat.first, seat.per_rack) for name, seat in plan.seats.items()}
    assert len({seat[0] for seat in seats.values()}) == 1 and plan.count >= 2


def test_ever_so_many_kinds_of_one_unit() -> None:
    """Sixty single boxes: 48 in the first rack, twelve in the second, first come first seated."""
    groups = [RackGroup(f"box{n:02}", 1, "leaf", 1) for n in range(60)]
    plan = plan_racks(groups, RackType("r", 48), RackStyle())
    firsts = [seat.first for seat in plan.seats.values()]
    assert sorted(set(firsts)) == [0, 1] and firsts.count(0) == 48


def test_rooms_and_styles_have_bounds() -> None:
    many = RackGroup("node", MAX_RACKS * 6 + 6, "server", 8)
    with pytest.raises(UserError, match="racks are needed; at most"):
        plan_racks([many], RackType("r", 48), RackStyle())
    with pytest.raises(UserError, match="expected 0"):
        plan_racks([many], RACK, RackStyle(servers_per_rack=-1))


def test_a_stated_height_of_racks_is_kept() -> None:
    drawn = draw(first(gpus=64, rack_u=42))
    racks = [row for row in drawn.project.designs["main"].sheets["fabric"].items.values() if "rack" in (row.of or "")]
    assert racks and all(row.config.get("u") == 42 for row in racks)


# -- cables of what is not drawn


def test_cables_of_a_network_that_is_too_large_to_draw() -> None:
    """As many links to a cable as in the small part: the counts of a network that can be drawn come out the same."""
    choice = first(gpus=2048)
    assert counted_cables(choice) == {
        name: count for name, count in draw(choice).cables.items() if name in counted_cables(choice)
    }


# -- sentences


def test_what_the_first_sentence_waits_for_comes_in_pieces() -> None:
    assert len(list(warm_up())) > 3


def test_l40s_brings_its_card() -> None:
    assert read_sentence("64 L40S").values["gpu"].startswith("l40s")
