"""How far a measured value may lie from the predicted one.

A first estimate: the 90th percentile of the half-spread between comparable sites, by size class (docs/accuracy.md);
wider for servers without NVLink. It is not a fit of this program's own errors.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.calibration import Calibration

F64 = NDArray[np.float64]
# log2 of the size in the middle of each class, and the class's constant
KNOTS = ((13.0, "upto_64k"), (18.0, "upto_1m"), (22.0, "upto_16m"), (26.0, "upto_256m"), (31.0, "above_256m"))


def half_width(sizes: F64, pcie_only: bool, calibration: Calibration) -> F64:
    """Relative half-width at each size; 0 in ideal semantics."""
    if calibration.ideal:
        return np.zeros(len(sizes))
    knots = [x for x, _ in KNOTS]
    values = [calibration.value(f"band.{name}") for _, name in KNOTS]
    width = np.interp(np.log2(np.maximum(sizes, 1.0)), knots, values)
    return width * (calibration.value("band.pcie_widening") if pcie_only else 1.0)
