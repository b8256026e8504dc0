"""Spares by kind of part: a share of what the design needs, rounded up for each line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFrame,
    QGridLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from fabricwright.catalog.kind_words import kind_words
from fabricwright.ui import dialogs
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import TextLabel, set_surface
from fabricwright.units.text import N_


class SparesDialog(QDialog):
    """A percentage for each kind in the list. Accepting posts one step of the history."""

    def __init__(self, context: UiContext, kinds: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.setWindowTitle(self.tr("Spares"))
        set_surface(self, "panel")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel(self.tr("Spares"), self, px=17, weight=SEMIBOLD))
        text = self.tr("A share of what the design needs, rounded up for each line of the list.")
        column.addWidget(TextLabel(text, self, token="text.2", wrap=True))
        body = QWidget(self)
        set_surface(body, "panel")
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 8, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(0, 1)
        ordering = context.project.ordering
        every = ordering.get("spares")
        self.boxes: dict[str, QDoubleSpinBox] = {}
        for n, kind in enumerate(kinds):
            stated = ordering.get(f"spares.{kind}", every)
            box = QDoubleSpinBox(body)
            box.setRange(0.0, 100.0)
            box.setDecimals(1)
            box.setSingleStep(1.0)
            box.setSuffix(" %")
            box.setFixedWidth(110)
            box.setAlignment(Qt.AlignmentFlag.AlignRight)
            box.setValue(float(stated) * 100 if isinstance(stated, (int, float)) else 0.0)
            name = text_of(kind_words(kind))
            box.setAccessibleName(name)
            grid.addWidget(TextLabel(name[:1].upper() + name[1:], body, px=12.5), n, 0)
            grid.addWidget(box, n, 1)
            self.boxes[kind] = box
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        column.addWidget(scroll, 1)
        buttons = QDialogButtonBox(self)
        buttons.addButton(self.tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        dialogs.fit_to_screen(self, QSize(420, min(620, 200 + 42 * max(3, len(kinds)))))

    def accept(self) -> None:
        """Post what is different."""
        ordering = self.context.project.ordering
        every = ordering.get("spares")
        calls = []
        for kind, box in self.boxes.items():
            share = round(box.value() / 100, 6)
            stated = ordering.get(f"spares.{kind}", every) or 0.0
            if share != stated:
                value = share if share or every else None
                calls.append(("set_ordering", {"key": f"spares.{kind}", "value": value}))
        if calls:
            self.context.edit_all(N_("Change spares"), calls)
        super().accept()
