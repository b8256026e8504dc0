"""Edits by example: what a gesture changes, what it takes along, and what stays."""

from __future__ import annotations

import dataclasses

import pytest

from fabricwright.design.calls import EditCall
from fabricwright.design.check_values import check
from fabricwright.design.edits import EDITS, copy_rows, run
from fabricwright.design.effective import effective
from fabricwright.design.keys import sheet_key
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps, loads
from fabricwright.design.templates import TEMPLATES
from fabricwright.units.errors import UserError
from tests.design.strategies import empty_project

WHERE = {"design": "main", "sheet": "fabric"}


def edit(project, edit_name, /, **args):
    return apply(project, EDITS[edit_name](project, **args))


@pytest.fixture
def seed_a():
    return TEMPLATES["seed-a-256x8"].build()


@pytest.fixture
def seed_b():
    return TEMPLATES["seed-b-512"].build()


def test_a_server_dropped_on_the_fabric_brings_its_sheet_its_parts_and_a_rank():
    project = edit(empty_project(), "add_item", **WHERE, part="dgx-h100", xy=(40, 60))
    design = project.designs["main"]
    assert design.ranks == ("node0",)
    assert design.sheets["fabric"].items["node0"].of == "sheet:node"
    assert design.sheets["node"].chassis == "dgx-h100"
    # the interior's own parts came along, so that the file opens elsewhere
    assert {"dgx-h100", "h100-sxm5-80gb", "cx7-dual-qsfp112", "nvswitch3"} <= set(project.parts)
    assert len([i for i in effective(project, design, "node").items.values() if i.kind == "gpu"]) == 8


def test_deleting_the_group_takes_sheet_links_seats_rank_and_look_and_undo_brings_all_back(seed_a):
    patch = EDITS["remove"](seed_a, **WHERE, ids=["node"])
    after = apply(seed_a, patch)
    design = after.designs["main"]
    assert "node" not in design.sheets and "node" not in design.sheets["fabric"].items
    assert "down" not in design.sheets["fabric"].links and "up" in design.sheets["fabric"].links
    assert "node" not in design.sheets["fabric"].seats and design.ranks == ()
    assert dumps(apply(after, patch.inverse())) == dumps(seed_a)


def test_deleting_a_card_takes_its_cables_and_its_export(seed_a):
    where = {"design": "main", "sheet": "node"}
    after = edit(seed_a, "remove", **where, ids=["sw0"])
    sheet = after.designs["main"].sheets["node"]
    gone = set(seed_a.designs["main"].sheets["node"].links) - set(sheet.links)
    assert len(gone) == 2 and all(seed_a.designs["main"].sheets["node"].links[k].a.startswith("sw0:") for k in gone)
    after = edit(seed_a, "remove", **where, ids=["nic0"])
    assert "compute" not in after.designs["main"].sheets["node"].exports


def test_a_built_in_card_is_removed_by_listing_it(seed_b):
    where = {"design": "before", "sheet": "node"}
    after = edit(seed_b, "remove", **where, ids=["slota-nic"])
    assert "slota-nic" in after.designs["before"].sheets["node"].removed
    assert "slota-nic" not in effective(after, after.designs["before"], "node").items


def test_moving_and_renaming_change_no_key_but_configuring_does(seed_a):
    design = "main"
    before = sheet_key(seed_a, seed_a.designs[design], "fabric")
    moved = edit(seed_a, "move", **WHERE, places={"leaf": (10, 10)})
    renamed = edit(moved, "rename", **WHERE, item="leaf", name="L{index1}")
    assert sheet_key(renamed, renamed.designs[design], "fabric") == before
    changed = edit(renamed, "set_count", **WHERE, item="spine", count=3)
    assert sheet_key(changed, changed.designs[design], "fabric") != before
    back = edit(changed, "set_count", **WHERE, item="spine", count=4)
    assert sheet_key(back, back.designs[design], "fabric") == before


def test_adding_a_link_renumbers_nothing(seed_a):
    links = seed_a.designs["main"].sheets["fabric"].links
    after = edit(seed_a, "connect", **WHERE, a="leaf:64", b="spine:64")
    kept = after.designs["main"].sheets["fabric"].links
    assert all(kept[k] is links[k] for k in links) and len(kept) == len(links) + 1


