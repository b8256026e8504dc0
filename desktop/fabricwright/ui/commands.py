"""What the commands of the action table do."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from fabricwright.ui import dialogs
from fabricwright.ui.arrange_commands import ArrangeCommands
from fabricwright.ui.edit_commands import EditCommands
from fabricwright.ui.file_commands import FileCommands
from fabricwright.ui.guide_commands import GuideCommands
from fabricwright.ui.navigation_commands import NavigationCommands
from fabricwright.ui.own_part_commands import OwnPartCommands
from fabricwright.ui.storage_commands import StorageCommands
from fabricwright.ui.theme import theme_mode
from fabricwright.ui.view_commands import ViewCommands
from fabricwright.ui.welcome_commands import WIZARD, WelcomeCommands
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

DOCKS = {
    "toggle-palette": "palette",
    "toggle-inspector": "inspector",
    "toggle-problems": "problems",
    "toggle-performance": "performance",
}
TABS = {f"toggle-{tab}": tab for tab in ("outline", "history", "statements", "paths", "training")}
NUDGES = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
#: Commands of later issues: shown, so that people find them, but grey.
NOT_YET = ("stop-analysis",)


class Commands(
    FileCommands,
    EditCommands,
    ArrangeCommands,
    NavigationCommands,
    OwnPartCommands,
    ViewCommands,
    WelcomeCommands,
    StorageCommands,
    GuideCommands,
):
    """Connects every action of a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.worker: Any = None
        view, tool = window.canvas.view, window.canvas.tool
        connect = self.actions.connect_to
        for name, slot in {
            "new": self.new,
            "new-from-template": self.new_from_template,
            "open": self.open,
            "save": self.save,
            "save-as": self.save_as,
            "close": self.close_project,
            "quit": window.close,
            "undo": self.document.undo,
            "redo": self.document.redo,
            "cut": self.cut,
            "copy": self.copy,
            "paste": self.paste,
            "paste-in-place": lambda: self.paste(in_place=True),
            "duplicate": self.duplicate,
            "delete": self.delete,
            "rename": self.rename,
            "group-size": self.group_size,
            "expand-group": self.expand_group,
            "properties": lambda: self.show_dock("inspector"),
            "select-all": self.select_all,
            "search-parts": self.search,
            "cancel": tool.escape,
            "zoom-in": lambda: window.views.zoomed().zoom_by(1.25),
            "zoom-out": lambda: window.views.zoomed().zoom_by(0.8),
            "zoom-100": lambda: window.views.zoomed().zoom_to(1.0),
            "fit": lambda: window.views.zoomed().fit(animate=True),
            "zoom-selection": lambda: window.views.zoomed().fit_selection(),
            "next-part": lambda: tool.next_part(1),
            "previous-part": lambda: tool.next_part(-1),
            "add-note": self.add_note,
            "add-frame": self.add_frame,
            "add-picture": self.add_picture,
            "insert-block": self.insert_block,
            "save-block": self.save_block,
            "replace-part": self.replace_part,
            "add-statement": self.add_statement,
            "auto-layout": self.tidy,
            "check-now": self.restart_worker,
            "analyse-now": self.restart_worker,
            "restart-worker": self.restart_worker,
            "next-problem": lambda: self.problem(1),
            "prev-problem": lambda: self.problem(-1),
            "fix-problem": lambda: self.settle_problem("fix"),
            "fix-all-problems": lambda: self.settle_problem("fix_kind"),
            "approve-problem": lambda: self.settle_problem("approve"),
            "export-all": self.export_all,
            "export-report": self.export_report,
            "export-diagram": self.export_diagram,
            "export-bom": self.export_bom,
            "export-cables": self.export_cables,
            "export-labels": lambda: self.export_table("labels"),
            "export-slots": lambda: self.export_table("slots"),
            "export-racks": lambda: self.export_table("racks"),
            "export-settings": self.export_settings,
            "import-prices": self.import_prices,
            "export-predictions": self.export_predictions,
            "reset-layout": window.docks.arrange,
            "shortcuts": self.shortcuts,
            "settings": self.settings,
            "project-properties": self.project_properties,
            "diagnostics": self.diagnostics,
            "about": self.about,
        }.items():
            connect(name, slot)
        self.connect_navigation()
        self.connect_own_parts()
        self.connect_arrange()
        self.connect_views()
        self.connect_welcome()
        self.connect_storage()
        self.connect_guide()
        for name, mode in (("select-mode", "select"), ("link-mode", "link")):
            connect(name, lambda _on, m=mode: tool.set_mode(m))
        for way, (dx, dy) in NUDGES.items():
            connect(f"nudge-{way}", lambda x=dx, y=dy: tool.nudge_or_pan(x, y))
            connect(f"nudge-{way}-far", lambda x=dx, y=dy: tool.nudge_or_pan(x, y, far=True))
        for mode in ("light", "dark", "system"):
            connect(f"theme-{mode}", lambda _on, m=mode: window.set_theme(m))
        for code in ("en", "zh_CN"):
            connect(f"language-{code}", lambda _on, c=code: window.set_language(c))
        self.document.project_changed.connect(lambda _patch: self.refresh_enabled())
        self.context.part_wanted.connect(lambda _part: self.show_dock("palette"))
        self.context.problem_wanted.connect(lambda _key: self.show_dock("problems", "problems"))
        connect("toggle-heatmap", self.heat)
        connect("toggle-grid", self.grid)
        connect("toggle-minimap", self.minimap)
        connect("toggle-legend", self.legend)
        connect("full-screen", lambda on: window.showFullScreen() if on else window.showNormal())
        for name, dock in DOCKS.items():
            connect(name, lambda on, d=dock: window.docks.all[d].setVisible(on))
            window.docks.all[dock].visibilityChanged.connect(lambda on, n=name: self._dock_seen(n, on))
        for name, tab in TABS.items():
            connect(name, lambda _on, t=tab: self.show_dock("problems", t))
        self.actions.set_enabled(NOT_YET, False)
        self.actions.set_enabled(("new.requirements",), find_spec(WIZARD) is not None)
        tool.mode_changed.connect(self._mode)
        tool.cables_asked.connect(self.show_cables)
        self.context.heat_changed.connect(lambda *_: self.actions["toggle-heatmap"].setChecked(self.context.heat_on))
        for name, on in (
            ("select-mode", True),
            ("toggle-grid", True),
            ("toggle-minimap", True),
            ("toggle-legend", True),
        ):
            self.actions[name].setChecked(on)
        self.check_modes(theme_mode())
        view.wheel_zooms = window.session.flag("mouse/wheel_zooms", False)

    def _dock_seen(self, name: str, _on: bool) -> None:
        self.actions[name].setChecked(not self.window.docks.all[DOCKS[name]].isHidden())

    def check_modes(self, mode: str) -> None:
        """Marks in the theme and language menus."""
        if f"theme-{mode}" in self.actions:
            self.actions[f"theme-{mode}"].setChecked(True)
        self.actions[f"language-{self.context.language}"].setChecked(True)

    def _mode(self, mode: str) -> None:
        self.actions[f"{mode}-mode"].setChecked(True)

    def panels_ready(self) -> None:
        """The panels exist now."""
        for name in DOCKS:
            self.actions[name].setChecked(not self.window.docks.all[DOCKS[name]].isHidden())

    def refresh_enabled(self) -> None:
        """Commands that need a selection, a server or an enclosing sheet."""
        chosen = bool(self.context.selection)
        row = self.context.sheet_row
        stored = any(
            i in row.items or i in row.links or i in row.notes or i in row.frames or i in row.pictures
            for i in self.context.selection
        )
        deletable = stored or any(i in self.context.eff.items for i in self.context.selection)
        self.actions.set_enabled(("rename", "properties", "zoom-selection"), chosen)
        self.actions.set_enabled(("cut", "copy", "duplicate"), stored)
        self.actions.set_enabled(("delete",), deletable)
        self.actions.set_enabled(
            ("group-size", "expand-group"), row.kind == "fabric" and any(i in row.items for i in self.context.selection)
        )
        self.refresh_arrange()
        self.actions.set_enabled(("up",), self.context.sheet != self.context.design_row.root)

    # -- view -------------------------------------------------------------------------------------------------------

    def heat(self, on: bool) -> None:
        """Load colours on or off."""
        analysis = self.context.analysis
        self.context.set_heat(analysis.collective if on else "", int(analysis.size_bytes) if on else None)

    def grid(self, on: bool) -> None:
        """Dots."""
        self.window.canvas.view.state.grid = on
        self.window.canvas.view.refresh()

    def minimap(self, on: bool) -> None:
        """Overview box."""
        self.window.canvas.overlays.minimap_on = on
        self.window.canvas.overlays.arrange()

    def legend(self, on: bool) -> None:
        """Legend box."""
        self.window.canvas.overlays.legend_on = on
        self.window.canvas.overlays.arrange()

    def show_dock(self, name: str, tab: str = "") -> None:
        """Bring a panel into sight."""
        dock = self.window.docks.all[name]
        dock.show()
        if tab or name == "problems":
            self.window.docks.tabs.show_panel(tab or "problems")

    def show_cables(self, link: str) -> None:
        """The single cables of a bundle, in the inspector."""
        from fabricwright.ui.panels.inspector_cables import fold_title

        self.context.open_folds.add(fold_title())
        self.show_dock("inspector")
        self.document.select(())
        self.document.select([link])

    def search(self) -> None:
        """The search field of the panel of parts."""
        self.show_dock("palette")
        panel = self.window.docks.panels.get("palette")
        focus = getattr(panel, "focus_search", None)
        if callable(focus):
            focus()
        elif panel is not None:
            panel.setFocus()

    def add_statement(self) -> None:
        """A new row in the table of statements, about what is selected."""
        self.show_dock("problems", "statements")
        panel = self.window.docks.panels.get("statements")
        add = getattr(panel, "add", None)
        if callable(add):
            add()

    def problem(self, step: int) -> None:
        """Next or previous problem; the list comes to the front where its dock is open."""
        panel = self.window.docks.panels.get("problems")
        self.window.docks.tabs.show_panel("problems")
        move = getattr(panel, "step", None)
        if callable(move):
            move(step)

    def settle_problem(self, verb: str) -> None:
        """``fix``, ``fix_kind`` or ``approve`` the problem that is chosen in the list; says so when none is."""
        self.show_dock("problems", "problems")
        panel = self.window.docks.panels.get("problems")
        settle = getattr(panel, f"{verb}_chosen", None)
        if callable(settle) and not settle():
            said = {
                "fix": msg("Choose a problem that has a fix in the list first."),
                "fix_kind": msg("Choose a problem that has a fix in the list first."),
                "approve": msg("Choose a problem in the list first."),
            }
            nothing = not getattr(panel, "anything", True)
            self.context.say(msg("There are no problems.") if nothing else said[verb], "info" if nothing else "warning")

    # -- worker -----------------------------------------------------------------------------------------------------

    def start_worker(self) -> None:
        """Start the analysis process."""
        from fabricwright.ui.worker_client import AnalysisWorker

        self.worker = AnalysisWorker(self.context, self)
        self.worker.start()

    def restart_worker(self) -> None:
        """Compute everything anew."""
        if self.worker is not None:
            self.worker.restart()
        else:
            self.start_worker()

    def stop_worker(self) -> None:
        """End the analysis process."""
        if self.worker is not None:
            self.worker.stop()

    # -- out --------------------------------------------------------------------------------------------------------

    def export_all(self) -> None:
        """All output jobs into one folder."""
        from fabricwright.ui.export.pack_dialog import export_pack

        export_pack(self.window)

    def export_diagram(self) -> None:
        """The open sheet as SVG, PDF or PNG."""
        from fabricwright.ui.exports import export_diagram

        export_diagram(self.window)

    def export_report(self, design: str = "") -> None:
        """The design report, in one language or both."""
        from fabricwright.ui.export.report_dialog import export_report

        export_report(self.window, design)

    def export_bom(self) -> None:
        """Bill of materials as a file."""
        self.export_table("bom")

    def export_cables(self) -> None:
        """Cable schedule as a file."""
        self.export_table("cables")

    def export_settings(self) -> None:
        """Settings of switches, NICs and NCCL."""
        from fabricwright.ui.health.export_dialog import export_settings

        export_settings(self.window)

    def export_table(self, what: str) -> None:
        """A table, or the labels of the cables, as a file."""
        from fabricwright.ui.exports import export_table

        export_table(self.window, what)

    def import_prices(self) -> None:
        """Take prices from a supplier's list."""
        from fabricwright.ui.prices.import_dialog import import_prices

        import_prices(self.window, self.context)

    def export_predictions(self) -> None:
        """The prediction shown, as JSON."""
        from fabricwright.ui.exports import export_predictions

        export_predictions(self.window)

    def project_properties(self) -> None:
        """Title block, prices and the look of reports."""
        from fabricwright.ui.project_dialog import show_properties

        show_properties(self.window)

    def shortcuts(self) -> None:
        """The sheet of all keys and gestures, where keys can be changed."""
        from fabricwright.ui.shortcuts.dialog import ShortcutDialog

        dialog = ShortcutDialog(self.actions, self.window)
        dialog.exec()
        dialog.deleteLater()

    def settings(self) -> None:
        """Appearance, language, mouse and keys."""
        from fabricwright.ui.settings_dialog import show_settings

        show_settings(self.window)

    def diagnostics(self) -> None:
        """A file for those who mend the program, with nothing of the project in it."""
        from fabricwright.ui.faults.dialog import FaultDialog

        FaultDialog(self.window).exec()

    def about(self) -> None:
        """Name and version."""
        from fabricwright import __version__

        dialogs.show_about(self.window, __version__)
