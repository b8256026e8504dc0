"""What to do with a file that was just written: open it, or the folder that it is in."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QWidget

from fabricwright.ui.context import UiContext
from fabricwright.ui.widgets import TextButton
from fabricwright.units.text import msg


class WrittenFile(QWidget):
    """Two links beside the sentence in the status line; the desktop opens the file with what it has for it."""

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._path = Path()
        self.open_file = TextButton("", self, px=11.5)
        self.open_folder = TextButton("", self, px=11.5)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.open_file)
        row.addWidget(self.open_folder)
        self.open_file.clicked.connect(lambda: self._open(self._path))
        self.open_folder.clicked.connect(lambda: self._open(self._path if self._path.is_dir() else self._path.parent))
        self.retranslate()
        self.hide()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.open_file.setText(self.tr("Open"))
        self.open_folder.setText(self.tr("Show in folder"))

    def offer(self, path: Path) -> None:
        """A file, or a folder of files."""
        self._path = path.absolute()
        self.open_file.setVisible(not self._path.is_dir())
        self.show()

    def _open(self, path: Path) -> None:
        if not path.exists() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._context.say(msg("{file} cannot be opened from here.", file=path.name or str(path)), "warning")
