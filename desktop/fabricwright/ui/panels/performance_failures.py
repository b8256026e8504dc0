"""All single failures as a table, worst first. A click selects the thing on the canvas and shows what is left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from fabricwright.design.place_words import thing_text
from fabricwright.design.values import Design
from fabricwright.ui.paint.chart_model import reading_text
from fabricwright.ui.panels.performance_texts import failure_kind, failures_worst_first, left_text
from fabricwright.ui.panels.words import spoken, spoken_in
from fabricwright.ui.theme import theme
from fabricwright.ui.widgets import ElidedLabel

Index = QModelIndex | QPersistentModelIndex
_COLUMNS = 4
_LEAST_PX, _ROOMY_PX = 240, 350


class FailureModel(QAbstractTableModel):
    """Rows of ``resilience``: what fails, how many are alike, ranks cut off, GB/s and part that is left."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[Mapping[str, Any]] = []
        self._design = Design()

    def set_rows(self, rows: list[Mapping[str, Any]], design: Design) -> None:
        """Show other failures, called as the design's sheets label them."""
        if rows != self.rows or design.sheets is not self._design.sheets:
            self.beginResetModel()
            self.rows, self._design = rows, design
            self.endResetModel()

    def _thing(self, row: Mapping[str, Any]) -> str:
        return thing_text(self._design, str(row["address"]))

    def row_of(self, address: str) -> int:
        """Row of an address, -1 when it is not among them."""
        return next((n for n, row in enumerate(self.rows) if row["address"] == address), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        return 0 if parent.isValid() else _COLUMNS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cells(row)[column]
        if role == Qt.ItemDataRole.TextAlignmentRole and column:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ForegroundRole and column == _COLUMNS - 1:
            return self._ink(row)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._sentence(row)
        return None

    def _cells(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        busbw = row.get("busbw_gbs")
        return (
            f"{self._thing(row)}  {failure_kind(str(row['kind']))}"
            + (f" × {row['count']:,}" if row["count"] > 1 else ""),
            f"{row['ranks_cut_off']:,}",
            "–" if busbw is None else reading_text(float(busbw)),
            left_text(row),
        )

    def _ink(self, row: Mapping[str, Any]) -> QColor:
        if row["ranks_cut_off"] or row.get("problem"):
            return theme()["error"]
        return theme()["warn" if float(row["ratio"]) < 0.9 else "text"]

    def _sentence(self, row: Mapping[str, Any]) -> str:
        if row.get("problem"):
            return spoken_in(self._design, row["problem"])
        if row["ranks_cut_off"]:
            text = self.tr("Without {address}, {count} ranks cannot reach the others: {ranks}.")
            return text.format(address=self._thing(row), count=row["ranks_cut_off"], ranks=row["cut_off"])
        text = self.tr(
            "Without {address} ({kind}, {count} alike) {left} of the bus bandwidth is left; {lost} ranks go down with "
            "it."
        )
        return text.format(
            address=self._thing(row),
            kind=failure_kind(str(row["kind"])),
            count=row["count"],
            left=left_text(row),
            lost=row["ranks_lost"],
        )

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (
            self.tr("Fails"),
            self.tr("Cut off"),
            "GB/s",
            self.tr("Left"),
        )[section]


class FailureTable(QWidget):
    """``picked`` (address) on click or Enter. A line over the table sums up or says why there is none."""

    picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = ElidedLabel(px=11.5, token="text.2")
        self.trouble = ElidedLabel(px=11.5, token="error")
        self.model = FailureModel(self)
        self.table = QTableView(self)
        self.table.setModel(self.model)
        self.table.setShowGrid(False)
        self.table.setFrameShape(QTableView.Shape.NoFrame)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setWordWrap(False)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setMinimumWidth(_LEAST_PX)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(24)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(40)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 4, 2)
        column.setSpacing(4)
        column.addWidget(self.summary)
        column.addWidget(self.trouble)
        column.addWidget(self.table, 1)
        self.table.clicked.connect(self._pick)
        self.table.activated.connect(self._pick)
        self._retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.table.setColumnHidden(1, self.width() < _ROOMY_PX)  # the last column says "stops" all the same

    def _pick(self, index: Index) -> None:
        if 0 <= index.row() < len(self.model.rows):
            self.picked.emit(str(self.model.rows[index.row()]["address"]))

    def show_result(
        self, resilience: Mapping[str, Any], design: Design, chosen: str, waiting: str, trouble: str = ""
    ) -> None:
        """Show a sweep, with ``chosen`` marked; ``waiting`` is said while there is none, ``trouble`` is why
        what is chosen does not run."""
        self.model.set_rows(failures_worst_first(resilience), design)
        self.table.setVisible(bool(self.model.rows))
        row = self.model.row_of(chosen)
        if row >= 0:
            self.table.selectRow(row)
        else:
            self.table.clearSelection()
        self.trouble.setVisible(bool(trouble))
        for label, text in ((self.summary, self._summary(resilience) or waiting), (self.trouble, trouble)):
            label.set_text(text)

    def _summary(self, resilience: Mapping[str, Any]) -> str:
        if not resilience:
            return ""
        if resilience.get("error"):
            return spoken(resilience["error"])
        points = resilience.get("single_points_of_failure") or ()
        if points:
            text = self.tr("{count} single failures; {points} of them stop ranks that are not part of them.")
            return text.format(
                count=f"{resilience['single_failures']:,}", points=f"{sum(int(p['count']) for p in points):,}"
            )
        text = self.tr("{count} single failures, none cuts ranks off; the median one leaves {median} %.")
        return text.format(
            count=f"{resilience['single_failures']:,}", median=round(100 * float(resilience["median_ratio"]), 1)
        )

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.table.setAccessibleName(self.tr("All single failures, worst first"))
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, _COLUMNS - 1)
