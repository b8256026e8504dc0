"""102,400 GPUs on a three-tier fabric that can be built: 12,800 servers x 8, 100 pods, 64-port switches."""

from __future__ import annotations

import resource

import numpy as np
import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.values import Design, Item, Link, Project, Sheet, Wire
from fabricwright.performance.predict import PredictRequest
from fabricwright.units.table import Table
from tests.bench.measure import median_ms, report
from tests.bench.test_analysis_bench import COLLECTIVES, SIZES

pytestmark = pytest.mark.bench


def three_tier(pods: int = 100, cores: int = 50) -> Project:
    """12,800 servers in 100 pods of four units of 32, or fewer pods with ``pods / 2`` cores a group. A unit has a
    leaf for each of 8 rails: 32 ports down, 32 up, one to each of the pod's 32 spines, which are then full below
    (4 x 8 = 32 leafs) and have 32 ports up. Spine s of all pods (3,200 links) meets the 50 cores of group s, 64 ports
    each.
    """
    project = Project("Big", designs=Table({"main": Design("", "fabric", (), Table({"fabric": Sheet("fabric")}))}))
    project = apply(project, EDITS["add_item"](project, design="main", sheet="fabric", part="dgx-h100", item="node"))
    project = apply(project, EDITS["add_item"](project, design="main", sheet="fabric", part="qm9700", item="leaf"))
    design = project.designs["main"]
    sheet = design.sheets["fabric"]
    items = {
        "node": Item("sheet:node", (("pod", pods), ("su", 4), ("node", 32))),
        "leaf": Item("qm9700", (("pod", pods), ("su", 4), ("rail", 8))),
        "spine": Item("qm9700", (("pod", pods), ("s", 32))),
        "core": Item("qm9700", (("s", 32), ("core", cores))),
    }
    links = {
        "down": Link("node:compute", "leaf:1-16/1-2", Wire("deal", ("pod", "su", "rail")), "ib"),
        "up": Link("leaf:17-32/1-2", "spine:1-16/1-2", Wire("mesh", ("pod",)), "ib"),
        "top": Link("spine:17-32/1-2", "core:1-32/1-2", Wire("deal", ("s",)), "ib"),
    }
    sheet = Sheet("fabric", items=Table(items), links=Table(links))
    sheets = Table({**design.sheets, "fabric": sheet})
    return Project("Big", designs=Table({"main": Design("", "fabric", ("node",), sheets)}), parts=project.parts)


def test_it_is_a_fabric_that_can_be_built():
    analysis = analyze(three_tier(), "main")
    fabric = analysis.cluster.fabric
    # 12,800 x 8 + 3,200 leafs x 32 + 3,200 spines x 32 links, no port twice, none without a port
    assert len(fabric.rate) == 3 * 102_400 and (fabric.a_port >= 0).all() and (fabric.b_port >= 0).all()
    for dev, port in ((fabric.a_dev, fabric.a_port), (fabric.b_dev, fabric.b_port)):
        taken = np.stack([fabric.bundle.astype(np.int64), dev.astype(np.int64), port.astype(np.int64)])
        assert len(np.unique(taken, axis=1)[0]) == len(fabric.rate)


def test_compile_and_loads_of_102400_gpus():
    project = three_tier()

    def cold():
        analysis = analyze(project, "main", cache=StageCache())
        analysis.figures()
        return analysis.predict(PredictRequest("all_reduce", (1 << 30,)))

    spent = median_ms(cold, rounds=3)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = f"{spent:.0f} ms, peak {peak:.0f} MiB"
    report("compile and all-reduce loads, 102,400 GPUs", found, "< 1,000 ms, < 1,024 MiB", "a simulator: out of reach")


def test_everything_on_102400_gpus():
    project = three_tier()

    def cold():
        analysis = analyze(project, "main", cache=StageCache())
        analysis.figures()
        return analysis.judged, [analysis.predict(PredictRequest(c, SIZES)) for c in COLLECTIVES]

    spent = median_ms(cold, rounds=1, warm=1)
    report("the same with rules and all collectives x 24 sizes", f"{spent:.0f} ms", "< 1,000 ms")
