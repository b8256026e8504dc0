"""The versions of a project: compared, restored as a copy, renamed, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout

from fabricwright.design.snapshots import in_order
from fabricwright.ui import dialogs
from fabricwright.ui.icons import icon
from fabricwright.ui.storage_dialogs import moment_text
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import TextLabel, set_surface

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

KEY = Qt.ItemDataRole.UserRole


class SnapshotsDialog(QDialog):
    """``wanted`` ("restore" or "compare", id) what to do once it is closed, ("", "") for nothing."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window_, self.context = window, window.context
        self.wanted = ("", "")
        self.setWindowTitle(self.tr("Snapshots"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel(self.tr("Snapshots"), self, px=17, weight=SEMIBOLD))
        self.note = TextLabel("", self, px=12, token="text.2", wrap=True)
        column.addWidget(self.note)
        self.rows = QListWidget(self)
        self.rows.setAccessibleName(self.tr("Snapshots"))
        column.addWidget(self.rows, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        self.take = QPushButton(self.tr("Take snapshot…"), self)
        self.compare = QPushButton(self.tr("Compare"), self)
        self.restore = QPushButton(self.tr("Restore as a copy"), self)
        self.rename = QPushButton(self.tr("Rename…"), self)
        self.delete = QPushButton(self.tr("Delete"), self)
        close = QPushButton(self.tr("Close"), self)
        for button in (self.take, self.compare, self.restore, self.rename, self.delete):
            button.setAutoDefault(False)
            foot.addWidget(button)
        foot.addStretch(1)
        foot.addWidget(close)
        column.addLayout(foot)
        set_surface(self, "panel")
        self.take.clicked.connect(lambda _on=False: self._take())
        self.compare.clicked.connect(lambda: self._leave("compare"))
        self.restore.clicked.connect(lambda: self._leave("restore"))
        self.rename.clicked.connect(self._rename)
        self.delete.clicked.connect(self._delete)
        close.clicked.connect(self.reject)
        self.rows.itemActivated.connect(lambda _row: self._leave("compare"))
        self.fill()
        dialogs.fit_to_screen(self, self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(620, 420)

    def fill(self) -> None:
        """The snapshots as they are now, the latest first."""
        at = max(self.rows.currentRow(), 0)
        self.rows.clear()
        project = self.context.project
        for key in in_order(project):
            taken = project.snapshots[key]
            told = [taken.title or key, moment_text(taken.time), taken.author]
            row = QListWidgetItem(icon("history"), "   ".join(t for t in told if t), self.rows)
            row.setData(KEY, key)
        self.rows.setCurrentRow(min(at, self.rows.count() - 1))
        some = bool(self.rows.count())
        for button in (self.compare, self.restore, self.rename, self.delete):
            button.setEnabled(some)
        (self.compare if some else self.take).setDefault(True)
        self.note.setText(
            self.tr("What the project was at a moment, kept in its file.")
            if some
            else self.tr("None yet. Take one before you change something that was shown to a customer.")
        )

    def key(self) -> str:
        """The chosen one, "" for none."""
        row = self.rows.currentItem()
        return str(row.data(KEY)) if row is not None else ""

    def _leave(self, what: str) -> None:
        if self.key():
            self.wanted = (what, self.key())
            self.accept()

    def _take(self) -> None:
        self.window_.commands.take_snapshot()
        self.fill()

    def _rename(self) -> None:
        taken = self.context.project.snapshots.get(self.key())
        if taken is None:
            return
        title = dialogs.ask_text(self, self.tr("Rename snapshot"), self.tr("Name"), taken.title).strip()
        if title:
            self.context.edit("rename_snapshot", snapshot=self.key(), title=title)
            self.fill()

    def _delete(self) -> None:
        if self.key():
            self.context.edit("remove_snapshot", snapshot=self.key())
            self.fill()
