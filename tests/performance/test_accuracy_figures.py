"""The documented figures hold: shipped values are what the fit gives, left-out errors are not worse than stated."""

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from fabricwright.performance.calibration import load_calibration
from fabricwright.performance.measured.crossval import bands, fit_entries, nested
from fabricwright.performance.measured.entries import load_measured
from fabricwright.performance.measured.hardware import FABRICS, hardware_of
from fabricwright.performance.measured.request import LAUNCH
from fabricwright.performance.measured.score import CLASSES, score
from fabricwright.resources import resource_path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "collectives.json"
STATED = json.loads((ROOT / "docs" / "accuracy" / "figures.json").read_text("utf-8"))
SLACK = 0.15
"""Percent points that another machine's arithmetic and the rounding of the page may cost."""


@pytest.fixture(scope="module")
def entries():
    return load_measured(DATA)


@pytest.fixture(scope="module")
def fitted(entries):
    return fit_entries(entries)


def test_words_of_the_measurements_are_those_that_are_read(entries):
    """A word that is misspelt would be taken as not stated, or its entry as not scored."""
    for entry in entries:
        _, notes = hardware_of(entry)
        told = [note.template for note in notes if note.params.get("word") not in (None, "", "n/a", "unknown")]
        assert told == [], (entry.id, [note.english() for note in notes])
        assert entry.word("use") in ("ok", "degraded", "shape-only"), entry.id
        assert entry.word("launch") in ("unknown", *LAUNCH), entry.id
        assert entry.word("fabric_kind") in ("none", *FABRICS), entry.id


def test_shipped_values_are_what_the_fit_gives(fitted):
    shipped = load_calibration().constants
    assert set(shipped) == set(fitted.values)
    for name, value in fitted.values.items():
        assert shipped[name].value == pytest.approx(value, rel=2e-3), name


def test_shipped_bands_are_what_the_fit_gives(fitted):
    with resource_path("calibration", "band.toml").open("rb") as stream:
        shipped = tomllib.load(stream)
    for group, band in bands(fitted).items():
        assert [row["down"] for row in shipped[group].values()] == pytest.approx(list(band.down), abs=5e-3)
        assert [row["up"] for row in shipped[group].values()] == pytest.approx(list(band.up), abs=5e-3)


@pytest.mark.parametrize("name", [*(n for n, _ in CLASSES), "all"])
def test_errors_are_not_worse_than_stated(fitted, name):
    here = np.ones(len(fitted.full), dtype=bool) if name == "all" else fitted.classes == name
    for table, residual in (("in sample", fitted.full), ("left out", fitted.left_out)):
        off = 100 * np.abs(np.expm1(residual[here]))
        assert float(np.median(off)) <= STATED[table][name]["median"] + SLACK
        assert float(np.quantile(off, 0.9)) <= STATED[table][name]["p90"] + 4 * SLACK


def test_nine_of_ten_left_out_points_lie_in_the_band(fitted):
    inside, _ = nested(fitted)
    large = fitted.sizes > 1 << 20
    assert 100 * inside[large].mean() >= STATED["left out"]["from 1 MiB"]["in_band"] - SLACK
    assert STATED["left out"]["from 1 MiB"]["in_band"] >= 90.0


def test_the_command_scores_what_the_fit_scores(entries, fitted):
    # the window's path (design, compile, predict) and the fit's path (terms) are the same model
    found = score(entries)["all"]
    assert found["n"] == len(fitted.full)
    assert 100 * found["median_abs"] == pytest.approx(STATED["in sample"]["all"]["median"], abs=SLACK)
