"""Points over a field or a figure, joined by lines where a third field tells series apart. Ticks and colours are the
chart's (``ui.paint.chart_model``), whose own x axis is for message sizes only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.ui.paint.chart_model import linear_ticks, nice_step, tick_label
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import make_pen, theme, ui_font

SERIES = ("accent", "ok", "warn", "error", "info", "text.2")
_DOT = 3.25
_NEAR_PX = 10.0


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """One row: ``x`` a number or a word, ``y`` a number, ``series`` what tells it apart ("" = all alike)."""

    number: int
    x: Any
    y: float
    series: str = ""


class SweepPlot(QWidget):
    """``picked`` (number of the point) on a click near a dot."""

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points: list[PlotPoint] = []
        self._x_title = self._y_title = ""
        self._lines = False
        self._chosen: set[int] = set()
        self._spots: list[tuple[int, QPointF]] = []
        self.setMinimumHeight(150)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_points(self, points: list[PlotPoint], x_title: str, y_title: str, *, lines: bool) -> None:
        """Other points; ``lines`` joins those of a series in the order of x."""
        self._points, self._x_title, self._y_title, self._lines = points, x_title, y_title, lines
        self.update()

    def choose(self, numbers: set[int]) -> None:
        """Points that are ringed."""
        self._chosen = numbers
        self.update()

    @property
    def spots(self) -> list[tuple[int, QPointF]]:
        """Where the points were painted last."""
        return self._spots

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        near = [((spot - at).manhattanLength(), number) for number, spot in self._spots]
        if near and min(near)[0] <= _NEAR_PX:
            self.picked.emit(min(near)[1])

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme()["panel"])
        self._spots = []
        if self._points and self.width() > 160 and self.height() > 100:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            self._paint(painter)
        painter.end()

    def _paint(self, painter: QPainter) -> None:
        now = theme()
        font = ui_font(11)
        metrics = QFontMetricsF(font)
        line = metrics.height()
        painter.setFont(font)
        named = [name for name in dict.fromkeys(point.series for point in self._points) if name]
        rect = QRectF(self.rect()).adjusted(14, 8, -16, -8)
        ys = [point.y for point in self._points]
        y_ticks = _ticks(min(ys), max(ys), max(2, int((rect.height() - 3 * line) / 30)))
        y_step = y_ticks[1] - y_ticks[0]
        y_names = [tick_label(tick, y_step) for tick in y_ticks]
        left = rect.left() + max(metrics.horizontalAdvance(name) for name in y_names) + 8
        plot = QRectF(left, rect.top() + line + 8, rect.right() - left, rect.height() - 3 * line - 16)
        places, x_marks = self._x_axis(plot)

        def y_of(value: float) -> float:
            low, high = y_ticks[0], y_ticks[-1]
            return plot.bottom() - plot.height() * (value - low) / (high - low)

        painter.setPen(now["text.3"])
        painter.drawText(QPointF(rect.left(), rect.top() + metrics.ascent()), self._y_title)
        for tick, name in zip(y_ticks, y_names, strict=True):
            y = round(y_of(tick)) + 0.5
            painter.setPen(make_pen(now["border.strong"] if tick == y_ticks[0] else now.alpha("border", 0.8), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(now["text.3"])
            painter.drawText(
                QRectF(plot.left() - 200, y - line / 2, 193, line),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                name,
            )
        taken = -math.inf
        for x, name in x_marks:
            width = metrics.horizontalAdvance(name)
            at = min(max(x - width / 2, rect.left()), rect.right() - width)
            if at < taken + 6:
                continue
            taken = at + width
            painter.setPen(now["text.3"])
            painter.drawText(QPointF(at, plot.bottom() + 6 + metrics.ascent()), name)
        width = metrics.horizontalAdvance(self._x_title)
        painter.drawText(QPointF(rect.right() - width, rect.bottom() - metrics.descent()), self._x_title)
        self._paint_names(painter, rect, metrics, named)
        self._paint_points(painter, places, y_of, named)

    def _paint_names(self, painter: QPainter, rect: QRectF, metrics: QFontMetricsF, named: list[str]) -> None:
        """What tells the series apart, above the plot at the right."""
        now = theme()
        x = rect.right()
        room = rect.left() + metrics.horizontalAdvance(self._y_title) + 24
        for name in reversed(named):
            x -= metrics.horizontalAdvance(name)
            if x - 14 < room:
                return
            painter.setPen(now["text.2"])
            painter.drawText(QPointF(x, rect.top() + metrics.ascent()), name)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(series_colour(named.index(name), len(named)))
            painter.drawEllipse(QPointF(x - 8, rect.top() + metrics.height() / 2), _DOT, _DOT)
            x -= 26

    def _paint_points(self, painter: QPainter, places: list[float], y_of: Any, named: list[str]) -> None:
        now = theme()
        by_series: dict[str, list[tuple[float, float]]] = {}
        for point, x in zip(self._points, places, strict=True):
            self._spots.append((point.number, QPointF(x, y_of(point.y))))
            by_series.setdefault(point.series, []).append((x, y_of(point.y)))

        def colour(series: str) -> QColor:
            return series_colour(named.index(series), len(named)) if series in named else now["accent"]

        if self._lines:
            for name, row in by_series.items():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(make_pen(colour(name), 1.5))
                painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in sorted(row)]))
        for point, (_, spot) in zip(self._points, self._spots, strict=True):
            painter.setPen(QPen(now["panel"], 1))
            painter.setBrush(colour(point.series))
            painter.drawEllipse(spot, _DOT, _DOT)
        for number, spot in self._spots:
            if number in self._chosen:
                painter.setPen(make_pen(now["text"], 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(spot, _DOT + 3, _DOT + 3)

    def _x_axis(self, plot: QRectF) -> tuple[list[float], list[tuple[float, str]]]:
        """Where every point stands, and the marks below the axis. Words stand side by side, in the order met."""
        inside = plot.adjusted(10, 0, -10, 0)
        xs = [point.x for point in self._points]
        if all(isinstance(x, (int, float)) for x in xs):
            low, high = float(min(xs)), float(max(xs))
            if high <= low:
                return [inside.center().x()] * len(xs), [(inside.center().x(), cell(low))]
            step = nice_step((high - low) / max(2, int(inside.width() / 90)))
            if all(isinstance(x, int) for x in xs):
                step = max(1.0, step)  # half a cable is no place on the axis
            first = math.ceil(low / step - 1e-9)
            ticks = [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]

            def at(value: float) -> float:
                return inside.left() + inside.width() * (value - low) / (high - low)

            return [at(float(x)) for x in xs], [(at(tick), tick_label(tick, step)) for tick in ticks]
        words = list(dict.fromkeys(map(cell, xs)))
        gap = inside.width() / max(1, len(words))
        place = {word: inside.left() + gap * (n + 0.5) for n, word in enumerate(words)}
        return [place[cell(x)] for x in xs], [(place[word], word) for word in words]


def _rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def series_colour(n: int, count: int) -> QColor:
    """Colours that are told apart; of many series, steps from one to another colour, since no more can be."""
    now = theme()
    if count <= len(SERIES):
        return now[SERIES[n]]
    share, a, b = n / (count - 1), now["accent"], now["warn"]
    mixed = (round(x + (y - x) * share) for x, y in zip(_rgb(a), _rgb(b), strict=True))
    return QColor(*mixed)


def cell(value: Any) -> str:
    """A value of the x axis as it is written below it."""
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)


def _ticks(low: float, high: float, count: int) -> list[float]:
    """Ticks around a range; from 0 where that is not far below, or where they hardly differ: nothing is then shown
    larger than it is."""
    if low >= 0 and (low < 0.6 * high or high - low < 0.05 * high):
        return linear_ticks(high, count)
    spread = high - low or abs(high) * 0.1 or 1.0
    step = nice_step(spread / max(1, count - 1))
    first, last = math.floor(low / step), math.ceil(high / step + 1e-9)
    return [n * step for n in range(first, max(last, first + 1) + 1)]
