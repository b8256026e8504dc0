"""Running the rule book over one design."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from fabricwright.design.indexset import IndexSet
from fabricwright.rules.approvals import Judged
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import SEVERITIES, Finding
from fabricwright.rules.registry import Rule, all_rules
from fabricwright.units.natural import natural_key
from fabricwright.units.text import msg

OnError = Callable[[str, Exception], None]


def run_rules(
    context: RuleContext, only: Iterable[str] | None = None, on_error: OnError | None = None
) -> list[Finding]:
    """Findings of all rules (or of ``only`` these), errors first, then by rule and place.

    ``on_error`` is told about a rule that raised and the others still run; without it the exception goes up.
    """
    book = all_rules()
    wanted = [book[r] for r in only if r in book] if only is not None else list(book.values())
    found: list[Finding] = []
    for rule in wanted:
        try:
            found += run_rule(context, rule)
        except Exception as error:
            if on_error is None:
                raise
            on_error(rule.id, error)
    return sorted(found, key=order)


def run_rule(context: RuleContext, rule: Rule | str) -> list[Finding]:
    """Findings of one rule; those of several variants at one place become one finding."""
    rule = all_rules()[rule] if isinstance(rule, str) else rule
    seen = context.view(rule)
    if rule.scope == "design":
        found = list(rule.run(seen))
    else:
        found = [f for variant in context.variants() for f in rule.run(seen, variant)]
    return merge(found, rule.direction)


def run_for(context: RuleContext, rule: Rule, variant: Variant) -> list[Finding]:
    """Findings of one rule about servers for one (group, variant)."""
    return list(rule.run(context.view(rule), variant))


def merge(findings: Iterable[Finding], direction: str) -> list[Finding]:
    """One finding per key: members are united; the worst measured value and its text speak for all.

    ``values["variants"]`` keeps the measured value of each member set when they differ.
    """
    by_key: dict[str, list[Finding]] = {}
    for finding in findings:
        by_key.setdefault(finding.key, []).append(finding)
    out: list[Finding] = []
    for same in by_key.values():
        worst = same[0]
        members = IndexSet()
        for finding in same:
            members = members.union(finding.members)
            if _worse(finding.measured, worst.measured, direction):
                worst = finding
        if len(same) > 1:
            values = dict(worst.values)
            if any(f.measured != worst.measured for f in same):
                values["variants"] = {str(f.members): f.measured for f in same}
                text = (
                    msg("{text} (Members {members}; others differ.)", text=worst.message, members=str(worst.members))
                    if worst.severity == "fact"
                    else msg(
                        "{text} (Members {members}; better on the others.)",
                        text=worst.message,
                        members=str(worst.members),
                    )
                )
                worst = replace(worst, message=text)
            worst = replace(worst, members=members, values=values, sheet=same[0].sheet, fix=same[0].fix)
        out.append(worst)
    return out


def _worse(value: float | None, than: float | None, direction: str) -> bool:
    if value is None or than is None:
        return False
    return value < than if direction == "down" else value > than


def order(finding: Finding) -> tuple[int, str, tuple[tuple[int, int, str], ...]]:
    """Sort key: severity, rule, place."""
    return SEVERITIES.index(finding.severity), finding.rule, natural_key(finding.key)


def count(judged: Iterable[Judged]) -> dict[str, int]:
    """How many findings of each severity are not approved, and how many are; facts do not count."""
    counts = {"error": 0, "warning": 0, "info": 0, "approved": 0}
    for entry in judged:
        if entry.finding.severity != "fact":
            counts["approved" if entry.approval else entry.finding.severity] += 1
    return counts


def findings_to_json(judged: Sequence[Judged], lang: str = "en") -> dict[str, object]:
    """The document that ``check --json`` prints: facts apart, approvals applied, counts of what is not approved."""
    return {
        "facts": [finding_to_json(e, lang) for e in judged if e.finding.severity == "fact"],
        "findings": [finding_to_json(e, lang) for e in judged if e.finding.severity != "fact"],
        "counts": count(judged),
    }


def finding_to_json(entry: Judged, lang: str = "en") -> dict[str, object]:
    """One row. ``at`` carries the members of the first item, as the address grammar writes them."""
    finding = entry.finding
    approval: Mapping[str, str] | None = None
    if entry.approval is not None:
        approval = {"reason": entry.approval.reason, "author": entry.approval.author, "date": entry.approval.date}
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "at": [str(a) for a in finding.at],
        "members": str(finding.members),
        "sheet": finding.sheet,
        "message": finding.message.text(lang),
        "measured": finding.measured,
        "allowed": finding.allowed,
        "unit": finding.unit,
        "estimate": finding.estimate,
        "fix": bool(finding.fix),
        "approved": approval,
    }
