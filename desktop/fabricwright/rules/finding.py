"""A finding: what a rule says about a place, with figures, members and, where one exists, the edit that mends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from fabricwright.design.address import Address
from fabricwright.design.calls import EditCall
from fabricwright.design.indexset import IndexSet
from fabricwright.units.record import record
from fabricwright.units.text import Message

SEVERITIES = ("error", "warning", "info", "fact")


@record
class Finding:
    """One verdict for one (group, variant).

    ``at`` addresses without index sets where members vary (the first one is the place that is shown); ``members`` of
    the first address's first item; ``measured``/``allowed`` in ``unit``; ``fix`` edits to apply in this order as one
    gesture; ``estimate`` when the verdict rests on an estimated figure.
    """

    CACHE_BYTES: ClassVar[int] = 2048
    """What one costs in a cache, roughly."""

    rule: str
    severity: str
    design: str
    sheet: str
    at: tuple[Address, ...]
    message: Message
    members: IndexSet = IndexSet()
    measured: float | None = None
    allowed: float | None = None
    unit: str = ""
    values: Mapping[str, object] = field(default_factory=dict)
    evidence: tuple[str, ...] = ()
    fix: tuple[EditCall, ...] = ()
    estimate: bool = False

    @property
    def key(self) -> str:
        """rule | design | addresses without index sets: the name that approvals and the window know it by."""
        return "|".join((self.rule, self.design, ",".join(a.bare() for a in self.at)))
