"""The project that everything begins with when nothing else was asked for."""

from __future__ import annotations

from fabricwright.design.values import Design, Project, Sheet
from fabricwright.units.table import Table


def blank_project() -> Project:
    """One design with an empty fabric sheet."""
    return Project(designs=Table({"main": Design("", sheets=Table({"fabric": Sheet("fabric")}))}))
