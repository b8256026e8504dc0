"""Inline rename: a line edit over the card, so that input methods work. Enter keeps, Esc drops, leaving keeps."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.theme import SEMIBOLD, ui_font


class InlineRename(QLineEdit):
    """Editor for the label of one row; one at a time."""

    def __init__(self, view: CanvasView, row: str) -> None:
        super().__init__(view.viewport())
        self._view = view
        self._row = row
        self._done = False
        self.setFont(ui_font(13, SEMIBOLD))
        self.setText(self._label())
        self.setAccessibleName(self.tr("Name"))
        self._place()
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        view.zoom_changed.connect(self._place)

    def _label(self) -> str:
        context = self._view.context
        link = context.sheet_row.links.get(self._row)
        if link is not None:
            return link.name
        note = context.sheet_row.notes.get(self._row)
        if note is not None:
            return note.text
        frame = context.sheet_row.frames.get(self._row)
        if frame is not None:
            return frame.title
        item = context.eff.items.get(self._row)
        return (item.name or self._row) if item else self._row

    def _place(self, _zoom: float = 1.0) -> None:
        box = self._view.source.scene.bounds_of([self._row])
        if box is None:
            return
        spot = self._view.mapFromScene(QRectF(*box)).boundingRect()
        width = min(max(spot.width() - 12, 150), 260)
        self.setGeometry(
            spot.center().x() - width // 2, spot.top() + max(4, min(spot.height() // 2 - 14, 30)), width, 28
        )

    def event(self, event: QEvent) -> bool:
        """While typing no key is a command of the canvas: Return would open the part, Delete remove it."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._finish(keep=True)
        elif event.key() == Qt.Key.Key_Escape:
            self._finish(keep=False)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving keeps what was typed."""
        super().focusOutEvent(event)
        # Neither a menu nor another window (an input method's, say) ends the typing.
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._finish(keep=True)

    def _finish(self, *, keep: bool) -> None:
        if self._done:
            return
        self._done = True
        name = self.text().strip()
        if keep and name and name != self._label():
            self._keep(name)
        self.hide()
        self._view.setFocus()
        self.deleteLater()

    def _keep(self, name: str) -> None:
        context = self._view.context
        if self._row in context.sheet_row.notes:
            context.edit("set_note", note=self._row, text=name)
        elif self._row in context.sheet_row.frames:
            context.edit("set_frame", frame=self._row, title=name)
        else:
            context.edit("rename", item=self._row, name=name)
