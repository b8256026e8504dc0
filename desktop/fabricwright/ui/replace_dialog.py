"""Replace a part by another one everywhere: what it would do is listed before it is done."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QComboBox, QDialog, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from fabricwright.catalog.store import catalogue
from fabricwright.design.edits.replace import replacement
from fabricwright.design.replacement import Replacement
from fabricwright.ui.context import UiContext
from fabricwright.ui.dialogs import fit_to_screen
from fabricwright.ui.i18n import text_of
from fabricwright.ui.icons import icon
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import SearchField, SegmentedSwitch, TextLabel, answer_buttons, set_surface
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import msg

PART_ROLE = Qt.ItemDataRole.UserRole


class ReplaceDialog(QDialog):
    """``old`` is chosen among the parts of the project, ``new`` among those of its kind. ``plan`` holds what it would
    do, None while nothing can be done."""

    def __init__(self, context: UiContext, parent: QWidget, old: str = "") -> None:
        super().__init__(parent)
        self._context = context
        self.plan: Replacement | None = None
        self.setWindowTitle(self.tr("Replace a part"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(8)
        column.addWidget(TextLabel(self.tr("Replace a part everywhere"), self, px=17, weight=SEMIBOLD))
        self.old = QComboBox(self)
        for part in self._replaceable():
            self.old.addItem(f"{self._name(part)}  ({part})", part)
        self.old.setCurrentIndex(max(0, self.old.findData(old)))
        self.old.setAccessibleName(self.tr("Part to be replaced"))
        column.addWidget(TextLabel(self.tr("Part to be replaced"), self, token="text.2"))
        column.addWidget(self.old)
        column.addWidget(TextLabel(self.tr("By"), self, token="text.2"))
        self.search = SearchField(self.tr("Search parts of the same kind"), self)
        column.addWidget(self.search)
        self.new = QListWidget(self)
        self.new.setAccessibleName(self.tr("New part"))
        self.new.setMinimumHeight(90)
        column.addWidget(self.new, 2)
        designs = len(context.project.designs) > 1
        self.scope = SegmentedSwitch((("*", self.tr("All designs")), ("one", self.tr("This design"))), "*", self)
        self.scope.setVisible(designs)
        column.addWidget(self.scope)
        self.summary = TextLabel("", self, px=13, weight=SEMIBOLD, wrap=True)
        column.addWidget(self.summary)
        self.lost = QListWidget(self)
        self.lost.setAccessibleName(self.tr("What does not map"))
        self.lost.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.lost.setWordWrap(True)
        self.lost.setMinimumHeight(70)
        column.addWidget(self.lost, 2)
        buttons, self.accept_button = answer_buttons(self, self.tr("Cancel"), self.tr("Replace"))
        column.addWidget(buttons)
        set_surface(self, "panel")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(60)
        self._soon.timeout.connect(self.look)
        self.old.currentIndexChanged.connect(lambda _n: self._fill())
        self.search.queried.connect(lambda _t: self._fill())
        self.new.currentItemChanged.connect(lambda *_: self._soon.start())
        self.new.itemActivated.connect(lambda _row: self.accept() if self.plan is not None else None)
        self.scope.changed.connect(lambda _k: self._soon.start())
        self._fill()
        fit_to_screen(self, QSize(560, 620))

    def _replaceable(self) -> list[str]:
        """Parts that stand somewhere in the project, by name."""
        project = self._context.project
        return sorted(project.parts, key=lambda p: natural_key(self._name(p)))

    def _name(self, part: str) -> str:
        row = self._context.project.parts.get(part)
        if row is not None:
            return row.model or row.name(self._context.language) or part
        return catalogue().name_of(part, self._context.language)

    def _fill(self) -> None:
        """New parts of the kind that hold the words."""
        self.new.clear()
        old = str(self.old.currentData() or "")
        before = self._context.project.parts.get(old)
        if before is not None:
            store = catalogue()
            kinds = [k for k in store.kinds() if k == before.kind or same_kind_names(before.kind, k)]
            hits = set(store.search(self.search.text(), self._context.language)) if self.search.text().strip() else None
            for part in (p for kind in kinds for p in store.kinds()[kind]):
                if part != old and (hits is None or part in hits):
                    row = QListWidgetItem(icon("swap"), f"{self._name(part)}  ({part})")
                    row.setData(PART_ROLE, part)
                    self.new.addItem(row)
        self.new.setCurrentRow(0 if self.search.text().strip() and self.new.count() else -1)
        self.look()

    def choose(self, part: str) -> bool:
        """Select the new part. False when it is not in the list."""
        for n in range(self.new.count()):
            if self.new.item(n).data(PART_ROLE) == part:
                self.new.setCurrentRow(n)
                self.new.scrollToItem(self.new.item(n))
                self.look()
                return True
        return False

    def look(self) -> None:
        """What replacing would do, as it stands."""
        self._soon.stop()
        self.plan = None
        self.lost.clear()
        row = self.new.currentItem()
        if row is None:
            text = (
                self.tr("Choose the new part.") if self.new.count() else self.tr("There is no other part of this kind.")
            )
            self.summary.setText(text)
        else:
            design = "*" if self.scope.current() == "*" else self._context.design
            try:
                self.plan = replacement(
                    self._context.project, old=str(self.old.currentData()), new=row.data(PART_ROLE), design=design
                )
            except UserError as error:
                self.summary.setText(text_of(error.message))
            else:
                self._tell(self.plan)
        self.lost.setVisible(self.lost.count() > 0)
        self.accept_button.setEnabled(self.plan is not None)

    def _tell(self, plan: Replacement) -> None:
        many = self.tr("{count} places get the new part.").format(count=f"{plan.replaced:,}")
        places = self.tr("One place gets the new part.") if plan.replaced == 1 else many
        if not plan.unmapped:
            self.summary.setText(f"{places} {self.tr('Everything maps.')}")
            return
        several = self.tr("{count} things do not map as they are:").format(count=f"{len(plan.unmapped):,}")
        rest = self.tr("One thing does not map as it is:") if len(plan.unmapped) == 1 else several
        self.summary.setText(f"{places} {rest}")
        for one in plan.unmapped[:400]:
            self.lost.addItem(QListWidgetItem(icon("delete" if one.lost else "warning-triangle"), text_of(one.message)))


def same_kind_names(one: str, two: str) -> bool:
    """Kinds that can stand for each other, as ``same_kind`` of parts has it."""
    servers = {"server", "chassis", "storage-server"}
    return {one, two} <= servers


def replace_part(context: UiContext, parent: QWidget, old: str = "") -> bool:
    """Ask, replace, and say what did not map. False when nothing was done."""
    if not context.project.parts:
        context.say(msg("The project has no parts yet."), "info")
        return False
    dialog = ReplaceDialog(context, parent, old)
    try:
        if dialog.exec() != QDialog.DialogCode.Accepted or dialog.plan is None:
            return False
        return done(context, dialog.plan)
    finally:
        dialog.deleteLater()


def done(context: UiContext, plan: Replacement) -> bool:
    """Push the patch as one undo entry and report."""
    context.document.push(plan.patch)
    context.say(
        msg("Places with the new part: {count}; did not map: {lost}.", count=plan.replaced, lost=len(plan.unmapped)),
        "warning" if plan.unmapped else "info",
    )
    return True
