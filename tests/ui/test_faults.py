"""What nobody caught: saved first, shown once, and a diagnostic file with nothing of the project in it."""

from __future__ import annotations

import ast
import io
import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from fabricwright.design.storage import load
from fabricwright.ui.faults import crash_file, log_ring
from fabricwright.ui.faults.diagnostics import CONTENTS, counts, diagnostic_zip, scrub_crash
from fabricwright.ui.faults.dialog import FaultDialog
from fabricwright.ui.faults.hooks import FaultHooks
from fabricwright.ui.faults.log_ring import LogRing, scrub
from fabricwright.ui.faults.rescue import KEPT, rescue_folder, save_copy
from fabricwright.ui.watchdog import Watchdog
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg
from tests.ui.canvas_stage import Stage

SECRET = "Acme-Bank-Shanghai"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.mark.says("not caught")
def test_a_fault_in_a_slot_saves_first_and_is_told_once(blank: Stage, app: QApplication, data: Path, qtbot) -> None:  # type: ignore[no-untyped-def]
    shown: list[tuple[str, Path | None]] = []
    hooks = FaultHooks(blank.window, lambda window, where, copy: shown.append((where, copy)))

    def broken() -> None:
        raise RuntimeError(SECRET)

    try:
        blank.document.edit("retitle", title="before the fault")
        for _ in range(2):
            sys.excepthook(*_caught(broken))
        qtbot.waitUntil(lambda: bool(shown))
        app.processEvents()
    finally:
        hooks.remove()
    ((where, copy),) = shown
    assert where.startswith("RuntimeError") and "broken" in where and SECRET not in where
    assert copy is not None and load(copy).title == "before the fault"


def _caught(call):  # type: ignore[no-untyped-def]
    try:
        call()
    except Exception:  # noqa: BLE001
        return sys.exc_info()


@pytest.mark.says("not caught")
def test_a_fault_in_a_thread_is_told_in_the_window(blank: Stage, data: Path, qtbot) -> None:  # type: ignore[no-untyped-def]
    shown: list[str] = []
    hooks = FaultHooks(blank.window, lambda window, where, copy: shown.append(where))
    try:
        thread = threading.Thread(target=lambda: 1 / 0)
        thread.start()
        thread.join()
        qtbot.waitUntil(lambda: bool(shown))
    finally:
        hooks.remove()
    assert shown[0].startswith("ZeroDivisionError")


@pytest.mark.says("not caught")
def test_a_sentence_for_the_person_is_no_fault(blank: Stage, data: Path, qtbot) -> None:  # type: ignore[no-untyped-def]
    said: list[str] = []
    blank.context.said.connect(lambda message, severity: said.append(str(message)))
    hooks = FaultHooks(blank.window, lambda *_: said.append("dialog"))
    try:
        error = UserError(msg("The sheet is empty."))
        sys.excepthook(UserError, error, None)
        qtbot.waitUntil(lambda: bool(said))
    finally:
        hooks.remove()
    assert len(said) == 1 and said[0] != "dialog"


def test_the_newest_copies_stay(blank: Stage, data: Path) -> None:
    for n in range(KEPT + 3):
        assert save_copy(blank.document.project, f"../{n}/x") is not None
    found = sorted(rescue_folder().iterdir())
    assert len(found) == KEPT and all(path.parent == rescue_folder() for path in found)


