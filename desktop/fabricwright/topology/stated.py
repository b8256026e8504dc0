"""Figures as a drawing states them."""

from __future__ import annotations

import math

LARGEST = 1e12
"""Nobody states more than this of anything that is counted here; beyond it a value counts as not stated."""


def stated_figure(value: object) -> float | None:
    """A stated number from 0 to 10^12; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return float(value) if 0 <= value <= LARGEST else None
