"""Stages computed on the spot, without a cache: for tests, and for whoever checks one design once."""

from __future__ import annotations

from collections.abc import Mapping

from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.values import Design, Project
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.run import run_rules
from fabricwright.topology.cables import BundleCables, all_cables
from fabricwright.topology.model import Bundle, Fabric, Interior
from fabricwright.topology.seating import Places, places_of


class DirectStages:
    """Compiles each stage when it is first asked for."""

    def __init__(self, project: Project, design_id: str) -> None:
        self.project = project
        self.design_id = design_id
        self._interiors: dict[str, Interior] = {}
        self._fabric: Fabric | None = None
        self._places: Mapping[str, Places] | None = None
        self._cables: Mapping[str, BundleCables] | None = None

    @property
    def design(self) -> Design:
        """The design."""
        return self.project.designs[self.design_id]

    def of(self, design_id: str) -> DirectStages:
        """The same of another design."""
        return DirectStages(self.project, design_id)

    def effective(self, sheet_id: str) -> EffSheet:
        """Effective rows of a sheet."""
        return effective(self.project, self.design, sheet_id)

    def interior(self, sheet_id: str) -> Interior:
        """Compiled interior of a server sheet."""
        from fabricwright.topology.interior import compile_interior

        found = self._interiors.get(sheet_id)
        if found is None:
            found = self._interiors[sheet_id] = compile_interior(self.effective(sheet_id), self.design.settings)
        return found

    def bundles(self) -> Mapping[str, Bundle]:
        """Wired links of the root sheet."""
        from fabricwright.topology.wiring import end_of, wire

        eff = self.effective(self.design.root)
        out: dict[str, Bundle] = {}
        for link_id, link in eff.links.items() if eff.kind == "fabric" else ():
            ends = [end_of(self.project, self.design, eff, end) for end in (link.a, link.b)]
            out[link_id] = wire(link, ends[0], ends[1], link_id)
        return out

    def fabric(self) -> Fabric:
        """The root sheet as arrays."""
        from fabricwright.topology.fabric import compile_fabric

        if self._fabric is None:
            self._fabric = compile_fabric(self.project, self.design)
        return self._fabric

    def seating(self) -> Mapping[str, Places]:
        """Where the members of each seated item of the root sheet stand."""
        if self._places is None:
            self._places = places_of(self.project, self.design, self.effective(self.design.root))
        return self._places

    def cables(self) -> Mapping[str, BundleCables]:
        """Physical cables of each link of the root sheet."""
        if self._cables is None:
            self._cables = all_cables(self.project, self.design, self.bundles(), self.seating())
        return self._cables


def check(project: Project, design_id: str | None = None) -> list[Finding]:
    """All findings of a design (the project's first by default)."""
    name = design_id or next(iter(project.designs))
    return run_rules(RuleContext(project, name, DirectStages(project, name)))
