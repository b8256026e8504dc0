"""Paths inside the open server: which way data takes between GPUs and NICs, and where GPUDirect RDMA runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui.context import UiContext
from fabricwright.ui.icons import icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.outline_model import Index
from fabricwright.ui.style_paint import Option, rounded
from fabricwright.ui.theme import follow_theme, theme
from fabricwright.ui.widgets import ElidedLabel, EmptyState, SegmentedSwitch, paint_chip, set_surface
from fabricwright.units.text import msg

VIEWS = ("nic", "rdma", "gpu")
_KINDS = {"PIX": "ok", "PXB": "info", "PHB": "warning", "NODE": "warning", "SYS": "error", "P2C": "ok", "C2C": "ok"}
_KINDS |= {"LOC": "neutral", "NVB": "info", "PXN": "info", "DIS": "error", "NET": "error"}  # NCCL's own
KIND_ROLE = Qt.ItemDataRole.UserRole


def kind_of(word: str) -> str:
    """Chip kind of a path class as nvidia-smi writes it: NVLink and one switch are good, the socket link is bad."""
    if word.startswith("NV"):
        return "ok"
    return _KINDS.get(word, "neutral")


def _way(number: str) -> str:
    """How the bytes go (``topology.model.Transport``)."""
    return {
        "1": QCoreApplication.translate("Paths", "over NVLink"),
        "2": QCoreApplication.translate("Paths", "peer to peer over PCIe"),
        "3": QCoreApplication.translate("Paths", "through host memory"),
        "4": QCoreApplication.translate("Paths", "by GPUDirect RDMA"),
        "5": QCoreApplication.translate("Paths", "staged in host memory"),
        "6": QCoreApplication.translate("Paths", "over NVLink and another GPU's NIC"),
    }.get(number, "")


class MatrixModel(QAbstractTableModel):
    """Rows are NICs (or GPUs), columns GPUs, as the mock-ups show it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._matrix: Mapping[str, Any] = {}
        self._view, self._words = "nic", "smi"

    def set_matrix(self, matrix: Mapping[str, Any], view: str, words: str = "smi") -> None:
        """Show another server or another question: ``nic``, ``rdma`` or ``gpu``, in the words of nvidia-smi or NCCL."""
        if (matrix, view, words) == (self._matrix, self._view, self._words):
            return
        self.beginResetModel()
        self._matrix, self._view, self._words = matrix, view, words
        self.endResetModel()

    def columns(self) -> Sequence[str]:
        """GPUs."""
        return self._matrix.get("gpus") or ()

    def rows(self) -> Sequence[str]:
        """NICs with a cable, or GPUs."""
        return self._matrix.get("gpus" if self._view == "gpu" else "nics") or ()

    def word(self, row: int, column: int) -> str:
        """What stands in a cell."""
        if self._view == "rdma":
            table = self._matrix.get("gdr") or ()
            return self.tr("on") if table[column][row] else self.tr("off")
        return self._read("_nccl" if self._words == "nccl" else "", row, column)

    def _read(self, what: str, row: int, column: int) -> str:
        """A figure of a cell, "" when the worker did not send it."""
        pair = "gpu_gpu" if self._view == "gpu" else "gpu_nic"
        gpu, other = (row, column) if self._view == "gpu" else (column, row)
        table = self._matrix.get(f"{pair}{what}") or ()
        return str(table[gpu][other]) if gpu < len(table) and other < len(table[gpu]) else ""

    def text(self, separator: str = "\t") -> str:
        """The matrix as it is shown, one line per row, for a mail or a sheet (``,`` quotes as CSV does)."""
        lines = [["", *self.columns()]]
        for row, name in enumerate(self.rows()):
            lines.append([name, *(self.word(row, column) for column in range(len(self.columns())))])
        out = io.StringIO()
        csv.writer(out, delimiter=separator, lineterminator="\n").writerows(lines)
        return out.getvalue()

    def kind(self, row: int, column: int) -> str:
        """Chip kind of a cell."""
        if self._view == "rdma":
            return "ok" if (self._matrix.get("gdr") or ())[column][row] else "neutral"
        return kind_of(self.word(row, column))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows())

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.columns())

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.word(row, column)
        if role == KIND_ROLE:
            return self.kind(row, column)
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return self._sentence(row, column)
        return None

    def _sentence(self, row: int, column: int) -> str:
        one, two = self.columns()[column], self.rows()[row]
        if one == two:
            return one
        lines = [
            self.tr("{one} to {two}: {word}; NCCL sees {nccl}").format(
                one=one, two=two, word=self._read("", row, column), nccl=self._read("_nccl", row, column) or "–"
            )
        ]
        rate = self._read("_gbs", row, column)
        if rate and float(rate) > 0:
            text = self.tr("{rate} GB/s {way}")
            lines.append(text.format(rate=f"{float(rate):g}", way=_way(self._read("_way", row, column))).strip())
        return "\n".join(lines)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        names = self.columns() if orientation == Qt.Orientation.Horizontal else self.rows()
        return names[section] if section < len(names) else None


