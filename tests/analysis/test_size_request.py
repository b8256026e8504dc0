"""Sizing through the worker's frames: alternatives one by one, an edit at the end, and what cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from fabricwright.analysis.protocol import Unpacker
from fabricwright.analysis.replica import Superseded
from fabricwright.analysis.size_request import SizeRequests, requirement_from_json
from fabricwright.design.patch import apply, patch_from_json
from fabricwright.design.storage import loads
from fabricwright.design.templates import TEMPLATES
from fabricwright.units.errors import UserError

ASKED = {"type": "size", "id": 7, "most": 2, "requirement": {"gpus": 32, "oversubscription": [1]}}


class Window:
    """Collects frames; raises on the n-th checkpoint."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []
        self.stop_after = 10_000
        self.requests = SizeRequests(self._take, self._check)

    def _take(self, frame: bytes) -> None:
        self.frames += [header for header, _ in Unpacker().feed(frame)]

    def _check(self) -> None:
        if len(self.frames) >= self.stop_after:
            raise Superseded


def test_one_by_one_then_taken() -> None:
    window = Window()
    window.requests.take(ASKED)
    window.requests.answer(None)
    *ready, last = window.frames
    # Each as it is ready, and again with what its worst failure leaves.
    assert [f["alternative"]["id"] for f in ready] == ["a1", "a2", "a1", "a2"]
    assert [f["alternative"]["worst_failure_ratio"] is None for f in ready] == [True, True, False, False]
    assert all(f["id"] == 7 for f in window.frames)
    assert last["done"] and [row["id"] for row in last["rows"]] == ["a1", "a2"]
    project = TEMPLATES["single-8gpu"].build()
    window.requests.take({"type": "size_take", "id": 8, "alternative": "a2"})
    window.requests.answer(project)
    after = apply(project, patch_from_json(window.frames[-1]["patch"]), check=True)
    assert len(after.designs) == len(project.designs) + 1
    window.requests.take({"type": "size_take", "id": 9, "alternative": "a1", "new": True})
    window.requests.answer(project)
    assert loads(window.frames[-1]["project"].encode(), "x").designs["main"].ranks == ("node",)
    window.requests.answer(project)  # nothing open, nothing said
    assert len(window.frames) == 7


def test_statements_are_in_the_language_of_the_window() -> None:
    window = Window()
    window.requests.take(ASKED)
    window.requests.answer(None)
    window.requests.take({"type": "size_take", "id": 9, "alternative": "a1", "new": True, "lang": "zh_CN"})
    window.requests.answer(None)
    project = loads(window.frames[-1]["project"].encode(), "x")
    assert project.statements["s1"].text == f"集群共 {project.statements['s1'].value} 块 GPU。"
    assert "收敛比不超过" in project.statements["s2"].text


def test_stopped_starts_over_and_tells_only_what_is_new() -> None:
    window = Window()
    window.requests.take(ASKED)
    window.stop_after = 1
    with pytest.raises(Superseded):
        window.requests.answer(None)
    assert [f["alternative"]["id"] for f in window.frames] == ["a1"]
    window.stop_after = 10_000
    window.requests.answer(None)
    assert [f["alternative"]["id"] for f in window.frames[:-1]] == ["a1", "a2", "a1", "a2"]


def test_what_is_ready_can_be_taken_after_stopping() -> None:
    window = Window()
    window.requests.take(ASKED)
    window.stop_after = 1
    with pytest.raises(Superseded):
        window.requests.answer(None)
    window.stop_after = 10_000
    window.requests.take({"type": "size", "id": 8, "requirement": None})
    window.requests.take({"type": "size_take", "id": 9, "alternative": "a1", "new": True})
    window.requests.answer(None)
    assert "project" in window.frames[-1]


def test_several_are_one_patch() -> None:
    window = Window()
    window.requests.take(ASKED)
    window.requests.answer(None)
    project = TEMPLATES["single-8gpu"].build()
    window.requests.take({"type": "size_take", "id": 9, "alternatives": ["a2", "a1"], "title": "mine"})
    window.requests.answer(project)
    after = apply(project, patch_from_json(window.frames[-1]["patch"]), check=True)
    fresh = [d for name, d in after.designs.items() if name not in project.designs]
    assert len(fresh) == 2 and fresh[0].title == "mine"


def test_a_look_counts_and_predicts_nothing() -> None:
    """2,048 ports at 1:1 on 64-port leafs: 32 down each, so 64 leafs, and 64 x 32 / 64 = 32 spines."""
    window = Window()
    window.requests.take({"type": "size", "id": 1, "look": True, "requirement": {"gpus": 2048}})
    window.requests.answer(None)
    (frame,) = window.frames
    assert (frame["look"]["leaf"]["count"], frame["look"]["spine"]["count"]) == (64, 32)
    assert frame["look"]["all_reduce_busbw_gbs"] is None


def test_a_refusal_brings_changes_that_work() -> None:
    window = Window()
    window.requests.take({"type": "size", "id": 1, "look": True, "requirement": {"gpus": 2048, "planes": 2}})
    window.requests.answer(None)
    first, last = window.frames
    assert first["searching"] and not last.get("searching")
    assert [c["values"] for c in last["changes"]] == [{"planes": 1}]


def test_refused() -> None:
    window = Window()
    window.requests.take({"type": "size", "id": 1, "requirement": {"gpus": 8, "leaf": "qm970"}})
    window.requests.answer(None)
    assert "nearest" in window.frames[-1]["error"][0]
    window.requests.take({"type": "size_take", "id": 2, "alternative": "a9"})
    window.requests.answer(None)
    assert "error" in window.frames[-1]


@pytest.mark.parametrize(
    "data", [[], {"gpu_count": 3}, {"gpus": "8"}, {"gpus": True}, {"networks": [1]}, {"rack_kw": "x"}, {"leaf": None}]
)
def test_values_of_the_wrong_kind(data: object) -> None:
    with pytest.raises(UserError):
        requirement_from_json(data)
