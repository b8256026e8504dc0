"""Named snapshots: what the project was at a moment ("before the customer meeting"), kept in the project's own file.

The content is the project file of that moment, without the snapshots it had itself, compressed and as base64: a text
that nothing else reads, goes through migrations like any file, and is bounded when it is unpacked.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import zlib
from weakref import WeakKeyDictionary

from fabricwright.design.storage import MAX_FILE_BYTES, dumps, loads
from fabricwright.design.values import Project, Snapshot
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

_known: WeakKeyDictionary[Snapshot, Project] = WeakKeyDictionary()


def packed(project: Project) -> str:
    """Content of a snapshot of the project."""
    data = dumps(dataclasses.replace(project, snapshots=Table()))
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def snapshot_project(project: Project, key: str) -> Project:
    """The project as it was at a snapshot. Raises UserError when there is no such snapshot or it cannot be read."""
    row = project.snapshots.get(key)
    if row is None:
        known = _names(project)
        raise UserError(msg("Snapshot '{name}' does not exist; there are {known}.", name=key[:60], known=known))
    found = _known.get(row)
    if found is None:
        found = _known[row] = loads(_unpacked(row, key), f"{key}")
    return found


def find_snapshot(project: Project, name: str) -> str:
    """Id of a snapshot named by its id or its title. Raises UserError listing what there is."""
    if name in project.snapshots:
        return name
    titled = [key for key in project.snapshots.ordered() if project.snapshots[key].title == name]
    if not titled:
        known = _names(project)
        raise UserError(msg("Snapshot '{name}' does not exist; there are {known}.", name=name[:60], known=known))
    return max(titled, key=lambda key: project.snapshots[key].time)


def in_order(project: Project) -> list[str]:
    """Ids of the snapshots, the latest first."""
    newest_first = reversed(project.snapshots.ordered())  # two of one second are in the order of their ids
    return sorted(newest_first, key=lambda key: project.snapshots[key].time, reverse=True)


def _names(project: Project) -> str:
    return ", ".join(project.snapshots.ordered()) or "-"


def _unpacked(row: Snapshot, key: str) -> bytes:
    try:
        reader = zlib.decompressobj()
        data = reader.decompress(base64.b64decode(row.content, validate=True), MAX_FILE_BYTES + 1)
        whole = reader.eof and not reader.unused_data
    except (binascii.Error, zlib.error, ValueError) as error:
        raise UserError(msg("Snapshot '{name}' is damaged.", name=key[:60])) from error
    if not whole or len(data) > MAX_FILE_BYTES:
        raise UserError(msg("Snapshot '{name}' is damaged.", name=key[:60]))
    return data
