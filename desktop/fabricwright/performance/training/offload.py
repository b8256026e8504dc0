"""Optimizer state, gradients and parameters outside the GPU: where they lie, and what moving them costs a step.

ZeRO-Offload (arXiv 2101.06840): gradients go to the host, Adam runs on its processors over fp32 state, new parameters
come back. A GPU has no other way to CXL memory than its PCIe link and the host (rule CXL-05), so bytes in CXL cross
both that link and the card's own. The GPUs of a server move theirs at once; every link they share carries all of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fabricwright.design.training.memory import HostMemory
from fabricwright.design.training.plan import Plan
from fabricwright.topology.host_memory import Tier
from fabricwright.topology.model import Interior
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

RESERVED = 0.1
"""Part of the DRAM that the operating system, the data loader and pinned buffers take. A rule of thumb."""
ADAM_BYTES = 28.0
"""Bytes moved per parameter by Adam on the host: 14 read, 14 written (fp32 parameter, two moments, fp16 copy)."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Bytes of one server by tier name, and seconds: ``link_s`` between GPUs and host, ``update_s`` of the optimizer in
    its tiers."""

    by_tier: dict[str, float]
    link_s: float
    update_s: float

    @property
    def total_s(self) -> float:
        """Exposed seconds of a step: gradients out and parameters in, with the update between them."""
        return self.link_s + self.update_s


def place(host: HostMemory, plan: Plan, tiers: tuple[Tier, ...], interior: Interior, gpus: int) -> Placement:
    """Put what the GPUs of a server keep outside into its tiers and time a step's moves. ``UserError`` when it does not
    fit, with what there is.
    """
    need = host.total * gpus
    if need <= 0:
        return Placement({}, 0.0, 0.0)
    room = {t.name: t.capacity * ((1 - RESERVED) if t.name == "dram" else 1.0) for t in tiers}
    order = [t for t in tiers if t.capacity > 0]
    if plan.tier:
        first = [t for t in order if t.name == plan.tier]
        if not first:
            raise UserError(
                msg(
                    "The plan offloads to {tier}, but the server has none; it has {known}.",
                    tier=plan.tier.upper(),
                    known=", ".join(t.name.upper() for t in order) or "-",
                )
            )
        order = first + [t for t in order if t.name != plan.tier]
    left, used = need, {}
    for tier in order:
        take = min(left, room[tier.name])
        if take > 0:
            used[tier.name] = take
            left -= take
    if left > need * 1e-9:
        raise UserError(
            msg(
                "{need} GB per server are offloaded, {room} GB are free for it ({tiers}); {more} GB more would do.",
                need=need / 1e9,
                room=sum(room.values()) / 1e9,
                tiers=", ".join(t.name.upper() for t in order),
                more=left / 1e9,
            )
        )
    params = host.optimizer / 12 * gpus
    update = sum(params * (used.get(t.name, 0.0) / need) * ADAM_BYTES / t.stream_rate for t in order if t.stream_rate)
    moved = 2 * host.optimizer / 12  # fp16 gradients out, fp16 parameters in, per GPU
    crossings = 1.0 + (2.0 * plan.micro_batches if plan.offload == "all" else 0.0)
    link = _link_seconds(interior, gpus) * moved
    return Placement(used, 2 * link * max(crossings, 1.0) if plan.offload != "all" else link * (1 + crossings), update)


def _link_seconds(interior: Interior, gpus: int) -> float:
    """Seconds per byte when every GPU copies to its nearest host memory at once: the busiest link inside the server."""
    paths = interior.gpu_host
    count, hosts = paths.pci.shape
    load = np.zeros(len(interior.links))
    slowest = 0.0
    for g in range(min(gpus, count)):
        if hosts == 0:
            continue
        nearest = int(np.argmin(paths.latency_s[g]))
        np.add.at(load, paths.links(g, nearest), paths.weights(g, nearest))
        own = float(paths.bandwidth[g, nearest])
        slowest = max(slowest, 1 / own if own > 0 else 0.0)
    rate = np.asarray(interior.rate)
    busy = float(np.max(np.divide(load, rate, out=np.zeros_like(load), where=rate > 0), initial=0.0))
    return max(busy, slowest)
