"""Predict a collective on a compiled cluster: the nccl-tests table with bands, bottlenecks, alternatives and reasons.

predict(cluster, PredictRequest("all_reduce", (1 << 20, 1 << 30))).to_json()

``open_book`` and ``prepare`` split the work for callers that ask often: a book holds the flows of one cluster (loads
per link), ``prepare`` the candidates of one collective; any number of sizes is then a closed form.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.band import band_limits, coverage_of
from fabricwright.performance.calibration import Calibration, Profile, load_calibration, profile_calibration
from fabricwright.performance.choose import Candidate, Prepared, Times, evaluate, prepare_collective
from fabricwright.performance.collectives import busbw_factor, check_collective
from fabricwright.performance.explain import binding_of, explain, limit_rate
from fabricwright.performance.explain_network import collisions_of
from fabricwright.performance.heat import heat
from fabricwright.performance.layout import lay_out
from fabricwright.performance.plans import LABELS, PlanBook, check_algorithm
from fabricwright.performance.protocols import check_protocol
from fabricwright.performance.routing import Collisions
from fabricwright.topology.domains import joined
from fabricwright.topology.model import Cluster
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

F64 = NDArray[np.float64]
CURVE_SIZES: tuple[int, ...] = tuple(1 << e for e in range(3, 35))
LAUNCHES = ("unknown", "process-per-gpu", "single-process", "cuda-graph", "framework")
_KEPT_BOOKS = 4


@dataclass(frozen=True, slots=True)
class PredictRequest:
    """What to predict. ``network`` calibrated or ideal; sizes in bytes.

    ``launch`` one of ``LAUNCHES``; "" takes the design's setting ``job.launch``, else a process per GPU. Algorithm and
    protocol ``auto`` take the design's ``nccl.algo`` and ``nccl.proto`` where those can run, else NCCL's choice.
    ``profile`` a site's own constants instead of the shipped ones.
    """

    collective: str = "all_reduce"
    sizes: tuple[int, ...] = (1 << 30,)
    algorithm: str = "auto"
    protocol: str = "auto"
    network: str = "calibrated"
    launch: str = ""
    profile: Profile | None = None


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """What binds at one size. ``kind`` a ``Role`` word, ``protocol`` or ``latency``; ``utilisation`` part of the
    time it is busy.
    """

    address: str
    kind: str
    label: Message
    utilisation: float


@dataclass(frozen=True, slots=True)
class Row:
    """One size. Times in seconds, rates in bytes/s; ``limit_rate`` is the busbw that the binding resource allows
    at most.
    """

    n_bytes: int
    time_s: float
    low_s: float
    high_s: float
    algbw: float
    busbw: float
    algorithm: str
    protocol: str
    latency_s: float
    bandwidth_s: float
    bottleneck: Bottleneck
    alternatives: tuple[tuple[str, str, float], ...]
    limit_rate: float
    slowest_flow: Collisions | None = None

    def to_json(self) -> dict[str, object]:
        """As the ``predict`` command prints it."""
        return {
            "bytes": self.n_bytes,
            "time_us": self.time_s * 1e6,
            "time_us_low": self.low_s * 1e6,
            "time_us_high": self.high_s * 1e6,
            "algbw_gbs": self.algbw / 1e9,
            "busbw_gbs": self.busbw / 1e9,
            "algorithm": self.algorithm,
            "protocol": self.protocol,
            "latency_us": self.latency_s * 1e6,
            "bandwidth_us": self.bandwidth_s * 1e6,
            "bottleneck": {
                "address": self.bottleneck.address,
                "kind": self.bottleneck.kind,
                "label": self.bottleneck.label.english(),
                "utilisation": self.bottleneck.utilisation,
            },
            "alternatives": [{"algorithm": a, "protocol": p, "time_us": t * 1e6} for a, p, t in self.alternatives],
            "limit_gbs": self.limit_rate / 1e9,
            "slowest_flow": self.slowest_flow.to_json() if self.slowest_flow is not None else None,
        }


@dataclass(frozen=True, slots=True)
class Prediction:
    """The answer. ``curve`` parallel lists over ``CURVE_SIZES``; ``heat`` busy part of every link at the largest
    size asked for.
    """

    collective: str
    n_ranks: int
    settings: dict[str, object]
    rows: tuple[Row, ...]
    explanation: tuple[Message, ...]
    curve: dict[str, list[object]] = field(default_factory=dict)
    find_heat: Callable[[], dict[str, object]] = field(default=dict, compare=False, repr=False)

    @property
    def heat(self) -> dict[str, object]:
        """Busy part of every link at the largest size asked for (``heat.heat``), worked out when asked for."""
        return self.find_heat()

    def to_json(self) -> dict[str, object]:
        """The shape of ``predict --json``; texts in English."""
        return {
            "collective": self.collective,
            "ranks": self.n_ranks,
            "settings": self.settings,
            "rows": [row.to_json() for row in self.rows],
            "explanation": [message.english() for message in self.explanation],
        }

    def to_wire(self) -> dict[str, object]:
        """For the window: the same with translatable texts (``Message.to_json``), the curve, and no heat."""
        shape = self.to_json()
        rows = [dict(row.to_json()) for row in self.rows]
        for row, source in zip(rows, self.rows, strict=True):
            bottleneck = row["bottleneck"]
            assert isinstance(bottleneck, dict)
            row["bottleneck"] = {**bottleneck, "label": source.bottleneck.label.to_json()}
        return {**shape, "rows": rows, "explanation": [m.to_json() for m in self.explanation], "curve": self.curve}


_books: OrderedDict[int, tuple[Cluster, PlanBook]] = OrderedDict()


def open_book(cluster: Cluster) -> PlanBook:
    """The flows of a cluster, kept for the last few clusters (the same object gives the same book)."""
    kept = _books.get(id(cluster))
    if kept is not None and kept[0] is cluster:
        _books.move_to_end(id(cluster))
        return kept[1]
    book = PlanBook(lay_out(joined(cluster)))
    _books[id(cluster)] = (cluster, book)
    while len(_books) > _KEPT_BOOKS:
        _books.popitem(last=False)
    return book


def calibration_of(network: str, profile: Profile | None = None) -> Calibration:
    """``calibrated`` (by ``profile`` where there is one) or ``ideal``; ``UserError`` otherwise."""
    if network not in ("calibrated", "ideal"):
        raise UserError(msg("Network '{name}' is not known; expected calibrated or ideal.", name=network))
    shipped = load_calibration() if profile is None else profile_calibration(profile)
    return shipped if network == "calibrated" else Calibration("ideal", shipped.constants, ideal=True)


def prepare(cluster: Cluster | PlanBook, request: PredictRequest) -> Prepared:
    """Candidates of a request, sizes aside. ``UserError`` for unknown names or what cannot run on this cluster."""
    book = cluster if isinstance(cluster, PlanBook) else open_book(cluster)
    stated = settled(book.layout.cluster, request)
    if stated.launch not in LAUNCHES:
        raise UserError(
            msg(
                "Launch mode '{name}' is not known; expected one of {known}.",
                name=stated.launch,
                known=list(LAUNCHES),
            )
        )
    try:
        return _prepare(book, stated)
    except UserError:
        if (stated.algorithm, stated.protocol) == (request.algorithm, request.protocol):
            raise
    # what the design forces need not exist for every collective; NCCL then falls back to its own choice
    return _prepare(book, replace(stated, algorithm=request.algorithm, protocol=request.protocol))


def settled(cluster: Cluster, request: PredictRequest) -> PredictRequest:
    """The request with what it leaves open taken from the design's settings."""
    launch = request.launch or str(cluster.settings.get("job.launch") or "process-per-gpu")
    algorithm = _stated(cluster, "nccl.algo") if request.algorithm == "auto" else request.algorithm
    protocol = _stated(cluster, "nccl.proto") if request.protocol == "auto" else request.protocol
    return replace(request, launch=launch, algorithm=algorithm, protocol=protocol)


