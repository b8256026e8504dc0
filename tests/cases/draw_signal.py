"""Cases about signals that do not arrive."""

from __future__ import annotations

import dataclasses

from fabricwright.design.values import Link, Project
from fabricwright.units.table import Table
from tests.cases.register import draws
from tests.rules.drawing import board, card, cpu, root_port, server, slot


@draws("C053", "loss of the flat cable entered for 8 GT/s", finds="LAN-03 LAN-04 RET-02")
def c053() -> Project:
    """A drive of four Gen4 lanes on one Gen3 lane, over a flat cable for Gen2 that loses 15 dB at 4 GHz."""
    seat = dataclasses.replace(slot("", electrical=1, physical=4, gen=3, power_w=15), kind="m2")
    chassis = board({"m1": seat}, {"cpu0": cpu({"p0": root_port(1, 3)})})
    flat = Link("cpu0:p0", "chassis:m1", medium="pcie", length_m=0.15, config=Table({"loss_db": 15.0}))
    return server(chassis, {"nvme0": card("nvme-m2-960g", "chassis:m1")}, {"flat": flat})
