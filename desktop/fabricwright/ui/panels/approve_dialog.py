"""Accepting a finding: who, and why."""

from __future__ import annotations

from datetime import date
from typing import Any

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui.panels.problems_model import Problem
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import TextLabel

_AUTHOR = "approval/author"


class ApproveDialog(QDialog):
    """Asks for a reason and a name; ``arguments()`` is what the ``approve`` edit takes."""

    def __init__(self, problem: Problem, parent: QWidget | None = None, author: str = "") -> None:
        super().__init__(parent)
        self._problem = problem
        self.setWindowTitle(self.tr("Approve {rule}").format(rule=problem.rule))
        self.setMinimumWidth(420)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel(problem.text, self, px=13, weight=SEMIBOLD, wrap=True))
        if problem.place:
            column.addWidget(TextLabel(problem.place, self, px=11.5, token="text.2"))
        form = QFormLayout()
        form.setSpacing(8)
        self.reason = QPlainTextEdit(self)
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(72)
        self.reason.setPlaceholderText(self.tr("Why this is acceptable; it appears in reports"))
        self.reason.setAccessibleName(self.tr("Reason"))
        self.author = QLineEdit(str(QSettings().value(_AUTHOR) or author), self)
        self.author.setAccessibleName(self.tr("Your name"))
        form.addRow(self.tr("Reason"), self.reason)
        form.addRow(self.tr("Your name"), self.author)
        column.addLayout(form)
        self.everywhere = QCheckBox(self.tr("In every design of the project"), self)
        column.addWidget(self.everywhere)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.accept_button = buttons.addButton(self.tr("Approve"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.accept_button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.reason.textChanged.connect(self._check)
        self.author.textChanged.connect(self._check)
        self._check()

    def _check(self) -> None:
        self.accept_button.setEnabled(bool(self.reason.toPlainText().strip() and self.author.text().strip()))

    def accept(self) -> None:
        QSettings().setValue(_AUTHOR, self.author.text().strip())
        super().accept()

    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of ``approve``."""
        finding = self._problem.finding
        return {
            "key": self._problem.key,
            "reason": self.reason.toPlainText().strip(),
            "author": self.author.text().strip(),
            "date": date.today().isoformat(),
            "members": str(finding.get("members") or ""),
            "measured": finding.get("measured"),
            "everywhere": self.everywhere.isChecked(),
        }
