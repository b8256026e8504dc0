"""Fit the constants of the collective model on measured collectives, check them with every site left out, make bands.

    python scripts/fit_calibration.py            write resources/calibration/cost.toml and band.toml (`make fit`)
    python scripts/fit_calibration.py --check    write nothing; exit 1 when the files are not what this would write

The only data are tests/data/collectives.json; what is assumed before them is resources/calibration/priors.toml. No
randomness: the same files give the same constants.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from fabricwright.performance.band import KNOTS, Band
from fabricwright.performance.calibrate import Prior
from fabricwright.performance.calibration import load_calibration
from fabricwright.performance.measured.crossval import Fitted, bands, fit_entries, nested, priors
from fabricwright.performance.measured.entries import load_measured
from fabricwright.performance.measured.samples import Sampled
from fabricwright.performance.measured.score import CLASSES

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data" / "collectives.json"
FOLDER = ROOT / "resources" / "calibration"
FEW_SITES = 3


def main() -> int:
    """Fit, print, write."""
    parser = argparse.ArgumentParser(description="Fit the collective model.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail when the files differ")
    options = parser.parse_args()
    known, rows = priors()
    new = [name for name in known if name not in load_calibration().constants]
    if new and options.check:
        print(f"cost.toml does not have {', '.join(new)}; run `make fit`", file=sys.stderr)
        return 1
    if new:
        begin_with(known, rows)
        print(f"new in cost.toml, at the prior: {', '.join(new)}")
    fitted = fit_entries(load_measured(DATA))
    wanted = {"cost.toml": cost_text(fitted, known, rows), "band.toml": band_text(bands(fitted))}
    stale = [n for n, text in wanted.items() if not (FOLDER / n).exists() or (FOLDER / n).read_text("utf-8") != text]
    report(fitted)
    if options.check:
        if stale:
            print(f"not what the fit gives: {', '.join(stale)}; run `make fit`", file=sys.stderr)
        return 1 if stale else 0
    for name in stale:
        (FOLDER / name).write_text(wanted[name], encoding="utf-8")
        print(f"wrote resources/calibration/{name}")
    return 0


def begin_with(known: Mapping[str, Prior], rows: Mapping[str, Mapping[str, object]]) -> None:
    """Write cost.toml with constants that it does not have yet at their priors: the fit's own predictions read it."""
    values = {n: p.value for n, p in known.items()} | {n: c.value for n, c in load_calibration().constants.items()}
    nothing = Fitted(Sampled(), values, np.zeros(0), np.zeros(0))
    (FOLDER / "cost.toml").write_text(cost_text(nothing, known, rows), encoding="utf-8")
    load_calibration.cache_clear()


def sites_by_value(fitted: Fitted) -> dict[str, set[str]]:
    """Sites whose points depend on each value."""
    out: dict[str, set[str]] = {}
    for sample, site in zip(fitted.sampled.samples, fitted.sampled.site, strict=True):
        terms = [*sample.terms.launch, *sample.terms.latency, *(t for phase in sample.terms.demands for t in phase)]
        for term in terms:
            if term.amount > 0:
                for name in term.names:
                    out.setdefault(name, set()).add(site)
    return out


def cost_text(fitted: Fitted, known: Mapping[str, Prior], rows: Mapping[str, Mapping[str, object]]) -> str:
    """cost.toml."""
    sites = sites_by_value(fitted)
    lines = [
        "# Written by scripts/fit_calibration.py (`make fit`) from priors.toml and tests/data/collectives.json.",
        "# Efficiencies relative to line rates, times in microseconds. estimate: three sites or fewer have a say.",
        "",
        'title = "Fit on measured NCCL collectives"',
    ]
    section = ""
    for name, prior in known.items():
        here, _, key = name.partition(".")
        if here != section:
            lines += ["", f"[{here}]"]
            section = here
        row = rows[name]
        value = float(f"{fitted.values[name]:.4g}")
        count = len(sites.get(name, ())) if name != "pipeline.rho" else len(set(fitted.sampled.site))
        if prior.sigma == 0:
            said = f"not fitted: {row['source']}"
        elif count == 0:
            said = f"no measurement; prior: {row['source']}"
        else:
            said = f"fit, {count} site{'s' if count > 1 else ''}; prior {prior.value:g}: {row['source']}"
        guess = ", estimate = true" if count <= FEW_SITES else ""
        text = json.dumps(f"{row['meaning']}. {said}", ensure_ascii=False)
        lines.append(f"{key} = {{ value = {value:g}, source = {text}{guess} }}")
    return "\n".join(lines) + "\n"


def band_text(made: Mapping[str, Band]) -> str:
    """band.toml."""
    lines = [
        "# Written by scripts/fit_calibration.py (`make fit`). ln(measured / predicted) of systems that were left out",
        "# of the fit: how far below (down) and above (up) the prediction a measurement may lie, at the middle of",
        "# each size class. usual: one NVLink server, InfiniBand or RoCE up to 128 ranks; large: more; sparse: rest.",
    ]
    for group, band in made.items():
        lines += ["", f"[{group}]"]
        for (_, name), down, up in zip(KNOTS, band.down, band.up, strict=True):
            lines.append(f"{name} = {{ down = {down:.3f}, up = {up:.3f} }}")
    return "\n".join(lines) + "\n"


def report(fitted: Fitted) -> None:
    """Figures in sample and with the site left out."""
    inside, width = nested(fitted)
    print("size            points sites        in sample    site left out  signed  in band half-width")
    for name in [*(n for n, _ in CLASSES), "all"]:
        here = np.ones(len(inside), dtype=bool) if name == "all" else fitted.classes == name
        if not here.any():
            continue
        signed = 100 * math.expm1(float(np.median(fitted.left_out[here])))
        figures = f"{errors(fitted.full[here])}  {errors(fitted.left_out[here])} {signed:+6.1f}%"
        band = f"{100 * inside[here].mean():6.0f}% {100 * np.median(width[here]):9.0f}%"
        print(f"{name:14} {here.sum():6} {len(set(fitted.sites[here])):5}  {figures}  {band}")
    large = fitted.sizes > 1 << 20
    print(f"from 1 MiB up {100 * inside[large].mean():.1f} % of left-out points lie in the band made of other sites")


def errors(residual: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    """Median and 90th percentile."""
    off = 100 * np.abs(np.expm1(residual))
    return f"{np.median(off):6.1f}% {np.quantile(off, 0.9):6.1f}%"


if __name__ == "__main__":
    sys.exit(main())
