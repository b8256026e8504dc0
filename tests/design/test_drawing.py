"""What is only drawn: groups, frames, notes, pictures, alignment; and that none of it touches anything electrical."""

from __future__ import annotations

import base64
import struct
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricwright.design.calls import EditCall
from fabricwright.design.check_values import check
from fabricwright.design.edits import EDITS, run
from fabricwright.design.frames import group_of, rows_in
from fabricwright.design.images import MAX_IMAGE_BYTES, image_bytes, image_of, pixels_of
from fabricwright.design.keys import sheet_key
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps
from fabricwright.units.errors import UserError
from tests.design.strategies import NEW_EDITS, PIXEL, empty_project, png, small_fabric

WHERE = {"design": "main", "sheet": "fabric"}


def edit(project, edit_name, /, **args):
    after = apply(project, EDITS[edit_name](project, **{**WHERE, **args}))
    assert [m.english() for m in check(after)] == []
    return after


def sheet_of(project):
    return project.designs["main"].sheets["fabric"]


@pytest.fixture
def three():
    project = empty_project()
    for n, x in enumerate((0, 70, 300)):
        project = edit(project, "add_item", part="sn4700", item=f"s{n}", xy=[x, 10 * n])
    return project


def places(project):
    return {k: v.xy for k, v in sheet_of(project).look.items()}


BOXES = {"s0": [0, 0, 100, 40], "s1": [70, 10, 60, 60], "s2": [300, 20, 100, 40]}


@pytest.mark.parametrize(
    ("edge", "wanted"),
    [
        ("left", {"s0": (0, 0), "s1": (0, 10), "s2": (0, 20)}),
        ("right", {"s0": (300, 0), "s1": (340, 10), "s2": (300, 20)}),
        ("top", {"s0": (0, 0), "s1": (70, 0), "s2": (300, 0)}),
        ("middle", {"s0": (0, 15), "s1": (70, 5), "s2": (300, 15)}),  # all together 0-70 high: middle 35
    ],
)
def test_align_by_hand(three, edge, wanted):
    assert places(edit(three, "align", ids=["s0", "s1", "s2"], edge=edge, boxes=BOXES)) == wanted


def test_distribute_by_hand(three):
    """0-100, 60 wide, 300-400: 140 are free for two gaps of 70."""
    after = edit(three, "distribute", ids=["s0", "s1", "s2"], axis="x", boxes=BOXES)
    assert places(after) == {"s0": (0, 0), "s1": (170, 10), "s2": (300, 20)}
    after = edit(three, "distribute", ids=["s0", "s1", "s2"], axis="x", gap=10, boxes=BOXES)
    assert places(after) == {"s0": (0, 0), "s1": (110, 10), "s2": (180, 20)}


def test_locked_rows_stay(three):
    locked = edit(three, "lock", ids=["s1"])
    assert places(edit(locked, "align", ids=["s0", "s1"], edge="left", to="s1"))["s1"] == (70, 10)
    assert places(edit(locked, "move", places={"s1": [5, 5], "s0": [5, 5]})) == {
        "s0": (5, 5),
        "s1": (70, 10),
        "s2": (300, 20),
    }
    assert "s1" in places(edit(locked, "tidy")) and "s0" not in places(edit(locked, "tidy"))
    assert dumps(edit(locked, "lock", ids=["s1"], locked=False)) == dumps(three)


def test_stacking(three):
    front = edit(three, "arrange", ids=["s0"], order="front")
    assert sheet_of(front).look["s0"].z == 1
    over = edit(front, "arrange", ids=["s1", "s2"], order="front")
    assert {sheet_of(over).look[k].z for k in ("s1", "s2")} == {2}
    assert sheet_of(edit(over, "arrange", ids=["s2"], order="back")).look["s2"].z == -1


