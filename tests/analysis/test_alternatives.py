"""Alternatives: at least six that differ, the first as asked for, the Pareto front, and as designs of a project."""

from __future__ import annotations

import pytest

from fabricwright.analysis.alternatives import Alternative, add_to, alternatives
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.sizing.requirement import Requirement


@pytest.fixture(scope="module")
def found() -> tuple[Alternative, ...]:
    return alternatives(Requirement(gpus=256, leaf="qm9700"), sizes=(1 << 20, 1 << 30))


def test_six_that_differ(found: tuple[Alternative, ...]) -> None:
    assert len(found) >= 6
    assert [a.id for a in found] == [f"a{n}" for n in range(1, len(found) + 1)]
    rows = [a.to_json() for a in found]
    keys = ("leaf", "spine", "core", "tiers", "planes", "rails", "oversubscription", "nics_per_server")
    assert len({str([row[key] for key in keys]) for row in rows}) == len(rows)
    assert not found[0].differs and found[0].choice.leaf.part == "qm9700"
    assert all(a.figures is not None and not a.figures.findings["error"] for a in found)


def test_figures(found: tuple[Alternative, ...]) -> None:
    row = found[0].to_json()
    assert row["leaf"] == {"part": "qm9700", "count": 8} and row["spine"] == {"part": "qm9700", "count": 4}
    assert row["core"] is None and row["cost"] is None
    assert row["cables"]["node_leaf"] == {"links": 256, "cables": 256}
    assert row["cables"]["spine_core"] is None
    # 32 servers of 8 U and 12 switches of 1 U.
    assert row["rack_units"] == 32 * 8 + 12
    assert len(found[0].all_reduce) == 2 and found[0].all_reduce[0].n_bytes == 1 << 20
    assert 0 < row["worst_failure_ratio"] < 1


def test_front(found: tuple[Alternative, ...]) -> None:
    front = [a for a in found if a.pareto]
    assert front
    slim = min(found, key=lambda a: a.figures.fabric_power_w)
    assert slim.pareto  # nothing else draws as little


def test_becomes_a_design(found: tuple[Alternative, ...]) -> None:
    project = TEMPLATES["single-8gpu"].build()
    after = apply(project, add_to(project, found[1]))
    added = set(after.designs) - set(project.designs)
    assert len(added) == 1
    assert after.designs[added.pop()].order > max(d.order for d in project.designs.values())
    assert "qm9700" in after.parts
