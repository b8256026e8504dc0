"""Designs, or versions of them, side by side: what each holds and does, and what lies between them.

A ``Comparer`` computes section by section, so that a window can show what is there already; ``compare`` computes all.
Everything is told against the first side.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fabricwright.analysis.analyze import Analysis
from fabricwright.analysis.compare_rows import (
    ClaimRow,
    FigureRow,
    FindingDelta,
    PartDelta,
    figure_rows,
    finding_delta,
    part_deltas,
)
from fabricwright.analysis.figures import GIB, DesignFigures, design_figures, with_training
from fabricwright.design.diff import RowChange, drawing_changes
from fabricwright.design.values import Project
from fabricwright.exchange.compliance import ComplianceRow, compliance
from fabricwright.performance.predict import PredictRequest
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.statements import held
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

SECTIONS = ("drawing", "figures", "curves", "bom", "findings", "claims")
"""In the order in which they are computed: the cheap ones first."""


@dataclass(frozen=True, slots=True)
class Side:
    """One thing that is compared: a design of a project. ``file`` names where it is from, "" for the open project."""

    analysis: Analysis
    file: str = ""

    @property
    def project(self) -> Project:
        """The project it is of."""
        return self.analysis.project

    @property
    def design(self) -> str:
        """Id of the design."""
        return self.analysis.design

    @property
    def title(self) -> str:
        """Title of the design, its id where it has none."""
        return self.project.designs[self.design].title or self.design

    def to_json(self) -> dict[str, object]:
        """Plain values."""
        return {"file": self.file or None, "design": self.design, "title": self.title}


@dataclass(frozen=True, slots=True)
class Curve:
    """All-reduce over message sizes: parallel lists, rates in GB/s; ``low``/``high`` the band. ``problem`` why it is
    empty.
    """

    n_bytes: tuple[int, ...] = ()
    busbw: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    problem: Message | None = None

    def to_json(self, say: Callable[[Message], object]) -> dict[str, object]:
        """Plain values."""
        return {
            "bytes": list(self.n_bytes),
            "busbw_gbs": list(self.busbw),
            "busbw_gbs_low": list(self.low),
            "busbw_gbs_high": list(self.high),
            "problem": None if self.problem is None else say(self.problem),
        }


@dataclass(frozen=True, slots=True)
class PairDifference:
    """What lies between the first side and a further one."""

    drawing: tuple[RowChange, ...]
    parts: tuple[PartDelta, ...]
    findings: FindingDelta

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        return not self.drawing and not self.changed_parts and not self.findings.gained and not self.findings.lost

    @property
    def changed_parts(self) -> tuple[PartDelta, ...]:
        """Parts whose number differs."""
        return tuple(row for row in self.parts if row.delta)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything about two or more sides. ``pairs`` one per further side; ``binds`` what limits each side."""

    sides: tuple[Side, ...]
    figures: tuple[DesignFigures, ...]
    rows: tuple[FigureRow, ...]
    curves: tuple[Curve, ...]
    pairs: tuple[PairDifference, ...]
    claims: tuple[ClaimRow, ...]
    binds: Message
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether no side differs from the first."""
        return all(pair.empty for pair in self.pairs)

    def to_json(self, lang: str = "en") -> dict[str, object]:
        """The document of ``compare --json``."""

        def say(message: Message) -> object:
            return message.text(lang)

        return {
            "sides": [side.to_json() for side in self.sides],
            "settings": dict(self.settings),
            "figures": [row.to_json(say) for row in self.rows],
            "designs": [f.to_json() for f in self.figures],
            "curves": [curve.to_json(say) for curve in self.curves],
            "differences": [
                {
                    "drawing": [row.to_json() for row in pair.drawing],
                    "bom": [row.to_json(lang) for row in pair.changed_parts],
                    "findings": pair.findings.to_json(say),
                    "empty": pair.empty,
                }
                for pair in self.pairs
            ],
            "claims": [row.to_json(say) for row in self.claims],
            "binds": say(self.binds),
        }


class Comparer:
    """Computes the sections of a comparison, each once. ``n_bytes`` per GPU is what rates are told at; ``training``
    whether the step is predicted, which takes longest where the plan has to be searched for.
    """

    def __init__(self, sides: Sequence[Side], n_bytes: int = GIB, *, training: bool = True) -> None:
        if len(sides) < 2:
            raise UserError(msg("There is nothing to compare: at least two designs are needed."))
        self.sides = tuple(sides)
        self.n_bytes = n_bytes
        self._training = training

    @cached_property
    def quick_figures(self) -> tuple[DesignFigures, ...]:
        """Figures of each side without the training step."""
        return tuple(design_figures(side.analysis, n_bytes=self.n_bytes, training=False) for side in self.sides)

    @cached_property
    def figures(self) -> tuple[DesignFigures, ...]:
        """Figures of each side."""
        return tuple(
            with_training(row, side.analysis) if self._training else row
            for row, side in zip(self.quick_figures, self.sides, strict=True)
        )

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """All-reduce of each side over the sizes of ``predict``'s curve."""
        return tuple(curve_of(side.analysis, self.n_bytes) for side in self.sides)

    @cached_property
    def drawing(self) -> tuple[tuple[RowChange, ...], ...]:
        """Rows that differ, for each further side."""
        first = self.sides[0]
        return tuple(drawing_changes(first.project, first.design, side.project, side.design) for side in self.sides[1:])

    @cached_property
    def bom(self) -> tuple[tuple[PartDelta, ...], ...]:
        """Parts of each further side against the first."""
        return tuple(part_deltas(self.quick_figures[0].bom, f.bom) for f in self.quick_figures[1:])

    @cached_property
    def findings(self) -> tuple[FindingDelta, ...]:
        """Findings of each further side against the first."""
        first = self.sides[0].analysis.judged
        return tuple(finding_delta(first, side.analysis.judged) for side in self.sides[1:])

    @cached_property
    def claims(self) -> tuple[ClaimRow, ...]:
        """Every statement with its answer on each side."""
        return claim_rows(self.sides)

    def binds(self) -> Message:
        """What limits each side."""
        return binding_sentence(self.sides, self.quick_figures)

    def result(self) -> Comparison:
        """Everything."""
        pairs = [PairDifference(*row) for row in zip(self.drawing, self.bom, self.findings, strict=True)]
        settings = {"collective": "all_reduce", "bytes": self.n_bytes}
        return Comparison(
            self.sides,
            self.figures,
            figure_rows(self.figures),
            self.curves,
            tuple(pairs),
            self.claims,
            self.binds(),
            settings,
        )


