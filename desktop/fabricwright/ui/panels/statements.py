"""Statements: the table of claims, requirements and targets beside the drawing, with what the checks say to each."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QToolButton, QVBoxLayout, QWidget

from fabricwright.ui.context import UiContext
from fabricwright.ui.icons import icon
from fabricwright.ui.panels.statements_cells import ROW_PX, CellDelegate
from fabricwright.ui.panels.statements_model import COLUMNS, StatementsModel
from fabricwright.ui.theme import follow_theme
from fabricwright.ui.widgets import EditableTable, EmptyState, SearchField, TextButton, set_surface

_VERDICT_PX, _KIND_PX = 40, 96
#: What the other columns take of the rest.
_SHARES = {"text": 0.36, "quantity": 0.21, "value": 0.14, "subject": 0.17, "source": 0.12}
_NARROW_PX = 760


class StatementTable(EditableTable):
    """Keys of the table: Insert adds, Delete removes, Ctrl+D duplicates, Enter or F2 edits, Ctrl+A and Ctrl+C mean
    its rows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, ROW_PX)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(True)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setMinimumSectionSize(30)

    def _verb(self, event: QKeyEvent) -> str:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and not event.modifiers():
            return "delete"
        if event.key() == Qt.Key.Key_Insert and not event.modifiers():
            return "add"
        if event.key() == Qt.Key.Key_D and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            return "duplicate"
        return ""

    def _own(self, event: QKeyEvent) -> bool:
        """Whether a key is the table's: the window's Delete, Ctrl+D, F2, Ctrl+A and Ctrl+C mean what is selected on
        the canvas (F2 would rename it), here they mean these rows."""
        standard = QKeySequence.StandardKey
        return (
            bool(self._verb(event))
            or (event.key() == Qt.Key.Key_F2 and not event.modifiers())
            or event.matches(standard.SelectAll)
            or event.matches(standard.Copy)
        )

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        verb = self._verb(event)
        if verb:
            self.wanted.emit(verb)
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self.edit_current()
            return
        if event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo):
            event.ignore()
            return
        super().keyPressEvent(event)


