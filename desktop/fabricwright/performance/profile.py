"""A site's own constants: the shipped ones moved as far as the site's measurements ask for.

Every value that has a say in the measured points is fitted with the shipped value as its prior (standard deviation of
its logarithm ``SIGMA``), so that a few points move what they show and leave the rest alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.calibrate import RHO, Prior, Problem, Sample
from fabricwright.performance.calibration import load_calibration
from fabricwright.performance.choose import evaluate
from fabricwright.performance.plans import PlanBook
from fabricwright.performance.predict import PredictRequest, prepare
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

F64 = NDArray[np.float64]
SIGMA = 0.25
"""A value may differ from the shipped one by a quarter before the prior speaks up (about the spread between sites)."""
SCALE = 0.05
"""Residual of the logarithm that counts as ordinary between runs of one site."""
LIMITS = (0.05, 20.0)
"""A fitted value outside these multiples of the shipped one is no calibration but another machine."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One measured curve on a cluster: sizes in bytes, seconds."""

    book: PlanBook
    request: PredictRequest
    sizes: tuple[int, ...]
    times_s: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Fit:
    """``values`` that moved, by name; ln(predicted / measured) of every point before and after, as given."""

    values: Mapping[str, float]
    before: F64
    after: F64


def fit_profile(curves: Sequence[Measured]) -> Fit:
    """Fit the values that the curves depend on. ``UserError`` when there is nothing to fit or the fit runs away."""
    shipped = load_calibration()
    samples: list[Sample] = []
    for curve in curves:
        prepared = prepare(curve.book, curve.request)
        choice = evaluate(prepared, np.array(curve.sizes, dtype=np.float64)).choice
        for n, (n_bytes, time_s) in enumerate(zip(curve.sizes, curve.times_s, strict=True)):
            terms = prepared.candidates[int(choice[n])].terms
            if terms is not None:
                samples.append(Sample(terms, float(n_bytes), time_s, 1.0, SCALE))
    if not samples:
        raise UserError(msg("There is no measured point to fit."))
    names = sorted({name for s in samples for name in _named(s)} | {RHO})
    priors = {name: Prior(shipped.value(name), SIGMA) for name in names}
    problem = Problem(samples, names)
    start = np.log([priors[name].value for name in names])
    theta = problem.fit(priors)
    moved = {name: float(np.exp(t)) for name, t in zip(names, theta, strict=True)}
    for name, value in moved.items():
        if not LIMITS[0] < value / shipped.value(name) < LIMITS[1]:
            raise UserError(
                msg(
                    "The log asks for {name} {times} times the usual; it does not fit this design.",
                    name=name,
                    times=round(value / shipped.value(name), 2),
                )
            )
    changed = {n: v for n, v in moved.items() if abs(np.log(v / shipped.value(n))) > 1e-3}
    return Fit(changed, problem.residuals(start), problem.residuals(theta))


def _named(sample: Sample) -> set[str]:
    terms = [*sample.terms.launch, *sample.terms.latency, *(t for phase in sample.terms.demands for t in phase)]
    return {name for term in terms for name in term.names}
