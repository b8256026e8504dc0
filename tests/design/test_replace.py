"""Replacing parts: what maps by name, what is called otherwise now, and what is said of the rest."""

from __future__ import annotations

import dataclasses

import pytest

from fabricwright.catalog.parts import Cage, Mode, Part, Port
from fabricwright.design.check_values import check
from fabricwright.design.edits import EDITS
from fabricwright.design.edits.replace import part_replacement, replacement
from fabricwright.design.patch import apply
from fabricwright.design.replacement import joined_cages, mapped_breakout, mapped_mode, port_map
from fabricwright.design.storage import dumps
from fabricwright.design.templates import TEMPLATES
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table


def swapped(project, old, new, design="*"):
    found = replacement(project, old=old, new=new, design=design)
    after = apply(project, found.patch)
    assert [m.english() for m in check(after)] == []
    assert dumps(apply(after, found.patch.inverse())) == dumps(project)
    assert found.patch == EDITS["replace_everywhere"](project, old=old, new=new, design=design)
    return after, found


def said(found, kind):
    return [u.message.english() for u in found.unmapped if u.kind == kind]


@pytest.fixture
def seed_a():
    return TEMPLATES["seed-a-256x8"].build()


@pytest.fixture
def seed_b():
    return TEMPLATES["seed-b-512"].build()


def test_cards_cables_and_switches_change_everywhere(seed_a):
    after, found = swapped(seed_a, "h100-pcie-80gb", "h200-nvl-141gb")
    items = after.designs["main"].sheets["node"].items
    assert {items[f"gpu{n}"].of for n in range(8)} == {"h200-nvl-141gb"} and found.replaced == 8
    assert not found.unmapped
    after, found = swapped(seed_a, "aoc-400g", "aoc-400g-qdd-2x200-q56")
    assert after.designs["main"].sheets["fabric"].links["up"].cable == "aoc-400g-qdd-2x200-q56" and found.replaced == 1


def test_a_fitted_part_is_counted_under_its_new_name(seed_a):
    after, _ = swapped(seed_a, "nvme-m2-960g", "nvme-m2-480g")
    assert after.designs["main"].sheets["node"].items["chassis"].config == {"fitted.nvme-m2-480g": 2}


def test_a_smaller_switch_keeps_its_cables_written_and_says_which_ports_it_lacks(seed_a):
    """64 cages become 32 twin ones (QM9700: 32 OSFP of 2x400): 1-32/1-2 fit, 33-64 do not."""
    after, found = swapped(seed_a, "generic-64x400", "qm9700")
    sheet = after.designs["main"].sheets["fabric"]
    assert sheet.links["up"].a == "leaf:33-64"
    assert any("no port 33, 34" in text for text in said(found, "port"))
    assert any("cannot be split" in text for text in said(found, "breakout"))
    assert "breakout" not in sheet.items["spine"].config


def test_a_chassis_without_the_built_in_cards_takes_out_what_would_dangle(seed_b):
    """The DGX's ``slota-nic`` has an overlay row, and its exports name built-in cards; the open chassis has neither."""
    project = apply(
        seed_b, EDITS["set_config"](seed_b, design="before", sheet="node", item="nic0", key="mode", value="2x200")
    )
    after, found = swapped(project, "dgx-h100", "cabled-4u8g", design="before")
    sheet = after.designs["before"].sheets["node"]
    assert sheet.chassis == "cabled-4u8g" and "nic0" not in sheet.items
    assert any("gone" in text for text in said(found, "row"))
    assert any("no longer shows" in text for text in said(found, "export"))
    assert all(u.lost for u in found.unmapped if u.kind == "row")


def test_a_server_on_the_fabric_keeps_its_export_or_says_that_it_is_gone(seed_a):
    found = part_replacement(seed_a, design="main", sheet="fabric", item="node", part="dgx-h100")
    after = apply(seed_a, found.patch)
    assert [m.english() for m in check(after)] == []
    slots = said(found, "slot")
    assert slots and all("no slot" in text for text in slots)  # bay1 ... are not in a DGX
    assert after.designs["main"].sheets["node"].items["gpu0"].seat == "chassis:bay1"


