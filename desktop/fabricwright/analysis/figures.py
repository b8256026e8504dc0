"""The figures of a design that one looks at side by side: what it holds, draws, costs, and how fast it is.

Comparison, alternatives and report all read them from here, so that the same design shows the same figure everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fabricwright.analysis.analyze import Analysis
from fabricwright.design.keys import table_key
from fabricwright.design.rack_height import height_units
from fabricwright.exchange.bom import BomLine, BomTable, bom
from fabricwright.performance.predict import PredictRequest, Row
from fabricwright.rules.context import split_members
from fabricwright.topology.model import Fabric
from fabricwright.topology.shared_cables import shared_cables
from fabricwright.topology.wiring import absent_members, product
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message

GIB = 1 << 30
TIERS = {1: "leaf", 2: "spine", 3: "core"}
FABRIC_KINDS = frozenset({"nic", "switch", "optic", "cable", "fibre"})
"""Kinds of parts that are the network: what an upgrade of it changes."""
NO_HEIGHT = frozenset({"rack", "pdu"})


@dataclass(frozen=True, slots=True)
class BusbwFigure:
    """One collective at one size. Rates in bytes/s; ``low``/``high`` the band; ``label``/``address``/``kind`` what
    binds, ``utilisation`` the part of the time it is busy. ``problem`` says why there is no figure (rates are 0 then).
    """

    collective: str
    n_bytes: int
    busbw: float = 0.0
    low: float = 0.0
    high: float = 0.0
    time_s: float = 0.0
    algorithm: str = ""
    protocol: str = ""
    label: Message | None = None
    address: str = ""
    kind: str = ""
    utilisation: float = 0.0
    problem: Message | None = None

    @property
    def known(self) -> bool:
        """Whether there is a figure."""
        return self.problem is None

    def to_json(self) -> dict[str, object]:
        """Plain values, GB/s and microseconds as ``predict --json``; texts in English."""
        return {
            "collective": self.collective,
            "bytes": self.n_bytes,
            "busbw_gbs": self.busbw / 1e9 if self.known else None,
            "busbw_gbs_low": self.low / 1e9 if self.known else None,
            "busbw_gbs_high": self.high / 1e9 if self.known else None,
            "time_us": self.time_s * 1e6 if self.known else None,
            "algorithm": self.algorithm,
            "protocol": self.protocol,
            "bottleneck": {
                "address": self.address,
                "kind": self.kind,
                "label": self.label.english() if self.label is not None else "",
                "utilisation": self.utilisation,
            },
            "problem": self.problem.english() if self.problem is not None else None,
        }


@dataclass(frozen=True, slots=True)
class TrainingFigure:
    """A training step of the design's workload; as the ``train`` command tells it. Seconds and parts of 1."""

    step_time_s: float
    compute_s: float
    exposed_communication_s: float
    communication_share: float
    gpu_utilisation: float | None = None
    mfu: float | None = None
    days: float | None = None
    tokens_per_s: float | None = None

    def to_json(self) -> dict[str, object]:
        """Plain values under the names of ``train --json``."""
        names = ("step_time_s", "compute_s", "exposed_communication_s", "communication_share", "gpu_utilisation")
        return {name: getattr(self, name) for name in (*names, "mfu", "days", "tokens_per_s")}


