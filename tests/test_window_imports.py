"""The window's process stays light: it never loads what only the worker and the command line need.

pydantic, networkx and plotting libraries each stall the event loop for 100-460 ms when they are imported
(docs/decisions/worker-process.md). The import contract in pyproject.toml sees what is written; this sees what happens.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

HEAVY = (
    "pydantic",
    "pydantic_core",
    "networkx",
    "yaml",
    "qtawesome",
    "matplotlib",
    "hypothesis",
    "openpyxl",
    "xlsxwriter",
)
LOADED_AFTER = "import json, sys; import {module}; print(json.dumps(sorted(sys.modules)))"


def loaded_after_import(module: str) -> set[str]:
    """Names of all modules in a fresh interpreter after one import."""
    code = LOADED_AFTER.format(module=module)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=120)
    assert result.returncode == 0, result.stderr
    return set(json.loads(result.stdout))


#: What the window does in a session, from the first frame on. Prints the modules at the first frame and at the end.
SESSION = """
import argparse, json, os, sys, tempfile, time
from pathlib import Path
from PySide6.QtCore import QPointF, Qt
from fabricwright.ui import app as entry

app = entry.make_application()
from fabricwright.ui.session import Session, passing_settings
settings = passing_settings()
options = entry._options([])
entry._dress(app, Session(settings), options)
window = entry.make_window(settings, options)
window.show()
app.processEvents()
first = sorted(sys.modules)
window.finish()
app.processEvents()
context, document = window.context, window.document
folder = Path(tempfile.mkdtemp())
for sheet in list(context.design_row.sheets):
    context.open_sheet(sheet)
    app.processEvents()
    items = context.sheet_row.items.ordered()
    document.select(items[:1])
    app.processEvents()
    window.canvas.tool.start_place("cx7-ndr400-osfp")
    if window.canvas.tool.gesture is not None:
        window.canvas.tool.gesture.move(QPointF(0, 0), Qt.KeyboardModifier.NoModifier)
    window.canvas.tool.cancel()
context.edit("retitle", title="Another")
document.undo()
document.save(folder / "x.fabric.json")
document.open(folder / "x.fabric.json")
from fabricwright.ui import exports
from fabricwright.ui.export.dialog import ExportDialog
dialog = ExportDialog(window)
dialog.show()
app.processEvents()
dialog.reject()
wanted = [folder / (what + ".xlsx") for what in ("bom", "cables", "slots", "racks")]
for path in wanted:
    exports.write_table(window, path.stem, path)
window.commands.show_view("bill")
until = time.monotonic() + 60
while time.monotonic() < until and not all(path.exists() for path in wanted):
    app.processEvents()
    time.sleep(0.02)
assert all(path.exists() for path in wanted), wanted
window.set_language("zh_CN")
window.set_theme("dark")
app.processEvents()
print(json.dumps([first, sorted(sys.modules)]))
sys.stdout.flush()
os._exit(0)
"""


def test_a_session_in_the_window_loads_nothing_heavy(tmp_path) -> None:
    """Sheets, gestures, edits, files, exports, language and theme; and the first frame does without numpy."""
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", SESSION], capture_output=True, encoding="utf-8", timeout=120, env=env
    )
    assert result.returncode == 0, result.stderr
    first, after = (set(names) for names in json.loads(result.stdout.splitlines()[-1]))
    assert first.isdisjoint({"numpy", *HEAVY})
    assert {"fabricwright.ui.canvas.panel", "fabricwright.ui.prices.view", "numpy"} <= after
    assert after.isdisjoint(HEAVY)


@pytest.mark.parametrize(
    "module",
    [
        "fabricwright.ui.app",
        "fabricwright.ui.window",
        "fabricwright.ui.canvas.panel",
        "fabricwright.design.storage",
        "fabricwright.rules.legality",
    ],
)
def test_window_modules_load_nothing_heavy(module: str) -> None:
    assert loaded_after_import(module).isdisjoint(HEAVY)


@pytest.mark.parametrize("module", ["fabricwright.cli.main", "fabricwright.analysis.worker"])
def test_headless_modules_load_no_qt(module: str) -> None:
    assert {name for name in loaded_after_import(module) if name.startswith(("PySide6", "shiboken6"))} == set()


def test_entry_point_loads_nothing_before_it_knows_what_is_wanted() -> None:
    """``fabricwright --version`` needs no Qt, no numpy: only the program's own entry module."""
    loaded = loaded_after_import("fabricwright.__main__")
    assert loaded.isdisjoint({"PySide6", "numpy", *HEAVY})
