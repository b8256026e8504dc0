"""What a workload says about memory and traffic: bytes of model state, activations and gradients.

Bytes per parameter: ZeRO counts 16 (fp16 parameters and gradients, fp32 parameters and two moments; the ZeRO paper),
Megatron 18 without and 6 + 12/DP with its distributed optimizer, activations s b h (18 + 4 ffn/h) per layer over TP
(``megatron/training/theoretical_memory_usage.py``). GB are decimal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabricwright.design.values import Workload
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.scale import gpus_in
from fabricwright.rules.statements import number

ZERO_BYTES = 16
MEGATRON_BYTES = 18
OPTIMIZER_BYTES = 12
"""fp32 parameters, momentum and variance: what an offloaded optimizer keeps in host memory."""
USABLE = 0.9
"""Share of a GPU's memory that a job gets; the rest is context, buffers and fragmentation."""

_BYTES_OF = {"fp32": 4, "float32": 4, "tf32": 4, "fp16": 2, "bf16": 2, "float16": 2, "bfloat16": 2, "amp_bf16": 2}
_OFF = frozenset({"", "off", "no", "none", "false", "0"})
_FULL = frozenset({"full", "on", "true", "yes", "1"})


@dataclass(frozen=True, slots=True)
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


def number_of(values: Mapping[str, object], *keys: str) -> float | None:
    """A number under one of several keys; None when it is not there or not a number."""
    return next((found for key in keys if (found := number(values.get(key))) is not None), None)


def _word(values: Mapping[str, object], key: str) -> str:
    value = values.get(key)
    return "on" if value is True else "off" if value is False else str(value or "").strip().lower()


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
    tp, pp = _degree(plan, "tp"), _degree(plan, "pp")
    dp = int(number_of(plan, "dp") or 0) or max(gpus // max(tp * pp * _degree(plan, "cp"), 1), 1)
    sharding = _word(plan, "sharding")
    zero = number_of(plan, "zero")
    if zero is None and sharding.startswith("zero"):
        zero = number_of({"stage": sharding[4:].strip(" -_")}, "stage")
    if zero is None and sharding.startswith(("fsdp", "full_shard")):
        zero = 3
    distributed = _word(plan, "distributed_optimizer")
    hidden = number_of(model, "hidden") or 0.0
    offload, recompute = _word(plan, "offload"), _word(plan, "recompute")
    return Job(
        workload_id,
        row.title or workload_id,
        billions * 1e9,
        gpus,
        tp,
        pp,
        dp,
        int(zero) if zero is not None and 0 <= zero <= 3 else None,
        None if not distributed else distributed not in _OFF,
        "" if offload in _OFF else "all" if offload in ("all", "parameters", "params") else "optimizer",
        "" if recompute in _OFF else "full" if recompute.partition(" ")[0] in _FULL else "selective",
        number_of(model, "layers") or 0.0,
        hidden,
        number_of(model, "ffn") or 4 * hidden,
        number_of(model, "seq") or 0.0,
        number_of(plan, "mbs", "micro_batch") or 0.0,
        _BYTES_OF.get(_word(plan, "gradient_dtype") or _word(plan, "precision")),
        number_of(plan, "mfu"),
        number_of(plan, "tflops_per_gpu"),
        _word(plan, "precision"),
    )


def _degree(plan: Mapping[str, object], key: str) -> int:
    return max(int(number_of(plan, key) or 1), 1)


def job_variants(context: RuleContext) -> list[Variant]:
    """Servers that take part: the groups that the design ranks, else all; those with GPUs."""
    ranked = set(context.design.ranks)
    every = [v for v in context.variants() if gpus_in(v.eff)]
    return [v for v in every if not ranked or not v.item or v.item in ranked] or every


def design_gpus(context: RuleContext) -> int:
    """GPUs that take part."""
    return sum(len(v.members) * gpus_in(v.eff) for v in job_variants(context))


def zero_bytes(stage: int, ranks: int) -> float:
    """Bytes per parameter on one GPU by ZeRO stage over ``ranks`` data-parallel ranks."""
    return (16.0, 4 + 12 / ranks, 2 + 14 / ranks, 16 / ranks)[stage]


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
    token = job.seq * job.micro_batch * job.hidden / job.tp
    layer = token * (18 + 4 * job.ffn / job.hidden)
    if (job.recompute if recompute is None else recompute) == "full":
        return (2 * token * job.layers + layer) / 1e9
    return layer * job.layers / 1e9


def payload_gb(job: Job) -> float | None:
    """GB of gradients of one model copy; None when the type of the gradients is not stated."""
    return job.params * job.gradient_bytes / 1e9 if job.gradient_bytes else None
