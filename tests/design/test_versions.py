"""Versions of the file format, and named versions of a project."""

from __future__ import annotations

import base64
import dataclasses
import zlib
from pathlib import Path

import pytest

from fabricwright.design import migrations, snapshots, storage
from fabricwright.design.check_values import check
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.snapshots import find_snapshot, in_order, snapshot_project
from fabricwright.design.values import Project, Snapshot
from fabricwright.design.versions import load_version
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.design.strategies import empty_project, small_fabric

SAMPLES = Path(__file__).resolve().parents[1] / "data" / "versions"


def test_there_is_a_frozen_sample_of_every_version() -> None:
    assert {p.name for p in SAMPLES.iterdir()} == {f"v{n}.fwproj" for n in range(1, storage.VERSION + 1)}
    assert set(migrations.STEPS) == set(range(1, storage.VERSION))


@pytest.mark.parametrize("number", range(1, storage.VERSION + 1))
def test_every_sample_loads_for_ever(number: int) -> None:
    path = SAMPLES / f"v{number}.fwproj"
    data = path.read_bytes()
    project = storage.load(path)
    assert check(project) == []
    fabric = project.designs["main"].sheets["fabric"]
    assert next(iter(fabric.notes.values())).text == "机架 A"
    assert project.extra["x-later"] == {"kept": True}
    assert len(snapshot_project(project, "snapshot0").designs) == 1
    if number == storage.VERSION:
        assert storage.dumps(project) == data, "the present version is written as it was read"


def test_an_older_file_goes_through_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    old = (SAMPLES / "v1.fwproj").read_bytes()
    seen: list[int] = []

    def first(content: dict) -> dict:
        seen.append(1)
        return {**content, "title": content["title"] + " (2)"}

    def second(content: dict) -> dict:
        seen.append(2)
        return {**content, "title": content["title"] + " (3)"}

    monkeypatch.setattr(storage, "VERSION", 3)
    monkeypatch.setattr(migrations, "STEPS", {1: first, 2: second})
    project = storage.loads(old)
    assert seen == [1, 2] and project.title.endswith(" (2) (3)")
    assert b'"version":3' in storage.dumps(project)
    monkeypatch.setattr(migrations, "STEPS", {1: first, 2: lambda content: content["nothing"]})
    with pytest.raises(UserError, match=r"plan.fwproj: cannot be brought from version 2 to 3\."):
        storage.loads(old, "plan.fwproj")
    monkeypatch.setattr(migrations, "STEPS", {})
    with pytest.raises(UserError, match=r"file version 1 can no longer be read"):
        storage.loads(old)


def test_a_newer_file_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "later.fwproj"
    path.write_bytes(storage.dumps(empty_project()).replace(b'"version":1', b'"version":2', 1))
    before = path.read_bytes()
    with pytest.raises(UserError, match="version 2 is newer than this program reads"):
        storage.load(path)
    assert path.read_bytes() == before


def _with_snapshot() -> Project:
    project = small_fabric()
    edit = EDITS["take_snapshot"]
    project = apply(project, edit(project, title="before the meeting", time="2026-11-30T09:00:00+08:00", author="li"))
    return apply(project, EDITS["retitle"](project, title="after"))


def test_a_snapshot_is_what_the_project_was() -> None:
    project = _with_snapshot()
    kept = snapshot_project(project, "snapshot0")
    assert storage.dumps(kept) == storage.dumps(small_fabric()) and project.title == "after"
    again = storage.loads(storage.dumps(project))
    assert snapshot_project(again, find_snapshot(again, "before the meeting")) == kept
    later = apply(project, EDITS["take_snapshot"](project, title="two", time="2026-11-30T10:00:00+08:00"))
    assert in_order(later) == ["snapshot1", "snapshot0"]
    assert not snapshot_project(later, "snapshot1").snapshots, "snapshots do not hold one another"
    renamed = apply(later, EDITS["rename_snapshot"](later, snapshot="snapshot1", title=" 三 "))
    assert renamed.snapshots["snapshot1"].title == "三"
    gone = apply(renamed, EDITS["remove_snapshot"](renamed, snapshot="snapshot1"))
    assert storage.dumps(gone) == storage.dumps(project)
    for name in ("rename_snapshot", "remove_snapshot"):
        with pytest.raises(UserError, match="no snapshot 'x'"):
            EDITS[name](project, **({"title": "t"} if name == "rename_snapshot" else {}), snapshot="x")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "???",
        base64.b64encode(b"not compressed").decode(),
        base64.b64encode(zlib.compress(b"{}")[:-4]).decode(),
        base64.b64encode(zlib.compress(b"x" * (storage.MAX_FILE_BYTES + 10))).decode(),
    ],
)
def test_a_damaged_snapshot_is_one_sentence(content: str) -> None:
    project = dataclasses.replace(empty_project(), snapshots=Table({"s": Snapshot("s", content=content)}))
    with pytest.raises(UserError, match="Snapshot 's' is damaged"):
        snapshot_project(project, "s")


def test_a_version_is_named_by_file_and_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "plan@home.fwproj"
    storage.save(_with_snapshot(), path)
    assert load_version(path).title == "after"
    assert load_version(f"{path}@before the meeting") == load_version(f"{path}@snapshot0")
    with pytest.raises(UserError, match=r"Snapshot 'x' does not exist; there are snapshot0"):
        load_version(f"{path}@x")
    with pytest.raises(UserError, match="no such file"):
        load_version(tmp_path / "none@x")


def test_there_is_an_end_to_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    from fabricwright.design.edits import snapshots as edits

    monkeypatch.setattr(edits, "MOST_SNAPSHOTS", 1)
    with pytest.raises(UserError, match="at most 1 snapshots"):
        EDITS["take_snapshot"](_with_snapshot(), title="b", time="")
    assert snapshots.find_snapshot(_with_snapshot(), "snapshot0") == "snapshot0"
