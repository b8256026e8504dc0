"""The chart painter shared by panel, report and export: any QPaintDevice, any theme.

``paint_chart(painter, rect, model, theme)`` paints and returns the ``ChartLayout`` (scales, and every text with its
box). All sizes are logical pixels of the painter; labels that find no free place are left out rather than overlapped.
"""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from fabricwright.ui.paint.chart_layout import (
    AXIS_PX,
    LINE,
    STRIP,
    ChartLayout,
    PlacedText,
    chart_metrics,
    layout_chart,
    y_labels,
)
from fabricwright.ui.paint.chart_model import (
    ChartModel,
    Points,
    Reference,
    Region,
    Series,
    size_labels,
)
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, Theme, make_pen, ui_font

__all__ = [
    "ChartLayout",
    "ChartModel",
    "PlacedText",
    "Points",
    "Reference",
    "Region",
    "Series",
    "layout_chart",
    "paint_chart",
]

_BAND_OPACITY = 0.16
_LOW = 130.0  # a chart lower than this has no room for the title of its x axis


def paint_chart(painter: QPainter, rect: QRectF, model: ChartModel, colours: Theme) -> ChartLayout | None:
    """Paint ``model`` into ``rect``; None when there is nothing to paint. The painter's state is kept."""
    if model.empty or rect.width() < 80 or rect.height() < 60:
        return None
    if rect.height() < _LOW:
        model = replace(model, x_title="")
    layout = layout_chart(rect, model)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    _paint_axes(painter, rect, model, layout, colours)
    _paint_regions(painter, model, layout, colours)
    curves = [_curve(series, layout) for series in model.series]
    painter.save()
    painter.setClipRect(layout.plot.adjusted(-3, -3, 3, 1))
    for series in model.series:
        _paint_band(painter, series, layout, colours)
    for reference in model.references:
        y = round(layout.y_of(reference.value)) + 0.5
        painter.setPen(make_pen(colours[reference.token], 1.25, (4, 3)))
        painter.drawLine(QLineF(layout.plot.left(), y, layout.plot.right(), y))
    for series, curve in zip(model.series, curves, strict=True):
        pen = make_pen(colours[series.token], 2.0, (6, 4) if series.dashed else ())
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(curve)
    for points in model.points:
        _paint_points(painter, points, layout, colours)
    painter.restore()
    _paint_reading(painter, model, layout, colours)
    for reference in model.references:
        _label_reference(painter, reference, model, layout, colours)
    for points in model.points:
        _label_points(painter, points, model, layout, colours)
    painter.restore()
    return layout


def _text(
    painter: QPainter,
    layout: ChartLayout,
    box: QRectF,
    text: str,
    font: QFont,
    colour: QColor,
    halo: QColor | None = None,
) -> None:
    """Write ``text`` from the left edge of ``box``, centred vertically; nothing where there is no room for it."""
    if not layout.free(box):
        return
    metrics = QFontMetricsF(font)
    baseline = box.center().y() + (metrics.ascent() - metrics.descent()) / 2
    if halo is not None:
        path = QPainterPath()
        path.addText(QPointF(box.left(), baseline), font, text)
        painter.strokePath(path, QPen(halo, 3.5, j=Qt.PenJoinStyle.RoundJoin, s=Qt.PenStyle.SolidLine))
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QPointF(box.left(), baseline), text)
    layout.texts.append(PlacedText(text, box))


def _paint_axes(painter: QPainter, rect: QRectF, model: ChartModel, layout: ChartLayout, colours: Theme) -> None:
    plot = layout.plot
    font = ui_font(AXIS_PX)
    metrics = chart_metrics(AXIS_PX)
    height = LINE
    grid = colours.alpha("border", 0.8)
    axis = colours["border.strong"]
    for tick, label in zip(layout.y_ticks, y_labels(layout.y_ticks, layout.y_log), strict=True):
        y = round(layout.y_of(tick)) + 0.5
        painter.setPen(make_pen(axis if tick == layout.y_ticks[0] else grid, 1))
        painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
        width = metrics.horizontalAdvance(label)
        box = QRectF(plot.left() - 7 - width, y - height / 2, width, height)
        _text(painter, layout, box, label, font, colours["text.3"])
    below = plot.bottom() + 7
    taken = -math.inf
    names = size_labels(layout.x_ticks)
    last = len(names) - 1
    last_left = layout.x_of(layout.x_ticks[-1]) - metrics.horizontalAdvance(names[-1]) / 2
    for index, (size, label) in enumerate(zip(layout.x_ticks, names, strict=True)):
        x = layout.x_of(size)
        painter.setPen(make_pen(axis, 1))
        painter.drawLine(QLineF(round(x) + 0.5, plot.bottom(), round(x) + 0.5, plot.bottom() + 4))
        width = metrics.horizontalAdvance(label)
        box = QRectF(x - width / 2, below, width, height)
        crowded = box.left() < taken + 4 or (index != last and box.right() > last_left - 4)
        if index == last or not crowded:
            _text(painter, layout, box, label, font, colours["text.3"])
            taken = box.right()
    if model.x_title:
        width = metrics.horizontalAdvance(model.x_title)
        box = QRectF(plot.right() - width, below + height + 2, width, height)
        _text(painter, layout, box, model.x_title, font, colours["text.3"])
    if model.y_unit:
        width = metrics.horizontalAdvance(model.y_unit)
        _text(painter, layout, QRectF(rect.left(), rect.top(), width, height), model.y_unit, font, colours["text.3"])


