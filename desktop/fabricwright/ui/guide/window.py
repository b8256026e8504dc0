"""The user guide: contents and search at the left, a page at the right; its language and theme follow the program's."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QTextEdit, QToolButton, QVBoxLayout, QWidget

from fabricwright.ui.dialogs import fit_to_screen
from fabricwright.ui.guide.contents import ContentsList, hit_rows, page_rows
from fabricwright.ui.guide.document import fit_pictures, heading_top, show_page
from fabricwright.ui.guide.pages import FIRST, load_pages, search
from fabricwright.ui.i18n import current_language
from fabricwright.ui.icons import app_icon, icon
from fabricwright.ui.theme import follow_theme, theme
from fabricwright.ui.widgets import Divider, EmptyState, SearchField, set_surface

SIZE = QSize(1080, 760)
LEFT_PX, MARGIN_PX, COLUMN_PX = 268, 36, 820
"""Width of the contents, space around a page, and the widest that a line of text becomes."""


class PageView(QTextBrowser):
    """One page. Links are told by ``anchorClicked``; nothing is opened by itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(0)
        # Pages are long: the bar keeps its place, so that nothing is as wide as a page without it.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._fit()

    def column_px(self) -> float:
        """Width that a page has for its text."""
        return float(max(200, self.viewport().width() - 4))

    def mark(self, text: str) -> None:
        """Show where the words of a search stand; "" shows nothing."""
        marks = []
        form = QTextCharFormat()
        form.setBackground(theme().alpha("warn", 0.28))
        for word in text.split():
            found = self.document().find(word)
            while not found.isNull():
                mark: Any = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = found, form
                marks.append(mark)
                found = self.document().find(word, found)
        self.setExtraSelections(marks)

    def _fit(self) -> None:
        side = max(MARGIN_PX, (self.width() - COLUMN_PX) // 2)
        self.setViewportMargins(side, 24, side if side > MARGIN_PX else MARGIN_PX // 2, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)
        fit_pictures(self.document(), self.column_px(), self.devicePixelRatioF())


class GuideWindow(QWidget):
    """A window of its own beside the program's, so that one can read and draw at the same time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowIcon(app_icon())
        self.language = current_language()
        self.pages = load_pages(self.language)
        self.page = ""
        self._visited: list[tuple[str, int]] = []
        self._at = -1
        self.search = SearchField("", self)
        self.contents = ContentsList(self)
        self.empty = EmptyState((), "", "search", self)
        self.empty.hide()
        self.view = PageView(self)
        self.back_button = self._button("arrow-left", lambda: self.step(-1))
        self.forward_button = self._button("arrow-right", lambda: self.step(1))
        self._build()
        self.search.queried.connect(self._searched)
        self.search.leave_down.connect(self._into_list)
        self.search.returnPressed.connect(self.contents.choose_first)
        self.empty.activated.connect(self.search.clear)
        self.contents.chosen.connect(self.open_page)
        self.view.anchorClicked.connect(self._follow)
        follow_theme(self._anew)
        for keys, step in (("Alt+Left", -1), ("Alt+Right", 1)):
            QShortcut(QKeySequence(keys), self, lambda s=step: self.step(s))
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._to_search)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self._escape)
        self._texts()
        fit_to_screen(self, SIZE)

    def _button(self, icon_name: str, slot) -> QToolButton:  # type: ignore[no-untyped-def]
        button = QToolButton(self)
        button.setIcon(icon(icon_name))
        button.setAutoRaise(True)
        button.setIconSize(QSize(18, 18))
        button.clicked.connect(slot)
        return button

    def _build(self) -> None:
        left = QWidget(self)
        left.setFixedWidth(LEFT_PX)
        set_surface(left, "window")
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 12, 0, 8)
        column.setSpacing(8)
        top = QHBoxLayout()
        top.setContentsMargins(12, 0, 12, 0)
        top.setSpacing(4)
        top.addWidget(self.back_button)
        top.addWidget(self.forward_button)
        top.addWidget(self.search, 1)
        column.addLayout(top)
        column.addWidget(self.contents, 1)
        column.addWidget(self.empty, 1)
        set_surface(self.contents.viewport(), "window")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(left)
        row.addWidget(Divider(self, vertical=True))
        row.addWidget(self.view, 1)
        set_surface(self, "panel")

    # -- pages --------------------------------------------------------------------------------------------------------

    def open_page(self, name: str, section: int = 0) -> None:
        """Show a page, at a heading; it can be gone back from."""
        if (name, section) != self._here():
            del self._visited[self._at + 1 :]
            self._visited.append((name, section))
            self._at = len(self._visited) - 1
        self._show()

    def step(self, by: int) -> None:
        """Back (-1) or forward (1) among the pages seen."""
        if 0 <= self._at + by < len(self._visited):
            self._at += by
            self._show()

    def _here(self) -> tuple[str, int] | None:
        return self._visited[self._at] if self._at >= 0 else None

    def _show(self) -> None:
        name, section = self._visited[self._at]
        page = next((page for page in self.pages if page.name == name), None) or next(iter(self.pages), None)
        if page is None:
            self.view.setPlainText(self.tr("The pages of the guide are missing from this installation."))
            return
        self.page = page.name
        show_page(self.view.document(), page.text, self.language, self.view.column_px(), self.devicePixelRatioF())
        self.view.mark(self.search.text())
        self.view.moveCursor(QTextCursor.MoveOperation.Start)  # a resized page scrolls to its cursor
        top = round(heading_top(self.view.document(), section)) if section else 0
        self.view.verticalScrollBar().setValue(top)
        # The layout of a long page is not done at once; the place is looked up again when it is.
        if section:
            QTimer.singleShot(0, self, lambda: self._scroll(section))
        self.contents.mark(page.name)
        self.back_button.setEnabled(self._at > 0)
        self.forward_button.setEnabled(self._at < len(self._visited) - 1)

    def _scroll(self, section: int) -> None:
        self.view.verticalScrollBar().setValue(round(heading_top(self.view.document(), section)))

    def _follow(self, url: QUrl) -> None:
        """A link of a page: to another page; other addresses are left alone, the guide is whole without a network."""
        name = url.fileName().removesuffix(".md")
        if any(page.name == name for page in self.pages):
            self.open_page(name)

    # -- search -------------------------------------------------------------------------------------------------------

    def _searched(self, text: str) -> None:
        rows = hit_rows(search(self.pages, text)) if text.strip() else page_rows(self.pages)
        self.contents.set_rows(rows)
        self.contents.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self.view.mark(text)
        if not text.strip():
            self.contents.mark(self.page)

    def _into_list(self) -> None:
        self.contents.setFocus()
        if not self.contents.currentIndex().isValid():
            self.contents.choose_first()

    def _to_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _escape(self) -> None:
        if self.search.text():
            self.search.clear()
        else:
            self.close()

    # -- language and theme -------------------------------------------------------------------------------------------

    def _texts(self) -> None:
        self.setWindowTitle(self.tr("User guide"))
        self.search.set_placeholder(self.tr("Search the guide"))
        self.contents.setAccessibleName(self.tr("Contents"))
        self.view.setAccessibleName(self.tr("Page of the guide"))
        for button, text in ((self.back_button, self.tr("Back")), (self.forward_button, self.tr("Forward"))):
            button.setToolTip(text)
            button.setAccessibleName(text)
        self.empty.set_content([self.tr("No page holds these words.")], self.tr("Show all"), "search")
        self._searched(self.search.text())

    def _anew(self, _theme: object = None) -> None:
        """The page again in other colours or another language, where it was."""
        bar = self.view.verticalScrollBar()
        share = bar.value() / max(1, bar.maximum())
        if self._at >= 0:
            self._show()
            bar.setValue(round(share * bar.maximum()))

    def changeEvent(self, event: QEvent) -> None:
        """The language follows the program's."""
        if event.type() == QEvent.Type.LanguageChange and current_language() != self.language:
            self.language = current_language()
            self.pages = load_pages(self.language)
            self._texts()
            self._anew()
        super().changeEvent(event)


def open_guide(owner: QWidget, page: str = FIRST) -> GuideWindow:
    """The guide of a window, or of a dialog that has the keyboard to itself: made once, brought to the front."""
    guide = owner.findChild(GuideWindow, options=Qt.FindChildOption.FindDirectChildrenOnly)
    if guide is None:
        guide = GuideWindow(owner)
    guide.open_page(page)
    guide.show()
    guide.raise_()
    guide.activateWindow()
    return guide
