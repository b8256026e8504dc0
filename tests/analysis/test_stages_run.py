"""One edit re-checks only what it touches: which stages run after typical edits, on the cache of the state before.

What a rule may read is what it declares, so the rules that may run after an edit follow from the book; nothing else
may.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.rules.registry import all_rules

FABRIC = {"design": "main", "sheet": "fabric"}
NODE = {"design": "main", "sheet": "node"}
NETWORK = {"wiring", "fabric", "seating", "cables"}


@pytest.fixture(scope="module")
def project() -> Project:
    """Eight servers of seed A, one of them on a sheet of its own."""
    made = TEMPLATES["seed-a-256x8"].build(servers="8")
    return apply(made, EDITS["make_variant"](made, **FABRIC, item="node", members="3", variant="node-b"))


@cache
def warm(project: Project) -> StageCache:
    """Everything that is known before the edit."""
    kept = StageCache()
    before = analyze(project, "main", cache=kept)
    before.figures()
    before.stages.findings()
    return kept


def ran(project: Project, name: str, /, **args: Any) -> dict[str, int]:
    """Stage -> runs after one edit, beyond those of the state before it."""
    kept = StageCache()
    kept._rows.update(warm(project)._rows)
    patch = EDITS[name](project, **args)
    assert patch, "the edit changes nothing"
    after = analyze(apply(project, patch), "main", cache=kept)
    after.figures()
    after.stages.findings()
    return kept.take_counts()["ran"]


def rules_of(counts: dict[str, int]) -> set[str]:
    return {stage[5:] for stage in counts if stage.startswith("rule ")}


def stages_of(counts: dict[str, int]) -> set[str]:
    return {stage for stage in counts if not stage.startswith("rule ")}


def that_need(*needs: str, scope: str = "") -> set[str]:
    return {r.id for r in all_rules().values() if r.needs & set(needs) and scope in ("", r.scope)}


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("rename", {**FABRIC, "item": "leaf", "name": "l{leaf}"}),
        ("rename", {**FABRIC, "item": "down", "name": "cables"}),
        ("rename", {**NODE, "item": "gpu0", "name": "first"}),
        ("retitle", {"title": "Another"}),
        ("retitle", {**NODE, "title": "Another"}),
        ("move", {**FABRIC, "places": {"leaf": [5, 5]}}),
        ("move", {**NODE, "places": {"gpu0": [5, 5]}}),
        ("set_look", {**FABRIC, "item": "leaf", "open": True}),
        ("lock", {**FABRIC, "ids": ["leaf"]}),
        ("arrange", {**FABRIC, "ids": ["leaf"], "order": "front"}),
        ("add_note", {**FABRIC, "text": "Pod"}),
        ("add_frame", {**FABRIC, "title": "Pod", "ids": ["leaf"]}),
        ("group", {**FABRIC, "ids": ["leaf", "spine"]}),
        ("set_meta", {"key": "author", "value": "a"}),
        ("approve", {"key": "MEC-01|main|node/nic0", "reason": "agreed", "author": "a", "date": "2026-01-01"}),
        ("set_profile", {"name": "site", "values": {}}),
    ],
)
def test_names_drawing_and_approvals_run_nothing(project, name, args):
    assert ran(project, name, **args) == {}


def test_what_is_stated_in_one_server_runs_its_own_rules_and_no_network_rule(project):
    counts = ran(project, "set_config", **{**NODE, "sheet": "node-b"}, item="gpu0", key="mig", value="7x1g")
    assert stages_of(counts) <= {"interior", "cluster"}
    assert counts["interior"] == 1  # the other sheet's is found again
    servers = that_need("effective", "interior")
    assert rules_of(counts) <= servers
    assert rules_of(counts) >= that_need("effective", "interior", scope="server")
    assert not rules_of(counts) & (that_need(*NETWORK, "root") - servers)
    for rule in all_rules().values():
        if rule.scope == "server" and rule.id in rules_of(counts):
            assert counts[f"rule {rule.id}"] == 1, rule.id  # for the server that changed, not for the other seven


def test_the_sheet_a_variant_is_based_on_takes_the_variant_along(project):
    counts = ran(project, "set_config", **NODE, item="gpu0", key="mig", value="7x1g")
    assert counts["interior"] == 2
    assert stages_of(counts) <= {"interior", "cluster"}


def test_the_length_of_a_link_of_the_fabric_runs_no_rule_about_the_inside_of_servers(project):
    counts = ran(project, "set_link", **FABRIC, link="down", length_m=7.5)
    assert stages_of(counts) <= {"wiring", "cables", "fabric", "cluster"}
    assert counts.get("wiring", 0) <= 1 and counts.get("cables", 0) <= 1
    allowed = that_need(*NETWORK, "root") | that_need("effective", "interior", scope="design")
    assert rules_of(counts) <= allowed
    inside = {r.id for r in all_rules().values() if r.scope == "server" and not r.needs & {*NETWORK, "root"}}
    assert inside and not rules_of(counts) & inside


@pytest.mark.parametrize(("key", "value"), [("qos", "on"), ("ecmp.mode", "spray"), ("nccl.p2p_level", "SYS")])
def test_a_setting_runs_the_rules_that_read_settings(project, key, value):
    counts = ran(project, "set_setting", design="main", key=key, value=value)
    assert rules_of(counts) == that_need("settings", "interior", "designs")
    assert stages_of(counts) <= {"interior", "cluster"}
    assert ("interior" in counts) == key.startswith("nccl.")


def test_the_choice_of_a_workload_runs_what_reads_settings_or_the_workload(project):
    counts = ran(project, "set_setting", design="main", key="workload", value="175b")
    assert rules_of(counts) == that_need("settings", "interior", "designs", "workload")
    assert stages_of(counts) <= {"cluster"}


def test_a_statement_runs_the_rules_about_statements(project):
    counts = ran(project, "set_statement", quantity="cluster.gpus", value=4000, kind="claim")
    assert rules_of(counts) == that_need("statements", "workload", "designs")
    assert stages_of(counts) == set()


def test_another_number_of_servers_leaves_their_insides_alone(project):
    counts = ran(project, "set_count", **FABRIC, item="spine", count=20)
    assert "interior" not in counts
    inside = {r.id for r in all_rules().values() if r.scope == "server" and not r.needs & {*NETWORK, "root"}}
    assert not rules_of(counts) & inside


def test_undo_and_redo_find_everything_again(project):
    kept = StageCache()
    patch = EDITS["set_link"](project, **FABRIC, link="down", length_m=7.5)
    changed = apply(project, patch)
    for state in (project, changed):
        analyze(state, "main", cache=kept).stages.findings()
    kept.take_counts()
    for state in (apply(changed, patch.inverse()), apply(project, patch)):
        analyze(state, "main", cache=kept).stages.findings()
    assert kept.take_counts()["ran"] == {}


def test_a_state_read_from_its_file_is_found_again(project):
    """Keys are of content, not of objects: what was computed before a save holds after the load."""
    from fabricwright.design.storage import dumps, loads

    kept = StageCache()
    analyze(project, "main", cache=kept).stages.findings()
    kept.take_counts()
    analyze(dataclasses.replace(loads(dumps(project), "a.fwproj")), "main", cache=kept).stages.findings()
    assert kept.take_counts()["ran"] == {}
