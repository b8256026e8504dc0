"""The pointer tool: decides what a press means and runs the gesture."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from fabricwright.design.indexset import IndexSet
from fabricwright.ui.canvas.bend_gesture import BendGesture, bendable, is_level, may_bend, piece_at
from fabricwright.ui.canvas.cable_gesture import CableGesture
from fabricwright.ui.canvas.cable_lines import END_PX, cable_end_at, choose_cable
from fabricwright.ui.canvas.camera import CAMERA_MS
from fabricwright.ui.canvas.gestures import BandGesture, LinkGesture, MoveGesture, PlaceGesture
from fabricwright.ui.canvas.key_tool import PART_MIME, KeyTool
from fabricwright.ui.canvas.resize_gesture import ResizeGesture, corner_at, cursor_of
from fabricwright.ui.canvas.selected import is_locked, movable, picked_with, with_framed
from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.paint.lines import tie_box
from fabricwright.ui.paint.pick import Hit, hit
from fabricwright.ui.paint.pills import pill_box
from fabricwright.ui.paint.primitives import NEAR, Ink
from fabricwright.ui.paint.scene import Style
from fabricwright.ui.theme import theme
from fabricwright.units.text import msg

__all__ = ["PART_MIME", "PointerTool"]


class PointerTool(KeyTool):
    """Select, move, link and place with the mouse."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        view.tool = self

    # -- mouse ------------------------------------------------------------------------------------------------------

    def press(self, where: QPointF, event: QMouseEvent) -> None:
        """Left button down."""
        if self.gesture is not None:  # a part or the end of a link hangs on the pointer: letting go drops it
            return
        corner = corner_at(self.context, self.view.state.scene, where, self.view.zoom)
        if corner is not None and self.mode == "select":
            self.gesture = ResizeGesture(self, *corner)
            return
        found = hit(self.view.state.scene, where.x(), where.y(), self.reach)
        self._pressed = (where, event.position(), found, event.modifiers())
        self._deselect = self._toggle = None
        self._alone = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        self._cable = cable_end_at(self.context, self.view.state.scene, where, self._end_reach) if self._picks else None
        if self._cable is not None:
            self._pressed = (where, event.position(), Hit(edge=self._cable[0]), event.modifiers())
            self._deselect = self.context.document.selection[0]
            return
        if self.mode == "link" and found.card is not None and not self._is_frame(found.card):
            self.gesture = LinkGesture(self, found.card, found.mark, where)
            return
        if found.mark is None:
            self._select_press(found, where, event.modifiers())

    @property
    def _picks(self) -> bool:
        return self.mode == "select" and self.view.zoom > 0 and Ink.at(theme(), self.view.zoom).band == NEAR

    @property
    def _end_reach(self) -> float:
        return END_PX / self.view.zoom

    def _is_frame(self, index: int) -> bool:
        scene = self.view.state.scene
        return scene.style[index] == Style.FRAME and not self.is_row(scene.card(index).id)

    def _select_press(self, found: Hit, where: QPointF, mods: Qt.KeyboardModifier) -> None:
        """A press selects at once, so that a drag moves what was pressed; a press on the selection keeps it for the
        drag."""
        document = self.context.document
        add = bool(mods & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
        row, members = self._row_of(found, where)
        if row is None:
            return
        if row in document.selection and (not members or document.members.get(row) == members):
            self._deselect = row
            return
        if mods & Qt.KeyboardModifier.ControlModifier:
            self._toggle = (row, members)  # a click adds it to the selection, a drag copies it alone
            return
        self._pick(row, members, add=add and row not in document.selection)

    def _pick(self, row: str, members: IndexSet | None, *, add: bool) -> None:
        """Select a row, and all that is grouped with it; Alt means the row alone."""
        document = self.context.document
        rows = [row] if self._alone else picked_with(self.context, row)
        if add:
            rows = [i for i in rows if i not in document.selection]
        if len(rows) == 1:
            document.select(rows, {row: members} if members else None, add=add)
        else:
            document.select(rows, add=add)

    def _row_of(self, found: Hit, where: QPointF) -> tuple[str | None, IndexSet | None]:
        scene = self.view.state.scene
        if found.card is not None and not self._is_frame(found.card):
            card = scene.card(found.card)
            if card.id in self.context.sheet_row.frames and not self._on_edge(found.card, where):
                return None, None  # a band may begin inside a frame
            return card.id, card.members
        if found.edge is not None:
            return scene.edges.links[int(scene.edges.link[found.edge])], None
        ink = Ink.at(theme(), self.view.zoom)
        if ink.band == NEAR:
            for tie in scene.ties:
                if tie_box(tie, ink).contains(where):
                    return tie.link, None
        return None, None

    def on_count(self, found: Hit, where: QPointF) -> bool:
        """Whether a point is on the count of a group."""
        scene = self.view.state.scene
        if found.card is None or self.context.sheet_row.kind != "fabric":
            return False
        card = scene.card(found.card)
        if card.id not in self.context.sheet_row.items:
            return False
        x, y, w, h = scene.box(found.card)
        box = pill_box(card, w, h, Ink.at(theme(), self.view.zoom))
        return box is not None and box.translated(x, y).contains(where)

    def _on_edge(self, index: int, where: QPointF) -> bool:
        """Whether a point is on the outline or the caption of a frame."""
        x, y, w, h = self.view.state.scene.box(index)
        reach = max(self.reach, 4.0)
        inside = x + reach < where.x() < x + w - reach and y + reach < where.y() < y + h - 30
        return not inside

    def move(self, where: QPointF, event: QMouseEvent) -> None:
        """Pointer moved, button down or not."""
        self._last = where
        if self.gesture is None and self._pressed is not None:
            start, start_px, found, mods = self._pressed
            if (event.position() - start_px).manhattanLength() >= QApplication.startDragDistance():
                self._begin(start, found, mods)
        if self.gesture is not None:
            self.gesture.move(where, event.modifiers())
            self.view.refresh()
        elif self._pressed is None:
            self._hover(where)

    def _begin(self, start: QPointF, found: Hit, mods: Qt.KeyboardModifier) -> None:
        """The drag threshold was passed: what kind of drag is it?"""
        if self._cable is not None:
            self.gesture = CableGesture(self, *self._cable)
            return
        if found.mark is not None and found.card is not None:
            self.gesture = LinkGesture(self, found.card, found.mark, start)
            return
        if self._toggle is not None:
            self._pick(*self._toggle, add=False)
            self._toggle = None
        row, _members = self._row_of(found, start)
        if row is None or found.card is None:
            add = bool(mods & Qt.KeyboardModifier.ShiftModifier)
            if row is None:
                self.gesture = BandGesture(self, start, add)
            else:
                self._begin_bend(row, found, start)
            return
        eff = self.context.eff
        item = eff.items.get(row)
        server = self.context.sheet_row.kind == "server"
        if item is not None and server and (item.locked or item.kind == "cpu"):
            self.context.say(msg("{item} is built into the chassis.", item=row), "info")
            self._pressed = None
            return
        if item is not None and server and (item.seat or not self._loose(row)):
            self.gesture = PlaceGesture(self, item.of, item=row)
            return
        chosen = self.context.document.selection
        ids = [i for i in with_framed(self.context, chosen) if movable(self.context, i)]
        self.gesture = MoveGesture(self, start, ids) if ids else None
        if self.gesture is None:
            if is_locked(self.context, row):
                self.context.say(msg("{item} is locked in place.", item=row), "info")
            self._pressed = None

    def _begin_bend(self, link: str, found: Hit, start: QPointF) -> None:
        """A line is dragged: bend it, or say why it cannot be bent."""
        edges = self.view.state.scene.edges
        stored = link in self.context.sheet_row.links
        if found.edge is not None and stored and may_bend(edges, found.edge, start):
            self.gesture = BendGesture(self, start, found.edge)
            return
        if found.edge is not None and stored and bendable(edges, found.edge) is not None:
            self.context.say(msg("The lines of a bundle can be moved where they run level between two tiers."), "info")
        elif found.edge is not None:
            self.context.say(msg("The course of this line follows from the layout."), "info")
        self._pressed = None

    def _loose(self, row: str) -> bool:
        """On a server sheet: no slot and no cable, so that its place is where it was put."""
        return all(
            row not in (link.a.partition(":")[0], link.b.partition(":")[0]) for link in self.context.eff.links.values()
        )

    def _hover(self, where: QPointF) -> None:
        state = self.view.state
        corner = corner_at(self.context, state.scene, where, self.view.zoom) if self.mode == "select" else None
        if corner is not None:
            self.view.viewport().setCursor(cursor_of(corner[1]))
            return
        end = cable_end_at(self.context, state.scene, where, self._end_reach) if self._picks else None
        if end != state.hover_end:
            state.hover_end = end
            self.view.live.update()
        if end is not None:
            state.hover, state.hover_mark, state.hover_edge = None, None, end[0]
            self.view.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
            return
        found = hit(state.scene, where.x(), where.y(), self.reach)
        card = found.card if found.card is not None and not self._is_frame(found.card) else None
        mark = (found.card, found.mark) if found.mark is not None and found.card is not None else None
        if (card, mark, found.edge) != (state.hover, state.hover_mark, state.hover_edge):
            state.hover, state.hover_mark, state.hover_edge = card, mark, found.edge
            cross = mark is not None or self.mode == "link"
            self.view.viewport().setCursor(Qt.CursorShape.CrossCursor if cross else self._line_cursor(where))
            self.view.live.update()
        elif card is not None and mark is None and self.mode == "select":
            on_count = self.on_count(found, where)
            self.view.viewport().setCursor(Qt.CursorShape.PointingHandCursor if on_count else self.cursor)

    def _line_cursor(self, where: QPointF) -> Qt.CursorShape:
        """Over a selected line that may be bent: the way in which the piece under the pointer can be dragged."""
        state = self.view.state
        edges = state.scene.edges
        if state.hover_edge is None or not may_bend(edges, state.hover_edge, where):
            return self.cursor
        link = edges.links[int(edges.link[state.hover_edge])]
        if link not in self.context.document.selection or link not in self.context.sheet_row.links:
            return self.cursor
        course = edges.polyline(state.hover_edge)
        level = is_level(course, piece_at(course, where))
        return Qt.CursorShape.SizeVerCursor if level else Qt.CursorShape.SizeHorCursor

    def release(self, where: QPointF, event: QMouseEvent) -> None:
        """Left button up."""
        pressed, self._pressed = self._pressed, None
        gesture = self.gesture
        if gesture is not None:
            if isinstance(gesture, LinkGesture) and self.mode == "link" and pressed is not None:
                _start, start_px, _found, _mods = pressed
                if (event.position() - start_px).manhattanLength() < QApplication.startDragDistance():
                    self.context.say(msg("Click where the link ends; Esc cancels."))
                    return
            keep = isinstance(gesture, PlaceGesture) and gesture.repeat
            self.gesture = None
            gesture.release(where, event.modifiers())
            if (
                keep
                and isinstance(gesture, PlaceGesture)
                and self.gesture is None
                and self.context.sheet_row.kind == self.view.state.scene.kind
            ):
                self.gesture = PlaceGesture(self, gesture.part_id, repeat=True)
                self.gesture.move(where, Qt.KeyboardModifier.NoModifier)
            self.view.viewport().setCursor(self.cursor)
            self.view.refresh()
            return
        if pressed is None:
            return
        _start, _px, found, mods = pressed
        row, members = self._row_of(found, where)
        document = self.context.document
        add = bool(mods & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
        if row is None:
            if not add:
                document.select(())
        elif not add and found.card is not None and self.on_count(found, where):
            self._pick(row, members, add=False)
            self.size_asked.emit(row, found.card)
        elif found.mark is not None:
            document.select([row], {row: members} if members else None, add=add)
        elif self._toggle is not None:
            self._pick(*self._toggle, add=True)
        elif self._deselect == row and found.edge is not None and not add and self._one_cable(found.edge):
            pass
        elif self._deselect == row:
            rows = [row] if self._alone else picked_with(self.context, row)
            if add:
                document.select([i for i in rows if i in document.selection], add=True)
            elif sorted(document.selection) != sorted(rows):
                self._pick(row, members, add=False)

    def _one_cable(self, edge: int) -> bool:
        scene = self.view.state.scene
        return self._picks and scene.kind == "fabric" and choose_cable(self.context, scene, edge)

    def double(self, where: QPointF, event: QMouseEvent) -> None:
        """Enter a server; on anything else, rename it."""
        self._pressed = None
        found = hit(self.view.state.scene, where.x(), where.y(), self.reach, ports=False)
        if found.card is None or self._is_frame(found.card):
            row, _members = self._row_of(found, where)
            if row is not None and row in self.context.sheet_row.links:
                self.context.document.select([row])
                self.cables_asked.emit(row)
            return
        card = self.view.state.scene.card(found.card)
        if not self.enter(card.id, card.members):
            self.rename_asked.emit(card.id, found.card)

    def enter(self, row: str, members: IndexSet | None = None) -> bool:
        """Open the sheet a fabric item stands for. False when it stands for none."""
        item = self.context.sheet_row.items.get(row)
        if item is None or not item.of or not item.of.startswith("sheet:"):
            return False
        sheet = item.of[6:]
        if members is not None and len(members) == 1:
            only = next(iter(members))
            sheet = next(
                (o.sheet for k, o in item.except_.items() if o.sheet and only in IndexSet.parse(k, item.axes)), sheet
            )
        box = self.view.source.scene.bounds_of([row])
        if box is not None and self.view.isVisible():
            self.view.dive(box)
            QTimer.singleShot(CAMERA_MS, self, lambda: self.context.open_sheet(sheet, row))
        else:
            self.context.open_sheet(sheet, row)
        return True

    def leave(self) -> None:
        """The pointer left the view."""
        state = self.view.state
        if state.hover is not None or state.hover_edge is not None or state.hover_mark is not None:
            state.hover = state.hover_edge = state.hover_mark = state.hover_end = None
            self.view.live.update()
