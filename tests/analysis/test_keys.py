"""A cache shared by many states must never show: what it gives equals what is computed afresh."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.reports import finding_rows
from fabricwright.catalog.parts import Part
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project, Statement
from fabricwright.rules.direct import DirectStages


def same_as_fresh(project: Project, design: str, cache: StageCache) -> None:
    """Findings and figures through ``cache`` against those without one."""
    kept, fresh = analyze(project, design, cache=cache), analyze(project, design)
    assert finding_rows(kept) == finding_rows(fresh)
    assert kept.figures() == fresh.figures()
    assert kept.cluster.variant_sheet == fresh.cluster.variant_sheet


def with_figure(project: Project, part: str, figure: str, value: Any) -> Project:
    row: Part = project.parts[part]
    changed = dataclasses.replace(row.figures[figure], value=value)
    row = dataclasses.replace(row, figures=row.figures.put(figure, changed))
    return dataclasses.replace(project, parts=project.parts.put(part, row))


@pytest.fixture(scope="module")
def small() -> Project:
    return TEMPLATES["pcie-4gpu-1nic"].build()


def test_another_reach_of_a_cable_is_seen(small):
    cache = StageCache()
    same_as_fresh(small, "main", cache)
    # The template's splitters are 2 m long: a cable that reaches 1 m is too short (OPT-03).
    short = with_figure(small, "mcp7y10-800g-2x400-q112", "max_m", 1.0)
    assert "OPT-03" in {f.rule for f in analyze(short, "main").findings}
    same_as_fresh(short, "main", cache)


def test_another_figure_of_a_part_that_only_a_statement_names_is_seen(small):
    nic = TEMPLATES["seed-b-512"].build().parts["lres1260pf-2qsfp112"]
    claim = Statement(
        "claim", "800G", quantity="nic.aggregate_gbps", value=800, unit="Gb/s", subject="part:lres1260pf-2qsfp112"
    )
    without = dataclasses.replace(small, statements=small.statements.put("claim", claim))
    cache = StageCache()
    same_as_fresh(without, "main", cache)
    same_as_fresh(dataclasses.replace(without, parts=without.parts.put("lres1260pf-2qsfp112", nic)), "main", cache)


def test_sheets_that_swap_names_between_designs_are_told_apart(small):
    """Design one draws its servers by sheet b = Y; design two by sheet b = X. Only the ids of the sheets differ."""
    main = small.designs["main"]
    full = main.sheets["node"]
    bare = dataclasses.replace(full, items=full.items.drop("gpu3"), look=full.look.drop("gpu3"))
    fabric = main.sheets[main.root]
    node = dataclasses.replace(fabric.items["node"], of="sheet:b")
    fabric = dataclasses.replace(fabric, items=fabric.items.put("node", node))
    names = type(main.sheets)
    one = dataclasses.replace(main, sheets=names({main.root: fabric, "a": full, "b": bare}))
    two = dataclasses.replace(main, sheets=names({main.root: fabric, "b": full, "c": bare}))
    project = dataclasses.replace(small, designs=small.designs.put("main", one).put("two", two))
    cache = StageCache()
    assert analyze(project, "main", cache=cache).figures()["gpus"] == 12
    assert analyze(project, "two", cache=cache).figures()["gpus"] == 16


def test_every_state_of_a_session_is_right_with_the_cache_of_the_earlier_ones():
    project = TEMPLATES["seed-b-512"].build(servers="4", key_nodes="2")
    cache = StageCache()
    same_as_fresh(project, "after", cache)
    where = {"design": "after", "sheet": "node-after"}
    fabric = {"design": "after", "sheet": "fabric"}
    edits = (
        ("set_setting", {"design": "after", "key": "nccl.p2p_level", "value": "SYS"}),
        ("set_config", {**where, "item": "nic8", "key": "mode", "value": "1x400"}),
        ("remove", {**where, "ids": ["rt1"]}),
        ("set_link", {**fabric, "link": "down", "length_m": 300.0}),
        ("rename", {**fabric, "item": "leaf", "name": "l{leaf}"}),
        ("add_exception", {**fabric, "item": "node", "members": "3", "override": {"absent": True}}),
        ("remove_design", {"design": "before"}),
    )
    for name, arguments in edits:
        project = apply(project, EDITS[name](project, **arguments))
        same_as_fresh(project, "after", cache)


def test_seating_and_cables_are_found_again_and_follow_what_decides_them(small):
    cache = StageCache()

    def ran(project: Project) -> dict[str, int]:
        cache.take_counts()
        stages = analyze(project, "main", cache=cache).stages
        seats, cables = stages.seating(), stages.cables()
        counts = cache.take_counts()["ran"]
        direct = DirectStages(project, "main")
        racks = {i: (p.rack.tolist(), p.u.tolist()) for i, p in direct.seating().items()}
        assert {i: (p.rack.tolist(), p.u.tolist()) for i, p in seats.items()} == racks
        assert {i: c.counted() for i, c in cables.items()} == {i: c.counted() for i, c in direct.cables().items()}
        return {stage: counts.get(stage, 0) for stage in ("seating", "cables")}

    def after(name: str, **args: Any) -> Project:
        return apply(small, EDITS[name](small, design="main", **args))

    assert ran(small) == {"seating": 1, "cables": 1}
    assert ran(small) == {"seating": 0, "cables": 0}
    assert ran(after("set_setting", key="acs", value=True)) == {"seating": 0, "cables": 0}
    assert ran(after("set_link", sheet="fabric", link="down", length_m=3.0)) == {"seating": 0, "cables": 1}
    assert ran(after("set_seating", sheet="fabric", item="leaf", racks="rack", u=30)) == {"seating": 1, "cables": 1}
    assert ran(with_figure(small, "mcp7y10-800g-2x400-q112", "orderable_m", (1.5, 2.5)))["cables"] == 1
