"""A page of the form that is a table: keys, add and remove, messages beside the rows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from fabricwright.ui.own_parts.cells import ROW_PX, PartCells
from fabricwright.ui.own_parts.draft import free_figures
from fabricwright.ui.own_parts.figures_model import NAME_ROLE, FiguresModel
from fabricwright.ui.own_parts.rows_model import RowsModel
from fabricwright.ui.widgets import (
    CellCombo,
    Divider,
    EditableTable,
    EmptyState,
    Named,
    TextButton,
    TextLabel,
    set_surface,
)


class PartTable(EditableTable):
    """Insert adds, Delete removes, Enter or F2 edits."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, ROW_PX)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        head = self.horizontalHeader()
        head.setStretchLastSection(True)
        head.setMinimumSectionSize(40)
        corner = QWidget(self)
        set_surface(corner, "panel")
        self.setCornerWidget(corner)  # else the style frames the square between the scroll bars

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers()
        if plain and event.key() == Qt.Key.Key_Delete:
            self.wanted.emit("remove")
        elif plain and event.key() == Qt.Key.Key_Insert:
            self.wanted.emit("add")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.edit_current()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        # Enter edits a cell here; it must not press the dialog's button.
        mine = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Delete)
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in mine:
            event.accept()
            return True
        return super().event(event)


class TablePage(QWidget):
    """``model`` is a ``RowsModel`` or a ``FiguresModel``."""

    def __init__(self, model: RowsModel | FiguresModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.table = PartTable(self)
        self.table.setModel(model)
        self.table.setItemDelegate(PartCells(self.table))
        for n, column in enumerate(model.columns):
            self.table.horizontalHeader().resizeSection(n, column.width)
        self.empty = EmptyState(parent=self)
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(12)
        self.add_button = TextButton("", self, icon_name="plus")
        self.mode_button = TextButton(self.tr("New mode"), self, icon_name="plus")
        self.remove_button = TextButton(self.tr("Remove"), self, icon_name="minus")
        self.separate = QCheckBox(self.tr("Every row on a line of its own"), self)
        self.picker: CellCombo | None = None
        if isinstance(model, FiguresModel):
            names = free_figures(model.draft)
            self.picker = CellCombo(self, [Named(n, model.label(n), n) for n in names], search=True)
            self.picker.setMinimumWidth(260)
            self.picker.setCurrentIndex(-1)
            self.picker.setAccessibleName(self.tr("Figure to add"))
            edit = self.picker.lineEdit()
            if edit is not None:
                edit.setPlaceholderText(self.tr("Another figure: type its name"))
                edit.returnPressed.connect(self.add)
            self.picker.currentIndexChanged.connect(lambda _row: self._refresh())
            row.addWidget(self.picker)
        self.add_button.setText(self.tr("Add"))
        row.addWidget(self.add_button)
        row.addWidget(self.mode_button)
        row.addWidget(self.remove_button)
        row.addStretch(1)
        self.mode_button.setVisible(isinstance(model, RowsModel) and model.table == "modes")
        self.separate.setVisible(isinstance(model, RowsModel))
        row.addWidget(self.separate)
        column_box = QVBoxLayout(self)
        column_box.setContentsMargins(0, 0, 0, 0)
        column_box.setSpacing(0)
        column_box.addLayout(row)
        column_box.addWidget(Divider(self))
        self.note = TextLabel("", self, px=11.5, token="text.3", wrap=True)
        self.note.setContentsMargins(14, 8, 14, 6)
        self.note.hide()
        column_box.addWidget(self.note)
        column_box.addWidget(self.table, 1)
        column_box.addWidget(self.empty, 1)
        set_surface(self, "panel")
        self.add_button.clicked.connect(lambda _on=False: self.add())
        self.mode_button.clicked.connect(lambda _on=False: self.add_mode())
        self.remove_button.clicked.connect(lambda _on=False: self.remove())
        self.separate.toggled.connect(self._separate)
        self.table.wanted.connect(lambda verb: self.add() if verb == "add" else self.remove())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._refresh())
        model.modelReset.connect(self._refresh)
        model.draft.changed.connect(self._refresh)
        self.empty.activated.connect(self.add)
        self._refresh()

    def set_empty(self, lines: list[str], link: str) -> None:
        """What stands there instead of an empty table."""
        self.empty.set_content(lines, link)

    def set_note(self, text: str) -> None:
        """A sentence above the table."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def rows(self) -> list[int]:
        """Numbers of the chosen rows."""
        return sorted({index.row() for index in self.table.selectionModel().selectedIndexes()})

    def _refresh(self) -> None:
        nothing = self.model.rowCount() == 0
        self.table.setVisible(not nothing)
        self.empty.setVisible(nothing)
        self.separate.setVisible(isinstance(self.model, RowsModel) and not nothing)
        self.remove_button.setEnabled(bool(self.rows()))
        last = len(self.model.columns) - 1
        head = self.table.horizontalHeader()
        head.resizeSection(last, self.model.columns[last].width if self.model.trouble() else 40)

    def _separate(self, on: bool) -> None:
        if isinstance(self.model, RowsModel):
            self.model.set_together(not on)

    def add(self) -> None:
        """A new row like the current one, or the figure that was picked; its first cell is edited."""
        if isinstance(self.model, FiguresModel):
            assert self.picker is not None
            name = self.picker.value()
            if not isinstance(name, str) or name not in free_figures(self.model.draft):
                self.picker.setFocus()
                return
            row, column = self.model.add(name), 1
            self.picker.removeItem(self.picker.findData(name))
            self.picker.setCurrentIndex(-1)
            self.picker.clearEditText()
        else:
            row, column = self.model.add(self.table.currentIndex().row()), 0
        self.show_cell(row, column, edit=True)

    def add_mode(self) -> None:
        """A new mode, a copy of the current one."""
        if isinstance(self.model, RowsModel):
            self.show_cell(self.model.add_mode(self.table.currentIndex().row()), 0, edit=True)

    def remove(self) -> None:
        """Take the chosen rows out."""
        rows = self.rows()
        if rows:
            names = [self.model.index(row, 0) for row in rows]
            if isinstance(self.model, FiguresModel) and self.picker is not None:
                for index in names:
                    name = str(index.data(NAME_ROLE))
                    self.picker.addItem(self.model.label(name), name)
                self.picker.setCurrentIndex(-1)
            self.model.remove(rows)
            self.show_cell(min(rows[0], self.model.rowCount() - 1), 0)

    def show_cell(self, row: int, column: int, *, edit: bool = False) -> None:
        """Choose a cell and bring it into sight."""
        index = self.model.index(row, column)
        if not index.isValid():
            return
        flags = QItemSelectionModel.SelectionFlag
        self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.table.scrollTo(index)
        self.table.setFocus()
        if edit:
            self.table.edit(index)
