"""What every panel gets: the document, the analysis, where we are, and the few verbs that panels share.

A panel is ``class XPanel(QWidget)`` with a constructor ``(context: UiContext)``. It reads ``context.project``,
listens to
``context.document.project_changed`` / ``selection_changed``, ``context.place_changed``, ``context.analysis.changed``
and
``context.language_changed``, and posts edits with ``context.edit``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from fabricwright.design.address import Address, Step, parse_address
from fabricwright.design.calls import EditCall
from fabricwright.design.indexset import IndexSet
from fabricwright.design.order import designs_in_order
from fabricwright.design.values import Design, Project, Sheet
from fabricwright.ui.analysis_state import AnalysisState
from fabricwright.ui.document import Call, Document
from fabricwright.ui.i18n import current_language
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

if TYPE_CHECKING:
    from fabricwright.design.effective import EffSheet
    from fabricwright.design.patch import Patch


class UiContext(QObject):
    """One per window.

    ``design`` and ``sheet`` are ids of what is open; ``host`` is the fabric item through which a server sheet was
    entered ("" on the
    fabric sheet); ``open_folds`` titles of the inspector's folds that are open. Signals: ``place_changed`` another
    design or sheet is open; ``place_part`` (part id) start placing with the mouse;
    ``heat_changed`` (collective, size in bytes, "" = off); ``reveal`` (ids) the canvas shall bring these into view
    and pulse them;
    ``said`` (Message, severity) a sentence for the status bar; ``written`` (path) what it says was
    written; ``problem_wanted`` (key) show a finding in the list;
    ``catalogue_changed`` (part ids) the user's own parts are others now, these are new or changed;
    ``part_wanted`` (part id) show a part in the list of parts.
    """

    place_changed = Signal()
    language_changed = Signal(str)
    theme_changed = Signal(str)
    place_part = Signal(str)
    heat_changed = Signal(str, object)
    reveal = Signal(object)
    said = Signal(object, str)
    written = Signal(object)
    problem_wanted = Signal(str)
    catalogue_changed = Signal(object)
    part_wanted = Signal(str)

    def __init__(
        self, document: Document, analysis: AnalysisState | None = None, language: str = "en", theme: str = "light"
    ) -> None:
        super().__init__()
        self.document = document
        self.analysis = analysis or AnalysisState(self)
        self.language = language
        self.theme = theme
        self.design = ""
        self.sheet = ""
        self.host = ""
        self.heat_on = False
        self.open_folds: set[str] = set()
        document.project_changed.connect(self._keep_place)
        self._keep_place(None)

    # -- where we are -----------------------------------------------------------------------------------------------

    @property
    def project(self) -> Project:
        """The project as it is now."""
        return self.document.project

    @property
    def design_row(self) -> Design:
        """The open design (an empty one when the project has none)."""
        return self.project.designs.get(self.design) or Design()

    @property
    def sheet_row(self) -> Sheet:
        """The open sheet as stored (an empty one when there is none)."""
        return self.design_row.sheets.get(self.sheet) or Sheet()

    @property
    def eff(self) -> EffSheet:
        """The open sheet as it counts: built-ins, base and own rows."""
        from fabricwright.design.effective import (
            effective,  # with the parts of the catalogue: nothing for a first frame
        )

        return effective(self.project, self.design_row, self.sheet)

    @property
    def selection(self) -> list[str]:
        """Selected ids on the open sheet."""
        return list(self.document.selection)

    @property
    def addresses(self) -> list[Address]:
        """The selection as addresses, seen from the fabric sheet ("node/gpu0", "leaf[3]")."""
        members = self.document.members
        out = []
        for row_id in self.document.selection:
            steps = [Step(self.host)] if self.host else []
            name, _, port = row_id.partition(":")
            out.append(Address((*steps, Step(name, members.get(row_id))), port))
        return out

    def _keep_place(self, patch: Patch | None) -> None:
        """After a change: leave a design or sheet that is gone; drop ids that are gone from the selection."""
        before = (self.design, self.sheet)
        if patch is None or self.design not in self.project.designs:
            self.design, self.sheet, self.host = _first_design(self.project), "", ""
        if self.sheet not in self.design_row.sheets:
            self.sheet, self.host = self.design_row.root, ""
        if (self.design, self.sheet) != before or patch is None:
            self.document.select(())
            self.place_changed.emit()
            return
        eff = self.eff
        row = self.sheet_row
        alive = {*eff.items, *eff.links, *eff.builtin_links, *eff.slots, *row.notes, *row.frames, *row.pictures}
        kept = [i for i in self.document.selection if i in alive]
        if len(kept) != len(self.document.selection):
            self.document.select(kept, {k: v for k, v in self.document.members.items() if k in kept})

    # -- verbs ------------------------------------------------------------------------------------------------------

    def edit(
        self, call: Call, args: Mapping[str, Any] | None = None, *, merge: bool = False, **more: Any
    ) -> Patch | None:
        """Post an edit. ``design`` and ``sheet`` default to what is open. A UserError becomes a sentence, and None is
        returned."""
        if isinstance(call, tuple):
            call = EditCall(call[0], call[1])
        elif isinstance(call, str):
            call = EditCall(call, {**(args or {}), **more})
        call = EditCall(call.name, self._placed(call.name, call.args))
        try:
            return self.document.edit(call, merge=merge)
        except UserError as error:
            self.said.emit(error.message, "error")
            return None

    def edit_all(self, label: str, calls: Iterable[Call], *, merge: bool = False) -> Patch | None:
        """Several edits as one undo entry, with the same defaults and the same manners as ``edit``."""
        placed = []
        for call in calls:
            one = (
                call
                if isinstance(call, EditCall)
                else EditCall(call[0], call[1])
                if isinstance(call, tuple)
                else EditCall(call, {})
            )
            placed.append(EditCall(one.name, self._placed(one.name, one.args)))
        try:
            return self.document.edit_all(label, placed, merge=merge)
        except UserError as error:
            self.said.emit(error.message, "error")
            return None

    def _placed(self, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
        from fabricwright.design.edits import EDITS

        names = (
            EDITS[name].__code__.co_varnames[
                : EDITS[name].__code__.co_argcount + EDITS[name].__code__.co_kwonlyargcount
            ]
            if name in EDITS
            else ()
        )
        out = dict(args)
        whole_project = name in ("retitle", "add_design", "copy_design", "remove_design")
        if "design" in names and not whole_project:
            out.setdefault("design", self.design)
        if "sheet" in names and not whole_project:
            out.setdefault("sheet", self.sheet)
        if name == "add_item":  # what it brings is called as the person reads it
            out.setdefault("lang", current_language())
        return out

    def open_design(self, design: str) -> None:
        """Show another design, on the sheet of the same id where it has one."""
        if design in self.project.designs and design != self.design:
            self.design = design
            if self.sheet not in self.design_row.sheets:
                self.sheet, self.host = self.design_row.root, ""
            self.document.select(())
            self.place_changed.emit()

    def open_sheet(self, sheet: str, host: str | None = None) -> None:
        """Show a sheet. ``host`` is the fabric item it belongs to; found when left out."""
        if sheet not in self.design_row.sheets:
            return
        if host is None:
            host = self.host_of(sheet)
        if (sheet, host) != (self.sheet, self.host):
            self.sheet, self.host = sheet, host
            self.document.select(())
            self.place_changed.emit()

    def host_of(self, sheet: str) -> str:
        """First fabric item that stands for a server sheet (also through an exception), "" for the fabric sheet
        itself."""
        root = self.design_row.sheets.get(self.design_row.root)
        if root is None or sheet == self.design_row.root:
            return ""
        for item_id in root.items.ordered():
            row = root.items[item_id]
            if row.of == f"sheet:{sheet}" or any(o.sheet == sheet for o in row.except_.values()):
                return item_id
        return ""

    def go_to(self, address: Address | str) -> bool:
        """Open the sheet of an address, select the thing and bring it into view. False when there is no such thing."""
        try:
            where = parse_address(address) if isinstance(address, str) else address
        except UserError as error:
            self.said.emit(error.message, "error")
            return False
        if where.design:
            self.open_design(where.design)
        root = self.design_row.sheets.get(self.design_row.root)
        if root is None or not where.steps:
            return False
        first = where.steps[0]
        if len(where.steps) > 1 and first.item in root.items:
            of = self._sheet_of_member(first)
            if not of:
                return False
            self.open_sheet(of, first.item)
            row_id = "/".join(step.item for step in where.steps[1:])
            return self._show(row_id, where.steps[-1].members)
        if first.item in root.items or first.item in root.links:
            self.open_sheet(self.design_row.root, "")
            members = IndexSet.of([where.cable]) if where.cable is not None else first.members
            return self._show(first.item, members)
        return self._show("/".join(step.item for step in where.steps), first.members)

    def _sheet_of_member(self, step: Step) -> str:
        item = self.design_row.sheets[self.design_row.root].items[step.item]
        if step.members:
            first = next(iter(step.members))
            for key, override in item.except_.items():
                if override.sheet and first in IndexSet.parse(key):
                    return override.sheet
        return item.of[6:] if item.of and item.of.startswith("sheet:") else ""

    def _show(self, row_id: str, members: IndexSet | None) -> bool:
        eff = self.eff
        if (
            row_id not in eff.items
            and row_id not in eff.links
            and row_id not in eff.builtin_links
            and row_id not in eff.slots
        ):
            self.said.emit(msg("'{place}' is not on this sheet.", place=row_id), "warning")
            return False
        self.document.select([row_id], {row_id: members} if members else None)
        self.reveal.emit([row_id])
        return True

    def start_place(self, part_id: str) -> None:
        """Hang a part on the mouse until it is dropped or Esc."""
        self.place_part.emit(part_id)

    def set_heat(self, collective: str, size_bytes: int | None) -> None:
        """Colour links by the load of a collective at a size; "" switches the colours off."""
        self.heat_on = bool(collective)
        if collective:
            self.analysis.collective = collective
            self.analysis.size_bytes = size_bytes or self.analysis.size_bytes
        self.heat_changed.emit(collective, size_bytes)

    def say(self, message: Message, severity: str = "info") -> None:
        """One sentence for the status bar."""
        self.said.emit(message, severity)

    def say_written(self, path: Path, message: Message | None = None) -> None:
        """A file, or a folder of files, was written; the status bar offers to open it."""
        self.said.emit(message or msg("Saved to {file}.", file=path.name), "info")
        self.written.emit(path)

    def set_language(self, language: str) -> None:
        """Switch live between "en" and "zh_CN"."""
        if language != self.language:
            self.language = language
            self.language_changed.emit(language)

    def set_theme(self, theme: str) -> None:
        """Switch live between "light" and "dark"."""
        if theme != self.theme:
            self.theme = theme
            self.theme_changed.emit(theme)


def _first_design(project: Project) -> str:
    """The design a project opens on, "" when it has none."""
    return next(iter(designs_in_order(project)), "")
