"""The way back from a server sheet: Fabric > Pod A > prototype."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import REGULAR, SEMIBOLD, theme, ui_font

_LEAD, _GAP, _PX = 24.0, 20.0, 12.5


class Breadcrumb(QWidget):
    """``set_path([(key, text), ...])``; ``activated(key)`` when a step other than the last is clicked."""

    activated = Signal(str)

    def __init__(self, parent: QWidget | None = None, icon_name: str = "layers") -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._path: list[tuple[str, str]] = []
        self._hover = -1
        self._focus = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_path(self, steps: Sequence[tuple[str, str]]) -> None:
        """Show these steps, outermost first."""
        self._path = list(steps)
        self._hover = -1
        self._focus = max(0, len(self._path) - 2)
        self.setAccessibleName(" > ".join(text for _, text in self._path))
        self.updateGeometry()
        self.update()

    def path(self) -> list[tuple[str, str]]:
        """The steps shown."""
        return list(self._path)

    def _font(self, index: int):  # type: ignore[no-untyped-def]
        return ui_font(_PX, SEMIBOLD if index == len(self._path) - 1 else REGULAR)

    def sizeHint(self) -> QSize:
        widths = [QFontMetricsF(self._font(i)).horizontalAdvance(t) for i, (_, t) in enumerate(self._path)]
        return QSize(int(_LEAD + sum(widths) + _GAP * max(0, len(widths) - 1)) + 8, 32)

    def minimumSizeHint(self) -> QSize:
        return QSize(84, 32)

    def _cells(self) -> list[tuple[int, str, QRectF]]:
        """(index, text as shown, box); inner steps are elided first when there is no room."""
        texts = [text for _, text in self._path]
        metrics = [QFontMetricsF(self._font(i)) for i in range(len(texts))]
        widths = [m.horizontalAdvance(t) + 1 for m, t in zip(metrics, texts, strict=True)]
        spare = self.width() - _LEAD - _GAP * max(0, len(texts) - 1) - sum(widths) - 4
        for i in range(len(texts)):
            if spare >= 0:
                break
            keep = max(24.0, widths[i] + spare)
            spare += widths[i] - keep
            texts[i] = metrics[i].elidedText(texts[i], Qt.TextElideMode.ElideRight, keep)
            widths[i] = keep
        cells, x = [], _LEAD
        # Where even that is too much, the place itself stays; the icon leads back to the first step.
        alone = spare < 0 and len(texts) > 1
        if alone:
            widths[-1] = max(24.0, self.width() - _LEAD - 4)
            texts[-1] = metrics[-1].elidedText(self._path[-1][1], Qt.TextElideMode.ElideRight, widths[-1])
        for i, (text, width) in enumerate(zip(texts, widths, strict=True)):
            if alone and i < len(texts) - 1:
                continue
            cells.append((i, text, QRectF(x, 0, width, self.height())))
            x += width + _GAP
        return cells

    def step_at(self, point: QPointF) -> int:
        """Index of the step under a point, -1 if none; the icon counts as the first step."""
        if self._path and point.x() < _LEAD - 4:
            return 0
        return next((i for i, _, box in self._cells() if box.adjusted(-4, 0, 4, 0).contains(point)), -1)

    def _activate(self, index: int) -> None:
        if 0 <= index < len(self._path) - 1:
            self.activated.emit(self._path[index][0])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._activate(self.step_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hover = self.step_at(event.position())
        if hover != self._hover:
            self._hover = hover
            clickable = 0 <= hover < len(self._path) - 1
            self.setCursor(Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor)
            self.update()

    def leaveEvent(self, event: object) -> None:
        self._hover = -1
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = -1 if key == Qt.Key.Key_Left else 1
            self._focus = min(max(0, self._focus + step), max(0, len(self._path) - 1))
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._activate(self._focus)
        else:
            super().keyPressEvent(event)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        middle = self.height() / 2
        paint_icon(painter, self._icon_name, QRectF(0, middle - 7.5, 15, 15), "text.2")
        last = len(self._path) - 1
        for i, text, box in self._cells():
            mark = QRectF(box.x() - 5, middle - 11, box.width() + 10, 22)
            if i == self._hover and i != last:
                rounded(painter, mark, now["hover"], radius=4)
            if self.hasFocus() and i == self._focus:
                rounded(painter, mark, None, now["focus"], radius=4, width=1.5)
            painter.setFont(self._font(i))
            painter.setPen(now["text" if i == last or i == self._hover else "text.2"])
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
            if i != last:
                spot = QRectF(box.right() + _GAP / 2 - 6, middle - 6, 12, 12)
                paint_icon(painter, "chevron-right", spot, "text.3")
        painter.end()
