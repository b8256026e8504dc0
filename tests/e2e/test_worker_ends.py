"""A real worker that runs out of memory, or dies again and again: the status line says so and the window goes on."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.ui import worker_client
from fabricwright.ui.worker_client import AnalysisWorker
from tests.ui.canvas_stage import Stage, close, make_stage
from tests.ui.conftest import app

__all__ = ["app"]

WAIT_MS = 120_000
SERVERS, ROOM_MIB = 1500, 30
"""So many servers, each a row of its own, take 100 MiB more than a bare worker has; one takes 10."""


@pytest.fixture
def stage(app: QApplication, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(small(), tmp_path)
    yield made
    made.window.commands.stop_worker()
    close(made)


def small() -> Project:
    return TEMPLATES["single-8gpu"].build()


def large() -> Project:
    """The same server many times, on a sheet of its own rows."""
    project = small()
    name, design = next(iter(project.designs.items()))
    sheet = design.sheets[design.root]
    row = next(item for item in sheet.items.values() if item.of.startswith("sheet:"))
    items = sheet.items
    for number in range(SERVERS):
        items = items.put(f"n{number}", row)
    sheets = design.sheets.put(design.root, dataclasses.replace(sheet, items=items))
    return dataclasses.replace(project, designs=project.designs.put(name, dataclasses.replace(design, sheets=sheets)))


def said(stage: Stage) -> str:
    """What the status line says of the analysis."""
    return stage.window.status._state.text()  # type: ignore[attr-defined]


def worker_of(stage: Stage) -> AnalysisWorker:
    found = stage.window.commands.worker
    assert isinstance(found, AnalysisWorker)
    return found


def begin(stage: Stage, qtbot) -> None:  # type: ignore[no-untyped-def]
    stage.window.commands.start_worker()
    qtbot.waitUntil(lambda: stage.context.analysis.status == "idle", timeout=WAIT_MS)


@pytest.mark.e2e
@pytest.mark.says("the analysis failed: MemoryError")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the address space of a process here")
def test_a_worker_without_memory_says_so_and_goes_on_with_less(
    stage: Stage,
    qtbot,  # type: ignore[no-untyped-def]
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    imported = "import fabricwright.analysis.worker; print(open('/proc/self/status').read())"
    status = subprocess.run([sys.executable, "-c", imported], capture_output=True, encoding="utf-8", check=True).stdout
    bare_kib = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmPeak"))
    monkeypatch.setenv("FABRICWRIGHT_WORKER_MEMORY", str(bare_kib // 1024 + ROOM_MIB))
    begin(stage, qtbot)

    stage.document.replace(large(), None)
    qtbot.waitUntil(lambda: stage.context.analysis.status == "failed", timeout=WAIT_MS)
    assert said(stage) == "Analysis ran out of memory"
    stage.document.edit("retitle", title="still here")
    assert stage.document.project.title == "still here" and not stage.window.grab().isNull()

    stage.document.replace(small(), None)
    qtbot.waitUntil(lambda: stage.context.analysis.status == "idle", timeout=WAIT_MS)
    assert said(stage).startswith("Analysis up to date")


@pytest.mark.e2e
def test_a_worker_that_dies_again_and_again_is_told_and_can_be_restarted(
    stage: Stage,
    qtbot,  # type: ignore[no-untyped-def]
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_client, "_DELAYS_MS", (0, 0))
    begin(stage, qtbot)
    worker = worker_of(stage)
    for number in range(3):
        qtbot.waitUntil(lambda: worker._process is not None and bool(worker._process.processId()), timeout=WAIT_MS)
        process = worker._process
        assert process is not None
        process.kill()
        qtbot.waitUntil(lambda number=number: worker._deaths == number + 1, timeout=WAIT_MS)  # type: ignore[misc]
    assert stage.context.analysis.status == "lost"
    assert said(stage) == "Analysis stopped; restart it in the Analyse menu"
    stage.document.edit("retitle", title="still here")
    assert stage.document.project.title == "still here" and not stage.window.grab().isNull()

    stage.window.actions_set["restart-worker"].trigger()
    qtbot.waitUntil(lambda: stage.context.analysis.status == "idle", timeout=WAIT_MS)
    assert said(stage).startswith("Analysis up to date")
