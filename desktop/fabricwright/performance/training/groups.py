"""Collectives of a training step on the ranks that really take part.

A parallel group is a set of ranks of the compiled cluster, in Megatron's order. Its collective is predicted by the same
engine as any other, on the cluster narrowed to those ranks and to the NIC ports nearest to their GPUs. Groups that run
at the same time share ports (each then gets its part of them) and the links between switches (all of them together are
laid out as one ring over the block of servers they fill, which no group can beat); inside a server they share its PCIe
links and the link between its processors (``beside``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.band import band_limits, coverage_of
from fabricwright.performance.binding import Named, Role
from fabricwright.performance.calibration import Profile
from fabricwright.performance.choose import Prepared, evaluate
from fabricwright.performance.explain import binding_of
from fabricwright.performance.layout import lay_out
from fabricwright.performance.plans import PlanBook
from fabricwright.performance.predict import PredictRequest, prepare
from fabricwright.performance.training.beside import groups_beside, together_inside
from fabricwright.topology.domains import joined
from fabricwright.topology.model import Cluster
from fabricwright.units.text import Message, msg

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
LAUNCH = "cuda-graph"
"""Inside a step collectives are enqueued ahead; what the host needs for that is hidden, as in a replayed graph."""
SIZES: F64 = np.exp2(np.arange(10.0, 40.0, 0.5))
_LOG = np.log(SIZES)
FABRIC_ROLES = (Role.FABRIC_LINK.word, Role.NIC_PORT.word)
MOST_PATTERNS = 3
SAMPLED = 96
UNLIKE_LIMIT = 4096
KEPT_BOOKS = 12


@dataclass(frozen=True, slots=True)
class Exchange:
    """One collective of one group. ``low_s``/``high_s`` the engine's band; ``label`` what binds, ``at`` its address."""

    time_s: float = 0.0
    low_s: float = 0.0
    high_s: float = 0.0
    label: Message | None = None
    at: str = ""

    def times(self, count: float) -> Exchange:
        """So many of them one after another."""
        return replace(self, time_s=self.time_s * count, low_s=self.low_s * count, high_s=self.high_s * count)


NOTHING = Exchange()


@dataclass(slots=True)
class _Curve:
    """Times of one pattern of a group on ``SIZES``; ``share`` groups that share its ports, ``together_s_per_byte`` what
    all groups at once need on the links between switches, or inside a server, per byte of one group's buffer."""

    log_s: F64
    log_low: F64
    log_high: F64
    share: float
    together_s_per_byte: float
    prepared: Prepared
    crosses: bool
    named: tuple[Message, str] | None = None

    def label(self) -> tuple[Message, str]:
        """The link that binds large messages, and its address ("" where only latency does)."""
        if self.named is None:
            best = min(self.prepared.candidates, key=lambda c: c.seconds_per_byte)
            bound = binding_of(self.prepared, best)
            self.named = (bound[1].label, bound[1].address) if bound is not None else (msg("latency"), "")
        return self.named

    def at(self, n_bytes: float) -> tuple[float, float, float]:
        where = math.log(max(n_bytes * self.share, SIZES[0]))
        step = (where - _LOG[0]) / (_LOG[1] - _LOG[0])
        k = min(int(step), len(_LOG) - 2)
        part = step - k
        out = []
        for table in (self.log_s, self.log_low, self.log_high):
            out.append(math.exp(float(table[k]) * (1 - part) + float(table[k + 1]) * part))
        floor = self.together_s_per_byte * n_bytes
        if floor > out[0]:
            grow = floor / out[0]
            out = [t * grow for t in out]
        return out[0], out[1], out[2]


