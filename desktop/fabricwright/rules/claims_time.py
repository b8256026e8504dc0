"""SED-03: stated times of an all-reduce against what a node can send."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.address import Address, Step
from fabricwright.rules.claims import earlier, of_design, ratio_of
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_view import sides
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, about_design, held
from fabricwright.rules.training_job import job_of, payload_gb
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.units.record import record
from fabricwright.units.text import N_, msg

ROUNDED = 1.05
"""Times and ratios are stated with two digits; within 5 % they are the same."""


@record
class NodeRate:
    """What leaves a server on the compute network: ``gbs`` GB/s of the server with the least, ``servers`` cabled."""

    gbs: float
    servers: int
    groups: tuple[str, ...]


def node_rate(context: RuleContext) -> NodeRate | None:
    """Cabled line rate of a server towards the compute network; None when no two servers are cabled."""
    fabric = context.fabric()
    groups = {v.item for v in context.variants() if v.item}
    rates = np.zeros(len(fabric.absent))
    for k, bundle in enumerate(fabric.bundles):
        if bundle.network != "compute":
            continue
        live = (fabric.bundle == k) & (fabric.rate > 0)
        for side, device in zip(sides(bundle), (fabric.a_dev, fabric.b_dev), strict=True):
            if side.item in groups:
                rates += np.bincount(device[live], fabric.rate[live], len(rates))
    cabled = rates[rates > 0]
    if len(cabled) < 2:
        return None
    with_cables = [g for g in sorted(groups) if rates[fabric.offset[g] : fabric.offset[g] + fabric.count[g]].any()]
    return NodeRate(float(cabled.min()) / 1e9, len(cabled), tuple(with_cables))


@rule(
    "SED-03",
    "warning",
    needs=("effective", "fabric", "statements", "workload", "designs"),
    scope="design",
    group="seed claims",
    subject="claim",
    title=N_("All-reduce faster than the network of a node"),
    checks=N_(
        "A stated time of an all-reduce is not below payload x 2(k-1)/k divided by the rate of a node, and it does not "
        "fall by more than that rate grew."
    ),
    reason=N_(
        "Every node sends and receives that many bytes, whatever the algorithm. A shorter time was measured for a "
        "smaller message, usually one gradient bucket."
    ),
    source="seedB SD13, SD14",
    direction="down",
)
def sed_03(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, time_verdicts(context))


@judges("SED-03")
def time_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Times of an all-reduce against its payload, and against the time before."""
    statement = of_design(context, "allreduce.time_ms", context.design_id)
    rate = node_rate(context) if statement is not None else None
    time_ms = statement.number if statement is not None else None
    if statement is None or rate is None or not time_ms or time_ms <= 0:
        return
    at = tuple(Address((Step(g),)) for g in rate.groups)
    wire = 2 * (rate.servers - 1) / rate.servers
    moved = time_ms * 1e-3 * rate.gbs / wire
    payload = _payload(context, statement)
    if payload is not None:
        least = payload * wire / rate.gbs * 1e3
        words = {"time": time_ms, "payload": payload, "gbs": rate.gbs, "least": least, "moved": _size(moved)}
        holds = time_ms * ROUNDED >= least
        text = (
            msg("{time} ms for {payload} GB at {gbs} GB/s per node: {least} ms or more, as stated.", **words)
            if holds
            else msg(
                "{time} ms cannot move {payload} GB at {gbs} GB/s per node: that takes {least} ms. {time} ms moves "
                "{moved}, one bucket.",
                **words,
            )
        )
        yield Verdict(
            statement,
            holds,
            text,
            at,
            measured=time_ms,
            allowed=least,
            unit="ms",
            values={"payload_gb": payload, "node_gbs": rate.gbs, "servers": rate.servers, "moved_mb": moved * 1e3},
        )
    before = earlier(context, "allreduce.time_ms")
    if before is None or before[0] is statement or not before[0].number:
        return
    other = node_rate(context.beside(before[1]))
    if other is None or other.gbs <= 0:
        return
    faster, wider = ratio_of(before[0], statement), rate.gbs / other.gbs
    holds = faster <= max(wider, 1.0) * ROUNDED
    words = {
        "before": before[0].number,
        "after": time_ms,
        "faster": f"{faster:.2f}",
        "wider": f"{wider:.2f}",
        "old": other.gbs,
        "new": rate.gbs,
    }
    text = (
        msg(
            "{before} ms becoming {after} ms is {faster} times faster; the rate of a node grows {wider} times.", **words
        )
        if holds
        else msg(
            "{before} ms becoming {after} ms is {faster} times faster, but the rate of a node grows only {wider} times "
            "({old} to {new} GB/s); what else changed is not stated.",
            **words,
        )
    )
    yield Verdict(
        statement,
        holds,
        text,
        at,
        measured=faster,
        allowed=wider,
        unit="x",
        values={"ratio": faster, "rate_ratio": wider, "before": before[0].id},
    )


def _payload(context: RuleContext, statement: Held) -> float | None:
    """GB of the all-reduce that a time is about: stated beside it (about the same design before any, same source
    first), else the gradients of the chosen workload on one rank; ZeRO-3 reduces no whole gradient.
    """
    found = [
        h
        for h in held(context.project, "allreduce.payload_gb")
        if h.number and about_design(h, context.design_id) and _same_model(context, h)
    ]
    found.sort(key=lambda h: (h.row.source != statement.row.source, not h.design))
    if found:
        return found[0].number
    job = job_of(context)
    whole = payload_gb(job) if job is not None and job.zero != 3 else None
    return whole / job.shards if whole is not None and job is not None else None


def _same_model(context: RuleContext, statement: Held) -> bool:
    return statement.scope != "part" and (statement.scope != "workload" or statement.name == context.workload_id())


def _size(gigabytes: float) -> str:
    return f"{gigabytes * 1e3:.0f} MB" if gigabytes < 1 else f"{gigabytes:.3g} GB"
