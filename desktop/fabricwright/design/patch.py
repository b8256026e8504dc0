"""A change as a value: the only way anything in the document moves.

``edit: (Project, arguments) -> Patch``; ``apply(project, patch) -> Project``; ``patch.inverse()`` swaps old and
new. Undo, worker and canvas consume the same patches. ``apply`` copies each touched table once and shares the rest.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

from fabricwright.design.keys import carry_key
from fabricwright.design.values import Project
from fabricwright.units import codec
from fabricwright.units.errors import UserError
from fabricwright.units.record import record
from fabricwright.units.table import Table
from fabricwright.units.text import msg

Path = tuple[str, ...]


class _Absent(Enum):
    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent.ABSENT


@record
class Change:
    """One row or field: ``path`` such as ("designs", "after", "sheets", "node", "items", "nic0"); ABSENT = not
    there."""

    path: Path
    old: object
    new: object


@record
class Patch:
    """Changes that belong to one gesture. ``label`` is the English key of the undo text (translated in the window)."""

    label: str
    changes: tuple[Change, ...] = ()

    def inverse(self) -> Patch:
        """The patch that takes it back."""
        return Patch(self.label, tuple(Change(c.path, c.new, c.old) for c in reversed(self.changes)))

    def __bool__(self) -> bool:
        return bool(self.changes)

    def paths(self) -> list[Path]:
        """Touched paths."""
        return [c.path for c in self.changes]


class PatchMismatchError(Exception):
    """A patch was applied to a project that is not the one it was made for (a gap in the stream)."""


def apply(project: Project, patch: Patch, *, check: bool = False) -> Project:
    """The project after ``patch``. With ``check`` the old values must match (replicas); raises PatchMismatchError."""
    pending: dict[str, Any] = {}
    for change in patch.changes:
        _insert(pending, change)
    return typing.cast(Project, _rebuild(project, pending, check))


def _insert(tree: dict[str, Any], change: Change) -> None:
    node = tree
    for key in change.path[:-1]:
        following = node.setdefault(key, {})
        if isinstance(following, Change):
            # A whole row was set earlier in this patch and is refined here: rebuild it so that the later change wins.
            following = {"": following}
            node[key] = following
        node = following
    last = change.path[-1]
    earlier = node.get(last)
    if isinstance(earlier, Change):
        node[last] = Change(change.path, earlier.old, change.new)
    else:
        node[last] = change


def _rebuild(container: object, tree: dict[str, Any], check: bool) -> object:
    base = tree.get("")
    if isinstance(base, Change):
        container = base.new
    if isinstance(container, Table):
        rows = dict(container)
        touched: dict[str, tuple[object, object]] = {}
        for key, sub in tree.items():
            if key == "":
                continue
            if isinstance(sub, Change):
                if check and rows.get(key, ABSENT) != sub.old:
                    raise PatchMismatchError("/".join(sub.path))
                if sub.new is ABSENT:
                    rows.pop(key, None)
                else:
                    rows[key] = sub.new
            else:
                if key not in rows and "" not in sub:
                    raise PatchMismatchError(key)
                rows[key] = _rebuild(rows.get(key), sub, check)
            touched[key] = (container.get(key), rows.get(key))
        rebuilt: Table[object] = Table(rows)
        carry_key(container, rebuilt, touched)
        return rebuilt
    if not dataclasses.is_dataclass(container) or isinstance(container, type):
        raise PatchMismatchError(repr(tree)[:80])
    fields: dict[str, object] = {}
    for key, sub in tree.items():
        if key == "":
            continue
        current = getattr(container, key, ABSENT)
        if isinstance(sub, Change):
            if check and current != sub.old:
                raise PatchMismatchError("/".join(sub.path))
            fields[key] = sub.new
        else:
            fields[key] = _rebuild(current, sub, check)
    return dataclasses.replace(container, **fields)


def lookup(project: Project, path: Path) -> object:
    """Value at ``path`` or ABSENT."""
    here: object = project
    for key in path:
        if isinstance(here, Table):
            if key not in here:
                return ABSENT
            here = here[key]
        elif here is ABSENT or not hasattr(here, key):
            return ABSENT
        else:
            here = getattr(here, key)
    return here


class PatchBuilder:
    """Collects the changes of one edit; later changes to the same path merge, changes that end where they began vanish.

    ``project`` is always the state after the changes so far, so an edit composed of edits reads its own effects.
    """

    def __init__(self, project: Project) -> None:
        self.before = project
        self.project = project
        self._touched: dict[Path, None] = {}

    def set(self, path: Path, new: object) -> None:
        """Set the value at ``path`` (ABSENT deletes a row)."""
        change = Change(path, lookup(self.project, path), new)
        if change.old == new and type(change.old) is type(new):
            return
        self.project = apply(self.project, Patch("", (change,)))
        self._touched.setdefault(path)

    def remove(self, path: Path) -> None:
        """Delete the row at ``path``."""
        self.set(path, ABSENT)

    def include(self, patch: Patch) -> None:
        """Take in the changes of another edit's patch."""
        for change in patch.changes:
            self.set(change.path, change.new)

    def patch(self, label: str) -> Patch:
        """The finished patch: one change per outermost touched path."""
        changes = []
        for path in self._touched:
            if any(path[:n] in self._touched for n in range(1, len(path))):
                continue
            old, new = lookup(self.before, path), lookup(self.project, path)
            if old != new or type(old) is not type(new):
                changes.append(Change(path, old, new))
        return Patch(label, tuple(changes))


