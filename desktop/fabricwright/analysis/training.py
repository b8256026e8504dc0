"""The training step of a design: its workload read, its GPUs, servers and host memory found, the step predicted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fabricwright.analysis.training_money import money_of
from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.keys import row_key, table_key
from fabricwright.design.training.figures import number_of
from fabricwright.design.training.plan import check_plan, plan_of
from fabricwright.design.training.shape import shape_of
from fabricwright.design.values import Project, Workload
from fabricwright.performance.training.gpu import Gpu, gpu_of
from fabricwright.performance.training.groups import Groups
from fabricwright.performance.training.money import Cost
from fabricwright.performance.training.search import Ranked, layout_words, nearest_fit, ranked
from fabricwright.performance.training.sensitivity import sensitivity
from fabricwright.performance.training.train import (
    Training,
    TrainingJob,
    fullest,
    room_of,
    train,
    training_constants,
)
from fabricwright.rules.context import chassis_config
from fabricwright.topology.host_memory import tiers_of
from fabricwright.topology.model import Cluster
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

if TYPE_CHECKING:
    from fabricwright.analysis.analyze import Analysis

STATED = ("tp", "pp", "dp", "cp", "ep", "zero", "sharding", "distributed_optimizer", "mbs", "recompute")
"""A plan that states none of these leaves the layout to the search."""


@dataclass(frozen=True, slots=True)
class DesignTraining:
    """A step of a design and what it costs; ``cost`` None where the project states no prices."""

    workload: str
    title: str
    training: Training
    cost: Cost | None

    def to_json(self) -> dict[str, object]:
        """As ``train --json``; texts in English."""
        return {
            "workload": self.workload,
            **self.training.to_json(),
            "money": self.cost.to_json() if self.cost is not None else None,
        }


def workload_named(project: Project, design: str, name: str | None) -> tuple[str, Workload]:
    """The workload asked for, the design's own (setting ``workload``), or the project's only one. UserError else."""
    wanted = name or project.designs[design].settings.get("workload")
    if isinstance(wanted, str) and wanted.strip():
        row = project.workloads.get(wanted.strip())
        if row is None:
            raise UserError(
                msg(
                    "The project has no workload '{name}'; it has {known}.",
                    name=wanted.strip()[:60],
                    known=", ".join(sorted(project.workloads)) or "-",
                )
            )
        return wanted.strip(), row
    if len(project.workloads) == 1:
        return next(iter(project.workloads.items()))
    if not len(project.workloads):
        raise UserError(msg("The project has no workload; a step needs a model and a plan."))
    raise UserError(
        msg(
            "Which workload? The project has {known}; name one, or set the design's workload.",
            known=", ".join(sorted(project.workloads)),
        )
    )


def train_design(analysis: Analysis, name: str | None) -> DesignTraining:
    """Predict the step of a design's workload. ``UserError`` with the nearest that works where it cannot run."""
    workload, row = workload_named(analysis.project, analysis.design, name)
    p = analysis.project
    ordering = tuple(sorted((name, str(value)) for name, value in p.ordering.items()))
    key = (*analysis.where, workload, row_key(row), table_key(p.prices), table_key(p.stock), ordering)
    return analysis.stages.of_cluster("training step", key, lambda: _train(analysis, workload, row))


def _train(analysis: Analysis, workload: str, row: Workload) -> DesignTraining:
    groups = groups_of(analysis)
    job, free = job_of(analysis, row, groups)
    k = training_constants()
    if free:
        best = ranked(job, groups, keep=1)[0]
        note = msg("The plan states no layout; the best found is {layout}.", layout=layout_words(best.plan))
        job = replace(job, plan=best.plan, notes=(*job.notes, note))
    elif fullest(job.plan, job.shape).total > room_of(job.gpu):
        leaner = replace(job.plan, recompute="full")
        if row.plan.get("recompute") in (None, "") and fullest(leaner, job.shape).total <= room_of(job.gpu):
            note = msg("Activations do not fit and recomputation is not stated; full recomputation assumed.")
            job = replace(job, plan=leaner, notes=(*job.notes, note))
        else:
            check_plan(job.plan, job.shape)
            _refuse(job, groups)
    found = train(job, groups, k)
    found = replace(found, sensitivity=sensitivity(found, groups, k))
    return DesignTraining(workload, row.title or workload, found, money_of(analysis, found))


