"""Fixes and words of the rules in the cases that their examples leave out: no fix is offered where it would do harm."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any, cast

import numpy as np
import pytest

from fabricwright.catalog.parts import Port
from fabricwright.catalog.store import catalogue
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Link, Project, Sheet, Wire
from fabricwright.rules import fabric_reach, fabric_uplinks, mechanical_server, signal_fixes
from fabricwright.rules.cxl_claims import _host_text
from fabricwright.rules.fabric_paths import _kinds
from fabricwright.rules.fabric_rails import _bonded_links, _one_rail_each
from fabricwright.rules.legality import legality
from fabricwright.rules.lossless import _fewer_classes
from fabricwright.rules.nic import host_link
from fabricwright.rules.nic_claims import _cage_of
from fabricwright.rules.nic_port_mode import _instead, _late, offered
from fabricwright.rules.nvlink_domains import _across_servers
from fabricwright.rules.optics import _serving
from fabricwright.rules.optics_ends import LinkEnds, _sockets
from fabricwright.rules.optics_ports import _fewer_splits
from fabricwright.rules.p2p_acs import clear_acs
from fabricwright.rules.p2p_paths import rail_columns
from fabricwright.rules.pcie_path import _hop_steps, server_view, slot_link
from fabricwright.rules.retimer_cables import _outer_part
from fabricwright.rules.scale import _counted
from fabricwright.rules.statements import at_item
from fabricwright.rules.uplinks_shared import _elsewhere, _spread
from fabricwright.topology.signal_loss import LAMINATE_DB_PER_M
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, context, deal, fabric, fired, group, mesh, one_nic, server, slot
from tests.rules.networks import leaf_spine
from tests.rules.pcie_parts import nic_part

NIC, RETIMER = "mcx715105as-weat", "lrsv9560-2i"


def two_cards() -> Project:
    chassis = board({"a": slot("cpu0:p1"), "b": slot("cpu0:p2"), "c": slot("cpu0:p3")})
    return server(chassis, {"nic0": card(NIC, "chassis:a"), "rt0": card(RETIMER, "chassis:b")})


def parts_of(project: Project) -> tuple[Any, Any, Any]:
    seen = context(project)
    (variant,) = seen.variants()
    return seen, variant, server_view(variant.eff, project.parts)


# -- words


def test_words_for_ways_and_hosts() -> None:
    assert _kinds(cast(Any, Made(switches=(1, 5)))).english() == "same leaf 1 switch, other leaf 5"
    assert _host_text("cpu0", "").english() == "CXL pooling needs 2.0 or later; cpu0 has no CXL."


# -- cards


def test_a_retimer_whose_split_the_slot_does_not_offer() -> None:
    """x8x8 in a slot of one x16 port: illegal there, and another split than the card's."""
    found = legality(two_cards(), "main", "node", catalogue().get(RETIMER), config={"slot_split": "x4x4x4x4"})
    assert found["chassis:c"].level == "illegal"
    assert {rule for rule, _ in found["chassis:c"].reasons} & {"BIF-01", "BIF-02", "BIF-03"}


def test_cards_move_away_from_what_they_share() -> None:
    """Slot c hangs on the processor, not below sw: the last card that fits goes there; without cards nothing does."""
    seen, variant, view = parts_of(two_cards())
    (call,) = _elsewhere(seen, variant, view, "sw", ["nic0"])
    assert call.name == "seat" and call.args["slot"] == "chassis:c"
    assert _elsewhere(seen, variant, view, "cpu0", ["nic0"]) == ()
    assert _spread(seen, variant, view, [], set()) == () == _spread(seen, variant, view, ["nic0"], set())


def test_acs_of_a_chip_inside_a_part_is_not_cleared_here() -> None:
    seen, variant, _ = parts_of(two_cards())
    stated = replace(variant.eff.items["nic0"], config=Table({"acs_ctl": "0x1d"}))
    box = cast(Any, Made(eff=Made(items={"ext0/sw0": stated, "nic0": stated}), sheet="node"))
    assert clear_acs(seen, box, "ext0/sw0") == ()
    assert [call.name for call in clear_acs(seen, box, "nic0")] == ["set_config"]


