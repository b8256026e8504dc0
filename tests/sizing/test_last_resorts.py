"""What sizing does where the first way does not work: other splits and cables, ports that run out, racks too small."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any, cast

import numpy as np
import pytest

from fabricwright.catalog.parts import Mode
from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Item, Link, Wire
from fabricwright.sizing import cabling
from fabricwright.sizing import nearest as nearest_changes
from fabricwright.sizing import offer as offers_of
from fabricwright.sizing.cabling import _End, _light_of, _no_cable, _shared_pairs, cable_up
from fabricwright.sizing.choices import size
from fabricwright.sizing.clos import Load, Radix, three_tiers
from fabricwright.sizing.nearest import nearest
from fabricwright.sizing.networks import Extra, _host_ports, _spread, _uplinks
from fabricwright.sizing.offer import offers
from fabricwright.sizing.rack_plan import RackGroup
from fabricwright.sizing.racking import layouts
from fabricwright.sizing.refusal import _largest
from fabricwright.sizing.requirement import Requirement
from fabricwright.units.errors import UserError
from tests.rules.drawing import fabric, group, mesh


def refusal(**wanted: Any) -> str:
    with pytest.raises(UserError) as failed:
        size(Requirement(**wanted))
    return failed.value.message.english()


# -- what is asked for


def test_growth_to_fewer_gpus_than_today() -> None:
    assert "64 GPUs is less than the 256 GPUs of today" in refusal(gpus=256, grow_to=64)
    assert "255 GPUs is less than the 256 GPUs of today" in refusal(servers=32, grow_to=255)  # 32 DGX H100 of 8


def test_a_server_without_a_place_for_a_gpu() -> None:
    assert refusal(servers=4, server="desktop-am5") == "Server 'desktop-am5' has no place for a GPU."


def test_a_server_whose_inside_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    blind = replace(catalogue().get("dgx-h100"), interior=None)
    monkeypatch.setattr(offers_of, "catalogue", lambda: Made(get=lambda _part: blind))
    with pytest.raises(UserError, match="The inside of server 'dgx-h100' is not known"):
        offers(Requirement(gpus=8))


def test_a_nic_of_a_rate_that_no_switch_has() -> None:
    """The catalogue's switches begin at 25 Gb/s."""
    said = refusal(servers=8, server="cabled-4u8g", nic="mcx311a-xcat")
    assert "No switch of the catalogue has ports of 10 Gb/s" in said and "a NIC of 25 Gb/s" in said


def test_uplinks_are_not_slower_than_the_nic() -> None:
    """SN5600 comes with 2 x 400 Gb/s a cage; under NICs of 800 Gb/s its uplinks are whole cages, as its other ports."""
    ways = size(Requirement(gpus=512, server="cabled-4u8g", nic="thor-ultra", leaf="sn5600"))
    assert {(c.offer.gbps, c.leaf.up, c.leaf.radix.up_gbps) for c in ways} == {(800.0, "1x800", 800.0)}


def test_at_most_so_many_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = Requirement(gpus=1024, max_cable_m=1.0)
    many = nearest(wanted)
    monkeypatch.setattr(nearest_changes, "MOST", 1)
    assert nearest(wanted) == many[:1]


# -- networks beside


def test_more_storage_ports_than_200g_switches_hold_split_those_of_400g() -> None:
    """1,345 servers of two ports are 2,690. Two tiers of SN4600 (64 x 200G) at 2:1 hold 64 leafs of 42 ports (42 down,
    21 up), 2,688; the 64 x 400G switch in halves holds twice as many.
    """
    choice = size(Requirement(servers=1345))[0]
    out = Extra()
    _host_ports(choice, ["storage"], out)
    _spread(choice, "storage", out)
    leaf = out.items["sleaf"]
    assert leaf.of == "generic-64x400"
    (cages,) = cast(Any, leaf.config["breakout"]).items()
    assert cages[1] == "2x200"


def in_band(leafs: int, used: int, up_from: int, **switches: int) -> Extra:
    """In-band leafs whose ports 1 to ``used`` take servers and whose uplinks begin at ``up_from``."""
    out = Extra()
    out.items["ileaf"] = Item("sn4600c", (("ileaf", leafs),))
    out.items["ispine"] = Item("sn4600c", (("ispine", 2),))
    out.items.update({name: Item("sn2201", ((name, count),)) for name, count in switches.items()})
    out.links["i-down"] = Link("node:inband", f"ileaf:1-{used}", Wire("deal"), "eth")
    out.links["i-up"] = Link(f"ileaf:{up_from}-64", "ispine:1-64", Wire("mesh"), "eth")
    _uplinks(out)
    return out


