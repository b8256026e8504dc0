"""Statements: how values and subjects are read, whom they reach, and what a change of them checks again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.stages import CachedStages
from fabricwright.catalog.parts import Part
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.quantities import KINDS, QUANTITIES
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Design, Link, Project, Sheet, Statement, Workload
from fabricwright.rules.registry import all_rules
from fabricwright.rules.run import run_rule
from fabricwright.rules.statements import held, meant, number, numbers
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, claim, context, deal, fabric, fired, group, one_nic, server, slot
from tests.rules.pcie_parts import nic_part


@pytest.mark.parametrize(
    ("value", "single", "several"),
    [
        (512, 512.0, (512.0,)),
        ("1,016", 1016.0, (1016.0,)),
        ("30, 21", None, (30.0, 21.0)),
        ("96..128", None, (96.0, 128.0)),
        ("1e-12", 1e-12, (1e-12,)),
        (True, None, ()),
        ("many", None, ()),
        ("1e999", None, ()),
        (10**400, None, ()),
        (None, None, ()),
    ],
)
def test_values(value: object, single: float | None, several: tuple[float, ...]) -> None:
    assert number(value) == single
    assert numbers(value) == several


def two_groups(*said: Statement) -> Project:
    sheets = {"node": Sheet("server", chassis="dgx-h100"), "old": Sheet("server", chassis="dgx-a100")}
    return fabric({"node": group("sheet:node", node=4), "old": group("sheet:old", old=2)}, {}, sheets, said)


@pytest.mark.parametrize(
    ("subject", "reached"),
    [
        ("", {("node", "0-3", ""), ("old", "0-1", "")}),
        ("design:main", {("node", "0-3", ""), ("old", "0-1", "")}),
        ("main!", {("node", "0-3", ""), ("old", "0-1", "")}),
        ("document:RFP", {("node", "0-3", ""), ("old", "0-1", "")}),
        ("node", {("node", "0-3", "")}),
        ("node[1-2]", {("node", "1-2", "")}),
        ("node[node=3]", {("node", "3", "")}),
        ("main!node/gpu0", {("node", "0-3", "gpu0")}),
        ("node[0]/gpu0", {("node", "0", "gpu0")}),
        ("part:dgx-h100", set()),  # the chassis is no item of the sheet
        ("node/gpu99", set()),
        ("ghost", set()),
        ("other!node", set()),
        ("design:other", set()),
        ("node[[", set()),
    ],
)
def test_whom_a_subject_reaches(subject: str, reached: set[tuple[str, str, str]]) -> None:
    seen = context(two_groups(claim("cluster.gpus", 8, subject)))
    found = {
        (place.variant.item, str(place.members), place.item)
        for statement in held(seen.project, "cluster.gpus")
        for place in meant(seen, statement)
    }
    assert found == reached


def test_a_part_is_reached_wherever_it_is_used() -> None:
    seen = context(two_groups(claim("gpu.memory_gb", 80, "part:h100-sxm5-80gb")))
    (statement,) = held(seen.project, "gpu.memory_gb")
    assert {(p.variant.item, p.item) for p in meant(seen, statement)} == {("node", f"gpu{n}") for n in range(8)}


def test_every_quantity_has_a_label_and_rules_that_exist_or_are_to_come() -> None:
    for name, quantity in QUANTITIES.items():
        assert quantity.kind in KINDS, name
        assert quantity.label.strip(), name
        assert quantity.help.strip(), name
        assert set(quantity.rules) <= set(all_rules()), name


def test_the_edit_completes_units_and_refuses_other_kinds() -> None:
    project = server("dgx-h100", {})
    add = EDITS["set_statement"]
    changed = apply(project, add(project, kind="target", text="8", quantity="cluster.gpus", value=8, subject="node"))
    (row,) = changed.statements.values()
    assert row.unit == "GPUs"
    with pytest.raises(UserError, match="no kind of statement"):
        add(project, kind="wish", text="8", quantity="cluster.gpus", value=8)
    gone = apply(changed, add(changed, statement=next(iter(changed.statements)), kind=None))
    assert not gone.statements


def runs(project: Project, cache: StageCache, *rules: str, design: str = "main") -> dict[str, int]:
    """How often each rule ran for a state of the project."""
    before = cache.ran.copy()
    CachedStages(project, design, cache).findings(rules)
    return {rule: cache.ran[f"rule {rule}"] - before[f"rule {rule}"] for rule in rules}


def test_rules_run_again_only_when_what_they_read_has_changed() -> None:
    project = replace(
        server("dgx-h100", {}, count=4, statements=(claim("cluster.gpus", 32, "node"),)),
        workloads=Table({"job": Workload("", Table({"params_b": 10}), Table({"zero": 3}))}),
    )
    cache = StageCache()
    rules = ("MEM-01", "SCL-01", "SED-02")
    assert runs(project, cache, *rules) == dict.fromkeys(rules, 1)
    assert runs(project, cache, *rules) == dict.fromkeys(rules, 0)
    row = project.workloads["job"]
    other = replace(row, model=Table({"params_b": 500}))
    grown = replace(project, workloads=project.workloads.put("job", other))
    assert runs(grown, cache, "MEM-01") == {"MEM-01": 1}
    chosen = apply(project, EDITS["set_setting"](project, design="main", key="workload", value="job"))
    assert runs(chosen, cache, "MEM-01") == {"MEM-01": 1}
    moved = apply(project, EDITS["set_setting"](project, design="main", key="mtu", value=9000))
    assert runs(moved, cache, *rules) == dict.fromkeys(rules, 0)


def test_a_claim_about_before_and_after_sees_a_change_of_the_other_design() -> None:
    project = TEMPLATES["seed-b-512"].build(servers=8)
    cache = StageCache()
    assert runs(project, cache, "SED-03", design="after") == {"SED-03": 1}
    before = project.designs["before"]
    root = before.sheets["fabric"]
    slower = replace(root, links=root.links.put("down", replace(root.links["down"], speed=50e9)))
    changed = replace(
        project,
        designs=project.designs.put("before", replace(before, sheets=before.sheets.put("fabric", slower))),
    )
    assert runs(changed, cache, "SED-03", design="after") == {"SED-03": 1}
    # 2 x 50G before, 2 x 200G after: four times the rate carries 2.66 times the speed
    (found,) = CachedStages(changed, "after", cache).findings(["SED-03"])
    assert "only 2.00 times" not in found.message.english()


def test_members_that_are_absent_are_not_counted() -> None:
    project = two_groups(claim("cluster.servers", 6, ""))
    assert fired(project, "SCL-01") == []
    patch = EDITS["add_exception"](
        project, design="main", sheet="fabric", item="old", members="1", override={"absent": True}
    )
    (found,) = fired(apply(project, patch), "SCL-01")
    assert (found.measured, found.allowed) == (5, 6)


def test_turning_the_order_of_designs_turns_before_and_after() -> None:
    project = TEMPLATES["seed-b-512"].build(servers=8)
    cache = StageCache()
    assert len(CachedStages(project, "after", cache).findings(["SED-01"])) == 1
    first = replace(project, designs=project.designs.put("after", replace(project.designs["after"], order=-1)))
    (alone,) = CachedStages(first, "after", cache).findings(["SED-01"])
    assert "gain_from_step.comm_share" not in alone.values  # nothing comes before it any more


VALUES = st.one_of(
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.sampled_from(["30, 21", "0, 0", "-1..0", "96..128", "8x400", "0x0", "2x16", "x", "", "1e308", "1e999", "1,016"]),
    st.none(),
)
STATED = tuple(
    sorted({rule for quantity in QUANTITIES.values() for rule in quantity.rules} | {"MEM-02", "MEM-05", "MEM-07"})
)
SUBJECTS = ("", "main!", "node", "node[0]", "node[9-99]", "node/gpu0", "node/cpu0", "node/nic0", "leaf", "spine")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(QUANTITIES)),
            VALUES,
            st.sampled_from((*SUBJECTS, "part:h100-pcie-80gb", "workload:job", "design:main", "document:x", "a b")),
        ),
        max_size=6,
    ),
    st.dictionaries(st.sampled_from(["tp", "pp", "dp", "zero", "mbs", "mfu", "offload", "recompute"]), VALUES),
    st.dictionaries(st.sampled_from(["params_b", "layers", "hidden", "ffn", "seq"]), VALUES),
)
def test_no_statement_and_no_workload_is_an_accident(said, plan, model) -> None:
    project = TEMPLATES["seed-a-256x8"].build(servers=8)
    rows = {f"s{n}": claim(quantity, value, subject) for n, (quantity, value, subject) in enumerate(said, 1)}
    job = Workload("Job", Table(model), Table(plan))
    project = replace(project, statements=Table(rows), workloads=Table({"job": job}))
    seen = context(project)
    for rule in STATED:
        for finding in run_rule(seen, rule):
            assert finding.message.english()


BARE = {
    "gpu": Part("gpu", Table({"en": "Bare GPU"})),
    "nic": Part("nic", Table({"en": "Bare NIC"})),
    "cxl": Part("cxl", Table({"en": "Bare memory"})),
    "nic-loose": nic_part(400),
}
BARE_SERVER = server(
    board({"s1": slot("cpu0:p1"), "s2": slot("cpu0:p2"), "s3": slot("cpu0:p3")}),
    {
        "gpu0": card("gpu", "chassis:s1"),
        "nic0": card("nic", "chassis:s2"),
        "cxl0": card("cxl", "chassis:s3"),
        "nic1": card("nic-loose"),
    },
    count=2,
    parts=BARE,
)
EMPTY = Design("", "fabric", (), Table({"fabric": Sheet("fabric")}))
WIRED = {
    "c": Link("node:compute", "leaf:1-4", deal()),
    "s": Link("node:compute", "leaf:9-12", deal(), network="storage"),
}
JOBS = ("workload:job", "workload:gone")
DRAWN = {
    "seed-a": lambda: TEMPLATES["seed-a-256x8"].build(servers=8),
    "seed-b": lambda: TEMPLATES["seed-b-512"].build(servers=8),
    "one server": lambda: TEMPLATES["single-8gpu"].build(),
    "parts without figures": lambda: BARE_SERVER,
    "one leaf, two networks": lambda: fabric(
        {"node": group("sheet:node", node=4), "leaf": group("generic-64x400")},
        WIRED,
        {"node": one_nic()},
    ),
    "nothing": lambda: Project("", designs=Table({"main": EMPTY})),
}
"""Drawings of which little or nothing is known, and two that are whole."""


@pytest.mark.parametrize("value", [4, 0.05, "2x400", "many", True, None])
@pytest.mark.parametrize("drawn", DRAWN)
def test_every_quantity_said_of_everything_is_judged_or_left(drawn, value) -> None:
    project = DRAWN[drawn]()
    parts = [f"part:{name}" for name in project.parts]
    odd = ("node[node=1]/nic0", "node[nope=1]/nic0", "node[nope=1]", "gone/nic0", "gone", *JOBS)
    subjects = (*SUBJECTS, *odd, *parts)
    said = {f"s{q}-{n}": claim(q, value, subject) for q in QUANTITIES for n, subject in enumerate(subjects)}
    job = Workload("Job", Table({"params_b": 7}), Table({"tp": 1, "zero": 1}))
    project = replace(project, statements=Table(said), workloads=Table({"job": job}))
    for design in project.designs:
        seen = context(project, design)
        for rule in STATED:
            for finding in run_rule(seen, rule):
                assert finding.message.english() and finding.message.text("zh_CN")
