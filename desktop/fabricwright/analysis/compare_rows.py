"""The tables of a comparison: figures side by side, findings gained and lost, parts more and fewer, claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from fabricwright.analysis.figures import DesignFigures
from fabricwright.exchange.bom import KIND_ORDER, BomLine, BomTable
from fabricwright.exchange.compliance import ComplianceRow
from fabricwright.rules.approvals import Judged
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message, msg

BETTER, WORSE, SAME = "better", "worse", "same"
EQUAL = 1e-9
"""Figures this close, relative to the larger one, are equal: what is left is rounding of sums."""

PREDICTED = frozenset({"B/s", "s", "token/s", "d"})
SLACK = 0.005
"""Predictions within half a percent of each other are neither better nor worse: the model is not that sharp."""


# -- figures ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Delta:
    """One figure against the first side: ``absolute`` difference, ``ratio`` to it (None where that is 0), and whether
    that is ``better``, ``worse``, ``same`` or "" (neither good nor bad). None everywhere = one side has no figure.
    """

    absolute: float | None
    ratio: float | None
    verdict: str

    def to_json(self) -> dict[str, object]:
        """Plain values."""
        return {"absolute": self.absolute, "ratio": self.ratio, "verdict": self.verdict}


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure of all sides. ``better`` more, less or "" (neither); ``unit`` SI, "" counts, "1" a part of 1, else a
    currency; ``deltas`` of all sides but the first.
    """

    key: str
    label: Message
    unit: str
    better: str
    values: tuple[float | None, ...]

    @property
    def deltas(self) -> tuple[Delta, ...]:
        """Each further side against the first."""
        slack = SLACK if self.unit in PREDICTED else EQUAL
        return tuple(delta(self.values[0], value, self.better, slack) for value in self.values[1:])

    def to_json(self, say: Callable[[Message], object]) -> dict[str, object]:
        """Plain values; ``say`` makes a text of a message."""
        return {
            "key": self.key,
            "label": say(self.label),
            "unit": self.unit,
            "better": self.better,
            "values": list(self.values),
            "deltas": [d.to_json() for d in self.deltas],
        }


def delta(a: float | None, b: float | None, better: str, slack: float = EQUAL) -> Delta:
    """``b`` against ``a``; within ``slack`` of the larger one neither is better."""
    if a is None or b is None:
        return Delta(None, None, "")
    absolute = b - a
    if abs(absolute) <= EQUAL * max(abs(a), abs(b)):
        return Delta(0.0, 1.0 if a else None, SAME)
    if abs(absolute) <= slack * max(abs(a), abs(b)):
        return Delta(absolute, b / a if a else None, SAME)
    verdict = "" if not better else BETTER if (absolute > 0) == (better == "more") else WORSE
    return Delta(absolute, b / a if a else None, verdict)


_Read = Callable[[DesignFigures], float | None]

_FIGURES: tuple[tuple[str, Message, str, str, _Read], ...] = (
    ("gpus", msg("GPUs"), "", "", lambda f: f.gpus),
    ("servers", msg("Servers"), "", "", lambda f: f.servers),
    (
        "all_reduce_busbw",
        msg("All-reduce busbw"),
        "B/s",
        "more",
        lambda f: f.all_reduce.busbw if f.all_reduce.known else None,
    ),
    (
        "all_to_all_busbw",
        msg("All-to-all busbw"),
        "B/s",
        "more",
        lambda f: f.all_to_all.busbw if f.all_to_all.known else None,
    ),
    ("worst_failure_ratio", msg("Left after the worst single failure"), "1", "more", lambda f: f.worst_failure_ratio),
    ("step_time_s", msg("Training step"), "s", "less", lambda f: f.training.step_time_s if f.training else None),
    (
        "communication_share",
        msg("Exposed communication"),
        "1",
        "less",
        lambda f: f.training.communication_share if f.training else None,
    ),
    ("mfu", msg("MFU"), "1", "more", lambda f: f.training.mfu if f.training else None),
    (
        "tokens_per_s",
        msg("Training throughput"),
        "token/s",
        "more",
        lambda f: f.training.tokens_per_s if f.training else None,
    ),
    ("days", msg("Days for the job"), "d", "less", lambda f: f.training.days if f.training else None),
    ("switches", msg("Switches"), "", "less", lambda f: f.switch_count),
    ("cables", msg("Cables"), "", "less", lambda f: f.cables),
    ("links", msg("Links"), "", "", lambda f: f.links),
    ("rack_units", msg("Rack units"), "U", "less", lambda f: f.rack_units),
    ("fabric_power_w", msg("Fabric power"), "W", "less", lambda f: f.fabric_power_w),
    ("power_w", msg("Power"), "W", "less", lambda f: f.power_w),
    ("fabric_price", msg("Fabric cost"), "money", "less", lambda f: f.fabric_price),
    ("price", msg("Cost"), "money", "less", lambda f: f.price),
    ("errors", msg("Errors"), "", "less", lambda f: f.findings.get("error", 0)),
    ("warnings", msg("Warnings"), "", "less", lambda f: f.findings.get("warning", 0)),
)