def test_count_and_exceptions_keep_members_by_coordinates(seed_a):
    # node has axes su 4 x node 64; member 73 is su 1, node 9
    project = edit(seed_a, "add_exception", **WHERE, item="node", members="73", override={"absent": True})
    smaller = edit(project, "set_axes", **WHERE, item="node", axes=[["su", 4], ["node", 32]])
    assert list(smaller.designs["main"].sheets["fabric"].items["node"].except_) == ["41"]  # 1 * 32 + 9
    gone = edit(project, "set_axes", **WHERE, item="node", axes=[["su", 1], ["node", 64]])
    assert not gone.designs["main"].sheets["fabric"].items["node"].except_
    with pytest.raises(UserError, match="does not divide"):
        EDITS["set_count"](seed_a, **WHERE, item="node", count=254)


def test_exceptions_with_the_same_override_merge_and_are_taken_back(seed_a):
    project = seed_a
    for members in ("3", "4-5"):
        project = edit(project, "add_exception", **WHERE, item="node", members=members, override={"absent": True})
    assert list(project.designs["main"].sheets["fabric"].items["node"].except_) == ["3-5"]
    project = edit(project, "add_exception", **WHERE, item="node", members="4", override=None)
    assert list(project.designs["main"].sheets["fabric"].items["node"].except_) == ["3,5"]


def test_copy_and_paste_bring_sheets_links_and_parts_into_another_project(seed_a):
    clip = copy_rows(seed_a, design="main", sheet="fabric", ids=["node", "leaf"])
    pasted = edit(empty_project(), "paste", **WHERE, clip=clip, at_xy=(0, 0))
    design = pasted.designs["main"]
    items = design.sheets["fabric"].items
    node = next(i for i, row in items.items() if (row.of or "").startswith("sheet:"))
    assert items[node].count == 256 and design.ranks == (node,)
    assert next(iter(design.sheets["fabric"].links.values())).a == f"{node}:compute"
    assert "lrsv9500-4i" in pasted.parts
    twice = edit(pasted, "paste", **WHERE, clip=clip)
    assert len(twice.designs["main"].sheets["fabric"].items) == 4


def test_dropping_a_retimer_into_a_link_splits_it(seed_a):
    where = {"design": "main", "sheet": "node"}
    links = seed_a.designs["main"].sheets["node"].links
    link_id = next(k for k, v in links.items() if v.a == "sw0:d1")
    after = edit(seed_a, "insert_in_link", **where, link=link_id, part="lrsv9560-2i")
    rows = after.designs["main"].sheets["node"].links
    retimer = (set(after.designs["main"].sheets["node"].items) - set(seed_a.designs["main"].sheets["node"].items)).pop()
    assert rows[link_id].b == f"{retimer}:up"
    assert [v.b for v in rows.values() if v.a == f"{retimer}:d1"] == [links[link_id].b]


def test_approvals_go_with_what_they_were_given_for(seed_b):
    key = "MEC-01|after|node/sw0"
    project = edit(
        seed_b, "approve", key=key, reason="agreed with the customer", author="a", date="2026-01-05", members="0-31"
    )
    assert [a.key for a in project.approvals.values()] == [key]
    sheet = project.designs["after"].sheets["fabric"].items["node"].of[6:]
    after = edit(project, "remove", design="after", sheet=sheet, ids=["sw0"])
    assert not after.approvals
    assert not edit(project, "remove_design", design="after").approvals


def test_what_is_wanted_of_a_design_is_wanted_of_its_copy(seed_b):
    """A copy to try something on answers to the same target; what a customer claimed of the one is not doubled."""
    about = {"quantity": "cluster.gpus", "value": 256, "subject": "design:after"}
    project = edit(seed_b, "set_statement", statement="want", kind="target", **about)
    project = edit(project, "set_statement", statement="said", kind="claim", **about)
    copied = edit(project, "copy_design", design="after", title="Trial")
    (new,) = set(copied.designs) - set(project.designs)
    fresh = [copied.statements[key] for key in set(copied.statements) - set(project.statements)]
    assert dataclasses.replace(project.statements["want"], subject=f"design:{new}") in fresh
    assert all(row.kind != "claim" and row.subject == f"design:{new}" for row in fresh)
    assert dict(edit(copied, "remove_design", design=new).statements.items()) == dict(project.statements.items())
    left = edit(project, "remove_design", design="after").statements
    assert "want" not in left and "said" in left


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("add_item", {**WHERE, "part": "no-such-part"}),
        ("add_item", {**WHERE, "part": "sn4700", "axes": [["x", -1]]}),
        ("connect", {**WHERE, "a": "leaf:1", "b": "nowhere:1"}),
        ("connect", {**WHERE, "a": "leaf", "b": "spine:1"}),
        ("connect", {**WHERE, "a": "leaf:1", "b": "spine:1", "wire": {"mode": "magic"}}),
        ("set_count", {**WHERE, "item": "leaf", "count": -4}),
        ("set_link", {**WHERE, "link": "down", "length_m": -1}),
        ("set_link", {**WHERE, "link": "down", "colour": "red"}),
        ("remove", {**WHERE, "ids": ["nothing"]}),
        ("seat", {**WHERE, "item": "nothing", "slot": None}),
        ("move", {"design": "nope", "sheet": "fabric", "places": {}}),
        ("approve", {"key": "x", "reason": " ", "author": "", "date": ""}),
        ("no_such_edit", {}),
        ("rename", {"wrong": 1}),
    ],
)
def test_bad_arguments_are_one_sentence(seed_a, name, args):
    with pytest.raises(UserError) as failed:
        run(seed_a, EditCall(name, args))
    assert "\n" not in str(failed.value)


