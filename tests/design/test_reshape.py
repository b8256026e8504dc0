"""Reshaping a group and making exceptions: what was said of a member stays with its coordinates."""

from __future__ import annotations

import dataclasses

import pytest

from fabricwright.design.check_values import check
from fabricwright.design.edits import EDITS
from fabricwright.design.effective import effective
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Look, RackPlace, Statement
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.design.test_detach import cables, with_row

WHERE = {"design": "main", "sheet": "fabric"}


def edit(project, edit_name, /, **args):
    after = apply(project, EDITS[edit_name](project, **{**WHERE, **args}))
    assert [m.english() for m in check(after)] == []
    return after


def wire_of(project, link):
    return project.designs["main"].sheets["fabric"].links[link].wire


@pytest.fixture
def seed_a():
    """Two units of 64 servers, 2 x 2 leaves, 4 spines; leaves and spines in a mesh of 8 per pair."""
    return TEMPLATES["seed-a-256x8"].build(servers="128")


def test_a_moved_cable_of_a_mesh_stays_with_the_two_devices_that_it_joins(seed_a):
    """Leaf 2 is (su 1, rail 0). Its cables to the four spines are rows 64-95: 8 to spine 0, then spine 1 ...; the third
    one to spine 1 is row 64 + 8 + 2 = 74. With three units a leaf (su 1, rail 0) is still 2; with one rail it is 1, and
    its rows start at 32: 32 + 10 = 42."""
    project = edit(seed_a, "move_cable", link="up", row=74, b="spine[3]:60")
    wider = edit(project, "set_axes", item="leaf", axes=[["su", 3], ["rail", 2]])
    assert wire_of(wider, "up").moved == wire_of(project, "up").moved
    narrow = edit(project, "set_axes", item="leaf", axes=[["su", 2], ["rail", 1]])
    assert set(wire_of(narrow, "up").moved) == {"42"}
    assert ("leaf", 1, "43", "spine", 3, "60") in cables(narrow)  # 33 + 8 + 2: the same port of the leaf
    gone = edit(project, "set_axes", item="leaf", axes=[["su", 1], ["rail", 2]])
    assert not wire_of(gone, "up").moved


def test_where_a_cable_runs_to_is_renumbered_too(seed_a):
    """Leaf 3 is (su 1, rail 1). After the axes are turned it is still (1, 1), leaf 2 becomes leaf 1."""
    project = edit(seed_a, "move_cable", link="down", row=4, b="leaf[2]:31/1")
    turned = edit(project, "set_axes", item="leaf", axes=[["rail", 2], ["su", 2]])
    assert wire_of(turned, "down").moved["4"].b == "leaf[1]:31/1"
    shrunk = edit(project, "set_axes", item="leaf", axes=[["su", 1], ["rail", 2]])
    assert not wire_of(shrunk, "down").moved  # the leaf is gone: the cable runs as the rule says


def test_listed_rows_follow_their_members(seed_a):
    project = edit(seed_a, "detach", item="leaf", members="3")
    rows = wire_of(project, "down-leaf-3").rows
    assert {row[0] for row in rows} == set(range(64, 128))
    project = edit(project, "move_cable", link="down-leaf-3", row=5, cut=True)
    halved = edit(project, "set_axes", item="node", axes=[["su", 2], ["node", 32]])
    assert {row[0] for row in wire_of(halved, "down-leaf-3").rows} == set(range(32, 64))
    assert set(wire_of(halved, "down-leaf-3").moved) == {"5"}
    first = edit(project, "set_axes", item="node", axes=[["su", 1], ["node", 64]])
    assert wire_of(first, "down-leaf-3").rows == ()


def test_racks_places_drawing_and_statements_follow(seed_a):
    seat = seed_a.designs["main"].sheets["fabric"].seats["node"]
    project = with_row(seed_a, "seats", "node", dataclasses.replace(seat, except_=Table({"65,127": RackPlace(3, 30)})))
    project = with_row(project, "look", "node[65]", Look((1.0, 2.0)))
    project = dataclasses.replace(project, statements=Table({"s0": Statement(subject="node[65]/nic0")}))
    after = edit(project, "set_axes", item="node", axes=[["su", 2], ["node", 32]])
    sheet = after.designs["main"].sheets["fabric"]
    assert sheet.seats["node"].except_ == {"33": RackPlace(3, 30)}  # 127 is gone
    assert sheet.look["node[33]"].xy == (1.0, 2.0) and "node[65]" not in sheet.look
    assert after.statements["s0"].subject == "node[33]/nic0"
    turned = edit(project, "set_axes", item="rack", axes=[["rack", 16], ["row", 2]])
    place = turned.designs["main"].sheets["fabric"].seats["node"].except_["65,127"]
    assert place == RackPlace(6, 30)  # (row 0, rack 3) is 3 of 2 x 16, and 6 of 16 x 2


def test_a_node_with_a_cxl_card_is_one_edit(seed_a):
    patch = EDITS["make_variant"](
        seed_a,
        **WHERE,
        item="node",
        members="17",
        title="with CXL",
        changes=[
            ["remove", {"ids": ["rt1"]}],
            ["add_item", {"part": "lr-cxl-generic", "seat": "chassis:s6", "config": {"gib": 2048}}],
        ],
    )
    after = apply(seed_a, patch)
    assert [m.english() for m in check(after)] == []
    design = after.designs["main"]
    assert design.sheets["fabric"].items["node"].except_["17"].sheet == "node-cxl"
    variant = design.sheets["node-cxl"]
    assert (variant.base, variant.removed, variant.title) == ("node", ("rt1",), "with CXL")
    assert effective(after, design, "node-cxl").items["cxl0"].seat == "chassis:s6"
    # the base goes on counting for it
    moded = edit(after, "set_config", sheet="node", item="nic0", key="mode", value="1x400")
    inner = effective(moded, moded.designs["main"], "node-cxl").items["nic0"]
    assert inner.config["mode"] == "1x400"
    assert dumps(apply(after, patch.inverse(), check=True)) == dumps(seed_a)
    # an exception of an exception is based on it
    again = edit(after, "make_variant", item="node", members="17", variant="special")
    assert again.designs["main"].sheets["special"].base == "node-cxl"
    with pytest.raises(UserError, match="not alike"):
        edit(after, "make_variant", item="node", members="16-17")
    with pytest.raises(UserError, match="no inside"):
        edit(after, "make_variant", item="leaf", members="0")
    with pytest.raises(UserError, match="does not exist"):
        edit(seed_a, "add_exception", item="node", members="3", override={"sheet": "nope"})


def test_several_edits_are_one_step_all_or_none(seed_a):
    calls = [["rename", {**WHERE, "item": "node", "name": "x"}], ["set_count", {**WHERE, "item": "spine", "count": 5}]]
    patch = EDITS["together"](seed_a, calls=calls)
    after = apply(seed_a, patch)
    assert after.designs["main"].sheets["fabric"].items["spine"].count == 5
    assert dumps(apply(after, patch.inverse(), check=True)) == dumps(seed_a)
    with pytest.raises(UserError):
        EDITS["together"](seed_a, calls=[*calls, ["rename", {**WHERE, "item": "nope"}]])
    with pytest.raises(UserError, match="nested"):
        EDITS["together"](seed_a, calls=[["together", {"calls": []}]])
