"""Dragging the end of one cable of a selected bundle to another port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from fabricwright.ui.canvas.cable_lines import shown_cables
from fabricwright.ui.canvas.cable_plan import Plugs, line_of
from fabricwright.ui.canvas.gestures import Gesture
from fabricwright.ui.canvas.state import RubberLink
from fabricwright.ui.paint.pick import hit
from fabricwright.ui.paint.scene import Style
from fabricwright.units.text import Message, msg

if TYPE_CHECKING:
    from fabricwright.ui.canvas.key_tool import KeyTool

Mods = Qt.KeyboardModifier


class CableGesture(Gesture):
    """One end of a cable hangs on the pointer: dropped on another member it is plugged in there."""

    def __init__(self, tool: KeyTool, edge: int, which: int) -> None:
        super().__init__(tool)
        scene, context = self.state.scene, self.context
        self.scene = scene
        edges = scene.edges
        link = edges.links[int(edges.link[edge])]
        line = line_of(scene, edge)
        cables = shown_cables(context, scene, edge)
        assert line is not None and cables
        side = line.side if which == 0 else 1 - line.side
        self.plugs = Plugs(context.project, context.design_row, context.eff, link, cables[0], side)
        course = edges.polyline(edge)
        fixed = course[-1] if which == 0 else course[0]
        self.start = (float(fixed[0]), float(fixed[1]))
        level = abs(float(course[0][1] - course[1][1])) < abs(float(course[0][0] - course[1][0]))
        self.leaves = "r" if level else "t"
        self.target: tuple[int, str] | Message | None = None
        self._known: dict[int, tuple[int, str] | Message] = {}
        if len(cables) == 1:
            self.state.hidden_edges = frozenset((edge,))

    def move(self, where: QPointF, mods: Mods) -> None:
        scene = self.state.scene
        rubber = RubberLink(self.start, self.leaves, (where.x(), where.y()))
        self.target = None
        found = hit(scene, where.x(), where.y(), self.tool.reach)
        if found.card is not None and scene.style[found.card] != Style.FRAME:
            rubber.target = found.card
            if found.card not in self._known:
                card = scene.card(found.card)
                self._known[found.card] = self.plugs.find(card.id, card.members)
            self.target = self._known[found.card]
            lang = self.context.language
            if isinstance(self.target, Message):
                rubber.state, rubber.lines = "error", (self.target.text(lang),)
            else:
                now = self.plugs.text(*self.plugs.now)
                said = msg("Cable {number}: {old} to {new}", number=self.plugs.row, old=now, new=self._text())
                rubber.state, rubber.lines = "ok", (said.text(lang),)
        self.state.link = rubber

    def _text(self) -> str:
        return "" if self.target is None or isinstance(self.target, Message) else self.plugs.text(*self.target)

    def release(self, where: QPointF, mods: Mods) -> None:
        self.move(where, mods)
        target = self.target
        self.clear()
        if isinstance(target, Message):
            self.context.say(target, "warning")
        elif target is not None:
            self.context.edit("move_cable", self.plugs.call_args(*target))
        else:
            self.context.say(msg("Drop the end on the part that it is to be plugged into."), "info")
