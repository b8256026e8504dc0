"""A device on its way to another place in the racks: where it would go, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from fabricwright.design.rack_places import RackRoom
from fabricwright.exchange.elevation import Device, Elevation, Rack
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.icons import paint_state
from fabricwright.ui.paint import text
from fabricwright.ui.paint.primitives import Ink, shell
from fabricwright.ui.racks.room import Stand
from fabricwright.ui.theme import MEDIUM, make_pen
from fabricwright.units.text import Message, msg

if TYPE_CHECKING:
    from fabricwright.ui.racks.room_view import RoomView


def objection(
    context: UiContext, rooms: dict[str, RackRoom], device: Device, home: str, racks: str, index: int, u: int
) -> Message | None:
    """Why a device cannot stand there; None when it can. ``home`` racks it stands in now."""
    root = context.design_row.root
    row = context.design_row.sheets[root].items[device.item]
    if racks != home and row.count > 1:
        return msg(
            "The members of '{item}' stand in '{racks}'. Detach this one from its group to move it into '{other}'.",
            item=device.item,
            racks=home,
            other=racks,
        )
    if racks not in rooms:
        rooms[racks] = RackRoom(context.project, context.design, root, racks)
    return rooms[racks].objection(index, u, device.height_u, but=(device.item, device.member))


def nearest_free(
    context: UiContext, elevation: Elevation, device: Device, rack: Rack, across: int, up: int
) -> tuple[str, int, int] | None:
    """The next place in a direction where a device can stand: (racks, rack, unit). When there is none, says why."""
    rooms: dict[str, RackRoom] = {}
    first: Message | None = None
    if up:
        places = [(rack, u) for u in range(device.u + up, rack.units + 1 if up > 0 else 0, up)]
    else:
        row = elevation.rows()[rack.row]
        at = next(n for n, r in enumerate(row) if (r.racks, r.index) == (rack.racks, rack.index))
        beside = row[at + 1 :] if across > 0 else row[:at][::-1]
        places = [(r, device.u) for r in beside]
    for there, u in places:
        said = objection(context, rooms, device, rack.racks, there.racks, there.index, u)
        if said is None:
            return there.racks, there.index, u
        first = first or said
    context.say(first or msg("There is no rack on that side."), "warning")
    return None


class DeviceMove:
    """One drag. ``to`` follows the pointer, ``drop`` posts the edit or says why not."""

    def __init__(self, view: RoomView, device: Device, stand: Stand, start: QPointF) -> None:
        self._view = view
        self._device = device
        self._home = stand.rack
        self._grab = stand.unit_at(start.y()) - device.u
        self._rooms: dict[str, RackRoom] = {}
        self._at = QPointF()
        self._said: Message | None = None
        self._where = ""
        self.place: tuple[str, int, int] | None = None

    def to(self, at: QPointF) -> None:
        """The pointer is at a place of the viewport."""
        view = self._view
        self._at = at
        scene = view.to_scene(at)
        stand = view.room.stand_at(scene)
        self.place, self._said, view.state.target = None, None, None
        if stand is None:
            return
        u = min(max(1, stand.unit_at(scene.y()) - self._grab), max(1, stand.rack.units - self._device.height_u + 1))
        rack = stand.rack
        self._said = objection(view.context, self._rooms, self._device, self._home.racks, rack.racks, rack.index, u)
        self.place = (rack.racks, rack.index, u)
        self._where = f"{rack.label} · U{u}"
        view.state.target = (stand, u, self._device.height_u, self._said is None)

    def drop(self) -> None:
        """Post the move: one edit, one entry of the undo history."""
        if self.place is None or self.place == (self._home.racks, self._home.index, self._device.u):
            return
        context = self._view.context
        if self._said is not None:
            context.say(self._said, "error")
            return
        racks, index, u = self.place
        context.edit(
            "seat_member",
            sheet=context.design_row.root,
            item=self._device.item,
            member=self._device.member,
            racks=racks,
            rack=index,
            u=u,
        )

    def paint(self, p: QPainter, ink: Ink, seen: QRectF) -> None:
        """The ghost at the pointer and, beside it, the place or the reason."""
        width = 150.0
        ghost = QRectF(self._at.x() - 20, self._at.y() - 11, width, 22)
        p.setOpacity(0.96)
        p.setPen(make_pen(ink["border.strong"], 1.0))
        p.setBrush(ink["raised"])
        p.drawRoundedRect(ghost, 3, 3)
        p.setOpacity(1.0)
        text.draw_in(p, ghost.adjusted(8, 0, -8, 0), (self._device.label,), 12, ink["text"], weight=MEDIUM)
        if self.place is None:
            return
        fits = self._said is None
        told = text_of(self._said) if self._said is not None else self._where
        lines = _wrapped(told, 300)
        wide = max(text.width(line, 12) for line in lines) + 44
        box = QRectF(ghost.left(), ghost.bottom() + 8, wide, 14 + 17 * len(lines))
        box.moveRight(min(box.right(), seen.right() - 8))
        if box.bottom() > seen.bottom() - 8:
            box.moveBottom(ghost.top() - 8)
        shell(p, box, ink, outline="border", radius=8)
        paint_state(p, "ok" if fits else "error", QRectF(box.left() + 10, box.top() + 8, 16, 16))
        for n, line in enumerate(lines):
            place = QRectF(box.left() + 34, box.top() + 7 + 17 * n, wide - 40, 17)
            text.draw_in(p, place, (line,), 12, ink["text"])
        p.setPen(Qt.PenStyle.NoPen)


def _wrapped(told: str, room: float) -> list[str]:
    """Lines of at most ``room`` px; text without spaces (Chinese) breaks anywhere."""
    lines = [""]
    for piece in told.split(" ") if told.isascii() else list(told):
        glue = " " if lines[-1] and told.isascii() else ""
        if lines[-1] and text.width(lines[-1] + glue + piece, 12) > room:
            lines.append(piece)
        else:
            lines[-1] += glue + piece
    return lines
