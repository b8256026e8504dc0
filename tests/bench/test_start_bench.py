"""CPU until something is on the screen, and memory with ten thousand nodes: the real entry point in processes of its
own. Figures are printed; only what was loaded and shown is asserted.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from fabricwright.design.storage import save
from tests.bench.big_sheets import open_group
from tests.bench.measure import report
from tests.test_window_imports import HEAVY

pytestmark = pytest.mark.bench

CHILD = Path(__file__).with_name("start_child.py")
ROUNDS = 5


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Starts the program and returns what it printed. Byte code is kept as an installed program has it; settings are
    nobody's."""
    home = tmp_path_factory.mktemp("home")
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env |= {"PYTHONPYCACHEPREFIX": str(home / "bytecode"), "XDG_CONFIG_HOME": str(home), "HOME": str(home)}
    env |= {"QT_QPA_PLATFORM": "offscreen"}

    def run(*args: str) -> dict:
        done = subprocess.run(
            [sys.executable, str(CHILD), *args], env=env, capture_output=True, encoding="utf-8", timeout=120
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    run()  # writes the byte code
    return run


def test_start(start) -> None:
    rounds = [start() for _ in range(ROUNDS)]
    frame = statistics.median(r["frame"] for r in rounds)
    sheet = statistics.median(r["sheet"] for r in rounds)
    peak = statistics.median(r["peak_mib"] for r in rounds)
    assert all(set(r["modules"]).isdisjoint(HEAVY) for r in rounds)
    modules = len(rounds[0]["modules"])
    report("start to first frame, CPU", f"{frame:.2f} s", "<= 0.6 s", f"{modules} modules by the end")
    report("start to the case study painted, all panels made, CPU", f"{sheet:.2f} s", "", f"peak {peak:.0f} MiB")


def test_ten_thousand_nodes(start, tmp_path) -> None:
    path = tmp_path / "big.fabric.json"
    save(open_group(320), path)
    rounds = [start(str(path)) for _ in range(3)]
    assert {r["cards"] for r in rounds} == {10_245}
    sheet = statistics.median(r["sheet"] for r in rounds)
    report("start to 10,240 expanded servers painted, CPU", f"{sheet:.2f} s", "<= 1.5 s")
    toured = start(str(path), "--tour")
    report("peak memory with them, every zoom visited", f"{toured['peak_mib']:.0f} MiB", "<= 300 MiB")
