"""Who sends to whom between servers in one phase, before it is routed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sends:
    """Parallel arrays: position and port of sender and receiver, bytes per byte of ``size``."""

    src: I64
    src_port: I64
    dst: I64
    dst_port: I64
    amount: F64

    @staticmethod
    def none() -> Sends:
        """No sends."""
        empty = np.zeros(0, dtype=np.int64)
        return Sends(empty, empty, empty, empty, np.zeros(0))

    @staticmethod
    def join(parts: Sequence[Sends]) -> Sends:
        """All sends of several."""
        if not parts:
            return Sends.none()
        return Sends(
            np.concatenate([p.src for p in parts]),
            np.concatenate([p.src_port for p in parts]),
            np.concatenate([p.dst for p in parts]),
            np.concatenate([p.dst_port for p in parts]),
            np.concatenate([p.amount for p in parts]),
        )

    def reverse(self) -> Sends:
        """The same bytes the other way."""
        return Sends(self.dst, self.dst_port, self.src, self.src_port, self.amount)


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """The flows behind a phase's load on the fabric, for routing that depends on them one by one.

    ``make`` gives them (bytes per byte of the unit load); None where they are too many to list (everybody to
    everybody), then ``each`` is what one flow carries. Equal ``key`` means equal flows on one layout.
    """

    key: str
    make: Callable[[], Sends] | None = None
    each: float = 0.0
