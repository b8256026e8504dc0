"""The sum behind a binding resource: how many links, at which line rate and efficiency, for how many bytes.

"8 x 50 GB/s x 0.96 = 384 GB/s for 1.94 bytes per byte of buffer". Links that share the work of one server (its NIC
ports) or of one switch (its uplinks) are counted together, everything else alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fabricwright.performance.binding import Peak, Role
from fabricwright.performance.choose import Candidate
from fabricwright.performance.flows import Loads
from fabricwright.performance.layout import Layout


@dataclass(frozen=True, slots=True)
class Sum:
    """``count`` links of ``line`` bytes/s at ``efficiency`` carry ``load`` bytes together, per byte of ``size``."""

    count: int
    line: float
    efficiency: float
    load: float


def arithmetic(layout: Layout, candidate: Candidate, peak: Peak) -> Sum:
    """The sum for the binding links of a candidate's slowest phase. ``efficiency`` is everything between line rate and
    what arrives: protocol, calibration, losses.
    """
    costed = candidate.costed
    loads = costed.plan.phases[costed.heaviest]
    if len(peak.wires):
        count, line, load = _wires(layout, loads, peak)
    else:
        row, column = peak.rows[0], peak.columns[0]
        interior = layout.classes[int(layout.group[loads.first_of_row()[row]])].interior
        count, line, load = 1, interior.links[column].rate, float(loads.inside[row, column])
    seconds = candidate.seconds_per_byte if len(costed.plan.phases) == 1 else peak.seconds_per_byte
    rate = count * line * seconds
    return Sum(count, line, load / rate if rate > 0 else 1.0, load)


def _wires(layout: Layout, loads: Loads, peak: Peak) -> tuple[int, float, float]:
    """(how many, line rate of one, bytes on all) of the tied wires that work with the first one."""
    first = int(peak.wires[0])
    if peak.role is Role.NIC_PORT:
        table = layout.out_wire if (layout.out_wire == first).any() else layout.in_wire
        position = int(np.argwhere(table == first)[0, 0])
        own = np.sort(table[position][table[position] >= 0])  # a few ports, and there may be a million tied wires
        together = own[np.isin(own, peak.wires, kind="table")]
    else:
        fabric = layout.cluster.fabric
        forward = peak.wires % 2 == 0
        source = np.where(forward, fabric.a_dev[peak.wires // 2], fabric.b_dev[peak.wires // 2])
        together = peak.wires[source == source[0]]
    line = layout.wire_rate[first]
    together = together[layout.wire_rate[together] == line]
    return len(together), float(line), float(loads.wire[together].sum())
