"""How far a measured time may lie from the predicted one.

Bands are quantiles of measured / predicted for systems that were left out of the fit (resources/calibration/band.toml,
written by scripts/fit_calibration.py), by size class and by how well a configuration is covered by measurements:

* ``usual``: one server of NVLink GPUs, or InfiniBand and RoCE up to 128 ranks;
* ``large``: the same with more ranks;
* ``sparse``: few sites measured, or sites that differ a lot: cloud fabrics, several NVLink racks, PCIe-only servers,
  all_to_all and send_recv;
* ``none``: nothing measured at all, the sparse band once more widened.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.calibration import Calibration
from fabricwright.performance.layout import DOMAIN_GPUS, Layout
from fabricwright.performance.network_kind import network_kind
from fabricwright.resources import resource_path

F64 = NDArray[np.float64]
# log2 of the size in the middle of each class, and the class's name in the file
KNOTS = ((13.0, "upto_64k"), (18.0, "upto_1m"), (22.0, "upto_16m"), (26.0, "upto_256m"), (31.0, "above_256m"))
USUAL, LARGE, SPARSE, NONE = "usual", "large", "sparse", "none"
GROUPS = (USUAL, LARGE, SPARSE)
MOST_USUAL_RANKS = 128
MOST_MEASURED_RANKS = 8192
UNMEASURED = 1.5
"""Factor on the sparse band where nothing was measured. A rule of thumb."""

# networks and algorithms of which no measurement is in the fit
UNSEEN_NETWORKS = ("slingshot", "tcpxo", "tcp")
SEEN_ALGORITHMS = ("ring", "tree", "nvls", "nvls_tree", "direct", "one_shot")


@dataclass(frozen=True, slots=True)
class Band:
    """ln(measured / predicted) at the knots: ``down`` and ``up``, both positive."""

    down: tuple[float, ...]
    up: tuple[float, ...]

    def limits(self, sizes: F64, widen: float = 1.0) -> tuple[F64, F64]:
        """(low, high) as factors on the predicted time."""
        at = np.log2(np.maximum(sizes, 1.0))
        knots = [x for x, _ in KNOTS]
        return np.exp(-widen * np.interp(at, knots, self.down)), np.exp(widen * np.interp(at, knots, self.up))


@lru_cache(maxsize=1)
def shipped_bands() -> Mapping[str, Band]:
    """Bands of the shipped calibration by group."""
    with resource_path("calibration", "band.toml").open("rb") as stream:
        tables = tomllib.load(stream)
    return {
        group: Band(
            tuple(float(tables[group][name]["down"]) for _, name in KNOTS),
            tuple(float(tables[group][name]["up"]) for _, name in KNOTS),
        )
        for group in GROUPS
    }


def coverage_of(layout: Layout, collective: str, algorithm: str) -> str:
    """``usual``, ``large``, ``sparse`` or ``none``."""
    if algorithm not in SEEN_ALGORITHMS or layout.n > MOST_MEASURED_RANKS:
        return NONE
    kind = network_kind(layout)
    if kind.payload in UNSEEN_NETWORKS:
        return NONE
    if collective in ("all_to_all", "send_recv") or (layout.k > 1 and kind.band != "rdma"):
        return SPARSE
    if layout.k > 1:
        if int(layout.gpu_count.max()) > DOMAIN_GPUS:
            return SPARSE
        return LARGE if layout.n > MOST_USUAL_RANKS else USUAL
    return USUAL if all(c.nvlink for c in layout.classes) else SPARSE


def band_limits(sizes: F64, coverage: str, calibration: Calibration) -> tuple[F64, F64]:
    """(low, high) as factors on the predicted time; 1 in ideal semantics."""
    if calibration.ideal:
        return np.ones(len(sizes)), np.ones(len(sizes))
    if coverage == NONE:
        return shipped_bands()[SPARSE].limits(sizes, UNMEASURED)
    return shipped_bands()[coverage].limits(sizes)
