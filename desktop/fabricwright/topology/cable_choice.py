"""What "auto" may choose a cable from in a project, worked out once for all links.

Thousands of links of a drawing ask the same question: which cables go between two such cages at such a rate? The answer
is kept with the project's table of parts, and so are the cables of short bundles that are alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffItem
from fabricwright.design.values import Design, Project
from fabricwright.topology.cable_fit import PortCage, cable_fits, candidates, port_cages
from fabricwright.topology.model import F64, I32
from fabricwright.units.record import record

MOST_KEPT = 8192
"""Answers kept of one kind; then all are forgotten, so that a long day of edits does not fill the memory."""

Shape = tuple[tuple[int, str, float], ...]


@record
class Offer:
    """Cables that fit, cheapest first; ``max_m`` their longest lengths (0 = any)."""

    table: Mapping[str, Part]
    parts: tuple[str, ...]
    max_m: tuple[float, ...]

    def cheapest(self, run_m: F64) -> I32:
        """Index of the cheapest cable that is long enough for each run; -1 when none is."""
        part = np.full(len(run_m), -1, dtype=np.int32)
        for index in range(len(self.parts) - 1, -1, -1):
            longest = self.max_m[index]
            part[(run_m <= longest + 1e-9) | (longest == 0)] = index
        return part


@record
class EndCages:
    """Cage of each port name of an end; ``shape`` is the same number for ends that differ in names of cages only."""

    cages: tuple[PortCage, ...]
    shape: int


class CableShelf:
    """Cables of a project that "auto" may choose, with what was already found out."""

    def __init__(self, project: Project) -> None:
        self._rows = [(part_id, part, int(part.get("branches", 1))) for part_id, part in candidates(project).items()]
        self._offers: dict[tuple[str, str, bool, int, float], Offer] = {}
        self._ends: dict[tuple[int, int, bool, tuple[str, ...]], tuple[EffItem, EndCages]] = {}
        self._shapes: dict[Shape, int] = {}
        self._numbers = count()  # never used twice, whatever is forgotten
        self.alike: dict[object, object] = {}

    def offer(self, cage_near: str, cage_far: str, trunk: bool, per: int, gbps: float) -> Offer:
        """Cables between two cages, apart from their reach. ``trunk``: a splitter whose common plug goes into the near
        one; ``per`` rows in a cable; ``gbps`` of a row."""
        key = (cage_near, cage_far, trunk, per, gbps)
        found = self._offers.get(key)
        if found is None:
            table = self._fitting(cage_near, cage_far, trunk, per, gbps)
            found = Offer(table, tuple(table), tuple(part.get("max_m") for part in table.values()))
            self._keep(self._offers, key, found)
        return found

    def _fitting(self, cage_near: str, cage_far: str, trunk: bool, per: int, gbps: float) -> dict[str, Part]:
        if not cage_near and not cage_far:
            return {}
        wanted, carried = (per, gbps) if trunk else (1, gbps * per)
        out = {}
        for part_id, part, branches in self._rows:
            if branches != wanted:
                continue
            fits = not cable_fits(part, cage_near, cage_far, 0.0, carried)
            if fits or (not trunk and not cable_fits(part, cage_far, cage_near, 0.0, carried)):
                out[part_id] = part
        return out

    def cages(self, project: Project, design: Design, item: EffItem, ports: tuple[str, ...]) -> EndCages:
        """``port_cages``, once for all items of one part under one configuration."""
        if item.of.startswith("sheet:"):  # what its sheet says may change while the item stays
            return self._end(port_cages(project, design, item, ports))
        key = (id(item.part), id(item.ports), item.locked, ports)
        found = self._ends.get(key)
        if found is None:
            found = (item, self._end(port_cages(project, design, item, ports)))  # the item keeps both ids taken
            self._keep(self._ends, key, found)
        return found[1]

    def _end(self, cages: Sequence[PortCage]) -> EndCages:
        places: dict[str, int] = {}
        shape = tuple((places.setdefault(c.cage, len(places)), c.type, c.gbps) for c in cages)
        number = self._shapes.get(shape)
        if number is None:
            number = next(self._numbers)
            self._keep(self._shapes, shape, number)
        return EndCages(tuple(cages), number)

    def keep_alike(self, key: object, value: object) -> None:
        """Remember what bundles of a kind have."""
        self._keep(self.alike, key, value)

    @staticmethod
    def _keep(kept: dict, key: object, value: object) -> None:  # type: ignore[type-arg]
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[key] = value


def shelf_of(project: Project) -> CableShelf:
    """The shelf of a project: one for its parts and prices."""
    store = catalogue()
    kept = project.parts.memo.get("cable shelf")
    if isinstance(kept, tuple) and kept[0] is project.prices and kept[1] is store:
        return kept[2]  # type: ignore[no-any-return]
    shelf = CableShelf(project)
    project.parts.memo["cable shelf"] = (project.prices, store, shelf)
    return shelf
