"""What crosses the pipe beside a finding: what it was approved for, and the statements it is about."""

from __future__ import annotations

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.report_checks import checks
from fabricwright.analysis.report_source import Source
from fabricwright.analysis.reports import finding_rows, rule_pages, statements_of
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.exchange.report_blocks import ReportTable
from fabricwright.rules.finding import Finding
from fabricwright.units.text import msg


def rows(project: Project) -> dict[str, dict[str, object]]:
    return finding_rows(analyze(project, "after"))


def approved(project: Project, key: str, **more: object) -> Project:
    given = {"key": key, "reason": "ordered so", "author": "Li", "date": "2026-11-30", **more}
    return apply(project, EDITS["approve"](project, **given))


def test_an_approval_says_what_it_was_given_for() -> None:
    project = TEMPLATES["seed-b-512"].build()
    key, row = next((k, r) for k, r in rows(project).items() if r["rule"] == "FAB-03")
    project = approved(project, key, members=row["members"], measured=row["measured"])
    found = rows(project)[key]
    assert found["approved"] == {
        "key": key,
        "reason": "ordered so",
        "author": "Li",
        "date": "2026-11-30",
        "members": row["members"],
        "measured": row["measured"],
        "everywhere": False,
    }
    assert found["lapsed"] is None


def test_an_approval_that_was_outgrown_is_shown_with_the_finding() -> None:
    project = TEMPLATES["seed-b-512"].build()
    key, row = next((k, r) for k, r in rows(project).items() if r["rule"] == "FAB-03")
    measured = row["measured"]
    assert isinstance(measured, float)
    project = approved(project, key, members=row["members"], measured=measured / 2, everywhere=True)
    found = rows(project)[key]
    assert found["approved"] is None
    lapsed = found["lapsed"]
    assert isinstance(lapsed, dict)
    assert (lapsed["reason"], lapsed["measured"], lapsed["everywhere"]) == ("ordered so", measured / 2, True)


def test_statements_of_a_finding() -> None:
    def finding(**values: object) -> Finding:
        return Finding("SED-01", "error", "main", "", (), msg("x"), values=values)

    assert statements_of(finding(statement="s1")) == ["s1"]
    assert statements_of(finding(statement="s1, s2", statements=["s2", "s3"])) == ["s1", "s2", "s3"]
    assert statements_of(finding(other=1)) == []


def test_every_rule_has_a_page() -> None:
    for page in rule_pages().values():
        assert page["title"] and page["checks"] and page["group"]


def test_a_report_names_places_as_the_sheet_does() -> None:
    source = Source(analyze(TEMPLATES["seed-b-512"].build(), "after"), "en")
    tables = [block for block in checks(source) if isinstance(block, ReportTable)]
    places = {row[1] for table in tables for row in table.rows}
    assert "node › GPU0 … GPU9" in places
    assert not any("/" in place for place in places)
