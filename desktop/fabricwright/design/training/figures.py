"""Numbers as workloads state them."""

from __future__ import annotations

from collections.abc import Mapping

MOST = 1e300
"""No figure of a workload is larger; JSON may hold numbers that no float can."""


def number_of(values: Mapping[str, object], *keys: str) -> float | None:
    """A number under one of several keys, written as a number or as text (``1,536``); None when there is none."""
    for key in keys:
        value = values.get(key)
        if isinstance(value, str):
            try:
                value = float(value.replace(",", "").replace(" ", ""))
            except ValueError:
                continue
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < MOST:
            return float(value)
    return None
