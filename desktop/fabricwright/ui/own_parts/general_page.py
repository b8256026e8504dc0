"""First page of the form: what the part is called, who makes it, under which id it is kept, where it comes from."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from fabricwright.catalog.parts import CONFIDENCES
from fabricwright.ui.i18n import text_of
from fabricwright.ui.own_parts.draft import Draft
from fabricwright.ui.panels.inspector_figures import confidence_word
from fabricwright.ui.widgets import CellCombo, Named, TextLabel, set_surface

LABEL_PX, FIELD_PX = 150, 580
#: Kinds that a device type of NetBox can be.
DEVICE_KINDS = ("switch", "server", "storage-server", "management-server")


class FormField(QWidget):
    """A label, a control, and beside or under it what is wrong or worth knowing."""

    def __init__(self, grid: QGridLayout, label: str, control: QWidget, hint: str = "") -> None:
        super().__init__()
        self.control = control
        self._hint = hint
        self.message = TextLabel(hint, self, px=11.5, token="text.3", wrap=True)
        self.message.setVisible(bool(hint))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        control.setMaximumWidth(FIELD_PX)
        column.addWidget(control)
        column.addWidget(self.message)
        control.setAccessibleName(label)
        row = grid.rowCount()
        caption = TextLabel(label, None, token="text.2")
        caption.setContentsMargins(0, 6, 0, 0)
        caption.setMinimumWidth(LABEL_PX)
        caption.setBuddy(control)
        grid.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self, row, 1)

    def say(self, problem: str, hint: str | None = None) -> None:
        """An error sentence, else the hint."""
        text = problem or (self._hint if hint is None else hint)
        self.message.setText(text)
        self.message.set_token("error" if problem else "text.3")
        self.message.setVisible(bool(text))
        self.control.setProperty("invalid", bool(problem))
        self.control.setAccessibleDescription(text)
        self.control.update()


class GeneralPage(QScrollArea):
    """Every field writes to the draft at once."""

    def __init__(self, draft: Draft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.draft = draft
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        set_surface(body, "panel")
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(12)
        grid.setColumnStretch(1, 1)
        self.fields: dict[str, FormField] = {}
        self._edits: dict[str, QLineEdit] = {}
        self._line(grid, "names.en", self.tr("Name, English"))
        self._line(grid, "names.zh_CN", self.tr("Name, Chinese"))
        self._line(grid, "model", self.tr("Model"), self.tr("The part number to order by"))
        self._line(grid, "vendor", self.tr("Vendor"))
        self._line(grid, "id", self.tr("Id"), self.tr("What project files call it; it stays when the names change"))
        if draft.editing:
            self._edits["id"].setReadOnly(True)
            self._edits["id"].setEnabled(False)
        if draft.free_kind:
            from fabricwright.ui.own_parts.words import kind_name

            kinds = CellCombo(self, [Named(k, kind_name(k)) for k in DEVICE_KINDS])
            kinds.set_value(draft.text("kind"))
            kinds.activated.connect(lambda _row: draft.set_text("kind", str(kinds.value())))
            self.fields["kind"] = FormField(
                grid, self.tr("Kind"), kinds, self.tr("Guessed from the record; correct it where it is wrong")
            )
        self._line(
            grid,
            "source",
            self.tr("Source"),
            self.tr("For what is not a figure: datasheet, offer, measured; each figure has a source of its own"),
        )
        sure = CellCombo(self, [Named(c, confidence_word(c)) for c in CONFIDENCES])
        sure.set_value(draft.text("confidence"))
        sure.activated.connect(lambda _row: draft.set_text("confidence", str(sure.value())))
        self.fields["confidence"] = FormField(grid, self.tr("How sure"), sure)
        self.note = QPlainTextEdit(draft.text("note"), self)
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(64)
        self.note.textChanged.connect(lambda: draft.set_text("note", self.note.toPlainText().strip()))
        self.fields["note"] = FormField(grid, self.tr("Note"), self.note)
        column = QVBoxLayout(body)
        column.setContentsMargins(20, 14, 20, 16)
        column.addLayout(grid)
        column.addStretch(1)
        self.setWidget(body)
        draft.changed.connect(self.refresh)
        self.refresh()

    def _line(self, grid: QGridLayout, field: str, label: str, hint: str = "") -> None:
        edit = QLineEdit(self.draft.text(field), self)
        write: Callable[[str], None] = lambda text, f=field: self.draft.set_text(f, text.strip())  # type: ignore[misc]  # noqa: E731
        edit.textEdited.connect(write)
        self._edits[field] = edit
        self.fields[field] = FormField(grid, label, edit, hint)

    def edit(self, field: str) -> QLineEdit:
        """The line of a field ("names.en", "id", ...)."""
        return self._edits[field]

    def refresh(self) -> None:
        """What the draft says now; the line that is being typed in is left alone."""
        for field, edit in self._edits.items():
            if not edit.hasFocus() and edit.text() != self.draft.text(field):
                edit.setText(self.draft.text(field))
        for field, row in self.fields.items():
            found = self.draft.problems_at(field)
            row.say(text_of(found[0]) if found else "", self._hint(field))

    def _hint(self, field: str) -> str | None:
        """A remark that is no error: two parts of one name are hard to tell apart."""
        lang = field.partition(".")[2]
        base = self.draft.base_names.get(lang, "")
        if lang and not self.draft.editing and base and self.draft.text(field) == base:
            return self.tr("As the part it was made from; another name tells them apart")
        return None

    def trouble(self) -> int:
        """Fields with something wrong."""
        return sum(bool(self.draft.problems_at(field)) for field in self.fields)

    def row_of(self, place: str) -> str | None:
        """The field that a place is."""
        return place if place in self.fields else None

    def show_field(self, field: str) -> None:
        """Put the cursor into a field."""
        control = self.fields[field].control
        self.ensureWidgetVisible(control)
        control.setFocus()
        if isinstance(control, QLineEdit):
            control.selectAll()
