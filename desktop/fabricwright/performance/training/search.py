"""The best way to spread a model over a cluster: every layout that divides and fits, ranked by its step.

``search`` gives progress as it goes and can be left at any time; ``ranked`` runs it to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from fabricwright.design.training.memory import host_memory
from fabricwright.design.training.plan import Plan, check_plan
from fabricwright.performance.calibration import Calibration
from fabricwright.performance.training.groups import Groups
from fabricwright.performance.training.nowhere import nowhere_error
from fabricwright.performance.training.offload import place
from fabricwright.performance.training.step import StepTime, step_time, traffics
from fabricwright.performance.training.train import TrainingJob, fullest, room_of, training_constants
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

DEGREES = (1, 2, 4, 8, 16, 32, 64)
MICRO_BATCHES = (1, 2, 4, 8)
MOST_TP, MOST_CP = 16, 16
LONG_SEQUENCE = 16384
"""Sequences below this are not cut over context-parallel ranks."""
REPORT_EVERY = 64


@dataclass(frozen=True, slots=True)
class Ranked:
    """A layout that runs. ``memory`` bytes of the fullest GPU; ``reason`` what makes its step what it is."""

    plan: Plan
    step: StepTime
    memory: float
    reason: Message

    @property
    def step_time_s(self) -> float:
        """Seconds of a step."""
        return self.step.total_s


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` layouts looked at, ``fit`` of them run; ``best`` so far, best first."""

    done: int
    total: int
    fit: int
    best: tuple[Ranked, ...]