def _refuse(job: TrainingJob, groups: Groups) -> None:
    need = fullest(job.plan, job.shape).total
    near = nearest_fit(job, groups)
    if near is None:
        ranked(job, groups, keep=1)  # says why nothing fits
        return
    raise UserError(
        msg(
            "{layout} needs {need} GB per GPU over {room} of {gpu}; {nearest} would fit with {less} GB.",
            layout=layout_words(job.plan),
            need=need / 1e9,
            room=room_of(job.gpu) / 1e9,
            gpu=job.gpu.name,
            nearest=layout_words(near.plan),
            less=near.memory / 1e9,
        )
    )


def groups_of(analysis: Analysis) -> Groups:
    """Groups of the ranks that take part, kept with the cluster they were made for."""
    from fabricwright.analysis.analyze import profile_of

    profile = profile_of(analysis.project, analysis.design)
    return analysis.stages.of_cluster("training", (*analysis.where, profile), lambda: Groups(analysis.cluster, profile))


def search_design(analysis: Analysis, name: str | None, keep: int = 10, workers: int = 1) -> tuple[Ranked, ...]:
    """The best layouts of a workload on a design, best first."""
    _, row = workload_named(analysis.project, analysis.design, name)
    groups = groups_of(analysis)
    job, _ = job_of(analysis, row, groups)
    return ranked(job, groups, keep, workers)


def job_of(analysis: Analysis, row: Workload, groups: Groups) -> tuple[TrainingJob, bool]:
    """The job of a workload on a design, and whether its plan leaves the layout open."""
    cluster = analysis.cluster
    shape = shape_of(row.model)
    if shape is None:
        raise UserError(msg("The workload does not say how large its model is; state params_b, or layers and hidden."))
    if not groups.n:
        raise UserError(msg("No GPU takes part: there is no server with GPUs in the rank order of this design."))
    free = not any(row.plan.get(key) not in (None, "") for key in STATED)
    plan = plan_of(row.plan, shape, groups.n)
    gpu, notes = _gpu(analysis.project, cluster)
    variants, counts = np.unique(np.asarray(cluster.variant)[np.unique(cluster.rank_server)], return_counts=True)
    del counts
    found = []
    for v in variants.tolist():
        sheet = cluster.variant_sheet[v]
        eff = analysis.stages.effective(sheet)
        fitted = chassis_config(analysis.stages.design, sheet)
        found.append((tiers_of(eff, analysis.project.parts, fitted, cluster.interiors[v]), cluster.interiors[v]))
    tiers, interior = min(found, key=lambda pair: sum(t.capacity for t in pair[0]))
    fullest_server = int(np.bincount(np.asarray(cluster.rank_server)).max())
    tokens = (number_of(row.model, "tokens_b") or number_of(row.plan, "tokens_b") or 0.0) * 1e9
    return TrainingJob(shape, plan, gpu, interior, tiers, fullest_server, tokens, notes), free


def _gpu(project: Project, cluster: Cluster) -> tuple[Gpu, tuple[Message, ...]]:
    """The slowest GPU that takes part: the others wait for it."""
    k = training_constants()
    names: dict[str, None] = {}
    variant = np.asarray(cluster.variant)[np.asarray(cluster.rank_server)]
    for v, g in np.unique(np.stack((variant, np.asarray(cluster.rank_gpu))), axis=1).T.tolist():
        names.setdefault(cluster.interiors[v].gpu_parts[g])
    gpus = [gpu_of(_part(project, name), name, k) for name in names]
    slow = min(gpus, key=lambda g: g.best_bf16)
    least = min(g.memory for g in gpus)
    notes: tuple[Message, ...] = ()
    if len(gpus) > 1:
        notes = (
            msg(
                "GPUs of {n} kinds take part; all go at the pace of {gpu} and hold what the smallest holds.",
                n=len(gpus),
                gpu=slow.name,
            ),
        )
    return replace(slow, memory=least), notes


def _part(project: Project, name: str) -> Part:
    part = project.parts.get(name) or catalogue().get(name)
    if part is None:
        raise UserError(msg("The GPU '{name}' is not in the catalogue.", name=name))
    return part
