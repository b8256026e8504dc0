"""Ctrl+F: a field over the sheet that finds everything that is drawn, with next and previous."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.context import UiContext
from fabricwright.ui.icons import icon
from fabricwright.ui.navigation.drawing_index import DrawingIndex, finding_entries, go_to_entry
from fabricwright.ui.navigation.entry import Entry
from fabricwright.ui.navigation.list_box import paint_floating
from fabricwright.ui.navigation.result_list import ResultList
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import theme
from fabricwright.ui.widgets import SearchField, TextLabel

WIDTH, HEAD, ROWS, MARGIN = 460, 44, 8, 12


class FindField(SearchField):
    """Keys that belong to the bar go to it."""

    def __init__(self, bar: FindBar) -> None:
        super().__init__("", bar)
        self._bar = bar

    def event(self, event: QEvent) -> bool:
        """While the field has the keyboard, Return and Escape are not the canvas'."""
        own = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.key() in own:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter next, Shift+Enter previous, arrows walk the list, Esc closes."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._ask()
            self._bar.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif key == Qt.Key.Key_Escape:
            self._bar.dismiss()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._ask()
            self._bar.step(1 if key == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)


class FindBar(QWidget):
    """Floats at the top of the view. The rows of the open sheet come first; what is found there is ringed."""

    def __init__(self, context: UiContext, view: CanvasView) -> None:
        super().__init__(view)
        self.context = context
        self.view = view
        self._index: DrawingIndex | None = None
        self._asked = ""
        self._first_sheet = ""
        self._at = -1
        self.field = FindField(self)
        self.count = TextLabel("", self, px=11.5, token="text.3")
        self.previous, self.next, self.close_button = (self._button(n) for n in ("chevron-up", "chevron-down", "x"))
        self.list = ResultList(ROWS, self)
        head = QHBoxLayout()
        head.setContentsMargins(8, 8, 6, 8)
        head.setSpacing(4)
        head.addWidget(self.field, 1)
        head.addSpacing(4)
        head.addWidget(self.count)
        for button in (self.previous, self.next, self.close_button):
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 0, 2, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.list)
        column.addStretch(1)
        self.field.queried.connect(self._query)
        self.previous.clicked.connect(lambda: self.step(-1))
        self.next.clicked.connect(lambda: self.step(1))
        self.close_button.clicked.connect(self.dismiss)
        self.list.chosen.connect(self._chosen)
        context.document.project_changed.connect(lambda _p: self._stale())
        context.place_changed.connect(self._stale)
        context.analysis.changed.connect(lambda topics: self._stale() if "findings" in topics else None)
        context.language_changed.connect(lambda _c: self._retranslate())
        view.resized.connect(self.place)
        self._retranslate()
        self.hide()

    def _button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setAutoRaise(True)
        button.setIcon(icon(name))
        button.setIconSize(QSize(16, 16))
        button.setFixedSize(26, 26)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _retranslate(self) -> None:
        self.field.set_placeholder(self.tr("Find parts, links, notes, problems"))
        for button, text in (
            (self.previous, self.tr("Previous (Shift+Enter)")),
            (self.next, self.tr("Next (Enter)")),
            (self.close_button, self.tr("Close (Esc)")),
        ):
            button.setToolTip(text)
            button.setAccessibleName(text)
        self._index = None

    # -- open and close ---------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Show the field; what was typed last is marked, so that typing replaces it."""
        self.show()
        self.raise_()
        self.place()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._asked = ""
        self._query(self.field.text())

    def dismiss(self) -> None:
        """Hide it; the sheet gets the keyboard back."""
        self.hide()
        self.view.state.found = frozenset()
        self.view.refresh()
        self.view.setFocus()

    def place(self) -> None:
        """Top of the view, in the middle of what the panels leave."""
        if not self.isVisible():
            return
        area = self.view.viewport().rect()
        width = min(WIDTH, area.width() - 2 * MARGIN)
        height = HEAD + (self.list.height() + 8 if self.list.isVisible() else 0)
        self.setGeometry((area.width() - width) // 2, MARGIN, width, height)

    # -- finding ----------------------------------------------------------------------------------------------------

    def _stale(self) -> None:
        self._index = None
        if self.isVisible():
            self._mark()

    def entries(self, text: str) -> list[Entry]:
        """What a text finds: the drawing first, then findings."""
        context = self.context
        index = self._index
        if index is None or index.design is not context.design_row or index.project is not context.project:
            index = self._index = DrawingIndex(context.project, context.design_row, context.language)
        words = text.casefold().split()
        found = index.find(text, self._first_sheet or context.sheet)
        if words:
            for entry, texts in finding_entries(context):
                whole = " ".join(texts)
                if all(word in whole for word in words):
                    found.append(entry)
        return found

    def _query(self, text: str) -> None:
        at: Entry | None = None
        if text == self._asked:
            if self._index is not None:
                return
            at = self.list.current()  # the drawing changed meanwhile: stay where we are in the new list
        else:
            self._asked, self._first_sheet = text, self.context.sheet
        entries = self.entries(text)
        self._at = entries.index(at) if at is not None and at in entries else -1
        self.list.set_entries(entries, self._at)
        self.list.setVisible(bool(entries))
        self._say()
        self.place()
        self._mark()

    def _say(self) -> None:
        count = len(self.list.results.entries)
        if not self._asked.strip():
            self.count.setText("")
        elif not count:
            self.count.setText(self.tr("nothing found"))
        elif self._at < 0:
            self.count.setText(self.tr("{count} found").format(count=f"{count:,}"))
        else:
            self.count.setText(self.tr("{number} of {count}").format(number=self._at + 1, count=f"{count:,}"))
        for button in (self.previous, self.next):
            button.setEnabled(count > 0)

    def _mark(self) -> None:
        """Ring what is found on the open sheet."""
        scene = self.view.source.scene
        here = [e for e in self.list.results.entries if e.sheet == self.context.sheet and e.kind != "sheet"]
        cards: set[int] = set()
        for entry in here[:200]:
            cards.update(scene.rows_of(entry.key, entry.members)[:40])
        self.view.state.found = frozenset(cards) if self.isVisible() else frozenset()
        self.view.refresh()

    def step(self, by: int) -> None:
        """Go to the next (+1) or previous (-1) row."""
        entry = self.list.step(by)
        if entry is not None:
            self._chosen(entry)

    def _chosen(self, entry: Entry) -> None:
        self._at = self.list.currentIndex().row()
        self._say()
        go_to_entry(self.context, entry)
        self._mark()
        self.raise_()
        self.field.setFocus()

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_floating(painter, self, 10, "border")
        if self.list.isVisible():
            painter.fillRect(10, HEAD - 1, self.width() - 20, 1, theme()["border"])
        painter.end()