def test_groups_nest_move_as_one_and_dissolve_with_their_last_member(three):
    project = edit(three, "group", ids=["s0", "s1"])
    project = edit(project, "group", ids=["group0", "s2"])
    sheet = sheet_of(project)
    assert group_of(sheet, "s0") == "group1" and group_of(sheet, "s0", "group1") == "group0"
    assert rows_in(sheet, "group1") == ["group1", "group0", "s2", "s0", "s1"]
    moved = edit(project, "align", ids=["group0", "s2"], edge="right", boxes={**BOXES, "s2": [500, 20, 100, 40]})
    assert places(moved)["s1"][0] - places(moved)["s0"][0] == 70  # both by the same way
    with pytest.raises(UserError, match="group already"):
        edit(project, "group", ids=["s0", "s1"])
    assert set(sheet_of(edit(project, "remove", ids=["s0", "s1"])).frames) == {"group1"}
    assert not sheet_of(edit(project, "remove", ids=["group1"])).items  # a group goes with what is in it
    flat = edit(project, "ungroup", frame="group0")
    assert sheet_of(flat).frames["group1"].members == ("s2", "s0", "s1")
    with pytest.raises(UserError, match="holds the frame"):
        edit(project, "set_frame", frame="group0", ids=["group1"])


def test_a_frame_goes_around_things_or_stands_where_it_is_put(three):
    project = edit(three, "add_frame", title="Pod A", ids=["s0", "s1"], colour="blue")
    project = edit(project, "add_frame", title="Room", xy=[-50, -50], wh=[800, 400])
    project = edit(project, "remove", ids=["s0", "s1"])
    assert set(sheet_of(project).frames) == {"frame1"}
    assert sheet_of(edit(project, "move", places={"frame1": [0, 0]})).frames["frame1"].xy == (0, 0)
    assert sheet_of(edit(project, "remove", ids=["frame1"])).frames == {}
    with pytest.raises(UserError, match="place and a size"):
        edit(three, "add_frame", title="x")


def test_notes(three):
    project = edit(three, "add_note", text="hello", xy=[1, 2])
    project = edit(project, "move", places={"note0": [3, 4]})
    assert sheet_of(project).notes["note0"].xy == (3, 4) and "note0" not in sheet_of(project).look
    assert sheet_of(edit(project, "set_note", note="note0", text="bye")).notes["note0"].text == "bye"
    assert dumps(edit(project, "set_note", note="note0", text=" ")) == dumps(three)


def test_a_picture_is_stored_once_and_goes_with_its_last_use(three):
    project = edit(three, "add_picture", data=PIXEL)
    project = edit(project, "add_picture", data=PIXEL, xy=[50, 50], wh=[10, 10])
    assert len(project.images) == 1 and len(sheet_of(project).pictures) == 2
    project = edit(project, "remove", ids=["picture0"])
    assert len(project.images) == 1
    assert dumps(edit(project, "remove", ids=["picture1"])) == dumps(three)


def test_nothing_of_it_changes_what_is_computed():
    project = small_fabric()
    before = sheet_key(project, project.designs["main"], "fabric")
    for name, args in (
        ("add_picture", {"data": PIXEL}),
        ("add_frame", {"ids": ["node"], "title": "x"}),
        ("group", {"ids": ["rack", "nrack"]}),
        ("lock", {"ids": ["node"]}),
        ("arrange", {"ids": ["node"], "order": "front"}),
    ):
        project = edit(project, name, **args)
    assert sheet_key(project, project.designs["main"], "fabric") == before


def test_repeat_counts_names_and_takes_the_links_between(three):
    project = edit(three, "rename", item="s0", name="spine-09")
    project = edit(project, "connect", a="s0:1", b="s1:1")
    after = edit(project, "repeat", ids=["s0", "s1"], times=3, offset=[0, 100])
    sheet = sheet_of(after)
    assert [sheet.items[k].name for k in ("s3", "s5", "s7")] == ["spine-10", "spine-11", "spine-12"]
    assert len(sheet.links) == 4 and sheet.look["s7"].xy == (0, 300)
    with pytest.raises(UserError, match="whole number"):
        edit(project, "repeat", ids=["s0"], times=0)


def test_repeat_fills_the_slots_it_is_given():
    project = small_fabric()
    where = {"design": "main", "sheet": "node-variant"}
    project = edit(project, "add_item", **where, part="lr-cxl-generic", item="cxl0")
    after = edit(project, "repeat", **where, ids=["cxl0"], times=2, slots=["chassis:u2-4"])
    items = after.designs["main"].sheets["node-variant"].items
    assert items["cxl1"].seat is None and items["cxl2"].seat is None  # the first one has no slot to count on from


