"""Edits of the output jobs that a project keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabricwright.design.address import ID
from fabricwright.design.edits.places import fresh_id
from fabricwright.design.output_jobs import MOST_JOBS, check_job
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import OutputJob, Project
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg


def set_job(project: Project, *, kind: str, options: Mapping[str, Any], job: str | None = None) -> Patch:
    """Store a job under its id, or as a new one. Raises UserError for what cannot be."""
    before = project.jobs.get(job) if job is not None else None
    row = OutputJob(kind, Table({k: v for k, v in options.items() if v is not None and v != ""}))
    if before is not None:
        row = OutputJob(row.kind, row.options, before.extra)
    check_job(row)
    _check_id(job)
    if before is None and len(project.jobs) >= MOST_JOBS:
        raise UserError(msg("A project keeps at most {most} output jobs.", most=MOST_JOBS))
    builder = PatchBuilder(project)
    builder.set(("jobs", job or fresh_id(kind, project.jobs, numbered=False)), row)
    return builder.patch("Add output job") if before is None else builder.patch("Change output job")


def set_jobs(project: Project, *, jobs: Mapping[str, Mapping[str, Any]]) -> Patch:
    """All jobs anew: id -> {"kind", "options"}; what is not named goes."""
    if len(jobs) > MOST_JOBS:
        raise UserError(msg("A project keeps at most {most} output jobs.", most=MOST_JOBS))
    builder = PatchBuilder(project)
    for name in project.jobs:
        if name not in jobs:
            builder.remove(("jobs", name))
    for name, row in jobs.items():
        options = {k: v for k, v in dict(row.get("options") or {}).items() if v is not None and v != ""}
        before = project.jobs.get(name)
        made = OutputJob(str(row.get("kind") or ""), Table(options))
        if before is not None:
            made = OutputJob(made.kind, made.options, before.extra)
        check_job(made)
        _check_id(name)
        if made != before:
            builder.set(("jobs", name), made)
    return builder.patch("Change output jobs")


def remove_job(project: Project, *, job: str) -> Patch:
    """Take a job out."""
    if job not in project.jobs:
        raise UserError(msg("There is no output job '{job}'.", job=job[:60]))
    builder = PatchBuilder(project)
    builder.remove(("jobs", job))
    return builder.patch("Remove output job")


def _check_id(job: str | None) -> None:
    if job is not None and not ID.match(job):
        raise UserError(
            msg("Output job '{job}': an id is made of a-z, 0-9 and -, and begins with a letter.", job=job[:60])
        )
