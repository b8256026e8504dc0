"""The racks of the open design in the middle of the window: a bar with figures and verbs, and the room below it."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QCheckBox, QComboBox, QMenu, QPushButton, QVBoxLayout, QWidget

from fabricwright.design.indexset import IndexSet
from fabricwright.design.order import designs_in_order
from fabricwright.design.patch import Patch
from fabricwright.exchange.elevation import Device, Rack
from fabricwright.ui.canvas.panel import PathBar
from fabricwright.ui.context import UiContext
from fabricwright.ui.racks.bar_key import BarKey
from fabricwright.ui.racks.room_view import RoomView
from fabricwright.ui.racks.seat_dialog import ask_seating
from fabricwright.ui.racks.words import number
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import EmptyState, TextLabel, set_surface
from fabricwright.units.text import msg


class RackView(QWidget):
    """``view`` is what the zoom commands act on."""

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.view = RoomView(context, self)
        self.bars = BarKey(self)
        self.title = TextLabel("", self, px=12.5, weight=SEMIBOLD)
        self.figures = TextLabel("", self, px=12, token="text.2")
        self.design_label = TextLabel("", self, px=12, token="text.2")
        self.design_box = QComboBox(self)
        self.fold = QCheckBox(self)
        self.seat = QPushButton(self)
        self.empty = EmptyState((), "", "rack", self)
        self._picking = False
        self._build()
        self.view.picked.connect(self._picked)
        self.view.opened.connect(self.open_device)
        self.view.menu_asked.connect(self.show_menu)
        self.view.laid_out.connect(self._say_figures)
        self.fold.clicked.connect(self.view.set_fold)
        self.seat.clicked.connect(lambda: self.seat_by_rule())
        self.empty.activated.connect(lambda: self.seat_by_rule())
        self.design_box.activated.connect(self._pick_design)
        context.document.project_changed.connect(self._changed)
        context.document.selection_changed.connect(self.follow)
        context.place_changed.connect(self._place_changed)
        context.analysis.changed.connect(self._said)
        context.language_changed.connect(lambda _code: self.retranslate())
        self.retranslate()

    def _build(self) -> None:
        bar = PathBar(self)
        bar.fill(self.title, self.figures, (self.design_label, self.design_box, self.fold, self.seat))
        self.design_box.setFixedHeight(26)
        self.seat.setFixedHeight(26)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.bars)
        column.addWidget(self.view, 1)
        column.addWidget(self.empty, 1)
        set_surface(self, "canvas")
        self.setFocusProxy(self.view)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(self.tr("Racks"))
        self.design_label.setText(self.tr("Design"))
        self.fold.setText(self.tr("Fold equal racks"))
        self.seat.setText(self.tr("Seat by rule…"))
        self.view.setAccessibleName(self.tr("Racks"))
        self._fill_designs()
        self._say_figures()

    # -- following the project ----------------------------------------------------------------------------------------

    def shown(self, on: bool) -> None:
        """Called when the view comes to the front or leaves it."""
        if on:
            self.view.refresh()
            self._say_figures()
            self.follow()
            self.view.setFocus()

    def _changed(self, _patch: Patch | None) -> None:
        self._read_anew()
        self.follow()

    def _place_changed(self) -> None:
        if self.view.elevation.design != self.context.design:
            self._read_anew()

    def _read_anew(self) -> None:
        """The racks are others now; they are read at once only while this view is seen."""
        self.view.forget()
        if self.isVisible():
            self.view.refresh()
        self._fill_designs()

    def _said(self, topics: object) -> None:
        if isinstance(topics, frozenset) and "findings" in topics:
            self.view.read_findings()

    def _fill_designs(self) -> None:
        project = self.context.project
        several = len(project.designs) > 1
        self.design_label.setVisible(several)
        self.design_box.setVisible(several)
        self.design_box.clear()
        for name in designs_in_order(project):
            self.design_box.addItem(project.designs[name].title or name, name)
        self.design_box.setCurrentIndex(max(0, self.design_box.findData(self.context.design)))

    def _pick_design(self, _index: int) -> None:
        self.context.open_design(str(self.design_box.currentData()))

    def _say_figures(self) -> None:
        racks = self.view.elevation.racks
        self.view.setVisible(bool(racks))
        self.empty.setVisible(not racks)
        self.fold.setVisible(bool(racks))
        self.bars.show_racks(racks)
        self.fold.setChecked(self.view.folded)
        unseated = sum(self.view.elevation.unseated.values())
        if not racks:
            self.figures.setText("")
            lines = (
                (self.tr("No racks yet."), self.tr("Seat the devices and see how they stand."))
                if unseated
                else (self.tr("No racks yet."), self.tr("Draw servers and switches first."))
            )
            self.empty.set_content(lines, self.tr("Seat the devices…") if unseated else "", "rack")
            return
        most = max(r.power_w for r in racks) / 1e3
        total = sum(r.power_w for r in racks) / 1e3
        rows = len({r.row for r in racks})
        whole = (
            self.tr("{racks} racks in {rows} rows · {total} kW · fullest {most} kW")
            if rows > 1
            else self.tr("{racks} racks in one row · {total} kW · fullest {most} kW")
            if len(racks) > 1
            else self.tr("One rack · {total} kW")
        )
        text = whole.format(racks=f"{len(racks):,}", rows=f"{rows:,}", total=number(total), most=number(most))
        if unseated:
            text += " · " + self.tr("{count} not seated").format(count=f"{unseated:,}")
        self.figures.setText(text)

    # -- selection ----------------------------------------------------------------------------------------------------

    def _picked(self, device: Device | None, rack: Rack | None) -> None:
        context = self.context
        root = context.design_row.root
        self._picking = True
        try:
            if context.sheet != root:
                context.open_sheet(root, "")
            item = device.item if device is not None else rack.racks if rack is not None else ""
            index = device.member if device is not None else rack.index if rack is not None else 0
            row = context.sheet_row.items.get(item)
            if row is None:
                context.document.select(())
            else:
                context.document.select([item], {item: IndexSet.of((index,))} if row.count > 1 else None)
        finally:
            self._picking = False

    def follow(self) -> None:
        """Show what is selected elsewhere."""
        if self._picking or not self.isVisible():
            return
        context = self.context
        device, racks = None, frozenset[tuple[str, int]]()
        if context.sheet == context.design_row.root:
            for item in context.selection:
                row = context.sheet_row.items.get(item)
                members = context.document.members.get(item)
                first = next(iter(members), 0) if members else 0
                if row is None:
                    continue
                if any(r.racks == item for r in self.view.elevation.racks):
                    racks |= {(item, m) for m in (members if members else range(row.count))}
                elif device is None and self.view.elevation.find(item, first) is not None:
                    device = (item, first)
        self.view.choose(device, racks, show=True)

    # -- verbs --------------------------------------------------------------------------------------------------------

    def open_device(self, device: Device) -> None:
        """The inside of a server on the drawing; of anything else its place on the drawing."""
        context = self.context
        row = context.design_row.sheets[context.design_row.root].items.get(device.item)
        if row is None:
            return
        views = getattr(self.window(), "views", None)
        if views is not None:
            views.show_view("canvas")
        sheet = (row.of or "").removeprefix("sheet:") if (row.of or "").startswith("sheet:") else ""
        for key, override in row.except_.items():
            if override.sheet and device.member in IndexSet.parse(key, row.axes):
                sheet = override.sheet
        if sheet:
            context.open_sheet(sheet, device.item)
        else:
            context.go_to(f"{device.item}[{device.member}]" if row.count > 1 else device.item)

    def seat_by_rule(self, items: tuple[str, ...] | None = None) -> None:
        """Ask how, then seat the design (or some groups) in one step."""
        call = ask_seating(self, self.context, items)
        if call is not None and self.context.edit(call) is None:
            self.context.say(msg("Nothing to change: everything stands so already."))

    def show_menu(self, place: QPoint, device: Device | None, rack: Rack | None) -> None:
        """Menu of a device, a rack or the room."""
        menu = self.menu_for(device, rack)
        menu.exec(place)
        menu.deleteLater()

    def menu_for(self, device: Device | None, rack: Rack | None) -> QMenu:
        """The menu, made anew each time."""
        menu = QMenu(self)
        root = self.context.design_row.root
        if device is not None:
            menu.addAction(self.tr("Open"), lambda: self.open_device(device))
            again = menu.addAction(
                self.tr("Put back where the rule seats it"),
                lambda: self.context.edit("seat_again", sheet=root, item=device.item, members=str(device.member)),
            )
            again.setEnabled(device.by_hand)
            menu.addAction(
                self.tr("Seat {group} by rule…").format(group=device.item), lambda: self.seat_by_rule((device.item,))
            )
            menu.addSeparator()
        if rack is not None:
            menu.addAction(
                self.tr("Select all racks of {group}").format(group=rack.racks),
                lambda: self.context.document.select([rack.racks]),
            )
        menu.addAction(self.tr("Seat by rule…"), lambda: self.seat_by_rule())
        fold = menu.addAction(self.tr("Fold equal racks"))
        fold.setCheckable(True)
        fold.setChecked(self.view.folded)
        fold.triggered.connect(self.view.set_fold)
        menu.addAction(self.tr("Show all racks"), self.view.fit)
        return menu
