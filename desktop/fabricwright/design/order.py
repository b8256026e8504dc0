"""Which design comes first (commands take it when none is named), and which workload a design is judged by."""

from __future__ import annotations

from fabricwright.design.values import Design, Project
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


def chosen_workload(project: Project, design: Design) -> str:
    """Id of the workload that the design's setting ``workload`` names, else of the project's only one; "" when that
    leaves none."""
    named = design.settings.get("workload")
    if named:
        return str(named) if named in project.workloads else ""
    return next(iter(project.workloads)) if len(project.workloads) == 1 else ""
