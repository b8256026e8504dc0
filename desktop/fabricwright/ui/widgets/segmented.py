"""A switch between few alternatives that are all visible (``EN | 中文``)."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, theme, ui_font


class SegmentedSwitch(QWidget):
    """``options`` are (key, text); ``changed(key)`` when the person picks another one. Arrow keys work."""

    changed = Signal(str)

    def __init__(
        self, options: Sequence[tuple[str, str]] = (), current: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._options = list(options)
        self._current = current or (self._options[0][0] if self._options else "")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self._hover = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Other texts or keys (retranslation)."""
        self._options = list(options)
        self.updateGeometry()
        self.update()

    def current(self) -> str:
        """Key of the chosen alternative."""
        return self._current

    def set_current(self, key: str) -> None:
        """Choose without emitting ``changed``."""
        self._current = key
        self._describe()
        self.update()

    def _describe(self) -> None:
        self.setAccessibleDescription(dict(self._options).get(self._current, ""))

    def _widths(self) -> list[float]:
        metrics = QFontMetricsF(ui_font(12, SEMIBOLD))
        return [max(36.0, round(metrics.horizontalAdvance(text)) + 24.0) for _, text in self._options]

    def sizeHint(self) -> QSize:
        return QSize(int(sum(self._widths())) + 2, 28)

    def _cells(self) -> list[tuple[str, str, QRectF]]:
        cells, x = [], 1.0
        for (key, text), width in zip(self._options, self._widths(), strict=True):
            cells.append((key, text, QRectF(x, 1, width, self.height() - 2)))
            x += width
        return cells

    def key_at(self, point: QPointF) -> str:
        """Key of the alternative under a point, or an empty text."""
        return next((key for key, _, box in self._cells() if box.contains(point)), "")

    def _pick(self, key: str) -> None:
        if key and key != self._current:
            self.set_current(key)
            self.changed.emit(key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pick(self.key_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hover = self.key_at(event.position())
        if hover != self._hover:
            self._hover = hover
            self.update()

    def leaveEvent(self, event: object) -> None:
        self._hover = ""
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Space: 1}.get(Qt.Key(event.key()), 0)
        keys = [key for key, _ in self._options]
        if not step or self._current not in keys:
            super().keyPressEvent(event)
            return
        self._pick(keys[(keys.index(self._current) + step) % len(keys)])

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        frame = QRectF(0, 0, sum(self._widths()) + 2, self.height())
        rounded(painter, frame, now["panel"])
        shape = QPainterPath()
        shape.addRoundedRect(frame.adjusted(1, 1, -1, -1), 5, 5)
        painter.save()
        painter.setClipPath(shape)
        for key, _text, box in self._cells():
            if key == self._current:
                painter.fillRect(box, now["accent.soft"])
            elif key == self._hover:
                painter.fillRect(box, now["hover"])
        painter.restore()
        for key, text, box in self._cells():
            chosen = key == self._current
            painter.setFont(ui_font(12, SEMIBOLD if chosen else MEDIUM))
            painter.setPen(now["accent" if chosen else "text.2"])
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        focus = self.hasFocus()
        rounded(painter, frame, None, now["focus" if focus else "border"], width=1.5 if focus else 1.0)
        painter.end()
