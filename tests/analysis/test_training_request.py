"""Training for the window: the step or the nearest plan that runs, and a search that goes on after an interruption."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.training_request import TrainingRequests
from fabricwright.analysis.training_wire import step_of
from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.training.presets import preset
from fabricwright.design.values import Project


def _project(**plan: Any) -> Project:
    project = TEMPLATES["single-8gpu"].build()
    args = {"workload": "w", "title": "W", "model": dict(preset("llama3-8b").model), "plan": plan}
    return apply(project, run(project, EditCall("set_workload", args)))


def _header(frame: bytes) -> dict[str, Any]:
    size, _ = struct.unpack_from("<II", frame)
    found: dict[str, Any] = json.loads(frame[8 : 8 + size])
    return found


def test_a_plan_that_cannot_run_comes_with_one_that_does() -> None:
    project = _project(tp=3, gbs=64)
    told, found = step_of(analyze(project, "main"), "w")
    assert found is None and told["nearest"] is not None
    plan = {k: v for k, v in {"tp": 3, "gbs": 64, **told["nearest"]["plan"]}.items() if v is not None}
    mended, step = step_of(analyze(_project(**plan), "main"), "w")
    assert step is not None and 8 % plan["tp"] == 0
    assert mended["placement"]["servers"][0][2] == 0
    assert len(mended["placement"]["gpus"][0]) == 8


def test_an_interrupted_search_goes_on_where_it_was() -> None:
    class Stop(Exception):
        pass

    sent: list[dict[str, Any]] = []
    stops = [True]

    def checkpoint() -> None:
        if stops and stops.pop():
            raise Stop

    requests = TrainingRequests(lambda frame: sent.append(_header(frame)), checkpoint)
    analysis = analyze(_project(gbs=512), "main", cache=StageCache())
    requests.take({"type": "layouts", "id": 1, "workload": "w", "keep": 3})
    with pytest.raises(Stop):
        requests.search(analysis)
    requests.search(analysis)
    done = [frame["done"] for frame in sent]
    assert done == sorted(done) and sent[-1]["end"] and done[-1] == sent[-1]["total"]
    times = [row["step_time_s"] for row in sent[-1]["rows"]]
    assert len(times) == 3 and times == sorted(times)
