"""The main window: menus, tool bar, docks around the canvas, status bar, and the questions before work is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QStatusBar, QUndoView, QWidget
from shiboken6 import isValid

from fabricwright.ui import sizing
from fabricwright.ui.action_table import SECTIONS
from fabricwright.ui.actions import MENUS, ActionSet, menu_title
from fabricwright.ui.context import UiContext
from fabricwright.ui.docks import NARROW_PX, Docks, make_panel
from fabricwright.ui.i18n import LANGUAGES, install_language, text_of
from fabricwright.ui.icons import app_icon
from fabricwright.ui.session import MINIMUM_SIZE, Session, default_settings
from fabricwright.ui.theme import apply_theme, follow_theme, theme, theme_mode
from fabricwright.ui.tool_bar import MainToolBar
from fabricwright.ui.views import CANVAS, ViewStack
from fabricwright.ui.widgets import set_surface
from fabricwright.units.text import Message

if TYPE_CHECKING:
    from fabricwright.ui.canvas.panel import CanvasPanel
    from fabricwright.ui.commands import Commands
    from fabricwright.ui.navigation.palette import CommandPalette
    from fabricwright.ui.safekeeping import Safekeeping
    from fabricwright.ui.welcome.page import WelcomePage


WARM_UP_MS = 1500
"""After the first frame: when what people open next is loaded."""


class MainWindow(QMainWindow):
    """One document.

    The constructor makes the frame only: menus, bars and empty docks, so that something is on the screen at once.
    ``finish`` makes canvas, commands and panels; call it after the first frame (tests call it at once).
    """

    canvas: CanvasPanel
    views: ViewStack
    commands: Commands

    def __init__(self, context: UiContext, settings: QSettings | None = None) -> None:
        super().__init__()
        self.context = context
        self.document = context.document
        self.session = Session(settings or default_settings())
        self.setWindowIcon(app_icon())
        self.setMinimumSize(*MINIMUM_SIZE)
        self.actions_set = ActionSet(self, self.session.settings)
        ground = QWidget(self)
        set_surface(ground, "canvas")
        self.setCentralWidget(ground)
        self.menus: dict[str, QMenu] = {}
        self.status: object | None = None
        self.palette_box: CommandPalette | None = None
        self.welcome: WelcomePage | None = None
        self.safekeeping: Safekeeping | None = None
        self._build_menus()
        self.bar = MainToolBar(self, context, self.actions_set)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.bar)
        history = QUndoView(self.document.undo_stack)
        history.setFrameShape(QUndoView.Shape.NoFrame)
        self.history = history
        self._name_beginning()
        self.docks = Docks(self, context, history)
        line = QStatusBar(self)
        line.setSizeGripEnabled(False)
        line.setFixedHeight(26)
        self.setStatusBar(line)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowNestedDocks)
        self.actions_set.attach(self)
        self._finished = False
        self._refresh_title()
        self._refresh_undo()
        self.bar.refresh()
        self.session.restore_geometry(self)

    # -- building ---------------------------------------------------------------------------------------------------

    def _build_menus(self) -> None:
        bar = self.menuBar()
        for category, _ in MENUS:
            menu = bar.addMenu(menu_title(category))
            self.menus[category] = menu
            for action in self.actions_set.in_category(category):
                if action.data() in SECTIONS:
                    menu.addSeparator()
                menu.addAction(action)
        view = self.menus["view"]
        view.addSeparator()
        self.theme_menu = view.addMenu("")
        for action in self.actions_set.in_category("theme"):
            self.theme_menu.addAction(action)
        self.language_menu = view.addMenu("")
        for action in self.actions_set.in_category("language"):
            self.language_menu.addAction(action)
        arrange = self.menus["arrange"]
        self.align_menu, self.order_menu = QMenu(arrange), QMenu(arrange)
        for submenu, category in ((self.align_menu, "align"), (self.order_menu, "order")):
            arrange.insertMenu(self.actions_set["lock"], submenu)
            submenu.addActions(self.actions_set.in_category(category))
        self.recent_menu = QMenu(self.menus["file"])
        rows = self.menus["file"].actions()
        self.menus["file"].insertMenu(rows[rows.index(self.actions_set["open"]) + 1], self.recent_menu)
        self.recent_menu.aboutToShow.connect(self._fill_recent)
        self._menu_texts()

    def _menu_texts(self) -> None:
        for category, menu in self.menus.items():
            menu.setTitle(menu_title(category))
        self.theme_menu.setTitle(self.tr("Theme"))
        self.align_menu.setTitle(self.tr("Align and distribute"))
        self.order_menu.setTitle(self.tr("Order"))
        self.language_menu.setTitle(self.tr("Language"))
        self.recent_menu.setTitle(self.tr("Open recent"))

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for path in self.session.recent():
            action = self.recent_menu.addAction(str(path))
            action.triggered.connect(lambda _c=False, p=path: self.commands.open_path(p))
        if not self.recent_menu.actions():
            self.recent_menu.addAction(self.tr("No files yet")).setEnabled(False)

    def _connect(self) -> None:
        document, context = self.document, self.context
        document.modified_changed.connect(lambda _m: self._refresh_title())
        document.file_changed.connect(self._refresh_title)
        document.project_changed.connect(lambda _p: self._refresh_title())
        document.project_changed.connect(lambda patch: self._name_beginning() if patch is None else None)
        document.undo_stack.indexChanged.connect(lambda _i: self._refresh_undo())
        document.undo_stack.canUndoChanged.connect(lambda _c: self._refresh_undo())
        document.undo_stack.canRedoChanged.connect(lambda _c: self._refresh_undo())
        document.selection_changed.connect(self.commands.refresh_enabled)
        context.place_changed.connect(self.commands.refresh_enabled)
        context.analysis.changed.connect(self._analysed)
        context.said.connect(self.say)
        self.canvas.view.zoom_changed.connect(self._canvas_zoomed)
        self.bar.counts.clicked.connect(lambda: self.commands.show_dock("problems"))
        self.bar.language.changed.connect(self.set_language)
        follow_theme(self._themed)
        self.commands.refresh_enabled()

    def finish(self) -> None:
        """Make canvas, commands, panels and the status line; safe to call twice."""
        if self._finished:
            return
        from fabricwright.ui.canvas.panel import CanvasPanel
        from fabricwright.ui.commands import Commands

        self._finished = True
        self.canvas = CanvasPanel(self.context, self.actions_set, self)
        self.views = ViewStack(self.context, self.canvas, self)
        self.setCentralWidget(self.views)
        if self.welcome is not None:
            self.welcome.raise_()
        self.commands = Commands(self)
        self._connect()
        self.docks.fill()
        self.status = make_panel("status", self.context)
        if self.status is not None:
            self.statusBar().addPermanentWidget(self.status, 1)  # type: ignore[arg-type]
            moved = getattr(self.status, "show_pointer", None)
            if callable(moved):
                self.canvas.view.pointer_moved.connect(moved)
        if not self.session.restore_layout(self):
            self.docks.resize()
        self.commands.panels_ready()
        self._analysed(frozenset({"findings"}))
        # The docks take their sizes in the next turn of the loop; the sheet is fitted to what is left then.
        QTimer.singleShot(0, self, self._settled)

    def _settled(self) -> None:
        self.docks.resize()
        if self.canvas.view._fitted:
            self.canvas.view.fit()
        QTimer.singleShot(WARM_UP_MS, self, lambda: sizing.warm_up(self))

    # -- what changes -----------------------------------------------------------------------------------------------

    def _refresh_title(self) -> None:
        name = self.document.file.name if self.document.file else self.context.project.title or self.tr("Untitled")
        if self.document.read_only:
            name = self.tr("{name} (read-only)").format(name=name)
        self.setWindowTitle(f"{name}[*] — Fabricwright")
        self.setWindowModified(self.document.modified)

    def _name_beginning(self) -> None:
        """What the history begins with. A journal holds what was drawn, not how to take it back."""
        count = self.document.restored_edits
        restored = self.tr("As restored; its {count} earlier edits cannot be undone").format(count=f"{count:,}")
        self.history.setEmptyLabel(restored if count else self.tr("As opened"))

    def _refresh_undo(self) -> None:
        stack = self.document.undo_stack
        if not isValid(stack):  # it speaks once more while it is being destroyed
            return
        undo, redo = self.actions_set["undo"], self.actions_set["redo"]
        undo.setEnabled(stack.canUndo())
        redo.setEnabled(stack.canRedo())
        for action, text in ((undo, stack.undoText()), (redo, stack.redoText())):
            if text:
                named = self.tr("Undo: {what}") if action is undo else self.tr("Redo: {what}")
                action.setText(named.format(what=text))
            else:
                action.setText(self.tr("Undo") if action is undo else self.tr("Redo"))

    def _analysed(self, topics: frozenset[str]) -> None:
        if topics & {"findings", "status"}:
            self.bar.refresh()
            counts = self.context.analysis.counts()
            self.docks.tabs.counts["problems"] = counts["error"] + counts["warning"] + counts["info"]
            self.docks.tabs.retranslate()

    def _canvas_zoomed(self, zoom: float) -> None:
        """The tool bar shows the zoom of the view in front."""
        if self.views.current == CANVAS:
            self.bar.zoom.set_zoom(zoom)

    def say(self, message: Message | str, severity: str = "info") -> None:
        """A sentence in the status line; the status panel shows it when there is one."""
        shown = getattr(self.status, "say", None)
        if callable(shown):
            return  # the panel listens to the context itself
        self.statusBar().showMessage(text_of(message), 8000 if severity != "error" else 15000)

    def _themed(self, _theme: object) -> None:
        self.context.set_theme(theme().name)

    def set_language(self, code: str) -> None:
        """Switch everything live."""
        app = QApplication.instance()
        if app is not None and code in LANGUAGES:
            install_language(app, code)
            self.context.set_language(code)
            self.session.put("view/language", code)
            self._retranslate()

    def set_theme(self, mode: str) -> None:
        """light, dark or system."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, mode)
            self.session.put("view/theme", mode)
            if self._finished:
                self.commands.check_modes(theme_mode())

    def _retranslate(self) -> None:
        self._menu_texts()
        self._name_beginning()
        from fabricwright.ui.undo import PatchCommand

        stack = self.document.undo_stack
        for command in (stack.command(n) for n in range(stack.count())):
            if isinstance(command, PatchCommand):
                command.retranslate()
        self.history.viewport().update()
        self.docks.retranslate()
        self.bar.refresh()
        self.bar.language.set_current(self.context.language)
        self._refresh_title()
        self._refresh_undo()

    def changeEvent(self, event: QEvent) -> None:
        """Qt tells of a language switch from outside, too."""
        if event.type() == QEvent.Type.LanguageChange and getattr(self, "_finished", False):
            self._retranslate()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On small windows the panels below give way first."""
        super().resizeEvent(event)
        self._place_welcome()
        if self.palette_box is not None and self.palette_box.isVisible():
            self.palette_box.place()
        old = event.oldSize()
        if (
            getattr(self, "_finished", False)
            and old.isValid()
            and any((old.width() < edge) != (event.size().width() < edge) for edge in (1400, NARROW_PX))
        ):
            self.docks.resize()

    # -- the first page ---------------------------------------------------------------------------------------------

    def show_welcome(self) -> None:
        """The page to begin from, over everything below the menus, until a project is opened or made."""
        if self.welcome is None:
            from fabricwright.ui.welcome.page import WelcomePage

            page = self.welcome = WelcomePage(self.actions_set, self.session, self)
            page.template_chosen.connect(lambda name: self.commands.start_template(name))
            page.file_chosen.connect(lambda path: self.commands.start_file(path))
            page.language_chosen.connect(self.set_language)
            page.theme_chosen.connect(self.set_theme)
            page.recovered.connect(lambda left, answer: self.commands.answer_recovered(left, answer))
            if self.safekeeping is not None:
                page.show_recovered(self.safekeeping.recovered)
            self.document.project_changed.connect(lambda patch: self.hide_welcome() if patch is None else None)
        self.welcome.refresh()
        self._place_welcome()
        self.welcome.show()
        self.welcome.raise_()
        self.welcome.setFocus()

    def hide_welcome(self) -> None:
        """Back to the sheet."""
        if self.welcome is not None and self.welcome.isVisibleTo(self):
            self.welcome.hide()
            if self._finished:
                self.canvas.view.setFocus()

    def _place_welcome(self) -> None:
        if self.welcome is not None:
            top = self.menuBar().height() if not self.menuBar().isNativeMenuBar() else 0
            self.welcome.setGeometry(0, top, self.width(), self.height() - top)

    # -- leaving ----------------------------------------------------------------------------------------------------

    def may_leave(self, ask: Callable[[MainWindow, str], str] | None = None) -> bool:
        """Ask about unsaved changes; False when the person wants to stay, or saving failed."""
        if not self.document.modified:
            return True
        from fabricwright.ui import dialogs

        name = self.document.file.name if self.document.file else self.context.project.title or self.tr("Untitled")
        answer = (ask or dialogs.ask_unsaved)(self, name)
        if answer == "save":
            return self.commands.save()
        return answer == "discard"

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask, remember the window, stop the worker."""
        if not self.may_leave():
            event.ignore()
            return
        if self._finished:
            self.commands.docks_back()
        self.session.save_window(self)
        if self._finished:
            self.commands.stop_worker()
        if self.safekeeping is not None:
            self.safekeeping.stop()
            self.safekeeping = None
        super().closeEvent(event)
