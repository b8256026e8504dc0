"""What the rules are made of, asked directly where a drawing that leads there would be much longer."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any, cast

import numpy as np
import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import effective
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Item, Link, Override, Project, Sheet
from fabricwright.rules import fabric as fabric_rules
from fabricwright.rules import fabric_uplinks, signal_fixes
from fabricwright.rules.bifurcation import _nearest_split
from fabricwright.rules.compute_ports import cabled_nics
from fabricwright.rules.context import split_members
from fabricwright.rules.cxl_memory import _wider_slot
from fabricwright.rules.fabric_cabling import _ordered, capacity_gbps
from fabricwright.rules.lanes_sockets import _fed_by
from fabricwright.rules.mechanical_server import _distance_mm
from fabricwright.rules.memory import plan_words
from fabricwright.rules.optics_ports import _legal_breakout
from fabricwright.rules.p2p_balance import _link_name
from fabricwright.rules.p2p_host import _root_port
from fabricwright.rules.pcie_path import lanes_available, server_view
from fabricwright.rules.power_modules import _cable
from fabricwright.rules.racks import _other_kit
from fabricwright.rules.retimer_fixes import newer_retimer, without_one
from fabricwright.rules.training_job import state_gb
from fabricwright.rules.uplinks import arriving
from fabricwright.topology.signal_loss import BOARD_DB
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, claim, context, deal, fabric, fired, group, one_nic, server, slot
from tests.rules.networks import SWITCH, leaf_spine

NIC = "mcx715105as-weat"


def drawn() -> Project:
    chassis = board({"a": slot("cpu0:p1"), "b": slot("cpu0:p2"), "m": slot("")})
    return server(chassis, {"nic0": card(NIC, "chassis:a"), "rt0": card("lrsv9560-2i", "chassis:b")})


def parts_of(project: Project):
    seen = context(project)
    (variant,) = seen.variants()
    return seen, variant, server_view(variant.eff, project.parts)


# -- servers


def test_what_hangs_on_nothing_has_no_root_port() -> None:
    _, variant, view = parts_of(drawn())
    assert _root_port(view, "cpu0") == "" and _root_port(view, "nic0") == "cpu0:p1"
    assert _fed_by(cast(Any, Made(eff=Made(chassis_part=None)))) == {}
    assert lanes_available(replace(variant.eff.items["cpu0"], part=None, config=Table())) == (0, True)


def test_distances_need_pitches_on_the_way() -> None:
    _, variant, _ = parts_of(drawn())
    asked = [("", "chassis:b"), ("chassis:a", "chassis:a"), ("chassis:a", "ext0:b"), ("chassis:a", "chassis:z")]
    assert [_distance_mm(variant, a, b) for a, b in [*asked, ("chassis:a", "chassis:b")]] == [0.0] * 5


def test_what_joins_the_gpus_has_a_name() -> None:
    def named(link: str) -> str:
        part = Made(word=lambda _name: link)
        return _link_name(cast(Any, Made(eff=Made(items={"g": Made(part=part)}))), cast(Any, Made(gpus=("g",))))

    assert named("xGMI 7 links") == "xGMI" and named("NVLink4 18 links") == "NVLink"


def test_devices_below_a_ring_of_switches_are_counted_once() -> None:
    """A drawing may lead a switch to itself; adding up comes to an end."""
    view = Made(
        children=lambda: {"sw0": ["sw1"], "sw1": ["sw0"]},
        tree=Made(feeds={"sw0": None, "sw1": None}, levels=lambda _node: 0),
    )
    assert arriving(cast(Any, view), "sw0", set()) == 0.0


def test_retimers_that_nothing_replaces() -> None:
    seen, variant, view = parts_of(drawn())
    row = variant.eff.items["rt0"]
    assert without_one(seen, variant, view, "nowhere") == ()
    assert newer_retimer(seen, variant, replace(row, locked=True), 5) == ()
    assert newer_retimer(seen, variant, row, 9) == ()  # none is that new
    wide = {name: replace(p, lanes=64) if p.role == "up" else p for name, p in row.ports.items()}
    assert newer_retimer(seen, variant, replace(row, ports=Table(wide)), 4) == ()
    (call,) = newer_retimer(seen, variant, row, 4)
    assert call.name == "replace_part" and call.args["item"] == "rt0"


def test_a_split_that_no_slot_can_make() -> None:
    seen, variant, view = parts_of(drawn())
    asked = replace(variant.eff.items["nic0"], config=Table({"slot_split": "x1" * 40}))
    assert _nearest_split(seen, variant, view, asked) == ()


def test_traces_to_empty_slots() -> None:
    """Stated in dB, stated in metres (Gen5 on low-loss laminate), usual; nothing for a slot that a cable feeds."""
    project = drawn()
    eff = effective(project, project.designs["main"], "node")
    view = server_view(eff, project.parts)
    assert signal_fixes._stated_trace(view, "chassis:nowhere", 5) is None
    assert signal_fixes._stated_trace(view, "chassis:m", 5) == pytest.approx(BOARD_DB, rel=0.01)


def test_the_upper_end_of_a_cable() -> None:
    project = TEMPLATES["seed-a-256x8"].build(servers=8)
    eff = effective(project, project.designs["main"], "node")
    view = server_view(eff, project.parts)
    name, link = next((n, row) for n, row in eff.links.items() if row.medium == "pcie" and row.b in eff.slots)
    assert name and signal_fixes._a_is_upper(view, link)
    below = next(node for node, feed in view.tree.feeds.items() if "/" not in node and feed.parent in view.tree.feeds)
    parent = view.tree.feeds[below].parent
    assert signal_fixes._a_is_upper(view, Link(f"{parent}:d1", f"{below}:up"))
    assert not signal_fixes._a_is_upper(view, Link(f"{below}:up", f"{parent}:d1"))


def test_nothing_is_moved_where_the_sheet_is_not_used() -> None:
    assert _wider_slot(parts_of(drawn())[0], "cxl0", "another") == ()


# -- jobs


def test_how_a_job_spreads_its_state() -> None:
    job = Made(zero=None, distributed=True, dp=4, tp=2, pp=1, offload="")
    assert plan_words(cast(Any, job)).english() == "distributed optimizer over 4, TP 2, PP 1"
    job.distributed = False
    assert plan_words(cast(Any, job)).english() == "Megatron's optimizer on every rank, TP 2, PP 1"
    assert state_gb(cast(Any, Made(offload="all"))) is None


# -- fabrics


def test_devices_in_the_order_of_their_tiers() -> None:
    tiers = Made(tier=np.array([2, 1, 1]))
    low, high = _ordered(cast(Any, tiers), np.array([0, 1]), np.array([1, 0]))
    assert low.tolist() == [1, 1] and high.tolist() == [0, 0]
    assert capacity_gbps(None) == 0.0


def test_members_of_a_group_whose_exception_cannot_be_read() -> None:
    gone = {"1": Override(absent=True), "x y": Override(absent=True), "2": Override()}
    assert {k: str(v) for k, v in split_members(Item("sheet:node", (("n", 4),), except_=Table(gone))).items()} == {
        "node": "0,2-3"
    }


def test_a_server_alone_has_no_cables() -> None:
    project = TEMPLATES["single-8gpu"].build()
    seen = context(project, next(iter(project.designs)))
    assert [cabled_nics(seen, variant) for variant in seen.variants() if not variant.item] in ([[]], [])


def test_doubled_ports_are_found_in_large_fabrics_too(monkeypatch: pytest.MonkeyPatch) -> None:
    links = {"a": Link("node:compute", "leaf:1-4", deal()), "b": Link("node:compute", "leaf:9-12", deal())}
    project = fabric({"node": group("sheet:node", node=4), "leaf": group(SWITCH)}, links, {"node": one_nic()})
    small = [(f.message.english(), f.members) for f in fired(project, "FAB-01")]
    monkeypatch.setattr(fabric_rules, "DENSE", 0)
    assert [(f.message.english(), f.members) for f in fired(project, "FAB-01")] == small


def test_assumptions_are_told() -> None:
    said = [str(fabric_uplinks._assumed(mode, qps)) for mode in (True, False) for qps in (True, False)]
    assert "neither is stated" in said[0] and "static routing assumed" in said[1]
    assert "one queue pair assumed" in said[2] and said[3] == ""
    assert not fabric_uplinks._climbs(context(leaf_spine(8, 4, 1)), "no such link")


def test_a_second_spine_takes_half_of_an_even_mesh() -> None:
    def fix(uplinks: int) -> list[dict[str, object]]:
        (found,) = fired(leaf_spine(8, uplinks, 1, leafs=2), "FAB-11")
        return [dict(call.args) for call in found.fix]

    axes, link = fix(4)
    assert axes["axes"] == [["spine", 2]] and link["wire"] == {"per_pair": 2}
    assert fix(3) == []


def test_two_servers_cabled_to_each_other_are_no_ring() -> None:
    project = fabric(
        {"one": group("sheet:node"), "two": group("sheet:node")},
        {"l": Link("one:compute", "two:compute", deal())},
        {"node": one_nic()},
    )
    assert not fired(project, "FAB-21")


def test_kit_of_which_some_is_right_is_not_turned() -> None:
    seen = context(leaf_spine(8, 4, 1))
    assert _other_kit(seen, seen.root.items["leaf"], "front", all_wrong=False) == ()
    assert _other_kit(seen, seen.root.items["leaf"], "front", all_wrong=True)[0].args["value"] == "front"


def test_a_cable_that_is_not_chosen_is_no_part() -> None:
    assert _cable(context(leaf_spine(8, 4, 1)), cast(Any, Made(parts=("x",))), -1) is None


def test_a_breakout_that_does_not_hold_the_split_is_left() -> None:
    seen = context(fabric({"leaf": replace(group("sn5600"), config=Table({"breakout": Table({"1": "2x400"})}))}, {}))
    row, part = seen.root.items["leaf"], catalogue().get("sn5600")
    assert _legal_breakout(seen, "leaf", row, part, "9x9") == ()
    assert _legal_breakout(seen, "leaf", replace(row, config=Table({"breakout": "2x400"})), part, "2x400") == ()


def test_a_group_that_does_not_divide_is_not_resized() -> None:
    """Five servers of eight GPUs are not two units of the same size; six are two of three."""

    def fix(gpus: int) -> list[object]:
        said = claim("cluster.gpus", gpus, "design:main", kind="requirement")
        dgx = Sheet("server", chassis="dgx-h100")
        (found,) = fired(fabric({"node": group("sheet:node", su=2, node=4)}, {}, {"node": dgx}, (said,)), "SCL-01")
        return [call.args["count"] for call in found.fix]

    assert fix(40) == [] and fix(48) == [6]
