"""The textbook network: every port carries its bytes one after another at the given rate, every hop costs a fixed
time.

Used to check the engine's rounds against closed forms and against ASTRA-sim's analytical backend, free of any
calibration. A dimension is one level of the hierarchy (GPUs of a server, servers of a cluster). Two things are
ASTRA-sim's own and are parameters here: an endpoint delay before every message and once at the end of a phase, and a
clock whose ticks a message's time is cut to. Bytes are bytes, rates bytes/s, times seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fabricwright.performance.schedule import Partner, Round, Schedule


@dataclass(frozen=True, slots=True)
class IdealDimension:
    """``kind`` Switch (one port per member), Ring (a port to each neighbour) or FullyConnected (a link per pair).

    ``alpha_s`` replaces hops x ``hop_latency_s`` when the source gives one latency per message. ``tick_s`` 0 = no
    clock.
    """

    kind: str
    members: int
    rate: float
    hop_latency_s: float = 0.0
    alpha_s: float | None = None
    endpoint_delay_s: float = 0.0
    tick_s: float = 0.0

    def latency_s(self, round_: Round) -> float:
        """Propagation of one message of a round."""
        if self.alpha_s is not None:
            return self.alpha_s
        if self.kind == "Ring":
            distance = self.members // 2 if round_.partner is Partner.ALL else round_.distance
            return min(distance, self.members - distance) * self.hop_latency_s
        return (1 if self.kind == "FullyConnected" else 2) * self.hop_latency_s

    def busiest_share(self, round_: Round) -> float:
        """Bytes relative to the buffer on the busiest port, in or out, or on the busiest pair link, in one
        repetition.
        """
        n = self.members
        if round_.partner is Partner.SWITCH:
            return round_.share
        if round_.partner is Partner.ALL:
            if self.kind == "FullyConnected":
                return round_.share
            return (n - 1) * round_.share
        senders, receivers = round_.pairs(n)
        load = np.concatenate((np.bincount(senders, minlength=n), np.bincount(receivers, minlength=n)))
        return float(load.max(initial=0)) * round_.share

    def message_s(self, latency_s: float, n_bytes: float) -> float:
        """One message alone: latency and bytes over the port, cut to the clock."""
        seconds = latency_s + n_bytes / self.rate
        if self.tick_s == 0.0:
            return seconds
        return math.floor(seconds / self.tick_s + 1e-6) * self.tick_s

    def phase_s(self, schedule: Schedule, n_bytes: float) -> float:
        """A whole schedule on this dimension: repetitions wait for one another, the bulk streams behind them."""
        total = self.endpoint_delay_s
        for round_ in schedule.rounds:
            load = self.busiest_share(round_) * n_bytes
            total += round_.times * (self.endpoint_delay_s + self.message_s(self.latency_s(round_), load))
        return total + schedule.bulk * n_bytes / self.rate


def lock_step_ring_s(dims: tuple[IdealDimension, IdealDimension], rings: int, n_bytes: float) -> float:
    """all_reduce on ``rings`` flat rings over GPUs of servers, ring r entering and leaving through NIC r.

    The edges of a ring inside a server share the GPUs' ports of the first dimension, those between servers have a
    port of the second each. Every step waits for its slowest edge: 2(n-1) max over edges (latency + busiest port load
    / rate).
    """
    local, remote = dims
    n = local.members * remote.members
    piece = n_bytes / rings / n
    rank = np.arange(n, dtype=np.int64)
    slowest = 0.0
    port_load = np.zeros(n)
    for r in range(rings):
        member = (rank + r) % local.members
        order = (rank // local.members) * local.members + member
        leaves = rank % local.members == local.members - 1
        sender = order[~leaves] if remote.members > 1 else order
        port_load += np.bincount(sender, minlength=n) * piece
    step = Round(1, 1.0, Partner.NEXT)
    if local.members > 1:
        slowest = local.latency_s(step) + float(port_load.max()) / local.rate
    if remote.members > 1:
        slowest = max(slowest, remote.latency_s(step) + piece / remote.rate)
    return 2 * (n - 1) * slowest
