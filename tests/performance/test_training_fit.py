"""The fit of the step's constants finds what made the times, and a group that is left out is predicted unseen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fabricwright.performance.calibrate import Prior
from fabricwright.performance.training.measured.fit import (
    Books,
    Sample,
    constants_from,
    fit,
    left_out,
    priors,
    samples_of,
    weights_of,
)
from fabricwright.performance.training.measured.rows import case_of, load_rows

DATA = Path(__file__).parents[1] / "data" / "training.json"
KNOWN, _ = priors()
START = constants_from({name: prior.value for name, prior in KNOWN.items()})


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    """Some measured runs of several sources: every twentieth."""
    cases = [case_of(row, START) for row in load_rows(DATA)]
    found = samples_of([case for case in cases if case.known][::20][:14], Books())
    assert len({s.source for s in found}) > 1
    return found


def test_the_fit_finds_the_value_that_made_the_times(samples: list[Sample]) -> None:
    """Times made with a memory rate 20 % below its prior: the fit, free in that one constant only, finds it."""
    name = "memory.rate"
    value = KNOWN[name].value
    truth = constants_from({n: p.value for n, p in KNOWN.items()} | {name: 0.8 * value})
    made = [replace(s, case=replace(s.case, measured_s=s.step(truth).total_s)) for s in samples]
    loose = {n: Prior(p.value, 0.0) for n, p in KNOWN.items()} | {name: Prior(value, 10.0)}
    found = fit(made, loose)
    assert found[name] == pytest.approx(0.8 * value, rel=1e-3)
    assert {n: v for n, v in found.items() if n != name} == {n: p.value for n, p in KNOWN.items() if n != name}


def test_a_group_that_is_left_out_is_predicted_unseen(samples: list[Sample]) -> None:
    held = {n: Prior(p.value, 0.0) for n, p in KNOWN.items()} | {"memory.rate": Prior(KNOWN["memory.rate"].value, 0.3)}
    errors = left_out(samples, held, lambda sample: sample.source)
    first = samples[0]
    rest = [s for s in samples if s.source != first.source]
    alone = constants_from(fit(rest, held))
    assert errors.shape == (len(samples),)
    assert errors[0] == pytest.approx(np.log(first.step(alone).total_s / first.case.measured_s))


def test_many_rows_of_one_source_do_not_outweigh_one(samples: list[Sample]) -> None:
    """Weight 1 / sqrt(n) each: n rows of a source and GPU count as sqrt(n)."""
    one, other = samples[0], next(s for s in samples if s.source != samples[0].source)
    assert weights_of([one, one, one, one, other]).tolist() == [0.5, 0.5, 0.5, 0.5, 1.0]


def test_a_capped_gpu_is_slower(samples: list[Sample]) -> None:
    capped = replace(samples[0], case=replace(samples[0].case, cap=0.5))
    assert capped.step(START).total_s > replace(samples[0], case=replace(samples[0].case, cap=1.0)).step(START).total_s
