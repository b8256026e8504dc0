"""FAB: how much network a GPU has, and what else runs on it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.calls import EditCall
from fabricwright.design.indexset import IndexSet
from fabricwright.design.options import stated
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.fabric import at_item, labels
from fabricwright.rules.fabric_attached import attached
from fabricwright.rules.fabric_cabling import COMPUTE, STORAGE, downs, items_hit, kind_mask, network_code, once
from fabricwright.rules.fabric_joined import joined
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.scale import gpus_in
from fabricwright.rules.statements import about_design, held
from fabricwright.units.text import N_, msg

LEAST_GBPS = 200.0
"""Gb/s per GPU below which training waits for the network; the reference architectures have 400."""
TARGETS = ("cluster.gpus", "cluster.servers", "server.gpus")
TRAINING = (
    "allreduce.payload_gb",
    "allreduce.time_ms",
    "gpu.utilisation",
    "model.state_per_gpu_gb",
    "model.state_tb",
    "step.comm_share",
    "train.days",
    "train.gain",
)


def training_stated(context: RuleContext) -> bool:
    """Whether somebody said that this is for training: a workload, a target of size, or a figure of a training job."""

    def make() -> bool:
        if context.project.workloads:
            return True
        for statement in held(context.project, *TARGETS, *TRAINING):
            aimed = statement.row.kind != "claim" or statement.row.quantity in TRAINING
            if aimed and about_design(statement, context.design_id):
                return True
        return False

    return once(context, "training stated", make)


@rule(
    "FAB-06",
    "warning",
    needs=("effective", "fabric", "statements", "workload"),
    group="spine-leaf",
    subject="node",
    direction="down",
    title=N_("Little network per GPU"),
    checks=N_("Where training or a target is stated, the compute ports of a server give each GPU 200 Gb/s at least."),
    reason=N_(
        "In every step each GPU exchanges its gradients or activations; reference architectures give it 400 Gb/s."
    ),
    source="sp_h100; seed SD09",
)
def fab_06(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    gpus = gpus_in(variant.eff)
    if not gpus or not variant.item or not training_stated(context):
        return
    members = variant.members.array()
    for group in attached(context):
        if group.item != variant.item:
            continue
        per_gpu = group.gbps[members].sum(axis=1) / gpus
        little = (per_gpu > 0) & (per_gpu < LEAST_GBPS * 0.999)
        if little.any():
            least = float(per_gpu[little].min())
            yield context.finding(
                (variant.at(),),
                msg(
                    "{gbps} Gb/s of compute network per GPU ({total} Gb/s for {gpus} GPUs); training wants {least} "
                    "Gb/s.",
                    gbps=round(least, 1),
                    total=round(least * gpus),
                    gpus=gpus,
                    least=LEAST_GBPS,
                ),
                variant=variant,
                members=IndexSet.of_array(members[little]),
                measured=least,
                allowed=LEAST_GBPS,
                unit="Gb/s",
            )


@rule(
    "FAB-18",
    "warning",
    needs=("root", "fabric", "settings"),
    scope="design",
    group="spine-leaf",
    subject="storage",
    direction="up",
    title=N_("Storage on the compute fabric"),
    checks=N_("Storage and compute traffic do not share switches unless QoS classes are stated."),
    reason=N_("Checkpoints and data loading come in bursts; without classes of their own they delay every collective."),
    source="era_hgx",
)
def fab_18(context: RuleContext) -> Iterator[Finding]:
    if str(stated(context.settings, "qos") or "").strip().lower() in ("on", "true", "yes", "1"):
        return
    fabric, below = context.fabric(), downs(context)
    compute, storage = network_code(fabric, COMPUTE), network_code(fabric, STORAGE)
    stored = below.drawn & (below.network == storage) if storage >= 0 else np.zeros(len(below.leaf), dtype=bool)
    boxes = kind_mask(context, "storage-server")
    if boxes.any():
        stored |= below.drawn & (below.network == compute) & boxes[below.end]
    if not stored.any():
        return
    computed = below.drawn & (below.network == compute) & below.server
    piece = joined(context, 3, COMPUTE, STORAGE)
    busy = np.zeros(len(fabric.absent), dtype=bool)
    busy[piece[below.leaf[computed]]] = True
    shared = np.zeros(len(fabric.absent), dtype=bool)
    shared[below.leaf[stored][busy[piece[below.leaf[stored]]]]] = True
    hit = list(items_hit(context, shared))
    if not hit:
        return
    yield context.finding(
        tuple(at_item(item) for item, *_ in hit),
        msg(
            "{cables} storage cables end on {switches}, which the compute traffic shares; no QoS class is stated.",
            cables=int(shared[below.leaf[stored]].sum()),
            switches=labels(context.root, [item for item, *_ in hit][:8]),
        ),
        members=hit[0][3],
        measured=float(shared[below.leaf[stored]].sum()),
        allowed=0.0,
        unit="cables",
        fix=(EditCall("set_setting", {"design": context.design_id, "key": "qos", "value": "on"}),),
    )
