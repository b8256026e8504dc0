"""The window's process stays light: it never loads what only the worker and the command line need.

pydantic, networkx and plotting libraries each stall the event loop for 100-460 ms when they are imported
(docs/decisions/worker-process.md). The import contract in pyproject.toml sees what is written; this sees what happens.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest

HEAVY = ("pydantic", "pydantic_core", "networkx", "yaml", "qtawesome", "matplotlib", "hypothesis")
LOADED_AFTER = "import json, sys; import {module}; print(json.dumps(sorted(sys.modules)))"


def loaded_after_import(module: str) -> set[str]:
    """Names of all modules in a fresh interpreter after one import."""
    code = LOADED_AFTER.format(module=module)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=120)
    assert result.returncode == 0, result.stderr
    return set(json.loads(result.stdout))


def exists(module: str) -> bool:
    """Whether a module is part of this checkout."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize(
    "module", ["fabricwright.ui.app", "fabricwright.design.storage", "fabricwright.rules.legality"]
)
def test_window_modules_load_nothing_heavy(module: str) -> None:
    if not exists(module):
        pytest.skip(f"{module} is not written yet")
    assert loaded_after_import(module).isdisjoint(HEAVY)


@pytest.mark.parametrize("module", ["fabricwright.cli.main", "fabricwright.analysis.worker"])
def test_headless_modules_load_no_qt(module: str) -> None:
    if not exists(module):
        pytest.skip(f"{module} is not written yet")
    assert {name for name in loaded_after_import(module) if name.startswith(("PySide6", "shiboken6"))} == set()


def test_entry_point_loads_nothing_before_it_knows_what_is_wanted() -> None:
    """``fabricwright --version`` needs no Qt, no numpy: only the program's own entry module."""
    loaded = loaded_after_import("fabricwright.__main__")
    assert loaded.isdisjoint({"PySide6", "numpy", *HEAVY})
