"""Parts and prices in the middle of the window: what has to be ordered, what is there, what it costs and what has no
price."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui.canvas.panel import PathBar
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.prices.model import BillModel
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, EditableTable, ElidedLabel, EmptyState, SearchField, TextLabel, set_surface
from fabricwright.units.text import Message

ROW_PX = 32
_SHARES = {
    "group": 0.2,
    "name": 0.3,
    "model": 0.14,
    "kind": 0.12,
    "needed": 0.07,
    "spares": 0.06,
    "owned": 0.07,
    "order": 0.08,
    "unit_price": 0.13,
    "total": 0.15,
    "lead_days": 0.07,
    "price_list": 0.12,
}


class BillTable(EditableTable):
    """Ctrl+C copies rows as text that spreadsheets take; keys of the canvas do not reach through."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            standard = QKeySequence.StandardKey
            if event.matches(standard.Copy) or event.matches(standard.SelectAll) or event.key() == Qt.Key.Key_F2:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.wanted.emit("copy")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self.edit_current()
        else:
            super().keyPressEvent(event)


class _FigureEditor(QStyledItemDelegate):
    """Figures are written at the right, where they stand."""

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAlignment(Qt.AlignmentFlag.AlignRight)
        editor.setMaxLength(20)
        return editor

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, QLineEdit)
        editor.setText(str(index.data(Qt.ItemDataRole.EditRole) or ""))
        editor.selectAll()


