"""Results of pure stages by content key, with a limit in bytes.

A stage result is found again whenever its inputs have the same keys: after undo, when switching designs, after moving
a part. The counters say how often each stage really ran; tests assert on them.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from itertools import islice
from typing import Any, TypeVar, cast

import numpy as np

T = TypeVar("T")
Key = tuple[Any, ...]
SAMPLE = 32
"""Entries of a long list that are looked at; the others count as much on average."""


class StageCache:
    """Least-recently-used store of (stage, input keys) -> result."""

    def __init__(self, limit_bytes: int = 256 * 1024 * 1024) -> None:
        self.limit_bytes = limit_bytes
        self.ran: Counter[str] = Counter()
        self.reused: Counter[str] = Counter()
        self._rows: OrderedDict[tuple[str, Key], tuple[object, int]] = OrderedDict()
        self._bytes = 0

    def get(self, stage: str, key: Key, compute: Callable[[], T]) -> T:
        """The result of ``stage`` for these inputs, computed when it is not here."""
        full = (stage, key)
        found = self._rows.get(full)
        if found is not None:
            self._rows.move_to_end(full)
            self.reused[stage] += 1
            return cast(T, found[0])
        value = compute()
        self.ran[stage] += 1
        size = self.weigh(stage, value)
        self._rows[full] = (value, size)
        self._bytes += size
        while self._bytes > self.limit_bytes and len(self._rows) > 1:
            _, (_, dropped) = self._rows.popitem(last=False)
            self._bytes -= dropped
        return value

    def clear(self) -> None:
        """Forget everything."""
        self._rows.clear()
        self._bytes = 0

    def weigh(self, stage: str, value: object) -> int:
        """Estimated bytes of a result of ``stage``."""
        return estimate_bytes(value)

    @property
    def size_bytes(self) -> int:
        """Estimated bytes held."""
        return self._bytes

    def take_counts(self) -> dict[str, dict[str, int]]:
        """Runs and reuses since the last call, by stage."""
        counts = {"ran": dict(self.ran), "reused": dict(self.reused)}
        self.ran.clear()
        self.reused.clear()
        return counts


_PLAIN = frozenset((str, int, float, bool, type(None)))


def estimate_bytes(value: object, depth: int = 0) -> int:
    """Bytes of the arrays in a result, plus a rough allowance for its objects."""
    if type(value) in _PLAIN:
        return 64
    if isinstance(value, np.ndarray):
        return int(value.nbytes) + 128
    fixed = getattr(type(value), "CACHE_BYTES", None)
    if fixed is not None:
        return int(fixed)
    if depth > 4:
        return 64
    if isinstance(value, (dict, list, tuple)):
        rows = list(islice(value.values() if isinstance(value, dict) else value, SAMPLE))
        sample = sum(estimate_bytes(v, depth + 1) for v in rows)
        return 128 + (sample * len(value) // len(rows) if rows else 0)
    slots = getattr(type(value), "__dataclass_fields__", None)
    if slots:
        return 64 + sum(estimate_bytes(getattr(value, name, None), depth + 1) for name in slots)
    return 64
