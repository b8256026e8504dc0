"""What the design report is to be before it is written: languages, paper, drawings, look."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
)

from fabricwright.ui import dialogs
from fabricwright.ui.project_dialog import TEMPLATE, show_properties, template_arguments
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, ElidedLabel, TextButton, TextLabel, set_surface

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

BOTH = ("en", "zh_CN")
PAPERS = ("A4", "A4-landscape", "A3", "A3-landscape")


def fill_languages(combo: QComboBox, language: str) -> None:
    """English, Chinese, both; the window's own is chosen. The data are languages with a comma."""
    for codes, name in (("en", "English"), ("zh_CN", "简体中文"), (",".join(BOTH), "English + 简体中文")):
        combo.addItem(name, codes)
    combo.setCurrentIndex(max(0, combo.findData(language)))


class ReportDialog(QDialog):
    """``languages()`` and ``arguments()`` once it was accepted. ``design`` the one that is reported."""

    def __init__(self, window: MainWindow, design: str = "") -> None:
        super().__init__(window)
        self.window_ = window
        context = window.context
        self.setWindowTitle(self.tr("Design report"))
        set_surface(self, "panel")
        self.design = QComboBox(self)
        for name in context.project.designs.ordered():
            self.design.addItem(context.project.designs[name].title or name, name)
        self.design.setCurrentIndex(max(0, self.design.findData(design or context.design)))
        self.language = QComboBox(self)
        fill_languages(self.language, context.language)
        self.paper = QComboBox(self)
        for paper in PAPERS:
            size, _, turn = paper.partition("-")
            self.paper.addItem(f"{size}, {self.tr('landscape')}" if turn else size, paper)
        self.revision = QLineEdit(str(context.project.meta.get("revision") or ""), self)
        self.revision.setMaxLength(40)
        self.drawings = QCheckBox(self.tr("With the drawings"), self)
        self.drawings.setChecked(True)
        self.look = ElidedLabel("", self, px=12.5, token="text.2")
        change = TextButton(self.tr("Project properties…"), self)
        change.clicked.connect(self._change)
        look = QHBoxLayout()
        look.addWidget(self.look, 1)
        look.addWidget(change)
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        rows = (
            (self.tr("Design"), self.design),
            (self.tr("Language"), self.language),
            (self.tr("Paper"), self.paper),
            (self.tr("Revision"), self.revision),
        )
        for label, widget in rows:
            widget.setAccessibleName(label)
            widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            form.addRow(TextLabel(label, self, px=12.5), widget)
        form.addRow(TextLabel(self.tr("Look"), self, px=12.5), look)
        form.addRow(TextLabel("", self), self.drawings)
        text = self.tr("Summary, drawings, checks, performance, comparison of the designs, parts, assumptions.")
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.ok = QPushButton(self.tr("Write…"), self)
        self.ok.setDefault(True)
        self.ok.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.ok)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel(self.tr("Design report"), self, px=17, weight=SEMIBOLD))
        column.addWidget(TextLabel(text, self, token="text.2", wrap=True))
        column.addLayout(form)
        column.addStretch(1)
        column.addWidget(Divider(self))
        column.addLayout(foot)
        self._show_look()
        dialogs.fit_to_screen(self, QSize(560, 400))

    def _change(self) -> None:
        before = str(self.window_.context.project.meta.get("revision") or "")
        show_properties(self.window_)
        self._show_look()
        if self.revision.text() == before:
            self.revision.setText(str(self.window_.context.project.meta.get("revision") or ""))

    def _show_look(self) -> None:
        path = self.window_.session.text(TEMPLATE)
        self.look.set_text(Path(path).name if path else self.tr("the program's own look"))

    def languages(self) -> list[str]:
        """One report for each."""
        return str(self.language.currentData()).split(",")

    def arguments(self, language: str) -> list[str]:
        """Options of ``fabricwright report``."""
        out = ["--design", str(self.design.currentData()), "--lang", language, "--page", str(self.paper.currentData())]
        out += ["--revision", self.revision.text().strip()] if self.revision.text().strip() else []
        out += [] if self.drawings.isChecked() else ["--no-drawings"]
        return out + template_arguments(self.window_)


def export_report(window: MainWindow, design: str = "") -> None:
    """Ask what and where, and write one report per language in processes of their own, one after the other."""
    from fabricwright.ui.exports import KINDS, start_of

    dialog = ReportDialog(window, design)
    if not dialog.exec():
        return
    title = QCoreApplication.translate("Exports", "Export report")
    path = dialogs.ask_save(window, start_of(window, "report.pdf"), title, KINDS[".pdf"], ".pdf")
    if path is not None:
        write_reports(window, path, [(code, dialog.arguments(code)) for code in dialog.languages()])


def write_reports(window: MainWindow, path: Path, wanted: list[tuple[str, list[str]]]) -> None:
    """Reports by language; more than one get the language appended to their name."""
    from fabricwright.ui.exports import write_file

    if path.suffix.lower() != ".pdf":
        path = path.with_name(path.name + ".pdf")
    several = len(wanted) > 1

    def go(rest: list[tuple[str, list[str]]]) -> None:
        (code, arguments), left = rest[0], rest[1:]
        target = path.with_name(f"{path.stem}-{code}{path.suffix}") if several else path
        job = write_file(window, "report", target, arguments)
        if left:
            job.finished.connect(lambda _rows: go(left))

    go(wanted)
