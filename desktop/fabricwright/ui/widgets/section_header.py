"""Fold heads: a chevron, a title, a figure at the right."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import chevron, rounded
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, theme, ui_font


class SectionHeader(QAbstractButton):
    """Head of a fold; ``toggled(bool)`` tells open or shut. ``line`` draws a rule above it (inspector folds)."""

    def __init__(
        self, title: str = "", parent: QWidget | None = None, *, expanded: bool = True, line: bool = False
    ) -> None:
        super().__init__(parent)
        self._line = line
        self._note = ""
        self.setText(title)
        self.setCheckable(True)
        self.setChecked(expanded)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_note(self, note: str) -> None:
        """The small figure at the right end, for example a count."""
        self._note = note
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 29 if self._line else 26)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        box = QRectF(self.rect())
        if self._line:
            painter.fillRect(QRectF(0, 0, self.width(), 1), now["border"])
        if self.underMouse():
            rounded(painter, box.adjusted(0, 2 if self._line else 0, 0, 0), now["hover"], radius=4)
        if self.hasFocus():
            rounded(painter, box, None, now["focus"], radius=4, width=1.5)
        chevron(painter, QRectF(0, 0, 12, self.height()), "down" if self.isChecked() else "right")
        painter.setFont(ui_font(12, SEMIBOLD if self.isChecked() else MEDIUM))
        painter.setPen(now["text" if self.isChecked() else "text.2"])
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box.adjusted(17, 0, -32, 0), middle | Qt.AlignmentFlag.AlignLeft, self.text())
        if self._note:
            painter.setFont(ui_font(11))
            painter.setPen(now["text.3"])
            painter.drawText(box.adjusted(0, 0, -2, 0), middle | Qt.AlignmentFlag.AlignRight, self._note)
        painter.end()
