"""A reusable block hangs on the pointer, as an outline, until it is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from fabricwright.ui import blocks
from fabricwright.ui.canvas.gestures import Gesture, Mods
from fabricwright.ui.paint.pick import snap
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.canvas.key_tool import KeyTool


class BlockGesture(Gesture):
    """``name`` of a block of the user. Raises UserError when it cannot be read or has no place on the sheet."""

    def __init__(self, tool: KeyTool, name: str) -> None:
        super().__init__(tool)
        self.block = blocks.block_of(name)
        if self.block["clip"].get("kind") == "server" and self.context.sheet_row.kind == "fabric":
            raise UserError(msg("These are cards of a server; open a server's sheet to put them in."))
        self.size = blocks.size_of(self.block)

    def move(self, where: QPointF, mods: Mods) -> None:
        w, h = self.size
        x, y = snap(where.x() - w / 2), snap(where.y() - h / 2)
        self.state.band = (x, y, x + w, y + h)

    def release(self, where: QPointF, mods: Mods) -> None:
        self.drop(where, force=False)

    def drop(self, where: QPointF, *, force: bool) -> bool:
        """Let go. True when it was put on the sheet."""
        del force
        w, h = self.size
        self.clear()
        at = (snap(where.x() - w / 2), snap(where.y() - h / 2))
        return blocks.insert(self.context, self.block, at, self.tool.view.window())
