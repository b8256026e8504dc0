"""Cards of the server sheet: CPUs, GPUs, NICs, switch cards, retimers, slots, NVSwitch bar (design language section
7)."""

from __future__ import annotations

import re

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from fabricwright.ui.icons import paint_state
from fabricwright.ui.paint import text
from fabricwright.ui.paint.primitives import FAR, NEAR, Ink, icon, lane_bar, lane_legend, pill, port_mark, shell
from fabricwright.ui.paint.scene import Card
from fabricwright.ui.theme import MEDIUM, REGULAR, SEMIBOLD, make_pen


def _marks(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    px = ink.px(11)
    for mark in card.marks:
        port_mark(p, mark, w, h, ink)
        if mark.label and mark.wide and ink.band == NEAR:
            text.draw_in(p, QRectF(mark.at + 13, h - px * 1.7, 20, px * 1.4), (mark.label,), px, ink["text.2"])


def _outline(card: Card, default: str) -> str:
    return "error" if card.forced else card.frame or default


def cpu(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Wide card with the lane budget bar."""
    shell(p, QRectF(0, 0, w, h), ink, outline=_outline(card, "border.strong"), width=1.2)
    _marks(p, card, w, h, ink)
    lanes = card.lanes
    if ink.band != NEAR or w * ink.scale < 150:
        side = min(18 / ink.scale, h * 0.4)
        icon(p, card.icon, QRectF(8 / ink.scale, (h - side) / 2, side, side), ink["text.2"])
        left = 14 / ink.scale + side
        px = ink.px(12.5)
        texts = (f"{card.titles[0]}  {lanes.figure}",) if lanes else ()
        text.draw_in(p, QRectF(left, 0, w - left - 4, h), (*texts, card.titles[-1]), px, ink["text"], weight=SEMIBOLD)
        return
    foot = 0.0
    if lanes is not None:
        legend_h = ink.px(11) * 1.6
        bar_h = 14.0
        foot = legend_h + bar_h + 8
        lane_bar(p, QRectF(12, h - foot, w - 24, bar_h), lanes, ink)
        lane_legend(p, QRectF(12, h - legend_h - 4, w - 24, legend_h), lanes, ink, lanes.caption)
    room = QRectF(14, 6, w - 28, h - foot - 8)
    px, small = ink.px(14), ink.px(12)
    side = 24.0
    icon(p, card.icon, QRectF(room.left(), room.top() + 4, side, side), ink["text"])
    left = room.left() + side + 10
    two = room.height() >= (px + small) * 1.3
    first = QRectF(left, room.top(), room.right() - left, px * 1.4)
    second = QRectF(left, room.top() + px * 1.4, room.right() - left, small * 1.4)
    right_w = 0.0
    for n, line in enumerate(card.corner[:2]):
        where = first if n == 0 else second
        if n == 1 and not two:
            break
        if text.width(line, small) < where.width() * 0.45:
            right_w = max(right_w, text.draw_in(p, where, (line,), small, ink["text.2"], align=text.RIGHT) + 10)
    used = text.draw_in(p, first, card.titles, px, ink["text"], weight=SEMIBOLD)
    if card.subtitle:
        text.draw_in(
            p,
            QRectF(left + used + 9, first.top(), first.width() - used - 9 - right_w, first.height()),
            (card.subtitle,),
            small,
            ink["text.2"],
        )
    if two and card.lines:
        text.draw_in(p, second.adjusted(0, 0, -right_w, 0), card.lines, small, ink["text.2"])


def gpu(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Upright card: icon and index, model, facts below."""
    shell(p, QRectF(0, 0, w, h), ink, outline=_outline(card, "border.strong"), width=1.2, layers=min(card.layers, 1))
    _upright(p, card, w, h, ink, head_px=15)
    _marks(p, card, w, h, ink)


def card(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """NIC, CXL expander, drive, riser: upright card framed in its kind colour."""
    kind = card.frame and card.frame not in ("border", "border.strong")
    shell(
        p,
        QRectF(0, 0, w, h),
        ink,
        outline=_outline(card, "border.strong"),
        width=1.6 if kind or card.forced else 1.2,
        layers=min(card.layers, 1),
    )
    _upright(p, card, w, h, ink, head_px=13)
    _marks(p, card, w, h, ink)


def _upright(p: QPainter, card: Card, w: float, h: float, ink: Ink, *, head_px: float) -> None:
    px = ink.px(head_px)
    tint = ink[card.frame] if card.frame and card.frame not in ("border", "border.strong") else ink["text"]
    pad = 7.0 if w > 60 else 4.0
    if w * ink.scale < 44 or ink.band != NEAR:
        side = min(18 / ink.scale, w * 0.6, h * 0.45)
        px = ink.px(12)
        icon(p, card.icon, QRectF((w - side) / 2, h * 0.5 - side, side, side), tint)
        text.draw_in(
            p,
            QRectF(1, h * 0.5, w - 2, px * 1.5),
            (card.titles[-1],),
            px,
            ink["text"],
            weight=SEMIBOLD,
            align=text.CENTRE,
        )
        return
    side = 20.0
    head = max(side, px * 1.2)
    beside = w - pad - side - 8
    if text.fits(card.titles, beside, px, SEMIBOLD) or not text.fits(card.titles, w - pad - 4, px, SEMIBOLD):
        icon(p, card.icon, QRectF(pad, 10 + (head - side) / 2, side, side), tint)
        text.draw_in(p, QRectF(pad + side + 6, 10, beside, head), card.titles, px, ink["text"], weight=SEMIBOLD)
    else:
        text.draw_in(p, QRectF(pad, 10, w - pad - 4, head), card.titles, px, ink["text"], weight=SEMIBOLD)
    cages = any(m.wide and m.edge == "b" for m in card.marks)
    y = 10 + head + 6
    bottom = h - (12 if cages else 5)
    small = ink.px(11.5)
    name = ink.px(12)
    for n, line in enumerate((card.subtitle, *card.lines) if card.subtitle else card.lines):
        size = name if n == 0 and card.subtitle else small
        step = size * 1.38
        if y + step > bottom + 1:
            break
        heavy = n == 0 and bool(card.subtitle)
        colour = ink["text"] if heavy else ink["text.2"]
        room = QRectF(pad, y, w - 2 * pad + 3, step)
        variants = tuple(line.split("\t"))
        if not heavy:
            # A fact that is cut off tells nothing; it waits for a nearer zoom.
            variants = (text.fits(variants, room.width(), size),)
        text.draw_in(p, room, variants, size, colour, weight=MEDIUM if heavy else REGULAR)
        y += step if variants[0] else 0.0


def switch(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """PCIe switch card or chip: spans its devices; mode, ratio and pill."""
    shell(p, QRectF(0, 0, w, h), ink, outline=_outline(card, "border.strong"), width=1.2)
    _marks(p, card, w, h, ink)
    px, small = ink.px(13), ink.px(11.5)
    if ink.band != NEAR or w * ink.scale < 84:
        side = min(18 / ink.scale, h * 0.5, w * 0.3)
        icon(p, card.icon, QRectF(6 / ink.scale, (h - side) / 2, side, side), ink["text.2"])
        left = 10 / ink.scale + side
        text.draw_in(p, QRectF(left, 0, w - left - 2, h), card.titles, ink.px(12), ink["text"], weight=SEMIBOLD)
        return
    side = 22.0
    icon(p, card.icon, QRectF(10, 9, side, side), ink["text"])
    left = 10 + side + 8
    y = 8.0
    text.draw_in(p, QRectF(left, y, w - left - 8, px * 1.4), card.titles, px, ink["text"], weight=SEMIBOLD)
    y += px * 1.45
    bottom = h - 5.0
    lines = list(card.lines)
    foot = lines[-1] if card.pill and lines else ""
    for line in lines[:-1] if foot else lines:
        if y + small * 1.4 > bottom - (small * 1.5 if foot else 0) + 1:
            break
        start = left if y < 9 + side - 4 else 10.0
        text.draw_in(p, QRectF(start, y, w - start - 8, small * 1.4), tuple(line.split("\t")), small, ink["text.2"])
        y += small * 1.4
    if foot and bottom - small * 1.5 >= y - 4:
        pill_w = text.width(card.pill, ink.px(11.5), MEDIUM) + 18
        box = QRectF(10, bottom - small * 1.5, w - 24 - pill_w, small * 1.5)
        text.draw_in(p, box, tuple(foot.split("\t")), small, ink["text.2"])
        pill(
            p,
            QPointF(w - pill_w / 2 - 8, box.center().y()),
            card.pill,
            ink,
            size=11.5,
            colour="text.2",
            fill="hover",
            weight=MEDIUM,
            pad=7,
        )


def chip(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Retimer or bridge: a small card in the link."""
    shell(p, QRectF(0, 0, w, h), ink, outline=_outline(card, "border"), radius=6)
    _marks(p, card, w, h, ink)
    px, small = ink.px(12), ink.px(11)
    if ink.band != NEAR or w * ink.scale < 46:
        side = min(16 / ink.scale, h * 0.7, w * 0.7)
        icon(p, card.icon, QRectF((w - side) / 2, (h - side) / 2, side, side), ink["text.2"])
        return
    lines = [line for n, line in enumerate(card.lines) if px * 1.4 + small * 1.35 * (n + 1) <= h - 4]
    total = px * 1.4 + small * 1.35 * len(lines)
    y = max(2.0, (h - total) / 2)
    side = 16.0
    icon(p, card.icon, QRectF(6, y + px * 0.7 - side / 2, side, side), ink["text.2"])
    text.draw_in(p, QRectF(6 + side + 5, y, w - side - 14, px * 1.4), card.titles, px, ink["text"], weight=SEMIBOLD)
    y += px * 1.4
    for line in lines:
        shown = text.fits(line.split("\t"), w - 9, small)
        text.draw_in(p, QRectF(6, y, w - 9, small * 1.35), (shown,), small, ink["text.2"])
        y += small * 1.35 if shown else 0.0


def slot(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Empty slot: dashed, with width, generation and form."""
    shell(p, QRectF(0, 0, w, h), ink, fill="sunken", outline="border.strong", width=1.2, dash=(4, 3), shadow=False)
    _marks(p, card, w, h, ink)
    if ink.band != NEAR or w * ink.scale < 40:
        if w * ink.scale > 24:
            text.draw_in(p, QRectF(2, 0, w - 4, h), (card.titles[-1],), ink.px(11), ink["text.3"], align=text.CENTRE)
        return
    px, small = ink.px(12), ink.px(11.5)
    text.draw_in(p, QRectF(8, 9, w - 12, px * 1.4), card.titles, px, ink["text.2"], weight=SEMIBOLD)
    y = 9 + px * 1.5
    for line in card.lines:
        if y + small * 1.35 > h - 4:
            break
        text.draw_in(
            p, QRectF(8, y, w - 12, small * 1.35), (text.fits(line.split("\t"), w - 12, small),), small, ink["text.3"]
        )
        y += small * 1.35


def verdict_slot(
    p: QPainter, box: QRectF, state: str, title: str, lines: tuple[str, ...], ink: Ink, *, hot: bool = False
) -> None:
    """A slot while a card hangs on the mouse: ``state`` ok (legal), warn (works with a loss) or error (illegal, with
    the rule id last)."""
    w, h = box.width(), box.height()
    if hot and not ink.paper:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink.theme.alpha(state, 0.25))
        p.drawRoundedRect(box.adjusted(-4, -4, 4, 4), 11, 11)
    pen = make_pen(ink[state], ink.line(2.0 if state == "ok" else 1.6), () if state == "ok" else (5, 3))
    p.setPen(pen)
    p.setBrush(ink[f"{state}.soft"])
    p.drawRoundedRect(box.adjusted(1, 1, -1, -1), 8, 8)
    sign = {"ok": "ok", "warn": "warning", "error": "error"}[state]
    side = min(16.0 / ink.scale if ink.scale < 1 else 16.0, w * 0.5)
    if w * ink.scale < 46:
        paint_state(p, sign, QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side))
        return
    px, small = ink.px(12), ink.px(11)
    room = w - side - 18
    low = text.width(title, px, SEMIBOLD) > room  # the name of the slot before the sign of the verdict
    paint_state(p, sign, QRectF(box.right() - side - 6, box.bottom() - side - 6 if low else box.top() + 7, side, side))
    room = w - 12 if low else room
    text.draw_in(p, QRectF(box.left() + 8, box.top() + 6, room, px * 1.4), (title,), px, ink["text"], weight=SEMIBOLD)
    y = box.top() + 6 + px * 1.5
    wrapped = _wrap(lines, w - 13, small)
    if len(lines) > 1 and y + len(wrapped) * small * 1.3 > box.bottom() - 3:
        short = (*lines[:-1], _VERDICT.split(lines[-1])[0]) if state == "ok" else ("", lines[-1])
        wrapped = _wrap(short, w - 13, small)
    for n, (line, last) in enumerate(wrapped):
        if y + small * 1.3 > box.bottom() - 3:
            break
        heavy = last or (state == "ok" and n > 0)
        colour = ink[state] if last else ink["text"] if state != "ok" else ink["text.2"]
        text.draw_in(
            p,
            QRectF(box.left() + 8, y, w - 12, small * 1.3),
            (line,),
            small,
            colour,
            weight=SEMIBOLD if heavy else MEDIUM,
        )
        y += small * 1.3
    del h


_VERDICT = re.compile("[:：]")
"""Between the word of a verdict and what to do then."""


def _wrap(lines: tuple[str, ...], room: float, px: int) -> list[tuple[str, bool]]:
    """Break sentences to the width of the slot; the flag marks the last input line (the rule id)."""
    out: list[tuple[str, bool]] = []
    for n, line in enumerate(lines):
        last = n == len(lines) - 1 and n > 0
        current = ""
        for word in _words(line):
            trial = current + word
            if current and text.width(trial.strip(), px, MEDIUM) > room:
                out.append((current.strip(), last))
                current = word
            else:
                current = trial
        if current.strip():
            out.append((current.strip(), last))
    return out


def _words(line: str) -> list[str]:
    """Break opportunities: after spaces, and between Han characters."""
    words: list[str] = []
    current = ""
    for char in line:
        current += char
        if char in " -/" or ord(char) > 0x2E7F:
            words.append(current)
            current = ""
    return [*words, current] if current else words


def nv_bar(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """One bar for all NVSwitches under the GPUs they join."""
    colour = ink[card.frame or "nvlink"]
    p.setPen(make_pen(colour, ink.line(2.0)))
    p.setBrush(ink["raised"])
    p.drawRoundedRect(QRectF(1, 1, w - 2, h - 2), 7, 7)
    for mark in card.marks:
        port_mark(p, mark, w, h, ink)
    px = ink.px(12)
    side = min(20.0, h - 10)
    label = text.choose(card.titles, w - side - 40, px, SEMIBOLD)
    label_w = text.width(label, px, SEMIBOLD)
    extra = text.choose(card.lines, w - label_w - side - 60, ink.px(11.5)) if card.lines else ""
    extra_w = text.width(extra, ink.px(11.5)) + 12 if extra else 0.0
    x = max(8.0, (w - label_w - extra_w - side - 8) / 2)
    icon(p, card.icon, QRectF(x, (h - side) / 2, side, side), colour)
    text.draw_in(p, QRectF(x + side + 8, 0, label_w + 2, h), (label,), px, colour, weight=SEMIBOLD)
    if extra:
        text.draw_in(p, QRectF(x + side + 8 + label_w + 12, 0, extra_w, h), (extra,), ink.px(11.5), ink["text.2"])


def power(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Power budget of the chassis: what draws how much, over a bar of what the supplies carry."""
    if card.lanes is None or ink.band == FAR:
        return
    if any(share.pending for share in card.lanes.shares):  # it stands in front of the card as it is
        ground = QRectF(-2, -2, w + 4, h + 4)
        p.fillRect(ground, ink["canvas"])
        p.fillRect(ground, ink.theme.alpha("panel", 0.5))
    bar_h = 10.0
    lane_bar(p, QRectF(0, h - bar_h, w, bar_h), card.lanes, ink)
    if ink.band == NEAR:
        lane_legend(p, QRectF(0, 0, w, h - bar_h - 3), card.lanes, ink, card.lanes.caption)


def bracket(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """NVLink bridge or direct domain: a bracket under the GPUs with its rate."""
    pen = QPen(ink[card.frame or "nvlink"], max(3.5, 2 / ink.scale))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    p.setPen(pen)
    p.setBrush(Qt.BrushStyle.NoBrush)
    path = QPainterPath(QPointF(2, 0))
    path.lineTo(2, 10)
    path.lineTo(w - 2, 10)
    path.lineTo(w - 2, 0)
    p.drawPath(path)
    if ink.band == NEAR:
        text.draw_in(
            p,
            QRectF(-8, 14, w + 16, h - 14),
            card.titles,
            ink.px(11.5),
            ink[card.frame or "nvlink"],
            weight=SEMIBOLD,
            align=text.CENTRE,
        )
