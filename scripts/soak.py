"""Edit in a real window for a long time, kill the worker again and again, and look whether memory grows.

    python scripts/soak.py --minutes 60        (`make soak MINUTES=60`)

Rounds of what people do: place, link, rename, move, delete, copy and paste, undo, redo, another sheet, another view,
save. The undo stack is emptied by opening the saved file again after each round, so memory that is still held is
leaked. A hundred kills of the worker are spread over the time; whatever is logged as an error is a fault, except that
the worker ended. Memory is compared between the first tenth after warming up and the last; within 10 % counts as flat.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import json
import logging
import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["FABRICWRIGHT_DATA"] = tempfile.mkdtemp(prefix="fabricwright-soak-")

from PySide6.QtCore import QEventLoop, QTimer

KILLS_AN_HOUR = 100
WARM_SHARE = 0.2
FLAT = 0.10


class Errors(logging.Handler):
    """Everything logged as an error, and every warning of Qt."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if "This plugin does not support" in record.getMessage():
            return  # Qt without a screen says what it cannot do there
        if record.levelno >= logging.ERROR or record.name.startswith("qt"):
            self.found.append(f"{record.name}: {record.getMessage()}"[:600])


def main() -> int:
    """0 when memory was flat and nothing but the status line spoke of the worker's deaths."""
    parser = argparse.ArgumentParser(description="Scripted editing for a long time.")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--kills", type=int, default=0, help="default: 100 an hour, at least 10")
    parser.add_argument("--template", default="single-8gpu")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    kills = options.kills or max(10, round(KILLS_AN_HOUR * options.minutes / 60))
    soak = Soak(options.template, options.seed)
    figures = soak.run(options.minutes * 60, kills)
    print(json.dumps(figures, indent=1))
    return 0 if figures["flat"] and not figures["errors"] and figures["kills"] >= kills else 1


