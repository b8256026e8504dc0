"""Where a pack goes and in which language, what is written, and how far that is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui.export.report_dialog import fill_languages
from fabricwright.ui.exports import named_as
from fabricwright.ui.icons import icon
from fabricwright.ui.project_dialog import TEMPLATE, show_properties
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, ElidedLabel, TextButton, TextLabel, set_surface

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

STATES = {"start": "spinner", "done": "ok-circle", "skipped": "minus"}


class PackTarget(QWidget):
    """The right side of the dialog. ``changed`` after another folder or language."""

    changed = Signal()

    def __init__(self, window: MainWindow, parent: QWidget) -> None:
        super().__init__(parent)
        self.window_ = window
        self.folder = QLineEdit(self._first_folder(), self)
        self.folder.setAccessibleName(self.tr("Folder"))
        self.folder.textChanged.connect(lambda _text: self.changed.emit())
        self.browse = QPushButton(icon("folder"), "", self)
        self.browse.setAccessibleName(self.tr("Choose folder…"))
        self.browse.setToolTip(self.browse.accessibleName())
        self.browse.clicked.connect(self._browse)
        self.language = QComboBox(self)
        self.language.setAccessibleName(self.tr("Language"))
        fill_languages(self.language, window.context.language)
        self.language.currentIndexChanged.connect(lambda _n: self.changed.emit())
        self.look = ElidedLabel("", self, px=12.5, token="text.2")
        self.change = TextButton(self.tr("Project properties…"), self)
        self.change.clicked.connect(self._change_look)
        self._show_look()
        self.files = QListWidget(self)
        self.files.setAccessibleName(self.tr("Progress"))
        self.files.setFrameShape(QListWidget.Shape.NoFrame)
        self.files.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.files.setIconSize(QSize(18, 18))
        self.files.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._lay_out()

    def _change_look(self) -> None:
        show_properties(self.window_)
        self._show_look()

    def _show_look(self) -> None:
        path = self.window_.session.text(TEMPLATE)
        self.look.set_text(Path(path).name if path else self.tr("the program's own look"))

    def _first_folder(self) -> str:
        document = self.window_.document
        folder = document.file.parent if document.file else self.window_.session.folder()
        stem = document.file.stem if document.file else named_as(self.window_.context.project.title)
        return str(folder / f"{stem}-pack")

    def _lay_out(self) -> None:
        set_surface(self, "window")
        self.setMinimumWidth(264)
        self.setMaximumWidth(388)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        column.setSpacing(8)
        column.addWidget(TextLabel(self.tr("Folder"), self, px=12.5))
        row = QHBoxLayout()
        row.addWidget(self.folder, 1)
        row.addWidget(self.browse)
        column.addLayout(row)
        column.addWidget(TextLabel(self.tr("Language"), self, px=12.5))
        column.addWidget(self.language)
        column.addWidget(TextLabel(self.tr("Look of the report"), self, px=12.5))
        row = QHBoxLayout()
        row.addWidget(self.look, 1)
        row.addWidget(self.change)
        column.addLayout(row)
        column.addSpacing(4)
        column.addWidget(Divider(self))
        self.files_title = TextLabel(self.tr("What is written"), self, px=13, weight=SEMIBOLD)
        column.addWidget(self.files_title)
        column.addWidget(self.files, 1)

    def path(self) -> Path:
        """The folder that is named."""
        return Path(self.folder.text().strip())

    def languages(self) -> list[str]:
        """Languages of the pack, the first one first."""
        return str(self.language.currentData()).split(",")

    def _browse(self) -> None:
        found = QFileDialog.getExistingDirectory(self, self.tr("Choose folder…"), str(Path(self.folder.text()).parent))
        if found:
            self.folder.setText(found)

    def set_choices_enabled(self, on: bool) -> None:
        """Whether another folder, language or look can be chosen."""
        for widget in (self.folder, self.browse, self.language, self.change):
            widget.setEnabled(on)

    def show_jobs(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """What will be written: (id, icon, text) of each job."""
        self.files.clear()
        for name, picture, text in rows:
            row = QListWidgetItem(icon(picture), text)
            row.setData(Qt.ItemDataRole.UserRole, name)
            self.files.addItem(row)

    def mark(self, what: str, name: str) -> None:
        """A job began (``start``), was ``done`` or ``skipped``."""
        for n in range(self.files.count()):
            row = self.files.item(n)
            if row.data(Qt.ItemDataRole.UserRole) == name:
                token = {"done": "ok", "start": "accent"}.get(what, "text.3")
                row.setIcon(icon(STATES.get(what, "minus"), token))
                self.files.scrollToItem(row)
