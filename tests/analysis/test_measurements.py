"""Logs beside a design through the worker: what was measured, how far off the prediction is, a fitted profile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fabricwright.analysis.measurements import LogFiles
from fabricwright.analysis.protocol import Unpacker, pack
from fabricwright.analysis.replica import Replica
from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.units.errors import UserError

SIZES = (1 << 20, 1 << 24, 1 << 28, 1 << 30)


class Told:
    """A replica without a pipe: the last frame of each type."""

    def __init__(self, project: Project, **view: Any) -> None:
        self.frames: dict[str, dict[str, Any]] = {}
        self.replica = Replica(self._take, lambda: None)
        self.replica.take({"type": "hello", "seq": 0, "design": "", "view": view}, dumps(project))
        self.replica.compute()

    def _take(self, frame: bytes) -> None:
        for header, _ in Unpacker().feed(frame):
            self.frames[header["type"]] = header

    def again(self, **frame: Any) -> dict[str, dict[str, Any]]:
        self.frames.clear()
        self.replica.take(frame, b"")
        self.replica.compute()
        return self.frames


def nccl_log(path: Path, prediction: Any, slower: float, ranks: int) -> Path:
    """The log of a site where everything takes ``slower`` times as long as predicted."""
    lines = [
        "all_reduce_perf",
        *(f"#  Rank {n:2} Group  0 Pid 9 on h{n // 8} device {n % 8} [0x07] G" for n in range(ranks)),
    ]
    lines.append("# size count type redop root time algbw busbw #wrong")
    curve = prediction["curve"]
    for size, time_us in zip(curve["bytes"], curve["time_us"], strict=True):
        if size in SIZES:
            took = time_us * slower
            lines.append(
                f"{size} {size // 4} float sum -1 {took:.3f} {size / took / 1e3:.3f} {size / took / 1e3:.3f} 0"
            )
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def project() -> Project:
    return TEMPLATES["single-8gpu"].build()


@pytest.fixture
def told(project: Project) -> Told:
    return Told(project)


def test_points_stand_beside_what_is_predicted_for_them(told: Told, tmp_path: Path) -> None:
    path = nccl_log(tmp_path / "site.log", told.frames["prediction"]["prediction"], 1.25, 8)
    assert "measured" not in told.frames
    measured = told.again(type="view", view={"logs": [str(path)]})["measured"]
    table = measured["tables"][0]
    assert (table["collective"], table["ranks"], table["nodes"]) == ("all_reduce", 8, 0)
    assert [p["bytes"] for p in table["points"]] == list(SIZES)
    # predicted / (1.25 x predicted) - 1 = -0.2
    assert [p["off"] for p in table["points"]] == pytest.approx([-0.2] * 4, abs=1e-3)
    assert told.again(type="view", view={"logs": []})["measured"]["tables"] == []


def test_a_fit_is_two_edits_that_bring_the_prediction_to_the_points(
    told: Told, project: Project, tmp_path: Path
) -> None:
    path = nccl_log(tmp_path / "site.log", told.frames["prediction"]["prediction"], 1.25, 8)
    told.again(type="view", view={"logs": [str(path)]})
    answer = told.again(type="fit", name="site-a", logs=[str(path)])["fitted"]
    assert answer["points"] == 4 and answer["before"] == pytest.approx(0.2, abs=1e-3) and answer["after"] < 0.03
    calls = [EditCall(call["name"], call["args"]) for call in answer["calls"]]
    assert [call.name for call in calls] == ["set_profile", "set_setting"]
    after = project
    for call in calls:
        after = apply(after, run(after, call))
    table = Told(after, logs=[str(path)]).frames["measured"]["tables"][0]
    assert max(abs(p["off"]) for p in table["points"]) < 0.06
    assert "fitted" not in told.again(type="view", view={})


def test_what_cannot_be_laid_over_is_said(told: Told, tmp_path: Path) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("nothing", encoding="utf-8")
    measured = told.again(type="view", view={"logs": [str(wrong)]})["measured"]
    assert measured["tables"] == [] and "no table of nccl-tests" in measured["error"][0]
    five = nccl_log(
        tmp_path / "five.log", told.again(type="view", view={"size": 1 << 20})["prediction"]["prediction"], 1, 5
    )
    measured = told.again(type="view", view={"logs": [str(five)]})["measured"]
    table = measured["tables"][0]
    assert "{ranks} ranks" in table["error"][0] and table["points"] and "off" not in table["points"][0]
    assert "error" in told.again(type="fit", name="x", logs=[str(five)])["fitted"]


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "site.log"
    head = "# size count type redop root time algbw busbw #wrong\n"
    path.write_text(head + "1024 256 float sum -1 10 0.1 0.1 0\n", encoding="utf-8")
    files = LogFiles()
    assert len(files.tables([str(path)])[0].rows) == 1
    path.write_text(head + "1024 256 float sum -1 10 0.1 0.1 0\n2048 512 float sum -1 11 0.2 0.2 0\n", encoding="utf-8")
    assert len(files.tables([str(path)])[0].rows) == 2
    path.unlink()
    with pytest.raises(UserError):
        files.tables([str(path)])


def test_ranks_failure_and_sweep_follow_the_view() -> None:
    told = Told(TEMPLATES["seed-b-512"].build())
    whole = told.frames["prediction"]["prediction"]
    assert "undamaged" not in whole and "resilience" not in told.frames
    two = told.again(type="view", view={"nodes": 2})["prediction"]["prediction"]
    assert two["nodes"] == 2 and two["ranks"] < whole["ranks"]
    frames = told.again(type="view", view={"nodes": 0, "fail": "spine[0]", "sweep": True})
    damaged = frames["prediction"]["prediction"]
    assert damaged["fail"] == "spine[0]" and damaged["ranks"] == whole["ranks"]
    assert damaged["undamaged"]["rows"] == whole["rows"]
    swept = frames["resilience"]["resilience"]
    assert swept["failures"] and swept["busbw_gbs"] == pytest.approx(whole["rows"][0]["busbw_gbs"])
    spine = next(f for f in swept["failures"] if f["kind"] == "spine")
    assert spine["busbw_gbs"] == pytest.approx(damaged["rows"][0]["busbw_gbs"], rel=1e-6)
    nonsense = told.again(type="view", view={"fail": "attic[0]"})["prediction"]["prediction"]
    assert nonsense["error"] and nonsense["fail"] == "attic[0]"
    assert pack(nonsense | {"type": "x"})
