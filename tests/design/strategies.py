"""Random projects and random edits, for properties that must hold for all of them."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from fabricwright.design.calls import EditCall
from fabricwright.design.edits import EDITS, copy_rows
from fabricwright.design.patch import Patch, apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Design, Project, Sheet
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table

FABRIC_PARTS = ["generic-64x400", "dgx-h100", "sn4700", "rack-48u-40kw", "qm9700"]
SERVER_PARTS = [
    "lres1260pf-2qsfp112",
    "lrsv9500-4i",
    "lrsv9560-2i",
    "h100-pcie-80gb",
    "lr-cxl-generic",
    "ext-gpu-box-2",
]
SLOTS = ["chassis:s1", "chassis:s3", "chassis:slota", "chassis:slotb", "chassis:bay1", "chassis:nowhere", "ext0:g1"]


def empty_project() -> Project:
    """One design with one empty fabric sheet."""
    return Project("Test", designs=Table({"main": Design("", "fabric", (), Table({"fabric": Sheet("fabric")}))}))


@lru_cache(maxsize=1)
def small_fabric() -> Project:
    """Eight cabled servers of seed A: groups, bundles of every wiring, racks, approvals, statements, a frame."""
    project = TEMPLATES["seed-a-256x8"].build(servers="8")
    where = {"design": "main", "sheet": "fabric"}
    for name, args in (
        ("make_variant", {"item": "node", "members": "3"}),
        ("move_cable", {"link": "down", "row": 2, "b": "leaf[1]:3/2"}),
        ("move_cable", {"link": "up", "row": 5, "b": "spine[3]:60"}),
        ("group", {"ids": ["leaf", "spine"]}),
        ("add_note", {"text": "Pod"}),
    ):
        project = apply(project, EDITS[name](project, **where, **args))
    for key, members in (("MEC-01|main|node/nic0", "0-5"), ("FAB-03|main|leaf", "1"), ("FAB-07|main|down", "")):
        args = {"key": key, "members": members, "reason": "agreed", "author": "a", "date": "2026-01-01"}
        project = apply(project, EDITS["approve"](project, **args))
    return project


def _pick(draw: Any, options: list[Any], default: Any) -> Any:
    return draw(st.sampled_from(options)) if options else default


NEW_EDITS = (
    *("detach", "detach", "make_variant", "duplicate", "repeat", "align", "distribute", "arrange", "lock", "tidy"),
    *("group", "group", "ungroup", "add_frame", "set_frame", "add_note", "set_note", "add_picture", "set_picture"),
    *("together", "set_count", "replace_everywhere", "replace_everywhere"),
)


def png(width: int = 1, height: int = 1, *more: tuple[bytes, bytes]) -> bytes:
    """A red PNG; ``more`` chunks go before the pixels."""
    rows = b"".join(b"\0" + b"\xff\0\0" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), *more, (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    packed = [struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


PIXEL = base64.b64encode(png()).decode()


def _some(draw: Any, options: list[str]) -> list[str]:
    return draw(st.lists(st.sampled_from(options), max_size=4, unique=True)) if options else []


SWAPS = [
    ("generic-64x400", "sn4700"),
    ("sn4700", "qm9700"),
    ("dgx-h100", "cabled-4u8g"),
    ("cabled-4u8g", "dgx-h100"),
    ("lres1260pf-2qsfp112", "cx7-ndr400-osfp"),
    ("lrsv9500-4i", "lrsv9500-4i"),
    ("aoc-400g", "aoc-400g-qdd-2x200-q56"),
    ("h100-pcie-80gb", "generic-64x400"),
    ("ext-gpu-box-2", "nothing-like-that"),
]


def draw_new(draw: Any, name: str, row: Sheet, where: dict[str, str]) -> dict[str, Any]:
    """Arguments of edits of groups, of the drawing, and of several things at once."""
    items = sorted(row.items)
    drawn = sorted({*row.items, *row.links, *row.notes, *row.frames, *row.pictures})
    item = _pick(draw, items, "node0")
    ids = _some(draw, drawn)
    xy = [draw(st.integers(-500, 500)), draw(st.integers(-500, 500))]
    place = draw(st.sampled_from([{}, {"xy": xy, "wh": [200, 100]}, {"xy": xy}]))
    args: dict[str, Any] = {
        "detach": {"item": item, "members": draw(st.sampled_from(["0", "1", "0-1", "2,4", "3-9"]))},
        "make_variant": {"item": item, "members": draw(st.sampled_from(["0", "1-2"]))},
        "duplicate": {"ids": ids},
        "repeat": {"ids": ids, "times": draw(st.integers(0, 3)), "offset": xy},
        "align": {"ids": ids, "edge": draw(st.sampled_from(["left", "middle", "up"]))},
        "distribute": {"ids": ids, "axis": draw(st.sampled_from("xy")), "gap": draw(st.sampled_from([None, 10]))},
        "arrange": {"ids": ids, "order": draw(st.sampled_from(["front", "back", "forward", "backward"]))},
        "lock": {"ids": ids, "locked": draw(st.booleans())},
        "tidy": {"ids": ids},
        "group": {"ids": ids},
        "ungroup": {"frame": _pick(draw, sorted(row.frames), "group0")},
        "add_frame": {"title": "Pod", "ids": ids, **place},
        "set_frame": {"frame": _pick(draw, sorted(row.frames), "frame0"), "ids": ids},
        "add_note": {"text": draw(st.text(max_size=8)), "xy": xy},
        "set_note": {"note": _pick(draw, sorted(row.notes), "note0"), "text": draw(st.sampled_from(["", "x"]))},
        "add_picture": {"data": PIXEL, "xy": xy},
        "set_picture": {"picture": _pick(draw, sorted(row.pictures), "picture0"), "xy": xy},
        "set_count": {"item": item, "count": draw(st.integers(2, 12))},
    }.get(name, {})
    if name == "make_variant" and draw(st.booleans()):
        args["changes"] = [["add_item", {"part": draw(st.sampled_from(SERVER_PARTS))}]]
    if name == "replace_everywhere":
        old, new = draw(st.sampled_from(SWAPS))
        return {"old": old, "new": new, "design": draw(st.sampled_from(["*", where["design"]]))}
    if name == "together":
        return {
            "calls": [
                ["set_count", {**where, "item": item, "count": 4}],
                ["rename", {**where, "item": item, "name": "x"}],
            ]
        }
    return {**where, **args}


def draw_edit(draw: Any, project: Project) -> tuple[str, dict[str, Any]]:
    """Name and arguments of an edit that may or may not apply."""
    design = draw(st.sampled_from(sorted(project.designs)))
    sheet = draw(st.sampled_from(sorted(project.designs[design].sheets)))
    row = project.designs[design].sheets[sheet]
    items, links = sorted(row.items), sorted(row.links)
    where = {"design": design, "sheet": sheet}
    name = draw(
        st.sampled_from(
            [
                "add_item",
                "add_item",
                "add_item",
                "remove",
                "move",
                "seat",
                "connect",
                "set_link",
                "set_config",
                "set_count",
                "rename",
                "add_exception",
                "copy_design",
                "remove_design",
                "set_setting",
                "paste",
                "replace_part",
                "set_axes",
                "retitle",
                "move_cable",
                "approve",
                *NEW_EDITS,
            ]
        )
    )
    item = _pick(draw, items, "node0")
    if name in NEW_EDITS:
        return name, draw_new(draw, name, row, where)
    xy = [draw(st.integers(-500, 500)), draw(st.integers(-500, 500))]
    if name == "add_item":
        parts = FABRIC_PARTS if row.kind == "fabric" else SERVER_PARTS
        args: dict[str, Any] = {**where, "part": draw(st.sampled_from(parts)), "xy": xy}
        if row.kind == "server" and draw(st.booleans()):
            args |= {"seat": draw(st.sampled_from(SLOTS)), "forced": draw(st.booleans())}
        return name, args
    if name == "remove":
        drawn = sorted({*row.notes, *row.frames, *row.pictures})
        return name, {**where, "ids": [_pick(draw, items + links + drawn, "node0")]}
    if name == "move":
        return name, {**where, "places": {item: xy}}
    if name == "seat":
        return name, {
            **where,
            "item": item,
            "slot": draw(st.sampled_from([*SLOTS, None])),
            "forced": draw(st.booleans()),
        }
    if name == "connect":
        other = _pick(draw, items, "leaf0")
        return name, {**where, "a": f"{item}:1", "b": f"{other}:{draw(st.integers(2, 9))}"}
    if name == "set_link":
        return name, {
            **where,
            "link": _pick(draw, links, "link0"),
            "length_m": draw(st.sampled_from([None, 1, 2.5, -1])),
        }
    if name == "move_cable":
        return name, {
            **where,
            "link": _pick(draw, links, "link0"),
            "row": draw(st.integers(0, 3)),
            "cut": draw(st.booleans()),
        }
    if name == "set_config":
        return name, {**where, "item": item, "key": "mode", "value": draw(st.sampled_from(["2x16", "4x8", None]))}
    if name == "set_count":
        return name, {**where, "item": item, "count": draw(st.integers(-1, 40))}
    if name == "set_axes":
        return name, {
            **where,
            "item": item,
            "axes": [["su", draw(st.integers(1, 4))], ["node", draw(st.integers(1, 8))]],
        }
    if name == "rename":
        return name, {**where, "item": item, "name": draw(st.text(max_size=8))}
    if name == "retitle":
        return name, {"title": draw(st.text(max_size=8)), **(where if draw(st.booleans()) else {})}
    if name == "replace_part":
        return name, {**where, "item": item, "part": draw(st.sampled_from(FABRIC_PARTS + SERVER_PARTS))}
    if name == "add_exception":
        return name, {
            **where,
            "item": item,
            "members": "0",
            "override": draw(st.sampled_from([{"absent": True}, None])),
        }
    if name == "set_setting":
        return name, {"design": design, "key": "mtu", "value": draw(st.sampled_from([9000, 1500, None]))}
    if name == "approve":
        return name, {"key": f"MEC-01|{design}|{item}", "reason": "agreed", "author": "a", "date": "2026-01-01"}
    if name == "paste":
        return name, {**where, "clip": copy_rows(project, design=design, sheet=sheet, ids=items[:3]), "at_xy": xy}
    return name, {"design": design}


@st.composite
def edited_projects(
    draw: Any, max_edits: int = 8, starts: Sequence[Any] = (empty_project,)
) -> tuple[Project, list[Patch], Project]:
    """(start, patches, end) of a random editing session; edits that do not apply are skipped."""
    start = draw(st.sampled_from(starts))()
    project = start
    patches: list[Patch] = []
    for _ in range(draw(st.integers(0, max_edits))):
        name, args = draw_edit(draw, project)
        try:
            patch = EDITS[name](project, **args)
        except UserError:
            continue
        if patch:
            project = apply(project, patch)
            patches.append(patch)
    return start, patches, project


__all__ = ["EditCall", "draw_edit", "edited_projects", "empty_project"]
