"""Undo: one QUndoCommand per gesture, holding nothing but the patch."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from fabricwright.design.patch import Patch, merge, same_paths
from fabricwright.ui.i18n import current_language
from fabricwright.units.text import translate

MERGE_ID = 1


class PatchCommand(QUndoCommand):
    """A patch on the undo stack. ``apply`` puts a patch into the document; commands with ``merging`` swallow a
    successor
    that touches the same paths (typing in a field), so that a typed word is one entry."""

    def __init__(self, patch: Patch, apply: Callable[[Patch], None], *, merging: bool = False, text: str = "") -> None:
        super().__init__()
        self._label = text or patch.label
        self.patch = patch
        self.merging = merging
        self._apply = apply
        self.retranslate()

    def retranslate(self) -> None:
        """Say in the current language what it does; the undo menu and the history show this text."""
        self.setText(translate(self._label, current_language()))

    def id(self) -> int:
        """Qt only tries to merge commands with the same id other than -1."""
        return MERGE_ID if self.merging else -1

    def redo(self) -> None:
        """Do it (also called once by the push)."""
        self._apply(self.patch)

    def undo(self) -> None:
        """Take it back."""
        self._apply(self.patch.inverse())

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Swallow ``other``. A merge that ends where it began leaves no entry."""
        if not isinstance(other, PatchCommand) or not other.merging or not same_paths(self.patch, other.patch):
            return False
        self.patch = merge(self.patch, other.patch)
        self.setObsolete(not self.patch)
        return True
