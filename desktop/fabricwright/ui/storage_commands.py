"""Commands about what is kept: unsaved work found, versions of the project, a file that somebody else has."""

from __future__ import annotations

import getpass
from pathlib import Path

from fabricwright.design import storage
from fabricwright.design.journal_writer import now_text
from fabricwright.design.locks import Holder
from fabricwright.design.recovery import Found
from fabricwright.design.snapshots import snapshot_project
from fabricwright.ui import dialogs, storage_dialogs
from fabricwright.ui.command_base import CommandGroup
from fabricwright.ui.compare.head import Choice
from fabricwright.ui.designs import copy_design, remove_design
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


class StorageCommands(CommandGroup):
    """``take-snapshot``, ``snapshots``, ``copy-design``, ``remove-design``; recovery."""

    def connect_storage(self) -> None:
        """Connect the actions."""
        self.actions.connect_to("take-snapshot", self.take_snapshot)
        self.actions.connect_to("snapshots", self.snapshots)
        self.actions.connect_to("copy-design", lambda: copy_design(self.context))
        self.actions.connect_to("remove-design", lambda: remove_design(self.context))

    def start_safekeeping(self, where: Path | None = None) -> None:
        """Journal, lock and saving by itself, from now on."""
        from fabricwright.ui.safekeeping import Safekeeping

        kept = self.window.safekeeping = Safekeeping(self.document, self.window.session, where)
        kept.found.connect(self._found)
        kept.look()
        if kept.holder is not None and self.document.file is not None:
            self.document.read_only = True
            self.document.file_changed.emit()
            self.context.say(
                msg(
                    "Opened read-only: {user} on {host} has {file} open.",
                    user=kept.holder.user,
                    host=kept.holder.host,
                    file=self.document.file.name,
                ),
                "warning",
            )

    # -- unsaved work -------------------------------------------------------------------------------------------------

    def _found(self, found: list[Found]) -> None:
        window = self.window
        if window.welcome is not None:
            window.welcome.show_recovered(found)
        if not found or (window.welcome is not None and window.welcome.isVisibleTo(window)):
            return
        if not self.offer(self.document.file):
            self.context.say(msg("Unsaved work was found; the welcome page in the Help menu offers it."), "warning")

    def offer(self, path: Path | None) -> bool:
        """Ask about unsaved work of a file that was opened; False when there is none."""
        kept = self.window.safekeeping
        if kept is None or path is None:
            return False
        for left in kept.recovered:
            if left.journal is not None and left.document is not None and left.document == path.resolve():
                self.answer_recovered(left, storage_dialogs.ask_recovered(self.window, left))
                return True
        return False

    def answer_recovered(self, left: Found, answer: str) -> None:
        """``restore``, ``compare``, ``discard``, or "" for later."""
        kept = self.window.safekeeping
        if kept is None or not answer:
            return
        if answer == "discard":
            if dialogs.ask_yes(self.window, self.tr("Discard this unsaved work for good?")):
                kept.discard(left)
            return
        if left.journal is None or not self.window.may_leave():
            return
        if answer == "restore":
            kept.restore(left)
            self.window.commands.open_on()
            self.context.say(msg("Unsaved work is restored; save it to keep it."))
            return
        self._open_base(left)
        self._compare_with(Choice("", str(left.path)))

    def _open_base(self, left: Found) -> None:
        """The file as it is on disk, or what the work began from where there is none."""
        assert left.journal is not None
        try:
            if left.document is None:
                raise UserError(msg("The project has no file yet; choose where to save it."))
            self.document.open(left.document)
        except UserError:
            self.document.replace(left.journal.base)

    def compare_with_disk(self) -> None:
        """What is open beside what the file holds now."""
        if self.document.file is not None:
            self._compare_with(Choice("", str(self.document.file)))

    def _compare_with(self, choice: Choice) -> None:
        from fabricwright.ui.compare.view import CompareView

        if not self.window.commands.show_view("compare"):
            return
        view = self.window.views.widget_of("compare")
        assert isinstance(view, CompareView)
        if choice.file:
            view.open_file(1, Path(choice.file), self.context.design)
        else:
            view.head.set_side(1, choice)
        view.head.set_side(0, Choice(self.context.design))
        view.head.set_side(2, None)

    # -- snapshots ----------------------------------------------------------------------------------------------------

    def take_snapshot(self) -> None:
        """Keep the project as it is under a name."""
        title = dialogs.ask_text(
            self.window, self.tr("Take snapshot"), self.tr("Name of this version, such as: before the customer meeting")
        ).strip()
        if title and self.context.edit("take_snapshot", title=title, time=now_text(), author=_person()):
            self.context.say(msg("Snapshot '{name}' is part of the project; save to keep it.", name=title))

    def snapshots(self) -> None:
        """List, compare, restore, rename, delete."""
        from fabricwright.ui.snapshots_dialog import SnapshotsDialog

        dialog = SnapshotsDialog(self.window)
        dialog.exec()
        wanted, key = dialog.wanted
        dialog.deleteLater()
        if wanted == "restore":
            self.restore_snapshot(key)
        elif wanted == "compare":
            self.compare_snapshot(key)

    def restore_snapshot(self, key: str) -> None:
        """A snapshot as a project of its own, in no file yet."""
        try:
            kept = snapshot_project(self.context.project, key)
        except UserError as error:
            dialogs.show_problem(self.window, error.message)
            return
        if self.window.may_leave():
            self.document.replace(kept, None, modified=True)
            self.window.commands.open_on()

    def compare_snapshot(self, key: str) -> None:
        """The open design beside the same one at a snapshot."""
        try:
            kept = snapshot_project(self.context.project, key)
        except UserError as error:
            dialogs.show_problem(self.window, error.message)
            return
        design = self.context.design if self.context.design in kept.designs else next(iter(kept.designs), "")
        if design:
            self._compare_with(Choice(design, snapshot=key, title=kept.designs[design].title))

    # -- files of others ----------------------------------------------------------------------------------------------

    def open_held(self, path: Path, holder: Holder) -> bool:
        """A file that somebody has open: read-only or as a copy, as the person says. Raises UserError."""
        answer = storage_dialogs.ask_held(self.window, path.name, holder)
        if answer == "copy":
            self.document.replace(storage.load(path), None, modified=True)
        elif answer == "read-only":
            self.document.open(path, read_only=True)
        return bool(answer)


def _person() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
