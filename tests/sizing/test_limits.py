"""Where networks, rooms and catalogues end: what is refused, and what is counted without being drawn."""

from __future__ import annotations

from typing import Any

import pytest

from fabricwright.design.effective import effective
from fabricwright.design.templates import TEMPLATES
from fabricwright.sizing.choices import size
from fabricwright.sizing.clos import Load, Radix, _spread, one_tier, two_tiers
from fabricwright.sizing.draw import draw
from fabricwright.sizing.growth import growth
from fabricwright.sizing.nearest import _tries, works
from fabricwright.sizing.rack_plan import RackGroup, RackStyle, RackType, plan_racks
from fabricwright.sizing.rack_seats import DEFAULT_RACK, _empty_rack, rack_of
from fabricwright.sizing.racking import layouts
from fabricwright.sizing.requirement import Requirement, part_id
from fabricwright.units.errors import UserError
from tests.topology.samples import rail_fabric

R64 = Radix(32, 2, 400.0, 2, 400.0)


def links_of(**wanted: Any) -> set[str]:
    return set(draw(size(Requirement(**wanted))[0]).project.designs["main"].sheets["fabric"].links)


@pytest.mark.parametrize("network", ["storage", "inband"])
def test_networks_beside_end_sooner_than_the_compute_network(network: str) -> None:
    """5,000 servers of two ports each are 10,000: two tiers of 64-port switches end at 2,048, 4,096 at 3:1."""
    wanted = Requirement(gpus=40_000, networks=("compute", network))
    with pytest.raises(UserError, match=f"10000 ports of the {network} network do not fit two tiers"):
        draw(size(wanted)[0])
    assert {"networks": ("compute",)} in [change.values for _, change in _tries(wanted)]
    assert works(wanted) is not None  # so large a network is sized, not drawn


def test_fabric_managers_are_managed_too() -> None:
    assert {"ufm", "o-ufm", "o-node", "o-leaf", "o-spine"} <= links_of(
        gpus=512, ufm_links=2, networks=("compute", "oob")
    )


def test_halls_that_are_cabled_by_trunks_have_no_racks() -> None:
    (racked,) = layouts(Requirement(servers=1_000_000), [RackGroup("node", 1_000_000, "server", 8, 10_200)])
    assert (racked.items, racked.seats, racked.racks) == ({}, {}, 0)


def test_what_no_cable_joins_is_said() -> None:
    said = []
    for choice in size(Requirement(servers=8, server="cabled-4u8g", nic="mcx715105as-weat", rails="yes")):
        try:
            draw(choice)
        except UserError as error:
            said.append(error.message.english())
    assert any("nothing in the catalogue joins" in text for text in said)


def test_a_named_spine_bounds_the_network() -> None:
    """QM9700 under QM9700: 64 x 64 / 2 = 2,048 ports in two tiers, 256 servers of eight."""
    with pytest.raises(UserError, match=r"the most that work are 256 servers \(2,?048 GPUs\)"):
        size(Requirement(gpus=100_000, leaf="qm9700", spine="qm9700", tiers=2))


def test_a_part_is_found_by_its_model() -> None:
    assert part_id("RTX-6000-Ada", ("gpu",)) == "rtx6000-ada"


def test_nothing_to_spread() -> None:
    assert _spread(4, 0, 8, 64, 1) is None and _spread(4, 9, 8, 64, 1) is None


def test_one_switch_that_becomes_two_tiers_moves_every_cable() -> None:
    """Without rails nothing says which leaf a server was on, so nothing is counted; with rails each of 4 x 8 moves."""
    now, later = one_tier(Load(4, 8, 1), R64), two_tiers(Load(64, 8, 1), R64, R64, 1.0, 2)
    assert now is not None and later is not None
    assert growth(now, later, 1, 0, 8).recabled == now.down_links == 32


# -- racks


def test_a_kind_that_needs_two_racks_among_many_kinds() -> None:
    """Sixty kinds, one of 60 boxes: that one fills a rack of 48 units and twelve of a second; the rest stand apart."""
    groups = [RackGroup(f"box{n:02}", 60 if not n else 1, "leaf", 1) for n in range(60)]
    plan = plan_racks(groups, RackType("r", 48), RackStyle())
    assert plan.seats["box00"].per_rack == 48 and plan.count >= 3


def test_a_kind_that_needs_two_racks_in_every_row_is_refused() -> None:
    servers = RackGroup("node", 200, "server", 8)
    groups = [servers, *(RackGroup(f"box{n:02}", 600 if not n else 1, "leaf", 1) for n in range(60))]
    with pytest.raises(UserError, match="do not go into one network rack"):
        plan_racks(groups, RackType("r", 48), RackStyle(racks_per_row=4))


def test_the_rack_of_a_drawing_without_racks() -> None:
    project = rail_fabric(1, 4, 1, 1)
    design = project.designs["main"]
    assert rack_of(project, design) == DEFAULT_RACK
    held = TEMPLATES["superpod-h100-127"].build()
    eff = effective(held, held.designs["main"], held.designs["main"].root)
    seats = list(held.designs["main"].sheets[held.designs["main"].root].seats.values())
    racks = next(name for name, row in eff.items.items() if row.kind == "rack")
    assert _empty_rack(eff, [], racks) and not _empty_rack(eff, seats, seats[0].racks)
    assert not _empty_rack(eff, [], "nowhere")
