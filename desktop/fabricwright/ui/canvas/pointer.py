"""The pointer tool: decides what a press means, runs the gesture, answers keys, takes drops from the palette."""

from __future__ import annotations

from PySide6.QtCore import QObject as _QObject
from PySide6.QtCore import QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from fabricwright.design.indexset import IndexSet
from fabricwright.ui.canvas.camera import CAMERA_MS
from fabricwright.ui.canvas.gestures import BandGesture, Gesture, LinkGesture, MoveGesture, PlaceGesture
from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.paint.lines import tie_box
from fabricwright.ui.paint.pick import Hit, hit
from fabricwright.ui.paint.primitives import NEAR, Ink
from fabricwright.ui.paint.scene import Style
from fabricwright.ui.theme import theme
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

PART_MIME = "application/x-fabricwright-part"
REACH_PX = 7.0
NUDGE = 10.0
ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class PointerTool(_QObject):
    """Select, move, link and place. ``mode`` select or link; ``mode_changed`` tells the tool bar; ``rename_asked``
    (row id)."""

    mode_changed = Signal(str)
    rename_asked = Signal(str)

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self.view = view
        self.context = view.context
        self.mode = "select"
        self.gesture: Gesture | None = None
        self._pressed: tuple[QPointF, QPointF, Hit, Qt.KeyboardModifier] | None = None
        self._deselect: str | None = None
        self._last = QPointF()
        view.tool = self
        self.context.document.cancel_gesture = self.cancel
        self.context.place_part.connect(self.start_place)

    # -- asked by the view and the window ---------------------------------------------------------------------------

    @property
    def reach(self) -> float:
        """How near counts as on it, in scene units."""
        return REACH_PX / self.view.zoom

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way."""
        return self.gesture is not None

    @property
    def cursor(self) -> Qt.CursorShape:
        """Pointer shape."""
        if isinstance(self.gesture, PlaceGesture):
            return Qt.CursorShape.ClosedHandCursor
        return Qt.CursorShape.CrossCursor if self.mode == "link" else Qt.CursorShape.ArrowCursor

    def set_mode(self, mode: str) -> None:
        """``select`` or ``link``."""
        if mode != self.mode:
            self.cancel()
            self.mode = mode
            self.view.state.show_ports = mode == "link"
            self.view.viewport().setCursor(self.cursor)
            self.view.refresh()
            self.mode_changed.emit(mode)

    def cancel(self) -> bool:
        """End the gesture without an edit. True when there was one."""
        self._pressed = None
        if self.gesture is None:
            return False
        self.gesture.clear()
        self.gesture = None
        self.view.viewport().setCursor(self.cursor)
        self.view.refresh()
        return True

    def escape(self) -> None:
        """Esc: the gesture, then the mode, then the selection."""
        if self.cancel():
            return
        if self.mode != "select":
            self.set_mode("select")
        else:
            self.context.document.select(())

    def is_row(self, row_id: str) -> bool:
        """Whether an id is something that can be selected."""
        eff = self.context.eff
        return (
            row_id in eff.items
            or row_id in eff.links
            or row_id in eff.builtin_links
            or row_id in eff.slots
            or row_id in self.context.sheet_row.notes
        )

    def start_place(self, part_id: str) -> None:
        """Hang a part on the pointer until Esc."""
        self.cancel()
        try:
            self.gesture = PlaceGesture(self, part_id, repeat=True)
        except UserError as error:
            self.context.say(error.message, "error")
            return
        self.view.setFocus()
        where = self.view.mapToScene(self.view.viewport().mapFromGlobal(self.view.cursor().pos()))
        inside = self.view.viewport().rect().contains(self.view.mapFromScene(where))
        self.gesture.move(where if inside else self.view.centre(), Qt.KeyboardModifier.NoModifier)
        self.view.viewport().setCursor(self.cursor)
        self.view.refresh()

    # -- mouse ------------------------------------------------------------------------------------------------------

    def press(self, where: QPointF, event: QMouseEvent) -> None:
        """Left button down."""
        if self.gesture is not None:  # a part or the end of a link hangs on the pointer: letting go drops it
            return
        found = hit(self.view.state.scene, where.x(), where.y(), self.reach)
        self._pressed = (where, event.position(), found, event.modifiers())
        self._deselect = None
        if self.mode == "link" and found.card is not None and not self._is_frame(found.card):
            self.gesture = LinkGesture(self, found.card, found.mark, where)
            return
        if found.mark is None:
            self._select_press(found, where, event.modifiers())

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
        document.select([row], {row: members} if members else None, add=add and row not in document.selection)

    def _row_of(self, found: Hit, where: QPointF) -> tuple[str | None, IndexSet | None]:
        scene = self.view.state.scene
        if found.card is not None and not self._is_frame(found.card):
            card = scene.card(found.card)
            return card.id, card.members
        if found.edge is not None:
            return scene.edges.links[int(scene.edges.link[found.edge])], None
        ink = Ink.at(theme(), self.view.zoom)
        if ink.band == NEAR:
            for tie in scene.ties:
                if tie_box(tie, ink).contains(where):
                    return tie.link, None
        return None, None

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
        if found.mark is not None and found.card is not None:
            self.gesture = LinkGesture(self, found.card, found.mark, start)
            return
        row, _members = self._row_of(found, start)
        if row is None or found.card is None:
            add = bool(mods & Qt.KeyboardModifier.ShiftModifier)
            self.gesture = BandGesture(self, start, add) if row is None else None
            if row is not None:
                self._pressed = None
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
        ids = [i for i in self.context.document.selection if self._movable(i)]
        self.gesture = MoveGesture(self, start, ids) if ids else None
        if self.gesture is None:
            self._pressed = None

    def _movable(self, row: str) -> bool:
        if row in self.context.sheet_row.notes:
            return True
        item = self.context.eff.items.get(row)
        return item is not None and not item.locked and not item.seat

    def _loose(self, row: str) -> bool:
        """On a server sheet: no slot and no cable, so that its place is where it was put."""
        return all(
            row not in (link.a.partition(":")[0], link.b.partition(":")[0]) for link in self.context.eff.links.values()
        )

    def _hover(self, where: QPointF) -> None:
        state = self.view.state
        found = hit(state.scene, where.x(), where.y(), self.reach)
        card = found.card if found.card is not None and not self._is_frame(found.card) else None
        mark = (found.card, found.mark) if found.mark is not None and found.card is not None else None
        if (card, mark, found.edge) != (state.hover, state.hover_mark, state.hover_edge):
            state.hover, state.hover_mark, state.hover_edge = card, mark, found.edge
            cross = mark is not None or self.mode == "link"
            self.view.viewport().setCursor(Qt.CursorShape.CrossCursor if cross else self.cursor)
            self.view.live.update()

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
        elif found.mark is not None:
            document.select([row], {row: members} if members else None, add=add)
        elif self._deselect == row:
            if add:
                document.select([row], add=True)
            elif document.selection != (row,):
                document.select([row], {row: members} if members else None)

    def double(self, where: QPointF, event: QMouseEvent) -> None:
        """Enter a server; on anything else, rename it."""
        self._pressed = None
        found = hit(self.view.state.scene, where.x(), where.y(), self.reach, ports=False)
        if found.card is None or self._is_frame(found.card):
            return
        card = self.view.state.scene.card(found.card)
        if not self.enter(card.id, card.members):
            self.rename_asked.emit(card.id)

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
            self.view.look_at(QPointF(box[0] + box[2] / 2, box[1] + box[3] / 2), self.view.zoom * 1.6, animate=True)
            QTimer.singleShot(CAMERA_MS, self, lambda: self.context.open_sheet(sheet, row))
        else:
            self.context.open_sheet(sheet, row)
        return True

    def leave(self) -> None:
        """The pointer left the view."""
        state = self.view.state
        if state.hover is not None or state.hover_edge is not None or state.hover_mark is not None:
            state.hover = state.hover_edge = state.hover_mark = None
            self.view.live.update()

    # -- keys -------------------------------------------------------------------------------------------------------

    def key(self, event: QKeyEvent) -> bool:
        """Arrows nudge the selection or pan; Alt shows that a forced drop is meant."""
        step = ARROWS.get(Qt.Key(event.key()))
        if (
            step is not None
            and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
            and not event.modifiers() & Qt.KeyboardModifier.AltModifier
        ):
            far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            if not self.nudge(step[0] * NUDGE * far, step[1] * NUDGE * far):
                self.view.pan_by(-step[0] * 60, -step[1] * 60)
            return True
        return False

    def key_up(self, event: QKeyEvent) -> None:
        """Nothing yet."""

    def nudge(self, dx: float, dy: float) -> bool:
        """Move the selected items; typing the arrow again grows the same undo entry."""
        scene = self.view.source.scene
        ids = [i for i in self.context.document.selection if self._movable(i) and i in scene.by_id]
        if not ids:
            return False
        places = {}
        for row in ids:
            mine = scene.by_id[row]
            places[row] = [min(float(scene.x[i]) for i in mine) + dx, min(float(scene.y[i]) for i in mine) + dy]
        self.context.edit("move", places=places, merge=True)
        return True

    def next_part(self, step: int) -> None:
        """Tab: the next card in reading order; while a part is held, the next slot that takes it."""
        if isinstance(self.gesture, PlaceGesture):
            spot = self.gesture.next_slot(step)
            if spot is not None:
                self._last = spot
                self.gesture.move(spot, Qt.KeyboardModifier.NoModifier)
                self.view.refresh()
            return
        scene = self.view.source.scene
        order = sorted(
            (i for i in range(len(scene)) if scene.style[i] not in (Style.FRAME, Style.BRACKET)),
            key=lambda i: (round(float(scene.y[i]) / 40), float(scene.x[i])),
        )
        if not order:
            return
        document = self.context.document
        row = document.selection[-1] if document.selection else None
        members = document.members.get(row) if row else None
        here = next(
            (
                n
                for n, i in enumerate(order)
                if scene.card(i).id == row and (members is None or scene.card(i).members == members)
            ),
            -1 if step > 0 else 0,
        )
        card = scene.card(order[(here + step) % len(order)])
        document.select([card.id], {card.id: card.members} if card.members else None)

    def accept(self) -> bool:
        """Enter: drops the part that is held. False when none is."""
        gesture = self.gesture
        if not isinstance(gesture, PlaceGesture):
            return False
        self.gesture = None
        gesture.drop(self._last, force=False)
        self.view.viewport().setCursor(self.cursor)
        self.view.refresh()
        return True

    # -- from the palette -------------------------------------------------------------------------------------------

    def drag_enter(self, event: QDragEnterEvent, where: QPointF) -> bool:
        """A part from the palette comes over the sheet."""
        data = event.mimeData()
        if not data.hasFormat(PART_MIME):
            return False
        part_id = bytes(data.data(PART_MIME).data()).decode("utf-8", "replace")
        self.cancel()
        try:
            self.gesture = PlaceGesture(self, part_id)
        except UserError as error:
            self.context.say(error.message, "error")
            return False
        event.acceptProposedAction()
        self.gesture.move(where, event.modifiers())
        self.view.refresh()
        return True

    def drag_move(self, event: QDragMoveEvent, where: QPointF) -> None:
        """It moves."""
        if self.gesture is not None:
            self.gesture.move(where, event.modifiers())
            event.acceptProposedAction()
            self.view.refresh()

    def drag_leave(self) -> None:
        """It leaves."""
        self.cancel()

    def drop(self, event: QDropEvent, where: QPointF) -> None:
        """It is let go."""
        gesture, self.gesture = self.gesture, None
        if isinstance(gesture, PlaceGesture):
            placed = gesture.drop(where, force=bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
            if placed:
                event.acceptProposedAction()
            self.view.setFocus()
        self.view.viewport().setCursor(self.cursor)
        self.view.refresh()