def test_unknown_fields_of_a_row_survive_an_edit_of_it(seed_a):
    leaf = seed_a.designs["main"].sheets["fabric"].items["leaf"]
    marked = dataclasses.replace(leaf, extra=type(leaf.extra)({"colour": "red"}))
    from fabricwright.design.patch import PatchBuilder

    builder = PatchBuilder(seed_a)
    builder.set(("designs", "main", "sheets", "fabric", "items", "leaf"), marked)
    after = edit(builder.project, "set_config", **WHERE, item="leaf", key="note", value="x")
    assert after.designs["main"].sheets["fabric"].items["leaf"].extra["colour"] == "red"


def test_cables_and_transceivers_come_along_into_the_project():
    project = TEMPLATES["superpod-h100-127"].build(servers="8")
    fabric = {"design": "main", "sheet": "fabric"}
    clip = copy_rows(project, **fabric, ids=["leaf", "spine", "c-up"])
    empty = empty_project()
    pasted = apply(empty, EDITS["paste"](empty, **fabric, clip=clip))
    assert {"mpo12-apc-smf", "optic-800g-2xdr4-mms4x00-ns"} <= set(pasted.parts)
    assert check(pasted) == []
    bare = dataclasses.replace(pasted, parts=pasted.parts.drop("optic-400g-sr4-osfp-flat"))
    link = next(iter(bare.designs["main"].sheets["fabric"].links))
    patch = EDITS["set_link"](bare, **fabric, link=link, optics=["optic-400g-sr4-osfp-flat", None])
    assert "optic-400g-sr4-osfp-flat" in apply(bare, patch).parts


def test_reshaping_carries_moved_cables_and_approvals_by_coordinates(seed_a):
    # Member 73 is su 1, node 9; its two cables are rows 146 and 147 of the dealt bundle (2 ports a member).
    project = edit(seed_a, "move_cable", **WHERE, link="down", row=147, cut=True)
    given = {"reason": "agreed", "author": "a", "date": "2026-01-05", "members": "73,200"}
    project = edit(project, "approve", key="P2P-01|main|node/gpu0", **given)
    # With 32 nodes a unit, su 1 node 9 is member 41: rows 82 and 83. Member 200 (su 3, node 8) is 104.
    patch = EDITS["set_axes"](project, **WHERE, item="node", axes=[["su", 4], ["node", 32]])
    after = apply(project, patch)
    assert list(after.designs["main"].sheets["fabric"].links["down"].wire.moved) == ["83"]
    assert [a.members for a in after.approvals.values()] == ["41,104"]
    assert dumps(apply(after, patch.inverse())) == dumps(project)
    gone = edit(project, "set_axes", **WHERE, item="node", axes=[["su", 1], ["node", 8]])
    assert not gone.designs["main"].sheets["fabric"].links["down"].wire.moved and not gone.approvals


def test_what_is_stated_inside_a_box_counts_is_kept_in_the_file_and_goes_with_the_box():
    project = empty_project()
    where = {"design": "main", "sheet": "fabric"}
    project = apply(project, EDITS["add_item"](project, **where, part="ext-gpu-chassis-8", item="box"))
    project = apply(project, EDITS["set_config"](project, **where, item="box/sw0", key="acs_ctl", value="0x001d"))
    assert effective(project, project.designs["main"], "fabric").items["box/sw0"].config["acs_ctl"] == "0x001d"
    assert dumps(loads(dumps(project), "box.fwproj")) == dumps(project)
    project = apply(project, EDITS["remove"](project, **where, ids=["box"]))
    assert not project.designs["main"].sheets["fabric"].items
