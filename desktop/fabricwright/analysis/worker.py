"""The worker process: keeps a replica, applies patches, computes the latest state, reports what changed.

All waiting frames are taken in before computing and between stages: computing may be skipped, patches never are. A
gap or a patch that does not fit makes it ask for the whole project again. It ends when its input ends, so it never
outlives the window.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import queue
import sys
import threading
import time
import traceback
from typing import Any, BinaryIO

from fabricwright.analysis.protocol import FrameError, Unpacker, pack
from fabricwright.analysis.replica import Replica, Superseded
from fabricwright.design.patch import PatchMismatchError
from fabricwright.units.errors import UserError

Frame = tuple[dict[str, Any], bytes]


class Worker:
    """Reads frames from ``source`` on a thread, answers on ``sink``."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._sink = sink
        self._frames: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        self._ended = False
        self.replica = Replica(self.send, self._checkpoint)
        threading.Thread(target=self._read, args=(source,), daemon=True).start()

    def _read(self, source: BinaryIO) -> None:
        unpacker = Unpacker()
        try:
            while data := os.read(source.fileno(), 1 << 20):
                for frame in unpacker.feed(data):
                    self._frames.put(frame)
        except (OSError, FrameError, MemoryError):
            pass  # the window starts another one
        finally:
            self._frames.put(None)

    def send(self, frame: bytes) -> None:
        """Write one frame; a closed pipe ends the worker."""
        try:
            self._sink.write(frame)
            self._sink.flush()
        except (OSError, ValueError):
            self._ended = True
            raise Superseded from None

    def _checkpoint(self) -> None:
        """Between stages: stop when something newer waits."""
        if self._ended or not self._frames.empty():
            raise Superseded

    def _take(self, frame: Frame | None) -> None:
        if frame is None or frame[0]["type"] == "stop":
            self._ended = True
            return
        header, payload = frame
        try:
            self.replica.take(header, payload)
        except (PatchMismatchError, UserError) as error:
            self.replica.lose()
            self.send(pack({"type": "resync", "reason": str(error)}))

    def run(self) -> int:
        """Serve until the input ends. Returns the exit code."""
        self.send(pack({"type": "ready", "pid": os.getpid()}))
        while not self._ended:
            self._take(self._frames.get())
            while not self._ended and not self._frames.empty():
                self._take(self._frames.get())
            if self._ended:
                break
            self._compute()
        return 0

    def _compute(self) -> None:
        started = time.perf_counter()
        try:
            self.replica.compute()
        except Superseded:
            return
        except MemoryError:
            self.replica.cache.clear()  # what is left must be enough for smaller drawings
            with contextlib.suppress(Superseded):
                self.send(pack({"type": "problem", "seq": self.replica.seq, "error": "MemoryError", "memory": True}))
            return
        except Exception as error:  # noqa: BLE001 (the window must hear of any defect, and keep its worker)
            detail = traceback.format_exc(limit=12)
            print(detail, file=sys.stderr)
            try:
                self.send(
                    pack(
                        {
                            "type": "problem",
                            "seq": self.replica.seq,
                            "error": f"{type(error).__name__}: {error}",
                            "detail": detail,
                        }
                    )
                )
            except Superseded:
                return
            return
        self.replica.report_idle(time.perf_counter() - started)


def limit_memory() -> None:
    """Bound the address space to ``FABRICWRIGHT_WORKER_MEMORY`` MiB, where that is set and the system can."""
    stated = os.environ.get("FABRICWRIGHT_WORKER_MEMORY", "")
    if not stated.isdigit() or sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError, OverflowError):
        resource.setrlimit(resource.RLIMIT_AS, (int(stated) << 20, resource.getrlimit(resource.RLIMIT_AS)[1]))


def main() -> int:
    """Entry of ``--worker``: frames on standard input and output; prints go to standard error."""
    limit_memory()
    with contextlib.suppress(ValueError, OSError, RuntimeError):
        faulthandler.enable()
    source = os.fdopen(os.dup(0), "rb", buffering=0)
    sink = os.fdopen(os.dup(1), "wb")
    # Anything that prints by mistake must not corrupt the frames.
    os.dup2(2, 1)
    if sys.platform == "win32":  # pragma: no cover
        import msvcrt

        msvcrt.setmode(source.fileno(), os.O_BINARY)
        msvcrt.setmode(sink.fileno(), os.O_BINARY)
    try:
        return Worker(source, sink).run()
    except Superseded:
        return 0
