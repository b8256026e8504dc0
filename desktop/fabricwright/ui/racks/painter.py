"""How racks are painted: far flat blocks, mid names, near everything with units, figures and signs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from fabricwright.exchange.elevation import Budget, Device, Elevation
from fabricwright.ui.icons import paint_state
from fabricwright.ui.paint import text
from fabricwright.ui.paint.primitives import FAR, NEAR, Ink, bar, pill
from fabricwright.ui.racks.room import FOOT_LINE, GUTTER, HEAD, RACK_W, ROW_GAP, ROW_HEAD, Room, RoomRow, Stand
from fabricwright.ui.racks.words import budget_figure, budget_name, device_power, rack_title, row_title
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, make_pen

TINTS = {"server": "text.3", "leaf": "rail0", "spine": "rail4", "storage": "storage", "mgmt": "mgmt", "other": "rail6"}
"""Token of the stripe on a device, by what it does."""
VERDICTS = {"": "ok", "warning": "warn", "error": "error"}


@dataclass(slots=True)
class RoomState:
    """What is picked, under the pointer, dragged. Devices by (item, member)."""

    chosen: tuple[str, int] | None = None
    chosen_racks: frozenset[tuple[str, int]] = frozenset()
    hovered: tuple[str, int] | None = None
    focus: bool = False
    target: tuple[Stand, int, int, bool] | None = None
    signs: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """(item, member) -> severity of what is found there; member -1 = every member."""

    def sign(self, item: str, member: int) -> str:
        """Severity of the findings at a member."""
        own, every = self.signs.get((item, member), ""), self.signs.get((item, -1), "")
        return "error" if "error" in (own, every) else own or every


def paint_room(p: QPainter, room: Room, elevation: Elevation, state: RoomState, seen: QRectF, ink: Ink) -> None:
    """Everything of the room that ``seen`` shows."""
    for row in room.rows:
        if row.bottom >= seen.top() and row.top <= seen.bottom():
            _row_head(p, row, seen, ink)
    shown = list(room.visible(seen))
    for stand in shown:
        _frame(p, stand, state, ink)
    blocks: dict[str, list[QRectF]] = {}
    for stand in shown:
        for device in elevation.devices(stand.rack):
            if ink.band == FAR:
                gap = min(0.6 / ink.scale, device.height_u * 3.0)
                box = stand.unit_box(device.u, device.height_u).adjusted(6, gap, -6, -gap)
                blocks.setdefault(TINTS[device.tint], []).append(box)
            else:
                _device(p, stand, device, state, ink)
    p.setPen(Qt.PenStyle.NoPen)
    for token, boxes in blocks.items():
        p.setBrush(ink.theme.alpha(token, 0.55))
        p.drawRects(boxes)
    for stand in shown:
        _head(p, stand, state, ink)
        _budgets(p, stand, ink)
    _rings(p, shown, elevation, state, ink)


def _row_head(p: QPainter, row: RoomRow, seen: QRectF, ink: Ink) -> None:
    if not row.stands:
        return
    if (ROW_GAP + ROW_HEAD + HEAD) * ink.scale < 15:
        return
    left = max(row.stands[0].box.left() + GUTTER - 4, seen.left() + 12 / ink.scale)
    room = min(max(row.stands[-1].box.right(), left + RACK_W * 1.5), seen.right()) - left
    px = ink.px(14)
    # Zoomed out there is room for one line only: that of the row, just above its racks.
    y = row.top + px * 0.7 if _named(ink) else row.top + ROW_HEAD + HEAD - 8 - px * 0.8
    used = text.draw_in(p, QRectF(left, y - px, room, 2 * px), (row_title(row.rows),), px, ink["text"], weight=SEMIBOLD)
    count = sum(s.many for s in row.stands)
    note = QCoreApplication.translate("RoomView", "{count} racks").format(count=f"{count:,}")
    kw = sum(r.power_w for s in row.stands for r in s.racks) / 1e3
    rest = f"{note} · {kw:,.1f} kW"
    small = ink.px(12)
    text.draw_in(
        p, QRectF(left + used + 12, y - px, max(0, room - used - 12), 2 * px), (rest, note), small, ink["text.2"]
    )


def _frame(p: QPainter, stand: Stand, state: RoomState, ink: Ink) -> None:
    """Posts and free units."""
    frame = stand.frame
    outer = frame.adjusted(-5, -5, 5, 5)
    if ink.band == FAR:
        edge = {"error": "error", "warning": "warn"}.get(stand.rack.severity, "border.strong")
        p.setPen(make_pen(ink[edge], ink.line(1.0)))
        p.setBrush(ink["sunken"])
        p.drawRect(outer)
        return
    # Plain fills and one outline: a filled, smoothed rounded rectangle of this size costs ten times as much.
    for layer in (2, 1) if stand.many > 1 else ():
        p.setPen(make_pen(ink["border"], ink.line(1.0)))
        p.setBrush(ink["sunken"])
        p.drawRoundedRect(outer.translated(4 * layer, 4 * layer), 4, 4)
    p.fillRect(outer.adjusted(1, 1, -1, -1), ink["panel"])
    p.fillRect(frame, ink["sunken"])
    p.setPen(make_pen(ink["border.strong"], ink.line(1.0)))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawRoundedRect(outer, 4, 4)
    units, height = stand.rack.units, frame.height() / max(1, stand.rack.units)
    if height * ink.scale >= 5:
        p.setPen(make_pen(ink["border"], ink.line(0.6)))
        lines = [frame.bottom() - n * height for n in range(1, units)]
        p.drawLines([QLineF(frame.left(), y, frame.right(), y) for y in lines])
    px = ink.px(11)
    step = next((n for n in (1, 2, 5, 10) if n * height >= px * 1.6), 20)
    if px <= 26:
        free = 1 + px * 1.2 / height  # the number beside unit 1 keeps its place
        for u in [1, *(n for n in range(step, units + 1, step) if n >= free)]:
            y = frame.bottom() - (u - 0.5) * height
            text.draw_in(
                p, QRectF(frame.left() - 60, y - px, 50, 2 * px), (str(u),), px, ink["text.3"], align=text.RIGHT
            )


def _named(ink: Ink) -> bool:
    """Whether racks are called by their names at this zoom."""
    return (ROW_HEAD + HEAD) * ink.scale >= 28


def _head(p: QPainter, stand: Stand, state: RoomState, ink: Ink) -> None:
    frame = stand.frame
    px = ink.px(13)
    if not _named(ink):
        return
    severity = stand.rack.severity or state.sign(stand.rack.racks, stand.rack.index)
    sign = 17 / max(ink.scale, 0.75) if severity in ("error", "warning") else 0.0
    y = frame.top() - 9 - px * 1.5
    right = frame.right() + 4
    if stand.many > 1:
        label = f"× {stand.many:,}"
        width = text.width(label, ink.px(12), SEMIBOLD) + 18 * ink.px(12) / 12
        pill(p, QPointF(right - width / 2, y + px * 0.75), label, ink)
        right -= width + 4
    if sign:
        right -= sign + 2
        paint_state(p, severity, QRectF(right, y + px * 0.75 - sign / 2, sign, sign), filled=severity == "error")
        right -= 4
    box = QRectF(frame.left() - 4, y, max(10.0, right - frame.left() + 4), px * 1.5)
    text.draw_in(p, box, rack_title(stand.racks), px, ink["text"], weight=SEMIBOLD)


def _device(p: QPainter, stand: Stand, device: Device, state: RoomState, ink: Ink) -> None:
    box = stand.unit_box(device.u, device.height_u).adjusted(2, 0.9, -2, -0.9)
    outline = "border.strong" if state.hovered == (device.item, device.member) or device.by_hand else "border"
    p.setPen(make_pen(ink[outline], ink.line(1.0), (3, 2) if device.by_hand else ()))
    p.setBrush(ink["raised"])
    p.drawRoundedRect(box, 2.5, 2.5)
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(ink[TINTS[device.tint]])
    p.drawRoundedRect(QRectF(box.left() + 1.4, box.top() + 1.4, 4.2, box.height() - 2.8), 1.6, 1.6)
    px = ink.px(12 if device.height_u > 1 else 11)
    if box.height() < px * 0.92 or px > 34:
        return
    line = QRectF(box.left() + 12, box.top(), box.width() - 18, box.height())
    severity = state.sign(device.item, device.member)
    if severity in ("error", "warning"):
        side = min(13.0, box.height() - 1)
        paint_state(p, severity, QRectF(line.right() - side, box.center().y() - side / 2, side, side))
        line.setRight(line.right() - side - 4)
    used = text.draw_in(p, line, (device.label,), px, ink["text"], weight=MEDIUM)
    if ink.band == NEAR and device.power_w:
        rest = QRectF(line.left() + used + 10, line.top(), max(0.0, line.width() - used - 10), line.height())
        figure = text.fits((device_power(device),), rest.width(), ink.px(11))
        text.draw_in(p, rest, (figure,), ink.px(11), ink["text.3"], align=text.RIGHT)


def _budgets(p: QPainter, stand: Stand, ink: Ink) -> None:
    frame = stand.frame
    y = frame.bottom() + 11
    with_text = ink.band == NEAR
    for budget in stand.rack.budgets:
        colour = ink[VERDICTS[budget.severity]]
        if with_text:
            px = ink.px(11)
            line = QRectF(frame.left(), y, frame.width(), px * 1.25)
            name = budget_name(budget.what)
            label = text.draw_in(p, line, (name,), px, ink["text.2"])
            line.setLeft(line.left() + label + 6)
            shown = colour if budget.severity else ink["text"]
            text.draw_in(p, line, budget_figure(budget), px, shown, weight=MEDIUM, align=text.RIGHT)
        lift = ink.px(11) * 1.25 + 2.5 if with_text else 8
        track = QRectF(frame.left(), y + lift, frame.width(), 5 if with_text else 11)
        bar(p, track, budget.fraction, _colour(budget, ink), ink)
        y += FOOT_LINE


def _colour(budget: Budget, ink: Ink) -> QColor:
    return ink["border.strong" if not budget.limit else VERDICTS[budget.severity]]


def _rings(p: QPainter, shown: list[Stand], elevation: Elevation, state: RoomState, ink: Ink) -> None:
    """What is picked, and where a dragged thing would go; above everything else."""
    p.setBrush(Qt.BrushStyle.NoBrush)
    for stand in shown:
        if state.chosen_racks and any((r.racks, r.index) in state.chosen_racks for r in stand.racks):
            p.setPen(make_pen(ink["accent"], ink.line(2.0)))
            p.drawRoundedRect(stand.frame.adjusted(-8, -8, 8, 8), 8, 8)
        if state.chosen is not None:
            for device in elevation.devices(stand.rack):
                if (device.item, device.member) == state.chosen:
                    p.setPen(make_pen(ink["accent"], ink.line(2.0)))
                    p.drawRoundedRect(stand.unit_box(device.u, device.height_u).adjusted(-1, -1, 1, 1), 4, 4)
    if state.target is not None:
        stand, u, height, fits = state.target
        box = stand.unit_box(u, height)
        p.setPen(make_pen(ink["ok" if fits else "error"], ink.line(2.0), () if fits else (4, 3)))
        p.setBrush(ink.theme.alpha("ok.soft" if fits else "error.soft", 0.8))
        p.drawRoundedRect(box, 4, 4)
