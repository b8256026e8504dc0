"""The compute fabrics that NVIDIA publishes, row by row: leafs, spines, cores, links and physical cables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fabricwright.sizing.choices import size
from fabricwright.sizing.draw import draw
from fabricwright.sizing.requirement import Requirement
from fabricwright.topology.fabric import compile_fabric

DATA = json.loads((Path(__file__).parents[1] / "data" / "reference-fabrics.json").read_text())
ROWS: list[dict[str, Any]] = DATA["rows"]
SERVERS = {"sp_h100": "dgx-h100", "sp_b200": "dgx-b200", "sp_b300": "dgx-b300"}
LEAFS = {64: "qm9700", 128: "sn5600"}


def test_all_official_rows_are_here() -> None:
    assert len(ROWS) == 15


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["id"]))
@pytest.mark.parametrize("named", [True, False], ids=["switch named", "switch chosen"])
def test_row(row: dict[str, Any], named: bool) -> None:
    switch = LEAFS[row["switch_radix"]] if named else ""
    wanted = Requirement(
        gpus=row["gpus"],
        server=SERVERS[row["src"]],
        leaf=switch,
        spine=switch,
        core=switch,
        planes=row["planes"] if named else 0,
        ufm_links=row["node_leaf"]["ufm_links"],
    )
    choice = size(wanted)[0]
    clos, planes = choice.clos, choice.planes
    assert (choice.leaf.part, planes) == (LEAFS[row["switch_radix"]], row["planes"])
    assert choice.servers == row["nodes"]
    assert clos.leafs * planes == row["leaf"]
    assert clos.spine_count * planes == row["spine"]
    assert (clos.core_count * planes or None) == row["core"]
    drawn = draw(choice)
    for pair in ("node_leaf", "leaf_spine", "spine_core"):
        published = row[pair]
        if published is None:
            assert pair not in choice.links and drawn.cables[pair] is None
        else:
            assert choice.links[pair] == published["links"]
            assert drawn.cables[pair] == published["cables"]


@pytest.mark.parametrize("row", [r for r in ROWS if r["nodes"] <= 512], ids=lambda row: str(row["id"]))
def test_what_is_drawn_is_what_was_counted(row: dict[str, Any]) -> None:
    choice = size(Requirement(gpus=row["gpus"], server=SERVERS[row["src"]], ufm_links=row["node_leaf"]["ufm_links"]))[0]
    drawn = draw(choice)
    fabric = compile_fabric(drawn.project, drawn.design)
    there = fabric.switch & ~fabric.absent
    tiers = [int(np.count_nonzero(fabric.tier[there] == tier)) for tier in (1, 2, 3)]
    assert tiers == [row["leaf"], row["spine"], row["core"] or 0]
    links = sum(r["links"] for r in (row["node_leaf"], row["leaf_spine"], row["spine_core"]) if r is not None)
    assert int(np.count_nonzero(fabric.rate > 0)) == links
    live = fabric.rate > 0
    ports = np.bincount(np.concatenate((fabric.a_dev[live], fabric.b_dev[live])), minlength=len(fabric.switch))[there]
    assert ports.max() <= row["switch_radix"]
