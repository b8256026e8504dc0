"""MEM-06: assumed and stated throughput against what GPUs have been measured to reach."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.rules.card import label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.memory import gpus_of
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import about_design, held
from fabricwright.rules.training_job import job_of, job_variants
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.units.text import N_, Message, msg

BEST_MFU = 0.6
"""Share of the peak that no whole training step has been measured to reach."""


@rule(
    "MEM-06",
    "warning",
    needs=("effective", "statements", "workload"),
    scope="design",
    group="memory & capacity",
    subject="mfu",
    direction="up",
    title=N_("Optimistic throughput"),
    checks=N_(
        "An assumed MFU is at most 0.6, and a throughput per GPU within the best matrix multiplication measured."
    ),
    reason=N_(
        "An H100 reaches 794 of its 989 TFLOPS in the best matrix multiplication alone; a whole step with "
        "communication and optimizer gets 35 to 50 % of the peak."
    ),
    source="mleng",
)
def mem_06(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, speed_verdicts(context))
    job = job_of(context)
    if job is None:
        return
    if job.mfu is not None and job.mfu > BEST_MFU:
        variants = job_variants(context)
        yield context.finding(
            tuple(dict.fromkeys(v.at() for v in variants)),
            _mfu_words(context, job.mfu),
            measured=job.mfu,
            allowed=BEST_MFU,
            values={"workload": job.id},
        )
    elif job.tflops is not None and (best := _best(context, job.precision)) and job.tflops > best[1]:
        yield context.finding(
            (best[0].at(),),
            _tflops_words(job.tflops, best),
            variant=best[0],
            measured=job.tflops,
            allowed=best[1],
            unit="TFLOPS",
            values={"workload": job.id},
        )


Best = tuple[Variant, float, float, str]
"""Servers, best measured matrix multiplication and peak in TFLOPS, name of the GPU."""


def _best(context: RuleContext, precision: str) -> Best | None:
    """The GPU whose best measured matrix multiplication is least; None where none was measured."""
    kind = "fp8" if "fp8" in precision else "bf16"
    known = [
        (gpu.variant, gpu.part.get(f"mamf_{kind}_tflops"), gpu.part.get(f"{kind}_tflops"), label(gpu.part))
        for gpu in gpus_of(context)
        if gpu.part.get(f"mamf_{kind}_tflops")
    ]
    return min(known, key=lambda row: row[1]) if known else None


def _mfu_words(context: RuleContext, mfu: float) -> Message:
    best = _best(context, "")
    if best is None:
        return msg("An MFU of {mfu} is optimistic; large runs reach 0.35 to 0.5.", mfu=mfu)
    return msg(
        "An MFU of {mfu} is optimistic: the best matrix multiplication of {gpu} reaches {best} of {peak} TFLOPS, large "
        "runs 0.35 to 0.5.",
        mfu=mfu,
        gpu=best[3],
        best=best[1],
        peak=best[2],
    )


def _tflops_words(value: float, best: Best) -> Message:
    return msg(
        "{value} TFLOPS per GPU over {best}, the best matrix multiplication measured on {gpu} (peak {peak}).",
        value=value,
        best=best[1],
        gpu=best[3],
        peak=best[2],
    )


@judges("MEM-06")
def speed_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Stated MFU and throughput."""
    for statement in held(context.project, "train.mfu", "train.tflops_per_gpu"):
        value = statement.number
        if value is None or not about_design(statement, context.design_id):
            continue
        if statement.row.quantity == "train.mfu":
            holds = value <= BEST_MFU
            text = msg("An MFU of {mfu} is within 0.6.", mfu=value) if holds else _mfu_words(context, value)
            yield Verdict(statement, holds, text, measured=value, allowed=BEST_MFU)
        elif (best := _best(context, "")) is not None:
            holds = value <= best[1]
            text = (
                msg("{value} TFLOPS per GPU, of {best} in the best matrix multiplication.", value=value, best=best[1])
                if holds
                else _tflops_words(value, best)
            )
            yield Verdict(statement, holds, text, measured=value, allowed=best[1], unit="TFLOPS")