def _stated(cluster: Cluster, key: str) -> str:
    value = cluster.settings.get(key)
    return value.strip() if isinstance(value, str) and value.strip() else "auto"


def _prepare(book: PlanBook, request: PredictRequest) -> Prepared:
    return prepare_collective(
        book,
        check_collective(request.collective),
        check_algorithm(request.algorithm),
        check_protocol(request.protocol),
        request.launch,
        calibration_of(request.network, request.profile),
    )


def predict(cluster: Cluster | PlanBook, request: PredictRequest) -> Prediction:
    """Predict all sizes of a request on a compiled cluster. ``UserError`` as ``prepare``, and for sizes that are
    not positive.
    """
    if not request.sizes or min(request.sizes) <= 0:
        raise UserError(msg("Sizes must be positive numbers of bytes."))
    prepared = prepare(cluster, request)
    times = evaluate(prepared, np.array(request.sizes, dtype=np.float64))
    at = int(np.argmax(times.sizes))
    chosen = prepared.candidates[int(times.choice[at])]
    settings = dict(prepared.layout.cluster.settings)
    settings |= {
        "network": request.network,
        "algorithm": request.algorithm,
        "protocol": request.protocol,
        "launch": prepared.launch,
    }
    return Prediction(
        collective=request.collective,
        n_ranks=prepared.layout.n,
        settings=settings,
        rows=_rows(prepared, times, request.sizes),
        explanation=(*explain(prepared, times, at), *_profile_words(request)),
        curve=curve(prepared),
        find_heat=partial(heat, prepared.layout, chosen, float(times.sizes[at]), float(times.best_s[at])),
    )


def _profile_words(request: PredictRequest) -> tuple[Message, ...]:
    if request.profile is None or request.network != "calibrated":
        return ()
    name, values = request.profile
    return (msg("{n} constants come from the profile {name}, fitted on measurements.", n=len(values), name=name),)


def rows_of(cluster: Cluster | PlanBook, request: PredictRequest) -> tuple[Row, ...]:
    """The rows that ``predict`` gives, without explanation, curve and heat: what a sweep over many designs needs."""
    if not request.sizes or min(request.sizes) <= 0:
        raise UserError(msg("Sizes must be positive numbers of bytes."))
    prepared = prepare(cluster, request)
    return _rows(prepared, evaluate(prepared, np.array(request.sizes, dtype=np.float64)), request.sizes)


