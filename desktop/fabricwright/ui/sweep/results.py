"""Rows of a sweep: the plot above, the table below, and what is drawn against what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from fabricwright.design.variation import Field, Value
from fabricwright.ui.sweep.columns import TEXTS, head_of
from fabricwright.ui.sweep.model import Cells, SweepModel, cell_text
from fabricwright.ui.sweep.plot import PlotPoint, SweepPlot
from fabricwright.ui.widgets import EditableTable, TextLabel, set_surface

MOST_SERIES = 12
HIDDEN = ("_low", "_high", "_bottleneck_address")


class SweepResults(QSplitter):
    """Plot and table of the same rows. ``chosen`` after other rows of the table were selected."""

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._fields: list[str] = []
        self._numbers: list[str] = []
        self._names: dict[str, str] = {}
        self._widest: list[str] = []
        self._same_keys, self._keys_before = False, set[str]()
        self.model = SweepModel(self)
        self.plot = SweepPlot(self)
        self.table = EditableTable(self, 28)
        self.table.setModel(self.model)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setSortingEnabled(True)
        self.axes = {name: QComboBox(self) for name in ("x", "y", "series")}
        self.axis_labels = {name: TextLabel("", self, px=12, token="text.2") for name in self.axes}
        self._build()
        for box in self.axes.values():
            box.activated.connect(lambda _n: self.draw())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._ring())
        self.plot.picked.connect(self.pick)
        self.retranslate()

    def _build(self) -> None:
        upper = QWidget(self)
        set_surface(upper, "panel")
        chart = QVBoxLayout(upper)
        chart.setContentsMargins(0, 8, 0, 0)
        chart.setSpacing(0)
        axes = QHBoxLayout()
        axes.setContentsMargins(14, 0, 14, 0)
        axes.setSpacing(8)
        for name, box in self.axes.items():
            box.setFixedHeight(26)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(10)
            axes.addWidget(self.axis_labels[name])
            axes.addWidget(box, 1)
        chart.addLayout(axes)
        chart.addWidget(self.plot, 1)
        self.setHandleWidth(1)
        self.addWidget(upper)
        self.addWidget(self.table)
        self.setStretchFactor(0, 5)
        self.setStretchFactor(1, 6)

    def retranslate(self) -> None:
        """Texts in the current language."""
        for name, text in (("x", self.tr("across")), ("y", self.tr("up")), ("series", self.tr("apart"))):
            self.axis_labels[name].setText(text)
            self.axes[name].setAccessibleName(text)
        self.table.setAccessibleName(self.tr("Variants"))

    def name(self, names: dict[str, str]) -> None:
        """What the fields are called: names by key, in the current language."""
        self._names = names
        self.model.heads = [self._head(key) for key in self.model.keys]
        if self.model.keys:
            self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.model.keys) - 1)
            self._fill_axes()

    def _head(self, key: str) -> str:
        return self._names.get(key) or head_of(key)

    # -- rows ---------------------------------------------------------------------------------------------------------

    def begin(
        self, fields: Sequence[tuple[Field, Sequence[Value]]], columns: Sequence[str], names: dict[str, str]
    ) -> None:
        """An empty table: a column per field (``names`` by key), then those of the figures."""
        self._names = names
        self._fields = [field.text for field, _ in fields]
        self._numbers = [f.text for f, row in fields if all(isinstance(v, (int, float)) for v in row)]
        self._widest = [f.text for f, row in sorted(fields, key=lambda f: (f[0].text not in self._numbers, -len(f[1])))]
        keys = ["point", *self._fields, *columns, "problem"]
        self.model.begin(keys, [self._head(key) for key in keys])
        self._same_keys = set(keys) == self._keys_before
        self._fill_axes()
        self._same_keys, self._keys_before = True, set(keys)

    def add(self, rows: list[Cells]) -> None:
        """Rows that were finished."""
        first = not self.model.rows
        self.model.add(rows)
        if first:
            self._widths()
        self.draw()

    def _widths(self) -> None:
        head = self.table.horizontalHeader()
        metrics = self.table.fontMetrics()
        for n, name in enumerate(self.model.heads):
            texts = [cell_text(row[n]) for row in self.model.rows[:50]]
            widest = max(metrics.horizontalAdvance(text) for text in (name, *texts))
            head.resizeSection(n, min(260, max(76, widest + 34)))
            self.table.setColumnHidden(n, self.model.keys[n].endswith(HIDDEN))

    def selected(self) -> list[list[Any]]:
        """Rows that are selected in the table."""
        picked = self.table.selectionModel().selectedRows()
        return [self.model.rows[index.row()] for index in picked if index.row() < len(self.model.rows)]

    def pick(self, number: int) -> None:
        """Select the row of a point."""
        for n, row in enumerate(self.model.rows):
            if row[0] == number:
                index = self.model.index(n, 0)
                flags = QItemSelectionModel.SelectionFlag
                self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
                self.table.scrollTo(index)
                return

    # -- plot ---------------------------------------------------------------------------------------------------------

    def _fill_axes(self) -> None:
        model = self.model
        figures = [key for key in model.keys[1 + len(self._fields) :] if not key.endswith(TEXTS)]
        usual = next((key for key in figures if key.endswith("_busbw_gbs")), figures[0] if figures else "")
        across = self._widest[0] if self._widest else ""
        wanted = {
            "x": (self._fields + figures, across),
            "y": (figures, usual),
            "series": (["", *self._fields], next((name for name in self._fields if name != across), "")),
        }
        for name, box in self.axes.items():
            keys, first = wanted[name]
            before = box.currentData() if self._same_keys else None
            box.clear()
            for key in keys:
                box.addItem(model.heads[model.place(key)] if key else self.tr("nothing"), key)
            box.setCurrentIndex(max(0, box.findData(before if before in keys and before else first)))

    def draw(self) -> None:
        """Plot the rows as the axes say."""
        model = self.model
        x, y, series = (model.place(str(self.axes[name].currentData() or "")) for name in ("x", "y", "series"))
        if x < 0 or y < 0:
            self.plot.show_points([], "", "", lines=False)
            return
        words = {cell_text(row[series]) for row in model.rows} if series >= 0 else set()
        apart = series >= 0 and series != x and len(words) <= MOST_SERIES
        name = model.heads[series] if apart else ""
        points = [
            PlotPoint(row[0], row[x], float(row[y]), f"{name} {cell_text(row[series])}" if apart else "")
            for row in sorted(model.rows, key=lambda row: row[0])
            if isinstance(row[y], (int, float)) and row[x] is not None
        ]
        alone = len({(p.series, p.x) for p in points}) == len(points)
        self.plot.show_points(points, model.heads[x], model.heads[y], lines=alone and model.keys[x] in self._fields)
        self._ring()

    def _ring(self) -> None:
        self.plot.choose({row[0] for row in self.selected()})
        self.chosen.emit()
