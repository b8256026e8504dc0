"""Point by point: every statement beside the drawing with an answer, and what in the drawing supports it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fabricwright.design.quantities import QUANTITIES, Quantity, fits
from fabricwright.design.unit_words import unit_words
from fabricwright.design.values import Project, Statement
from fabricwright.exchange.compliance_evidence import SOURCES, Evidence
from fabricwright.exchange.tabular import Cell, to_csv
from fabricwright.rules.approvals import Judged, judge
from fabricwright.rules.context import RuleContext
from fabricwright.rules.direct import DirectStages
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import all_rules
from fabricwright.rules.run import run_rules
from fabricwright.rules.statements import Held, held, meant
from fabricwright.rules.verdict import JUDGES, Verdict, joined
from fabricwright.units.text import Message, msg, translate

ANSWERS = ("met", "partly", "not met", "unknown")

PARTLY = frozenset({"LAN-06", "OPT-13", "RET-07", "NIC-04", "CXL-07"})
"""Rules that qualify a statement and do not contradict it: the lanes are there, the uplink is shared."""

CAVEATS: dict[str, tuple[str, ...]] = {
    "memory.host_tb": ("MEC-01", "MEC-07", "CXL-01", "CXL-03", "CXL-04", "CXL-07"),
    "cluster.gpus": ("MEC-01", "MEC-06", "PWR-01"),
    "server.gpus": ("MEC-01", "MEC-06", "PWR-01"),
}
"""Quantity -> rules about what it counts: a statement that adds up is met in part while its cards find no slot."""

COUNTED = {"memory.host_tb": "cxl", "cluster.gpus": "gpu", "server.gpus": "gpu"}


@dataclass(frozen=True, slots=True)
class ComplianceRow:
    """One statement and its answer. ``evidence`` says why, with figures; ``rules`` that judged it; ``accepted`` why a
    person accepted what contradicts it; ``design`` the one that it was held against.
    """

    id: str
    statement: Statement
    design: str
    answer: str
    evidence: Message
    rules: tuple[str, ...] = ()
    accepted: str = ""


@dataclass(frozen=True, slots=True)
class ComplianceTable:
    """Answers to all statements of a project, in natural order of their ids."""

    design: str
    rows: tuple[ComplianceRow, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many statements got each answer."""
        return {answer: sum(row.answer == answer for row in self.rows) for answer in ANSWERS}

    def to_json(self, lang: str = "en") -> dict[str, object]:
        """The shape of ``compliance --json``."""
        return {"design": self.design, "rows": [_json(row, lang) for row in self.rows], "counts": self.counts}

    def to_csv(self, lang: str = "en") -> bytes:
        """One line per statement."""
        heads = [
            msg("No."),
            msg("Kind"),
            msg("Source"),
            msg("Statement"),
            msg("Stated quantity"),
            msg("Value"),
            msg("Unit"),
            msg("Subject"),
            msg("Design"),
            msg("Answer"),
            msg("Evidence"),
            msg("Rules"),
            msg("Accepted"),
        ]
        return to_csv([head.text(lang) for head in heads], [_cells(row, lang) for row in self.rows], lang)


def answer_words(answer: str) -> Message:
    """An answer as it is printed."""
    return {"met": msg("met"), "partly": msg("partly met"), "not met": msg("not met")}.get(answer, msg("not judged"))


def kind_words(kind: str) -> Message:
    """A kind of statement as it is printed."""
    words = {"claim": msg("claim"), "requirement": msg("requirement"), "target": msg("target")}
    return words.get(kind) or msg("{kind}", kind=kind)


def quantity_label(quantity: str, lang: str) -> str:
    """What a quantity is called; its id when it is not declared."""
    known = QUANTITIES.get(quantity)
    return translate(known.label, lang) if known is not None else quantity


def _json(row: ComplianceRow, lang: str) -> dict[str, object]:
    said = row.statement
    return {
        "id": row.id,
        "kind": said.kind,
        "source": said.source,
        "text": said.text,
        "quantity": said.quantity,
        "value": said.value,
        "unit": said.unit,
        "subject": said.subject,
        "design": row.design,
        "answer": row.answer,
        "evidence": row.evidence.text(lang),
        "rules": list(row.rules),
        "accepted": row.accepted or None,
    }


