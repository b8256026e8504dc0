"""Field cases: every case whose rules are built is a drawing that gives what the case expects."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import fabricwright.rules.book  # noqa: F401  (registers the rules)
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import RULES
from tests.cases import (  # noqa: F401
    draw_claims,
    draw_fabric,
    draw_lanes,
    draw_lossless,
    draw_nics,
    draw_peers,
    draw_signal,
    draw_uplinks,
)
from tests.cases.register import DRAWINGS, Drawing
from tests.rules.drawing import everything

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "field-cases.json").read_text(encoding="utf-8")
)
LATER = {
    "IMP": "comes with import",
    "EXP": "comes with export",
}


def expected(case: dict[str, Any], built: bool = True) -> list[dict[str, str]]:
    """Expectations of a case whose rules exist (or do not)."""
    return [e for e in case.get("expect", ()) if (e["rule"] in RULES) == built]


def drawings(case: dict[str, Any], expectation: dict[str, str]) -> list[Drawing]:
    """What an expectation is about: its variant; without one the case itself, or every variant when it is only drawn
    in variants.
    """
    when = expectation.get("when", "")
    if when or (case["id"], "") in DRAWINGS:
        return [DRAWINGS[key] for key in [(case["id"], when)] if key in DRAWINGS]
    return [drawing for (case_id, _), drawing in DRAWINGS.items() if case_id == case["id"]]


@cache
def found(case: str, when: str) -> tuple[Finding, ...]:
    return tuple(everything(DRAWINGS[case, when].draw()))


def wrong(case: dict[str, Any]) -> list[str]:
    """Expectations that a case's drawings do not give."""
    out = []
    for expectation in expected(case):
        drawn = drawings(case, expectation)
        if not drawn:
            out.append(f"{expectation['rule']} [{expectation.get('when', '')}]: not drawn")
        for drawing in drawn:
            mine = [f for f in found(drawing.case, drawing.when) if f.rule == expectation["rule"]]
            fires = bool(mine) and all(f.severity == expectation["severity"] for f in mine)
            if fires != (expectation["verdict"] == "fires"):
                out.append(f"{expectation['rule']} [{drawing.when}]: {'silent' if not mine else mine[0].severity}")
    return out


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.case(case["id"]), id=case["id"]) for case in CASES if expected(case)],
)
def test_case(case: dict[str, Any]) -> None:
    assert wrong(case) == []


@pytest.mark.parametrize(
    "drawing",
    [
        pytest.param(row, marks=pytest.mark.case(row.case), id=f"{row.case} {row.when}".strip())
        for row in DRAWINGS.values()
    ],
)
def test_nothing_else_is_said(drawing: Drawing) -> None:
    """All that the rules say about the drawing was looked at; a new finding is a change to look at."""
    said = found(drawing.case, drawing.when)
    assert {f.rule for f in said} == drawing.finds, [f"{f.rule} {f.severity}: {f.message.english()}" for f in said]


def test_count(capsys: pytest.CaptureFixture[str]) -> None:
    """Prints n of n, and names the others with their reason."""
    expressible = [case for case in CASES if "expect" in case]
    due = [case for case in expressible if expected(case)]
    good = [case for case in due if not wrong(case)]
    with capsys.disabled():
        print(f"\nfield cases: {len(good)} of {len(due)} give what they expect")
        for case in expressible:
            for kind in sorted({e["rule"][:3] for e in expected(case, built=False)}):
                partly = "in part " if expected(case) else ""
                rules = sorted({e["rule"] for e in expected(case, built=False) if e["rule"].startswith(kind)})
                print(f"  {case['id']} {partly}later: {', '.join(rules)} {LATER[kind]}")
        for case in CASES:
            if "why_not" in case:
                print(f"  {case['id']} cannot be drawn: {case['why_not']}")
    assert len(good) == len(due)
    assert len(expressible) == 82 and len(CASES) == 96


def test_what_is_not_built_has_a_reason() -> None:
    later = {e["rule"] for case in CASES for e in expected(case, built=False)}
    assert {rule[:3] for rule in later} <= set(LATER)
