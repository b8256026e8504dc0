"""Fits calibrated values to measured times: robust least squares of ln(predicted / measured), drawn towards priors.

Which algorithm and protocol a point takes is NCCL's belief and depends on nothing fitted, so every point is one smooth
expression in the values (``cost.Terms``). Values are positive and fitted as logarithms; each is held by its prior with
a standard deviation. numpy only, no randomness: the same points give the same values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.cost import Term, Terms, operation_s

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
RHO = "pipeline.rho"


@dataclass(frozen=True, slots=True)
class Prior:
    """Value before the fit and the standard deviation of its logarithm; 0 = held."""

    value: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Sample:
    """One measured point with the terms of what NCCL takes there. ``weight`` of its squared residual, ``scale``
    residual (of the logarithm) that counts as ordinary at that size.
    """

    terms: Terms
    n_bytes: float
    time_s: float
    weight: float
    scale: float


class _Sums:
    """Terms of many points as arrays: for each point the sum of amount x product of values (or its quotient)."""

    def __init__(self, rows: Sequence[Sequence[Term]], names: Mapping[str, int], sign: float) -> None:
        self.owner: I64 = np.array([i for i, row in enumerate(rows) for _ in row], dtype=np.int64)
        terms = [t for row in rows for t in row]
        self.log: F64 = np.array([np.log(t.amount) if t.amount > 0 else -np.inf for t in terms], dtype=np.float64)
        self.use: F64 = np.zeros((len(terms), len(names)))
        for n, term in enumerate(terms):
            for name in term.names:
                self.use[n, names[name]] += sign
        self.n = len(rows)

    def each(self, theta: F64) -> F64:
        """Every term's value."""
        out: F64 = np.exp(self.log + self.use @ theta)
        return out

    def total(self, theta: F64) -> F64:
        """Sum per point."""
        return np.bincount(self.owner, weights=self.each(theta), minlength=self.n).astype(np.float64)

    def largest(self, theta: F64) -> F64:
        """Largest per row."""
        out = np.zeros(self.n)
        np.maximum.at(out, self.owner, self.each(theta))
        return out


class Problem:
    """All samples as arrays over the logarithms of the values ``names``."""

    def __init__(self, samples: Sequence[Sample], names: Sequence[str]) -> None:
        index = {name: n for n, name in enumerate(names)}
        self.names = tuple(names)
        self.launch = _Sums([s.terms.launch for s in samples], index, 1.0)
        self.latency = _Sums([s.terms.latency for s in samples], index, 1.0)
        phases = [(n, phase) for n, s in enumerate(samples) for phase in s.terms.demands]
        self.phase_owner = np.array([n for n, _ in phases], dtype=np.int64)
        self.demand = _Sums([phase for _, phase in phases], index, -1.0)
        self.fixed = np.array([s.terms.fixed_s for s in samples], dtype=np.float64)
        self.size = np.array([s.n_bytes for s in samples], dtype=np.float64)
        self.measured = np.log([s.time_s for s in samples])
        self.weight = np.sqrt(np.array([s.weight for s in samples], dtype=np.float64))
        self.scale = np.array([s.scale for s in samples], dtype=np.float64)
        self.rho = index[RHO]

    def residuals(self, theta: F64) -> F64:
        """ln(predicted / measured) of every sample."""
        launch = 1e-6 * self.launch.total(theta)
        latency = self.fixed + 1e-6 * self.latency.total(theta)
        per_byte = np.bincount(self.phase_owner, weights=self.demand.largest(theta), minlength=len(self.size))
        rho = float(np.exp(theta[self.rho]))
        out: F64 = np.log(operation_s(launch, latency, per_byte * self.size, rho)) - self.measured
        return out

    def _loss(self, theta: F64, keep: NDArray[np.bool_]) -> F64:
        """Weighted residuals under a pseudo-Huber loss: quadratic up to ``scale``, linear beyond."""
        r = self.residuals(theta)[keep] / self.scale[keep]
        out: F64 = np.sign(r) * np.sqrt(2 * (np.sqrt(1 + r * r) - 1)) * self.weight[keep]
        return out

    def fit(
        self,
        priors: Mapping[str, Prior],
        keep: NDArray[np.bool_] | None = None,
        start: F64 | None = None,
        rounds: int = 40,
    ) -> F64:
        """Logarithms of the values by Levenberg-Marquardt, from ``start`` (the priors by default)."""
        used = np.ones(len(self.size), dtype=bool) if keep is None else keep
        centre = np.log([priors[n].value for n in self.names])
        sigma = np.array([priors[n].sigma for n in self.names])
        free = np.flatnonzero(sigma > 0)
        theta = (centre if start is None else start).copy()

        def residual(t: F64) -> F64:
            return np.concatenate((self._loss(t, used), (t[free] - centre[free]) / sigma[free]))

        value = residual(theta)
        damping = 1e-2
        for _ in range(rounds):
            jacobian = np.empty((len(value), len(free)))
            for column, p in enumerate(free):
                moved = theta.copy()
                moved[p] += 1e-4
                jacobian[:, column] = (residual(moved) - value) / 1e-4
            gradient, hessian = jacobian.T @ value, jacobian.T @ jacobian
            better = False
            for _ in range(8):
                step = np.linalg.solve(hessian + damping * np.diag(np.diag(hessian)), -gradient)
                trial = theta.copy()
                trial[free] += step
                after = residual(trial)
                if after @ after < value @ value:
                    gain = value @ value - after @ after
                    theta, value, better = trial, after, bool(gain > 1e-6 * (value @ value))
                    damping = max(damping / 4, 1e-6)
                    break
                damping *= 4
            if not better:
                break
        return theta
