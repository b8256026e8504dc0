"""Seat by rule: how the room is laid out, asked with the figures of the plan in view."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from fabricwright.catalog.store import catalogue
from fabricwright.design.calls import EditCall
from fabricwright.sizing.rack_plan import RackStyle
from fabricwright.sizing.rack_seats import SeatPlan, rack_of, seat_call, seat_plan
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.paint import text
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.racks.words import number
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, theme
from fabricwright.ui.widgets import KpiLabel, SegmentedSwitch, TextLabel, answer_buttons, set_surface
from fabricwright.units.errors import UserError

USES = {"server": "text.3", "network": "rail0", "spine": "rail4"}


class FloorPlan(QWidget):
    """The room from above: a square for each rack, coloured by what stands in it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan: SeatPlan | None = None
        self.setFixedHeight(132)

    def set_plan(self, plan: SeatPlan | None) -> None:
        """Show another plan."""
        self._plan = plan
        self.update()

    def _squares(self) -> list[tuple[str, int, int]]:
        """(use, row, place) of each rack."""
        out = []
        for rack in self._plan.plan.racks if self._plan is not None else ():
            config = dict(rack.config)
            sizes = dict(rack.axes)
            rows = sizes.get("row", 1)
            per_row = sizes.get("rack", 1)
            for n in range(rack.count):
                place = n % per_row
                place += config.get("gap", 0) if place >= config.get("gap_at", 0) else 0
                row = n // per_row if rows > 1 else 0
                out.append((rack.use, row + config.get("row0", 0), place + config.get("rack0", 0)))
        return out

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded(p, self.rect(), now["sunken"], now["border"], radius=8)
        squares = self._squares()
        if squares:
            first = min(r for _, r, _ in squares)
            rows = max(r for _, r, _ in squares) - first + 1
            places = max(c for _, _, c in squares) + 1
            step = min(16.0, (self.width() - 28) / places)
            lift = min(24.0, (self.height() - 40) / rows)
            side, deep = max(1.0, step - 2), max(1.0, min(step * 1.2, lift - 3))
            left, top = (self.width() - places * step) / 2, 12 + (self.height() - 40 - rows * lift) / 2
            p.setPen(Qt.PenStyle.NoPen)
            for use, row, place in squares:
                p.setBrush(now.alpha(USES[use], 0.75))
                p.drawRoundedRect(QRectF(left + place * step, top + (row - first) * lift, side, deep), 1.5, 1.5)
            x = 14.0
            names = {"server": self.tr("servers"), "network": self.tr("leafs"), "spine": self.tr("spines and services")}
            for use in dict.fromkeys(use for use, _, _ in squares):
                p.setBrush(now.alpha(USES[use], 0.75))
                p.setPen(Qt.PenStyle.NoPen)
                p.drawRoundedRect(QRectF(x, self.height() - 20, 9, 9), 1.5, 1.5)
                line = QRectF(x + 14, self.height() - 25, 200, 19)
                x += 34 + text.draw_in(p, line, (names[use],), 11, now["text.2"])
        p.end()


#: Room for the figures over the floor plan and for its legend, where they stand beside the questions.
FLOOR_PX = 275


