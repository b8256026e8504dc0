"""The state of the checks in the tool bar: a sign and a number for each severity."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from fabricwright.ui.icons import paint_state, state_token
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, theme, ui_font


class SeverityCounts(QAbstractButton):
    """``set_counts({"error": 1, "warning": 3, "approved": 1}, label)``; noughts are left out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: dict[str, int] = {}
        self._label = ""
        self._all_clear = ""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_counts(self, counts: dict[str, int], label: str = "", all_clear: str = "") -> None:
        """Show counts by severity, a word before them, and what to say when all is well ("": the word alone)."""
        order = ("error", "warning", "info", "approved")
        self._counts = {name: counts[name] for name in order if counts.get(name)}
        self._label, self._all_clear = label, all_clear
        self.setAccessibleName(" ".join([label] + [f"{name} {count}" for name, count in self._counts.items()]))
        self.updateGeometry()
        self.update()

    def _parts(self) -> list[tuple[str, str]]:
        found = [(name, str(count)) for name, count in self._counts.items()]
        return found or ([("ok", self._all_clear)] if self._all_clear else [])

    def sizeHint(self) -> QSize:
        figures = QFontMetricsF(ui_font(12.5, SEMIBOLD))
        width = sum(20 + figures.horizontalAdvance(text) + 14 for _, text in self._parts()) - 6
        if self._label:
            width += QFontMetricsF(ui_font(12.5)).horizontalAdvance(self._label) + 8
        return QSize(int(width) + 10, 28)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        box = QRectF(self.rect())
        if self.underMouse() or self.isDown():
            rounded(painter, box, now["hover"])
        if self.hasFocus():
            rounded(painter, box, None, now["focus"], width=1.5)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        x = 6.0
        if self._label:
            painter.setFont(ui_font(12.5))
            painter.setPen(now["text.2"])
            width = QFontMetricsF(painter.font()).horizontalAdvance(self._label)
            painter.drawText(QRectF(x, 0, width + 2, self.height()), middle, self._label)
            x += width + 8
        painter.setFont(ui_font(12.5, SEMIBOLD))
        for name, text in self._parts():
            paint_state(painter, name, QRectF(x, self.height() / 2 - 8, 16, 16))
            x += 20
            painter.setPen(now["text.2" if name == "approved" else state_token(name)])
            width = QFontMetricsF(painter.font()).horizontalAdvance(text)
            painter.drawText(QRectF(x, 0, width + 2, self.height()), middle, text)
            x += width + 14
        painter.end()
