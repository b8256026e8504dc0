"""The second step: what was asked for, to be changed on the spot, beside the alternatives."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from fabricwright.ui.sizing.result import Card, ResultPane

FORM_PX, NARROW_FORM_PX = 304, 284
#: From this width of the wizard on the form has its full width.
_WIDE_PX = 1340
_RESULTS_PX = 560


class ChoosePage(QWidget):
    """``results`` the alternatives. The form of the requirements is lent by the first step."""

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 14, 18, 14)
        row.setSpacing(14)
        self._asked = Card(self)
        side = QWidget()
        self._side = QVBoxLayout(side)
        self._side.setContentsMargins(0, 0, 8, 0)
        self._side.addStretch(1)
        self._asked.column.addWidget(scrolling(side), 1)
        self.results = ResultPane(self)
        self.results.setMinimumWidth(_RESULTS_PX)
        row.addWidget(self._asked)
        row.addWidget(scrolling(self.results), 1)
        self.retranslate()

    def take_form(self, form: QWidget) -> None:
        """Show the form at the left."""
        self._side.insertWidget(0, form)
        form.show()

    def fit(self, wizard_px: int) -> None:
        """Give the form the width that a wizard of this width has for it."""
        self._asked.setFixedWidth(FORM_PX if wizard_px >= _WIDE_PX else NARROW_FORM_PX)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self._asked.title.setText(self.tr("What you asked for"))


def scrolling(inside: QWidget) -> QScrollArea:
    """A frameless area around a page of the wizard; the page shows the wizard's ground."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    inside.setAutoFillBackground(False)
    area.viewport().setAutoFillBackground(False)
    return area
