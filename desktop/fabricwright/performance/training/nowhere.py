"""Why no layout of a model runs on a cluster, and the nearest that would: another batch, offload, more GPUs, larger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from fabricwright.design.training.memory import host_memory
from fabricwright.design.training.plan import Plan
from fabricwright.performance.training.offload import place
from fabricwright.performance.training.train import TrainingJob, fullest, room_of
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

MOST_DOUBLINGS = 12
"""Clusters up to 4,096 times as large are tried."""
OFFLOADS = ("", "optimizer", "all")


def nowhere_error(
    job: TrainingJob,
    plans: Sequence[Plan],
    layouts: Callable[[TrainingJob, int], list[Plan]],
    words: Callable[[Plan], Message],
) -> UserError:
    """The error for ``plans`` none of which runs. ``layouts`` lists those of a job on so many ranks, ``words`` tells
    one."""
    ranks = job.plan.ranks
    if not plans:
        return UserError(
            msg(
                "No layout divides {gpus} GPUs, a batch of {gbs} and this model; a batch of {nearest} would.",
                gpus=ranks,
                gbs=job.plan.gbs,
                nearest=max(round(job.plan.gbs / ranks), 1) * ranks,
            )
        )
    least = min(plans, key=lambda p: fullest(p, job.shape).total)
    need, room = fullest(least, job.shape).total, room_of(job.gpu)
    if need <= room:
        held = _held(job, least)
        if held is not None:
            return held  # the GPUs would do, the memory of the hosts does not
    return UserError(
        msg(
            "The model fits nowhere: the leanest layout ({layout}) needs {need} GB per GPU, {gpu} has {room}; "
            "{nearest}.",
            layout=words(least),
            need=need / 1e9,
            gpu=job.gpu.name,
            room=room / 1e9,
            nearest=_nearest(job, need, layouts, words),
        )
    )


def _nearest(
    job: TrainingJob,
    need: float,
    layouts: Callable[[TrainingJob, int], list[Plan]],
    words: Callable[[Plan], Message],
) -> Message:
    base, ranks, room = job.plan, job.plan.ranks, room_of(job.gpu)
    now = OFFLOADS.index(base.offload) if base.offload in OFFLOADS else 0
    for offload in OFFLOADS[now + 1 :]:
        other = replace(job, plan=replace(base, offload=offload))
        plan = next((p for p in layouts(other, ranks) if _fits(other, p, room)), None)
        if plan is not None:
            if offload == "all":
                return msg("with all of its state offloaded to the host {layout} fits", layout=words(plan))
            return msg("with the optimizer offloaded to the host {layout} fits", layout=words(plan))
    for double in range(1, MOST_DOUBLINGS + 1):
        more = ranks << double
        other = replace(job, plan=replace(base, gbs=base.gbs << double))
        plan = next((p for p in layouts(other, more) if _fits(other, p, room)), None)
        if plan is not None:
            return msg("{gpus} such GPUs would do ({layout})", gpus=more, layout=words(plan))
    return msg("GPUs with {need} GB would do", need=need / room * job.gpu.memory / 1e9)


def _fits(job: TrainingJob, plan: Plan, room: float) -> bool:
    return fullest(plan, job.shape).total <= room and _held(job, plan) is None


def _held(job: TrainingJob, plan: Plan) -> UserError | None:
    """Why what a plan keeps outside the GPUs does not fit there; None when it does."""
    try:
        place(host_memory(plan, job.shape), plan, job.tiers, job.interior, job.gpus_per_server)
    except UserError as error:
        return error
    return None