@dataclass(slots=True)
class Groups:
    """Groups of one compiled cluster; curves are kept, so that asking again costs microseconds."""

    cluster: Cluster
    profile: Profile | None = None
    _curves: dict[tuple[object, ...], list[_Curve]] = field(default_factory=dict)
    _books: dict[tuple[int, int, int, int], tuple[PlanBook, float]] = field(default_factory=dict)
    _near: dict[tuple[int, tuple[int, ...], bytes], I64] = field(default_factory=dict)
    variants: dict[str, Groups | None] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Ranks."""
        return self.cluster.n_ranks

    def exchange(self, collective: str, stride: int, size: int, n_bytes: float, block: int = 0) -> Exchange:
        """Slowest time of ``collective`` in groups of ``size`` ranks, ``stride`` apart. ``n_bytes`` as nccl-tests
        counts them. ``block`` ranks that one run of groups fills (default stride x size).
        """
        if size < 2 or n_bytes <= 0 or stride * size > self.n:
            return NOTHING
        found = self._found(collective, stride, size, block or stride * size)
        best = max(((curve.at(n_bytes), curve) for curve in found), key=lambda row: row[0][0])
        (time_s, low, high), curve = best
        return Exchange(time_s, low, high, *curve.label())

    def crosses(self, stride: int, size: int) -> bool:
        """Whether a group reaches over more than one server (or NVLink domain)."""
        found = self._found("all_reduce", stride, size, stride * size) if size > 1 else []
        return any(curve.crosses for curve in found)

    def servers(self, stride: int, size: int) -> int:
        """Servers (or NVLink domains) that the widest group of this kind reaches over."""
        found = self._found("all_to_all", stride, size, stride * size) if size > 1 else []
        return max((curve.prepared.layout.k for curve in found), default=1)

    def _found(self, collective: str, stride: int, size: int, block: int) -> list[_Curve]:
        key = (collective, stride, size, block)
        known = self._curves.get(key)
        if known is None:
            known = self._curves[key] = [
                self._curve(collective, group, stride, block) for group in self._patterns(stride, size)
            ]
        return known

    def _patterns(self, stride: int, size: int) -> Iterator[I64]:
        """Groups that lie differently on the servers, a few of them; the first always."""
        server = np.asarray(self.cluster.rank_server, dtype=np.int64)
        gpu = np.asarray(self.cluster.rank_gpu, dtype=np.int64)
        variant = np.asarray(self.cluster.variant, dtype=np.int64)
        blocks = self.n // (stride * size)
        starts = (np.arange(blocks)[:, None] * stride * size + np.arange(stride)[None, :]).ravel()
        if len(starts) > SAMPLED:
            starts = starts[np.linspace(0, len(starts) - 1, SAMPLED).astype(np.int64)]
        seen: set[bytes] = set()
        for start in starts:
            group = start + stride * np.arange(size)
            at = server[group]
            here = np.unique(at, return_counts=True)[1]
            mark = np.concatenate(
                (np.sort(here), np.unique(gpu[group]) if len(here) > 1 else [0], np.unique(variant[at]))
            )
            if size > UNLIKE_LIMIT or mark.tobytes() not in seen:
                seen.add(mark.tobytes())
                yield group
                if len(seen) >= MOST_PATTERNS or size > UNLIKE_LIMIT:
                    return

    def _curve(self, collective: str, group: I64, stride: int, block: int) -> _Curve:
        book, share = self._book(group, stride, block)
        prepared = prepare(book, PredictRequest(collective, (1,), launch=LAUNCH, profile=self.profile))
        times = evaluate(prepared, SIZES)
        best = times.best_s
        taken = [prepared.candidates[int(c)].costed.plan.algorithm for c in times.choice]
        low, high = np.ones(len(SIZES)), np.ones(len(SIZES))
        for algorithm in set(taken):
            here = np.array([name == algorithm for name in taken])
            coverage = coverage_of(prepared.layout, prepared.collective, algorithm)
            low[here], high[here] = band_limits(SIZES[here], coverage, prepared.calibration)
        crosses = prepared.layout.k > 1
        named: Named | None = None
        if crosses:
            together = self._together(collective, len(group), group, stride, block)
        else:
            together, named = self._inside(collective, prepared, group, stride)
        log = np.log(best)
        curve = _Curve(log, log + np.log(low), log + np.log(high), share, together, prepared, crosses)
        if named is not None:
            curve.named = (named.label, named.address)
        return curve

    def _inside(self, collective: str, prepared: Prepared, group: I64, stride: int) -> tuple[float, Named | None]:
        """Seconds per byte that the links of a server need for all of its groups of this kind at once, and the busiest
        of these links; 0 where they share none."""
        if prepared.layout.classes[0].nvlink:
            return 0.0, None
        request = PredictRequest(collective, (1,), launch=LAUNCH, profile=self.profile)
        others = [
            prepare(self._book(other, stride, stride * len(group))[0], request)
            for other in groups_beside(self.cluster, group, stride)
        ]
        return together_inside(prepared, others)

    def _book(self, group: I64, stride: int, block: int) -> tuple[PlanBook, float]:
        """Flows of a group, kept for its other collectives, and how many groups share its ports."""
        key = (int(group[0]), stride, len(group), block)
        known = self._books.get(key)
        if known is None:
            cluster, share = self._narrowed(group, stride, block)
            known = self._books[key] = PlanBook(lay_out(joined(cluster))), share
            while len(self._books) > KEPT_BOOKS:
                del self._books[next(iter(self._books))]
        return known

    def _narrowed(self, group: I64, stride: int, block: int) -> tuple[Cluster, float]:
        """The cluster with the group's ranks and, where other groups run beside it on the same servers, only the ports
        nearest to its GPUs; and how many groups share each of those."""
        c = self.cluster
        server = np.asarray(c.rank_server, dtype=np.int64)
        own = replace(c, rank_server=c.rank_server[group], rank_gpu=c.rank_gpu[group], rank_domain=c.rank_domain[group])
        servers = np.unique(server[group])
        if len(servers) < 2 or c.uplink.shape[1] == 0:
            return own, 1.0
        start = int(group[0]) - int(group[0]) % block
        busy = np.bincount(server[start : start + block], minlength=len(c.variant))
        mine = np.bincount(server[group], minlength=len(c.variant))
        beside = float(max(busy[s] / mine[s] for s in servers))
        if beside <= 1:
            return own, 1.0
        uplink = np.full_like(c.uplink, -1)
        leaf = np.full_like(c.uplink_leaf, -1)
        share = 1.0
        members = np.asarray(c.rank_gpu)[group]
        order = np.argsort(server[group], kind="stable")
        cuts = np.flatnonzero(np.diff(server[group][order])) + 1
        cabled = np.asarray(c.uplink) >= 0
        for s, own_gpus in zip(servers.tolist(), np.split(members[order], cuts), strict=True):
            ports = self._nearest(int(c.variant[s]), tuple(own_gpus.tolist()), cabled[s])
            uplink[s, ports], leaf[s, ports] = c.uplink[s, ports], c.uplink_leaf[s, ports]
            share = max(share, len(ports) * beside / max(int(cabled[s].sum()), 1))
        return replace(own, uplink=uplink, uplink_leaf=leaf), share

    def _nearest(self, variant: int, gpus: tuple[int, ...], cabled: NDArray[np.bool_]) -> I64:
        """Live ports nearest to any of the GPUs, by NCCL's class."""
        key = (variant, gpus, cabled.tobytes())
        known = self._near.get(key)
        if known is None:
            live = np.flatnonzero(cabled)
            keep: set[int] = set()
            for g in gpus if len(live) else ():
                row = np.asarray(self.cluster.interiors[variant].gpu_port.nccl)[g, live]
                keep.update(live[row == row.min()].tolist())
            known = self._near[key] = np.array(sorted(keep), dtype=np.int64)
        return known

    def _together(self, collective: str, size: int, group: I64, stride: int, block: int) -> float:
        """Seconds per byte of one group's buffer that the fabric needs for all groups of the block at once; 0 where the
        links between switches do not bind."""
        if collective not in ("all_reduce", "reduce_scatter", "all_gather") or block <= size:
            return 0.0
        key = ("together", collective, int(group[0]) // block, block)
        start = int(group[0]) - int(group[0]) % block
        ranks = np.arange(start, min(start + block, self.n))
        c = self.cluster
        known = self._curves.get(key)
        if known is None:
            whole = replace(
                c, rank_server=c.rank_server[ranks], rank_gpu=c.rank_gpu[ranks], rank_domain=c.rank_domain[ranks]
            )
            prepared = prepare(
                PlanBook(lay_out(joined(whole))),
                PredictRequest(collective, (1,), "ring", "Simple", launch=LAUNCH, profile=self.profile),
            )
            none = np.zeros(0)
            known = self._curves[key] = [_Curve(none, none, none, 1.0, 0.0, prepared, True)]
        prepared = known[0].prepared
        ring = prepared.candidates[0]
        bound = binding_of(prepared, ring)
        if bound is None or bound[1].kind not in FABRIC_ROLES:
            return 0.0
        joint, each = len(ranks), size
        groups = joint / each
        # a joint ring puts (joint-1)/joint of the buffer on the wire, a group of its own (each-1)/each
        return ring.seconds_per_byte * groups * ((each - 1) / each) / ((joint - 1) / joint)