def _cells(row: ComplianceRow, lang: str) -> list[Cell]:
    said = row.statement
    value = said.value
    shown: Cell = (msg("yes") if value else msg("no")).text(lang) if isinstance(value, bool) else value
    return [
        row.id,
        kind_words(said.kind).text(lang),
        said.source,
        said.text,
        quantity_label(said.quantity, lang),
        shown,
        unit_words(said.unit).text(lang),
        said.subject,
        row.design,
        answer_words(row.answer).text(lang),
        row.evidence.text(lang),
        ", ".join(row.rules),
        row.accepted,
    ]


Analyse = Callable[[str], tuple[RuleContext, Sequence[Finding]]]
"""Design -> its context (no rule set: everything may be read) and all its findings."""


def analyse_directly(project: Project) -> Analyse:
    """Each design checked on the spot, once."""
    known: dict[str, tuple[RuleContext, Sequence[Finding]]] = {}

    def run(design: str) -> tuple[RuleContext, Sequence[Finding]]:
        if design not in known:
            context = RuleContext(project, design, DirectStages(project, design))
            known[design] = context, run_rules(context)
        return known[design]

    return run


def compliance(project: Project, design_id: str, analyse: Analyse | None = None) -> ComplianceTable:
    """Answers to every statement. One that names a design is held against that design, all others against
    ``design_id``.
    """
    looked = analyse or analyse_directly(project)
    all_rules()  # fills the table of judges
    cases: dict[str, _Case] = {}
    rows = []
    for statement_id in project.statements.ordered():
        row = project.statements[statement_id]
        statement = next((h for h in held(project, row.quantity) if h.id == statement_id), None)
        design = statement.design if statement is not None and statement.design else design_id
        reason = _not_judged(project, row, statement, design)
        if reason is not None or statement is None:
            rows.append(ComplianceRow(statement_id, row, design, "unknown", reason or Message("")))
            continue
        if design not in cases:
            cases[design] = _Case(project, *looked(design))
        rows.append(cases[design].answer(statement))
    return ComplianceTable(design_id, tuple(rows))


def _not_judged(project: Project, row: Statement, statement: Held | None, design: str) -> Message | None:
    """Why no rule can look at a statement at all; None when one can."""
    if not row.quantity:
        return msg("Not judged: the statement names no quantity.")
    if row.quantity not in QUANTITIES:
        return msg("Not judged: quantity '{name}' is not known.", name=row.quantity)
    if not fits(row.quantity, row.value):
        return msg("Not judged: '{value}' is no value of this quantity.", value=str(row.value)[:60])
    if statement is None:
        return msg("Not judged: subject '{subject}' is not understood.", subject=row.subject[:60])
    if design not in project.designs:
        return msg("Not judged: there is no design '{design}'.", design=design)
    return None


