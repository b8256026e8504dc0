"""One training step on a compiled cluster: compute, what is sent and not hidden, the pipeline's bubble, offload.

    step = m (stage + exposed tensor, context, expert and pipeline traffic) + (p - 1)/v of one such micro-batch
           + exposed data-parallel traffic + optimizer + offload

``m`` micro-batches, ``p`` stages, ``v`` interleaved parts; the bubble (p-1)/(v m) is Narayanan et al. 2021, section
2.2. Every collective is predicted by the engine on the ranks that take part (``groups``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from fabricwright.design.training.memory import local_params
from fabricwright.design.training.plan import Plan
from fabricwright.design.training.shape import Shape
from fabricwright.performance.calibration import Calibration
from fabricwright.performance.training.compute import LayerTime, layer_time, model_flops, optimizer_time, output_time
from fabricwright.performance.training.gpu import Gpu
from fabricwright.performance.training.groups import NOTHING, Exchange, Groups

MOST_HIDDEN = 0.95


@dataclass(frozen=True, slots=True)
class Traffic:
    """What one kind of parallelism sends in a step: ``name`` tensor, context, expert, pipeline, data; ``total_s``
    all of it, ``exposed_s`` what nothing hides; ``low_s``/``high_s`` band of ``total_s``."""

    name: str
    total_s: float
    exposed_s: float
    low_s: float
    high_s: float
    exchange: Exchange


@dataclass(frozen=True, slots=True)
class Traffics:
    """Seconds of the collectives of one step, before any overlap: per layer and micro-batch for tensor, context and
    expert, per boundary and micro-batch for pipeline; for data by what is done with gradients and parameters."""

    tensor_forward: Exchange = NOTHING
    tensor_backward: Exchange = NOTHING
    tensor_again: Exchange = NOTHING
    context: Exchange = NOTHING
    expert: Exchange = NOTHING
    pipeline: Exchange = NOTHING
    reduce: Exchange = NOTHING
    gather: Exchange = NOTHING


def traffics(shape: Shape, plan: Plan, groups: Groups) -> Traffics:
    """Predict every collective that the plan needs."""
    tokens = shape.seq * plan.mbs / plan.cp
    bytes_layer = 2 * tokens * shape.hidden
    forward = backward = again = context = expert = pipeline = reduce = gather = NOTHING
    tp, cp, dp = plan.tp, plan.cp, plan.dp
    if tp > 1:
        if plan.sequence:
            one = groups.exchange("all_gather", 1, tp, bytes_layer)
            two = groups.exchange("reduce_scatter", 1, tp, bytes_layer)
            forward = _sum(one.times(2), two.times(2))
            # the gathers that saved inputs need again run behind the weight gradients (arXiv 2205.05198, section 4.2.2)
            backward = _sum(one.times(2), two.times(2))
            again = _sum(one.times(2), two)
        else:
            all_of = groups.exchange("all_reduce", 1, tp, bytes_layer)
            forward = backward = all_of.times(2)
            again = forward
    if cp > 1:
        keys = 2 * 2 * tokens * shape.kv_heads * shape.head_dim / tp
        hop = groups.exchange("send_recv", tp, 2, keys, tp * cp)
        context = hop.times(3 * (cp - 1))
    if plan.ep > 1 and shape.experts:
        stride = 1 if plan.ep % tp == 0 or tp == 1 else tp
        sent = tokens / tp * shape.top_k * shape.hidden * once_per_server(groups.servers(stride, plan.ep), shape.top_k)
        there = groups.exchange("all_to_all", stride, plan.ep, sent * (1 if plan.precision in ("fp8", "fp4") else 2))
        back = groups.exchange("all_to_all", stride, plan.ep, sent * 2)
        expert = _sum(there.times(2), back.times(2)).times(shape.sparse_layers / shape.layers)
    if plan.pp > 1:
        part = tp if plan.sequence or tp > 1 else 1
        stage = groups.n // plan.pp
        pipeline = groups.exchange("send_recv", stage, 2, bytes_layer / part, 2 * stage)
    ranks = min(plan.shards, dp * cp)
    if ranks > 1 or dp * cp > 1:
        dense, experts = local_params(plan, shape, 0)
        reduce, gather = _data(plan, dense, experts, groups)
    return Traffics(forward, backward, again, context, expert, pipeline, reduce, gather)


def once_per_server(servers: int, top_k: int) -> float:
    """Part of the copies that leave a server when a token goes to each server once and is handed on there over NVLink
    (DeepEP, arXiv 2412.19437, section 3.2.2): expected servers of ``top_k`` experts over their number. 1 on one server.
    """
    if servers < 2:
        return 1.0
    return min(servers * (1 - (1 - 1 / servers) ** top_k) / top_k, 1.0)


def _data(plan: Plan, dense: float, experts: float, groups: Groups) -> tuple[Exchange, Exchange]:
    """(gradients, parameters): all-reduce, or reduce-scatter and all-gather where something is shared out; gradients of
    experts go round the ranks that hold the same ones."""
    tp, wide = plan.tp, plan.dp * plan.cp
    block = tp * wide
    reduce, gather = NOTHING, NOTHING
    twins = max(wide * tp // plan.ep, 1) if plan.ep > 1 else wide
    rows = [(dense, tp, wide)] + ([(experts, plan.ep, twins)] if plan.ep > 1 else [(experts, tp, wide)])
    for params, stride, size in rows:
        if params <= 0 or size < 2:
            continue
        n_bytes = 2 * params * (0.02 if plan.frozen else 1.0)
        if plan.stage == 0:
            reduce = _sum(reduce, groups.exchange("all_reduce", stride, size, n_bytes, block))
            continue
        shards = min(plan.shards, size)
        if plan.frozen and plan.stage < 3:
            continue
        reduce = _sum(reduce, groups.exchange("reduce_scatter", stride, shards, n_bytes, block))
        gather = _sum(gather, groups.exchange("all_gather", stride, shards, 2 * params, block))
        if shards < size:
            rest = groups.exchange("all_reduce", stride * shards, size // shards, n_bytes / shards, block)
            reduce = _sum(reduce, rest)
    return reduce, gather


def _sum(a: Exchange, b: Exchange) -> Exchange:
    if a is NOTHING or not a.time_s:
        return b
    if b is NOTHING or not b.time_s:
        return a
    bigger = a if a.time_s >= b.time_s else b
    return replace(bigger, time_s=a.time_s + b.time_s, low_s=a.low_s + b.low_s, high_s=a.high_s + b.high_s)


@dataclass(frozen=True, slots=True)
class StepTime:
    """Seconds of a step: ``compute_s`` of the busiest GPU with its optimizer, ``exposed_s`` communication that nothing
    hides, ``bubble_s``, ``offload_s``, ``overhead_s`` host and stragglers (part of ``compute_s`` in the JSON)."""

    compute_s: float
    exposed_s: float
    bubble_s: float
    offload_s: float
    overhead_s: float
    traffic: tuple[Traffic, ...] = ()
    layer: LayerTime = field(default=LayerTime(0.0, 0.0, 0.0, 0.0))
    flops: float = 0.0

    @property
    def total_s(self) -> float:
        """All of it."""
        return self.compute_s + self.exposed_s + self.bubble_s + self.offload_s + self.overhead_s


def step_time(
    shape: Shape, plan: Plan, gpu: Gpu, sent: Traffics, k: Calibration, ranks: int, offload_s: float = 0.0
) -> StepTime:
    """Put the step together. ``sent`` from ``traffics``; ``offload_s`` what moving the optimizer's state costs."""
    m, p, v = plan.micro_batches, plan.pp, max(plan.vpp, 1)
    layers = shape.layers / p
    one = layer_time(shape, plan, gpu, k)
    out = output_time(shape, plan, gpu, k)
    # stages run in step: the slowest is the one with the output layer, unless layers are dealt to make up for it
    uneven = out / p + k.value("pipeline.output") * (out - out / p)
    stage = layers * one.total + (out if p == 1 else max(uneven - (one.total if plan.vpp > 1 else 0.0), out / p))
    again = plan.recompute == "full"
    forward, backward = sent.tensor_forward, sent.tensor_backward
    tensor = forward.time_s + backward.time_s + (sent.tensor_again.time_s if again else 0.0)
    behind = "overlap.tensor_sharded" if plan.stage >= 3 else "overlap.tensor"
    hidden = min(k.value(behind), MOST_HIDDEN) if plan.sequence and plan.overlap else 0.0
    # nothing hides behind more computing than there is
    tensor_shown = max(tensor * (1 - hidden), tensor - hidden * one.total)
    context = sent.context.time_s
    context_shown = max(context - 2 * one.attention, context * 0.1)
    expert_total = sent.expert.time_s * (1.5 if again else 1.0)
    behind_expert = min(k.value("overlap.expert"), MOST_HIDDEN)
    expert_shown = max(expert_total * (1 - behind_expert), expert_total - behind_expert * one.total)
    shown_layer = tensor_shown + context_shown + expert_shown
    hops = 2 * v if p > 1 else 0
    pipe = hops * sent.pipeline.time_s
    pipe_shown = pipe * (k.value("pipeline.exposed") if v > 1 else 1.0) if p > 1 else 0.0
    bubble = (p - 1) / v * (stage + layers * shown_layer) + (p - 1) * 2 * sent.pipeline.time_s
    data_total, data_shown = _data_shown(plan, sent, one, layers, m, k)
    dense, experts = local_params(plan, shape, 0)
    here = (dense + experts) / (max(plan.shards, 1) if plan.stage >= 1 else 1)
    optimizer = 0.0 if plan.frozen or plan.offload else optimizer_time(here, gpu, k)
    compute = m * stage + optimizer
    exposed = m * (layers * shown_layer + pipe_shown) + data_shown
    jitter = k.value("step.scale") * _doublings(plan.dp * plan.cp)
    overhead = (compute + exposed) * jitter + k.value("step.fixed_ms") * 1e-3
    traffic = tuple(
        Traffic(name, total, shown, total * _ratio(x, x.low_s), total * _ratio(x, x.high_s), x)
        for name, total, shown, x in (
            ("tensor", m * layers * tensor, m * layers * tensor_shown, forward),
            ("context", m * layers * context, m * layers * context_shown, sent.context),
            ("expert", m * layers * expert_total, m * layers * expert_shown, sent.expert),
            ("pipeline", m * pipe, m * pipe_shown, sent.pipeline),
            ("data", data_total, data_shown, sent.reduce if sent.reduce.time_s else sent.gather),
        )
        if total > 0
    )
    return StepTime(compute, exposed, bubble, offload_s, overhead, traffic, one, model_flops(shape, plan))


def _data_shown(
    plan: Plan, sent: Traffics, one: LayerTime, layers: float, m: int, k: Calibration
) -> tuple[float, float]:
    """(all, exposed) seconds of gradients and parameters."""
    reduce, gather = sent.reduce.time_s, sent.gather.time_s
    hide = k.value("overlap.data") if plan.overlap else 0.0
    forward, backward = layers * one.forward, layers * (one.backward + one.again)
    if plan.stage >= 3:
        total = m * (2 * gather + reduce)
        there = max(gather - hide * forward, gather / layers)
        back = max(gather + reduce - hide * backward, (gather + reduce) / layers)
        drag = min(k.value("overlap.drag"), 1.0) * (2 * gather + reduce - there - back)
        return total, m * (there + back + max(drag, 0.0))
    total = reduce + gather
    if not plan.overlap:
        return total, total
    return total, max(reduce - hide * backward, reduce / layers) + max(gather - hide * forward, gather / layers)


def _ratio(x: Exchange, limit: float) -> float:
    return limit / x.time_s if x.time_s else 1.0


def _doublings(ranks: int) -> float:
    return math.log2(max(ranks, 1))
