"""Members that leave their group: every cable keeps both of its ports, and everything said of them comes along."""

from __future__ import annotations

import dataclasses

import pytest

from fabricwright.design.address import parse_address
from fabricwright.design.check_values import check
from fabricwright.design.edits import EDITS
from fabricwright.design.effective import effective
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps, loads
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Approval, Look, Moved, RackPlace, Statement
from fabricwright.design.wiring import end_of, wire_rows
from fabricwright.topology.seating import places_of
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table

WHERE = {"design": "main", "sheet": "fabric"}


def edit(project, edit_name, /, **args):
    after = apply(project, EDITS[edit_name](project, **args))
    assert [m.english() for m in check(after)] == []
    assert loads(dumps(after)) == after
    return after


def cables(project, design="main"):
    """(a item, a member, a port, b item, b member, b port) of every living cable."""
    row = project.designs[design]
    eff = effective(project, row, "fabric")
    out = []
    for link in eff.links.values():
        a, b = end_of(project, row, eff, link.a), end_of(project, row, eff, link.b)
        wired = wire_rows(link, a, b)
        for ai, ap, bi, bp in wired.rows[wired.alive].tolist():
            out.append((a.item, ai, wired.a_ports[ap], b.item, bi, wired.b_ports[bp]))
    return sorted(out)


def renamed(found, item, names):
    """The cables with some members under their new names."""
    out = []
    for a, ai, ap, b, bi, bp in found:
        a, ai = names.get(ai, (a, ai)) if a == item else (a, ai)
        b, bi = names.get(bi, (b, bi)) if b == item else (b, bi)
        out.append((a, ai, ap, b, bi, bp))
    return sorted(out)


@pytest.fixture
def seed_a():
    """128 servers in two units, so that a test sees every cable."""
    project = TEMPLATES["seed-a-256x8"].build(servers="128")
    assert [n for _, n in project.designs["main"].sheets["fabric"].items["node"].axes] == [2, 64]
    return project


def with_row(project, table, row_id, row):
    sheet = project.designs["main"].sheets["fabric"]
    rows = getattr(sheet, table).put(row_id, row)
    fabric = dataclasses.replace(sheet, **{table: rows})
    main = dataclasses.replace(project.designs["main"], sheets=project.designs["main"].sheets.put("fabric", fabric))
    return dataclasses.replace(project, designs=project.designs.put("main", main))


def test_a_detached_server_keeps_every_port_and_nobody_else_is_recabled(seed_a):
    after = edit(seed_a, "detach", **WHERE, item="node", members="17")
    assert cables(after) == renamed(cables(seed_a), "node", {17: ("node-17", 0)})
    sheet = after.designs["main"].sheets["fabric"]
    assert sheet.items["node-17"].of == "sheet:node"
    assert sheet.items["node-17"].name == "n018"  # its label stays on the cables
    assert sheet.items["node"].except_["17"].absent
    assert after.designs["main"].ranks == ("node", "node-17")


@pytest.mark.parametrize("members", ["2", "1-2", "su=1", "0,3"])
def test_a_leaf_leaves_with_both_its_deals_and_its_mesh(seed_a, members):
    """Four leaves (su 2 x rail 2): down links are dealt, uplinks a mesh of 8 per pair with 4 spines."""
    row = seed_a.designs["main"].sheets["fabric"].items["leaf"]
    gone = list(IndexSet.parse(members, row.axes))
    after = edit(seed_a, "detach", **WHERE, item="leaf", members=members)
    new = f"leaf-{gone[0]}"
    assert cables(after) == renamed(cables(seed_a), "leaf", {n: (new, k) for k, n in enumerate(gone)})


def test_apart_makes_one_item_each(seed_a):
    after = edit(seed_a, "detach", **WHERE, item="spine", members="1,3", apart=True)
    assert cables(after) == renamed(cables(seed_a), "spine", {1: ("spine-1", 0), 3: ("spine-3", 0)})


