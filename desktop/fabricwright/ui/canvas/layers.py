"""The few items of the scene graph: each paints everything of its kind from the arrays (editor facts 3.6)."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from fabricwright.ui.canvas.sprites import SpriteCache
from fabricwright.ui.canvas.state import CanvasState
from fabricwright.ui.paint import text
from fabricwright.ui.paint.cards import MARGIN, paint_card
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.paint.lines import paint_edges
from fabricwright.ui.paint.primitives import FAR, MID, NEAR, Ink
from fabricwright.ui.paint.scene import I32, Card, Scene, Style
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
    """Dots every 20 units; hidden under 0.3x."""

    z = 0.0

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        if not self.state.grid or ink.scale < 0.3:
            return
        ratio = p.device().devicePixelRatioF() if p.device() else 1.0
        to_view = p.worldTransform()
        columns = np.arange(math.floor(area.left() / GRID), math.ceil(area.right() / GRID) + 1) * GRID
        first, last = math.ceil((area.top() - 3) / GRID), math.floor((area.bottom() + 3) / GRID)
        rows = np.arange(first, last + 1) * GRID
        xs = np.round((columns * to_view.m11() + to_view.dx()) * ratio * 2) / 2
        ys = np.round((rows * to_view.m22() + to_view.dy()) * ratio * 2) / 2
        left = math.floor(xs[0]) - 4
        # One row of dots is painted, once on whole and once on half pixels, and copied for all others.
        dots = [QPointF(x - left, 4.0) for x in xs.tolist()]
        lifts = np.unique(ys % 1.0).tolist()
        strips = {lift: self._strip(dots, lift, math.ceil(xs[-1] - left) + 4, ratio, ink["grid"]) for lift in lifts}
        p.resetTransform()
        for y in ys.tolist():
            whole = math.floor(y)
            p.drawPixmap(QPointF(left / ratio, (whole - 4) / ratio), strips[y - whole])

    @staticmethod
    def _strip(dots: list[QPointF], lift: float, width: int, ratio: float, colour: QColor) -> QPixmap:
        """A row of dots on nothing, in device pixels."""
        strip = QPixmap(width, 8)
        strip.fill(Qt.GlobalColor.transparent)
        painter = QPainter(strip)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(colour, 2.0 * ratio)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.translate(0.0, lift)
        painter.drawPoints(dots)
        painter.end()
        strip.setDevicePixelRatio(ratio)
        return strip


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


@dataclass(frozen=True, slots=True)
class Shown:
    """Cards in sight by the way they are drawn: flat blocks, members of open groups that share one picture, others."""

    blocks: I32
    members: I32
    cards: I32


class NodeLayer(Layer):
    """All cards: flat rectangles far out, pictures from the cache nearer."""

    z = 2.0

    def __init__(self, state: CanvasState) -> None:
        super().__init__(state)
        self.sprites = SpriteCache()

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        shown = self._shown(area, ink)
        if len(shown.blocks):
            paint_far(p, self.state.scene, shown.blocks, ink)
        if len(shown.members):
            self._draw_members(p, shown.members, ink)
        self.draw_cards(p, shown.cards, ink)

    def warm(self, area: QRectF, ink: Ink, ratio: float, until_s: float) -> bool:
        """Paint pictures that ``area`` will need, as long as this thread has not used ``until_s`` of its time
        (``time.thread_time``); whether all are there."""
        scene = self.state.scene
        for index in self._shown(area, ink).cards.tolist():
            _x, _y, w, h = scene.box(index)
            self.sprites.get(scene.card(index), w, h, ink, ratio)
            if time.thread_time() > until_s:
                return False
        return True

    def _shown(self, area: QRectF, ink: Ink) -> Shown:
        scene = self.state.scene
        which = scene.visible(area.left() - MARGIN, area.top() - MARGIN, area.right() + MARGIN, area.bottom() + MARGIN)
        which = which[scene.style[which] != Style.FRAME]
        none = which[:0]
        if self.state.hidden_cards:
            which = which[~np.isin(which, list(self.state.hidden_cards))]
        if ink.band == FAR and len(which) > 60:
            return Shown(which, none, none)
        # Cards too low for a line of letters are blocks; there may be thousands of them.
        low = (scene.h[which] * ink.scale < LOW_PX) & (scene.style[which] == Style.DEVICE)
        blocks, which = which[low], which[~low]
        members = self._members(which) if ink.band != FAR else none
        if ink.band == NEAR:
            members = members[scene.w[members] * ink.scale < COMPACT_PX]
        return Shown(blocks, members, np.setdiff1d(which, members, assume_unique=True) if len(members) else which)

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
        names: list[tuple[float, float, str]] = []
        blanks: dict[tuple[object, ...], QPixmap | None] = {}
        px = NAME_PX if ink.band == MID else round(ink.px(12.5) * ink.scale)
        measure = text.metrics(px, SEMIBOLD)
        drop = (measure.capHeight() or measure.ascent() * 0.72) / 2
        p.save()
        p.resetTransform()
        boxes = np.stack([scene.x[which], scene.y[which], scene.w[which], scene.h[which]], axis=1).tolist()
        corners = _corners(scene, which, to_view, ratio)
        for index, (left, top), (x, y, w, h) in zip(which.tolist(), corners, boxes, strict=True):
            card = scene.card(index)
            look = (card.style, card.icon, card.frame, card.forced, w, h)
            if look not in blanks:
                blank = Card("", card.style, card.icon, (" ",), frame=card.frame, forced=card.forced)
                blanks[look] = self.sprites.get(blank, w, h, ink, ratio)[0]
            picture = blanks[look]
            if picture is None:
                continue
            p.drawPixmap(QPointF(left, top), picture)
            wide, high = w * ink.scale, h * ink.scale
            inset = (8 if wide > 60 else 3) + min(18.0, high * 0.5, wide * 0.3) + 6
            name = text.choose(card.titles, wide - inset - 3, px, SEMIBOLD)
            names.append((x * ink.scale + to_view.dx() + inset, y * ink.scale + high / 2 + drop + to_view.dy(), name))
        text.draw_many(p, names, px, ink["text"], SEMIBOLD)
        p.restore()

    def draw_cards(self, p: QPainter, which: I32, ink: Ink) -> None:
        """Cards through the cache; those too large for it as vectors."""
        scene = self.state.scene
        ratio = p.device().devicePixelRatioF() if p.device() else 1.0
        to_view = p.worldTransform()
        large: list[int] = []
        colour = ink["text"]
        p.save()
        p.resetTransform()
        spots = zip(which.tolist(), _corners(scene, which, to_view, ratio), strict=True)
        for index, (left, top) in spots:
            _x, _y, w, h = scene.box(index)
            picture, name = self.sprites.get(scene.card(index), w, h, ink, ratio)
            if picture is None:
                large.append(index)
                continue
            p.drawPixmap(QPointF(left, top), picture)
            if name is not None and name.text:
                inset = MARGIN * ink.scale
                p.setTransform(QTransform(ink.scale, 0, 0, ink.scale, left + inset, top + inset))
                text.draw(p, name.x, name.baseline, name.text, name.px, colour, weight=SEMIBOLD)
                p.resetTransform()
        p.restore()
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in large:
            x, y, w, h = scene.box(index)
            p.save()
            p.translate(x, y)
            paint_card(p, scene.card(index), w, h, ink)
            p.restore()


def _corners(scene: Scene, which: I32, to_view: QTransform, ratio: float) -> list[list[float]]:
    """Where the pictures of cards go (left, top), so that their pixels fall on the device's pixels."""
    left = (scene.x[which].astype(np.float64) - MARGIN) * to_view.m11() + to_view.dx()
    top = (scene.y[which].astype(np.float64) - MARGIN) * to_view.m22() + to_view.dy()
    return (np.round(np.stack([left, top], axis=1) * ratio) / ratio).tolist()  # type: ignore[no-any-return]


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
