"""Says where the window's thread was when it did not answer for longer than 200 ms.

The event loop beats; a thread looks whether the last beat is too long ago, and if so at the stack of the main thread,
once per stall. When the beat comes back, one line goes to the log: how long, and where. While nothing hangs this costs
two wake-ups per beat.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QObject, Qt, QTimer

from fabricwright.ui.faults.log_ring import place_of

log = logging.getLogger(__name__)

BEAT_S = 0.05
LONG_S = 0.2
FRAMES = 12
PLAIN = {"plain": True}
"""Frames of the program hold nothing of a project: the line may go into a diagnostic file as it is."""


class Watchdog(QObject):
    """Watches the thread that makes it, from ``start`` to ``stop``. ``clock`` and ``LONG_S`` in seconds."""

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._watched = threading.get_ident()
        self._beat = clock()
        self._seen: tuple[float, str] | None = None
        self._end = threading.Event()
        self._thread: threading.Thread | None = None
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.CoarseTimer)
        self._timer.setInterval(round(BEAT_S * 1000))
        self._timer.timeout.connect(self.beat)

    def start(self) -> None:
        """Begin to watch."""
        if self._thread is None:
            self._beat = self._clock()
            self._timer.start()
            self._end.clear()
            self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """No longer watch."""
        self._timer.stop()
        self._end.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(1.0)

    def beat(self) -> None:
        """The event loop is alive; what it was doing in a stall before is told now."""
        now = self._clock()
        before, self._beat = self._beat, now
        seen, self._seen = self._seen, None
        # The handler began at most one beat after the last one.
        lasted = now - before - BEAT_S
        if seen is not None and seen[0] == before and lasted >= LONG_S:
            log.warning("the window did not answer for %.0f ms:\n%s", lasted * 1000, seen[1], extra=PLAIN)

    def look(self) -> None:
        """One look of the thread."""
        beat = self._beat
        if self._clock() - beat < LONG_S or (self._seen is not None and self._seen[0] == beat):
            return
        frame = sys._current_frames().get(self._watched)
        self._seen = (beat, stack_of(frame))

    def _run(self) -> None:
        while not self._end.wait(BEAT_S):
            self.look()


def stack_of(frame: FrameType | None) -> str:
    """The innermost frames, innermost last: module, line, function."""
    out: list[str] = []
    while frame is not None and len(out) < FRAMES:
        out.append("  " + place_of(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        frame = frame.f_back
    return "\n".join(reversed(out))
