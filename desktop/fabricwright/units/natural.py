"""Natural order of names: ``nic2`` before ``nic10``."""

from __future__ import annotations

import re
from functools import lru_cache

_DIGITS = re.compile(r"(\d+)")


@lru_cache(maxsize=1 << 16)
def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that compares runs of digits as numbers; total over all strings."""
    return tuple((0, int(p), p) if p.isdigit() and p.isascii() else (1, 0, p) for p in _DIGITS.split(text) if p)
