"""A NetBox device type before it becomes a part: what was understood, inferred, left out, and how it differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from fabricwright.catalog.store import catalogue
from fabricwright.exchange.netbox_import import NetboxImport
from fabricwright.exchange.netbox_yaml import DeviceType
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.own_parts.difference_table import Compared, DifferenceModel, DifferenceTable
from fabricwright.ui.own_parts.words import kind_name
from fabricwright.ui.panels.words import listed
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import NoticeBox, TextLabel, set_surface

MOST_LINES = 30


class NetboxDialog(QDialog):
    """Accepted when the form shall open; ``start_from_catalogue()`` says from what."""

    def __init__(self, record: DeviceType, found: NetboxImport, file: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.record, self.found = record, found
        self.setWindowTitle(self.tr("Import NetBox device type"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        title = f"{record.manufacturer} {record.model}"
        column.addWidget(TextLabel(title, self, px=17, weight=SEMIBOLD, wrap=True))
        column.addWidget(
            TextLabel(
                self.tr("Community data from {file}; it replaces no part of the catalogue.").format(file=file),
                self,
                token="text.2",
                wrap=True,
            )
        )
        body = QWidget()
        set_surface(body, "panel")
        inside = QVBoxLayout(body)
        inside.setContentsMargins(0, 0, 8, 0)
        inside.setSpacing(10)
        pair = QHBoxLayout()
        pair.setSpacing(10)
        inside.addLayout(pair)
        self.understood = self._box(pair, "ok", self.tr("Understood"), self._understood())
        self.inferred = self._box(pair, "info", self.tr("Inferred"), self._inferred())
        self.skipped = self._box(inside, "warning", self.tr("Left out"), self._skipped())
        self.model = DifferenceModel((self.tr("Field"), self.tr("Catalogue"), self.tr("Record")), self)
        self.table = DifferenceTable(self.model, body)
        self._same(inside)
        inside.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        column.addWidget(scroll, 1)
        self.from_catalogue = QRadioButton(
            self.tr("The catalogue's part, with the figures of the record laid over it"), self
        )
        self.from_record = QRadioButton(self.tr("The record alone"), self)
        self.from_record.setChecked(True)
        if found.same_model:
            self.from_catalogue.setChecked(True)
            column.addWidget(TextLabel(self.tr("Make the own part from"), self, px=13, weight=SEMIBOLD))
            column.addWidget(self.from_catalogue)
            column.addWidget(self.from_record)
        else:
            self.from_catalogue.hide()
            self.from_record.hide()
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        cancel = QPushButton(self.tr("Cancel"), self)
        self.make_button = QPushButton(self.tr("Make own part…"), self)
        self.make_button.setDefault(True)
        buttons.addWidget(cancel)
        buttons.addWidget(self.make_button)
        column.addLayout(buttons)
        set_surface(self, "panel")
        cancel.clicked.connect(lambda _on=False: self.reject())
        self.make_button.clicked.connect(lambda _on=False: self.accept())

    def sizeHint(self) -> QSize:
        return QSize(760, 660)

    def start_from_catalogue(self) -> bool:
        """Whether the catalogue's part of the same model is the start, not the record alone."""
        return bool(self.found.same_model) and self.from_catalogue.isChecked()

    @staticmethod
    def _box(column: QBoxLayout, severity: str, title: str, lines: Sequence[str]) -> NoticeBox:
        box = NoticeBox()
        box.set_notice(severity, title, "\n".join(lines[:MOST_LINES]))
        box.setVisible(bool(lines))
        inside = box.layout()
        if isinstance(inside, QBoxLayout):
            inside.addStretch(1)  # two boxes side by side are equally high; their texts stay at the top
        column.addWidget(box, 1 if isinstance(column, QHBoxLayout) else 0)
        return box

    def _understood(self) -> list[str]:
        record = self.record
        out = [self.tr("Height {height} U").format(height=f"{record.u_height:g}")]
        if record.weight_kg is not None:
            out.append(self.tr("Weight {weight} kg").format(weight=f"{record.weight_kg:g}"))
        if record.airflow:
            out.append(self.tr("Airflow {airflow}").format(airflow=record.airflow))
        watts = sorted({w for w in record.psu_max_draw_w if w})
        if record.psu_max_draw_w:
            text = self.tr("Power supplies: {count}").format(count=len(record.psu_max_draw_w))
            out.append(listed([text, f"{watts[-1]:g} W" if watts else ""]))
        kinds = Counter(row.type for row in record.interfaces)
        rows = [f"{count} × {kind}" for kind, count in sorted(kinds.items())]
        if rows:
            out.append(self.tr("Interfaces: {rows}").format(rows=listed(rows)))
        return out

    def _inferred(self) -> list[str]:
        part = self.found.part
        out = [self.tr("Kind: {kind}").format(kind=kind_name(part.kind))]
        cages = Counter((cage.type, cage.default) for cage in part.cages.values())
        rows = [f"{count} × {kind} {split}" for (kind, split), count in sorted(cages.items(), reverse=True)]
        if rows:
            out.append(self.tr("Cages: {rows}").format(rows=listed(rows)))
        out.append(self.tr("Every figure counts as inferred until somebody reads a datasheet."))
        return out

    def _skipped(self) -> list[str]:
        record = self.record
        out = [text_of(remark) for remark in self.found.remarks]
        if record.module_bays:
            out.append(self.tr("Module bays: {count}, kept as a note").format(count=len(record.module_bays)))
        for text, count in (
            (self.tr("Device bays: {count}"), record.device_bays),
            (self.tr("Console ports: {count}"), record.console_ports),
        ):
            if count:
                out.append(text.format(count=count))
        out.append(
            self.tr("Not in a record of NetBox: PCIe lanes and wiring, buffers, breakouts, latency, power by load.")
        )
        return out

    def _same(self, column: QVBoxLayout) -> None:
        same, found = self.found.same_model, self.found.differences
        self.same = NoticeBox()
        if not same:
            self.same.hide()
            self.table.hide()
        else:
            name = catalogue().name_of(same, current_language())
            if found:
                title = self.tr("The catalogue has this model; fields that differ: {count}")
                self.same.set_notice("warning", title.format(count=len(found)), name)
            else:
                self.same.set_notice("ok", self.tr("The catalogue has this model and agrees with the record"), name)
            self.model.set_parts([Compared(same, name, found)], heads=False)
            self.table.setVisible(bool(found))
            self.table.setFixedHeight(self.table.horizontalHeader().sizeHint().height() + 30 * min(6, len(found)) + 4)
        column.addWidget(self.same)
        column.addWidget(self.table)


def record_changes(found: NetboxImport) -> dict[str, Any]:
    """Figures of the record that differ from the catalogue's part, as changes to it: they keep their own source."""
    differing = {row.place.removeprefix("figures.") for row in found.differences if row.place.startswith("figures.")}
    figures = {
        name: {"value": row.value, "source": row.source, "confidence": row.confidence}
        for name, row in found.part.figures.items()
        if name in differing
    }
    return {"figures": figures} if figures else {}
