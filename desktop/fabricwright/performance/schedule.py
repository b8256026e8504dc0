"""Collective algorithms as rounds: who sends how much to whom, and how many sends wait for one another.

A schedule knows nothing about wires. ``share`` is bytes per message relative to the buffer (``size`` of nccl-tests),
members are 0 .. n-1. The compiled cluster (``ring``, ``tree``, ``pair_flows`` ...) and the ideal network (``ideal``)
both route these rounds and take load and latency from them. Formulas: Thakur, Rabenseifner, Gropp 2005 (ring,
halving-doubling, recursive doubling, binomial); Sanders, Speck, Traeff 2009 (two trees).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


class Partner(Enum):
    """Whom a member talks to in one round."""

    NEXT = "next"
    SHIFT = "shift"
    EXCHANGE = "exchange"
    ONWARD = "onward"
    ALL = "all"
    SWITCH = "switch"


@dataclass(frozen=True, slots=True)
class Round:
    """``times`` dependent repetitions in which each sender sends ``share`` of the buffer.

    ``distance``: SHIFT i to i + distance, EXCHANGE i with i xor distance, ONWARD the first ``distance`` members to
    those after them.
    """

    times: int
    share: float
    partner: Partner
    distance: int = 1

    def pairs(self, n: int) -> tuple[I64, I64]:
        """(senders, receivers) of one repetition; ALL and SWITCH have no single partner and raise ``ValueError``."""
        member = np.arange(n, dtype=np.int64)
        if self.partner is Partner.NEXT:
            return member, (member + 1) % n
        if self.partner is Partner.SHIFT:
            return member, (member + self.distance) % n
        if self.partner is Partner.EXCHANGE:
            other = member ^ self.distance
            keep = other < n
            return member[keep], other[keep]
        if self.partner is Partner.ONWARD:
            count = min(self.distance, n - self.distance)
            return member[:count], member[:count] + self.distance
        raise ValueError(self.partner)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Rounds one after another, then ``bulk``: bytes per port and direction relative to the buffer that stream
    through the pipeline which the rounds have opened (trees; 0 for lock-step algorithms).
    """

    rounds: tuple[Round, ...]
    bulk: float = 0.0

    @property
    def steps(self) -> int:
        """Dependent sends of the longest chain."""
        return sum(r.times for r in self.rounds)

    @property
    def bytes_out(self) -> float:
        """Bytes that the busiest member sends, relative to the buffer (ALL counts n - 1 messages elsewhere)."""
        return sum(r.times * r.share for r in self.rounds) + self.bulk


def ring(collective: str, n: int) -> Schedule:
    """Ring: 2(n-1) steps of 1/n for all_reduce, n-1 for reduce_scatter and all_gather, a pipelined chain for
    broadcast, reduce.
    """
    if collective == "all_reduce":
        return Schedule((Round(2 * (n - 1), 1 / n, Partner.NEXT),))
    if collective in ("reduce_scatter", "all_gather"):
        return Schedule((Round(n - 1, 1 / n, Partner.NEXT),))
    return Schedule((Round(n - 1, 0.0, Partner.NEXT),), bulk=1.0)


def halving_doubling(collective: str, n: int) -> Schedule:
    """Recursive halving (reduce_scatter), doubling (all_gather), or both; needs a power of two."""
    levels = range(int(math.log2(n)))
    halving = tuple(Round(1, 0.5 ** (i + 1), Partner.EXCHANGE, 1 << i) for i in levels)
    if collective == "reduce_scatter":
        return Schedule(halving)
    if collective == "all_gather":
        return Schedule(halving[::-1])
    return Schedule(halving + halving[::-1])


def direct(collective: str, n: int) -> Schedule:
    """Everybody to everybody at once; twice for all_reduce."""
    return Schedule((Round(2 if collective == "all_reduce" else 1, 1 / n, Partner.ALL),))


def pairwise(_collective: str, n: int) -> Schedule:
    """all_to_all in n-1 rounds of one partner each."""
    return Schedule(tuple(Round(1, 1 / n, Partner.SHIFT, d) for d in range(1, n)))


def recursive_doubling(_collective: str, n: int) -> Schedule:
    """log2 n exchanges of the whole buffer."""
    return Schedule(tuple(Round(1, 1.0, Partner.EXCHANGE, 1 << i) for i in range(int(math.log2(n)))))


def double_tree(_collective: str, n: int) -> Schedule:
    """Two pipelined binary trees, each with half of the buffer: an inner member of one is a leaf of the other and sends
    1/2 up + 2 x 1/2 down + 1/2 up = 2 buffers."""
    return Schedule((Round(2 * int(math.log2(n)), 0.0, Partner.NEXT),), bulk=2.0)


def in_network(_collective: str, _n: int) -> Schedule:
    """The switch reduces and multicasts: every port sends the buffer once and receives it once."""
    return Schedule((Round(1, 1.0, Partner.SWITCH),))


def binomial(_collective: str, n: int) -> Schedule:
    """Broadcast in which the number of holders doubles each round."""
    return Schedule(tuple(Round(1, 1.0, Partner.ONWARD, 1 << i) for i in range(math.ceil(math.log2(n)))))


def chain(_collective: str, n: int, chunks: int = 1) -> Schedule:
    """Broadcast along a chain in ``chunks`` pieces: n - 2 + chunks steps."""
    return Schedule((Round(n - 2 + chunks, 1 / chunks, Partner.NEXT),))


def one_message(_collective: str, _n: int) -> Schedule:
    """One send."""
    return Schedule((Round(1, 1.0, Partner.NEXT),))


SCHEDULES: dict[str, Callable[[str, int], Schedule]] = {
    "ring": ring,
    "halving_doubling": halving_doubling,
    "direct": direct,
    "pairwise": pairwise,
    "recursive_doubling": recursive_doubling,
    "double_tree": double_tree,
    "in_network": in_network,
    "binomial": binomial,
    "one_message": one_message,
}
