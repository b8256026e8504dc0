"""On or off, and figures, as a drawing states them."""

from __future__ import annotations

import math


def switched(value: object) -> bool | None:
    """True for on, False for off, None when nothing is stated or it is neither."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower() if isinstance(value, str) else ""
    if word in ("on", "true", "yes", "1", "enabled"):
        return True
    return False if word in ("off", "false", "no", "none", "0", "disabled") else None


def number_in(value: object) -> float | None:
    """A stated figure: 12, "12", 12.5; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