def _paint_regions(painter: QPainter, model: ChartModel, layout: ChartLayout, colours: Theme) -> None:
    """Names above the plot, thin lines where one ends and the next begins."""
    if not model.regions:
        return
    plot = layout.plot
    font, metrics = ui_font(AXIS_PX, MEDIUM), chart_metrics(AXIS_PX, MEDIUM)
    y = plot.top() - STRIP
    painter.save()
    for region in model.regions:
        left = max(plot.left(), layout.x_of(max(region.from_bytes, layout.x_low)))
        right = min(plot.right(), layout.x_of(min(region.to_bytes, layout.x_high)))
        if right <= left:
            continue
        strip = QRectF(left + 1, y, right - left - 2, STRIP - 5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours["sunken"])
        painter.drawRoundedRect(strip, 3, 3)
        if left > plot.left() + 1:
            painter.setPen(make_pen(colours["border.strong"], 1, (1, 3)))
            painter.drawLine(QLineF(round(left) + 0.5, plot.top(), round(left) + 0.5, plot.bottom()))
        width = metrics.horizontalAdvance(region.label)
        if width + 6 <= strip.width():
            box = QRectF(strip.center().x() - width / 2, strip.top(), width, strip.height())
            _text(painter, layout, box, region.label, font, colours["text.2"])
    painter.restore()


def _points(xs: tuple[float, ...], ys: tuple[float, ...], layout: ChartLayout) -> list[QPointF]:
    return [
        QPointF(layout.x_of(x), layout.y_of(y))
        for x, y in zip(xs, ys, strict=True)
        if math.isfinite(y) and (y > 0 or not layout.y_log)
    ]


def _curve(series: Series, layout: ChartLayout) -> QPainterPath:
    path = QPainterPath()
    points = _points(series.x_bytes, series.y, layout)
    if points:
        path.addPolygon(QPolygonF(points))
    return path


def _paint_band(painter: QPainter, series: Series, layout: ChartLayout, colours: Theme) -> None:
    if len(series.low) != len(series.x_bytes) or len(series.high) != len(series.x_bytes) or not series.low:
        return
    upper = _points(series.x_bytes, series.high, layout)
    lower = _points(series.x_bytes, series.low, layout)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours.alpha(series.token, _BAND_OPACITY))
    painter.drawPolygon(QPolygonF(upper + lower[::-1]))


def _paint_points(painter: QPainter, points: Points, layout: ChartLayout, colours: Theme) -> None:
    """Dots, each joined by a thin line to what was predicted for it: the residual."""
    placed = _placed(points, layout)
    if len(points.predicted) == len(points.y):
        painter.setPen(make_pen(colours[points.token], 1))
        for index, spot in placed:
            painter.drawLine(QLineF(spot.x(), spot.y(), spot.x(), layout.y_of(points.predicted[index])))
    painter.setPen(QPen(colours["panel"], 1))
    painter.setBrush(colours[points.token])
    for _, spot in placed:
        painter.drawEllipse(spot, 3.25, 3.25)


def _placed(points: Points, layout: ChartLayout) -> list[tuple[int, QPointF]]:
    """Points inside the axes, with their index."""
    return [
        (n, QPointF(layout.x_of(x), layout.y_of(y)))
        for n, (x, y) in enumerate(zip(points.x_bytes, points.y, strict=True))
        if layout.x_low * 0.999 <= x <= layout.x_high * 1.001 and math.isfinite(y) and (y > 0 or not layout.y_log)
    ]


