"""What can be done with a workload: edit, look for a better layout, add, duplicate, rename, remove."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from fabricwright.ui import dialogs
from fabricwright.ui.context import UiContext


class WorkloadVerbs(QObject):
    """Acts on the workload that ``current()`` names. ``looked_at`` (id) follows when another one is to be shown."""

    looked_at = Signal(str)

    def __init__(self, context: UiContext, current: Callable[[], str], panel: QWidget) -> None:
        super().__init__(panel)
        self.context, self._current, self._panel = context, current, panel

    def edit(self, *, new: bool = False, page: str = "") -> None:
        """Open the editor; what it accepts is one entry of the undo list."""
        from fabricwright.ui.training.editor import WorkloadDialog

        dialog = WorkloadDialog(self.context, "" if new else self._current(), self._panel.window(), page=page)
        if dialog.exec() and dialog.apply():
            self.looked_at.emit(dialog.workload)
        dialog.deleteLater()

    def search(self) -> None:
        """Look for the best layout, beside the drawing."""
        from fabricwright.ui.training.layouts_dialog import LayoutsDialog

        if not self._current():
            return
        dialog = LayoutsDialog(self.context, self._current(), self._panel.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()
        dialog.start()

    def menu(self) -> QMenu:
        """Add, duplicate, rename, remove."""
        menu = QMenu(self._panel)
        there = bool(self._current())
        menu.addAction(self.tr("New workload…"), lambda: self.edit(new=True))
        menu.addAction(self.tr("Duplicate"), self.duplicate).setEnabled(there)
        menu.addAction(self.tr("Rename…"), self.rename).setEnabled(there)
        menu.addAction(self.tr("Remove"), self.remove).setEnabled(there)
        return menu

    def show_menu(self, below: QToolButton) -> None:
        """The menu under a button."""
        menu = self.menu()
        menu.exec(below.mapToGlobal(below.rect().bottomLeft()))
        menu.deleteLater()

    def duplicate(self) -> None:
        """A copy of the workload, which is then looked at."""
        old = self._current()
        before = set(self.context.project.workloads)
        title = self.tr("{title}, copy").format(title=self.context.project.workloads[old].title or old)
        if self.context.edit("copy_workload", workload=old, title=title) is not None:
            self.looked_at.emit(next(iter(set(self.context.project.workloads) - before), old))

    def rename(self) -> None:
        """Another title."""
        workload = self._current()
        old = self.context.project.workloads[workload].title or workload
        title = dialogs.ask_text(self._panel.window(), self.tr("Rename workload"), self.tr("Title"), old)
        if title and title != old:
            self.context.edit("rename_workload", workload=workload, title=title)

    def remove(self) -> None:
        """Take the workload out; undo brings it back."""
        self.context.edit("remove_workload", workload=self._current())

    def apply_plan(self, plan: dict[str, Any]) -> None:
        """Put fields of a plan into the workload, as one entry of the undo list."""
        workload = self._current()
        kept = {**self.context.project.workloads[workload].plan, **plan}
        self.context.edit("set_workload", workload=workload, plan={k: v for k, v in kept.items() if v is not None})