def times_of(cluster: Cluster | PlanBook, request: PredictRequest) -> tuple[F64, F64, F64]:
    """(time, low, high) in seconds at the sizes of a request, nothing else: what scoring many requests needs."""
    prepared = prepare(cluster, request)
    times = evaluate(prepared, np.array(request.sizes, dtype=np.float64))
    low, high = _band(prepared, times)
    return times.best_s, times.best_s * low, times.best_s * high


def _band(prepared: Prepared, times: Times) -> tuple[F64, F64]:
    """Limits of the band as factors on the time, each size by what is taken there."""
    taken = [prepared.candidates[int(c)].costed.plan.algorithm for c in times.choice]
    low, high = np.ones(len(taken)), np.ones(len(taken))
    for algorithm in set(taken):
        here = np.array([name == algorithm for name in taken])
        coverage = coverage_of(prepared.layout, prepared.collective, algorithm)
        low[here], high[here] = band_limits(times.sizes[here], coverage, prepared.calibration)
    return low, high


def _rows(prepared: Prepared, times: Times, sizes: Sequence[int]) -> tuple[Row, ...]:
    low, high = _band(prepared, times)
    factor = busbw_factor(prepared.collective, prepared.layout.n)
    named: dict[int, Bottleneck] = {}
    rows = []
    for i, size in enumerate(sizes):
        choice = int(times.choice[i])
        candidate = prepared.candidates[choice]
        seconds, start = float(times.all_s[choice, i]), float(times.start_s[choice])
        rate = size / seconds if seconds > 0 else 0.0
        others = sorted((float(times.all_s[c, i]), c) for c in range(len(prepared.candidates)) if c != choice)
        rows.append(
            Row(
                n_bytes=int(size),
                time_s=seconds,
                low_s=seconds * float(low[i]),
                high_s=seconds * float(high[i]),
                algbw=rate,
                busbw=rate * factor,
                algorithm=LABELS[candidate.costed.plan.algorithm],
                protocol=candidate.protocol,
                latency_s=start,
                bandwidth_s=seconds - start,
                bottleneck=_bottleneck(prepared, candidate, choice, float(size), seconds, start, named),
                alternatives=tuple(_label(prepared.candidates[c], t) for t, c in others),
                limit_rate=limit_rate(prepared, candidate),
                slowest_flow=collisions_of(candidate),
            )
        )
    return tuple(rows)


def _label(candidate: Candidate, seconds: float) -> tuple[str, str, float]:
    return LABELS[candidate.costed.plan.algorithm], candidate.protocol, seconds


def _bottleneck(
    prepared: Prepared,
    candidate: Candidate,
    choice: int,
    size: float,
    seconds: float,
    start: float,
    named: dict[int, Bottleneck],
) -> Bottleneck:
    """Latency when it is more than half of the time, else the protocol's ceiling, else the busiest link."""
    if seconds <= 0 or start > 0.5 * seconds:
        steps = candidate.costed.plan.steps
        count = round(steps.local + steps.network)
        return Bottleneck(
            "",
            "latency",
            msg("latency of {n} dependent steps", n=max(count, 1)),
            start / seconds if seconds > 0 else 1.0,
        )
    if candidate.ceiling:
        busy = size * candidate.seconds_per_byte / seconds
        return Bottleneck("", "protocol", msg("{protocol} protocol", protocol=candidate.protocol), busy)
    if choice not in named:
        bound = binding_of(prepared, candidate)
        if bound is None:
            return Bottleneck("", "latency", msg("latency"), 1.0)
        peak, name = bound
        named[choice] = Bottleneck(name.address, name.kind, name.label, peak.seconds_per_byte)
    known = named[choice]
    return Bottleneck(known.address, known.kind, known.label, size * known.utilisation / seconds)


def curve(prepared: Prepared, sizes: Sequence[int] = CURVE_SIZES) -> dict[str, list[object]]:
    """Parallel lists for the chart: bytes, time_us, low_us, high_us, algbw_gbs, busbw_gbs, algorithm, protocol,
    limit_gbs.
    """
    times = evaluate(prepared, np.array(sizes, dtype=np.float64))
    low, high = _band(prepared, times)
    best = times.best_s
    rate = np.divide(times.sizes, best, out=np.zeros_like(best), where=best > 0)
    factor = busbw_factor(prepared.collective, prepared.layout.n)
    chosen = [prepared.candidates[int(c)] for c in times.choice]
    return {
        "bytes": list(sizes),
        "time_us": (best * 1e6).tolist(),
        "low_us": (best * low * 1e6).tolist(),
        "high_us": (best * high * 1e6).tolist(),
        "algbw_gbs": (rate / 1e9).tolist(),
        "busbw_gbs": (rate * factor / 1e9).tolist(),
        "algorithm": [LABELS[c.costed.plan.algorithm] for c in chosen],
        "protocol": [c.protocol for c in chosen],
        "limit_gbs": [limit_rate(prepared, c) / 1e9 for c in chosen],
    }
