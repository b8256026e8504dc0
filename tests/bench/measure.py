"""Medians for the benchmarks. CPU time of this process, so that a busy machine does not change the figures much."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

ROWS: list[tuple[str, str, str, str]] = []


def median_ms(work: Callable[[], Any], rounds: int = 7, warm: int = 1) -> float:
    """Median CPU milliseconds of ``work`` over ``rounds``, after ``warm`` rounds that do not count."""
    for _ in range(warm):
        work()
    times = []
    for _ in range(rounds):
        times.append(took(work))
    return statistics.median(times)


def spread_ms(work: Callable[[], Any], rounds: int = 40, warm: int = 3) -> tuple[float, float]:
    """Median and 95th percentile of the CPU milliseconds of ``work``: for frames, where the slow ones are what is
    seen."""
    for _ in range(warm):
        work()
    times = []
    for _ in range(rounds):
        times.append(took(work))
    return spread(times)


def took(work: Callable[[], Any]) -> float:
    """CPU milliseconds of ``work``, once."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3


def spread(times: Sequence[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    return statistics.median(times), statistics.quantiles(times, n=20, method="inclusive")[-1]


def report(what: str, measured: str, goal: str = "", reference: str = "") -> None:
    """One row of the table that ``make bench`` prints at the end."""
    ROWS.append((what, measured, goal, reference))
    print(f"\n  {what}: {measured}" + (f" (goal {goal})" if goal else "") + (f"; {reference}" if reference else ""))
