"""The compliance table: an answer to every statement, with what in the drawing supports it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import pytest

from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.quantities import QUANTITIES
from fabricwright.design.values import Approval, Project, Statement
from fabricwright.exchange.compliance import ANSWERS, ComplianceRow, ComplianceTable, compliance
from fabricwright.units.table import Table


@pytest.fixture(scope="module")
def tables(projects: dict[str, Project]) -> dict[str, ComplianceTable]:
    return {
        "A": compliance(projects["seed-a-256x8"], "main"),
        "B": compliance(projects["seed-b-512"], "after"),
    }


def answers(table: ComplianceTable) -> dict[str, str]:
    return {row.id: row.answer for row in table.rows}


def stated(project: Project, *given: Statement) -> Project:
    return replace(project, statements=Table({f"s{n}": row for n, row in enumerate(given, 1)}))


def said(quantity: str, value: Any, subject: str, kind: str = "requirement", text: str = "a line") -> Statement:
    return Statement(kind, text, quantity, value, "", subject, "RFP")


def one(project: Project, statement: Statement, design: str = "main") -> ComplianceRow:
    (row,) = compliance(stated(project, statement), design).rows
    return row


def test_seed_a(tables: dict[str, ComplianceTable]) -> None:
    assert answers(tables["A"]) == {
        "s1": "met",  # 2 x 200 = 400
        "s2": "met",
        "s3": "not met",  # 160 lanes
        "s4": "met",  # 8 x 16
        "s5": "met",
        "s6": "met",
        "s7": "partly",  # lanes yes, root bandwidth no
        "s8": "not met",  # three switches from leaf to leaf
        "s9": "met",  # 10e9 x 2 bytes
        "s10": "not met",
        "s11": "not met",
        "s12": "not met",
        "s13": "not met",
        "s14": "not met",
        "s15": "unknown",  # the rules about lossless networks come later
        "s16": "not met",
    }


def test_seed_b(tables: dict[str, ComplianceTable]) -> None:
    got = answers(tables["B"])
    assert {k for k, v in got.items() if v == "met"} == {"s1", "s2", "s8", "s15"}
    assert {k for k, v in got.items() if v == "partly"} == {"s10", "s12", "s22"}
    assert {k for k, v in got.items() if v == "unknown"} == {"s13", "s17", "s24", "s25"}
    assert tables["B"].counts == {"met": 4, "partly": 3, "not met": 17, "unknown": 4}


def test_evidence_has_the_figures_of_the_drawing(tables: dict[str, ComplianceTable]) -> None:
    rows = {row.id: row for row in tables["B"].rows}
    assert rows["s9"].evidence.english() == "320 GPUs (32 x 10), 512 stated: 192 missing."
    assert rows["s9"].rules == ("SCL-01",)
    assert "775 ms" in rows["s18"].evidence.english()
    assert "32 splitters" in rows["s10"].evidence.english() or "200 Gb/s" in rows["s10"].evidence.english()
    assert "6 TB with 2 CXL cards" in rows["s22"].evidence.english()
    assert "MEC-01" in rows["s22"].rules  # the memory adds up, its cards find no slot
    lanes = {row.id: row for row in tables["A"].rows}["s4"]
    assert "128 lanes of GPUs (8 x 16)" in lanes.evidence.english()


def test_a_statement_is_held_against_the_design_that_it_names(tables: dict[str, ComplianceTable]) -> None:
    designs = {row.id: row.design for row in tables["B"].rows}
    assert (designs["s1"], designs["s4"], designs["s9"], designs["s27"]) == (
        "before",
        "after",
        "after",
        "after-network",
    )


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (said("", None, "node"), "names no quantity"),
        (said("no.such", 1, "node"), "'no.such' is not known"),
        (said("cluster.gpus", "many", "node"), "'many' is no value"),
        (said("cluster.gpus", 8, "node[["), "is not understood"),
        (said("cluster.gpus", 8, "other!node"), "no design 'other'"),
        (said("money.saving_per_month", "much", ""), "no rule looks at this quantity"),
        (said("gpu.memory_gb", 80, "node/gpu99"), "nothing is drawn at 'node/gpu99'"),
    ],
)
def test_what_cannot_be_judged_says_why(projects: dict[str, Project], statement: Statement, reason: str) -> None:
    row = one(projects["single-8gpu"], statement)
    assert row.answer == "unknown"
    assert reason in row.evidence.english()


@pytest.mark.parametrize(
    ("quantity", "right", "wrong"),
    [
        ("flow.single_gbps", 190, 390),
        ("switch_card.modes", "2x16", "4x8"),
        ("leaf.oversubscription", 1, 0.5),
        ("leaf.down_gbps", 200, 800),
        ("nic.aggregate_gbps", 400, 800),
    ],
)
def test_evidence_of_rules_that_speak_only_when_something_is_wrong(
    projects: dict[str, Project], quantity: str, right: object, wrong: object
) -> None:
    subject = {"flow": "node/nic0", "switch_card": "node/sw0", "leaf": "leaf", "nic": "node/nic0"}
    where = subject[quantity.partition(".")[0]]
    project = projects["seed-a-256x8"]
    assert one(project, said(quantity, right, where)).answer in ("met", "partly")
    assert one(project, said(quantity, wrong, where)).answer == "not met"


def test_split_cages_meet_a_rate_in_part(projects: dict[str, Project]) -> None:
    row = one(projects["seed-a-256x8"], said("leaf.down_gbps", 400, "leaf"))
    assert row.answer == "partly"
    assert "split" in row.evidence.english()


def test_acceptance_is_shown_and_does_not_change_the_answer(projects: dict[str, Project]) -> None:
    project = stated(projects["single-8gpu"], said("cluster.gpus", 16, "node"))
    approval = Approval("SCL-01|main|node", "", None, "half now, half later", "Li", "2026-01-05")
    accepted = replace(project, approvals=Table({"a1": approval}))
    (row,) = compliance(accepted, "main").rows
    assert row.answer == "not met"
    assert row.accepted == "half now, half later; Li 2026-01-05"


def test_csv_has_a_line_for_each_statement_and_no_formula(projects: dict[str, Project]) -> None:
    lines = (
        said("cluster.gpus", 8, "node", text="=HYPERLINK(1)"),
        said("cxl.gpu_loadstore", False, "node/gpu0", text='no "load", no store\nat all'),
    )
    table = compliance(stated(projects["single-8gpu"], *lines), "main")
    rows = list(csv.reader(io.StringIO(table.to_csv().decode("utf-8"), newline="")))
    assert len(rows) == 3
    assert rows[0][:4] == ["No.", "Kind", "Source", "Statement"]
    assert rows[1][3] == "'=HYPERLINK(1)"
    assert rows[2][3] == 'no "load", no store\nat all'
    assert rows[2][5] == "no"
    assert rows[1][9] == "met"
    assert table.to_csv("zh_CN").startswith("\ufeff".encode())


def test_json_names_every_answer(tables: dict[str, ComplianceTable]) -> None:
    found = tables["A"].to_json()
    assert set(found) == {"design", "rows", "counts"}
    rows = found["rows"]
    assert isinstance(rows, list)
    assert set(rows[0]) == {
        *("id", "kind", "source", "text", "quantity", "value", "unit", "subject"),
        *("design", "answer", "evidence", "rules", "accepted"),
    }
    assert {row["answer"] for row in rows} <= set(ANSWERS)


def test_every_quantity_is_answered_without_an_accident(projects: dict[str, Project]) -> None:
    forms = {"number": 1, "list": "30, 21", "range": "1..2", "flag": True, "word": "x"}
    given = [
        said(name, forms[quantity.kind], subject)
        for name, quantity in QUANTITIES.items()
        for subject in ("", "node", "node/gpu0", "leaf", "part:h100-sxm5-80gb", "workload:none", "document:x")
    ]
    for name in ("seed-a-256x8", "single-8gpu", "pcie-4gpu-1nic"):
        table = compliance(stated(projects[name], *given), "main")
        assert len(table.rows) == len(given)
        assert all(row.evidence.english().strip() for row in table.rows)


def test_rows_without_a_quantity_can_be_written_by_the_edit(projects: dict[str, Project]) -> None:
    project = projects["single-8gpu"]
    patch = EDITS["set_statement"](project, kind="requirement", text="Delivery in May", source="RFP 7.2")
    row = compliance(apply(project, patch), "main").rows[-1]
    assert (row.answer, row.statement.text) == ("unknown", "Delivery in May")
