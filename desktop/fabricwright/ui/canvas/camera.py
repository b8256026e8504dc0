"""Where the view looks: zoom at a point, fit, animated moves, and bringing a part into sight."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QSize, Qt, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import QTransform
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget

from fabricwright.design.indexset import IndexSet
from fabricwright.ui.canvas.layers import WORLD, NodeLayer
from fabricwright.ui.canvas.live import LiveLayer
from fabricwright.ui.canvas.source import SceneSource
from fabricwright.ui.canvas.state import CanvasState
from fabricwright.ui.paint.scene import Style

MIN_ZOOM, MAX_ZOOM = 0.02, 6.0
CAMERA_MS = 160
#: So long after the last step of a zoom the sharp picture is painted.
REST_MS = 90
FIT_MARGIN = 20.0


@dataclass(frozen=True, slots=True)
class Stand:
    """How a sheet was looked at: middle, zoom, whether all of it was shown; the view's size and the sheet's bounds
    then."""

    centre: QPointF
    zoom: float
    fitted: bool
    size: QSize
    bounds: tuple[float, float, float, float] | None


class Camera(QGraphicsView):
    """``zoom_changed`` (factor) after every move of the camera; ``fitting`` before a fit, so that overlays say what
    they need; ``jumping`` before the camera goes to something that was asked for."""

    zoom_changed = Signal(float)
    fitting = Signal()
    jumping = Signal()

    def __init__(self, source: SceneSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = source
        self.state = CanvasState(source)
        self.nodes = NodeLayer(self.state)
        self.live = LiveLayer(self.state, self.nodes)
        #: Pixels (width, height) that the legend wants in a corner; (0, 0) = none.
        self.overlay: tuple[float, float] = (0.0, 0.0)
        self._fitted = True
        self._dived: Stand | None = None
        self._camera = QVariantAnimation(self)
        self._camera.setDuration(CAMERA_MS)
        self._camera.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._camera.valueChanged.connect(self._camera_step)
        self._from: tuple[QPointF, float] = (QPointF(), 1.0)
        self._to: tuple[QPointF, float] = (QPointF(), 1.0)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._rested)
        self._pulse = QVariantAnimation(self)
        self._pulse.setDuration(600)
        self._pulse.setStartValue(0.0)
        self._pulse.setEndValue(1.0)
        self._pulse.valueChanged.connect(self._pulse_step)
        self._pulse.finished.connect(self._pulse_end)

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
        self._hurry()
        zoom = math.exp(math.log(z0) + (math.log(z1) - math.log(z0)) * t)
        self._set_camera(c0 + (c1 - c0) * t, zoom)

    def _set_camera(self, centre: QPointF, zoom: float) -> None:
        if zoom != self.zoom:
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
        self._hurry()
        self.look_at(centre, zoom)

    def _hurry(self) -> None:
        """The camera is on its way: a quick picture will do until it rests."""
        self.state.hasty = True
        self._rest.start()

    def _rested(self) -> None:
        self.state.hasty = False
        self.viewport().update()

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

    @property
    def fitted(self) -> bool:
        """Whether the whole sheet is shown and stays so when the window changes its size."""
        return self._fitted

    def stand_at(self, centre: QPointF, zoom: float, *, animate: bool = False) -> None:
        """A place that was looked at before."""
        self._fitted = False
        self.look_at(centre, zoom, animate=animate)

    def stand(self) -> Stand:
        """How the open sheet, or the one that is being left, is looked at."""
        if self._dived is not None:
            return self._dived
        return Stand(self.centre(), self.zoom, self._fitted, self.viewport().size(), self.source.left)

    def dive(self, box: tuple[float, float, float, float]) -> None:
        """On the way into a part: move towards it. Coming back leads to where the view is now."""
        self._dived = self.stand()
        self.look_at(QPointF(box[0] + box[2] / 2, box[1] + box[3] / 2), self.zoom * 1.6, animate=True)

    def return_to(self, stand: Stand) -> None:
        """Exactly where a sheet was left; all of it anew when all was shown and it, or the view, is another size."""
        bounds = stand.bounds
        if stand.fitted and (
            stand.size != self.viewport().size() or (bounds is not None and bounds != self.source.scene.bounds())
        ):
            self.fit()
            return
        self.fitting.emit()
        self.look_at(stand.centre, stand.zoom)
        self._fitted = stand.fitted

    def fit_selection(self) -> None:
        """The selected rows."""
        box = self.source.scene.bounds_of(self.source.context.selection)
        if box is not None:
            self._fit_box(QRectF(*box).adjusted(-30, -30, 30, 30), animate=True, limit=1.5)
            self._fitted = False

    def fit_stand(self) -> tuple[QPointF, float]:
        """Camera (middle, zoom) that a fit leads to, with room for the legend where there is any."""
        x, y, w, h = self.source.scene.bounds()
        return self._with_room(QRectF(x, y, w, h), 1.25)

    def _fit_box(self, box: QRectF, *, animate: bool, limit: float) -> None:
        centre, zoom = self._with_room(box, limit)
        self.look_at(centre, zoom, animate=animate)

    def _with_room(self, box: QRectF, limit: float) -> tuple[QPointF, float]:
        centre, zoom = self._fitting(box, limit)
        inset, height = self.overlay
        if inset and self.free_corner(centre, zoom, inset, height) is None:
            slack = self.viewport().height() - box.height() * zoom - FIT_MARGIN - height
            if slack > 0:
                # Room above: the sheet stands at the foot of the view, the legend over it.
                low = box.bottom() + (FIT_MARGIN - self.viewport().height() / 2) / zoom
                centre = QPointF(centre.x(), low)
        return centre, zoom

    def _fitting(self, box: QRectF, limit: float) -> tuple[QPointF, float]:
        """Camera that shows a whole box."""
        view = self.viewport().rect()
        width, height = max(view.width() - 2 * FIT_MARGIN, 50), max(view.height() - 2 * FIT_MARGIN, 50)
        return box.center(), min(width / max(box.width(), 1), height / max(box.height(), 1), limit)

    def free_corner(
        self, centre: QPointF, zoom: float, width: float, height: float, *, first: str | None = None
    ) -> str | None:
        """Corner (tr, br, bl; ``first`` before them) where a box of so many pixels covers no card and no line."""
        name, cards, lines = self.emptiest_corner(centre, zoom, width, height, first=first)
        return None if cards or lines else name

    def emptiest_corner(
        self, centre: QPointF, zoom: float, width: float, height: float, *, first: str | None = None
    ) -> tuple[str, int, int]:
        """(corner, cards, lines) where a box of so many pixels covers the fewest cards, then the fewest lines."""
        view = self.viewport().rect()
        left, top = centre.x() - view.width() / 2 / zoom, centre.y() - view.height() / 2 / zoom
        right, low = left + view.width() / zoom, top + view.height() / zoom
        w, h = width / zoom, height / zoom
        corners = {
            "tr": (right - w, top, right, top + h),
            "br": (right - w, low - h, right, low),
            "bl": (left, low - h, left + w, low),
        }
        best: tuple[str, int, int] | None = None
        for name in sorted(corners, key=lambda c: c != first):
            cards, lines = self._covered(corners[name])
            if not cards and not lines:
                return name, 0, 0
            if best is None or (cards, lines) < best[1:]:
                best = name, cards, lines
        assert best is not None
        return best

    def _covered(self, box: tuple[float, float, float, float]) -> tuple[int, int]:
        """Cards and lines in a box. The empty part of a frame may be covered, the line that names it may not."""
        scene = self.source.scene
        cards = scene.visible(*box)
        named = (scene.y[cards] + scene.h[cards] > box[1]) & (scene.y[cards] + scene.h[cards] - 34 < box[3])
        empty = (scene.style[cards] == Style.FRAME) & ~named
        return int(len(cards) - empty.sum()), len(scene.visible_edges(*box))

    def reveal(self, ids: object) -> None:
        """Bring rows into view and pulse them once; of a group that is open, the members that are selected."""
        names = [str(i) for i in ids] if isinstance(ids, (list, tuple, set)) else [str(ids)]
        scene = self.source.scene
        members = self.source.context.document.members
        cards = [i for n in names for i in self._meant(n, members.get(n))]
        box = scene.bounds_of(names) if not cards or len(cards) > 400 else self._around(cards, names)
        if box is None:
            return
        self.jumping.emit()
        target = QRectF(*box)
        seen = self.mapToScene(self.viewport().rect()).boundingRect().adjusted(20, 20, -20, -20)
        if not seen.contains(target) or target.width() * self.zoom < 24:
            room, limit = self._fitting(target.adjusted(-60, -60, 60, 60), 1.25)
            zoom = min(max(self.zoom, 0.6), limit)
            self._fitted = False
            self.look_at(room, zoom, animate=True)
        self.state.pulse = (frozenset(cards[:40]), 0.0)
        self._pulse.stop()
        self._pulse.start()

    def _meant(self, row_id: str, members: IndexSet | None) -> list[int]:
        """Cards of a row: those of its chosen members where they are drawn apart."""
        scene = self.source.scene
        found = scene.rows_of(row_id, members) if members is not None else []
        return found or scene.rows_of(row_id)

    def _around(self, cards: list[int], names: list[str]) -> tuple[float, float, float, float] | None:
        scene = self.source.scene
        x0, y0 = float(scene.x[cards].min()), float(scene.y[cards].min())
        x1, y1 = float((scene.x + scene.w)[cards].max()), float((scene.y + scene.h)[cards].max())
        links = scene.bounds_of([n for n in names if n in scene.edges.numbers()])
        if links is not None:
            x0, y0 = min(x0, links[0]), min(y0, links[1])
            x1, y1 = max(x1, links[0] + links[2]), max(y1, links[1] + links[3])
        return x0, y0, x1 - x0, y1 - y0

    def _pulse_step(self, value: float) -> None:
        if self.state.pulse is not None:
            self.state.pulse = (self.state.pulse[0], float(value))
            self.live.update()

    def _pulse_end(self) -> None:
        self.state.pulse = None
        self.live.update()
