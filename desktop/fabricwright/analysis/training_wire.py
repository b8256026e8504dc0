"""A training step as it travels to the window: plain values, texts as messages, and where every rank sits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fabricwright.analysis.training import DesignTraining, groups_of, train_design
from fabricwright.analysis.training_mend import nearest_plan
from fabricwright.analysis.training_money import saving_between
from fabricwright.design.training.memory import gpu_memory
from fabricwright.performance.training.search import Ranked, layout_words
from fabricwright.performance.training.train import Training, plan_json, room_of
from fabricwright.topology.model import Cluster
from fabricwright.units.errors import UserError

if TYPE_CHECKING:
    from fabricwright.analysis.analyze import Analysis

MOST_RANKS_PLACED = 65536
"""Clusters beyond this are not coloured GPU by GPU."""


def training_frame(analysis: Analysis, workload: str, other: Analysis | None) -> dict[str, Any]:
    """``{"design", "asked", "step", "other", "saving", "ranks"}``; a step that cannot run is ``{"error", "nearest"}``
    with the plan that can."""
    found = step_of(analysis, workload)
    frame: dict[str, Any] = {"design": analysis.design, "asked": workload, "step": found[0], "ranks": _ranks(analysis)}
    if other is not None:
        before = step_of(other, workload)
        frame["other"] = {"design": other.design, **before[0]}
        frame["saving"] = None
        if found[1] is not None and before[1] is not None:
            saving = saving_between(other, before[1], analysis, found[1])
            if saving is not None:
                frame["saving"] = {**saving.to_json(), "notes": [note.to_json() for note in saving.notes]}
    return frame


def _ranks(analysis: Analysis) -> int:
    try:
        return analysis.cluster.n_ranks
    except UserError:
        return 0


def step_of(analysis: Analysis, workload: str) -> tuple[dict[str, Any], DesignTraining | None]:
    """The step of a design's workload for the window, and itself; or why there is none."""
    try:
        found = train_design(analysis, workload or None)
    except UserError as error:
        near = nearest_plan(analysis, workload or None)
        nearest = None
        if near is not None:
            nearest = {"words": layout_words(near[0]).to_json(), "gbs": near[0].gbs, "plan": near[1]}
        return {"error": error.message.to_json(), "nearest": nearest}, None
    return {**found.to_json(), **_wire(analysis, found)}, found


def _wire(analysis: Analysis, found: DesignTraining) -> dict[str, Any]:
    training = found.training
    at = _places(analysis.cluster, training)
    job = training.job
    stages = [gpu_memory(job.plan, job.shape, stage).to_json() for stage in _stages(job.plan.pp)]
    return {
        "workload": found.workload,
        "title": found.title,
        "layout": layout_words(job.plan).to_json(),
        "gpu": job.gpu.name,
        "room": room_of(job.gpu),
        "tokens": training.tokens,
        "tokens_per_step": training.tokens_per_step,
        "flops": training.step.flops,
        "stages": [{"stage": stage, **row} for stage, row in zip(_stages(job.plan.pp), stages, strict=True)],
        "offload": {
            "link_s": training.placement.link_s,
            "update_s": training.placement.update_s,
            "tiers": [
                {"name": t.name, "rate": t.stream_rate, "latency_s": t.latency_s, "capacity": t.capacity}
                for t in job.tiers
            ],
        },
        "communication": [
            {
                "kind": t.name,
                "total_s": t.total_s,
                "exposed_s": t.exposed_s,
                "limit": t.exchange.label.to_json() if t.exchange.label is not None else None,
                "at": t.exchange.at,
            }
            for t in training.step.traffic
        ],
        "notes": [note.to_json() for note in (*training.notes, *(found.cost.notes if found.cost else ()))],
        "sensitivity": [
            {"change": text.to_json(), "step_time_s": seconds, "at": _binds(text.template, at, training)}
            for text, seconds in training.sensitivity
        ],
        "placement": placement_of(analysis),
    }


def _stages(pp: int) -> list[int]:
    """Pipeline stages whose memory is shown: the first and the last hold the embeddings."""
    return sorted({0, pp - 1})


def _places(cluster: Cluster, training: Training) -> dict[str, list[str]]:
    """Addresses that a change of the sensitivity list is about: NIC ports, links between switches, GPUs."""
    fabric = cluster.fabric
    out: dict[str, list[str]] = {"nic": [], "spine": [], "nvlink": []}
    if len(cluster.rank_server):
        server = int(cluster.rank_server[0])
        inner = cluster.interiors[int(cluster.variant[server])]
        where = f"{cluster.server_address(server)}/" if fabric.bundles or fabric.items else ""
        out["nic"] = [f"{where}{nic}" for nic in inner.nics]
        out["nvlink"] = [f"{where}{gpu}" for gpu in inner.gpus]
    if len(fabric.switch) and len(fabric.rate):
        switch = np.asarray(fabric.switch, dtype=bool)
        between = np.flatnonzero(switch[fabric.a_dev] & switch[fabric.b_dev])
        out["spine"] = sorted({fabric.bundles[b].link for b in np.unique(np.asarray(fabric.bundle)[between]).tolist()})
    worst = max(training.step.traffic, key=lambda t: t.exposed_s, default=None)
    out["overlap"] = [worst.exchange.at] if worst is not None and worst.exchange.at else []
    return out


def _binds(template: str, at: dict[str, list[str]], training: Training) -> list[str]:
    del training
    for word, key in (("NIC", "nic"), ("switches", "spine"), ("NVLink", "nvlink"), ("overlap", "overlap")):
        if word in template:
            return at.get(key, [])
    return at["overlap"]


def placement_of(analysis: Analysis) -> dict[str, Any]:
    """Which GPU every rank is: ``servers`` (item, member) in rank order with ``first`` rank and ``gpus``, so that
    groups follow from the degrees alone (rank = ((pp x DP + dp) x CP + cp) x TP + tp)."""
    cluster = groups_of(analysis).cluster
    if cluster.n_ranks > MOST_RANKS_PLACED or not cluster.n_ranks:
        return {"servers": []}
    server = np.asarray(cluster.rank_server)
    cuts = np.flatnonzero(np.diff(server)) + 1
    rows: list[tuple[str, int, int, tuple[str, ...]]] = []
    for ranks in np.split(np.arange(cluster.n_ranks), cuts):
        s = int(server[ranks[0]])
        inner = cluster.interiors[int(cluster.variant[s])]
        item, member = cluster.fabric.device_name(int(cluster.server_dev[s]))
        names = tuple(inner.gpus[int(g)] for g in np.asarray(cluster.rank_gpu)[ranks])
        rows.append((item, member, int(ranks[0]), names))
    lists: dict[tuple[str, ...], int] = {}
    servers = [[item, member, first, lists.setdefault(names, len(lists))] for item, member, first, names in rows]
    return {"servers": servers, "gpus": [list(names) for names in lists]}


def ranked_wire(row: Ranked, plan: dict[str, Any]) -> dict[str, Any]:
    """A row of the search: ``plan`` the fields that "use this" sets."""
    return {
        "layout": layout_words(row.plan).to_json(),
        "shown": plan_json(row.plan),
        "step_time_s": row.step_time_s,
        "memory_per_gpu_bytes": row.memory,
        "reason": row.reason.to_json(),
        "plan": plan,
    }