class _ChipDelegate(QStyledItemDelegate):
    @safe_paint
    def paint(self, painter: QPainter, option: Option, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(3, 3, -3, -3)
        word = str(index.data())
        if word != "X":
            paint_chip(painter, box, word, str(index.data(KIND_ROLE)), radius=4)
        if option.state & QStyle.StateFlag.State_Selected:
            rounded(painter, box.adjusted(-1, -1, 1, 1), None, theme()["focus"], radius=5, width=1.5)
        painter.restore()


class PathsPanel(QWidget):
    """Matrix of path classes of the open server sheet; a double click selects both ends on the canvas."""

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self._context = context
        self.view = SegmentedSwitch([(v, v) for v in VIEWS], "nic")
        self.words = SegmentedSwitch([("smi", "nvidia-smi"), ("nccl", "NCCL")], "smi")
        self.copy_button = QToolButton(self)
        self.copy_button.setAutoRaise(True)
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.copy_button)
        self.copy_text = menu.addAction("", lambda: self.copy("\t"))
        self.copy_csv = menu.addAction("", lambda: self.copy(","))
        self.copy_button.setMenu(menu)
        self.model = MatrixModel(self)
        self.table = QTableView(self)
        self.table.setModel(self.model)
        self.table.setItemDelegate(_ChipDelegate(self.table))
        self.table.setShowGrid(False)
        self.table.setFrameShape(QTableView.Shape.NoFrame)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setCornerButtonEnabled(False)
        for header, size in ((self.table.horizontalHeader(), 60), (self.table.verticalHeader(), 28)):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setDefaultSectionSize(size)
            header.setSectionsClickable(False)
            header.setHighlightSections(False)
        self.empty = EmptyState(parent=self)
        self.legend = ElidedLabel("", self, px=11, token="text.3")
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.setSpacing(6)
        top.addWidget(self.view)
        top.addWidget(self.words)
        top.addWidget(self.copy_button)
        top.addWidget(self.legend, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty, 1)
        set_surface(self, "panel")
        self.view.changed.connect(lambda _key: self.refresh())
        self.words.changed.connect(lambda _key: self.refresh())
        keys = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table)
        keys.setContext(Qt.ShortcutContext.WidgetShortcut)
        keys.activated.connect(lambda: self.copy("\t"))
        self.table.doubleClicked.connect(self._show)
        context.analysis.changed.connect(self._analysed)
        context.place_changed.connect(self.refresh)
        follow_theme(self._themed)
        self._retranslate()

    def copy(self, separator: str) -> None:
        """Put the matrix on the clipboard."""
        QGuiApplication.clipboard().setText(self.model.text(separator))
        self._context.say(msg("The matrix is on the clipboard."))

    def sizeHint(self) -> QSize:
        return QSize(620, 190)

    def _analysed(self, topics: frozenset[str]) -> None:
        if topics & {"sheets", "status"}:
            self.refresh()

    def refresh(self) -> None:
        """Show the matrix of the open sheet."""
        summary = self._context.analysis.sheets.get(self._context.sheet) or {}
        matrix = summary.get("matrix") or {}
        self.model.set_matrix(matrix, self.view.current(), self.words.current())
        there = self.model.rowCount() > 0 and self.model.columnCount() > 0
        self.words.setEnabled(self.view.current() != "rdma")
        self.copy_button.setEnabled(there)
        self.table.setVisible(there)
        for widget in (self.words, self.copy_button, self.legend):
            widget.setVisible(there)
        self.empty.setVisible(not there)
        if there:
            return
        if self._context.sheet_row.kind != "server":
            self.empty.set_content([self.tr("Open a server to see the paths inside it.")])
        elif not matrix:
            self.empty.set_content([self.tr("Working out the paths…")])
        else:
            self.empty.set_content([self.tr("No NIC of this server has a cable, or it has no GPU.")])

    def _show(self, index: Index) -> None:
        ends = [self.model.columns()[index.column()], self.model.rows()[index.row()]]
        eff = self._context.eff
        ids = [end for end in dict.fromkeys(ends) if end in eff.items]
        self._context.document.select(ids)
        self._context.reveal.emit(ids)

    def _themed(self, _theme: object) -> None:
        self.table.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        names = {"nic": self.tr("To NICs"), "rdma": self.tr("GPUDirect RDMA"), "gpu": self.tr("Between GPUs")}
        self.view.set_options([(key, names[key]) for key in VIEWS])
        self.view.setAccessibleName(self.tr("Paths shown"))
        self.words.setAccessibleName(self.tr("Words of"))
        self.copy_button.setIcon(icon("copy", "text.2"))
        self.copy_button.setToolTip(self.tr("Copy the matrix"))
        self.copy_button.setAccessibleName(self.tr("Copy the matrix"))
        meaning = self.tr(
            "PIX one switch, PXB several, PHB through the CPU, NODE between its root complexes, SYS over the socket "
            "link, NV# NVLink"
        )
        self.legend.set_text(meaning)
        self.legend.setToolTip(meaning)
        self.copy_text.setText(self.tr("Copy as text"))
        self.copy_csv.setText(self.tr("Copy as CSV"))
        self.table.setAccessibleName(self.tr("Path classes"))
        self.refresh()
