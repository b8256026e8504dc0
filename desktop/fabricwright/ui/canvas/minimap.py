"""The whole sheet small in a corner of the view."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.paint.primitives import NEAR, Ink, shell
from fabricwright.ui.paint.sheet import paint_scene
from fabricwright.ui.theme import follow_theme, make_pen, theme

WIDTH = 172


class Minimap(QWidget):
    """The whole sheet small, with the part that is seen; drag to go there. Painted 250 ms after the last change."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self._picture: QPixmap | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(250)
        self._timer.timeout.connect(self._render)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.resize(WIDTH, 112)
        view.source.changed.connect(self.stale)
        view.zoom_changed.connect(lambda _z: self.update())
        follow_theme(self._recoloured)

    def stale(self, _why: str = "") -> None:
        """Something changed."""
        self._timer.start()

    def wanted(self) -> bool:
        """Only while a part of the sheet is out of sight."""
        x, y, w, h = self._view.source.scene.bounds()
        seen = self._view.mapToScene(self._view.viewport().rect()).boundingRect()
        return not seen.contains(QRectF(x, y, w, h))

    def _frame(self) -> tuple[float, QPointF]:
        x, y, w, h = self._view.source.scene.bounds()
        scale = min((self.width() - 16) / max(w, 1), (self.height() - 16) / max(h, 1))
        origin = QPointF(self.width() / 2 - (x + w / 2) * scale, self.height() / 2 - (y + h / 2) * scale)
        return scale, origin

    def _render(self) -> None:
        if not self.isVisible():
            self._picture = None
            return
        ratio = self.devicePixelRatioF()
        picture = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        scale, origin = self._frame()
        p = QPainter(picture)
        self._shell(p)
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        p.translate(origin)
        p.scale(scale, scale)
        paint_scene(p, self._view.source.scene, theme(), min(scale, 0.2), heat=self._view.state.heat)
        p.end()
        self._picture = picture
        self.update()

    def _shell(self, p: QPainter) -> None:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(1, 1, self.width() - 2, self.height() - 3)
        shell(p, box, Ink(theme(), 1.0, NEAR), outline="border", radius=10)

    def _recoloured(self, _theme: object) -> None:
        self._picture = None
        self.update()

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is None and not self._timer.isActive():
            self._timer.start(0)
        ink = Ink(theme(), 1.0, NEAR)
        p = QPainter(self)
        if self._picture is not None:
            p.drawPixmap(0, 0, self._picture)
        else:
            self._shell(p)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale, origin = self._frame()
        seen = self._view.mapToScene(self._view.viewport().rect()).boundingRect()
        box = QRectF(
            origin.x() + seen.x() * scale, origin.y() + seen.y() * scale, seen.width() * scale, seen.height() * scale
        )
        p.setPen(make_pen(ink["accent"], 1.5))
        p.setBrush(ink.theme.alpha("accent", 0.06))
        p.drawRoundedRect(box.intersected(QRectF(self.rect()).adjusted(3, 3, -3, -4)), 4, 4)
        p.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go there."""
        self._go(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the seen part."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event)

    def _go(self, event: QMouseEvent) -> None:
        scale, origin = self._frame()
        where = (event.position() - origin) * (1.0 / scale)
        self._view.pan_by(0, 0)
        self._view.look_at(where, self._view.zoom)