class BillView(QWidget):
    """The list with its bar and its sums."""

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.model = BillModel(context, self)
        self.table = BillTable(self, ROW_PX)
        self.table.setModel(self.model)
        self.table.setItemDelegate(_FigureEditor(self.table))
        self.table.setAlternatingRowColors(False)
        self.table.setTabKeyNavigation(True)
        head = self.table.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setMinimumSectionSize(40)
        head.setStretchLastSection(True)
        self.title = TextLabel("", self, px=12.5, weight=SEMIBOLD)
        self.figures = ElidedLabel("", self, px=12, token="text.2")
        self.by_label = TextLabel("", self, px=12, token="text.2")
        self.by = QComboBox(self)
        self.unpriced = QCheckBox(self)
        self.filter = SearchField()
        self.filter.setMinimumWidth(90)
        self.filter.setMaximumWidth(200)
        self.spares = QPushButton(self)
        self.prices = QPushButton(self)
        self.sums = TextLabel("", self, px=12.5, weight=SEMIBOLD)
        self.missing = ElidedLabel("", self, px=12, token="text.2")
        self.empty = EmptyState((), "", "bom", self)
        self._build()
        self.table.wanted.connect(lambda verb: self.copy() if verb == "copy" else None)
        self.by.activated.connect(lambda _index: self._ask())
        self.unpriced.clicked.connect(self._only_unpriced)
        self.filter.queried.connect(self._refilter)
        self.filter.leave_down.connect(self.table.setFocus)
        self.spares.clicked.connect(lambda _on=False: self.edit_spares())
        self.prices.clicked.connect(lambda _on=False: self.import_prices())
        context.analysis.changed.connect(self._said)
        context.place_changed.connect(self.refresh)
        context.language_changed.connect(lambda _code: self.retranslate())
        self.retranslate()

    def _build(self) -> None:
        bar = PathBar(self)
        controls = (self.by_label, self.by, self.unpriced, self.filter, self.spares, self.prices)
        bar.fill(self.title, self.figures, controls)
        for widget in (self.by, self.spares, self.prices, self.filter):
            widget.setFixedHeight(26)
        foot = QWidget(self)
        set_surface(foot, "panel")
        low = QHBoxLayout(foot)
        low.setContentsMargins(14, 8, 14, 9)
        low.setSpacing(18)
        low.addWidget(self.missing, 1)
        low.addWidget(self.sums)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty, 1)
        column.addWidget(Divider(self))
        column.addWidget(foot)
        set_surface(self, "panel")
        self.setFocusProxy(self.table)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(self.tr("Parts list"))
        self.by_label.setText(self.tr("Divide by"))
        chosen = self.by.currentData() or "part"
        self.by.clear()
        for key, name in (
            ("part", self.tr("nothing")),
            ("rack", self.tr("rack")),
            ("server", self.tr("server type")),
            ("phase", self.tr("phase")),
        ):
            self.by.addItem(name, key)
        self.by.setCurrentIndex(self.by.findData(chosen))
        self.by.setAccessibleName(self.by_label.text())
        self.unpriced.setText(self.tr("Only without a price"))
        self.filter.set_placeholder(self.tr("Filter parts"))
        self.spares.setText(self.tr("Spares…"))
        self.prices.setText(self.tr("Import prices…"))
        self.table.setAccessibleName(self.title.text())
        self.refresh()

    # -- following the project ----------------------------------------------------------------------------------------

    def shown(self, on: bool) -> None:
        """Called when the view comes to the front or leaves it: only then the worker makes the list."""
        self.context.analysis.ask(bill_wanted=str(self.by.currentData()) if on else "")
        if on:
            self.refresh()
            self.table.setFocus()

    def _ask(self) -> None:
        self.context.analysis.ask(bill_wanted=str(self.by.currentData()))

    def _said(self, topics: object) -> None:
        if isinstance(topics, frozenset) and topics & {"bill", "status"}:
            self.refresh()

    def refresh(self) -> None:
        """Read the list again; the current cell stays the current one."""
        here = self.table.currentIndex()
        row, column = here.row(), here.column()
        scroll = self.table.verticalScrollBar().value()
        self.model.refresh()
        if 0 <= row < self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(row, min(column, self.model.columnCount() - 1)))
        self.table.verticalScrollBar().setValue(scroll)
        self._fit_columns()
        self._say()

    def _say(self) -> None:
        bill = self.model.bill
        nothing = self.model.rowCount() == 0
        self.table.setVisible(not nothing)
        self.empty.setVisible(nothing)
        if nothing:
            if not bill and self.context.analysis.status in ("lost", "failed"):
                lines: tuple[str, ...] = (self.tr("The checks do not run."), self.tr("Restart them to see the list."))
            elif not bill:
                lines = (self.tr("Counting…"),)
            elif bill["lines"]:
                lines = (self.tr("No part matches the filter."),)
            else:
                lines = (self.tr("Nothing is drawn yet."),)
            self.empty.set_content(lines, "", "bom")
        if not bill:
            self.figures.set_text("")
            self.sums.setText("")
            self.missing.set_text("")
            return
        pieces = sum(line["order"] for line in bill["lines"])
        alone = len(bill["lines"]) == 1
        text = self.tr("1 line · {pieces} to order") if alone else self.tr("{lines} lines · {pieces} pieces to order")
        self.figures.set_text(text.format(lines=f"{len(bill['lines']):,}", pieces=f"{pieces:,}"))
        sums = []
        for money in bill["money"]:
            text = f"{money['net']:,.2f} {money['currency']}"
            if money["tax"]:
                gross = f"{money['gross']:,.2f}"
                text = self.tr("{net}, with tax {gross}").format(net=text, gross=gross)
            sums.append(text)
        self.sums.setText(self.tr("Total {sums}").format(sums="   +   ".join(sums)) if sums else "")
        notes = " ".join(text_of(Message.from_json(note)) for note in bill["notes"][:1])
        if bill["without_price"]:
            if alone:
                text = self.tr("The line has no price: type it into the table, or import a list.")
            elif not bill["money"]:
                text = self.tr("{count} of {all} lines have no price: type it into the table, or import a list.")
            else:
                text = self.tr("{count} of {all} lines have no price.")
            notes = f"{text.format(count=bill['without_price'], all=len(bill['lines']))} {notes}"
        self.missing.set_text(notes)
        self.unpriced.setVisible(bool(bill["money"]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        shares = {name: _SHARES[name] for name in self.model.columns}
        room = self.width() - 18
        head = self.table.horizontalHeader()
        for n, name in enumerate(self.model.columns):
            head.resizeSection(n, max(56, round(room * shares[name] / sum(shares.values()))))

    # -- what can be done -------------------------------------------------------------------------------------------

    def _refilter(self, text: str) -> None:
        self.model.set_filter(text)
        self._fit_columns()
        self._say()

    def _only_unpriced(self, on: bool) -> None:
        self.model.only_unpriced = on
        self.refresh()

    def copy(self) -> None:
        """The chosen rows as text with tabs."""
        from PySide6.QtGui import QGuiApplication

        rows = sorted({index.row() for index in self.table.selectionModel().selectedIndexes()})
        model = self.model
        lines = ["\t".join(model.text(model.rows[row], column) for column in model.columns) for row in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def edit_spares(self) -> None:
        """Ask for the shares of spares, by kind of part."""
        from fabricwright.ui.prices.spares_dialog import SparesDialog

        kinds = sorted({line["kind"] for line in self.model.bill.get("lines", ()) if line["part"]})
        SparesDialog(self.context, kinds, self.window()).exec()

    def import_prices(self) -> None:
        """Take prices from a supplier's list."""
        from fabricwright.ui.prices.import_dialog import import_prices

        import_prices(self.window(), self.context)
