"""The row over the chart: bandwidth or time, which ranks take part, what is down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from fabricwright.design.place_words import thing_text
from fabricwright.design.values import Design
from fabricwright.ui.panels.performance_texts import failure_kind, failures_worst_first, left_text
from fabricwright.ui.panels.words import BLANK
from fabricwright.ui.widgets import SegmentedSwitch

_MOST = 200
_LEAST_PX = 80


class _FailureBox(QComboBox):
    """``opened`` when the list is about to drop down."""

    opened = Signal()

    def showPopup(self) -> None:
        self.opened.emit()
        super().showPopup()

    def grow(self) -> None:
        """Make room for rows that came while the list was open."""
        if self.view().isVisible():
            super().showPopup()


class ChoiceRow(QWidget):
    """``quantity_changed`` (busbw, time), ``nodes_changed`` (0: all), ``fail_changed`` (address, "" nothing),
    ``list_wanted`` before the failures drop down."""

    quantity_changed = Signal(str)
    nodes_changed = Signal(int)
    fail_changed = Signal(str)
    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.quantity = SegmentedSwitch([("busbw", ""), ("time", "")], "busbw", self)
        self.nodes = QComboBox(self)
        self.fail = _FailureBox(self)
        self.editor = QLineEdit(self)
        self.fail.setEditable(True)
        self.fail.setLineEdit(self.editor)
        self.fail.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.fail.setMinimumContentsLength(6)
        self.nodes.setMinimumContentsLength(4)
        for box in (self.nodes, self.fail):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumWidth(_LEAST_PX)
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.quantity)
        row.addWidget(self.nodes, 2)
        row.addWidget(self.fail, 3)
        self._shown: tuple[object, ...] = ()
        self._filled: tuple[int, int, str, Mapping[str, Any], Design] | None = None
        self._design = BLANK
        self._address = ""
        self.quantity.changed.connect(self.quantity_changed)
        self.nodes.activated.connect(lambda _row: self.nodes_changed.emit(int(self.nodes.currentData())))
        self.fail.activated.connect(lambda row: self._picked(str(self.fail.itemData(row) or "")))
        self.fail.opened.connect(self.list_wanted)
        self.editor.textChanged.connect(self._cleared)
        self.editor.editingFinished.connect(self._typed)
        self._retranslate()

    def _cleared(self, text: str) -> None:
        if not text and self._address and self.editor.isClearButtonEnabled():
            self._picked("")

    def _typed(self) -> None:
        text = self.editor.text().strip()
        if self._address and text == thing_text(self._design, self._address):
            return
        if text == self.fail.itemText(0):
            text = ""
        row = self.fail.findText(text) if text else -1
        self._picked(str(self.fail.itemData(row)) if row > 0 else text)

    def _picked(self, address: str) -> None:
        if address != self._address:
            self._address = address
            self.fail_changed.emit(address)
        self.editor.setModified(False)
        self._show_address()

    def _show_address(self) -> None:
        """What is down, unless somebody is typing another address."""
        if self.editor.hasFocus() and self.editor.isModified():
            return
        with QSignalBlocker(self.fail), QSignalBlocker(self.editor):
            row = self.fail.findData(self._address)
            self.fail.setCurrentIndex(row if row >= 0 else -1)
            self.editor.setClearButtonEnabled(bool(self._address))
            self.editor.setText(thing_text(self._design, self._address) if self._address else self.fail.itemText(0))
            self.editor.setCursorPosition(0)

    def fill(self, servers: int, nodes: int, fail: str, resilience: Mapping[str, Any], design: Design = BLANK) -> None:
        """Show what is asked for, the counts of servers there are, and the failures that were looked at, called as
        the sheets of the design label them."""
        self._address = fail
        self._filled = (servers, nodes, fail, resilience, design)
        self._design = design
        failures = failures_worst_first(resilience)[:_MOST]
        shown = (servers, nodes, tuple(f["address"] for f in failures), tuple(f["ratio"] for f in failures))
        if shown != self._shown:
            self._shown = shown
            self._fill_nodes(servers, nodes)
            self._fill_failures(failures)
        self._show_address()

    def _fill_nodes(self, servers: int, nodes: int) -> None:
        with QSignalBlocker(self.nodes):
            self.nodes.clear()
            self.nodes.addItem(self.tr("All ranks"), 0)
            steps = {1 << e for e in range(20) if 1 << e < servers}
            for count in sorted(steps | ({nodes} if nodes else set())):
                text = self.tr("First server") if count == 1 else self.tr("First {count} servers").format(count=count)
                self.nodes.addItem(text, count)
            self.nodes.setCurrentIndex(max(0, self.nodes.findData(nodes)))

    def _fill_failures(self, failures: Sequence[Mapping[str, Any]]) -> None:
        with QSignalBlocker(self.fail), QSignalBlocker(self.editor):
            self.fail.clear()
            self.fail.addItem(self.tr("Nothing is down"), "")
            for failure in failures:
                text = self.tr("{address} ({kind}): {left}")
                shown = text.format(
                    address=thing_text(self._design, str(failure["address"])),
                    kind=failure_kind(str(failure["kind"])),
                    left=left_text(failure),
                )
                self.fail.addItem(shown, failure["address"])
            view = self.fail.view()
            if view.isVisible() and failures:  # it was opened before they were there
                QTimer.singleShot(0, self.fail.grow)
            view.setMinimumWidth(min(360, max(self.fail.width(), view.sizeHintForColumn(0) + 24)))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.quantity.set_options([("busbw", "GB/s"), ("time", self.tr("Time"))])
        self.quantity.setAccessibleName(self.tr("Bandwidth or time"))
        self.nodes.setAccessibleName(self.tr("Ranks that take part"))
        self.nodes.setToolTip(self.tr("Ranks that take part"))
        self.fail.setAccessibleName(self.tr("What is down"))
        self.fail.setToolTip(self.tr("What is down: choose a single failure, worst first, or type an address"))
        self._shown = ()
        if self._filled is not None:
            self.fill(*self._filled)  # the panel has asked for it already, before this row heard of the language