@dataclass(frozen=True, slots=True)
class DesignFigures:
    """Figures of one design.

    ``switches`` by tier (``leaf``, ``spine``, ``core``, ``other``); ``cables`` physical cables of all networks;
    ``links`` their live logical links. ``power_w`` of everything, ``fabric_power_w`` of switches, optics and cables:
    nominal maxima of the parts, what the catalogue does not state counts as 0. ``rack_units`` of servers, switches and
    boxes on the fabric sheet. ``price``/``fabric_price`` in ``currency``, None while the project's list prices none of
    the lines; ``without_price`` lines of the BOM that are not in it. ``worst_failure_ratio`` busbw of the worst single
    failure to the undamaged one, 0 where it cuts ranks off, None when not asked for or not to be had; ``worst_failure``
    its address. ``training_problem`` why there is no step though one was asked for. ``findings`` counts by severity
    without those that were approved, ``approved`` on its own.
    """

    design: str
    title: str
    gpus: int
    servers: int
    switches: Mapping[str, int]
    links: int
    cables: int
    power_w: float
    fabric_power_w: float
    rack_units: int
    price: float | None
    fabric_price: float | None
    currency: str
    without_price: int
    all_reduce: BusbwFigure
    all_to_all: BusbwFigure
    worst_failure_ratio: float | None
    worst_failure: str
    findings: Mapping[str, int]
    training: TrainingFigure | None
    training_problem: Message | None
    bom: BomTable = field(compare=False)

    @property
    def switch_count(self) -> int:
        """Switches of all tiers."""
        return sum(self.switches.values())

    def to_json(self) -> dict[str, object]:
        """Plain values; the BOM is left out."""
        return {
            "design": self.design,
            "title": self.title,
            "gpus": self.gpus,
            "servers": self.servers,
            "switches": dict(self.switches),
            "links": self.links,
            "cables": self.cables,
            "power_w": self.power_w,
            "fabric_power_w": self.fabric_power_w,
            "rack_units": self.rack_units,
            "price": self.price,
            "fabric_price": self.fabric_price,
            "currency": self.currency,
            "without_price": self.without_price,
            "all_reduce": self.all_reduce.to_json(),
            "all_to_all": self.all_to_all.to_json(),
            "worst_failure_ratio": self.worst_failure_ratio,
            "worst_failure": self.worst_failure,
            "findings": dict(self.findings),
            "training": self.training.to_json() if self.training is not None else None,
            "training_problem": self.training_problem.english() if self.training_problem is not None else None,
        }


def design_figures(
    analysis: Analysis,
    *,
    n_bytes: int = GIB,
    worst_failure: bool = True,
    findings: bool = True,
    training: bool = True,
) -> DesignFigures:
    """All figures of the analysed design at ``n_bytes`` per GPU. The switches leave out what takes longest: the sweep
    over single failures, the rule book, the training step. Raises UserError only for a design that cannot be compiled.
    """
    counts = analysis.figures()
    lines = bom(analysis.project, analysis.design, analysis.stages.bundles())
    total, currency, without = priced(lines.lines)
    fabric_total, _, _ = priced([line for line in lines.lines if line.kind in FABRIC_KINDS])
    step, problem = training_figure(analysis) if training else (None, None)
    worst, where = worst_of(analysis, n_bytes) if worst_failure else (None, "")
    return DesignFigures(
        design=analysis.design,
        title=analysis.stages.design.title or analysis.design,
        gpus=counts["gpus"],
        servers=counts["servers"],
        switches=switches_by_tier(analysis.cluster.fabric),
        links=counts["links"],
        cables=cable_count(analysis),
        power_w=counts["power_w"],
        fabric_power_w=fabric_power_w_of(analysis, lines),
        rack_units=rack_units_of(analysis),
        price=total,
        fabric_price=fabric_total,
        currency=currency,
        without_price=without,
        all_reduce=busbw_figure(analysis, "all_reduce", n_bytes),
        all_to_all=busbw_figure(analysis, "all_to_all", n_bytes),
        worst_failure_ratio=worst,
        worst_failure=where,
        findings=finding_counts(analysis) if findings else {},
        training=step,
        training_problem=problem,
        bom=lines,
    )


def with_training(figures: DesignFigures, analysis: Analysis) -> DesignFigures:
    """The same figures with the training step."""
    step, problem = training_figure(analysis)
    return replace(figures, training=step, training_problem=problem)


def busbw_figure(analysis: Analysis, collective: str, n_bytes: int = GIB) -> BusbwFigure:
    """A collective at one size; where it cannot run, why."""
    try:
        row = analysis.predict(PredictRequest(collective, (n_bytes,))).rows[0]
    except UserError as error:
        return BusbwFigure(collective, n_bytes, problem=error.message)
    return busbw_of(collective, row)


def busbw_of(collective: str, row: Row) -> BusbwFigure:
    """A predicted row as a figure: the busbw of the band's slow and fast ends is the busbw scaled by the times."""
    scale = row.busbw * row.time_s
    return BusbwFigure(
        collective,
        row.n_bytes,
        row.busbw,
        scale / row.high_s if row.high_s > 0 else row.busbw,
        scale / row.low_s if row.low_s > 0 else row.busbw,
        row.time_s,
        row.algorithm,
        row.protocol,
        row.bottleneck.label,
        row.bottleneck.address,
        row.bottleneck.kind,
        row.bottleneck.utilisation,
    )