def test_a_card_for_outside_with_the_same_mode() -> None:
    seen, variant, _ = parts_of(two_cards())
    row = variant.eff.items["rt0"]
    assert [call.name for call in _outer_part(seen, variant, row, "l")] == ["replace_part", "set_link"]
    assert _outer_part(seen, variant, replace(row, config=Table({"mode": "no such mode"})), "l") == ()
    assert _outer_part(seen, variant, replace(row, locked=True), "l") == ()


@pytest.mark.parametrize(("firmware", "late"), [("40.44.1000", True), ("40.46", False), ("", True)])
def test_one_port_of_800_waits_for_its_firmware(firmware: str, late: bool) -> None:
    """ConnectX-8 up to 40.44 has none; without a stated release it counts as late where the mode itself asks for it."""
    nics = (catalogue().get(name) for name in catalogue().kinds()["nic"])
    part = next(nic for nic in nics if "connectx-8" in nic.name().lower())
    item = cast(Any, Made(part=part, config=Table({"firmware": firmware} if firmware else {})))
    assert _late(item, (1, 800, "eth"), "eth", spelled=True) is late
    assert not _late(item, (2, 400, "eth"), "eth", spelled=True)


def test_a_card_without_modes_has_no_other_mode() -> None:
    seen, variant, _ = parts_of(two_cards())
    item = replace(variant.eff.items["nic0"], part=nic_part(400))
    assert _instead(seen, variant, item, None, "", offered(nic_part(400))) == ()
    own = variant.eff.items["nic0"]
    assert own.part is not None
    default = [row for row in offered(own.part) if row[0] == own.part.default_mode]
    assert _instead(seen, variant, own, None, "", default) == ()


# -- signals


def test_a_trace_of_a_stated_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """0.2 m of ordinary board lose twice what 0.1 m do; a laminate that nobody knows counts as low-loss."""
    _, _, view = parts_of(two_cards())

    def loss(**stated: object) -> float:
        monkeypatch.setattr(signal_fixes, "stated_at", lambda *_a: stated)
        found = signal_fixes._stated_trace(view, "chassis:c", 5)
        assert found is not None
        return found

    one, two = loss(board_m=0.1), loss(board_m=0.2)
    assert two > one and loss(board_m=0.1, laminate="unheard of") == one
    assert loss(board_db=3.5) == 3.5 and "low-loss" in LAMINATE_DB_PER_M


# -- cables and ports


def test_cages_that_nobody_knows_serve_nothing() -> None:
    seen = context(leaf_spine(8, 4, 1))
    silent = cast(Any, Made(a=Made(sockets=()), b=Made(sockets=())))
    assert _serving(seen, silent) is None
    assert list(_sockets(seen, cast(Any, Made(item="gone", ports=())))) == []


def test_a_stated_speed_bounds_the_rate_of_a_link() -> None:
    end = cast(Any, Made(sockets=(Made(gbps=400.0),)))
    link = LinkEnds("l", Link("a:1", "b:1", speed=200e9), cast(Any, None), end, end, None)
    assert link.gbps == 200.0 and replace(link, link=replace(link.link, speed=None)).gbps == 400.0


def test_too_many_ports_of_which_too_few_can_be_given_back() -> None:
    row = replace(group("sn4700"), config=Table({"breakout": Table({"1": "4x100"})}))
    seen = context(fabric({"leaf": row}, {}))
    item, part = seen.root.items["leaf"], catalogue().get("sn4700")
    assert _fewer_splits(seen, "leaf", item, part, 10) == ()
    (call,) = _fewer_splits(seen, "leaf", item, part, 3)  # 4 x 100 back to 1 x 400 gives three
    assert call.args["key"] == "breakout" and call.args["value"] is None


def test_a_single_lossless_class_cannot_become_fewer() -> None:
    assert _fewer_classes(context(leaf_spine(8, 4, 1)), cast(Any, Made(priorities=(3,), item="leaf")), 1) == ()


# -- fabrics


