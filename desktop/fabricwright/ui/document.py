"""The open document: one frozen project, the undo stack, the selection and the file it belongs to.

Widgets read ``project`` and post edits; nothing else changes it. ``project_changed`` carries the patch, or None when
another
project was opened or made. Edits, patches and storage are loaded by the first edit and the first file: the first frame
of the window does without them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack
from shiboken6 import isValid

from fabricwright.design.calls import EditCall
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Project
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.design.file_state import FileState
    from fabricwright.design.patch import Patch

Call = EditCall | tuple[str, Mapping[str, Any]] | str


class Document(QObject):
    """Holds the project. ``file`` is None until it has been saved; ``modified`` compares with the last save.

    ``file_state`` what the file held then; ``read_only`` somebody else has it open: it is saved under another name.
    ``restored_edits`` how many edits were in it already when it was restored from a journal: undo does not reach them.
    ``journal_time`` when the last edit was on the disk ("" = it is not yet), ``journal_problem`` why it cannot be.
    ``saving`` just before the file is written, ``saved`` after it was; ``told`` (Message,
    severity) a sentence for the status bar.
    """

    project_changed = Signal(object)
    selection_changed = Signal()
    file_changed = Signal()
    modified_changed = Signal(bool)
    journal_changed = Signal()
    saving = Signal()
    saved = Signal()
    told = Signal(object, str)

    def __init__(self, project: Project | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.project = project or Project()
        self.file: Path | None = None
        self.file_state: FileState | None = None
        self.read_only = False
        self.restored_edits = 0
        self.journal_time = ""
        self.journal_problem = ""
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._clean_changed)
        self.selection: tuple[str, ...] = ()
        self.members: dict[str, IndexSet] = {}
        self.cancel_gesture: Callable[[], bool] | None = None

    # -- changing ---------------------------------------------------------------------------------------------------

    def edit(self, call: Call, args: Mapping[str, Any] | None = None, *, merge: bool = False, **more: Any) -> Patch:
        """Run an edit and push its patch as one undo entry. Raises UserError; an edit that changes nothing pushes
        nothing.

        ``edit("rename", design="main", sheet="fabric", item="leaf", name="x")``, ``edit(EditCall(...))`` and
        ``edit((name, args))``
        are the same. ``merge`` lets the entry grow while the same fields change again.
        """
        if isinstance(call, tuple):
            call = EditCall(call[0], call[1])
        elif isinstance(call, str):
            call = EditCall(call, {**(args or {}), **more})
        from fabricwright.design.edits import run

        patch = run(self.project, call)
        self.push(patch, merge=merge)
        return patch

    def edit_all(self, label: str, calls: Iterable[EditCall], *, merge: bool = False) -> Patch:
        """Several edits as one undo entry (a quick fix, a multi-selection). Nothing happens when one of them fails."""
        from fabricwright.design.edits import run
        from fabricwright.design.patch import PatchBuilder

        builder = PatchBuilder(self.project)
        for call in calls:
            builder.include(run(builder.project, call))
        patch = builder.patch(label)
        self.push(patch, merge=merge)
        return patch

    def push(self, patch: Patch, *, merge: bool = False) -> None:
        """Apply a patch and remember it. Raises UserError for one after which the file could not be opened again."""
        from fabricwright.ui.undo import PatchCommand

        if patch:
            _refuse_what_cannot_be_opened(self.project, patch)
            self.undo_stack.push(PatchCommand(patch, self._apply, merging=merge))

    def _apply(self, patch: Patch) -> None:
        from fabricwright.design.patch import apply

        self.project = apply(self.project, patch)
        self.journal_time = ""
        self.project_changed.emit(patch)

    def undo(self) -> None:
        """Take back the last entry; while a drag is under way, cancel the drag instead."""
        if self.cancel_gesture is not None and self.cancel_gesture():
            return
        self.undo_stack.undo()

    def redo(self) -> None:
        """Do again what was taken back; while a drag is under way, cancel the drag instead."""
        if self.cancel_gesture is not None and self.cancel_gesture():
            return
        self.undo_stack.redo()

    @property
    def modified(self) -> bool:
        """Whether the project differs from the file."""
        return not self.undo_stack.isClean()

    def _clean_changed(self, clean: bool) -> None:
        if isValid(self):  # the stack speaks once more while it is being destroyed
            self.modified_changed.emit(not clean)

    # -- selection --------------------------------------------------------------------------------------------------

    def select(self, ids: Iterable[str], members: Mapping[str, IndexSet] | None = None, *, add: bool = False) -> None:
        """Select rows of the current sheet by id (items, built-in items, links, notes, "chassis:slot").

        ``members`` says which members of a group were meant. With ``add`` ids are toggled against the present
        selection.
        """
        wanted = tuple(dict.fromkeys(ids))
        chosen = dict(members or {})
        if add:
            kept = [i for i in self.selection if i not in wanted]
            fresh = [i for i in wanted if i not in self.selection]
            chosen = {
                **{k: v for k, v in self.members.items() if k in kept},
                **{k: v for k, v in chosen.items() if k in fresh},
            }
            wanted = (*kept, *fresh)
        if wanted == self.selection and chosen == self.members:
            return
        self.selection, self.members = wanted, chosen
        self.selection_changed.emit()

    # -- files ------------------------------------------------------------------------------------------------------

    def replace(
        self,
        project: Project,
        file: Path | None = None,
        *,
        modified: bool = False,
        state: FileState | None = None,
        read_only: bool = False,
        restored_edits: int = 0,
    ) -> None:
        """Another project: clears undo and selection. ``modified`` for one that exists in no file yet (a template
        stays clean); ``state`` what its file holds; ``restored_edits`` of a journal."""
        self.undo_stack.clear()
        if modified:
            self.undo_stack.resetClean()
        else:
            self.undo_stack.setClean()
        self.project, self.file = project, file
        self.file_state, self.read_only, self.restored_edits = state, read_only, restored_edits
        self.journal_time = self.journal_problem = ""
        self.selection, self.members = (), {}
        self.project_changed.emit(None)
        self.selection_changed.emit()
        self.file_changed.emit()

    def open(self, path: str | Path, *, read_only: bool = False) -> None:
        """Load a file. Raises UserError and leaves the open project untouched when it is not readable."""
        from fabricwright.design import storage

        project, state = storage.load_with_state(path)
        self.replace(project, Path(path), state=state, read_only=read_only)

    def save(self, path: str | Path | None = None, *, overwrite: bool = False) -> None:
        """Write to ``path`` or the known file; the version before stays beside it. The stack survives, the clean mark
        moves here. Raises UserError, and ChangedElsewhereError when somebody else wrote the file since it was read,
        unless ``overwrite``."""
        from fabricwright.design import storage
        from fabricwright.design.file_state import changed_since, holds, state_of
        from fabricwright.units.files import settle_case

        target = Path(path) if path is not None else self.file
        if target is None:
            raise UserError(_no_file())
        same = self.file is not None and _is_same(target, self.file)
        if same and not overwrite and self.file_state is not None and changed_since(target, self.file_state):
            raise ChangedElsewhereError(
                msg("{file} was changed by someone else since it was opened.", file=target.name)
            )
        self.saving.emit()
        try:
            self.file_state = storage.save(self.project, target, backup=True)
        except UserError:
            with contextlib.suppress(ValueError, TypeError):
                written = state_of(storage.dumps(self.project))
                if same and holds(target, written):  # there, though not confirmed: that is nobody else's change
                    self.file_state = written
            raise
        if self.file is not None and target != self.file and target.name.casefold() == self.file.name.casefold():
            with contextlib.suppress(OSError):
                settle_case(target)
        self.file, self.read_only = target, False
        self.journal_time = self.journal_problem = ""
        self.undo_stack.setClean()
        self.saved.emit()
        self.file_changed.emit()

    def tell_journal(self, time: str, problem: str) -> None:
        """How the journal stands."""
        self.journal_time, self.journal_problem = time, problem
        self.journal_changed.emit()


def _refuse_what_cannot_be_opened(project: Project, patch: Patch) -> None:
    """Reading a file refuses what is not sound: saved it would be lost."""
    from fabricwright.design.check_values import broken_by

    for problem in broken_by(project, patch):
        raise UserError(problem)


class ChangedElsewhereError(UserError):
    """The file holds something else than what was read from it."""


def _is_same(a: Path, b: Path) -> bool:
    try:
        return a == b or a.samefile(b)
    except OSError:
        return False


def _no_file() -> Any:
    return msg("The project has no file yet; choose where to save it.")
