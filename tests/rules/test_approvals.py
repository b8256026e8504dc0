"""Approvals through edits: what is approved stays so while the drawing is worked on, and returns when it gets worse."""

from __future__ import annotations

import pytest

from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps, loads
from fabricwright.design.values import Export, Link, Project, Sheet
from fabricwright.rules.approvals import Judged, judge
from fabricwright.rules.run import run_rules
from fabricwright.units.table import Table
from tests.rules.drawing import card, context, deal, fabric, group


def drawn() -> Project:
    """Eight servers whose NIC is in an x8 slot of socket 1, with two GPUs on socket 0."""
    items = {"nic0": card("mcx715105as-weat", "chassis:n2")}
    items |= {f"gpu{n}": card("l40s", f"chassis:g{n + 1}", aux="aux-12v2x6-600w") for n in range(2)}
    node = Sheet(
        "server",
        chassis="generic-2s-4u8g",
        items=Table(items),
        exports=Table({"compute": Export(("nic0:1",), (("port", 1),))}),
    )
    links = {"down": Link("node:compute", "leaf:1-32/1", deal())}
    return fabric({"node": group("sheet:node", node=8), "leaf": group("sn5600")}, links, {"node": node})


def edit(project: Project, name: str, **args: object) -> Project:
    return apply(project, run(project, EditCall(name, args)))


def judged(project: Project) -> list[Judged]:
    return [j for j in judge(project, run_rules(context(project))) if j.finding.severity != "fact"]


def open_rules(project: Project) -> set[str]:
    """Rules with a finding that nobody approved, or that outgrew its approval."""
    return {j.finding.rule for j in judged(project) if not j.approval}


@pytest.fixture(scope="module")
def approved() -> Project:
    project = drawn()
    for entry in judged(project):
        found = entry.finding
        project = edit(
            project,
            "approve",
            key=found.key,
            reason="known",
            author="architect",
            date="2026-01-01",
            members=str(found.members),
            measured=found.measured,
        )
    return project


def test_the_drawing_has_what_is_approved(approved: Project) -> None:
    assert {j.finding.rule for j in judged(approved)} >= {"LAN-04", "NIC-04", "P2P-01", "P2P-08"}
    assert open_rules(approved) == set()


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("rename", {"sheet": "fabric", "item": "node", "name": "trainer"}),
        ("rename", {"sheet": "node", "item": "nic0", "name": "hca"}),
        ("rename", {"sheet": "fabric", "item": "leaf", "name": "tor"}),
        ("set_count", {"sheet": "fabric", "item": "node", "count": 5}),
        ("detach", {"sheet": "fabric", "item": "node", "members": "3"}),
        ("retitle", {"title": "Another title"}),
    ],
)
def test_edits_that_leave_approvals_alone(approved: Project, name: str, args: dict[str, object]) -> None:
    patch = run(approved, EditCall(name, {"design": "main", **args}))
    after = apply(approved, patch)
    assert open_rules(after) == set()
    assert open_rules(loads(dumps(after))) == set()
    assert dumps(apply(after, patch.inverse())) == dumps(approved)


def test_a_new_member_brings_it_back(approved: Project) -> None:
    grown = edit(approved, "set_count", design="main", sheet="fabric", item="node", count=9)
    back = {j.finding.rule for j in judged(grown) if j.lapsed}
    assert back >= {"LAN-04", "NIC-04", "P2P-01", "P2P-08"}


def test_a_worse_value_brings_it_back(approved: Project) -> None:
    worse = edit(approved, "add_item", design="main", sheet="node", part="l40s", item="gpu2", seat="chassis:g3")
    assert "P2P-08" in {j.finding.rule for j in judged(worse) if j.lapsed}  # 3/0 instead of 2/0
