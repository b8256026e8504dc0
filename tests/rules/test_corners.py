"""Places of the rules that the examples do not reach: odd ends of cables, covered slots, what no fix is for."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fabricwright.catalog.parts import Slot
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import effective
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Approval, Design, Item, Link, Project, Sheet
from fabricwright.rules import run
from fabricwright.rules.approvals import covers
from fabricwright.rules.least_link import too_narrow
from fabricwright.rules.legality import legality
from fabricwright.rules.link_legality import link_legality, resolve
from fabricwright.rules.moves import link_sheet, stating_sheet
from fabricwright.rules.nic_port_mode import offered
from fabricwright.rules.pcie_path import DeviceLink, server_view
from fabricwright.rules.predicates import behind_switch
from fabricwright.rules.registry import RULES, all_rules
from fabricwright.rules.retimer_cables import enclosure
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, claim, context, deal, everything, fabric, fired, group, server, slot
from tests.rules.networks import SWITCH, leaf_spine
from tests.rules.pcie_parts import nic_part

GPU, NIC = "h100-pcie-80gb", "mcx715105as-weat"


def said(project: Project, sheet: str, a: str, b: str, design: str = "main") -> list[str]:
    return [f"{rule} {text.english()}".strip() for rule, text in link_legality(project, design, sheet, a, b)]


# -- ends of cables


def test_ends_on_a_fabric_sheet() -> None:
    project = TEMPLATES["seed-a-256x8"].build(servers=8)
    assert said(project, "fabric", "node/nic0:1", "leaf:40") == ["FAB-01 leaf: 40 is taken by link up."]
    for end, wrong in (
        ("node:compute", "node: nic0:1, nic0:2 is taken by link down."),
        ("node:nope", "node has no port nope as it is configured."),
        ("gone:1", "gone has no port 1 as it is configured."),
    ):
        missing = "FAB-01 leaf has no port 90 as it is configured."
        assert set(said(project, "fabric", end, "leaf:90")) == {f"FAB-01 {wrong}", missing}
    assert said(project, "fabric", "leaf:40", "leaf:40") == ["A link needs two different ends."]


def test_an_external_box_shows_the_ports_inside() -> None:
    project = TEMPLATES["seed-b-512"].build(servers=8)
    design = project.designs["after"]
    eff = effective(project, design, "node-after")
    boxes = {i: row.part.interior.exports for i, row in eff.items.items() if row.part and row.part.interior}
    item, exports = next((i, e) for i, e in boxes.items() if e)
    name = next(iter(exports))
    end = resolve(project, design, eff, f"{item}:{name}")
    assert end.names == tuple(f"{item}/{port}" for port in exports[name].ports)
    assert set(end.ports) == set(end.names) and end.some() is not None


def slots_and_cards() -> Project:
    chassis = board(
        {"fed": slot("cpu0:p1"), "bay": slot("cpu0:p3"), "open": Slot("cem", cable_feed=None, length="FL", height="FH")}
    )
    return server(chassis, {"nic0": card(NIC, "chassis:fed"), "rt0": card("lrsv9560-2i", "chassis:bay")})


def test_a_slot_is_fed_by_a_port_that_looks_away_from_the_processor() -> None:
    project = slots_and_cards()
    assert "OPT-01 A slot is fed by PCIe, not by ib." in [
        t.replace("eth", "ib") for t in said(project, "node", "chassis:open", "nic0:1")
    ]
    assert "LAN-11 Slot chassis:fed is fed by the board already." in said(project, "node", "chassis:fed", "rt0:d1")
    assert "LAN-11 Slot chassis:open needs a port that faces away from the processor." in said(
        project, "node", "chassis:open", "nic0:up"
    )


def test_what_the_board_wires_is_wired() -> None:
    project = TEMPLATES["single-8gpu"].build()
    sheet = next(s for d in project.designs.values() for s, row in d.sheets.items() if row.kind == "server")
    design = next(iter(project.designs))
    eff = effective(project, project.designs[design], sheet)
    row = next(row for row in eff.builtin_links.values() if row.medium == "pcie")
    assert any("is wired on the board already" in t for t in said(project, sheet, row.a, "nowhere:1", design))


# -- cards and slots


def test_a_slot_under_a_double_wide_card_is_covered() -> None:
    chassis = board({"a": slot("cpu0:p1", neighbour="b", max_width=2), "b": slot("cpu0:p2"), "c": slot("cpu0:p3")})
    project = server(chassis, {"gpu0": card(GPU, "chassis:a"), "nic0": card(NIC, "chassis:b")})
    verdict = legality(project, "main", "node", catalogue().get(NIC))["chassis:b"]
    assert verdict.level == "illegal" and verdict.reasons[0][0] == "MEC-01"
    empty = server(chassis, {"gpu0": card(GPU, "chassis:a")})
    (reason,) = legality(empty, "main", "node", catalogue().get(NIC))["chassis:b"].reasons[:1]
    assert reason[1].english() == "Slot b is covered by the double-wide card gpu0."
    assert [f.rule for f in everything(project) if f.rule == "MEC-01"] == ["MEC-01"]


def test_a_card_that_is_moved_is_looked_at_once() -> None:
    """A drag asks again and again; the answer is the same, with a split of the slot, too."""
    project = slots_and_cards()
    part = catalogue().get(NIC)
    first, again = (legality(project, "main", "node", part, ignore_item="nic0") for _ in range(2))
    assert first == again and first["chassis:fed"].level == "legal"
    split = legality(project, "main", "node", part, ignore_item="nic0", config={"slot_split": "x8x8"})
    assert {rule for rule, _ in split["chassis:fed"].reasons} != {rule for rule, _ in first["chassis:fed"].reasons}


def test_a_card_that_hangs_on_nothing_has_no_link_to_be_narrow() -> None:
    view = server_view(effective(slots_and_cards(), slots_and_cards().designs["main"], "node"), Table())
    loose = DeviceLink("", "", 16, 5, 16, 5)
    assert too_narrow(nic_part(400, min_lanes=16), {}, loose) is None
    assert behind_switch(view, "card", "") is None
    assert view.feed_of_slot("chassis:nowhere") == ("", "", "")


def test_modes_of_a_card_that_has_none_are_its_fixed_ports() -> None:
    """Two ports that do 200 and 100 Gb/s each."""
    assert offered(nic_part(200, ports=2, port_gbps=(200, 100))) == [
        ("2x200", 2, 200, frozenset({"eth"})),
        ("2x100", 2, 100, frozenset({"eth"})),
    ]
    assert offered(nic_part(0)) == []


def test_the_box_that_an_end_is_in() -> None:
    rows: dict[str, Any] = {
        "ext0": SimpleNamespace(kind="external-box", seat=None),
        "gpu0": SimpleNamespace(kind="gpu", seat="ext0:g1"),
        "gpu1": SimpleNamespace(kind="gpu", seat=None),
        "a": SimpleNamespace(kind="x", seat="b:1"),
        "b": SimpleNamespace(kind="x", seat="a:1"),
    }
    view = cast(Any, SimpleNamespace(eff=SimpleNamespace(items=rows)))
    found = {end: enclosure(view, end) for end in ("ext0/sw0:up", "ext0:h1", "gpu0:up", "gpu1:up", "gone:1", "a:1")}
    outside = dict.fromkeys(("ext0/sw0:up", "ext0:h1", "gpu0:up"), "ext0")
    assert found == {**outside, "gpu1:up": "", "gone:1": "", "a:1": ""}


def test_the_sheet_that_states_a_thing() -> None:
    rows = {"node": Sheet("server", items=Table({"sw0": Item("x", config=Table({"acs": "on"}))}))}
    design = Design(root="node", sheets=Table({**rows, "copy": Sheet("server", base="node"), "own": Sheet("server")}))
    seen = cast(Any, SimpleNamespace(design=design))
    assert stating_sheet(seen, "copy", "sw0", "acs") == "node" and stating_sheet(seen, "copy", "sw0", "mode") == "copy"
    assert stating_sheet(seen, "own", "sw0", "acs") == "own" and link_sheet(seen, "copy", "l9") == "copy"


# -- approvals, and rules that fail


def test_an_approval_covers_members_and_a_value() -> None:
    finding = next(f for f in everything(leaf_spine(64, 16, 4)) if f.measured)
    assert covers(Approval(finding.key), finding)
    assert not covers(Approval(finding.key, members="no members"), finding)
    both_ways = replace(finding, rule=next(r for r, row in all_rules().items() if row.direction == ""), measured=4.0)
    assert covers(Approval("", measured=4.0), both_ways)
    assert not covers(Approval("", measured=3.0), both_ways) and not covers(Approval("", measured=5.0), both_ways)


def test_a_rule_that_fails_is_told_or_goes_up(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = context(slots_and_cards())
    broken = replace(RULES["MEC-01"], run=lambda *_a: 1 / 0)
    monkeypatch.setattr(run, "all_rules", lambda: {"MEC-01": broken})
    told: list[str] = []
    assert run.run_rules(seen, on_error=lambda rule, _error: told.append(rule)) == [] and told == ["MEC-01"]
    with pytest.raises(ZeroDivisionError):
        run.run_rules(seen)


# -- statements that set a bound


def test_an_oversubscription_for_the_whole_design() -> None:
    """32 servers over 16 uplinks are 2:1. A compute network is to be 1:1, unless 2:1 is asked for."""
    wanted = claim("leaf.oversubscription", 2, "design:main", kind="requirement")
    drawn, asked = leaf_spine(32, 16, 4), leaf_spine(32, 16, 4, statements=(wanted,))
    (found,) = fired(drawn, "FAB-03")
    assert (found.measured, found.allowed) == (2.0, 1.0) and not fired(asked, "FAB-03")


# -- splits of cages


@pytest.mark.parametrize(
    ("breakout", "fixed"),
    [
        ({"1": "2x400", "2": "3x100"}, {"1": "2x400"}),  # no split of three is offered
        ({"1": "7x100"}, None),
    ],
)
def test_a_split_that_is_not_offered_is_left_out(breakout: dict[str, str], fixed: object) -> None:
    leaf = replace(group("sn5600", leaf=2, row=2), config=Table({"breakout": Table(breakout)}))
    (found,) = fired(fabric({"leaf": leaf}, {}), "OPT-04")
    assert str(found.members) == "0-3" and [call.args["value"] for call in found.fix] == [fixed]


def test_a_split_that_a_cable_hangs_on_is_not_taken_away() -> None:
    leaf = replace(group("sn5600"), config=Table({"breakout": Table({"1": "3x100"})}))
    project = fabric({"leaf": leaf, "far": group(SWITCH)}, {"l": Link("leaf:1/1", "far:1", deal())})
    assert [f.fix for f in fired(project, "OPT-04")] == [()]
