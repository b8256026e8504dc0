"""Sets of member indices: ``0-31,40``. Compact, ordered, immutable; the text form is canonical."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fabricwright.units.errors import UserError
from fabricwright.units.record import record
from fabricwright.units.text import msg

if TYPE_CHECKING:  # the window's first frame does without numpy
    import numpy as np
    from numpy.typing import NDArray

    from fabricwright.design.values import Axes

_RANGE = re.compile(r"^(\d+)(?:-(\d+))?$", re.ASCII)
MAX_INDEX = 1 << 31


@record
class IndexSet:
    """Sorted, disjoint, non-adjacent inclusive ranges of non-negative integers."""

    ranges: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(indices: Iterable[int]) -> IndexSet:
        """From any indices, in any order, repeats allowed."""
        ranges: list[tuple[int, int]] = []
        for i in sorted(set(indices)):
            if ranges and ranges[-1][1] == i - 1:
                ranges[-1] = (ranges[-1][0], i)
            else:
                ranges.append((i, i))
        return IndexSet(tuple(ranges))

    @staticmethod
    def of_array(indices: NDArray[np.integer[Any]]) -> IndexSet:
        """From a one-dimensional array of indices, in any order, repeats allowed: ``of`` without a step per index."""
        import numpy as np

        if not len(indices):
            return IndexSet()
        known = indices if (np.diff(indices) > 0).all() else np.unique(indices)
        breaks = np.flatnonzero(np.diff(known) > 1)
        firsts = known[np.concatenate(([0], breaks + 1))]
        lasts = known[np.concatenate((breaks, [len(known) - 1]))]
        return IndexSet(tuple(zip(firsts.tolist(), lasts.tolist(), strict=True)))

    @staticmethod
    def span(count: int) -> IndexSet:
        """``0 .. count-1``."""
        return IndexSet(((0, count - 1),)) if count > 0 else IndexSet()

    @staticmethod
    def parse(text: str, axes: Axes = ()) -> IndexSet:
        """``0-31,40``; with ``axes`` also coordinates ``su=1,node=9`` (an axis left out means all). Raises
        UserError."""
        if "=" in text:
            return _from_coordinates(text, axes)
        ranges: list[tuple[int, int]] = []
        for piece in text.split(","):
            match = _RANGE.match(piece.strip())
            lo = int(match[1]) if match else 0
            hi = int(match[2]) if match and match[2] else lo
            if not match or hi < lo or hi >= MAX_INDEX:
                raise UserError(
                    msg("Index set '{text}' is not understood; expected numbers and ranges such as 0-31,40.", text=text)
                )
            ranges.append((lo, hi))
        return IndexSet(_merge(ranges))

    def array(self) -> NDArray[np.int64]:
        """int64(n): the indices in order."""
        import numpy as np

        pieces = [np.arange(lo, hi + 1, dtype=np.int64) for lo, hi in self.ranges]
        return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.int64)

    def __contains__(self, index: object) -> bool:
        return isinstance(index, int) and any(lo <= index <= hi for lo, hi in self.ranges)

    def __iter__(self) -> Iterator[int]:
        for lo, hi in self.ranges:
            yield from range(lo, hi + 1)

    def __len__(self) -> int:
        return sum(hi - lo + 1 for lo, hi in self.ranges)

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __str__(self) -> str:
        return ",".join(f"{lo}-{hi}" if hi > lo else str(lo) for lo, hi in self.ranges)

    def union(self, other: IndexSet) -> IndexSet:
        """Members of either."""
        return IndexSet(_merge([*self.ranges, *other.ranges]))

    def minus(self, other: IndexSet) -> IndexSet:
        """Members of this one that are not in ``other``."""
        left = list(self.ranges)
        for gone_lo, gone_hi in other.ranges:
            cut: list[tuple[int, int]] = []
            for lo, hi in left:
                cut += [(a, b) for a, b in ((lo, min(hi, gone_lo - 1)), (max(lo, gone_hi + 1), hi)) if a <= b]
            left = cut
        return IndexSet(tuple(left))

    def clip(self, count: int) -> IndexSet:
        """Members below ``count``."""
        return IndexSet(tuple((lo, min(hi, count - 1)) for lo, hi in self.ranges if lo < count))


def _merge(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for lo, hi in sorted(ranges):
        if merged and lo <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(hi, merged[-1][1]))
        else:
            merged.append((lo, hi))
    return tuple(merged)


def _from_coordinates(text: str, axes: Axes) -> IndexSet:
    wanted: dict[str, int] = {}
    names = [name for name, _ in axes]
    for piece in text.split(","):
        name, _, value = piece.partition("=")
        name = name.strip()
        if name not in names or not value.strip().isdigit():
            raise UserError(
                msg(
                    "Coordinates '{text}' are not understood; expected axis=number with the axes {axes}.",
                    text=text,
                    axes=", ".join(names) or "(none)",
                )
            )
        wanted[name] = int(value)
    indices = [0]
    for name, size in axes:
        steps = [wanted[name]] if name in wanted else list(range(size))
        if any(step >= size for step in steps):
            raise UserError(
                msg("Coordinate {axis}={value} is outside 0-{last}.", axis=name, value=wanted[name], last=size - 1)
            )
        indices = [i * size + step for i in indices for step in steps]
    return IndexSet.of(indices)


def coordinates(index: int, axes: Axes) -> dict[str, int]:
    """Axis values of a member index (row-major)."""
    out: dict[str, int] = {}
    for name, size in reversed(axes):
        index, out[name] = divmod(index, size)
    return dict(reversed(out.items()))
