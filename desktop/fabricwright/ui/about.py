"""Name, version and licences: of the program, and of Qt and everything else that an installer brings along."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui.dialogs import fit_to_screen
from fabricwright.ui.icons import app_icon
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import TextLabel

SIZE = QSize(640, 520)
ICON_PX = 56


def licence_texts() -> dict[str, Path]:
    """Part -> its licence texts' folder, as the installer put them beside the program; empty in a checkout."""
    if not getattr(sys, "frozen", False):
        return {}
    folder = Path(sys.executable).parent / "licenses"
    return {path.name: path for path in sorted(folder.iterdir()) if path.is_dir()} if folder.is_dir() else {}


class AboutDialog(QDialog):
    """Modal; ``texts`` as ``licence_texts`` gives them."""

    def __init__(self, parent: QWidget, version: str, texts: dict[str, Path] | None = None) -> None:
        super().__init__(parent)
        self._texts = licence_texts() if texts is None else texts
        self.setWindowTitle(self.tr("About Fabricwright"))
        picture = QLabel(self)
        picture.setPixmap(app_icon().pixmap(QSize(ICON_PX, ICON_PX), self.devicePixelRatioF()))
        name = TextLabel(f"Fabricwright {version}", self, px=18, weight=SEMIBOLD)
        what = TextLabel(
            self.tr("Drawing board for AI training clusters: draw it, check it, predict it, order it."), self, wrap=True
        )
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.addWidget(name)
        words.addWidget(what)
        head.addLayout(words, 1)
        own = TextLabel(
            self.tr(
                "Fabricwright is free software under the Apache License 2.0. It uses Qt, PySide6 and Shiboken, "
                "unchanged, under the GNU Lesser General Public License, version 3. These libraries lie as separate "
                "files in the program's folder and may be exchanged for versions of your own."
            ),
            self,
            wrap=True,
        )
        own.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.parts = QComboBox(self)
        self.parts.setAccessibleName(self.tr("Licence of"))
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Licence text"))
        self.parts.addItems(list(self._texts))
        self.parts.currentTextChanged.connect(self._show)
        absent = TextLabel(
            self.tr("An installed program shows the licence texts of all its parts here."),
            self,
            token="text.2",
            wrap=True,
        )
        self.parts.setVisible(bool(self._texts))
        self.text.setVisible(bool(self._texts))
        absent.setVisible(not self._texts)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 24, 24, 16)
        box.setSpacing(14)
        box.addLayout(head)
        box.addWidget(own)
        box.addWidget(self.parts)
        box.addWidget(self.text, 1)
        box.addWidget(absent)
        box.addStretch(0 if self._texts else 1)
        box.addWidget(buttons)
        if self._texts:
            fit_to_screen(self, SIZE)
            first = "qt" if "qt" in self._texts else next(iter(self._texts))
            self.parts.setCurrentText(first)
            self._show(first)
        else:
            fit_to_screen(self, QSize(SIZE.width(), self.sizeHint().height()))

    def _show(self, part: str) -> None:
        folder = self._texts.get(part)
        if folder is None:
            return
        # The licence that a part is used under first, then the one it builds upon.
        files = sorted(
            (p for p in folder.iterdir() if p.is_file()), key=lambda p: (not p.name.startswith("LGPL"), p.name)
        )
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in files]
        self.text.setPlainText("\n\n".join(texts))
