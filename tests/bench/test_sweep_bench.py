"""Sweeps over designs of 2,048 GPUs: rows a second and core after the first, each with counts, power, all-reduce.

What the fields are decides: values that nothing reads cost next to nothing, new wiring costs most.
"""

from __future__ import annotations

import time

import pytest

from fabricwright.analysis.sweep import resolve
from fabricwright.analysis.sweep_points import SweepPoints
from fabricwright.design.grid_text import parse_grid
from fabricwright.design.templates import TEMPLATES
from tests.bench.measure import report

pytestmark = pytest.mark.bench

GRIDS = {
    "wiring x P2P level x queue pairs x algorithm": (
        "up.per_pair=1..8; settings.nccl.p2p_level=LOC,PIX,PXB,PHB,SYS; settings.ecmp.qps=1,2,4,8; "
        "settings.nccl.algo=ring,tree"
    ),
    "wiring x queue pairs x MTU x cable length": (
        "up.per_pair=1..8; settings.ecmp.qps=1,4,16; settings.mtu=1500,4200,9000; down.length_m=3,5,10"
    ),
    "wiring alone": "up.per_pair=1..8",
    "queue pairs alone": "settings.ecmp.qps=1..32",
    "cable length alone": "up.length_m=1..32",
    "MTU alone": "settings.mtu=1500..9000:500",
}


@pytest.mark.parametrize("name", GRIDS)
def test_designs_a_second(name):
    project = TEMPLATES["seed-a-256x8"].build()
    grid = resolve(parse_grid(f"{GRIDS[name]}; metrics=counts,power,all_reduce@1G"), project, "main")
    points = SweepPoints(project, "main", grid)
    assert points.row(0).cells[-1] == ""
    start = time.process_time()
    rows = list(points.rows(range(1, grid.count)))
    each = (time.process_time() - start) / len(rows)
    assert not any(row.cells[-1] for row in rows)
    goal = "200/s" if " x " in name else ""
    report(f"sweep of 2,048 GPUs, {name} ({grid.count} points)", f"{1 / each:,.0f}/s", goal, "Calculon 180/s")
