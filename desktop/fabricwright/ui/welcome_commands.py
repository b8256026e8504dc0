"""Commands of the first page: show it, begin from nothing, from requirements, or with the tour."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path

from fabricwright.design.values import Project
from fabricwright.ui import dialogs
from fabricwright.ui.command_base import CommandGroup
from fabricwright.ui.i18n import current_language

#: Module of the wizard: ``start(window)`` asks for the requirements and opens what it sized.
WIZARD = "fabricwright.ui.sizing"


class WelcomeCommands(CommandGroup):
    """``welcome``, ``new.requirements``, ``new-server``, ``tour``; and what is remembered of files."""

    def connect_welcome(self) -> None:
        """Connect the actions."""
        connect = self.actions.connect_to
        connect("welcome", self.window.show_welcome)
        connect("new-server", self.new_server)
        connect("new.requirements", self.new_from_requirements)
        connect("size-network", lambda: self.new_from_requirements(add=True))
        connect("tour", self.tour)
        self.actions.set_enabled(("tour-next", "tour-back", "tour-skip"), False)
        self.context.analysis.changed.connect(self._analysed)
        self.document.file_changed.connect(self._file_changed)

    def new_from_requirements(self, *, add: bool = False) -> None:
        """The sizing wizard, where this build has it; ``add`` its designs to the open project."""
        if importlib.util.find_spec(WIZARD) is not None:
            importlib.import_module(WIZARD).start(self.window, add=add)

    def start_template(self, template: str) -> None:
        """A project from a template, after asking about unsaved changes."""
        from fabricwright.design.templates import TEMPLATES

        if self.window.may_leave():
            self.take_template(TEMPLATES[template].build(current_language()))

    def take_template(self, project: Project) -> None:
        """What a template made, as its picture shows it: of one server alone the inside."""
        self.document.replace(project)
        self._shown()
        context = self.context
        items = list(context.sheet_row.items.values())
        inside = (items[0].of or "") if len(items) == 1 else ""
        if inside.startswith("sheet:") and context.sheet == context.design_row.root:
            context.open_sheet(inside[6:])

    def start_file(self, path: Path) -> None:
        """A file of the list."""
        self.window.commands.open_path(path)

    def new_server(self) -> None:
        """A project of one server with empty slots, and its sheet open."""
        from fabricwright.design.blank import blank_project

        if not self.window.may_leave():
            return
        part = dialogs.ask_chassis(self.window)
        if not part:
            return
        from fabricwright.design.calls import EditCall
        from fabricwright.design.edits import run
        from fabricwright.design.patch import apply

        blank = blank_project()
        call = EditCall("add_item", {"design": "main", "sheet": "fabric", "part": part, "lang": current_language()})
        self.take_template(apply(blank, run(blank, call)))

    def _shown(self) -> None:
        """Back to the drawing, whatever view was open before."""
        shown = getattr(self.window.commands, "open_on", None)
        if callable(shown):
            shown()

    def tour(self) -> None:
        """The guided tour, on its own sample."""
        from fabricwright.ui.tour.guide import start_tour

        if self.window.may_leave():
            start_tour(self.window)

    # -- what is remembered of files --------------------------------------------------------------------------------

    def _file_changed(self) -> None:
        """A file was opened or saved: its title, and its picture when there is a moment."""
        from PySide6.QtCore import QTimer

        from fabricwright.ui.welcome.recents import now, remember

        path = self.document.file
        if path is not None:
            remember(self.window.session, path, title=self.context.project.title, opened=now())
            QTimer.singleShot(200, self, self._keep_picture)

    def _keep_picture(self) -> None:
        from fabricwright.ui.welcome.thumbnails import FileThumbnails, scene_of

        path = self.document.file
        if path is None:
            return
        kept = FileThumbnails(self.window.session.settings.fileName())
        kept.keep(path.resolve(), scene_of(self.context.project, self.context.language))
        kept.forget([p.resolve() for p in self.window.session.recent()])

    def _analysed(self, topics: frozenset[str]) -> None:
        """Counts of the file as it is on disk: not those of changes that may be thrown away."""
        path, analysis = self.document.file, self.context.analysis
        if path is None or self.document.modified or analysis.status != "idle" or "status" not in topics:
            return
        from fabricwright.ui.welcome.recents import remember

        counts, figures = analysis.counts(), analysis.figures
        if figures:
            remember(
                self.window.session,
                path,
                servers=int(figures.get("servers", -1)),
                switches=int(figures.get("switches", -1)),
                errors=int(counts.get("error", 0)),
                warnings=int(counts.get("warning", 0)),
            )
