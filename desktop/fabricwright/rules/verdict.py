"""Verdicts: what the drawing says to one statement. Claim rules make findings of those that do not hold; the compliance
table answers with all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace

from fabricwright.design.address import Address
from fabricwright.design.calls import EditCall
from fabricwright.design.indexset import IndexSet
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.statements import Held
from fabricwright.units.record import record
from fabricwright.units.text import Message, msg


@record
class Verdict:
    """One statement held against the drawing.

    ``holds`` False = contradicted. ``text`` says what is stated and what is drawn, with figures, whichever way it goes.
    ``at`` where; empty = the design as a whole. ``fix`` edits that make the drawing as stated.
    """

    statement: Held
    holds: bool
    text: Message
    at: tuple[Address, ...] = ()
    members: IndexSet = IndexSet()
    variant: Variant | None = None
    measured: float | None = None
    allowed: float | None = None
    unit: str = ""
    values: Mapping[str, object] = field(default_factory=dict)
    estimate: bool = False
    fix: tuple[EditCall, ...] = ()


Judge = Callable[[RuleContext], Iterable[Verdict]]

JUDGES: dict[str, Judge] = {}
"""Rule -> the function that gives its verdicts on all statements that it judges."""


def judges(rule_id: str) -> Callable[[Judge], Judge]:
    """Register the verdicts of a rule for the compliance table."""

    def register(function: Judge) -> Judge:
        JUDGES[rule_id] = function
        return function

    return register


def contradictions(context: RuleContext, verdicts: Iterable[Verdict]) -> Iterator[Finding]:
    """A finding for every place at which statements do not hold; several statements there are one finding with all
    their texts, so that none hides another.
    """
    by_place: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if not verdict.holds:
            key = ",".join(a.bare() for a in verdict.at)
            by_place.setdefault(key, []).append(verdict)
    for same in by_place.values():
        yield _finding(context, same)


def _finding(context: RuleContext, same: list[Verdict]) -> Finding:
    first = same[0]
    members = IndexSet()
    for verdict in same:
        members = members.union(verdict.members)
    sources = dict.fromkeys(v.statement.row.source for v in same if v.statement.row.source)
    found = context.finding(
        first.at or (Address(),),
        joined([v.text for v in same]),
        variant=first.variant,
        members=members,
        measured=first.measured,
        allowed=first.allowed,
        unit=first.unit,
        values={
            **first.values,
            "statement": first.statement.id,
            "statements": list(dict.fromkeys(v.statement.id for v in same)),
            "figures": {
                v.statement.id: {"measured": v.measured, "allowed": v.allowed, "unit": v.unit, **v.values} for v in same
            },
        },
        fix=first.fix if len({v.statement.id for v in same}) == 1 else (),
        estimate=any(v.estimate for v in same),
    )
    return replace(found, evidence=(*sources, *found.evidence)) if sources else found


def joined(texts: list[Message]) -> Message:
    """Sentences one after the other, equal ones once."""
    seen = [text for n, text in enumerate(texts) if text not in texts[:n]]
    out = seen[0]
    for text in seen[1:]:
        out = msg("{first} {second}", first=out, second=text)
    return out