class Soak:
    """The window, and what is done to it."""

    def __init__(self, template: str, seed: int) -> None:
        from fabricwright.ui import app as entry
        from fabricwright.ui.faults.hooks import FaultHooks
        from fabricwright.ui.faults.log_ring import take_qt_messages
        from fabricwright.ui.session import Session, passing_settings
        from fabricwright.ui.watchdog import Watchdog

        self.errors = Errors()
        logging.getLogger().addHandler(self.errors)
        take_qt_messages()
        self.random = Random(seed)
        self.app = entry.make_application()
        settings = passing_settings()
        options = entry._options(["--template", template, "--lang", "en", "--theme", "light"])
        entry._dress(self.app, Session(settings), options)
        self.window = entry.make_window(settings, options)
        self.hooks = FaultHooks(self.window, lambda window, where, copy: self.errors.found.append(where))
        self.dog = Watchdog(self.window)
        self.window.show()
        self.settle(0.2)
        self.window.finish()
        self.window.commands.open_on()
        self.window.commands.start_worker()
        self.dog.start()
        self.file = Path(tempfile.mkdtemp(prefix="fabricwright-soak-")) / "soak.fwproj"
        self.window.document.save(self.file)
        self.idle = self.edits = 0

    def run(self, seconds: float, kills: int) -> dict[str, object]:
        """Rounds until the time is over."""
        context = self.window.context
        self.settle(3)
        start = time.monotonic()
        end, killed, rounds = start + seconds, 0, 0
        samples: list[tuple[float, int, int]] = []
        while time.monotonic() < end:
            self.round()
            rounds += 1
            while killed < kills and (time.monotonic() - start) / seconds >= (killed + 0.5) / kills:
                if not self.kill():
                    break  # the one before it has not been started again yet
                killed += 1
            gc.collect()
            give_back()
            objects = len(self.app.allWidgets())
            samples.append((time.monotonic() - start, rss_kib(), objects))
        self.until_idle(60)
        warm = [s for s in samples if s[0] > seconds * WARM_SHARE] or samples
        tenth = max(1, len(warm) // 10)
        first = statistics.median(s[1] for s in warm[:tenth])
        last = statistics.median(s[1] for s in warm[-tenth:])
        status = context.analysis.status
        self.dog.stop()
        self.window.document.undo_stack.setClean()
        self.window.close()
        return {
            "minutes": round(seconds / 60, 1),
            "rounds": rounds,
            "edits": self.edits,
            "edits_without_effect": self.idle,
            "kills": killed,
            "worker_at_the_end": status,
            "rss_mib_first": round(first / 1024, 1),
            "rss_mib_last": round(last / 1024, 1),
            "growth": round(last / first - 1, 4),
            "rss_mib_most": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "widgets_first": warm[0][2],
            "widgets_last": warm[-1][2],
            "flat": last / first - 1 <= FLAT,
            "errors": self.errors.found[:20],
        }

    # -- one round ---------------------------------------------------------------------------------------------------

    def round(self) -> None:
        """Some edits on one sheet, half of them taken back, the rest saved or dropped."""
        context, document, commands = self.window.context, self.window.document, self.window.commands
        sheet = self.random.choice(list(context.design_row.sheets))
        context.open_sheet(sheet)
        self.settle(0.05)
        for _ in range(self.random.randrange(3, 9)):
            self.edit()
            self.settle(0.02)
        for _ in range(self.random.randrange(6)):
            document.undo()
            self.settle(0.02)
        for _ in range(self.random.randrange(3)):
            document.redo()
        if self.random.random() < 0.3:
            commands.show_view(self.random.choice(("canvas", "racks", "bill")))
            self.settle(0.1)
        if self.random.random() < 0.3:
            document.save(self.file)
            document.open(self.original())
        else:
            document.open(self.file)
        commands.show_view("canvas")
        self.settle(0.1)

    def original(self) -> Path:
        """The project of the beginning, so that rounds do not pile up."""
        first = self.file.with_name("first.fwproj")
        if not first.exists():
            self.window.document.save(first)
        self.file.write_bytes(first.read_bytes())
        return self.file

    def edit(self) -> None:
        """One edit, as its command makes it; many find no row on the sheet, or nothing to tidy."""
        context, document = self.window.context, self.window.document
        rows = [i for i in context.sheet_row.items if "/" not in i]
        row = self.random.choice(rows) if rows else ""
        kind = self.random.randrange(8)
        before = document.undo_stack.count()
        document.select([row] if row else [])
        if kind == 0:
            context.edit("retitle", title=f"Soak {self.random.randrange(1000)}")
        elif kind == 1 and row:
            context.edit("rename", item=row, name=f"n{self.random.randrange(10_000)}")
        elif kind == 2:
            self.window.commands.add_note()
        elif kind == 3 and row and self.window.commands.copy():
            self.window.commands.paste()
        elif kind == 4 and row:
            context.edit("remove", ids=[row])
        elif kind == 5:
            context.edit("add_frame", xy=[0.0, 0.0], wh=[200.0, 100.0], title="frame")
        elif kind == 6:
            context.edit("tidy", ids=[])
        elif row:
            context.edit("move", places={row: [float(self.random.randrange(900)), 100.0]})
        self.edits += 1
        self.idle += document.undo_stack.count() == before

    def kill(self) -> int:
        """Kill the worker as the system would; 1 when there was one."""
        from fabricwright.ui.worker_client import AnalysisWorker

        worker = self.window.commands.worker
        assert isinstance(worker, AnalysisWorker)
        process = worker._process
        if process is None or not process.processId():
            return 0
        worker._deaths = 0  # a hundred deaths in an hour are not five in a row
        process.kill()
        self.settle(0.3)
        return 1

    # -- waiting -----------------------------------------------------------------------------------------------------

    def settle(self, seconds: float) -> None:
        """Let the event loop turn."""
        # A loop of its own, as the program has one: what was deleted later goes only when a loop runs.
        loop = QEventLoop()
        QTimer.singleShot(round(seconds * 1000), loop.quit)
        loop.exec()

    def until_idle(self, seconds: float) -> None:
        """Until the analysis is up to date."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.window.context.analysis.status != "idle":
            self.settle(0.1)


def give_back() -> None:
    """Freed memory back to the system where the C library can, so that what is counted is what is held."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def rss_kib() -> int:
    """Resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1024


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
