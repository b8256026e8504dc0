"""Edits of named snapshots. The moment and the person are given: an edit reads no clock."""

from __future__ import annotations

import dataclasses

from fabricwright.design.edits.places import fresh_id
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.snapshots import packed
from fabricwright.design.values import Project, Snapshot
from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

MOST_SNAPSHOTS = 200


def take_snapshot(project: Project, *, title: str, time: str, author: str = "", snapshot: str | None = None) -> Patch:
    """Keep the project as it is under a name. ``time`` ISO 8601 with zone."""
    builder = PatchBuilder(project)
    if len(project.snapshots) >= MOST_SNAPSHOTS:
        raise UserError(msg("A project holds at most {limit} snapshots; delete some first.", limit=MOST_SNAPSHOTS))
    name = snapshot or fresh_id("snapshot", project.snapshots)
    if name in project.snapshots:
        raise UserError(msg("Snapshot '{name}' exists already.", name=name[:60]))
    content = packed(project)
    if len(content) + sum(len(row.content) for row in project.snapshots.values()) > limits.SNAPSHOTS_BYTES:
        most = limits.SNAPSHOTS_BYTES // limits.MB
        raise UserError(msg("The snapshots of a project take at most {limit} MB; delete some first.", limit=most))
    builder.set(("snapshots", name), Snapshot(title.strip(), time, author, content))
    return builder.patch("Take snapshot")


def rename_snapshot(project: Project, *, snapshot: str, title: str) -> Patch:
    """Another title."""
    builder = PatchBuilder(project)
    builder.set(("snapshots", snapshot), dataclasses.replace(_row(project, snapshot), title=title.strip()))
    return builder.patch("Rename snapshot")


def remove_snapshot(project: Project, *, snapshot: str) -> Patch:
    """Delete a snapshot."""
    builder = PatchBuilder(project)
    _row(project, snapshot)
    builder.remove(("snapshots", snapshot))
    return builder.patch("Delete snapshot")


def _row(project: Project, snapshot: str) -> Snapshot:
    row = project.snapshots.get(snapshot)
    if row is None:
        raise UserError(msg("There is no snapshot '{name}'.", name=snapshot[:60]))
    return row
