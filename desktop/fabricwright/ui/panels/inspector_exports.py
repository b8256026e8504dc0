"""Inspector: what a server shows outside. One box per export: name, ports in rail order, axes; to edit, add, remove and
reorder."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListWidget, QListWidgetItem, QMenu, QVBoxLayout, QWidget

from fabricwright.design.address import split_end
from fabricwright.design.edits.exports import fitting_axes, free_name, hidden_ports, links_at, with_ports
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.values import Export
from fabricwright.ui.icons import icon
from fabricwright.ui.panels.fields import TextField
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.ui.panels.inspector_texts import axes_text, parse_axes
from fabricwright.ui.widgets import Divider, TextButton, TextLabel
from fabricwright.units.natural import natural_key

PORT_ROLE = Qt.ItemDataRole.UserRole
_ROW_PX, _MOST_ROWS = 22, 6


def exports_fold(page: Page, sheet: str, *, expanded: bool = False) -> None:
    """A fold with the exports of a server sheet."""

    def count() -> str:
        return f"{len(effective(page.context.project, page.context.design_row, sheet).exports):,}"

    def fill() -> None:
        section = ExportsSection(page, sheet)
        page.add_widget(section)
        page.add_live(section.refresh)

    page.add_fold(QCoreApplication.translate("Inspector", "Exports"), count, fill, expanded=expanded)


class _Ports(QListWidget):
    """Ports in rail order: drag, or Alt with Up and Down, to reorder; Del takes one out."""

    def __init__(self, parent: QWidget, moved: Callable[[list[str]], None]) -> None:
        super().__init__(parent)
        self._moved = moved
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setUniformItemSizes(True)
        self.model().rowsMoved.connect(lambda *_: self._moved(self.ports()))

    def ports(self) -> list[str]:
        """Ports as listed now."""
        return [str(self.item(n).data(PORT_ROLE)) for n in range(self.count())]

    def step(self, by: int) -> None:
        """Move the current port up (-1) or down (1)."""
        row, ports = self.currentRow(), self.ports()
        if 0 <= row < len(ports) and 0 <= row + by < len(ports):
            ports.insert(row + by, ports.pop(row))
            self._moved(ports)
            self.setCurrentRow(row + by)

    def take_out(self) -> None:
        """The chosen ports are shown no longer."""
        gone = {str(item.data(PORT_ROLE)) for item in self.selectedItems()}
        kept = [port for port in self.ports() if port not in gone]
        if gone and kept:
            self._moved(kept)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._mine(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._mine(event):
            if event.key() == Qt.Key.Key_Delete:
                self.take_out()
            else:
                self.step(-1 if event.key() == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    @staticmethod
    def _mine(event: QKeyEvent) -> bool:
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        return event.key() == Qt.Key.Key_Delete or (alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down))


class _Box(QWidget):
    """One export."""

    def __init__(self, section: ExportsSection, name: str) -> None:
        super().__init__(section)
        self.section, self.name = section, name
        page, sheet = section.page, section.sheet
        tip = QCoreApplication.translate("Exports", "Cables keep their places when an export is renamed.")
        self.title = TextField(
            QCoreApplication.translate("Exports", "Name"), lambda: self.name, self._rename, tip=tip, trial=page.trial
        )
        self.ports = _Ports(self, self._reorder)
        self.ports.setAccessibleName(QCoreApplication.translate("Exports", "Ports of {name}").format(name=name))
        self.ports.setToolTip(
            QCoreApplication.translate("Exports", "In rail order. Drag or Alt+Up and Alt+Down reorder, Del takes out.")
        )
        self.axes = TextField(
            QCoreApplication.translate("Exports", "Axes"),
            lambda: axes_text(self._row().axes),
            self._set_axes,
            placeholder=QCoreApplication.translate("Exports", "such as rail=8"),
            tip=QCoreApplication.translate("Exports", "How the ports are counted; cables join groups on equal axes."),
            trial=page.trial,
        )
        self.note = TextLabel("", self, px=11.5, token="text.2", wrap=True)
        self.add = TextButton(QCoreApplication.translate("Exports", "Add port"), self)
        self.drop = TextButton(QCoreApplication.translate("Exports", "Remove"), self, token="error")
        self.add.clicked.connect(self._offer)
        self.drop.clicked.connect(lambda: page.post("remove_export", sheet=sheet, name=self.name))
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.addWidget(self.add)
        buttons.addStretch(1)
        buttons.addWidget(self.drop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 4)
        column.setSpacing(6)
        for widget in (self.title, self.ports, self.axes, self.note):
            column.addWidget(widget)
        column.addLayout(buttons)
        column.addWidget(Divider(self))

    def _row(self) -> Export:
        return self.section.eff().exports.get(self.name) or Export(())

    def refresh(self) -> None:
        """Show it as it is now."""
        section, row, eff = self.section, self._row(), self.section.eff()
        if self.ports.ports() != list(row.ports) or self.ports.count() == 0:
            current = self.ports.currentRow()
            self.ports.clear()
            for n, port in enumerate(row.ports):
                item = QListWidgetItem(f"{n + 1}   {port}{_rate(eff, port)}")
                item.setData(PORT_ROLE, port)
                self.ports.addItem(item)
            self.ports.setCurrentRow(min(current, self.ports.count() - 1))
            rows = max(1, min(self.ports.count(), _MOST_ROWS))
            self.ports.setFixedHeight(max(_ROW_PX, self.ports.sizeHintForRow(0)) * rows + 6)
        own = self.name in section.page.context.design_row.sheets[section.sheet].exports if section.there() else False
        cables = len(links_at(section.page.context.design_row, section.sheet, self.name))
        texts = []
        if not own:
            texts.append(QCoreApplication.translate("Exports", "Comes with the server; a change is stored here."))
        if cables:
            texts.append(
                QCoreApplication.translate("Exports", "Cabled: other ports or another order deal its cables anew.")
            )
        self.note.setText(" ".join(texts))
        self.note.setVisible(bool(texts))
        self.title.control.setEnabled(own)
        self.drop.setVisible(own)
        self.add.setEnabled(bool(hidden_ports(eff)))
        self.title.refresh()
        self.axes.refresh()

    def _rename(self, text: str) -> str:
        said = self.section.page.post("rename_export", sheet=self.section.sheet, name=self.name, to=text)
        if not said and not self.section.page.trying:
            self.name = text
        return said

    def _set_axes(self, text: str) -> str:
        parsed = parse_axes(text)
        if isinstance(parsed, str):
            return parsed
        count = 1
        for _, size in parsed:
            count *= int(str(size))
        ports = self._row().ports
        if parsed and count != len(ports):
            said = QCoreApplication.translate("Exports", "These axes count {count} ports; the export has {there}.")
            return said.format(count=count, there=len(ports))
        return self._post(list(ports), parsed)

    def _reorder(self, ports: list[str]) -> None:
        if ports != list(self._row().ports):
            self._post(ports, [list(pair) for pair in fitting_axes(self._row().axes, len(ports))])

    def _post(self, ports: list[str], axes: list[list[object]]) -> str:
        return self.section.page.post("set_export", sheet=self.section.sheet, name=self.name, ports=ports, axes=axes)

    def _offer(self) -> None:
        menu = QMenu(self)
        for port in hidden_ports(self.section.eff()):
            menu.addAction(f"{port}{_rate(self.section.eff(), port)}", lambda port=port: self.add_port(port))
        menu.popup(self.add.mapToGlobal(self.add.rect().bottomLeft()))

    def add_port(self, port: str) -> None:
        """Show one more port here."""
        self._reorder(list(with_ports(self._row().ports, [port])))


class ExportsSection(QWidget):
    """All exports of a server sheet, and what is in none."""

    def __init__(self, page: Page, sheet: str) -> None:
        super().__init__(page)
        self.page, self.sheet = page, sheet
        self.boxes: dict[str, _Box] = {}
        self.hint = TextLabel("", self, px=11.5, token="text.2", wrap=True)
        self.new = TextButton(QCoreApplication.translate("Exports", "New export"), self)
        self.new.setIcon(icon("plus", "accent"))
        self.new.clicked.connect(self.add_export)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self._rows)
        column.addWidget(self.hint)
        column.addWidget(self.new)
        self.refresh()

    def eff(self) -> EffSheet:
        """The server sheet as it counts."""
        return effective(self.page.context.project, self.page.context.design_row, self.sheet)

    def there(self) -> bool:
        """Whether the sheet exists still."""
        return self.sheet in self.page.context.design_row.sheets

    def refresh(self) -> None:
        """Show the exports as they are now."""
        eff = self.eff()
        wanted = sorted(eff.exports, key=natural_key)
        renamed = {box.name: box for box in self.boxes.values()}
        if sorted(renamed) == sorted(wanted):
            self.boxes = renamed
        for name in [n for n in self.boxes if n not in wanted]:
            box = self.boxes.pop(name)
            self._rows.removeWidget(box)
            box.deleteLater()
        for n, name in enumerate(wanted):
            if name not in self.boxes:
                self.boxes[name] = _Box(self, name)
                self._rows.insertWidget(n, self.boxes[name])
            self.boxes[name].refresh()
        left = hidden_ports(eff)
        base = self.page.context.design_row.sheets[self.sheet].base if self.there() else None
        variant = bool(base)
        for box in self.boxes.values():
            box.setEnabled(not variant)
        if variant:
            text = QCoreApplication.translate("Exports", "Cables of the group end at the exports of '{base}'.")
            self.hint.setText(text.format(base=base))
        elif left:
            text = QCoreApplication.translate("Exports", "In no export, so without a cable: {ports}")
            self.hint.setText(text.format(ports=", ".join(left[:8]) + (", …" if len(left) > 8 else "")))
        elif not wanted:
            self.hint.setText(QCoreApplication.translate("Exports", "No network port yet: put a NIC into a slot."))
        else:
            self.hint.setText("")
        self.hint.setVisible(bool(self.hint.text()))
        self.new.setVisible(bool(left) and not variant)

    def add_export(self) -> None:
        """An export of the first card with ports in none, and of all like it."""
        eff = self.eff()
        left = hidden_ports(eff)
        if not left:
            return
        rate = _rate(eff, left[0])
        ports = [port for port in left if _rate(eff, port) == rate]
        name = free_name(eff.exports)
        axis = "rail" if name == "compute" else "port"
        self.page.post("set_export", sheet=self.sheet, name=name, ports=ports, axes=[[axis, len(ports)]])


def _rate(eff: EffSheet, port: str) -> str:
    owner, name = split_end(port)
    item = eff.items.get(owner)
    found = item.ports.get(name) if item is not None else None
    return f"   {found.gbps:g}G" if found is not None and found.gbps else ""
