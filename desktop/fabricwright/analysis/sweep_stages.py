"""Stages of one point of a sweep, shared with the other points as far as their inputs are equal.

Beyond ``CachedStages``: settings that steer neither NCCL inside servers nor the drawing do not compile a cluster again,
and flows are shared between clusters that differ in such settings only. A predicted row is found again when every
setting that was looked at while it was made has the value it had then (a trace of reads), whatever else differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from fabricwright.analysis.cache import Key, StageCache
from fabricwright.analysis.stages import CachedStages
from fabricwright.design.keys import table_key
from fabricwright.design.values import Project
from fabricwright.performance.calibration import Profile
from fabricwright.performance.plans import PlanBook
from fabricwright.performance.predict import PredictRequest, Row, open_book, rows_of
from fabricwright.topology.model import Cluster
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message

Trace = dict[str, object]
Found = Row | Message
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


class Traces:
    """Rows with what they were made from."""

    CACHE_BYTES = 4096

    def __init__(self) -> None:
        # Rows whose traces name the same settings lie together: one look-up finds the one with these values.
        self._kept: dict[tuple[str, ...], dict[tuple[object, ...], Found]] = {}

    def find(self, settings: Mapping[str, object]) -> Found | None:
        """The row made under values that these settings have, too."""
        for names, rows in self._kept.items():
            found = rows.get(tuple(map(settings.get, names)))
            if found is not None:
                return found
        return None

    def keep(self, trace: Trace, found: Found) -> None:
        """Keep a row."""
        names = tuple(sorted(trace))
        rows = self._kept.setdefault(names, {})
        if len(rows) >= MOST_TRACES:
            rows.clear()
        rows[tuple(trace[name] for name in names)] = found


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
        """Everything a cluster is compiled from but the settings that only predictions read."""
        return (*self.drawn_key, self._interior_settings_key)

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

    def _shared_book(self, settings: Mapping[str, object]) -> PlanBook:
        base = self.cache.get("shared flows", self.structure_key, lambda: open_book(self._structure()))
        layout = replace(base.layout, cluster=replace(base.layout.cluster, settings=settings))
        base.paths  # noqa: B018 (made on the shared book, so that all others have them)
        return PlanBook(layout, base._loads, base._paths, base._tree_wire)

    def row(self, request: PredictRequest, profile: Profile | None) -> Row:
        """A predicted row of one size. Raises UserError with the reason when it cannot run here."""
        request = replace(request, profile=profile)
        traces = self.cache.get("rows", (*self.structure_key, request), Traces)
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
