"""What the person sees after a fault, and the same dialog for a diagnostic file when nothing went wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QPlainTextEdit, QPushButton, QVBoxLayout

from fabricwright.ui.dialogs import fit_to_screen
from fabricwright.ui.faults.diagnostics import contents, diagnostic_zip
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import TextLabel
from fabricwright.units.files import replace_file

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

SIZE = QSize(640, 460)


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
        listed = QPlainTextEdit("\n".join(f"{name}  {text}" for name, text in contents()), self)
        listed.setReadOnly(True)
        listed.setAccessibleName(self.tr("What the diagnostic file contains"))
        column.addWidget(listed, 1)
        if where:
            frames = QPlainTextEdit(where, self)
            frames.setReadOnly(True)
            frames.setAccessibleName(self.tr("Where it went wrong"))
            column.addWidget(frames, 1)
        self.state = TextLabel("", self, px=11.5, token="text.2", wrap=True)
        column.addWidget(self.state)
        buttons = QDialogButtonBox(self)
        self.save = QPushButton(self.tr("Save diagnostic file…"), self)
        self.save.clicked.connect(self._ask)
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.ActionRole)
        close = QPushButton(self.tr("Go on") if where else self.tr("Close"), self)
        close.clicked.connect(self.accept)
        close.setDefault(True)
        buttons.addButton(close, QDialogButtonBox.ButtonRole.AcceptRole)
        column.addWidget(buttons)
        fit_to_screen(self, SIZE)

    def _saved(self, copy: Path | None) -> str:
        if copy is None:
            return self.tr("A copy of the project could not be written: save it now under another name.")
        return self.tr(
            "A copy of the project as it is now was saved first: {file}. Save under another name, start the program "
            "again, and compare."
        ).format(file=QDir.toNativeSeparators(str(copy)))

    def _ask(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save diagnostic file"), "fabricwright-diagnostics.zip")
        if name:
            self.write(Path(name))

    def write(self, path: Path) -> bool:
        """Write the file and say so. False when it cannot be written."""
        try:
            replace_file(path, diagnostic_zip(self._window.document.project, self._where))
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self.state.setText(self.tr("{file} cannot be written ({reason}).").format(file=path.name, reason=reason))
            return False
        self.state.setText(self.tr("Saved {file}.").format(file=path.name))
        return True
