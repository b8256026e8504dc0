"""All lines of a scene in plain arrays, and the list they are collected in. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]


class EdgeList:
    """Collects edges and makes the arrays."""

    def __init__(self) -> None:
        self._links: dict[str, int] = {}
        self._rows: list[tuple[int, int, int, int, int, int, float, bool]] = []
        self._points: list[tuple[float, float]] = []
        self._indptr: list[int] = [0]

    def add(
        self,
        link: str,
        a: int,
        b: int,
        kind: str,
        points: Sequence[tuple[float, float]],
        *,
        rail: int = -1,
        count: int = 1,
        load: float | None = None,
        built_in: bool = False,
    ) -> None:
        """One line from card ``a`` to card ``b`` through ``points``."""
        index = self._links.setdefault(link, len(self._links))
        self._rows.append(
            (index, a, b, KINDS.index(kind), rail, count, float("nan") if load is None else load, built_in)
        )
        self._points.extend(points)
        self._indptr.append(len(self._points))

    def __len__(self) -> int:
        return len(self._rows)

    def arrays(self) -> Edges:
        """The finished table."""
        if not self._rows:
            return Edges()
        columns = list(zip(*self._rows, strict=True))
        return Edges(
            list(self._links),
            np.array(columns[0], np.int32),
            np.array(columns[1], np.int32),
            np.array(columns[2], np.int32),
            np.array(columns[3], np.int8),
            np.array(columns[4], np.int16),
            np.array(columns[5], np.int32),
            np.array(columns[6], np.float32),
            np.array(self._indptr, np.int32),
            np.array(self._points, np.float32).reshape(-1, 2),
            np.array(columns[7], np.bool_),
        )


KINDS = ("compute", "storage", "mgmt", "pcie", "upi", "cxl", "nvlink", "dmi")


@dataclass(slots=True)
class Edges:
    """All lines: ``link`` index into ``links`` (row ids), ends as card indices, polyline points in CSR form.

    ``rail`` -1 = none; ``load`` NaN = not analysed; ``lanes`` 2 draws a bundle as two parallel lines; ``built_in`` =
    not a stored row.
    """

    links: list[str] = field(default_factory=list)
    link: I32 = field(default_factory=lambda: np.zeros(0, np.int32))
    a: I32 = field(default_factory=lambda: np.zeros(0, np.int32))
    b: I32 = field(default_factory=lambda: np.zeros(0, np.int32))
    kind: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))
    rail: NDArray[np.int16] = field(default_factory=lambda: np.zeros(0, np.int16))
    count: I32 = field(default_factory=lambda: np.zeros(0, np.int32))
    load: F32 = field(default_factory=lambda: np.zeros(0, np.float32))
    indptr: I32 = field(default_factory=lambda: np.zeros(1, np.int32))
    points: F32 = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    built_in: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    memo: dict[object, object] = field(default_factory=dict)
    _boxes: F32 | None = None
    _segments: tuple[F32, I32] | None = None

    def __len__(self) -> int:
        return len(self.link)

    def numbers(self) -> dict[str, int]:
        """Index into ``links`` by row id."""
        if "numbers" not in self.memo:
            self.memo["numbers"] = {name: n for n, name in enumerate(self.links)}
        return self.memo["numbers"]  # type: ignore[return-value]

    def polyline(self, index: int) -> F32:
        """Points of one edge, shape (n, 2)."""
        return self.points[self.indptr[index] : self.indptr[index + 1]]

    def boxes(self) -> F32:
        """Bounding boxes x0, y0, x1, y1, shape (n, 4)."""
        if self._boxes is None:
            if len(self) == 0:
                self._boxes = np.zeros((0, 4), np.float32)
            else:
                starts = self.indptr[:-1]
                low = np.minimum.reduceat(self.points, starts, axis=0)
                high = np.maximum.reduceat(self.points, starts, axis=0)
                self._boxes = np.concatenate([low, high], axis=1)
        return self._boxes

    def sides(self) -> tuple[F32, F32, F32, F32]:
        """Left, top, right and lower ends of the bounding boxes, float32(n) each."""
        found = self.memo.get("sides")
        if found is None:
            found = self.memo["sides"] = tuple(np.ascontiguousarray(column) for column in self.boxes().T)
        return found  # type: ignore[return-value]

    def segments(self) -> tuple[F32, I32]:
        """Every straight piece as x0, y0, x1, y1 (m, 4) and the edge it belongs to (m,)."""
        if self._segments is None:
            n = len(self.points)
            owner = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.indptr))
            inner = np.ones(max(n - 1, 0), np.bool_)
            if len(self) > 1:
                inner[self.indptr[1:-1] - 1] = False
            pieces = (
                np.concatenate([self.points[:-1], self.points[1:]], axis=1)[inner]
                if n > 1
                else np.zeros((0, 4), np.float32)
            )
            self._segments = (pieces.astype(np.float32), owner[:-1][inner] if n > 1 else np.zeros(0, np.int32))
        return self._segments
