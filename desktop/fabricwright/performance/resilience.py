"""What every single failure costs: one prediction for each kind of thing that can fail, alike things together.

A failure that leaves surviving ranks without a way to the others stops the job: it is a single point of failure and its
ratio is 0. What the largest part that still holds together would reach is told beside it. A failed server or GPU leaves
the job with the ranks that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.indexset import IndexSet
from fabricwright.performance.collectives import busbw_factor
from fabricwright.performance.layout import compute_network, lay_out
from fabricwright.performance.plans import PlanBook
from fabricwright.performance.predict import PredictRequest, times_of
from fabricwright.performance.tree import double_tree
from fabricwright.topology.alike import Alike, single_failures
from fabricwright.topology.domains import joined
from fabricwright.topology.model import Cluster
from fabricwright.topology.outage import links_down, only, ranks_down, without
from fabricwright.topology.reach import rank_parts
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

MOST_GROUPS = 2_000
KEPT_GROUPS = 64
"""Kinds of failures up to which the damaged clusters are kept between two looks at them."""


@dataclass(frozen=True, slots=True)
class Failure:
    """``count`` things of ``kind`` that are alike; ``address`` of the one that was looked at. ``lost`` ranks go down
    with it, ``cut_off`` are up but cannot reach the rest. ``time_s``/``busbw`` (bytes/s) of those that still reach each
    other (None when fewer than two are left), ``ratio`` of busbw to the undamaged one, 0 when ranks are cut off.
    """

    kind: str
    address: str
    count: int
    lost: int
    cut_off: int
    cut_ranks: str
    time_s: float | None
    busbw: float | None
    ratio: float
    problem: Message | None = None

    @property
    def single_point(self) -> bool:
        """Whether one of these alone stops ranks that are not part of it."""
        return self.cut_off > 0

    def to_json(self) -> dict[str, object]:
        """As ``resilience --json`` prints it."""
        return {
            "kind": self.kind,
            "address": self.address,
            "count": self.count,
            "ranks_lost": self.lost,
            "ranks_cut_off": self.cut_off,
            "cut_off": self.cut_ranks,
            "time_us": None if self.time_s is None else self.time_s * 1e6,
            "busbw_gbs": None if self.busbw is None else self.busbw / 1e9,
            "ratio": self.ratio,
            "single_point_of_failure": self.single_point,
            "problem": None if self.problem is None else self.problem.english(),
        }


@dataclass(frozen=True, slots=True)
class Resilience:
    """The sweep: ``failures`` in the order of kinds, ``whole`` the undamaged time (s) and busbw (bytes/s)."""

    collective: str
    n_bytes: int
    ranks: int
    time_s: float
    busbw: float
    failures: tuple[Failure, ...]

    @property
    def count(self) -> int:
        """Single failures that the groups stand for."""
        return sum(f.count for f in self.failures)

    @property
    def worst(self) -> Failure | None:
        """The one that cuts most ranks off, else the one that leaves the least bandwidth."""
        return min(self.failures, key=lambda f: (-f.cut_off, f.ratio), default=None)

    @property
    def median_ratio(self) -> float:
        """Median of ``ratio`` over all single failures."""
        if not self.failures:
            return 1.0
        order = sorted(self.failures, key=lambda f: f.ratio)
        at = np.cumsum([f.count for f in order])
        return order[int(np.searchsorted(at, (self.count + 1) / 2))].ratio

    @property
    def single_points(self) -> tuple[Failure, ...]:
        """Single points of failure, those that cut most ranks off first."""
        return tuple(sorted((f for f in self.failures if f.single_point), key=lambda f: -f.cut_off))

    def to_json(self) -> dict[str, object]:
        """The document of ``resilience --json``."""
        worst = self.worst
        return {
            "collective": self.collective,
            "bytes": self.n_bytes,
            "ranks": self.ranks,
            "time_us": self.time_s * 1e6,
            "busbw_gbs": self.busbw / 1e9,
            "single_failures": self.count,
            "groups": len(self.failures),
            "failures": [f.to_json() for f in self.failures],
            "worst": None if worst is None else worst.to_json(),
            "median_ratio": self.median_ratio,
            "single_points_of_failure": [f.to_json() for f in self.single_points],
        }


def sweep(cluster: Cluster, request: PredictRequest, checkpoint: Callable[[], None] = lambda: None) -> Resilience:
    """All single failures of a cluster under a request of one size. ``UserError`` where the undamaged cluster cannot
    run it, or its failures are of more than ``MOST_GROUPS`` kinds.
    """
    request = replace(request, sizes=request.sizes[-1:])
    time_s, busbw = _run(cluster, request)
    network = compute_network(cluster)
    known: dict[object, Failure] = {}
    failures = []
    for group in _groups(cluster, network):
        checkpoint()
        failures.append(_failure(cluster, group, request, network, busbw, known))
    return Resilience(request.collective, request.sizes[0], cluster.n_ranks, time_s, busbw, tuple(failures))


def worst_failure(
    cluster: Cluster, request: PredictRequest, checkpoint: Callable[[], None] = lambda: None
) -> Failure | None:
    """``sweep(...).worst`` but for the time of what is left, which is not worked out where ranks are cut off: then
    nothing else can be worse, and no prediction is needed. ``UserError`` as ``sweep``.
    """
    request = replace(request, sizes=request.sizes[-1:])
    _time_s, busbw = _run(cluster, request)
    network = compute_network(cluster)
    groups = _groups(cluster, network)
    worst: Failure | None = None
    looked: list[tuple[Failure, Cluster] | None] = []
    for group in groups:
        checkpoint()
        found = _looked_at(cluster, group, network)
        looked.append(found if len(groups) <= KEPT_GROUPS else None)
        if found[0].cut_off > (worst.cut_off if worst is not None else 0):
            worst = found[0]
    if worst is not None:
        return worst
    known: dict[object, Failure] = {}
    failures = []
    for group, before in zip(groups, looked, strict=True):
        checkpoint()
        failures.append(_failure(cluster, group, request, network, busbw, known, before))
    return min(failures, key=lambda f: f.ratio, default=None)


def _groups(cluster: Cluster, network: str) -> Sequence[Alike]:
    """Single failures, alike ones together."""
    groups = single_failures(cluster, network, _tree_degree(cluster))
    if len(groups) > MOST_GROUPS:
        raise UserError(
            msg(
                "The drawing is so irregular that its single failures are of {count} kinds; a sweep looks at {most} at "
                "most. Fail single things with predict --fail.",
                count=len(groups),
                most=MOST_GROUPS,
            )
        )
    return groups


def _tree_degree(cluster: Cluster) -> NDArray[np.int64]:
    """(S,) parents and children of every server in the two trees of its domain; what a tree loads its NICs with."""
    whole = joined(cluster)
    _, first = np.unique(whole.rank_server, return_index=True)
    order = whole.rank_server[np.sort(first)].astype(np.int64)
    degree = np.zeros(len(whole.server_dev), dtype=np.int64)
    if len(order) > 1:
        degree[order] = sum(tree.children + (tree.parent >= 0) for tree in double_tree(len(order)))
    if whole is cluster:
        return degree
    out = np.zeros(len(cluster.server_dev), dtype=np.int64)
    out[cluster.rank_server] = degree[whole.rank_server]
    return out


def _run(cluster: Cluster, request: PredictRequest) -> tuple[float, float]:
    """(time, busbw) of the only size."""
    book = PlanBook(lay_out(joined(cluster)))
    seconds = float(times_of(book, request)[0][0])
    rate = request.sizes[0] / seconds if seconds > 0 else 0.0
    return seconds, rate * busbw_factor(request.collective, cluster.n_ranks)


def _failure(
    cluster: Cluster,
    group: Alike,
    request: PredictRequest,
    network: str,
    whole: float,
    known: dict[object, Failure],
    looked: tuple[Failure, Cluster] | None = None,
) -> Failure:
    address = group.example.address(cluster)
    effect = (links_down(cluster, group.example).tobytes(), ranks_down(cluster, group.example).tobytes())
    if effect in known and group.kind not in ("server", "gpu"):
        return replace(known[effect], kind=group.kind, address=address, count=group.count)
    found, rest = looked or _looked_at(cluster, group, network)
    if rest.n_ranks > 1:
        try:
            seconds, busbw = _run(rest, request)
        except UserError as error:
            found = replace(found, problem=error.message)
        else:
            ratio = 0.0 if found.cut_off or whole <= 0 else busbw / whole
            found = replace(found, time_s=seconds, busbw=busbw, ratio=ratio)
    known[effect] = found
    return found


def _looked_at(cluster: Cluster, group: Alike, network: str) -> tuple[Failure, Cluster]:
    """A failure without its time, and the largest part of the cluster that still holds together."""
    address = group.example.address(cluster)
    damaged = without(cluster, group.example)
    lost = cluster.n_ranks - damaged.n_ranks
    part = rank_parts(damaged, network) if damaged.n_ranks else np.zeros(0, dtype=np.int64)
    off = int(np.count_nonzero(part))
    numbers = np.flatnonzero(~ranks_down(cluster, group.example))[part > 0]
    found = Failure(
        group.kind, address, group.count, lost, off, str(IndexSet.of_array(numbers)) if off else "", None, None, 0.0
    )
    return found, only(damaged, part == 0) if off else damaged
