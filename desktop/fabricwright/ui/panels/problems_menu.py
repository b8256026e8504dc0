"""The menu of a row in the list of problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from fabricwright.ui.panels.problems import ProblemsPanel


def row_menu(panel: ProblemsPanel, row: int) -> QMenu:
    """What can be done about a finding; for the head of the approved ones, to fold or unfold them."""
    menu = QMenu(panel)
    problem = panel.model.problem(row)
    if problem is None:
        text = (
            QCoreApplication.translate("ProblemsPanel", "Fold approved away")
            if panel.model.is_open
            else QCoreApplication.translate("ProblemsPanel", "Show approved")
        )
        menu.addAction(text, lambda: panel.fold(not panel.model.is_open))
        return menu
    approved = problem.state == "approved"
    menu.addAction(QCoreApplication.translate("ProblemsPanel", "Go to the place"), lambda: panel.go(row))
    if problem.fixable and not approved:
        menu.addAction(QCoreApplication.translate("ProblemsPanel", "Fix"), lambda: panel.fix(row))
        count = len(panel.model.same_kind(problem))
        every = menu.addAction(
            QCoreApplication.translate("ProblemsPanel", "Fix all {count} of {rule}").format(
                count=count, rule=problem.rule
            ),
            lambda: panel.fix_all(row),
        )
        every.setEnabled(count > 1 and not panel.mending)
    if not approved:
        menu.addAction(QCoreApplication.translate("ProblemsPanel", "Approve…"), lambda: panel.approve(row))
    if problem.approval_key:
        menu.addAction(
            QCoreApplication.translate("ProblemsPanel", "Withdraw the approval"), lambda: panel.withdraw(row)
        )
    menu.addSeparator()
    if problem.group:
        menu.addAction(
            QCoreApplication.translate("ProblemsPanel", "Show only these rules"),
            lambda: panel.where.choose(group=problem.group),
        )
    menu.addAction(
        QCoreApplication.translate("ProblemsPanel", "Show only this sheet"),
        lambda: panel.where.choose(sheet=problem.sheet),
    )
    menu.addSeparator()
    menu.addAction(
        QCoreApplication.translate("ProblemsPanel", "Copy text"),
        lambda: QGuiApplication.clipboard().setText(problem.sentence),
    )
    return menu
