"""The third step: what the designs are called, where they go and what is opened first; and how their racks stand."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from fabricwright.ui.sizing.fields import ChoiceField
from fabricwright.ui.sizing.plots import Sketch
from fabricwright.ui.sizing.result import Card
from fabricwright.ui.sizing.rows import Row, default_title, facts, letter
from fabricwright.ui.widgets import ElidedLabel, TextLabel


class NamingPane(Card):
    """``values`` name, destination ("new", "add") and first view of what is drawn."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        self.name = QLineEdit(self)
        self.name.setMaxLength(200)
        self.name.textEdited.connect(lambda _text: self.name.setProperty("own", True))
        self.where, self.view = ChoiceField(self), ChoiceField(self)
        self.labels = []
        for n, field in enumerate((self.name, self.where, self.view)):
            label = TextLabel("", self, px=12.5, token="text.2")
            label.setBuddy(field)
            self.labels.append(label)
            grid.addWidget(label, n, 0)
            grid.addWidget(field, n, 1)
        self.column.addLayout(grid)
        self.sketch = Sketch(self)
        self.column.addWidget(self.sketch)
        self.lines = QGridLayout()
        self.lines.setColumnStretch(1, 1)
        self.lines.setHorizontalSpacing(16)
        self.column.addLayout(self.lines)
        self._shown: list[tuple[TextLabel, ElidedLabel]] = []
        self.hint = TextLabel("", self, px=12, token="text.2", wrap=True)
        self.column.addWidget(self.hint)
        self.column.addStretch(1)
        self._open = False
        self.retranslate()

    def set_open(self, project_is_open: bool, add: bool) -> None:
        """Whether there is a project to add to, and whether that is meant."""
        self._open = project_is_open
        self.retranslate()
        self.where.set_value("add" if project_is_open and add else "new")

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(self.tr("Racks and names"))
        texts = (self.tr("Name"), self.tr("Goes into"), self.tr("Opens on"))
        for label, text, field in zip(self.labels, texts, (self.name, self.where, self.view), strict=True):
            label.setText(text)
            field.setAccessibleName(text)
        rows = [("new", self.tr("a new project"))]
        if self._open:
            rows.append(("add", self.tr("the open project, as another design")))
        self.where.set_choices(rows)
        self.view.set_choices((("canvas", self.tr("the drawing")), ("racks", self.tr("the racks"))))
        self.hint.setText(
            self.tr(
                "Rack type, power, height and where leafs stand are among the requirements: go back to change them."
            )
        )

    def changeEvent(self, event: QEvent) -> None:
        """Live switch of language."""
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_open"):
            self.retranslate()
        super().changeEvent(event)

    def show_row(self, row: Row, count: int) -> None:
        """The design that is drawn first, of so many."""
        more = self.tr(" and {count} more").format(count=count - 1) if count > 1 else ""
        self.note.set_text(self.tr("Design {name}").format(name=letter(row)) + more)
        if not self.name.property("own"):
            self.name.setText(default_title(row))
        self.sketch.show_row(row)
        rows = facts(row)
        while len(self._shown) < len(rows):
            label, text = TextLabel("", self, px=12, token="text.2"), ElidedLabel("", self, px=12)
            self.lines.addWidget(label, len(self._shown), 0)
            self.lines.addWidget(text, len(self._shown), 1)
            self._shown.append((label, text))
        for n, (label, text) in enumerate(self._shown):
            label.setVisible(n < len(rows))
            text.setVisible(n < len(rows))
            if n < len(rows):
                label.setText(rows[n][0])
                text.set_text(rows[n][1])
