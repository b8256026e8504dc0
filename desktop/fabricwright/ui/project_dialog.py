"""Project properties: what stands in title blocks and on the cover, the money of the parts list, the look of reports.

Everything but the template belongs to the project and is posted as one step of the history. The template is the house
style of whoever sits at this computer: its path stays in the session, so that no project names files to read.
"""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
)

from fabricwright.ui import dialogs
from fabricwright.ui.i18n import text_of
from fabricwright.ui.icons import icon
from fabricwright.ui.prices.import_dialog import share_of
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, ElidedLabel, TextButton, TextLabel, set_surface
from fabricwright.units.errors import UserError
from fabricwright.units.text import N_

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

TEMPLATE = "report/template"
"""Key of the session: path of the template that reports and packs are made with, "" = the program's own look."""

CURRENCIES = ("CNY", "USD", "EUR", "HKD", "JPY")
LOGO_PX = QSize(150, 44)
LONGEST = 120


class ProjectDialog(QDialog):
    """Made anew each time. Cancel changes nothing."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window_ = window
        self.context = window.context
        self.setWindowTitle(self.tr("Project properties"))
        set_surface(self, "panel")
        self.fields: dict[str, QLineEdit] = {}
        self.rates: dict[str, QLineEdit] = {}
        body = QHBoxLayout()
        body.setSpacing(24)
        body.addLayout(self._title_block(), 1)
        line = Divider(self, vertical=True)
        body.addWidget(line)
        body.addLayout(self._right(), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(14)
        column.addWidget(TextLabel(self.tr("Project properties"), self, px=17, weight=SEMIBOLD))
        column.addLayout(body, 1)
        column.addWidget(Divider(self))
        column.addLayout(self._foot())
        self._show_template()
        self._check()
        self.fields["title"].setFocus()
        dialogs.fit_to_screen(self, self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(900, 620)

    # -- controls -----------------------------------------------------------------------------------------------------

    def _title_block(self) -> QVBoxLayout:
        column = self._section(self.tr("Title block and cover"))
        form = self._form()
        project = self.context.project
        rows = (
            ("title", self.tr("Title")),
            ("customer", self.tr("Customer")),
            ("project", self.tr("Project")),
            ("number", self.tr("Drawing number")),
            ("revision", self.tr("Revision")),
            ("author", self.tr("Drawn")),
            ("checked", self.tr("Checked")),
            ("approved", self.tr("Approved")),
            ("date", self.tr("Date")),
            ("company", self.tr("Company")),
        )
        for key, label in rows:
            text = project.title if key == "title" else str(project.meta.get(key) or "")
            self.fields[key] = self._line(text, label)
            if key == "date":
                form.addRow(TextLabel(label, self, px=12.5), self._date_row())
            else:
                form.addRow(TextLabel(label, self, px=12.5), self.fields[key])
        self.fields["project"].setPlaceholderText(self.tr("as the title"))
        column.addLayout(form)
        column.addStretch(1)
        return column

    def _date_row(self) -> QHBoxLayout:
        line = self.fields["date"]
        line.setPlaceholderText("2026-01-31")
        today = TextButton(self.tr("Today"), self)
        today.clicked.connect(lambda: line.setText(datetime.date.today().isoformat()))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(line, 1)
        row.addWidget(today)
        return row

    def _right(self) -> QVBoxLayout:
        column = self._section(self.tr("Prices"))
        ordering = self.context.project.ordering
        form = self._form()
        self.currency = QComboBox(self)
        self.currency.setEditable(True)
        self.currency.addItems(CURRENCIES)
        self.currency.setCurrentText(str(ordering.get("currency") or CURRENCIES[0]))
        self.currency.setAccessibleName(self.tr("Main currency"))
        self.currency.currentTextChanged.connect(lambda _text: self._check())
        form.addRow(TextLabel(self.currency.accessibleName(), self, px=12.5), self.currency)
        tax = ordering.get("tax")
        shown = f"{float(tax) * 100:.6g}%" if isinstance(tax, (int, float)) else ""
        self.tax = self._line(shown, self.tr("Tax unless told"))
        self.tax.setPlaceholderText("13%")
        self.tax.setToolTip(self.tr("For prices that tell no rate of their own. Empty: not told."))
        form.addRow(TextLabel(self.tax.accessibleName(), self, px=12.5), self.tax)
        self._rate_labels: dict[str, TextLabel] = {}
        self.currency.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for code in self._codes():
            value = ordering.get(f"rate.{code}")
            line = self.rates[code] = self._line(f"{value:.10g}" if isinstance(value, (int, float)) else "", code)
            line.setPlaceholderText(self.tr("no rate: a sum of its own"))
            label = self._rate_labels[code] = TextLabel("", self, px=12.5)
            form.addRow(label, line)
        column.addLayout(form)
        column.addSpacing(6)
        column.addWidget(Divider(self))
        column.addSpacing(2)
        column.addWidget(TextLabel(self.tr("Look of reports"), self, px=14, weight=SEMIBOLD))
        column.addLayout(self._template_row())
        self.logo = TextLabel("", self)
        self.logo.hide()
        self.look = TextLabel("", self, px=11.5, token="text.2", wrap=True)
        column.addWidget(self.logo)
        column.addWidget(self.look)
        column.addStretch(1)
        return column

    def _codes(self) -> list[str]:
        """Currencies that may have a rate: usual ones, those that are stated, those of the prices."""
        project = self.context.project
        stated = {key[5:] for key in project.ordering if key.startswith("rate.")}
        priced = {row.currency for row in project.prices.values() if len(row.currency) == 3}
        return [*CURRENCIES, *sorted((stated | priced) - set(CURRENCIES))]

    def _template_row(self) -> QHBoxLayout:
        self.template = self._line(self.window_.session.text(TEMPLATE), self.tr("Template"))
        self.template.setMaxLength(4096)
        self.template.setPlaceholderText(self.tr("the program's own look"))
        self.template.textChanged.connect(lambda _text: self._show_template())
        browse = QPushButton(icon("folder"), "", self)
        browse.setAccessibleName(self.tr("Choose template…"))
        browse.setToolTip(browse.accessibleName())
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        clear = QPushButton(icon("x"), "", self)
        clear.setAccessibleName(self.tr("No template"))
        clear.setToolTip(clear.accessibleName())
        clear.setAutoDefault(False)
        clear.clicked.connect(lambda: self.template.clear())
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.template, 1)
        for button in (browse, clear):
            button.setFixedWidth(34)
            row.addWidget(button)
        return row

    def _section(self, title: str) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(10)
        column.addWidget(TextLabel(title, self, px=14, weight=SEMIBOLD))
        return column

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return form

    def _line(self, text: str, label: str) -> QLineEdit:
        line = QLineEdit(text, self)
        line.setMaxLength(LONGEST)
        line.setAccessibleName(label)
        line.textChanged.connect(lambda _text: self._check())
        return line

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(12)
        self.said = ElidedLabel("", self, px=12, token="error")
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.ok = QPushButton(self.tr("Apply"), self)
        self.ok.setDefault(True)
        self.ok.clicked.connect(self.accept)
        foot.addWidget(self.said, 1)
        foot.addWidget(cancel)
        foot.addWidget(self.ok)
        return foot

    # -- checks -------------------------------------------------------------------------------------------------------

    def _code(self) -> str:
        return self.currency.currentText().strip().upper()

    def _check(self) -> None:
        """One sentence about what cannot be; Apply waits until there is none."""
        if not hasattr(self, "ok"):
            return
        main = self._code()
        for code, label in self._rate_labels.items():
            label.setText(self.tr("1 {code} in {main}").format(code=code, main=main))
            self.rates[code].setVisible(code != main)
            label.setVisible(code != main)
        text = self._trouble()
        self.said.set_text(text)
        self.ok.setEnabled(not text)

    def _trouble(self) -> str:
        date = self.fields["date"].text().strip()
        if date and date != str(self.context.project.meta.get("date") or "") and not _is_date(date):
            return self.tr("Date: expected such as 2026-01-31.")
        code = self._code()
        if len(code) != 3 or not (code.isascii() and code.isalpha()):
            return self.tr("Main currency: expected a code such as CNY.")
        if share_of(self.tax.text()) == -1.0:
            return self.tr("Tax: expected a share such as 13%.")
        for name, line in self.rates.items():
            if name != code and _rate(line.text()) == -1.0:
                return self.tr("Rate of {code}: expected a number above 0, such as 7.1.").format(code=name)
        return self._bad_template

    _bad_template = ""

    def _show_template(self) -> None:
        """Name, logo and footer that the template holds, or what is wrong with it."""
        from fabricwright.exchange.report_template import load_template

        path = self.template.text().strip()
        self._bad_template = ""
        self.logo.hide()
        said = self.tr("A TOML or JSON file with name, accent, logo and footer. It is kept on this computer.")
        if path:
            try:
                found = load_template(path)
            except UserError as error:
                self._bad_template = text_of(error.message)
            else:
                said = ", ".join(word for word in (found.name, found.accent, found.footer) if word)
                if found.logo is not None:
                    self._show_logo(found.logo)
        self.look.setText(said)
        self._check()

    def _show_logo(self, image: Any) -> None:
        from fabricwright.design.images import image_bytes

        picture = QPixmap()
        if not picture.loadFromData(image_bytes(image)):
            return
        ways = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self.logo.setPixmap(picture.scaled(LOGO_PX, *ways))
        self.logo.show()

    def _browse(self) -> None:
        kinds = self.tr("Report templates (*.toml *.json)")
        start = self.template.text() or str(self.window_.session.folder())
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Choose template…"), start, kinds)
        if name:
            self.template.setText(name)

    # -- result -------------------------------------------------------------------------------------------------------

    def calls(self) -> list[tuple[str, dict[str, object]]]:
        """Edits of what is different from the project."""
        project = self.context.project
        out: list[tuple[str, dict[str, object]]] = []
        for key, line in self.fields.items():
            text = line.text().strip()
            if key == "title":
                if text != project.title:
                    out.append(("retitle", {"title": text, "design": None, "sheet": None}))
            elif text != str(project.meta.get(key) or ""):
                out.append(("set_meta", {"key": key, "value": text or None}))
        main = self._code()
        wanted: dict[str, str | float | None] = {"tax": share_of(self.tax.text())}
        if main != str(project.ordering.get("currency") or CURRENCIES[0]):
            wanted["currency"] = main
        for code, line in self.rates.items():
            wanted[f"rate.{code}"] = _rate(line.text()) if code != main else None
        for key, value in wanted.items():
            if value != project.ordering.get(key):
                out.append(("set_ordering", {"key": key, "value": value}))
        return out

    def accept(self) -> None:
        """Post what is different as one step, and remember the template."""
        if not self.ok.isEnabled():
            return
        calls = self.calls()
        if calls and self.context.edit_all(N_("Change project properties"), calls) is None:
            return
        path = self.template.text().strip()
        self.window_.session.put(TEMPLATE, str(Path(path).absolute()) if path else "")
        super().accept()


def template_arguments(window: MainWindow) -> list[str]:
    """What the command line is told about the look of reports."""
    path = window.session.text(TEMPLATE)
    return ["--template", path] if path else []


def _is_date(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _rate(text: str) -> float | None:
    """A rate of exchange; None when empty, -1 when not understood."""
    if not text.strip():
        return None
    try:
        value = float(text.strip())
    except ValueError:
        return -1.0
    return value if 0 < value < 1e9 else -1.0


def show_properties(window: MainWindow) -> None:
    """Open the dialog."""
    dialog = ProjectDialog(window)
    dialog.exec()
    dialog.deleteLater()