class SeatDialog(QDialog):
    """``call()`` is the edit that the person asks for."""

    def __init__(self, parent: QWidget | None, context: UiContext, items: tuple[str, ...] | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._items = items
        self.plan: SeatPlan | None = None
        self.setWindowTitle(self.tr("Seat by rule"))
        self.rack = QComboBox(self)
        self.leafs = SegmentedSwitch(
            (
                ("top", self.tr("Top of rack")),
                ("middle", self.tr("Middle of row")),
                ("end", self.tr("End of row")),
            ),
            "end",
            self,
        )
        self.spines = SegmentedSwitch(
            (("separate", self.tr("Racks of their own")), ("network", self.tr("With the leafs"))), "separate", self
        )
        self.per_row = self._box(1, 200, self._row_now())
        self.per_rack = self._box(0, 48, 0)
        self.per_rack.setSpecialValueText(self.tr("as many as fit"))
        self.keep = QCheckBox(self.tr("Leave members where they were put by hand"), self)
        self.keep.setChecked(True)
        self.racks_figure = KpiLabel("", self, large=False)
        self.power_figure = KpiLabel("", self, large=False)
        self.floor = FloorPlan(self)
        self.notes = TextLabel("", self, px=12, token="text.2", wrap=True)
        self._build()
        self._fill_racks()
        for spin in (self.per_row, self.per_rack):
            spin.valueChanged.connect(lambda _v: self.refresh())
        for switch in (self.leafs, self.spines):
            switch.changed.connect(lambda _k: self.refresh())
        self.rack.currentIndexChanged.connect(lambda _n: self.refresh())
        self.refresh()

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        rows: list[tuple[str, QWidget]] = [
            (self.tr("Rack"), self.rack),
            (self.tr("Leafs"), self.leafs),
            (self.tr("Spines and services"), self.spines),
            (self.tr("Server racks in a row"), self.per_row),
            (self.tr("Servers per rack"), self.per_rack),
        ]
        for n, (label, control) in enumerate(rows):
            grid.addWidget(TextLabel(label, self, token="text.2"), n, 0)
            grid.addWidget(control, n, 1)
            control.setAccessibleName(label)
        grid.addWidget(self.keep, len(rows), 1)
        self.racks_figure.set_caption(self.tr("Racks needed"))
        self.power_figure.set_caption(self.tr("Fullest rack"))
        figures = QGridLayout()
        figures.setHorizontalSpacing(28)
        figures.addWidget(self.racks_figure, 0, 0)
        figures.addWidget(self.power_figure, 0, 1)
        figures.setColumnStretch(1, 1)
        buttons, self.accept_button = answer_buttons(self, self.tr("Cancel"), self.tr("Seat"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(14)
        column.addWidget(TextLabel(self.tr("Seat by rule"), self, px=17, weight=SEMIBOLD))
        what = ", ".join(self._items) if self._items else self.tr("everything that stands in racks")
        column.addWidget(TextLabel(self.tr("Seats {what}.").format(what=what), self, token="text.2", wrap=True))
        result = QVBoxLayout()
        result.setSpacing(14)
        result.addLayout(figures)
        result.addWidget(self.floor)
        result.addWidget(self.notes)
        if self._low_screen():
            beside = QHBoxLayout()
            beside.setSpacing(24)
            beside.addLayout(grid)
            beside.addLayout(result)
            self.floor.setMinimumWidth(FLOOR_PX)
            column.addLayout(beside)
        else:
            column.addLayout(grid)
            column.addLayout(result)
        column.addWidget(buttons)
        set_surface(self, "panel")

    def sizeHint(self) -> QSize:
        return QSize(780 if self._low_screen() else 520, super().sizeHint().height())

    def _low_screen(self) -> bool:
        """Whether the result has to stand beside the questions: a laptop at 200 %."""
        return self.screen().availableGeometry().height() < 680

    def _box(self, low: int, high: int, value: int) -> QSpinBox:
        box = QSpinBox(self)
        box.setRange(low, high)
        box.setValue(value)
        return box

    def _row_now(self) -> int:
        """Racks in a row as they stand now, 16 while there are none."""
        sheet = self._context.design_row.sheets.get(self._context.design_row.root)
        for seat in sheet.seats.values() if sheet is not None else ():
            racks = sheet.items.get(seat.racks) if sheet is not None else None
            if racks is not None and len(racks.axes) > 1:
                return min(200, racks.axes[-1][1])
        return 16

    def _fill_racks(self) -> None:
        context, shelf, lang = self._context, catalogue(), current_language()
        own = {i: p for i, p in context.project.parts.items() if p.kind == "rack"}
        parts = {**{i: shelf.get(i) for i in shelf.ids() if shelf.kind_of(i) == "rack"}, **own}
        ordered = sorted(parts, key=lambda i: (parts[i].get("u"), parts[i].get("cooling_kw"), i))
        for part_id in ordered:
            self.rack.addItem(parts[part_id].name(lang), part_id)
        now = rack_of(context.project, context.design_row)
        self.rack.setCurrentIndex(max(0, self.rack.findData(now)))

    def style_wanted(self) -> RackStyle:
        """The room as asked for."""
        return RackStyle(self.leafs.current(), self.spines.current(), self.per_row.value(), self.per_rack.value())

    def refresh(self) -> None:
        """Plan anew and show its figures, or why there is none."""
        context = self._context
        try:
            self.plan = seat_plan(
                context.project, context.design_row, str(self.rack.currentData()), self.style_wanted(), self._items
            )
        except UserError as error:
            self.plan = None
            self.racks_figure.set_figure("–")
            self.power_figure.set_figure("–", "kW")
            self.notes.set_token("error")
            self.notes.setText(text_of(error.message))
        else:
            plan = self.plan.plan
            self.racks_figure.set_figure(f"{plan.count:,}")
            self.power_figure.set_figure(number(plan.power_w / 1e3), "kW")
            self.notes.set_token("text.2")
            self.notes.setText(" ".join(self._sentences(self.plan)))
        self.floor.set_plan(self.plan)
        self.accept_button.setEnabled(self.plan is not None)

    def _sentences(self, found: SeatPlan) -> list[str]:
        why = {
            "power": self.tr("{count} of {group} per rack: power decides."),
            "height": self.tr("{count} of {group} per rack: height decides."),
            "weight": self.tr("{count} of {group} per rack: weight decides."),
        }
        out = []
        for group in found.groups:
            reason = why.get(found.plan.binds.get(group.item, ""))
            if reason and group.role == "server":
                out.append(reason.format(count=found.plan.seats[group.item].per_rack, group=group.item))
        if found.without_power:
            out.append(self.tr("Draw not known: {items}.").format(items=", ".join(found.without_power)))
        return out

    def call(self) -> EditCall | None:
        """The edit, None while nothing fits."""
        if self.plan is None:
            return None
        context = self._context
        return seat_call(self.plan.plan, context.design, context.design_row.root, keep_moved=self.keep.isChecked())


def ask_seating(parent: QWidget, context: UiContext, items: tuple[str, ...] | None = None) -> EditCall | None:
    """The edit to run, None when the person changed their mind."""
    dialog = SeatDialog(parent, context, items)
    try:
        return dialog.call() if dialog.exec() == QDialog.DialogCode.Accepted else None
    finally:
        dialog.deleteLater()
