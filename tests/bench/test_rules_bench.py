"""The rule book alone: cold, and after one edit in a server, on the fabric, and of a setting."""

from __future__ import annotations

from collections import Counter

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import Patch, apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from tests.bench.measure import median_ms, report
from tests.bench.test_analysis_bench import fresh
from tests.bench.test_big_fabric_bench import three_tier

pytestmark = pytest.mark.bench

DRAWINGS = {
    "seed A (2,048 GPUs)": lambda: TEMPLATES["seed-a-256x8"].build(),
    "16,384 GPUs in three tiers": lambda: three_tier(pods=16, cores=8),
}


def in_a_server(project: Project, n: int) -> Patch:
    where = {"design": "main", "sheet": "node"}
    return EDITS["set_config"](project, **where, item="cpu0", key="mark", value=n)


def on_the_fabric(project: Project, n: int) -> Patch:
    link = project.designs["main"].sheets["fabric"].links.ordered()[0]
    return EDITS["set_link"](project, design="main", sheet="fabric", link=link, length_m=10.0 + n)


def of_a_setting(project: Project, n: int) -> Patch:
    return EDITS["set_setting"](project, design="main", key="mark", value=n)


@pytest.mark.parametrize("name", DRAWINGS)
def test_rules_cold(name: str) -> None:
    project = DRAWINGS[name]()
    copies = [fresh(project) for _ in range(5)]
    spent = median_ms(lambda: analyze(copies.pop(), "main", cache=StageCache()).judged, rounds=3)
    report(f"all rules, {name}, cold", f"{spent:.0f} ms")


@pytest.mark.parametrize("edit", [in_a_server, on_the_fabric, of_a_setting], ids=lambda e: e.__name__)
@pytest.mark.parametrize("name", DRAWINGS)
def test_rules_after_one_edit(name: str, edit) -> None:
    cache = StageCache()
    state = {"project": DRAWINGS[name](), "n": 0}
    assert analyze(state["project"], "main", cache=cache).judged is not None
    ran: Counter[str] = Counter()

    def once() -> None:
        state["n"] += 1
        state["project"] = apply(state["project"], edit(state["project"], state["n"]))
        cache.take_counts()
        assert analyze(state["project"], "main", cache=cache).judged is not None
        ran.clear()
        ran.update(cache.take_counts()["ran"])

    spent = median_ms(once, rounds=9)
    rules = sum(1 for stage in ran if stage.startswith("rule "))
    report(
        f"all rules, {name}, after an edit {edit.__name__.replace('_', ' ')}",
        f"{spent:.1f} ms",
        "< 20 ms",
        f"{rules} rules run",
    )
