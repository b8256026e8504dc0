"""Which findings are shown: one switch for each severity, with its count."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from fabricwright.ui.icons import paint_icon, paint_state, state_icon_name, state_token
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.words import severity_word
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, theme, ui_font


class _Switch(QAbstractButton):
    def __init__(self, state: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.state = state
        self.count = 0
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(round(QFontMetricsF(ui_font(11.5, SEMIBOLD)).horizontalAdvance(str(self.count))) + 32, 26)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        if self.underMouse():
            rounded(painter, box, now["hover"])
        if self.hasFocus():
            rounded(painter, box, None, now["focus"], width=1.5)
        sign = QRectF(6, self.height() / 2 - 7.5, 15, 15)
        if self.isChecked():
            paint_state(painter, self.state, sign)
        else:
            paint_icon(painter, state_icon_name(self.state), sign, "text.disabled")
        painter.setFont(ui_font(11.5, SEMIBOLD))
        token = "text.2" if self.state == "approved" else state_token(self.state)
        painter.setPen(now[token if self.isChecked() and self.count else "text.3"])
        place = box.adjusted(25, 0, 0, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, str(self.count))
        if not self.isChecked():
            painter.setPen(now["text.3"])
            painter.drawLine(4, self.height() // 2, self.width() - 5, self.height() // 2)
        painter.end()


class SeverityFilter(QWidget):
    """``changed`` when a switch was thrown; ``chosen()`` the states that are shown."""

    changed = Signal()

    def __init__(self, states: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        self._switches = [_Switch(state, self) for state in states]
        for switch in self._switches:
            row.addWidget(switch)
            switch.toggled.connect(lambda _on: self.changed.emit())
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._retranslate()

    def chosen(self) -> frozenset[str]:
        """States that are shown."""
        return frozenset(s.state for s in self._switches if s.isChecked())

    def switch(self, state: str) -> QAbstractButton:
        """The switch of one state."""
        return next(s for s in self._switches if s.state == state)

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Show how many there are of each."""
        for switch in self._switches:
            switch.count = counts.get(switch.state, 0)
            switch.updateGeometry()
            switch.update()
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Severities shown"))
        for switch in self._switches:
            word = severity_word(switch.state)
            text = self.tr("{severity}: {count}").format(severity=word, count=switch.count)
            switch.setAccessibleName(text)
            switch.setToolTip(text)