def figure_rows(figures: Sequence[DesignFigures]) -> tuple[FigureRow, ...]:
    """Figures of all sides; rows that no side has a figure for are left out. Money of several currencies is not
    compared: sides in another one than the first have no figure.
    """
    currency = figures[0].currency if figures else ""
    rows = []
    for key, label, unit, better, read in _FIGURES:
        values = [read(f) for f in figures]
        if unit == "money":
            values = [v if f.currency == currency else None for v, f in zip(values, figures, strict=True)]
        if any(value is not None for value in values):
            plain = tuple(None if v is None else float(v) for v in values)
            rows.append(FigureRow(key, label, currency if unit == "money" else unit, better, plain))
    return tuple(rows)


# -- parts ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PartDelta:
    """One line of a bill of materials on both sides. ``cost`` what B costs more, None where it is not priced."""

    line: BomLine
    a: int
    b: int
    cost: float | None
    currency: str

    @property
    def delta(self) -> int:
        """How many more B needs."""
        return self.b - self.a

    def to_json(self, lang: str) -> dict[str, object]:
        """Plain values."""
        return {
            "part": self.line.part,
            "kind": self.line.kind,
            "description": self.line.description(lang),
            "length_m": self.line.length_m,
            "a": self.a,
            "b": self.b,
            "delta": self.delta,
            "cost": self.cost,
            "currency": self.currency,
        }


def part_deltas(a: BomTable, b: BomTable) -> tuple[PartDelta, ...]:
    """Every line of either side, equal ones too, in the order of the bill of materials."""
    left, right = {_line_key(x): x for x in a.lines}, {_line_key(x): x for x in b.lines}
    out = []
    for key in sorted({*left, *right}, key=_line_order):
        x, y = left.get(key), right.get(key)
        line = y or x
        assert line is not None
        out.append(PartDelta(line, x.quantity if x else 0, y.quantity if y else 0, *_cost(x, y)))
    return tuple(out)


def _cost(x: BomLine | None, y: BomLine | None) -> tuple[float | None, str]:
    """What B costs more on one line: each side at its own price, which must be in one currency."""
    totals = [(line.total, line.currency) for line in (x, y) if line is not None]
    if any(total is None for total, _ in totals) or len({currency for _, currency in totals}) > 1:
        return None, ""
    before = x.total if x is not None and x.total is not None else 0.0
    after = y.total if y is not None and y.total is not None else 0.0
    return after - before, totals[0][1]


_LineKey = tuple[str, str, float, str]


def _line_key(line: BomLine) -> _LineKey:
    return line.kind, line.part, line.length_m or 0.0, line.note.english() if line.note is not None else ""


def _line_order(key: _LineKey) -> tuple[object, ...]:
    place = KIND_ORDER.index(key[0]) if key[0] in KIND_ORDER else len(KIND_ORDER)
    return place, key[0], natural_key(key[1]), key[2], key[3]


# -- findings ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FindingDelta:
    """Findings that only B has (``gained``), only A has (``lost``), and how many both have; facts and approved ones
    left out. A finding is the same one when rule and places are.
    """

    gained: tuple[Judged, ...]
    lost: tuple[Judged, ...]
    kept: int

    def to_json(self, say: Callable[[Message], object]) -> dict[str, object]:
        """Plain values."""
        return {
            "gained": [_finding(j, say) for j in self.gained],
            "lost": [_finding(j, say) for j in self.lost],
            "kept": self.kept,
        }


def _finding(entry: Judged, say: Callable[[Message], object]) -> dict[str, object]:
    finding = entry.finding
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "at": [str(a) for a in finding.at],
        "sheet": finding.sheet,
        "message": say(finding.message),
        "estimate": finding.estimate,
    }


def finding_delta(a: Iterable[Judged], b: Iterable[Judged]) -> FindingDelta:
    """Compare by rule and places."""
    left, right = _open(a), _open(b)
    gained = tuple(entry for key, entry in right.items() if key not in left)
    lost = tuple(entry for key, entry in left.items() if key not in right)
    return FindingDelta(gained, lost, len(right) - len(gained))


def _open(entries: Iterable[Judged]) -> dict[str, Judged]:
    """Those that count, by their key without the design."""
    return {
        f"{e.finding.rule}|{','.join(a.bare() for a in e.finding.at)}": e
        for e in entries
        if e.finding.severity != "fact" and e.approval is None
    }


# -- claims -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One statement and its answer on each side; None where it speaks about another design or is not made there."""

    id: str
    answers: tuple[ComplianceRow | None, ...]

    @property
    def worst(self) -> str:
        """``not met`` before ``partly`` before ``met`` before ``unknown``: what the row is marked with."""
        told = {row.answer for row in self.answers if row is not None}
        return next((a for a in ("not met", "partly", "met") if a in told), "unknown")

    def to_json(self, say: Callable[[Message], object]) -> dict[str, object]:
        """Plain values."""
        said = next(row.statement for row in self.answers if row is not None)
        return {
            "id": self.id,
            "text": said.text,
            "kind": said.kind,
            "quantity": said.quantity,
            "value": said.value,
            "unit": said.unit,
            "subject": said.subject,
            "answer": self.worst,
            "answers": [
                None if row is None else {"answer": row.answer, "evidence": say(row.evidence), "rules": list(row.rules)}
                for row in self.answers
            ],
        }
