"""Mending all findings of one rule: apply a fix, check again, go on with what is left.

Fixes are offered one by one, each for the design as it is. Two of them may want the same slot, so they cannot be
applied side by side: after each one the design is checked anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from fabricwright.analysis.analyze import Analysis
from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Project
from fabricwright.rules.finding import Finding
from fabricwright.units.errors import UserError
from fabricwright.units.record import record

MOST_ROUNDS = 200
"""Fixing may uncover a finding of the same rule; a design needs far fewer rounds than this."""


@record
class Mended:
    """``project`` after ``calls``, which mended ``fixed`` findings; ``left`` findings of the rule are still there."""

    project: Project
    calls: tuple[EditCall, ...]
    fixed: int
    left: int


def mend(project: Project, rule: str, analyse: Callable[[Project], Analysis]) -> Mended:
    """Apply the fixes that a rule offers until none is left that helps. Approved findings are left as they are; a fix
    that would bring more errors than before is not taken.
    """
    calls: list[EditCall] = []
    tried: set[str] = set()
    fixed = 0
    now = analyse(project)
    for _ in range(MOST_ROUNDS):
        offer = next((f for f in _open(now, rule) if f.fix and _signature(f) not in tried), None)
        if offer is None:
            break
        tried.add(_signature(offer))
        changed = applied(project, offer.fix)
        if changed is None:
            continue
        after = analyse(changed)
        if _errors(after) > _errors(now):
            continue
        project, now = changed, after
        calls += offer.fix
        fixed += 1
    return Mended(project, tuple(calls), fixed, len(_open(now, rule)))


def applied(project: Project, calls: tuple[EditCall, ...]) -> Project | None:
    """The project after the edits of one fix; None when they do not apply any more or change nothing."""
    before = project
    try:
        for call in calls:
            patch = run(project, call)
            project = apply(project, patch) if patch else project
    except UserError:
        return None
    return None if project is before else project


def _open(analysis: Analysis, rule: str) -> list[Finding]:
    return [
        j.finding
        for j in analysis.judged
        if j.finding.rule == rule and j.approval is None and j.finding.severity != "fact"
    ]


def _errors(analysis: Analysis) -> int:
    return sum(f.severity == "error" for f in analysis.findings)


def _signature(finding: Finding) -> str:
    calls = json.dumps([call.to_json() for call in finding.fix], sort_keys=True, default=str)
    return f"{finding.key} {finding.members} {calls}"
