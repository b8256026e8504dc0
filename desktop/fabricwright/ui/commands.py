"""What the commands of the action table do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QCoreApplication, QMimeData, QObject, QPointF
from PySide6.QtGui import QGuiApplication, QKeySequence

from fabricwright.design.values import Design, Note, Project, Sheet
from fabricwright.ui import dialogs
from fabricwright.ui.theme import theme_mode
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

CLIP_MIME = "application/x-fabricwright-rows"
DOCKS = {
    "toggle-palette": "palette",
    "toggle-inspector": "inspector",
    "toggle-problems": "problems",
    "toggle-performance": "performance",
}
TABS = {"toggle-outline": "outline", "toggle-history": "history"}
#: Commands of later issues: shown, so that people find them, but grey.
NOT_YET = (
    "group",
    "ungroup",
    "link-selection",
    "settings",
    "help",
    "find",
    "align-left",
    "align-right",
    "align-top",
    "align-bottom",
    "distribute-horizontally",
    "distribute-vertically",
    "approve-problem",
    "fix-problem",
    "stop-analysis",
)


def blank_project() -> Project:
    """One design with an empty fabric sheet."""
    return Project(designs=Table({"main": Design("", sheets=Table({"fabric": Sheet("fabric")}))}))


class Commands(QObject):
    """Connects every action of a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.context = window.context
        self.document = window.document
        self.actions = window.actions_set
        self.worker: Any = None
        view, tool = window.canvas.view, window.canvas.tool
        connect = self.actions.connect_to
        for name, slot in {
            "new": self.new,
            "new-from-template": self.new_from_template,
            "open": self.open,
            "save": self.save,
            "save-as": self.save_as,
            "close": self.new,
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
            "properties": lambda: self.show_dock("inspector"),
            "select-all": self.select_all,
            "command-palette": self.search,
            "place-part": self.search,
            "cancel": tool.escape,
            "zoom-in": lambda: view.zoom_by(1.25),
            "zoom-out": lambda: view.zoom_by(0.8),
            "zoom-100": lambda: view.zoom_to(1.0),
            "fit": lambda: view.fit(animate=True),
            "zoom-selection": view.fit_selection,
            "enter": self.enter,
            "up": self.up,
            "next-part": lambda: tool.next_part(1),
            "previous-part": lambda: tool.next_part(-1),
            "add-note": self.add_note,
            "auto-layout": self.tidy,
            "check-now": self.restart_worker,
            "analyse-now": self.restart_worker,
            "restart-worker": self.restart_worker,
            "next-problem": lambda: self.problem(1),
            "prev-problem": lambda: self.problem(-1),
            "export-diagram": self.export_diagram,
            "export-bom": self.export_bom,
            "export-cables": self.export_cables,
            "export-predictions": self.export_predictions,
            "reset-layout": window.docks.arrange,
            "shortcuts": self.shortcuts,
            "about": self.about,
        }.items():
            connect(name, slot)
        for name, mode in (("select-mode", "select"), ("link-mode", "link")):
            connect(name, lambda _on, m=mode: tool.set_mode(m))
        for mode in ("light", "dark", "system"):
            connect(f"theme-{mode}", lambda _on, m=mode: window.set_theme(m))
        for code in ("en", "zh_CN"):
            connect(f"language-{code}", lambda _on, c=code: window.set_language(c))
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
        tool.mode_changed.connect(self._mode)
        self.context.heat_changed.connect(lambda *_: self.actions["toggle-heatmap"].setChecked(self.context.heat_on))
        for name, on in (
            ("select-mode", True),
            ("toggle-grid", True),
            ("toggle-minimap", True),
            ("toggle-legend", True),
        ):
            self.actions[name].setChecked(on)
        self.check_modes(theme_mode())

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
        stored = any(i in row.items or i in row.links or i in row.notes for i in self.context.selection)
        deletable = stored or any(i in self.context.eff.items for i in self.context.selection)
        self.actions.set_enabled(("rename", "properties", "zoom-selection"), chosen)
        self.actions.set_enabled(("cut", "copy", "duplicate"), stored)
        self.actions.set_enabled(("delete",), deletable)
        self.actions.set_enabled(("up",), self.context.sheet != self.context.design_row.root)

    # -- files ------------------------------------------------------------------------------------------------------

    def new(self) -> None:
        """An empty project."""
        if self.window.may_leave():
            self.document.replace(blank_project())

    def new_from_template(self) -> None:
        """One of the templates."""
        if not self.window.may_leave():
            return
        wanted = dialogs.ask_template(self.window)
        if wanted is not None:
            from fabricwright.design.templates import TEMPLATES

            self.document.replace(TEMPLATES[wanted].build())

    def open(self) -> None:
        """Ask for a file and open it."""
        if not self.window.may_leave():
            return
        folder = str(self.document.file.parent) if self.document.file else self.window.session.text("files/folder")
        path = dialogs.ask_open(self.window, folder)
        if path is not None:
            self._load(path)

    def open_path(self, path: Path) -> bool:
        """Open a file after asking about unsaved changes."""
        return self.window.may_leave() and self._load(path)

    def _load(self, path: Path) -> bool:
        try:
            self.document.open(path)
        except UserError as error:
            dialogs.show_problem(self.window, error.message)
            return False
        self.window.session.add_recent(path)
        self.window.session.put("files/folder", str(path.parent))
        return True

    def save(self) -> bool:
        """Save; asks for a name when there is none. True when it is on disk."""
        if self.document.file is None:
            return self.save_as()
        return self._write(self.document.file)

    def save_as(self) -> bool:
        """Save under another name."""
        start = str(
            self.document.file
            or Path(self.window.session.text("files/folder")) / f"{self.context.project.title or 'project'}.fwproj"
        )
        path = dialogs.ask_save(self.window, start)
        return path is not None and self._write(path)

    def _write(self, path: Path) -> bool:
        try:
            self.document.save(path)
        except UserError as error:
            dialogs.show_problem(self.window, error.message)
            return False
        self.window.session.add_recent(path)
        self.window.session.put("files/folder", str(path.parent))
        self.context.say(msg("Saved to {file}.", file=path.name))
        return True

    # -- editing ----------------------------------------------------------------------------------------------------

    def copy(self) -> bool:
        """Rows of the selection to the clipboard; True when there were some."""
        clip = self.window.canvas.tool.copy_clip()
        if clip is None:
            return False
        data = QMimeData()
        text = json.dumps(clip, ensure_ascii=False)
        data.setData(CLIP_MIME, QByteArray(text.encode("utf-8")))
        data.setText(text)
        QGuiApplication.clipboard().setMimeData(data)
        return True

    def cut(self) -> None:
        """Copy, then delete."""
        if self.copy():
            self.delete()

    def clip(self) -> dict[str, Any] | None:
        """What the clipboard holds, if it is ours."""
        data = QGuiApplication.clipboard().mimeData()
        if data is None:
            return None
        raw = bytes(data.data(CLIP_MIME).data()) if data.hasFormat(CLIP_MIME) else data.text().encode("utf-8")
        try:
            clip = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        return clip if isinstance(clip, dict) and str(clip.get("format", "")).startswith("fabricwright") else None

    def paste(self, *, in_place: bool = False) -> None:
        """At the pointer when it is over the sheet, else beside the original."""
        clip = self.clip()
        if clip is None:
            self.context.say(msg("The clipboard holds no parts of a Fabricwright sheet."), "warning")
            return
        view = self.window.canvas.view
        at: tuple[float, float] | None = None
        if not in_place and view.underMouse():
            where: QPointF = view.mapToScene(view.viewport().mapFromGlobal(view.cursor().pos()))
            at = (round(where.x() / 10) * 10.0, round(where.y() / 10) * 10.0)
        self.window.canvas.tool.paste_clip(clip, at)

    def duplicate(self) -> None:
        """A copy beside the selection."""
        clip = self.window.canvas.tool.copy_clip()
        if clip is not None:
            self.window.canvas.tool.paste_clip(clip, None)

    def delete(self) -> None:
        """Remove the selected rows and what hangs on them."""
        eff = self.context.eff
        row = self.context.sheet_row
        ids = [
            i
            for i in self.context.selection
            if i in eff.items or i in row.links or i in row.notes or i in eff.builtin_links
        ]
        ids = [i for i in ids if "/" not in i and i not in eff.builtin_links]
        if ids:
            self.context.edit("remove", ids=ids)

    def rename(self) -> None:
        """Inline editor on the first selected row."""
        if self.context.selection:
            self.window.canvas.rename(self.context.selection[0])

    def select_all(self) -> None:
        """Every row on the sheet."""
        row = self.context.sheet_row
        self.document.select([*self.context.eff.items, *row.links, *row.notes])

    def add_note(self) -> None:
        """A note in the middle of the view."""
        from fabricwright.design.edits.places import fresh_id, ids_of
        from fabricwright.design.patch import PatchBuilder

        centre = self.window.canvas.view.centre()
        builder = PatchBuilder(self.context.project)
        note_id = fresh_id("note", ids_of(self.context.sheet_row))
        note = Note(QCoreApplication.translate("Commands", "Note"), (round(centre.x() / 10) * 10.0, round(centre.y() / 10) * 10.0))
        builder.set(("designs", self.context.design, "sheets", self.context.sheet, "notes", note_id), note)
        self.document.push(builder.patch("Add note"))
        self.document.select([note_id])

    def tidy(self) -> None:
        """Forget hand-made positions: the automatic layout places everything."""
        from fabricwright.design.patch import PatchBuilder

        builder = PatchBuilder(self.context.project)
        for row_id, look in self.context.sheet_row.look.items():
            if look.xy:
                builder.remove(("designs", self.context.design, "sheets", self.context.sheet, "look", row_id))
        self.document.push(builder.patch("Tidy up"))
        self.window.canvas.view.fit(animate=True)

    # -- view -------------------------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Drop the part that is held, else open the sheet behind the first selected row."""
        if self.window.canvas.tool.accept():
            return
        for row in self.context.selection[:1]:
            self.window.canvas.tool.enter(row, self.document.members.get(row))

    def up(self) -> None:
        """Back to the fabric sheet, with the server selected."""
        host = self.context.host
        self.context.open_sheet(self.context.design_row.root, "")
        if host:
            self.document.select([host])

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

    def search(self) -> None:
        """The search field of the parts."""
        self.show_dock("palette")
        panel = self.window.docks.panels.get("palette")
        focus = getattr(panel, "focus_search", None)
        if callable(focus):
            focus()
        elif panel is not None:
            panel.setFocus()

    def problem(self, step: int) -> None:
        """Next or previous problem."""
        panel = self.window.docks.panels.get("problems")
        move = getattr(panel, "step", None)
        if callable(move):
            move(step)

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

    def export_diagram(self) -> None:
        """The open sheet as SVG, PDF or PNG."""
        from fabricwright.ui.exports import export_diagram

        export_diagram(self.window)

    def export_bom(self) -> None:
        """Bill of materials as CSV or JSON."""
        from fabricwright.ui.exports import export_table

        export_table(self.window, "bom")

    def export_cables(self) -> None:
        """Cable schedule as CSV or JSON."""
        from fabricwright.ui.exports import export_table

        export_table(self.window, "cables")

    def export_predictions(self) -> None:
        """The prediction shown, as JSON."""
        from fabricwright.ui.exports import export_predictions

        export_predictions(self.window)

    def shortcuts(self) -> None:
        """List of all keys."""
        rows = []
        for name in self.actions:
            action = self.actions[name]
            keys = [k.toString(QKeySequence.SequenceFormat.NativeText) for k in action.shortcuts()]
            if keys:
                rows.append((action.text().replace("&", ""), ", ".join(keys)))
        dialogs.show_shortcuts(self.window, rows)

    def about(self) -> None:
        """Name and version."""
        from fabricwright import __version__

        dialogs.show_about(self.window, __version__)