@pytest.mark.says("rescue copy could not be written")
def test_a_folder_that_cannot_be_written_is_told(
    blank: Stage, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy goes among the temporary files then, where nobody else may look; only when that fails, too, is there
    none."""
    data.write_text("a file where the folder should be")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    copy = save_copy(blank.document.project, "x")
    assert copy is not None and load(copy) == blank.document.project and tmp_path in copy.parents
    if sys.platform != "win32":
        assert copy.parent.stat().st_mode & 0o077 == 0
    monkeypatch.setattr(tempfile, "tempdir", str(data))
    assert save_copy(blank.document.project, "x") is None


def test_messages_state_their_values_apart() -> None:
    """What goes into the diagnostic file is the sentence without its values: a value inside of it would go along."""
    program = Path(__file__).resolve().parents[2] / "desktop" / "fabricwright"
    found = [
        f"{path.name}:{call.lineno}"
        for path in program.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("debug", "info", "warning", "error", "exception", "critical", "log")
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id in ("log", "logger", "logging")
        and not any(isinstance(given, ast.Constant) and isinstance(given.value, str) for given in call.args[:2])
    ]
    assert found == []


@pytest.mark.says("^fabricwright.test: ")
def test_the_diagnostic_file_holds_what_the_dialog_lists_and_nothing_of_the_project(blank: Stage, data: Path) -> None:
    blank.document.edit("retitle", title=SECRET)
    ring = log_ring.ring()
    log = logging.getLogger("fabricwright.test")
    log.warning("cannot open %s", f"/home/{SECRET}/x.fwproj")
    plain = f"cannot open '/home/{SECRET}/x.fwproj' or C:\\Users\\{SECRET}\\x"
    log.warning(plain)
    try:
        raise ValueError(SECRET)
    except ValueError:
        log.exception("failed")
    assert any(SECRET in line.text for line in ring.lines())
    path = data.parent / "d.zip"
    dialog = FaultDialog(blank.window, "RuntimeError\n  x.py:1 f")
    assert dialog.write(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == [name for name, _ in CONTENTS]
        held = {name: archive.read(name).decode() for name in archive.namelist()}
    assert [name for name, text in held.items() if SECRET in text or str(Path.home()) in text] == []
    assert "cannot open %s" in held["log.txt"] and "ValueError" in held["log.txt"]
    assert json.loads(held["counts.json"]) == counts(blank.document.project)
    dialog.close()


def test_scrubbing_leaves_the_sentence() -> None:
    assert scrub("'Acme' cannot be read: /srv/acme/x.fwproj (denied)") == "<text> cannot be read: <path> (denied)"
    line = '  File "/home/acme/venv/fabricwright/ui/app.py", line 3 in main'
    assert scrub_crash(line) == '  File "fabricwright/ui/app.py", line 3 in main'


def test_the_ring_keeps_the_last_lines() -> None:
    ring = LogRing()
    for n in range(log_ring.KEPT + 5):
        ring.emit(logging.LogRecord("x", logging.INFO, "", 0, "line %d", (n,), None))
    assert len(ring.lines()) == log_ring.KEPT and ring.lines()[0].text == "line 5"


def test_a_fault_below_python_leaves_its_stack(tmp_path: Path) -> None:
    code = (
        "from fabricwright.ui.faults.crash_file import keep_stack\n"
        "import faulthandler, os, signal\n"
        "assert keep_stack()\n"
        "os.kill(os.getpid(), signal.SIGSEGV)\n"
    )
    environment = {**os.environ, "FABRICWRIGHT_DATA": str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, timeout=60)
    assert ended.returncode != 0
    assert "Fatal Python error" in (tmp_path / "logs" / "crash.txt").read_text()


def test_the_stack_of_the_last_run_is_kept(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data / "logs").mkdir(parents=True)
    (data / "logs" / "crash.txt").write_text("Fatal Python error: x\n")
    monkeypatch.setattr(crash_file.faulthandler, "enable", lambda *args, **more: None)
    assert crash_file.keep_stack()
    assert crash_file.last_crash().startswith("Fatal Python error")
    assert b"Fatal" in zipfile.ZipFile(io.BytesIO(diagnostic_zip(None))).read("crash.txt")


def test_the_watchdog_tells_a_long_handler_with_its_stack(app: QApplication, caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    dog = Watchdog(clock=lambda: now[0])
    dog.beat()
    now[0] = 0.1
    dog.look()
    dog.beat()
    assert caplog.records == []  # 100 ms are none
    now[0] = 0.45
    dog.look()
    dog.look()
    now[0] = 0.5
    dog.beat()
    (record,) = caplog.records
    assert "did not answer for 350 ms" in record.getMessage()
    assert "test_the_watchdog_tells" in record.getMessage()


def test_the_watchdog_ends_with_the_window(app: QApplication) -> None:
    dog = Watchdog()
    dog.start()
    assert any(t.name == "watchdog" for t in threading.enumerate())
    QTimer.singleShot(0, dog.stop)
    app.processEvents()
    dog.stop()
    assert not any(t.name == "watchdog" for t in threading.enumerate())
