"""Which design comes first: the one a command takes when none is named, and the one a project opens on."""

from __future__ import annotations

from fabricwright.design.values import Project
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import msg


def designs_in_order(project: Project) -> list[str]:
    """Design ids by ``order``, then in natural order."""
    return sorted(project.designs, key=lambda name: (project.designs[name].order, natural_key(name)))


def chosen_design(project: Project, name: str | None = None) -> str:
    """``name`` when the project has it, else the first design. Raises UserError when there is none to choose."""
    if name is not None and name not in project.designs:
        known = ", ".join(designs_in_order(project)) or "-"
        raise UserError(msg("Design '{design}' does not exist; this project has {known}.", design=name, known=known))
    order = designs_in_order(project)
    if not order:
        raise UserError(msg("The project has no design."))
    return name or order[0]
