"""Blocks and the clipboard: what travels, what is said of the parts, and what a hostile file gets."""

from __future__ import annotations

import dataclasses
import json
import random

import pytest

from fabricwright.catalog.parts import Figure
from fabricwright.design.check_values import check
from fabricwright.design.edits import EDITS, copy_rows
from fabricwright.design.edits.blocks import (
    block_bytes,
    block_of_bytes,
    block_report,
    insert_block,
    load_block,
    make_block,
    save_block,
)
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps, loads
from fabricwright.design.values import Sheet
from fabricwright.units.errors import UserError
from tests.design.strategies import PIXEL, empty_project, small_fabric
from tests.design.test_fuzz import breakage

FABRIC = {"design": "main", "sheet": "fabric"}


def inserted(project, block, **args):
    patch = insert_block(project, **{**FABRIC, **args}, block=block)
    after = apply(project, patch)
    assert [m.english() for m in check(after)] == []
    assert dumps(apply(after, patch.inverse())) == dumps(project)
    assert loads(dumps(after)) == after
    return after


@pytest.fixture
def project():
    made = small_fabric()
    made = apply(made, EDITS["add_picture"](made, **FABRIC, data=PIXEL, xy=[5, 5]))
    return apply(made, EDITS["add_frame"](made, **FABRIC, title="Pod", ids=["node", "picture0"]))


def test_a_whole_sheet_goes_into_another_project(project, tmp_path):
    block = make_block(project, **FABRIC, title="Pod of eight")
    save_block(block, tmp_path / "pod.fwblock")
    again = load_block(tmp_path / "pod.fwblock")
    assert again == json.loads(json.dumps(block)) and block_bytes(again) == block_bytes(block)
    after = inserted(empty_project(), again)
    sheet, old = after.designs["main"].sheets["fabric"], project.designs["main"].sheets["fabric"]
    assert len(sheet.items) == len(old.items) and len(sheet.links) == len(old.links)
    assert len(sheet.seats) == len(old.seats) and len(sheet.frames) == 2 and len(after.images) == 1
    assert set(after.parts) <= set(project.parts)
    # moved cables name the new items
    moved = [m.b for link in sheet.links.values() for m in link.wire.moved.values()]
    assert sorted(moved) == ["leaf0[1]:3/2", "spine0[3]:60"]


def test_a_selection_keeps_the_links_between_and_leaves_out_the_others(project):
    block = make_block(project, **FABRIC, ids=["leaf", "spine"])
    after = inserted(project, block, at_xy=[1000, 0])
    fresh = set(after.designs["main"].sheets["fabric"].links) - set(project.designs["main"].sheets["fabric"].links)
    assert len(fresh) == 1
    link = after.designs["main"].sheets["fabric"].links[fresh.pop()]
    assert (link.a, link.b) == ("leaf0:33-64", "spine0:1-64")


def test_a_server_sheet_is_a_server_on_the_fabric_and_cards_in_a_server(project):
    block = make_block(project, design="main", sheet="node")
    after = inserted(empty_project(), block)
    design = after.designs["main"]
    assert design.sheets["fabric"].items["node0"].of == "sheet:node" and design.ranks == ("node0",)
    assert design.sheets["node"].chassis == "cabled-4u8g"
    bare = apply(project, EDITS["add_item"](project, **FABRIC, part="cabled-4u8g", item="bare"))
    filled = inserted(bare, block, sheet="bare").designs["main"].sheets["bare"]
    assert filled.items["gpu0"].seat == "chassis:bay1"
    assert len(filled.items) == len(project.designs["main"].sheets["node"].items) - 1  # the row of the chassis stays


def test_parts_that_differ_are_reported_and_kept_unless_taken(project):
    block = make_block(project, **FABRIC, ids=["spine"])
    mine = project.parts["generic-64x400"]
    figures = mine.figures.put("power_w", Figure(123, "test", "read"))
    other = dataclasses.replace(
        project, parts=project.parts.put("generic-64x400", dataclasses.replace(mine, figures=figures))
    )
    report = block_report(other, block)
    (news,) = [p for p in report.parts if p.part == "generic-64x400"]
    assert (report.kind, report.items, news.state) == ("fabric", 1, "differs")
    assert [f.place for f in news.fields] == ["figures.power_w"]
    assert block_report(project, block).parts[0].state == "same"
    assert block_report(empty_project(), block).parts[0].state == "new"
    assert inserted(other, block).parts["generic-64x400"].figures["power_w"].value == 123
    assert inserted(other, block, parts="take").parts["generic-64x400"] == mine


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"format":"fabricwright-block"}',
        b'{"format":"fabricwright-block","version":2,"clip":{}}',
        b'{"format":"fabricwright-block","version":1,"clip":{"format":"x"}}',
        b"\xff",
        b'{"a":1,"a":2}',
        b"[" * 100,
    ],
)
def test_a_file_that_is_no_block_is_refused_in_one_sentence(data):
    with pytest.raises(UserError) as failed:
        block_of_bytes(data, "x.fwblock")
    assert failed.value.message.english().startswith("x.fwblock")


@pytest.mark.parametrize("seed", range(3))
def test_broken_blocks_are_inserted_whole_or_refused(project, seed):
    """A block with things deleted, renamed or replaced by what does not belong, as the hostile project files."""
    text = block_bytes(make_block(project, **FABRIC)).decode()
    dice = random.Random(seed)
    start = empty_project()
    for _ in range(60):
        broken = json.loads(text)
        clip = {"designs": broken["clip"], "parts": broken["clip"]["parts"]}
        broken["clip"] = json.loads(breakage(json.dumps(clip), dice)).get("designs")
        try:
            after = apply(start, insert_block(start, **FABRIC, block=broken))
        except UserError:
            continue
        assert [m.english() for m in check(after)] == []
        assert loads(dumps(after)) == after


def test_the_clipboard_takes_along_notes_frames_pictures_and_parts_named_in_config(project):
    clip = copy_rows(project, **FABRIC, ids=["node", "rack", "frame0", "picture0", "note0"])
    assert (
        set(clip["frames"]) == {"frame0"} and set(clip["pictures"]) == {"picture0"} and set(clip["seats"]) == {"node"}
    )
    assert {"aux-12v2x6-600w", "nvme-m2-960g"} & set(clip["parts"])
    after = apply(project, EDITS["paste"](project, **FABRIC, clip=json.loads(json.dumps(clip)), at_xy=[0, 0]))
    sheet: Sheet = after.designs["main"].sheets["fabric"]
    assert len(after.images) == 1 and sheet.pictures["picture1"].image == sheet.pictures["picture0"].image
    assert set(sheet.frames["frame1"].members) == {"node0", "picture1"}
    assert sheet.seats["node0"].racks == "rack0"
