"""The arithmetic of leaf, spine and core, by hand and for any numbers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.sizing.clos import Clos, Load, Radix, one_tier, three_tiers, two_tiers

R64 = Radix(32, 2, 400.0, 2, 400.0)
R128 = Radix(64, 2, 400.0, 2, 400.0)


def test_case_study_of_256_servers_with_two_ports_of_200g() -> None:
    # 32 cages down as 64 x 200G and 32 up as 32 x 400G: 64 servers a leaf, 4 units x 2 ports = 8 leafs,
    # 8 x 32 uplinks over spines of 64 = 4.
    radix = Radix(64, 2, 200.0, 1, 400.0)
    found = two_tiers(Load(256, 2, 1), radix, Radix(64, 1, 400.0, 1, 400.0), 1.0, 2)
    assert found is not None
    assert (found.leafs, found.spine_count, found.down_links, found.up_links) == (8, 4, 512, 256)


def test_even_spread_takes_16_spines_where_12_would_carry_it() -> None:
    found = two_tiers(Load(95, 8, 1, 4), R64, R64, 1.0, 2)
    assert found is not None
    assert (found.leafs, found.spines, found.uplinks, found.per_spine) == (24, 16, 32, 2)


def test_two_tiers_end_at_half_the_radix_squared() -> None:
    assert two_tiers(Load(256, 8, 1), R64, R64, 1.0, 2) is not None  # 2,048 = 64 * 64 / 2
    assert two_tiers(Load(257, 8, 1), R64, R64, 1.0, 2) is None


def test_three_tiers_end_at_a_quarter_of_the_radix_cubed() -> None:
    found = three_tiers(Load(65_536, 8, 1), R128, R128, R128, (1.0, 1.0), 2)  # 524,288 = 128 ** 3 / 4
    assert found is not None
    assert (found.leafs, found.spine_count, found.core_count) == (8192, 8192, 4096)
    assert three_tiers(Load(65_537, 8, 1), R128, R128, R128, (1.0, 1.0), 2) is None


def test_three_to_one() -> None:
    # 24 cages down, 8 up: 48 servers a leaf; 32 servers need 32 / 3 = 10.7 uplinks, 12 over 2 spines.
    found = two_tiers(Load(32, 8, 1), R64, R64, 3.0, 2)
    assert found is not None
    assert (found.leafs, found.uplinks, found.spines) == (8, 12, 2)


def test_one_switch() -> None:
    found = one_tier(Load(8, 8, 1), R64)
    assert found is not None and (found.leafs, found.switches, found.down_links) == (1, 1, 64)
    assert one_tier(Load(8, 8, 1, extra=1), R64) is None


@settings(max_examples=300, deadline=None)
@given(
    servers=st.integers(1, 9000),
    rails=st.sampled_from([1, 2, 3, 4, 8]),
    per_rail=st.sampled_from([1, 2, 8]),
    cages=st.sampled_from([16, 32, 64]),
    split=st.sampled_from([1, 2, 4]),
    ratio=st.sampled_from([1.0, 1.5, 2.0, 3.0]),
    three=st.booleans(),
)
def test_whatever_is_found_fits_and_is_even(
    servers: int, rails: int, per_rail: int, cages: int, split: int, ratio: float, three: bool
) -> None:
    leaf = Radix(cages, split, 400.0 / split * 2, 2, 400.0)
    above = Radix(cages, 2, 400.0, 2, 400.0)
    load = Load(servers, rails, per_rail)
    found = (
        three_tiers(load, leaf, above, above, (ratio, ratio), 2) if three else two_tiers(load, leaf, above, ratio, 2)
    )
    if found is None:
        return
    ports = above.cages * above.up
    _leafs_fit(found, leaf, ratio)
    assert found.uplinks == found.spines * found.per_spine and found.spines >= 2
    below = found.unit_pods * found.rails * found.per_spine
    if found.tiers == 3:
        assert found.spine_up == found.cores * found.per_core
        # Cages are split as a whole: down and up do not share one.
        assert -(-below // 2) + -(-found.spine_up // 2) <= above.cages
        assert found.pods * found.per_core <= ports
        assert below * 400 <= ratio * found.spine_up * 400 + 1e-6
    else:
        assert below <= ports


def _leafs_fit(found: Clos, leaf: Radix, ratio: float) -> None:
    down = found.unit * found.per_rail
    assert found.unit * found.units >= found.servers
    assert -(-down // leaf.down) + -(-found.uplinks // leaf.up) <= leaf.cages
    assert down * leaf.down_gbps <= ratio * found.uplinks * leaf.up_gbps + 1e-6
