"""The table of alternatives: sortable, several may be chosen, those on the Pareto front are marked."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from fabricwright.ui.icons import state_pixmap
from fabricwright.ui.sizing.rows import COLUMNS, NUMBERS, UPWARDS, Row, head, letter, number, verdict, written
from fabricwright.ui.theme import SEMIBOLD, theme, ui_font

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROW_PX = 34
SPARE, NARROW_PX = ("units", "gbps"), 960
FRONT = "◆"


class AlternativesModel(QAbstractTableModel):
    """Rows as the worker sent them, in the order of a column. ``chosen`` is the id that is previewed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []
        self.columns: tuple[str, ...] = COLUMNS
        self._by, self._descending = "", False

    def set_rows(self, rows: list[Row]) -> None:
        """Other rows; the order that was chosen stays."""
        self.beginResetModel()
        priced = any(number(row, "cost") is not None for row in rows)
        alike = {c for c in ("nic", "gbps") if len({written(row, c) for row in rows}) == 1}  # the summary says it
        self.columns = tuple(c for c in COLUMNS if (c != "cost" or priced) and c not in alike)
        self.rows = self._ordered(rows)
        self.endResetModel()

    def _ordered(self, rows: list[Row]) -> list[Row]:
        if not self._by:
            return sorted(rows, key=lambda row: int(str(row["id"])[1:]))

        def key(row: Row) -> tuple[bool, Any]:
            if self._by in NUMBERS:
                value = number(row, self._by)
                return value is None, (value or 0.0) * (-1 if self._descending else 1)
            return False, written(row, self._by)

        out = sorted(rows, key=key)
        return out[::-1] if self._descending and self._by not in NUMBERS else out

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column; figures of which more is better begin with the best."""
        if not 0 <= column < len(self.columns):
            self._by = ""
        else:
            self._by = self.columns[column]
            self._descending = (order == Qt.SortOrder.DescendingOrder) != (self._by in UPWARDS)
        self.layoutAboutToBeChanged.emit()
        self.rows = self._ordered(self.rows)
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        title, unit = head(self.columns[section])
        if role == Role.DisplayRole:
            return f"{title}\n{unit}" if unit else title
        if role == Role.TextAlignmentRole:
            number_like = self.columns[section] in NUMBERS
            return (
                Qt.AlignmentFlag.AlignRight if number_like else Qt.AlignmentFlag.AlignLeft
            ) | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Role.DisplayRole:
            mark = f" {FRONT}" if column == "id" and row["pareto"] else ""
            return written(row, column) + mark
        if role == Role.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column in NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Role.DecorationRole and column == "verdict":
            return state_pixmap(verdict(row)[0], 14)
        if role == Role.ForegroundRole:
            return theme()["accent" if column == "id" else "text" if row["meets"] else "text.2"]
        if role == Role.FontRole and (column == "id" or (row["meets"] and column in ("nic", "switches"))):
            return ui_font(12, SEMIBOLD)
        if role == Role.AccessibleTextRole:
            title, unit = head(column)
            best = self.tr(", on the Pareto front") if column == "id" and row["pareto"] else ""
            return f"{title} {written(row, column)} {unit}{best}".strip()
        if role == Role.ToolTipRole:
            return (
                self.tr("{name}: no other one is at least as good in everything").format(name=letter(row))
                if column == "id" and row["pareto"]
                else written(row, column)
            )
        return None


class AlternativesTable(QTableView):
    """``chosen`` (id) when the current row changes; ``accepted`` on Enter or double click."""

    chosen = Signal(str)
    accepted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = AlternativesModel(self)
        self.setModel(self.rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSortingEnabled(True)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_PX)
        top = self.horizontalHeader()
        top.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        top.setMinimumHeight(40)
        top.setHighlightSections(False)
        top.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        top.setStretchLastSection(True)
        self.doubleClicked.connect(lambda _index: self.accepted.emit())
        self.selectionModel().currentRowChanged.connect(lambda now, _old: self._moved(now))
        self.selectionModel().selectionChanged.connect(lambda _new, _old: self._moved(self.currentIndex()))
        self._quiet = False

    def set_rows(self, rows: list[Row], chosen: str) -> None:
        """Show rows and keep one chosen."""
        picked = self.picked()
        self._quiet = True
        self.rows.set_rows(rows)
        self._widths()
        self._hide()
        self._quiet = False
        self.choose(chosen, keep=picked)

    def _widths(self) -> None:
        plain, bold = QFontMetricsF(ui_font(12)), QFontMetricsF(ui_font(12, SEMIBOLD))
        for n, column in enumerate(self.rows.columns):
            wide = max((bold.horizontalAdvance(written(row, column)) for row in self.rows.rows), default=40.0)
            title, unit = head(column)
            heads = max(plain.horizontalAdvance(title), plain.horizontalAdvance(unit))
            room = 30 if column in ("verdict", "id") else 20
            self.setColumnWidth(n, int(max(wide + room, heads + 20)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, figures that the preview and the plot show as well are left out."""
        super().resizeEvent(event)
        self._hide()

    def _hide(self) -> None:
        for n, column in enumerate(self.rows.columns):
            self.setColumnHidden(n, column in SPARE and self.width() < NARROW_PX)

    def _moved(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.chosen.emit(str(self.rows.rows[index.row()]["id"]))

    def choose(self, row_id: str, keep: list[str] | None = None) -> None:
        """Make a row the current one without a signal; those of ``keep`` stay selected."""
        at = next((n for n, row in enumerate(self.rows.rows) if row["id"] == row_id), -1)
        if at < 0:
            return
        self._quiet = True
        model = self.selectionModel()
        flag = model.SelectionFlag
        if keep and row_id in keep and len(keep) > 1:
            for n, row in enumerate(self.rows.rows):
                if row["id"] in keep:
                    model.select(self.rows.index(n, 0), flag.Select | flag.Rows)
            model.setCurrentIndex(self.rows.index(at, 0), flag.NoUpdate)
        else:
            model.setCurrentIndex(self.rows.index(at, 0), flag.ClearAndSelect | flag.Rows)
        self._quiet = False

    def picked(self) -> list[str]:
        """Ids of the selected rows, in the order shown."""
        return [
            str(self.rows.rows[i.row()]["id"])
            for i in self.selectionModel().selectedRows()
            if i.row() < len(self.rows.rows)
        ]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accepted.emit()
            return
        super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 40 + 3 * ROW_PX)

    def sizeHint(self) -> QSize:
        return QSize(760, 44 + 8 * ROW_PX)
