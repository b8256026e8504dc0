"""What a workload says about memory and traffic: bytes of model state, activations and gradients.

The counts themselves are those of ``design.training``, which the training step uses too. GB are decimal.
"""

from __future__ import annotations

from fabricwright.design.training.figures import number_of
from fabricwright.design.training.memory import (
    BOTH_GRADIENTS_BYTES,
    MEGATRON_BYTES,
    OPTIMIZER_BYTES,
    USABLE,
    ZERO_BYTES,
    activation_input_bytes,
    activation_layer_bytes,
    gradient_bytes,
    zero_bytes,
)
from fabricwright.design.training.plan import (
    BYTES_OF,
    OFF,
    degree,
    offload_of,
    recompute_of,
    word_of,
    zero_stage,
)
from fabricwright.design.values import Workload
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.scale import gpus_in
from fabricwright.units.record import record

__all__ = [
    "BOTH_GRADIENTS_BYTES",
    "MEGATRON_BYTES",
    "OPTIMIZER_BYTES",
    "USABLE",
    "ZERO_BYTES",
    "Job",
    "activations_gb",
    "design_gpus",
    "job_of",
    "job_variants",
    "number_of",
    "payload_gb",
    "read_job",
    "state_gb",
    "zero_bytes",
]


@record
class Job:
    """A workload in numbers; 0 or None = not stated.

    ``params`` parameters, ``dp`` data-parallel ranks (stated, else what is left of ``gpus``), ``zero`` stage,
    ``distributed`` optimizer of Megatron, ``offload`` "" | optimizer | all, ``recompute`` "" | selective | full.
    """

    id: str
    title: str
    params: float
    gpus: int
    tp: int
    pp: int
    dp: int
    zero: int | None
    distributed: bool | None
    offload: str
    recompute: str
    layers: float
    hidden: float
    ffn: float
    seq: float
    micro_batch: float
    gradient_bytes: int | None
    mfu: float | None
    tflops: float | None
    precision: str

    @property
    def shards(self) -> int:
        """Model-parallel ranks that one copy of the model is cut over."""
        return self.tp * self.pp


def job_of(context: RuleContext) -> Job | None:
    """The chosen workload of the design; None without one, or when it does not say how large the model is."""
    row = context.workload()
    return read_job(context.workload_id(), row, design_gpus(context)) if row is not None else None


def read_job(workload_id: str, row: Workload, gpus: int) -> Job | None:
    """A workload row in numbers, on so many GPUs."""
    billions = number_of(row.model, "params_b")
    if billions is None or billions <= 0:
        return None
    plan, model = row.plan, row.model
    tp, pp = degree(plan, "tp"), degree(plan, "pp")
    dp = int(number_of(plan, "dp") or 0) or max(gpus // max(tp * pp * degree(plan, "cp"), 1), 1)
    distributed = word_of(plan, "distributed_optimizer")
    hidden = number_of(model, "hidden") or 0.0
    return Job(
        workload_id,
        row.title or workload_id,
        billions * 1e9,
        gpus,
        tp,
        pp,
        dp,
        zero_stage(plan),
        None if not distributed else distributed not in OFF,
        offload_of(plan),
        recompute_of(plan),
        number_of(model, "layers") or 0.0,
        hidden,
        number_of(model, "ffn") or 4 * hidden,
        number_of(model, "seq") or 0.0,
        number_of(plan, "mbs", "micro_batch") or 0.0,
        BYTES_OF.get(word_of(plan, "gradient_dtype") or word_of(plan, "precision")),
        number_of(plan, "mfu"),
        number_of(plan, "tflops_per_gpu"),
        word_of(plan, "precision"),
    )


def job_variants(context: RuleContext) -> list[Variant]:
    """Servers that take part: the groups that the design ranks, else all; those with GPUs."""
    ranked = set(context.design.ranks)
    every = [v for v in context.variants() if gpus_in(v.eff)]
    return [v for v in every if not ranked or not v.item or v.item in ranked] or every


def design_gpus(context: RuleContext) -> int:
    """GPUs that take part."""
    return sum(len(v.members) * gpus_in(v.eff) for v in job_variants(context))


def state_gb(job: Job) -> float | None:
    """GB of model state on each GPU; None when the plan says neither the ZeRO stage nor Megatron's optimizer, or keeps
    the parameters outside the GPU.
    """
    if job.offload == "all":
        return None
    if job.zero is not None:
        per_param = zero_bytes(job.zero, job.dp)
        kept_away = OPTIMIZER_BYTES / (job.dp if job.zero >= 1 else 1)
    elif job.distributed is not None:
        per_param = 6 + 12 / job.dp if job.distributed else float(MEGATRON_BYTES)
        kept_away = OPTIMIZER_BYTES / (job.dp if job.distributed else 1)
    else:
        return None
    if job.offload == "optimizer":
        per_param = max(per_param - kept_away, 0.0)
    return per_param * job.params / job.shards / 1e9


def activations_gb(job: Job, recompute: str | None = None) -> float | None:
    """GB of activations on a GPU of the first pipeline stage, where as many micro-batches wait as there are stages;
    None when the shape is not stated. Full recomputation keeps the input of each layer and one layer's activations.
    """
    if not (job.layers and job.hidden and job.seq and job.micro_batch):
        return None
    layer = activation_layer_bytes(job.seq, job.micro_batch, job.hidden, job.ffn, job.tp)
    if (job.recompute if recompute is None else recompute) == "full":
        kept = activation_input_bytes(job.seq, job.micro_batch, job.hidden, job.tp)
        return (kept * job.layers + layer) / 1e9
    return layer * job.layers / 1e9


def payload_gb(job: Job) -> float | None:
    """GB of gradients of one model copy; None when the type of the gradients is not stated."""
    return gradient_bytes(job.params, job.gradient_bytes) / 1e9 if job.gradient_bytes else None
