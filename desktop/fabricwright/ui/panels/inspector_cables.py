"""The cables of a bundle, one row each: where each is plugged, moved to another port, cut, or put back.

Rows are those of the wiring rule, so a bundle of ten thousand cables costs its arrays and what is on the screen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from fabricwright.design.address import split_end
from fabricwright.design.calls import EditCall
from fabricwright.design.check_ports import ports_in_any_mode
from fabricwright.design.effective import effective
from fabricwright.design.values import Link
from fabricwright.design.wiring import place_of
from fabricwright.topology.model import Bundle
from fabricwright.ui.canvas.cable_plan import SIDES, end_text
from fabricwright.ui.canvas.fabric_links import bundle_of
from fabricwright.ui.context import UiContext
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.ui.theme import theme
from fabricwright.ui.widgets import SearchField, TextButton, TextLabel
from fabricwright.ui.widgets.editable_table import EditableTable

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()


def fold_title() -> str:
    """Title of the fold; the canvas opens it by this name."""
    return QCoreApplication.translate("Cables", "Cables")


def trouble_with(context: UiContext, link: Link, side: int, text: str) -> str:
    """What is wrong with an end that was typed for one cable, "" when it names one port of one member."""
    item_id = split_end(getattr(link, SIDES[side]))[0].partition("/")[0]
    item = context.eff.items.get(item_id)
    if item is None:
        return QCoreApplication.translate("Cables", "This end is not on the sheet.")
    row = context.sheet_row.items.get(item_id)
    place = place_of(text, item.axes)
    if place is None or place[0] != item_id:
        said = QCoreApplication.translate("Cables", "Expected one port of one member, such as {example}.")
        example = f"{item_id}[0]:1" if row is not None and row.count > 1 else f"{item_id}:1"
        return said.format(example=example)
    count = row.count if row is not None else 1
    if not 0 <= place[1] < count:
        said = QCoreApplication.translate("Cables", "{item} has members 0 to {last}.")
        return said.format(item=item_id, last=count - 1)
    if place[2] not in _ports(context, item_id):
        return QCoreApplication.translate("Cables", "{item} has no port {port}.").format(item=item_id, port=place[2])
    return ""


def _ports(context: UiContext, item_id: str) -> set[str]:
    """All ports an end of the item may name: its own, or for a server those of its cards as ``nic0:1``."""
    item = context.eff.items[item_id]
    if item.of.startswith("sheet:"):
        inner = effective(context.project, context.design_row, item.of[6:])
        return {f"{name}:{port}" for name, card in inner.items.items() for port in card.ports}
    own = set(item.ports)
    if item.part is not None:
        own |= set(ports_in_any_mode(item.part))
        if item.part.interior is not None:
            own |= {port for export in item.part.interior.exports.values() for port in export.ports}
    return own


class CableModel(QAbstractTableModel):
    """Cables of one link; editable ends. ``complaint`` is what was wrong with the last text that was refused."""

    def __init__(self, page: Page, link_id: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.page, self.link_id = page, link_id
        self.complaint = ""
        self._words: list[str] = []
        self._only_moved = False
        self.bundle: Bundle | None = None
        self.counts = (1, 1)
        self.shown = np.zeros(0, np.int64)
        self._row: Link | None = None
        self.refresh()

    @property
    def context(self) -> UiContext:
        """Of the page."""
        return self.page.context

    def refresh(self) -> None:
        """The cables as they are now."""
        context = self.context
        link = context.eff.links.get(self.link_id)
        if link is None:
            return
        bundle = bundle_of(context.project, context.design_row, context.eff, self.link_id, link)
        if bundle is self.bundle and link is self._row:
            return
        rows = [context.sheet_row.items.get(name) for name in (bundle.a_item, bundle.b_item)]
        self.beginResetModel()
        self.bundle, self._row = bundle, link
        self.counts = (rows[0].count if rows[0] else 1, rows[1].count if rows[1] else 1)
        self._choose()
        self.endResetModel()

    def set_filter(self, text: str, *, only_moved: bool) -> None:
        """Only cables whose ends hold every word; ``only_moved``: only those that are not as the rule says."""
        self.beginResetModel()
        self._words, self._only_moved = text.casefold().split(), only_moved
        self._choose()
        self.endResetModel()

    def _choose(self) -> None:
        assert self.bundle is not None and self._row is not None
        rows = np.arange(len(self.bundle.rows))
        if self._only_moved:
            rows = np.array(
                sorted(int(k) for k in self._row.wire.moved if k.isdigit() and int(k) < len(rows)), np.int64
            )
        if self._words:
            rows = np.array([n for n in rows.tolist() if self._holds(n)], np.int64)
        self.shown = rows

    def _holds(self, row: int) -> bool:
        text = f"{self.end(row, 0)} {self.end(row, 1)}".casefold()
        return all(word in text for word in self._words)

    def end(self, row: int, side: int) -> str:
        """Text of one end of cable ``row``."""
        assert self.bundle is not None
        return end_text(self.bundle, row, side, self.counts[side])

    def state(self, row: int) -> str:
        """``""`` as the rule says, ``moved``, ``cut``."""
        moved = self._row.wire.moved.get(str(row)) if self._row is not None else None
        return "" if moved is None else "cut" if moved.cut else "moved"

    def cable(self, index: Index) -> int:
        """Number of the cable in a line of the table."""
        return int(self.shown[index.row()])

    # -- QAbstractTableModel ------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: Index = _TOP) -> int:
        return 2

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if way == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            end_a = QCoreApplication.translate("Inspector", "End A")
            return end_a if section == 0 else QCoreApplication.translate("Inspector", "End B")
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.cable(index)
        text, state = self.end(row, index.column()), self.state(row)
        words = {
            "moved": QCoreApplication.translate("Cables", "moved by hand"),
            "cut": QCoreApplication.translate("Cables", "cut"),
        }
        if role == Qt.ItemDataRole.DisplayRole:
            return text or QCoreApplication.translate("Cables", "no port left")
        if role == Qt.ItemDataRole.EditRole:
            return text
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{text}  {words[state]}" if state else text
        if role == Qt.ItemDataRole.ForegroundRole:
            token = {"moved": "accent", "cut": "error"}.get(state, "text" if text else "text.3")
            return theme()[token]
        if role == Qt.ItemDataRole.FontRole and state == "cut":
            from PySide6.QtGui import QFont

            font = QFont()
            font.setStrikeOut(True)
            return font
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        return role == Qt.ItemDataRole.EditRole and self.plug(self.cable(index), index.column(), str(value).strip())

    # -- edits --------------------------------------------------------------------------------------------------------

    def plug(self, row: int, side: int, text: str) -> bool:
        """Plug one end of a cable elsewhere; an empty text puts that end back. False when refused."""
        assert self._row is not None
        if text == self.end(row, side):
            self.complaint = ""
            return True
        self.complaint = trouble_with(self.context, self._row, side, text) if text else ""
        if self.complaint:
            return False
        old = self._row.wire.moved.get(str(row))
        ends: dict[str, Any] = {"a": old.a if old else None, "b": old.b if old else None}
        ends[SIDES[side]] = text or None
        self.complaint = self.page.post("move_cable", link=self.link_id, row=row, **ends)
        self.refresh()
        return not self.complaint

    def cut(self, rows: list[int], *, cut: bool) -> None:
        """Cut cables, or put them back to where the rule says; one undo entry."""
        assert self._row is not None
        calls = []
        for row in rows:
            old = self._row.wire.moved.get(str(row))
            ends = {"a": old.a, "b": old.b} if old is not None and cut else {}
            calls.append(
                EditCall("move_cable", {"link": self.link_id, "row": row, **ends, **({"cut": True} if cut else {})})
            )
        if calls:
            self.context.edit_all("Move cable", calls)
            self.refresh()


class CablesSection(QWidget):
    """Search, table, and what can be done with the chosen cables."""

    def __init__(self, page: Page, link_id: str) -> None:
        super().__init__(page)
        self.model = CableModel(page, link_id, self)
        self.search = SearchField(QCoreApplication.translate("Cables", "Search ends"), self)
        self.table = EditableTable(self, 24)
        self.table.setModel(self.model)
        self.table.setAccessibleName(fold_title())
        self.table.setMinimumHeight(150)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # member and port both matter
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.said = TextLabel("", self, px=12, token="error", wrap=True)
        self.said.hide()
        self.moved = TextButton(QCoreApplication.translate("Cables", "Moved only"), self)
        self.moved.setCheckable(True)
        self.cut_button = TextButton(QCoreApplication.translate("Cables", "Cut"), self)
        self.back_button = TextButton(QCoreApplication.translate("Cables", "Put back"), self)
        self.cut_button.setToolTip(
            QCoreApplication.translate("Cables", "Unplug the chosen cables; the rest stay as they are.")
        )
        self.back_button.setToolTip(QCoreApplication.translate("Cables", "Where the wiring rule of the bundle says."))
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.addWidget(self.cut_button)
        buttons.addWidget(self.back_button)
        buttons.addStretch(1)
        buttons.addWidget(self.moved)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.search)
        column.addWidget(self.table)
        column.addWidget(self.said)
        column.addLayout(buttons)
        self.search.queried.connect(lambda _t: self._filter())
        self.moved.toggled.connect(lambda _on: self._filter())
        self.cut_button.clicked.connect(lambda _c=False: self._cut(True))
        self.back_button.clicked.connect(lambda _c=False: self._cut(False))
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.model.modelReset.connect(self._enable)
        self.table.itemDelegate().closeEditor.connect(lambda *_: self._tell())
        self._enable()

    def chosen(self) -> list[int]:
        """Numbers of the chosen cables."""
        return [self.model.cable(index) for index in self.table.selectionModel().selectedRows()]

    def _cut(self, cut: bool) -> None:
        before = self.chosen()
        self.model.cut(before, cut=cut)
        self._choose_again(before)

    def refresh(self) -> None:
        """The cables as they are now; what was chosen stays chosen."""
        before = self.chosen()
        self.model.refresh()
        self._choose_again(before)

    def _choose_again(self, before: list[int]) -> None:
        places = {int(row): n for n, row in enumerate(self.model.shown.tolist())} if before else {}
        if before and before[0] in places:
            self.table.selectRow(places[before[0]])

    def _filter(self) -> None:
        self.model.set_filter(self.search.text(), only_moved=self.moved.isChecked())

    def _enable(self) -> None:
        rows = self.chosen()
        self.cut_button.setEnabled(any(self.model.state(row) != "cut" for row in rows))
        self.back_button.setEnabled(any(self.model.state(row) for row in rows))

    def _tell(self) -> None:
        self.said.setText(self.model.complaint)
        self.said.setVisible(bool(self.model.complaint))


def cables_fold(page: Page, link_id: str) -> None:
    """Cables of a link of a fabric sheet, in a fold."""
    context = page.context
    if context.sheet_row.kind != "fabric":
        return

    def note() -> str:
        row = context.eff.links.get(link_id)
        if row is None:
            return ""
        moved = len(row.wire.moved)
        total = f"{len(bundle_of(context.project, context.design_row, context.eff, link_id, row).rows):,}"
        moved_text = QCoreApplication.translate("Cables", "{count} moved").format(count=moved)
        return f"{total}, {moved_text}" if moved else total

    def fill() -> None:
        section = CablesSection(page, link_id)
        page.add_widget(section)
        page.add_live(section.refresh)

    page.add_fold(fold_title(), note, fill)
