"""What can be done with parts of the user's own: make, edit, remove, packs, NetBox. The catalogue is not the document:
none of this is undone with the drawing, and none of it changes the drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, QSettings
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QWidget

from fabricwright.catalog import own
from fabricwright.catalog.pack import SUFFIX, apply_import, plan_import, read_pack
from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.ui import dialogs
from fabricwright.ui.context import UiContext
from fabricwright.ui.panels.palette_model import placeable_on
from fabricwright.ui.session import documents
from fabricwright.units import codec
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.own_parts.form import PartForm

_FOLDER = "files/folder"
T = TypeVar("T")


class OwnPartVerbs(QObject):
    """``parent`` is the widget that the dialogs belong to. Dialogs are loaded when they are asked for: the window
    opens without them."""

    def __init__(self, context: UiContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._parent = parent
        self.form: PartForm | None = None

    # -- make, edit, remove -------------------------------------------------------------------------------------------

    def make_from(self, part_id: str) -> PartForm | None:
        """The form for a part like another one; also like a part that only the open project has."""
        store = catalogue()
        if part_id not in store:
            rows = {name: codec.to_json(part) for name, part in self._context.project.parts.items()}
            store = store.with_rows({name: row for name, row in rows.items() if name not in store})
        return self._guard(lambda: self._open(*own.make_from(part_id, {}, store=store)))

    def edit(self, part_id: str) -> PartForm | None:
        """The form for a part of the user's own."""
        return self._guard(lambda: self._open(part_id, catalogue().get(part_id), editing=True))

    def _open(self, part_id: str, part: Part, *, editing: bool = False, free_kind: bool = False) -> PartForm:
        from fabricwright.ui.own_parts.draft import Draft
        from fabricwright.ui.own_parts.form import PartForm

        draft = Draft(part_id, part, editing=editing, free_kind=free_kind)
        on_sheet = placeable_on(self._context.sheet_row.kind, part.kind)
        form = PartForm(draft, self._parent.window(), placeable=on_sheet)
        form.saved.connect(self._saved)
        form.destroyed.connect(lambda *_: setattr(self, "form", None))
        self.form = form
        form.open()
        return form

    def _saved(self, part_id: str, place_it: bool) -> None:
        context = self._context
        part = catalogue().get(part_id)
        context.catalogue_changed.emit([part_id])
        embedded = context.project.parts.get(part_id)
        if embedded is not None and _content(embedded) != _content(part):
            context.say(msg("{part} is saved; the open project keeps its copy as it was.", part=part_id))
        else:
            context.say(msg("Saved as {part} among your own parts.", part=part_id))
        if place_it:
            context.start_place(part_id)

    def remove(self, part_id: str) -> bool:
        """Take a part out of the user's catalogue after asking; projects that hold it keep their copies."""
        used = part_id in self._context.project.parts
        if not ask_remove(self._parent.window(), catalogue().name_of(part_id, self._context.language), used=used):
            return False
        if not self._done(lambda: own.remove(part_id)):
            return False
        self._context.catalogue_changed.emit([])
        if used:
            self._context.say(msg("{part} is removed; the open project keeps its own copy.", part=part_id))
        else:
            self._context.say(msg("{part} removed from your own parts; projects keep their copies.", part=part_id))
        return True

    # -- packs --------------------------------------------------------------------------------------------------------

    def export_pack(self, chosen: Sequence[str] = ()) -> bool:
        """Ask what goes into a pack, who signs it and where it goes, and write it."""
        if not catalogue().own_ids():
            self._context.say(msg("A pack needs at least one part of your own."), "warning")
            return False
        from fabricwright.ui.own_parts.pack_dialogs import PackExport

        dialog = PackExport(chosen, self._parent.window())
        try:
            if dialog.exec() != QDialog.DialogCode.Accepted:
                return False
            data, name = dialog.data(), file_name(dialog.title.text())
        finally:
            dialog.deleteLater()
        start = str(Path(_folder()) / f"{name}{SUFFIX}")
        title = QCoreApplication.translate("OwnPart", "Export catalogue pack")
        path = dialogs.ask_save(self._parent.window(), start, title, pack_filter(), SUFFIX)
        if path is None or not self._done(lambda: own.write_file(path, data)):
            return False
        self._context.say_written(path)
        return True

    def import_pack(self, path: Path | None = None) -> tuple[str, ...]:
        """Read a pack, show what it would change, and do what was chosen; ids that were written."""
        path = path or self._ask_file(QCoreApplication.translate("OwnPart", "Import catalogue pack"), pack_filter())
        plan = self._guard(lambda: plan_import(read_pack(path))) if path is not None else None
        if plan is None:
            return ()
        if not plan.new and not plan.conflicts:
            several = msg("You have all {count} parts of the pack already.", count=len(plan.equal))
            self._context.say(several if len(plan.equal) > 1 else msg("You have the part of the pack already."))
            return ()
        from fabricwright.ui.own_parts.pack_dialogs import PackImport

        dialog = PackImport(plan, self._parent.window())
        try:
            if dialog.exec() != QDialog.DialogCode.Accepted:
                return ()
            replaced = dialog.replaced()
        finally:
            dialog.deleteLater()
        written = self._guard(lambda: apply_import(plan, replaced, keep_own=True))
        if written:
            self._context.catalogue_changed.emit(list(written))
            self._context.say(msg("{count} parts imported from {title}.", count=len(written), title=plan.pack.title))
        return written or ()

    # -- NetBox -------------------------------------------------------------------------------------------------------

    def import_netbox(self, path: Path | None = None) -> PartForm | None:
        """Read a device type, show what became of it, and open the form on it."""
        title = QCoreApplication.translate("OwnPart", "Import NetBox device type")
        kinds = QCoreApplication.translate("OwnPart", "NetBox device type (*.yaml *.yml)")
        path = path or self._ask_file(title, kinds)
        if path is None:
            return None
        # The one place in the window that reads YAML; the parser is loaded when a record is.
        from fabricwright.exchange.netbox_import import import_device_type
        from fabricwright.exchange.netbox_yaml import read_device_type
        from fabricwright.ui.own_parts.netbox_dialog import NetboxDialog, record_changes

        record = self._guard(lambda: read_device_type(path))
        found = self._guard(lambda: import_device_type(record, catalogue(), path.name)) if record else None
        if record is None or found is None:
            return None
        dialog = NetboxDialog(record, found, path.name, self._parent.window())
        try:
            if dialog.exec() != QDialog.DialogCode.Accepted:
                return None
            from_catalogue = dialog.start_from_catalogue()
        finally:
            dialog.deleteLater()
        if from_catalogue:
            return self._guard(lambda: self._open(*own.make_from(found.same_model, record_changes(found))))
        part_id, n = found.part_id, 2
        while part_id in catalogue():
            part_id, n = f"{found.part_id[:60]}-{n}", n + 1
        return self._guard(lambda: self._open(part_id, found.part, free_kind=True))

    # -- together -----------------------------------------------------------------------------------------------------

    def _ask_file(self, title: str, kinds: str) -> Path | None:
        everything = QCoreApplication.translate("Dialogs", "All files (*)")
        name, _ = QFileDialog.getOpenFileName(self._parent.window(), title, _folder(), f"{kinds};;{everything}")
        if name:
            QSettings().setValue(_FOLDER, str(Path(name).parent))
        return Path(name) if name else None

    def _done(self, work: Callable[[], None]) -> bool:
        """Whether something went well; a refusal is told."""

        def told() -> bool:
            work()
            return True

        return self._guard(told) is True

    def _guard(self, work: Callable[[], T]) -> T | None:
        """Do something that may be refused; the refusal is one sentence, and then None is returned."""
        try:
            return work()
        except UserError as error:
            dialogs.show_problem(self._parent.window(), error.message)
        return None


