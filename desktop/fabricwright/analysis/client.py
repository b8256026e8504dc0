"""The worker from the outside, without Qt: for tests, the self-test and scripts. The window has its own client on
QProcess."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Any

from fabricwright.analysis.protocol import Unpacker, pack
from fabricwright.design.patch import Patch, patch_to_json
from fabricwright.design.storage import dumps
from fabricwright.design.values import Project
from fabricwright.resources import own_program


def worker_command() -> list[str]:
    """Command line of a worker: this executable again, in a frozen build too."""
    return [*own_program(), "--worker"]


class WorkerClient:
    """Starts a worker, sends frames, collects answers; restarts it after a death with the whole project."""

    def __init__(self) -> None:
        self.seq = 0
        self._project: Project | None = None
        self._design = ""
        self._view: dict[str, Any] = {}
        self._start()

    def _start(self) -> None:
        self.process = subprocess.Popen(worker_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._unpacker = Unpacker()
        self._read: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        assert self.process.stdout is not None
        threading.Thread(target=_read_all, args=(self.process.stdout.fileno(), self._read), daemon=True).start()

    def _send(self, frame: bytes) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self.process.stdin.write(frame)
            self.process.stdin.flush()

    def hello(self, project: Project, design: str, **view: Any) -> None:
        """Send the whole project."""
        self._project, self._design, self._view = project, design, view
        self._send(pack({"type": "hello", "seq": self.seq, "design": design, "view": view}, dumps(project)))

    def patch(self, project: Project, patch: Patch) -> None:
        """Send one patch; ``project`` is the state after it (kept for a restart)."""
        self.seq += 1
        self._project = project
        self._send(pack({"type": "patch", "seq": self.seq, "patch": patch_to_json(patch)}))

    def view(self, **view: Any) -> None:
        """Change what is looked at (collective, size, design)."""
        self._view.update(view)
        self._send(pack({"type": "view", "seq": self.seq, "view": view}))

    def frames(self, timeout_s: float = 60.0) -> Iterator[tuple[dict[str, Any], bytes]]:
        """Frames as they come, until ``timeout_s`` without any. A dead worker is restarted and told everything
        again."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            try:
                data = self._read.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return
            if not data:
                self.process.wait()
                self._start()
                if self._project is not None:
                    self.hello(self._project, self._design, **self._view)
                continue
            for header, payload in self._unpacker.feed(data):
                yield header, payload
                if header["type"] == "resync" and self._project is not None:
                    self.hello(self._project, self._design, **self._view)

    def until_idle(self, timeout_s: float = 60.0) -> dict[str, Any]:
        """Collect frames until the worker has computed the last state sent. type -> last header (findings merged by
        key)."""
        out: dict[str, Any] = {}
        findings: dict[str, Any] = {}
        for header, payload in self.frames(timeout_s):
            kind = header["type"]
            if kind == "findings":
                if header.get("reset"):
                    findings.clear()
                for key in header["removed"]:
                    findings.pop(key, None)
                for row in [*header["added"], *header["changed"]]:
                    findings[row["key"]] = row
                continue
            out[kind] = {**header, "payload": payload} if payload else header
            if kind == "problem":
                break
            if kind == "status" and header.get("state") == "idle" and header.get("seq") == self.seq:
                break
        out["findings"] = findings
        return out

    def close(self) -> None:
        """Stop the worker."""
        self._send(pack({"type": "stop"}))
        with contextlib.suppress(OSError):
            if self.process.stdin:
                self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


def _read_all(descriptor: int, into: queue.SimpleQueue[bytes]) -> None:
    """What a pipe gives until its end, told by an empty piece. A thread, since Windows can wait for sockets only."""
    while True:
        try:
            data = os.read(descriptor, 1 << 20)
        except OSError:
            data = b""
        into.put(data)
        if not data:
            return
