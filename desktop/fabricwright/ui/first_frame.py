"""Tells when a window was painted for the first time: everything that can wait is made after that."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

#: After the paint: a turn for what was painted to ask for the rest of its content (pictures of the first page).
AFTER_PAINT_MS = 20
#: A window that nobody sees (started minimised, behind a lock screen) is not painted; it goes on all the same.
UNSEEN_MS = 1500


class FirstFrame(QObject):
    """Calls ``then`` once, soon after the first paint of ``window``, or after ``UNSEEN_MS`` without one.

    On a busy machine the first paint comes late; a timer alone would then make panels before anything is on the screen.
    """

    def __init__(self, window: QWidget, then: Callable[[], None]) -> None:
        super().__init__(window)
        self._window = window
        self._then: Callable[[], None] | None = then
        window.installEventFilter(self)
        QTimer.singleShot(UNSEEN_MS, self, self._go)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window paints itself before what is in it; a timer runs after all of them."""
        if event.type() == QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            QTimer.singleShot(AFTER_PAINT_MS, self, self._go)
        return False

    def _go(self) -> None:
        then, self._then = self._then, None
        if then is not None:
            self._window.removeEventFilter(self)
            then()
            self.deleteLater()
