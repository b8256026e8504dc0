"""What one output job is to be: format, file name, language, design, and the options of its kind."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from fabricwright.design.output_jobs import DEFAULT_NAME, KINDS, NAME_FIELDS, Choice, format_of_job, is_on, text_of
from fabricwright.design.values import OutputJob
from fabricwright.ui.context import UiContext
from fabricwright.ui.export.pack_jobs import NAMES, value_of
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, TextLabel, set_surface


class JobOptions(QScrollArea):
    """Built anew for each job. ``changed`` (job, option, value; "" or None = not stated)."""

    changed = Signal(str, str, object)

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._name = ""
        self.fields: dict[str, QWidget] = {}
        self.setWidgetResizable(True)
        self.setMinimumWidth(316)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_job(self, name: str, job: OutputJob | None) -> None:
        """Fields of a job; none for None."""
        self._name = name
        self.fields = {}
        inner = QWidget()
        set_surface(inner, "panel")
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(10)
        if job is not None and job.kind in KINDS:
            self._fill(column, inner, job)
        column.addStretch(1)
        self.setWidget(inner)

    def _fill(self, column: QVBoxLayout, inner: QWidget, job: OutputJob) -> None:
        lang = self._context.language
        kind = KINDS[job.kind]
        column.addWidget(TextLabel(kind.title.text(lang), inner, px=14, weight=SEMIBOLD))
        form = self._form()
        self._combo(form, "format", self.tr("Format"), [(f, NAMES.get(f, f)) for f in kind.formats], format_of_job(job))
        languages = [("", self.tr("as the pack")), ("en", "English"), ("zh_CN", "简体中文")]
        self._combo(form, "language", self.tr("Language"), languages, text_of(job, "language"))
        project = self._context.project
        designs = [("", self.tr("the open one"))]
        designs += [(name, project.designs[name].title or name) for name in project.designs.ordered()]
        if len(designs) > 2:
            self._combo(form, "design", self.tr("Design"), designs, text_of(job, "design"))
        self._line(form, "title", self.tr("Name in the list"), text_of(job, "title"), kind.title.text(lang))
        self._line(form, "name", self.tr("File name"), text_of(job, "name"), DEFAULT_NAME)
        column.addLayout(form)
        names = " ".join(f"{{{name}}}" for name in NAME_FIELDS)
        hint = self.tr("Fields of the file name: {names}").format(names=names)
        column.addWidget(TextLabel(hint, inner, px=11.5, token="text.2", wrap=True))
        if kind.choices:
            column.addSpacing(4)
            column.addWidget(Divider(inner))
            column.addWidget(TextLabel(self.tr("Options"), inner, px=13, weight=SEMIBOLD))
            form = self._form()
            for choice in kind.choices:
                if choice.flag:
                    column.addWidget(self._flag(inner, job, choice, lang))
                elif choice.values:
                    shown = [(value, self._word(value)) for value in choice.values]
                    self._combo(form, choice.key, choice.label.text(lang), shown, value_of(job, choice))
                else:
                    self._line(form, choice.key, choice.label.text(lang), text_of(job, choice.key), choice.default)
            column.insertLayout(column.count(), form)

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        return form

    def _word(self, value: str) -> str:
        words = {
            "part": self.tr("part"),
            "rack": self.tr("rack"),
            "server": self.tr("server type"),
            "phase": self.tr("phase"),
        }
        paper, _, turn = value.partition("-")
        return words.get(value) or (f"{paper}, {self.tr('portrait')}" if turn else value)

    def _combo(self, form: QFormLayout, key: str, label: str, rows: list[tuple[str, str]], chosen: str) -> None:
        combo = QComboBox(self)
        for value, text in rows:
            combo.addItem(text, value)
        combo.setCurrentIndex(max(0, combo.findData(chosen)))
        combo.setAccessibleName(label)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(10)
        name = self._name
        combo.currentIndexChanged.connect(lambda _n: self.changed.emit(name, key, combo.currentData()))
        form.addRow(TextLabel(label, self, px=12.5), combo)
        self.fields[key] = combo

    def _line(self, form: QFormLayout, key: str, label: str, text: str, hint: str) -> None:
        line = QLineEdit(text, self)
        line.setPlaceholderText(hint)
        line.setMaxLength(120)
        line.setAccessibleName(label)
        name = self._name
        line.textEdited.connect(lambda said: self.changed.emit(name, key, said.strip()))
        form.addRow(TextLabel(label, self, px=12.5), line)
        self.fields[key] = line

    def _flag(self, inner: QWidget, job: OutputJob, choice: Choice, lang: str) -> QCheckBox:
        box = QCheckBox(choice.label.text(lang), inner)
        box.setChecked(is_on(job, choice.key))
        name = self._name
        box.toggled.connect(lambda on: self.changed.emit(name, choice.key, on))
        self.fields[choice.key] = box
        return box
