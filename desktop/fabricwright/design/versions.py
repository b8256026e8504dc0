"""One way to name a version of a project: a file, a snapshot in it (``FILE@snapshot``), or what a journal holds."""

from __future__ import annotations

import os
from pathlib import Path

from fabricwright.design.journal import SUFFIX, read_journal
from fabricwright.design.snapshots import find_snapshot, snapshot_project
from fabricwright.design.storage import load
from fabricwright.design.values import Project
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


def load_version(name: str | Path) -> Project:
    """The project meant by a file name. A file of that very name comes first; else what stands behind the last ``@`` is
    the id or the title of a snapshot. Raises UserError."""
    text = os.fspath(name)
    if text.endswith(SUFFIX) and os.path.exists(text):
        return read_journal(text).project
    file, mark, snapshot = text.rpartition("@")
    if not mark or os.path.exists(text) or not os.path.exists(file):
        return load(text)
    project = load(file)
    try:
        return snapshot_project(project, find_snapshot(project, snapshot))
    except UserError as error:
        raise UserError(msg("{file}: {problem}", file=file, problem=error.message)) from error
