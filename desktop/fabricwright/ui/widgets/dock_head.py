"""The 34 px head of a panel: title, and room for a chip, combo boxes or buttons at the right."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import SEMIBOLD, theme
from fabricwright.ui.widgets.surface import ElidedLabel

HEIGHT = 34


class DockHead(QWidget):
    """Use as ``dock.setTitleBarWidget(DockHead(title))`` or at the top of a panel. ``line`` draws the rule below."""

    def __init__(self, title: str = "", parent: QWidget | None = None, *, line: bool = False) -> None:
        super().__init__(parent)
        self._line = line
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(14, 0, 10, 0)
        self._row.setSpacing(6)
        self.title = ElidedLabel(title, self, px=13, weight=SEMIBOLD)
        self._row.addWidget(self.title)
        self._row.addStretch(1)
        self.set_title(title)

    def set_title(self, title: str) -> None:
        """Change the title (retranslation). It stays whole; what stands beside it gives way."""
        self.title.set_text(title)
        self.title.setMinimumWidth(self.title.sizeHint().width())

    def add_right(self, widget: QWidget) -> None:
        """Put a widget at the right end."""
        self._row.addWidget(widget)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), HEIGHT)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme()["panel"])
        if self._line:
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme()["border"])
        painter.end()
