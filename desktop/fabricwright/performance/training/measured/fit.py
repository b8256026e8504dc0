"""Fit the constants of the step on measured runs, and check them with whole sources and systems left out.

Residual: ln(predicted / measured) under a pseudo-Huber loss, constants in log space drawn towards their priors
(resources/calibration/training_priors.toml). Rows that state the same facts count together as one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.calibrate import Prior
from fabricwright.performance.calibration import Calibration, Constant
from fabricwright.performance.measured.design import compiled
from fabricwright.performance.training.gpu import Gpu
from fabricwright.performance.training.groups import Groups
from fabricwright.performance.training.measured.rows import Case
from fabricwright.performance.training.step import StepTime, Traffics, step_time, traffics
from fabricwright.resources import resource_path
from fabricwright.units.errors import UserError

F64 = NDArray[np.float64]
SCALE = 0.08
STEP = 1e-3


@dataclass(slots=True)
class Books:
    """Groups by hardware, shared by the rows of a file."""

    _known: dict[object, Groups] = field(default_factory=dict)

    def open(self, case: Case) -> Groups:
        """Groups of the cluster that a case states."""
        assert case.hardware is not None
        if case.hardware not in self._known:
            settings: dict[str, str] = {}
            if case.hardware.fabric:
                settings["network.transport"] = case.hardware.fabric
            self._known[case.hardware] = Groups(compiled(case.hardware, settings))
        return self._known[case.hardware]


@dataclass(frozen=True, slots=True)
class Sample:
    """A case with its collectives predicted; what is left depends on the constants alone."""

    case: Case
    sent: Traffics
    source: str
    system: str

    def step(self, constants: Calibration) -> StepTime:
        """The step under given constants."""
        case = self.case
        assert case.shape is not None and case.plan is not None and case.gpu is not None
        return step_time(case.shape, case.plan, capped(case, constants), self.sent, constants, case.plan.ranks)


def capped(case: Case, constants: Calibration) -> Gpu:
    """The GPU under a power cap: rates fall with a power of the watts."""
    assert case.gpu is not None
    if case.cap >= 1:
        return case.gpu
    slow = case.cap ** constants.value("power.exponent")
    return replace(case.gpu, best_bf16=case.gpu.best_bf16 * slow, best_fp8=case.gpu.best_fp8 * slow)


def sample_of(case: Case, books: Books) -> Sample:
    """Predict the collectives of a case. ``UserError`` when its network cannot carry them."""
    assert case.shape is not None and case.plan is not None
    sent = traffics(case.shape, case.plan, books.open(case))
    return Sample(case, sent, str(case.row.get("source") or ""), str(case.row.get("gpu") or ""))


def samples_of(cases: Sequence[Case], books: Books | None = None) -> list[Sample]:
    """All cases that can be predicted and have a measured time."""
    known = books or Books()
    out = []
    for case in cases:
        if case.known and case.measured_s > 0:
            try:
                out.append(sample_of(case, known))
            except UserError:
                continue
    return out


def priors() -> tuple[dict[str, Prior], dict[str, Mapping[str, object]]]:
    """Priors by dotted name, and the rows as written."""
    with resource_path("calibration", "training_priors.toml").open("rb") as stream:
        tables = tomllib.load(stream)
    rows = {f"{s}.{n}": row for s, part in tables.items() if isinstance(part, dict) for n, row in part.items()}
    return {name: Prior(float(row["value"]), float(row["sigma"])) for name, row in rows.items()}, rows


def constants_from(values: Mapping[str, float]) -> Calibration:
    """Constants of a fit."""
    return Calibration("fit", {name: Constant(value, "") for name, value in values.items()})


def weights_of(samples: Sequence[Sample]) -> F64:
    """Weight of each row: one over the square root of how many its source and GPU have."""
    keys = [(s.source, s.system) for s in samples]
    return np.array([keys.count(k) ** -0.5 for k in keys])


def fit(samples: Sequence[Sample], known: Mapping[str, Prior], rounds: int = 12) -> dict[str, float]:
    """Values by Levenberg-Marquardt from the priors."""
    names = [n for n in known if known[n].sigma > 0]
    centre = np.log([known[n].value for n in names])
    sigma = np.array([known[n].sigma for n in names])
    fixed = {n: known[n].value for n in known if known[n].sigma <= 0}
    measured = np.log([s.case.measured_s for s in samples])
    weight = np.sqrt(weights_of(samples))

    def values(theta: F64) -> dict[str, float]:
        return fixed | dict(zip(names, np.exp(theta).tolist(), strict=True))

    def residual(theta: F64) -> F64:
        constants = constants_from(values(theta))
        r = (np.log([s.step(constants).total_s for s in samples]) - measured) / SCALE
        loss = np.sign(r) * np.sqrt(2 * (np.sqrt(1 + r * r) - 1)) * weight
        return np.concatenate((loss, (theta - centre) / sigma))

    theta = _minimise(residual, centre, rounds)
    return values(theta)


def _minimise(residual: Callable[[F64], F64], start: F64, rounds: int) -> F64:
    theta = start.copy()
    value, damping = residual(theta), 1e-2
    for _ in range(rounds):
        jacobian = np.empty((len(value), len(theta)))
        for p in range(len(theta)):
            moved = theta.copy()
            moved[p] += STEP
            jacobian[:, p] = (residual(moved) - value) / STEP
        gradient, hessian = jacobian.T @ value, jacobian.T @ jacobian
        for _ in range(6):
            trial = theta - np.linalg.solve(hessian + damping * np.diag(np.diag(hessian)), gradient)
            after = residual(trial)
            if after @ after < value @ value:
                gain = 1 - (after @ after) / (value @ value)
                theta, value, damping = trial, after, max(damping / 4, 1e-6)
                break
            damping *= 4
        else:
            return theta
        if gain < 1e-5:
            return theta
    return theta


def left_out(samples: Sequence[Sample], known: Mapping[str, Prior], by: Callable[[Sample], str]) -> F64:
    """ln(predicted / measured) of every sample by a fit that has not seen any sample of its ``by`` group."""
    groups = [by(s) for s in samples]
    out = np.zeros(len(samples))
    for name in dict.fromkeys(groups):
        rest = [s for s, g in zip(samples, groups, strict=True) if g != name]
        constants = constants_from(fit(rest, known))
        for n, (sample, group) in enumerate(zip(samples, groups, strict=True)):
            if group == name:
                out[n] = np.log(sample.step(constants).total_s / sample.case.measured_s)
    return out