def _content(part: Part) -> dict[str, object]:
    row: dict[str, object] = dict(codec.to_json(part))
    return {key: value for key, value in row.items() if key not in ("origin", "pack", "based_on")}


def _folder() -> str:
    return str(QSettings().value(_FOLDER) or documents())


def pack_filter() -> str:
    """What a file dialog shows."""
    return QCoreApplication.translate("OwnPart", "Catalogue pack (*.fwcat)")


def file_name(title: str) -> str:
    """A file name from a title: letters, digits and hyphens of any language."""
    words = "".join(c if c.isalnum() else " " for c in title).split()
    return "-".join(words)[:60] or "parts"


def ask_remove(parent: QWidget, name: str, *, used: bool) -> bool:
    """Whether a part of one's own may go."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Fabricwright")
    box.setText(QCoreApplication.translate("OwnPart", "Remove {part} from my parts?").format(part=name))
    box.setInformativeText(
        QCoreApplication.translate("OwnPart", "The open project uses it and keeps its own copy. This cannot be undone.")
        if used
        else QCoreApplication.translate("OwnPart", "Projects that use it keep their copies. This cannot be undone.")
    )
    remove = box.addButton(QCoreApplication.translate("OwnPart", "Remove"), QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    box.exec()
    return box.clickedButton() is remove