def layouts(job: TrainingJob, ranks: int) -> list[Plan]:
    """Every plan that divides ranks, layers, heads, experts and batch; memory aside. Batch, precision and offload stay
    as the job states them."""
    shape, base = job.shape, job.plan
    out = []
    for tp in (t for t in DEGREES if t <= MOST_TP and shape.heads % t == 0 and ranks % t == 0):
        for pp in (p for p in range(1, min(shape.layers, ranks // tp) + 1) if (ranks // tp) % p == 0):
            if shape.layers % pp and (shape.layers + 2) % pp:
                continue
            rest = ranks // tp // pp
            for cp in (c for c in DEGREES if c <= MOST_CP and rest % c == 0):
                if cp > 1 and shape.seq < LONG_SEQUENCE:
                    continue
                dp = rest // cp
                for ep in _expert_degrees(shape.experts, dp * cp * tp):
                    out += _variants(base, shape.layers, (tp, pp, dp, cp, ep))
    return out


def _expert_degrees(experts: int, room: int) -> list[int]:
    if not experts:
        return [1]
    return [e for e in (1, *DEGREES[1:]) if experts % e == 0 and room % e == 0]


def _variants(base: Plan, layers: int, degrees: tuple[int, int, int, int, int]) -> list[Plan]:
    tp, pp, dp, cp, ep = degrees
    out = []
    for mbs in MICRO_BATCHES:
        if base.gbs % (dp * mbs):
            continue
        if pp > 1 and base.gbs // (dp * mbs) < pp:
            continue
        parts = [1] if pp == 1 else [1, *(v for v in (2, 4) if layers % (pp * v) == 0)]
        for vpp in parts:
            for zero in (1, 3) if pp == 1 else (1,):
                for recompute in ("", "full"):
                    out.append(
                        replace(
                            base,
                            tp=tp,
                            pp=pp,
                            dp=dp,
                            cp=cp,
                            ep=ep,
                            vpp=vpp,
                            mbs=mbs,
                            recompute=recompute,
                            zero=3 if zero == 3 else None,
                            distributed=True if zero == 1 else None,
                            shard=0,
                        )
                    )
    return out


def search(
    job: TrainingJob,
    groups: Groups,
    *,
    keep: int = 10,
    plans: Sequence[Plan] | None = None,
    constants: Calibration | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Progress]:
    """Look at every layout and tell how far it is; the last ``Progress`` is the answer. ``cancelled`` ends it early."""
    k = constants or training_constants()
    every = list(plans) if plans is not None else layouts(job, groups.n)
    best: list[Ranked] = []
    fit = 0
    for n, plan in enumerate(every, 1):
        if cancelled():
            break
        found = _look(job, plan, groups, k)
        if found is not None:
            fit += 1
            best.append(found)
            best.sort(key=lambda row: row.step_time_s)
            del best[keep:]
        if n % REPORT_EVERY == 0:
            yield Progress(n, len(every), fit, tuple(best))
    else:
        yield Progress(len(every), len(every), fit, tuple(best))
        return
    yield Progress(0 if not every else n, len(every), fit, tuple(best))


def runs(job: TrainingJob, plan: Plan, groups: Groups) -> Ranked | None:
    """A layout looked at; None when it does not divide or does not fit."""
    return _look(job, plan, groups, training_constants())


def _look(job: TrainingJob, plan: Plan, groups: Groups, k: Calibration) -> Ranked | None:
    memory = fullest(plan, job.shape)
    if memory.total > room_of(job.gpu):
        return None
    try:
        check_plan(plan, job.shape)
        placed = place(host_memory(plan, job.shape), plan, job.tiers, job.interior, job.gpus_per_server)
        sent = traffics(job.shape, plan, groups)
    except UserError:
        return None
    step = step_time(job.shape, plan, job.gpu, sent, k, groups.n, placed.total_s)
    return Ranked(plan, step, memory.total, _reason(step))


def _reason(step: StepTime) -> Message:
    parts = {
        "compute": step.compute_s + step.overhead_s,
        "communication": step.exposed_s,
        "bubble": step.bubble_s,
        "offload": step.offload_s,
    }
    percent = {name: f"{100 * value / step.total_s:.0f} %" for name, value in parts.items()}
    worst = max(step.traffic, key=lambda t: t.exposed_s, default=None)
    if worst is None or worst.exposed_s < 0.01 * step.total_s:
        return msg(
            "{compute} computing, {bubble} pipeline bubble.", compute=percent["compute"], bubble=percent["bubble"]
        )
    return msg(
        "{compute} computing, {communication} exposed communication, most of it {kind} parallel ({limit}), {bubble} "
        "pipeline bubble.",
        compute=percent["compute"],
        communication=percent["communication"],
        kind=kind_word(worst.name),
        limit=worst.exchange.label or msg("latency"),
        bubble=percent["bubble"],
    )


def kind_word(name: str) -> Message:
    """A kind of parallelism in words."""
    return {
        "tensor": msg("tensor"),
        "context": msg("context"),
        "expert": msg("expert"),
        "pipeline": msg("pipeline"),
        "data": msg("data"),
    }.get(name, msg("{kind}", kind=name))


def ranked(job: TrainingJob, groups: Groups, keep: int = 10, workers: int = 1) -> tuple[Ranked, ...]:
    """The best layouts; ``workers`` local processes share the work. Raises UserError when none fits."""
    every = layouts(job, groups.n)
    if workers > 1 and len(every) > 4 * REPORT_EVERY:
        from concurrent.futures import ProcessPoolExecutor  # a step alone starts no processes

        with ProcessPoolExecutor(workers) as pool:
            parts = pool.map(
                _part, [(job, groups.cluster, groups.profile, every[n::workers], keep) for n in range(workers)]
            )
            best = sorted((row for part in parts for row in part), key=lambda row: row.step_time_s)[:keep]
    else:
        best = list(_last(search(job, groups, keep=keep, plans=every)))
    if not best:
        raise nowhere_error(job, every, layouts, layout_words)
    return tuple(best)


def _part(work: tuple[TrainingJob, object, object, list[Plan], int]) -> list[Ranked]:
    job, cluster, profile, plans, keep = work
    groups = Groups(cluster, profile)  # type: ignore[arg-type]
    return list(_last(search(job, groups, keep=keep, plans=plans)))


def _last(progress: Iterator[Progress]) -> tuple[Ranked, ...]:
    """The best layouts of a search run to its end."""
    best: tuple[Ranked, ...] = ()
    for seen in progress:
        best = seen.best
    return best


def nowhere(job: TrainingJob, groups: Groups) -> UserError:
    """Why a search found nothing, with what would do."""
    return nowhere_error(job, layouts(job, groups.n), layouts, layout_words)


def layout_words(plan: Plan) -> Message:
    """``TP 8 x PP 4 x DP 32`` and what else differs from the plain."""
    degrees = [f"TP {plan.tp}", f"PP {plan.pp}", f"DP {plan.dp}"]
    degrees += [f"CP {plan.cp}"] if plan.cp > 1 else []
    degrees += [f"EP {plan.ep}"] if plan.ep > 1 else []
    words = msg("{degrees}, micro-batch {mbs}", degrees=" x ".join(degrees), mbs=plan.mbs)
    if plan.vpp > 1:
        words = msg("{layout}, interleaved {vpp}", layout=words, vpp=plan.vpp)
    if plan.stage:
        words = msg("{layout}, ZeRO-{stage}", layout=words, stage=plan.stage)
    return msg("{layout}, full recomputation", layout=words) if plan.recompute == "full" else words


def nearest_fit(job: TrainingJob, groups: Groups) -> Ranked | None:
    """The layout that changes a plan least and fits; None when none does."""
    base = job.plan
    fits = [p for p in layouts(job, groups.n) if fullest(p, job.shape).total <= room_of(job.gpu)]
    fits.sort(
        key=lambda p: (
            (p.tp != base.tp)
            + (p.pp != base.pp)
            + (p.mbs != base.mbs)
            + (p.recompute != base.recompute)
            + (p.stage != base.stage)
            + (p.vpp != base.vpp)
            + (p.ep != base.ep)
            + (p.cp != base.cp),
            p.tp * p.pp,
        )
    )
    k = training_constants()
    return next((found for p in fits[:40] if (found := _look(job, p, groups, k)) is not None), None)
