"""MEM-01, MEM-03, MEM-04: the chosen workload against GPUs and hosts, and statements about its size."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.rules.card import label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.legality import host_memory_gb
from fabricwright.rules.memory import need_of, plan_words, too_small, with_distributed_optimizer
from fabricwright.rules.pcie_path import server_view
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, about_design, held, meant
from fabricwright.rules.training_job import (
    BOTH_GRADIENTS_BYTES,
    MEGATRON_BYTES,
    OPTIMIZER_BYTES,
    ZERO_BYTES,
    Job,
    design_gpus,
    job_of,
    job_variants,
    payload_gb,
    read_job,
)
from fabricwright.rules.verdict import Verdict, contradictions, joined, judges
from fabricwright.units.text import N_, Message, msg

CONVENTION = 0.02
"""Within 2 % a stated size is that of a convention (440 GB for 437.5)."""
SHARES = 8
"""GPUs that a model is spread over where its plan names no tensor-parallel group: one server."""


def statement_job(context: RuleContext, statement: Held) -> Job | None:
    """The workload that a statement names (``workload:ID``), else the chosen one."""
    if statement.scope == "workload":
        row = context.project.workloads.get(statement.name)
        return read_job(statement.name, row, design_gpus(context)) if row is not None else None
    return job_of(context)


# -- MEM-01 -----------------------------------------------------------------------------------------------------------


@rule(
    "MEM-01",
    "error",
    needs=("effective", "statements", "workload"),
    scope="design",
    group="memory & capacity",
    subject="model",
    direction="up",
    title=N_("Model does not fit the GPUs"),
    checks=N_(
        "Model state by ZeRO stage (16 bytes per parameter) or Megatron's optimizer, and activations where the shape "
        "is stated, are within 90 % of a GPU's memory; stated sizes follow one of these counts."
    ),
    reason=N_(
        "What does not fit does not start. A size whose count of bytes per parameter is not named cannot be compared: "
        "ZeRO counts 16, Megatron 18."
    ),
    source="mega; EK ZeRO; seedA SD17, SD18",
)
def mem_01(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, size_verdicts(context))
    job = job_of(context)
    need = need_of(job) if job is not None else None
    if job is None or need is None:
        return
    for gpu in too_small(context, need.total):
        left = gpu.usable_gb - need.state
        if left >= 0 and need.activations > need.cheapest and left >= need.cheapest:
            continue  # recomputation helps: MEM-07 says so
        if job.zero is None and not job.distributed and with_distributed_optimizer(job) <= gpu.usable_gb:
            continue  # the distributed optimizer helps: MEM-02 says so
        words = {
            "total": need.total,
            "usable": gpu.usable_gb,
            "gpu": label(gpu.part),
            "plan": plan_words(job),
            "state": need.state,
            "activations": need.activations,
        }
        yield context.finding(
            (gpu.variant.at(),),
            msg(
                "{total} GB per GPU over {usable} of {gpu} ({plan}: {state} GB of model state, {activations} GB of "
                "activations).",
                **words,
            )
            if need.activations
            else msg("{total} GB of model state per GPU over {usable} of {gpu} ({plan}).", **words),
            variant=gpu.variant,
            measured=need.total,
            allowed=gpu.usable_gb,
            unit="GB",
            values={"workload": job.id, "state_gb": need.state, "activations_gb": need.activations, "dp": job.dp},
            estimate=gpu.estimate,
        )


@judges("MEM-01")
def size_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Stated sizes of model state against the two counts of bytes per parameter."""
    for statement in held(context.project, "model.state_tb", "model.state_per_gpu_gb"):
        value = statement.number
        job = statement_job(context, statement)
        if value is None or job is None or value <= 0 or not about_design(statement, context.design_id):
            continue
        whole = statement.row.quantity == "model.state_tb"
        spread = 1 if whole else job.shards if job.shards > 1 else SHARES
        scale = job.params / spread / (1e12 if whole else 1e9)
        zero, megatron = ZERO_BYTES * scale, MEGATRON_BYTES * scale
        unit = "TB" if whole else "GB"
        words = {
            "value": value,
            "unit": unit,
            "bytes": f"{value / scale:.1f}".removesuffix(".0"),
            "zero": zero,
            "megatron": megatron,
            "spread": spread,
        }
        holds = any(abs(value - own) <= CONVENTION * own for own in (zero, megatron))
        if holds:
            text = msg("{value} {unit} is {bytes} bytes per parameter, a usual count.", **words)
        elif whole:
            text = msg(
                "{value} {unit} is {bytes} bytes per parameter; ZeRO counts 16 ({zero} {unit}), Megatron 18 "
                "({megatron} {unit}): say which.",
                **words,
            )
        else:
            text = msg(
                "{value} {unit} on each of {spread} GPUs is {bytes} bytes per parameter; with 16 it is {zero} {unit}, "
                "with 18 {megatron} {unit}.",
                **words,
            )
        figures = {"bytes_per_param": value / scale, "zero": zero, "megatron": megatron, "workload": job.id}
        yield Verdict(statement, holds, text, measured=value, allowed=zero, unit=unit, values=figures)


# -- MEM-03 -----------------------------------------------------------------------------------------------------------


