"""Seed A, cold and after an edit: rules, and all collectives over 24 sizes. Figures are printed; only counts
are asserted.
"""

from __future__ import annotations

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.protocol import pack
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply, patch_to_json
from fabricwright.design.templates import TEMPLATES
from fabricwright.performance.predict import PredictRequest
from tests.bench.measure import median_ms, report

pytestmark = pytest.mark.bench

SIZES = tuple(1 << e for e in range(10, 34))
COLLECTIVES = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "send_recv")


def full(project, cache):
    """Everything the window shows, and every collective at 24 sizes."""
    analysis = analyze(project, "main", cache=cache)
    found = (analysis.figures(), analysis.judged)
    return found, [analysis.predict(PredictRequest(c, SIZES)) for c in COLLECTIVES]


@pytest.fixture(scope="module")
def seed_a():
    return TEMPLATES["seed-a-256x8"].build()


def fresh(project):
    """An equal project without any memo, as a replica has it after a start."""
    from fabricwright.design.storage import dumps, loads

    return loads(dumps(project))


def test_seed_a_cold(seed_a):
    copies = [fresh(seed_a) for _ in range(8)]
    cold = median_ms(lambda: full(copies.pop(), StageCache()), rounds=6)
    report("analysis of seed A (256 x 8), cold", f"{cold:.0f} ms", "< 150 ms")


def test_seed_a_after_a_move(seed_a):
    cache = StageCache()
    full(seed_a, cache)
    cache.take_counts()
    state = {"project": seed_a, "x": 0}

    def move():
        state["x"] += 10
        patch = EDITS["move"](state["project"], design="main", sheet="fabric", places={"leaf": (state["x"], 0)})
        state["project"] = apply(state["project"], patch)
        analysis = analyze(state["project"], "main", cache=cache)
        return analysis.figures(), analysis.judged

    spent = median_ms(move, rounds=15)
    assert cache.take_counts()["ran"] == {}
    report("the same after moving a part", f"{spent:.1f} ms", "< 5 ms", "stages recomputed: 0")


def test_seed_a_after_an_electrical_edit(seed_a):
    cache = StageCache()
    full(seed_a, cache)
    cache.take_counts()
    state = {"project": seed_a, "gib": 0, "bytes": 0}

    def edit():
        state["gib"] += 1
        where = {"design": "main", "sheet": "node"}
        patch = EDITS["set_config"](state["project"], **where, item="sw0", key="mark", value=state["gib"])
        state["bytes"] = len(pack({"type": "patch", "seq": 1, "patch": patch_to_json(patch)}))
        state["project"] = apply(state["project"], patch)
        return full(state["project"], cache)

    spent = median_ms(edit, rounds=7)
    ran = cache.take_counts()["ran"]
    assert "wiring" not in ran
    per_edit = {stage: count // 8 for stage, count in ran.items() if not stage.startswith("rule ")}
    counts = f"stages {per_edit}, {state['bytes']} bytes sent"
    report("the same after one electrical edit", f"{spent:.0f} ms", "< 50 ms", counts)
