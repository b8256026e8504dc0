"""The view: pan, zoom at the pointer, fit, camera moves; hands mouse and keys to the tool of the moment."""

from __future__ import annotations

import math

from PySide6.QtCore import QEasingCurve, QEvent, QPointF, QRectF, Qt, QVariantAnimation, Signal
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
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QGraphicsScene, QGraphicsView, QWidget

from fabricwright.ui.canvas.layers import WORLD, BadgeLayer, EdgeLayer, FrameLayer, GridLayer, NodeLayer
from fabricwright.ui.canvas.live import LiveLayer
from fabricwright.ui.canvas.source import SceneSource
from fabricwright.ui.canvas.state import CanvasState
from fabricwright.ui.canvas.tool_types import Tool
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.scene import Style
from fabricwright.ui.theme import theme, theme_changed

MIN_ZOOM, MAX_ZOOM = 0.02, 6.0
STEP = 1.25
CAMERA_MS = 160
FIT_MARGIN = 20.0
NEAR_ZOOM = 0.6


class CanvasView(QGraphicsView):
    """Shows the open sheet. ``zoom_changed`` (factor), ``pointer_moved`` (scene position, None outside),
    ``menu_asked`` (global, card)."""

    zoom_changed = Signal(float)
    pointer_moved = Signal(object)
    menu_asked = Signal(object, object)
    part_entered = Signal(str)
    resized = Signal()
    fitting = Signal()

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.source = SceneSource(context)
        self.state = CanvasState(self.source)
        self._graphics = QGraphicsScene(WORLD, self)
        self.nodes = NodeLayer(self.state)
        self.live = LiveLayer(self.state)
        self.layers = (
            GridLayer(self.state),
            FrameLayer(self.state),
            EdgeLayer(self.state),
            self.nodes,
            BadgeLayer(self.state),
            self.live,
        )
        for layer in self.layers:
            self._graphics.addItem(layer)
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
        #: Pixels (width, height) that the legend wants in a corner; (0, 0) = none.
        self.overlay: tuple[float, float] = (0.0, 0.0)
        self._pan: QPointF | None = None
        self._space = False
        self._right: QPointF | None = None
        self._right_moved = False
        self._fitted = True
        self._camera = QVariantAnimation(self)
        self._camera.setDuration(CAMERA_MS)
        self._camera.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._camera.valueChanged.connect(self._camera_step)
        self._from: tuple[QPointF, float] = (QPointF(), 1.0)
        self._to: tuple[QPointF, float] = (QPointF(), 1.0)
        self._pulse = QVariantAnimation(self)
        self._pulse.setDuration(600)
        self._pulse.setStartValue(0.0)
        self._pulse.setEndValue(1.0)
        self._pulse.valueChanged.connect(self._pulse_step)
        self._pulse.finished.connect(self._pulse_end)
        self._paint_background()
        self.source.changed.connect(self._source_changed)
        context.document.selection_changed.connect(self.refresh)
        context.reveal.connect(self.reveal)
        theme_changed.connect(self._theme_changed)

    # -- camera -----------------------------------------------------------------------------------------------------

    @property
    def zoom(self) -> float:
        """Pixels per scene unit."""
        return float(self.transform().m11())

    def centre(self) -> QPointF:
        """Scene point in the middle of the view."""
        return self.mapToScene(self.viewport().rect().center())

    def look_at(self, centre: QPointF, zoom: float, *, animate: bool = False) -> None:
        """Move the camera; with ``animate`` over 160 ms."""
        zoom = min(max(zoom, MIN_ZOOM), MAX_ZOOM)
        if animate and self.isVisible() and not self._reduced_motion():
            self._from, self._to = (self.centre(), self.zoom), (centre, zoom)
            self._camera.stop()
            self._camera.setStartValue(0.0)
            self._camera.setEndValue(1.0)
            self._camera.start()
            return
        self._camera.stop()
        self._set_camera(centre, zoom)

    def _camera_step(self, t: float) -> None:
        (c0, z0), (c1, z1) = self._from, self._to
        zoom = math.exp(math.log(z0) + (math.log(z1) - math.log(z0)) * t)
        self._set_camera(c0 + (c1 - c0) * t, zoom)

    def _set_camera(self, centre: QPointF, zoom: float) -> None:
        self.setTransform(QTransform.fromScale(zoom, zoom))
        middle = self.viewport().rect().center()
        bars = (self.horizontalScrollBar(), self.verticalScrollBar())
        bars[0].setValue(round((centre.x() - WORLD.left()) * zoom - middle.x() + WORLD.left() * zoom))
        bars[1].setValue(round((centre.y() - WORLD.top()) * zoom - middle.y() + WORLD.top() * zoom))
        self.zoom_changed.emit(zoom)

    @staticmethod
    def _reduced_motion() -> bool:
        app = QApplication.instance()
        return (
            isinstance(app, QApplication)
            and not app.isEffectEnabled(Qt.UIEffect.UI_AnimateMenu)
            and bool(app.property("reduced_motion"))
        )

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom, keeping the scene point under ``at`` (viewport position; the middle when None) where it is."""
        self._fitted = False
        anchor = at if at is not None else QPointF(self.viewport().rect().center())
        before = self.mapToScene(anchor.toPoint())
        zoom = min(max(self.zoom * factor, MIN_ZOOM), MAX_ZOOM)
        middle = QPointF(self.viewport().rect().center())
        centre = before - (anchor - middle) * (1.0 / zoom)
        self.look_at(centre, zoom)

    def zoom_to(self, zoom: float) -> None:
        """A fixed zoom around the middle."""
        self._fitted = False
        self.look_at(self.centre(), zoom)

    def fit(self, *, animate: bool = False) -> None:
        """Everything on the sheet; stays fitted while the window changes its size until somebody zooms or pans."""
        self.fitting.emit()
        x, y, w, h = self.source.scene.bounds()
        self._fit_box(QRectF(x, y, w, h), animate=animate, limit=1.25)
        self._fitted = True

    def fit_selection(self) -> None:
        """The selected rows."""
        box = self.source.scene.bounds_of(self.context.selection)
        if box is not None:
            self._fit_box(QRectF(*box).adjusted(-30, -30, 30, 30), animate=True, limit=1.5)
            self._fitted = False

    def _fit_box(self, box: QRectF, *, animate: bool, limit: float) -> None:
        centre, zoom = self._fitting(box, limit, 0.0)
        inset, height = self.overlay
        if inset and self.free_corner(centre, zoom, inset, height) is None:
            beside = self._fitting(box, limit, inset)
            slack = self.viewport().height() - box.height() * zoom - FIT_MARGIN - height
            if slack > 0:
                # Room above: the sheet stands at the foot of the view, the legend over it.
                low = box.bottom() + (FIT_MARGIN - self.viewport().height() / 2) / zoom
                self.look_at(QPointF(centre.x(), low), zoom, animate=animate)
                return
            # Room for the legend is not worth dropping from full cards to icons.
            if beside[1] >= NEAR_ZOOM or zoom < NEAR_ZOOM:
                centre, zoom = beside
        self.look_at(centre, zoom, animate=animate)

    def _fitting(self, box: QRectF, limit: float, inset: float) -> tuple[QPointF, float]:
        """Camera that shows a box with ``inset`` pixels at the right left free."""
        view = self.viewport().rect()
        width, height = max(view.width() - inset - 2 * FIT_MARGIN, 50), max(view.height() - 2 * FIT_MARGIN, 50)
        zoom = min(width / max(box.width(), 1), height / max(box.height(), 1), limit)
        return box.center() + QPointF(inset / 2 / zoom, 0), zoom

    def free_corner(self, centre: QPointF, zoom: float, width: float, height: float) -> str | None:
        """First corner (tr, br, bl) where a box of so many pixels covers no card and no line."""
        view = self.viewport().rect()
        left, top = centre.x() - view.width() / 2 / zoom, centre.y() - view.height() / 2 / zoom
        right, low = left + view.width() / zoom, top + view.height() / zoom
        w, h = width / zoom, height / zoom
        scene = self.source.scene
        corners = {
            "tr": (right - w, top, right, top + h),
            "br": (right - w, low - h, right, low),
            "bl": (left, low - h, left + w, low),
        }
        for name, box in corners.items():
            cards = scene.visible(*box)
            # The empty part of a frame may be covered, the line that names it may not.
            named = (scene.y[cards] + scene.h[cards] > box[1]) & (scene.y[cards] + scene.h[cards] - 34 < box[3])
            empty = (scene.style[cards] == Style.FRAME) & ~named
            if empty.all() and not len(scene.visible_edges(*box)):
                return name
        return None

    def reveal(self, ids: object) -> None:
        """Bring rows into view and pulse them once."""
        names = [str(i) for i in ids] if isinstance(ids, (list, tuple, set)) else [str(ids)]
        scene = self.source.scene
        box = scene.bounds_of(names)
        if box is None:
            return
        target = QRectF(*box)
        seen = self.mapToScene(self.viewport().rect()).boundingRect().adjusted(20, 20, -20, -20)
        if not seen.contains(target) or target.width() * self.zoom < 24:
            zoom = max(self.zoom, 0.6) if target.width() < 900 else self.zoom
            self._fitted = False
            self.look_at(target.center(), zoom, animate=True)
        self.state.pulse = (frozenset(i for n in names for i in scene.by_id.get(n, ())[:20]), 0.0)
        self._pulse.stop()
        self._pulse.start()

    def _pulse_step(self, value: float) -> None:
        if self.state.pulse is not None:
            self.state.pulse = (self.state.pulse[0], float(value))
            self.live.update()

    def _pulse_end(self) -> None:
        self.state.pulse = None
        self.live.update()

    def refresh(self) -> None:
        """Repaint."""
        self.viewport().update()

    def _source_changed(self, why: str) -> None:
        self.state.hover = self.state.hover_edge = None
        self.state.hover_mark = None
        if why == "place":
            self._fitted = True
            if self.tool is not None:
                self.tool.cancel()
            self.fit()
        elif (
            why == "rows"
            and self._fitted
            and self.tool is not None
            and not self.tool.busy
            and len(self.source.scene) == 0
        ):
            self.fit()
        self.refresh()

    def _theme_changed(self, _theme: object) -> None:
        self.nodes.sprites.clear()
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
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turns = (event.angleDelta().y() or event.angleDelta().x()) / 120.0
            self.zoom_by(STEP**turns, event.position())
        else:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not dx:
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