def _label_points(painter: QPainter, points: Points, model: ChartModel, layout: ChartLayout, colours: Theme) -> None:
    """What the dots are, beside one of them where there is room."""
    if not points.label:
        return
    font, metrics = ui_font(AXIS_PX, MEDIUM), chart_metrics(AXIS_PX, MEDIUM)
    width = metrics.horizontalAdvance(points.label)
    for _, spot in reversed(_placed(points, layout)):
        for left, top in ((8.0, 6.0), (8.0, -LINE - 6), (-width - 8, 6.0), (-width - 8, -LINE - 6)):
            box = QRectF(spot.x() + left, spot.y() + top, width, LINE)
            inside = layout.plot.adjusted(0, -2, 1, 0).contains(box)
            if inside and layout.free(box) and not _crosses_curve(box, model, layout):
                _text(painter, layout, box, points.label, font, colours[points.token], colours["panel"])
                return


def _crosses_curve(box: QRectF, model: ChartModel, layout: ChartLayout) -> bool:
    """Whether a curve runs through ``box`` (sampled every 3 px)."""
    x = box.left() - 2
    while x <= box.right() + 2:
        for series in model.series:
            value = series.at(layout.bytes_at(x))
            if value is not None and box.top() - 3 <= layout.y_of(value) <= box.bottom() + 3:
                return True
        x += 3
    return False


def _paint_reading(painter: QPainter, model: ChartModel, layout: ChartLayout, colours: Theme) -> None:
    """Dashed line at the chosen size, a ringed dot and the value on every curve."""
    at = model.reading_bytes
    if at is None or not layout.x_low <= at <= layout.x_high:
        _label_ends(painter, model, layout, colours)
        return
    x = layout.x_of(at)
    token = model.series[0].token if len(model.series) == 1 else "text.3"
    painter.setPen(make_pen(colours[token], 1, (2, 3)))
    painter.drawLine(QLineF(round(x) + 0.5, layout.plot.top(), round(x) + 0.5, layout.plot.bottom()))
    read = [(series, value) for series in model.series if (value := series.at(at)) is not None]
    for series, value in read:
        painter.setPen(QPen(colours[series.token], 2))
        painter.setBrush(colours["panel"])
        painter.drawEllipse(QPointF(x, layout.y_of(value)), 4.5, 4.5)
    font, metrics = ui_font(12, SEMIBOLD), chart_metrics(12, SEMIBOLD)
    for series, value in read:
        text = f"{series.label} {model.read(value)}".strip()
        width, height = metrics.horizontalAdvance(text), metrics.height()
        y = layout.y_of(value)
        above = any(other > value for _, other in read)
        rows = [y + 8, y - 8 - height] if above or len(read) == 1 else [y - 8 - height, y + 8]
        rows += [y + 22, y - 22 - height]
        for top in rows:
            for left in (x + 8, x - 8 - width):
                box = QRectF(left, top, width, height)
                inside = layout.plot.adjusted(0, -4, 8, 0).contains(box)
                if inside and layout.free(box) and not _crosses_curve(box, model, layout):
                    _text(painter, layout, box, text, font, colours[_ink(series)], colours["panel"])
                    break
            else:
                continue
            break


def _ink(series: Series) -> str:
    """Text colour of a curve: grey curves are labelled a little darker."""
    return "text.2" if series.token == "text.3" else series.token


def _label_ends(painter: QPainter, model: ChartModel, layout: ChartLayout, colours: Theme) -> None:
    """Names of the curves at their right ends when there is no reading."""
    font, metrics = ui_font(12, SEMIBOLD), chart_metrics(12, SEMIBOLD)
    for series in model.series:
        if not series.label or not series.y:
            continue
        width, height = metrics.horizontalAdvance(series.label), metrics.height()
        x, y = layout.x_of(series.x_bytes[-1]), layout.y_of(series.y[-1])
        for top in (y - height - 5, y + 5):
            box = QRectF(x - width, top, width, height)
            if layout.plot.adjusted(0, -4, 1, 0).contains(box) and layout.free(box):
                _text(painter, layout, box, series.label, font, colours[_ink(series)], colours["panel"])
                break


def _label_reference(
    painter: QPainter, reference: Reference, model: ChartModel, layout: ChartLayout, colours: Theme
) -> None:
    """Name of a level: under or over its line, where no curve and no other text is."""
    font, metrics = ui_font(AXIS_PX), chart_metrics(AXIS_PX)
    width, height = metrics.horizontalAdvance(reference.label), LINE
    y = layout.y_of(reference.value)
    plot = layout.plot
    for left in (plot.left() + 8, plot.left() + plot.width() * 0.3, plot.right() - width - 4):
        for top in (y + 3, y - height - 3):
            box = QRectF(left, top, width, height)
            inside = plot.adjusted(0, -2, 1, 0).contains(box)
            if inside and layout.free(box) and not _crosses_curve(box, model, layout):
                _text(painter, layout, box, reference.label, font, colours[reference.token], colours["panel"])
                return
