"""What the person sees after a fault, and the same dialog for a diagnostic file when nothing went wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui.dialogs import fit_to_screen
from fabricwright.ui.faults.diagnostics import contents, diagnostic_zip
from fabricwright.ui.i18n import text_of
from fabricwright.ui.session import documents
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import TextLabel
from fabricwright.units.files import replace_file
from fabricwright.units.os_reasons import reason_of

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

SIZE, SIZE_OF_FILE = QSize(640, 440), QSize(560, 260)


class FaultDialog(QDialog):
    """Modal. ``where`` the frames of the fault, "" when the person only wants the file; ``copy`` what was saved."""

    def __init__(self, window: MainWindow, where: str = "", copy: Path | None = None) -> None:
        super().__init__(window)
        self._window, self._where = window, where
        self.setWindowTitle(self.tr("Something went wrong") if where else self.tr("Diagnostic file"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        if where:
            column.addWidget(TextLabel(self.tr("Something went wrong in the program."), self, px=15, weight=SEMIBOLD))
            column.addWidget(TextLabel(self._saved(copy), self, wrap=True))
        told = self.tr("The diagnostic file holds nothing of your project and is sent nowhere. It contains:")
        column.addWidget(TextLabel(told, self, wrap=True))
        column.addWidget(self._listed())
        if where:
            frames = QPlainTextEdit(where, self)
            frames.setReadOnly(True)
            frames.setAccessibleName(self.tr("Where it went wrong"))
            column.addWidget(frames, 1)
        else:
            column.addStretch(1)
        self.state = TextLabel("", self, px=11.5, token="text.2", wrap=True)
        self.state.hide()
        column.addWidget(self.state)
        self.save = QPushButton(self.tr("Save diagnostic file…"), self)
        self.save.clicked.connect(self._ask)
        close = QPushButton(self.tr("Go on") if where else self.tr("Close"), self)
        close.clicked.connect(self.accept)
        # What the dialog is for stands last, as in every dialog.
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for button in (self.save, close) if where else (close, self.save):
            buttons.addWidget(button)
        button.setDefault(True)
        column.addLayout(buttons)
        fit_to_screen(self, SIZE if where else SIZE_OF_FILE)

    def _listed(self) -> QWidget:
        """Each file of the zip, and what is in it."""
        box = QWidget(self)
        box.setAccessibleName(self.tr("What the diagnostic file contains"))
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 4)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for line, (name, text) in enumerate(contents()):
            grid.addWidget(TextLabel(name, box, weight=SEMIBOLD), line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(TextLabel(text, box, token="text.2", wrap=True), line, 1)
        return box

    def _saved(self, copy: Path | None) -> str:
        if copy is None:
            return self.tr("A copy of the project could not be written: save it now under another name.")
        return self.tr(
            "A copy of the project as it is now was saved first: {file}. Save under another name, start the program "
            "again, and compare."
        ).format(file=QDir.toNativeSeparators(str(copy)))

    def _ask(self) -> None:
        start = str(documents() / "fabricwright-diagnostics.zip")
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save diagnostic file"), start)
        if name:
            self.write(Path(name))

    def write(self, path: Path) -> bool:
        """Write the file and say so. False when it cannot be written."""
        try:
            replace_file(path, diagnostic_zip(self._window.document.project, self._where))
        except OSError as error:
            reason = text_of(reason_of(error))
            self._say(self.tr("{file} cannot be written ({reason}).").format(file=path.name, reason=reason))
            return False
        self._say(self.tr("Saved {file}.").format(file=path.name))
        return True

    def _say(self, text: str) -> None:
        self.state.setText(text)
        self.state.show()
