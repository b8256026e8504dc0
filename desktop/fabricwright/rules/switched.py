"""On or off, as a drawing states it."""

from __future__ import annotations


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
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    try:
        return float(value) if isinstance(value, str) and value.strip() else None
    except ValueError:
        return None
