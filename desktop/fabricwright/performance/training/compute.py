"""Time that the GPUs of one pipeline stage compute, per micro-batch: matrix multiplications, attention, the rest.

    t = flops / (best matrix multiplication x share) + bytes of operands and of everything elementwise / memory rate

A layer that the host cannot launch fast enough waits for it: t = (t^q + launch^q)^(1/q). Shares and counts of bytes
are fitted (resources/calibration/training.toml). Backward costs twice the forward matrix multiplications (once when
only adapters are trained), flash attention 2.5 times (arXiv 2307.08691, section 3.1).
"""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.design.training.plan import Plan
from fabricwright.design.training.shape import Shape
from fabricwright.performance.calibration import Calibration
from fabricwright.performance.training.gpu import Gpu

FLASH_BACKWARD = 2.5
LAUNCH_POWER = 3.0
ELEMENTWISE = 40.0
"""Bytes per token and hidden column that a layer's norms, activations, residuals and dropouts move forwards, unfused:
4 + 4 (norms) + 6 + 6 (residual and dropout) + 16 (activation over 4h) + 4. A count; its factor is fitted."""
WHOLE_PART = 14.0 / 40.0
"""Part of them that every tensor-parallel rank repeats without sequence parallelism (arXiv 2205.05198, 4.2.2)."""
SCORE_BYTES = 14.0
"""Bytes per attention score that an unfused softmax with mask and dropout moves forwards. A count; fitted factor."""


@dataclass(frozen=True, slots=True)
class LayerTime:
    """Seconds of one layer and micro-batch on one GPU. ``again`` recomputation, part of the way back."""

    forward: float
    backward: float
    again: float
    attention: float

    @property
    def total(self) -> float:
        """There and back."""
        return self.forward + self.backward + self.again


def layer_time(shape: Shape, plan: Plan, gpu: Gpu, k: Calibration) -> LayerTime:
    """Mean layer of the model."""
    tokens = shape.seq * plan.mbs / plan.cp
    best, best16 = gpu.best(plan.precision), gpu.best("bf16" if plan.precision != "tf32" else "tf32")
    share = k.value(f"matrix.{gpu.family}_{_kind(plan.precision, gpu)}")
    rate = gpu.memory_rate * k.value("memory.rate")
    tp, width = plan.tp, shape.attention_width
    kv = shape.kv_heads * shape.head_dim
    mlp = shape.active_mlp
    sparse = shape.sparse_layers / shape.layers
    experts = 0.0
    if shape.experts:
        experts = sparse * (3 if shape.gated else 2) * shape.hidden * shape.top_k * shape.expert_ffn
    dense = shape.layer_attention + mlp - experts
    flops = 2 * tokens / tp / share / best
    matrix = flops * (dense + experts / k.value("matrix.experts"))
    active = mlp / shape.hidden / (3 if shape.gated else 2)
    weights = (shape.layer_attention + dense) / tp
    if shape.experts:
        weights += sparse * (3 if shape.gated else 2) * shape.hidden * shape.expert_ffn * shape.experts / plan.ep
    columns = 4 * shape.hidden + (2 * width + 2 * kv + (4 if shape.gated else 2) * active) / tp
    operands = 2 * (weights + tokens * columns) * k.value("memory.operands")
    whole = WHOLE_PART * (1 if plan.sequence else tp) + 1 - WHOLE_PART
    elementwise = ELEMENTWISE * (0.6 + 0.4 * active / (4 * shape.hidden)) * whole
    elementwise *= (
        tokens * shape.hidden / tp * k.value("memory.elementwise" if plan.flash else "memory.elementwise_old")
    )
    if shape.experts:
        elementwise += k.value("memory.routing") * sparse * 4 * tokens * shape.top_k * shape.hidden / tp
    scores = tokens * shape.seq * width / tp * 4
    if plan.flash:
        attention = scores / 2 / (best16 * k.value("attention.flash"))
        attention_back, attention_again = FLASH_BACKWARD * attention, attention
    else:
        moved = SCORE_BYTES * k.value("attention.unfused") * shape.heads * tokens * shape.seq / tp / rate
        attention = scores / (best16 * share) + moved
        attention_back, attention_again = 2 * attention, attention
    memory = (operands + elementwise) / rate
    forward = matrix + memory + attention
    backward = (1 if plan.frozen else 2) * matrix + 2 * memory + attention_back
    again = 0.0
    if plan.recompute == "full":
        again = forward * k.value("recompute.full")
    elif plan.recompute == "selective":
        again = attention_again + elementwise / rate
    total = forward + backward + again
    launch = k.value("launch.layer_us" if plan.flash else "launch.layer_old_us") * 1e-6
    if shape.experts:
        launch += k.value("launch.experts_us") * 1e-6 * sparse
    grow = ((total**LAUNCH_POWER + launch**LAUNCH_POWER) ** (1 / LAUNCH_POWER)) / total
    return LayerTime(forward * grow, backward * grow, again * grow, attention * grow)


def output_time(shape: Shape, plan: Plan, gpu: Gpu, k: Calibration) -> float:
    """Seconds of the output layer and the loss, there and back, for one micro-batch on the last stage."""
    tokens = shape.seq * plan.mbs / plan.cp
    share = k.value(f"matrix.{gpu.family}_16") * gpu.best("bf16")
    flops = 6 * tokens * shape.vocab * shape.hidden / plan.tp
    loss = 4 * 4 * tokens * shape.vocab / plan.tp * k.value("memory.elementwise")
    return flops / share + loss / (gpu.memory_rate * k.value("memory.rate"))


def optimizer_time(params_here: float, gpu: Gpu, k: Calibration) -> float:
    """Seconds of Adam on parameters that lie on one GPU: 30 bytes read and written per parameter (fp32 parameters, two
    moments and the gradient in, all but the gradient out, the fp16 copy)."""
    return 30 * params_here / (gpu.memory_rate * k.value("memory.rate"))


def model_flops(shape: Shape, plan: Plan) -> float:
    """Floating-point operations of a step as Megatron counts them, recomputation not counted; an adapter's step has no
    weight gradients of the frozen matrices (4 instead of 6 per parameter)."""
    tokens = float(plan.gbs) * shape.seq
    per_token = shape.flops_per_token(shape.seq)
    if plan.frozen:
        per_token = 4 * shape.active_params + 12 * shape.layers * shape.seq * shape.attention_width
    return tokens * per_token


def _kind(precision: str, gpu: Gpu) -> str:
    """Bits of the operands; what a GPU has no units for runs at 16 (fp8) or 8 (fp4)."""
    if precision == "fp4" and gpu.peak_fp4 > gpu.peak_fp8:
        return "4"
    return "8" if precision in ("fp8", "fp4") and gpu.peak_fp8 > gpu.peak_bf16 else "16"
