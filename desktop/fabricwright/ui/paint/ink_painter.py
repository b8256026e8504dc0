"""A recorded drawing on any QPaintDevice: preview, picture, PDF page, clipboard."""

from __future__ import annotations

import base64
from functools import lru_cache

from PySide6.QtCore import QByteArray, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen
from PySide6.QtSvg import QSvgRenderer

from fabricwright.exchange.ink import Ink, Line, Path, Picture, Port, Rect, Symbol, Text, corners
from fabricwright.exchange.svg import pictogram_markup
from fabricwright.ui.theme import FONT_FAMILIES

FINE = 8
"""Fonts are set in eighths of a page unit: Qt takes whole pixels only, and 10.7 must not become 11."""

NO_PEN = QPen(Qt.PenStyle.NoPen)
NO_BRUSH = QBrush(Qt.BrushStyle.NoBrush)


def paint_ink(painter: QPainter, ink: Ink, scale: float, area: QRectF | None = None) -> None:
    """Replay a drawing; ``scale`` device pixels per page unit, on top of what the painter has already.

    ``area`` (page units) leaves out what lies wholly outside of it.
    """
    painter.save()
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.scale(scale, scale)
    hand = _Hand(painter, ink)
    for op in ink.ops:
        if isinstance(op, Rect):
            if area is None or _touches(area, op.x, op.y, op.w, op.h):
                hand.rect(op)
        elif isinstance(op, Text):
            if area is None or _touches(area, op.x - 700, op.y - 30, 1400, 60) or op.turn:
                hand.text(op)
        elif isinstance(op, Line):
            hand.line(op)
        elif isinstance(op, Symbol):
            if area is None or _touches(area, op.x, op.y, op.size, op.size):
                hand.symbol(op)
        elif isinstance(op, Port):
            if op.fill != "none":
                hand.rect(Rect(op.x, op.y, op.w, op.h, op.fill, "none", 0, 1.5, ""))
        elif isinstance(op, Path):
            hand.path(op)
        elif isinstance(op, Picture):
            image = QImage.fromData(QByteArray(base64.b64decode(op.data)))
            if not image.isNull():
                painter.drawImage(QRectF(op.x, op.y, op.w, op.h), image)
    painter.restore()


def _touches(area: QRectF, x: float, y: float, w: float, h: float) -> bool:
    return x - 4 < area.right() and x + w + 4 > area.left() and y - 4 < area.bottom() and y + h + 4 > area.top()


class _Hand:
    """The painter with the pens, brushes and fonts of one drawing."""

    def __init__(self, painter: QPainter, ink: Ink) -> None:
        self.painter = painter
        self._colour = lru_cache(maxsize=512)(lambda token: QColor(ink.colour(token)))
        self._pens: dict[tuple[str, float, str], QPen] = {}
        self._ink = ink
        # Setting what is set already costs a PDF a graphics state each.
        self._pen: object = None
        self._brush = ""

    def rect(self, op: Rect) -> None:
        self._use(self._pen_of(op.stroke, op.width, op.dash), op.fill)
        box = QRectF(op.x, op.y, op.w, op.h)
        if op.radius > 0:
            self.painter.drawRoundedRect(box, op.radius, op.radius)
        else:
            self.painter.drawRect(box)

    def line(self, op: Line) -> None:
        self._use(self._pen_of(op.stroke, op.width, op.dash), "none")
        if len(op.points) == 2:
            (x1, y1), (x2, y2) = op.points
            self.painter.drawLine(QLineF(x1, y1, x2, y2))
        else:
            self.painter.drawPath(_path(tuple(corners(op))))

    def path(self, op: Path) -> None:
        self._use(self._pen_of(op.stroke, op.width, op.dash), op.fill)
        self.painter.drawPath(_path(op.steps))

    def text(self, op: Text) -> None:
        font = page_font(op.size, op.weight)
        painter = self.painter
        painter.setFont(font)
        self._use(self._pen_of(op.fill, 1.0, ""), self._brush or "none")
        shift = 0.0
        if op.anchor != "start":
            shift = _advance(op.text, op.size, op.weight) * (0.5 if op.anchor == "middle" else 1.0)
        painter.save()
        painter.translate(op.x, op.y)
        if op.turn:
            painter.rotate(op.turn)
        painter.scale(1 / FINE, 1 / FINE)
        painter.drawText(QPointF(-shift, 0), op.text)
        painter.restore()

    def symbol(self, op: Symbol) -> None:
        _renderer(op.name, self._ink.colour(op.fill)).render(self.painter, QRectF(op.x, op.y, op.size, op.size))
        self._pen, self._brush = None, ""

    def _use(self, pen: QPen, fill: str) -> None:
        if pen is not self._pen:
            self.painter.setPen(pen)
            self._pen = pen
        if fill != self._brush:
            self.painter.setBrush(NO_BRUSH if fill == "none" else QBrush(self._colour(fill)))
            self._brush = fill

    def _pen_of(self, token: str, width: float, dash: str) -> QPen:
        if not width or token == "none":
            return NO_PEN
        key = (token, width, dash)
        pen = self._pens.get(key)
        if pen is None:
            pen = QPen(self._colour(token), width)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            if dash:
                # Qt counts dashes in widths of the pen.
                pen.setDashPattern([float(part) / width for part in dash.split()])
            self._pens[key] = pen
        return pen


@lru_cache(maxsize=256)
def page_font(size: float, weight: int) -> QFont:
    """Font of a page text in ``FINE`` parts of a page unit; Latin first, then Simplified Chinese by name."""
    font = QFont()
    font.setFamilies(list(FONT_FAMILIES))
    font.setPixelSize(max(1, round(size * FINE)))
    font.setWeight(QFont.Weight(weight))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    font.setKerning(False)
    return font


@lru_cache(maxsize=8192)
def _advance(text: str, size: float, weight: int) -> float:
    return QFontMetricsF(page_font(size, weight)).horizontalAdvance(text)


@lru_cache(maxsize=256)
def _renderer(name: str, tint: str) -> QSvgRenderer:
    """A pictogram in one colour; Qt paints the word ``currentColor`` black."""
    box, markup = pictogram_markup(name)
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{markup.replace("currentColor", tint)}</svg>'
    return QSvgRenderer(QByteArray(text.encode()))


def _path(steps: tuple[tuple[str | float, ...], ...]) -> QPainterPath:
    path = QPainterPath()
    for step in steps:
        kind, values = step[0], [float(v) for v in step[1:]]
        if kind == "M":
            path.moveTo(*values)
        elif kind == "L":
            path.lineTo(*values)
        elif kind == "Q":
            path.quadTo(*values)
        elif kind == "C":
            path.cubicTo(*values)
        else:
            path.closeSubpath()
    return path
