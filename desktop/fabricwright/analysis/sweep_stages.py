"""Stages of one point of a sweep, shared with the other points as far as their inputs are equal.

Beyond ``CachedStages``: settings that steer neither NCCL inside servers nor the drawing do not compile a cluster again,
and flows are shared between clusters that differ in such settings only. A predicted row is found again when every
setting that was looked at while it was made has the value it had then (a trace of reads), whatever else differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Generic, TypeVar

from fabricwright.analysis.cache import Key, StageCache
from fabricwright.analysis.stages import CachedStages
from fabricwright.design.keys import digest, table_key
from fabricwright.design.values import Project
from fabricwright.performance.calibration import Profile
from fabricwright.performance.layout import Layout
from fabricwright.performance.plans import PlanBook
from fabricwright.performance.predict import PredictRequest, Row, open_book, rows_of
from fabricwright.topology.interior import compile_interior
from fabricwright.topology.model import Cluster, Fabric, Interior
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message

Trace = dict[str, object]
Found = Row | Message
T = TypeVar("T")
MOST_TRACES = 4096
"""Rows kept per drawing and request; beyond, a sweep over a setting that matters is made anew each time."""


class TracedSettings(Mapping[str, object]):
    """Settings that note which of them were looked at, and what was found (None: not stated)."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self._settings = settings
        self.trace: Trace = {}

    def __getitem__(self, key: str) -> object:
        self.trace[key] = self._settings.get(key)
        return self._settings[key]

    def __iter__(self) -> Iterator[str]:
        for key in self._settings:
            self.trace[key] = self._settings[key]
            yield key

    def __len__(self) -> int:
        return len(self._settings)


class Traces(Generic[T]):
    """Results with the settings that were read while they were made."""

    CACHE_BYTES = 4096

    def __init__(self) -> None:
        # Results whose traces name the same settings lie together: one look-up finds the one with these values.
        self._kept: dict[tuple[str, ...], dict[tuple[object, ...], T]] = {}

    def find(self, settings: Mapping[str, object]) -> T | None:
        """The result made under values that these settings have, too."""
        for names, rows in self._kept.items():
            found = rows.get(tuple(map(settings.get, names)))
            if found is not None:
                return found
        return None

    def keep(self, trace: Trace, found: T) -> None:
        """Keep a result."""
        names = tuple(sorted(trace))
        rows = self._kept.setdefault(names, {})
        if len(rows) >= MOST_TRACES:
            rows.clear()
        rows[tuple(trace[name] for name in names)] = found


def wiring_key(fabric: Fabric) -> int:
    """Everything about a fabric that routes depend on: what is cabled to what, at which rate, and what is a switch."""
    arrays = (fabric.a_dev, fabric.b_dev, fabric.rate, fabric.network, fabric.bundle, fabric.row, fabric.up)
    devices = (fabric.absent, fabric.failed, fabric.switch, fabric.tier)
    return digest(repr(fabric.networks), *(x.tobytes() for x in (*arrays, *devices)))


def layout_key(layout: Layout) -> Key:
    """Everything about a layout that loads depend on beside the wiring. Classes of servers are made once for equal
    interiors and kept by the layouts, so that they are compared as objects."""
    arrays = (layout.server, layout.group, layout.gpu_count, layout.rank_position, layout.rank_gpu, layout.out_wire)
    more = (layout.in_wire, layout.leaf, layout.shares, layout.wire_rate, layout.is_port)
    numbers = digest(layout.network, layout.medium, layout.width, *(x.tobytes() for x in (*arrays, *more)))
    return (numbers, tuple(_Same(c) for c in layout.classes))


class _Same:
    """An object as part of a key: equal to itself only, and alive as long as the key."""

    __slots__ = ("of",)

    def __init__(self, of: object) -> None:
        self.of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.of is self.of

    def __hash__(self) -> int:
        return id(self.of)


class SweepCache(StageCache):
    """A cache that weighs a stage once: results of the same stage are about the same size from point to point, and
    looking through every one of them would take a tenth of the time.
    Each 64th is weighed again."""

    AGAIN = 64

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(limit_bytes)
        self._weights: dict[str, tuple[int, int]] = {}

    def weigh(self, stage: str, value: object) -> int:
        """Bytes of a result, mostly those of the one before it."""
        times, size = self._weights.get(stage, (0, 0))
        if times % self.AGAIN == 0:
            size = max(size, super().weigh(stage, value))
        self._weights[stage] = times + 1, size
        return size


