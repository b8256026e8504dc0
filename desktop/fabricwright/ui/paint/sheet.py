"""A whole sheet on any paint device: the canvas, its minimap, PNG and PDF all come through here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from fabricwright.ui.icons import paint_state
from fabricwright.ui.paint import text
from fabricwright.ui.paint.cards import far_token, paint_card
from fabricwright.ui.paint.lines import paint_edges, paint_label, paint_tie
from fabricwright.ui.paint.primitives import FAR, NEAR, Ink
from fabricwright.ui.paint.scene import I32, Scene, Style
from fabricwright.ui.theme import BOLD, Theme, make_pen


@dataclass(frozen=True, slots=True)
class Badge:
    """Findings on a card or port: worst severity and how many."""

    severity: str
    count: int
    keys: tuple[str, ...] = ()


def paint_scene(
    p: QPainter,
    scene: Scene,
    theme: Theme,
    scale: float,
    area: QRectF | None = None,
    *,
    heat: bool = False,
    badges: Mapping[int, Badge] | None = None,
) -> None:
    """Paint the part of a scene inside ``area`` (everything when None). The painter is in scene units; ``scale`` is
    its zoom."""
    ink = Ink.at(theme, scale)
    x, y, w, h = scene.bounds() if area is None else (area.x(), area.y(), area.width(), area.height())
    cards = scene.visible(x - 16, y - 16, x + w + 16, y + h + 16)
    frames = cards[scene.style[cards] == Style.FRAME]
    paint_cards(p, scene, frames, ink)
    paint_edges(p, scene, scene.visible_edges(x, y, x + w, y + h), ink, heat=heat)
    paint_cards(p, scene, cards[scene.style[cards] != Style.FRAME], ink)
    if ink.band == NEAR:
        paint_annotations(p, scene, ink, QRectF(x, y, w, h), heat=heat)
    for index, badge in (badges or {}).items():
        paint_badge(p, badge_place(scene, index), badge, ink)


def paint_cards(p: QPainter, scene: Scene, which: I32, ink: Ink) -> None:
    """Cards as vectors; far cards in one go by colour."""
    if ink.band == FAR and len(which) > 60:
        paint_far(p, scene, which, ink)
        return
    p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for index in which.tolist():
        p.save()
        p.translate(float(scene.x[index]), float(scene.y[index]))
        paint_card(p, scene.card(index), float(scene.w[index]), float(scene.h[index]), ink)
        p.restore()


#: Colour of a flat block by style, where no card has been made yet.
_FAR_STYLE = {int(Style.CPU): "pcie", int(Style.SWITCH): "rail0", int(Style.BAR): "nvlink", int(Style.SLOT): "border"}


def paint_far(p: QPainter, scene: Scene, which: I32, ink: Ink) -> None:
    """Ten thousand cards as flat rectangles: one drawRects per colour, from a list that is kept."""
    p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    p.setPen(Qt.PenStyle.NoPen)
    every, kinds, names = _blocks(scene)
    shown = kinds[which]
    for number, token in enumerate(names):
        mine = which[shown == number]
        if len(mine):
            p.setBrush(ink[token])
            p.drawRects(every if len(mine) == len(every) else [every[i] for i in mine.tolist()])


def _blocks(scene: Scene) -> tuple[list[QRectF], I32, list[str]]:
    """Rectangles of all cards, the index of each one's colour token, and the tokens; kept on the scene."""
    kept = scene.memo.get("far")
    if kept is None:
        boxes = np.stack([scene.x, scene.y, scene.w, scene.h], axis=1).tolist()
        tokens = [_far_token(scene, index) for index in range(len(scene))]
        names = sorted(set(tokens))
        kinds = np.array([names.index(t) for t in tokens], np.int32)
        kept = scene.memo["far"] = ([QRectF(*box) for box in boxes], kinds, names)
    return kept  # type: ignore[return-value]


def _far_token(scene: Scene, index: int) -> str:
    known = scene.cards[index]
    return far_token(known) if known is not None else _FAR_STYLE.get(int(scene.style[index]), "text.3")


def paint_annotations(p: QPainter, scene: Scene, ink: Ink, area: QRectF, *, heat: bool = False) -> None:
    """Ties and labels of links."""
    p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for label in scene.labels:
        if area.left() - 80 < label.x < area.right() + 80 and area.top() - 20 < label.y < area.bottom() + 20:
            paint_label(p, label, ink)
    for tie in scene.ties:
        if tie.x1 > area.left() - 200 and tie.x0 < area.right() + 200 and area.top() - 20 < tie.y < area.bottom() + 20:
            paint_tie(p, tie, ink, heat=heat)


_LOW_BADGES = frozenset((int(Style.GPU), int(Style.CARD), int(Style.CHIP), int(Style.SLOT)))


def badge_place(scene: Scene, index: int) -> QPointF:
    """Centre of the badge of a card: its top right corner; the lower one of the narrow cards of a server, whose name
    and whose lanes stand at the top."""
    x, y, w, h = scene.box(index)
    if scene.style[index] in _LOW_BADGES:
        return QPointF(x + w - 1, y + h - 4)
    return QPointF(x + w - 1, y + 1)


def _badge_boxes(centre: QPointF, badge: Badge, ink: Ink) -> tuple[QRectF, QRectF]:
    """Boxes of a badge's sign and of the pill with its count (empty where none is drawn), in scene units."""
    side = 17.0 / min(ink.scale, 1.0) if ink.band == NEAR else 11.0 / ink.scale
    sign = QRectF(centre.x() - side / 2, centre.y() - side / 2, side, side)
    if badge.count < 2 or ink.band != NEAR:
        return sign, QRectF()
    # Sign and number together end at the corner, so that they do not lie on the neighbour.
    px = ink.px(11)
    wide = text.width(str(badge.count), px, BOLD)
    sign.translate(-wide - px * 0.4, 0)
    return sign, QRectF(sign.right() - 3, sign.top() + side * 0.05, wide + px, side * 0.9)


def badge_box(scene: Scene, index: int, badge: Badge, ink: Ink) -> QRectF:
    """Everything that the badge of a card covers, in scene units."""
    sign, pill = _badge_boxes(badge_place(scene, index), badge, ink)
    return sign.united(pill) if not pill.isEmpty() else sign


def paint_badge(p: QPainter, centre: QPointF, badge: Badge, ink: Ink) -> None:
    """Octagon for errors, triangle for warnings, 17 px on screen; a count beside it when there is more than one."""
    p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    box, pill = _badge_boxes(centre, badge, ink)
    if ink.band == FAR:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink["error" if badge.severity == "error" else "warn"])
        p.drawEllipse(box.adjusted(2 / ink.scale, 2 / ink.scale, -2 / ink.scale, -2 / ink.scale))
        return
    if not pill.isEmpty():
        token = {"error": "error", "warning": "warn"}.get(badge.severity, "info")
        p.setPen(make_pen(ink[token], ink.line(1.0)))
        p.setBrush(ink[f"{token}.soft"])
        p.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        label, within = (str(badge.count),), pill.adjusted(1, 0, 0, 0)
        text.draw_in(p, within, label, ink.px(11), ink[token], weight=BOLD, align=text.CENTRE)
    paint_state(p, badge.severity if badge.severity in ("error", "warning", "info") else "info", box, filled=True)
