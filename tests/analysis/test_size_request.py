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
        self.left = 10_000
        self.requests = SizeRequests(self._take, self._check)

    def _take(self, frame: bytes) -> None:
        self.frames += [header for header, _ in Unpacker().feed(frame)]

    def _check(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Superseded


def test_one_by_one_then_taken() -> None:
    window = Window()
    window.requests.take(ASKED)
    window.requests.answer(None)
    *ready, last = window.frames
    assert [f["alternative"]["id"] for f in ready] == ["a1", "a2"] and all(f["id"] == 7 for f in window.frames)
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
    assert len(window.frames) == 5


def test_stopped_starts_over_and_tells_only_what_is_new() -> None:
    window = Window()
    window.requests.take(ASKED)
    window.left = 1
    with pytest.raises(Superseded):
        window.requests.answer(None)
    assert [f["alternative"]["id"] for f in window.frames] == ["a1"]
    window.left = 10_000
    window.requests.answer(None)
    assert [f["alternative"]["id"] for f in window.frames[:-1]] == ["a1", "a2"]


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