# -- images ------------------------------------------------------------------------------------------------------------


def test_a_png_loses_its_metadata():
    row = image_of(png(3, 2, (b"tEXt", b"Author\0me"), (b"iCCP", b"x" * 50)))
    assert image_bytes(row) == png(3, 2) and (pixels_of(row).width, pixels_of(row).height) == (3, 2)


def jpeg(width=4, height=2, *more):
    size = struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00"
    parts = [(0xE0, b"JFIF\0"), *more, (0xC0, size), (0xDA, b"\x01\x01\x00\x00\x3f\x00")]
    return b"\xff\xd8" + b"".join(struct.pack(">BBH", 255, k, len(d) + 2) + d for k, d in parts) + b"\x00\xff\xd9"


def test_a_jpeg_loses_its_metadata():
    row = image_of(jpeg(4, 2, (0xE1, b"Exif\0\0where it was taken"), (0xFE, b"comment")))
    assert image_bytes(row) == jpeg(4, 2) and (pixels_of(row).width, pixels_of(row).height) == (4, 2)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "neither PNG nor JPEG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "neither PNG nor JPEG"),
        (png()[:-8], "damaged"),
        (png().replace(b"IDAT", b"IDAX"), "damaged"),
        (png(1, 1, (b"zTXt", b"x" * (MAX_IMAGE_BYTES * 9))), "KB"),
        (jpeg(4, 2, (0xC0, b"\x08\x00\x09\x00\x09\x01\x01\x11\x00")), "damaged"),
        (jpeg(65535, 65535), "pixels"),
        (jpeg()[:-2], "damaged"),
    ],
)
def test_what_is_no_harmless_picture_is_refused(three, data, said):
    with pytest.raises(UserError, match=said):
        edit(three, "add_picture", data=base64.b64encode(data).decode())


def test_a_picture_of_a_million_pixels_a_side_is_refused_unread():
    head = struct.pack(">IIBBBBB", 1_000_000, 1_000_000, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"")), (b"IEND", b"")]
    packed = [struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks]
    with pytest.raises(UserError, match="at most 4096"):
        image_of(b"\x89PNG\r\n\x1a\n" + b"".join(packed))


# -- arguments ---------------------------------------------------------------------------------------------------------

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=True),
    st.text(max_size=6),
    st.sampled_from(["node", "leaf", "0-3", "fabric", "node:compute", "../x", "A b"]),
    st.lists(st.one_of(st.integers(), st.text(max_size=3), st.none()), max_size=4),
    st.dictionaries(st.text(max_size=4), st.one_of(st.none(), st.integers(), st.text(max_size=3)), max_size=3),
)
ARGUMENTS = (
    *("ids", "item", "members", "xy", "wh", "edge", "axis", "order", "times", "offset", "title", "text", "note"),
    *("frame", "picture", "data", "image", "calls", "changes", "old", "new", "places", "boxes", "slots", "locked"),
    *("apart", "variant", "gap", "to", "colour", "label", "block", "clip", "at_xy", "parts"),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted({*NEW_EDITS, "insert_block", "paste", "move"})), st.data())
def test_junk_is_answered_with_one_sentence(name, data):
    """Half of the arguments right by name, all wrong by value: a UserError or a sound project."""
    import inspect

    known = [a for a in inspect.signature(EDITS[name]).parameters if a in ARGUMENTS]
    args = {a: data.draw(JUNK, label=a) for a in known if data.draw(st.integers(0, 3)) < 3}
    if "design" in inspect.signature(EDITS[name]).parameters:
        args["design"] = data.draw(st.sampled_from(["main", "main", "nope"]))
    if "sheet" in inspect.signature(EDITS[name]).parameters:
        args["sheet"] = data.draw(st.sampled_from(["fabric", "fabric", "node", "nope"]))
    project = small_fabric()
    try:
        patch = run(project, EditCall(name, args))
    except UserError:
        return
    assert [m.english() for m in check(apply(project, patch))] == []