def test_a_block_of_members_keeps_its_axes(seed_a):
    after = edit(seed_a, "detach", **WHERE, item="node", members="su=1")
    made = after.designs["main"].sheets["fabric"].items["node-64"]
    assert made.axes == (("node", 64),)
    assert cables(after) == renamed(cables(seed_a), "node", {64 + k: ("node-64", k) for k in range(64)})


def test_cables_that_run_elsewhere_are_taken_along(seed_a):
    """Row = member * 2 + port: row 34 is node 17's first cable, 40 node 20's, 41 node 20's second."""
    sheet = seed_a.designs["main"].sheets["fabric"]
    moved = Table(
        {
            "34": Moved(b="leaf[1]:21/2"),  # node 17 to another leaf
            "35": Moved(cut=True),  # node 17 unplugged
            "40": Moved(b="leaf[1]:21/1"),
        }
    )
    down = sheet.links["down"]
    project = with_row(
        seed_a, "links", "down", dataclasses.replace(down, wire=dataclasses.replace(down.wire, moved=moved))
    )
    after = edit(project, "detach", **WHERE, item="node", members="17")
    assert cables(after) == renamed(cables(project), "node", {17: ("node-17", 0)})
    links = after.designs["main"].sheets["fabric"].links
    assert set(links["down"].wire.moved) == {"40"}
    assert links["down-node-17"].wire.moved == {"0": Moved(b="leaf[1]:21/2"), "1": Moved(cut=True)}


def test_a_cable_that_was_plugged_over_to_the_leaving_member_goes_with_it(seed_a):
    """Row 40 (node 20, rail 0) was plugged to leaf 1, which leaves; and row 4 of the mesh from leaf 0 to spine 2."""
    sheet = seed_a.designs["main"].sheets["fabric"]
    down, up = sheet.links["down"], sheet.links["up"]
    moved = Table({"40": Moved(b="leaf[1]:21/2")})
    project = with_row(
        seed_a, "links", "down", dataclasses.replace(down, wire=dataclasses.replace(down.wire, moved=moved))
    )
    swapped = Table({"4": Moved(b="spine[2]:64")})
    project = with_row(
        project, "links", "up", dataclasses.replace(up, wire=dataclasses.replace(up.wire, moved=swapped))
    )
    after = edit(project, "detach", **WHERE, item="leaf", members="1")
    assert cables(after) == renamed(cables(project), "leaf", {1: ("leaf-1", 0)})
    after = edit(project, "detach", **WHERE, item="spine", members="2")
    assert cables(after) == renamed(cables(project), "spine", {2: ("spine-2", 0)})


def test_the_member_stays_in_its_rack_unit(seed_a):
    design = seed_a.designs["main"]
    before = places_of(seed_a, design, effective(seed_a, design, "fabric"))["node"]
    for members in ("17", "4-11", "3,8,9"):
        after = edit(seed_a, "detach", **WHERE, item="node", members=members)
        gone = list(IndexSet.parse(members))
        now = after.designs["main"]
        there = places_of(after, now, effective(after, now, "fabric"))[f"node-{gone[0]}"]
        assert there.rack.tolist() == before.rack[gone].tolist()
        assert there.u.tolist() == before.u[gone].tolist()
    # whole racks need no place by hand
    assert (
        not edit(seed_a, "detach", **WHERE, item="node", members="4-11")
        .designs["main"]
        .sheets["fabric"]
        .seats["node-4"]
        .except_
    )


def test_a_place_given_by_hand_comes_along(seed_a):
    seat = seed_a.designs["main"].sheets["fabric"].seats["node"]
    places = Table({"16-17": RackPlace(3, 30)})
    project = with_row(seed_a, "seats", "node", dataclasses.replace(seat, except_=places))
    after = edit(project, "detach", **WHERE, item="node", members="17")
    seats = after.designs["main"].sheets["fabric"].seats
    assert (seats["node-17"].first, seats["node-17"].u) == (3, 30)
    assert seats["node"].except_ == {"16": RackPlace(3, 30)}