# -- as JSON ----------------------------------------------------------------------------------------------------------


def patch_to_json(patch: Patch) -> dict[str, Any]:
    """JSON form: rows in the file's codec, an absent side is left out."""
    changes = []
    for change in patch.changes:
        entry: dict[str, Any] = {"path": list(change.path)}
        if change.old is not ABSENT:
            entry["old"] = codec.to_json(change.old)
        if change.new is not ABSENT:
            entry["new"] = codec.to_json(change.new)
        changes.append(entry)
    return {"label": patch.label, "changes": changes}


def patch_from_json(data: object) -> Patch:
    """Inverse of ``patch_to_json``; raises UserError on what is no patch, and on paths that are not part of the
    document."""
    if not isinstance(data, Mapping) or not isinstance(data.get("changes"), (list, tuple)):
        raise _no_patch()
    label = data.get("label", "")
    changes = []
    for entry in data["changes"]:
        steps = entry.get("path") if isinstance(entry, Mapping) else None
        if not isinstance(steps, (list, tuple)) or not steps or not all(isinstance(s, str) and s for s in steps):
            raise _no_patch()
        path = tuple(steps)
        hint = _hint(path)
        if "new" not in entry and typing.get_origin(_hint(path[:-1])) is not Table:
            raise _no_patch()  # only rows can go; a field always has a value
        sides = [
            codec.decode(hint, entry[side], ".".join(path)) if side in entry else ABSENT for side in ("old", "new")
        ]
        changes.append(Change(path, sides[0], sides[1]))
    if not isinstance(label, str):
        raise _no_patch()
    return Patch(label, tuple(changes))


def _no_patch() -> UserError:
    return UserError(msg("This is not a change of a Fabricwright project."))


@lru_cache(maxsize=4096)
def _hint(path: Path) -> Any:
    """Type of the value at a path, from the dataclasses' annotations."""
    hint: Any = Project
    for key in path:
        origin = typing.get_origin(hint)
        if origin is Table:
            hint = typing.get_args(hint)[0]
        elif dataclasses.is_dataclass(hint):
            hints = typing.get_type_hints(hint)
            if key not in hints:
                raise UserError(msg("Path '{path}' is not part of a project.", path="/".join(path)))
            hint = hints[key]
        else:
            raise UserError(msg("Path '{path}' is not part of a project.", path="/".join(path)))
    return hint


def merge(first: Patch, second: Patch) -> Patch:
    """Two patches in a row as one (typing in a field)."""
    old = {c.path: c for c in first.changes}
    out = dict(old)
    for change in second.changes:
        out[change.path] = Change(change.path, old[change.path].old if change.path in old else change.old, change.new)
    return Patch(first.label, tuple(c for c in out.values() if c.old != c.new))


def same_paths(first: Patch, second: Patch) -> bool:
    """Whether two patches touch exactly the same paths."""
    return set(first.paths()) == set(second.paths())
