"""Search fields: magnifier, placeholder, shortcut hint, a delayed query signal."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import theme, ui_font


class SearchField(QLineEdit):
    """A line edit for searching.

    ``queried(text)`` comes 120 ms after the last key (at once on Enter or when cleared); ``leave_down`` when the Down
    key should move into the results. Escape clears.
    """

    queried = Signal(str)
    leave_down = Signal()

    def __init__(
        self, placeholder: str = "", parent: QWidget | None = None, *, hint: str = "", sunken: bool = True
    ) -> None:
        super().__init__(parent)
        self._hint = hint
        self.setProperty("sunken", sunken)
        self.set_placeholder(placeholder)
        self.setTextMargins(20, 0, 0, 0)
        self.setClearButtonEnabled(True)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(120)
        self._timer.timeout.connect(self._ask)
        self.textChanged.connect(self._on_text)
        self.returnPressed.connect(self._ask)

    def set_placeholder(self, text: str) -> None:
        """Placeholder, which is also the accessible name."""
        self.setPlaceholderText(text)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        return QSize(180, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, super().minimumSizeHint().height())

    def _on_text(self, text: str) -> None:
        if text:
            self._timer.start()
        else:
            self._ask()

    def _ask(self) -> None:
        self._timer.stop()
        self.queried.emit(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        if event.key() == Qt.Key.Key_Down:
            self.leave_down.emit()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A click into the field takes what was searched before, so that the next word replaces it."""
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            QTimer.singleShot(0, self, self.selectAll)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._paint_extras()

    @safe_paint
    def _paint_extras(self) -> None:
        painter = QPainter(self)
        paint_icon(painter, "search", QRectF(8, self.height() / 2 - 7.5, 15, 15), "text.3")
        if self._hint and not self.text():
            painter.setFont(ui_font(11))
            painter.setPen(theme()["text.3"])
            place = QRectF(self.rect()).adjusted(0, 0, -8, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._hint)
        painter.end()
