"""The user guide: F1 opens the page about what has the keyboard, in the window and in dialogs."""

from __future__ import annotations

from PySide6.QtGui import QCursor, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from fabricwright.ui.command_base import CommandGroup

#: Marks a dialog that has the key already.
_HAS_KEY = "guide key"


class GuideCommands(CommandGroup):
    """``help``."""

    #: A tab of the dock below was clicked, which takes no focus; it counts while the pointer stays over the dock.
    _tab_clicked = False

    def connect_guide(self) -> None:
        """Connect the action, and F1 in dialogs, where the actions of the window rest."""
        self.actions.connect_to("help", self.help)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_moved)
        self.window.docks.tabs.head.bar.tabBarClicked.connect(self._click_tab)

    def help(self) -> None:
        """The page about what has the keyboard."""
        self.open_guide_for(QApplication.focusWidget(), self.window)

    def open_guide_for(self, focus: QWidget | None, owner: QWidget) -> None:
        """The page about a widget, in the guide of ``owner``."""
        from fabricwright.ui.guide.pages import FIRST
        from fabricwright.ui.guide.topics import page_for
        from fabricwright.ui.guide.window import open_guide

        window = self.window
        if owner is window and window.welcome is not None and window.welcome.isVisible():
            open_guide(owner, FIRST)
            return
        tabs = window.docks.tabs
        page = page_for(
            tabs if owner is window and self._looks_at_tabs() else focus,
            view=window.views.current,
            tab=tabs.names[tabs.head.bar.currentIndex()],
            inside_server=self.context.sheet_row.kind == "server",
        )
        open_guide(owner, page)

    def _looks_at_tabs(self) -> bool:
        dock = self.window.docks.problems
        return self._tab_clicked and dock.isVisible() and dock.rect().contains(dock.mapFromGlobal(QCursor.pos()))

    def _click_tab(self, _index: int) -> None:
        self._tab_clicked = True

    def _focus_moved(self, _old: QWidget | None, focus: QWidget | None) -> None:
        """A dialog that gets the keyboard for the first time gets the key, too."""
        self._tab_clicked = False
        dialog = focus.window() if focus is not None else None
        if isinstance(dialog, QDialog) and not dialog.property(_HAS_KEY):
            dialog.setProperty(_HAS_KEY, True)
            for key in self.actions["help"].shortcuts():
                QShortcut(key, dialog, lambda d=dialog: self.open_guide_for(d.focusWidget() or d, d))
