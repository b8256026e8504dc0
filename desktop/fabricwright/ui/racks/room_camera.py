"""Where the view of the racks looks: zoom at a point, fit, scroll bars, and bringing something into sight."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from fabricwright.ui.racks.room import Room

MIN_ZOOM, MAX_ZOOM = 0.04, 3.0


class RoomCamera(QAbstractScrollArea):
    """A room of racks behind scroll bars; ``zoom_changed`` (pixels per scene unit)."""

    zoom_changed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.room = Room()
        self._zoom = 1.0
        self._fitted = True

    @property
    def zoom(self) -> float:
        """Pixels per scene unit."""
        return self._zoom

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom, keeping what is under ``at`` (the middle when None) where it is."""
        anchor = at or QPointF(self.viewport().rect().center())
        before = self.to_scene(anchor)
        self._fitted = False
        self._put_zoom(self._zoom * factor)
        moved = before * self._zoom + self._offset_without_bars() - anchor
        self.horizontalScrollBar().setValue(round(moved.x()))
        self.verticalScrollBar().setValue(round(moved.y()))
        self.viewport().update()

    def zoom_to(self, zoom: float) -> None:
        """A fixed zoom around the middle."""
        self.zoom_by(zoom / self._zoom)

    def fit(self, *, animate: bool = False) -> None:
        """All rows side to side; from top to bottom too, where names stay readable."""
        view, size = self.viewport().rect(), self.room.size
        wide = (view.width() - 8) / max(size.width(), 1)
        high = (view.height() - 8) / max(size.height(), 1)
        self._put_zoom(min(1.15, wide, max(high, 0.5) if len(self.room.rows) > 1 else max(high, 0.42)))
        self.horizontalScrollBar().setValue(0)
        self.verticalScrollBar().setValue(0)
        self._fitted = True
        self.viewport().update()

    def _put_zoom(self, zoom: float) -> None:
        self._zoom = min(max(zoom, MIN_ZOOM), MAX_ZOOM)
        self._set_bars()
        self.zoom_changed.emit(self._zoom)

    def _set_bars(self) -> None:
        view = self.viewport().rect()
        for bar, size, page in (
            (self.horizontalScrollBar(), self.room.size.width(), view.width()),
            (self.verticalScrollBar(), self.room.size.height(), view.height()),
        ):
            bar.setRange(0, max(0, round(size * self._zoom) - page))
            bar.setPageStep(page)
            bar.setSingleStep(40)

    def _offset_without_bars(self) -> QPointF:
        """Where the scene's corner is while nothing is scrolled: a small room stands in the middle, at the top."""
        spare = self.viewport().width() - self.room.size.width() * self._zoom
        return QPointF(max(0.0, spare / 2), 0.0)

    def _corner(self) -> QPointF:
        bars = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        return self._offset_without_bars() - bars

    def to_scene(self, point: QPointF) -> QPointF:
        """Scene point under a place of the viewport."""
        moved: QPointF = point - self._corner()
        return QPointF(moved.x() / self._zoom, moved.y() / self._zoom)

    def to_view(self, box: QRectF) -> QRectF:
        """Where a scene box is in the viewport."""
        corner = self._corner()
        z = self._zoom
        return QRectF(box.x() * z + corner.x(), box.y() * z + corner.y(), box.width() * z, box.height() * z)

    def _show(self, box: QRectF) -> None:
        """Scroll until a scene box is seen."""
        seen, view = self.to_view(box), QRectF(self.viewport().rect()).adjusted(12, 12, -12, -12)
        for bar, low, high, start, end in (
            (self.horizontalScrollBar(), seen.left(), seen.right(), view.left(), view.right()),
            (self.verticalScrollBar(), seen.top(), seen.bottom(), view.top(), view.bottom()),
        ):
            if low < start:
                bar.setValue(bar.value() + round(low - start))
            elif high > end:
                bar.setValue(bar.value() + round(min(high - end, low - start)))
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fitted:
            self.fit()
        self._set_bars()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()
