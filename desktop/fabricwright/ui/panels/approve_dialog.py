"""Accepting a finding: who, why, for which members, from which day on."""

from __future__ import annotations

from datetime import date
from typing import Any

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui.panels.problems_model import Problem
from fabricwright.ui.panels.words import measured_text
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import NoticeBox, TextLabel, answer_buttons, set_surface

_AUTHOR = "approval/author"
_LONGEST_LIST = 80


class ApproveDialog(QDialog):
    """Asks for a reason and a name; ``arguments()`` is what the ``approve`` edit takes."""

    def __init__(
        self, problem: Problem, parent: QWidget | None = None, author: str = "", *, several_designs: bool = True
    ) -> None:
        super().__init__(parent)
        self._problem = problem
        self._date = date.today().isoformat()
        self.setWindowTitle(self.tr("Approve {rule}").format(rule=problem.rule))
        self.setMinimumWidth(480)
        self.notice = NoticeBox(self)
        self.notice.set_notice(problem.state, problem.text, problem.place)
        self.reason = QPlainTextEdit(self)
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(76)
        self.reason.setPlaceholderText(self.tr("Why this is acceptable; it appears in reports"))
        self.author = QLineEdit(str(QSettings().value(_AUTHOR) or author), self)
        self.date = TextLabel(self._date, self)
        self.members = TextLabel(self._members(), self, wrap=True)
        self.value = TextLabel(measured_text(self._problem.finding), self, wrap=True)
        self.everywhere = QCheckBox(self.tr("In all designs of the project"), self)
        self.everywhere.setVisible(several_designs)
        note = TextLabel(
            self.tr("It lapses when another member is hit or the value gets worse."),
            self,
            px=11.5,
            token="text.3",
            wrap=True,
        )
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(10)
        self._grid.setColumnStretch(1, 1)
        for label, control in (
            (self.tr("Reason"), self.reason),
            (self.tr("Your name"), self.author),
            (self.tr("Date"), self.date),
            (self.tr("Members"), self.members),
            (self.tr("Value"), self.value),
        ):
            self._row(label, control)
        row = self._grid.rowCount()
        self._grid.addWidget(self.everywhere, row, 1)
        self._grid.addWidget(note, row + 1, 1)
        buttons, self.accept_button = answer_buttons(self, self.tr("Cancel"), self.tr("Approve"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(16)
        column.addWidget(TextLabel(self.tr("Approve this finding"), self, px=17, weight=SEMIBOLD))
        column.addWidget(self.notice)
        column.addLayout(self._grid)
        column.addWidget(buttons)
        set_surface(self, "panel")
        self.reason.textChanged.connect(self._check)
        self.author.textChanged.connect(self._check)
        self.reason.setFocus()
        self._check()

    def sizeHint(self) -> QSize:
        return QSize(520, super().sizeHint().height())

    def _row(self, label: str, control: QWidget) -> None:
        if isinstance(control, TextLabel) and not control.text():
            control.hide()
            return
        row = self._grid.rowCount()
        top = isinstance(control, QPlainTextEdit)
        caption = TextLabel(label, self, token="text.2")
        if top:
            caption.setContentsMargins(0, 6, 0, 0)
        self._grid.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop if top else Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(control, row, 1)
        control.setAccessibleName(label)

    def _members(self) -> str:
        members = str(self._problem.finding.get("members") or "").replace(",", ", ")
        return members if len(members) <= _LONGEST_LIST else f"{members[: _LONGEST_LIST - 1]}…"

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
            "date": self._date,
            "members": str(finding.get("members") or ""),
            "measured": finding.get("measured"),
            "everywhere": self.everywhere.isChecked(),
        }
