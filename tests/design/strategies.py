"""Random projects and random edits, for properties that must hold for all of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from fabricwright.design.calls import EditCall
from fabricwright.design.edits import EDITS, copy_rows
from fabricwright.design.patch import Patch, apply
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


def _pick(draw: Any, options: list[Any], default: Any) -> Any:
    return draw(st.sampled_from(options)) if options else default


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
            ]
        )
    )
    item = _pick(draw, items, "node0")
    xy = [draw(st.integers(-500, 500)), draw(st.integers(-500, 500))]
    if name == "add_item":
        parts = FABRIC_PARTS if row.kind == "fabric" else SERVER_PARTS
        args: dict[str, Any] = {**where, "part": draw(st.sampled_from(parts)), "xy": xy}
        if row.kind == "server" and draw(st.booleans()):
            args |= {"seat": draw(st.sampled_from(SLOTS)), "forced": draw(st.booleans())}
        return name, args
    if name == "remove":
        return name, {**where, "ids": [_pick(draw, items + links, "node0")]}
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
def edited_projects(draw: Any, max_edits: int = 8) -> tuple[Project, list[Patch], Project]:
    """(start, patches, end) of a random editing session; edits that do not apply are skipped."""
    start = empty_project()
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
