"""What the tool bar says about the checks."""

from __future__ import annotations

import pytest

from tests.ui.canvas_stage import Stage


@pytest.mark.parametrize(
    ("status", "seconds", "said"),
    [
        ("starting", None, "Checking …"),
        ("busy", None, "Checking …"),  # the worker is there, its first answer is not
        ("failed", None, "Not checked"),
        ("lost", None, "Not checked"),
        ("idle", 0.2, "Checked"),
        ("busy", 0.2, "Checked"),  # again after an edit
    ],
)
def test_no_findings_are_no_verdict_before_a_check_has_ended(
    blank: Stage, status: str, seconds: float | None, said: str
) -> None:
    blank.context.analysis.update(findings={}, status=status, seconds=seconds)
    counts = blank.window.bar.counts
    assert counts.accessibleName() == said
    assert [text for _, text in counts._parts()] == (["no problems"] if said == "Checked" else [])


def test_what_was_found_is_counted_even_while_it_is_checked_again(blank: Stage) -> None:
    blank.context.analysis.update(findings={"A": {"severity": "error"}}, status="busy", seconds=None)
    assert blank.window.bar.counts.accessibleName() == "Checked error 1"
