"""Edits of workloads: what is trained, and how it is spread. A workload is set as a whole, so that one entry of the
undo list takes it back as a whole.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from fabricwright.design.edits.arguments import mapping, text
from fabricwright.design.edits.places import fresh_id
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Project, Workload
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

MOST_WORKLOADS = 200
LONGEST_TITLE = 200


def set_workload(
    project: Project,
    *,
    workload: str | None = None,
    title: str | None = None,
    model: Mapping[str, Any] | None = None,
    plan: Mapping[str, Any] | None = None,
) -> Patch:
    """Change a workload, or add one (``workload`` None or not there yet). ``model`` and ``plan`` replace what is there;
    what is left out stays, values of None go out."""
    builder = PatchBuilder(project)
    old = project.workloads.get(workload) if workload else None
    if old is None and len(project.workloads) >= MOST_WORKLOADS:
        raise UserError(msg("A project holds at most {limit} workloads; remove some first.", limit=MOST_WORKLOADS))
    row = old or Workload()
    if title is not None:
        row = dataclasses.replace(row, title=text(title, "title", LONGEST_TITLE).strip())
    if model is not None:
        row = dataclasses.replace(row, model=_scalars(model, "model"))
    if plan is not None:
        row = dataclasses.replace(row, plan=_scalars(plan, "plan"))
    builder.set(("workloads", workload or fresh_id("workload", project.workloads)), row)
    return builder.patch("Change workload" if old is not None else "Add workload")


def copy_workload(project: Project, *, workload: str, title: str = "", copy: str | None = None) -> Patch:
    """A copy under a new id, to try another plan on."""
    builder = PatchBuilder(project)
    row = _row(project, workload)
    name = copy or fresh_id(workload, project.workloads, numbered=False)
    if name in project.workloads:
        raise UserError(msg("Workload '{name}' exists already.", name=name[:60]))
    builder.set(("workloads", name), dataclasses.replace(row, title=title or row.title))
    return builder.patch("Copy workload")


def rename_workload(project: Project, *, workload: str, title: str) -> Patch:
    """Another title; the id, which designs and statements refer to, stays."""
    builder = PatchBuilder(project)
    row = _row(project, workload)
    builder.set(("workloads", workload), dataclasses.replace(row, title=text(title, "title", LONGEST_TITLE).strip()))
    return builder.patch("Rename workload")


def remove_workload(project: Project, *, workload: str) -> Patch:
    """Take a workload out, and out of the designs that are set to it."""
    builder = PatchBuilder(project)
    _row(project, workload)
    builder.remove(("workloads", workload))
    for name, design in project.designs.items():
        if design.settings.get("workload") == workload:
            builder.set(("designs", name, "settings"), design.settings.drop("workload"))
    return builder.patch("Remove workload")


def _row(project: Project, workload: str) -> Workload:
    row = project.workloads.get(workload)
    if row is None:
        raise UserError(
            msg(
                "The project has no workload '{name}'; it has {known}.",
                name=workload[:60],
                known=", ".join(sorted(project.workloads)) or msg("none"),
            )
        )
    return row


def _scalars(values: Mapping[str, Any], what: str) -> Table[Any]:
    """Words, numbers and switches by name; nothing else can be stored."""
    kept: dict[str, Any] = {}
    for key, value in mapping(values, what).items():
        if value is None or value == "":
            continue
        if isinstance(value, float) and not math.isfinite(value):
            raise UserError(msg("'{what}' is {value}; expected a number.", what=f"{what}.{key[:40]}", value=str(value)))
        if not isinstance(value, (str, int, float, bool)) or (isinstance(value, str) and len(value) > 200):
            raise UserError(
                msg(
                    "'{what}' is {value}; expected a text of at most {limit} characters.",
                    what=f"{what}.{key[:40]}",
                    value=str(value)[:60],
                    limit=200,
                )
            )
        kept[key] = value
    return Table(kept)
