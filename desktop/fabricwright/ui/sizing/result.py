"""The second step: the table of alternatives, two of their figures against each other, the chosen one, and growth."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from fabricwright.ui.i18n import text_of
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.sizing.fields import ChoiceField
from fabricwright.ui.sizing.plots import Scatter, Sketch
from fabricwright.ui.sizing.rows import AXES, Row, facts, head, letter, number, written
from fabricwright.ui.sizing.table import FRONT, AlternativesTable
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, theme
from fabricwright.ui.widgets import ElidedLabel, KpiLabel, NoticeBox, SegmentedSwitch, TextLabel
from fabricwright.units.text import Message


class Card(QWidget):
    """A panel with a frame, a title and a note beside it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(16, 10, 16, 12)
        self.column.setSpacing(8)
        self.head = QHBoxLayout()
        self.head.setSpacing(12)
        self.title = TextLabel("", self, px=14, weight=SEMIBOLD)
        self.note = ElidedLabel("", self, px=12, token="text.2")
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.head.addWidget(self.title)
        self.head.addWidget(self.note, 1)
        self.column.addLayout(self.head)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rounded(painter, self.rect(), theme()["panel"], theme()["border"], 8)
        painter.end()


class ResultPane(QWidget):
    """``chosen`` (id) another alternative is previewed; ``accepted`` draw it."""

    chosen = Signal(str)
    accepted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._id = ""
        self._summary = ""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        self.notice = NoticeBox(self)
        self.notice.hide()
        column.addWidget(self.notice)
        self.upper = Card(self)
        self.table = AlternativesTable(self.upper)
        self.upper.column.addWidget(self.table, 1)
        self.legend = ElidedLabel("", self.upper, px=11.5, token="text.3")
        self.upper.column.addWidget(self.legend)
        column.addWidget(self.upper, 1)
        lower = QHBoxLayout()
        lower.setSpacing(14)
        lower.addWidget(self._make_plot(), 5)
        lower.addWidget(self._make_preview(), 5)
        column.addLayout(lower, 1)
        self.table.chosen.connect(self._choose)
        self.table.accepted.connect(self.accepted)
        self.scatter.chosen.connect(self._choose)
        self.retranslate()

    def _make_plot(self) -> QWidget:
        card = Card(self)
        self.axis_y, self.axis_x = ChoiceField(card), ChoiceField(card)
        self.against = TextLabel("", card, px=12, token="text.2")
        card.head.insertWidget(1, self.axis_y)
        card.head.insertWidget(2, self.against)
        card.head.insertWidget(3, self.axis_x)
        card.title.hide()
        self.scatter = Scatter(card)
        card.column.addWidget(self.scatter, 1)
        for axis in (self.axis_x, self.axis_y):
            axis.edited.connect(self._plot)
        return card

    def _make_preview(self) -> QWidget:
        card = self.preview_card = Card(self)
        self.which = SegmentedSwitch((), "design", card)
        self.which.changed.connect(lambda _key: self._preview())
        card.head.addWidget(self.which)
        self.sketch = Sketch(card)
        card.column.addWidget(self.sketch)
        self.facts = QGridLayout()
        self.facts.setHorizontalSpacing(14)
        self.facts.setVerticalSpacing(3)
        self.facts.setColumnStretch(1, 1)
        card.column.addLayout(self.facts)
        self._lines: list[tuple[TextLabel, ElidedLabel]] = []
        self.remark = NoticeBox(card)
        self.remark.hide()
        card.column.addWidget(self.remark)
        card.column.addStretch(1)
        figures = QHBoxLayout()
        figures.setSpacing(10)
        self.kpis = [KpiLabel("", card, large=False) for _ in range(4)]
        for kpi in self.kpis:
            figures.addWidget(kpi, 1)
        card.column.addLayout(figures)
        return card

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.upper.title.setText(self.tr("Alternatives"))
        self.legend.set_text(
            FRONT + " " + self.tr("no other one is at least as good in everything. All-reduce and all-to-all: busbw.")
        )
        self.against.setText(self.tr("against"))
        rows = [(axis, head(axis)[0]) for axis in AXES]
        self.axis_y.set_choices(rows)
        self.axis_x.set_choices(rows)
        if self.axis_x.value() == self.axis_y.value():
            self.axis_x.set_value("power")
            self.axis_y.set_value("reduce")
        self.axis_x.setAccessibleName(self.tr("Axis to the right"))
        self.axis_y.setAccessibleName(self.tr("Axis upwards"))
        self.table.setAccessibleName(self.tr("Alternatives"))
        self.which.set_options((("design", self.tr("Design")), ("growth", self.tr("Growth"))))
        self.which.setAccessibleName(self.tr("Preview"))
        if self._rows:
            self.set_rows(self._rows, self._summary)

    def changeEvent(self, event: QEvent) -> None:
        """Live switch of language."""
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "kpis"):
            self.retranslate()
        super().changeEvent(event)

    # -- rows ---------------------------------------------------------------------------------------------------------

    def set_rows(self, rows: list[Row], summary: str) -> None:
        """Show alternatives; the one that was previewed stays so, else the first is."""
        priced = any(number(r, "cost") is not None for r in rows)
        if priced and not any(number(r, "cost") is not None for r in self._rows):
            self.axis_x.set_value("cost")
        self._rows, self._summary = list(rows), summary
        if self._id not in {str(r["id"]) for r in rows}:
            self._id = str(rows[0]["id"]) if rows else ""
        self.upper.note.set_text(summary)
        self.table.set_rows(self._rows, self._id)
        self._plot()
        self._preview()
        self.chosen.emit(self._id)

    def current(self) -> Row | None:
        """The alternative that is previewed."""
        return next((r for r in self._rows if r["id"] == self._id), None)

    def picked(self) -> list[str]:
        """Ids that are selected, the previewed one first."""
        others = [i for i in self.table.picked() if i != self._id]
        return [self._id, *others] if self._id else others

    def _choose(self, row_id: str) -> None:
        if row_id != self._id:
            self._id = row_id
            if self.sender() is self.scatter:
                self.table.choose(row_id)
            self._plot()
            self._preview()
        self.chosen.emit(row_id)

    def _plot(self) -> None:
        self.scatter.show_rows(self._rows, self._id, str(self.axis_x.value()), str(self.axis_y.value()))

    # -- preview ------------------------------------------------------------------------------------------------------

    def _preview(self) -> None:
        row = self.current()
        growth = self.which.current() == "growth"
        card = self.preview_card
        if row is None:
            card.title.setText("")
            return
        title = self.tr("{name}, growing") if growth else self.tr("{name}, as it will be drawn")
        card.title.setText(title.format(name=letter(row)))
        self.sketch.show_row(row)
        self.sketch.setVisible(not growth)
        lines = growth_lines(row) if growth else facts(row)
        self._show_lines(lines)
        self._remark(row, growth)
        shown = ["cost" if number(row, "cost") is not None else "gbps", "power", "reduce", "all"]
        for kpi, column in zip(self.kpis, shown, strict=True):
            name, unit = head(column)
            kpi.set_caption(name)
            kpi.set_figure(written(row, column), unit)
            kpi.setVisible(not growth)

    def _show_lines(self, lines: list[tuple[str, str]]) -> None:
        while len(self._lines) < len(lines):
            label = TextLabel("", self.preview_card, px=12, token="text.2")
            text = ElidedLabel("", self.preview_card, px=12)
            self.facts.addWidget(label, len(self._lines), 0)
            self.facts.addWidget(text, len(self._lines), 1)
            self._lines.append((label, text))
        for n, (label, text) in enumerate(self._lines):
            shown = n < len(lines)
            label.setVisible(shown)
            text.setVisible(shown)
            if shown:
                label.setText(lines[n][0])
                text.set_text(lines[n][1])

    def _remark(self, row: Row, growth: bool) -> None:
        said: list[Any] = []
        if growth and row.get("growth_warning"):
            said = [row["growth_warning"]]
        elif not growth:
            said = list(row.get("remarks") or ())
        self.remark.setVisible(bool(said) or (growth and bool(row["growth"])))
        if said:
            self.remark.set_notice("warning", "", "\n".join(text_of(Message.from_json(s)) for s in said))
        elif growth and row["growth"]:
            self.remark.set_notice("ok", "", self.tr("Growing only adds: no cable of today is moved."))


