"""The racks on screen: scrolled, zoomed, picked from, dragged in. It reads the project and posts edits; what stands
where is ``exchange.elevation``.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from fabricwright.exchange.elevation import Device, Elevation, Rack, elevation
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.racks.findings import Findings
from fabricwright.ui.racks.moves import DeviceMove, nearest_free
from fabricwright.ui.racks.painter import RoomState, paint_room
from fabricwright.ui.racks.room import FOLD_ABOVE, Stand, device_at, lay_out, neighbour
from fabricwright.ui.racks.room_camera import RoomCamera
from fabricwright.ui.racks.words import device_tip, rack_tip
from fabricwright.ui.theme import follow_theme, theme

EDGE = 24
EMPTY = Elevation("", (), {}, {})
Key = Qt.Key
ARROWS = {Key.Key_Up: (0, 1), Key.Key_Down: (0, -1), Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0)}


class RoomView(RoomCamera):
    """``picked`` (device or None, rack or None) when a person picks something; ``opened`` (device) on Enter or a double
    click; ``menu_asked`` (global place, device, rack); ``laid_out`` after the racks changed; ``zoom_changed``.
    """

    picked = Signal(object, object)
    opened = Signal(object)
    menu_asked = Signal(QPoint, object, object)
    laid_out = Signal()

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.elevation: Elevation = EMPTY
        self.state = RoomState()
        self.findings = Findings({})
        self.fold: bool | None = None
        self._stale = True
        self._pressed: tuple[QPointF, Device | None, Stand | None] | None = None
        self._move: DeviceMove | None = None
        self._panning: QPointF | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        follow_theme(self._recoloured)

    # -- content ------------------------------------------------------------------------------------------------------

    @property
    def folded(self) -> bool:
        """Whether equal racks are drawn once."""
        return len(self.elevation.racks) > FOLD_ABOVE if self.fold is None else self.fold

    def set_fold(self, fold: bool) -> None:
        """Draw equal racks once, or each."""
        self.fold = fold
        self._fitted = True
        self.lay_out()

    def forget(self) -> None:
        """The project changed: read it anew when it is next asked for."""
        self._stale = True

    def refresh(self) -> None:
        """Read the racks, place them, keep what is picked."""
        if not self._stale:
            return
        self._stale = False
        context = self.context
        there = context.design in context.project.designs and context.design_row.root in context.design_row.sheets
        self.elevation = elevation(context.project, context.design) if there else EMPTY
        self.read_findings()
        self.lay_out()

    def read_findings(self) -> None:
        """What the worker says about racks and what stands in them."""
        self.findings = Findings(self.context.analysis.findings)
        self.state.signs = self.findings.signs
        self.viewport().update()

    def lay_out(self) -> None:
        """Place the racks; of folded ones the one that holds what is picked is shown."""
        chosen = self.elevation.rack_of(*self.state.chosen) if self.state.chosen else None
        self.room = lay_out(self.elevation, self.folded, chosen)
        if self._fitted:
            self.fit()
        self._set_bars()
        self.viewport().update()
        self.laid_out.emit()

    def _recoloured(self, _now: object) -> None:
        self.viewport().update()

    # -- what is picked -----------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> Device | None:
        """The picked device."""
        return self.elevation.find(*self.state.chosen) if self.state.chosen else None

    def _stand_of_chosen(self) -> Stand | None:
        rack = self.elevation.rack_of(*self.state.chosen) if self.state.chosen else None
        if rack is not None:
            return self.room.stand_of(rack.racks, rack.index)
        first = next(iter(self.state.chosen_racks), None)
        return self.room.stand_of(*first) if first else None

    def choose(self, device: tuple[str, int] | None, racks: frozenset[tuple[str, int]], *, show: bool) -> None:
        """Mark a device (item, member) or racks; ``show`` scrolls to it."""
        if (device, racks) == (self.state.chosen, self.state.chosen_racks):
            return
        self.state.chosen, self.state.chosen_racks = device, racks
        rack = self.elevation.rack_of(*device) if device else None
        if rack is not None and self.folded:
            stand = self.room.stand_of(rack.racks, rack.index)
            if stand is not None and stand.rack is not rack:
                self.room = lay_out(self.elevation, True, rack)
        if show:
            stand = self._stand_of_chosen()
            found = self.chosen
            if stand is not None:
                self._show(stand.unit_box(found.u, found.height_u) if found is not None else stand.box)
        self.viewport().update()

    def under(self, point: QPointF) -> tuple[Device | None, Stand | None]:
        """What is at a place of the viewport."""
        scene = self.to_scene(point)
        stand = self.room.stand_at(scene)
        return (device_at(self.elevation, stand, scene), stand) if stand is not None else (None, None)

    def _pick(self, device: Device | None, rack: Rack | None) -> None:
        chosen = (device.item, device.member) if device is not None else None
        racks = frozenset({(rack.racks, rack.index)}) if rack is not None and device is None else frozenset()
        self.choose(chosen, racks, show=True)
        self.picked.emit(device, rack)
        named = device.label if device is not None else rack.label if rack is not None else ""
        where = f"{rack.label}, U{device.u}" if rack is not None and device is not None else ""
        self.setAccessibleDescription(f"{named} {where}".strip())

    def fit_selection(self) -> None:
        """The rack of what is picked."""
        stand = self._stand_of_chosen()
        if stand is None:
            return
        view, box = self.viewport().rect(), stand.box
        self._fitted = False
        self._put_zoom(min(1.5, (view.height() - 24) / box.height(), (view.width() - 24) / box.width()))
        self._show(box)

    # -- painting -----------------------------------------------------------------------------------------------------

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        p = QPainter(self.viewport())
        p.fillRect(event.rect(), now["canvas"])
        ink = Ink.at(now, self._zoom)
        p.setRenderHint(QPainter.RenderHint.Antialiasing, self._zoom >= 0.25)
        corner = self._corner()
        p.translate(corner)
        p.scale(self._zoom, self._zoom)
        seen = QRectF(self.to_scene(QPointF(0, 0)), self.to_scene(QPointF(self.viewport().rect().bottomRight())))
        self.state.focus = self.hasFocus()
        paint_room(p, self.room, self.elevation, self.state, seen, ink)
        p.resetTransform()
        if self._move is not None:
            self._move.paint(p, Ink(now), QRectF(self.viewport().rect()))
        p.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    # -- mouse --------------------------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1.0015 ** event.angleDelta().y(), event.position())
            event.accept()
            return
        super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panning = event.position()
            return
        device, stand = self.under(event.position())
        self._pressed = (event.position(), device, stand)
        self._pick(device, stand.rack if stand is not None else None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._panning is not None:
            step = at - self._panning
            self._panning = at
            self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - round(step.x()))
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() - round(step.y()))
            return
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            start, device, stand = self._pressed
            if self._move is None and device is not None and stand is not None:
                if (at - start).manhattanLength() < 6:
                    return
                self._move = DeviceMove(self, device, stand, self.to_scene(start))
            if self._move is not None:
                self._scroll_at_edge(at)
                self._move.to(at)
                self.viewport().update()
            return
        device, _ = self.under(at)
        hovered = (device.item, device.member) if device is not None else None
        if hovered != self.state.hovered:
            self.state.hovered = hovered
            self.viewport().update()

    def _scroll_at_edge(self, at: QPointF) -> None:
        """While something is dragged near an edge, the room comes towards the pointer."""
        view = self.viewport().rect()
        for bar, where, end in (
            (self.horizontalScrollBar(), at.x(), view.width()),
            (self.verticalScrollBar(), at.y(), view.height()),
        ):
            if where < EDGE or where > end - EDGE:
                bar.setValue(bar.value() + (-EDGE if where < EDGE else EDGE))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._panning = None
        self._pressed = None
        move, self._move = self._move, None
        if move is not None:
            self.state.target = None
            move.drop()
            self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        device, _ = self.under(event.position())
        if device is not None:
            self.opened.emit(device)

    def leaveEvent(self, event: QEvent) -> None:
        self.state.hovered = None
        self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            stand = self._stand_of_chosen()
            box = self.to_view(stand.box) if stand is not None else QRectF(self.viewport().rect())
            place = self.viewport().mapToGlobal(box.center().toPoint())
            self.menu_asked.emit(place, self.chosen, stand.rack if stand is not None else None)
            return
        device, under = self.under(QPointF(event.pos()))
        self._pick(device, under.rack if under is not None else None)
        self.menu_asked.emit(event.globalPos(), device, under.rack if under is not None else None)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def tip_at(self, point: QPointF) -> str:
        """What the hover tip says at a place of the viewport."""
        device, stand = self.under(point)
        if device is not None and stand is not None:
            said = self.findings.texts(device.item, device.member)
            return device_tip(device, stand.rack, self.context.project, said)
        if stand is not None:
            said = self.findings.texts(stand.rack.racks, stand.rack.index)
            return rack_tip(stand.rack, stand.many, self.context.project, said)
        return ""

    # -- keys ---------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        # Arrow keys and Enter are this view's while it has the focus, whatever the menus use them for.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() & ~(Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.KeypadModifier)
            if plain and (event.key() in ARROWS or event.key() in (Key.Key_Return, Key.Key_Enter, Key.Key_Escape)):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Key(event.key())
        if key == Key.Key_Escape and self._move is not None:
            self._move, self._pressed, self.state.target = None, None, None
            self.viewport().update()
        elif key == Key.Key_Escape:
            self._pick(None, None)
        elif key in ARROWS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._nudge(*ARROWS[key])
        elif key in ARROWS:
            self._step(*ARROWS[key])
        elif key in (Key.Key_Return, Key.Key_Enter) and self.chosen is not None:
            self.opened.emit(self.chosen)
        else:
            super().keyPressEvent(event)

    def _step(self, across: int, up: int) -> None:
        """Pick the next device above, below or in the next rack."""
        stands = self.room.stands()
        here = self._stand_of_chosen()
        if here is None:
            first = next((s for s in stands if self.elevation.devices(s.rack)), None)
            if first is not None:
                self._pick(self.elevation.devices(first.rack)[-1], first.rack)
            return
        devices, device = self.elevation.devices(here.rack), self.chosen
        if up and devices:
            at = devices.index(device) + up if device in devices else 0
            if 0 <= at < len(devices):
                self._pick(devices[at], here.rack)
        elif across:
            found = neighbour(self.elevation, stands, stands.index(here), device, across)
            if found is not None:
                self._pick(found, self.elevation.rack_of(found.item, found.member))

    def _nudge(self, across: int, up: int) -> None:
        """Move the picked device to the next free place."""
        device = self.chosen
        if device is None:
            return
        rack = self.elevation.rack_of(device.item, device.member)
        if rack is None:
            return
        place = nearest_free(self.context, self.elevation, device, rack, across, up)
        if place is None:
            return
        racks, index, u = place
        self.context.edit(
            "seat_member",
            sheet=self.context.design_row.root,
            item=device.item,
            member=device.member,
            racks=racks,
            rack=index,
            u=u,
        )
