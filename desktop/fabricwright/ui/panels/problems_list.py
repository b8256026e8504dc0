"""The list of findings as a view: actions in a row can be clicked, a fold opens and shuts."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QWidget

from fabricwright.ui.panels.problems_model import Fold, ProblemsModel
from fabricwright.ui.panels.problems_row import ProblemDelegate, layout_row


class ProblemList(QListView):
    """``acted(row, name)`` when an action of a row was clicked; Enter and double click mean ``go``. ``folded`` when the
    head of the approved ones was clicked."""

    acted = Signal(int, str)
    folded = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.delegate = ProblemDelegate(self)
        self.setItemDelegate(self.delegate)

    def _rows(self) -> ProblemsModel:
        model = self.model()
        assert isinstance(model, ProblemsModel)
        return model

    def action_at(self, point: QPoint) -> tuple[int, str]:
        """(row, action) under a point of the viewport, (-1, "") elsewhere."""
        index = self.indexAt(point)
        problem = self._rows().problem(index)
        if problem is None:
            return -1, ""
        for name, _, box in layout_row(self.visualRect(index), problem).actions:
            if box.contains(point):
                return index.row(), name
        return -1, ""

    def action_box(self, row: int, name: str) -> QRect:
        """Where an action of a row is, in the viewport (tests, tool tips)."""
        problem = self._rows().problem(row)
        if problem is None:
            return QRect()
        boxes = layout_row(self.visualRect(self._rows().index(row, 0)), problem).actions
        return next((box for n, _, box in boxes if n == name), QRect())

    def _is_fold(self, row: int) -> bool:
        return isinstance(self._rows().row(row), Fold)

    def _set_hot(self, hot: tuple[int, str], *, hand: bool = False) -> None:
        if hot != self.delegate.hot:
            self.delegate.hot = hot
            self.viewport().update()
        shape = Qt.CursorShape.PointingHandCursor if hot[1] or hand else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        self._set_hot(self.action_at(point), hand=self._is_fold(self.indexAt(point).row()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._set_hot((-1, ""))
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        row, name = self.action_at(point)
        fold = self._is_fold(self.indexAt(point).row())
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if name:
            self.acted.emit(row, name)
        elif fold:
            self.folded.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        fold = self._is_fold(row)
        opens = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if fold and event.key() in (*opens, Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Right):
            is_open = self._rows().is_open
            wanted = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}.get(Qt.Key(event.key()), not is_open)
            if wanted != is_open:
                self.folded.emit()
            return
        if event.key() in opens and row >= 0:
            self.acted.emit(row, "go")
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def sizeHint(self) -> QSize:
        return QSize(400, 160)
