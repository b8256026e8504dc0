"""A price list before it is taken in: its columns and what they mean, which parts were found, what is not understood.

The file is read by the worker: the window never loads a spreadsheet.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui import dialogs
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.session import Session, default_settings
from fabricwright.ui.theme import SEMIBOLD, theme
from fabricwright.ui.widgets import NoticeBox, TextLabel, set_surface
from fabricwright.units.text import Message

FIELDS = ("part", "price", "currency", "discount", "tax", "length", "lead", "date", "vendor", "description")
DELAY_MS = 250
MOST_LINES = 8


def field_name(field: str) -> str:
    """What a column may hold."""
    return {
        "": QCoreApplication.translate("PriceList", "not used"),
        "part": QCoreApplication.translate("PriceList", "Part number"),
        "price": QCoreApplication.translate("PriceList", "Unit price"),
        "currency": QCoreApplication.translate("PriceList", "Currency"),
        "discount": QCoreApplication.translate("PriceList", "Discount"),
        "tax": QCoreApplication.translate("PriceList", "Tax rate"),
        "length": QCoreApplication.translate("PriceList", "Length"),
        "lead": QCoreApplication.translate("PriceList", "Lead time"),
        "date": QCoreApplication.translate("PriceList", "List date"),
        "vendor": QCoreApplication.translate("PriceList", "Vendor"),
        "description": QCoreApplication.translate("PriceList", "Description"),
    }[field]


def import_prices(parent: QWidget, context: UiContext, path: Path | None = None) -> None:
    """Ask for a file and show the dialog."""
    if path is None:
        title = QCoreApplication.translate("PriceList", "Import price list")
        kinds = QCoreApplication.translate("PriceList", "Price lists (*.xlsx *.xlsm *.csv *.tsv *.txt)")
        folder = context.document.file.parent if context.document.file else Session(default_settings()).folder()
        name, _ = QFileDialog.getOpenFileName(parent, title, str(folder), kinds)
        if not name:
            return
        path = Path(name)
    PriceListDialog(context, path, parent).exec()


class PriceListDialog(QDialog):
    """Columns are chosen in the heads of the preview; accepting posts one step of the history."""

    def __init__(self, context: UiContext, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context, self.path = context, path
        self.found: dict[str, Any] = {}
        self._combos: list[QComboBox] = []
        self._chosen: dict[str, str] = {}
        self.setWindowTitle(self.tr("Import price list"))
        set_surface(self, "panel")
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self._read)
        self._build()
        context.analysis.price_list_read.connect(self._take)
        dialogs.fit_to_screen(self, QSize(1040, 680))
        self._read()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel(self.path.name, self, px=17, weight=SEMIBOLD, wrap=True))
        self.where = TextLabel("", self, token="text.2", wrap=True)
        column.addWidget(self.where)
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        self.name = QLineEdit(self.path.stem[:80], self)
        self.currency = QComboBox(self)
        self.currency.setEditable(True)
        self.currency.addItems(["CNY", "USD", "EUR", "HKD", "JPY"])
        self.currency.setCurrentText(str(self.context.project.ordering.get("currency") or "CNY"))
        self.tax = QLineEdit(self)
        self.tax.setPlaceholderText("13%")
        self.discount = QLineEdit(self)
        self.discount.setPlaceholderText("0%")
        for n, (label, widget, width) in enumerate(
            (
                (self.tr("Name of the list"), self.name, 240),
                (self.tr("Currency unless told"), self.currency, 90),
                (self.tr("Tax rate unless told"), self.tax, 90),
                (self.tr("Discount unless told"), self.discount, 90),
            )
        ):
            grid.addWidget(TextLabel(label, self, px=11.5, token="text.2"), 0, n)
            grid.addWidget(widget, 1, n)
            widget.setFixedWidth(width)
            widget.setAccessibleName(label)
        grid.setColumnStretch(4, 1)
        column.addLayout(grid)
        self.table = QTableWidget(self)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.table.setAccessibleName(self.tr("Preview"))
        column.addWidget(self.table, 1)
        self.notice = NoticeBox()
        self.trouble = NoticeBox()
        boxes = QHBoxLayout()
        boxes.setSpacing(10)
        boxes.addWidget(self.notice, 1)
        boxes.addWidget(self.trouble, 1)
        for box in (self.notice, self.trouble):
            inside = box.layout()
            if isinstance(inside, QBoxLayout):
                inside.addStretch(1)  # side by side they are equally high; their texts stay at the top
        column.addLayout(boxes)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        cancel = QPushButton(self.tr("Cancel"), self)
        self.take_button = QPushButton(self.tr("Take the prices in"), self)
        self.take_button.setDefault(True)
        self.take_button.setEnabled(False)
        buttons.addWidget(cancel)
        buttons.addWidget(self.take_button)
        column.addLayout(buttons)
        cancel.clicked.connect(lambda _on=False: self.reject())
        self.take_button.clicked.connect(lambda _on=False: self.accept())
        self.currency.currentTextChanged.connect(lambda _text: self._timer.start())
        for edit in (self.tax, self.discount):
            edit.textEdited.connect(lambda _text: self._timer.start())

    # -- reading ------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        tax, discount = share_of(self.tax.text()), share_of(self.discount.text())
        currency = self.currency.currentText().strip().upper()
        if len(currency) != 3 or tax == -1.0 or discount == -1.0:
            self.trouble.set_notice("warning", self.tr("Currency, tax or discount is not understood"), "CNY, 13%, 5%")
            self.trouble.show()
            self.take_button.setEnabled(False)
            return
        self.notice.hide()
        self.trouble.hide()
        self.take_button.setEnabled(False)
        self.where.setText(self.tr("Reading…"))
        asked = self.context.analysis.ask_price_list(
            path=str(self.path),
            source=self.path.name,
            columns=self._chosen,
            currency=currency,
            tax=tax,
            discount=discount or 0.0,
        )
        if not asked:
            self.where.setText(self.tr("The checks do not run; restart them first."))

    def _take(self, found: dict[str, Any]) -> None:
        if found.get("path") != str(self.path):
            return
        self.found = found
        text = self.tr("Sheet {sheet}, heads in row {row}") if found["sheet"] else self.tr("Heads in row {row}")
        self.where.setText(text.format(sheet=found["sheet"], row=found["head_row"]))
        self._fill(found)
        rows = found.get("rows") or []
        error = found.get("error")
        if error is not None:
            self.notice.hide()
            self.trouble.set_notice("error", self.tr("Not taken in yet"), text_of(Message.from_json(error)))
            self.trouble.show()
        else:
            self._tell(found)
        self.take_button.setEnabled(bool(rows) and error is None)

    def _tell(self, found: dict[str, Any]) -> None:
        bill = self.context.analysis.bill.get("lines") or ()
        used = {line["part"] for line in bill if line["part"]} or set(self.context.project.parts)
        listed = {row["part"] for row in found["rows"]}
        title = self.tr("{count} prices for {parts} parts").format(count=len(found["rows"]), parts=found["parts"])
        body = []
        if used:
            text = (
                self.tr("{hit} of {all} parts on the parts list have a price then.")
                if bill
                else self.tr("{hit} of {all} parts of this project have a price then.")
            )
            body.append(text.format(hit=len(used & listed), all=len(used)))
        if found["unknown_count"]:
            body.append(self.tr("{count} rows match no part and are left out:").format(count=found["unknown_count"]))
            names = [f"{place} {part}" for place, part in found["unknown"][:MOST_LINES]]
            body.append(", ".join(names) + (" …" if found["unknown_count"] > MOST_LINES else ""))
        useful = bool(found["rows"]) and (not used or bool(used & listed))
        self.notice.set_notice("ok" if useful else "warning", title, "\n".join(body))
        self.notice.show()
        wrong = [*found["problems"], *found["twice"]]
        lines = [text_of(Message.from_json(row)) for row in wrong[:MOST_LINES]]
        if len(wrong) > MOST_LINES:
            lines.append("…")
        title = self.tr("{count} cells are not clear; their rows are left out").format(count=len(found["problems"]))
        if not found["problems"]:
            title = self.tr("Listed twice")
        self.trouble.set_notice("warning", title, "\n".join(lines))
        self.trouble.setVisible(bool(wrong))

    def _fill(self, found: dict[str, Any]) -> None:
        """Heads, a choice below each, and the first rows."""
        heads, preview = found["heads"], found["preview"]
        by_letter = {letter: field for field, letter in found["columns"].items()}
        table = self.table
        table.clear()
        table.setColumnCount(len(heads))
        table.setRowCount(1 + len(preview))
        table.setHorizontalHeaderLabels([f"{letter}  {head}".strip() for letter, head in heads])
        self._combos = []
        for n, (letter, _) in enumerate(heads):
            combo = QComboBox(table)
            for field in ("", *FIELDS):
                combo.addItem(field_name(field), field)
            combo.setCurrentIndex(combo.findData(by_letter.get(letter, "")))
            combo.setAccessibleName(self.tr("Meaning of column {letter}").format(letter=letter))
            combo.activated.connect(lambda _index, n=n: self._choose(n))
            table.setCellWidget(0, n, combo)
            self._combos.append(combo)
            table.setColumnWidth(n, 150 if letter in by_letter else 128)
        for r, row in enumerate(preview):
            for n, (letter, _) in enumerate(heads):
                item = QTableWidgetItem(row[n] if n < len(row) else "")
                if letter not in by_letter:
                    item.setForeground(theme()["text.3"])
                table.setItem(r + 1, n, item)
        table.setRowHeight(0, 34)

    def _choose(self, column: int) -> None:
        """A column gets a meaning; one that had it before loses it."""
        field = str(self._combos[column].currentData())
        for n, combo in enumerate(self._combos):
            if field and n != column and combo.currentData() == field:
                combo.setCurrentIndex(0)
        self._chosen = {
            str(combo.currentData()): str(self.found["heads"][n][0])
            for n, combo in enumerate(self._combos)
            if combo.currentData()
        }
        self._timer.start()

    def accept(self) -> None:
        """Take the prices in, as one step of the history."""
        rows = self.found.get("rows") or []
        source = self.name.text().strip() or self.path.stem
        if rows and self.context.edit(("set_prices", {"rows": rows, "source": source})) is not None:
            super().accept()


def share_of(text: str) -> float | None:
    """``13%`` and ``0.13`` = 0.13; None when empty, -1 when not understood."""
    bare = text.strip().removesuffix("%").strip()
    if not text.strip():
        return None
    try:
        value = float(bare)
    except ValueError:
        return -1.0
    value = value / 100 if text.strip().endswith("%") or value > 1 else value
    return value if 0 <= value <= 1 else -1.0