def test_leafs_of_an_idle_spine_are_those_of_its_own_plane() -> None:
    """Spines joined to leafs on axis su: an idle spine of unit 0 would reach the leafs of unit 0 only."""
    project = leaf_spine(4, 4, 2, leafs=2)
    sheet = project.designs["main"].sheets["fabric"]
    spine = replace(sheet.items["spine"], axes=(("su", 2), ("spine", 2)))
    links = sheet.links.put("up", replace(sheet.links["up"], wire=mesh(1, "su")))
    sheet = replace(sheet, items=sheet.items.put("spine", spine), links=links)
    design = replace(project.designs["main"], sheets=project.designs["main"].sheets.put("fabric", sheet))
    seen = context(replace(project, designs=Table({"main": design})))
    compiled = seen.fabric()
    low = compiled.offset["leaf"] + np.arange(2)
    reached = [fabric_uplinks._reached(seen, low, compiled.offset["spine"] + n).tolist() for n in (0, 3)]
    assert reached == [[True, False], [False, True]]


def test_listed_cables_become_a_mesh_where_that_divides() -> None:
    """Two leafs of two uplinks under two spines: one cable each; for four leafs a spine has too few ports."""

    def fix(leafs: int, turned: bool) -> list[Any]:
        low, high = "leaf:63-64", "spine:1-2"
        rows = tuple((n, p, p, n % 2) for n in range(leafs) for p in range(2))
        turn = tuple((c, d, a, b) for a, b, c, d in rows)
        wire = Wire("rows", rows=turn if turned else rows)
        up = Link(high, low, wire) if turned else Link(low, high, wire)
        project = leaf_spine(4, 2, 2, leafs=leafs)
        sheet = project.designs["main"].sheets["fabric"]
        sheet = replace(sheet, links=sheet.links.put("up", up))
        design = replace(project.designs["main"], sheets=project.designs["main"].sheets.put("fabric", sheet))
        seen = context(replace(project, designs=Table({"main": design})))
        return [call.args["wire"] for call in fabric_uplinks._even_again(seen, "leaf")]

    assert fix(2, turned=False) == fix(2, turned=True) == [{"mode": "mesh", "on": [], "per_pair": 1, "rows": []}]
    assert fix(4, turned=False) == []


def test_parts_that_share_a_label_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(set(fabric_reach._pieces_of([{1}, {2}, {1, 2}, {2}, set()]))) == 2
    found = cast(Any, Made(patterns=[(1,), (1, 2), (3,)]))
    assert fabric_reach._apart(found) == (0, 2)
    monkeypatch.setattr(fabric_reach, "PATTERNS", 1)
    assert fabric_reach._apart(found) == (0, 2)


def test_leafs_of_several_rails_are_no_scalable_unit() -> None:
    rails = cast(Any, Made(rail=np.array([0, 1, 2]), far=np.array([[7, 7, 7], [7, 7, 7]])))
    assert not _one_rail_each([rails], np.array([7]))
    assert _one_rail_each([cast(Any, Made(rail=np.array([0, 1]), far=np.array([[7, 8]])))], np.array([7, 8]))


def test_ports_of_a_bond_are_known_by_their_link() -> None:
    link = replace(Link("node:compute", "leaf:1-4", deal()), config=Table({"bond": "lacp"}))
    items = {"node": group("sheet:node", node=4), "leaf": group("generic-64x400")}
    project = fabric(items, {"l": link}, {"node": one_nic()})
    assert _bonded_links(context(project), "node", "compute") == {"nic0:1"}
    assert fired(project, "FAB-21") == []


def test_servers_of_other_groups_are_not_counted() -> None:
    node = {"one": group("sheet:node", n=4), "two": group("sheet:node", m=2)}
    seen = context(fabric(node, {}, {"node": one_nic()}))
    assert _counted(seen, {"one": None}) == {0: 4} and _counted(seen, {"one": IndexSet.span(3)}) == {0: 3}
    assert _counted(seen, {}) == {0: 6}


# -- slots, cages and cards of which little is known


def test_a_split_is_refused_before_the_drop() -> None:
    """The root port behind the slot offers x16 only."""
    chassis = board({"a": slot("cpu0:p1", bifurcation=("x16",))})
    found = legality(server(chassis, {}), "main", "node", catalogue().get(NIC), config={"slot_split": "x8x8"})
    assert (found["chassis:a"].reasons[0][0], found["chassis:a"].level) == ("BIF-02", "illegal")


