"""What nobody caught: the project is saved first, then the person is told. The window goes on.

``install`` puts one function behind ``sys.excepthook`` (which PySide calls for slots and events too), threads and
destructors. A sentence that was meant for the person (``UserError``) is shown as one.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from fabricwright.ui.faults.log_ring import frames
from fabricwright.ui.faults.rescue import save_copy
from fabricwright.units.errors import UserError

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

log = logging.getLogger(__name__)

Show = Callable[["MainWindow", str, "Path | None"], None]


class FaultHooks(QObject):
    """``show(window, frames, copy)`` is the dialog. At most one is open; the same fault is shown once."""

    _caught = Signal(object, str)

    def __init__(self, window: MainWindow, show: Show | None = None) -> None:
        super().__init__(window)
        self._window = window
        self._show = show or _show_dialog
        self._shown: set[str] = set()
        self._open = False
        self.copies: list[Path] = []
        # From other threads the signal is queued, so that saving and dialogs happen where widgets may be touched. From
        # the window's own thread too: the fault may have come in the middle of anything, such as painting.
        self._caught.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self._before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._uncaught
        threading.excepthook = lambda args: self._uncaught(args.exc_type, args.exc_value, args.exc_traceback)
        sys.unraisablehook = lambda found: self._uncaught(found.exc_type, found.exc_value, found.exc_traceback)
        self.destroyed.connect(self.remove)

    def remove(self) -> None:
        """Put back what was there before."""
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._before

    def _uncaught(
        self, kind: type[BaseException], error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if issubclass(kind, (KeyboardInterrupt, SystemExit)):
            self._before[0](kind, error or kind(), traceback)
            return
        log.error("not caught", exc_info=(kind, error or kind(), traceback))
        where = f"{kind.__name__}\n{frames(traceback)}"
        self._caught.emit(error.message if isinstance(error, UserError) else None, where)

    @Slot(object, str)
    def _tell(self, message: object, where: str) -> None:
        if message is not None:
            self._window.context.say(message, "error")  # type: ignore[arg-type]
            return
        if self._open or where in self._shown:
            return
        self._open = True
        self._shown.add(where)
        try:
            copy = self._save()
            self._show(self._window, where, copy)
        except Exception:  # what shows faults must not be one
            log.exception("the fault could not be shown")
        finally:
            self._open = False

    def _save(self) -> Path | None:
        """A copy of the project before anything else; the journal goes on by itself."""
        document = self._window.document
        name = document.file.stem if document.file else document.project.title
        copy = save_copy(document.project, name)
        if copy is not None:
            self.copies.append(copy)
        return copy


def _show_dialog(window: MainWindow, where: str, copy: Path | None) -> None:
    from fabricwright.ui.faults.dialog import FaultDialog

    FaultDialog(window, where, copy).exec()
