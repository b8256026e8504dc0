"""MEM: does the model of the chosen workload fit the GPUs and hosts that are drawn?"""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.parts import Part
from fabricwright.rules.card import label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.training_job import (
    MEGATRON_BYTES,
    USABLE,
    Job,
    activations_gb,
    job_of,
    job_variants,
    state_gb,
)
from fabricwright.units.record import record
from fabricwright.units.text import N_, Message, msg


@record
class Gpu:
    """The GPU with the least memory of a group's servers."""

    variant: Variant
    part: Part
    memory_gb: float

    @property
    def usable_gb(self) -> float:
        """What a job gets of it."""
        return self.memory_gb * USABLE

    @property
    def estimate(self) -> bool:
        """Whether its memory was not read in a source."""
        row = self.part.figures.get("memory_gb")
        return row is None or row.confidence != "read"


def gpus_of(context: RuleContext) -> list[Gpu]:
    """The tightest GPU of every kind of server that takes part; servers whose GPUs' memory is unknown are left out."""
    out = []
    for variant in job_variants(context):
        known = [
            Gpu(variant, item.part, item.part.get("memory_gb"))
            for item in variant.eff.items.values()
            if item.kind == "gpu" and item.part is not None and item.part.get("memory_gb")
        ]
        if known:
            out.append(min(known, key=lambda gpu: gpu.memory_gb))
    return out


def too_small(context: RuleContext, need_gb: float) -> Iterator[Gpu]:
    """GPUs of the design that cannot hold ``need_gb``."""
    yield from (gpu for gpu in gpus_of(context) if need_gb > gpu.usable_gb)


def plan_words(job: Job) -> Message:
    """How a job spreads its model state, in words."""
    if job.zero is not None:
        return msg("ZeRO-{stage} over {dp}, TP {tp}, PP {pp}", stage=job.zero, dp=job.dp, tp=job.tp, pp=job.pp)
    if job.distributed:
        return msg("distributed optimizer over {dp}, TP {tp}, PP {pp}", dp=job.dp, tp=job.tp, pp=job.pp)
    return msg("Megatron's optimizer on every rank, TP {tp}, PP {pp}", tp=job.tp, pp=job.pp)


@record
class Need:
    """GB on one GPU: model state and activations (0 where the shape of the model is not stated)."""

    state: float
    activations: float
    cheapest: float

    @property
    def total(self) -> float:
        """Both."""
        return self.state + self.activations


def need_of(job: Job) -> Need | None:
    """What a job needs on a GPU; ``cheapest`` its activations with full recomputation."""
    state = state_gb(job)
    if state is None:
        return None
    return Need(state, activations_gb(job) or 0.0, activations_gb(job, "full") or 0.0)


def with_distributed_optimizer(job: Job) -> float:
    """GB of state on each GPU with Megatron's distributed optimizer."""
    return (6 + 12 / job.dp) * job.params / job.shards / 1e9


@rule(
    "MEM-02",
    "warning",
    needs=("effective", "workload"),
    scope="design",
    group="memory & capacity",
    subject="model",
    direction="up",
    title=N_("Optimizer state that need not be on every GPU"),
    checks=N_(
        "Megatron's 18 bytes per parameter fit in 90 % of the GPU's memory, unless its distributed optimizer "
        "(6 + 12/DP) would not fit either."
    ),
    reason=N_("Every data-parallel rank keeps the same optimizer state; shared out, each keeps 1/DP of it."),
    source="mega",
)
def mem_02(context: RuleContext) -> Iterator[Finding]:
    job = job_of(context)
    if job is None or job.zero is not None or job.distributed is not False or job.offload:
        return
    state = MEGATRON_BYTES * job.params / job.shards / 1e9
    shared = with_distributed_optimizer(job)
    for gpu in too_small(context, state):
        if shared <= gpu.usable_gb:
            yield context.finding(
                (gpu.variant.at(),),
                msg(
                    "{state} GB of model state per GPU over {usable} of {gpu}; with the distributed optimizer over "
                    "{dp} ranks it is {shared} GB.",
                    state=state,
                    usable=gpu.usable_gb,
                    gpu=label(gpu.part),
                    dp=job.dp,
                    shared=shared,
                ),
                variant=gpu.variant,
                measured=state,
                allowed=gpu.usable_gb,
                unit="GB",
                values={"workload": job.id, "distributed_gb": shared, "dp": job.dp, "tp": job.tp, "pp": job.pp},
                estimate=gpu.estimate,
            )


@rule(
    "MEM-05",
    "warning",
    needs=("effective", "wiring", "settings", "workload"),
    scope="design",
    group="memory & capacity",
    subject="tp",
    direction="up",
    title=N_("Tensor-parallel group larger than an NVLink domain"),
    checks=N_(
        "The GPUs of one tensor-parallel group are within one NVLink domain (a server where there is no NVLink)."
    ),
    reason=N_(
        "A tensor-parallel group exchanges activations several times in every layer. Over the network that takes "
        "longer than computing."
    ),
    source="mleng",
)
def mem_05(context: RuleContext) -> Iterator[Finding]:
    from fabricwright.rules.nvlink_domains import domain_sizes

    job = job_of(context)
    group, where = (job.tp, "workload") if job is not None and job.tp > 1 else (_stated_tp(context), "setting")
    if group is None or group <= 1:
        return
    for variant, size, linked in domain_sizes(context):
        if group <= size:
            continue
        words = {"tp": group, "size": size}
        yield context.finding(
            (variant.at(),),
            msg("A tensor-parallel group of {tp} spans NVLink domains of {size} GPUs.", **words)
            if linked
            else msg("A tensor-parallel group of {tp} spans servers of {size} GPUs without NVLink.", **words),
            variant=variant,
            measured=float(group),
            allowed=float(size),
            unit="GPUs",
            values={"from": where},
        )


def _stated_tp(context: RuleContext) -> int | None:
    value = context.settings.get("job.tp")
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


@rule(
    "MEM-07",
    "warning",
    needs=("effective", "workload"),
    scope="design",
    group="memory & capacity",
    subject="activations",
    direction="up",
    title=N_("Activations do not fit beside the model"),
    checks=N_("Activations fit in what model state leaves of 90 % of the GPU's memory; recomputed ones would."),
    reason=N_(
        "A layer keeps s b h (18 + 4 ffn/h) bytes for the way back, over TP. Recomputation keeps only the input of "
        "each layer and computes the rest again."
    ),
    source="mega",
)
def mem_07(context: RuleContext) -> Iterator[Finding]:
    job = job_of(context)
    need = need_of(job) if job is not None else None
    if job is None or need is None or not need.activations or job.recompute == "full":
        return
    for gpu in too_small(context, need.total):
        left = gpu.usable_gb - need.state
        if left >= need.cheapest:
            yield context.finding(
                (gpu.variant.at(),),
                msg(
                    "Activations of {need} GB in the {left} GB that {state} GB of model state leave of {gpu}; "
                    "recomputed they are {cheap} GB.",
                    need=need.activations,
                    left=left,
                    state=need.state,
                    gpu=label(gpu.part),
                    cheap=need.cheapest,
                ),
                variant=gpu.variant,
                measured=need.activations,
                allowed=left,
                unit="GB",
                values={"workload": job.id, "state_gb": need.state, "recomputed_gb": need.cheapest},
                estimate=gpu.estimate,
            )
