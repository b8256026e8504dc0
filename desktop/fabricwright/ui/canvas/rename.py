"""Inline rename: a line edit over the card, so that input methods work. Enter keeps, Esc drops, leaving keeps."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.paint.lines import tie_box
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.paint.scene import Style
from fabricwright.ui.theme import SEMIBOLD, theme, ui_font

HEIGHT = 28


class InlineRename(QLineEdit):
    """Editor for the label of one row, over the card that was pointed at (``card``) or the one nearest the middle of
    the view; one at a time."""

    def __init__(self, view: CanvasView, row: str, card: int | None = None) -> None:
        super().__init__(view.viewport())
        self._view = view
        self._row = row
        self._card = card if card is not None else view.state.hover
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
        spot = self._spot()
        if spot is None:
            return
        room = self._view.viewport().rect().adjusted(8, 8, -8, -8)
        wanted = self.fontMetrics().horizontalAdvance(self.text()) + 28
        width = min(max(wanted, min(spot.width() - 12, 260), 150), 420, room.width())
        left = spot.left() + 6 if spot.width() > width + 12 else spot.center().x() - width // 2
        top = spot.top() + max(4, min(spot.height() // 2 - 14, 30))
        left, top = min(left, room.right() - width), min(top, room.bottom() - HEIGHT)
        self.setGeometry(max(left, room.left()), max(top, room.top()), width, HEIGHT)

    def _spot(self) -> QRect | None:
        """What the label stands on, in the view: a card, the foot of a frame, the label of a link."""
        view, scene = self._view, self._view.source.scene
        cards = scene.rows_of(self._row)
        if self._card is not None and self._card in scene.by_id.get(self._row, ()):
            cards = [self._card]
        boxes = [(n, view.mapFromScene(QRectF(*scene.box(n))).boundingRect()) for n in cards]
        if not boxes:
            ties = [t for t in scene.ties if t.link == self._row]
            boxes = [(-1, view.mapFromScene(tie_box(t, Ink.at(theme(), view.zoom))).boundingRect()) for t in ties]
        if not boxes:
            box = scene.bounds_of([self._row])
            return None if box is None else view.mapFromScene(QRectF(*box)).boundingRect()
        middle = view.viewport().rect().center()
        card, spot = min(boxes, key=lambda entry: (entry[1].center() - middle).manhattanLength())
        if card >= 0 and scene.style[card] == Style.FRAME:
            title = QRect(spot.left() + 8, spot.bottom() - 36, spot.width() - 16, 36)
            if not scene.card(card).icon:  # without a pictogram the title ends at the right
                title.setLeft(max(title.left(), title.right() - 260))
            return title
        return spot

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
