"""New, open, save: everything that replaces or writes the project."""

from __future__ import annotations

from pathlib import Path

from fabricwright.design.values import Design, Project, Sheet
from fabricwright.ui import dialogs
from fabricwright.ui.command_base import CommandGroup
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg


def blank_project() -> Project:
    """One design with an empty fabric sheet."""
    return Project(designs=Table({"main": Design("", sheets=Table({"fabric": Sheet("fabric")}))}))


class FileCommands(CommandGroup):
    """Commands of the file menu."""

    def new(self) -> None:
        """An empty project."""
        if self.window.may_leave():
            self.document.replace(blank_project())

    def close_project(self) -> None:
        """Put the project away and show the first page."""
        if self.window.may_leave():
            self.document.replace(blank_project())
            self.window.show_welcome()

    def new_from_template(self) -> None:
        """One of the templates."""
        if not self.window.may_leave():
            return
        wanted = dialogs.ask_template(self.window)
        if wanted is not None:
            from fabricwright.design.templates import TEMPLATES

            self.document.replace(TEMPLATES[wanted].build())
            self.window.commands.open_on()

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
        self.window.commands.open_on()
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
