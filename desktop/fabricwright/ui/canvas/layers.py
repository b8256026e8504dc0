"""The few items of the scene graph: each paints everything of its kind from the arrays (editor facts 3.6)."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from fabricwright.ui.canvas.sprites import SpriteCache, draw_sprite
from fabricwright.ui.canvas.state import CanvasState
from fabricwright.ui.paint import text
from fabricwright.ui.paint.cards import MARGIN, paint_card
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.paint.lines import paint_edges
from fabricwright.ui.paint.primitives import FAR, MID, NEAR, Ink
from fabricwright.ui.paint.scene import I32, Card, Style
from fabricwright.ui.paint.sheet import badge_place, paint_annotations, paint_badge, paint_far
from fabricwright.ui.theme import SEMIBOLD, theme

WORLD = QRectF(-200_000, -200_000, 400_000, 400_000)
GRID = 20.0
LOW_PX = 13.0
NAME_PX = 12
#: Device cards narrower than this show icon and name only (``cards_fabric.group``).
COMPACT_PX = 150.0


class Layer(QGraphicsItem):
    """Base: covers the world, takes no mouse, paints only what is exposed. Most layers are parts of the backdrop."""

    z = 0.0

    def __init__(self, state: CanvasState) -> None:
        super().__init__()
        self.state = state
        self.setZValue(self.z)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def boundingRect(self) -> QRectF:
        """The whole plane."""
        return WORLD

    @safe_paint
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the exposed part."""
        area = option.exposedRect  # type: ignore[attr-defined]
        scale = painter.worldTransform().m11()
        painter.save()
        try:
            self.draw(painter, area, Ink.at(theme(), scale))
        finally:
            painter.restore()

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        """What this layer shows."""
        raise NotImplementedError


class GridLayer(Layer):
    """Dots every 20 units, one tile per zoom; hidden under 0.3x."""

    z = 0.0

    def __init__(self, state: CanvasState) -> None:
        super().__init__(state)
        self._tile: tuple[tuple[object, ...], QImage] | None = None

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        if not self.state.grid or ink.scale < 0.3:
            return
        step = GRID * ink.scale
        ratio = p.device().devicePixelRatioF() if p.device() else 1.0
        colour = ink["grid"]
        key = (round(step, 4), ratio, colour.name())
        if self._tile is None or self._tile[0] != key:
            side = max(2, round(step * ratio))
            image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
            image.fill(Qt.GlobalColor.transparent)
            painter = QPainter(image)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(QRectF(0, 0, 2 * ratio, 2 * ratio))
            painter.end()
            self._tile = (key, image)
        brush = QBrush(self._tile[1])
        side = self._tile[1].width()
        transform = brush.transform()
        transform.scale(GRID / side, GRID / side)
        brush.setTransform(transform)
        p.setBrushOrigin(QPointF(-1 / ink.scale, -1 / ink.scale))
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        p.fillRect(area, brush)


class FrameLayer(Layer):
    """Frames of units, chassis and boxes, behind the lines."""

    z = 0.5

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        scene = self.state.scene
        frames = np.flatnonzero(scene.style == Style.FRAME)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in frames.tolist():
            x, y, w, h = scene.box(index)
            if QRectF(x, y, w, h).intersects(area):
                p.save()
                p.translate(x, y)
                paint_card(p, scene.card(index), w, h, ink)
                p.restore()


class EdgeLayer(Layer):
    """All lines."""

    z = 1.0

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        scene = self.state.scene
        if len(scene.edges):
            box = (area.left() - 8, area.top() - 8, area.right() + 8, area.bottom() + 8)
            which = scene.visible_edges(*box, courses=ink.band == NEAR)
            paint_edges(p, scene, which, ink, heat=self.state.heat, hidden=self.state.hidden_edges)