def growth_lines(row: Row) -> list[tuple[str, str]]:
    """What stays and what is added, tier by tier."""
    from PySide6.QtCore import QCoreApplication

    grows = row["growth"]
    if not grows:
        none = QCoreApplication.translate("Sizing", 'Fill in "Later, GPUs" to see what growing takes.')
        return [("", none)]
    names = {
        "servers": QCoreApplication.translate("Sizing", "Servers"),
        "leaf": QCoreApplication.translate("Sizing", "Leafs"),
        "spine": QCoreApplication.translate("Sizing", "Spines"),
        "core": QCoreApplication.translate("Sizing", "Cores"),
        "node_leaf": QCoreApplication.translate("Sizing", "Server links"),
        "leaf_spine": QCoreApplication.translate("Sizing", "Uplinks"),
        "spine_core": QCoreApplication.translate("Sizing", "Core links"),
    }
    lines = []
    for name, title in names.items():
        stays, added = int(grows["stays"].get(name, 0)), int(grows["added"].get(name, 0))
        if stays or added:
            text = QCoreApplication.translate("Sizing", "{stays} stay, {added} are added").format(
                stays=f"{stays:,}", added=f"{added:,}"
            )
            lines.append((title, text))
    lines.append((QCoreApplication.translate("Sizing", "Cabled anew"), f"{grows['recabled_links']:,}"))
    return lines
