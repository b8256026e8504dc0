"""From plans to times: every (algorithm, protocol) at every size, and the cheapest.

T = (F^q + D^q)^(1/q)        D = L + X + 2 rho sqrt(L X)        X = size x seconds per byte

F host launch, partly hidden behind the device (q); L dependent steps and set-up; X the busiest link; the square root
is what a pipeline of depth L loses with finite chunks (rho = 1 would be the textbook optimum-chunk pipeline). In
ideal semantics D = L + X = T. The form and its two constants are fitted on measured collectives
(resources/calibration/nccl.toml).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.binding import Peak, name_peak, peaks
from fabricwright.performance.calibration import Calibration
from fabricwright.performance.capacity import capacities
from fabricwright.performance.collectives import busbw_factor
from fabricwright.performance.flows import Capacity
from fabricwright.performance.latency import latency_s, launch_s
from fabricwright.performance.layout import Layout
from fabricwright.performance.plans import Plan, PlanBook
from fabricwright.performance.protocols import SIMPLE, seconds_per_byte
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Costed:
    """A plan with the capacity it sees. ``phase_peaks`` per phase, busiest role first; ``heaviest`` the phase that
    takes longest.
    """

    plan: Plan
    capacity: Capacity
    phase_peaks: tuple[tuple[Peak, ...], ...]
    heaviest: int
    simple_s: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """One (algorithm, protocol): what is needed to time any size. ``ceiling``: the protocol's own limit binds, not a
    link.

    ``believed`` seconds per byte by which NCCL decides (never below the real ones).
    """

    costed: Costed
    protocol: str
    latency_s: float
    seconds_per_byte: float
    ceiling: bool
    believed: float


@dataclass(frozen=True, slots=True)
class Prepared:
    """A collective on a layout, ready for any size."""

    layout: Layout
    book: PlanBook
    collective: str
    calibration: Calibration
    launch_s: float
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """``all_s`` (candidates, sizes), ``choice`` (sizes,) index of the one NCCL takes for the cheapest, ``start_s``
    (candidates,) time of an empty message."""

    sizes: F64
    all_s: F64
    choice: I64
    start_s: F64

    @property
    def best_s(self) -> F64:
        """Time of the chosen candidate at each size."""
        chosen: F64 = self.all_s[self.choice, np.arange(len(self.sizes))]
        return chosen


def prepare_collective(
    book: PlanBook, collective: str, algorithm: str, protocol: str, launch: str, calibration: Calibration
) -> Prepared:
    """Work out every candidate. ``UserError`` when the algorithm or protocol asked for cannot run."""
    layout = book.layout
    candidates: list[Candidate] = []
    for plan in book.plans(collective, algorithm, calibration):
        costed = _cost(book, plan, calibration)
        candidates += _with_protocols(book, costed, collective, protocol, calibration)
    if not candidates:
        raise UserError(
            msg("Protocol {protocol} is not available for {collective} here.", protocol=protocol, collective=collective)
        )
    return Prepared(layout, book, collective, calibration, launch_s(layout, launch, calibration), tuple(candidates))


def _cost(book: PlanBook, plan: Plan, calibration: Calibration) -> Costed:
    layout = book.layout
    capacity = capacities(layout, plan.mode, calibration)
    seen: dict[int, tuple[Peak, ...]] = {}
    for phase in plan.phases:
        if id(phase) not in seen:
            seen[id(phase)] = peaks(layout, phase, capacity)
    phase_peaks = tuple(seen[id(phase)] for phase in plan.phases)
    busiest = [max((p.seconds_per_byte for p in found), default=0.0) for found in phase_peaks]
    heaviest = int(np.argmax(busiest))
    if not np.isfinite(busiest[heaviest]):
        named = name_peak(layout, plan.phases[heaviest], phase_peaks[heaviest][0])
        raise UserError(
            msg("{label} ({address}) has to carry data but has no bandwidth.", label=named.label, address=named.address)
        )
    return Costed(plan, capacity, phase_peaks, heaviest, sum(busiest) / plan.efficiency)


def _with_protocols(
    book: PlanBook, costed: Costed, collective: str, protocol: str, calibration: Calibration
) -> list[Candidate]:
    layout, plan = book.layout, costed.plan
    offered = (SIMPLE,) if calibration.ideal else plan.protocols
    factor = busbw_factor(collective, layout.n)
    generation = min(c.interior.nvlink_gen for c in layout.classes)
    slower = _belief(book, costed, calibration)
    found = []
    for name in offered:
        if protocol not in ("auto", name):
            continue
        per_byte, ceiling = seconds_per_byte(name, costed.simple_s, factor, generation, calibration)
        seconds = latency_s(plan.steps, name, layout, book.paths, calibration)
        found.append(Candidate(costed, name, seconds, per_byte, ceiling, per_byte * slower))
    return found


def _belief(book: PlanBook, costed: Costed, calibration: Calibration) -> float:
    """How many times slower than it is NCCL takes an algorithm to be.

    Its tuner counts a plain tree between servers as half of the ring's bus bandwidth (src/graph/tuning.cc). With two
    servers the trees load a NIC by 1 buffer and with three by 1.5 where the ring loads it by almost 2, but NCCL does
    not see that and stays with the ring: A100 pairs with default settings measure 0.86-0.96 of their NICs. (NVLSTree
    is counted by its own rates. The tuner's further factor 0.92 is left out: it would decide ties by less than what
    the latencies are known to.)
    """
    layout = book.layout
    if calibration.ideal or costed.plan.algorithm != "tree" or layout.k < 2 or costed.simple_s <= 0:
        return 1.0
    capacity = capacities(layout, "ring", calibration)
    edge_s = max((p.seconds_per_byte for p in peaks(layout, book.ring_unit(), capacity)), default=0.0)
    return max(1.0, 2.0 * edge_s / costed.simple_s)


def evaluate(prepared: Prepared, sizes: F64) -> Times:
    """Times of all candidates at ``sizes`` (bytes)."""
    latency = np.array([c.latency_s for c in prepared.candidates])[:, None]
    real = np.array([c.seconds_per_byte for c in prepared.candidates])[:, None] * sizes[None, :]
    believed = np.array([c.believed for c in prepared.candidates])[:, None] * sizes[None, :]
    seconds = _operation_s(prepared, latency, real)
    choice = np.argmin(_operation_s(prepared, latency, believed), axis=0).astype(np.int64)
    return Times(sizes, seconds, choice, _operation_s(prepared, latency, np.zeros_like(latency))[:, 0])


def _operation_s(prepared: Prepared, latency: F64, transfer: F64) -> F64:
    if prepared.calibration.ideal:
        return latency + transfer
    rho = prepared.calibration.value("pipeline.rho")
    q = prepared.calibration.value("pipeline.launch_overlap")
    device = latency + transfer + 2 * rho * np.sqrt(latency * transfer)
    total: F64 = (prepared.launch_s**q + device**q) ** (1 / q)
    return total
