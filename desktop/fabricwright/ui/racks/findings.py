"""Findings of the worker, sorted by the rack or the member they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabricwright.design.address import parse_address
from fabricwright.design.indexset import IndexSet
from fabricwright.ui.panels.words import spoken
from fabricwright.units.errors import UserError

SHOWN = ("error", "warning")
MOST_MEMBERS = 4096


class Findings:
    """``signs`` (item, member) -> worst severity, member -1 = all of an item. Approved findings are left out."""

    def __init__(self, rows: Mapping[str, Mapping[str, Any]]) -> None:
        self.signs: dict[tuple[str, int], str] = {}
        self._texts: dict[tuple[str, int], list[str]] = {}
        for row in rows.values():
            if row.get("severity") not in SHOWN or row.get("approved"):
                continue
            for item, members in _places(row):
                for member in members:
                    self._take(item, member, str(row["severity"]), row)

    def _take(self, item: str, member: int, severity: str, row: Mapping[str, Any]) -> None:
        key = (item, member)
        self.signs[key] = "error" if "error" in (severity, self.signs.get(key)) else "warning"
        self._texts.setdefault(key, []).append(f"{row.get('rule', '')}: {spoken(row.get('message'))}")

    def texts(self, item: str, member: int) -> list[str]:
        """Sentences about a member of an item, its rule first."""
        return [*self._texts.get((item, member), ()), *self._texts.get((item, -1), ())][:6]


def _places(row: Mapping[str, Any]) -> list[tuple[str, list[int]]]:
    """Item and members a finding is about: of the first place only, and only where it is a thing itself, not a part
    inside it.
    """
    for text in list(row.get("at", ()))[:1]:
        try:
            where = parse_address(str(text))
        except UserError:
            continue
        if len(where.steps) != 1 or where.cable is not None:
            continue
        step = where.steps[0]
        said = str(row.get("members") or "")
        members = IndexSet.parse(said) if said else step.members
        if members is None or not members:
            return [(step.item, [-1])]
        return [(step.item, list(members)[:MOST_MEMBERS])]
    return []
