"""Pictures of cards, painted once per zoom and colour set, so that panning and dragging only copy pixels."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPixmap

from fabricwright.ui.paint.cards import MARGIN, paint_card
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.paint.scene import Card

MAX_SIDE = 2400
LIMIT_BYTES = 96 * 1024 * 1024


class SpriteCache:
    """Least-recently-used pixmaps by (card, size, zoom, pixel ratio, theme). Equal cards share one."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        self._limit = limit_bytes
        self._bytes = 0
        self._rows: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()
        self.painted = 0

    def get(self, card: Card, w: float, h: float, ink: Ink, ratio: float) -> QPixmap | None:
        """The picture with ``MARGIN`` scene units around the card; None when it would be too large to keep."""
        side_w, side_h = (w + 2 * MARGIN) * ink.scale * ratio, (h + 2 * MARGIN) * ink.scale * ratio
        if side_w > MAX_SIDE or side_h > MAX_SIDE:
            return None
        key = (card, w, h, ink.scale, ratio, ink.theme.name)
        found = self._rows.get(key)
        if found is not None:
            self._rows.move_to_end(key)
            return found
        picture = QPixmap(max(1, round(side_w + 0.5)), max(1, round(side_h + 0.5)))
        picture.fill(Qt.GlobalColor.transparent)
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.scale(ink.scale, ink.scale)
        painter.translate(MARGIN, MARGIN)
        try:
            paint_card(painter, card, w, h, ink)
        finally:
            painter.end()
        self.painted += 1
        self._rows[key] = picture
        self._bytes += picture.width() * picture.height() * 4
        while self._bytes > self._limit and len(self._rows) > 1:
            _, old = self._rows.popitem(last=False)
            self._bytes -= old.width() * old.height() * 4
        return picture

    def clear(self) -> None:
        """After a change of theme or fonts."""
        self._rows.clear()
        self._bytes = 0


def draw_sprite(p: QPainter, picture: QPixmap, top_left: QPointF, ratio: float) -> None:
    """Copy a picture so that its pixels fall on the device's pixels. The painter must be in view coordinates."""
    p.drawPixmap(QPointF(round(top_left.x() * ratio) / ratio, round(top_left.y() * ratio) / ratio), picture)
