"""Cards of the fabric sheet: server groups, leafs, spines, racks, frames (design language section 7)."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from fabricwright.ui.paint import text
from fabricwright.ui.paint.primitives import FAR, MID, NEAR, Ink, bar, icon, load_bar, meter, pill, port_mark, shell
from fabricwright.ui.paint.scene import Card, Style
from fabricwright.ui.theme import MEDIUM, REGULAR, SEMIBOLD, make_pen, rail_token


def frame(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Area that belongs together: a scalable unit, a plane, an external box. Caption at the bottom right."""
    p.setPen(
        make_pen(
            ink[card.frame or "border"],
            ink.line(1.0 if not ink.paper else 0.8),
            (6, 4) if ink.paper or card.forced else (),
        )
    )
    fill = ink.theme.alpha("panel", 0.45 if not ink.theme.dark else 0.5) if not ink.paper else Qt.BrushStyle.NoBrush
    p.setBrush(fill)
    p.drawRoundedRect(QRectF(0.5, 0.5, w - 1, h - 1), 12, 12)
    px = ink.px(11.5)
    if px <= 20:
        room = QRectF(16, h - px * 2.1, w - 32 - card.reserve, px * 1.8)
        text.draw_in(p, room, card.titles, px, ink["text.2"], align=text.RIGHT if card.icon == "" else text.LEFT)
    elif px <= 27 and not card.frame:
        room = QRectF(16, h - 33, w - 32 - card.reserve, 31)
        text.draw_in(p, room, card.titles[-1:], px, ink["text.2"], align=text.RIGHT if card.icon == "" else text.LEFT)


def _names(p: QPainter, card: Card, box: QRectF, ink: Ink, *, name_px: float = 13) -> float:
    """Name and as many fact lines as there is room for, vertically centred; returns the bottom."""
    px, small = ink.px(name_px), ink.px(11.5)
    step, small_step = px * 1.35, small * 1.4
    lines = list(card.lines)
    while lines and step + small_step * len(lines) > box.height() + 2:
        lines.pop()
    total = step + small_step * len(lines)
    y = box.top() + max(0.0, (box.height() - total) / 2)
    x = box.left()
    used = text.draw_in(p, QRectF(x, y, box.width(), step), card.titles, px, ink["text"], weight=SEMIBOLD)
    if card.subtitle and used + 10 < box.width():
        text.draw_in(
            p, QRectF(x + used + 10, y, box.width() - used - 10, step), (card.subtitle,), ink.px(12), ink["text.2"]
        )
    y += step
    for line in lines:
        text.draw_in(p, QRectF(x, y, box.width(), small_step), (line,), small, ink["text.2"])
        y += small_step
    return y