class StatementsPanel(QWidget):
    """The table, and the buttons in its head. ``count_changed(int)`` tells how many statements there are."""

    count_changed = Signal(int)

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self._context = context
        self._count = -1
        self.model = StatementsModel(context, self)
        self.table = StatementTable(self)
        self.table.setModel(self.model)
        self.table.setItemDelegate(CellDelegate(context, self.table))
        self.filter = SearchField()
        self.filter.setMinimumWidth(90)
        self.filter.setMaximumWidth(220)
        self.add_button = TextButton("", None, icon_name="plus")
        self.duplicate_button = QToolButton()
        self.delete_button = QToolButton()
        for button in (self.duplicate_button, self.delete_button):
            button.setAutoRaise(True)
        self.empty = EmptyState(parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty, 1)
        set_surface(self, "panel")
        self.table.wanted.connect(
            lambda verb: {"add": self.add, "delete": self.delete, "duplicate": self.duplicate}[verb]()
        )
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._refresh_buttons())
        self.model.modelReset.connect(self._refresh_buttons)
        self.table.clicked.connect(self._clicked)
        self.add_button.clicked.connect(lambda _on=False: self.add())
        self.duplicate_button.clicked.connect(lambda _on=False: self.duplicate())
        self.delete_button.clicked.connect(lambda _on=False: self.delete())
        self.filter.queried.connect(lambda text: self._refilter(text))
        self.filter.leave_down.connect(self.table.setFocus)
        self.empty.activated.connect(self._from_empty)
        context.document.project_changed.connect(lambda _patch: self.refresh())
        context.place_changed.connect(self.refresh)
        context.analysis.changed.connect(self._analysed)
        follow_theme(self._themed)
        self._retranslate()

    def head_widgets(self) -> list[QWidget]:
        """What stands at the right end of the panel's head."""
        return [self.add_button, self.duplicate_button, self.delete_button, self.filter]

    # -- what is shown ----------------------------------------------------------------------------------------------

    def _analysed(self, topics: frozenset[str]) -> None:
        if "findings" in topics:
            self.refresh()

    def refresh(self) -> None:
        """Read document and findings again; the chosen rows stay chosen."""
        chosen = [line.id for line in map(self.model.line, self.rows()) if line is not None and line.id]
        current = self.table.currentIndex()
        here = self.model.line(current)
        row, column = current.row(), current.column()
        self.model.refresh()
        if self.table.currentIndex().row() < 0 and row >= 0 and self.model.rowCount():
            # The table was filled anew: the row that was being written stays the chosen one.
            found = self.model.row_of(here.id) if here is not None and here.id else row
            found = min(max(found, 0), self.model.rowCount() - 1)
            self._choose([self.model.row_of(s) for s in chosen], found, column)
        self._show()

    def _show(self) -> None:
        nothing = self.model.rowCount() == 0
        self.table.setVisible(not nothing)
        self.empty.setVisible(nothing)
        if nothing and self.model.total():
            self.empty.set_content([self.tr("No statement matches the filter.")], self.tr("Show all"))
        elif nothing:
            lines = [
                self.tr("What the customer asks for, what a proposal claims:"),
                self.tr("statements are held against the drawing as it changes."),
            ]
            self.empty.set_content(lines, self.tr("Add a statement"))
        if self.model.total() != self._count:
            self._count = self.model.total()
            self.count_changed.emit(self._count)
        self._refresh_buttons()

    def _refilter(self, text: str) -> None:
        self.model.set_filter(text)
        self._show()

    def _from_empty(self) -> None:
        if self.model.total():
            self.filter.clear()
        else:
            self.add()

    def _refresh_buttons(self) -> None:
        chosen = bool(self.rows())
        self.duplicate_button.setEnabled(chosen)
        self.delete_button.setEnabled(chosen)

    def rows(self) -> list[int]:
        """Numbers of the chosen rows."""
        return sorted({index.row() for index in self.table.selectionModel().selectedIndexes()})

    def _choose(self, rows: list[int], current: int, column: int) -> None:
        selection = self.table.selectionModel()
        flags = QItemSelectionModel.SelectionFlag
        selection.clearSelection()
        for row in rows:
            if row >= 0:
                selection.select(self.model.index(row, 0), flags.Select | flags.Rows)
        selection.setCurrentIndex(self.model.index(current, column), flags.Select | flags.Rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """The columns share the width; the source gives way on a narrow panel."""
        narrow = self.width() < _NARROW_PX
        shares = {name: share for name, share in _SHARES.items() if not (narrow and name == "source")}
        room = self.width() - _VERDICT_PX - _KIND_PX - 14
        head = self.table.horizontalHeader()
        head.setSectionHidden(COLUMNS.index("source"), narrow)
        head.resizeSection(0, _VERDICT_PX)
        head.resizeSection(1, _KIND_PX)
        for name, share in shares.items():
            head.resizeSection(COLUMNS.index(name), max(60, round(room * share / sum(shares.values()))))

    # -- what can be done -------------------------------------------------------------------------------------------

    def add(self) -> None:
        """A new row; its text is edited at once. What is selected on the canvas is what it is about."""
        chosen = self._context.addresses
        row = self.model.add(subject=str(chosen[0]) if len(chosen) == 1 else "")
        self._show()
        self._choose([row], row, COLUMNS.index("text"))
        index = self.model.index(row, COLUMNS.index("text"))
        self.table.scrollTo(index)
        self.table.setFocus()
        self.table.edit(index)

    def duplicate(self) -> None:
        """Copies of the chosen rows."""
        fresh = self.model.duplicate(self.rows())
        rows = [self.model.row_of(statement) for statement in fresh]
        if rows and rows[0] >= 0:
            self._choose(rows, rows[0], COLUMNS.index("text"))
            self.table.scrollTo(self.model.index(rows[0], 0))

    def delete(self) -> None:
        """Remove the chosen rows."""
        rows = self.rows()
        if not rows:
            return
        self.model.delete(rows)
        self._show()
        left = self.model.rowCount()
        if left:
            here = min(rows[0], left - 1)
            self._choose([here], here, COLUMNS.index("text"))

    def _clicked(self, index: QModelIndex) -> None:
        if COLUMNS[index.column()] == "verdict":
            self.show_problem(index.row())

    def show_problem(self, row: int) -> bool:
        """Choose the finding that speaks against a row in the list of problems; False when there is none."""
        line = self.model.line(row)
        if line is None or not line.verdict.keys:
            return False
        self._context.problem_wanted.emit(line.verdict.keys[0])
        return True

    def go_to_subject(self, row: int) -> None:
        """Select what a row is about."""
        line = self.model.line(row)
        if line is not None and self.about_place(row):
            self._context.go_to(line.row.subject)

    def about_place(self, row: int) -> bool:
        """Whether a row is about something that can be selected."""
        line = self.model.line(row)
        return line is not None and bool(line.row.subject) and not _scoped(line.row.subject)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        point = self.table.viewport().mapFrom(self, event.pos())
        index = self.table.indexAt(point)
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.table.currentIndex()
        menu = self.menu(index.row())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def menu(self, row: int) -> QMenu:
        """The menu of a row, or of the empty table (-1)."""
        menu = QMenu(self)
        line = self.model.line(row)
        if line is not None:
            problem = menu.addAction(self.tr("Show the problem"), lambda: self.show_problem(row))
            problem.setEnabled(bool(line.verdict.keys))
            place = menu.addAction(self.tr("Go to what it is about"), lambda: self.go_to_subject(row))
            place.setEnabled(self.about_place(row))
            menu.addSeparator()
        menu.addAction(self.tr("Add a statement"), self.add)
        if line is not None:
            menu.addAction(self.tr("Duplicate"), self.duplicate)
            menu.addAction(self.tr("Delete"), self.delete)
        return menu

    def _themed(self, _theme: object) -> None:
        self._icons()
        self.table.viewport().update()

    def _icons(self) -> None:
        self.duplicate_button.setIcon(icon("duplicate", "text.2"))
        self.delete_button.setIcon(icon("delete", "text.2"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self._icons()
        self.add_button.setText(self.tr("Add"))
        self.add_button.updateGeometry()
        for button, text in (
            (self.duplicate_button, self.tr("Duplicate the chosen statements")),
            (self.delete_button, self.tr("Delete the chosen statements")),
        ):
            button.setToolTip(text)
            button.setAccessibleName(text)
        self.filter.set_placeholder(self.tr("Filter statements"))
        self.table.setAccessibleName(self.tr("Statements"))
        self.refresh()
        self.table.viewport().update()
        self.table.horizontalHeader().viewport().update()


def _scoped(subject: str) -> bool:
    return subject.partition(":")[0] in ("part", "workload", "document", "design") and ":" in subject
