"""Small pieces that all cards are made of: shell, pill, meter, port mark, lane bar, state sign."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint import text
from fabricwright.ui.paint.scene import LaneBar, Mark, Meter
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, Theme, load_color, make_pen

FAR, MID, NEAR = 0, 1, 2


def band_of(scale: float) -> int:
    """Zoom band of the design language: far under 0.25, mid under 0.6, near."""
    return FAR if scale < 0.25 else MID if scale < 0.6 else NEAR


@dataclass(frozen=True, slots=True)
class Ink:
    """What a painter needs besides the card: colours, zoom, band. ``paper`` leaves out shadows and soft fills."""

    theme: Theme
    scale: float = 1.0
    band: int = NEAR

    @staticmethod
    def at(theme: Theme, scale: float) -> Ink:
        """Ink for a zoom."""
        return Ink(theme, scale, band_of(scale))

    @property
    def paper(self) -> bool:
        """Printing."""
        return self.theme.name == "print"

    def px(self, size: float) -> int:
        """Font size in scene units."""
        return text.scene_px(size, self.scale)

    def line(self, width: float) -> float:
        """A line width that stays visible when zoomed out."""
        return max(width, 0.9 / self.scale)

    def __getitem__(self, token: str) -> QColor:
        return self.theme[token]


def shell(
    p: QPainter,
    box: QRectF,
    ink: Ink,
    *,
    fill: str = "raised",
    outline: str = "border",
    width: float = 1.0,
    radius: float = 8,
    layers: int = 0,
    dash: tuple[float, ...] = (),
    shadow: bool = True,
) -> None:
    """Rounded card with a soft shadow and up to two layers behind it."""
    line = ink.line(width)
    pen = make_pen(ink[outline], line, tuple(d for d in dash))
    for layer in range(layers, 0, -1):
        behind = box.translated(4 * layer, 4 * layer)
        p.setPen(make_pen(ink["border" if not ink.paper else "border.strong"], ink.line(1.0)))
        p.setBrush(ink["sunken"])
        p.drawRoundedRect(behind.adjusted(line / 2, line / 2, -line / 2, -line / 2), radius, radius)
    if shadow and not ink.paper and not dash and ink.band == NEAR:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(QColor(10, 20, 40, 60 if ink.theme.dark else 14))
        p.drawRoundedRect(box.adjusted(-0.4, 0.6, 0.4, 1.4), radius + 0.4, radius + 0.4)
    p.setPen(pen)
    p.setBrush(ink[fill])
    p.drawRoundedRect(box.adjusted(line / 2, line / 2, -line / 2, -line / 2), radius, radius)


def icon(p: QPainter, name: str, box: QRectF, colour: QColor) -> None:
    """A pictogram."""
    if name:
        paint_icon(p, name, box, colour)


def pill(
    p: QPainter,
    centre: QPointF,
    label: str,
    ink: Ink,
    *,
    size: float = 12,
    colour: str = "accent",
    fill: str = "accent.soft",
    outline: str = "",
    weight: int = SEMIBOLD,
    pad: float = 9.0,
) -> QRectF:
    """A rounded label centred at a point; returns its box."""
    px = ink.px(size)
    w = text.width(label, px, weight) + 2 * pad * px / size * 0.9
    h = px * 1.75
    box = QRectF(centre.x() - w / 2, centre.y() - h / 2, w, h)
    p.setPen(make_pen(ink[outline], ink.line(1.0)) if outline else Qt.PenStyle.NoPen)
    p.setBrush(ink[fill])
    p.drawRoundedRect(box, h / 2, h / 2)
    text.draw_in(p, box.adjusted(-2, 0, 2, 0), (label,), px, ink[colour], weight=weight, align=text.CENTRE)
    return box


_STATE_TOKENS = {"ok": "ok", "warn": "warn", "warning": "warn", "error": "error", "plain": "pcie"}


def bar(p: QPainter, box: QRectF, fraction: float, colour: QColor, ink: Ink) -> None:
    """A budget bar."""
    radius = box.height() / 2
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(ink["hover"] if not ink.paper else ink["border"])
    p.drawRoundedRect(box, radius, radius)
    if fraction > 0:
        w = max(box.height(), box.width() * min(fraction, 1.0))
        p.setBrush(colour)
        p.drawRoundedRect(QRectF(box.left(), box.top(), w, box.height()), radius, radius)


def meter(p: QPainter, x: float, y: float, room: float, row: Meter, ink: Ink, *, bar_width: float = 48.0) -> float:
    """Label, bar and figure in one line centred on ``y``; returns the width used."""
    px = ink.px(11)
    label_w = text.width(row.label, px)
    figure_w = text.width(row.figure, px, MEDIUM)
    length = min(bar_width, room - label_w - figure_w - 16)
    colour = ink[_STATE_TOKENS[row.state]]
    if length < 12:
        length = 0
    box = QRectF(x, y - px, room, 2 * px)
    text.draw_in(p, QRectF(box.left(), box.top(), label_w + 1, box.height()), (row.label,), px, ink["text.2"])
    at = x + label_w + 8
    if length:
        bar(p, QRectF(at, y - 3, length, 6), row.fraction, colour, ink)
        at += length + 8
    figure_colour = ink["text"] if row.state in ("ok", "plain") else colour
    text.draw_in(
        p, QRectF(at, box.top(), max(0.0, x + room - at), box.height()), (row.figure,), px, figure_colour, weight=MEDIUM
    )
    return min(room, at - x + figure_w)


def mark_box(mark: Mark, w: float, h: float, band: int) -> QRectF:
    """Where a port is drawn on a card of size w x h."""
    long_side, short_side = (20.0, 11.0) if mark.wide else (13.0, 8.0)
    if band == MID:
        long_side, short_side = (16.0, 10.0) if mark.wide else (9.0, 8.0)
    if mark.edge in "tb":
        y = 0.0 if mark.edge == "t" else h
        return QRectF(mark.at - long_side / 2, y - short_side / 2, long_side, short_side)
    x = 0.0 if mark.edge == "l" else w
    return QRectF(x - short_side / 2, mark.at - long_side / 2, short_side, long_side)


def port_mark(p: QPainter, mark: Mark, w: float, h: float, ink: Ink) -> None:
    """A port: filled = cabled, outline = free."""
    box = mark_box(mark, w, h, ink.band)
    colour = ink[mark.token]
    if ink.band == MID and mark.filled:  # 4 px on the screen: round corners would not be seen, and cost the most
        p.fillRect(box, colour)
        return
    if mark.filled:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(colour)
    else:
        p.setPen(make_pen(colour, ink.line(1.4)))
        p.setBrush(ink["raised"])
    p.drawRoundedRect(box, 2, 2)


def lane_bar(p: QPainter, box: QRectF, lanes: LaneBar, ink: Ink) -> None:
    """Lane budget split by consumer, free part grey, pending part dashed."""
    radius = 4.0
    clip = QPainterPath()
    clip.addRoundedRect(box, radius, radius)
    p.save()
    p.setClipPath(clip, Qt.ClipOperation.IntersectClip)
    p.fillRect(box, ink["hover"] if not ink.paper else ink["border"])
    total = max(lanes.total, sum(s.value for s in lanes.shares), 1.0)
    x = box.left()
    for share in lanes.shares:
        w = box.width() * share.value / total
        piece = QRectF(x, box.top(), max(w - 1.5, 1.0), box.height())
        if share.pending:
            token = _STATE_TOKENS[share.pending]
            p.setPen(make_pen(ink[token], 1.5, (4, 3)))
            p.setBrush(ink[f"{token}.soft"])
            p.drawRoundedRect(piece.adjusted(1, 1, -1, -1), 3, 3)
        else:
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(ink[share.token])
            p.drawRect(piece)
        x += w
    p.restore()


def lane_legend(p: QPainter, box: QRectF, lanes: LaneBar, ink: Ink, caption: str) -> None:
    """Names of the shares under a lane bar, and the figure at the right."""
    px = ink.px(11)
    token = {"ok": "ok", "error": "error", "warn": "warn"}.get(lanes.state, "text")
    figure_w = text.draw_in(p, box, (lanes.figure,), px, ink[token], weight=SEMIBOLD, align=text.RIGHT)
    x = box.left()
    room = box.right() - figure_w - 10
    x += (
        text.draw_in(p, QRectF(x, box.top(), room - x, box.height()), (caption,), px, ink["text"], weight=SEMIBOLD) + 10
    )
    square = px * 0.62
    for share in lanes.shares:
        label = f"{share.label} {share.value:g}" if not share.pending else f"{share.label} +{share.value:g}"
        need = square + 5 + text.width(label, px)
        if x + need > room:
            break
        y = box.center().y()
        dot = QRectF(x, y - square / 2, square, square)
        if share.pending:
            p.setPen(QPen(ink[_STATE_TOKENS[share.pending]], 1.3))
            p.setBrush(Qt.BrushStyle.NoBrush)
        else:
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(ink[share.token])
        p.drawRoundedRect(dot, 2, 2)
        colour = ink[_STATE_TOKENS[share.pending]] if share.pending else ink["text.2"]
        text.draw_in(
            p,
            QRectF(x + square + 5, box.top(), need, box.height()),
            (label,),
            px,
            colour,
            weight=SEMIBOLD if share.pending else 400,
        )
        x += need + 12


def load_bar(p: QPainter, box: QRectF, load: float | None, ink: Ink) -> None:
    """The 5 px load bar of a spine tile; empty when not analysed."""
    bar(p, box, load or 0.0, load_color(load or 0.0, ink.theme), ink)