def _marks(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> float:
    """Ports, with labels under those of the top edge; returns the height the labels take."""
    px = ink.px(11)
    room = _label_room(card, w, ink)
    spacing = w / max(1, sum(m.edge == "t" for m in card.marks)) if room else 0.0
    for mark in card.marks:
        port_mark(p, mark, w, h, ink)
        if room and mark.label and mark.edge == "t" and text.width(mark.label, px) < spacing:
            box = QRectF(mark.at - spacing / 2, 5, spacing, px * 1.3)
            text.draw_in(p, box, (mark.label,), px, ink["text.2"], align=text.CENTRE)
    return room


def _label_room(card: Card, w: float, ink: Ink) -> float:
    """Height that the labels of the ports on the top edge take; 0 when none is drawn."""
    if ink.band != NEAR:
        return 0.0
    px = ink.px(11)
    top = [m for m in card.marks if m.edge == "t"]
    return px * 1.3 + 3 if any(m.label and text.width(m.label, px) < w / len(top) for m in top) else 0.0


def group(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Server group, or any device drawn as a wide card: two layers behind when it stands for many."""
    outline = card.frame or "border.strong"
    shell(p, QRectF(0, 0, w, h), ink, outline="error" if card.forced else outline, width=1.2, layers=card.layers)
    taken = _marks(p, card, w, h, ink)
    if _is_compact(w, ink):
        _compact(p, card, w, h, ink, taken)
        return
    pill_w = 0.0
    top = max(taken, 6.0)
    if card.pill:
        px = ink.px(13)
        pill_w = text.width(card.pill, px, SEMIBOLD) + 26
        pill(p, QPointF(w - pill_w / 2 - 12, top + px * 1.25), card.pill, ink, size=13, pad=10)
        pill_w += 8
    foot = ink.px(11) * 2.0 if card.meters else 4.0
    side = min(26.0, h - top - 10)
    body = QRectF(14, top, w - 28, h - top - foot)
    icon(
        p,
        card.icon,
        QRectF(body.left(), body.center().y() - side / 2 - (2 if card.meters else 0), side, side),
        ink[card.frame or "text.2"],
    )
    _names_beside_pill(
        p, card, QRectF(body.left() + side + 11, body.top(), body.width() - side - 11, body.height()), pill_w, ink
    )
    if card.meters:
        _meters(p, card, QRectF(14, h - foot - 3, w - 28, foot), ink)


def _names_beside_pill(p: QPainter, card: Card, box: QRectF, pill_w: float, ink: Ink) -> None:
    """The pill narrows the name only, the facts below it use the whole width."""
    px, small = ink.px(13), ink.px(11.5)
    step, small_step = px * 1.35, small * 1.4
    lines = list(card.lines)
    while lines and step + small_step * len(lines) > box.height() + 2:
        lines.pop()
    y = box.top() + max(0.0, (box.height() - step - small_step * len(lines)) / 2)
    text.draw_in(p, QRectF(box.left(), y, box.width() - pill_w, step), card.titles, px, ink["text"], weight=SEMIBOLD)
    y += step
    for n, line in enumerate(lines):
        room = box.width() - (pill_w if n == 0 and y < 60 and step > 20 else 0)
        text.draw_in(p, QRectF(box.left(), y, room, small_step), (line,), small, ink["text.2"])
        y += small_step


def _meters(p: QPainter, card: Card, box: QRectF, ink: Ink) -> None:
    px = ink.px(11)
    need = [text.width(m.label, px) + text.width(m.figure, px, MEDIUM) + 34 for m in card.meters]
    rows = list(card.meters)
    while len(rows) > 1 and sum(need[: len(rows)]) + 14 * (len(rows) - 1) > box.width():
        rows.pop()
    spare = box.width() - sum(need[: len(rows)]) - 14 * (len(rows) - 1)
    length = min(56.0, max(14.0, 18 + spare / max(1, len(rows))))
    x = box.left()
    for row, least in zip(rows, need, strict=False):
        meter(p, x, box.center().y(), least - 18 + length, row, ink, bar_width=length)
        x += least - 18 + length + 14


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a card, to be drawn over its picture: text, left end and baseline in the card, font size."""

    text: str
    x: float
    baseline: float
    px: int


def name_apart(card: Card, w: float, h: float, ink: Ink) -> Name | None:
    """The name of a compact card whose picture does not depend on it; None for every other card. Cards that differ in
    their names only can share the picture of one with a blank name."""
    if card.style not in (Style.GROUP, Style.DEVICE) or ink.band == FAR or not _is_compact(w, ink) or not card.icon:
        return None
    px = ink.px(12.5)
    side, x, right, _pill = _compact_room(card, w, h, ink)
    beside = right - x - side - 6 / ink.scale
    if right - x < side or beside < text.width(" ", px, SEMIBOLD):
        return None
    if beside <= px * 3 and not any(text.width(t, px, SEMIBOLD) <= beside for t in card.titles):
        return Name("", 0.0, 0.0, px)
    top = _label_room(card, w, ink)
    left = x + side + 6 / ink.scale
    m = text.metrics(px, SEMIBOLD)
    baseline = QRectF(left, top, right - left, h - top).center().y() + (m.capHeight() or m.ascent() * 0.72) / 2
    return Name(text.choose(card.titles, right - left, px, SEMIBOLD), left, baseline, px)


def _is_compact(w: float, ink: Ink) -> bool:
    return ink.band != NEAR or w * ink.scale < 150


def _compact_room(card: Card, w: float, h: float, ink: Ink) -> tuple[float, float, float, float]:
    """Side of the icon, left and right end of the room for icon and name, and width of the pill (0 = none)."""
    side = min(18 / ink.scale, h * 0.5, w * 0.3)
    x = 8 / ink.scale if w * ink.scale > 60 else 3 / ink.scale
    right = w - x
    if card.pill:
        pw = text.width(card.pill, ink.px(11.5), SEMIBOLD) + 16 / ink.scale
        if pw < w * 0.5:
            return side, x, right - pw, pw
    return side, x, right, 0.0


def _compact(p: QPainter, card: Card, w: float, h: float, ink: Ink, top: float = 0.0) -> None:
    """Mid zoom: icon, short name, count pill."""
    px = ink.px(12.5)
    side, x, right, pw = _compact_room(card, w, h, ink)
    if pw:
        pill(p, QPointF(w - pw / 2 - 4 / ink.scale, h / 2), card.pill, ink, size=11.5, pad=8)
    room = right - x
    beside = room - side - 6 / ink.scale
    fits = [t for t in card.titles if text.width(t, px, SEMIBOLD) <= max(beside, 0)]
    if fits or room < side or not card.icon:
        if fits:
            icon(p, card.icon, QRectF(x, top + (h - top - side) / 2, side, side), ink[card.frame or "text.2"])
            x += side + 6 / ink.scale
        text.draw_in(p, QRectF(x, top, right - x, h - top), card.titles, px, ink["text"], weight=SEMIBOLD)
    elif beside <= px * 3 and (small := _alone_px(card, room, ink)):  # rather the name than the icon
        text.draw_in(
            p, QRectF(x, top, room, h - top), card.titles, small, ink["text"], weight=SEMIBOLD, align=text.CENTRE
        )
    else:
        icon(p, card.icon, QRectF(x, top + (h - top - side) / 2, side, side), ink[card.frame or "text.2"])
        if beside > px * 3:
            left = x + side + 6 / ink.scale
            text.draw_in(p, QRectF(left, top, right - left, h - top), card.titles, px, ink["text"], weight=SEMIBOLD)


def _alone_px(card: Card, room: float, ink: Ink) -> int:
    """Font size at which a name of the card fits in ``room`` without the icon beside it; 0 when none does."""
    sizes = (ink.px(size) for size in (12.5, 10.5))
    return next((px for px in sizes if any(text.width(t, px, SEMIBOLD) <= room for t in card.titles)), 0)


def leaf(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Narrow leaf tile: rail bar on top, label, count."""
    shell(
        p,
        QRectF(0, 0, w, h),
        ink,
        outline="error" if card.forced else card.frame or "border",
        layers=min(card.layers, 1),
        radius=6,
    )
    for mark in card.marks:
        port_mark(p, mark, w, h, ink)
    if card.rail >= 0:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink[rail_token(card.rail)])
        p.drawRoundedRect(QRectF(w * 0.16, 7, w * 0.68, 4), 2, 2)
    px, small = ink.px(13), ink.px(11.5)
    if card.pill and h - 14 > (px + small) * 1.25:
        text.draw_in(
            p, QRectF(2, 13, w - 4, px * 1.4), card.titles, px, ink["text"], weight=SEMIBOLD, align=text.CENTRE
        )
        text.draw_in(
            p, QRectF(2, 13 + px * 1.35, w - 4, small * 1.4), (card.pill,), small, ink["text.2"], align=text.CENTRE
        )
    else:
        text.draw_in(p, QRectF(1, 11, w - 2, h - 12), card.titles, px, ink["text"], weight=SEMIBOLD, align=text.CENTRE)


def leaf_wide(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Leaf with room: rail bar at the left, icon, name, model, cages in use."""
    shell(
        p,
        QRectF(0, 0, w, h),
        ink,
        outline="error" if card.forced else card.frame or "border",
        layers=min(card.layers, 1),
    )
    for mark in card.marks:
        port_mark(p, mark, w, h, ink)
    left = 8.0
    if card.rail >= 0:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink[rail_token(card.rail)])
        p.drawRoundedRect(QRectF(8, 8, 4, h - 16), 2, 2)
        left = 18.0
    if ink.band != NEAR or w * ink.scale < 92:
        text.draw_in(p, QRectF(left, 0, w - left - 4, h), card.titles, ink.px(12.5), ink["text"], weight=SEMIBOLD)
        return
    foot = ink.px(11) * 1.7 if card.meters and h > 62 and ink.scale > 0.75 else 0.0
    side = 24.0
    icon(p, card.icon, QRectF(left, (h - foot - side) / 2 + 1, side, side), ink["text.2"])
    left += side + 8
    room = QRectF(left, 4, w - left - 8, h - 8 - foot)
    _names(p, card, room, ink)
    if foot:
        row = card.meters[0]
        start = 18.0 if card.rail >= 0 else 10.0
        figure_w = text.width(row.figure, ink.px(11), MEDIUM)
        bar(
            p,
            QRectF(start, h - foot / 2 - 8, max(0.0, w - start - figure_w - 18), 6),
            row.fraction,
            ink["ok" if row.state == "ok" else "error"],
            ink,
        )
        text.draw_in(
            p,
            QRectF(w - figure_w - 11, h - foot - 5, figure_w + 2, foot),
            (row.figure,),
            ink.px(11),
            ink["text"],
            weight=MEDIUM,
        )


def spine(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Spine or core tier: a frame with one tile per switch, each with a load bar."""
    shell(p, QRectF(0, 0, w, h), ink, outline=card.frame or "border", radius=10)
    for mark in card.marks:
        port_mark(p, mark, w, h, ink)
    if ink.band == MID or w * ink.scale < 120:
        _compact(p, card, w, h, ink)
        return
    px = ink.px(13)
    head = max(28.0, px * 1.7)
    icon(p, card.icon, QRectF(12, (head - 20) / 2 + 3, 20, 20), ink["text.2"])
    corner_w = 0.0
    line = QRectF(40, 3, w - 54, head)
    if card.corner:
        name_w = text.width(card.titles[-1], px, SEMIBOLD)
        spare = line.width() - name_w - 30
        if spare > 60:
            choice = text.choose(card.corner, spare * 0.7, ink.px(11.5))
            corner_w = text.draw_in(p, line, (choice,), ink.px(11.5), ink["text.2"], align=text.RIGHT) + 12
    name_w = text.draw_in(
        p, QRectF(line.left(), line.top(), line.width() - corner_w, head), card.titles, px, ink["text"], weight=SEMIBOLD
    )
    if card.subtitle:
        text.draw_in(
            p,
            QRectF(line.left() + name_w + 10, line.top(), line.width() - corner_w - name_w - 10, head),
            (card.subtitle,),
            ink.px(12),
            ink["text.2"],
        )
    _tiles(p, card, QRectF(12, head + 5, w - 24, h - head - 14), ink)


def _tiles(p: QPainter, card: Card, box: QRectF, ink: Ink) -> None:
    columns = max(1, card.tile_columns or len(card.tiles))
    rows = (len(card.tiles) + columns - 1) // columns
    if not rows:
        return
    gap = 4.0
    w = min((box.width() - gap * (columns - 1)) / columns, 190.0)
    spare = box.width() - w * columns - gap * (columns - 1)
    box = box.adjusted(spare / 2, 0, -spare / 2, 0)
    h = (box.height() - gap * (rows - 1)) / rows
    px = ink.px(11)
    for n, tile in enumerate(card.tiles):
        row, column = divmod(n, columns)
        cell = QRectF(box.left() + column * (w + gap), box.top() + row * (h + gap), w, h)
        p.setPen(make_pen(ink["border"], ink.line(1.0)))
        p.setBrush(ink["sunken"])
        p.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        low = 15.0 if h > 30 else 0.0
        if text.width(tile.label, px, MEDIUM) <= w - 3:
            text.draw_in(
                p,
                QRectF(cell.left(), cell.top() + 1, w, h - low),
                (tile.label,),
                px,
                ink["text"],
                weight=MEDIUM,
                align=text.CENTRE,
            )
        if low:
            load_bar(p, QRectF(cell.left() + w * 0.17, cell.bottom() - 13, w * 0.66, 5), tile.load, ink)


def rack(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Racks: a small elevation, name, count and budgets."""
    shell(p, QRectF(0, 0, w, h), ink, outline=card.frame or "border", layers=min(card.layers, 1))
    if ink.band != NEAR or w * ink.scale < 90:
        _compact(p, card, w, h, ink)
        return
    side = min(26.0, h - 16)
    icon(p, card.icon, QRectF(12, (h - side) / 2, side, side), ink["text.2"])
    foot = 8.0 if card.meters else 0.0
    room = QRectF(12 + side + 10, 5, w - side - 34, h - 10 - foot)
    pill_w = 0.0
    if card.pill:
        pill_w = text.width(card.pill, ink.px(12), SEMIBOLD) + 24
        pill(p, QPointF(w - pill_w / 2 - 8, 6 + ink.px(12) * 0.9), card.pill, ink, size=12)
    px, small = ink.px(13), ink.px(11.5)
    step, small_step = px * 1.35, small * 1.4
    lines = [line for n, line in enumerate(card.lines) if step + small_step * (n + 1) <= room.height() + 2]
    y = room.top() + (room.height() - step - small_step * len(lines)) / 2
    text.draw_in(p, QRectF(room.left(), y, room.width() - pill_w, step), card.titles, px, ink["text"], weight=SEMIBOLD)
    for line in lines:
        y += step if line is lines[0] else small_step
        text.draw_in(p, QRectF(room.left(), y, room.width(), small_step), (line,), small, ink["text.2"])
    if card.meters:
        bar(
            p,
            QRectF(room.left(), h - 11, room.width(), 5),
            card.meters[0].fraction,
            ink["ok" if card.meters[0].state == "ok" else "warn"],
            ink,
        )


def note(p: QPainter, card: Card, w: float, h: float, ink: Ink) -> None:
    """Free text."""
    px = ink.px(12)
    y = 4.0
    for line in card.titles[0].splitlines() or [""]:
        text.draw_in(p, QRectF(6, y, w - 12, px * 1.4), (line,), px, ink["text.2"], weight=REGULAR)
        y += px * 1.4
