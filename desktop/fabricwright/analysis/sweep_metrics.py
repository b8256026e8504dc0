"""What a sweep tells of every variant: metrics by name, their columns, and how they are computed.

Collectives at a size, ``all_reduce@1G``, give busbw with its band, time, algorithm and what binds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fabricwright.analysis.analyze import Analysis, profile_of
from fabricwright.analysis.figures import (
    busbw_of,
    cable_count,
    fabric_power_w_of,
    finding_counts,
    priced,
    rack_units_of,
    switches_by_tier,
    training_figure,
    worst_of,
)
from fabricwright.analysis.sweep_stages import SweepStages
from fabricwright.exchange.bom import bom
from fabricwright.exchange.data_table import Column
from fabricwright.performance.collectives import COLLECTIVES
from fabricwright.performance.predict import PredictRequest
from fabricwright.units.errors import UserError
from fabricwright.units.quantity import parse_size
from fabricwright.units.text import Message, msg

Cell = str | int | float | None
DEFAULT_METRICS = ("counts", "power", "all_reduce@1G")
FABRIC = frozenset({"nic", "switch", "optic", "cable", "fibre"})


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: its ``columns``, and what gives their values (as many) for a variant. ``fast`` ones need neither the
    rule book nor a training step nor every single failure."""

    name: str
    columns: tuple[Column, ...]
    compute: Callable[[Analysis, SweepStages, str], tuple[Cell, ...]]
    fast: bool = True


def _counts(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
    found = stages.cache.get("counts", stages.drawn_key, analysis.figures)
    return found["gpus"], found["servers"], found["switches"], found["links"]


def _power(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
    found = stages.cache.get("counts", stages.drawn_key, analysis.figures)
    return (found["power_w"],)


def _fabric_power(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
    lines = bom(analysis.project, analysis.design, stages.bundles())
    return (fabric_power_w_of(analysis, lines),)


def _rack_units(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
    return (stages.cache.get("rack units", stages.drawn_key, lambda: rack_units_of(analysis)),)


def _cable_count(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
    return (stages.cache.get("cable count", stages.drawn_key, lambda: cable_count(analysis)),)


def _tiers(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
    found = stages.cache.get("tiers", stages.drawn_key, lambda: switches_by_tier(analysis.cluster.fabric))
    return tuple(found.get(name, 0) for name in ("leaf", "spine", "core"))


def _cost(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
    lines = bom(analysis.project, analysis.design, stages.bundles()).lines
    total, currency, without = priced(lines)
    fabric, _, _ = priced([line for line in lines if line.kind in FABRIC])
    return total, fabric, currency, without


def _findings(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
    found = finding_counts(analysis)
    return found["error"], found["warning"], found["info"], found["approved"]


def _worst(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
    return worst_of(analysis, 1 << 30)


def _train(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
    step, problem = training_figure(analysis)
    if step is None:
        raise UserError(problem if problem is not None else msg("There is no training step."))
    return (
        step.step_time_s,
        step.mfu,
        step.communication_share,
        step.gpu_utilisation,
        step.tokens_per_s,
        step.days,
    )


def _columns(*rows: tuple[str, Message, str]) -> tuple[Column, ...]:
    return tuple(Column(key, head, kind) for key, head, kind in rows)


_PLAIN: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            "counts",
            _columns(
                ("gpus", msg("GPUs"), "count"),
                ("servers", msg("Servers"), "count"),
                ("switches", msg("Switches"), "count"),
                ("links", msg("Links"), "count"),
            ),
            _counts,
        ),
        Metric(
            "tiers",
            _columns(
                ("leafs", msg("Leafs"), "count"),
                ("spines", msg("Spines"), "count"),
                ("cores", msg("Cores"), "count"),
            ),
            _tiers,
        ),
        Metric("cables", _columns(("cables", msg("Cables"), "count")), _cable_count),
        Metric("power", _columns(("power_w", msg("Power"), "power_w")), _power),
        Metric("fabric_power", _columns(("fabric_power_w", msg("Power of the network"), "power_w")), _fabric_power),
        Metric("rack_units", _columns(("rack_units", msg("Rack units"), "count")), _rack_units),
        Metric(
            "cost",
            _columns(
                ("price", msg("Price"), "money"),
                ("fabric_price", msg("Price of the network"), "money"),
                ("currency", msg("Currency"), "text"),
                ("without_price", msg("Lines without price"), "count"),
            ),
            _cost,
        ),
        Metric(
            "findings",
            _columns(
                ("errors", msg("Errors"), "count"),
                ("warnings", msg("Warnings"), "count"),
                ("infos", msg("Infos"), "count"),
                ("approved", msg("Approved"), "count"),
            ),
            _findings,
            fast=False,
        ),
        Metric(
            "worst_failure",
            _columns(
                ("worst_failure_ratio", msg("Worst single failure"), "percent"),
                ("worst_failure", msg("Place of the worst failure"), "text"),
            ),
            _worst,
            fast=False,
        ),
        Metric(
            "train",
            _columns(
                ("step_time_s", msg("Training step (s)"), "number"),
                ("mfu", msg("MFU"), "percent"),
                ("communication_share", msg("Communication share"), "percent"),
                ("gpu_utilisation", msg("GPU utilisation"), "percent"),
                ("tokens_per_s", msg("Tokens/s"), "number"),
                ("days", msg("Days"), "number"),
            ),
            _train,
            fast=False,
        ),
    )
}

PLAIN_METRICS = tuple(_PLAIN)
"""Names of all metrics but the collectives."""


def parse_metric(name: str) -> Metric:
    """A metric by name. Raises UserError with what there is."""
    word = name.strip().lower()
    if word in _PLAIN:
        return _PLAIN[word]
    collective, at, size = word.partition("@")
    if collective in COLLECTIVES:
        return _collective(collective, parse_size(size) if at else 1 << 30, size.upper() if at else "1G")
    raise UserError(
        msg(
            "Metric '{name}' is not known; expected {known}, or a collective at a size such as all_reduce@1G.",
            name=name[:60],
            known=list(PLAIN_METRICS),
        )
    )


def _collective(collective: str, n_bytes: int, size: str) -> Metric:
    request = PredictRequest(collective, (n_bytes,))
    key = f"{collective}_{size}"

    def compute(analysis: Analysis, stages: SweepStages, lang: str) -> tuple[Cell, ...]:
        row = stages.row(request, profile_of(analysis.project, analysis.design))
        figure = busbw_of(collective, row)
        label = figure.label.text(lang) if figure.label is not None else ""
        return (
            figure.busbw / 1e9,
            figure.low / 1e9,
            figure.high / 1e9,
            figure.time_s * 1e6,
            figure.algorithm,
            figure.protocol,
            label,
            figure.address,
        )

    def head(what: Message) -> Message:
        return msg("{collective} {size}: {what}", collective=collective, size=size, what=what)

    columns = _columns(
        (f"{key}_busbw_gbs", head(msg("busbw (GB/s)")), "number"),
        (f"{key}_busbw_gbs_low", head(msg("low")), "number"),
        (f"{key}_busbw_gbs_high", head(msg("high")), "number"),
        (f"{key}_time_us", head(msg("time (us)")), "number"),
        (f"{key}_algorithm", head(msg("algorithm")), "text"),
        (f"{key}_protocol", head(msg("protocol")), "text"),
        (f"{key}_bottleneck", head(msg("limit")), "text"),
        (f"{key}_bottleneck_address", head(msg("place of the limit")), "text"),
    )
    return Metric(f"{collective}@{size}", columns, compute)
