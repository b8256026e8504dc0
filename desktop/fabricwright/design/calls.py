"""An edit as data: what a quick fix or a menu entry carries. Resolved against the project at click time, so a late
finding cannot write stale rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from fabricwright.units.record import record


@record
class EditCall:
    """Name of an edit in ``fabricwright.design.edits.EDITS`` and its JSON-ready keyword arguments."""

    name: str
    args: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """For the worker's pipe."""
        return {"name": self.name, "args": dict(self.args)}
