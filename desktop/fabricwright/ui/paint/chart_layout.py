"""Where everything of a chart goes: the area of the curves, ticks and labels of the axes, the texts placed so far."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from fabricwright.ui.paint.chart_model import (
    ChartModel,
    decade_ticks,
    linear_ticks,
    size_labels,
    size_ticks,
    tick_label,
)
from fabricwright.ui.theme import REGULAR, ui_font

AXIS_PX = 11
LINE = 12.0  # height of one line of axis text: what Latin and Han glyphs of 11 px really cover
STRIP = 18.0  # height of the line of region names


@dataclass(frozen=True, slots=True)
class PlacedText:
    """One text as it was painted: the box is what it needs, not what it was given."""

    text: str
    box: QRectF


@dataclass(slots=True)
class ChartLayout:
    """Where things are. ``plot`` is the area of the curves; sizes map with ``x_of``, values with ``y_of``."""

    bounds: QRectF
    plot: QRectF
    x_low: float
    x_high: float
    y_ticks: list[float]
    y_log: bool
    x_ticks: list[int]
    texts: list[PlacedText] = field(default_factory=list)

    def x_of(self, n_bytes: float) -> float:
        """Pixel x of a message size."""
        span = math.log2(self.x_high) - math.log2(self.x_low)
        return self.plot.left() + self.plot.width() * (math.log2(n_bytes) - math.log2(self.x_low)) / span

    def bytes_at(self, x: float) -> float:
        """Message size at pixel x, within the axis."""
        share = min(max((x - self.plot.left()) / max(1.0, self.plot.width()), 0.0), 1.0)
        low, high = math.log2(self.x_low), math.log2(self.x_high)
        return 2.0 ** (low + share * (high - low))

    def y_of(self, value: float) -> float:
        """Pixel y of a value; values off the axis stick to its ends."""
        low, high = self.y_ticks[0], self.y_ticks[-1]
        value = min(max(value, low), high)
        if self.y_log:
            share = (math.log10(value) - math.log10(low)) / (math.log10(high) - math.log10(low))
        else:
            share = (value - low) / (high - low)
        return self.plot.bottom() - share * self.plot.height()

    def free(self, box: QRectF) -> bool:
        """Whether the place is inside the chart and no text stands there yet."""
        return self.bounds.contains(box) and not any(box.intersects(placed.box) for placed in self.texts)


def chart_metrics(px: int, weight: int = REGULAR) -> QFontMetricsF:
    """Metrics of the interface font, not kept: a chart is painted on devices of several resolutions."""
    return QFontMetricsF(ui_font(px, weight))


def layout_chart(rect: QRectF, model: ChartModel) -> ChartLayout:
    """Axes and plot area for a non-empty model inside ``rect``."""
    metrics = chart_metrics(AXIS_PX)
    line = LINE
    top = rect.top() + (line + 7 if model.y_unit else 6)
    if model.regions:
        top += STRIP
    bottom = rect.bottom() - line - 7 - (line + 2 if model.x_title else 0)
    rows = max(1, min(6, int((bottom - top) / 24)))
    values = model.y_values() or [1.0]
    if model.y_log:
        positive = [v for v in values if v > 0] or [1.0]
        y_ticks = decade_ticks(min(positive), max(positive), rows)
    else:
        y_ticks = linear_ticks(model.y_max or max([*values, 1e-12]), rows)
    labels = y_labels(y_ticks, model.y_log)
    left = rect.left() + max(metrics.horizontalAdvance(text) for text in labels) + 8
    x_low, x_high = model.x_range()
    room = rect.right() - left
    x_ticks = size_ticks(x_low, x_high, int(room / 46))
    names = size_labels(x_ticks)
    half_first = metrics.horizontalAdvance(names[0]) / 2
    half_last = metrics.horizontalAdvance(names[-1]) / 2
    left = max(left, rect.left() + half_first)
    right = rect.right() - half_last - 1
    plot = QRectF(left, top, max(10.0, right - left), max(10.0, bottom - top))
    return ChartLayout(rect.adjusted(-1, -1, 1, 1), plot, x_low, x_high, y_ticks, model.y_log, x_ticks)


def y_labels(ticks: list[float], logarithmic: bool) -> list[str]:
    """What stands at the ticks of the y axis."""
    if logarithmic:
        return [f"{t:,.0f}" if t >= 1 else f"{t:g}" for t in ticks]
    return [tick_label(t, ticks[1] - ticks[0]) for t in ticks]
