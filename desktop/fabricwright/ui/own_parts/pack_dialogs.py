"""Packs: which of the user's parts go into a file and who signs it; what a file would change, part by part."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from fabricwright.catalog.pack import Conflict, Plan, export_pack
from fabricwright.catalog.pictograms import pictogram
from fabricwright.catalog.store import catalogue
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.icons import icon
from fabricwright.ui.own_parts.difference_table import PART_ROLE, Compared, DifferenceModel, DifferenceTable
from fabricwright.ui.own_parts.general_page import FormField
from fabricwright.ui.panels.words import listed
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import NoticeBox, SegmentedSwitch, TextLabel, set_surface
from fabricwright.units.errors import UserError

_AUTHOR = "approval/author"
_MOST_NAMED = 6
_VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){0,3}")


class PackExport(QDialog):
    """``data()`` are the bytes of the pack; the dialog closes with accept only when there are some."""

    def __init__(self, chosen: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export catalogue pack"))
        self._data = b""
        lang, store = current_language(), catalogue()
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel(self.tr("My parts as a catalogue pack"), self, px=17, weight=SEMIBOLD))
        column.addWidget(
            TextLabel(
                self.tr("A pack is one file that others import. Parts of your own inside the chosen ones go along."),
                self,
                token="text.2",
                wrap=True,
            )
        )
        self.parts = QListWidget(self)
        self.parts.setAccessibleName(self.tr("Parts of the pack"))
        wanted = set(chosen) or set(store.own_ids())
        for part_id in store.own_ids():
            row = QListWidgetItem(icon(pictogram(store.kind_of(part_id))), store.name_of(part_id, lang))
            row.setData(Qt.ItemDataRole.UserRole, part_id)
            row.setToolTip(part_id)
            row.setFlags(row.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            row.setCheckState(Qt.CheckState.Checked if part_id in wanted else Qt.CheckState.Unchecked)
            self.parts.addItem(row)
        column.addWidget(self.parts, 1)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        self.title = QLineEdit(self)
        self.author = QLineEdit(str(QSettings().value(_AUTHOR) or ""), self)
        self.version = QLineEdit("1.0", self)
        for edit in (self.title, self.author):
            edit.setMaxLength(120)
        self.version.setMaxLength(27)
        self._fields = {
            "title": FormField(grid, self.tr("Title"), self.title),
            "author": FormField(grid, self.tr("Author"), self.author, self.tr("Who answers for the figures")),
            "version": FormField(grid, self.tr("Version"), self.version, self.tr("Numbers and dots, such as 1.2")),
        }
        column.addLayout(grid)
        self.problem = TextLabel("", self, px=12, token="error", wrap=True)
        column.addWidget(self.problem)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        cancel = QPushButton(self.tr("Cancel"), self)
        self.save_button = QPushButton(self.tr("Save as…"), self)
        self.save_button.setDefault(True)
        buttons.addWidget(cancel)
        buttons.addWidget(self.save_button)
        column.addLayout(buttons)
        set_surface(self, "panel")
        cancel.clicked.connect(lambda _on=False: self.reject())
        self.save_button.clicked.connect(lambda _on=False: self.accept())
        self.parts.itemChanged.connect(lambda _row: self._check())
        for edit in (self.title, self.author, self.version):
            edit.textChanged.connect(lambda _text: self._check())
        self.title.setFocus()
        self._check()

    def sizeHint(self) -> QSize:
        return QSize(560, 540)

    def chosen(self) -> list[str]:
        """Ids that are ticked."""
        rows = [self.parts.item(n) for n in range(self.parts.count())]
        return [str(r.data(Qt.ItemDataRole.UserRole)) for r in rows if r.checkState() == Qt.CheckState.Checked]

    def data(self) -> bytes:
        """The pack, b"" while something is missing."""
        return self._data

    def _check(self) -> None:
        """A pack is made at every key: whatever is wrong with it is told before a file is chosen."""
        self._data = b""
        problem = ""
        numbered = _VERSION.fullmatch(self.version.text().strip()) is not None
        self._fields["version"].say("" if numbered else self.tr("A version is numbers and dots, such as 1.2."))
        complete = numbered and bool(self.title.text().strip() and self.author.text().strip() and self.chosen())
        if not self.chosen():
            problem = self.tr("Choose at least one part.")
        elif complete:
            try:
                self._data = export_pack(
                    self.chosen(), self.title.text().strip(), self.author.text().strip(), self.version.text().strip()
                )
            except UserError as error:
                problem = text_of(error.message)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.save_button.setEnabled(bool(self._data))

    def accept(self) -> None:
        if not self._data:
            return
        QSettings().setValue(_AUTHOR, self.author.text().strip())
        super().accept()


class PackImport(QDialog):
    """What a pack brings: new parts, equal ones, and for those that differ a table with the choice of each part.

    ``replaced()`` are the user's own parts that the pack's shall replace. Nothing is chosen for the user: every part
    that differs stays as it is until they say otherwise.
    """

    def __init__(self, plan: Plan, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plan = plan
        self._choice: dict[str, SegmentedSwitch] = {}
        self.setWindowTitle(self.tr("Import catalogue pack"))
        pack = plan.pack
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel(pack.title, self, px=17, weight=SEMIBOLD, wrap=True))
        by = self.tr("Version {version} by {author}").format(version=pack.pack_version, author=pack.author)
        column.addWidget(TextLabel(by, self, token="text.2", wrap=True))
        for severity, title, ids in (
            ("ok", self.tr("New parts: {count}").format(count=len(plan.new)), plan.new),
            ("info", self.tr("You have them in the same form: {count}").format(count=len(plan.equal)), plan.equal),
        ):
            if ids:
                box = NoticeBox(self)
                box.set_notice(severity, title, self._names(ids))
                column.addWidget(box)
        self.model = DifferenceModel((self.tr("Field"), self.tr("Mine"), self.tr("Theirs")), self)
        self.table = DifferenceTable(self.model, self)
        mine = [c for c in plan.conflicts if not c.shipped]
        if plan.conflicts:
            text = self.tr("You have them with other content: {count}").format(count=len(plan.conflicts))
            head = QHBoxLayout()
            head.addWidget(TextLabel(text, self, px=13, weight=SEMIBOLD))
            head.addStretch(1)
            if len(mine) > 1:
                for word, key in ((self.tr("Keep all mine"), "keep"), (self.tr("Take all theirs"), "replace")):
                    button = QPushButton(word, self)
                    button.clicked.connect(lambda _on=False, k=key: self.choose_all(k))
                    head.addWidget(button)
            column.addLayout(head)
            column.addWidget(self.table, 1)
            self.model.set_parts([self._compared(row) for row in plan.conflicts])
            self._put_choices(mine)
        else:
            self.table.hide()
            column.addStretch(1)
        self.summary = TextLabel("", self, token="text.2", wrap=True)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.summary, 1)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.import_button = QPushButton(self.tr("Import"), self)
        self.import_button.setDefault(True)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.import_button)
        column.addLayout(buttons)
        set_surface(self, "panel")
        self.cancel_button.clicked.connect(lambda _on=False: self.reject())
        self.import_button.clicked.connect(lambda _on=False: self.accept())
        self._refresh()

    def sizeHint(self) -> QSize:
        return QSize(900, 600) if self.plan.conflicts else QSize(560, 300)

    def _names(self, ids: Sequence[str]) -> str:
        lang, pack = current_language(), self.plan.pack
        shown = listed(pack.parts[p].name(lang) or p for p in ids[:_MOST_NAMED])
        left = len(ids) - _MOST_NAMED
        return self.tr("{names} and {count} more").format(names=shown, count=left) if left > 0 else shown

    def _compared(self, row: Conflict) -> Compared:
        name = catalogue().name_of(row.part, current_language())
        head = f"{name} ({row.part})" if name != row.part else name
        remark = text_of(row.remark) if row.remark else ""
        if row.shipped:
            remark = self.tr("ships with the program and stays as it is")
        return Compared(row.part, head, row.differences, remark)

    def _put_choices(self, mine: Sequence[Conflict]) -> None:
        wanted = {c.part for c in mine}
        for row in self.model.heads():
            index = self.model.index(row, 2)
            part = str(index.data(PART_ROLE))
            if part not in wanted:
                continue
            switch = SegmentedSwitch([("keep", self.tr("Keep mine")), ("replace", self.tr("Take theirs"))], "keep")
            switch.setAccessibleName(self.tr("Which {part} stays").format(part=part))
            switch.changed.connect(lambda _key: self._refresh())
            holder = QFrame()
            box = QHBoxLayout(holder)
            box.setContentsMargins(4, 1, 4, 1)
            box.addStretch(1)
            box.addWidget(switch)
            holder.setAutoFillBackground(False)  # the line's own ground shows
            self.table.setIndexWidget(index, holder)
            self._choice[part] = switch

    def choose(self, part: str, key: str) -> None:
        """``keep`` or ``replace`` one part."""
        self._choice[part].set_current(key)
        self._refresh()

    def choose_all(self, key: str) -> None:
        """``keep`` or ``replace`` all parts of the user's own."""
        for switch in self._choice.values():
            switch.set_current(key)
        self._refresh()

    def replaced(self) -> list[str]:
        """Own parts that the pack's take the place of."""
        return [part for part, switch in self._choice.items() if switch.current() == "replace"]

    def _refresh(self) -> None:
        added, replaced = len(self.plan.new), len(self.replaced())
        self.summary.setText(
            self.tr("Added: {added}, replaced: {replaced}; all others stay as they are.").format(
                added=added, replaced=replaced
            )
        )
        self.import_button.setEnabled(bool(added or replaced))
