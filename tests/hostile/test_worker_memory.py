"""A worker whose memory runs out says so or ends; either way whoever asked hears of it and may ask again."""

from __future__ import annotations

import io
import json
import sys

import pytest

from fabricwright.analysis.protocol import Unpacker, pack
from fabricwright.analysis.worker import Worker, limit_memory
from fabricwright.design.storage import dumps
from tests.hostile.readers import project


class _Sink(io.BytesIO):
    """Keeps what the worker says."""


def test_memory_that_runs_out_is_told_and_the_worker_lives(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "in").write_bytes(b"")
    sink = _Sink()
    with open(tmp_path / "in", "rb") as source:
        worker = Worker(source, sink)
        worker.replica.take({"type": "hello", "seq": 0, "design": ""}, dumps(project()))

        def full() -> None:
            raise MemoryError

        monkeypatch.setattr(worker.replica, "compute", full)
        worker._compute()
        monkeypatch.undo()
        worker._checkpoint = lambda: None  # type: ignore[method-assign]
        worker.replica._checkpoint = lambda: None
        worker._compute()
    told = [header for header, _ in Unpacker().feed(sink.getvalue())]
    assert told[0]["type"] == "problem" and told[0]["memory"] is True
    assert any(header["type"] == "figures" for header in told[1:])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows bounds no address space")
def test_the_stated_bound_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    asked: list[object] = []
    monkeypatch.setattr(resource, "setrlimit", lambda what, pair: asked.append((what, pair[0])))
    monkeypatch.setenv("FABRICWRIGHT_WORKER_MEMORY", "512")
    limit_memory()
    monkeypatch.setenv("FABRICWRIGHT_WORKER_MEMORY", "much")
    limit_memory()
    monkeypatch.undo()
    monkeypatch.setenv("FABRICWRIGHT_WORKER_MEMORY", "9" * 30)
    limit_memory()  # no bound, and no fault
    assert asked == [(resource.RLIMIT_AS, 512 << 20)]


def test_a_frame_of_the_problem_is_json() -> None:
    ((header, payload),) = Unpacker().feed(pack({"type": "problem", "memory": True}))
    assert json.dumps(header) and payload == b""
