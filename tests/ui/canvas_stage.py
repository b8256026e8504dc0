"""A window on a template, sized and settled, and the mouse moves that tests make on its canvas. No worker runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QPointF, QSettings, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from fabricwright.design.values import Project
from fabricwright.ui.canvas.pointer import PART_MIME
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.paint.pick import mark_place
from fabricwright.ui.window import MainWindow

NO = Qt.KeyboardModifier.NoModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


@dataclass
class Stage:
    """The window and short words for what tests do with it."""

    window: MainWindow

    @property
    def context(self) -> UiContext:
        return self.window.context

    @property
    def document(self) -> Document:
        return self.window.document

    @property
    def view(self):
        return self.window.canvas.view

    @property
    def scene(self):
        return self.view.source.scene

    def open(self, sheet: str) -> None:
        """Show a sheet, fitted."""
        self.context.open_sheet(sheet)
        self.view.fit()

    def at(self, row: str, n: int = 0, dx: float = 0.5, dy: float = 0.5) -> QPointF:
        """Scene point inside the n-th card of a row."""
        x, y, w, h = self.scene.box(self.scene.by_id[row][n])
        return QPointF(x + w * dx, y + h * dy)

    def port(self, row: str, end: str, n: int = 0) -> QPointF:
        """Scene point of a port of a card."""
        index = self.scene.by_id[row][n]
        mark = next(m for m in self.scene.card(index).marks if m.port == end)
        return QPointF(*mark_place(self.scene, index, mark))

    def _mouse(
        self, kind: QEvent.Type, where: QPointF, button: Qt.MouseButton, held: Qt.MouseButton, mods: Qt.KeyboardModifier
    ) -> None:
        spot = QPointF(self.view.mapFromScene(where))
        event = QMouseEvent(kind, spot, self.view.viewport().mapToGlobal(spot), button, held, mods)
        QApplication.sendEvent(self.view.viewport(), event)

    def press(self, where: QPointF, mods: Qt.KeyboardModifier = NO) -> None:
        self._mouse(QEvent.Type.MouseButtonPress, where, Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton, mods)

    def move(
        self, where: QPointF, mods: Qt.KeyboardModifier = NO, held: Qt.MouseButton = Qt.MouseButton.LeftButton
    ) -> None:
        self._mouse(QEvent.Type.MouseMove, where, Qt.MouseButton.NoButton, held, mods)

    def release(self, where: QPointF, mods: Qt.KeyboardModifier = NO) -> None:
        self._mouse(QEvent.Type.MouseButtonRelease, where, Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton, mods)

    def click(self, where: QPointF, mods: Qt.KeyboardModifier = NO) -> None:
        self.press(where, mods)
        self.release(where, mods)

    def double(self, where: QPointF) -> None:
        self.click(where)
        self._mouse(QEvent.Type.MouseButtonDblClick, where, Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton, NO)
        self.release(where)

    def drag(self, start: QPointF, end: QPointF, mods: Qt.KeyboardModifier = NO, steps: int = 5) -> None:
        """Press, move in steps, let go."""
        self.press(start, mods)
        for k in range(1, steps + 1):
            self.move(start + (end - start) * (k / steps), mods)
        self.release(end, mods)

    def hover_part(self, part: str, where: QPointF, mods: Qt.KeyboardModifier = NO) -> QMimeData:
        """Bring a part from the palette over the sheet; returns its data for the drop."""
        data = QMimeData()
        data.setData(PART_MIME, part.encode())
        spot = self.view.mapFromScene(where)
        args = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, mods)
        self.view.dragEnterEvent(QDragEnterEvent(spot, *args))
        self.view.dragMoveEvent(QDragMoveEvent(spot, *args))
        return data

    def drop_part(self, part: str, where: QPointF, mods: Qt.KeyboardModifier = NO) -> bool:
        """Drag a part from the palette and let it go; whether it was accepted."""
        data = self.hover_part(part, where, mods)
        event = QDropEvent(
            QPointF(self.view.mapFromScene(where)), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, mods
        )
        event.ignore()
        self.view.dropEvent(event)
        return event.isAccepted()

    def key(self, qtbot, key: Qt.Key, mods: Qt.KeyboardModifier = NO) -> None:
        qtbot.keyClick(self.view, key, mods)

    def pixels(self) -> bytes:
        """What the canvas shows."""
        picture = self.view.grab().toImage()
        return bytes(picture.constBits())

    @property
    def items(self):
        return self.context.sheet_row.items

    @property
    def links(self):
        return self.context.sheet_row.links


def make_stage(project: Project, folder: Path, size: tuple[int, int] = (1600, 1000)) -> Stage:
    """A shown window (offscreen) with all panels made."""
    from PySide6.QtGui import QGuiApplication

    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(UiContext(Document(project)), settings)
    window.resize(*size)
    window.show()
    window.finish()
    QGuiApplication.processEvents()
    window.resize(*size)
    QGuiApplication.processEvents()
    window.canvas.view.fit()
    window.activateWindow()  # keys are commands of the active window
    window.canvas.view.setFocus()
    return Stage(window)


def close(stage: Stage) -> None:
    """Close without questions."""
    stage.document.undo_stack.setClean()
    stage.window.close()
    stage.window.deleteLater()
    QApplication.processEvents()
