"""Fit, leave-one-site-out check and bands, all from one list of entries; deterministic.

Left out means: every entry of a site is predicted with values that were fitted on the other sites only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.band import LARGE, SPARSE, USUAL, Band
from fabricwright.performance.calibrate import Prior, Problem
from fabricwright.performance.measured.entries import Entry
from fabricwright.performance.measured.samples import Sampled, samples_of
from fabricwright.performance.measured.score import CLASSES, size_class
from fabricwright.resources import resource_path

F64 = NDArray[np.float64]
Bool = NDArray[np.bool_]
# share of points (sites counting alike) left outside on either side, by size class. Chosen so that 90 % of left-out
# points from 1 MiB up lie inside while the median half-width of a class stays near twice the spread between comparable
# sites.
TAILS = {
    USUAL: (0.04, 0.04, 0.09, 0.025, 0.02),
    LARGE: (0.05, 0.05, 0.02, 0.02, 0.02),
    SPARSE: (0.05, 0.05, 0.01, 0.02, 0.02),
}
LEAST, SHRINK = 0.02, 2.5


@dataclass(frozen=True, slots=True)
class Fitted:
    """``values`` by name; ``full``/``left_out`` ln(predicted / measured) of every sample in sample and left out."""

    sampled: Sampled
    values: Mapping[str, float]
    full: F64
    left_out: F64

    @property
    def sizes(self) -> F64:
        """Bytes of every sample."""
        return np.array([s.n_bytes for s in self.sampled.samples])

    @property
    def classes(self) -> NDArray[np.str_]:
        """Size class of every sample."""
        return np.array([size_class(s.n_bytes) for s in self.sampled.samples])

    @property
    def sites(self) -> NDArray[np.str_]:
        """Site of every sample."""
        return np.array(self.sampled.site)


def priors() -> tuple[dict[str, Prior], dict[str, Mapping[str, object]]]:
    """Priors by dotted name, and their rows as read."""
    with resource_path("calibration", "priors.toml").open("rb") as stream:
        tables = tomllib.load(stream)
    rows = {f"{section}.{key}": row for section, keys in tables.items() for key, row in keys.items()}
    return {name: Prior(float(row["value"]), float(row["sigma"])) for name, row in rows.items()}, rows


def fit_entries(entries: Sequence[Entry], check: bool = True) -> Fitted:
    """Fit on all entries; with ``check`` also once without every site."""
    sampled = samples_of(entries)
    known, _ = priors()
    problem = Problem(sampled.samples, list(known))
    theta = problem.fit(known)
    full = problem.residuals(theta)
    left_out = full.copy()
    site = np.array(sampled.site)
    for name in sorted(set(sampled.site)) if check else ():
        out = site == name
        left_out[out] = problem.residuals(problem.fit(known, ~out, theta, rounds=12))[out]
    values = {name: float(v) for name, v in zip(problem.names, np.exp(theta), strict=True)}
    return Fitted(sampled, values, full, left_out)


def bands(fitted: Fitted, keep: Bool | None = None) -> dict[str, Band]:
    """Bands by group from left-out residuals (of the samples ``keep``). Points weigh so that sites count by the square
    root of their points."""
    use = np.ones(len(fitted.left_out), dtype=bool) if keep is None else keep
    log = -fitted.left_out
    coverage = np.array([_group(c) for c in fitted.sampled.coverage])
    site, classes = fitted.sites, fitted.classes
    out = {}
    for group, tails in TAILS.items():
        down, up = [], []
        for (name, _), tail in zip(CLASSES, tails, strict=True):
            here = use & (classes == name)
            low, high, _ = _quantiles(log, site, here & (coverage == (USUAL if group == LARGE else group)), tail, here)
            if group == LARGE:
                # few sites of this size: never narrower than usual, wider as far as their number carries
                own_low, own_high, count = _quantiles(log, site, here & (coverage == LARGE), tail, here)
                part = count / (count + SHRINK)
                low, high = min(low, part * own_low + (1 - part) * low), max(high, part * own_high + (1 - part) * high)
            down.append(max(-low, LEAST))
            up.append(max(high, LEAST))
        out[group] = Band(tuple(down), tuple(up))
    return out


def _quantiles(log: F64, site: NDArray[np.str_], here: Bool, tail: float, instead: Bool) -> tuple[float, float, int]:
    """(lower, upper quantile, sites) of some points; of ``instead`` when there are none."""
    if not here.any():
        return (*_quantiles(log, site, instead, tail, instead)[:2], 0)
    _, place, count = np.unique(site[here], return_inverse=True, return_counts=True)
    weight = np.asarray(count[place] ** -0.5, dtype=np.float64)
    return _quantile(log[here], weight, tail), _quantile(log[here], weight, 1 - tail), len(count)


def _group(coverage: str) -> str:
    """The band's group of a coverage; what nothing was measured of counts as sparse."""
    return coverage if coverage in TAILS else SPARSE


def _quantile(values: F64, weight: F64, share: float) -> float:
    order = np.argsort(values, kind="stable")
    place = np.cumsum(weight[order]) - 0.5 * weight[order]
    return float(np.interp(share, place / weight.sum(), values[order]))


def nested(fitted: Fitted) -> tuple[Bool, F64]:
    """Whether each left-out point lies inside the band made from the *other* sites, and that band's half-width."""
    inside = np.zeros(len(fitted.left_out), dtype=bool)
    width = np.zeros(len(fitted.left_out))
    site, sizes = fitted.sites, fitted.sizes
    for name in sorted(set(fitted.sampled.site)):
        made = bands(fitted, site != name)
        for n in np.flatnonzero(site == name):
            group = fitted.sampled.coverage[n]
            low, high = made[_group(group)].limits(sizes[n : n + 1])
            inside[n] = low[0] <= np.exp(-fitted.left_out[n]) <= high[0]
            width[n] = (high[0] - low[0]) / 2
    return inside, width