def test_a_wide_card_without_its_cable_is_told_once() -> None:
    """Two slots wide and with a plug of its own, in a slot for one without a cable."""
    dpu = nic_part(400, slot_width=2, aux_connector="8-pin EPS", power_w=150, aux_w=84)
    chassis = board({"a": slot("cpu0:p1", max_width=1)})
    (found,) = fired(server(chassis, {"nic0": card("dpu", "chassis:a", aux="none")}, parts={"dpu": dpu}), "NIC-06")
    assert "needs its 8-pin EPS power cable and 2 slots" in found.message.english()


def test_links_of_what_hangs_on_nothing() -> None:
    project = server(board({"a": slot("cpu0:p1")}), {"nic0": card(NIC)})
    seen, variant, view = parts_of(project)
    assert host_link(seen, variant, "nic0") is None
    assert slot_link(view, "chassis:nowhere", 16, 5).steps == ()
    assert list(_hop_steps(view, "nic0", variant.eff.items["nic0"])) == []


def test_the_cage_of_a_port_is_in_its_name() -> None:
    port, other = Port("eth", "net", gbps=400), Port("eth", "net", cage="q2", gbps=400)
    cages = {"q1": "QSFP112", "q2": "OSFP"}
    assert _cage_of(port, {"q1": port}, cages) == "q1" and _cage_of(port, {"q1/2": port}, cages) == "q1"
    assert _cage_of(other, {"1": other}, cages) == "q2" and _cage_of(port, {"7": port}, cages) == "q1"


def test_pitches_of_slots_of_another_kind_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """20 mm to the next slot of the kind; a storage bay between them is no slot."""
    _, variant, _ = parts_of(server(board({f"s{n}": slot(f"cpu0:p{n}") for n in (1, 2, 3)}), {}))
    slots = {name: replace(row, kind="bay") if name.endswith("s2") else row for name, row in variant.eff.slots.items()}
    monkeypatch.setattr(mechanical_server, "stated_at", lambda *_a: {"pitch_mm": 20.0})
    made = cast(Any, Made(eff=Made(slots=slots)))
    assert mechanical_server._distance_mm(made, "chassis:s1", "chassis:s3") == 20.0


def test_a_mode_that_would_take_a_port_away_is_no_fix() -> None:
    seen, variant, _ = parts_of(two_cards())
    own = variant.eff.items["nic0"]
    assert own.part is not None
    other = [row for row in offered(own.part) if row[0] != own.part.default_mode]
    more = replace(own, ports={**own.ports, "9": Port("eth", "net", gbps=400)})
    assert other and _instead(seen, variant, more, None, "", other) == ()


def test_statements_about_a_group_that_is_gone() -> None:
    steps = (Made(item="node", members=None, raw="n=1"), Made(item="nic0"))
    statement = Made(scope="address", design="", address=Made(steps=steps))
    seen = Made(design_id="main", group=lambda _item: None)
    variant = Made(item="node", members=IndexSet.span(4))
    assert at_item(cast(Any, seen), cast(Any, statement), cast(Any, variant)) is None


def test_fewer_rails_than_gpus_take_the_nearest_ports() -> None:
    """Two GPUs, two rails stated, all ports on one: each takes the port that is nearest."""
    inside = Made(gpu_port=Made(nccl_flattened=np.array([[1, 2], [2, 1]])), gpus=("a", "b"))
    assert rail_columns(cast(Any, inside), {0: 5, 1: 5}, 2) == [[0], [1]]


def test_only_nvlink_cables_make_domains() -> None:
    items = {
        "tray": group("sheet:node", tray=2),
        "sw": group("nvl72-switch-tray"),
        "leaf": group("generic-64x400"),
    }
    links = {
        "nv": Link("tray:nvlink", "sw:nvlink", mesh(36), "nvlink", "nvlink"),
        "net": Link("tray:compute", "leaf:1-8", deal()),
    }
    seen = context(fabric(items, links, {"node": Sheet("server", chassis="gb200-compute-tray")}))
    assert _across_servers(seen) == {"tray": 8}  # two trays of four GPUs
    assert fabric_reach._all_nvlink(seen, "another") is True
