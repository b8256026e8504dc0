"""Splitters whose branches belong to several link rows: one physical cable, found and counted once.

A member that is detached from its group takes its cable rows into a link of its own, while the neighbour's row stays:
both still end in one cage. A cage holds one plug, so these rows are one cable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffSheet, part_of
from fabricwright.design.values import Project
from fabricwright.topology.cable_fit import plug_fits
from fabricwright.topology.cables import BundleCables
from fabricwright.topology.model import Bundle
from fabricwright.units.natural import natural_key

Name = tuple[str, int]
"""Link id and number of a cable in it."""
Plug = tuple[str, int, str]
"""Item, member and cage that hold the common plug."""


@dataclass(frozen=True, slots=True)
class SharedCables:
    """``owner`` of each cable that is only a further branch of another link's; ``length_m`` of owners whose new
    branches need a longer cable."""

    owner: Mapping[Name, Name] = field(default_factory=dict)
    length_m: Mapping[Name, float] = field(default_factory=dict)

    def own(self, link: str, count: int) -> NDArray[np.bool_]:
        """Which of the ``count`` cables of a link are cables of their own."""
        out = np.ones(count, dtype=bool)
        for name, n in self.owner:
            if name == link:
                out[n] = False
        return out


def shared_cables(
    project: Project, eff: EffSheet, bundles: Mapping[str, Bundle], cables: Mapping[str, BundleCables]
) -> SharedCables:
    """Find them: a splitter with a branch to spare, and a cable of another link in the cage of its common plug that is
    the same part (or was left to be chosen)."""
    open_plugs: dict[Plug, tuple[Name, str, int]] = {}
    owner: dict[Name, Name] = {}
    longer: dict[Name, float] = {}
    links = sorted(cables, key=natural_key)
    splitters: dict[str, Part | None] = {}
    for link in links:
        for n, part_id, plug, spare in _spare(project, bundles[link], cables[link], splitters):
            open_plugs.setdefault(plug, ((link, n), part_id, spare))
    if not open_plugs:
        return SharedCables()
    for link in links:
        row, bundle = cables[link], bundles[link]
        chosen = eff.links[link].cable == "auto"
        for n in range(row.count):
            for plug in _plugs(bundle, row, n, row.trunk or "ab"):
                found = open_plugs.get(plug)
                if found is None or found[0][0] == link or (link, n) in owner:
                    continue
                main, part_id, spare = found
                part = row.parts[row.part[n]] if row.part[n] >= 0 else ""
                if main in owner or int(row.rows[n]) > spare or not (chosen or part == part_id):
                    continue
                owner[link, n] = main
                open_plugs[plug] = (main, part_id, spare - int(row.rows[n]))
                length = float(row.length_m[n])
                if length > longer.get(main, float(cables[main[0]].length_m[main[1]])):
                    longer[main] = length
    return SharedCables(owner, longer)


def _spare(
    project: Project, bundle: Bundle, cables: BundleCables, splitters: dict[str, Part | None]
) -> Iterator[tuple[int, str, Plug, int]]:
    """(cable, part, common plug, free branches) of splitters that are not fully used; ``splitters`` found so far."""
    for index in sorted(set(cables.part.tolist()) - {-1}):
        part_id = cables.parts[index]
        if part_id not in splitters:
            splitters[part_id] = _splitter(project, part_id)
        part = splitters[part_id]
        if part is None:
            continue
        branches = int(part.get("branches", 1))
        for n in np.flatnonzero((cables.part == index) & (cables.rows < branches)).tolist():
            for plug in _plugs(bundle, cables, n, cables.trunk or _trunk(part, cables)):
                yield n, part_id, plug, branches - int(cables.rows[n])


def _splitter(project: Project, part_id: str) -> Part | None:
    part = part_of(project, part_id) or (catalogue().get(part_id) if part_id in catalogue() else None)
    return part if part is not None and int(part.get("branches", 1)) >= 2 else None


def _trunk(part: Part, cables: BundleCables) -> str:
    """Ends ("a", "b" or both) into which the common plug of a splitter with one branch in use may go."""
    types = (cables.a_cages[0].type if cables.a_cages else "", cables.b_cages[0].type if cables.b_cages else "")
    fits = [plug_fits(part, "a", cage) for cage in types]
    return "a" if fits == [True, False] else "b" if fits == [False, True] else "ba"


def _plugs(bundle: Bundle, cables: BundleCables, n: int, ends: str) -> Iterator[Plug]:
    a_member, a_port, b_member, b_port = (int(v) for v in bundle.rows[int(cables.first[n])])
    if "b" in ends and b_port >= 0:
        yield bundle.b_item, b_member, cables.b_cages[b_port].cage
    if "a" in ends and a_port >= 0:
        yield bundle.a_item, a_member, cables.a_cages[a_port].cage