class NodeLayer(Layer):
    """All cards: flat rectangles far out, pictures from the cache nearer."""

    z = 2.0

    def __init__(self, state: CanvasState) -> None:
        super().__init__(state)
        self.sprites = SpriteCache()

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        scene = self.state.scene
        which = scene.visible(area.left() - MARGIN, area.top() - MARGIN, area.right() + MARGIN, area.bottom() + MARGIN)
        which = which[scene.style[which] != Style.FRAME]
        if self.state.hidden_cards:
            which = which[~np.isin(which, list(self.state.hidden_cards))]
        if ink.band == FAR and len(which) > 60:
            paint_far(p, scene, which, ink)
            return
        # Cards too low for a line of letters are blocks; there may be thousands of them.
        low = (scene.h[which] * ink.scale < LOW_PX) & (scene.style[which] == Style.DEVICE)
        if low.any():
            paint_far(p, scene, which[low], ink)
            which = which[~low]
        members = self._members(which) if ink.band != FAR else which[:0]
        if ink.band == NEAR:
            members = members[scene.w[members] * ink.scale < COMPACT_PX]
        if len(members):
            self._draw_members(p, members, ink)
            which = np.setdiff1d(which, members, assume_unique=True)
        self.draw_cards(p, which, ink)

    def _members(self, which: I32) -> I32:
        """Those of ``which`` that are members of an open group."""
        mask = np.zeros(len(which), np.bool_)
        for runs in self.state.scene.runs.values():
            for start, shown in runs:
                mask |= (which >= start) & (which < start + len(shown))
        return which[mask]

    def _draw_members(self, p: QPainter, which: I32, ink: Ink) -> None:
        """Members look alike but for their names: one picture for all, the names on top."""
        scene = self.state.scene
        ratio = p.device().devicePixelRatioF() if p.device() else 1.0
        to_view = p.worldTransform()
        names: list[tuple[QRectF, tuple[str, ...]]] = []
        blanks: dict[tuple[object, ...], QPixmap | None] = {}
        p.save()
        p.resetTransform()
        for index in which.tolist():
            x, y, w, h = scene.box(index)
            card = scene.card(index)
            look = (card.style, card.icon, card.frame, card.forced, w, h)
            if look not in blanks:
                blank = Card("", card.style, card.icon, (" ",), frame=card.frame, forced=card.forced)
                blanks[look] = self.sprites.get(blank, w, h, ink, ratio)
            picture = blanks[look]
            if picture is None:
                continue
            draw_sprite(p, picture, to_view.map(QPointF(x - MARGIN, y - MARGIN)), ratio)
            box = to_view.mapRect(QRectF(x, y, w, h))
            left = (8 if box.width() > 60 else 3) + min(18.0, box.height() * 0.5, box.width() * 0.3) + 6
            names.append((box.adjusted(left, 0, -3, 0), card.titles))
        colour = ink["text"]
        px = NAME_PX if ink.band == MID else round(ink.px(12.5) * ink.scale)
        for box, titles in names:
            text.draw_in(p, box, titles, px, colour, weight=SEMIBOLD)
        p.restore()

    def draw_cards(self, p: QPainter, which: I32, ink: Ink) -> None:
        """Cards through the cache; those too large for it as vectors."""
        scene = self.state.scene
        ratio = p.device().devicePixelRatioF() if p.device() else 1.0
        to_view = p.worldTransform()
        large: list[int] = []
        p.save()
        p.resetTransform()
        for index in which.tolist():
            x, y, w, h = scene.box(index)
            picture = self.sprites.get(scene.card(index), w, h, ink, ratio)
            if picture is None:
                large.append(index)
                continue
            draw_sprite(p, picture, to_view.map(QPointF(x - MARGIN, y - MARGIN)), ratio)
        p.restore()
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in large:
            x, y, w, h = scene.box(index)
            p.save()
            p.translate(x, y)
            paint_card(p, scene.card(index), w, h, ink)
            p.restore()


class BadgeLayer(Layer):
    """Ties, labels and finding badges."""

    z = 3.0

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        scene = self.state.scene
        if ink.band == NEAR:
            paint_annotations(p, scene, ink, area, heat=self.state.heat)
        for index, badge in self.state.badges.items():
            if index < len(scene) and index not in self.state.hidden_cards:
                place = badge_place(scene, index)
                if area.adjusted(-60, -60, 60, 60).contains(place):
                    paint_badge(p, place, badge, ink)