def test_out_of_band_switches_go_up_where_the_leafs_have_ports() -> None:
    """Two uplinks of each of 8 switches over 4 leafs: 4 ports a leaf, of 57 to 61 that are free."""
    assert in_band(4, 56, 62, oob=8).links["i-oob"].b == "ileaf:57-60"
    assert "i-oob" not in in_band(4, 56, 60, oob=8).links  # three free ports
    # Six switches of racks and two of cores: 12 and 4 uplinks are 3 + 1 ports a leaf; 5 and 3 are 10 and 6, 3 + 2.
    both = in_band(4, 56, 61, oob=6, oobc=2)
    assert (both.links["i-oob"].b, both.links["i-oobc"].b) == ("ileaf:57-59", "ileaf:60")
    some = in_band(4, 56, 61, oob=5, oobc=3)
    assert some.links["i-oob"].b == "ileaf:57-59" and "i-oobc" not in some.links


# -- racks, tiers, cables


def test_a_switch_that_fits_no_rack_is_told() -> None:
    """A leaf of 60 units beside servers that fit every rack."""
    groups = [RackGroup("node", 4, "server", 8, 10_200), RackGroup("leaf", 2, "leaf", 60)]
    with pytest.raises(UserError):
        list(layouts(Requirement(servers=4), groups))


def test_pods_whose_uplinks_do_not_spread_are_passed_over() -> None:
    """A leaf with a single uplink cannot be joined to two spines, however many leafs a pod has."""
    leaf = Radix(5, 1, 400.0, 1, 400.0)
    wide = Radix(32, 2, 400.0, 2, 400.0)
    assert three_tiers(Load(16, 1, 1), leaf, wide, wide, (4.0, 1.0), 2) is None
    found = three_tiers(Load(16, 1, 1), leaf, wide, wide, (4.0, 1.0), 1)
    assert found is not None and (found.unit, found.uplinks) == (4, 1)


def test_a_leaf_that_takes_no_server_holds_none() -> None:
    """Sixteen ports of a server on a leaf of two."""
    small = Radix(2, 1, 400.0, 1, 400.0)
    offer = cast(Any, Made(rails=1, per_rail=16, ports_per_plane=16))
    assert _largest(Requirement(servers=4), offer, small, small, 2) == 0


def test_no_cables_share_no_cages() -> None:
    rows = np.array([[0, 0, 0, 0], [1, 0, 1, 0]])
    none = cast(Any, Made(rows=rows, alive=np.zeros(2, dtype=bool)))
    assert _shared_pairs(none, [], []) is False


def joined(switch: str, ports: str, links: int, medium: str, length_m: float, **link: Any) -> Link:
    """The cable chosen for ``links`` links between two switches."""
    row = Link(f"a:{ports}", f"b:{ports}", mesh(links), medium, length_m=length_m, **link)
    done = cable_up(fabric({"a": group(switch), "b": group(switch)}, {"up": row}), "main")
    assert done.cables == {"up": links} and done.longest_m == {"up": length_m}
    return done.project.designs["main"].sheets["fabric"].links["up"]


def test_a_named_cable_that_does_not_reach_is_chosen_anew() -> None:
    """The active optical cable of 100 Gb/s ends at 50 m."""
    assert joined("sn4600c", "1-4", 4, "eth", 50, cable="aoc-100g-qsfp28").cable == "aoc-100g-qsfp28"
    assert joined("sn4600c", "1-4", 4, "eth", 80, cable="aoc-100g-qsfp28").cable == "auto"


def test_copper_stays_where_no_transceivers_join_twin_cages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cabling, "_light", lambda *_of: iter(()))
    row = Link("a:1-4/1-2", "b:1-4/1-2", mesh(8), "ib", length_m=1.0)
    done = cable_up(fabric({"a": group("qm9700"), "b": group("qm9700")}, {"up": row}), "main")
    assert done.project.designs["main"].sheets["fabric"].links["up"].cable == "auto"
    assert done.cables == {"up": 4}  # one twin copper cable for the two links of a cage


def test_how_far_cables_reach_is_told() -> None:
    """The catalogue's single-mode fibres end at 100 m, whatever its transceivers would do; the multimode modules of
    800 Gb/s end at 50 m, so that beyond it single mode takes over.
    """
    for end in (_End("QSFP56", 1, 200.0, True), _End("OSFP", 1, 800.0, True)):
        said = _no_cable("up", (end, end), 120.0, cast(Any, Made(parts=()))).message.english()
        assert "needs cables of 120 m" in said and "reaches 100 m" in said
    assert {way[1] for way in _light_of(end, end, True, False, 50.0)} >= {"optic-800g-sr8", "optic-800g-dr8"}
    assert {way[1] for way in _light_of(end, end, True, False, 60.0)} == {"optic-800g-dr8"}


def test_a_mode_without_network_ports_offers_no_network() -> None:
    """The NIC of the case study with a mode more, in which it shows no port."""
    plain = offers(Requirement(servers=8, server="cabled-4u8g"))
    nic = catalogue().get(plain[0].nic)
    more = replace(nic, modes=nic.modes.put("closed", Mode()))
    wanted = Requirement(servers=8, server="cabled-4u8g")
    found = offers_of._modes(wanted, plain[0].sheet, ["nic0"], more, plain[0].nic, ())
    assert sorted((o.gbps, o.ports) for o in found) == sorted((o.gbps, o.ports) for o in plain)
