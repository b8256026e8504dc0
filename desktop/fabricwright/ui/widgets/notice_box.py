"""A soft box that says something about the part at hand: sign, title, text, one or two buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from fabricwright.ui.icons import paint_state
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, theme
from fabricwright.ui.widgets.surface import TextLabel

_SOFT = {"error": "error.soft", "warning": "warn.soft", "info": "info.soft", "ok": "ok.soft", "approved": "sunken"}


class NoticeBox(QWidget):
    """``set_notice(severity, title, text, buttons)``; ``buttons`` are (text, slot), drawn as plain push buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._severity = "info"
        column = QVBoxLayout(self)
        column.setContentsMargins(34, 10, 12, 10)
        column.setSpacing(4)
        self._title = TextLabel("", self, px=12.5, weight=SEMIBOLD, wrap=True)
        self._text = TextLabel("", self, px=11.5, wrap=True)
        column.addWidget(self._title)
        column.addWidget(self._text)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 4, 0, 0)
        self._row.setSpacing(8)
        self._row.addStretch(1)
        column.addLayout(self._row)
        self._buttons: list[QPushButton] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def set_notice(
        self,
        severity: str,
        title: str,
        text: str = "",
        buttons: Sequence[tuple[str, Callable[[], object]]] = (),
    ) -> None:
        """``severity``: error, warning, info, ok or approved."""
        self._severity = severity
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self._text.setText(text)
        self._text.setVisible(bool(text))
        for button in self._buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self._buttons = []
        for index, (label, slot) in enumerate(buttons):
            button = QPushButton(label, self)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, call=slot: call())
            self._row.insertWidget(index, button)
            self._buttons.append(button)
        self.setAccessibleName(f"{title} {text}")
        self.update()

    def buttons(self) -> list[QPushButton]:
        """The buttons shown."""
        return list(self._buttons)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rounded(painter, QRectF(self.rect()), theme()[_SOFT[self._severity]], radius=8)
        paint_state(painter, self._severity, QRectF(10, 11, 16, 16))
        painter.end()

    def keyPressEvent(self, event: object) -> None:
        if getattr(event, "key", lambda: None)() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._buttons:
            self._buttons[0].click()
            return
        super().keyPressEvent(event)  # type: ignore[arg-type]
