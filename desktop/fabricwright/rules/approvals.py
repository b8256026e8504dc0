"""Approvals: a finding accepted by a person stays accepted for the members and the value it was accepted for, and no
further.
"""

from __future__ import annotations

from collections.abc import Iterable

from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Approval, Project
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import RULES
from fabricwright.units.errors import UserError
from fabricwright.units.record import record


@record
class Judged:
    """A finding and the approval that covers it, if any. ``outgrown`` is one that no longer does: a new member was
    hit, or the value got worse."""

    finding: Finding
    approval: Approval | None = None
    outgrown: Approval | None = None

    @property
    def lapsed(self) -> bool:
        """Whether there is an approval, but the finding outgrew it."""
        return self.outgrown is not None


def judge(project: Project, findings: Iterable[Finding]) -> list[Judged]:
    """Every finding with the approval that covers it.

    An approval with design ``*`` covers the same rule and place in every design. It lapses when a member outside its
    set is
    hit, or when the measured value is worse than the approved one by more than the rule's tolerance.
    """
    exact = {row.key: row for row in project.approvals.values()}
    anywhere = {_without_design(row.key): row for row in project.approvals.values() if row.design == "*"}
    out = []
    for finding in findings:
        row = exact.get(finding.key) or anywhere.get(_without_design(finding.key))
        if row is None:
            out.append(Judged(finding))
        elif covers(row, finding):
            out.append(Judged(finding, row))
        else:
            out.append(Judged(finding, None, row))
    return out


def _without_design(key: str) -> str:
    rule, _, rest = key.partition("|")
    return f"{rule}|{rest.partition('|')[2]}"


def covers(row: Approval, finding: Finding) -> bool:
    """Whether the members and the value of ``finding`` are within what was approved."""
    if row.members:
        try:
            approved = IndexSet.parse(row.members)
        except UserError:
            return False
        if finding.members.minus(approved):
            return False
    if row.measured is None or finding.measured is None:
        return True
    rule = RULES.get(finding.rule)
    direction = rule.direction if rule else "up"
    room = abs(row.measured) * (rule.tolerance if rule else 0.0)
    if direction == "down":
        return finding.measured >= row.measured - room
    if direction == "up":
        return finding.measured <= row.measured + room
    return abs(finding.measured - row.measured) <= room
