"""Resizing what has a size of its own: pictures and frames, by the corners of their ring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from fabricwright.ui.canvas.gestures import Gesture, Mods
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.pick import snap
from fabricwright.ui.paint.scene import Scene

if TYPE_CHECKING:
    from fabricwright.ui.canvas.key_tool import KeyTool

HANDLE_PX = 9.0
LEAST = 20.0

Corner = tuple[bool, bool]


def sized(context: UiContext, row: str) -> bool:
    """Whether a row has a size that can be changed by hand."""
    sheet = context.sheet_row
    look = sheet.look.get(row)
    if look is not None and look.locked:
        return False
    frame = sheet.frames.get(row)
    return row in sheet.pictures or (frame is not None and not frame.group and len(frame.wh) == 2)


def corner_at(context: UiContext, scene: Scene, where: QPointF, zoom: float) -> tuple[str, Corner] | None:
    """The row whose corner is under the pointer, and which corner (right, lower); only where one thing is selected."""
    if len(context.document.selection) != 1:
        return None
    row = context.document.selection[0]
    cards = scene.by_id.get(row, ())
    if not cards or not sized(context, row):
        return None
    x, y, w, h = scene.box(cards[0])
    reach = HANDLE_PX / zoom
    for right in (False, True):
        for lower in (False, True):
            at = QPointF(x + w * right, y + h * lower)
            if abs(at.x() - where.x()) <= reach and abs(at.y() - where.y()) <= reach:
                return row, (right, lower)
    return None


def cursor_of(corner: Corner) -> Qt.CursorShape:
    """The diagonal of a corner."""
    falling = corner[0] == corner[1]
    return Qt.CursorShape.SizeFDiagCursor if falling else Qt.CursorShape.SizeBDiagCursor


class ResizeGesture(Gesture):
    """A corner follows the pointer. A picture keeps its shape (Shift lets it go); frames are free, Alt off the grid."""

    def __init__(self, tool: KeyTool, row: str, corner: Corner) -> None:
        super().__init__(tool)
        self.row = row
        self.corner = corner
        self.box = self.state.scene.box(self.state.scene.by_id[row][0])
        self.keeps_shape = row in self.context.sheet_row.pictures
        self.result = self.box

    def move(self, where: QPointF, mods: Mods) -> None:
        x, y, w, h = self.box
        right, lower = self.corner
        px, py = where.x(), where.y()
        if not mods & Mods.AltModifier:
            px, py = snap(px), snap(py)
        new_w = max(LEAST, px - x if right else x + w - px)
        new_h = max(LEAST, py - y if lower else y + h - py)
        if self.keeps_shape and not mods & Mods.ShiftModifier and w > 0 and h > 0:
            scale = max(new_w / w, new_h / h, LEAST / min(w, h))
            new_w, new_h = w * scale, h * scale
        left = x if right else x + w - new_w
        top = y if lower else y + h - new_h
        self.result = (left, top, new_w, new_h)
        self.state.band = (left, top, left + new_w, top + new_h)

    def release(self, where: QPointF, mods: Mods) -> None:
        self.clear()
        x, y, w, h = (round(v, 1) for v in self.result)
        if self.result == self.box:
            return
        if self.row in self.context.sheet_row.pictures:
            self.context.edit("set_picture", picture=self.row, xy=[x, y], wh=[w, h])
        else:
            self.context.edit("set_frame", frame=self.row, xy=[x, y], wh=[w, h])
