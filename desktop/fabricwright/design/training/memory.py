"""Bytes that training keeps: parameters, gradients, optimizer, activations, by stage of the pipeline and of ZeRO.

Bytes per parameter: ZeRO counts 16 (fp16 parameters and gradients, fp32 parameters and two moments; Rajbhandari et al.
2020, arXiv 1910.02054, section 3.1), Megatron 18 with fp32 gradients, 6 + 12/DP with its distributed optimizer, and 20
with an fp16 copy of the gradients beside the fp32 ones. Activations s b h (18 + 4 ffn/h) per layer over TP
(``megatron/training/theoretical_memory_usage.py``). Decimal units.
"""

from __future__ import annotations

from fabricwright.design.training.plan import Plan
from fabricwright.design.training.shape import Shape
from fabricwright.units.record import record

ZERO_BYTES = 16
MEGATRON_BYTES = 18
BOTH_GRADIENTS_BYTES = 20
OPTIMIZER_BYTES = 12
"""fp32 parameters, momentum and variance: what an offloaded optimizer keeps in host memory."""
USABLE = 0.9
"""Share of a GPU's memory that a job gets; the rest is context, buffers and fragmentation. A rule of thumb."""


def gradient_bytes(params: float, bytes_each: int = 2) -> float:
    """Bytes of all gradients: 10e9 in fp16 are 20 GB."""
    return params * bytes_each


def zero_bytes(stage: int, ranks: int) -> float:
    """Bytes per parameter on one GPU by ZeRO stage over ``ranks`` data-parallel ranks."""
    return (16.0, 4 + 12 / ranks, 2 + 14 / ranks, 16 / ranks)[stage]


def activation_layer_bytes(seq: float, micro_batch: float, hidden: float, ffn: float, tp: int) -> float:
    """Bytes that one layer keeps for the way back; attention scores are not kept."""
    return seq * micro_batch * hidden / tp * (18 + 4 * ffn / hidden)


def activation_input_bytes(seq: float, micro_batch: float, hidden: float, tp: int) -> float:
    """Bytes of a layer's input, all that full recomputation keeps of it."""
    return 2 * seq * micro_batch * hidden / tp


@record
class GpuMemory:
    """Bytes on a GPU of one pipeline stage. ``buffers`` gathered parameters of the layers at work (stage 3)."""

    parameters: float
    gradients: float
    optimizer: float
    activations: float
    buffers: float

    @property
    def total(self) -> float:
        """All of it."""
        return self.parameters + self.gradients + self.optimizer + self.activations + self.buffers

    def to_json(self) -> dict[str, float]:
        """Bytes by what they are, and their sum."""
        names = ("parameters", "gradients", "optimizer", "activations", "buffers", "total")
        return {name: float(getattr(self, name)) for name in names}


@record
class HostMemory:
    """Bytes that one GPU's rank keeps outside it."""

    parameters: float
    gradients: float
    optimizer: float

    @property
    def total(self) -> float:
        """All of it."""
        return self.parameters + self.gradients + self.optimizer


def local_params(plan: Plan, shape: Shape, stage: int = 0) -> tuple[float, float]:
    """(parameters outside the experts, parameters of experts) of one pipeline stage's rank before data sharding. The
    first and the last stage carry the embeddings."""
    total = max(shape.params, 1.0)
    experts = min(shape.expert_params, total)
    embedding = shape.vocab * shape.hidden
    ends = embedding * (2 if shape.gated and plan.pp == 1 else 1)
    body = max(total - experts - (2 if shape.gated else 1) * embedding, 0.0)
    edge = ends if stage in (0, plan.pp - 1) else 0.0
    dense = (body / plan.pp + edge) / plan.tp
    return dense, experts / plan.pp / plan.ep


def gpu_memory(plan: Plan, shape: Shape, stage: int = 0) -> GpuMemory:
    """Bytes on a GPU of a pipeline stage. Stage 0 keeps the activations of as many micro-batches as there are stages
    (one-forward-one-backward; interleaving keeps (1 + (p-1)/(p v)) times as many, arXiv 2205.05198, section 4.2.3).
    """
    dense, experts = local_params(plan, shape, stage)
    expert_ranks = max(plan.dp * plan.cp * plan.tp // plan.ep, 1)
    parameters = gradients = optimizer = 0.0
    zero, mixed = plan.stage, plan.zero is None
    for params, ranks in ((dense, plan.shards), (experts, min(expert_ranks, plan.shards))):
        ranks = max(ranks, 1)
        parameters += 2 * params / (ranks if zero >= 3 else 1)
        if not plan.frozen:
            gradients += (4 if mixed else 2) * params / (ranks if zero >= 2 else 1)
            optimizer += OPTIMIZER_BYTES * params / (ranks if zero >= 1 else 1)
    buffers = 0.0
    if zero >= 3:  # two layers gathered at a time, the one at work and the next
        buffers = 2 * 2 * (shape.params - shape.vocab * shape.hidden) / shape.layers / plan.tp
    if plan.offload == "all":
        parameters = gradients = 0.0
    if plan.offload:
        optimizer = 0.0
    return GpuMemory(parameters, gradients, optimizer, activation_bytes(plan, shape, stage), buffers)


def activation_bytes(plan: Plan, shape: Shape, stage: int = 0, recompute: str | None = None) -> float:
    """Activations of one GPU of a pipeline stage; without sequence parallelism 10 of the 34 parts are on every TP rank
    (arXiv 2205.05198, equation 2)."""
    seq, width = shape.seq / plan.cp, _active_width(shape)
    how = plan.recompute if recompute is None else recompute
    waiting = min(max(plan.pp - stage, 1), max(plan.micro_batches, 1))
    layers = shape.layers / plan.pp
    if plan.vpp > 1 and plan.pp > 1:
        layers *= 1 + (plan.pp - 1) / (plan.pp * plan.vpp)
    layer = activation_layer_bytes(seq, plan.mbs, shape.hidden, width, plan.tp)
    if not plan.sequence and plan.tp > 1:
        layer += 10 * seq * plan.mbs * shape.hidden * (1 - 1 / plan.tp)
    if not plan.flash and how == "":
        layer += 5 * shape.heads * seq * shape.seq * plan.mbs / plan.tp
    if how == "full":
        kept = activation_input_bytes(seq, plan.mbs, shape.hidden, plan.tp if plan.sequence else 1)
        return kept * layers * waiting + layer
    return layer * layers * waiting


def _active_width(shape: Shape) -> float:
    """Feed-forward width that a token's activations have, mean over the layers."""
    if not shape.experts:
        return float(shape.ffn)
    sparse = shape.top_k * shape.expert_ffn + shape.shared_ffn
    return (shape.dense_layers * shape.ffn + shape.sparse_layers * sparse) / shape.layers


def host_memory(plan: Plan, shape: Shape, stage: int = 0) -> HostMemory:
    """Bytes that the rank of a GPU keeps in host memory, CXL or NVMe."""
    if not plan.offload or plan.frozen:
        return HostMemory(0.0, 0.0, 0.0)
    dense, experts = local_params(plan, shape, stage)
    ranks = max(plan.shards, 1)
    params = dense + experts
    optimizer = OPTIMIZER_BYTES * params / (ranks if plan.stage >= 1 else 1)
    gradients = 2 * params / (ranks if plan.stage >= 2 else 1)
    parameters = 2 * params / (ranks if plan.stage >= 3 else 1) if plan.offload == "all" else 0.0
    return HostMemory(parameters, gradients, optimizer)
