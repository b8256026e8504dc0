"""The window's end of the analysis: a QProcess, fed with patches, whose answers land in ``AnalysisState``.

Nothing here waits. A worker that dies is started again with the whole project, more slowly each time it dies
young; after a few
tries the status says "lost" and the person may restart it.
"""

from __future__ import annotations

import logging
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer

from fabricwright.analysis.client import worker_command
from fabricwright.analysis.protocol import FrameError, Unpacker, pack
from fabricwright.design.patch import Patch, patch_to_json
from fabricwright.design.storage import dumps
from fabricwright.ui.context import UiContext

log = logging.getLogger(__name__)

_DELAYS_MS = (0, 500, 2000, 5000)
_STABLE_MS = 20_000


class AnalysisWorker(QObject):
    """Starts the worker, tells it every change, and keeps the context's ``analysis`` up to date."""

    def __init__(self, context: UiContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._state = context.analysis
        self._process: QProcess | None = None
        self._unpacker = Unpacker()
        self._seq = 0
        self._deaths = 0
        self._closing = False
        self._ready = False
        self._sizing: dict[str, Any] | None = None
        self._layouts: dict[str, Any] | None = None
        self._young = QTimer(self)
        self._young.setSingleShot(True)
        self._young.setInterval(_STABLE_MS)
        self._young.timeout.connect(self._survived)
        # Several view changes within one event loop turn (collective and size) make one frame.
        self._view = QTimer(self)
        self._view.setSingleShot(True)
        self._view.setInterval(0)
        self._view.timeout.connect(self._send_view)
        context.document.project_changed.connect(self._on_change)
        context.place_changed.connect(self._on_place)
        context.heat_changed.connect(lambda *_: self._view.start())
        self._state.mend_wanted.connect(self._send_mend)
        self._state.view_wanted.connect(self._view.start)
        self._state.fit_wanted.connect(self._send_fit)
        self._state.size_wanted.connect(self._send_size)
        self._state.layouts_wanted.connect(self._send_layouts)
        self._state.price_list_wanted.connect(
            lambda asked: self._send(pack({"type": "price_list", "seq": self._seq, **asked}))
        )

    # -- process ------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the process (or start it anew)."""
        self._stop_process()
        self._closing = False
        self._ready = False
        self._unpacker = Unpacker()
        command = worker_command()
        process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONUNBUFFERED", "1")
        process.setProcessEnvironment(environment)
        process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._finished)
        process.errorOccurred.connect(self._failed)
        self._process = process
        self._state.update(status="starting")
        process.start(command[0], command[1:])

    def restart(self) -> None:
        """What the "Restart" button does: forget earlier deaths and start anew."""
        self._deaths = 0
        self.start()

    def stop(self) -> None:
        """End the worker; used when the window closes."""
        self._closing = True
        self._stop_process()

    def _stop_process(self) -> None:
        process, self._process = self._process, None
        self._young.stop()
        if process is None:
            return
        process.readyReadStandardOutput.disconnect(self._read)
        process.finished.disconnect(self._finished)
        process.errorOccurred.disconnect(self._failed)
        if process.state() != QProcess.ProcessState.NotRunning:
            process.closeWriteChannel()
            if not process.waitForFinished(300):
                process.kill()
                process.waitForFinished(1000)
        process.deleteLater()

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            log.error("the analysis worker could not be started")
            self._state.update(status="lost")

    def _finished(self, code: int, status: QProcess.ExitStatus) -> None:
        if self._closing:
            return
        log.info("the analysis worker ended (%s, %s)", code, status.name)
        self._process = None
        self._young.stop()
        self._deaths += 1
        if self._deaths > len(_DELAYS_MS):
            self._state.update(status="lost", mending="", fitting="")
            return
        self._state.update(status="starting")
        QTimer.singleShot(_DELAYS_MS[self._deaths - 1], self, self._start_again)

    def _start_again(self) -> None:
        if not self._closing and self._process is None:
            self.start()

    def _survived(self) -> None:
        self._deaths = 0

    # -- out ----------------------------------------------------------------------------------------------------------

    def _send(self, frame: bytes) -> None:
        if self._process is not None and self._ready:
            self._process.write(frame)

    def _hello(self) -> None:
        header = {"type": "hello", "seq": self._seq, "design": self._context.design, "view": self._view_row()}
        self._send(pack(header, dumps(self._context.project)))
        if self._state.mending:
            self._send_mend(self._state.mending)
        if self._state.fitting:
            self._send_fit(self._state.fitting)
        if self._sizing is not None:
            self._send(pack(self._sizing))
        if self._layouts is not None:
            self._send(pack(self._layouts))

    def _view_row(self) -> dict[str, Any]:
        state = self._state
        return {
            "collective": state.collective,
            "size": int(state.size_bytes),
            "nodes": state.nodes,
            "fail": state.fail,
            "logs": list(state.logs),
            "sweep": state.sweep_wanted,
            "compare": list(state.compared),
            "bill": state.bill_wanted,
            "training": state.training_wanted,
            "health": state.health_wanted,
        }

    def _send_view(self) -> None:
        view = {**self._view_row(), "design": self._context.design}
        self._send(pack({"type": "view", "seq": self._seq, "view": view}))

    def _send_mend(self, rule: str) -> None:
        self._send(pack({"type": "mend", "seq": self._seq, "rule": rule}))

    def _send_fit(self, name: str) -> None:
        self._send(pack({"type": "fit", "seq": self._seq, "name": name, "logs": list(self._state.logs)}))

    def _send_size(self, asked: dict[str, Any]) -> None:
        """A requirement stays asked until it is answered: a worker that starts anew is asked again."""
        if asked["type"] == "size":
            self._sizing = asked if asked.get("requirement") else None
        self._send(pack(asked))

    def _send_layouts(self, asked: dict[str, Any]) -> None:
        """A search stays asked until it has ended, as a requirement does."""
        self._layouts = asked if asked.get("workload") is not None else None
        self._send(pack(asked))

    def _on_change(self, patch: Patch | None) -> None:
        if patch is None:
            self._state.clear()
            self._hello()
            return
        self._seq += 1
        if not self._state.sweep_wanted:
            self._state.resilience = {}
        self._send(pack({"type": "patch", "seq": self._seq, "patch": patch_to_json(patch)}))

    def _on_place(self) -> None:
        self._view.start()

    # -- in -----------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        process = self._process
        if process is None:
            return
        try:
            for header, _ in self._unpacker.feed(bytes(process.readAllStandardOutput().data())):
                self._take(header)
        except FrameError as error:
            log.error("the analysis worker sent nonsense (%s); it is started again", error)
            process.kill()

    def _take(self, header: dict[str, Any]) -> None:
        kind = header["type"]
        if kind == "ready":
            self._ready = True
            self._young.start()
            self._hello()
        elif kind == "resync":
            self._hello()
        elif kind == "findings":
            if header.get("reset"):
                self._state.findings.clear()
            self._state.change_findings(header["added"], header["removed"], header["changed"])
        elif kind == "figures":
            self._state.update(figures={k: v for k, v in header.items() if k not in ("type", "seq")})
        elif kind == "sheets":
            self._state.update(sheets=header["sheets"])
        elif kind == "book":
            self._state.update(book=header["rules"])
        elif kind == "mended":
            self._take_mended(header)
        elif kind == "fitted":
            self._take_fitted(header)
        elif kind == "measured":
            self._state.update(measured=header)
        elif kind == "comparison":
            self._state.take_section(header["section"], header["asked"], header["data"])
        elif kind == "bill":
            self._state.update(bill={**header["bill"], "design": header["design"]})
        elif kind == "sized":
            if header.get("done") or "look" in header or ("error" in header and not header.get("searching")):
                self._sizing = None
            self._state.sized.emit(header)
        elif kind == "training":
            self._state.update(training=header["training"])
        elif kind == "layouts_found":
            if header.get("end"):
                self._layouts = None
            self._state.take_layouts({k: v for k, v in header.items() if k != "type"})
        elif kind == "size_taken":
            self._state.size_taken.emit(header)
        elif kind == "price_list":
            self._state.price_list_read.emit(header)
        elif kind == "health":
            self._state.update(health={**header["health"], "design": header.get("design", "")})
        elif kind == "resilience":
            self._state.update(resilience=header["resilience"])
        elif kind == "prediction":
            self._state.update(prediction=header["prediction"])
        elif kind == "heat":
            self._state.update(heat=header["heat"], heat_interior=header["interior"])
        elif kind == "problem":
            log.error("the analysis failed: %s", header.get("detail") or header.get("error"))
            self._state.out_of_memory = bool(header.get("memory"))
            self._state.update(status="failed", mending="", fitting="")
        elif kind == "status":
            self._on_status(header)

    def _take_mended(self, header: dict[str, Any]) -> None:
        """Edits for the drawing as it is; for an older one the worker is asked again."""
        if header["rule"] != self._state.mending:
            return  # stopped
        if header["seq"] == self._seq and header["design"] == self._context.design:
            self._state.take_mended(header)
        else:
            self._send_mend(header["rule"])

    def _take_fitted(self, header: dict[str, Any]) -> None:
        """A profile for the drawing as it is; for an older one the worker is asked again."""
        if header["name"] != self._state.fitting:
            return
        if header["seq"] == self._seq and header["design"] == self._context.design:
            self._state.take_fitted(header)
        else:
            self._send_fit(header["name"])

    def _on_status(self, header: dict[str, Any]) -> None:
        if header["state"] == "idle" and header["seq"] == self._seq:
            self._state.ran = bool(header.get("stages", {}).get("ran"))
            self._state.update(status="idle", seconds=header["seconds"])
        elif header["state"] == "busy":
            self._state.update(status="busy")
