"""A chart that leaves the window: picture, SVG and CSV, for the clipboard, files, report and export pack.

The same painter as on screen, in the colours of print, with a title over it. No widget is needed.
"""

from __future__ import annotations

import csv
import io

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from fabricwright.exchange.tabular import as_text
from fabricwright.ui.paint.chart import paint_chart
from fabricwright.ui.paint.chart_model import ChartModel
from fabricwright.ui.theme import SEMIBOLD, named_theme, ui_font

WIDTH, HEIGHT = 640, 360
SVG_MIME = "image/svg+xml"
_MARGIN = 14.0
_TITLE_PX = 13


def paint_titled(painter: QPainter, rect: QRectF, model: ChartModel, title: str) -> None:
    """A chart on print's ground with a line of title over it, for any paint device."""
    colours = named_theme("print")
    painter.fillRect(rect, colours["panel"])
    box = rect.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
    if title:
        font = ui_font(_TITLE_PX, SEMIBOLD)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(colours["text"])
        painter.drawText(QPointF(box.left(), box.top() + metrics.ascent()), title)
        box.setTop(box.top() + metrics.height() + 6)
    paint_chart(painter, box, model, colours)


def chart_image(
    model: ChartModel, title: str = "", *, width: int = WIDTH, height: int = HEIGHT, scale: float = 2.0
) -> QImage:
    """A picture of ``width`` x ``height`` logical pixels at ``scale``."""
    image = QImage(QSize(round(width * scale), round(height * scale)), QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.scale(scale, scale)
    paint_titled(painter, QRectF(0, 0, width, height), model, title)
    painter.end()
    return image


def chart_svg(model: ChartModel, title: str = "", *, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    """The same as SVG, text as text."""
    from PySide6.QtSvg import QSvgGenerator

    out = QByteArray()
    buffer = QBuffer(out)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QSvgGenerator()
    writer.setOutputDevice(buffer)
    writer.setSize(QSize(width, height))
    writer.setViewBox(QRectF(0, 0, width, height))
    writer.setTitle(title or "Fabricwright")
    painter = QPainter(writer)
    paint_titled(painter, QRectF(0, 0, width, height), model, title)
    painter.end()
    buffer.close()
    return bytes(out.data())


def chart_csv(model: ChartModel) -> str:
    """One row per curve or log and size: name, bytes, value, low, high, the unit, what is chosen there, and for a
    measured point what was predicted for it. Names of columns are fixed: tables are read by programs.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["kind", "name", "bytes", "value", "low", "high", "unit", "choice", "predicted", "off"])
    for series in model.series:
        banded = len(series.low) == len(series.y) == len(series.high)
        for n, (size, value) in enumerate(zip(series.x_bytes, series.y, strict=True)):
            band = [_cell(series.low[n]), _cell(series.high[n])] if banded else ["", ""]
            choice = next((r.label for r in model.regions if r.from_bytes <= size <= r.to_bytes), "")
            writer.writerow(
                ["predicted", as_text(series.label), int(size), _cell(value), *band, model.y_unit, choice, "", ""]
            )
    for points in model.points:
        judged = len(points.predicted) == len(points.y) == len(points.off)
        for n, (size, value) in enumerate(zip(points.x_bytes, points.y, strict=True)):
            beside = [_cell(points.predicted[n]), _cell(points.off[n])] if judged else ["", ""]
            writer.writerow(
                ["measured", as_text(points.label), int(size), _cell(value), "", "", model.y_unit, "", *beside]
            )
    for reference in model.references:
        writer.writerow(
            ["limit", as_text(reference.label), "", _cell(reference.value), "", "", model.y_unit, "", "", ""]
        )
    return out.getvalue()


def _cell(value: float) -> str:
    return f"{value:.6g}"


def chart_data(model: ChartModel, title: str = "") -> QMimeData:
    """What the clipboard gets of a picture: pixels, SVG and the figures."""
    data = QMimeData()
    data.setImageData(chart_image(model, title))
    data.setData(SVG_MIME, QByteArray(chart_svg(model, title)))
    return data
