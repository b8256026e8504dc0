"""The buttons at the foot of the wizard: what they are called and which can be pressed at each step."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from fabricwright.ui.sizing.rows import Row, letter
from fabricwright.ui.widgets import ElidedLabel, set_surface


class Foot(QWidget):
    """``back``, ``cancel``, ``next``, ``other`` and ``primary``; the wizard connects them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_surface(self, "panel")
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 12, 24, 12)
        row.setSpacing(10)
        self.back = QPushButton(self)
        self.note = ElidedLabel("", self, token="text.2")
        self.cancel, self.next, self.other, self.primary = (QPushButton(self) for _ in range(4))
        row.addWidget(self.back)
        row.addWidget(self.note, 1)
        for button in (self.cancel, self.next, self.other, self.primary):
            row.addWidget(button)
        for button in (self.back, self.cancel, self.next, self.other):
            button.setAutoDefault(False)
        self.primary.setDefault(True)

    def retranslate(self) -> None:
        """Texts that no step changes."""
        self.back.setText(QCoreApplication.translate("SizingWizard", "Back"))
        self.note.set_text(
            QCoreApplication.translate(
                "SizingWizard", "Nothing is drawn until you press Draw; in an open project it is one undo step."
            )
        )
        self.next.setText(QCoreApplication.translate("SizingWizard", "Next: racks, names"))

    def _stops(self, stops: bool) -> None:
        stop = QCoreApplication.translate("SizingWizard", "Stop")
        self.cancel.setText(stop if stops else QCoreApplication.translate("SizingWizard", "Cancel"))

    def show_asking(self, *, valid: bool, stops: bool) -> None:
        """The first step: the requirements are ``valid``."""
        self.back.setEnabled(False)
        self.next.hide()
        self.other.hide()
        self._stops(stops)
        self.primary.setText(QCoreApplication.translate("SizingWizard", "Show alternatives"))
        self.primary.setEnabled(valid)

    def show_choosing(
        self, row: Row | None, picked: int, *, last: bool, ready: bool, stops: bool, into_open: bool, adding: bool
    ) -> None:
        """The steps after it, ``last`` the one that draws: ``picked`` designs with ``row`` first; ``into_open`` the
        open project can take them, and does so by the main button when ``adding``.
        """
        self.back.setEnabled(True)
        self.next.setVisible(not last)
        self.next.setEnabled(row is not None)
        self._stops(stops)
        self.other.setVisible(into_open)
        self.other.setEnabled(ready)
        new = QCoreApplication.translate("SizingWizard", "New project")
        self.other.setText(new if adding else QCoreApplication.translate("SizingWizard", "Add to the project"))
        one = QCoreApplication.translate("SizingWizard", "Draw design {name}")
        words = QCoreApplication.translate("SizingWizard", "Draw {count} designs") if picked > 1 else one
        self.primary.setText(words.format(count=picked, name=letter(row) if row is not None else ""))
        self.primary.setEnabled(ready)