def test_built_in_parts_stay_and_are_named(seed_b):
    with pytest.raises(UserError, match="built into its chassis"):
        replacement(seed_b, old="h100-sxm5-80gb", new="b200-sxm-180gb")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("nope", "qm9700", "not used"),
        ("generic-64x400", "generic-64x400", "by itself"),
        ("generic-64x400", "h100-pcie-80gb", "two of a kind"),
        ("generic-64x400", "no-such-part", "no-such-part"),
    ],
)
def test_what_cannot_be_replaced_is_said(seed_a, old, new, why):
    with pytest.raises(UserError, match=why):
        replacement(seed_a, old=old, new=new)


# -- mapping by hand: parts made up for the test -----------------------------------------------------------------------


def card(*modes, cages=()):
    rows = {name: Mode(Table({p: Port("eth", gbps=200.0) for p in ports})) for name, ports in modes}
    return Part(kind="nic", modes=Table(rows), default_mode=modes[0][0] if modes else "", cages=Table(dict(cages)))


def test_a_mode_maps_by_name_then_by_its_ports_then_to_the_default():
    old = card(("2x200", ("1", "2")), ("1x400", ("1",)))
    new = card(("split", ("1", "2")), ("whole", ("1",)))
    for mode, wanted in (("2x200", "split"), ("1x400", "whole")):
        notes = []
        config = mapped_mode(Table({"mode": mode}), old, new, "n", notes)
        assert config == {"mode": wanted}
        assert [u.message.english() for u in notes] == [f"n: mode {mode} becomes {wanted}."]
    notes = []
    assert mapped_mode(Table({"mode": "whole"}), old, new, "n", notes) == {"mode": "whole"}
    assert not notes
    assert mapped_mode(Table({"mode": "2x200"}), old, card(), "n", []) == {}


def test_a_breakout_keeps_the_cages_that_can_be_split_so():
    new = card(cages=[(str(n), Cage("OSFP", "1x400", ("2x200",))) for n in range(1, 5)])
    notes = []
    config = mapped_breakout(Table({"breakout": Table({"1-6": "2x200", "7": "4x100"})}), new, "n", notes)
    assert config["breakout"] == {"1-4": "2x200"}
    assert [u.message.english() for u in notes] == [
        "n: cages 5-6 cannot be split 2x200 in the new part.",
        "n: cages 7 cannot be split 4x100 in the new part.",
    ]
    assert joined_cages(["3", "1", "2", "mgmt"]) == "1-3,mgmt"


def test_ports_map_by_name_by_cage_or_all_by_place():
    whole = card(cages=[(str(n), Cage("OSFP", "1x400")) for n in range(1, 5)])
    twin = card(cages=[(str(n), Cage("OSFP", "2x400")) for n in range(1, 3)])
    ports = port_map(whole, Table(), twin, Table(), ["1", "2"])
    assert ports.end("1-2") == ("1-2/1", [], {"1": "1/1", "2": "2/1"})
    ports = port_map(whole, Table(), twin, Table(), ["1", "2", "3", "4"])  # two cages of two: all by place
    assert ports.end("1-4") == ("1-2/1-2", [], {"1": "1/1", "2": "1/2", "3": "2/1", "4": "2/2"})
    assert ports.end("3") == ("2/1", [], {"3": "2/1"})
    named = dataclasses.replace(whole, cages=Table(), ports=Table({p: Port("eth", gbps=1.0) for p in ("p0", "p1")}))
    ports = port_map(whole, Table(), named, Table(), ["1", "2", "3"])
    assert ports.end("1-3") == ("p0-p1,3", ["3"], {"1": "p0", "2": "p1"})
