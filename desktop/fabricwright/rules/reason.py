"""What a predicate says about one place: the rule that would fire, its text, its figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from fabricwright.units.record import record
from fabricwright.units.text import Message


@record
class Reason:
    """One verdict of a predicate. ``severity`` is the rule's: an error makes a slot illegal, a warning a loss."""

    rule: str
    severity: str
    message: Message
    measured: float | None = None
    allowed: float | None = None
    unit: str = ""
    values: Mapping[str, object] = field(default_factory=dict)
    estimate: bool = False