def test_exceptions_looks_approvals_and_statements_follow(seed_a):
    project = edit(
        seed_a,
        "make_variant",
        **WHERE,
        item="node",
        members="17-18",
        title="with CXL",
        changes=[["add_item", {"part": "lr-cxl-generic", "seat": "chassis:s6"}]],
    )
    project = with_row(project, "look", "node[17]", Look((640.0, 420.0)))
    approvals = Table(
        {
            "a0": Approval("MEC-01|main|node/nic0", "0-31", 2.0, "agreed"),
            "a1": Approval("LAN-02|main|node/cpu0", "17", None, "agreed"),
            "a2": Approval("FAB-03|main|leaf", "1", None, "agreed"),
            "a3": Approval("NIC-02|main|node", "", None, "agreed"),
        }
    )
    statements = Table({"s0": Statement(subject="main!node[17]/nic0"), "s1": Statement(subject="main!node/nic0")})
    project = dataclasses.replace(project, approvals=approvals, statements=statements)
    after = edit(project, "detach", **WHERE, item="node", members="17")
    sheet = after.designs["main"].sheets["fabric"]
    assert sheet.items["node-17"].of == "sheet:node-cxl"
    assert {k: v.sheet or v.absent for k, v in sheet.items["node"].except_.items()} == {"18": "node-cxl", "17": True}
    assert sheet.look["node-17"].xy == (640.0, 420.0)
    assert "node[17]" not in sheet.look
    found = {(a.key, a.members) for a in after.approvals.values()}
    assert found == {
        ("MEC-01|main|node/nic0", "0-16,18-31"),
        ("MEC-01|main|node-17/nic0", "0"),
        ("LAN-02|main|node-17/cpu0", "0"),
        ("FAB-03|main|leaf", "1"),
        ("NIC-02|main|node", ""),
        ("NIC-02|main|node-17", ""),
    }
    assert after.statements["s0"].subject == "main!node-17/nic0"
    assert after.statements["s1"].subject == "main!node/nic0"
    assert str(parse_address(after.statements["s0"].subject)) == after.statements["s0"].subject


def test_what_a_detached_variant_no_longer_shows_is_a_missing_port_not_a_lost_cable(seed_a):
    project = edit(
        seed_a,
        "make_variant",
        **WHERE,
        item="node",
        members="5",
        changes=[["set_export", {"name": "compute", "ports": ["nic0:2"], "axes": [["rail", 1]]}]],
    )
    after = edit(project, "detach", **WHERE, item="node", members="5")
    wire = after.designs["main"].sheets["fabric"].links["down-node-5"].wire
    assert [row[1] for row in wire.rows] == [-1, 0]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"item": "node", "members": "999"}, "outside"),
        ({"item": "node", "members": "0-127"}, "all members"),
        ({"item": "rack", "members": "0"}, "racks that hold something"),
        ({"item": "nope", "members": "0"}, "does not exist"),
        ({"item": "node", "members": "x"}, "not understood"),
        ({"item": "node", "members": 5}, "expected numbers and ranges"),
        ({"item": "node", "members": "5", "new": "leaf"}, "taken"),
        ({"item": "node", "members": "5", "new": "Bad Id"}, "not allowed"),
    ],
)
def test_what_cannot_leave_is_said_in_one_sentence(seed_a, args, said):
    with pytest.raises(UserError, match=said):
        EDITS["detach"](seed_a, **WHERE, **args)


def test_undo_brings_the_very_same_file_back(seed_a):
    patch = EDITS["detach"](seed_a, **WHERE, item="node", members="3-9,70")
    assert dumps(apply(apply(seed_a, patch), patch.inverse(), check=True)) == dumps(seed_a)


def test_only_the_rows_of_the_members_are_listed():
    project = TEMPLATES["seed-a-256x8"].build(servers="256")
    after = edit(project, "detach", **WHERE, item="node", members="su=2")
    assert len(after.designs["main"].sheets["fabric"].links["down-node-128"].wire.rows) == 128
    assert len(cables(after)) == len(cables(project))