@rule(
    "MEM-03",
    "warning",
    needs=("effective", "statements", "workload"),
    scope="design",
    group="memory & capacity",
    subject="host",
    direction="up",
    title=N_("Host memory and offload"),
    checks=N_(
        "With offload the optimizer's share of a server (12 bytes per parameter over all servers) fits its memory; a "
        "statement that memory overflows is borne out by that share."
    ),
    reason=N_("An offloaded optimizer keeps fp32 parameters and two moments in host memory, shared out over servers."),
    source="seedB SD23; EK ZeRO",
)
def mem_03(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, overflow_verdicts(context))
    job = job_of(context)
    servers = sum(len(v.members) for v in job_variants(context)) if job is not None and job.offload else 0
    if job is None or not servers:
        return
    need = (ZERO_BYTES if job.offload == "all" else OPTIMIZER_BYTES) * job.params / servers / 1e12
    for variant in job_variants(context):
        have = _host_tb(context, variant)
        if have and need > have:
            yield context.finding(
                (variant.at(),),
                msg(
                    "Offload needs {need} TB of host memory in each of {servers} servers; {have} TB are there.",
                    need=need,
                    servers=servers,
                    have=have,
                ),
                variant=variant,
                measured=need,
                allowed=have,
                unit="TB",
                values={"workload": job.id, "servers": servers, "offload": job.offload},
                estimate=True,
            )


def _host_tb(context: RuleContext, variant: Variant) -> float:
    fitted = context.config_of_chassis(variant.sheet)
    return host_memory_gb(server_view(variant.eff, context.project.parts), fitted) / 1024


@judges("MEM-03")
def overflow_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Statements that so much host memory overflows: borne out when the model state of a server is larger."""
    for statement in held(context.project, "memory.overflow"):
        value = statement.number
        job = statement_job(context, statement)
        places = [p for p in meant(context, statement) if not p.item]
        servers = sum(len(v.members) for v in job_variants(context))
        if value is None or job is None or not places or not servers:
            continue
        each = OPTIMIZER_BYTES, ZERO_BYTES, BOTH_GRADIENTS_BYTES
        optimizer, least, most = (b * job.params / servers / 1e12 for b in each)
        words = {
            "value": value,
            "job": job.title,
            "servers": servers,
            "optimizer": f"{optimizer:.2f}",
            "least": f"{least:.2f}",
            "most": f"{most:.2f}",
        }
        holds = most > value
        text = (
            msg("{job} over {servers} servers keeps {least} to {most} TB in each: {value} TB can overflow.", **words)
            if holds
            else msg(
                "{value} TB are said to overflow, but {job} over {servers} servers keeps {least} to {most} TB of model "
                "state in each ({optimizer} of it the optimizer's): say what else is offloaded.",
                **words,
            )
        )
        for place in places:
            yield Verdict(
                statement,
                holds,
                text,
                (place.variant.at(),),
                place.members,
                place.variant,
                value,
                most,
                "TB",
                {"workload": job.id, "optimizer_tb": optimizer, "least_tb": least, "most_tb": most, "servers": servers},
            )


# -- MEM-04 -----------------------------------------------------------------------------------------------------------


@rule(
    "MEM-04",
    "fact",
    needs=("effective", "statements", "workload"),
    scope="design",
    group="memory & capacity",
    subject="allreduce",
    title=N_("Size of the gradient all-reduce"),
    checks=N_("Shown for the chosen workload, and for workloads whose all-reduce is stated."),
    reason=N_(
        "Gradients are 2 bytes per parameter in bf16 or fp16, 4 in fp32. A ring sends 2(N-1)/N of that from every GPU: "
        "payload and bytes on the wire are two figures."
    ),
    source="seedA SD16",
)
def mem_04(context: RuleContext) -> Iterator[Finding]:
    jobs: dict[str, Job] = {}
    chosen = job_of(context)
    named = [statement_job(context, s) for s in held(context.project, "allreduce.payload_gb") if s.scope == "workload"]
    for job in (chosen, *named):
        if job is not None and job.gpus > 1:
            jobs.setdefault(job.id, job)
    if not jobs:
        return
    first = next(iter(jobs.values()))
    statements = [s.id for s in held(context.project, "allreduce.payload_gb") if s.scope == "workload"]
    payload, _ = _payload(first)
    yield context.finding(
        tuple(v.at() for v in job_variants(context)[:1]),
        joined([_payload_words(job) for job in jobs.values()]),
        measured=payload,
        unit="GB",
        values={
            "statements": statements,
            "workloads": {
                job.id: {"payload_gb": _payload(job)[0], "wire_gb": _wire(job), "gpus": job.gpus}
                for job in jobs.values()
            },
        },
    )


def _payload(job: Job) -> tuple[float, bool]:
    """(GB of gradients, whether their type is only assumed: bf16)."""
    stated = payload_gb(job)
    return (stated, False) if stated is not None else (2 * job.params / 1e9, True)


def _wire(job: Job) -> float:
    return 2 * (job.gpus - 1) / job.gpus * _payload(job)[0]


def _payload_words(job: Job) -> Message:
    payload, assumed = _payload(job)
    words = {"job": job.title, "payload": payload, "wire": _wire(job), "gpus": job.gpus}
    if assumed:
        return msg(
            "{job}: {payload} GB of gradients (type not stated, bf16 assumed), {wire} GB from each of {gpus} GPUs.",
            **words,
        )
    return msg("{job}: {payload} GB of gradients, {wire} GB from each of {gpus} GPUs.", **words)


@judges("MEM-04")
def payload_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Stated sizes of a workload's all-reduce against 2 or 4 bytes per parameter; no rule finds fault with them."""
    for statement in held(context.project, "allreduce.payload_gb"):
        value = statement.number
        job = statement_job(context, statement) if statement.scope == "workload" else None
        if value is None or job is None:
            continue
        payload, _ = _payload(job)
        holds = any(abs(value - own) <= 0.1 * own for own in (payload, 2 * job.params / 1e9, 4 * job.params / 1e9))
        yield Verdict(statement, holds, _payload_words(job), measured=value, allowed=payload, unit="GB")
