"""A training step with everything around it: memory, offload, band, days, what would change it most.

TrainingJob(shape, plan, ...)  ->  train(job, groups)  ->  Training.to_json()
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from fabricwright.design.training.memory import USABLE, GpuMemory, HostMemory, gpu_memory, host_memory
from fabricwright.design.training.plan import Plan, check_plan
from fabricwright.design.training.shape import Shape
from fabricwright.performance.calibration import Calibration, load_calibration
from fabricwright.performance.training.gpu import Gpu
from fabricwright.performance.training.groups import Groups
from fabricwright.performance.training.offload import Placement, place
from fabricwright.performance.training.step import StepTime, step_time, traffics
from fabricwright.topology.host_memory import Tier
from fabricwright.topology.model import Interior
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

TOKENS_PER_PARAMETER = 20.0
"""Tokens of a whole training where they are not stated (Hoffmann et al. 2022, arXiv 2203.15556, table 3)."""
DAY = 86400.0


def training_constants() -> Calibration:
    """The shipped constants of the step."""
    return load_calibration("training")


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """What is trained where. ``tokens`` of the whole training (0 = 20 per parameter); ``gpus_per_server`` of the
    fullest server; ``interior`` and ``tiers`` of the servers that hold least; ``notes`` what was assumed so far."""

    shape: Shape
    plan: Plan
    gpu: Gpu
    interior: Interior
    tiers: tuple[Tier, ...]
    gpus_per_server: int
    tokens: float = 0.0
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Training:
    """The answer. Seconds; ``low_s``/``high_s`` band of the step: left-out error of the model and the collectives' own
    band together. ``memory`` of the fullest GPU and its pipeline ``stage``; ``sensitivity`` (change, step seconds).
    """

    job: TrainingJob
    step: StepTime
    low_s: float
    high_s: float
    memory: GpuMemory
    host: HostMemory
    placement: Placement
    notes: tuple[Message, ...]
    sensitivity: tuple[tuple[Message, float], ...] = field(default=())

    @property
    def step_time_s(self) -> float:
        """Seconds of a step."""
        return self.step.total_s

    @property
    def compute_s(self) -> float:
        """Seconds in which the busiest GPU computes, host and straggler time included."""
        return self.step.compute_s + self.step.overhead_s

    @property
    def gpu_utilisation(self) -> float:
        """compute / step, never more than communication leaves (rounding may)."""
        return min(self.compute_s / self.step_time_s, 1 - self.communication_share)

    @property
    def communication_share(self) -> float:
        """exposed communication / step."""
        return self.step.exposed_s / self.step_time_s

    @property
    def tokens_per_step(self) -> float:
        """Tokens of one step."""
        return float(self.job.plan.gbs) * self.job.shape.seq

    @property
    def tokens_per_s(self) -> float:
        """Tokens a second of the whole cluster."""
        return self.tokens_per_step / self.step_time_s

    @property
    def mfu(self) -> float:
        """Model FLOPs over the peak of all GPUs in the precision of the plan."""
        peak = self.job.gpu.peak(self.job.plan.precision) * self.job.plan.ranks
        return self.step.flops / self.step_time_s / peak

    @property
    def tokens(self) -> float:
        """Tokens of the whole training."""
        return self.job.tokens or TOKENS_PER_PARAMETER * self.job.shape.params

    def days(self, step_s: float | None = None) -> float:
        """Days of the whole training at ``step_s`` (default: the predicted step)."""
        return self.tokens / self.tokens_per_step * (step_s or self.step_time_s) / DAY

    def to_json(self) -> dict[str, object]:
        """As ``train --json``; texts in English."""
        plan = self.job.plan
        gpus = self.job.gpus_per_server
        host = {
            "parameters": self.host.parameters * gpus,
            "gradients": self.host.gradients * gpus,
            "optimizer": self.host.optimizer * gpus,
            "total": self.host.total * gpus,
            "tiers": dict(self.placement.by_tier),
            "capacity": {t.name: t.capacity for t in self.job.tiers},
        }
        return {
            "step_time_s": self.step_time_s,
            "step_time_s_low": self.low_s,
            "step_time_s_high": self.high_s,
            "compute_s": self.compute_s,
            "exposed_communication_s": self.step.exposed_s,
            "bubble_s": self.step.bubble_s,
            "offload_s": self.step.offload_s,
            "mfu": self.mfu,
            "gpu_utilisation": self.gpu_utilisation,
            "communication_share": self.communication_share,
            "tokens_per_s": self.tokens_per_s,
            "days": self.days(),
            "days_low": self.days(self.low_s),
            "days_high": self.days(self.high_s),
            "memory_per_gpu_bytes": {**self.memory.to_json(), "capacity": self.job.gpu.memory},
            "memory_per_host_bytes": host,
            "sensitivity": [{"change": text.english(), "step_time_s": s} for text, s in self.sensitivity],
            "ranks": plan.ranks,
            "plan": plan_json(plan),
            "communication": [
                {
                    "kind": t.name,
                    "total_s": t.total_s,
                    "exposed_s": t.exposed_s,
                    "limit": t.exchange.label.english() if t.exchange.label else "",
                }
                for t in self.step.traffic
            ],
            "notes": [note.english() for note in self.notes],
        }


def plan_json(plan: Plan) -> dict[str, object]:
    """Degrees and choices of a plan."""
    names = ("tp", "pp", "dp", "cp", "ep", "vpp", "mbs", "gbs", "precision", "recompute", "offload")
    out: dict[str, object] = {name: getattr(plan, name) for name in names}
    return {**out, "zero": plan.stage, "micro_batches": plan.micro_batches}


def fullest(plan: Plan, shape: Shape) -> GpuMemory:
    """Memory of the GPU that holds most: of the first or the last stage."""
    first, last = gpu_memory(plan, shape, 0), gpu_memory(plan, shape, plan.pp - 1)
    return first if first.total >= last.total else last


def room_of(gpu: Gpu) -> float:
    """Bytes of a GPU that a job gets."""
    return USABLE * gpu.memory


def train(job: TrainingJob, groups: Groups, constants: Calibration | None = None) -> Training:
    """Predict the step of a job. ``UserError`` when the plan cannot run on this model or does not fit its GPUs."""
    k = constants or training_constants()
    check_plan(job.plan, job.shape)
    memory = fullest(job.plan, job.shape)
    if memory.total > room_of(job.gpu):
        raise UserError(
            msg(
                "{need} GB per GPU over {room} of {gpu} ({parts}).",
                need=memory.total / 1e9,
                room=room_of(job.gpu) / 1e9,
                gpu=job.gpu.name,
                parts=msg(
                    "{parameters} GB parameters, {gradients} gradients, {optimizer} optimizer, "
                    "{activations} activations",
                    parameters=memory.parameters / 1e9,
                    gradients=memory.gradients / 1e9,
                    optimizer=memory.optimizer / 1e9,
                    activations=memory.activations / 1e9,
                ),
            )
        )
    host = host_memory(job.plan, job.shape)
    placement = place(host, job.plan, job.tiers, job.interior, job.gpus_per_server)
    sent = traffics(job.shape, job.plan, groups)
    step = step_time(job.shape, job.plan, job.gpu, sent, k, groups.n, placement.total_s)
    low, high = band_of(step, job, k)
    return Training(job, step, low, high, memory, host, placement, (*job.notes, *_assumed(job)))


def band_of(step: StepTime, job: TrainingJob, k: Calibration) -> tuple[float, float]:
    """(low, high) seconds: the left-out error of the step (``band`` of the constants, by dense or experts) and the
    collectives' own band on what is exposed, as independent errors."""
    kind = "experts" if job.shape.experts else "dense"
    down, up = k.value(f"band.{kind}_down"), k.value(f"band.{kind}_up")
    if not job.gpu.measured:
        down, up = 1.5 * down, 1.5 * up
    less = sum(t.exposed_s * (1 - t.low_s / t.total_s) for t in step.traffic) / step.total_s
    more = sum(t.exposed_s * (t.high_s / t.total_s - 1) for t in step.traffic) / step.total_s
    low = math.exp(-math.hypot(down, math.log1p(less)))
    return step.total_s * low, step.total_s * math.exp(math.hypot(up, math.log1p(more)))


def _assumed(job: TrainingJob) -> tuple[Message, ...]:
    out = []
    if job.shape.assumed:
        out.append(
            msg(
                "The model's shape is not stated; {layers} layers of {hidden} assumed (GPT-3's proportions).",
                layers=job.shape.layers,
                hidden=job.shape.hidden,
            )
        )
    if job.plan.gbs_assumed:
        out.append(msg("The batch is not stated; {gbs} sequences assumed (about 4 M tokens).", gbs=job.plan.gbs))
    if not job.tokens:
        tokens = TOKENS_PER_PARAMETER * job.shape.params / 1e9
        out.append(msg("The tokens to train on are not stated; {n} billion assumed (20 per parameter).", n=tokens))
    if not job.gpu.measured:
        out.append(msg("No measured matrix multiplication of {gpu}; 78 % of its peak assumed.", gpu=job.gpu.name))
    return tuple(out)
