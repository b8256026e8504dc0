"""Edits of the project as a whole: designs, sheets' titles, settings, statements, approvals."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from fabricwright.design.edits.annotations import drop_unused_images
from fabricwright.design.edits.places import at, design_of, fresh_id, sheet_of
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.quantities import QUANTITIES, STATEMENT_KINDS, check_statement
from fabricwright.design.values import Approval, Calibration, Design, Project, Sheet, Statement
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

_PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


def retitle(project: Project, *, title: str, design: str | None = None, sheet: str | None = None) -> Patch:
    """Change the title of the project, a design or a sheet."""
    builder = PatchBuilder(project)
    if design is None:
        builder.set(("title",), title)
    elif sheet is None:
        design_of(project, design)
        builder.set(("designs", design, "title"), title)
    else:
        sheet_of(project, design, sheet)
        builder.set(at(design, sheet, "title"), title)
    return builder.patch("Rename")


def set_setting(project: Project, *, design: str, key: str, value: Any) -> Patch:
    """One setting of a design; None puts it back to the default."""
    builder = PatchBuilder(project)
    settings = design_of(project, design).settings
    builder.set(("designs", design, "settings"), settings.drop(key) if value is None else settings.put(key, value))
    return builder.patch("Change setting")


def set_profile(project: Project, *, name: str, values: Mapping[str, float] | None, title: str = "") -> Patch:
    """Store a calibration profile (values by dotted name, all positive), or with None take it out."""
    builder = PatchBuilder(project)
    if not _PROFILE_NAME.fullmatch(name):
        raise UserError(msg("Profile '{name}': expected at most 60 small letters, digits and hyphens.", name=name[:60]))
    if values is None:
        builder.remove(("profiles", name))
        return builder.patch("Remove profile")
    for key, value in values.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
            raise UserError(msg("Profile '{name}': {key} must be a positive number.", name=name, key=key[:60]))
    builder.set(("profiles", name), Calibration(title, Table(dict(values))))
    return builder.patch("Store profile")


def add_design(project: Project, *, title: str = "", design: str | None = None) -> Patch:
    """An empty design with an empty fabric sheet."""
    builder = PatchBuilder(project)
    name = design or fresh_id("design", project.designs)
    if name in project.designs:
        raise UserError(msg("Design '{design}' exists already.", design=name))
    builder.set(("designs", name), Design(title, "fabric", (), Table({"fabric": Sheet("fabric")})))
    return builder.patch("Add design")


def copy_design(project: Project, *, design: str, title: str = "") -> Patch:
    """A copy of a design under a new id, to try something on. What is wanted of the one is wanted of the other: its
    targets and requirements are copied, too. A claim stays with the design that it was made about.
    """
    builder = PatchBuilder(project)
    source = design_of(project, design)
    name = fresh_id(design, project.designs, numbered=False)
    builder.set(("designs", name), dataclasses.replace(source, title=title or source.title))
    taken = dict(project.statements.items())
    for row in _wanted_of(project, design).values():
        key = fresh_id("s", taken)
        taken[key] = dataclasses.replace(row, subject=f"design:{name}")
        builder.set(("statements", key), taken[key])
    return builder.patch("Copy design")


def _wanted_of(project: Project, design: str) -> dict[str, Statement]:
    """Targets and requirements that a design as a whole is to meet."""
    return {
        key: row for key, row in project.statements.items() if row.kind != "claim" and row.subject == f"design:{design}"
    }


def remove_design(project: Project, *, design: str) -> Patch:
    """Delete a design, the approvals given in it and what was wanted of it; the last design stays."""
    builder = PatchBuilder(project)
    design_of(project, design)
    if len(project.designs) == 1:
        raise UserError(msg("A project keeps at least one design."))
    builder.remove(("designs", design))
    for key, approval in project.approvals.items():
        if approval.key.split("|")[1:2] == [design]:
            builder.remove(("approvals", key))
    for key in _wanted_of(project, design):
        builder.remove(("statements", key))
    drop_unused_images(builder)
    return builder.patch("Delete design")


def set_meta(project: Project, *, key: str, value: Any) -> Patch:
    """Customer, project name, revision, author, date."""
    builder = PatchBuilder(project)
    builder.set(("meta",), project.meta.drop(key) if value is None else project.meta.put(key, value))
    return builder.patch("Change project data")


def set_statement(project: Project, *, statement: str | None = None, **fields: Any) -> Patch:
    """Add a statement, or change fields of one; ``kind`` None removes it. A unit left out is that of the quantity."""
    builder = PatchBuilder(project)
    name = statement or fresh_id("s", project.statements)
    if fields.get("kind", "claim") is None:
        builder.remove(("statements", name))
        return builder.patch("Delete statement")
    row = dataclasses.replace(project.statements.get(name, Statement()), **fields)
    if row.kind not in STATEMENT_KINDS:
        raise UserError(
            msg("'{kind}' is no kind of statement; expected {known}.", kind=row.kind, known=list(STATEMENT_KINDS))
        )
    if not row.unit and row.quantity in QUANTITIES:
        row = dataclasses.replace(row, unit=QUANTITIES[row.quantity].unit)
    check_statement(row.quantity, row.value)
    builder.set(("statements", name), row)
    return builder.patch("Change statement")


def approve(
    project: Project,
    *,
    key: str,
    reason: str,
    author: str,
    date: str,
    members: str = "",
    measured: float | None = None,
    everywhere: bool = False,
) -> Patch:
    """Accept a finding by its key, for the members and value it was given for."""
    if not reason.strip():
        raise UserError(msg("An approval needs a reason."))
    builder = PatchBuilder(project)
    name = next((k for k, a in project.approvals.items() if a.key == key), None) or fresh_id("a", project.approvals)
    builder.set(("approvals", name), Approval(key, members, measured, reason, author, date, "*" if everywhere else ""))
    return builder.patch("Approve finding")


def unapprove(project: Project, *, key: str) -> Patch:
    """Take an approval back."""
    builder = PatchBuilder(project)
    for name, approval in project.approvals.items():
        if approval.key == key:
            builder.remove(("approvals", name))
    return builder.patch("Withdraw approval")
