"""What would change a step most: one NIC more, twice the spine, a larger NVLink domain, better overlap, another layout.

Each is the same prediction on a changed cluster or with changed constants; nothing is scaled afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from fabricwright.performance.calibration import Calibration, Constant
from fabricwright.performance.training.groups import Groups
from fabricwright.performance.training.search import layout_words
from fabricwright.performance.training.train import Training, TrainingJob, fullest, room_of, train
from fabricwright.topology.model import Cluster
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

BETTER: Mapping[str, float] = {
    "overlap.tensor": 0.95, "overlap.tensor_sharded": 0.95, "overlap.expert": 0.9, "overlap.data": 1.0,
    "overlap.drag": 0.02,
}  # fmt: skip
"""Overlap as good as any framework claims: nearly everything but the tail hidden."""


def sensitivity(found: Training, groups: Groups, k: Calibration) -> tuple[tuple[Message, float], ...]:
    """(change, step seconds), largest gain first; changes that cannot be made on this cluster are left out."""
    job = found.job
    out: list[tuple[Message, float]] = []
    for name, text in (
        ("nic", msg("one NIC more per server")),
        ("spine", msg("twice the links between switches")),
        ("nvlink", msg("NVLink domains of two servers")),
    ):
        other = _variant(groups, name)
        if other is not None and (seconds := _step(job, other, k)) is not None:
            out.append((text, seconds))
    better = dict(k.constants)
    for name, value in BETTER.items():
        old = k.value(name)
        better[name] = Constant(min(old, value) if name == "overlap.drag" else max(old, value), "sensitivity")
    if (seconds := _step(job, groups, Calibration("better overlap", better))) is not None:
        out.append((msg("better overlap"), seconds))
    best = _other_layout(job, groups, k)
    if best is not None:
        out.append((msg("{layout} instead", layout=best[0]), best[1]))
    return tuple(sorted(out, key=lambda row: row[1]))


def _step(job: TrainingJob, groups: Groups, k: Calibration) -> float | None:
    try:
        return train(job, groups, k).step_time_s
    except UserError:
        return None


def _other_layout(job: TrainingJob, groups: Groups, k: Calibration) -> tuple[Message, float] | None:
    """The best of the layouts with one of TP and PP doubled or halved and the other, or DP, making up for it."""
    p = job.plan
    best: tuple[Message, float] | None = None
    for tp, pp in {(p.tp * 2, p.pp), (p.tp // 2, p.pp), (p.tp, p.pp * 2), (p.tp, p.pp // 2), (p.tp * 2, p.pp // 2),
                   (p.tp // 2, p.pp * 2)}:  # fmt: skip
        if tp < 1 or pp < 1 or groups.n % (tp * pp * p.cp):
            continue
        plan = replace(p, tp=tp, pp=pp, dp=groups.n // (tp * pp * p.cp), vpp=p.vpp if pp > 1 else 1)
        if fullest(plan, job.shape).total > room_of(job.gpu):
            continue
        seconds = _step(replace(job, plan=plan), groups, k)
        if seconds is not None and (best is None or seconds < best[1]):
            best = layout_words(plan), seconds
    return best


def _variant(groups: Groups, name: str) -> Groups | None:
    """Groups of a changed cluster, kept with the original."""
    if name not in groups.variants:
        changed = {"nic": _more_nics, "spine": _more_spine, "nvlink": _wider_nvlink}[name](groups.cluster)
        groups.variants[name] = Groups(changed, groups.profile) if changed is not None else None
    return groups.variants[name]


def _more_nics(cluster: Cluster) -> Cluster | None:
    """Every server's compute ports, with the PCIe links of their NICs, as fast as one NIC more makes all of them."""
    uplink = np.asarray(cluster.uplink)
    if not uplink.size or not (uplink >= 0).any():
        return None
    rate = np.asarray(cluster.fabric.rate, dtype=np.float64).copy()
    interiors = []
    for v, inner in enumerate(cluster.interiors):
        members = np.flatnonzero(np.asarray(cluster.variant) == v)
        cabled = np.zeros(len(inner.net_ports), dtype=bool)
        for row in uplink[members]:
            cabled |= row[: len(cabled)] >= 0
        nics = len(set(np.asarray(inner.port_nic)[cabled].tolist()))
        if not nics:
            interiors.append(inner)
            continue
        grow = (nics + 1) / nics
        here = uplink[members]
        rate[np.unique(here[here >= 0])] *= grow
        wider = np.array([grow if link.src in inner.nics or link.dst in inner.nics else 1.0 for link in inner.links])
        links = tuple(
            replace(link, rate=link.rate * w, nccl_rate=link.nccl_rate * w) if w > 1 else link
            for link, w in zip(inner.links, wider, strict=True)
        )
        interiors.append(
            replace(
                inner,
                links=links,
                rate=inner.rate * wider,
                nccl_rate=inner.nccl_rate * wider,
                port_rate=inner.port_rate * grow,
            )
        )
    fabric = replace(cluster.fabric, rate=rate, memo={})
    return replace(cluster, interiors=tuple(interiors), fabric=fabric)


def _more_spine(cluster: Cluster) -> Cluster | None:
    fabric = cluster.fabric
    if not len(fabric.switch) or not len(fabric.rate):
        return None
    switch = np.asarray(fabric.switch, dtype=bool)
    between = switch[fabric.a_dev] & switch[fabric.b_dev]
    if not between.any():
        return None
    return replace(cluster, fabric=replace(fabric, rate=np.where(between, 2 * fabric.rate, fabric.rate), memo={}))


def _wider_nvlink(cluster: Cluster) -> Cluster | None:
    """Two neighbouring servers as one NVLink domain; None where GPUs have no NVLink switch."""
    if len(cluster.server_dev) < 2 or not all(
        len(i.nvlink_rate) and i.nvlink_rate.min() > 0 for i in cluster.interiors
    ):
        return None
    if any(i.domain_gpus for i in cluster.interiors):
        return None
    interiors = tuple(replace(i, domain_gpus=2 * len(i.gpus)) for i in cluster.interiors)
    domain = (np.asarray(cluster.rank_server) // 2).astype(np.int32)
    return replace(cluster, interiors=interiors, rank_domain=domain)
