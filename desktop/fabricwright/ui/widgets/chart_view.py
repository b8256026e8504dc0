"""The chart painter as a widget: cross hair, click to choose a size, short cross-fade on new figures."""

from __future__ import annotations

import math

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.ui.paint.chart import ChartLayout, ChartModel, paint_chart
from fabricwright.ui.paint.chart_model import signed_percent
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, make_pen, motion_allowed, theme, ui_font
from fabricwright.units.quantity import format_size

_FADE_MS = 120
_SNAP_PX = 6.0


class ChartView(QWidget):
    """Shows a ``ChartModel``. ``size_picked(float)`` in bytes (a power of two) on click or arrow keys."""

    size_picked = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = ChartModel()
        self._empty_text = ""
        self._stale = False
        self._hover: QPointF | None = None
        self._layout: ChartLayout | None = None
        self._old: QPixmap | None = None
        self._fade = QVariantAnimation(self)
        self._fade.setDuration(_FADE_MS)
        self._fade.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._fade.valueChanged.connect(lambda _value: self.update())
        self._fade.finished.connect(self._fade_done)
        self.animate = motion_allowed()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def model(self) -> ChartModel:
        """What is shown."""
        return self._model

    def chart_layout(self) -> ChartLayout | None:
        """Scales and texts of the last painting, None while empty."""
        return self._layout

    def set_model(self, model: ChartModel) -> None:
        """Show other figures; fades from the old ones unless nothing is visible."""
        if model == self._model:
            return
        comparable = not model.empty and not self._model.empty
        only_reading_moved = comparable and model.series == self._model.series
        if self.animate and comparable and not only_reading_moved and self.isVisible() and self._hover is None:
            self._old = self.grab()
            self._fade.stop()
            self._fade.setStartValue(0.0)
            self._fade.setEndValue(1.0)
            self._model = model
            self._fade.start()
        self._model = model
        self.update()

    def set_empty_text(self, text: str) -> None:
        """What an empty chart says (``Choose a collective``)."""
        self._empty_text = text
        self.update()

    def set_stale(self, stale: bool) -> None:
        """Pale while newer figures are on their way."""
        if stale != self._stale:
            self._stale = stale
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, 170)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 100)

    def _fade_done(self) -> None:
        self._old = None
        self.update()

    # ---- input ---------------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover = event.position()
        self.update()

    def leaveEvent(self, event: object) -> None:
        self._hover = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._layout is None:
            return
        if self._layout.plot.adjusted(-6, -6, 6, 20).contains(event.position()):
            self.size_picked.emit(self._snapped(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: 0.5, Qt.Key.Key_Right: 2.0}.get(Qt.Key(event.key()))
        at = self._model.reading_bytes
        if step is None or at is None or self._layout is None:
            super().keyPressEvent(event)
            return
        wanted = at * step
        if self._layout.x_low <= wanted <= self._layout.x_high:
            self.size_picked.emit(wanted)

    def _snapped(self, x: float) -> float:
        """The power of two nearest to pixel ``x``."""
        assert self._layout is not None
        low = math.ceil(math.log2(self._layout.x_low) - 1e-9)
        high = math.floor(math.log2(self._layout.x_high) + 1e-9)
        return float(2 ** min(max(round(math.log2(self._layout.bytes_at(x))), low), high))

    def _read_at(self, x: float, layout: ChartLayout) -> float:
        """The size that the cross hair reads: a measured one when the pointer is on it, else a power of two."""
        wanted = layout.bytes_at(x)
        for points in self._model.points:
            index = points.nearest(wanted)
            if index is not None and abs(layout.x_of(points.x_bytes[index]) - x) <= _SNAP_PX:
                return points.x_bytes[index]
        return self._snapped(x)

    def _measured_at(self, size: float) -> list[str]:
        """``measured 36.2 GB/s (-4.1 %)`` of every log that has this size."""
        lines = []
        for points in self._model.points:
            index = points.nearest(size)
            if index is None or points.x_bytes[index] != size:
                continue
            off = f" ({signed_percent(points.off[index])})" if len(points.off) == len(points.y) else ""
            lines.append(f"{points.label} {self._model.read(points.y[index], unit=True)}{off}".strip())
        return lines

    # ---- painting ------------------------------------------------------------------------------------------------

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        if self._old is not None:
            share = float(self._fade.currentValue() or 0.0)
            painter.setOpacity(1.0 - share)
            painter.drawPixmap(0, 0, self._old)
            painter.setOpacity(share)
        if self._stale:
            painter.setOpacity(0.45)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        self._layout = paint_chart(painter, box, self._model, now)
        if self._layout is None:
            self._paint_empty(painter, box)
        elif self._hover is not None and self._layout.plot.contains(self._hover):
            self._paint_cross_hair(painter, self._layout)
        painter.setOpacity(1.0)
        if self.hasFocus():
            rounded(painter, QRectF(self.rect()), None, now["focus"], radius=4, width=1.5)
        painter.end()

    def _paint_empty(self, painter: QPainter, box: QRectF) -> None:
        now = theme()
        plot = box.adjusted(28, 14, -16, -28)
        painter.setPen(make_pen(now["border"], 1))
        for share in (0.0, 0.25, 0.5, 0.75):
            y = round(plot.top() + plot.height() * share) + 0.5
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
        painter.setPen(make_pen(now["border.strong"], 1))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        if not self._empty_text:
            return
        painter.setFont(ui_font(12.5))
        width = QFontMetricsF(painter.font()).horizontalAdvance(self._empty_text)
        middle = plot.center()
        painter.fillRect(QRectF(middle.x() - width / 2 - 8, middle.y() - 12, width + 16, 24), now["panel"])
        painter.setPen(now["text.2"])
        painter.drawText(plot, Qt.AlignmentFlag.AlignCenter, self._empty_text)

    def _paint_cross_hair(self, painter: QPainter, layout: ChartLayout) -> None:
        """Line at the nearest power of two, dots, and a small table beside them."""
        assert self._hover is not None
        now = theme()
        size = self._read_at(self._hover.x(), layout)
        x = round(layout.x_of(size)) + 0.5
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(make_pen(now["text.3"], 1))
        painter.drawLine(QPointF(x, layout.plot.top()), QPointF(x, layout.plot.bottom()))
        rows = [(s, v) for s in self._model.series if (v := s.at(size)) is not None]
        head = format_size(int(size))
        region = next((r.label for r in self._model.regions if r.from_bytes <= size < r.to_bytes), "")
        lines = [(head + (f"  {region}" if region else ""), "text.2")]
        for series, value in rows:
            painter.setPen(QPen(now[series.token], 2))
            painter.setBrush(now["panel"])
            painter.drawEllipse(QPointF(x, layout.y_of(value)), 3.5, 3.5)
            lines.append((f"{series.label} {self._model.read(value, unit=True)}".strip(), "text"))
        lines += [(text, "text") for text in self._measured_at(size)]
        font = ui_font(11.5, SEMIBOLD)
        metrics = QFontMetricsF(font)
        width = max(metrics.horizontalAdvance(text) for text, _ in lines) + 16
        height = 16.0 * len(lines) + 10
        left = x + 10 if x + 10 + width <= self.width() else x - 10 - width
        left = max(2.0, min(left, self.width() - width - 2))
        top = min(max(self._hover.y() - height - 8, 2.0), self.height() - height - 2)
        frame = QRectF(left, top, width, height)
        rounded(painter, frame, now["raised"], now["border"], radius=6)
        for index, (text, token) in enumerate(lines):
            painter.setFont(ui_font(11.5, SEMIBOLD if index else 400))
            painter.setPen(now[token])
            place = QRectF(left + 8, top + 5 + 16 * index, width - 12, 16)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