class _Case:
    """One design: verdicts by statement, and its findings."""

    def __init__(self, project: Project, context: RuleContext, findings: Sequence[Finding]) -> None:
        self.context = context
        self.judged = judge(project, findings)
        self._verdicts: dict[str, dict[str, list[Verdict]]] = {}

    def verdicts(self, rule: str, statement: str) -> list[Verdict]:
        """What a rule says to a statement; each rule is asked once for all of them."""
        if rule not in self._verdicts:
            found: dict[str, list[Verdict]] = {}
            for verdict in JUDGES[rule](self.context) if rule in JUDGES else ():
                found.setdefault(verdict.statement.id, []).append(verdict)
            self._verdicts[rule] = found
        return self._verdicts[rule].get(statement, [])

    def answer(self, statement: Held) -> ComplianceRow:
        """The row of a statement."""
        quantity = QUANTITIES[statement.row.quantity]
        verdicts = [(rule, v) for rule in quantity.rules for v in self.verdicts(rule, statement.id)]
        hits = self._hits(statement, quantity)
        evidence = self._evidence(statement)
        wrong = [(rule, v) for rule, v in verdicts if not v.holds and rule not in PARTLY]
        limited = [(rule, v) for rule, v in verdicts if not v.holds and rule in PARTLY]
        spoken = {rule for rule, v in verdicts if not v.holds}
        against = [j for j in hits if j.finding.rule not in PARTLY]
        limits = [j for j in hits if j.finding.rule in PARTLY] + self._caveats(statement)
        figures = [v.text for _, v in verdicts if v.holds] + [e.text for e in evidence]
        if wrong or against:
            answer = "not met"
            texts = [v.text for _, v in wrong] + [j.finding.message for j in against if j.finding.rule not in spoken]
        elif any(e.holds is False for e in evidence):
            answer, texts = "not met", figures
        elif limited or limits or any(e.in_part for e in evidence):
            answer = "partly"
            texts = [*figures, *(v.text for _, v in limited)]
            texts += [j.finding.message for j in limits if j.finding.rule not in spoken]
        elif verdicts or any(e.holds for e in evidence):
            answer, texts = "met", figures
        else:
            answer, texts = "unknown", [self._nothing(statement, quantity), *figures]
        rules = dict.fromkeys([*(rule for rule, _ in verdicts), *(j.finding.rule for j in [*against, *limits])])
        if not rules and answer != "unknown":
            rules = dict.fromkeys(rule for rule in quantity.rules if rule in all_rules())
        return ComplianceRow(
            statement.id,
            statement.row,
            self.context.design_id,
            answer,
            joined(texts[:MOST_TEXTS]),
            tuple(rules),
            _accepted([j for j in self.judged if j in against or self._about(j, wrong, statement)]),
        )

    @staticmethod
    def _about(entry: Judged, wrong: Sequence[tuple[str, Verdict]], statement: Held) -> bool:
        """Whether a finding is the one that verdicts on a statement made."""
        return entry.finding.rule in {rule for rule, _ in wrong} and statement.id in named_in(entry.finding)

    def _evidence(self, statement: Held) -> list[Evidence]:
        source = SOURCES.get(statement.row.quantity)
        return list(source(self.context, statement)) if source is not None else []

    def _hits(self, statement: Held, quantity: Quantity) -> list[Judged]:
        """Findings of the quantity's rules that a statement brought up, or that lie where it speaks about."""
        out = []
        for entry in self.judged:
            finding = entry.finding
            if finding.rule not in quantity.rules or finding.severity == "fact":
                continue
            named = named_in(finding)
            if statement.id in named or (not named and self._at(statement, finding)):
                out.append(entry)
        return out

    def _at(self, statement: Held, finding: Finding) -> bool:
        """Whether a finding that names no statement lies at the subject of one."""
        if statement.scope == "address":
            wanted = statement.address.bare()
            return any(a.bare() == wanted or a.bare().startswith(f"{wanted}/") for a in finding.at)
        if statement.scope == "part":
            places = {p.variant.at(p.item).bare() for p in meant(self.context, statement)}
            return any(a.bare() in places for a in finding.at)
        return True

    def _caveats(self, statement: Held) -> list[Judged]:
        """Findings about the cards that a statement counts."""
        rules, kind = CAVEATS.get(statement.row.quantity, ()), COUNTED.get(statement.row.quantity, "")
        if not rules:
            return []
        places = {
            place.variant.at(item.id).bare()
            for place in meant(self.context, statement)
            for item in place.variant.eff.items.values()
            if item.kind == kind and not place.item
        }
        return [
            j
            for j in self.judged
            if j.finding.rule in rules and j.approval is None and any(a.bare() in places for a in j.finding.at)
        ]

    def _nothing(self, statement: Held, quantity: Quantity) -> Message:
        built = [rule for rule in quantity.rules if rule in all_rules()]
        if not built:
            return msg("Not judged: no rule looks at this quantity yet.")
        if not any(True for _ in meant(self.context, statement)) and statement.scope == "address":
            return msg("Not judged: nothing is drawn at '{subject}'.", subject=statement.row.subject)
        return msg("Not judged: {rules} found nothing to hold against it, nor what supports it.", rules=built)


MOST_TEXTS = 6
"""Sentences of evidence; more are in the findings."""


def named_in(finding: Finding) -> list[str]:
    """Ids of the statements that a finding was made from."""
    several, one = finding.values.get("statements"), finding.values.get("statement")
    return [str(n) for n in several] if isinstance(several, list) else [str(one)] if one else []


def _accepted(against: Sequence[Judged]) -> str:
    if not against or any(entry.approval is None for entry in against):
        return ""
    reasons = []
    for entry in against:
        if entry.approval is not None:
            who = f"{entry.approval.author} {entry.approval.date}".strip()
            reasons.append("; ".join(t for t in (entry.approval.reason, who) if t))
    return " / ".join(dict.fromkeys(reasons))


__all__ = ["ANSWERS", "ComplianceRow", "ComplianceTable", "analyse_directly", "compliance"]
