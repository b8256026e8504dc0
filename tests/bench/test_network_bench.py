"""Paths between switches and sweeps over failures at size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.design.templates import TEMPLATES
from fabricwright.performance.ecmp import routed
from fabricwright.performance.layout import lay_out
from fabricwright.performance.predict import PredictRequest
from fabricwright.performance.resilience import sweep
from fabricwright.performance.ring import ring_loads
from tests.bench.measure import median_ms, report
from tests.performance import samples

pytestmark = pytest.mark.bench


@pytest.mark.parametrize("tiers", [2, 3])
def test_hashed_rings_of_102400_gpus(tiers):
    """Two tiers as in the reference (1,600 leafs on 64 spines, which nobody can build), and three that can be built."""
    server = samples.nvlink_server()
    if tiers == 2:
        cluster = samples.clos(server, 12_800, per_leaf=64, spines=64)
    else:
        cluster = samples.three_tier(server, pods=10, units=20, per_leaf=64, spines=16, cores=16)
    order = np.random.default_rng(0).permutation(12_800)
    mixed = np.repeat(order, 8).astype(np.int32)
    layout = lay_out(replace(cluster, settings={"ecmp.mode": "hash"}, rank_server=mixed))
    spent = median_ms(lambda: ring_loads(layout), rounds=5)
    report(f"even loads of shuffled rings, 102,400 GPUs, {tiers} tiers", f"{spent:.0f} ms", "< 200 ms")
    loads = ring_loads(layout)
    spent = median_ms(lambda: routed(layout, loads, {}), rounds=5)
    report("the same hashed: paths, bottleneck, max-min rates", f"{spent:.0f} ms", "< 200 ms", "path lists: hours")


@pytest.mark.parametrize("name", ["seed-a-256x8", "superpod-h100-127"])
def test_all_single_failures(name):
    project = TEMPLATES[name].build()
    cluster = analyze(project, next(iter(project.designs)), cache=StageCache()).cluster
    found = sweep(cluster, PredictRequest())
    spent = median_ms(lambda: sweep(cluster, PredictRequest()), rounds=3)
    report(
        f"all {found.count:,} single failures of {name}", f"{spent:.0f} ms in {len(found.failures)} kinds", "< 2,000 ms"
    )
