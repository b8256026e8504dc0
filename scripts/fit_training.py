"""Fit the constants of the training step, check them with sources and systems left out, make its bands.

    python scripts/fit_training.py            write resources/calibration/training.toml and docs/accuracy/training.json
    python scripts/fit_training.py --check    write nothing; exit 1 when the files are not what this would write

The only data are tests/data/training.json; what is assumed before them is resources/calibration/training_priors.toml.
No randomness. Sources and GPU names serve to form the groups that are left out and for nothing else.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.training.measured.fit import (
    Books,
    Sample,
    constants_from,
    fit,
    left_out,
    priors,
    samples_of,
)
from fabricwright.performance.training.measured.rows import Case, case_of, load_rows

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data" / "training.json"
TARGET = ROOT / "resources" / "calibration" / "training.toml"
FIGURES = ROOT / "docs" / "accuracy" / "training.json"
F64 = NDArray[np.float64]
QUANTILE = 0.9


def source_of(sample: Sample) -> str:
    """Publication or repository of a row: its source up to the first blank or bracket; arXiv papers by number."""
    words = re.split(r"[ (,]", sample.source)
    return " ".join(words[:2]) if words[0] == "arXiv" else words[0]


def system_of(sample: Sample) -> str:
    """GPU of a row as its source writes it."""
    return sample.system


def main() -> int:
    """Fit, check, write."""
    parser = argparse.ArgumentParser(description="Fit the training step.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail when the files differ")
    options = parser.parse_args()
    known, rows = priors()
    start = constants_from({n: p.value for n, p in known.items()})
    cases = [case_of(row, start) for row in load_rows(DATA)]
    samples = samples_of(cases, Books())
    say_not_fitted(cases, samples)
    values = fit(samples, known)
    fitted = constants_from(values)
    inside = errors_of(samples, lambda s: s.step(fitted).total_s)
    by_source = left_out(samples, known, source_of)
    by_system = left_out(samples, known, system_of)
    by_both = left_out(samples, known, lambda s: f"{source_of(s)} | {system_of(s)}")
    sparse = np.array([bool(s.case.shape and s.case.shape.experts) for s in samples])
    bands = {"dense": limits(by_source[~sparse]), "experts": limits(by_source[sparse])}
    text = toml_text(values, rows, bands)
    figures = figures_of(samples, inside, by_source, by_system, by_both, sparse)
    wanted = {TARGET: text, FIGURES: json.dumps(figures, indent=1) + "\n"}
    stale = [p for p, t in wanted.items() if not p.exists() or p.read_text("utf-8") != t]
    for path in stale:
        if not options.check:
            path.write_text(wanted[path], encoding="utf-8")
        print(f"{'stale' if options.check else 'wrote'} {path.relative_to(ROOT)}")
    print(json.dumps(figures["all"], indent=1))
    if options.check and stale:
        print("run `make fit`", file=sys.stderr)
    return 1 if options.check and stale else 0


def say_not_fitted(cases: Sequence[Case], samples: Sequence[Sample]) -> None:
    """How many rows the fit knows, and why it does not know the others."""
    fitted = {sample.case.id for sample in samples}
    print(f"{len(cases)} rows, {len(samples)} fitted")
    for case in cases:
        if case.id not in fitted:
            why = "its network cannot carry the plan" if case.measured_s else "no measured step time"
            why = case.problem.english() if case.problem else why
            print(f"not fitted: {case.id}: {why}")


def errors_of(samples: Sequence[Sample], predict: Callable[[Sample], float]) -> F64:
    """ln(predicted / measured)."""
    return np.log([predict(s) / s.case.measured_s for s in samples])


def limits(error: F64) -> tuple[float, float]:
    """(down, up) of ln(measured / predicted): one-sided quantiles, at least 3 %."""
    ratio = -error
    down, up = -ratio[ratio < 0], ratio[ratio > 0]
    return tuple(max(float(np.quantile(side, QUANTILE)) if len(side) else 0.03, 0.03) for side in (down, up))  # type: ignore[return-value]


def toml_text(values: dict[str, float], rows: dict[str, object], bands: dict[str, tuple[float, float]]) -> str:
    """The calibration file."""
    lines = [
        "# Constants of the training step. Written by scripts/fit_training.py (`make fit`) from",
        "# tests/data/training.json and training_priors.toml; sources there say what each means and",
        "# what it was before the fit.",
        'title = "training step"',
        "",
    ]
    section = ""
    for name in rows:
        value = values[name]
        head, _, key = name.partition(".")
        row = rows[name]
        assert isinstance(row, dict)
        if head != section:
            lines += [*([""] if section else []), f"[{head}]"]
            section = head
        fixed = float(row["sigma"]) <= 0
        source = f"{row['source']}; {'not fitted' if fixed else 'prior ' + format(float(row['value']), 'g')}"
        lines.append(
            f"{key} = {{ value = {value:.6g}, source = {json.dumps(source)}, estimate = {str(fixed).lower()} }}"
        )
    lines += ["", "[band]"]
    for kind, (down, up) in bands.items():
        source = json.dumps(f"90 % of left-out sources lie within, {kind} models")
        lines.append(f"{kind}_down = {{ value = {down:.4f}, source = {source} }}")
        lines.append(f"{kind}_up = {{ value = {up:.4f}, source = {source} }}")
    return "\n".join(lines) + "\n"


def summary(error: F64) -> dict[str, float]:
    """Percent."""
    relative = 100 * np.expm1(error)
    return {
        "n": len(error),
        "median_abs": round(float(np.median(np.abs(relative))), 2),
        "mean_abs": round(float(np.mean(np.abs(relative))), 2),
        "p90_abs": round(float(np.quantile(np.abs(relative), 0.9)), 1),
        "median_signed": round(float(np.median(relative)), 2),
    }


def figures_of(
    samples: Sequence[Sample], inside: F64, by_source: F64, by_system: F64, by_both: F64, sparse: NDArray[np.bool_]
) -> dict[str, object]:
    """Figures of the page."""

    def table(key: Callable[[Sample], str], out: F64) -> dict[str, object]:
        names = [key(s) for s in samples]
        return {
            name: {
                "inside": summary(inside[[n == name for n in names]]),
                "left_out": summary(out[[n == name for n in names]]),
            }
            for name in dict.fromkeys(names)
        }

    alone = np.array(
        [s.case.plan is not None and s.case.plan.dp == 1 and source_of(s) == "arXiv 2205.05198" for s in samples]
    )
    worst = np.argsort(-np.abs(by_source))[:15]
    return {
        "all": {
            "inside": summary(inside),
            "source left out": summary(by_source),
            "system left out": summary(by_system),
            "source on a system left out": summary(by_both),
            "dense, source left out": summary(by_source[~sparse]),
            "experts, source left out": summary(by_source[sparse]),
            "arXiv 2205.05198, inside": summary(inside[alone]),
            "arXiv 2205.05198, left out": summary(by_source[alone]),
        },
        "by_source": table(source_of, by_source),
        "by_system": table(system_of, by_system),
        "worst": [
            {
                "id": samples[n].case.id,
                "measured_s": samples[n].case.measured_s,
                "inside": round(100 * float(np.expm1(inside[n])), 1),
                "left_out": round(100 * float(np.expm1(by_source[n])), 1),
            }
            for n in worst
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
