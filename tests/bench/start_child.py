"""The program as ``fabricwright`` starts it, in a process of its own: prints when it painted what, and leaves.

Run by test_start_bench.py: ``python start_child.py [PROJECT] [--tour]``. One JSON object: CPU seconds of the process up
to the first frame and up to the painted sheet, peak resident memory in MiB, names of the modules loaded by then.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPointF, QTimer
from PySide6.QtWidgets import QApplication

from fabricwright.ui import app as entry
from fabricwright.ui.first_frame import FirstFrame


def peak_mib() -> float:
    """Peak resident memory of this process. On Linux from /proc: what getrusage says includes the process that started
    this one."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(row for row in status.read_text("ascii").splitlines() if row.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


class Watch(QObject):
    """Sees the first paint of the window and the first of the sheet.

    The first through the program's own eyes: a filter on all events of the application would have every one of them
    made into a Python object, which takes 0.04 s until then.
    """

    def __init__(self, app: QApplication, tour: bool) -> None:
        super().__init__(app)
        self.tour = tour
        self.seen: dict[str, float] = {}
        self.app = app
        looks = FirstFrame.eventFilter

        def also(frame: FirstFrame, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                QTimer.singleShot(0, self, self.framed)
            return looks(frame, watched, event)

        FirstFrame.eventFilter = also  # type: ignore[method-assign]

    def framed(self) -> None:
        """The first frame is on the screen; from now on look for the sheet."""
        self.seen.setdefault("frame", time.process_time())
        self.app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest:
            QTimer.singleShot(0, self, self.painted)
        return False

    def painted(self) -> None:
        """After a frame was delivered: is the sheet on it?"""
        window = next((w for w in QApplication.topLevelWidgets() if type(w).__name__ == "MainWindow"), None)
        if window is None or not window.isVisible():
            return
        canvas = getattr(window, "canvas", None)
        if canvas is not None and canvas.view.backdrop.renders and "sheet" not in self.seen:
            self.seen["sheet"] = time.process_time()
            QTimer.singleShot(300, self, lambda: self.leave(window))

    def leave(self, window: QObject) -> None:
        """Everything has been made and painted; with a tour, look at all zooms first."""
        view = window.canvas.view
        self.seen["cards"] = len(view.source.scene)
        if self.tour:
            x, y, w, h = view.source.scene.bounds()
            for zoom in (0.2, 0.3, 0.45, 0.7, 1.0, 1.5):
                for k in range(5):
                    view.look_at(QPointF(x + w * (k + 0.5) / 5, y + h * (k + 0.5) / 5), zoom)
                    view.viewport().repaint()
            view.fit()
            view.viewport().repaint()
        print(json.dumps({**self.seen, "peak_mib": peak_mib(), "modules": sorted(sys.modules)}))
        QApplication.exit(0)


if __name__ == "__main__":
    tour = "--tour" in sys.argv
    _watch = Watch(entry.make_application(), tour)
    sys.exit(entry.main([a for a in sys.argv[1:] if a != "--tour"] + ["--no-worker"]))
