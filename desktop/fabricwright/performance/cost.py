"""What one (algorithm, protocol) takes, as sums and maxima of few calibrated values.

    T = F + L + X + 2 rho sqrt(L X)        X = size x seconds per byte

F host launch; L dependent steps and set-up; X the busiest link; the square root is
what a pipeline of depth L loses with finite chunks (rho = 1 would be the textbook optimum-chunk pipeline).

``Terms`` holds what the layout says (how many steps of which kind, how many seconds per byte at line rate on links of
which kind); a calibration turns it into numbers. The fit (``calibrate``) works on the same terms, so what is fitted is
what the window shows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.calibration import Calibration

F64 = NDArray[np.float64]
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """``amount`` times (or, for a demand, divided by) the product of calibrated values ``names``."""

    amount: float
    names: Names = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """``launch`` and ``latency`` are sums of terms in seconds (times in a calibration are microseconds, hence
    ``fixed_s`` apart). ``demands``: per phase the seconds per byte at line rate of the busiest link of every kind, to
    be divided by the efficiencies; a phase takes the largest, phases add up.
    """

    launch: tuple[Term, ...]
    latency: tuple[Term, ...]
    fixed_s: float
    demands: tuple[tuple[Term, ...], ...]

    def launch_s(self, calibration: Calibration) -> float:
        """F."""
        return 1e-6 * sum(t.amount * _product(t.names, calibration) for t in self.launch)

    def latency_s(self, calibration: Calibration) -> float:
        """L."""
        return self.fixed_s + 1e-6 * sum(t.amount * _product(t.names, calibration) for t in self.latency)

    def seconds_per_byte(self, calibration: Calibration) -> float:
        """X / size."""
        return sum(
            max((t.amount / _product(t.names, calibration) for t in phase), default=0.0) for phase in self.demands
        )


def _product(names: Sequence[str], calibration: Calibration) -> float:
    return math.prod(calibration.value(name) for name in names)


def operation_s(launch_s: F64, latency_s: F64, transfer_s: F64, rho: float) -> F64:
    """T."""
    total: F64 = launch_s + latency_s + transfer_s + 2 * rho * np.sqrt(latency_s * transfer_s)
    return total
