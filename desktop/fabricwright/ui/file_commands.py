"""New, open, save: everything that replaces or writes the project."""

from __future__ import annotations

from pathlib import Path

from fabricwright.design.blank import blank_project
from fabricwright.design.locks import Holder
from fabricwright.ui import dialogs, storage_dialogs
from fabricwright.ui.command_base import CommandGroup
from fabricwright.ui.document import ChangedElsewhereError
from fabricwright.ui.exports import named_as
from fabricwright.ui.i18n import current_language
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


class FileCommands(CommandGroup):
    """Commands of the file menu."""

    def new(self) -> None:
        """An empty project."""
        if self.window.may_leave():
            self.document.replace(blank_project())
            self.window.commands.open_on()

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

            self.window.commands.take_template(TEMPLATES[wanted].build(current_language()))

    def open(self) -> None:
        """Ask for a file and open it."""
        if not self.window.may_leave():
            return
        folder = str(self.document.file.parent) if self.document.file else str(self.window.session.folder())
        path = dialogs.ask_open(self.window, folder)
        if path is not None:
            self._load(path)

    def open_path(self, path: Path) -> bool:
        """Open a file after asking about unsaved changes."""
        return self.window.may_leave() and self._load(path)

    def _load(self, path: Path) -> bool:
        kept = self.window.safekeeping
        holder = kept.claim(path) if kept is not None and path.exists() else None
        try:
            if holder is None:
                self.document.open(path)
            elif not self.window.commands.open_held(path, holder):
                return False
        except UserError as error:
            if kept is not None:
                kept.unclaim()
            dialogs.show_problem(self.window, error.message)
            return False
        self.window.session.add_recent(path)
        self.window.session.put("files/folder", str(path.parent))
        self.window.commands.open_on()
        if not self.document.read_only:
            self.window.commands.offer(self.document.file)
        return True

    def save(self) -> bool:
        """Save; asks for a name when there is none. True when it is on disk."""
        if self.document.file is None or self.document.read_only:
            return self.save_as()
        return self._write(self.document.file)

    def save_as(self) -> bool:
        """Save under another name."""
        file = self.document.file
        if file is None:
            file = self.window.session.folder() / f"{named_as(self.context.project.title)}.fwproj"
        elif self.document.read_only:  # the name that may not be written is not offered
            file = file.with_stem(self.tr("{name} (copy)").format(name=file.stem))
        path = dialogs.ask_save(self.window, str(file))
        if path is None:
            return False
        holder = self._other_holder(path)
        if holder is not None and not storage_dialogs.ask_save_held(self.window, path.name, holder):
            return False
        return self._write(path)

    def _other_holder(self, path: Path) -> Holder | None:
        """Who else has a file open that is about to be written."""
        kept = self.window.safekeeping
        if kept is None or not path.exists():
            return None
        found = kept.claim(path)
        kept.unclaim()
        return found

    def _write(self, path: Path, overwrite: bool = False) -> bool:
        """Save; whatever is in the way, the person chooses, and the work stays open."""
        while True:
            try:
                self.document.save(path, overwrite=overwrite)
                break
            except ChangedElsewhereError:
                answer = storage_dialogs.ask_changed(self.window, path.name)
                overwrite = answer == "overwrite"
                if answer == "compare":
                    self.window.commands.compare_with_disk()
            except UserError as error:
                answer = storage_dialogs.ask_not_written(self.window, error.message)
            if answer == "elsewhere":
                return self.save_as()
            if answer not in ("overwrite", "retry"):
                return False
        self.window.session.add_recent(path)
        self.window.session.put("files/folder", str(path.parent))
        self.context.say(msg("Saved to {file}.", file=path.name))
        return True
