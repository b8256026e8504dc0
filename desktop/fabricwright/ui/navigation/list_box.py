"""A field with a list below it that floats over the window: the command palette, and what a loose link can go to."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fabricwright.ui.navigation.result_list import ResultList
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.paint.primitives import NEAR, Ink, shell
from fabricwright.ui.theme import theme
from fabricwright.ui.widgets import SearchField


def paint_floating(painter: QPainter, widget: QWidget, radius: float, outline: str = "border.strong") -> None:
    """The rounded panel under what floats over a sheet."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = QRectF(1, 1, widget.width() - 2, widget.height() - 3)
    shell(painter, box, Ink(theme(), 1.0, NEAR), fill="panel", outline=outline, radius=radius)


class ListBox(QWidget):
    """``rows`` are shown at once. ``inset`` of the field, ``above`` it and between it and the list, in pixels."""

    def __init__(self, parent: QWidget, rows: int, *, radius: float, inset: int, above: int, spacing: int) -> None:
        super().__init__(parent)
        self._radius = radius
        self.field = PaletteField(self, rows)
        self.list = ResultList(rows, self)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(2, above, 2, spacing + 1)
        self.column.setSpacing(spacing)
        top = QVBoxLayout()
        top.setContentsMargins(inset, 0, inset, 0)
        top.addWidget(self.field)
        self.column.addLayout(top)
        self.column.addWidget(self.list)
        self.field.queried.connect(self.query)
        self.list.chosen.connect(lambda _entry: self.accept())

    def query(self, text: str) -> None:
        """Show what fits a text."""
        raise NotImplementedError

    def accept(self) -> None:
        """Do what is chosen."""
        raise NotImplementedError

    def dismiss(self, *, back: bool = True) -> None:
        """Close it; with ``back`` the sheet gets the keyboard."""
        raise NotImplementedError

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_floating(painter, self, self._radius)
        painter.end()


class PaletteField(SearchField):
    """Keys that move in the list go there."""

    def __init__(self, owner: ListBox, page: int) -> None:
        super().__init__("", owner)
        self._owner = owner
        self._page = page

    def event(self, event: QEvent) -> bool:
        """While it is open no key is a command of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            if plain or event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows and pages choose, Enter does it, Esc closes."""
        key = event.key()
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: self._page, Qt.Key.Key_PageUp: -self._page}
        if self._timer.isActive() and key in (*steps, Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._ask()
        if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._owner.list.step(1 if key == Qt.Key.Key_Tab else -1)
        elif Qt.Key(key) in steps:
            step = steps[Qt.Key(key)]
            self._owner.list.step(step, around=abs(step) == 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._ask()
            self._owner.accept()
        elif key == Qt.Key.Key_Escape:
            self._owner.dismiss()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, _next: bool) -> bool:
        """Tab walks the list instead of leaving."""
        return False

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A click elsewhere closes it; an input method's window or a menu does not."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._owner.dismiss(back=False)