def compare(sides: Sequence[Side], n_bytes: int = GIB) -> Comparison:
    """Compare two or more designs. Raises UserError for fewer, and for designs that cannot be compiled."""
    return Comparer(sides, n_bytes).result()


def curve_of(analysis: Analysis, n_bytes: int, collective: str = "all_reduce") -> Curve:
    """The predicted curve as busbw with its band: the slow end of the times is the low end of the rates."""
    try:
        lists = analysis.predict(PredictRequest(collective, (n_bytes,))).curve
    except UserError as error:
        return Curve(problem=error.message)
    rows = zip(*(lists[k] for k in ("bytes", "busbw_gbs", "time_us", "low_us", "high_us")), strict=True)
    sizes, rates, low, high = [], [], [], []
    for size, rate, time, fast, slow in rows:
        sizes.append(int(size))
        rates.append(float(rate))
        low.append(float(rate) * float(time) / float(slow) if slow else float(rate))
        high.append(float(rate) * float(time) / float(fast) if fast else float(rate))
    return Curve(tuple(sizes), tuple(rates), tuple(low), tuple(high))


def claim_rows(sides: Sequence[Side]) -> tuple[ClaimRow, ...]:
    """Statements in natural order of their ids; those that no side speaks about are left out."""
    answers: list[dict[str, ComplianceRow]] = []
    ids: dict[str, None] = {}
    for side in sides:
        about = {
            h.id: h.design
            for q in {s.quantity for s in side.project.statements.values()}
            for h in held(side.project, q)
        }
        kept = Table(
            {
                name: side.project.statements[name]
                for name in side.project.statements.ordered()
                if about.get(name, "") in ("", side.design)
            }
        )
        table = compliance(dataclasses.replace(side.project, statements=kept), side.design, _looked(side.analysis))
        answers.append({row.id: row for row in table.rows})
        ids |= dict.fromkeys(kept.ordered())
    order = [name for side in sides for name in side.project.statements.ordered()]
    known = sorted(ids, key=order.index)
    return tuple(ClaimRow(name, tuple(rows.get(name) for rows in answers)) for name in known)


def _looked(analysis: Analysis) -> Callable[[str], tuple[RuleContext, Sequence[Finding]]]:
    """The analysis that is there, in the shape that the answer sheet asks for."""

    def look(design: str) -> tuple[RuleContext, Sequence[Finding]]:
        stages = analysis.stages if design == analysis.design else analysis.stages.of(design)
        return RuleContext(analysis.project, design, stages), stages.findings()

    return look


def binding_words(kind: str) -> Message:
    """What binds, in words. ``kind`` of a bottleneck."""
    words = {
        "nic_port": msg("the NIC ports"),
        "fabric_link": msg("the links of the fabric"),
        "socket_link": msg("the links between CPU sockets"),
        "host_memory": msg("host memory"),
        "pcie_uplink": msg("the uplinks of PCIe switches"),
        "nic_pcie": msg("the PCIe links of the NICs"),
        "gpu_pcie": msg("the PCIe links of the GPUs"),
        "c2c": msg("the links between CPU and GPU"),
        "nvlink": msg("NVLink"),
        "latency": msg("latency"),
        "protocol": msg("the protocol"),
    }
    return words.get(kind) or msg("{kind}", kind=kind)


def binding_sentence(sides: Sequence[Side], figures: Sequence[DesignFigures]) -> Message:
    """What limits all-reduce on the first two sides, as one sentence."""
    kinds = [f.all_reduce.kind if f.all_reduce.known else "" for f in figures[:2]]
    if not all(kinds):
        at = kinds.index("")
        problem = figures[at].all_reduce.problem or Message("")
        return msg("{side}: {problem}", side=sides[at].title, problem=problem)
    if kinds[0] == kinds[1]:
        return msg("Both sides are bound by {what}.", what=binding_words(kinds[0]))
    return msg(
        "{a} is bound by {what}, {b} by {other}.",
        a=sides[0].title,
        what=binding_words(kinds[0]),
        b=sides[1].title,
        other=binding_words(kinds[1]),
    )
