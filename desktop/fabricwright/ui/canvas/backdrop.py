"""Everything that does not move with the pointer, kept as one picture: hovering, dragging and panning copy pixels.

The picture is painted anew when the scene, the zoom or the colours change; a pan paints the strips that
came into sight; while the wheel turns the last picture is stretched, and the sharp one follows when it rests.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QPainter, QPixmap, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from fabricwright.ui.canvas.layers import Layer
from fabricwright.ui.canvas.state import CanvasState
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.paint.scene import Style
from fabricwright.ui.paint.sheet import paint_far
from fabricwright.ui.theme import theme


class Backdrop(Layer):
    """Paints ``parts`` through the picture. ``renders`` counts whole pictures (measurements)."""

    z = 0.0

    def __init__(self, state: CanvasState, parts: tuple[Layer, ...]) -> None:
        super().__init__(state)
        self.parts = parts
        self.renders = 0
        self._picture: QPixmap | None = None
        self._key: tuple[object, ...] = ()
        self._held: tuple[object, ...] = ()
        self._at = QTransform()

    def forget(self) -> None:
        """Paint anew next time (colours, fonts)."""
        self._key = ()

    @safe_paint
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Bring the picture up to date and copy it."""
        if widget is None:
            self.draw(painter, option.exposedRect, Ink.at(theme(), painter.worldTransform().m11()))  # type: ignore[attr-defined]
            return
        ratio = widget.devicePixelRatioF()
        where = painter.worldTransform()
        size = QRect(0, 0, round(widget.width() * ratio), round(widget.height() * ratio))
        state = self.state
        held = (state.scene, state.badges)
        rest = (theme().name, state.heat, state.grid, state.hidden_cards, state.hidden_edges, ratio, size.size())
        key = (id(held[0]), id(held[1]), rest)
        picture = self._picture
        same = key == self._key and picture is not None
        if picture is not None and state.hasty and where.m11() != self._at.m11() and self._key[2:] == key[2:]:
            self._stretched(painter, picture, where)
            return
        if not same or picture is None or where.m11() != self._at.m11():
            picture = self._fresh(size, ratio, where)
        else:
            self._scroll(picture, size, ratio, where)
        self._picture, self._key, self._held, self._at = picture, key, held, QTransform(where)
        painter.save()
        painter.resetTransform()
        painter.drawPixmap(0, 0, picture)
        painter.restore()

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        """All parts, in order."""
        for part in self.parts:
            p.save()
            part.draw(p, area, ink)
            p.restore()

    def _fresh(self, size: QRect, ratio: float, where: QTransform) -> QPixmap:
        picture = self._picture
        if picture is None or picture.size() != size.size():
            picture = QPixmap(size.size())
        picture.setDevicePixelRatio(ratio)
        self.renders += 1
        self._into(picture, size, ratio, where)
        return picture

    def _into(self, picture: QPixmap, part: QRect, ratio: float, where: QTransform) -> None:
        """Paint a part of the picture, given in its own pixels."""
        box = QRectF(part.x() / ratio, part.y() / ratio, part.width() / ratio, part.height() / ratio)
        p = QPainter(picture)
        p.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        p.setClipRect(box)
        p.fillRect(box, theme()["canvas"])
        p.setTransform(where)
        inverse, _ok = where.inverted()
        try:
            self.draw(p, inverse.mapRect(box), Ink.at(theme(), where.m11()))
        finally:
            p.end()

    def _scroll(self, picture: QPixmap, size: QRect, ratio: float, where: QTransform) -> None:
        """Shift the picture by whole pixels and paint the strips that came into sight."""
        dx, dy = (where.dx() - self._at.dx()) * ratio, (where.dy() - self._at.dy()) * ratio
        if not dx and not dy:
            return
        sx, sy = round(dx), round(dy)
        if abs(dx - sx) > 1e-6 or abs(dy - sy) > 1e-6 or abs(sx) >= size.width() or abs(sy) >= size.height():
            self._fresh(size, ratio, where)
            return
        picture.scroll(sx, sy, size)
        if sx:
            self._into(picture, QRect(0 if sx > 0 else size.width() + sx, 0, abs(sx), size.height()), ratio, where)
        if sy:
            self._into(picture, QRect(0, 0 if sy > 0 else size.height() + sy, size.width(), abs(sy)), ratio, where)

    def _stretched(self, p: QPainter, picture: QPixmap, where: QTransform) -> None:
        """While the zoom is still changing: the last picture at the new size, flat blocks around it."""
        inverse, _ok = self._at.inverted()
        move = inverse * where
        scene = self.state.scene
        p.save()
        if where.m11() < self._at.m11():
            cards = (scene.style != Style.FRAME).nonzero()[0]
            paint_far(p, scene, cards, Ink.at(theme(), where.m11()))
            p.resetTransform()
            # What the last picture shows is repeated from it alone.
            p.fillRect(move.mapRect(QRectF(QPointF(), picture.deviceIndependentSize())), theme()["canvas"])
        p.setTransform(move)
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, where.m11() < self._at.m11())
        p.drawPixmap(0, 0, picture)
        p.restore()