class SweepStages(CachedStages):
    """Stages of one point."""

    def __init__(self, project: Project, design_id: str, cache: StageCache) -> None:
        super().__init__(project, design_id, cache)

    def of(self, design_id: str) -> SweepStages:
        """The stages of another design of the project, from the same cache."""
        return SweepStages(self.project, design_id, self.cache)

    @cached_property
    def drawn_key(self) -> Key:
        """Everything that is drawn."""
        root = self.design.sheets.get(self.design.root)
        seats = table_key(root.seats) if root is not None else 0
        sheets = tuple((s, self.sheet_key(s)) for s in sorted(self.design.sheets))
        return (self.design.root, sheets, seats, self.design.ranks)

    @cached_property
    def structure_key(self) -> Key:
        """Everything a cluster is compiled from but the settings that only predictions read: the drawing, the interiors
        as they are under these settings, and what joins servers into NVLink domains."""
        joins = tuple(self.design.settings.get(key) for key in ("nccl.p2p_disable", "nccl.mnnvl"))
        return (*self.drawn_key, joins, tuple(_Same(self.interior(sheet)) for sheet in self.server_sheets()))

    def interior(self, sheet_id: str) -> Interior:
        """As ``CachedStages.interior``; found by the settings that it was seen to read, not by all of their kind."""
        traces = self.cache.get("interior settings", (self.sheet_key(sheet_id),), Traces[Interior])
        found = traces.find(self.design.settings)
        if found is None:
            traced = TracedSettings(self.design.settings)
            eff = self.effective(sheet_id)
            found = self.cache.get("interior", self._interior_key(sheet_id), lambda: compile_interior(eff, traced))
            if traced.trace:  # empty where it was compiled before
                traces.keep(traced.trace, found)
        return found

    def cluster(
        self, *, ranks: Sequence[str] | None = None, nodes: int | None = None, failed: Sequence[str] = ()
    ) -> Cluster:
        """As ``CachedStages.cluster``; the structure is compiled once for all settings that it does not read."""
        if ranks is not None or nodes is not None or failed:
            return super().cluster(ranks=ranks, nodes=nodes, failed=failed)
        return replace(self._structure(), settings=self.design.settings)

    def _structure(self) -> Cluster:
        return self.cache.get("structure", self.structure_key, self._compiled)

    def _compiled(self) -> Cluster:
        """Who is cabled where is the same whatever NCCL is told: only the interiors know its settings."""
        drawn = self.cache.get("drawn", self.drawn_key, super().cluster)
        return replace(drawn, interiors=tuple(self.interior(sheet) for sheet in drawn.variant_sheet))

    def book(self, cluster: Cluster, key: Key) -> PlanBook:
        """Flows of a cluster; those that no setting changes are shared."""
        if any(part is not None and part != () for part in key):
            return super().book(cluster, key)
        return self.cache.get("flows", (*self._cluster_key, *key), lambda: self._shared_book(cluster.settings))

    def fabric(self) -> Fabric:
        """As ``CachedStages.fabric``; routes are shared with fabrics that are wired alike, whatever the lengths."""
        return self.cache.get("routed fabric", self._fabric_key, self._routed)

    def _routed(self) -> Fabric:
        fabric = super().fabric()
        memo: dict[str, object] = self.cache.get("routes", (wiring_key(fabric),), dict)
        return replace(fabric, memo=memo)

    def _opened(self) -> PlanBook:
        """Flows of the structure. Those of a layout that is wired alike, with the same servers, are the same."""
        book = open_book(self._structure())
        like = self.cache.get("loads", (wiring_key(book.layout.cluster.fabric), *layout_key(book.layout)), lambda: book)
        return book if like is book else PlanBook(book.layout, like._loads, [], like._tree_wire)

    def _shared_book(self, settings: Mapping[str, object]) -> PlanBook:
        base = self.cache.get("shared flows", self.structure_key, self._opened)
        layout = replace(base.layout, cluster=replace(base.layout.cluster, settings=settings))
        base.paths  # noqa: B018 (made on the shared book, so that all others have them)
        return PlanBook(layout, base._loads, base._paths, base._tree_wire)

    def row(self, request: PredictRequest, profile: Profile | None) -> Row:
        """A predicted row of one size. Raises UserError with the reason when it cannot run here."""
        request = replace(request, profile=profile)
        traces = self.cache.get("rows", (*self.structure_key, request), Traces[Found])
        found = traces.find(self.design.settings)
        if found is None:
            traced = TracedSettings(self.design.settings)
            try:
                found = rows_of(self._shared_book(traced), request)[0]
            except UserError as error:
                found = error.message
            traces.keep(traced.trace, found)
        if isinstance(found, Message):
            raise UserError(found)
        return found
