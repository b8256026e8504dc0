"""The training step and the search for a layout at 2,048 GPUs."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.training import groups_of, job_of
from fabricwright.design.templates import TEMPLATES
from fabricwright.performance.training.search import layouts, search
from fabricwright.performance.training.train import train
from tests.bench.measure import median_ms, report
from tests.performance.samples import workload_of

pytestmark = pytest.mark.bench


def test_step_and_search_of_2048_gpus():
    project = TEMPLATES["seed-a-256x8"].build()
    for n in range(8):
        row = workload_of("gpt3-175b", tp=8, pp=16, gbs=2048 + 128 * n, mbs=1, recompute="full")
        project = replace(project, workloads=project.workloads.put(f"w{n}", row))
    analysis = analyze(project, "main", cache=StageCache())
    start = perf_counter()
    analysis.train("w0")
    report("training step of 2,048 GPUs, sensitivity included, first", f"{1e3 * (perf_counter() - start):.0f} ms", "-")
    spent = []
    for n in range(1, 8):
        start = perf_counter()
        analysis.train(f"w{n}")
        spent.append(1e3 * (perf_counter() - start))
    report("the same with another batch", f"{sorted(spent)[3]:.1f} ms", "< 20 ms")
    groups = groups_of(analysis)
    job, _ = job_of(analysis, project.workloads["w0"], groups)
    report("the step alone", f"{median_ms(lambda: train(job, groups), rounds=9):.2f} ms", "< 20 ms")
    count = len(layouts(job, groups.n))
    start = perf_counter()
    list(search(job, groups))
    first = count / (perf_counter() - start)
    start = perf_counter()
    list(search(job, groups))
    again = count / (perf_counter() - start)
    report(f"search over {count} layouts", f"{first:.0f}/s first, {again:.0f}/s again", "> 100/s and core")
