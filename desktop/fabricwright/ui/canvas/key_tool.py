"""What the pointer tool does without the mouse: modes, cancelling, keys, and drops from the palette."""

from __future__ import annotations

from PySide6.QtCore import QObject as _QObject
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent, QKeySequence

from fabricwright.design.indexset import IndexSet
from fabricwright.ui.blocks import is_block
from fabricwright.ui.canvas.block_gesture import BlockGesture
from fabricwright.ui.canvas.gestures import Gesture, PlaceGesture
from fabricwright.ui.canvas.selected import movable
from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.paint.pick import Hit
from fabricwright.ui.paint.scene import NOT_ROWS, Style
from fabricwright.ui.picture_commands import insert_file, picture_files
from fabricwright.units.errors import UserError

PART_MIME = "application/x-fabricwright-part"
REACH_PX = 7.0
NUDGE = 10.0


class KeyTool(_QObject):
    """Select, move, link and place. ``mode`` select or link; ``mode_changed`` tells the tool bar; ``rename_asked``
    (row id)."""

    mode_changed = Signal(str)
    rename_asked = Signal(str, int)
    #: The count of a group was clicked: (row, card).
    size_asked = Signal(str, int)
    #: A bundle was opened by a double click: its link.
    cables_asked = Signal(str)
    #: One group was linked to another: (end, end).
    wiring_asked = Signal(str, str)
    #: A link (its end, what was drawn, where) was dropped on nothing.
    link_dropped = Signal(str, object, object)

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self.view = view
        self.context = view.context
        self.mode = "select"
        self.gesture: Gesture | None = None
        self._pressed: tuple[QPointF, QPointF, Hit, Qt.KeyboardModifier] | None = None
        self._deselect: str | None = None
        self._cable: tuple[int, int] | None = None
        self._alone = False
        self._toggle: tuple[str, IndexSet | None] | None = None
        self._last = QPointF()
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
            or row_id in self.context.sheet_row.frames
            or row_id in self.context.sheet_row.pictures
        )

    def start_place(self, part_id: str) -> None:
        """Hang a part on the pointer until Esc."""
        self.cancel()
        try:
            self.gesture = self._held(part_id, repeat=True)
        except UserError as error:
            self.context.say(error.message, "error")
            return
        self.view.setFocus()
        where = self.view.mapToScene(self.view.viewport().mapFromGlobal(self.view.cursor().pos()))
        inside = self.view.viewport().rect().contains(self.view.mapFromScene(where))
        self.gesture.move(where if inside else self.view.centre(), Qt.KeyboardModifier.NoModifier)
        self.view.viewport().setCursor(self.cursor)
        self.view.refresh()

    def _held(self, name: str, *, repeat: bool = False) -> Gesture:
        """What hangs on the pointer: a part, or a block of the user."""
        return BlockGesture(self, name) if is_block(name) else PlaceGesture(self, name, repeat=repeat)

    # -- keys -------------------------------------------------------------------------------------------------------

    def key(self, event: QKeyEvent) -> bool:
        """Keys that are no commands now: Undo and Redo end a gesture though there is nothing to take back yet."""
        stops = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
        if self.busy and any(event.matches(key) for key in stops):
            self.cancel()
            return True
        return False

    def key_up(self, event: QKeyEvent) -> None:
        """Nothing yet."""

    def nudge_or_pan(self, dx: int, dy: int, *, far: bool = False) -> None:
        """An arrow: moves the selection by one step of the grid (``far``: ten), pans where there is none."""
        step = NUDGE * (10 if far else 1)
        if not self.nudge(dx * step, dy * step):
            self.view.pan_by(-dx * 60 * (4 if far else 1), -dy * 60 * (4 if far else 1))

    def nudge(self, dx: float, dy: float) -> bool:
        """Move the selected items; typing the arrow again grows the same undo entry."""
        scene = self.view.source.scene
        ids = [i for i in self.context.document.selection if movable(self.context, i) and i in scene.by_id]
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
            (i for i in range(len(scene)) if scene.style[i] not in (Style.FRAME, *NOT_ROWS)),
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
        if not isinstance(gesture, PlaceGesture | BlockGesture):
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
        if picture_files(data):
            event.acceptProposedAction()
            return True
        if not data.hasFormat(PART_MIME):
            return False
        part_id = bytes(data.data(PART_MIME).data()).decode("utf-8", "replace")
        self.cancel()
        try:
            self.gesture = self._held(part_id)
        except UserError as error:
            self.context.say(error.message, "error")
            return False
        event.acceptProposedAction()
        self.gesture.move(where, event.modifiers())
        self.view.refresh()
        return True

    def drag_move(self, event: QDragMoveEvent, where: QPointF) -> None:
        """It moves."""
        if picture_files(event.mimeData()):
            event.acceptProposedAction()
        if self.gesture is not None:
            self.gesture.move(where, event.modifiers())
            event.acceptProposedAction()
            self.view.refresh()

    def drag_leave(self) -> None:
        """It leaves."""
        self.cancel()

    def drop(self, event: QDropEvent, where: QPointF) -> None:
        """It is let go."""
        files = picture_files(event.mimeData())
        for path in files:
            insert_file(self.context, path, where)
        if files:
            event.acceptProposedAction()
            return
        gesture, self.gesture = self.gesture, None
        if isinstance(gesture, PlaceGesture | BlockGesture):
            placed = gesture.drop(where, force=bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
            if placed:
                event.acceptProposedAction()
            self.view.setFocus()
        self.view.viewport().setCursor(self.cursor)
        self.view.refresh()
