"""From plans to times: every (algorithm, protocol) at every size, and the one that NCCL takes.

NCCL takes what its own tuner believes to be cheapest (``belief``); how long that then takes is calibrated (``cost``).
The two differ: a tuner that does not know what a two-server tree saves leaves it unused. In ideal semantics the
cheapest is taken and T = L + X.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.belief import Belief, Tuner
from fabricwright.performance.binding import Peak, name_peak, peaks
from fabricwright.performance.calibration import Calibration
from fabricwright.performance.capacity import Efficiencies, efficiencies, line_rates
from fabricwright.performance.collectives import busbw_factor
from fabricwright.performance.cost import Term, Terms, operation_s
from fabricwright.performance.flows import Capacity, Loads, usage
from fabricwright.performance.latency import ideal_latency_s, latency_terms, launch_terms
from fabricwright.performance.layout import Layout
from fabricwright.performance.plans import Plan, PlanBook
from fabricwright.performance.protocols import LL, SIMPLE, ceiling, payload_share
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
NEAR = 1.10
"""Believed times that count as equal. Neutral in the left-out check between 1.03 and 1.10."""


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
    link. ``terms`` before calibration (None in ideal semantics); ``belief`` NCCL's, None where it has none.
    """

    costed: Costed
    protocol: str
    launch_s: float
    latency_s: float
    seconds_per_byte: float
    ceiling: bool
    terms: Terms | None = None
    belief: Belief | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A collective on a layout, ready for any size."""

    layout: Layout
    book: PlanBook
    collective: str
    calibration: Calibration
    launch: str
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
    tuner = None if calibration.ideal or layout.n < 2 else _tuner(book)
    for drawn in book.plans(collective, algorithm):
        plan = drawn if calibration.ideal else book.routed(drawn)
        costed, demands = _cost(book, plan, calibration)
        for name in (SIMPLE,) if calibration.ideal else plan.protocols:
            if protocol in ("auto", name):
                candidates.append(_candidate(book, costed, demands, collective, name, launch, calibration, tuner))
    if not candidates:
        raise UserError(
            msg("Protocol {protocol} is not available for {collective} here.", protocol=protocol, collective=collective)
        )
    return Prepared(layout, book, collective, calibration, launch, tuple(candidates))


def _cost(book: PlanBook, plan: Plan, calibration: Calibration) -> tuple[Costed, tuple[tuple[Term, ...], ...]]:
    layout = book.layout
    kinds = None if calibration.ideal else _kinds(book, plan.mode)
    capacity = line_rates(layout) if kinds is None else kinds.capacity(calibration)
    seen: dict[int, tuple[tuple[Peak, ...], tuple[Term, ...]]] = {}
    for phase in plan.phases:
        if id(phase) not in seen:
            demand = () if kinds is None else demand_of(layout, phase, kinds, plan.efficiency)
            seen[id(phase)] = peaks(layout, phase, capacity), demand
    phase_peaks = tuple(seen[id(phase)][0] for phase in plan.phases)
    busiest = [max((p.seconds_per_byte for p in found), default=0.0) for found in phase_peaks]
    heaviest = int(np.argmax(busiest))
    if not np.isfinite(busiest[heaviest]):
        named = name_peak(layout, plan.phases[heaviest], phase_peaks[heaviest][0])
        raise UserError(
            msg("{label} ({address}) has to carry data but has no bandwidth.", label=named.label, address=named.address)
        )
    whole = 1.0 if calibration.ideal else math.prod(calibration.value(n) for n in plan.efficiency)
    costed = Costed(plan, capacity, phase_peaks, heaviest, sum(busiest) / whole)
    return costed, tuple(seen[id(phase)][1] for phase in plan.phases)


def _kinds(book: PlanBook, mode: str) -> Efficiencies:
    found = book.memo.get(f"efficiencies:{mode}")
    if not isinstance(found, Efficiencies):
        found = book.memo[f"efficiencies:{mode}"] = efficiencies(book.layout, mode)
    return found


def _tuner(book: PlanBook) -> Tuner:
    found = book.memo.get("tuner")
    if not isinstance(found, Tuner):
        found = book.memo["tuner"] = Tuner(book)
    return found


def demand_of(layout: Layout, phase: Loads, kinds: Efficiencies, names: Sequence[str]) -> tuple[Term, ...]:
    """Seconds per byte at the rates before calibration, for the busiest link of every kind."""
    variant = layout.variant_of[phase.first_of_row()]
    inside, wire = usage(phase, Capacity(kinds.inside, kinds.wire), variant)
    out = []
    for number, kind in enumerate(kinds.names):
        here = float(np.max(inside, where=kinds.inside_names[variant] == number, initial=0.0))
        there = float(np.max(wire, where=kinds.wire_names == number, initial=0.0))
        if max(here, there) > 0:
            out.append(Term(max(here, there), (*kind, *names)))
    return tuple(out)


def _candidate(
    book: PlanBook,
    costed: Costed,
    demands: tuple[tuple[Term, ...], ...],
    collective: str,
    protocol: str,
    launch: str,
    calibration: Calibration,
    tuner: Tuner | None,
) -> Candidate:
    layout, plan = book.layout, costed.plan
    if calibration.ideal:
        seconds = ideal_latency_s(plan.steps, book.paths)
        return Candidate(costed, protocol, 0.0, seconds, costed.simple_s, False)
    share = payload_share(protocol)
    offered = tuple(tuple(Term(t.amount / share, t.names) for t in phase) for phase in demands)
    limit: tuple[Term, ...] = ()
    if protocol == LL:
        generation = min(c.interior.nvlink_gen for c in layout.classes)
        limit = (ceiling(busbw_factor(collective, layout.n), generation),)
    latency, fixed_s = latency_terms(plan.steps, protocol, layout, book.paths, launch)
    if len(offered) == 1:
        offered = ((*offered[0], *limit),)
    terms = Terms(launch_terms(layout, launch, plan.steps.peers), latency, fixed_s, offered)
    per_byte = terms.seconds_per_byte(calibration)
    return Candidate(
        costed,
        protocol,
        terms.launch_s(calibration),
        terms.latency_s(calibration),
        per_byte,
        bool(limit) and per_byte > costed.simple_s / share * (1 + 1e-9),
        terms,
        tuner.believe(plan, collective, protocol) if tuner is not None else None,
    )


def evaluate(prepared: Prepared, sizes: F64) -> Times:
    """Times of all candidates at ``sizes`` (bytes)."""
    launch, latency, per_byte = (
        np.array([getattr(c, name) for c in prepared.candidates])[:, None]
        for name in ("launch_s", "latency_s", "seconds_per_byte")
    )
    seconds = _operation_s(prepared, launch, latency, per_byte * sizes[None, :])
    start = _operation_s(prepared, launch, latency, np.zeros_like(latency))[:, 0]
    return Times(sizes, seconds, choice_of(prepared, sizes, seconds), start)


def choice_of(prepared: Prepared, sizes: F64, seconds: F64) -> I64:
    """Index of the candidate that is taken at each size: the one that NCCL believes to be cheapest. Where it has no
    belief about one of them, the one that is.

    Versions of the tuner differ by more than ``NEAR``; of algorithms that close to the best belief with the same
    protocol, the one with the least believed latency is taken.
    """
    beliefs = [c.belief for c in prepared.candidates if c.belief is not None]
    if len(beliefs) < len(prepared.candidates):
        return np.asarray(np.argmin(seconds, axis=0), dtype=np.int64)
    believed = np.stack([b.seconds(sizes) for b in beliefs])
    protocol = np.array([c.protocol for c in prepared.candidates])
    same = protocol[:, None] == protocol[believed.argmin(axis=0)][None, :]
    near = same & (believed <= believed.min(axis=0) * NEAR)
    latency = np.array([b.latency_s for b in beliefs])[:, None]
    return np.asarray(np.argmin(np.where(near, latency, np.inf), axis=0), dtype=np.int64)


def _operation_s(prepared: Prepared, launch: F64, latency: F64, transfer: F64) -> F64:
    if prepared.calibration.ideal:
        return latency + transfer
    return operation_s(launch, latency, transfer, prepared.calibration.value("pipeline.rho"))
