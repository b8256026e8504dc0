"""What cable labels say and on which sheets they are printed, before they are written."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from fabricwright.exchange.cable_labels import DEFAULT, EXAMPLE, FIELDS, check_label, fill_label
from fabricwright.exchange.label_sheet import DEFAULT as DEFAULT_SHEET
from fabricwright.exchange.label_sheet import FORMATS, label_format
from fabricwright.ui import dialogs
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import TextLabel, set_surface
from fabricwright.units.errors import UserError

_SAMPLE = {
    "a.device": "leaf[0]",
    "a.name": "leaf-11",
    "a.rack": "net-1",
    "a.u": "40",
    "a.cage": "1",
    "a.port": "1/1",
    "b.device": "node[0]",
    "b.name": "n001",
    "b.rack": "r101",
    "b.u": "1",
    "b.cage": "nic0:1",
    "b.port": "nic0:1",
    "id": "down#0",
    "network": "compute",
    "part": "aoc-400g",
    "length": "15",
}


class LabelDialog(QDialog):
    """``arguments()`` of the command line once it was accepted; a changed template is kept in the project."""

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.setWindowTitle(self.tr("Cable labels"))
        set_surface(self, "panel")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel(self.tr("Cable labels"), self, px=17, weight=SEMIBOLD))
        text = self.tr("A label for every end of every cable. Without a text of your own it says where both ends are.")
        column.addWidget(TextLabel(text, self, token="text.2", wrap=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self.sheet = QComboBox(self)
        self.sheet.setEditable(True)
        for form in FORMATS.values():
            size = f"{form.label_mm[0]:g} x {form.label_mm[1]:g} mm, {form.per_page}"
            self.sheet.addItem(f"{form.name}  ({size})", form.name)
        self.sheet.setCurrentIndex(max(0, self.sheet.findData(DEFAULT_SHEET)))
        self.template = QLineEdit(str(context.project.ordering.get("cable_label") or ""), self)
        self.template.setPlaceholderText(EXAMPLE)
        self.template.setMaxLength(300)
        for n, (label, widget) in enumerate(((self.tr("Sheet"), self.sheet), (self.tr("Text"), self.template))):
            grid.addWidget(TextLabel(label, self, px=12.5), n, 0)
            grid.addWidget(widget, n, 1)
            widget.setAccessibleName(label)
        column.addLayout(grid)
        self.said = TextLabel("", self, wrap=True)
        column.addWidget(self.said)
        fields = self.tr("Fields: {fields}").format(fields=", ".join(f"{{{field}}}" for field in FIELDS))
        column.addWidget(TextLabel(fields, self, px=11.5, token="text.3", wrap=True))
        column.addStretch(1)
        buttons = QDialogButtonBox(self)
        self.ok = buttons.addButton(self.tr("Write…"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.template.textChanged.connect(lambda _text: self._check())
        self.sheet.editTextChanged.connect(lambda _text: self._check())
        self._check()
        dialogs.fit_to_screen(self, QSize(560, 360))

    def sheet_name(self) -> str:
        """Number of the chosen sheet, or the size that was written."""
        index = self.sheet.currentIndex()
        if index >= 0 and self.sheet.itemText(index) == self.sheet.currentText():
            return str(self.sheet.itemData(index))
        return self.sheet.currentText().strip()

    def arguments(self) -> list[str]:
        """Options of ``fabricwright cables``."""
        return ["--label-sheet", self.sheet_name()]

    def _check(self) -> None:
        text = self.template.text().strip()
        try:
            label_format(self.sheet_name())
            shown = fill_label(check_label(text or DEFAULT), _SAMPLE)
        except UserError as error:
            self.said.setText(text_of(error.message))
            self.said.set_token("error")
            self.ok.setEnabled(False)
            return
        self.said.setText(self.tr("Such as: {label}").format(label=shown))
        self.said.set_token("text.2")
        self.ok.setEnabled(True)

    def accept(self) -> None:
        """Keep a changed template in the project."""
        text = self.template.text().strip()
        if text != str(self.context.project.ordering.get("cable_label") or ""):
            self.context.edit(("set_ordering", {"key": "cable_label", "value": text or None}))
        super().accept()
