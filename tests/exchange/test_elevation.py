"""Racks as they stand: units, watts, heat, feeds and findings of known rooms."""

from __future__ import annotations

import pytest

from fabricwright.design.address import parse_address
from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import apply
from fabricwright.exchange.elevation import BTU_H_PER_W, elevation
from fabricwright.rules.finding import Finding
from fabricwright.units.text import msg
from tests.rules.test_racks import racked
from tests.topology.samples import template


def test_four_dgx_in_a_rack_of_the_superpod() -> None:
    room = elevation(template("superpod-h100-127"), "main")
    # 32 server racks, a network rack at the end of each of the four rows, two core racks in a row of their own.
    assert [len(racks) for racks in room.rows().values()] == [9, 9, 9, 9, 2]
    rack = room.racks[0]
    assert (rack.label, rack.row, rack.place, rack.units, rack.used_u) == ("r101", 0, 0, 48, 32)
    assert rack.power_w == 4 * 10_200
    assert rack.heat_btu_h == pytest.approx(40_800 * 3.412142)
    assert [(d.label, d.u, d.top) for d in room.devices(rack)] == [
        ("dgx-001", 1, 8),
        ("dgx-002", 9, 16),
        ("dgx-003", 17, 24),
        ("dgx-004", 25, 32),
    ]
    budgets = {b.what: b for b in rack.budgets}
    assert (budgets["power"].value, budgets["power"].limit) == (40.8, 60.0)
    assert (budgets["feed"].limit, rack.feeds) == (2 * 34.9, 2)  # two PDUs of 34.9 kW on each feed
    assert rack.severity == ""
    # The last server is absent: its rack holds three.
    assert len(room.devices(room.rows()[3][7])) == 3


def test_tints_tell_roles_and_networks() -> None:
    room = elevation(template("superpod-h100-127"), "main")
    tint = {d.item: d.tint for rack in room.racks for d in room.devices(rack)}
    assert (tint["node"], tint["leaf"], tint["spine"], tint["sleaf"], tint["oob"], tint["mgmt"]) == (
        "server",
        "leaf",
        "spine",
        "storage",
        "mgmt",
        "other",
    )


def test_over_a_limit_has_the_severity_of_its_rule() -> None:
    # Four of 10.2 kW = 40.8 kW: over a feed of 34.5 kW (PWR-05, error) and over 40 kW of cooling (PWR-06, warning);
    # 4 x 130 = 520 kg on 500 kg (MEC-11, warning); 32 U in 30 U (MEC-10, error).
    room = elevation(racked(4, 4, rack="rack-48u-60kw", feed_kw=34.5, cooling_kw=40, static_kg=500, u=30), "main")
    found = {b.what: b.severity for b in room.racks[0].budgets}
    assert found == {"units": "error", "power": "warning", "feed": "error", "weight": "warning"}
    assert room.racks[0].severity == "error"


def test_equal_racks_share_a_look_and_a_moved_member_has_none() -> None:
    project = template("seed-a-256x8")
    room = elevation(project, "main")
    looks = [rack.look for rack in room.racks if rack.racks == "rack"]
    assert len(set(looks)) == 1  # 64 racks of four servers
    call = EditCall(
        "seat_member", {"design": "main", "sheet": "fabric", "item": "node", "member": 5, "rack": 3, "u": 20}
    )
    moved = elevation(apply(project, run(project, call)), "main")
    assert len({rack.look for rack in moved.racks if rack.racks == "rack"}) == 3  # and one with three, one with five
    device = moved.find("node", 5)
    assert device is not None and device.by_hand and (device.u, device.top) == (20, 23)
    assert moved.rack_of("node", 5).index == 3


def test_what_stands_nowhere_is_counted() -> None:
    project = template("seed-b-512")
    design = next(iter(project.designs))
    root = project.designs[design].root
    call = EditCall("set_seating", {"design": design, "sheet": root, "item": "leaf", "racks": None})
    room = elevation(apply(project, run(project, call)), design)
    assert room.unseated == {"leaf": project.designs[design].sheets[root].items["leaf"].count}
    assert pytest.approx(3.412142) == BTU_H_PER_W


def test_findings_stand_at_members_and_racks() -> None:
    def found(rule: str, severity: str, at: str, members: str = "") -> Finding:
        return Finding(
            rule,
            severity,
            "main",
            "fabric",
            (parse_address(at),),
            msg("full"),
            members=IndexSet.parse(members) if members else IndexSet(),
        )

    findings = [
        found("PWR-08", "warning", "leaf", "0-3"),
        found("FAB-01", "error", "leaf", "2"),
        found("PWR-06", "warning", "rack"),
        found("LAN-01", "error", "node/nic0"),
        found("PWR-10", "fact", "rack"),
    ]
    room = elevation(template("superpod-h100-127"), "main", findings)
    assert [f.rule for f in room.at("leaf", 2)] == ["FAB-01", "PWR-08"]  # the worst first
    assert [f.rule for f in room.at("leaf", 3)] == ["PWR-08"] and room.at("leaf", 4) == ()
    assert [f.rule for f in room.at("rack", 7)] == ["PWR-06"]
    assert room.at("node", 0) == ()  # it is about a card inside
