"""The nearest plan that runs, for one that does not: what a button beside the refusal applies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fabricwright.analysis.training import groups_of, job_of, workload_named
from fabricwright.design.training.plan import Plan
from fabricwright.design.training.shape import shape_of
from fabricwright.design.values import Workload
from fabricwright.performance.training.groups import Groups
from fabricwright.performance.training.search import Ranked, layouts, runs
from fabricwright.performance.training.train import TrainingJob
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table

if TYPE_CHECKING:
    from fabricwright.analysis.analyze import Analysis

TRIED = 200
"""Layouts whose memory and moves are looked at, nearest first."""


def nearest_plan(analysis: Analysis, name: str | None) -> tuple[Plan, dict[str, Any]] | None:
    """The plan nearest to that of a workload which runs on a design, and the fields of the workload's ``plan`` that it
    changes. None when none was found; raises nothing."""
    try:
        _, row = workload_named(analysis.project, analysis.design, name)
        groups = groups_of(analysis)
        wanted = _wanted(row, groups.n)
        job, _ = job_of(analysis, replace(row, plan=_without_degrees(row)), groups)
    except UserError:
        return None
    job = replace(job, plan=replace(job.plan, gbs=wanted["gbs"] or job.plan.gbs))
    for offload in dict.fromkeys((job.plan.offload, "", "optimizer")):
        tier = job.plan.tier if offload == job.plan.offload else ""
        found = _nearest(replace(job, plan=replace(job.plan, offload=offload, tier=tier)), groups, wanted)
        if found is not None:
            return found.plan, plan_fields(found.plan, row.plan)
    return None


def _wanted(row: Workload, ranks: int) -> dict[str, int]:
    """Degrees as stated, whatever they are worth; 0 where they are not."""
    from fabricwright.design.training.figures import number_of

    keys = {"tp": ("tp",), "pp": ("pp",), "cp": ("cp",), "ep": ("ep",), "mbs": ("mbs", "micro_batch"), "vpp": ("vpp",)}
    found = {name: max(int(number_of(row.plan, *also) or 1), 1) for name, also in keys.items()}
    found["gbs"] = max(int(number_of(row.plan, "gbs", "batch", "global_batch") or 0), 0)
    shape = shape_of(row.model)
    assert shape is not None or ranks == 0
    return found


def _without_degrees(row: Workload) -> Table[Any]:
    keep = {k: v for k, v in row.plan.items() if k not in ("tp", "pp", "dp", "cp", "ep", "vpp", "mbs", "micro_batch")}
    return Table(keep)


def _nearest(job: TrainingJob, groups: Groups, wanted: Mapping[str, int]) -> Ranked | None:
    base = job.plan

    def far(plan: Plan) -> tuple[float, float]:
        apart = sum(
            abs(math.log2(getattr(plan, key) / max(wanted[key], 1))) + 0.5 * (getattr(plan, key) != wanted[key])
            for key in ("tp", "pp", "cp", "ep", "mbs", "vpp")
        )
        apart += 0.7 * (plan.recompute != base.recompute) + 1.5 * (plan.stage != base.stage)
        return apart, plan.tp * plan.pp

    batches = [base.gbs]
    step = groups.n
    batches += [max(round(base.gbs / step), 1) * step, 1 << max(round(math.log2(max(base.gbs, 1))), 0)]
    batches += [2 * step, 4 * step, 8 * step]
    for gbs in dict.fromkeys(batches):
        plans = sorted(layouts(replace(job, plan=replace(base, gbs=gbs)), groups.n), key=far)
        found = next((r for plan in plans[:TRIED] if (r := runs(job, plan, groups)) is not None), None)
        if found is None:
            found = next((r for plan in plans[TRIED:] if (r := runs(job, plan, groups)) is not None), None)
        if found is not None:
            return found
    return None


def plan_fields(plan: Plan, old: Mapping[str, object]) -> dict[str, Any]:
    """Fields of a workload's ``plan`` that mean this plan, and None for those that would contradict it."""
    out: dict[str, Any] = {name: getattr(plan, name) for name in ("tp", "pp", "dp", "cp", "ep", "vpp", "mbs", "gbs")}
    for name in ("cp", "ep", "vpp"):
        if out[name] == 1:
            out[name] = None
    out["recompute"] = plan.recompute or "off"
    out["zero"] = plan.zero
    out["offload"] = plan.offload or None
    out["offload_tier"] = plan.tier or None
    for name in ("sharding", "distributed_optimizer", "micro_batch", "batch", "global_batch", "shard"):
        if name in old:
            out[name] = None
    return out
