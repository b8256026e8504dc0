"""The view: pan, zoom at the pointer, fit, camera moves; hands mouse and keys to the tool of the moment."""

from __future__ import annotations

import time
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QGraphicsScene, QGraphicsView, QWidget

from fabricwright.ui.canvas.backdrop import Backdrop
from fabricwright.ui.canvas.camera import Camera, Stand
from fabricwright.ui.canvas.layers import WORLD, BadgeLayer, EdgeLayer, FrameLayer, GridLayer
from fabricwright.ui.canvas.placement import PlacementLayer
from fabricwright.ui.canvas.source import SceneSource
from fabricwright.ui.canvas.tool_types import Tool
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.theme import follow_theme, theme

STEP = 1.25
#: So long one turn of the sharp picture may take.
TURN_S = 0.012


class CanvasView(Camera):
    """Shows the open sheet. ``zoom_changed`` (factor), ``pointer_moved`` (scene position, None outside),
    ``menu_asked`` (global, card)."""

    pointer_moved = Signal(object)
    menu_asked = Signal(object, object)
    #: Verdicts on slots came (a part hangs on the mouse) or went.
    verdicts_changed = Signal()
    resized = Signal()
    #: The back (-1) or forward (+1) button of the mouse.
    travel_asked = Signal(int)

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(SceneSource(context), parent)
        self.context = context
        self._graphics = QGraphicsScene(WORLD, self)
        self.placement = PlacementLayer(self.state)
        parts = (
            GridLayer(self.state),
            FrameLayer(self.state),
            EdgeLayer(self.state),
            self.nodes,
            self.placement,
            BadgeLayer(self.state),
        )
        self.backdrop = Backdrop(self.state, parts)
        self._graphics.addItem(self.backdrop)
        self._graphics.addItem(self.live)
        self.setScene(self._graphics)
        self.setSceneRect(WORLD)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setAcceptDrops(True)
        self.viewport().setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Sheet"))
        self.tool: Tool | None = None
        #: The wheel alone zooms; else it pans.
        self.wheel_zooms = False
        self._place = (context.design, context.sheet, context.host)
        self._stands: dict[tuple[str, str, str], Stand] = {}
        self._pan: QPointF | None = None
        self._space = False
        self._right: QPointF | None = None
        self._right_moved = False
        self._paint_background()
        self.source.changed.connect(self._source_changed)
        context.document.selection_changed.connect(self.refresh)
        context.document.project_changed.connect(self._project_changed)
        context.reveal.connect(self.reveal)
        follow_theme(self._theme_changed)

    def refresh(self) -> None:
        """Repaint."""
        self.viewport().update()

    def _rested(self) -> None:
        """The sharp picture after a zoom: what takes long is made in short turns, then everything is painted."""
        if self._rest.isActive() or not self.state.hasty:  # on the way again, or there already
            return
        seen = self.mapToScene(self.viewport().rect()).boundingRect()
        ink, ratio = Ink.at(theme(), self.zoom), self.viewport().devicePixelRatioF()
        if self.nodes.warm(seen, ink, ratio, time.thread_time() + TURN_S):
            super()._rested()
        else:
            QTimer.singleShot(0, self, self._rested)

    def _source_changed(self, why: str) -> None:
        if why == "built":
            return
        if why == "rows":
            self.nodes.sprites.age()
        self.state.hover = self.state.hover_edge = None
        self.state.hover_mark = None
        if why != "badges":
            self.state.found = frozenset()
        if why == "place":
            if self.tool is not None:
                self.tool.cancel()
            self._arrive()
        elif why == "rows" and self._fitted and self.tool is not None and not self.tool.busy and self.source.is_empty:
            self.fit()
        self.refresh()

    def _arrive(self) -> None:
        """Another sheet: as it was left, or all of it when it is seen for the first time."""
        self._stands[self._place] = replace(self.stand(), bounds=self.source.left)
        self._dived = None
        context = self.context
        self._place = (context.design, context.sheet, context.host)
        known = self._stands.get(self._place)
        if known is not None:
            self.return_to(known)
        else:
            self._fitted = True
            self.fit()

    def _project_changed(self, patch: object) -> None:
        if patch is None:  # another project: how the sheets of the old one were looked at says nothing
            self._stands.clear()
            self._fitted = True
            self.fit()

    def _theme_changed(self, _theme: object) -> None:
        self.nodes.sprites.clear()
        self.backdrop.forget()
        self._paint_background()
        self.refresh()

    def _paint_background(self) -> None:
        self.setBackgroundBrush(QColor(theme()["canvas"]))

    # -- events -----------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the sheet fitted, or the middle where it was."""
        centre = self.centre() if event.oldSize().isValid() else None
        super().resizeEvent(event)
        if self._fitted:
            self.fit()
        elif centre is not None:
            self._set_camera(centre, self.zoom)
        self.resized.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms at the pointer; plain wheel and touch pads pan, Shift sideways."""
        pixels, angle = event.pixelDelta(), event.angleDelta()
        dx, dy = (pixels.x(), pixels.y()) if not pixels.isNull() else (angle.x() / 2, angle.y() / 2)
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        # A touch pad tells pixels and pans with two fingers whatever is set for the wheel.
        if ctrl or (self.wheel_zooms and not shift and pixels.isNull()):
            turns = (event.angleDelta().y() or event.angleDelta().x()) / 120.0
            self.zoom_by(STEP**turns, event.position())
        else:
            if shift and not dx:
                dx, dy = dy, 0.0
            self.pan_by(dx, dy)
        event.accept()

    def pan_by(self, dx: float, dy: float) -> None:
        """Move the picture by pixels."""
        self._fitted = False
        self.look_at(self.centre() - QPointF(dx, dy) * (1.0 / self.zoom), self.zoom)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Middle button or Space: pan; right: pan or menu; left: the tool."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() == Qt.MouseButton.MiddleButton or (
            event.button() == Qt.MouseButton.LeftButton and self._space
        ):
            self._pan = event.position()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() in (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton):
            self.travel_asked.emit(-1 if event.button() == Qt.MouseButton.BackButton else 1)
        elif event.button() == Qt.MouseButton.RightButton:
            self._right, self._right_moved = event.position(), False
            if self.tool is not None and self.tool.busy:
                self.tool.cancel()
                self._right = None
        elif self.tool is not None and event.button() == Qt.MouseButton.LeftButton:
            self.tool.press(self.mapToScene(event.position().toPoint()), event)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan, or the tool."""
        if self._pan is not None:
            moved = event.position() - self._pan
            self._pan = event.position()
            self.pan_by(moved.x(), moved.y())
        elif self._right is not None:
            moved = event.position() - self._right
            if self._right_moved or moved.manhattanLength() > QApplication.startDragDistance():
                self._right_moved = True
                self._right = event.position()
                self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
                self.pan_by(moved.x(), moved.y())
        else:
            where = self.mapToScene(event.position().toPoint())
            self.pointer_moved.emit(where)
            if self.tool is not None:
                self.tool.move(where, event)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End of a pan, the menu, or the tool."""
        if self._pan is not None and event.button() in (Qt.MouseButton.MiddleButton, Qt.MouseButton.LeftButton):
            self._pan = None
            self._reset_cursor()
        elif event.button() == Qt.MouseButton.RightButton and self._right is not None:
            if not self._right_moved:
                self.menu_asked.emit(event.globalPosition().toPoint(), self.mapToScene(event.position().toPoint()))
            self._right = None
            self._reset_cursor()
        elif self.tool is not None and event.button() == Qt.MouseButton.LeftButton:
            self.tool.release(self.mapToScene(event.position().toPoint()), event)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Enter a server, rename a label."""
        if self.tool is not None and event.button() == Qt.MouseButton.LeftButton and not self._space:
            self.tool.double(self.mapToScene(event.position().toPoint()), event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is elsewhere."""
        self.pointer_moved.emit(None)
        if self.tool is not None:
            self.tool.leave()
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """From the keyboard only; the mouse's is decided on release, so that a right-drag can pan."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            box = self.source.scene.bounds_of(self.context.selection)
            where = QPointF(box[0] + box[2] / 2, box[1] + box[3] / 2) if box else self.centre()
            self.menu_asked.emit(self.viewport().mapToGlobal(self.mapFromScene(where)), where)
        event.accept()

    def _reset_cursor(self) -> None:
        if self._space:
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        elif self.tool is not None:
            self.viewport().setCursor(self.tool.cursor)
        else:
            self.viewport().unsetCursor()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space pans; arrows and the rest go to the tool."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = True
            self._reset_cursor()
            event.accept()
            return
        if self.tool is not None and self.tool.key(event):
            event.accept()
            return
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            event.ignore()  # Back with nowhere to go back to would scroll
            return
        super(QGraphicsView, self).keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """End of Space."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self._reset_cursor()
        if self.tool is not None:
            self.tool.key_up(event)
        super(QGraphicsView, self).keyReleaseEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A part comes from the palette."""
        if self.tool is None or not self.tool.drag_enter(event, self.mapToScene(event.position().toPoint())):
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """The part is over the sheet."""
        if self.tool is not None:
            self.tool.drag_move(event, self.mapToScene(event.position().toPoint()))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """The part left the sheet."""
        if self.tool is not None:
            self.tool.drag_leave()
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        """The part is let go."""
        if self.tool is not None:
            self.tool.drop(event, self.mapToScene(event.position().toPoint()))
