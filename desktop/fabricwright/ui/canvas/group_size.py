"""Count and axes of a group, edited where it is drawn: a small box at its count.

One row of ``name [ 4 ] x name [ 16 ] = 64``. Enter keeps, Esc drops, leaving keeps; what would be lost (members with
exceptions that no longer exist) is said before.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QSpinBox, QToolButton, QVBoxLayout, QWidget

from fabricwright.design.indexset import IndexSet
from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.icons import icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.paint.pills import pill_box
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, theme, ui_font
from fabricwright.ui.widgets import TextLabel

MOST = 1 << 20
MOST_AXES = 4
_NAME = re.compile(r"^[a-z][a-z0-9_]{0,15}$")


class _Size(QSpinBox):
    """A count; Enter belongs to the box around it."""

    def __init__(self, value: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setRange(1, MOST)
        self.setValue(value)
        self.setFixedWidth(86)
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(True)


class GroupSizeEditor(QWidget):
    """Editor over the canvas for one row; one at a time. ``axes`` what it would set, or a sentence."""

    def __init__(self, view: CanvasView, row: str, card: int | None = None) -> None:
        super().__init__(view.viewport())
        self._view, self._row, self._card = view, row, card
        self._done = False
        item = view.context.sheet_row.items[row]
        self._item = item
        self.names: list[QLineEdit] = []
        self.sizes: list[_Size] = []
        self._line = QHBoxLayout()
        self._line.setSpacing(6)
        self._end = TextLabel("", self, px=12.5, weight=SEMIBOLD)
        self.more = QToolButton(self)
        self.more.setIcon(icon("plus"))
        self.more.setAutoRaise(True)
        self.more.setToolTip(self.tr("One more axis"))
        self.more.setAccessibleName(self.tr("One more axis"))
        self.more.clicked.connect(lambda _c=False: self._add_axis())
        self.said = TextLabel("", self, px=12, token="text.2", wrap=True)
        self._line.addWidget(self._end)
        self._line.addWidget(self.more)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 10, 10)
        column.setSpacing(6)
        column.addLayout(self._line)
        column.addWidget(self.said)
        for name, size in item.axes or (("n", 1),):
            self._add(str(name), int(size))
        self.setAccessibleName(self.tr("Count and axes"))
        view.zoom_changed.connect(self._place)
        self._changed()
        self.show()
        self.raise_()
        last = self.sizes[-1]
        last.setFocus(Qt.FocusReason.OtherFocusReason)
        last.selectAll()

    # -- the row ------------------------------------------------------------------------------------------------------

    def _add(self, name: str, size: int) -> None:
        at = self._line.count() - 2
        if self.sizes:
            times = TextLabel("×", self, px=13, token="text.3")
            self._line.insertWidget(at, times)
            at += 1
        label = QLineEdit(name, self)
        label.setFixedWidth(62)
        label.setFont(ui_font(12.5, MEDIUM))
        label.setToolTip(self.tr("Name of the axis"))
        label.setAccessibleName(self.tr("Name of the axis"))
        box = _Size(size, self)
        box.setAccessibleName(self.tr("Count along {axis}").format(axis=name))
        self._line.insertWidget(at, label)
        self._line.insertWidget(at + 1, box)
        self.names.append(label)
        self.sizes.append(box)
        for widget in (label, box, box.lineEdit()):
            widget.installEventFilter(self)
        label.textChanged.connect(lambda _t: self._changed())
        box.valueChanged.connect(lambda _v: self._changed())
        self.more.setVisible(len(self.sizes) < MOST_AXES)

    def _add_axis(self) -> None:
        """A new innermost axis of one: what there is keeps its place."""
        taken = {edit.text() for edit in self.names}
        name = next(n for n in ("su", "pod", "row", "a", "b", "c", "d", "e") if n not in taken)
        self._add(name, 1)
        self.sizes[-1].setFocus()
        self.sizes[-1].selectAll()
        self._changed()

    def axes(self) -> list[list[object]] | str:
        """Axes as typed, or what is wrong."""
        out: list[list[object]] = []
        for label, box in zip(self.names, self.sizes, strict=True):
            name = label.text().strip()
            if not _NAME.match(name):
                return self.tr("'{name}' is no name of an axis: small letters and digits.").format(name=name)
            if any(name == known for known, _ in out):
                return self.tr("Two axes are called '{name}'.").format(name=name)
            out.append([name, box.value()])
        if len(out) == 1 and out[0][1] == 1 and not self._item.axes:
            return []
        return out

    def _changed(self) -> None:
        axes = self.axes()
        total = 1
        for box in self.sizes:
            total *= box.value()
        self._end.setText(f"= {total:,}")
        if isinstance(axes, str):
            self._say(axes, "error")
        elif total > MOST:
            self._say(self.tr("At most {count} members.").format(count=f"{MOST:,}"), "error")
        else:
            lost = self._lost([(str(n), int(str(s))) for n, s in axes])
            self._say(lost, "warn") if lost else self._say(self.tr("Enter keeps it, Esc leaves it."), "text.3")
        self._place()

    def _say(self, text: str, token: str) -> None:
        self.said.setText(text)
        self.said.set_token(token)

    def _lost(self, axes: list[tuple[str, int]]) -> str:
        """Exceptions that would go with their members."""
        from fabricwright.design.edits.reshape import moved_index

        gone = 0
        for key in self._item.except_:
            members = IndexSet.parse(key, self._item.axes)
            gone += sum(moved_index(n, self._item.axes, tuple(axes)) is None for n in members)
        if gone == 1:
            return self.tr("A member with an exception goes.")
        return self.tr("{count} members with exceptions go.").format(count=gone) if gone else ""

    # -- where and how ------------------------------------------------------------------------------------------------

    def _place(self, _zoom: float = 1.0) -> None:
        self._column.activate()
        self.adjustSize()
        scene = self._view.source.scene
        cards = scene.by_id.get(self._row, ())
        index = self._card if self._card in cards else next(iter(cards), None)
        if index is None:
            return
        x, y, w, h = scene.box(index)
        pill = pill_box(scene.card(index), w, h, Ink.at(theme(), self._view.zoom))
        anchor = pill.translated(x, y) if pill is not None else QRectF(x, y, w, h)
        spot = self._view.mapFromScene(anchor).boundingRect()
        room = self._view.viewport().rect().adjusted(6, 6, -6, -6)
        left = min(max(spot.center().x() - self.width() // 2, room.left()), room.right() - self.width())
        below = spot.bottom() + 6
        top = below if below + self.height() <= room.bottom() else max(room.top(), spot.top() - 6 - self.height())
        self.move(max(room.left(), left), top)

    def event(self, event: QEvent) -> bool:
        """While typing no key is a command of the canvas."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Esc in any field; leaving the box keeps."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.finish(keep=True)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.finish(keep=False)
                return True
        elif event.type() == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            stays = event.reason() in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
            here = QApplication.focusWidget()
            if not stays and (here is None or not self.isAncestorOf(here)):
                self.finish(keep=True)
        return super().eventFilter(watched, event)

    def finish(self, *, keep: bool) -> None:
        """Close; ``keep`` sets the axes, as one undo entry. What is wrong keeps the box open on Enter."""
        if self._done:
            return
        for box in self.sizes:
            box.interpretText()
        axes = self.axes()
        if keep and isinstance(axes, str):
            if self.isAncestorOf(QApplication.focusWidget() or self._view):
                return
            keep = False
        self._done = True
        context = self._view.context
        if keep and not isinstance(axes, str) and [list(a) for a in self._item.axes] != axes:
            context.edit("set_axes", item=self._row, axes=axes)
        self.hide()
        self._view.setFocus()
        self.deleteLater()

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        rounded(painter, QRectF(self.rect()), now["raised"], now["accent"], 8, 1.5)
        painter.end()
