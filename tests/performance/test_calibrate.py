"""The cost terms by hand, and the fit on points that are made, so that the values are known."""

import numpy as np
import pytest

from fabricwright.performance.calibrate import Prior, Problem, Sample
from fabricwright.performance.calibration import Calibration, Constant
from fabricwright.performance.cost import Term, Terms, operation_s

VALUES = {"a.launch": 6.0, "a.step": 3.0, "a.link": 0.8, "a.share": 0.5, "pipeline.rho": 0.15}


def calibration(**changed):
    values = VALUES | {name.replace("__", "."): value for name, value in changed.items()}
    return Calibration("test", {name: Constant(value, "test") for name, value in values.items()})


def terms(steps=14.0, per_byte=1 / 450e9):
    return Terms(
        launch=(Term(1.0, ("a.launch",)),),
        latency=(Term(steps, ("a.step",)),),
        fixed_s=1e-6,
        demands=((Term(per_byte, ("a.link",)), Term(per_byte / 4, ("a.link", "a.share"))),),
    )


def test_terms_add_up():
    # launch 6 us; 1 us and 14 steps of 3 us; the first link takes 1/0.8, the second (1/4)/(0.8 x 0.5): the first binds
    found = terms()
    assert found.launch_s(calibration()) == pytest.approx(6e-6)
    assert found.latency_s(calibration()) == pytest.approx(1e-6 + 42e-6)
    assert found.seconds_per_byte(calibration()) == pytest.approx(1 / 450e9 / 0.8)
    # with a share of 0.1 the second binds: (1/4) / 0.08
    assert found.seconds_per_byte(calibration(a__share=0.1)) == pytest.approx(1 / 450e9 / 4 / 0.08)


def test_operation_time():
    # F + L + X + 2 rho sqrt(L X) = 5 + 40 + 90 + 2 x 0.15 x 60
    found = operation_s(np.array([5.0]), np.array([40.0]), np.array([90.0]), 0.15)
    assert found[0] == pytest.approx(5 + 40 + 90 + 18)


def made(values, steps=(2.0, 6.0, 14.0, 30.0), sizes=(8.0, 1e4, 1e6, 1e8, 1e10)):
    truth = calibration(**{name.replace(".", "__"): value for name, value in values.items()})
    out = []
    for count in steps:
        for size in sizes:
            one = terms(count)
            parts = np.array([one.launch_s(truth)]), np.array([one.latency_s(truth)])
            time_s = operation_s(*parts, np.array([size * one.seconds_per_byte(truth)]), truth.value("pipeline.rho"))
            out.append(Sample(one, size, float(time_s[0]), 1.0, 0.05))
    return out


def priors(sigma=1.0, **changed):
    return {name: Prior(changed.get(name.replace(".", "__"), value), sigma) for name, value in VALUES.items()}


def test_the_fit_finds_the_values_that_made_the_points():
    truth = {"a.launch": 9.0, "a.step": 2.0, "a.link": 0.7, "pipeline.rho": 0.3}
    names = list(VALUES)
    problem = Problem(made(truth), names)
    found = dict(zip(names, np.exp(problem.fit(priors(sigma=5.0))), strict=True))
    for name, value in truth.items():
        assert found[name] == pytest.approx(value, rel=0.02)
    assert np.abs(problem.residuals(np.log([found[n] for n in names]))).max() < 1e-2


def test_a_value_without_points_keeps_its_prior():
    # the second link never binds, so nothing is known about the share
    problem = Problem(made({}), list(VALUES))
    found = np.exp(problem.fit(priors()))
    assert found[list(VALUES).index("a.share")] == pytest.approx(0.5)


def test_a_held_value_stays():
    held = priors() | {"a.step": Prior(3.0, 0.0)}
    problem = Problem(made({"a.step": 6.0}), list(VALUES))
    assert np.exp(problem.fit(held))[1] == pytest.approx(3.0)


def test_one_wild_point_moves_the_fit_little():
    points = made({})
    wild = points[7]
    spoilt = [*points[:7], Sample(wild.terms, wild.n_bytes, wild.time_s * 20, 1.0, 0.05), *points[8:]]
    found = np.exp(Problem(spoilt, list(VALUES)).fit(priors()))
    assert found[2] == pytest.approx(0.8, rel=0.02)


def test_left_out_points_do_not_count():
    points = made({}) + made({"a.link": 0.4})
    keep = np.arange(len(points)) < len(points) // 2
    found = np.exp(Problem(points, list(VALUES)).fit(priors(), keep))
    assert found[2] == pytest.approx(0.8, rel=1e-3)
