"""The journal: acknowledged means on the disk, torn tails are cut, and what is replayed is byte for byte what was."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.design import journal_writer, recovery, storage
from fabricwright.design.edits import EDITS
from fabricwright.design.journal import Lines, in_use, read_journal
from fabricwright.design.journal_writer import JournalWriter
from fabricwright.design.patch import Patch, apply, patch_from_json, patch_to_json
from fabricwright.design.values import Project
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.design.strategies import draw_edit, empty_project, small_fabric


def _writer(where: Path) -> tuple[JournalWriter, list[tuple[int, int]], list[str]]:
    acknowledged: list[tuple[int, int]] = []
    failed: list[str] = []
    writer = JournalWriter(lambda seq, _time, edits: acknowledged.append((seq, edits)), failed.append, where)
    return writer, acknowledged, failed


def _titles(writer: JournalWriter, project: Project, *titles: str) -> Project:
    for title in titles:
        patch = EDITS["retitle"](project, title=title)
        project = apply(project, patch)
        writer.post(patch, project)
    assert writer.flush()
    return project


def test_a_journal_put_away_while_somebody_looks_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"gone{recovery.SUFFIX}").write_bytes(b"")

    def put_away(path: Path) -> bool:
        path.unlink()
        return False

    monkeypatch.setattr(recovery, "in_use", put_away)
    assert recovery.find(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed there")
def test_a_journal_is_claimed_until_it_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer, _acknowledged, _failed = _writer(tmp_path)
    writer.begin(empty_project(), "")
    _titles(writer, empty_project(), "a")
    seen: list[bool] = []
    real = os.unlink

    def unlink(path: str) -> None:
        seen.append(in_use(path))
        real(path)

    monkeypatch.setattr(os, "unlink", unlink)
    writer.begin(empty_project(), "")
    assert writer.flush() and seen == [True]


def test_nothing_is_written_before_the_first_edit_and_nothing_stays_after_saving(tmp_path: Path) -> None:
    writer, acknowledged, _failed = _writer(tmp_path)
    writer.begin(empty_project(), "/x/plan.fwproj")
    assert writer.flush() and os.listdir(tmp_path) == []
    project = _titles(writer, empty_project(), "a", "b")
    assert acknowledged[-1] == (3, 2)
    assert len(os.listdir(tmp_path)) == 1 and in_use(writer.path)
    assert recovery.find(tmp_path) == [], "a living process's journal is nobody else's business"
    writer.saved(project, "/x/plan.fwproj")
    assert writer.flush() and os.listdir(tmp_path) == []
    _titles(writer, project, "c")
    assert read_journal(writer.path).edits == 1
    assert read_journal(writer.path).base.title == "b"
    writer.end()
    assert os.listdir(tmp_path) == []


def test_a_dead_process_leaves_work_that_is_found(tmp_path: Path) -> None:
    writer, _acknowledged, _failed = _writer(tmp_path)
    writer.begin(small_fabric(), "")
    project = _titles(writer, small_fabric(), "方案 a", "方案 b")
    writer.end(keep=True)
    (found,) = recovery.find(tmp_path)
    assert found.journal is not None and found.document is None
    assert (found.journal.edits, found.journal.project.title) == (2, "方案 b")
    assert storage.dumps(found.journal.project) == storage.dumps(project)
    recovery.discard(found.path)
    assert recovery.find(tmp_path) == []


def test_work_that_the_file_holds_is_not_offered(tmp_path: Path) -> None:
    file = tmp_path / "plan.fwproj"
    where = tmp_path / "journal"
    writer, _acknowledged, _failed = _writer(where)
    writer.begin(empty_project(), str(file))
    project = _titles(writer, empty_project(), "a")
    writer.end(keep=True)
    assert len(recovery.find(where)) == 1, "its file is not there at all"
    storage.save(project, file)
    assert recovery.find(where) == [] and os.listdir(where) == []


def test_a_tail_is_cut_wherever_it_tears(tmp_path: Path) -> None:
    writer, _acknowledged, _failed = _writer(tmp_path)
    writer.begin(empty_project())
    _titles(writer, empty_project(), "a")
    one = len(Path(writer.path).read_bytes())
    _titles(writer, empty_project(), "b")
    writer.end(keep=True)
    path = Path(writer.path)
    data = path.read_bytes()
    for cut in range(one, len(data)):
        path.write_bytes(data[:cut])
        found = read_journal(path)
        assert (found.project.title, found.edits, found.torn_bytes) == ("a", 1, cut - one)
    for spot in range(one, len(data), 7):
        path.write_bytes(data[:spot] + bytes([data[spot] ^ 1]) + data[spot + 1 :])
        assert read_journal(path).project.title == "a"


def test_a_journal_that_cannot_be_read_is_told_and_kept(tmp_path: Path) -> None:
    lines = Lines()
    for n, data in enumerate((b"", b"\0" * 99, b"{}\tdeadbeef\n", lines.line({"format": "fabricwright-journal"}))):
        (tmp_path / f"{n}.fwjournal").write_bytes(data)
    found = recovery.find(tmp_path)
    assert len(found) == 4 and all(f.journal is None and f.problem is not None for f in found)
    assert len(os.listdir(tmp_path)) == 4


def test_a_long_journal_is_compacted_and_loses_nothing(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(journal_writer, "COMPACT_BYTES", 2000)
    writer, acknowledged, _failed = _writer(tmp_path)
    project = empty_project()
    writer.begin(project)
    for n in range(60):
        project = _titles(writer, project, f"title {n}")
    assert Path(writer.path).stat().st_size < 6000
    found = read_journal(writer.path)
    assert found.edits == 60 == acknowledged[-1][1]
    assert found.base.title == "Test" and storage.dumps(found.project) == storage.dumps(project)
    writer.end()


def test_restored_work_is_on_the_disk_before_the_first_edit(tmp_path: Path) -> None:
    writer, acknowledged, _failed = _writer(tmp_path)
    base = empty_project()
    project = dataclasses.replace(base, title="restored")
    number = writer.begin(project, "", edits=7, unsaved=True, base=base)
    assert writer.flush() and acknowledged == [(number, 7)]
    _titles(writer, project, "and on")
    found = read_journal(writer.path)
    assert (found.edits, found.base.title, found.project.title) == (8, "Test", "and on")
    writer.end()


def test_a_journal_that_was_restored_into_another_is_not_offered_beside_it(tmp_path: Path) -> None:
    first, _acknowledged, _failed = _writer(tmp_path)
    first.begin(empty_project())
    project = _titles(first, empty_project(), "a")
    first.end(keep=True)
    second, _acknowledged, _failed = _writer(tmp_path)
    old = Path(first.path).name
    second.begin(project, "", edits=1, unsaved=True, base=empty_project(), supersedes=old)
    _titles(second, project, "b")
    second.end(keep=True)
    assert len(os.listdir(tmp_path)) == 2
    (found,) = recovery.find(tmp_path)
    assert found.journal is not None and found.journal.project.title == "b"
    assert len(os.listdir(tmp_path)) == 1


def test_it_refuses_what_is_not_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "x.fwjournal"
    path.write_text("hello\n")
    with pytest.raises(UserError, match=r"x\.fwjournal: is not a journal"):
        read_journal(path)


@settings(max_examples=25)
@given(st.data())
def test_random_edits_come_back_byte_for_byte(tmp_path_factory, data) -> None:
    """Save, load and journal agree after any session of edits, undos and redos, and unknown keys survive all three."""
    where = tmp_path_factory.mktemp("journal")
    start = data.draw(st.sampled_from((empty_project(), small_fabric())))
    project = dataclasses.replace(start, extra=Table({"x-later": Table({"kept": (1, "二", None)})}))
    writer, acknowledged, failed = _writer(where)
    writer.begin(project)
    done: list[Patch] = []
    undone: list[Patch] = []
    posted = 0
    for _ in range(data.draw(st.integers(1, 8))):
        step = data.draw(st.sampled_from(("edit", "edit", "edit", "undo", "redo")))
        if step == "edit":
            name, args = draw_edit(data.draw, project)
            try:
                patch = EDITS[name](project, **args)
            except UserError:
                continue
            if not patch:
                continue
            done, undone = [*done, patch], []
        elif step == "undo" and done:
            undone.append(done.pop())
            patch = undone[-1].inverse()
        elif step == "redo" and undone:
            done.append(undone.pop())
            patch = done[-1]
        else:
            continue
        project = apply(project, patch)
        posted = writer.post(patch, project)
    assert writer.flush() and not failed
    bytes_now = storage.dumps(project)
    assert storage.dumps(storage.loads(bytes_now)) == bytes_now
    assert b'"x-later":{"kept":[1,"\xe4\xba\x8c",null]}' in bytes_now
    if posted:
        assert acknowledged[-1][0] == posted
        assert storage.dumps(read_journal(writer.path).project) == bytes_now
        assert patch_to_json(patch_from_json(patch_to_json(patch))) == patch_to_json(patch)
    for patch in reversed(done):
        project = apply(project, patch.inverse())
    assert storage.dumps(project) == storage.dumps(
        dataclasses.replace(start, extra=Table({"x-later": Table({"kept": (1, "二", None)})}))
    )
    writer.end()
    assert os.listdir(where) == []