def finding_counts(analysis: Analysis) -> dict[str, int]:
    """error, warning, info: without those approved, which count under ``approved``."""
    out = {"error": 0, "warning": 0, "info": 0, "approved": 0}
    for entry in analysis.judged:
        severity = entry.finding.severity
        if severity != "fact":
            out["approved" if entry.approval is not None else severity] += 1
    return out


def training_figure(analysis: Analysis) -> tuple[TrainingFigure | None, Message | None]:
    """The step of the design's workload, or why there is none. Kept: a plan that is searched for takes long."""
    project = analysis.project
    key = (table_key(project.workloads), table_key(project.prices), table_key(project.profiles), *analysis.where)
    return analysis.stages.of_cluster("training figure", key, lambda: _training(analysis))


def _training(analysis: Analysis) -> tuple[TrainingFigure | None, Message | None]:
    try:
        told: Mapping[str, Any] = analysis.train(None).to_json()
    except UserError as error:
        return None, error.message
    figure = TrainingFigure(
        float(told["step_time_s"]),
        float(told["compute_s"]),
        float(told["exposed_communication_s"]),
        float(told["communication_share"]),
        told.get("gpu_utilisation"),
        told.get("mfu"),
        told.get("days"),
        told.get("tokens_per_s"),
    )
    return figure, None


def priced(lines: tuple[BomLine, ...] | list[BomLine]) -> tuple[float | None, str, int]:
    """(sum, currency, lines without a price); the sum is None when no line has one."""
    totals = [line.total for line in lines if line.total is not None]
    currency = next((line.currency for line in lines if line.total is not None), "")
    return (sum(totals) if totals else None), currency, len(lines) - len(totals)


def switches_by_tier(fabric: Fabric) -> dict[str, int]:
    if not len(fabric.switch):
        return {}
    tiers = fabric.tier[fabric.switch & ~fabric.absent]
    out = {name: int(np.count_nonzero(tiers == tier)) for tier, name in TIERS.items()}
    out["other"] = len(tiers) - sum(out.values())
    return {name: count for name, count in out.items() if count}


def cable_count(analysis: Analysis) -> int:
    """Physical cables; a splitter that two link rows share is one."""
    stages = analysis.stages
    every = stages.cables()
    shared = shared_cables(analysis.project, stages.effective(stages.design.root), stages.bundles(), every)
    return sum(row.count for row in every.values()) - len(shared.owner)


def fabric_power_w_of(analysis: Analysis, lines: BomTable) -> float:
    parts = analysis.project.parts
    total = 0.0
    for line in lines.lines:
        part = parts.get(line.part)
        if part is None:
            continue
        if part.kind in ("switch", "optic"):
            total += line.quantity * part.get("power_w")
        elif part.kind == "cable":
            total += line.quantity * (part.get("power_w_a") + part.get("power_w_b") * max(1.0, part.get("branches", 1)))
    return total


def rack_units_of(analysis: Analysis) -> int:
    project, design = analysis.project, analysis.stages.design
    eff = analysis.stages.effective(design.root)
    if eff.kind != "fabric":
        return height_units(project, design, f"sheet:{design.root}")
    total = 0
    for item_id, item in eff.items.items():
        row = design.sheets[design.root].items.get(item_id)
        if item.of.startswith("sheet:"):
            for sheet, members in split_members(row).items() if row is not None else ():
                total += len(members) * height_units(project, design, f"sheet:{sheet}")
        elif item.part is not None and item.kind not in NO_HEIGHT:
            count = product(item.axes)
            present = count - int(np.count_nonzero(absent_members(design, eff, item_id, count)))
            total += present * height_units(project, design, item.of)
    return total


def worst_of(analysis: Analysis, n_bytes: int) -> tuple[float | None, str]:
    try:
        worst = analysis.worst_failure(PredictRequest("all_reduce", (n_bytes,)))
    except UserError:
        return None, ""
    return (worst.ratio, worst.address) if worst is not None else (None, "")
